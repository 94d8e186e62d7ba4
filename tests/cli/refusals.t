#!/bin/sh
# refusals.t -- coloured nets with a mistake, one each: the message names the place, says what is wrong, and what to write instead where that is known; what only looks wrong is let through, with a warning
# where something is left out.
. tests/cli/lib.sh
cat > base.cpnt <<'END'
net "Base"

declare
  colset INT = int;
  colset SMALL = int with 1..3;
  colset S = string;
  colset P = product INT * S;
  colset T = int timed;
  colset U = unit;
  globref total = 7;
  globref seen = 0;
  var n, m : INT;
  var s : S;
  var k : SMALL;
  var t : T;
  fun fac 0 = 1 | fac n = n * fac (n - 1);
  fun twice f x = f (f x);
  fun note x = seen := !seen + x;
  fun roll () = discrete (1, 6);

page Top
  place A : INT
    initial 1`1 ++ 1`2
  place Q : P
  place C : SMALL
  transition Go
    guard n > 0
    take A : n
    give Q : (n, "a")
END
# EXIT 'WHAT' 'SED' 'RE': standard error fits RE
with() {
  sed "$3" base.cpnt > net.cpnt
  run check net.cpnt --no-deadlock -o /dev/null --time 5 --progress none
  exits "$1" "$2"
  [ -z "$4" ] || tells "$4" "$2: $4"
}
with 0 "nothing wrong" ''
[ ! -s "$err" ]; ok $? "and nothing said"
arc='net.cpnt:29:1[0-9]: error: page Top, transition Go, arc to Q'
with 3 "a type" 's/(n, "a")/(n, n)/' "$arc: this is int \* int, but P \(int \* string\) is expected"
with 3 "a variable that nobody declared" 's/(n, "a")/(nn, "a")/' "$arc: the name nn is not known"
with 3 "a bracket too few" 's/(n, "a")/(n, "a"/' "net.cpnt:29:21: error: .*expected '\)' behind this, but found the end of the text"
with 3 "a bracket too many" 's/(n, "a")/(n, "a"))/' "net.cpnt:29:22: error: .*expected the end of the text, but found '\)'"
with 3 "a variable that nothing binds" 's/(n, "a")/(m, "a")/' "transition Top'Go: variable m of the arc to Top'Q cannot be bound"
tells 'hint: an arc from a place with m in a pattern binds it' "and how it could be"
with 3 "a colour set that nobody declared" 's/place Q : P/place Q : PP/' 'net.cpnt:24:13: error: page Top, place Q: there is no colour set "PP"'
with 3 "an empty colour set" 's/1\.\.3/3..1/' 'page Top, place C: the declaration of colour set "SMALL" was refused \(line 5\): the range of SMALL is empty: 3..1'
with 3 "a variable of a colour set that is wrong" 's/S = string/S = strung/; s/(n, "a")/(n, s)/; s/Q : P/Q : INT/' "arc to Q: s needs something that is refused: the declaration of S was refused \(line 6\): the colour set strung is not known"
with 3 "a guard that is a number" 's/guard n > 0/guard n + 1/' 'transition Go, guard: this is int, but bool is expected'
with 3 "== of numbers" 's/guard n > 0/guard n == 1/' 'hint: == compares multisets; values are compared by ='
with 3 "!= of numbers" 's/guard n > 0/guard n != 1/' 'hint: != compares multisets; values are compared by <>'
with 3 "&&" 's/guard n > 0/guard n > 0 \&\& n < 3/' 'hint: did you mean andalso'
with 3 "-1" 's/guard n > 0/guard n > -1/' 'negative numbers are written ~5'
with 3 "an initial marking with a variable" 's/initial .*/initial n/' 'page Top, place A, initial marking: it speaks of variables'
with 3 "an initial marking of another type" 's/initial .*/initial 1`"x"/' 'page Top, place A, initial marking: this is string ms, but int ms is expected'
with 3 "an arc without inscription" 's/take A : n/take A : /; s/guard.*/guard true/; s/(n, "a")/(1, "a")/' 'arc from A: the arc has no inscription, which stands for \(\), but the colour set INT of the place has no \(\)'
with 0 "but on a place of unit it is ()" 's/place Q : P/place Q : U/; s/give Q.*/give Q :/'
with 0 "and a number so many of them" 's/place Q : P/place Q : U/; s/give Q.*/give Q : n + 1/'
with 3 "two places of one name" 's/place C/place A/' 'the page has another place "A"'
with 0 "a colour set that is declared twice" 's/colset S = string/colset INT = int timed/; s/P = .*/P = product INT * STRING;\n  colset STRING = string;/; s/var s : S/var s : STRING/' 'warning: INT: it was declared before, in line 4, as something else: this declaration counts'
with 3 "time where there is none" 's/(n, "a")/(n, "a") @+ 3/' 'these tokens carry time, but the colour set P is not timed'
with 3 "real time" 's/A : INT/A : T/; s/place Q : P/place Q : T/; s/take A : n/take A : t/; s/guard.*/guard true/; s/give Q.*/give Q : t @+ 2.5/' 'arc to Q: this is real, but int is expected'
tells 'hint: time of this net is a whole number, since its option realtimestamp does not say otherwise' "and what to do about it"
with 3 "of a transition" 's/A : INT/A : T/; s/place Q : P/place Q : T/; s/take A : n/take A : t/; s/guard.*/delay @+ 2.5/; s/give Q.*/give Q : t/' 'time: this is real, but int is expected'
tells 'hint: time of this net is a whole number' "the same"
with 3 "a time stamp on an arc that takes tokens" 's/A : INT/A : T/; s/take A : n/take A : t @ 3/; s/n > 0/n = t/' 'arc from A: @ gives tokens a time stamp; an arc that takes tokens may say @\+ D'
# what shows when it runs
with 1 "a function that does not end" 's/fun fac 0.*/fun fac n = fac (n + 1);/; s/guard n > 0/guard fac n > 0/'
says "transition Top'Go, guard: the evaluation takes too many steps and seems not to end" "is told with its guard"
with 1 "a recursion without end" 's/fun fac 0.*/fun fac n = 1 + fac (n + 1);/; s/guard n > 0/guard fac n > 0/'
with 1 "a match without a fitting rule" 's/fun fac 0.*/fun fac 0 = 1 | fac 5 = 2;/; s/guard n > 0/guard fac n > 0/'
says 'uncaught exception Match in fac: no rule fits the value' "names the function"
with 1 "a colour beyond its set" 's/give Q : .*/give C : n + 2/'
says "arc to Top'C: 4 does not belong to colour set SMALL" "names arc, colour and set"
with 0 "a coefficient below zero makes nothing" 's/give Q : .*/give Q : (n - 5)`(n, "a")/'
# what a state space cannot have
with 0 "a random value that an arc gives" 's/(n, "a")/(roll (), "a")/'
with 3 "one of a guard" 's/guard n > 0/guard roll () > 0/' "guard: roll needs something that is refused: discrete is random: a state space cannot have that"
tells 'hint: what has finitely many outcomes can be drawn by arcs to places, delays and code segments' "says where they can be"
with 3 "of an arc from a place" 's/take A : n/take A : roll ()/; s/guard.*/guard true/; s/(n, "a")/(1, "a")/' "arc from A: roll needs something that is refused: discrete is random"
with 3 "of an initial marking" 's/initial .*/initial 1`(roll ())/' "place A, initial marking: roll needs something that is refused: discrete is random"
with 3 "of an arc both ways" 's/take A : n/test A : roll ()/; s/guard.*/guard true/; s/(n, "a")/(1, "a")/' "roll needs something that is refused: discrete is random"
with 3 "and one with infinitely many outcomes" 's/(n, "a")/(Real.floor (exponential 1.0), "a")/' "arc to Q: exponential is random: a state space cannot have that"
tells 'hint: .*check needs finitely many outcomes: --define "exponential=fn rate => Real.fromInt \(discrete \(1, round \(2.0 / rate\)\)\)"' "says what to do"
with 3 "the number of steps" 's/guard n > 0/guard IntInf.toInt (step ()) < 5/' 'guard: step counts the steps of a run, which no state knows: a state space cannot have that'
with 0 "but anybody may be called so" 's/guard n > 0/guard (let fun next step = step + 1 in next n > 0 end)/'
with 3 "an assignment" 's/(n, "a")/(note n; (n, "a"))/' "':=' changes a reference: a state space cannot have that"
with 3 "one of a reference that is kept" 's/fun roll.*/val next = let val r = ref 0 in fn () => (r := !r + 1; !r) end;/; s/(n, "a")/(next (), "a")/' "next needs something that is refused: a reference or an array that is changed is kept"
with 3 "made by a function" 's/fun roll.*/fun make () = let val r = ref 0 in fn () => (r := !r + 1; !r) end; val next = make ();/; s/(n, "a")/(next (), "a")/' "next needs something that is refused: a reference or an array that is changed is kept"
with 3 "or known by another name" 's/(n, "a")/(let val r = total in r := 1; (n, "a") end)/' "':=' changes a reference: a state space cannot have that"
with 3 "an array of the net that is changed" 's/fun roll.*/val table = Array.array (5, 0);/; s/(n, "a")/(Array.update (table, n, 7); (n, "a"))/' "arc to Q: Array.update changes an array: a state space cannot have that"
with 0 "or only read" 's/fun roll.*/val table = Array.fromList [4, 5, 6];/; s/(n, "a")/(Array.sub (table, n), "a")/'
with 3 "and is changed by a code segment" 's/fun roll.*/val table = Array.fromList [4, 5, 6];/; s/(n, "a")/(Array.sub (table, n), "a")/; s/guard n > 0/code input (n); action Array.update (table, n, 7)/' 'page Top, transition Go: it reads an array, and page Top, transition Go, code segment changes one'
with 3 "or kept by a function" 's/fun roll.*/val next = let val a = Array.array (1, 0) in fn () => (Array.update (a, 0, 1); 2) end;/; s/(n, "a")/(next (), "a")/' "next needs something that is refused: a reference or an array that is changed is kept"
with 0 "but not of one that is made where it is changed" 's/(n, "a")/(let val r = ref n in while !r < 9 do r := !r + 4; (!r, "a") end)/'
with 3 "in a reference of a datatype" 's/fun roll.*/datatype D = D of (unit -> int) ref; val away = let val r = ref 0 in D (ref (fn () => (r := !r + 1; !r))) end;/; s/(n, "a")/(case away of D f => (!f) (), "a")/' "away needs something that is refused: a reference or an array that is changed is kept"
with 1 "a loop without end" 's/(n, "a")/(while true do (); (n, "a"))/'
with 0 "a reference that nobody changes" 's/(n, "a")/(n + !total, "a")/'
with 0 "a code segment that prints" 's/guard n > 0/code input (n); action (print "here"; note n)/' 'warning: page Top, transition Go, code segment: it has no output variables and is left out: print writes to the outside'
with 0 "and changes a reference that somebody reads" 's/guard n > 0/code input (n); action note n/; s/(n, "a")/(n + !total, "a")/'
with 0 "a code segment with an output that is random" 's/guard n > 0/code output (m); action roll ()/; s/(n, "a")/(m, "a")/'
with 0 "a code segment without semicolons" 's/guard n > 0/code input (n) output (m)\n      action n + 1/; s/(n, "a")/(m, "a")/'
with 0 "with variables that are called as its words are" 's/var n, m/var action, n, m/; s/guard n > 0/code input (n) output (action) action n + 1/; s/(n, "a")/(action, "a")/'
with 3 "an output variable twice" 's/guard n > 0/code input (n); output (m, m); action (n, n + 1)/; s/(n, "a")/(m, "a")/' 'code segment: the output variable m stands there twice'
# declarations that nobody uses
with 0 "declarations that are wrong and unused" 's/fun roll.*/fun bad x = x + "a";\n  val v = nowhere;\n  use "other.sml";\n  var z : NOWHERE;\n  val out = TextIO.openOut "x";\n  fun roll () = 1/' 'net.cpnt:19:19: warning: the declaration of bad is left out: this is string, but int or real is expected'
tells 'warning: the declaration of v is left out: the name nowhere is not known' "each is told"
tells 'net.cpnt:21:3: warning: use "other.sml" is left out: there is no such file' "files that are not there, too"
with 0 "one that cannot be parsed does not take the next with it" 's/fun roll.*/fun bad (x = ;\n      fun good x = let val y = x in y end;/; s/(n, "a")/(good n, "a")/' 'warning: the declaration of bad is left out'
with 3 "one that is used" 's/fun roll.*/fun bad x = x + "a";/; s/(n, "a")/(bad n, "a")/' 'the declaration of bad was refused \(line 19\): this is string, but int or real is expected'
# what needs one that is wrong tells of that one, not of what follows from it
first='bad was refused \(line 19\): this is string, but int or real is expected'
with 3 "a part of what a wrong function gives" 's/fun roll.*/fun bad x = (x + "a", 1);\n  fun part x = #1 (bad x);/; s/(n, "a")/(part n, "a")/' "arc to Q: part needs something that is refused: the declaration of $first$"
with 0 "where nobody needs either" 's/fun roll.*/fun bad x = (x + "a", 1);\n  fun part x = #1 (bad x);/' 'warning: the declaration of part is left out: the declaration of bad was refused'
with 3 "somebody who needs that" 's/fun roll.*/fun bad x = (x + "a", 1);\n  fun part x = #1 (bad x);\n  fun more x = part x + 1;/; s/(n, "a")/(more n, "a")/' "arc to Q: part needs something that is refused: the declaration of $first$"
with 3 "a function before the wrong one" 's/fun roll.*/fun more x = part x + 1; fun part x = #1 (bad x);\n  fun bad x = (x + "a", 1);/; s/(n, "a")/(more n, "a")/' 'arc to Q: part needs something that is refused: the declaration of bad was refused \(line 20\)'
with 3 "functions that need each other in a circle" 's/fun roll.*/fun one x = other x; fun other x = one x;/; s/(n, "a")/(one n, "a")/' 'arc to Q: the declaration of one was refused \(line 19\): the name other is not known'
with 3 "a wrong colour set in the type of an argument" 's/SMALL = int with/SMALL = int wiht/; s/place C : SMALL/place C : INT/; s/fun roll.*/colset PAIR = product SMALL * INT; fun left (x : PAIR) = #1 x;/; s/(n, "a")/(left (n, n), "a")/' 'left needs something that is refused: the declaration of SMALL was refused \(line 5\)'
with 3 "a constructor of a wrong datatype in a pattern" 's/fun roll.*/fun left A = 1 | left (B x) = 2; datatype D = A | B of nothing;/; s/(n, "a")/(left A, "a")/' 'left needs something that is refused: the declaration of A was refused \(line 19\): the type nothing is not known'
with 3 "and by itself" 's/fun roll.*/datatype D = A | B of nothing;/; s/(n, "a")/(case B n of _ => n, "a")/' 'arc to Q: the declaration of B was refused \(line 19\): the type nothing is not known'
with 0 "where nobody needs it" 's/fun roll.*/datatype D = A | B of nothing;/' 'warning: the declaration of D is left out: the type nothing'
with 3 "a wrong enumeration" 's/fun roll.*/colset E = with red | green or;/; s/guard n > 0/guard (case n of red => true)/' 'guard: the declaration of red was refused \(line 19\)'
with 3 "an exception of a wrong type" 's/fun roll.*/exception E of nothing; fun left x = raise E x;/; s/(n, "a")/(left n, "a")/' 'left needs something that is refused: the declaration of E was refused \(line 19\): the type nothing is not known'
with 3 "something wrong that follows from what is refused" 's/fun roll.*/fun read f = hd (TextIO.inputLine f); fun left x = #1 (read x);/; s/(n, "a")/(left n, "a")/' 'left needs something that is refused: TextIO.inputLine reads or writes files'
with 3 "but not what is wrong whatever it is" 's/fun roll.*/fun roll () = discrete (1, 6); fun left x = #1 (roll x);/; s/(n, "a")/(left n, "a")/' 'the declaration of left was refused \(line 19\): this is int, but'
with 3 "a wrong value that is taken apart" 's/fun roll.*/val {left = (p, SOME q), right = _} = nowhere;/; s/(n, "a")/(q, "a")/' 'arc to Q: the declaration of q was refused \(line 19\): the name nowhere is not known'
with 0 "of which the constructors stay" 's/fun roll.*/val {left = (p, SOME q), right = _} = nowhere; fun left (SOME x) = x | left NONE = 0;/; s/(n, "a")/(left (SOME n), "a")/' 'warning: the declaration of q is left out: the name nowhere is not known'
with 3 "a wrong function that names its type variables" "s/fun roll.*/fun 'a left (x : 'a) = nowhere;/; s/(n, \"a\")/(left n, \"a\")/" 'arc to Q: the declaration of left was refused \(line 19\): the name nowhere is not known'
# thousands of declarations, each of which needs the next
{ printf 'declare\n  colset INT = int;\n  var n : INT;\n'; awk 'BEGIN { for (i = 0; i < 2000; i++) printf "  fun f%d x = f%d x;\n", i, i + 1 }'; printf 'page Top\n  place A : INT\n    initial 1\n  transition T\n    take A : n\n    give A : f0 n\n'; } > chain.cpnt
timeout 60 "$THIMBLE" check chain.cpnt > "$out" 2> "$err"
code=$?
exits 3 "a long chain, soon"
tells 'f1998 needs something that is refused: the declaration of f1999 was refused \(line 2003\): the name f2000 is not known' "tells where it ends"
# the same in XML
sed 's/f n/g n/' "$ROOT/tests/fuzz/corpus/cpn/small.cpn" | sed 's;<globbox>;<globbox><use id="u1"><ml>"lib.sml"</ml><layout>use "lib.sml"</layout></use>;' > used.cpn
sed 's;<globbox>;<globbox><use id="u1"><ml>"lib.sml"</ml><layout>use "lib.sml"</layout></use>;' "$ROOT/tests/fuzz/corpus/cpn/small.cpn" > unused.cpn
run check unused.cpn --no-deadlock -o /dev/null
exits 0 "a net that names another file"
tells 'unused.cpn:[0-9]+:[0-9]+: warning: use "lib.sml" is left out: there is no such file' "which is not there, and needs nothing of it"
run check used.cpn --no-deadlock -o /dev/null
exits 3 "a net that needs something of it"
printf '(* the function *)\nfun g n = n;\nfun wrong n = n + "a";\n' > lib.sml
run check used.cpn --no-deadlock -o /dev/null
exits 0 "and gets it"
tells 'lib.sml:3:19: warning: the declaration of wrong is left out' "with places of that file"
sed 's/g n/wrong n/' used.cpn > bad.cpn
run check bad.cpn --no-deadlock -o /dev/null
tells 'the declaration of wrong was refused \(line 3 of lib.sml\)' "also where it is needed"
run convert used.cpn -o whole.cpnt
grep -q 'fun g n = n;' whole.cpnt
ok $? "convert writes the text of the file"
run check used.cpn --no-deadlock --certificate used.cert -o /dev/null
run_audit() { "${THIMBLE%/*}/thimble-audit" "$@" > "$out" 2> "$err"; code=$?; }
run_audit used.cert used.cpn
exits 0 "a certificate of it"
printf 'fun g n = n + 0;\n' > lib.sml
run_audit used.cert used.cpn
exits 3 "is none when the file has changed"
# a search that ends in the middle of a state with time
sed 's/A : INT/A : T/; s/place Q : P/place Q : T/; s/take A : n/take A : t/; s/guard.*/guard true/; s/give Q.*/give A : t @+ 3 * t + 1/' base.cpnt > endless.cpnt
run check endless.cpnt --time 0.3 --progress none -o /dev/null
exits 4 "time without end, and a limit"

