#!/bin/sh
# version.t -- one version, wherever it stands.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
version=$(cat "$ROOT/VERSION")

echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+'; ok $? "VERSION is three numbers"
# A part for what is not released may stand above the newest release.
newest=$(sed -n 's/^## //p' "$ROOT/NEWS.md" | grep -v '^Unreleased$' | head -n 1)
day=$(echo "$newest" | sed -n 's/.* (\([0-9]*-[0-9]*-[0-9]*\))$/\1/p')
same "$newest" "$version ($day)" "NEWS.md: the newest release, with its day"
date -u -d "$day" +%F > "$out" 2> "$err"; same "$(cat "$out")" "$day" "which is a day"
same "$(grep -c '^## Unreleased$' "$ROOT/NEWS.md" | tr -d ' ')" "$(sed -n '/^## /{p;q;}' "$ROOT/NEWS.md" | grep -c Unreleased | tr -d ' ')" "what is not released stands first, if at all"
same "$(sed -n '1s/^thimble (\(.*\)) .*/\1/p' "$ROOT/debian/changelog")" "$version" "debian/changelog"
same "$(date -u -d "$(sed -n 's/^ -- .*>  //p' "$ROOT/debian/changelog" | head -n 1)" +%F)" "$day" "of the same day"
for page in thimble thimble-audit; do
  same "$(sed -n "1s/^\.TH [A-Z\\\\-]* 1 \"\(.*\)\" \"\(.*\)\" \".*\"/\1 \2/p" "$ROOT/doc/$page.1")" "$day thimble $version" "the man page of $page"
done
same "$("$THIMBLE" --version)" "thimble $version" "thimble --version"
same "$("$BUILD/thimble-audit" --version)" "thimble-audit $version" "thimble-audit --version"
run check --json "$MODELS/mutex.pnml"
same "$(field version)" "\"$version\"" "the verdict"
finish
