#!/bin/sh
# mpi_checkpoint.t -- check --checkpoint and resume by several processes, as many as before or not: what is told, what is refused, and that runs which were stopped or killed at any moment come to the end of those that never were.
. tests/cli/lib.sh
. "$ROOT/tests/cli/mpi_lib.sh"

"$ROOT/tools/gen-net" pipeline 12 > small.net # 2^12 states
"$ROOT/tools/gen-net" pipeline 20 > "long$$.net"
cat > counters.pml << 'END'
/* grows out of its first layout again and again */
byte a; short b; int c;
active proctype A() { do :: a < 20 -> a++; b = b + 20 :: a == 20 -> a = 0; b = 0 od }
active proctype B() { do :: c < 4000 -> c = c + 50 :: c >= 4000 -> c = 0 od }
END
keep() { for f in ck.?; do cp "$f" "kept.$f"; done; }
put_back() { for f in kept.ck.?; do cp "$f" "${f#kept.}"; done; }
unchanged() { for f in ck.?; do cmp -s "$f" "kept.$f" || return 1; done; }

# ---- what the user sees
ranks 3 check --no-deadlock --max-depth 20 --checkpoint ck small.net
exits 4 "a limit is reached"
says 'the checkpoint is ck\.0 to ck\.2 \([0-9,]+ states in [0-9.]+ kB\); go on with: mpirun -n 3 thimble-mpi resume ck' "where to go on from"
same "$(ls ck*)" "ck.0
ck.1
ck.2" "a file for each rank, and nothing beside them"
ranks 3 resume --json --max-depth 30 ck
same "$(field depth) $(sed -n 's/.*"resumed": \([0-9]*\).*/\1/p' "$out")" "30 1" "resume has limits of its own"
keep
ranks 3 resume --json --store compact-tree --memory 20M ck
exits 0 "and goes on to the end, in another store"
same "$(field states) $(field transitions) $(field depth)" "4096 15360 78" "with the counts of a run that was not stopped"
[ ! -e ck.0 ] && [ ! -e ck.1 ] && [ ! -e ck.2 ]; ok $? "then the files are gone"
put_back
elsewhere() {
  ranks 3 resume --checkpoint other --max-depth 35 ck
  says 'the checkpoint is other\.0 to other\.2' "under another name"
  unchanged; ok $? "what it went on from stays as it was"
  ranks 3 resume --json other
  same "$(field states) $(field transitions) $(field depth)" "4096 15360 78" "and so does the other one go on"
}
at_length elsewhere

# ---- other ranks than then
ranks 2 resume --max-depth 40 ck
says 'the checkpoint is ck-2\.0 to ck-2\.1 .* go on with: mpirun -n 2 thimble-mpi resume ck-2' "fewer ranks write files of their own"
unchanged; ok $? "and those of then stay"
ranks 4 resume --json --checkpoint four ck-2
same "$(field states) $(field transitions) $(field depth) $(ls four* 2> /dev/null)" "4096 15360 78 " "more of them go on to the end"
[ -e ck-2.0 ] && [ -e ck-2.1 ]; ok $? "where those of then stay as well"
rm -f ck-2.*

