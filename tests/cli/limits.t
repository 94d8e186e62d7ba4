#!/bin/sh
# limits.t -- memory, time, states, depth, Ctrl-C: incomplete, exit 4 (130), how far, what would help.
. tests/cli/lib.sh

"$ROOT/tools/gen-net" pipeline 26 > big.net   # 2^26 states
"$ROOT/tools/gen-net" pipeline 12 > small.net # 2^12

run check --no-deadlock --memory 1M big.net
exits 4 "the budget is used up"
says '^incomplete: big.net, the memory budget of 1 MB is used up' "is said first"
says 'explored [0-9,]+ states in 1 MB \([0-9.]+ bytes each\), [0-9,]+ waiting; try --memory 4M.*plain [0-9,]+, compact-tree [0-9,]+' "how far, and what would help"

if [ "${CONFIG:-release}" = release ]; then
  run check --json --no-deadlock --store plain --memory 64M big.net
  exits 4 "64 MB"
  resident=$(sed -n 's/.*"resident_peak_bytes": \([0-9]*\).*/\1/p' "$out")
  peak=$(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' "$out" | head -n 1)
  [ "$resident" -le $((72 << 20)) ]; ok $? "resident at most 64 MB and 8 MB of fixed cost ($resident)"
  [ "$peak" -le $((64 << 20)) ] && [ "$peak" -gt $((40 << 20)) ]; ok $? "counted at most 64 MB, and well used ($peak)"
else
  skip "resident memory" "a sanitizer has its own"
fi

for budget in 1 1k 30k 60k 100k 150k 200k 300k 500k 1M; do
  run check --json --memory $budget small.net
  [ "$code" = 4 ] || [ "$code" = 1 ] || [ "$code" = 0 ]; ok $? "--memory $budget: an honest end (exit $code)"
  grep -q '"schema": "thimble.verdict/1"' "$out" || ok 1 "--memory $budget: a verdict"
done

run check --no-deadlock --time 0.3 big.net
exits 4 "--time"
says 'the time limit was reached' "is named"
says 'try --time' "and what would help"
# formulas on a graph that is there soon
for i in 0 1 2 3; do
  for j in 0 1 2 3 4 5 6 7 8 9 10 11; do
    echo "place r${i}_$j = $((j == 0))"
    echo "transition t${i}_$j : r${i}_$j -> r${i}_$(((j + 1) % 12))"
  done
done > rings.net
set --
for i in 0 1 2 3; do
  for j in 1 2 3 4 5 6 7 8 9; do
    for k in 1 2 3 4 5 6 7 8 9; do set -- "$@" --ctl "E F (r${i}_$j > 0 && E G (r$(((i + 1) % 4))_$k == 0))"; done
  done
done
run check --json --no-deadlock --time 0.3 "$@" rings.net
exits 4 "--time while formulas are decided"
says '"reason": "time"' "ends that, too"
says '"status": "unknown"' "and some have no answer"
"$THIMBLE" check --json --no-deadlock "$@" rings.net > "$out" 2> "$err" &
pid=$!
sleep 0.4
kill -INT $pid
wait $pid; code=$?
exits 130 "and so does Ctrl-C"
run check --no-deadlock --max-states 1000 big.net
exits 4 "--max-states"
says 'try --max-states 4000' "what would help"
silent 'search best|reduce auto' "after so little there is nothing to say for other ways"
run check --max-states 100000 big.net
says 'try --max-states 400000; --search best may find an error sooner; --reduce auto explores less where the model allows it' "after much there is"
run check --max-states 100000 --search dfs --reduce none big.net
silent 'search best|reduce auto' "but not of what was asked for"
run check --max-states 5000 --invariant 'full1 <= 1' --ltl '! ([] <> (full1 > 0) && <> [] (empty1 > 0))' small.net
exits 4 "the states are all seen, and a product is larger than the limit"
says 'deadlock +(holds|violated)' "what is asked of states"
says 'invariant:1 +holds' "has its answer"
says 'ltl:1 +unknown' "and the rest has none"
run check --no-deadlock --max-depth 5 big.net
exits 4 "--max-depth"
says 'depth 5' "is kept to"
run check --no-deadlock --max-depth 5 --search dfs small.net
exits 4 "--max-depth with dfs"
run check --no-deadlock --max-depth 100k --max-states 1e6 --time 1h small.net
exits 0 "limits that are not reached change nothing"
says '4,096 states' "the whole space"

for signal in INT TERM HUP XCPU; do
  "$THIMBLE" check --no-deadlock --json big.net > "$out" 2> "$err" &
  pid=$!
  sleep 0.4
  kill -$signal $pid
  wait $pid; code=$?
  exits 130 "SIG$signal"
  same "$(field verdict)" '"incomplete"' "an honest verdict"
  says '"reason": "interrupt"' "with the reason"
done
# A terminal that goes away tells its shell's jobs and, if they are in front, tells them again; whoever was started by nohup hears nothing.
"$THIMBLE" check --no-deadlock --json big.net > "$out" 2> "$err" &
pid=$!
sleep 0.2
kill -HUP $pid; kill -HUP $pid; kill -HUP $pid
wait $pid; code=$?
exits 130 "SIGHUP again and again"
says '"reason": "interrupt"' "is one interrupt"
(trap '' HUP; exec "$THIMBLE" check --no-deadlock --json --max-states 3000000 big.net > "$out" 2> "$err") &
pid=$!
sleep 0.2
kill -HUP $pid
wait $pid; code=$?
exits 4 "SIGHUP where it is ignored"
says '"reason": "states"' "changes nothing"

# A model that takes long to come: the writer keeps the pipe open and says no more.
mkfifo slow.pml
for signal in INT TERM HUP; do
  "$THIMBLE" check --json slow.pml > "$out" 2> "$err" &
  pid=$!
  exec 9> slow.pml
  printf 'byte x; init {' >&9
  sleep 0.2
  kill -$signal $pid
  wait $pid; code=$?
  exec 9>&-
  exits 130 "SIG$signal while a model is read"
  same "$(field verdict)" '"incomplete"' "an honest verdict"
  says '"reason": "interrupt"' "with the reason"
  same "$(field error)" null "which is no error"
  says '"advice": "nothing was explored: the model and its properties were being read"' "and how far it got"
  [ ! -s "$err" ]; ok $? "and nothing else"
done
# One that comes at once and takes long to be understood: readers hear of it when they ask for memory.
awk 'BEGIN { for (i = 0; i < 100000; i++) print "place p" i " = 1"; for (i = 0; i < 100000; i++) print "transition t" i " : p" i " -> p" (i + 1) % 100000 }' > long.net
"$THIMBLE" check --json long.net > "$out" 2> "$err" &
pid=$!
sleep 0.3
kill -TERM $pid
wait $pid; code=$?
exits 130 "SIGTERM in the middle of a large model"
same "$(field verdict)" '"incomplete"' "an honest verdict"
rm -f long.net
# One whose last state has 27 million bindings, none of which is a step.
cat > many.cpnt << 'END'
net "many bindings behind a gate"
declare
  colset N = int with 0..600;
  colset I = int with 0..299;
  var n : N;
  var x, y, z : I;
page A
  place count : N
    initial 1`0
  place p : I
    initial I.all()
  place q : I
    initial I.all()
  place r : I
    initial I.all()
  transition next
    guard n < 600
    take count : n
    give count : n + 1
  transition many
    guard n = 600 andalso x * y + z = ~1
    take count : n
    take p : x
    take q : y
    take r : z
END
run check --json --no-deadlock --time 1.5 many.cpnt
exits 4 "--time in the middle of a state with many bindings"
says '"reason": "time", "advice": "explored 601 states' "is heard there"
# A formula that takes long to become an automaton.
printf 'int x; active proctype P() { do :: x < 30 -> x++ :: x > 0 -> x-- od }\n' > small.pml
run check --json --time 0.3 small.pml --ltl '!((<>[] (x==0) || []<> (x==20)) && (<>[] (x==1) || []<> (x==21)) && (<>[] (x==2) || []<> (x==22)) && (<>[] (x==3) || []<> (x==23)) && (<>[] (x==4) || []<> (x==24)) && (<>[] (x==5) || []<> (x==25)) && (<>[] (x==6) || []<> (x==26)))'
exits 4 "--time while a formula is read"
says '"reason": "time", "advice": "nothing was explored' "with the reason"
exec 8<> slow.pml
run check --json --time 0.2 slow.pml
exec 8>&-
exits 4 "--time while a model is read"
says '"reason": "time", "advice": "nothing was explored: the model and its properties were being read"' "with the reason"

"$THIMBLE" check --no-deadlock --progress plain big.net > "$out" 2> "$err" --time 0.5; code=$?
exits 4 "plain progress"
"$THIMBLE" check --no-deadlock small.net > "$out" 2> "$err"
[ ! -s "$err" ]; ok $? "a short run says nothing on standard error"

run check "$MODELS/unbounded.net"
exits 4 "an unbounded net"
says 'the model is unbounded' "is told"
says 'no bound exists for goods' "with the place"
says 'again and again' "and how to pump it"
run check "$MODELS/unbounded.net" --max-states 1000
exits 4 "with a limit of the user's own"
says 'the limit of states was reached' "it is the limit that ends it"
run check "$MODELS/unbounded.net" --invariant 'goods <= 50'
exits 1 "a violation within the prefix is found"
run check "$MODELS/unbounded.net" --no-deadlock --reachable 'goods >= 20'
exits 0 "and a witness"

# ---- traces that cannot be confirmed, targets that are no files
cat > long.pml << 'END'
byte x; short n;
init { atomic { do :: n < 16000 -> n++; if :: x = 0 :: x = 1 fi :: else -> break od; assert(n < 0) } }
END
run check long.pml
exits 1 "a violation in an atomic step of many choices"
says 'no trace: a step of it is too long for the definition that would confirm it' "says why it has no trace"
ln -s /dev/null sink
run check --continue -o sink "$ROOT/tests/models/remote-again.pml"
exits 1 "many traces into a device"
says 'trace in sink' "go there"
[ "$(echo sink*)" = sink ]
ok $? "and nowhere beside it"
mkfifo pipe
cat pipe > got & reader=$!
exec 9> pipe # the reader stays until the last trace is through
run check --continue -o pipe "$ROOT/tests/models/remote-again.pml"
exec 9>&-
wait $reader
[ "$(grep -c '"schema": "thimble.trace/1"' got)" -gt 1 ] && [ "$(echo pipe*)" = pipe ]
ok $? "a pipe gets one after the other"

# ---- a cache that is smaller than the stack
printf 'byte n;\nactive proctype P() { do :: n < 250 -> n++ :: n == 250 -> break od }\n' > long.pml
run check long.pml --search dfs --store cache --cache 16 --memory 64M
exits 4 "a cache that is smaller than the stack"
says 'the 16 states of --cache' "is what is told"
silent 'memory budget' "and not the budget"
says 'try --cache 64' "with what would help"
run check long.pml --search dfs --store cache --cache 16 --memory 64M --json
says '"reason": "cache"' "also in the JSON object"
run check long.pml --search dfs --store cache --cache 16 --memory 64M --ltl '<> (n == 251)' --no-deadlock
says 'the 16 states of --cache|violated' "and where a formula is asked"
run check long.pml --search dfs --store cache --cache 18446744073709551615 --memory 64M
silent 'states of --cache' "a cache of all states that can be counted is not too small"
says 'the memory budget of 64 MB is used up' "the budget is"

# ---- a limit on the size of files: writes fail, and nothing else
sizes() { (ulimit -f 0 && timeout 30 "$THIMBLE" "$@" 2>&1; echo "exit $?") 2>&1 | cat > "$out"; code=$(sed -n 's/^exit //p' "$out"); }
sizes check -q "$MODELS/philosophers.net" -o long.json
exits 74 "a trace that may not be written leaves the verdict"
says 'long.json: error: cannot be written: File too large' "with the reason"
sizes check -q "$MODELS/philosophers.net" --no-deadlock --max-states 3 --checkpoint long.ckpt
[ "$code" = 3 ] || [ "$code" = 4 ] || [ "$code" = 74 ]; ok $? "nor does a checkpoint end the program"
sizes graph "$MODELS/philosophers.net" -o long.dot
exits 74 "a graph cannot be written"

# ---- many labels and jumps
awk 'BEGIN { n = 40000; print "active proctype P() {"; for (i = 0; i < n; i++) print "L" i ": if :: goto L" (i * 7) % n " :: skip fi;"; print "}" }' > labels.pml
timeout 25 "$THIMBLE" check -q --max-states 10 labels.pml > "$out" 2> "$err"; code=$?
exits 4 "40,000 labels are found in a moment"

# ---- a long chain: which places follow from others is not worth all memory
awk 'BEGIN { n = 12000; print "place p0 = 1"; for (i = 1; i < n; i++) print "place p" i; for (i = 1; i < n; i++) print "transition t" i " : p" i - 1 " -> p" i }' > chain.net
run check --json --max-states 10 -o /dev/null chain.net
exits 4 "12,000 places in a chain"
peak=$(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' "$out" | head -n 1)
[ "${peak:-999999999}" -lt 600000000 ]; ok $? "take $peak bytes"
finish
