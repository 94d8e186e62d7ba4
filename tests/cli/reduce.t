#!/bin/sh
# reduce.t -- check --reduce por: fewer states, the same verdicts, traces of the model as it is.
. tests/cli/lib.sh

"$ROOT/tools/gen-net" philosophers 12 > philosophers.net
run check --reduce por --json philosophers.net
exits 1 "the deadlock is found"
same "$(field verdict)" '"violated"' "violated"
says '"reductions": *\["por"\]' "and JSON names the reduction"
fewer=$(field states)
[ "$fewer" -lt 1000 ]; ok $? "with fewer than 1000 states"
run check --reduce none --json philosophers.net
says '"reductions": *\[\]' "none is none"
run check --reduce por philosophers.net
says 'reduced by por' "the text names it"
run trace philosophers.trace.json
exits 0 "the trace can be shown"
run simulate --replay philosophers.trace.json --random 1 philosophers.net
exits 0 "and replayed on the net"

run check --reduce por --no-deadlock --invariant 'critical1 + critical2 <= 1' "$MODELS/mutex.pnml"
exits 0 "an invariant that holds"
run check --reduce por --no-deadlock --invariant 'critical1 == 0' "$MODELS/mutex.pnml"
exits 1 "one that does not"
run check --reduce por --no-deadlock --reachable 'critical2 == 1' --json "$MODELS/mutex.pnml"
says '"por"' "something to reach"
run check --reduce por --no-deadlock --ltl '[] <> critical1' --json "$MODELS/mutex.pnml"
exits 1 "a formula without next"
says '"reductions": *\["por"\]' "is decided on fewer steps"
run trace mutex.trace.json
says 'again and again' "its lasso is one of the net as it is"
run check --reduce por --no-deadlock --ltl 'X critical1 == 0' --json "$MODELS/mutex.pnml"
says '"reductions": *\[\]' "one with next takes all steps"
run check --reduce por --ctl 'AG EF critical1 == 1' --json "$MODELS/mutex.pnml"
says '"reductions": *\[\]' "and so do branching properties"
run check --reduce por --json "$MODELS/unbounded.net"
exits 4 "an unbounded net is found to be one"

# Programs: processes that have little to do with each other, and an assertion that fails in one order only.
cat > apart.pml <<'END'
byte done, flag;
proctype worker() { byte i; do :: i < 6 -> i++ :: else -> break od; done++ }
proctype setter() { byte i; do :: i < 3 -> i++ :: else -> break od; flag = 1; flag = 0 }
proctype reader() { byte i; do :: i < 3 -> i++ :: else -> break od; assert(flag == 0) }
init { atomic { run worker(); run worker(); run setter(); run reader() } }
END
run check --reduce none --json --no-deadlock --property runtime apart.pml
all=$(field states)
run check --reduce por --json --property runtime apart.pml
exits 0 "a program without errors"
says '"reductions": *\["por"\]' "is reduced"
[ "$(field states)" -lt $((all / 4)) ]; ok $? "to less than a quarter"
for engine in interpreter compiled; do
  for search in bfs dfs; do
    run check --reduce por --engine $engine --search $search --json apart.pml
    exits 1 "an assertion fails ($engine, $search)"
    says '"assert:4"' "the one of the reader"
  done
done
run check --reduce por apart.pml
run simulate --replay apart.trace.json --random 1 apart.pml
exits 0 "and the run can be replayed"
run check --reduce por --invariant 'flag == 0' --json apart.pml
exits 1 "an invariant does not hold"
run check --reduce por --property invariant --invariant 'done <= 2' --json apart.pml
exits 0 "another one does"
says '"por"' "with fewer steps"
run check --reduce por --property ltl --ltl '[] <> (flag == 0)' --json apart.pml
says '"por"' "formulas without next, too"
run check --reduce por --property ltl --ltl '[] X (flag == 0)' --json apart.pml
says '"reductions": *\[\]' "formulas with next take all steps"
run check --reduce por --json "$ROOT/tests/models/priorities.pml"
exits 0 "a model with priorities"
says '"reductions": *\[\]' "priorities take all steps"
run check --reduce por --json "$ROOT/tests/models/rendezvous.dve"
says '"por"' "DVE can be reduced"

run check --reduce magic "$MODELS/mutex.pnml"
exits 2 "an unknown reduction"
run check --reduce por,magic "$MODELS/mutex.pnml"
exits 2 "one in a list"
tells "no reduction magic" "is named"
run check --reduce auto --json philosophers.net
says '"reductions": *\[.*"por"' "auto takes what helps"
exits 1 "and finds the deadlock"

# The default explores the whole space while there is room for it.
run check --json --no-deadlock --invariant 'fork1 <= 1' philosophers.net
says '"reductions": *\[\]' "nothing is reduced by itself"
"$ROOT/tools/gen-net" philosophers 16 > more.net
run check --memory 600k --search bfs --json --property deadlock more.net
exits 1 "where the whole has no room, a part has"
says '"states_before_reduction"' "and it is said that there was none"
run check --memory 600k --reduce none --search bfs --json --property deadlock more.net
exits 4 "with none it is incomplete"

