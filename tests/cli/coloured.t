#!/bin/sh
# coloured.t -- .cpn files from the command line: verdicts, traces with bindings, markings and values of one's own, questions in CPN ML, refusals with their place; the numbers that are
# published for files of the corpus.
. tests/cli/lib.sh
small=$ROOT/tests/fuzz/corpus/cpn/small.cpn
cp "$small" small.cpn
run check small.cpn -o t.json
exits 1 "a small net ends in a deadlock"
says '12 states, 16 transitions' "its size"
says "Below'Back \{n=1,m=2\}" "bindings as CPN Tools writes them"
says "0  start  Top'A 1\`1\+\+1\`2" "markings too"
run trace t.json
says "Top'Go \{n=1\}" "the trace tells them"
run simulate small.cpn --replay t.json --random 1
exits 0 "and can be gone along"
run check small.cpn --no-deadlock --invariant "size A <= 2" --invariant "cf ((1, 2), Mark.Top'B 1) <= 1" --ctl 'EF "size B = 2"' --reachable 'fireable(Back)'
exits 0 "questions in CPN ML"
run check small.cpn --no-deadlock --marking "A=3\`2" -o t.json
exits 0 "another marking"
says '10 states, 12 transitions' "another size"
run check small.cpn --marking "A=(1,2)"
exits 3 "a marking of the wrong type"
run check small.cpn --marking "AA=1"
exits 2 "a place that is not there"
run check small.cpn --invariant "A > 3"
exits 3 "a marking is no number"
tells 'int' "and the types are told"
sed 's/f n/g n/' small.cpn > bad.cpn
run check bad.cpn
exits 3 "a name that nobody knows"
tells 'bad.cpn:[0-9]+:[0-9]+: error: page Top, transition Go, arc to B' "with page, element and place"
# Every state marks a place that was empty before: states are not converted to a wider layout for each of them.
awk 'BEGIN {
  print "net \"Chain\"\n\ndeclare\n  colset I = int with 0..3;\n  var u : I;\n\npage P"
  for (i = 0; i < 3000; i++) printf "  place p%d : I\n%s", i, i ? "" : "    initial 1`1\n"
  for (i = 0; i < 2999; i++) printf "\n  transition t%d\n    take p%d : u\n    give p%d : u\n", i, i, i + 1
}' > chain.cpnt
run check --no-deadlock --time 30 chain.cpnt
exits 0 "a chain of 3000 coloured places"
says '3,000 states, 2,999 transitions' "all of it"
# A transition looks for 140 tokens that it knows before the one that it has to choose.
awk 'BEGIN {
  print "declare\n  colset I = int;\n  var x : I;\npage P\n  place X : I\n    initial 1`1 ++ 1`2 ++ 1`3\n  place R : I"
  for (i = 0; i < 140; i++) printf "  place C%d : I\n    initial 1`%d ++ 1`%d\n", i, i, i + 1
  print "  transition t\n    take X : x\n    give R : x"
  for (i = 0; i < 140; i++) printf "    test C%d : %d\n", i, i
}' > known.cpnt
run check known.cpnt --no-deadlock
exits 0 "140 arcs with constants and one variable"
says '8 states, 12 transitions' "all steps"
run check known.cpnt --no-deadlock --reduce por
exits 0 "and all bindings are foreseen"
# A question for which there is no memory has no answer.
printf 'declare\n  colset I = int;\n  var x : I;\npage P\n  place A : I\n    initial 1`1 ++ 1`2\n  place B : I\n  transition t\n    take A : x\n    give B : x\n' > asked.cpnt
large='size A = 0 andalso length (List.tabulate (1000000, fn i => i)) = 1000000'
for question in "--invariant=size A > 0 orelse ($large)" "--reachable=$large" "--ltl=<> {$large}" "--ctl=EF {$large}"; do
  run check asked.cpnt --no-deadlock --memory 16M "$question"
  exits 4 "$question in 16 MB"
