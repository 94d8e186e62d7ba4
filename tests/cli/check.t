#!/bin/sh
# check.t -- verdicts, properties and exit codes.
. tests/cli/lib.sh

cat > mutex.net <<'N'
net mutex
place idle1 = 1, idle2 = 1, lock = 1, in1, in2
transition enter1 : idle1, lock -> in1
transition enter2 : idle2, lock -> in2
transition leave1 : in1 -> idle1, lock
transition leave2 : in2 -> idle2, lock
N

run check mutex.net
exits 0 "a net without deadlock"
says '^holds: mutex.net, complete exact search' "the verdict comes first"
says 'deadlock  holds' "the property is named"
says '3 states, 4 transitions' "the figures are told"
[ ! -e mutex.trace.json ]; ok $? "no trace is written"

run check mutex.net --invariant 'in1 + in2 <= 1' --invariant 'lock + in1 + in2 == 1'
exits 0 "invariants that hold"
says 'invariant:2  holds     lock \+ in1 \+ in2 == 1' "each with its text"

run check mutex.net --invariant 'in1 <= 0'
exits 1 "an invariant that is broken"
says '^violated: mutex.net' "is said first"
says 'after 1 step, the shortest there is; trace in mutex.trace.json' "shortest, with the file"
says '  1  enter1  idle1: 1 -> 0, lock: 1 -> 0, in1: 0 -> 1' "the story tells what changed"
says 'here in1 <= 0 is false' "and how it ends"
[ -s mutex.trace.json ]; ok $? "the trace is written"

run check mutex.net --search dfs --invariant 'in2 <= 0'
exits 1 "the same depth-first"
silent 'shortest' "does not claim to be shortest"

run check "$MODELS/philosophers.net"
exits 1 "a deadlock"
says 'after 3 steps, the shortest there is; trace in philosophers.trace.json' "in the fewest steps, beside the working directory"
says 'here nothing can happen any more' "and how it ends"
run check "$MODELS/philosophers.net" --no-deadlock
exits 0 "--no-deadlock"
says 'nothing was asked' "leaves nothing to ask"
run check "$MODELS/philosophers.net" --no-deadlock --deadlock
exits 1 "the last of --deadlock and --no-deadlock counts"

run check mutex.net --no-deadlock --reachable 'in1 == 1'
exits 0 "a state that can be reached"
says 'every state asked for was reached' "holds"
says 'reached after 1 step, the shortest there is; trace in' "with a witness"
says 'here in1 == 1 is true' "told as a story"
run check mutex.net --reachable 'in1 == 1'
exits 0 "beside deadlock, the search goes on"
says '3 states, 4 transitions' "to the end"
run check mutex.net --reachable 'in1 + in2 == 2'
exits 1 "a state that cannot be reached"
says 'no reachable state shows it' "is violated after a complete search"

run check "$MODELS/philosophers.net" -p invariant --invariant 'eats1 + eats2 <= 1'
exits 0 "-p by kind leaves the deadlock out"
silent 'deadlock  ' "entirely"
run check "$MODELS/philosophers.net" -p invariant:2 --invariant 'eats1 <= 0' --invariant 'eats2 <= 1'
exits 0 "-p by id"
cat > named.pml <<'END'
byte x;
init { x = 1; x = 2 }
ltl soon { <> (x == 2) }
ltl never { [] (x < 2) }
END
run check named.pml -p soon
exits 0 "-p by the name that the model gave"
silent 'ltl:never' "means no other"
run check named.pml -p never
exits 1 "the other one"
cat > claimed.pml <<'END'
byte x;
active proctype One() { x = 1 }
active proctype Two() { if :: x == 2 -> x = 3 :: else fi }
never starves { do :: x == 3 -> break :: else od }
END
run check claimed.pml -p never
exits 0 "-p by what the id begins with"
says 'never:starves +holds' "the claim"
run check claimed.pml -p starves --stats
says ' 0 +0 +Two\[1\] \(x==2\)$' "--stats tells of a statement that never runs"
silent '(Two\[0\]|One\[1\]|starves\[)' "not of processes that never are, nor of the claim"
run check "$MODELS/philosophers.net" -p 2 --invariant 'eats1 <= 0' --invariant 'eats2 <= 1'
exits 2 "a number alone is no name"
run check "$MODELS/philosophers.net" -p nonsense
exits 2 "-p of nothing"
tells 'there are: deadlock' "says what there is"

