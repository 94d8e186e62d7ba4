#!/bin/sh
# man.t -- the man pages: no warnings, all options there and no others, all of thimble.h there, and its example compiles and counts.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}

for page in thimble.1 thimble-audit.1 thimble.3; do
  if command -v groff > /dev/null; then
    groff -man -ww -Tutf8 "$ROOT/doc/$page" > "$out" 2> "$err"
    [ ! -s "$err" ]; ok $? "$page: groff has nothing to say"
  else skip "$page: groff" "not here"; fi
  missing=
  for section in NAME SYNOPSIS DESCRIPTION EXAMPLES 'SEE ALSO'; do grep -q "^\.SH $section\$" "$ROOT/doc/$page" || missing="$missing $section"; done
  same "$missing" "" "$page: its sections"
done

options() { sed 's/\\-/-/g' "$1" | grep -o -- '--[a-z][a-z-]*' | sort -u; }
for c in $("$THIMBLE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do "$THIMBLE" help "$c"; done > help.txt
options help.txt > by-help
printf '%s\n' --help --version >> by-help
options "$ROOT/doc/thimble.1" | grep -v -x -F -f by-help > "$out"
[ ! -s "$out" ]; ok $? "thimble.1: no option that the program does not have"
options "$ROOT/doc/thimble.1" > by-page
options help.txt | grep -v -x -F -f by-page > "$out"
[ ! -s "$out" ]; ok $? "thimble.1: all options that it has"
"$(dirname "$THIMBLE")/thimble-audit" --help > help.txt
printf '%s\n' --help --version > extra
options "$ROOT/doc/thimble-audit.1" | grep -v -x -e --certificate > by-page
options help.txt | grep -v -x -e --certificate > told
sort -u told extra | cmp -s - by-page; ok $? "thimble-audit.1: its options"

# ---- the library: names of functions, structs, members and constants, without comments
perl -0pe 's{/\*.*?\*/|//[^\n]*}{}gs; s/^#.*$//mg' "$ROOT/include/thimble.h" > plain.h
perl -0ne 'print "$1\n" while /\b(thimble_\w+|THIMBLE_\w+)\b/g;
           print "$1\n" while /\(\*(\w+)\)\(/g;
           for (/\{(.*?)\n\};/gs) { print "$1\n" while /\b(\w+)(?:\[\d+\])?(?=\s*[;,])/g }' plain.h | sort -u > names
sed 's/\\f[BIR]//g' "$ROOT/doc/thimble.3" > plain.3
missing=
while read -r n; do grep -q -w -e "$n" plain.3 || missing="$missing $n"; done < names
[ "$(wc -l < names)" -gt 50 ]; ok $? "thimble.h has names"
same "$missing" "" "thimble.3: all names of thimble.h"
missing=
for n in $(grep -o -w -E 'thimble_[a-z_]+|THIMBLE_[A-Z]+' "$ROOT/doc/thimble.3" | sort -u); do grep -q -w -e "$n" names || missing="$missing $n"; done
same "$missing" "" "thimble.3: and no others"
sed -n '/^\.SH EXAMPLES/,/^\.fi/p' "$ROOT/doc/thimble.3" | sed -e '/^\./d' -e 's/\\e/\\/g' > example.c
if [ "${CONFIG:-release}" = release ]; then
  ${CC:-cc} -std=c11 -Wall -Werror -I"$ROOT/include" -o example example.c "$BUILD/libthimble.so" > "$out" 2> "$err"; ok $? "thimble.3: the example compiles"
  ln -s "$BUILD/libthimble.so" libthimble.so.0
  same "$(LD_LIBRARY_PATH=. ./example 2>&1)" "1000 states" "and counts"
else skip "thimble.3: the example" "built with sanitizers"; fi
finish
