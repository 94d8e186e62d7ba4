#!/bin/sh
# engine.t -- generated code and its cache: whatever happens to the compiler or the folder, the answer is the same and comes in time.
. tests/cli/lib.sh
model=$ROOT/tests/models/channels.pml # large enough for the automatic choice to start the compiler
want=$(sed -n 's/.*states=\([0-9]*\) transitions=\([0-9]*\) .*/\1 \2/p' "$model")
cc=${THIMBLE_CC:-cc}
command -v "$cc" > /dev/null || { echo "1..0 # SKIP no C compiler"; exit 0; }
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
counts() { same "$(number states) $(number transitions)" "$want" "$1"; }
engine() { same "$(field engine)" "\"$1\"" "$2"; }
check() { run check --json --continue --engine compiled --output trace.json "$@" "$model"; }
leftovers() { find "$1" -mindepth 1 ! -path "*/thimble" ! -name '*.so' 2> /dev/null | wc -l | tr -d ' '; }
running() { ps -e -o args= 2> /dev/null | grep -c "[s]leep $1\$"; }
now() { date +%s; }
XDG_CACHE_HOME=$WORK/cache TMPDIR=$WORK/tmp
export XDG_CACHE_HOME TMPDIR
mkdir "$TMPDIR"

# an empty cache
check
engine compiled "compiled at the start"
counts "an empty cache: counts"
same "$(find "$XDG_CACHE_HOME" -name '*.so' | wc -l | tr -d ' ')" 1 "one object is kept"
same "$(leftovers "$XDG_CACHE_HOME")" 0 "nothing else is kept"

# from the cache
THIMBLE_CC=$cc; export THIMBLE_CC
check
object=$(find "$XDG_CACHE_HOME" -name '*.so' | head -n 1)
stamp=$(ls -li "$object")
check
engine compiled "a second time"
same "$(ls -li "$object")" "$stamp" "the object is taken from the cache as it is"
unset THIMBLE_CC

