#!/bin/sh
# mcc.t -- check --mcc: the lines of the Model Checking Contest, and its environment.
. tests/cli/lib.sh

run check --mcc StateSpace "$MODELS/mutex.pnml"
exits 0 "StateSpace"
says '^STATE_SPACE STATES 8 TECHNIQUES EXPLICIT' "STATES"
says '^STATE_SPACE TRANSITIONS 14 TECHNIQUES EXPLICIT' "TRANSITIONS"
says '^STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT' "MAX_TOKEN_IN_PLACE"
says '^STATE_SPACE MAX_TOKEN_PER_MARKING 3 TECHNIQUES EXPLICIT' "MAX_TOKEN_PER_MARKING"
same "$(wc -l < "$out" | tr -d ' ')" 4 "and nothing else"
run check "$MODELS/weights.net" --mcc=StateSpace
says 'MAX_TOKEN_IN_PLACE 10 ' "weights"
run check --mcc StateSpace "$MODELS/unbounded.net"
exits 0 "an unbounded net is an answer"
same "$(grep -c ' +inf TECHNIQUES' "$out")" 4 "+inf four times"
"$ROOT/tools/gen-net" pipeline 26 pnml > model.pnml
run check --mcc StateSpace --max-states 1000 model.pnml
exits 4 "a limit"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=StateSpace BK_TIME_CONFINEMENT=1 BK_MEM_CONFINEMENT=4000 "$THIMBLE" check --mcc > "$out" 2> "$err"; code=$?
exits 4 "BK_TIME_CONFINEMENT, and model.pnml by itself"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=StateSpace BK_MEM_CONFINEMENT=32 "$THIMBLE" check --mcc auto model.pnml > "$out" 2> "$err"; code=$?
exits 4 "BK_MEM_CONFINEMENT"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=LTLFireability "$THIMBLE" check --mcc auto "$MODELS/mutex.pnml" > "$out" 2> "$err"; code=$?
same "$(cat "$out")" DO_NOT_COMPETE "other examinations: DO_NOT_COMPETE"
run check --mcc ReachabilityDeadlock "$MODELS/mutex.pnml"
same "$(cat "$out")" DO_NOT_COMPETE "also from the command line"
run check --mcc "$MODELS/mutex.pnml"
exits 2 "no examination"

corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/pnml
if [ -e "$corpus/ORACLE.csv" ]; then
  for model in AutonomousCar-PT-01a CSRepetitions-PT-02 CircularTrains-PT-012 DNAwalker-PT-01track12Block1 ERK-PT-000010 FMS-PT-00002; do
    run check --mcc StateSpace "$corpus/$model/model.pnml"
    want=$(sed -n "s/^$model,[A-Z]*,StateSpace\.\([A-Z_]*\),/\1 /p" "$corpus/ORACLE.csv" | tr -d '\r' | sort | tr '\n' ';')
    got=$(sed 's/^STATE_SPACE //; s/ TECHNIQUES.*//' "$out" | sort | tr '\n' ';')
    same "$got" "$want" "$model"
  done
else skip "nets of the contest" "no corpus here"; fi
finish
