#!/bin/sh
# cpnt.t -- coloured nets as text: the examples, there and back, what is wrong and where.
. tests/cli/lib.sh
EXAMPLES=$MODELS

count() { # NAME STATES TRANSITIONS [OPTION ...]
  name=$1 states=$2 transitions=$3
  shift 3
  run check "$EXAMPLES/$name.cpnt" --no-deadlock --json "$@"
  same "$(field states) $(field transitions)" "$states $transitions" "$name $*: states and edges"
}
count philosophers 123 680
count philosophers 39603 481624 -D seats=22
count managers 5104 20426
count managers 59050 314946 -D n=9
count telephones 6507 47020
count stop-and-wait 428 1130
count simple-protocol 16 29
count resources 13 20
run check $EXAMPLES/stop-and-wait.cpnt --no-deadlock --invariant 'size Arrived = 1'
exits 0 "the command in an example"
run check $EXAMPLES/resources.cpnt --ctl 'AG EF (cf(p, D) > 0)'
exits 0 "and another one"

# there and back
for name in telephones stop-and-wait; do
  run convert $EXAMPLES/$name.cpnt -o "$WORK/$name.cpn"
  exits 0 "$name as .cpn"
  run check "$WORK/$name.cpn" --no-deadlock --json
  there="$(field states) $(field transitions)"
  run convert "$WORK/$name.cpn" -o "$WORK/$name.cpnt"
  exits 0 "and as text again"
  run check "$WORK/$name.cpnt" --no-deadlock --json
  same "$(field states) $(field transitions)" "$there" "with the same graph"
  run convert "$WORK/$name.cpnt" -o "$WORK/again.cpn"
  run convert "$WORK/again.cpn" -o "$WORK/again.cpnt"
  cmp -s "$WORK/$name.cpnt" "$WORK/again.cpnt"
  ok $? "and the same text"
done
run convert $EXAMPLES/philosophers.cpnt -o "$WORK/p.cpnt"
grep -q 'at 0 100' "$WORK/p.cpnt"
ok $? "positions are kept"
run convert $EXAMPLES/philosophers.net -o "$WORK/p.cpnt"
exits 2 "a net without colours is not written so"

# what is wrong, and where
wrong() { # LINE:COLUMN WORDS NAME; the net on standard input
  cat > "$WORK/bad.cpnt"
  run check "$WORK/bad.cpnt"
  exits 3 "$3"
  tells "bad.cpnt:$1: .*$2" "$3: the place and the reason"
}
wrong 1:1 'a net has net, declare and page' "a word that nobody knows" <<'END'
pages Top
END
wrong 2:3 'a page has places' "a word that no page knows" <<'END'
page Top
  plaec A : UNIT
END
wrong 3:3 'further in' "a line in the air" <<'END'
net x

  page Top
END
wrong 5:10 'no place "Bb"' "an unknown place" <<'END'
page Top
  place B : unit

  transition t
    take Bb : ()
END
wrong 2:16 'not closed' "a quote without an end" <<'END'
page Top
  substitution "a = b
END
wrong 2:16 'no page "Sub"' "an unknown page" <<'END'
page Top
  substitution s = Sub
END
wrong 3:3 'another place' "two places of one name" <<'END'
page Top
  place A : unit
  place A : unit
END
wrong 3:10 'in, out or both' "a strange port" <<'END'
page Top
  place A : unit
    port sideways
END
wrong 3:8 'a number' "a position without numbers" <<'END'
page Top
  place A : unit
    at here
END
wrong 8:14 'string' "a type error in an inscription" <<'END'
declare
  colset INT = int;
  var n : INT;
page Top
  place A : INT
    initial 1
  transition t
    give A : n ^ "x"
    take A : n
END
wrong 1:1 'no pages' "nothing" <<'END'
-- nothing but a remark
END

# what goes wrong on the way
fault() { # GUARD WORDS NAME
  cat > "$WORK/fault.cpnt" <<END
declare
  colset INT = int;
  var n : INT;
  fun loop n = loop (n + 1);
page Top
  place A : INT
    initial 1
  transition t
    guard n < 3 orelse $1
    take A : n
    give A : n + 1
END
  run check "$WORK/fault.cpnt"
  exits 1 "$3"
  says "runtime +violated +after 2 steps.*$2" "$3: which, where and after how many steps"
}
fault 'loop n = 3' 'transition Top.t, guard: the evaluation takes too many steps' "a function that does not end"
fault 'hd [] = n' 'uncaught exception Empty in List.hd' "an exception that nobody handles"
run info "$WORK/fault.cpnt"
says 'runtime' "info names the property"

printf 'page Top\n  place A\377 : unit\n' > "$WORK/odd"
wrong 2:10 'UTF-8' "bytes that are no text" < "$WORK/odd"
finish
