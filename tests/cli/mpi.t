#!/bin/sh
# mpi.t -- several processes: the counts, verdicts and shortest runs of one, for every number of ranks and every exact store; properties of runs; ranks that end.
. tests/cli/lib.sh

. "$ROOT/tests/cli/mpi_lib.sh"

# compare N ARGS...: the figures of N processes are those of one
reduce=none
compare() {
  n=$1
  shift
  run check --json --reduce $reduce --no-space-report -o one.json "$@"
  want=$(figures)
  ranks "$n" check --json --reduce $reduce -o several.json "$@"
  same "$(figures)" "$want" "$n ranks, --reduce $reduce: $(echo "$*" | sed "s#$MODELS/##")"
}

cat > counters.pml << 'END'
/* grows out of its first layout again and again */
byte a; short b; int c;
active proctype A() { do :: a < 20 -> a++; b = b + 20 :: a == 20 -> a = 0; b = 0 od }
active proctype B() { do :: c < 4000 -> c = c + 50 :: c >= 4000 -> c = 0 od }
END
"$ROOT/tools/gen-net" pipeline 12 > pipeline.net
for n in 2 4; do compare $n --continue counters.pml; done
for n in 1 3 8; do at_length compare $n --continue counters.pml; done
compare 3 --continue pipeline.net
at_length compare 4 --continue "$MODELS/peterson.dve"
compare 2 --continue "$MODELS/simple-protocol.cpnt"
at_length compare 4 --continue "$MODELS/telephones.cpnt"
at_length compare 3 --continue "$MODELS/graph.aut"
for store in compact-tree comback; do compare 2 --continue --store $store pipeline.net; done
for store in tree collapse dfa delta; do at_length compare 2 --continue --store $store pipeline.net; done
at_length compare 3 --continue --store tree "$MODELS/simple-protocol.cpnt"
export THIMBLE_RANKS_PORTABLE=1
compare 3 --continue counters.pml
at_length compare 2 --continue pipeline.net
compare 3 "$ROOT/tests/models/one-too-many.net" # a state that cannot be expanded has been found all the same
unset THIMBLE_RANKS_PORTABLE

# which steps of a state are enough is a function of the state: the same ones on all ranks
reduce=por
compare 3 "$ROOT/tests/models/else-rendezvous.pml"
at_length compare 2 "$ROOT/tests/models/unless.pml"
at_length compare 3 "$MODELS/managers.cpnt"
at_length compare 2 "$MODELS/resources.cpnt"
at_length compare 3 "$MODELS/mutex.pnml"
compare 2 "$MODELS/peterson.dve"
says '"reductions": *\["por"\]' "with fewer steps"
reduce=none

# a violation: shortest, confirmed, and told by rank 0 alone
ranks 3 check --no-deadlock --invariant 'thinks1 + thinks2 + thinks3 > 0' -o found.json "$MODELS/philosophers.net"
exits 1 "a violation"
says 'invariant:1 +violated +.*after 3 steps, the shortest there is; trace in found.json' "shortest, with its trace"
same "$(grep -c violated "$out")" 2 "one process tells it"
run simulate "$MODELS/philosophers.net" --replay found.json
exits 0 "the trace can be gone along"
ranks 3 check --json -o found.json "$ROOT/tests/models/faults.pml"
exits 1 "faults of steps"

run check --json --reduce none --no-deadlock --reachable 'full1 + full2 + full3 + full4 + full5 + full6 + full7 + full8 + full9 + full10 + full11 + full12 == 12' -o one.json pipeline.net
want=$(figures)
ranks 3 check --json --reduce none --no-deadlock --reachable 'full1 + full2 + full3 + full4 + full5 + full6 + full7 + full8 + full9 + full10 + full11 + full12 == 12' -o several.json pipeline.net
same "$(figures | sed 's/^.*\[/[/')" "$(echo "$want" | sed 's/^.*\[/[/')" "a long shortest run"
run simulate pipeline.net --replay several.json
exits 0 "led together from all ranks"

# properties of runs
runs() { # runs N ARGS...: statuses, and states of products that were explored to their end, are those of one process
  n=$1
  shift
  run check --json --reduce none --no-deadlock -o one.json "$@"
  want=$(statuses)
  ranks "$n" check --json --reduce none --no-deadlock -o several.json "$@"
  same "$(statuses)" "$want" "$n ranks: $(echo "$*" | sed "s#$MODELS/##")"
}
runs 3 --ltl '[] <> Left.critical' "$MODELS/peterson.dve"
says '"trace": "several.json"' "a run that breaks it, confirmed"
runs 2 --ltl '[] (Left.wait -> <> Left.critical)' --ltl '[] !(Left.critical && Right.critical)' --ltl '([] <> Left.wait) -> ([] <> Left.critical)' "$MODELS/peterson.dve"
at_length runs 4 --fair weak --ltl '<> [] Left.wait' "$MODELS/peterson.dve"
at_length runs 2 --ltl '<> [] (thinks1 == 1)' "$MODELS/philosophers.net"
at_length runs 3 --ltl '[] (thinks1 == 1)' "$MODELS/philosophers.net"

# what they do not do
ranks 2 check --ctl 'EF deadlock' "$MODELS/philosophers.net"
exits 2 "CTL is refused"
tells 'ctl is for one process: it needs the whole graph' "with the reason"
same "$(grep -c 'is for one process' "$err")" 1 "once"
ranks 2 check missing.net
exits 3 "a model that is not there"
same "$(grep -c 'cannot open' "$err")" 1 "is told once"
ranks 2 info "$MODELS/philosophers.net"
exits 2 "other commands are refused"

# limits
"$ROOT/tools/gen-net" pipeline 26 > "big$$.net"
ranks 2 check --no-deadlock --memory 1M "big$$.net"
exits 4 "a budget is used up"
says 'the memory budget of 1 MB is used up on rank [01] on ' "whose"
ranks 2 check --no-deadlock --time 1 "big$$.net"
exits 4 "time"
says 'the time limit was reached' "is told once, by all together"
ranks 3 check --no-deadlock --max-depth 5 --max-states 5000 --json pipeline.net
same "$(field depth) $(sed -n 's/.*"reason": "\([a-z]*\)".*/\1/p' "$out" | head -n 1)" "5 depth" "a limit of depth"

# a rank that dies
$MPIRUN $many $stay -n 3 "$SPREAD" check --no-deadlock --progress none "big$$.net" > "$out" 2> "$err" < /dev/null &
mpi=$!
there() { victim=$(rank_pid 1 "big$$.net"); [ -n "$victim" ]; }
await 200 there
sleep 0.7 # it searches
kill -9 "$victim"
wait $mpi
code=$?
[ $code != 0 ]; ok $? "a rank was killed: mpirun says so (exit $code)"
says_if_spared 'incomplete: .*, rank 1 on .* is gone' "the others end, with its name"
says_if_spared 'explored [0-9,]+ states, [0-9,]+ of them on the rank that is gone' "and how far it was"
finish
