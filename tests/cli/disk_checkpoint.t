#!/bin/sh
# disk_checkpoint.t -- checkpoints of searches on disk: killed at any moment, gone on with to the same end; files that are damaged, gone, or in use; folders that live as long as their checkpoint.
. tests/cli/lib.sh
figures() { for key in verdict states transitions depth deadlocks frontier; do field $key; done | tr '\n' ' '; }
inside() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" "$out" | head -n 1; }
used() { sed -n 's/^ *"store": .*"used": \[\([^]]*\)\].*/\1/p' "$out"; }
empty() { [ -z "$(ls -A "$1")" ]; ok $? "$2"; }
"$ROOT/tools/gen-net" kanban 3 > kanban.net   # 58400 states
"$ROOT/tools/gen-net" kanban 4 > kanban4.net  # 454475
mkdir d

# ---- what the user sees
run check --json --no-deadlock --reduce none kanban.net
whole=$(figures)
run check --no-deadlock --reduce none --store disk --disk d --memory 2M --max-states 20000 --checkpoint a.ckpt kanban.net
exits 4 "a limit is reached"
says 'the checkpoint is a\.ckpt \(20,000 states in .*\); go on with: thimble resume a\.ckpt$' "where to go on from"
same "$(ls d | grep -c '^thimble-')" 1 "the files stay"
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
same "$(ls d | grep -c '^thimble-')" 1 "whoever comes to the same folder leaves them alone"
cp -r d d.kept; cp a.ckpt a.kept
run resume --json a.ckpt
exits 0 "resume goes on to the end"
same "$(figures)" "$whole" "with the figures of an uninterrupted run"
same "$(used)" '"disk"' "on disk"
[ ! -e a.ckpt ]; ok $? "then there is nothing to go on with"
empty d "and no files are left"
again() { rm -rf d; cp -r d.kept d; cp a.kept a.ckpt; folder=$(echo d/thimble-*); }

again
run resume --json --memory 64M --disk d:20k a.ckpt
exits 4 "resume has a limit of its own for files"
same "$(inside reason)" '"disk"' "and keeps to it"
grep -q '"checkpoint": {"file": "a.ckpt"' "$out"; ok $? "a full disk leaves the checkpoint"
run resume --json --memory 64M a.ckpt
same "$(figures)" "$whole" "which goes on with more room, in another budget"
empty d "and leaves nothing"
again
run resume --json --max-states 30000 a.ckpt
run resume --json --max-depth 20 a.ckpt
exits 4 "other limits"
run resume --json --time 0.01 a.ckpt
run resume --json a.ckpt
same "$(figures)" "$whole" "one after the other"
for what in "--store plain" "--checkpoint b.ckpt"; do
  again
  run resume $what a.ckpt
  exits 2 "resume $what"
  tells 'on disk|files of states' "is refused, with the reason"
done
mkdir moved; mv d/thimble-* moved/
run resume --json a.ckpt
exits 3 "a folder that was moved"
tells 'are not there' "is missed"
run resume --json --disk moved a.ckpt
same "$(figures)" "$whole" "--disk says where it is"

again
mkdir elsewhere; mv a.ckpt elsewhere/b.ckpt
run resume --json --max-states 30000 elsewhere/b.ckpt
exits 4 "a checkpoint that was moved"
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
run resume --json elsewhere/b.ckpt
same "$(figures)" "$whole" "keeps its files, and goes on"
empty d "and leaves nothing"

