#!/bin/sh
# temporal.t -- properties of runs and of the whole graph: --ltl, --ctl, --automaton, --cycles, --fair, and the errors they make.
. tests/cli/lib.sh
cat > ring.net <<'END'
place p = 1, q, r
transition t : p -> q
transition u : q -> p
transition v : q -> r
transition w : r -> r
END
cat > two.dve <<'END'
byte x, arr[2] = {1, 2};
process S { byte loc; state a, b; init a; trans a -> b { effect x = (x + 1) % 3, loc = x; }, b -> a { effect arr[1] = x; }; }
process T { byte v[2]; state a, b; init a; trans a -> b { guard x == 2; effect v[1] = 7; }, b -> a { }; }
system async;
END

# ---- CTL
run check ring.net --ctl 'AG EF p' -o t.json
exits 1 "a branching property is broken"
says 'ctl:1 +violated +AG EF p; after 2 steps, the shortest there is: here EF p is false; trace in t.json' "where what matters is false"
run check ring.net --ctl 'AG (p -> AF r)' --json -o t.json
exits 1 "by a run that goes on"
says '"loop": 0' "with a loop"
says '"message": "this run breaks AF r"' "and what it breaks"
run trace t.json
says 'from here on, again and again' "the trace has it"
run check ring.net --ctl 'EG (p + q > 0)' --ctl 'EF AG r' --ctl 'E[p + q > 0 U r]' --ctl 'A[p W q]' -o t.json
exits 0 "some that hold"
says 'this run shows EG \(p \+ q > 0\)' "a witness with a loop"
says 'here AG r is true' "a witness of what comes behind it"
run check ring.net --ctl 'EF r' --ctl 'AG (p + q + r == 1)' --store comback -o t.json
exits 0 "on the fly, with any store"
says 'store comback' "which is used"
says 'ctl:1 +holds +EF r; reached after 2 steps' "with a witness"
run check ring.net --ctl 'AX AX r' --store tree --search dfs -o t.json
exits 1 "on the graph"
tells 'note: CTL needs the whole graph: states were kept in the store plain and searched breadth-first' "another store and search than asked for are told"
run check ring.net --ctl 'AG EF p' --max-states 2
exits 4 "a limit"
says 'ctl:1 +unknown' "never holds"
run check ring.net --invariant 'p + q > 0' --ctl 'AG EF p' --continue -o t.json
says 'invariant:1 +violated' "beside properties of states"
says 'ctl:1 +violated' "in one exploration"
run check ring.net --ctl 'A G F p'
exits 3 "no CTL"
tells 'every temporal operator needs an A or E right before it' "in a sentence"
run check ring.net --ctl 'G p'
tells 'hint: --ltl' "LTL is known"
run check ring.net --ctl 'AG (p -> EF zork)'
exits 3 "an unknown name"
tells '^--ctl:1:13: error' "with its place"
tells '^              +\^$' "and a caret"

# ---- conditions of DVE
run check two.dve --invariant 'not (T.b and T->v[1] == 7)' -o t.json
exits 1 "P.state and P->x[i]"
run check two.dve --ltl '[] (T.v[1] == 0 || T.v[1] == 7)' --ctl 'EF (S.loc == 2 && arr[1] == 2)' --ltl '<> S.b'
exits 0 "P.x in formulas"
run check two.dve --ltl '[] (T.zork)'
exits 3 "an unknown state"
tells '^--ltl:1:7: error: process "T" has no state "zork"' "with its place in the formula"
run check two.dve --ltl '[] (S->loc < 2)'
tells 'hint: its states and variables are asked for as S.NAME' "the arrow of formulas"

# ---- automata
"$THIMBLE" ltl --negate '[] <> (p > 0)' -o bad.hoa
"$THIMBLE" ltl --negate --format never '[] <> (p > 0)' -o bad.never
"$THIMBLE" ltl --negate '[] (p + q + r == 1)' -o good.hoa
for file in bad.hoa bad.never; do
  run check ring.net --automaton "$file" -p automaton -o t.json
  exits 1 "$file is a property"
  says "automaton:1 +violated +$file" "with its name"
