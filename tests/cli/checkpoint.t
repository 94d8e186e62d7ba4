#!/bin/sh
# checkpoint.t -- check --checkpoint and resume: what is told, what is refused, and that a run which was stopped or killed again and again comes to the same end as one that never was.
. tests/cli/lib.sh

"$ROOT/tools/gen-net" pipeline 12 > small.net # 2^12 states
"$ROOT/tools/gen-net" pipeline 26 > big.net
figures() { for key in verdict states transitions depth deadlocks frontier; do field $key; done | tr '\n' ' '; }
inside() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$out" | head -n 1; } # of an object on one line

# ---- what the user sees
run check --no-deadlock --max-states 1000 --checkpoint a.ckpt small.net
exits 4 "a limit is reached"
says 'the checkpoint is a\.ckpt \([0-9,]+ states in [0-9.]+ k?B?.*\); go on with: thimble resume a\.ckpt' "where to go on from"
[ -s a.ckpt ] && [ ! -e a.ckpt.new ]; ok $? "the file is there, and nothing beside it"
[ "$(stat -c %s a.ckpt)" -le 12000 ]; ok $? "it is small ($(stat -c %s a.ckpt) bytes for 1000 states)"
run resume a.ckpt
exits 0 "resume goes on to the end"
says '^holds: small.net, complete exact search|^holds: small.net, nothing was asked' "with the verdict"
says '4,096 states, 15,360 transitions' "and the counts of an uninterrupted run"
[ ! -e a.ckpt ]; ok $? "then there is nothing to go on with: the file is gone"
run check --no-deadlock --checkpoint a.ckpt small.net
exits 0 "a run that comes to its end"
[ ! -e a.ckpt ] && [ ! -e a.ckpt.new ]; ok $? "leaves no file"

run check --json --no-deadlock --max-depth 5 --checkpoint a.ckpt small.net
same "$(inside resumed)" 0 "JSON: how often the run was gone on with"
same "$(inside written)" 1 "JSON: how often the checkpoint was written"
grep -q '"checkpoint": {"file": "a.ckpt"' "$out"; ok $? "JSON: the file"
run resume --json --max-depth 7 a.ckpt
exits 4 "resume has limits of its own"
same "$(field depth)" 7 "and keeps to them"
same "$(inside resumed)" 1 "JSON: gone on with once"
run resume --json a.ckpt
same "$(inside resumed)" 2 "twice"
same "$(field states) $(field depth)" "4096 78" "limits are not handed on"
grep -q '"checkpoint": {"file": null' "$out"; ok $? "JSON: no file any more"
run check --json small.net
same "$(field checkpoint)" null "JSON: null where none was asked for"

