#!/bin/sh
# story.t -- process models tell their story: check, trace, simulate, info, graph, errors, warnings, claims.
. tests/cli/lib.sh
STORY=$ROOT/tests/models/story

# ---- check
run check "$STORY/exchange.pml"
exits 1 "a failed assertion"
says 'assert:20  violated  after 6 steps, the shortest there is: assertion failed: v==3 \(exchange.pml:20\); trace in exchange.trace.json' "what broke, and where"
says ' 1  master\[0\] +exchange.pml:17  run worker\(3\) +starts worker\[1\]; worker\[1\].n: 0 -> 3$' "a process is started"
says ' 3  worker\[1\] +exchange.pml:10  q!ack,k +sends ack\(3\) on q; q: \[\] -> \[ack\(3\)\]$' "a message goes into a buffer"
says ' 4  master\[0\] .*receives ack\(3\) on q; q: \[ack\(3\)\] -> \[\], master\[0\].m: 0 -> ack, master\[0\].v: 0 -> 3$' "and out of it"
says '^     worker\[1\] .*r!data,7 +sends data\(7\) on r to master\[0\]$' "a rendezvous has a sender"
says '^     master\[0\] .*r\?data,v +receives data\(7\) on r from worker\[1\]$' "and a receiver"
says '^ +\| x is 1, ack B$' "what printf prints"
says '^     x: 0 -> 1, master\[0\].v: 3 -> 7$' "what a step of several parts changes"
says '^  here assertion failed: v==3 \(exchange.pml:20\)$' "the last line says what went wrong"
silent 'nothing can happen' "and not that nothing can happen"
silent '\.pc' "control states are no variables"

# ---- trace
cp "$out" verdict; run trace exchange.trace.json
exits 0 "the trace as a story without the model"
sed -n '/^assert:20: 6 steps/,$p' verdict | sed 1d > told; sed '1,2d' "$out" | cmp -s told -; ok $? "reads word for word like the verdict's"
says 'assert:20 violated' "with its property"
run trace -f json exchange.trace.json
cmp -s "$out" exchange.trace.json; ok $? "as JSON it is what it was"
says '"send": \{"channel": "r", "message": \["data", 7\], "rendezvous": true, "to": \{"process": "master", "pid": 0\}\}' "a send and who gets it"
says '"receive": \{"channel": "q", "message": \["ack", 3\], "rendezvous": false\}' "a receive from a buffer"
says '"prints": "x is 1, ack B\\n"' "what was printed"
says '"message": "assertion failed: v==3 \(exchange.pml:20\)"' "what went wrong"
run trace -f itf exchange.trace.json
says '"master\[0\].v": 7' "ITF has the values"
silent 'cell[0-9]' "and no cells without a meaning"
run simulate --replay exchange.trace.json "$STORY/exchange.pml"
exits 0 "the model goes along its trace"
says 'exchange.pml:20: assertion failed: v==3' "and breaks where it broke"

# ---- deadlocks
run check "$STORY/waiting.pml"
exits 1 "a deadlock of processes"
says '^  A\[0\] waits at waiting.pml:6: \(right==0\)$' "where the first one waits"
says '^  B\[1\] waits at waiting.pml:11: \(left==0\)$' "and the second"
run trace waiting.trace.json
says '^  B\[1\] waits at waiting.pml:11' "the trace file says it too"
run check "$STORY/meeting.dve"
says 'sends 4 on c to receiver\[1\]' "DVE: who sends to whom"
says 'got: 0 -> 4, sender\[0\].n: 4 -> 9, receiver\[1\].v: 0 -> 4' "what both change"

# ---- slots, channels
run check "$STORY/slots.pml"
exits 1 "processes of several types in one slot"
says 'painter\[1\].last: green -> red' "a variable of the first, with its names"
says 'counter\[1\].now: 0 -> 1007' "the same cell in the second"
says 'talker\[1\].out: 0 -> init\[0\].answers' "a channel by its name"
says 'painter\[1\] ends$' "a death, without its variables"
says 'reads 2 in init\[0\].answers, which keeps it' "a message that stays"
run simulate --replay slots.trace.json "$STORY/slots.pml"
exits 0 "goes along"
run check "$STORY/matching.pml"
says 'bag: \[two\(2\), one\(1\)\] -> \[three\(3\), two\(2\), one\(1\)\]' "sorted sends"
says 'receives one\(1\) on bag; bag: \[three\(3\), two\(2\), one\(1\)\] -> \[three\(3\), two\(2\)\]' "a receive from the middle"
says 'taker\[1\].c: none -> home' "a channel that came in a message"
says 'c!-5 +sends -5 on home' "and is used under its own name"

# ---- many assertions
run check "$STORY/many.pml"
says '^  assert:15 +violated' "the violated assertion has its line"
says '^  9 other asserts  unknown' "the others share one"
run check --continue "$STORY/many.pml"
says '^  9 other asserts  holds' "also when they hold"
run check --json "$STORY/many.pml"
same "$(grep -c '"id": "assert:' "$out")" 10 "JSON lists them all"
says '"message": "assertion failed: x==7"' "with what broke"
says '"location": \{"file": ".*many.pml", "line": 15, "column": 3\}' "and where"

