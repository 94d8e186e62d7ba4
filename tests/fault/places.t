#!/bin/sh
# places.t -- a machine that is not as it should be: full disks, homes that cannot be written, streams that are closed, readers that go away, signals, compilers that die, clocks that jump.
# The verdict stays honest, and what cannot be written is told.
. tests/cli/lib.sh
inject=${BUILD:-$ROOT/build}/tests/fault/inject.so
pml=$ROOT/tests/models/channels.pml
quick() { timeout 30 "$THIMBLE" "$@" > "$out" 2> "$err" < /dev/null; code=$?; }
export XDG_CACHE_HOME="$WORK/cache"
cat > small.net <<N
place a = 40
place b = 0
place c = 0
transition t: a -> b
transition u: b -> c
transition v: c -> a
N
cat > large.net <<N
$(for i in 1 2 3 4 5 6 7; do echo "place a$i = 9"; echo "place b$i = 0"; echo "transition t$i: a$i -> b$i"; echo "transition u$i: b$i -> a$i"; done)
N

# ---- full disks ----

mkdir full
if mount -t tmpfs -o size=64k tmpfs full 2> /dev/null; then
  trap 'umount "$WORK/full"; rm -rf "$WORK"' EXIT
  dd if=/dev/zero of=full/rest bs=1k count=64 2> /dev/null
  quick check small.net --no-deadlock --invariant 'a > 0' -o full/t.json
  exits 74 "no room for the trace: the violation is told"
  tells 'No space left' "with what is wrong"
  quick check small.net --no-deadlock --report full/r.html
  exits 74 "no room for the report"
  tells 'No space left' "is told"
  quick graph small.net -f aut -o full/g.aut
  exits 74 "no room for the graph"
  quick check small.net --no-deadlock --max-states 20 --checkpoint full/c.ckpt
  [ "$code" = 4 ] || [ "$code" = 74 ] || [ "$code" = 3 ]; ok $? "no room for a checkpoint (exit $code)"
  grep -q 'No space left' "$out" "$err"; ok $? "is told"
  quick check large.net --no-deadlock --max-states 50000 --store disk --disk full
  [ "$code" = 4 ] || [ "$code" = 2 ] || [ "$code" = 3 ]; ok $? "no room for states (exit $code)"
  quick convert small.net -o full/m.pnml
  exits 74 "no room for a model"
  TMPDIR=$WORK/full XDG_CACHE_HOME=$WORK/full quick check --json --continue --engine compiled -o t.json "$pml"
  [ "$code" = 0 ] || [ "$code" = 1 ]; ok $? "no room for the compiler: the interpreter goes on (exit $code)"
  rm full/rest
  same "$(find full -type f)" "" "no half of a file is left"
else
  skip "full disks" "needs a mount"
fi

# ---- a group with a limit of memory ----

group=
for above in /sys/fs/cgroup/memory /sys/fs/cgroup; do
  [ -n "$group" ] || { mkdir "$above/thimble-$$" 2> /dev/null && mkdir "$above/thimble-$$/inner" 2> /dev/null && group=$above/thimble-$$; }
done
limit() { echo 67108864 2> /dev/null > "$group/memory.limit_in_bytes" || echo 67108864 2> /dev/null > "$group/memory.max"; }
if [ -n "$group" ] && limit; then
  sh -c 'echo $$ > "$0/inner/cgroup.procs" && exec "$@"' "$group" "$THIMBLE" check --json small.net --no-deadlock --memory 50% > "$out" 2> "$err"; code=$?
  exits 0 "a group with a limit of memory"
  says '"budget_bytes": 33554432|"budget": 33554432' "half of it is half of the limit, which stands in the group above"
  sh -c 'echo $$ > "$0/inner/cgroup.procs" && exec "$@"' "$group" "$THIMBLE" check --json large.net --no-deadlock --store plain --reduce none --max-states 20000000 > "$out" 2> "$err"; code=$?
  exits 4 "more than fits: incomplete, and nobody kills it"
else
  skip "a group with a limit of memory" "cannot be made"
fi
[ -z "$group" ] || rmdir "$group/inner" "$group" 2> /dev/null

# What version 2 of groups says, where this machine has version 1: files of the same names.
grouped() { unshare -m sh -c 'mount -t tmpfs none /sys/fs/cgroup && echo max > /sys/fs/cgroup/memory.max && echo max > /sys/fs/cgroup/memory.high && echo '"$1"' > /sys/fs/cgroup/memory.'"$2"' && exec "$0" check --json small.net --no-deadlock' "$THIMBLE" > "$out" 2> "$err"; code=$?; }
if unshare -m mount -t tmpfs none /sys/fs/cgroup 2> /dev/null; then
  grouped 100000000 max
  says '"budget_bytes": 80000000' "memory.max of a group"
  grouped 50000000 high
  says '"budget_bytes": 40000000' "memory.high, above which everything crawls"
else
  skip "groups of version 2" "needs a mount"
fi

# ---- little stack ----

