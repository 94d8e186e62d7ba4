#!/bin/sh
# directives.t -- no text of a Promela model vanishes: directives behind comments, form feeds and byte order marks are seen, comments go on behind a \, and a # that nobody takes is an error.
# What SPIN says of the same texts is asked, too, where there is one.
. tests/cli/lib.sh
peer=$(command -v spin) && command -v cc > /dev/null || peer=
# EXIT 'WHAT' 'TEXT' (for printf): the verdict, SPIN's as well
with() {
  # shellcheck disable=SC2059
  printf "$3" > model.pml
  run check -q model.pml
  exits "$1" "$2"
  [ -n "$peer" ] || return
  if spin -a model.pml > "$out" 2>&1 && cc -w -o pan pan.c 2> "$err"; then
    ./pan > "$out" 2>&1
    grep -q 'errors: 0' "$out" && there=0 || there=1
  else there=3; fi
  same "$there" "$1" "$2: SPIN"
  rm -f pan*
}
with 1 'a directive behind a comment' '/* c */ #define skip assert(false)\ninit { skip }\n'
with 1 'a directive behind the end of a comment of several lines' '/* c\n d */ #define skip assert(false)\ninit { skip }\n'
with 1 'a directive behind a form feed' '\f#define skip assert(false)\ninit { skip }\n'
with 1 'a directive behind a vertical tab and a comment' '\v/**/\t#define skip assert(false)\ninit { skip }\n'
with 1 'a directive behind a byte order mark' '\357\273\277#define skip assert(false)\ninit { skip }\n'
with 1 'a directive spelt %%:' '%%:define skip assert(false)\ninit { skip }\n'
with 1 'a directive behind a comment, lines that end in CR LF' 'byte x;\r\n/* x */ #define g assert(false)\r\ninit { x = 1; g }\r\n'
with 1 'a comment that stands in a string is none' 'init { printf("/*"); assert(false) } /* */\n'
with 1 'a comment in a comment' 'init { assert(false) /* /* */ }\n # define x y\n'
with 0 'a // comment that goes on behind a \' 'init { assert(true) // comment \\\n ; assert(false)\n}\n'
with 0 'a // comment that goes on behind a \ and a blank' 'init { assert(true) // comment \\ \n ; assert(false)\n}\n'
with 1 'a word of two lines' 'init { ass\\\nert(false) }\n'
with 1 'a directive of two lines behind a comment' '/* */ # \\\n define skip assert(false)\ninit { skip }\n'
with 0 'what the preprocessor lets through' 'init { skip }\n#pragma once\n#ident "x"\n'
with 3 'a # at the end of a line' 'init { skip } # foo\n'
with 3 'a # in the middle' 'init { skip; # assert(false)\n skip }\n'
with 3 'a directive that there is not' 'init { skip }\n/* */ #nothing assert(false)\n'
echo 'assert(false)' > body.h
with 1 'a file included behind a comment' 'init {\n /* c */ #include "body.h"\n}\n'
finish
