#!/bin/sh
# commands.t -- info, graph, simulate, trace, convert.
. tests/cli/lib.sh

# ---- info
run info "$MODELS/philosophers.net"
exits 0 "info"
says 'place/transition net "philosophers", language net' "what it is"
says '12 places, 9 transitions, 30 arcs; 6 tokens' "how large"
says 'a state is [0-9]+ bits in 1 word' "bits and words"
says 'there are 14 states: every store holds them' "what states cost"
run info --bounds "$MODELS/philosophers.net"
says 'the net is bounded' "--bounds"
says ' 1  fork1' "each place"
printf 'place a = 1, b\ntransition t : a -> b\ntransition u : 2*b -> a\n' > few.net
run info --bounds few.net
says 'one token at most per place: proven' "what bounds say of one token at most"
run info --bounds "$MODELS/unbounded.net"
says 'one token at most per place: no$' "or that there are more"
run info --bounds "$MODELS/unbounded.net"
exits 0 "--bounds on an unbounded net"
says 'unbounded  goods' "names the place"
says 'again and again' "and the run"
run info --invariants "$MODELS/weights.net"
exits 0 "--invariants"
says 'H2 \+ H2O = 10' "a place invariant"
says '2\*O2 \+ H2O = 8' "with weights"
says 'burn \+ split' "a transition invariant"
run info --json --bounds --invariants "$MODELS/unbounded.net"
says '"schema": "thimble.info/1"' "as JSON"
run info "$MODELS/graph.aut"
says 'labelled transition system' "an explicit graph"
run info --bounds "$MODELS/graph.aut"
exits 2 "has no bounds to ask for"

# ---- graph
run graph "$MODELS/philosophers.net"
exits 0 "graph"
says '^digraph ' "dot"
same "$(grep -c -- '-> s' "$out")" 28 "every edge, and the arrow to the start"
says 'color=red, peripheries=2' "the deadlock is marked"
silent 'dashed' "nothing is cut"
run graph --max-states 5 "$MODELS/philosophers.net"
exits 0 "--max-states"
same "$(grep -c '^  s[0-9]* .label' "$out")" 5 "exactly so many states"
says 'dashed' "cut states are marked"
tells 'partial' "and it is said"
run graph -f aut "$MODELS/philosophers.net"
same "$(head -n 1 "$out")" "des (0, 27, 14)" "aut: the header counts"
same "$(wc -l < "$out" | tr -d ' ')" 28 "every edge"
"$THIMBLE" graph -f aut "$MODELS/philosophers.net" 2> /dev/null | cmp -s - "$out"; ok $? "the same through a pipe"
run graph -f aut -o g.aut "$MODELS/philosophers.net"
run check g.aut
says '14 states, 27 transitions|13 states|after 3 steps' "thimble reads it again"
run graph -f json "$MODELS/philosophers.net"
says '"complete":true' "json"
run graph -f png "$MODELS/philosophers.net"
exits 2 "an unknown format"
run graph -o /nonexistent/x "$MODELS/philosophers.net"
exits 74 "an output that cannot be written"
run graph "$MODELS/unbounded.net"
exits 4 "an unbounded net"
tells 'no bound exists for goods' "is cut with a reason"

# ---- trace
run check "$MODELS/philosophers.net"
run trace philosophers.trace.json
exits 0 "trace"
says 'deadlock violated' "what it is about"
says '  3  left3   ?thinks3: 1 -> 0' "as a story"
run trace --format itf philosophers.trace.json
says '"format": "ITF"' "ITF"
run trace --format json -o copy.json philosophers.trace.json
cmp -s copy.json philosophers.trace.json; ok $? "JSON as it was"
"$THIMBLE" trace - < philosophers.trace.json > "$out"; says 'deadlock violated' "from standard input"
run trace --format svg philosophers.trace.json
exits 0 "a chart"
says '</svg>' "as a picture (the others are in chart.t)"
run trace missing.json
exits 3 "a missing trace"
run trace "$MODELS/philosophers.net"
exits 3 "a file that is no trace"
run trace .
exits 3 "a folder"

# ---- simulate
run simulate "$MODELS/philosophers.net" --random 20 --seed 3
exits 0 "random steps"
cp "$out" first
run simulate "$MODELS/philosophers.net" --random 20 --seed 3
cmp -s first "$out"; ok $? "the same seed, the same run"
run simulate "$MODELS/philosophers.net" --random 20 --seed 4
cmp -s first "$out"; [ $? = 1 ]; ok $? "another seed, another run"
run simulate "$MODELS/philosophers.net" --random 1k -o run.json
run trace run.json
exits 0 "-o keeps the run"
run simulate "$MODELS/philosophers.net" --replay philosophers.trace.json
exits 0 "along a trace"
says ' 3  left3' "to its end"
run simulate "$MODELS/mutex.pnml" --replay philosophers.trace.json
exits 3 "a trace of another model"
tells 'step 1' "is told at its step"
printf '2\nleft1\nu\nr 2\ns\nq\n' | "$THIMBLE" simulate "$MODELS/philosophers.net" > "$out" 2> "$err"; code=$?
exits 0 "a script"
says '  1  left2 ' "a step by its number"
says '  2  left1 ' "a step by its name"
says 'back at step 1' "undo"
printf '77\n' | "$THIMBLE" simulate "$MODELS/philosophers.net" > "$out" 2> "$err"; code=$?
exits 2 "a step that is not there"
printf '1' | "$THIMBLE" simulate "$MODELS/graph.aut" > "$out" 2> "$err"; code=$?
exits 0 "a script without an end of line"
run simulate "$MODELS/unbounded.net" --random 3000 -o wide.json
exits 0 "a run whose counts grow beyond the first layout"

# ---- convert
run convert "$MODELS/mutex.pnml" -o m.net
exits 0 "pnml to net"
run convert m.net -o again.pnml
exits 0 "net to pnml"
run check --json again.pnml
same "$(field states)" 8 "the same net"
run convert "$MODELS/philosophers.net" -o p.aut
exits 0 "a net to its graph"
same "$(head -n 1 p.aut)" "des (0, 27, 14)" "explored"
run convert "$MODELS/graph.aut" --to aut
says '^des' "a graph to a graph, on standard output"
run convert "$MODELS/graph.aut" -o g.net
[ "$code" = 2 ] || [ "$code" = 3 ]; ok $? "a graph is no net"
run convert "$MODELS/mutex.pnml"
exits 2 "no output"
run convert "$MODELS/mutex.pnml" -o x.unknown
exits 2 "an unknown suffix"
run convert "$MODELS/unbounded.net" -o u.aut
exits 4 "an infinite graph"
[ ! -e u.aut ]; ok $? "is not written"
echo old > keep.aut
run convert "$MODELS/unbounded.net" -o keep.aut
same "$(cat keep.aut)" old "and what was there stays"
finish
