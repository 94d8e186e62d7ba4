#!/bin/sh
# disk.t -- --disk DIR[:SIZE] and --store disk: the same answers as in memory, honest ends when the disk does not play along, and a folder that is left as it was.
. tests/cli/lib.sh
used() { sed -n 's/^ *"store": .*"used": \[\([^]]*\)\].*/\1/p' "$out"; }
disk() { sed -n "s/^ *\"disk\": .*\"$1\": \([0-9]*\|null\|\"[^\"]*\"\)[,}].*/\1/p" "$out"; }
figures() { echo "$(field states) $(field transitions) $(field depth) $(field deadlocks) $(field verdict)"; }
empty() { [ -z "$(ls -A "$1")" ]; ok $? "$2"; }
"$ROOT/tools/gen-net" kanban 3 > kanban.net   # 58400 states
"$ROOT/tools/gen-net" pipeline 26 > big.net   # 2^26
mkdir d

# ---- usage ----
run check --store disk kanban.net
exits 2 "the store disk needs a folder"
tells 'needs a folder' "which is said"
run check --store disk --disk '' kanban.net
exits 2 "an empty name is none"
: > file
run check --store disk --disk file kanban.net
exits 2 "a file is no folder"
run check --disk no/such/folder kanban.net
exits 2 "a folder in a folder that is not there"
run check --store disk --disk d --search dfs kanban.net
exits 2 "depth-first search cannot use it"
tells 'breadth-first search alone' "and says so"
run check --store disk --disk d --ltl '[] <> (full == 0)' "$MODELS/producer-consumer.net"
exits 2 "nor can a property that needs one"
tells 'ltl:1 needs a depth-first search' "which is named"
run check --json --store disk --disk d --ltl '[] (full <= 3)' "$MODELS/producer-consumer.net"
exits 0 "a formula about bad prefixes can"
same "$(used)" '"disk"' "on disk"
run check --json --store disk --disk d --ctl 'AG EF (full == 0)' "$MODELS/producer-consumer.net"
exits 0 "branching formulas need the graph in memory"
tells 'kept in the store plain' "as is told"
run check --store help
says '^disk ' "it is listed"
run check --store disk --disk d:zz kanban.net
exits 2 "what stands behind the last colon is a size"
tells "'zz' is no size" "or refused"
[ ! -e d:zz ]; ok $? "and no folder is made"
run check --store disk --disk d: kanban.net
exits 2 "nothing is no size either"
run check --store disk --disk d:0 kanban.net
exits 2 "nor is zero"
run check --store disk --disk :1M kanban.net
exits 2 "a size alone is no folder"
run check --no-deadlock --store disk --disk ./a:b/ --memory 16M "$MODELS/mutex.pnml"
exits 0 "a folder with a colon in its name has a slash behind it"
[ -d a:b ]; ok $? "and is made"
run check --no-deadlock --store disk --disk a:b:1M "$MODELS/mutex.pnml"
exits 0 "or a size"
rmdir a:b
run check --mcc StateSpace --disk d "$MODELS/mutex.pnml"
exits 2 "the contest does not go there"
tells 'examinations are answered in memory' "and says so"
run check --swarm 3 --lossy --disk d "$MODELS/mutex.pnml"
exits 2 "nor does a swarm"
tells 'members of a swarm' "and says so"

# ---- the same answers ----
run check --json --no-deadlock --reduce none kanban.net
want=$(figures)
for memory in 1200k 2M 64M; do
  run check --json --no-deadlock --reduce none --store disk --disk d --memory $memory kanban.net
  exits 0 "--memory $memory on disk"
  same "$(figures)" "$want" "the same figures"
  same "$(used)" '"disk"' "by the store disk"
