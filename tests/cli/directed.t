#!/bin/sh
# directed.t -- searches that look for violations: best, astar, walk, --swarm; their options and what they refuse.
. tests/cli/lib.sh

# the whole space, if nothing is found
run check "$MODELS/mutex.pnml" --search bfs --json
states=$(field states) transitions=$(field transitions)
for s in best astar; do
  for store in auto plain tree compact-tree comback delta collapse dfa; do
    run check "$MODELS/mutex.pnml" --search $s --store $store --json
    exits 0 "$s, $store: holds"
    same "$(field states) $(field transitions)" "$states $transitions" "$s, $store: the same numbers as bfs"
    same "$(field complete)" true "$s, $store: complete"
  done
  same "$(field search)" "\"$s\"" "JSON names the search"
  same "$(field walks) $(field swarm)" "null null" "which is no walk and no swarm"
done

# violations of every kind
for s in best astar walk; do
  run check "$MODELS/philosophers.net" --search $s --json
  exits 1 "$s: a deadlock"
  run check "$MODELS/philosophers.net" --search $s --no-deadlock --invariant 'eats1 == 0'
  exits 1 "$s: an invariant"
  run check "$MODELS/philosophers.net" --search $s --no-deadlock --reachable 'eats1 == 1'
  exits 0 "$s: a state to be reached"
  says 'reached after' "$s: and it is"
  run check "$MODELS/exchange.pml" --search $s -p assert
  exits 1 "$s: an assertion"
  says 'assertion failed: .*exchange.pml' "$s: with its place"
  run check "$ROOT/tests/models/faults.pml" --search $s -p runtime
  exits 1 "$s: a run-time error"
done
cat > stuck.pml <<'P'
byte x;
active [2] proctype p() { x++; (x == 5) }
P
for s in best astar walk; do
  run check stuck.pml --search $s
  exits 1 "$s: an invalid end state"
  says 'deadlock +violated' "$s: is a deadlock"
done

# shortest, where that is known
run check "$MODELS/philosophers.net" --search bfs --json
steps=$(grep -m1 '"steps"' "$out")
run check "$MODELS/philosophers.net" --search astar --json
same "$(grep -m1 '"steps"' "$out")" "$steps" "astar: as short as bfs"
same "$(grep -c '"shortest": true' "$out")" 1 "and said to be"
run check "$MODELS/philosophers.net" --search best --json
same "$(grep -c '"shortest": true' "$out")" 0 "best says nothing of the kind"
run check "$MODELS/philosophers.net" --search astar --heuristic 'fork1 + fork2' --json
exits 1 "a heuristic"
same "$(grep -c '"shortest": true' "$out")" 0 "astar with a heuristic of the user's: who knows"
cat > begins.pml <<'END'
byte x, w; int a[3]; byte y = 5;
proctype Q() { byte z = 10 / w; w = z }
init { if :: x = 9; run Q() :: x = 1; x = 2; x = 3; x = 4; x = a[y] fi }
END
run check begins.pml --search astar -p runtime
says 'violated +after 2 steps, the shortest there is: division by zero' "a process may go wrong when it is made"
for how in 'x = 1; x = 2; (a[y] == 1) :: x = 4; x = 5; x = a[y]' 'x = 4; x = 5; x = a[y] :: x = 1; x = 2; (a[y] == 1)'; do
  echo "byte x; int a[3]; byte y = 5; init { if :: $how fi }" > stands.pml
  for s in bfs astar; do
    run check stands.pml --search $s -p runtime
    exits 1 "$s: an error of a step, and one of who only stands at a guard"
    grep -q 'after 2 steps' "$out" || silent 'shortest' "$s: the longer run is not said to be the shortest"
  done
done
"$THIMBLE" trace philosophers.trace.json > "$out" 2> "$err"; code=$?
exits 0 "the trace is a trace"

# heuristics in the model's language, and wrong ones
run check "$MODELS/exchange.pml" --search best --heuristic 'len(q) + (x == 1 -> 0 : 5)' -p assert
exits 1 "a heuristic in Promela"
run check "$MODELS/peterson.dve" --search best --heuristic 'flag[0] + turn'
exits 0 "a heuristic in DVE, where all holds"
run check "$MODELS/philosophers.net" --search best --heuristic 'frok1'
exits 3 "an unknown name"
tells 'did you mean' "gets a suggestion"
tells '\^' "and a caret"
run check "$MODELS/philosophers.net" --search best --heuristic 'fork1 +'
exits 3 "half an expression"
run check "$MODELS/philosophers.net" --heuristic fork1
exits 2 "a heuristic without a directed search"
tells 'best' "says which they are"
run check "$MODELS/philosophers.net" --search dfs --heuristic fork1
exits 2 "or with another one"

