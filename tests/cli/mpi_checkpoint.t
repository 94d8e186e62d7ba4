#!/bin/sh
# mpi_checkpoint.t -- check --checkpoint and resume by several processes: what is told, what is refused, and that runs which were stopped or killed at any moment come to the end of those that never were.
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
ranks 3 resume --checkpoint other --max-depth 35 ck
says 'the checkpoint is other\.0 to other\.2' "under another name"
unchanged; ok $? "what it went on from stays as it was"
ranks 3 resume --json other
same "$(field states) $(field transitions) $(field depth)" "4096 15360 78" "and so does the other one go on"

# ---- what is refused: exit 3, the reason, and the files stay
refused() { # refused N REASON WHAT
  ranks "$1" resume ck
  exits 3 "$3"
  tells "$2" "the reason is told"
}
put_back
refused 2 'ck\.0: .*that of 3 ranks, and there are 2 now' "another number of ranks"
refused 4 'ck\.0: .*that of 3 ranks, and there are 4 now' "more of them"
unchanged; ok $? "and the files stay as they are"
run resume ck.1
exits 3 "one process"
tells 'that of rank 1 of 3' "is told whose it is"
run check --no-deadlock --max-depth 5 --checkpoint alone.0 small.net
ranks 1 resume alone
exits 3 "a checkpoint of one process"
tells 'alone\.0: .*that of one process' "is told what it is"
mv ck.1 away
refused 3 'rank 1 .*ck\.1|ck\.1: .*cannot be opened' "a missing file"
cp ck.0 ck.1
refused 3 'that of rank 0, and not of rank 1' "the file of another rank"
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
put_back
sed 's/place/place /' small.net > small.new && mv small.net small.old && mv small.new small.net
refused 3 'has changed since the checkpoint was written' "another model"
mv small.old small.net
unchanged; ok $? "the files stay as they are"

# ---- files of different age: the last moment that all have
for rank in 0 1 2; do
  put_back
  python3 - $rank << 'END'
import sys
name = "ck." + sys.argv[1]
d = open(name, "rb").read()
open(name, "wb").write(d[:len(d) - len(d) // 4])
END
  ranks 3 resume --json ck
  same "$(field states) $(field transitions) $(field depth)" "4096 15360 78" "rank $rank has written less than the others"
done

# ---- forms of states, limits, findings
parts() { # parts N ARGS...: a run in parts comes to the end of one in one process
  n=$1
  shift
  run check --json --reduce none --no-space-report --continue -o one.json "$@"
  want=$(figures)
  ranks "$n" check --json --reduce none --continue --checkpoint ck -o several.json --max-depth 7 "$@"
  ranks "$n" resume --json -o several.json --max-states 200 ck
  ranks "$n" resume --json -o several.json ck
  same "$(figures)" "$want" "$n ranks, in parts: $(echo "$*" | sed "s#$MODELS/##")"
}
parts 3 counters.pml
parts 1 counters.pml
parts 2 "$MODELS/telephones.cpnt"
parts 2 --no-deadlock --invariant 'full1 + full2 + full3 + full4 + full5 < 5' --invariant 'full1 + full2 < 2' small.net
run simulate small.net --replay several.json
exits 0 "a run that was found in the first part can be gone along"
ranks 2 check --no-deadlock --invariant 'full1 < 2' --ltl '[] (full1 == 1 || full1 == 0)' --max-depth 10 --checkpoint ck small.net
ranks 2 resume --json ck
same "$(field verdict) $(field states)" '"holds" 4096' "with a temporal property"
ranks 2 check --json --no-deadlock --memory 1M --checkpoint ck "long$$.net"
same "$(sed -n 's/.*"reason": "\([a-z]*\)".*/\1/p' "$out" | head -n 1)" memory "a budget that is too small"
ranks 2 resume --json --memory 200M ck
same "$(field states) $(field transitions) $(field depth)" "1048576 6029312 210" "and one that is not"

# ---- killed at random moments
seed=$$
round() { # round N HOW
  rm -f ck*
  set -- "$1" "$2" check --json --no-deadlock --reduce none --checkpoint ck --checkpoint-every 0.2 "long$$.net"
  n=$1 how=$2 times=0
  shift 2
  while :; do
    $MPIRUN $many $stay -n "$n" "$SPREAD" "$@" > "$out" 2> "$err" < /dev/null &
    mpi=$!
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    if [ $times -lt 2 ]; then
      sleep 0.$((3 + seed / 65536 % 6))
      pids=$(ranks_pids "ck")
      case $how in
        all) kill -KILL $pids 2> /dev/null ;;
        one) kill -KILL $(echo "$pids" | tail -n 1) 2> /dev/null ;;
        term) kill -TERM $mpi 2> /dev/null ;;
      esac
    fi
    wait $mpi 2> /dev/null
    times=$((times + 1))
    grep -q '"complete": true' "$out" && break
    [ $times -gt 3 ] && break
    [ -e ck.0 ] && set -- resume --json ck
  done
  same "$(field verdict) $(field states) $(field transitions) $(field depth) $(ls ck* 2> /dev/null)" '"holds" 1048576 6029312 210 ' "$n ranks, $how: as if nothing had been ($times runs)"
}
round 2 all
round 3 one
round 2 term
round 3 all
round 2 one

# ---- a rank that dies is told, and how to go on
"$ROOT/tools/gen-net" pipeline 26 > "big$$.net"
$MPIRUN $many $stay -n 2 "$SPREAD" check --no-deadlock --checkpoint ck --progress none "big$$.net" > "$out" 2> "$err" < /dev/null &
mpi=$!
kept() { [ -e ck.0 ] && [ -e ck.1 ]; }
await 200 kept
kill -KILL $(rank_pid 1 "big$$.net")
wait $mpi
says_if_spared 'incomplete: .*, rank 1 on .* is gone' "a rank was killed"
says_if_spared 'the checkpoint is ck\.0 to ck\.1 .* go on with: mpirun -n 2 thimble-mpi resume ck' "and where to go on from"
ranks 2 resume --max-states 1000 ck
exits 4 "which is possible"
finish