# Nets: smaller ones, and markings that are alike.
for how in slice symmetry slice,symmetry; do
  run check --reduce "$how" --property deadlock --json philosophers.net
  exits 1 "$how: the deadlock of a net is found"
  [ "$(field states)" -lt 60000 ]; ok $? "$how: with fewer states"
  run simulate --replay philosophers.trace.json --random 1 philosophers.net
  exits 0 "$how: its trace is one of the net as it is"
  run check --reduce "$how" --no-deadlock --invariant 'critical1 + critical2 <= 1' "$MODELS/mutex.pnml"
  exits 0 "$how: an invariant that holds"
  run check --reduce "$how" --no-deadlock --reachable 'critical2 == 1' "$MODELS/mutex.pnml"
  exits 0 "$how: a state that is reached"
  run check --reduce "$how" --no-deadlock --ltl '[] <> {critical1 == 1}' "$MODELS/mutex.pnml"
  exits 1 "$how: a formula that does not hold"
done
run check --reduce slice philosophers.net
says 'reduced by slice .*24 of 48 places, 24 of 36 transitions left' "the text tells what is left of the net"
run check --reduce symmetry philosophers.net
says 'reduced by symmetry .*a ring of 12 rotated' "the text tells which symmetry"

# What does not matter may go on for ever: a loop of the part is none of the model.
cat > counts.pml <<'END'
short c; bool x;
active proctype P() { do :: c = c + 1 :: x -> break od }
END
run check --reduce slice -p ltl:1 --ltl '<> x' --json counts.pml
exits 1 "a counter that nobody reads: the loop that closes late is found on the whole model"
says '"reductions": *\[\]' "which is not reduced then"
run check --reduce slice -p ltl:1 --ltl '<> x' --max-states 1000 --json counts.pml
exits 4 "and a limit before it closes is told as one"

# A counter that tells where a loop closes is kept, and so is what it is assigned when nobody reads it any more.
cat > kept.pml <<'END'
bit b;
proctype P(byte me) { byte i; do :: i < 2 -> i++ :: else -> break od; i = b + me; (b == 1) }
init { atomic { run P(0); run P(2) } }
END
run check --reduce slice,por -p deadlock kept.pml
exits 1 "a counter that is used for something else at last: the deadlock is found, and led back"

# Two things go wrong: one of them in states that the other one's process leaves unnoticed.
cat > wrong.pml <<'END'
byte a[2], y = 5, z = 6;
active proctype X() { (a[y] == 1) }
active proctype P() { byte i; i = 1; (a[z] == i) }
END
run check --reduce slice -p runtime wrong.pml
exits 1 "of two run-time errors the one that was found is led back"

# Nothing ever happens, which takes more than a look at the structure: no place needs a bit.
cat > still.net <<'END'
place p = 1, q
transition t : 2*p -> q
transition u : q -> 2*p
END
run check --reduce por still.net
exits 1 "a net whose states have no bits: the deadlock is found, and led back"
run info still.net
exits 0 "and it can be looked at"
says 'there is 1 state:' "its only state is counted"

# A formula about runs: where its whole product is large a part is taken without being asked, and the counts of states are those of the model all the same.
cat > counters.pml <<'END'
byte done;
active [5] proctype P() { byte i; do :: i < 5 -> i++ :: else -> break od; done++ }
active proctype Idle() { end: do :: done == 5 od }
ltl all { <> (done == 5) }
ltl few { [] (done < 5) }
ltl ends { []<> (done < 5) }
END
run check counters.pml --json --continue
exits 1 "formulas over a large space"
same "$(field states)" 371293 "the states are those of the model"
same "$(field reductions)" "[]" "which was not reduced"
same "$(grep -c '"product": {.*"reductions": \["slice", "por"\]' "$out")" 2 "large products were"
run check counters.pml --continue
says 'temporal properties reduced by slice, por' "and it is said"
says 'ltl:few +violated .*; after 60 steps; trace' "a violation is found, its trace led back"
run simulate --replay counters.2.trace.json --random 1 counters.pml
exits 0 "and is a run of the model"
run check counters.pml --json -p all
same "$(field reductions)" '["slice", "por"]' "alone, its figures are those of the part"
[ "$(field states)" -lt 1000 ]; ok $? "which is small"
run check counters.pml --json -p all --stats
same "$(field reductions)" "[]" "not where steps are counted"
run check counters.pml --json -p all --reduce none
same "$(field reductions)" "[]" "nor with none"
[ "$(field states)" -gt 300000 ]; ok $? "but for the whole"
run check counters.pml --json -p all --max-states 50000
exits 4 "a limit below the trial is one"
run check counters.pml --json -p ltl:1 --ltl 'X <> {done == 5}'
same "$(field reductions)" "[]" "nor where the formula says next"

# A claim that does not tell how often a state is repeated is as good as a formula; one that does sees every step.
sed '/^ltl/d' counters.pml > plain.pml
{ cat plain.pml; echo 'never { T0: do :: (done < 3 && !(done == 1)) -> goto accept_S :: (1) od; accept_S: do :: !(done >= 3) od }'; } > response.pml
run check response.pml --json -p never --reduce auto
exits 0 "a claim, reduced"
says '"reductions": \["slice", "por"\]' "by partial orders, too"
run check response.pml --json -p never
says '"reductions": \["slice", "por"\]' "late, as with formulas"
run check response.pml --json -p never --reduce none
exits 0 "with the verdict of the whole"
{ cat plain.pml; echo 'never { do :: (done == 0) -> break :: (1) od; (done == 0); (done == 0); (done == 1) }'; } > counting.pml
run check counting.pml --json -p never --reduce auto
exits 1 "a claim that counts steps"
says '"product": .*"reductions": \[\]' "is not reduced"
echo 'never { T0: do :: (done < 5) -> goto accept_S :: (1) od; accept_S: do :: (done < 5) od }' > always.never
run check plain.pml --json -p automaton --automaton always.never --reduce auto
exits 0 "an automaton in a file"
says '"product": .*"reductions": \["slice", "por"\]' "likewise"
finish
