#!/bin/sh
# mutants.t -- programs with one thing broken (tests/fuzz/mutants) must be found out by the tester, each within a minute; and what finds them out must have nothing to say about the program itself.
# MUTANTS="NAME ..." names some of them; all otherwise.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build} status=0 n=0
log=$(mktemp) || exit 2
trap 'rm -f "$log" "$log.whole"' EXIT
say() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; tail -3 "$log" | cut -c1-200 | sed 's/^/# /'; fi; }

for name in ${MUTANTS:-$(ls tests/fuzz/mutants)}; do
  mutant=tests/fuzz/mutants/$name
  if [ ! -x "$build/mutants/$name" ]; then
    say 1 "$name: $build/mutants/$name is not built (make test does that)"
    continue
  fi
  # Where its models begin, and of which kind they are: the last line of some mutants.
  where=$(sed -n 's/^: //p' "$mutant")
  # shellcheck disable=SC2086
  tests/fuzz/tester --thimble "$build/mutants/$name" --seed 1 $where --time 60 --first --shrink 0 --limit 20 >"$log" 2>&1
  [ $? = 1 ]
  found=$?
  # The program itself must have nothing to hide there: else the mutant was not what was found.
  at=$(sed -n 's/^finding: .*--seed \([0-9]*\):.*/\1/p' "$log" | head -1)
  # shellcheck disable=SC2086
  [ $found != 0 ] || tests/fuzz/tester --thimble "$build/thimble" $where --seed "$at" --models 1 --shrink 0 >"$log.whole" 2>&1 || found=1
  say $found "$name: $(sed -n 's/^finding: tester //p' "$log" | head -1 | cut -c1-90)"
done
echo "1..$n"
exit $status