# ---- a verdict that nobody could hear: the work is not lost
for lost in "--json /dev/full" "--report=nowhere/r.html verdict"; do
  "$THIMBLE" check --no-deadlock --checkpoint l.ckpt --checkpoint-every 0.0001 ${lost% *} small.net > ${lost#* } 2> "$err" < /dev/null; code=$?
  exits 74 "what was to be written cannot be (${lost% *})"
  tells 'note: what could not be written .* l\.ckpt stays; go on with: thimble resume l\.ckpt' "where to have it again"
  run resume --json l.ckpt
  same "$(figures)" '"holds" 4096 15360 78 0 0 ' "resume tells it"
  [ ! -e l.ckpt ]; ok $? "and the file goes"
done

# ---- signals
for signal in INT TERM; do
  "$THIMBLE" check --no-deadlock --memory 64M --checkpoint s.ckpt big.net > "$out" 2> "$err" &
  pid=$!
  sleep 0.7
  kill -$signal $pid
  wait $pid
  code=$?
  exits 130 "SIG$signal"
  says 'interrupted' "is said"
  says 'the checkpoint is s\.ckpt .*thimble resume s\.ckpt' "and where to go on from"
done
run resume s.ckpt --max-states 10
exits 4 "a limit below what there is"
says 'the checkpoint is s\.ckpt' "leaves it"
says 'try --max-states [0-9]{3}' "and a limit above what there is, is advised"

# ---- a time series of one run in parts
run check --json --no-deadlock --time 0.4 --memory 256M --checkpoint t.ckpt big.net
same "$(inside reason)" '"time"' "a time limit"
states=$(field states) first=$(inside total_s)
run resume --json --max-states $((states + 200000)) t.ckpt
total=$(inside total_s)
awk "BEGIN { exit !($first >= 0.4 && $total > $first + 0.01) }"; ok $? "the time is that of all parts ($first, $total)"
[ "$(field states)" -gt "$states" ]; ok $? "and more states were explored in the second ($states, $(field states))"
grep -q '"timeline": {' "$out"; ok $? "and there is a timeline"

# ---- what resume may and may not
run check --no-deadlock --max-states 500 --checkpoint a.ckpt --invariant 'true' small.net
cp a.ckpt keep.ckpt
run resume a.ckpt --invariant 'false'
exits 2 "another property"
tells 'resume has no option --invariant' "is refused"
tells 'what is verified, and how, is what it was' "and why"
run resume a.ckpt --reduce por
exits 2 "another reduction"
run resume a.ckpt --stats
exits 2 "counts that were not begun with"
tells 'not counted from the beginning' "and why"
run resume a.ckpt --store bitstate
exits 2 "a store that misses states"
run resume a.ckpt --store cache
exits 2 "a store that forgets"
cmp -s a.ckpt keep.ckpt; ok $? "all of them leave the checkpoint as it was"
run resume a.ckpt --checkpoint b.ckpt --max-states 1500
exits 4 "into another file"
cmp -s a.ckpt keep.ckpt; ok $? "the first one stays as it was"
run resume b.ckpt --json
same "$(field states)" 4096 "the other one goes on"
[ ! -e b.ckpt ] && [ -e a.ckpt ]; ok $? "and is gone, alone"
for store in plain tree compact-tree collapse dfa delta comback; do
  cp keep.ckpt a.ckpt
  run resume a.ckpt --json --store $store --memory 32M
  same "$(figures)" '"holds" 4096 15360 78 0 0 ' "--store $store"
done

# ---- files that are there
echo hello > notes.txt
run check --no-deadlock --max-states 100 --checkpoint notes.txt small.net
exits 3 "a file that is no checkpoint"
tells 'is no checkpoint: it is not written over' "is not written over"
same "$(cat notes.txt)" hello "it is as it was"
cp keep.ckpt a.ckpt
run check --no-deadlock --max-states 100 --checkpoint a.ckpt small.net
exits 4 "a checkpoint of another run"
cmp -s a.ckpt~ keep.ckpt; ok $? "is kept as a.ckpt~"
run check --no-deadlock --checkpoint nowhere/a.ckpt small.net
exits 3 "a folder that is not there"
tells 'nowhere/a.ckpt: error: cannot be written' "is told at once"
run check --no-deadlock --max-states 3000 --checkpoint /dev/full small.net
exits 3 "a device"

# ---- models that changed or moved
mkdir there
cp small.net there/moved.net
run check --no-deadlock --max-states 500 --checkpoint m.ckpt there/moved.net
mv there/moved.net elsewhere.net
run resume m.ckpt
exits 3 "a model that is not there any more"
run resume m.ckpt --model elsewhere.net --json
same "$(field states)" 4096 "--model says where it is"
run check --no-deadlock --max-states 500 --checkpoint m.ckpt elsewhere.net
echo "# a comment" >> elsewhere.net
run resume m.ckpt
exits 3 "a model that changed"
tells 'elsewhere.net: error: has changed since the checkpoint was written' "is refused"
(cd there && "$THIMBLE" resume ../keep.ckpt --json --checkpoint k.ckpt) > "$out" 2> "$err"
same "$(field states)" 4096 "from another folder the model is found"
cat > included.h <<END
#define MOST 30
END
cat > counter.pml <<END
#include "included.h"
byte a, b, c;
active proctype A() { do :: a < MOST -> a++ :: a > 0 -> a-- od }
active proctype B() { do :: b < MOST -> b++ :: b > 0 -> b-- od }
active proctype C() { do :: c < MOST -> c++ :: c > 0 -> c-- od }
END
run check --json counter.pml
whole=$(figures)
run check --json --max-states 5000 --checkpoint p.ckpt counter.pml
cp p.ckpt q.ckpt
run resume --json p.ckpt --store compact-tree
same "$(figures)" "$whole" "Promela with an included file"
echo '#define MOST 31' > included.h
run resume --json q.ckpt
exits 3 "an included file that changed"
same "$(field verdict)" '"error"' "is an error in JSON, too"
tells 'has changed' "and told"

# ---- what cannot be gone on with is refused at the start
refused() { # what, options
  what=$1
  shift
  run check --checkpoint r.ckpt "$@"
  exits 2 "$what"
  tells 'checkpoint' "is refused by name"
  [ ! -e r.ckpt ] && [ ! -e r.ckpt.new ] || ok 1 "$what: leaves a file"
}
run check --checkpoint-every 5 small.net
exits 2 "how often, without a checkpoint"
refused "a sweep" --search sweep --progress-measure 0 small.net
refused "a walk" --search walk small.net
refused "a directed search" --search best small.net
refused "a swarm" --swarm 3 small.net
refused "CTL" --ctl 'AG EF true' small.net
refused "a game" --strategy 'keep true' small.net
refused "a lossy store" --store bitstate --lossy small.net
refused "a store that forgets" --store cache --search dfs small.net
refused "a depth-first search that is cut" --search dfs --max-depth 3 small.net
refused "one temporal property alone" -p ltl:1 --ltl '[] true' small.net
refused "the contest" --mcc StateSpace small.net
refused "standard input" --language net -
refused "unbounded channels" --unbounded-channels counter.pml

# ---- files that are no checkpoints, or not any more
run resume missing.ckpt
exits 3 "a missing file"
run resume small.net
exits 3 "a model instead of a checkpoint"
tells 'small.net: error: this is no checkpoint' "is told so"
run resume .
exits 3 "a folder"
: > empty
run resume empty --json
exits 3 "an empty file"
same "$(field verdict)" '"error"' "in JSON"
"$THIMBLE" check --no-deadlock --max-states 6 --checkpoint tiny.ckpt "$MODELS/philosophers.net" > /dev/null
"$THIMBLE" resume tiny.ckpt --max-states 10 > /dev/null
size=$(stat -c %s tiny.ckpt)
step=${THIMBLE_LONG:+1}
step=${step:-3}
[ "${CONFIG:-release}" = release ] || step=11
wrong=0 at=0 refusals=0
while [ $at -lt "$size" ]; do
  cp tiny.ckpt flip.ckpt
  byte=$(od -An -tu1 -j $at -N 1 tiny.ckpt)
  printf "\\$(printf %o $((byte ^ 85)))" | dd of=flip.ckpt bs=1 seek=$at conv=notrunc 2> /dev/null
  run resume flip.ckpt --json
  if [ $code = 3 ]; then refusals=$((refusals + 1)); elif [ "$(figures)" != '"holds" 14 27 3 1 0 ' ]; then wrong=$((wrong + 1)); fi
  at=$((at + step))
done
same $wrong 0 "any byte changed: refused ($refusals of $((size / step))) or harmless"
[ $refusals -gt $((size / step / 2)) ]; ok $? "most of them refused"
at=0 wrong=0
while [ $at -lt "$size" ]; do
  head -c $at tiny.ckpt > flip.ckpt
  run resume flip.ckpt --json
  [ $code = 3 ] || [ "$(figures)" = '"holds" 14 27 3 1 0 ' ] || wrong=$((wrong + 1))
  at=$((at + 7 * step))
done
same $wrong 0 "cut anywhere: refused, or gone on from an earlier moment"
{ cat tiny.ckpt; echo "torn off in the middle of a record"; } > flip.ckpt
run resume flip.ckpt --json
same "$(figures)" '"holds" 14 27 3 1 0 ' "what was begun and not ended is dropped"
printf 'THIS' | dd of=tiny.ckpt bs=1 seek=16 conv=notrunc 2> /dev/null
run resume tiny.ckpt
tells 'damaged' "a changed head is told"

# a newer format, with the right checksum
perl -e 'exit 0' 2> /dev/null && python3 - <<'END' && {
import struct, sys
try:
    import xxhash
except ImportError:
    sys.exit(1)
head = bytearray(b"Thimble-resume\r\n" + struct.pack("<IIQ", 99, 0x01020304, 5))
open("newer.ckpt", "wb").write(head + struct.pack("<Q", xxhash.xxh64(bytes(head), 0).intdigest()))
END
  run resume newer.ckpt
  exits 3 "a newer format"
  tells 'newer version' "is told"
}

# ---- two runs do not write one file
"$THIMBLE" check --no-deadlock --memory 64M --checkpoint lock.ckpt --checkpoint-every 0.05 big.net > /dev/null 2>&1 &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e lock.ckpt ] && break; sleep 0.2; done
run resume lock.ckpt --max-states 10
exits 3 "a checkpoint that another run is writing"
tells 'another run is writing' "is told"
kill -KILL $pid
wait $pid 2> /dev/null
run resume lock.ckpt --max-states 10
exits 4 "after a kill it is there"
perl -e 'use Fcntl ":flock"; open my $file, "+<", "lock.ckpt" or die; flock $file, LOCK_EX; open my $told, ">", "held"; close $told; select undef, undef, undef, 0.3' &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e held ] && break; sleep 0.05; done
run resume lock.ckpt --max-states 10
exits 4 "what a killed run was about to start may have its lock for a moment: that is waited for"
wait $pid