run check "$MODELS/philosophers.net" --continue
exits 1 "--continue"
says '14 states, 27 transitions, depth 3, 1 deadlock$' "explores the whole space"
run check "$MODELS/philosophers.net" --continue=3 --no-deadlock --invariant 'eats1 + eats2 + eats3 <= 0'
says '6 states violate it; also in philosophers.2.trace.json, philosophers.3.trace.json$' "keeps as many as asked, counts all"
[ -s philosophers.3.trace.json ] && [ ! -e philosophers.4.trace.json ]; ok $? "and writes those"

run check mutex.net --invariant 'in1 <= 0' -o deep.json
[ -s deep.json ]; ok $? "-o names the trace"
run check mutex.net --invariant 'in1 <= 0' --invariant 'in2 <= 0' --continue -o deep.json
[ -s deep.2.json ]; ok $? "further ones get numbers"

run check mutex.net --invariant 'in1 <= 0' -o -
exits 2 "the trace does not go to standard output"

run check mutex.net --invariant 'fireable(enter1) || in1 == 1 || in2 == 1'
exits 0 "fireable"
run check mutex.net --invariant '!dead'
exits 0 "dead"

run check mutex.net --marking lock=2 --invariant 'in1 + in2 <= 1'
exits 1 "--marking changes the net"
run check "$MODELS/producer-consumer.net" --define N=100 --no-deadlock
says '404 states' "--define changes a constant"
run check "$MODELS/producer-consumer.net" -DN=10
says '44 states' "-D likewise"

run check -q mutex.net
same "$(cat "$out")" "holds: mutex.net, complete exact search" "-q: one line"
run check -v mutex.net
says 'most tokens in a place 1, in a marking 3' "-v: more figures"
run check --stats mutex.net
says ' +1 +1  enter1$' "--stats: counts per transition"
says 'store_grows' "and counters"

for store in auto plain; do for search in auto bfs dfs; do
  run check --continue --store $store --search $search "$MODELS/philosophers.net"
  says '^  14 states, 27 transitions' "--store $store --search $search"
done; done
run check --store help
exits 0 "--store help"
says '^plain ' "lists the stores"
run check --search help
says '^dfs ' "--search help lists the searches"
run check --store disk mutex.net
exits 2 "a store without its folder"
tells 'needs a folder' "is refused in a sentence"
run check --search bsf mutex.net
exits 2 "a misspelt search"
tells 'did you mean bfs' "the nearest is named"
run check --reduce none -j 1 --engine auto --lossy --store plain mutex.net
exits 0 "what is trivially true is accepted"

# Units that are not what they are declared to be: p follows from a and b while the lie is believed, and gets a field of its own when t3 shows it.
cat > lie.net <<'N'
place p, a, b, x, x2, x3, x4 = 1, y, y2, y3, y4 = 1
transition s1 : x4 -> x3
transition s2 : x3 -> x2
transition s3 : x2 -> x
transition t1 : x -> a, p
transition s4 : y4 -> y3
transition s5 : y3 -> y2
transition s6 : y2 -> y
transition t2 : y -> b, p
transition t3 : a, b -> 2*a, b, p
units root r safe
unit r : / u1, u2, u3
unit u1 : a, x, x2, x3, x4
unit u2 : b, y, y2, y3, y4
unit u3 : p
N
run check lie.net --no-deadlock --invariant 'p <= 3'
exits 1 "a place that follows from others holds more than its declaration says when that is given up"
says 'p <= 3; after 10 steps' "and all of it is kept"

cp mutex.net mutex.txt
run check mutex.txt
exits 0 "an unknown suffix: the text tells"
run check --language net mutex.txt
exits 0 "--language"
run check --language klingon mutex.txt
exits 2 "an unknown language"
"$THIMBLE" check --language net - < mutex.net > "$out" 2> "$err"; code=$?
exits 0 "standard input"
run check "$MODELS/graph.aut"
exits 1 "an explicit graph"
finish