done
run check ring.net --automaton good.hoa
exits 0 "one that holds"
sed 's/p + q/p + zork/' good.hoa > zork.hoa
run check ring.net --automaton zork.hoa
exits 3 "an atom that is not of the model"
tells '^zork.hoa:[0-9]+:[0-9]+: error: the model has no variable "zork"' "with its place in the file"
head -c 70 good.hoa > cut.hoa
run check ring.net --automaton cut.hoa
exits 3 "half a file"
tells '^cut.hoa:[0-9]+:[0-9]+: error' "likewise"
run check ring.net --automaton none.hoa
exits 3 "no file"

# ---- cycles
for how in scc ndfs; do
  run check ring.net --ltl '([] <> p) && ([] <> q) -> <> r' --cycles "$how" --json -p ltl -o t.json
  exits 1 "--cycles $how"
  says '"loop": [0-9]' "finds the loop"
done
says '"search": "ndfs"' "and says how"
run check ring.net --ltl '([] <> p) && ([] <> (q || r)) -> [] <> q' --cycles ndfs -p ltl
exits 0 "nothing is found where nothing is"

# ---- fairness
cat > fair.pml <<'END'
byte x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { y = 1 }
END
run check fair.pml --ltl '<> (y == 1)' -o t.json
exits 1 "a process that never moves"
run check fair.pml --ltl '<> (y == 1)' --fair weak
exits 0 "is not fair"
run check fair.pml --ltl '<> (y == 2)' --fair weak -o t.json
exits 1 "fair runs break things, too"
cat > crowd.pml <<'END'
byte x;
active [5] proctype P() { byte n; do :: n < 3 -> n++ :: n == 3 -> n = 0 od }
active proctype W() { x = 1; x = 2 }
END
run check crowd.pml -p ltl --ltl '[] (x < 2)' --fair weak --json -o t.json
exits 1 "a beginning that breaks a formula can go on fairly"
says '"shortest": true' "so it is enough"
product() { sed -n 's/.*"product": {.*"states": \([0-9]*\).*/\1/p' "$out" | head -n 1; }
run check crowd.pml -p ltl --ltl '[] (x <= 2)' --fair weak --json
exits 0 "what all runs do the fair ones do"
[ "$(product)" -lt 1000 ]; ok $? "and that takes a part of the model, where the whole is large"
run check crowd.pml -p ltl --ltl '[] (x <= 2)' --fair weak --json --reduce none
[ "$(product)" -gt 100000 ]; ok $? "unless there is to be no reduction"
run check crowd.pml -p ltl --ltl '[] <> (x == 2)' --fair weak -o t.json
exits 0 "what the fair ones alone do takes the whole"
run check crowd.pml -p ltl --ltl '[] (x == 1 -> <> (x == 3))' --fair weak -o t.json
exits 1 "and what they do not do is found as well"

# ---- ltl blocks: bits, signs before comparisons, and numbers of formulas without names, as SPIN has them
cat > bits.pml <<'END'
byte x = 1;
ltl two { [] (x & 2) }
ltl { [] (x & 3 && (x | 2) == 3) }
ltl { [] (!x == 0) && ~x }
active proctype P() { x = 3; x = 1 }
END
run check bits.pml --continue -o t.json
exits 1 "ltl blocks"
says 'ltl:two +violated' "& is about bits"
says 'ltl:ltl_0 +holds' "likewise |, and the first formula without a name is ltl_0"
says 'ltl:ltl_1 +holds' "!x == 0 is (!x) == 0, and ~x a number"

