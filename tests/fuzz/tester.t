#!/bin/sh
# tester.t -- the kept models of tests/fuzz/regress through every configuration, then random models of fixed seeds: a minute in all (TESTER_MODELS says how many, TESTER_TIME the most seconds).
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0 n=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
say() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; sed 's/^/# /' "$log"; fi; }

for model in tests/fuzz/regress/*.*; do
  [ -e "$model" ] || continue
  tests/fuzz/tester "$model" >"$log" 2>&1
  say $? "$(basename "$model"): every configuration tells the same story"
done
tests/fuzz/tester --seed 1 --models "${TESTER_MODELS:-120}" --time "${TESTER_TIME:-15}" --shrink 20 >"$log" 2>&1
say $? "random models: every configuration tells the same story"
tail -1 "$log"
# Nothing can be found where nothing is told.
[ "$(sed -n 's/^# .*, \([0-9]*\) runs, .*/\1/p' "$log")" -gt 100 ] 2>/dev/null
say $? "that were more than a hundred runs"
tests/fuzz/many --seed 1 --blocks 1 --models "${TESTER_MANY:-100}" --build "${BUILD:-build}" --keep "${BUILD:-build}/found" >"$log" 2>&1
say $? "in one process: engines are as their definitions, ways to check agree"
tail -1 "$log"
echo "1..$n"
exit $status
