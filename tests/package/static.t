#!/bin/sh
# static.t -- the static programs: nothing of the machine is needed, the answers are the same, what cannot be is said.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
[ "${CONFIG:-release}" = release ] || { echo "1..0 # SKIP only of the release build"; exit 0; }
echo 'int main(void) { return 0; }' > empty.c
${CC:-cc} -static empty.c -o empty -lsqlite3 -lexpat -ljansson -lzstd -lm > "$err" 2>&1 || { echo "1..0 # SKIP no static libraries here"; exit 0; }
whole=$THIMBLE
(cd "$ROOT" && MAKEFLAGS= make -s static) > "$out" 2> "$err"
ok $? "make static"
for program in thimble thimble-audit; do
  LC_ALL=C ldd "$BUILD/static/$program" > "$out" 2>&1
  says 'not a dynamic executable' "$program is static"
done
THIMBLE=$BUILD/static/thimble
figures() { sed -n 's/^  "\(verdict\|states\|transitions\|depth\|deadlocks\)": //p' "$out" | tr -d '\n'; }

# Languages, one of each.
for model in mutex.pnml philosophers.net graph.aut managers.cpnt trams.pnml peterson.dve exchange.pml; do
  run check --json -o trace.json "$MODELS/$model"
  static="$code $(figures)"
  THIMBLE=$whole
  run check --json -o trace.json "$MODELS/$model"
  THIMBLE=$BUILD/static/thimble
  same "$static" "$code $(figures)" "$model: the same answer"
done

# Process models: the interpreter, whatever is asked, and nobody calls a compiler.
printf '#!/bin/sh\n: > "%s/called"\nexit 1\n' "$WORK" > compiler; chmod 755 compiler
THIMBLE_CC=$WORK/compiler XDG_CACHE_HOME=$WORK/cache; export THIMBLE_CC XDG_CACHE_HOME
model=$ROOT/tests/models/channels.pml
want=$(sed -n 's/.*states=\([0-9]*\) transitions=\([0-9]*\) .*/\1 \2/p' "$model")
for engine in auto compiled interpreter; do
  run check --json --continue --engine $engine -o trace.json "$model"
  same "$(sed -n 's/^  "\(states\|transitions\)": \([0-9]*\),$/\2/p' "$out" | paste -sd ' ')" "$want" "--engine $engine: counts"
  same "$(field engine)" '"interpreter"' "--engine $engine: the interpreter"
  [ $engine != compiled ] || tells 'no compiled engine: this is the static program' "--engine compiled: told"
done
[ ! -e called ]; ok $? "nobody calls the compiler"
printf '#define N 2\nint x; active [N] proctype P() { x++; assert(x < N) }\n' > macro.pml
run check -o trace.json macro.pml
exits 1 "the preprocessor is a program, and works"
printf 'int x; active proctype P() { c_code { now.x = 1; } }\n' > c.pml
run check --allow-c-code c.pml
exits 3 "C inside of a model"
tells 'c.pml:1:.*the model holds C code, but this is the static program' "says why not"
run explore "$MODELS/mutex.pnml"
exits 74 "the explorer"
tells 'libmicrohttpd.*this is the static program, which loads no code' "says why not"

# Files, databases, certificates.
run check --certificate c.cert --disk . --store disk "$MODELS/mutex.pnml"
exits 0 "states on disk"
"$BUILD/static/thimble-audit" c.cert "$MODELS/mutex.pnml" > "$out" 2> "$err"; code=$?
exits 0 "thimble-audit confirms"
cat > suite.toml <<END
title = "One"
repetitions = 1
[[way]]
name = "plain"
options = { store = "plain", no-deadlock = true }
[[model]]
name = "database-5"
generate = ["$ROOT/tools/gen-net", "database", "5"]
expect = { verdict = "holds", states = 407, transitions = 1091 }
END
run bench suite.toml --database results.db
exits 0 "the bench and its database"
says 'database-5.*407' "which know what is right"
finish