# ---- property processes of DVE
cat > claim.dve <<'END'
byte x = 0;
process A { state a, b; init a; trans a -> b { effect x = 1; }, b -> a { effect x = 0; }; }
process P { state q0, q1; init q0; accept q1; trans q0 -> q0 { guard true; }, q0 -> q1 { guard x == 0; }, q1 -> q1 { guard x == 0; }; }
system async property P;
END
run check claim.dve
exits 0 "a property process that accepts no run"
says 'never:P +holds' "is a claim"
sed 's/b -> a {/a -> a { }, b -> a {/' claim.dve > broken.dve
run check broken.dve -o t.json
exits 1 "one that accepts a run"
says 'never:P +violated' "breaks it"
sed 's/guard x == 0; }, q1/guard x == 0; effect x = 2; }, q1/' claim.dve > writes.dve
run check writes.dve
exits 3 "a property process that changes the system"

# ---- trees of runs
run check "$MODELS/philosophers.net" --no-deadlock --ctl 'EG (eats1 == 0) && EF (waits2 == 1 && E[EF (eats2 == 1) U (eats1 == 1)])' -o t.json
exits 0 "a formula that no single run shows"
says '^  run 2, from the start:' "is shown by several"
says '^  run 3, from step 1 of run 2:' "which branch off"
says '^  here eats2 == 1 is true' "each with its reason"
run trace t.json --format json
cmp -s out t.json
ok $? "the file is read and written again"
run trace t.json
says '^  run 6, from step 4 of run 2:' "and told"
sed 's/"at": 4/"at": 77/' t.json > bad.json
run trace bad.json
exits 3 "a branch that leaves a run behind its end"

# ---- macros of the model
if command -v cpp > /dev/null; then
  cat > macros.pml <<'END'
#define up (x == 1)
#define inside P@critical
#define N 3
byte x;
active proctype P() { do :: x = 1 - x; critical: x = x od }
END
  run check macros.pml --ltl '[] (up -> <> !up)' --invariant 'x < N' --ctl 'AG EF inside' -o t.json
  exits 0 "formulas over the macros of a model"
  run check macros.pml --ltl '[] !inside' -o t.json
  exits 1 "a label behind a macro"
  run check macros.pml --invariant 'x < N && upp'
  exits 3 "a word that is none"
  tells 'variable "upp" is not declared' "is told"
  run check macros.pml --define M=1 --invariant 'x < M' -o t.json
  exits 1 "a macro from the command line"
fi

# ---- a run that nobody could show has no length
cat > deep.pml <<'END'
byte n, m;
active proctype a() { do :: n < 200 -> n++ :: n == 200 -> n = 0 od }
active proctype b() { do :: m < 40 -> m++ :: m == 40 -> m = 0 od }
END
without=0 wrong=0
for kilobytes in 260 270 280 290 300 310 320 330; do
  run check deep.pml --no-deadlock --ltl '[] (n < 150 || m < 20)' --engine interpreter --memory ${kilobytes}K --json -o t.json
  [ "$code" = 1 ] || continue
  grep -q '"trace": null' "$out" || continue
  without=$((without + 1))
  grep -q '"steps": 0' "$out" && wrong=$((wrong + 1))
done
[ $without -gt 0 ]; ok $? "budgets that find a violation and have no room for its run"
same $wrong 0 "say that its length is not known"
run check deep.pml --no-deadlock --ltl '[] (n < 150 || m < 20)' --engine interpreter --memory 300K -o t.json
silent 'after 0 steps' "as the text does"

# ---- what a store cannot see is told
printf 'byte x;\nactive proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 3 od }\n' > round.pml
run check round.pml --no-deadlock --ltl '<> (x == 9)' --lossy --store bitstate --json
exits 5 "bitstate and a run that goes round for ever"
says '"omission_probability": null' "it does not say how likely a miss is"
run check round.pml --no-deadlock --ltl '<> (x == 9)' --lossy --store bitstate
says 'sees no cycles' "but that it sees no cycles"
silent 'probability' "and no probability"
run check round.pml --no-deadlock --ltl '<> (x == 9)' --lossy --store hashcompact -o t.json
exits 1 "hashcompact sees it"
run check round.pml --no-deadlock --ltl '[] (x < 6)' --lossy --store bitstate --json
exits 5 "what is broken after finitely many steps"
says '"omission_probability": [0-9]' "has its probability"
run check round.pml --invariant 'x < 6' --ltl '<> (x == 9)' --lossy --store bitstate --json
says '"omission_probability": null' "not beside another one"