# ---- warnings, errors, claims
run check "$STORY/cut.pml"
exits 0 "values that are cut"
tells 'cut.pml:6:3: warning: a value was cut to fit byte x' "are told"
tells 'cut.pml:7:3: warning: a value was cut to fit bit b' "each place"
same "$(wc -l < "$err" | tr -d ' ')" 2 "once"
run check --engine compiled "$STORY/cut.pml"
tells 'cut.pml:6:3: warning: a value was cut to fit byte x' "by the compiled engine too"
run check --json "$STORY/cut.pml"
tells 'warning: a value was cut' "beside JSON"
for engine in interpreter compiled; do
  run check --engine $engine "$STORY/cut-arguments.pml"
  exits 0 "messages and arguments that are cut, $engine"
  tells 'cut-arguments.pml:18:20: warning: a value was cut to fit byte small of worker' "an argument of run"
  tells 'cut-arguments.pml:19:14: warning: a value was cut to fit field 1 of the message' "a rendezvous"
  tells 'cut-arguments.pml:20:8: warning: a value was cut to fit field 1 of the message' "a field of a message"
  tells 'cut-arguments.pml:21:8: warning: a value was cut to fit field 1 of the message' "in an inline that is used twice"
  tells 'cut-arguments.pml:23:3: warning: a value was cut to fit field 2 of the message' "a number: the place of its statement"
  same "$(wc -l < "$err" | tr -d ' ')" 5 "each once"
done
run check "$STORY/errors.pml"
exits 3 "a model with errors"
same "$(grep -c ' error: ' "$err")" 3 "each one is told once"
same "$(grep -c '\^' "$err")" 3 "with its caret"
tells '^3 errors$' "and they are counted"
run check --json "$STORY/errors.pml"
says '"line": 4,' "JSON has the first"
run check --continue "$STORY/claims.pml"
exits 1 "claims are judged"
says 'ltl:rises  holds' "a formula that holds"
says 'never      violated' "a never claim that happens"
says 'this run breaks' "its run"
run check --continue --json "$STORY/claims.pml"
says '"kind": "ltl"' "in JSON"
says '"product": \{"method": "weak"' "with the search that was made"
run check --no-claims "$STORY/claims.pml"
exits 0 "--no-claims"
silent 'ltl:rises' "leaves them out"
run check -p deadlock "$STORY/claims.pml"
exits 0 "-p asks for less"

# ---- simulate
run simulate --random 20 --seed 3 -o run.json "$STORY/exchange.pml"
exits 0 "random steps"
says '\| x is 1, ack B' "printf output"
says 'worker\[1\] ends' "deaths"
run simulate --replay run.json "$STORY/exchange.pml"
exits 0 "its own run again"
printf '1\nl\n1\n1\ns\nu 2\nq\n' > keys
"$THIMBLE" simulate "$STORY/exchange.pml" > "$out" 2> "$err" < keys; code=$?
exits 0 "by hand"
says '^    1  master\[0\] +exchange.pml:17 +run worker\(3\)$' "a choice: process, line, statement"
says '^    2  master\[0\] +exchange.pml:18 +q\?m,v$' "another one"
says '^  master\[0\] at exchange.pml:18: q\?m,v$' "where processes stand"
says 'q \[ack\(3\)\]' "a channel's contents"
says 'back at step 1' "undo"
run simulate --random 40 "$STORY/matching.pml"
exits 0 "a run into a deadlock"
says 'deadlock: nothing is enabled' "is told"

run simulate --random 20 "$STORY/formats.pml"
says '\| d -5 u 65 x 1ff o 777 c A pct % e two$' "printf: numbers and names"
says '\| fruit pear tab +here "quoted" back\\slash$' "escapes"
says '\| const two 2$' "constants"
if command -v spin > /dev/null; then
  spin -T "$STORY/formats.pml" | sed '/process.* created/d' | tr -s '\t ' ' ' > spins
  sed -n 's/^ *| //p' "$out" | tr -s ' ' | sed '/^$/d' > ours
  cmp -s spins ours; ok $? "as SPIN prints it"
else skip "as SPIN prints it" "no spin"; fi

# ---- info, graph
run info "$STORY/exchange.pml"
exits 0 "info"
says 'process worker: started by others, 6 states, 6 transitions; byte n, byte k' "a process type"
says 'channel q: holds 2 messages of mtype, byte' "a channel"
says 'channel r: rendezvous of mtype, byte' "a rendezvous"
says 'global byte x' "globals"
says 'properties: deadlock, assert:20, runtime' "properties"
run info "$STORY/claims.pml"
says 'never, ltl:rises' "claims"
run graph "$STORY/waiting.pml"
says 'label="A\[0\] line 6\\nB\[1\] line 10\\nleft 1"' "dot: where processes stand and what is not 0"
silent 'cell|\.pc|_last' "and nothing internal"
run graph -f json "$STORY/slots.pml"
says '"counter\[1\].now":1007' "JSON: names by the process that is there"
finish
