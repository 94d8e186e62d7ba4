#!/bin/sh
# observer.t -- deterministic automata of what should happen: --observer.
. tests/cli/lib.sh
cat > ring.net <<'END'
place p = 1, q, r
transition t : p -> q
transition u : q -> p
transition v : q -> r
transition w : r -> r
END
"$THIMBLE" ltl 'G F (p > 0)' -o often.hoa
"$THIMBLE" ltl --format never 'G F (p > 0)' -o often.never
"$THIMBLE" ltl 'G (p + q > 0)' -o safe.hoa
"$THIMBLE" ltl 'G (p + q + r == 1)' -o true.hoa

# ---- verdicts and what they show
for file in often.hoa often.never; do
  run check ring.net --observer "$file" -p observer -o t.json
  exits 1 "a run that does not please $file"
  says "observer:1 +violated +$file; after 3 steps, the last one for ever" "is a lasso"
  says 'from here on, again and again' "with its loop"
done
run check ring.net --observer safe.hoa -p observer -o t.json
exits 1 "a run that is rejected"
says 'after 2 steps; trace in t.json' "ends where it is"
run trace t.json
exits 0 "the trace"
says 'here the observer has no way on that could please it' "says why"
run check ring.net --observer true.hoa --observer often.hoa --json -o t.json
exits 1 "two observers, and what is always asked"
says '"id": "observer:1"' "the first"
says '"kind": "observer"' "its kind"
says '"text": "true.hoa"' "its text"
says '"method": "observer", "search": "dfs"' "how"
says '"id": "observer:2"' "the second"
says '"loop": 2' "its loop"
run check ring.net --observer true.hoa
exits 0 "a run that pleases"
printf 'HOA: v1\nStates: 1\nStart: 0\nAP: 1 "p + q > 0"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n' > finite.hoa
run check ring.net --observer finite.hoa -p observer -o t.json
exits 1 "a finite-state observer"
says 'after 2 steps' "without acceptance"
printf 'HOA: v1\nStates: 0\nAcceptance: 0 f\n--BODY--\n--END--\n' > nothing.hoa
run check ring.net --observer nothing.hoa -p observer -o t.json
exits 1 "one that nothing pleases"
run check ring.net --observer nothing.hoa --ctl 'A G (E F (r > 0))' -p observer -p ctl -o t.json
exits 1 "beside a formula that wants the graph"
says 'observer:1 +violated' "the graph is not asked about it"
cat > ends.pml <<'END'
byte x;
active proctype P() { x = 1; x = 2 }
END
"$THIMBLE" ltl 'G F (x == 0)' -o zero.hoa
"$THIMBLE" ltl 'F (x == 2)' -o two.hoa
run check ends.pml --observer zero.hoa -p observer -o t.json
exits 1 "a run that ends stays there"
says 'nothing can happen here' "and says so"
run check ends.pml --observer two.hoa -p observer
exits 0 "a run that ends where it should"

# ---- every store, values that outgrow their layout, parts that wait
cat > grow.pml <<'END'
byte x, y;
active proctype P() { do :: x < 120 -> x++ :: x == 120 -> x = 0 od }
active proctype Q() { do :: y < 5 -> y++ :: else -> y = 0 od }
END
"$THIMBLE" ltl 'G F (x == 120)' -o top.hoa
"$THIMBLE" ltl 'G F (x <= 120)' -o always.hoa
for store in auto plain tree compact-tree comback delta collapse dfa cache; do
  run check grow.pml --observer always.hoa -p observer --store $store --search dfs --cache 4096
  exits 0 "$store: holds"
  says '2,905 states' "$store: counts"
  run check grow.pml --observer top.hoa -p observer --store $store --search dfs --cache 4096 -o t.json
  exits 1 "$store: violated"
  says 'for ever' "$store: with a loop"
done

# ---- bounded memory
{ echo 'place a0 = 5, b0, a1 = 5, b1, a2 = 5, b2, a3 = 5, b3'; for i in 0 1 2 3; do echo "transition t$i : a$i -> b$i"; done; } > l4.net
"$THIMBLE" ltl 'G F (b0 == 5)' -o end.hoa
"$THIMBLE" ltl 'G F (b0 < 5)' -o early.hoa
run check l4.net --observer end.hoa -p observer
exits 0 "all of it"
says '1,511 states' "in an exact store"
run check l4.net --observer end.hoa -p observer --store cache --cache 800 --search dfs
exits 0 "a store that forgets"
says 'complete exact search' "is exact"
says 'states were forgotten to make room: those that came again \(at least [0-9,]+\) are counted again' "and says what it did"
run check l4.net --observer early.hoa -p observer --store cache --cache 64 --search dfs -o t.json
exits 1 "a violation"
says 'after 20 steps' "with its run"
last=
for budget in 400k 350k 300k 250k 200k 150k 100k; do
  run check l4.net --observer end.hoa -p observer --memory $budget --json --time 20
  [ "$code" = 0 ] || [ "$code" = 4 ]; ok $? "--memory $budget: an honest end (exit $code)"
  if [ "$code" = 0 ]; then last="$last$(grep '"used"' "$out")"; fi
done
case $last in *'"cache'*) ok 0 "when nothing else has room, states are forgotten" ;; *) ok 1 "when nothing else has room, states are forgotten" ;; esac

# ---- what is refused
cat > two.hoa <<'END'
HOA: v1
States: 2
Start: 0
AP: 2 "p > 0" "q > 0"
Acceptance: 1 Inf(0)
--BODY--
State: 1 {0}
[t] 1
State: 0
[0] 0
[!1] 1
--END--
END
run check ring.net --observer two.hoa
exits 3 "an observer that is not deterministic"
tells '^two.hoa:9:1: error: an observer must be deterministic, but state 0 has the edges \[\(p > 0\)\] to 0 and \[!\(q > 0\)\] to 1, both open where \(p > 0\) && !\(q > 0\)' "where and why"
sed 's/Start: 0/Start: 0\nStart: 1/' two.hoa > starts.hoa
run check ring.net --observer starts.hoa
exits 3 "two states to begin with"
tells 'may begin in state 0 and in state 1' "are named"
sed 's/\[!1\]/[!0]/' two.hoa > fine.hoa
run check ring.net --observer fine.hoa -p observer
exits 0 "guards that do not meet"
"$THIMBLE" ltl --format never 'F G (p > 0)' -o fg.never
run check ring.net --observer fg.never
exits 3 "a never claim that is not deterministic"
tells '^fg.never: error: an observer must be deterministic' "likewise"
sed 's/p > 0/zork > 0/' often.hoa > zork.hoa
run check ring.net --observer zork.hoa
exits 3 "an atom that is not of the model"
tells '^zork.hoa:[0-9]+:[0-9]+: error: the model has no variable "zork"' "with its place in the file"
run check ring.net --observer none.hoa
exits 3 "no file"
sed 's/Inf(0)/Fin(0)/' often.hoa > fin.hoa
run check ring.net --observer fin.hoa
exits 3 "another acceptance"
run check ends.pml --observer zero.hoa --fair weak
exits 2 "fairness"
tells 'cannot be had together with --observer' "is not for observers"
run check ring.net --no-deadlock --ltl '[] p >= 0' --fair weak
exits 2 "fairness"
tells 'is for models that are made of processes' "is not for nets"
run check ring.net --observer often.hoa --store cache
exits 2 "the store that forgets, without --search dfs"
run check ring.net --observer often.hoa --store bitstate
exits 2 "a lossy store, without --lossy"
run check ring.net --observer true.hoa -p observer --store bitstate --lossy
exits 5 "a lossy store proves nothing"
finish