# ---- errors in formulas of the model stand where they stand
printf 'byte x;\nactive proctype P() { skip }\n  ltl p { [] (y == 0) }\n' > place.pml
run check place.pml
exits 3 "a formula about what there is not"
tells '^place.pml:3:15: error: the variable "y" is not declared' "its place in the file"
printf 'byte x;\nactive proctype P() { skip }\nltl p {\n  [] (x == 0 &&\n     <> (x +) ) }\n' > place.pml
run check place.pml
tells '^place.pml:5:13: error: expected a name' "in a formula of several lines"
printf 'byte x;\nactive proctype P() { skip }\nltl p { [] (x == 0) U }\n' > place.pml
run check place.pml
tells '^place.pml:3:22: error: expected a formula, found the end' "at its end"

printf 'byte x;\nactive proctype P() { x = 1 }\nltl p { // } x\n  [] (x < 3) /* not } here\n */ && <> (x == 1) // the end\n}\nltl { /**/ [] x < 2 /* // */ }\n' > comments.pml
run check comments.pml
exits 0 "comments in formulas of the model"
says 'ltl:p +holds' "are no part of them"
sed 's/x == 1)/y == 1)/' comments.pml > place.pml
run check place.pml
tells '^place.pml:5:12: error: the variable "y" is not declared' "and what stands behind them is where it is"

# ---- a store that forgets gives the place of a state on an open component to another one, which is on no cycle that accepts
{
  echo 'int s; active proctype A() { do'
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    echo ":: atomic { s == 0 -> s = $i } :: atomic { s == $i -> s = 0 } :: atomic { s == 100 -> s = 100 + $i } :: atomic { s == 100 + $i -> s = 100 }"
  done
  echo ':: atomic { s == 0 -> s = 50 } :: atomic { s == 50 -> s = 51 } :: atomic { s == 51 -> s = 100 } od }'
} > stars.pml
cat > stars.hoa << 'END'
HOA: v1
States: 3
Start: 0
acc-name: Buchi
Acceptance: 1 Inf(0)
AP: 3 "s == 50" "s == 51" "s == 99"
--BODY--
State: 0
[!0 & !1] 0
[0] 0 {0}
[1] 1
State: 1
[!2] 1
[2] 2
State: 2
[2] 2 {0}
--END--
END
run check stars.pml --automaton stars.hoa -p automaton --reduce none
exits 0 "no run is accepted"
run check stars.pml --automaton stars.hoa -p automaton --reduce none --search dfs --store cache --cache 16
exits 0 "nor is one in a store that forgets"

# Implicit labels of sixteen atoms are 65,536 edges from each state.
{
  printf 'HOA: v1\nStates: 2\nStart: 0\nAP: 16'
  i=0; while [ $i -lt 16 ]; do printf ' "x == %s"' $i; i=$((i + 1)); done
  printf '\nAcceptance: 1 Inf(0)\n--BODY--\n'
  awk 'BEGIN { for (s = 0; s < 2; s++) { print "State: " s (s ? "" : " {0}"); for (l = 0; l < 65536; l++) { x = (x * 1103 + 12345) % 65521; print x % 2 } } }'
  printf -- '--END--\n'
} > implicit.hoa
printf 'byte x;\nactive proctype P() { do :: x = (x + 1) %% 16 od }\n' > counter.pml
timeout 25 "$THIMBLE" check counter.pml --automaton implicit.hoa -p automaton --quiet > "$out" 2> "$err"; code=$?
exits 1 "sixteen atoms with implicit labels are read in time"
# A chain of states: which of them lead to a cycle that accepts is found from its end.
awk 'BEGIN { n = 200000; printf "HOA: v1\nStates: %d\nStart: 0\nAP: 1 \"x < 16\"\nAcceptance: 1 Inf(0)\n--BODY--\n", n
  for (s = 0; s < n; s++) printf "State: %d%s\n[0] %d\n", s, s == n - 1 ? " {0}" : "", s < n - 1 ? s + 1 : s
  print "--END--" }' > chain.hoa
