#!/bin/sh
# run.t -- tests/doc/run finds out a page that is wrong, and lets nothing pass but what it says it does.
. tests/cli/lib.sh

# page TEXT: the page has this text, and a file that it changes.
page() {
  printf '%s\n' 'Write `a.txt`:' '' '```' one two three '```' '' "$@" > page.md
  (cd "$ROOT" && THIMBLE=$THIMBLE tests/doc/run "$WORK/page.md") > "$out" 2> "$err"
}
good() { grep -q '^not ok' "$out"; [ $? = 1 ] && grep -q '^1\.\.[1-9]' "$out"; ok $? "$1"; }
bad() { grep -q '^not ok' "$out"; ok $? "$1"; }

page '```console' '$ cat a.txt' one two three '```'
good "a file, and what a command prints"
page '```console' '$ cat a.txt' one two four '```'
bad "another line"
page '```console' '$ cat a.txt' one two '```'
bad "a line too many comes out"
page '```console' '$ cat a.txt' one two three four '```'
bad "a line is missing"
page '```console' '$ cat a.txt' one ... '```'
good "lines that are left out"
page '```console' '$ cat a.txt' ... two '```'
bad "something comes behind them that should not"
page '```console' '$ cat a.txt; cat a.txt' one ... two three '```'
good "lines are left out up to the last time that what follows is there"
page '```console' '$ exit 7' '$ echo $?' 7 '```'
good "exit codes"
page '```console' '$ exit 7' '$ echo $?' 0 '```'
bad "a wrong exit code"
page '```console' '$ echo 3.5 MB, 7 states, 12 s' '9 MB, 7 states, 0.1 s' '```'
good "measured sizes and times are other ones"
page '```console' '$ echo 3.5 MB, 7 states, 12 s' '3.5 MB, 8 states, 12 s' '```'
bad "but not what is counted"
page '<!-- varies: states -->' '```console' '$ echo 7 states, 3 steps' '8 states, 3 steps' '```'
good "unless the page says so"
page '<!-- varies: states -->' '```console' '$ echo 7 states, 3 steps' '8 states, 4 steps' '```'
bad "which concerns nothing else"
page 'In `a.txt`:' '' '```diff' ' one' '-two' '+2' '```' '' '```console' '$ cat a.txt' one 2 three '```'
good "a change"
page 'In `a.txt`:' '' '```diff' ' one' '-three' '+3' '```'
bad "a change of lines that are not there"
page '```console' one '```'
bad "no command"
"$ROOT/tests/doc/run" "$WORK/nothing.md" > "$out" 2> "$err"
[ $? != 0 ]; ok $? "no page"
finish
