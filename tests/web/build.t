#!/bin/sh
# build.t -- the pages that are committed are what web/build makes of the sources, and they are small.
fail=0
command -v node > /dev/null || { echo "1..0 # SKIP there is no node"; exit 0; }
[ -d web/node_modules/esbuild ] || { echo "1..0 # SKIP esbuild is not in web/node_modules (tools/setup --test)"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
ok() { n=$((n + 1)); [ "$1" = 0 ] && echo "ok $n - $2" || { echo "not ok $n - $2"; fail=1; }; }
web/build -o "$work" > "$work/log" 2>&1
ok $? "web/build builds"
for page in "$work"/*.html; do
  name=$(basename "$page")
  cmp -s "$page" "web/$name"
  ok $? "web/$name is up to date (cd web && ./build)"
  [ "$(wc -c < "$page")" -le 150000 ]
  ok $? "web/$name has at most 150,000 bytes"
done
! grep -q '"resolved"' web/package-lock.json
ok $? "the lock file names no registry"
echo "1..$n"
exit $fail
