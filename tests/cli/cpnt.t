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

# formulas over markings
run check $EXAMPLES/telephones.cpnt --no-deadlock --ltl '[] <> {Connected <> empty}'
exits 1 "a formula with a condition in braces"
says 'the last [0-9]+ for ever' "is broken by a loop"
run check $EXAMPLES/telephones.cpnt --no-deadlock --ctl "EF {size (Mark.Exchange'Connected 1) = 2} && AG EF {Engaged == empty}"
exits 0 "a branching one"
run check $EXAMPLES/telephones.cpnt --ltl '[] (size Connected > 1)'
exits 3 "without braces"
tells 'hint: .*braces' "there is a hint"
run check $EXAMPLES/telephones.cpnt --ltl '[] {size Conected > 1}'
tells ':1:10: error: the name Conected is not known' "an unknown name in braces, and its place"
run graph $EXAMPLES/simple-protocol.cpnt --format json
says '"Protocol.Arrived":"1`\[\(1,' "graphs have markings as text"
run graph $EXAMPLES/simple-protocol.cpnt --summary
says "Protocol'Send_id 1\`3" "and so have summaries"

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
wrong 1:1 'a net has net, time, declare and page' "a word that nobody knows" <<'END'
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
# the clock and chance in functions
cat > clock.cpnt <<'END'
net "Clock"

declare
  colset T = int timed;
  colset N = int;
  colset COIN = with heads | tails;
  var x : T;
  var y : N;
  fun now () = IntInf.toInt (time ());
  fun twice () = now () + now ();
  fun soon n = 1`n @+ 5;
  fun roll () = discrete (1, 6) + 10;

page Top
  place P : T
    initial 1`1 @ 8 +++ 1`2 @ 9
  place Q : T
  place R : N
  place Coins : COIN
  place Dice : N
  transition Go
    code output (y); action now () + 100
    take P : x
    give Q : soon 7
    give R : 1`(twice ()) ++ 1`y
END
run simulate clock.cpnt --random 2
says "Go \{x=[12],y=10[89]\}.*Top'Q: empty -> 1\`7@1[34], Top'R: empty -> (1\`16\+\+1\`108|1\`18\+\+1\`109)" "functions that ask the clock are asked each time"
sed 's/give Q : soon 7/give P : x @+ 1\n    give Coins : COIN.ran ()\n    give Dice : roll ()/; s/give R : .*/test R : y/; s/place R : N/place R : N\n    initial 3/; s/code .*/guard y = 3/' clock.cpnt > chance.cpnt
sed 's/discrete (1, 6)/Real.floor (exponential 0.5)/' chance.cpnt > endless.cpnt
run check endless.cpnt
exits 3 "random values without end have no state space"
tells 'arc to Dice: roll needs something that is refused: exponential is random: a state space cannot have that' "says which"
tells 'hint: thimble simulate draws random values; check needs finitely many outcomes: --define' "and who can"
sed 's/give P : x @+ 1$/give P : x @+ 1\n    code action seen := 1/; s/^page Top/  val seen = ref 0;\n\npage Top/; s/guard y = 3/guard y = 3 andalso time () < 10/' endless.cpnt > few.cpnt
run check few.cpnt --no-deadlock --no-space-report --define 'roll=fn () => 11 + bernoulli 0.5' -o /dev/null
exits 0 "a function that draws finitely many in its place"
few=$(sed -n 's/^ *\([0-9,]* states, [0-9,]* transitions\).*/\1/p' "$out")
# Each outcome is a way to go on: as many as a net has that chooses.
sed 's/give Coins : COIN.ran ()/give Coins : c/; s/give Dice : roll ()/give Dice : d/; s/var y : N;/var y : N;\n  colset D = int with 11..12;\n  var c : COIN;\n  var d : D;/' few.cpnt > chosen.cpnt
run check chosen.cpnt --no-deadlock --no-space-report -o /dev/null
says "^ *$few" "what is drawn is what could be chosen: $few"
run simulate chance.cpnt --random 200 --seed 5
exits 0 "a simulation draws them"
cp "$out" first
for colour in heads tails; do says "Coins: .*[1-9]\`$colour" "some $colour"; done
for eyes in 11 12 13 14 15 16; do says "Dice: .*[1-9]\`$eyes" "and $eyes"; done
run simulate chance.cpnt --random 200 --seed 5
cmp -s "$out" first
ok $? "the same seed, the same run"
run simulate chance.cpnt --random 200 --seed 6
cmp -s "$out" first
[ $? = 1 ]
ok $? "another one, another run"
run simulate chance.cpnt --random 5 --seed 5 -o run.json
exits 2 "a run with random values is no trace"
tells 'a run with random values is not kept' "and that is said"
run simulate clock.cpnt --random 2 -o run.json
exits 0 "others are"

printf 'net n\ndeclare\n  colset U = unit;\npage P\n  place "a\\rb" : U\n    initial ()\n' > return.cpnt
run convert return.cpnt -o return.cpn
run convert return.cpn -o again.cpnt
grep -qF '"a\rb"' again.cpnt; ok $? "a carriage return in a name comes back from .cpn"

# ---- files as other tools leave them, and large ones
{ printf '\357\273\277'; cat "$MODELS/managers.cpnt"; } > marked.cpnt
run check -q marked.cpnt
exits 0 "a mark of the order of bytes"
{ printf '\357\273\277'; echo 'nett n'; } > marked2.cpnt
run check marked2.cpnt
tells '^marked2.cpnt:1:1: error: a net has' "columns are counted behind it"
awk 'BEGIN { n = 8000; print "net n\ndeclare\n  colset U = unit;\npage P\n  place p0 : U\n    initial ()"; for (i = 1; i < n; i++) print "  place p" i " : U"
  for (i = 1; i < n; i++) print "  transition t" i "\n    take p" i - 1 " : ()\n    give p" i " : ()" }' > long.cpnt
timeout 25 "$THIMBLE" check -q --max-states 10 --no-space-report long.cpnt > "$out" 2> "$err"; code=$?
exits 4 "8,000 places and transitions are read in a few seconds"
finish