# ---- other searches and properties
run check --json --no-deadlock --search dfs small.net
whole=$(figures)
run check --json --no-deadlock --search dfs --max-states 1500 --checkpoint d.ckpt small.net
exits 4 "depth-first"
run resume --json d.ckpt --store tree
same "$(figures)" "$whole" "goes on to the same figures"
cat > live.pml <<END
byte x, y, z;
active proctype A() { do :: x < 50 -> x++ :: else -> x = 0 od }
active proctype B() { do :: y < 50 -> y++ :: else -> y = 0 od }
active proctype C() { do :: z < 3 -> z++ :: else -> z = 0 od }
END
asked="--ltl [](x<=50) --ltl [](y<=50) --ltl []<>(z<=3)"
run check --json $asked live.pml
whole=$(figures)
statuses=$(grep '"status"' "$out")
run check --json $asked --max-states 4000 --checkpoint l.ckpt live.pml
exits 4 "temporal properties beside those of states"
cp l.ckpt l2.ckpt
run resume --json --max-states 5000 l2.ckpt
run resume --json l2.ckpt
same "$(figures)" "$whole" "in three parts"
run resume --json l.ckpt
same "$(figures)" "$whole" "the search for states goes on, the others are made"
same "$(grep '"status"' "$out")" "$statuses" "with the same answers"
run check -p ltl --ltl '[](x<=50)' --ltl '[](x==7 -> [](z<=3))' --max-states 90000 --checkpoint n.ckpt live.pml
exits 4 "temporal properties alone"
says 'go on with' "the first one is known"
says 'the search for ltl:2 begins anew then' "and what is not is told"
run resume --json n.ckpt
exits 0 "resume asks the other one"
run check --json --continue $asked --invariant 'x + y + z < 100' live.pml
whole="$(figures) $(grep -c '"trace"' "$out")"
run check --json --continue $asked --invariant 'x + y + z < 100' --max-states 10010 --checkpoint v.ckpt live.pml
run resume --json v.ckpt
same "$(figures) $(grep -c '"trace"' "$out")" "$whole" "--continue: violations of both parts"
run check --json --reachable 'x == 3' --reachable 'x + y == 100' live.pml
whole="$(figures) $(grep -c '"steps": [0-9]' "$out") $(grep '"steps"' "$out" | tr -d ' \n')"
run check --json --reachable 'x == 3' --reachable 'x + y == 100' --max-states 200 --checkpoint w.ckpt live.pml
grep -q '"steps": [0-9]' "$out"; ok $? "a witness is found in the first part"
run resume --json w.ckpt
same "$(figures) $(grep -c '"steps": [0-9]' "$out") $(grep '"steps"' "$out" | tr -d ' \n')" "$whole" "and told in the second, with its run"