# a damaged object is made anew, one that others may write is not trusted
for f in "$XDG_CACHE_HOME"/thimble/*.so; do echo damaged > "$f"; done
check
engine compiled "a damaged object in the cache is made anew"
counts "a damaged object: counts"
half=$(($(wc -c < "$object") / 2))
for f in "$XDG_CACHE_HOME"/thimble/*.so; do cp "$f" whole && head -c $half whole > "$f"; done
check
engine compiled "an object that is half there is made anew"
counts "an object that is half there: counts"
for f in "$XDG_CACHE_HOME"/thimble/*.so; do dd if=/dev/zero of="$f" bs=1024 seek=4 count=1 conv=notrunc 2> "$err"; done
check
engine compiled "an object with a hole is made anew"
counts "an object with a hole: counts"
# what runs that were killed left in the cache goes, once it is old and nobody holds it
leave() { mkdir "$XDG_CACHE_HOME/thimble/$1" && : > "$XDG_CACHE_HOME/thimble/$1/model.c" && touch -d "$2" "$XDG_CACHE_HOME/thimble/$1"; }
there() { [ -e "$XDG_CACHE_HOME/thimble/$1/model.c" ]; }
old=0123456789abcdef0123456789abcdef-aBc123 held=fedcba9876543210fedcba9876543210-aBc123 young=00000000000000000000000000000000-aBc123
leave $old '1 hour ago'; leave $held '1 hour ago'; leave $young now; leave notes '1 hour ago'; leave ${old}4 '1 hour ago'
mkdir elsewhere && : > elsewhere/model.c && touch -d '1 hour ago' elsewhere && ln -s "$PWD/elsewhere" "$XDG_CACHE_HOME/thimble/11111111111111111111111111111111-aBc123"
rm -f "$XDG_CACHE_HOME"/thimble/*.so
if command -v flock > /dev/null; then
  flock "$XDG_CACHE_HOME/thimble/$held" "$THIMBLE" check --json --continue --engine compiled --output trace.json "$model" > "$out" 2> "$err"
  there $held; ok $? "a folder that somebody holds stays"
else
  check
fi
counts "after runs that were killed: counts"
! there $old; ok $? "what a killed run left is removed"
there $young; ok $? "a folder that was made just now stays"
there notes && there ${old}4 && [ -e elsewhere/model.c ]; ok $? "and so does what is none of ours"
rm -rf "$XDG_CACHE_HOME/thimble/"*-* "$XDG_CACHE_HOME/thimble/notes" elsewhere
chmod 777 "$XDG_CACHE_HOME/thimble"
check
counts "a cache that others may write: counts"
same "$(leftovers "$TMPDIR")" 0 "a cache that others may write: nothing is left in the temporary folder"
chmod 700 "$XDG_CACHE_HOME/thimble"

# what keeps its first value, where the first state has as many channels, or processes, as there can be
echo 'active proctype H() { chan a[254] = [1] of { bit }; (0) } active proctype P() { chan c = [1] of { bit }; byte k = 7; if :: k == 7 -> assert(false) :: else fi }' > full.pml
for engine in interpreter compiled; do
  run check --json --engine $engine -p assert --max-states 1000 full.pml
  exits 1 "no room for one more channel ($engine): a local variable has its first value"
done
echo 'active [255] proctype P() { byte k = 7; if :: k == 7 -> assert(false) :: else fi }' > full.pml
run check --json --engine compiled -p assert --max-states 1000 full.pml
exits 1 "no room for one more process: a local variable has its first value"

# two together
rm -rf "$XDG_CACHE_HOME"
"$THIMBLE" check --json --continue --output trace1.json --engine compiled "$model" > one 2> one.err &
first=$!
"$THIMBLE" check --json --continue --output trace2.json --engine compiled "$model" > two 2> two.err &
second=$!
wait "$first"; wait "$second"
for n in one two; do
  cp $n "$out"; cp $n.err "$err"
  engine compiled "two at the same time: $n is compiled"
  counts "two at the same time: $n counts"
done
same "$(leftovers "$XDG_CACHE_HOME")" 0 "two at the same time: nothing half-finished is left"

# a folder that cannot be written (root writes everywhere: then a file stands in its way)
rm -rf "$XDG_CACHE_HOME"; mkdir "$XDG_CACHE_HOME"
if [ "$(id -u)" = 0 ]; then : > "$XDG_CACHE_HOME/thimble"; else chmod 500 "$XDG_CACHE_HOME"; fi
check
engine compiled "no place for a cache: compiled all the same"
counts "no place for a cache: counts"
same "$(leftovers "$TMPDIR") $(find "$TMPDIR" -name '*.so' | wc -l | tr -d ' ')" "0 0" "no place for a cache: the temporary folder is clean"
chmod 700 "$XDG_CACHE_HOME"; rm -rf "$XDG_CACHE_HOME"

# compilers
broken() { # name, body
  printf '#!/bin/sh\n%s\n' "$2" > "$WORK/$1"; chmod 755 "$WORK/$1"
}
broken fails 'exit 3'
broken lies 'exit 0'
broken garbage 'for a; do case $a in *.so) echo nonsense > "$a" ;; esac; done'
for how in /nonexistent fails lies garbage; do
  case $how in /*) THIMBLE_CC=$how ;; *) THIMBLE_CC=$WORK/$how ;; esac
  export THIMBLE_CC
  check
  engine interpreter "compiler $how: the interpreter runs"
  counts "compiler $how: counts"
  tells "no compiled engine" "compiler $how: told"
  run check --json --continue --output trace.json "$model"
  counts "compiler $how, engine auto: counts"
  same "$(leftovers "$XDG_CACHE_HOME") $(leftovers "$TMPDIR")" "0 0" "compiler $how: no files are left"
done

# one that hangs, in a pattern that only we look for
broken hangs 'mktemp; sleep 98765'
THIMBLE_CC=$WORK/hangs
began=$(now)
check --time 1s
[ $(($(now) - began)) -lt 20 ]
ok $? "a compiler that hangs: the time limit ends the run"
engine interpreter "a compiler that hangs: not compiled"
same "$(running 98765)" 0 "a compiler that hangs: it is stopped, with its children"
began=$(now)
"$THIMBLE" check --json --engine compiled "$model" > "$out" 2> "$err" < /dev/null &
pid=$!
sleep 1
kill -INT "$pid"
wait "$pid"
code=$?
[ $(($(now) - began)) -lt 20 ]
ok $? "a compiler that hangs: Ctrl-C ends the run"
exits 130 "a compiler that hangs: the run says that it was interrupted"
same "$(running 98765)" 0 "a compiler that hangs: it is stopped by Ctrl-C too"
began=$(now)
run check --json --continue --output trace.json "$model"
counts "a compiler that hangs, engine auto: counts"
[ $(($(now) - began)) -lt 20 ]
ok $? "a compiler that hangs, engine auto: nobody waits for it"
same "$(running 98765)" 0 "a compiler that hangs, engine auto: it is stopped at the end"
same "$(leftovers "$XDG_CACHE_HOME") $(leftovers "$TMPDIR")" "0 0" "a compiler that hangs: its own temporary files are removed"

# a compiler that takes its time: that is counted once
broken slow 'sleep 1; exit 1'
THIMBLE_CC=$WORK/slow
echo 'int a, b, c, d; active proctype P() { do :: a < 200 -> a++ :: b < 200 -> b++ :: c < 200 -> c++ :: d < 200 -> d++ :: a = 0 :: b = 0 od }' > counters.pml
run check --json --engine compiled -p ltl --ltl '<> [] (a < 1000)' --reduce none --time 2s counters.pml
exits 4 "a slow compiler, and a search for runs that does not end"
sed -n 's/.*"total_s": \([0-9.]*\).*/\1/p' "$out" | awk '{ exit !($1 >= 1.9) }'
ok $? "the search has all the time that is left"
finish