# ---- records that are too large are not empty
printf 'typedef A { byte f[1000000] }\ntypedef B { A f[100] }\nB v;\nactive proctype P() { skip }\n' > large.pml
run check large.pml
exits 3 "a record of a hundred million bytes"
tells 'the model declares more than [0-9]+ variables' "which is told"

# ---- in so many words
says_of() { # file, text, what is told, what
  printf '%b' "$2" > "$1"
  run check "$1"
  exits 3 "$4"
  tells "$3" "$4: told"
}
says_of words.net 'place p = -1\n' '^words.net:1:11: error: the initial marking is negative$' "fewer tokens than none"
says_of words.net 'place p = 1\ntransition t p -> p\n' '^hint: transition NAME : PLACE' "a transition without its colon"
says_of words.pml 'mtype = { a, b, a }; active proctype P() { skip }\n' 'a is already declared as an mtype' "an mtype twice"
command -v cpp > /dev/null && says_of words.pml 'byte x;\n#if X\nactive proctype P() { skip }\n' '^words.pml:2:1: error: preprocessor: unterminated' "a condition without an end"

# ---- a declaration with something behind it is not the declaration without it
cat > typo.cpnt <<'END'
net n
declare
  colset I = int wiht 1..3;
  var x : I;
page P
  place p : I
    initial 7
  transition t
    take p : x
    give p : x
END
run check typo.cpnt
exits 3 "a range that is mistyped"
tells "place p: the declaration of colour set \"I\" was refused \(line 3\): .*found 'wiht'" "is not all numbers"
sed 's/ wiht 1..3;/ colset J = I var y : J infix 5 +++ val a = 3; no such; use "x"/' typo.cpnt > several.cpnt
run check several.cpnt
exits 0 "several without semicolons, and what nobody needs"
tells '3:[0-9]+: warning: a declaration is left out' "with a warning"
finish
