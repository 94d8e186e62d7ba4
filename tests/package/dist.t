#!/bin/sh
# dist.t -- the sources as a file: reproducible, complete, and enough.
#
# Every day the unpacked sources are linked from the objects that are there: a source that is missing is a symbol that is missing. With THIMBLE_PACKAGE=1 they are compiled, which takes minutes.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
[ "${CONFIG:-release}" = release ] || { echo "1..0 # SKIP only of the release build"; exit 0; }
name=thimble-$(cat "$ROOT/VERSION")

"$ROOT/tools/dist" one > "$out" 2> "$err"
ok $? "tools/dist"
same "$(cat "$out")" "$WORK/one/$name.tar.gz" "tells what it made"
# On another day, with another user's habits.
(umask 077 && TZ=Pacific/Auckland LC_ALL=C.UTF-8 "$ROOT/tools/dist" two) > "$out" 2> "$err"
cmp "one/$name.tar.gz" "two/$name.tar.gz"; ok $? "a second time: the same bytes"
tar -tzf "one/$name.tar.gz" > has
same "$(grep -vc "^$name/" has)" 0 "all of it is in one folder"
if [ -e "$ROOT/.git" ]; then
  (cd "$ROOT" && git ls-tree -r --name-only HEAD; echo MANIFEST) | LC_ALL=C sort > committed
  sed "s|^$name/||" has | LC_ALL=C sort | cmp -s - committed; ok $? "it is what is committed, and a list"
else skip "it is what is committed, and a list" "no git here"; fi
if [ -n "${THIMBLE_PACKAGE-}" ]; then few=; else few="--exclude=$name/tests --exclude=$name/bench --exclude=$name/doc"; fi # what building does not need
tar -xzf "one/$name.tar.gz" $few 2> "$err"; ok $? "unpacks"
same "$(sed "s|^|$name/|" "$name/MANIFEST"; echo "$name/MANIFEST")" "$(cat has)" "the list is right"
tar -tvzf "one/$name.tar.gz" | sed -n "s|^-..x.* $name/||p" > runnable
(cd "$ROOT" && while read -r file; do [ ! -x "$file" ] || echo "$file"; done < "$WORK/$name/MANIFEST") | cmp -s - runnable; ok $? "what can be run stays so"
if [ -n "${THIMBLE_PACKAGE-}" ]; then
  echo stray > "$name/stray"
  (cd "$name" && tools/dist "$WORK/again") > "$out" 2> "$err"
  cmp "one/$name.tar.gz" "again/$name.tar.gz"; ok $? "made again from what was unpacked: the same bytes"
  rm "$name/stray"
fi
mkdir "$WORK/bare" && cp -r "$name/tools" "$name/VERSION" "$WORK/bare"
bare/tools/dist "$WORK/three" > "$out" 2> "$err"; code=$?
exits 1 "neither a clone nor a list"
tells 'no list' "is said"

# Building. What is committed may differ from what lies there, so objects count only if their sources are the same.
if [ -z "${THIMBLE_PACKAGE-}" ]; then
  mkdir "$name/build" && cp -rl "$BUILD/obj" "$BUILD/gen" "$name/build" 2> "$err" || cp -r "$BUILD/obj" "$BUILD/gen" "$name/build"
  find "$name" -path "$name/build" -prune -o -type f -exec touch -d 2001-01-01 {} +
  changed=$(for part in src include web Makefile VERSION; do diff -rq "$name/$part" "$ROOT/$part"; done | sed -n "s|^Files $name/\\(.*\\) and .*|\\1|p")
  [ -z "$changed" ] || (cd "$name" && touch $changed)
fi
(cd "$name" && env -u BUILD -u THIMBLE -u CONFIG MAKEFLAGS= GIT_DIR=/nonexistent make -j2 build/thimble) > "$out" 2> "$err"
ok $? "builds"
THIMBLE=$WORK/$name/build/thimble
run --version
same "$(cat "$out")" "thimble $(cat "$ROOT/VERSION")" "runs"
run check --invariant '!(critical1 && critical2)' "$WORK/$name/examples/mutex.pnml"
exits 0 "checks its own example"
run check -o trace.json "$WORK/$name/examples/exchange.pml"
exits 1 "and Promela"
if [ -n "${THIMBLE_PACKAGE-}" ]; then
  (cd "$name" && env -u BUILD -u CONFIG THIMBLE="$THIMBLE" MAKEFLAGS= prove tests/cli/check.t tests/cli/commands.t tests/cli/usage.t) > "$out" 2> "$err"
  ok $? "its tests pass there"
fi
finish
