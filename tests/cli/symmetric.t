#!/bin/sh
# symmetric.t -- symmetric nets unfolded and with their colours: the same counts, the same answers to the same questions, names as the net has them; .cpn, .cpnt and PNML of them; what auto chooses and says; the
# contest's coloured nets and their queries both ways.
. tests/cli/lib.sh
net=$MODELS/trams.pnml
for way in always never auto; do
  run check "$net" --continue --unfold $way
  exits 1 "trams, unfold $way"
  says '80 states, 148 transitions, depth 12, 3 deadlocks' "their size"
done
run check "$net" --unfold never
says '1`\(short,1\)\+\+1`\(very long,3\)' "colours as the net calls them"
says 'at_stop' "and places"
run simulate "$net" --unfold never --replay trams.trace.json --random 1
exits 0 "the trace can be gone along"
run check "$net" --unfold always --json
same "$(field transitions)" "$("$THIMBLE" check "$net" --unfold never --json | sed -n 's/^  "transitions": \([0-9]*\),/\1/p')" "a search that stops early has seen as much"

# questions by id, by name, by sums and by transitions
for way in always never; do
  run check "$net" --unfold $way --no-deadlock --invariant 'at + moving + 2 * closed >= 2' --invariant 'tokens(free, at) <= 4' --reachable 'fireable(close) && fares == 1' --ctl 'EF (closed == 1)' --ltl '[] (closed == 1 -> [] closed == 1)'
  exits 0 "questions, unfold $way"
  run check "$net" --unfold $way --no-deadlock --invariant '"at stop" < 2'
  exits 1 "a name with a blank, unfold $way"
  run check "$net" --unfold $way --no-deadlock --invariant 'att < 2'
  exits 3 "a name that nobody knows, unfold $way"
done
run check "$net" --unfold never --no-deadlock --invariant 'cf ((short, Stop_2), at) <= 1' --invariant 'size free <= 4'
exits 0 "questions in CPN ML, where the net keeps its colours"

# what was chosen
run info "$net"
says 'unfolded from a symmetric net of 5 places and 4 transitions' "info tells what was unfolded"
run info "$net" --unfold never --json
says '"symmetric": \{.*"places": 5, "transitions": 4, "unfolded": false, "note": "with its colours, as was asked for"' "and what was not"
sed 's/<finiteintrange start="0" end="2"\/>/<finiteintrange start="0" end="2000"\/>/g' "$net" > large.pnml
run info large.pnml
says 'with its colours: unfolded it would have more than 50000 transitions' "auto gives up what is too large"
tells 'warning: the net is explored with its colours' "and says so"
run check large.pnml --max-states 1000
exits 4 "and the search begins all the same"

# other languages
for to in cpnt cpn pnml net; do
  run convert "$net" -o trams.$to
  exits 0 "written as $to"
  run check trams.$to --continue
  says '80 states, 148 transitions, depth 12, 3 deadlocks' "which is the same net"
done
grep -q 'at 100 -100' trams.cpnt
ok $? "with its positions"
run convert "$net" --unfold --to cpnt
exits 2 "a place/transition net is no .cpnt"
run convert "$net" --unfold -o unfolded.pnml
grep -q 'at_short_1' unfolded.pnml
ok $? "unfolded by name"

# names that ML does not like, or that clash when it does not like them
sed 's/name="1"/name="val"/; s/name="2"/name="empty"/; s/name="3"/name="a b"/; s/name="4"/name="a_b"/; s/"Tram"/"List"/g; s/"Fare"/"int"/g; s/refvariable="x"/refvariable="if"/g; s/variabledecl id="x"/variabledecl id="if"/' "$net" > odd.pnml
run check odd.pnml --continue --unfold never
says '80 states, 148 transitions, depth 12, 3 deadlocks' "odd names"
says '1`\(short,val\)' "are shown as they are"

# the contest
answers() { sed 's/ TECHNIQUES.*//' "$1" | sort; }
both() { # MODEL EXAMINATION
  "$THIMBLE" check "$1" --mcc "$2" --unfold always > always 2> "$err"
  "$THIMBLE" check "$1" --mcc "$2" --unfold never > never 2>> "$err"
  same "$(answers never)" "$(answers always)" "$3$2, both ways"
}
for examination in StateSpace ReachabilityDeadlock OneSafe QuasiLiveness StableMarking Liveness; do both "$net" $examination ""; done
corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/pnml
if [ -e "$corpus/ORACLE.csv" ]; then
  for model in CSRepetitions-COL-02 LamportFastMutEx-COL-2 Philosophers-COL-000005 SafeBus-COL-03 SharedMemory-COL-000005 UtilityControlRoom-COL-Z2T4N02; do
    for examination in StateSpace ReachabilityDeadlock OneSafe QuasiLiveness StableMarking Liveness; do both "$corpus/$model/model.pnml" $examination "$model "; done
    for examination in CTLCardinality CTLFireability LTLCardinality LTLFireability ReachabilityCardinality ReachabilityFireability UpperBounds; do
      [ ! -e "$corpus/$model/$examination.xml" ] || both "$corpus/$model/model.pnml" $examination "$model "
    done
    run check --mcc StateSpace "$corpus/$model/model.pnml" --unfold never
    want=$(sed -n "s/^$model,[A-Z]*,StateSpace\.\([A-Z_]*\),/\1 /p" "$corpus/ORACLE.csv" | tr -d '\r' | sort | tr '\n' ';')
    got=$(sed 's/^STATE_SPACE //; s/ TECHNIQUES.*//' "$out" | sort | tr '\n' ';')
    same "$got" "$want" "$model as the contest knows it"
  done
else skip "coloured nets of the contest" "no corpus here"; fi
finish