# ---- counts per transition
run check --json --stats counter.pml
grep -A2 '"generated"' "$out" > whole.counts
run check --json --stats --max-states 9000 --checkpoint c.ckpt counter.pml
run resume --json c.ckpt --stats
grep -A2 '"generated"' "$out" > parts.counts
cmp -s whole.counts parts.counts; ok $? "--stats: counts are those of all parts"

# ---- reductions
"$ROOT/tools/gen-net" philosophers 9 > phil.net
for reduce in por symmetry auto; do
  run check --json --no-deadlock --reduce $reduce --invariant 'true' phil.net
  whole="$(figures) $(field reductions)"
  run check --json --no-deadlock --reduce $reduce --invariant 'true' --max-states 200 --checkpoint x.ckpt phil.net
  [ $code = 4 ] && run resume --json x.ckpt --store compact-tree
  same "$(figures) $(field reductions)" "$whole" "--reduce $reduce"
done

# memory ends, and a second run with reductions begins (--reduce late)
cat > late.pml <<END
byte a, b, c;
active proctype A() { do :: a < 30 -> a++ :: a > 0 -> a-- od }
active proctype B() { do :: b < 30 -> b++ :: b > 0 -> b-- od }
active proctype C() { byte t; do :: c < 30 -> t = c; c = t + 1 :: c > 0 -> c-- od }
END
second=0
for memory in 260k 280k 300k 320k 400k; do
  run check --json --memory $memory --checkpoint y.ckpt late.pml
  [ $code != 0 ] || [ ! -e y.ckpt ] || ok 1 "$memory: a run that comes to its end leaves no file"
  [ $code = 4 ] && grep -q states_before_reduction "$out" || continue
  run resume --json y.ckpt --memory 1G
  [ $code = 0 ] && grep -q states_before_reduction "$out" && grep -q '"reductions": \["' "$out" && [ ! -e y.ckpt ] || ok 1 "$memory: the second run goes on, with its reductions"
  second=$((second + 1))