# ---- damaged files: refused, with the reason and the file's name; what is there stays
refused() {
  run resume --json a.ckpt
  exits 3 "$1"
  tells "$2" "is told: $(head -n 1 "$err" | cut -c 1-120)"
  cmp -s a.ckpt a.kept; ok $? "the checkpoint is as it was"
}
flip() { # file, place
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\$(printf %o $((byte ^ 85)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}
again
wrong=0 unnoticed=0 files=$(cd "$folder" && ls | grep -c '^[0-9]')
for file in $(cd "$folder" && ls | grep '^[0-9]'); do
  size=$(stat -c %s "$folder/$file")
  for at in 0 30 $((size / 2)) $((size - 1)); do
    again
    flip "$folder/$file" $at
    run resume --json a.ckpt
    [ $code = 3 ] && grep -q "file $file in .*thimble-" "$err" && continue
    if [ $code = 0 ] && [ "$(figures)" = "$whole" ]; then unnoticed=$((unnoticed + 1)); else wrong=$((wrong + 1)); fi
  done
done
same $wrong 0 "a byte changed in any of $files files: never a wrong figure"
[ $unnoticed -le 4 ]; ok $? "and refused, unless it is one of a file that is not needed ($unnoticed)"
again
rm "$folder/$(cd "$folder" && ls | grep '^[0-9]' | tail -n 1)"
refused "a run that is missing" 'file [0-9]+ in .* cannot be opened'
again
truncate -s -5 "$folder/1"
refused "a log that is cut" 'file 1 in .* shorter'
again
rm -rf d
refused "a folder that is gone" 'are not there'
again
echo "0000000000000001 /nowhere" > "$folder/checkpoint"
refused "a folder of another checkpoint" 'not those of this checkpoint'
again
rm a.ckpt
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
empty d "without its checkpoint the folder goes with the next run"
again
cp kanban.net other.net
run check --no-deadlock --reduce none --max-states 100 --checkpoint a.ckpt other.net
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
same "$(ls d | grep -c '^thimble-')" 1 "a checkpoint that gave its place to another (a.ckpt~) keeps its files"
mv a.ckpt~ a.ckpt
run resume --json a.ckpt
same "$(figures)" "$whole" "and goes on"
run check --store disk --disk d --checkpoint c.ckpt --no-deadlock "$MODELS/telephones.cpnt"
exits 2 "coloured nets"
tells 'only|one run has met' "are refused, with the reason"

# ---- from memory to disk, before and after
# Budgets leave the store on disk some room: how many runs it has at one time depends on how fast the thread is that merges them.
run check --json --no-deadlock --reduce none kanban4.net
whole4=$(figures)
run check --json --no-deadlock --reduce none --memory 700k --disk d --max-states 300000 --checkpoint l.ckpt kanban4.net
used | grep -q '"plain".*"disk"$'; ok $? "a checkpoint of a run that went to disk on the ladder"
run resume --json l.ckpt
same "$(figures)" "$whole4" "goes on there"
empty d "and leaves nothing"
run check --no-deadlock --reduce none --memory 64M --disk d --max-states 300000 --checkpoint m.ckpt kanban4.net
says 'go on with: thimble resume m\.ckpt --disk d$' "one that is in memory says that --disk has to be given again"
cp m.ckpt m.kept
run resume --json --memory 700k --disk d m.ckpt
exits 0 "resume --disk: memory ends while states are found again"
same "$(figures)" "$whole4" "and all is well"
used | grep -q '"disk"$'; ok $? "on disk ($(used))"
cp m.kept m.ckpt
run resume --json --memory 2M --store disk --disk d m.ckpt
same "$(figures)" "$whole4" "resume --store disk"
cp m.kept m.ckpt
run resume --json --memory 3500k --disk d --max-states 400000 m.ckpt
run resume --json --memory 1M --disk d m.ckpt
same "$(figures)" "$whole4" "or when they have been found again"
empty d "and leaves nothing"

# ---- violations, counts, wider layouts
for model in "$ROOT/tests/models/widths.pml" "$MODELS/exchange.pml" "$MODELS/philosophers.net"; do
  run check --json --continue --stats -o x.json "$model"
  want="$(figures) $(grep -c '"trace"' "$out") $(grep '"steps"' "$out" | tr -d ' \n')"
  states=$(field states)
  for n in 1 2 3; do
    rm -f v.ckpt
    run check --json --continue --stats -o x.json --store disk --disk d --max-states $((states * n / 4 + 1)) --checkpoint v.ckpt "$model"
    [ -e v.ckpt ] && run resume --json -o x.json v.ckpt
    same "$(figures) $(grep -c '"trace"' "$out") $(grep '"steps"' "$out" | tr -d ' \n')" "$want" "${model##*/}: figures and lengths of traces, cut at $n/4"
  done
done

# ---- a second run with the same folder, one with the same checkpoint
"$ROOT/tools/gen-net" pipeline 26 > big.net
"$THIMBLE" check --no-deadlock --store disk --disk d --memory 2M --checkpoint lock.ckpt --checkpoint-every 0.05 --progress none big.net > /dev/null 2>&1 &
pid=$!
i=0; while [ $i -lt 600 ] && [ ! -e lock.ckpt ]; do sleep 0.1; i=$((i + 1)); done
run resume lock.ckpt
exits 3 "a checkpoint that another run is writing"
run check --json --no-deadlock --reduce none --store disk --disk d --memory 2M kanban.net
same "$(figures)" "$whole" "another run with the same folder"
kill -KILL $pid; wait $pid 2> /dev/null
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
same "$(ls d | grep -c '^thimble-')" 1 "a killed run's files stay"
run resume lock.ckpt --max-states 10
exits 4 "after a kill it is there"
rm lock.ckpt
run check --no-deadlock --disk d "$MODELS/mutex.pnml"
empty d "until the checkpoint goes"

# ---- killed at any moment
seed=${CHECKPOINT_SEED:-$$}
random() { seed=$(((seed * 1103515245 + 12345) % 2147483648)) r=$((seed / 65536 % $1)); }
pick() { random $#; shift $r; r=$1; }
torture() { # name, then options and model
  name=$1 parts=0 killed=0
  shift
  run check --json --reduce none "$@"
  whole=$(figures)
  rm -f k.ckpt
  while [ $parts -lt 12 ]; do
    parts=$((parts + 1)) signal='' limit='' store=''
    if [ -e k.ckpt ]; then begin="resume k.ckpt"; else begin="check --checkpoint k.ckpt --reduce none $*"; pick '' '--store=disk'; store=$r; fi
    pick KILL KILL KILL INT TERM states
    case $r in
      states) random 60000 && limit="--max-states $((1 + r))" ;;
      *) signal=$r ;;
    esac
    pick 1300k 2M 16M
    memory=$r
    [ $parts = 12 ] && signal='' limit='' memory=16M # the last one comes to its end, however many runs wait to be merged
    "$THIMBLE" $begin --json -o run.json --disk d --checkpoint-every 0.01 --memory $memory $store $limit > "$out" 2> "$err" &
    pid=$!
    if [ "$signal" ]; then
      random 200
      sleep 0.$(printf %03d $((10 + r)))
      kill -$signal $pid 2> /dev/null
    fi
    wait $pid 2> /dev/null
    code=$?
    case $code in
      0 | 1) [ -e k.ckpt ] || break ;;
      4 | 130 | 137 | 143) killed=$((killed + 1)) ;;
      *) break ;;
    esac
  done
  same "$(figures)" "$whole" "$name: $parts parts, $killed of them cut"
  run check --no-deadlock --disk d "$MODELS/mutex.pnml"
  empty d "$name: nothing is left"
}
cat > counter.pml <<END
byte a, b, c;
active proctype A() { do :: a < 30 -> a++ :: a > 0 -> a-- od }
active proctype B() { do :: b < 30 -> b++ :: b > 0 -> b-- od }
active proctype C() { do :: c < 30 -> c++ :: c > 0 -> c-- od }
END
"$ROOT/tools/gen-net" pipeline 17 > middle.net
rounds=3
[ "${CONFIG:-release}" = release ] || rounds=1
for round in $(seq $rounds); do
  torture "a net" --no-deadlock middle.net
  torture "Promela" --engine interpreter counter.pml
  torture "Promela, all violations" --engine interpreter --continue --invariant 'a+b+c<80' counter.pml
done
finish