# ---- what is refused: exit 3, the reason, and the files stay
refused() { # refused N REASON WHAT
  ranks "$1" resume ck
  exits 3 "$3"
  tells "$2" "the reason is told"
}
not_those() {
  ranks 2 resume --checkpoint ck ck
  exits 2 "other ranks under the same name"
  tells 'that of 3 ranks, and stays as it is' "the reason is told"
  run check --no-deadlock --max-depth 5 --checkpoint alone.0 small.net
  ranks 1 resume alone
  exits 3 "a checkpoint of one process"
  tells 'alone\.0: .*that of one process' "is told what it is"
  cp ck.0 ck.1
  refused 3 'that of rank 0, and not of rank 1' "the file of another rank"
  refused 2 'ck\.1: .*not that of rank 1' "also for other ranks"
  put_back
}
at_length not_those
run resume ck.1
exits 3 "one process"
tells 'that of rank 1 of 3' "is told whose it is"
mv ck.1 away
refused 3 'rank 1 .*ck\.1|ck\.1: .*cannot be opened' "a missing file"
refused 2 'ck\.1: .*cannot be opened' "also for other ranks, which read all"
ranks 3 check --no-deadlock --max-depth 20 --checkpoint second small.net
cp second.1 ck.1
refused 3 'another run than that of rank 0' "the file of another run"
put_back
python3 - << 'END'
d = bytearray(open("ck.2", "rb").read())
d[len(d) // 3] ^= 4
open("ck.2", "wb").write(d)
END
refused 3 'ck\.2: .*damaged' "a changed byte"
at_length refused 2 'ck\.2: .*damaged' "also for other ranks"
put_back
sed 's/place/place /' small.net > small.new && mv small.net small.old && mv small.new small.net
refused 3 'has changed since the checkpoint was written' "another model"
mv small.old small.net
unchanged; ok $? "the files stay as they are"

# ---- files of different age: the last moment that all have
aged() { # aged RANK N: the file of RANK is older, and N ranks go on
  put_back
  python3 - "$1" << 'END'
import sys
name = "ck." + sys.argv[1]
d = open(name, "rb").read()
open(name, "wb").write(d[:len(d) - len(d) // 4])
END
  ranks "$2" resume --json ck
  same "$(field states) $(field transitions) $(field depth)" "4096 15360 78" "rank $1 has written less than the others, and $n go on"
}
aged 1 3
aged 2 2
for rank in 0 2; do at_length aged $rank 3; done

# ---- forms of states, limits, findings
parts() { # parts A B C ARGS...: a run in three parts, of so many ranks each, comes to the end of one in one process
  a=$1 b=$2 c=$3 name=ck
  shift 3
  run check --json --reduce none --no-space-report --continue -o one.json "$@"
  want=$(figures)
  rm -f ck*
  ranks "$a" check --json --reduce none --continue --checkpoint ck -o several.json --max-depth 7 "$@"
  ranks "$b" resume --json -o several.json --max-states 200 ck
  [ "$b" = "$a" ] || name=ck-$b
  ranks "$c" resume --json -o several.json $name
  same "$(figures)" "$want" "$a, $b and $c ranks, in parts: $(echo "$*" | sed "s#$MODELS/##")"
}
early="--no-deadlock --invariant full1+full2+full3+full4+full5<5 --invariant full1+full2<2"
parts 2 3 1 counters.pml
at_length parts 3 3 3 counters.pml
at_length parts 1 1 1 counters.pml
at_length parts 1 2 3 counters.pml
at_length parts 2 2 2 "$MODELS/telephones.cpnt"
at_length parts 2 3 2 "$MODELS/telephones.cpnt"
sed 's/a++;/a++; assert(c < 100);/' counters.pml > faulty.pml
at_length parts 3 1 2 faulty.pml
at_length parts 2 2 2 $early small.net
at_length parts 2 1 3 $early small.net
parts 3 2 2 $early small.net
run simulate small.net --replay several.json
exits 0 "a run that was found in the first part can be gone along"
rm -f ck*
ranks 2 check --no-deadlock --invariant 'full1 < 2' --ltl '[] (full1 == 1 || full1 == 0)' --max-depth 10 --checkpoint ck small.net
ranks 3 resume --json ck
same "$(field verdict) $(field states)" '"holds" 4096' "with a temporal property"
rm -f ck*
reason() { sed -n 's/.*"reason": "\([a-z]*\)".*/\1/p' "$out" | head -n 1; }
ranks 2 check --json --no-deadlock --memory 1M --checkpoint ck "long$$.net"
same "$(reason)" memory "a budget that is too small"
too_small() {
  ranks 1 resume --json --memory 1M ck
  same "$(reason) $(sed -n 's/.*"checkpoint": {"file": "\([^"]*\)".*/\1/p' "$out")" "memory ck" "and more so for fewer ranks, which leaves the checkpoint as it is"
}
at_length too_small
ranks 2 resume --json --memory 200M ck
same "$(field states) $(field transitions) $(field depth)" "1048576 6029312 210" "and one that is not"

# ---- killed at random moments
seed=$$
begin() { # begin N ARGS...: in the background
  ranks_now=$1
  shift
  $MPIRUN $many $stay -n "$ranks_now" "$SPREAD" "$@" > "$out" 2> "$err" < /dev/null &
  mpi=$!
}
begun() { [ -e $next.0 ] || ! kill -0 $mpi 2> /dev/null; }
strike() { # strike HOW: at some moment after there is something to go on from
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  await 300 begun
  sleep 0.$((seed / 65536 % 5))
  pids=$(ranks_pids "ck")
  case $1 in
    all) kill -KILL $pids 2> /dev/null ;;
    one) kill -KILL $(echo "$pids" | tail -n 1) 2> /dev/null ;;
    term) kill -TERM $mpi 2> /dev/null ;;
  esac
}
round() { # round HOW A B C: by A ranks, then by B, both struck, then by C
  how=$1 times=0 name=ck writers=
  shift
  rm -f ck*
  while [ $times -lt 4 ]; do
    next=$name
    if [ "$writers" ]; then
      [ "$1" = "$writers" ] || next=$name-$1
      begin "$1" resume --json $name
    else
      begin "$1" check --json --no-deadlock --reduce none --checkpoint ck --checkpoint-every 0.2 "long$$.net"
    fi
    [ $times -lt 2 ] && strike "$how"
    wait $mpi 2> /dev/null
    times=$((times + 1))
    grep -q '"complete": true' "$out" && break
    if [ -e $next.0 ] && [ -e $next.$(($1 - 1)) ] && { [ "$1" -lt 3 ] || [ -e $next.1 ]; }; then name=$next writers=$1; fi
    [ $# = 1 ] || shift
  done
  same "$(field verdict) $(field states) $(field transitions) $(field depth) $(ls $next.* 2> /dev/null)" '"holds" 1048576 6029312 210 ' "$how, $1 ranks in the end: as if nothing had been ($times runs, $next)"
}
round all 2 3 2
round one 3 2 2
at_length round term 2 2 2
at_length round all 3 3 3
at_length round one 2 2 2
at_length round one 3 3 3
at_length round term 3 1 2
at_length round all 2 1 3

# ---- a rank that dies is told, and how to go on
rm -f ck*
"$ROOT/tools/gen-net" pipeline 26 > "big$$.net"
begin 2 check --no-deadlock --checkpoint ck --progress none "big$$.net"
kept() { [ -e ck.0 ] && [ -e ck.1 ]; }
await 200 kept
kill -KILL $(rank_pid 1 "big$$.net")
wait $mpi
says_if_spared 'incomplete: .*, rank 1 on .* is gone' "a rank was killed"
says_if_spared 'the checkpoint is ck\.0 to ck\.1 .* go on with: mpirun -n 2 thimble-mpi resume ck' "and where to go on from"
ranks 2 resume --max-states 1000 ck
exits 4 "which is possible"
finish