done
[ $second -gt 0 ]; ok $? "second runs, with reductions, were gone on with ($second)"

# memory ends while the states are found again: the second run, with reductions, does not go on from them
run check --json --memory 1G --max-states 40000 --checkpoint whole.ckpt late.pml
exits 4 "the whole space, up to a limit"
states=$(field states)
cp whole.ckpt z.ckpt
run resume --json z.ckpt --memory 320k
exits 0 "resume with too little memory for what was found: a second run, with reductions"
[ "$(field states_before_reduction)" = "$states" ] && grep -q '"reductions": \["' "$out" && [ ! -e z.ckpt ] && [ ! -e z.ckpt.new ]; ok $? "its verdict, and nothing is left"
cp whole.ckpt z.ckpt
run resume --json z.ckpt --memory 320k --max-states 50 --checkpoint y.ckpt
exits 4 "the second run at a limit"
cmp -s whole.ckpt z.ckpt; ok $? "what it went on from stays as it is"
run resume --json y.ckpt --memory 1G
[ $code = 0 ] && [ "$(field states_before_reduction)" = "$states" ] && grep -q '"reductions": \["' "$out" && [ ! -e y.ckpt ]; ok $? "the second run goes on, with its reductions"
rm -f z.ckpt whole.ckpt

# ---- killed at any moment, gone on with in any store and budget
seed=${CHECKPOINT_SEED:-$$}
random() { seed=$(((seed * 1103515245 + 12345) % 2147483648)) r=$((seed / 65536 % $1)); }
pick() { # one of the others, as $r
  random $#
  shift $r
  r=$1
}
torture() { # name, then options and model
  name=$1 parts=0
  shift
  run check --json --reduce none "$@"
  whole=$(figures)
  rm -f k.ckpt
  while [ $parts -lt 15 ]; do
    parts=$((parts + 1)) signal='' limit='--memory 1G'
    if [ -e k.ckpt ]; then begin="resume k.ckpt"; else begin="check --checkpoint k.ckpt --reduce none $*"; fi
    pick plain tree compact-tree collapse comback delta auto auto
    store=$r
    pick KILL KILL KILL INT TERM states memory
    case $r in
      states) random 9000 && limit="--memory 1G --max-states $((1 + r))" ;;
      memory) random 900 && limit="--memory $((200 + r))k" ;;
      *) signal=$r ;;
    esac
    [ $parts = 15 ] && signal='' limit='--memory 1G'
    "$THIMBLE" $begin --json -o run.json --checkpoint-every 0.01 --store $store $limit > "$out" 2> "$err" &
    pid=$!
    if [ "$signal" ]; then
      random 100
      sleep 0.$(printf %03d $((10 + r)))
      kill -$signal $pid 2> /dev/null
    fi
    wait $pid 2> /dev/null
    code=$?
    case $code in
      0 | 1) [ -e k.ckpt ] || break ;;   # its end, or a violation on the way
      4 | 130 | 129 | 137 | 143) ;;      # a limit, a signal
      *) break ;;
    esac
  done
  same "$(figures)" "$whole" "$name: $parts parts"
}
# What is left out is the same after a while as it was before, also where fewer steps were wanted and are not to be had.
cat > sliced.pml <<'END'
byte x, z, a[2];
chan c = [1] of { byte };
chan r = [0] of { byte };
proctype P0(byte me) { byte i;
  do :: z = 0; break :: x = 2 od; do :: x = x; break :: i = (i + 1) % 3 od }
