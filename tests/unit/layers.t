#!/bin/sh
# layers.t -- the include table holds, the check can fail, and every header of src/ compiles alone.
n=0 status=0
say() { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; status=1; fi; }
tools/check-layers > /dev/null
say $? "every include is one that ARCHITECTURE.md allows"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/tools" && cp tools/check-layers "$work/tools/" && cp -r src "$work/src"
echo '#include "model/model.h"' >> "$work/src/store/plain.c"
! "$work/tools/check-layers" > /dev/null
say $? "a store that includes the model is found"
cp src/store/plain.c "$work/src/store/plain.c"
echo '#include "front/pnml/pnml.h"' >> "$work/src/front/lts/lts.c"
! "$work/tools/check-layers" > /dev/null
say $? "a language that includes another is found"

for header in $(find src -name '*.h' | sort); do
  compiler=cc
  grep -q '<mpi.h>' "$header" && { command -v mpicc > /dev/null || continue; compiler=mpicc; }
  $compiler -std=gnu11 -Wall -Wextra -Isrc -Iinclude -fsyntax-only -x c "$header" > "$work/log" 2>&1 || { sed 's/^/# /' "$work/log"; bad="$bad $header"; }
done
[ -z "${bad:-}" ]
say $? "every header compiles alone${bad:+, but not$bad}"
echo "1..$n"
exit $status
