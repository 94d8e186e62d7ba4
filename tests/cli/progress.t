#!/bin/sh
# progress.t -- thimble info --progress: the measures of nets, programs and graphs, given and found; gen-net's models that have them.
. tests/cli/lib.sh

# the seeds' models: states as published, or as unfolded in full
"$ROOT/tools/gen-net" database 5 > database.net
run check database.net --no-deadlock --json
same "$(field states)" 407 "five database managers"
"$ROOT/tools/gen-net" database 4 pnml > database.pnml
run check database.pnml --no-deadlock --json
same "$(field states)" 110 "four of them, in PNML"
run info --progress database.net
exits 0 "their measure"
says 'steps may lower it' "is not monotone"
says '5 edges .* lower it, to 1 different state$' "and goes back to one state"
run info --progress database.net --json
says '"origin": "derived"' "derived"
says '"monotone": false' "not monotone"
says '"regress_edges": 5' "regress edges"
says '"complete": true' "on all states"

"$ROOT/tools/gen-net" stopwait 10 3 > stopwait.net
run info --progress stopwait.net
says 'found: sends_2 \+ wants_2 \+ 2 \* sends_3' "stop-and-wait: packets sent and received"
says 'no step lowers it: proven' "which is monotone"
says '21 different values' "with as many values"
says ' 0 edges .0.00 %. lower it' "and no edge lowers it"
"$ROOT/tools/gen-net" stopwait 30 3 > longer.net
run info --progress stopwait.net --json
peak=$(sed -n 's/ *"peak_states": \([0-9]*\),/\1/p' "$out")
run info --progress longer.net --json
same "$(sed -n 's/ *"peak_states": \([0-9]*\),/\1/p' "$out")" "$peak" "and a peak that does not depend on the number of packets"

# swept along what was found
run check stopwait.net --no-deadlock --json
states=$(field states)
run check stopwait.net --no-deadlock --search sweep --json
exits 0 "a sweep without a measure finds one"
same "$(field states)" "$states" "all states"
says '"sweeps": 1, "peak_states": 1[0-9][0-9],' "in one sweep, few at a time"
run check database.net --no-deadlock --search sweep --json
says '"sweeps": 2, .*"explored": 813' "database managers: twice each but the first, as published"
run check "$MODELS/graph.aut" --search sweep
exits 2 "a graph needs one"
tells 'progress-measure' "and is told so"

# programs
cat > counter.pml <<'END'
byte x;
active proctype up() { do :: x < 200 -> x++ :: else -> break od }
active proctype round() { bool b; do :: b = !b od }
END
run info --progress counter.pml
says 'found: x \+ stage of up' "a counter and its process"
says 'steps may lower it' "nothing keeps it from wrapping around"
cat > counter.dve <<'END'
byte x;
process up { state a; init a; trans a -> a { guard x < 200; effect x = x + 1; }; }
process round { byte b; state c; init c; trans c -> c { effect b = 1 - b; }; }
system async;
END
run info --progress counter.dve
says 'found: x$' "a guarded counter"
says 'no step lowers it: proven' "is proven"
says '201 different values' "with all its values"
cat > element.dve <<'END'
byte a[2];
process P { byte i; state s; init s; trans s -> s { guard a[i] < 255; effect i = 1, a[i] = a[i] + 1; }, s -> s { effect i = 0; }; }
system async;
END
run info --progress element.dve
says 'steps may lower it' "the guard speaks of another element than the one that is counted up"
cat > wraps.pml <<'END'
byte x;
active proctype up() { do :: x++ od }
END
run info --progress wraps.pml
says ' 1 edge .* lowers it, to 1 different state$' "a byte that wraps around goes back once"
cat > starts.pml <<'END'
proctype child() { skip; skip }
init { run child(); run child(); skip }
END
run info --progress starts.pml
says 'no step lowers it: proven' "processes that start and end"

# given ones
run info --progress --progress-measure 'sends_2 + 3 * wants_4' stopwait.net
exits 0 "a measure of one's own"
says 'as given: sends_2 \+ 3 \* wants_4' "as given"
run info --progress --progress-measure '7' stopwait.net
says 'it is the same in all of these states' "a constant one is told"
run info --progress --progress-measure 'wants_1' stopwait.net
says 'few different values' "and one with few values"
run info --progress --progress-measure 'nobody' stopwait.net
exits 3 "a name that is not there"
tells "nobody" "is told"
run info --progress-measure 'wants_1' stopwait.net
exits 2 "a measure that nobody asked about"
run info --progress "$MODELS/graph.aut"
exits 0 "a graph"
says 'no measure follows from this model' "has none"
finish
