#!/bin/sh
# library.t -- thimble.h from outside.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}

printf '#include <thimble.h>\nint main(void) { return thimble_version()[0] == 0; }\n' > alone.c
cc -std=c11 -Wall -Wextra -Werror -pedantic -I"$ROOT/include" -c alone.c -o alone.o 2> "$err"
ok $? "the header compiles alone as C11"
if command -v c++ > /dev/null; then
  cp alone.c alone.cc
  c++ -Wall -Wextra -Werror -I"$ROOT/include" -c alone.cc -o alone2.o 2> "$err"
  ok $? "and as C++"
else skip "and as C++" "no C++ compiler"; fi

nm -g --defined-only "$BUILD/libthimble.a" 2> /dev/null | awk 'NF == 3 { print $3 }' | grep -v '^thimble_' > "$out"
[ ! -s "$out" ]
ok $? "the archive gives away thimble_* only"
nm -D --defined-only "$BUILD/libthimble.so" | awk 'NF == 3 && $2 ~ /[TDBR]/ { print $3 }' | grep -v -e '^thimble_' -e '^_' -e '^__' > "$out"
[ ! -s "$out" ]
ok $? "the shared library likewise"
grep -v '^ \*' "$ROOT/include/thimble.h" | sed -n 's/^[a-z].*[ *]\(thimble_[a-z_]*\)(.*/\1/p' | sort > declared
nm -D --defined-only "$BUILD/libthimble.so" | awk '$2 == "T" { print $3 }' | sort | diff declared - > "$out"
ok $? "and every function of thimble.h"

"$BUILD/examples/cube" > "$out" 2> "$err"
ok $? "examples/api/cube.c runs"
says '^positions 3674160, turns 22044960, farthest 14 quarter turns, complete$' "3,674,160 positions, 14 quarter turns"
says '^three twisted corners in 10 turns: ' "a shortest sequence is found"
[ "$(wc -l < "$ROOT/examples/api/cube.c")" -lt 150 ]
ok $? "in under 150 lines"

if [ "${CONFIG:-release}" = release ]; then
  # the example on top of the header, word for word
  {
    printf '#include <thimble.h>\n'
    sed -n 's/^ \*   //p; /^#ifndef/q' "$ROOT/include/thimble.h" | sed '/^struct thimble_model m/,$d'
    printf 'int main(void) {\n'
    sed -n 's/^ \*   //p; /^#ifndef/q' "$ROOT/include/thimble.h" | sed -n '/^struct thimble_model m/,$p' | sed 's/^thimble_result_free/if (r.verdict != THIMBLE_HOLDS || !r.complete || r.states != 1000 || r.transitions != 1000 || r.deadlocks) return 1;\n&/'
    printf 'return 0; }\n'
  } > example.c
  grep -q 'r.states != 1000' example.c && ln -sf "$BUILD/libthimble.so" libthimble.so.0 && cc -std=c11 -I"$ROOT/include" example.c libthimble.so.0 -o example 2> "$err" && LD_LIBRARY_PATH=. ./example
  ok $? "the example in thimble.h gives the right verdict"

  (cd "$ROOT" && MAKEFLAGS= make -s install DESTDIR="$WORK/root" PREFIX=/usr) > "$out" 2> "$err"
  ok $? "make install DESTDIR="
  for file in bin/thimble include/thimble.h lib/libthimble.a lib/libthimble.so lib/pkgconfig/thimble.pc share/man/man1/thimble.1 share/bash-completion/completions/thimble; do
    [ -s "$WORK/root/usr/$file" ]
    ok $? "installs $file"
  done
  if command -v pkg-config > /dev/null; then
    flags=$(PKG_CONFIG_PATH="$WORK/root/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$WORK/root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs thimble 2> "$err")
    # shellcheck disable=SC2086
    cc -std=c11 alone.c $flags -o alone 2> "$err" && LD_LIBRARY_PATH="$WORK/root/usr/lib" ./alone
    ok $? "pkg-config tells how to link with the shared library"
  else skip "pkg-config" "not installed"; fi
  (cd "$ROOT" && MAKEFLAGS= make -s uninstall DESTDIR="$WORK/root" PREFIX=/usr) > "$out" 2> "$err"
  [ -z "$(find "$WORK/root" -type f)" ]
  ok $? "make uninstall leaves no file"
fi
finish