done
run check asked.cpnt --no-deadlock --memory 256M "--reachable=$large" -o /dev/null
exits 0 "and in 256 MB"
# Every state has a time of its own: finding out whether it was met before does not take longer and longer.
printf 'declare\n  colset I = int timed;\n  var n : I;\npage P\n  place A : I\n    initial 1`0\n  transition t\n    guard n < 400000\n    take A : n\n    give A : n + 1 @+ 1\n' > ticks.cpnt
run check --no-deadlock --no-space-report --time 20 ticks.cpnt
exits 0 "a clock that ticks 400,000 times"
# A condition of a guard goes wrong only where those before it are true, whichever variable is bound first.
guarded() { # EXIT GUARD
  printf 'declare\n  colset I = int;\n  colset L = list I;\n  colset B = bool;\n  var n, k, x : I;\n  var q : L;\n  var b : B;\npage P\n  place N : I\n    initial 1`0\n  place K : I\n    initial 1`1 ++ 1`2 ++ 1`3\n  place Q : L\n    initial 1`[]\n  place R : I\n  transition t\n    guard %s\n    take N : n\n    take K : k\n    take Q : q\n    give R : if b then x else n\n' "$2" > guarded.cpnt
  run check guarded.cpnt --no-deadlock --certificate guarded.cert -o /dev/null
  exits "$1" "guard $2"
  "${THIMBLE}-audit" guarded.cert > "$out" 2> "$err"
  says '^confirmed' "and the definition says so"
}
guarded 0 'k > 5 andalso 1 div n = 1 andalso x = 1'
guarded 0 'k > 5 andalso x = hd q'
guarded 0 'x > 5 andalso hd q = n andalso x = k'
guarded 0 'b andalso not b andalso x = hd q'
guarded 0 '[k > 5, x = 1 div n]'
guarded 1 'k > 2 andalso 1 div n = 1 andalso x = 1'
guarded 1 'k > 2 andalso x = hd q'
guarded 1 'b andalso x = hd q'
guarded 1 '1 div n = 1 andalso x = 1'
# Nor does anything go wrong where tokens are missing: there is one of two that are asked for.
lacking() { # EXIT TOKENS GUARD ARC
  printf 'declare\n  colset I = int;\n  colset L = list I;\n  var n, k : I;\n  var q : L;\npage P\n  place K : I\n    initial %s\n  place Q : L\n    initial 1`[]\n  transition t\n    guard %s\n    take Q : q\n    take K : 1`n ++ 1`k\n    test K : %s\n' "$2" "$3" "$4" > lacking.cpnt
  run check lacking.cpnt --no-deadlock --certificate lacking.cert -o /dev/null
  exits "$1" "guard $3, arc $4, tokens $2"
  "${THIMBLE}-audit" lacking.cert > "$out" 2> "$err"
  says '^confirmed' "and the definition says so"
}
lacking 0 '1`1' 'hd q > n andalso 1 div k = 1' empty
lacking 1 '2`1' 'hd q > n andalso 1 div k = 1' empty
lacking 0 '1`1' true 'hd q'
lacking 1 '2`1' true 'hd q'
# References that code segments change are places with one token: the same net without them has as many states and steps.
printf 'declare\n  colset I = int;\n  var x, y : I;\n  globref n = 1;\n  val last = ref 0;\n  val log = ref [0];\n  fun bump k = n := (!n + k) mod 5;\npage P\n  place A : I\n    initial 1`1 ++ 1`2\n  place B : I\n  transition t\n    guard !n < 4\n    take A : x\n    give B : x + 10 * !n\n    code input (x); action (log := x :: !log; bump x)\n  transition u\n    take B : y\n    give A : if !last > 12 then 1 else 2\n    code input (y); output (x); action (last := y; 0)\n' > refs.cpnt
sed 's/; action (log := x :: !log; bump x)/; action bump x/' refs.cpnt > less.cpnt
printf 'declare\n  colset I = int;\n  var x, y, k, l : I;\npage P\n  place A : I\n    initial 1`1 ++ 1`2\n  place B : I\n  place n : I\n    initial 1`1\n  place last : I\n    initial 1`0\n  transition t\n    guard k < 4\n    take A : x\n    take n : k\n    give n : (k + x) mod 5\n    give B : x + 10 * ((k + x) mod 5)\n  transition u\n    take B : y\n    take last : l\n    give last : y\n    give A : if y > 12 then 1 else 2\n' > places.cpnt
run check places.cpnt --no-deadlock --no-space-report --reachable 'n = 1`3 andalso cf (1, A) = 1' -o /dev/null
states=$(sed -n 's/^ *\([0-9,]* states, [0-9,]* transitions\).*/\1/p' "$out")
run check less.cpnt --no-deadlock --no-space-report --reachable '!n = 3 andalso cf (1, A) = 1' --invariant '!n + !last >= 0' --certificate refs.cert -o t.json
exits 0 "references as part of the state"
says "^ *$states," "as many states and steps as with places: $states"
says 'n 1`1, last 1`0' "they stand in traces under their names"
says "P't \{x=[12],n'=[0-9],n=[0-9]\}" "and in bindings with what they hold before and after"
"${THIMBLE}-audit" refs.cert > "$out" 2> "$err"
says '^confirmed' "by the definition, too"
run simulate less.cpnt --replay t.json
exits 0 "runs can be gone along"
run check less.cpnt --no-deadlock --ltl '[] ({!n < 4} or not fireable(t))' -o /dev/null
exits 0 "formulas speak of them"
run check less.cpnt --no-deadlock --invariant '!n < 3' -o /dev/null
exits 1 "a question about one is answered"
for how in '--reduce slice' '--reduce por' '--reduce symmetry' '--store tree'; do
  run check less.cpnt --no-deadlock --no-space-report $how --reachable '!n = 3 andalso cf (1, A) = 1' -o /dev/null
  exits 0 "$how"