done
run check --json --no-deadlock --reduce none --store disk --disk d --memory 1200k kanban.net
[ "$(disk candidate_runs)" -gt 0 ] && [ "$(disk runs)" -gt 0 ] && [ "$(disk written_bytes)" -gt 0 ] && [ "$(disk read_bytes)" -gt 0 ]; ok $? "through files"
same "$(disk problem)" null "without a problem"
run check --no-deadlock --store disk --disk d kanban.net
says '^  disk .* written, .* read' "people are told, too"
run check --json --no-deadlock kanban.net
grep -q '"disk":' "$out"; [ $? = 1 ]; ok $? "without --disk there is nothing to tell"
run check --json --no-deadlock --disk d kanban.net
same "$(used)" '"plain"' "with enough memory nothing goes to disk"
empty d "the folder is empty again"

"$ROOT/tools/gen-net" kanban 4 > kanban4.net # 454475 states
run check --json --no-deadlock --reduce none kanban4.net
want=$(figures)
run check --json --no-deadlock --reduce none --memory 700k --disk d kanban4.net
exits 0 "the last rung of the ladder"
same "$(figures)" "$want" "loses nothing"
used | grep -q '^"plain".*"disk"$'; ok $? "and is told ($(used))"

for model in "$MODELS/exchange.pml" "$MODELS/philosophers.net" "$ROOT/tests/models/faults.pml" "$ROOT/tests/models/assertion.dve" "$MODELS/mutex.pnml" "$ROOT/tests/models/widths.pml"; do
  run check --json --output a.json "$model"
  a="$code $(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$out" | head -n 1)"
  run check --json --store disk --disk d --output b.json "$model"
  same "$code $(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$out" | head -n 1)" "$a" "${model##*/}: the same verdict, a run as short"
  run check --json --continue --output a.json "$model"
  want=$(figures)
  run check --json --continue --store disk --disk d --output b.json "$model"
  same "$(figures)" "$want" "${model##*/}: the same figures with --continue"
done
run check --json --stats --continue --store disk --disk d "$MODELS/philosophers.net"
sed -n '/"transitions": \[$/,/\]/p' "$out" > disk.stats
run check --json --stats --continue --store plain "$MODELS/philosophers.net"
sed -n '/"transitions": \[$/,/\]/p' "$out" | sed 's/"fresh": [0-9]*//' > plain.stats
sed 's/"fresh": [0-9]*//' disk.stats | cmp -s - plain.stats; ok $? "--stats: each transition as often"
same "$(grep -o '"fresh": [0-9]*' disk.stats | awk '{ n += $2 } END { print n }')" "$(($(field states) - 1))" "--stats: each state is fresh once"

# a violation that is found when states have gone to disk half-way
run check --json --engine interpreter --store plain -D N=22 -D BAD=1 --output plain.json "$ROOT/tests/memory/products.pml"
steps=$(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$out" | head -n 1)
for how in "--search bfs --memory 1700k" "--store disk --memory 3M"; do # no scout, after which the search for a shorter run has its own limit of time
  run check --json --engine interpreter $how --disk d -D N=22 -D BAD=1 --output disk.json "$ROOT/tests/memory/products.pml"
  exits 1 "$how: a violation"
  used | grep -q '"disk"'; ok $? "found on disk ($(used))"
  same "$(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$out" | head -n 1)" "$steps" "by a shortest run"
  run simulate --replay disk.json --engine interpreter -D N=22 -D BAD=1 "$ROOT/tests/memory/products.pml"
  [ "$code" = 0 ] || [ -s disk.json ]; ok $? "that is written"
done

# ---- honest ends ----
run check --json --no-deadlock --reduce none --store disk --disk d:20k --memory 1200k kanban.net
exits 4 "--disk d:20k is not enough"
same "$(sed -n 's/.*"stop": {"reason": "\([a-z]*\)".*/\1/p' "$out")" disk "the reason"
says 'larger than the 20 kB that --disk allows' "in words"
says 'explored [0-9,]+ states with .* in files .*all up to depth [0-9]+, [0-9,]+ waiting' "how far it came"
run check --no-deadlock --reduce none --store disk --disk d:20k --memory 1200k kanban.net
says '^incomplete: kanban.net, the files in ' "for people"
empty d "nothing is left"

# a disk that is full is followed by a search with reductions, as memory is (--reduce late)
cat > late.pml <<END
byte a, b, c;
active proctype A() { byte t; do :: a < 30 -> t = a; a = t + 1 :: a > 0 -> a-- od }
active proctype B() { byte t; do :: b < 30 -> t = b; b = t + 1 :: b > 0 -> b-- od }
active proctype C() { byte t; do :: c < 30 -> t = c; c = t + 1 :: c > 0 -> c-- od }
END
run check --json --engine interpreter --reduce none --store disk --disk d:90k --memory 8M late.pml
exits 4 "without reductions there is no room on disk"
run check --json --engine interpreter --store disk --disk d:90k --memory 8M late.pml
exits 0 "with them there is"
says 'states_before_reduction' "as is told"

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
  run check --json --no-deadlock --reduce none --store disk --disk small --memory 1200k kanban.net
  exits 4 "a full disk"
  says 'the disk is full' "is told"
  empty small "and empty again"
  umount small
else
  skip "a full disk" "needs a mount"
  skip "a full disk" "needs a mount"
  skip "a full disk" "needs a mount"
fi

# wait_for_files DIR: until a run has written something
wait_for_files() { i=0; while [ $i -lt 100 ] && [ -z "$(find "$1" -size +0 -type f -name '[0-9]*' 2>/dev/null)" ]; do sleep 0.1; i=$((i + 1)); done; }

mkdir gone
"$THIMBLE" check --json --no-deadlock --reduce none --store disk --disk gone --memory 2M --progress none big.net > "$out" 2> "$err" &
wait_for_files gone
while [ -d gone ]; do rm -rf gone 2> /dev/null; done # a file may come while they are removed
wait $!; code=$?
exits 4 "a folder that is removed in the middle"
says 'the folder gone/thimble-[0-9]+-0 is gone' "is told"

sh -c 'ulimit -n 10 && exec "$0" "$@"' "$THIMBLE" check --no-deadlock --store disk --disk d --memory 2M big.net > "$out" 2> "$err" < /dev/null
code=$?
exits 4 "too few open files"
says 'may have no more of them open \(ulimit -n\)' "are told"
says 'try again when that is mended, or more --memory' "and that it is not the disk's room"
empty d "and what there was is removed"

# ---- what runs leave behind ----
"$THIMBLE" check --no-deadlock --store disk --disk d --memory 2M --progress none big.net > "$out" 2> "$err" &
pid=$!
wait_for_files d
kill -INT $pid; wait $pid; code=$?
exits 130 "Ctrl-C"
empty d "its files are removed"

"$THIMBLE" check --no-deadlock --store disk --disk d --memory 2M --progress none big.net > "$out" 2> "$err" &
pid=$!
wait_for_files d
kill -KILL $pid; wait $pid 2>/dev/null
[ -n "$(ls -A d)" ]; ok $? "kill -9 leaves files behind"
mkdir d/thimble-mine d/other; echo kept > d/thimble-mine/2026; echo kept > d/other/1
"$THIMBLE" check --no-deadlock --store disk --disk d --memory 2M --progress none big.net > "$out" 2> "$err" &
pid=$!
wait_for_files d/thimble-$pid-0
living=$(find d -maxdepth 1 -name "thimble-$pid-*")
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
[ -d "$living" ] && [ -n "$(ls -A "$living")" ]; ok $? "files of a living run are left alone"
same "$(ls d | grep -c '^thimble-[0-9]')" 1 "those of a dead one are removed by the next"
kill -INT $pid; wait $pid
same "$(cat d/thimble-mine/2026 d/other/1)" "kept
kept" "what is not ours stays"
same "$(ls d | tr '\n' ' ')" "other thimble-mine " "and nothing else"
finish
