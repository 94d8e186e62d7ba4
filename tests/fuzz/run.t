#!/bin/sh
# run.t -- builds the fuzz targets with clang, replays the committed corpora, and fuzzes each target
# for FUZZ_SECONDS (5).  FUZZ_TARGETS picks some.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${FUZZ_SECONDS:-5}
targets=${FUZZ_TARGETS:-$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')}
if [ -z "${THIMBLE_LONG:-}${FUZZ_SECONDS:-}" ]; then
  echo "1..0 # SKIP for make test-long, or with FUZZ_SECONDS: corpus.t is for every day"
  exit 0
fi
if ! command -v clang >/dev/null 2>&1; then
  echo "1..0 # SKIP clang is not installed"
  exit 0
fi
build=build/fuzz status=0 n=0
say() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; fi; }
mkdir -p "$build" || exit 2
# the library as make CONFIG=fuzz builds it: everything but the command line
MAKEFLAGS='' make -s -j2 CONFIG=fuzz "$build/internal.a" >"$build/log" 2>&1 || { sed 's/^/# /' "$build/log"; say 1 "the library builds for fuzzing"; echo "1..$n"; exit 1; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
for target in $targets; do
  program=$build/fuzz_$target
  MAKEFLAGS='' make -s CONFIG=fuzz "$program" >"$build/log" 2>&1
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