for limit in 64 500; do
  for how in "--store disk --disk $WORK" "--reduce auto" "--certificate small.cert" "--ltl []a>=0"; do
    (ulimit -s $limit; timeout 30 "$THIMBLE" check small.net --no-deadlock $how > "$out" 2> "$err" < /dev/null); code=$?
    exits 0 "a stack of $limit kB: check $how"
  done
  (ulimit -s $limit; timeout 30 "$THIMBLE-audit" small.cert > "$out" 2> "$err" < /dev/null); code=$?
  exits 0 "a stack of $limit kB: audit"
done

# ---- homes ----

for home in unset /nonexistent /proc relative; do
  case $home in unset) unset HOME XDG_CACHE_HOME ;; *) HOME=$home XDG_CACHE_HOME=$home/cache; export HOME XDG_CACHE_HOME ;; esac
  quick check --json --continue --engine compiled -o t.json "$pml"
  same "$(field engine)" '"compiled"' "HOME $home: compiled all the same"
  [ "$code" = 0 ] || [ "$code" = 1 ]; ok $? "HOME $home: the verdict (exit $code)"
done
[ ! -e relative ]; ok $? "a home that is no path from the root is not made"
HOME=$WORK XDG_CACHE_HOME=$WORK/cache
export HOME XDG_CACHE_HOME

# ---- compilers ----

mkdir bin
printf '#!/bin/sh\nkill -9 $$\n' > bin/cc; chmod 755 bin/cc
PATH=$WORK/bin:$PATH XDG_CACHE_HOME=$WORK/other quick check --json --continue --engine compiled -o t.json "$pml"
same "$(field engine)" '"interpreter"' "a compiler that is killed: the interpreter runs"
same "$(find "$WORK/other" -type f | wc -l | tr -d ' ')" 0 "and nothing is left of it"

# ---- streams ----

"$THIMBLE" graph large.net --max-states 20000 2> "$err" | head -n 1 > "$out"
same "$(wc -l < "$out" | tr -d ' ')" 1 "graph | head"
( "$THIMBLE" check --json small.net --no-deadlock 2> "$err"; echo $? > code ) | true
grep -Eqx '0|74' code; ok $? "check --json | true: no signal"
( "$THIMBLE" graph large.net --max-states 20000 2> "$err"; echo $? > code ) | true
same "$(cat code)" 74 "a graph that nobody reads is told"
"$THIMBLE" check small.net --no-deadlock >&- 2> "$err"; code=$?
exits 74 "standard output is closed"
"$THIMBLE" check small.net --no-deadlock > "$out" 2>&-; code=$?
exits 0 "standard error is closed"
"$THIMBLE" check small.net --no-deadlock --invariant 'a > 0' -o closed.json <&- >&- 2>&-; code=$?
exits 1 "all are closed: the violation is in the code"
grep -q '"steps"' closed.json; ok $? "and the trace in its file, alone"
[ -e /dev/full ] && { "$THIMBLE" check large.net --no-deadlock --max-states 300000 --progress lines > "$out" 2> /dev/full; code=$?; [ "$code" = 4 ] || [ "$code" = 2 ]; ok $? "progress that cannot be written (exit $code)"; }

# ---- signals ----

for signal in TERM INT; do
  "$THIMBLE" check --json large.net --no-deadlock --store plain > "$out" 2> "$err" < /dev/null &
  pid=$!
  sleep 0.3
  kill -$signal $pid
  wait $pid; code=$?
  exits 130 "SIG$signal ends a search"
  same "$(field verdict)" '"incomplete"' "which says so"
done

# ---- a terminal that is closed while something runs in it ----

cat > closing.py <<'P'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.read(terminal, 1) # something runs
os.close(terminal)
for _ in range(1000):
    ended, status = os.waitpid(pid, os.WNOHANG)
    if ended:
        print(os.waitstatus_to_exitcode(status))
        break
    time.sleep(0.01)
else:
    os.kill(pid, 9)
    print("went on")
P
closing() { python3 closing.py "$THIMBLE" "$@" 2> "$err"; }
if command -v python3 > /dev/null; then
  same "$(closing check large.net --no-deadlock --reduce none --checkpoint gone.ckpt)" 130 "check in a terminal that is closed"
  quick resume --max-states 10 gone.ckpt
  exits 4 "leaves its checkpoint"
  same "$(closing explore small.net)" 0 "the explorer does not outlive its terminal"
else
  skip "a terminal that is closed" "needs python3"
fi

# ---- clocks ----

if [ -e "$inject" ] && [ "${CONFIG:-release}" = release ]; then
  began=$(date +%s)
  LD_PRELOAD=$inject FAULT_CLOCK=1 quick check large.net --no-deadlock --time 1s --checkpoint clock.ckpt --checkpoint-every 1s
  [ $(($(date +%s) - began)) -lt 20 ]; ok $? "a clock that jumps: the limit of time is kept"
  exits 4 "a clock that jumps"
  says 'time' "is no reason to end, time is"
  LD_PRELOAD=$inject FAULT_CLOCK=1 quick check small.net --no-deadlock
  exits 0 "a verdict while the clock jumps"
else
  skip "clocks" "no library to preload"
fi
finish
