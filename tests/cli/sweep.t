#!/bin/sh
# sweep.t -- the sweep-line: verdicts, figures, traces after forgetting, what is refused.
. tests/cli/lib.sh

# the same numbers as any search where nothing regresses, or all states are alike
run check "$MODELS/mutex.pnml" --search bfs --json
states=$(field states) transitions=$(field transitions)
for store in auto plain compact-tree; do
  run check "$MODELS/mutex.pnml" --search sweep --progress-measure 0 --store $store --json
  exits 0 "sweep, $store: holds"
  same "$(field states) $(field transitions) $(field complete)" "$states $transitions true" "sweep, $store: the same numbers as bfs"
  says '"sweep": \{"sweeps": 1, "peak_states": [0-9]+, "peak_bytes": [0-9]+, "persistent": 1, "regress_edges": 0, "explored": [0-9]+\}' "sweep, $store: its figures"
done
same "$(field search)" '"sweep"' "JSON names the search"
run check "$MODELS/mutex.pnml" --json
same "$(field sweep)" null "which others are not"

# progress: a counter that goes up to the end, in a few states at a time
cat > "$WORK/count.pml" <<'END'
byte sent, got;
chan c = [2] of { byte };
active proctype sender() { do :: sent < 200 -> atomic { c!sent; sent++ } :: sent == 200 -> break od }
active proctype receiver() { byte x; do :: c?x -> got++; assert(x == got - 1 && got < LIMIT) :: got == 200 -> break od }
END
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'sent + got' --json
exits 0 "a program that counts"
peak=$(sed -n 's/.*"peak_states": \([0-9]*\).*/\1/p' "$out")
[ "$peak" -lt 20 ]
ok $? "in $peak states at a time"
swept=$(field states)
run check "$WORK/count.pml" -D LIMIT=201 --json
same "$(field states)" "$swept" "counts all states that there are"
run check "$WORK/count.pml" -D LIMIT=150 --search sweep --progress-measure 'sent + got' --store compact-tree -o "$WORK/t.json"
exits 1 "an assertion that fails late"
says 'assertion failed: .*after [0-9]+ steps|after [0-9]+ steps: assertion failed' "is told with the length of the run"
run simulate "$WORK/count.pml" -D LIMIT=150 --replay "$WORK/t.json" --random 1
exits 0 "and the run can be taken again"
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'sent' --ltl '[] (got < 120)' --json
exits 1 "a safety formula on the fly"
says '"search": "sweep"' "by a sweep over the product"
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'sent' --ltl '<> [] (got == 200)' --json
exits 0 "formulas about infinite runs"
tells 'depth-first' "are searched depth-first, which is told"
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'got - sent' --no-deadlock
exits 0 "a measure that goes down now and then"
says 'regress edge' "has regress edges"
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure='-sent' --no-deadlock --invariant 'got < 180'
exits 1 "one that goes the wrong way finds violations all the same"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 'eats1 + 2 * eats2'
exits 1 "a deadlock of a net"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 'eats1 + 2 * eats2' --no-deadlock --reachable 'eats3 == 1'
exits 0 "a state to be reached"
says 'reached after' "and it is"
run check "$MODELS/peterson.dve" --search sweep --progress-measure 'flag[0] + turn'
exits 0 "a measure in DVE"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 'eats1' --continue=3 --json
exits 1 "all violations"
run check "$WORK/count.pml" -D LIMIT=150 --search sweep --progress-measure 'sent + got' --memory 1M --json
exits 1 "in little memory"

# a store that keeps steps: nothing is explored twice
for measure in 'sent + got' '-sent' 'got - sent'; do
  run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure="$measure" --store comback --json
  exits 0 "comback, $measure"
  same "$(field states)" "$swept" "comback, $measure: each state once"
done
run check "$WORK/count.pml" -D LIMIT=150 --search sweep --progress-measure 'sent + got' --store comback
exits 1 "comback: a violation with its run"
says 'after [0-9]+ steps' "comback: which has a length"

# stores that cannot forget
run check "$MODELS/mutex.pnml" --search sweep --progress-measure 0 --store tree
exits 0 "a store that cannot forget"
tells 'note: .*plain' "is exchanged for plain, which is told"

# refused
run check "$MODELS/philosophers.net" --search sweep
exits 2 "no measure"
tells 'progress-measure' "and how to give one"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 'frok1'
exits 3 "an unknown name"
tells 'did you mean' "gets a suggestion"
tells '\^' "and a caret"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 'fork1 +'
exits 3 "half an expression"
run check "$MODELS/philosophers.net" --progress-measure fork1
exits 2 "a measure without a sweep"
tells 'sweep' "says where it belongs"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 0 --max-depth 3
exits 2 "a sweep knows no depth"
run check "$MODELS/philosophers.net" --search sweep --progress-measure 0 --max-states 5
exits 4 "but a limit of states"

# the graph of a sweep: full states are forgotten, the graph stays
for store in auto plain compact-tree comback; do
  run check "$MODELS/philosophers.net" --search sweep --progress-measure '2 * eats1 + eats2' --store $store --ctl 'AG EF thinks1 == 1' --ctl 'EF EG eats3 == 1' --no-deadlock --json
  exits 1 "$store: branching formulas on the graph of a sweep"
  same "$(field search)" '"sweep"' "$store: which was a sweep"
  says '"id": "ctl:1".*|"replayed": true' "$store: with a run that shows why not"
done
run check "$MODELS/philosophers.net" --search sweep --progress-measure '2 * eats1 + eats2' --store plain --ctl 'AG EF thinks1 == 1' --no-deadlock
tells 'unfolding' "states that were forgotten and met again stand in the graph several times, which is told"
run check "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'sent + got' --ctl 'AG (sent == 7 -> AF got == 7)' --no-deadlock --json
exits 0 "a branching formula on a graph that is no unfolding"
! grep -q unfolding "$err"; ok $? "which nobody says then"
[ "$(sed -n 's/.*"peak_states": \([0-9]*\).*/\1/p' "$out")" -lt 20 ]
ok $? "with few full states at a time"
for format in aut json dot; do
  run graph "$WORK/count.pml" -D LIMIT=201 --search sweep --progress-measure 'sent + got' --format $format -o "$WORK/swept.$format"
  exits 0 "graph --search sweep --format $format"
done
run graph "$WORK/count.pml" -D LIMIT=201 --format aut -o "$WORK/whole.aut"
run compare "$WORK/whole.aut" "$WORK/swept.aut"
exits 0 "the graph of a sweep is the graph"
same "$(head -1 "$WORK/swept.aut")" "$(head -1 "$WORK/whole.aut")" "with as many states and edges where no step lowers the measure"
run graph "$MODELS/philosophers.net" --search sweep --progress-measure '2 * eats1 - eats2' --format aut -o "$WORK/swept.aut"
tells 'unfolding' "or is bisimilar to it"
run graph "$MODELS/philosophers.net" --format aut -o "$WORK/whole.aut"
run compare "$WORK/whole.aut" "$WORK/swept.aut"
exits 0 "as compare finds"
run graph "$MODELS/philosophers.net" --search sweep --progress-measure 'eats1' --minimise strong --format aut -o "$WORK/small.aut"
run compare "$WORK/whole.aut" "$WORK/small.aut"
exits 0 "graph --minimise on a sweep"
run graph "$MODELS/philosophers.net" --search sweep --progress-measure 'eats1' --summary
exits 0 "graph --summary on a sweep"
run graph "$MODELS/philosophers.net" --progress-measure 'eats1'
exits 2 "graph: a measure without a sweep"
finish