done
sed 's/bump x)/bump x; ())/; s/action (log := x :: !log; /action (log := [x]; /' refs.cpnt > unread.cpnt
run check unread.cpnt --no-deadlock --no-space-report -o /dev/null
says "^ *$states," "what nobody reads is no part of the state"
run check unread.cpnt --no-deadlock --invariant '!log = [1]'
exits 3 "and cannot be asked for"
tells 'the reference log changes, but nothing of the net reads it' "which is said"
refused() { # FILE SED TEXT
  sed "$2" "$1" > bad.cpnt
  run check bad.cpnt --no-deadlock
  exits 3 "refused: $2"
  tells "$3" "and why"
}
refused less.cpnt 's/val last = ref 0/val last = ref (fn () => 0)/; s/!last > 12/(!last) () > 12/; s/last := y/last := (fn () => y)/' 'the declaration of last: the reference is part of the state.*its type unit -> int is not that of a colour set'
refused less.cpnt 's/val last = ref 0/val all = [ref 0]; fun put z = hd all := z/; s/!last > 12/!(hd all) > 12/; s/last := y/put y/' 'may change a reference that is part of a list'
refused less.cpnt 's/guard !n < 4/guard (n := 3; true)/' "':=' changes a reference"
refused less.cpnt 's/colset I = int;/colset J = int; fun small i = i < 100 * !n; colset I = subset J by small;/' 'which values it has depends on the reference n'
# Random draws with finitely many outcomes: all of them.  Outcomes that come to the same are one step.
printf 'declare\n  colset I = int;\n  colset C = with a | b;\n  var x, y : I;\n  globref n = 0;\n  fun roll k = discrete (1, k);\npage P\n  place A : I\n    initial 1`1 ++ 1`2\n  place B : I\n  place C : C\n  transition t\n    take A : x\n    give B : y\n    give C : if roll 100 <= 90 then 1`(C.ran ()) else empty\n    code input (x); output (y); action (n := (!n + bernoulli 0.5) mod 2; if roll 3 = 1 then x else !n)\n' > dice.cpnt
run check dice.cpnt --no-deadlock --no-space-report --certificate dice.cert --reachable 'size C = 2 andalso C == 2`b andalso !n = 1' --invariant 'size B <= 2' -o t.json
exits 0 "draws as choices"
says '76 states, 237 transitions' "all that they can lead to"
"${THIMBLE}-audit" dice.cert > "$out" 2> "$err"
says '^confirmed' "by the definition, too"
run simulate dice.cpnt --replay t.json
exits 0 "a run with what was drawn can be gone along"
run check dice.cpnt --no-deadlock --reduce por -o /dev/null
tells 'no reduction by por: the net draws random values' "partial orders do not know of draws"
sed 's/roll 3 = 1/roll 70 + 70 * roll 60 = 1/' dice.cpnt > many.cpnt
run check many.cpnt --no-deadlock -o /dev/null
exits 3 "too many outcomes"
tells "transition P't: random values that it draws have more than 4096 outcomes in a binding" "which is said"
# Calls that only write or draw are left out, wherever they stand; what is computed from them is not.
cat > charts.cpnt <<'END'
declare
  colset I = int;
  var x, y : I;
  val msc = MSC.createMSC "MSC";
  val _ = MSC.addProcess (msc, "a");
  globref out = TextIO.stdOut;
  globref n = 0;
  fun log x = (TextIO.output (!out, Int.toString x); print "\n");
  fun put (s : TextIO.outstream, x) = TextIO.output (s, I.mkstr x);
