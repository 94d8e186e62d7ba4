#!/bin/sh
# run.t -- builds the fuzz targets with clang, replays the committed corpora, and fuzzes each target
# for FUZZ_SECONDS (5).  FUZZ_TARGETS picks some.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-$PWD/build}/fuzz
seconds=${FUZZ_SECONDS:-5}
targets=${FUZZ_TARGETS:-pnml nettext lts}
if ! command -v clang >/dev/null 2>&1; then
  echo "1..0 # SKIP clang is not installed"
  exit 0
fi
flags='-std=gnu11 -O1 -g -Isrc -Itests/fuzz -fno-omit-frame-pointer'
sanitize='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
mkdir -p "$build/obj" || exit 2

# What the readers and writers need; the registry and the models of nets stay outside.
sources="src/base/mem.c src/base/err.c src/base/vec.c src/base/text.c src/model/model.c src/net/names.c src/net/pt.c src/net/pt_builder.c src/net/pt_nupn.c
$(ls src/front/*.c src/front/*/*.c | grep -v -e registry.c -e /pnml.c -e /nettext.c)"
objects='' status=0 n=0
say() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; fi; }

for source in $sources; do
  object=$build/obj/$(echo "$source" | tr / _).o
  objects="$objects $object"
  # shellcheck disable=SC2086
  clang $flags $sanitize -c "$source" -o "$object" 2>"$build/log" || { sed 's/^/# /' "$build/log"; say 1 "$source compiles"; echo "1..$n"; exit 1; }
done

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
for target in $targets; do
  program=$build/fuzz_$target
  # shellcheck disable=SC2086
  clang $flags -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all "tests/fuzz/fuzz_$target.c" $objects -o "$program" -lexpat -lm 2>"$build/log"
  built=$?
  say $built "$target: builds"
  [ $built = 0 ] || { sed 's/^/# /' "$build/log"; continue; }

  "$program" -runs=0 -rss_limit_mb=1024 "tests/fuzz/corpus/$target" >"$build/log" 2>&1
  replayed=$?
  say $replayed "$target: the corpus of $(ls "tests/fuzz/corpus/$target" | wc -l) files"
  [ $replayed = 0 ] || tail -40 "$build/log" | sed 's/^/# /'

  mkdir -p "$build/found-$target" "$work/$target"
  cp "tests/fuzz/corpus/$target/"* "$work/$target/"
  "$program" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=20 -dict="tests/fuzz/$target.dict" -artifact_prefix="$build/found-$target/" \
    -print_final_stats=1 "$work/$target" >"$build/log" 2>&1
  fuzzed=$?
  say $fuzzed "$target: $seconds s of other bytes"
  if [ $fuzzed = 0 ]; then sed -n 's/^stat::number_of_executed_units: */# inputs tried: /p' "$build/log"; else tail -60 "$build/log" | sed 's/^/# /'; fi
done
echo "1..$n"
exit $status