timeout 25 "$THIMBLE" check counter.pml --automaton chain.hoa -p automaton --quiet -o chain.json > "$out" 2> "$err"; code=$?
exits 1 "so is a chain of 200,000 states"

# Depth-first search meets these cycles at once; a shorter way, or a shorter loop, lies beyond millions of states that nobody needs to look at.
cat > far.pml << 'END'
byte i;
bool flip;
active [5] proctype noise() { byte n; do :: n = (n + 1) % 200 od }
active proctype far() { do :: i < 100 -> i++ :: i == 100 -> flip = !flip od }
ltl still { <> [] flip }
END
sed '/^ltl/d; s/i == 100 -> .*od }/i == 100 -> i = 0 od }/' far.pml > round.pml
echo 'ltl seldom { <> [] (i != 99) }' >> round.pml
for cycles in scc ndfs; do
  timeout 25 "$THIMBLE" check far.pml -p ltl:still --cycles $cycles -j 1 > "$out" 2> "$err"; code=$?
  exits 1 "a cycle at the end of a long way, found by $cycles, is shown in time"
  timeout 25 "$THIMBLE" check round.pml -p ltl:seldom --cycles $cycles -j 1 > "$out" 2> "$err"; code=$?
  exits 1 "so is a cycle that is long itself"
  says '^  ltl:seldom  violated .*the last [0-9]+ for ever; trace' "with its trace"
done

# Guards of claims are taken apart, unless that makes too many conditions or edges.
claim() { printf 'byte x, a[100];\nactive proctype P() { x = 1; do :: x = 3 - x od }\nnever { T: do :: %s -> goto accept_S :: else od; accept_S: do :: %s od }\n' "$1" "$2" > claim.pml; run check claim.pml -p never; }
many() { sep=$1 text=$2 n=$3 all=''; for i in $(seq 0 $((n - 1))); do all="$all${all:+ $sep }($(printf "$text" $i))"; done; echo "($all)"; }
claim '(x == 1 || x == 2)' '!(x == 0)'
exits 1 "one of two"
claim '(x == 1 && x == 2)' '(1)'
exits 0 "both of two that exclude each other"
claim '(!(x == 1) || a[x] == 0)' '!(x == 0 && a[0] == 0)'
exits 1 "a disjunction, and a conjunction that is not"
claim '!(x == 0 || !(a[x] == 1))' '(1)'
exits 0 "neither"
claim "$(many '&&' 'a[%d] == 0' 90)" "!$(many '||' 'a[%d] == 1' 90)"
exits 1 "ninety conditions in a guard"
claim "$(many '||' 'a[%d] == 1 && x == 1' 90)" "$(many '||' 'a[%d] == 1' 90)"
exits 0 "ninety ways to be true"
claim "$(many '&&' '(a[%d] == 1 || x == 2)' 20)" "(x >= 1)"
exits 1 "a million ways to be true"
for ask in 'x > 0 imply x == 2:1' 'not (x > 0 imply x < 3):0' 'x == 0 imply x == 1:1'; do
  printf 'byte x = 0;\nprocess P { state s; init s; trans s -> s { guard x < 2; effect x = x + 1; }, s -> s { guard x == 2; }; }\nprocess C { state t, u; init t; accept u; trans t -> t {}, t -> u { guard %s; }, u -> u { guard %s; }; }\nsystem async property C;\n' "${ask%:*}" "${ask%:*}" > imply.dve
  run check imply.dve -p never
  exits "${ask#*:}" "DVE: ${ask%:*}"
done
finish