page P
  place A : I
    initial 1`1 ++ 1`2
  place B : I
  transition t
    take A : x
    give B : (log x; x + !n)
    code input (x); output (y); action (MSC.startEvent (msc, "a") x; put (!out, x div 0); n := (!n + 1) mod 3; if x = 1 then print "x" else (); x)
  transition u
    take B : x
    guard x < 6
    give A : x
    code action (print "u"; n := 0; I.output (!out, x); out := TextIO.openOut "f")
END
sed '/val msc/d; /val _/d; /globref out/d; /fun log/d; /fun put/d; s/(log x; x + !n)/x + !n/; s/MSC.startEvent (msc, "a") x; put (!out, x div 0); //; s/if x = 1 then print "x" else (); //; s/print "u"; //; s/; I.output.*/)/' charts.cpnt > silent.cpnt
run check silent.cpnt --no-deadlock --no-space-report -o /dev/null
states=$(sed -n 's/^ *\([0-9,]* states, [0-9,]* transitions\).*/\1/p' "$out")
sed -i 's/x div 0/x/' charts.cpnt
run check charts.cpnt --no-deadlock --no-space-report -o /dev/null
exits 0 "writing and drawing charts"
says "^ *$states" "changes nothing: $states"
tells 'warning: calls that only write, print or draw charts are left out.*: print writes to the outside' "and is told, once"
same "$(grep -c 'left out' "$err")" 1 "for the net"
refused charts.cpnt 's/(); x)/(); MSC.startEvent (msc, "a") x)/' 'MSC.startEvent draws a chart: a state space cannot have that'
refused charts.cpnt 's/print "x"/print (n := 1; "x")/' 'print writes to the outside: a state space cannot have that'
refused charts.cpnt 's/n := (!n + 1) mod 3/n := size (TextIO.inputAll (TextIO.openIn "f"))/' 'TextIO.inputAll reads or writes files: a state space cannot have that'
corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/cpn/files
count_of() { # FILE STATES EDGES OPTIONS...
  file=$(ls "$corpus"/*"$1" 2>/dev/null | head -n 1)
  states=$2 edges=$3
  shift 3
  if [ -z "$file" ]; then skip "published numbers" "no corpus"; return; fi
  run check "$file" --no-deadlock -o /dev/null "$@"
  says "$states states, $edges transitions" "$(basename "$file"): $states states, $edges edges"
}
count_of __philosophers.cpn 39,604 481,625 --marking n=22
count_of __database.cpn 59,051 314,947 --marking p=9
count_of __telephones.cpn 6,507 47,020
count_of __protocol.cpn 215,196 1,133,846 --marking no=7 --marking 'Limit=4`e'
count_of __protocol.cpn 215,196 1,242,386 --marking no=7 --marking 'Limit=4`e' --edges-per-token
count_of __erdp.cpn 207,003 1,199,703 --edges-per-token --marking prefixes=6 --marking 'capacity=2`()' --marking allowloss=true --marking allowexpire=true \
  --marking allowconnloss=true --marking bugfix1=true
count_of __7-2LimitProtocol.cpn 13,215 52,784
count_of __7-2LimitProtocol.cpn 7,156 28,201 --define 'AllPackets=1`(1,"a") ++ 1`(2,"b") ++ 1`(3,"c") ++ 1`(4,"d") ++ 1`(5,"e")'
finish