active proctype P1() { byte i, j; byte k;
  if :: run P0(0); assert(j < 1) :: (z < 2) fi; do :: r!i; c?1; break :: do :: k--; x = 0; break :: i = (i + 1) % 3; j = 1; break :: x = 2; a[0] = 2; break od; assert(a[0] < 1) od;
  i = (i + 1) % 3 }
END
run check sliced.pml --no-deadlock --reduce auto -p assert --checkpoint s.ckpt --max-states 20
exits 4 "a slice, in parts"
run resume s.ckpt
exits 1 "goes on"
says 'reduced by slice' "by the same reduction"
cat > forgotten.cpnt <<'END'
declare
  colset P = index p with 1..3;
  var x, y : P;
page Net
  place A : P
    initial 1`p(3)
  place B : P
    initial P.all()
  transition T
    take A : y
    take A : x
    give B : 1`(x)
    give B : 1`(y)
END
run check forgotten.cpnt --reduce auto -p runtime --checkpoint f.ckpt --max-states 1
exits 4 "a coloured net without the tokens of a place that follows from others"
run resume f.ckpt
exits 0 "goes on"

rounds=${THIMBLE_LONG:+4}
rounds=${rounds:-2}
"$ROOT/tools/gen-net" pipeline 17 > middle.net
cat > counter.dve <<END
byte a = 0; byte b = 0; byte c = 0;
process A { state s; init s; trans s -> s { guard a < 40; effect a = a + 1; }, s -> s { guard a > 0; effect a = a - 1; }; }
process B { state s, dead; init s; trans s -> s { guard b < 40; effect b = b + 1; }, s -> s { guard b > 0 && c < 39; effect b = b - 1; }; }
process C { state s; init s; trans s -> s { guard c < 40; effect c = c + 1; }; }
system async;
END
[ "${CONFIG:-release}" = release ] || rounds=1
for round in $(seq $rounds); do
  torture "a net" --no-deadlock middle.net
  echo '#define MOST 24' > included.h
  torture "Promela" counter.pml
  torture "DVE" --continue counter.dve
  torture "a coloured net" --no-deadlock "$MODELS/telephones.cpnt"
  torture "a net, depth-first" --search dfs --no-deadlock middle.net
  torture "DVE, depth-first" --search dfs --continue counter.dve
done
finish
