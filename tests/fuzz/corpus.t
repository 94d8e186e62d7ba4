#!/bin/sh
# corpus.t -- every fuzz target over its committed corpus, as it is and a little damaged, built as everything else is (again.c). FUZZ_TARGETS picks some.
. tests/cli/lib.sh
for target in ${FUZZ_TARGETS:-$(ls "$ROOT"/tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')}; do
  program=$BUILD/again/$target
  (cd "$ROOT" && [ -x "$program" ] && "$program" "tests/fuzz/corpus/$target") > "$out" 2> "$err"
  status=$?
  told=$(tail -1 "$err")
  case $status$told in 0*" files, "*" damaged") ;; *) status=1 ;; esac
  ok $status "$target: $told"
  [ $status = 0 ] || tail -5 "$err" | sed 's/^/# /'
done
finish