# walks
run check "$MODELS/mutex.pnml" --search walk --walks 7 --max-depth 50 --json
exits 4 "walks prove nothing"
same "$(field verdict)" '"incomplete"' "the verdict is incomplete"
says '"walks": \{"walks": 7, "steps": 350, "longest": 50, "seed": 1\}' "seven walks of 50 steps"
says '"reason": "spent"' "they are done"
cp "$out" first
run check "$MODELS/mutex.pnml" --search walk --walks 7 --max-depth 50
says '7 walks, 350 steps' "as text"
says 'not a proof' "which says so"
run check "$MODELS/mutex.pnml" --search walk --time 0.2 --json
exits 4 "until time is over"
says '"reason": "time"' "and that is why"
run check "$MODELS/mutex.pnml" --search walk --max-states 1000 --json
says '"reason": "states"' "or so many states"
run check "$MODELS/philosophers.net" --search walk --seed 5
cp "$out" one
run check "$MODELS/philosophers.net" --search walk --seed 5
sed '/ s, search/d' one > a; sed '/ s, search/d' "$out" > b; cmp -s a b; ok $? "the same seed, the same walk"
run check "$MODELS/unbounded.net" --search walk --no-deadlock --walks 3 --max-depth 100
exits 4 "an unbounded net"
run check "$MODELS/mutex.pnml" --search walk --store tree
exits 2 "a walk has no store"
run check "$MODELS/mutex.pnml" --search walk --continue
exits 2 "and does not continue"
run check "$MODELS/mutex.pnml" --walks 3
exits 2 "walks without walk"
run check "$MODELS/mutex.pnml" --search walk --walks 0
exits 2 "no walks"

# swarms
run check "$MODELS/philosophers.net" --swarm 4 --json
exits 1 "a swarm finds it"
says '"search": "swarm"' "and is named"
says '"swarm": \{"members": 4, "run": 1, ' "with its figures"
run check "$MODELS/mutex.pnml" --swarm 4 --json
exits 5 "without a violation"
same "$(field verdict)" '"no-violation-lossy"' "it is lossy"
says '"swarm": \{"members": 4, "run": 4, "complete": [1-4], ' "all of them have run"
same "$(field complete)" false "and never complete"
run check "$MODELS/mutex.pnml" --swarm 4
says '4 of 4 searches' "as text"
run check "$MODELS/mutex.pnml" --swarm 2 --time 5 --memory 8M
exits 5 "in little memory"
run check "$MODELS/mutex.pnml" --swarm 0
exits 2 "--swarm 0"
run check "$MODELS/mutex.pnml" --swarm
exits 2 "--swarm without a number"
run check "$MODELS/mutex.pnml" --swarm some
exits 2 "--swarm some"
run check "$MODELS/mutex.pnml" --swarm 3 --store plain
exits 2 "--swarm with an exact store"
tells 'bitstate' "says what it has"
run check "$MODELS/mutex.pnml" --swarm 3 --search best
exits 2 "--swarm with another search"
run check "$MODELS/mutex.pnml" --swarm 3 --continue=4
exits 2 "--swarm with --continue"
run check "$MODELS/mutex.pnml" --seed
exits 2 "--seed without a number"
run check "$MODELS/mutex.pnml" --seed 3
exits 2 "--seed without anything random"
tells 'random' "says so"
run check "$MODELS/mutex.pnml" --search bets
exits 2 "a search that is not there"
tells 'did you mean best' "but a similar one is"

# what is not about single states
for how in '--search best' '--search astar' '--search walk' '--swarm 2'; do
  run check "$MODELS/peterson.dve" $how --no-deadlock -p ltl --ltl '[] !(Left.critical && Right.critical)' --json
  exits 0 "$how: a temporal property is decided"
  tells 'note: .*runs' "$how: by another search, which is said"
  run check "$MODELS/mutex.pnml" $how --no-deadlock --ctl 'AG EF critical1'  --json
  tells 'note: CTL needs the whole graph' "$how: CTL"
done

# with lossy stores, the ladder, limits
run check "$MODELS/mutex.pnml" --search best --store bitstate
exits 2 "a lossy store"
run check "$MODELS/mutex.pnml" --search best --store bitstate --lossy
exits 5 "with --lossy"
run check "$MODELS/mutex.pnml" --search best --store cache
exits 2 "a store that forgets"
run check "$MODELS/producer-consumer.net" --search best --max-states 10
exits 4 "a limit of states"
run check "$MODELS/philosophers.net" --no-deadlock --search astar --max-depth 2 --json
exits 4 "a limit of depth"
says '"reason": "depth"' "is the reason"
run check "$MODELS/philosophers.net" --search best --continue
exits 1 "all violations"
finish
