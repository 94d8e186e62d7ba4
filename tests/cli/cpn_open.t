#!/bin/sh
# cpn_open.t -- nets that have no state space, or not all that they need: what info, simulate and explore make of them, what check says; real time in files of CPN Tools; files of declarations.
. tests/cli/lib.sh

# The explorer tells an address when it has the model, and is ended then.
explores() { # explores FILE "what"
  : > "$out"
  "$THIMBLE" explore "$1" > "$out" 2> "$err" < /dev/null &
  pid=$! tries=0
  while [ ! -s "$out" ] && kill -0 $pid 2> /dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -INT $pid 2> /dev/null
  wait $pid
  says '^http://127' "$2"
}

# ---- names that nobody declares, and files that are not there ------------------------------------------------------------------

cat > lacks.cpnt <<'END'
declare
  val folder = "lib/";
  use (folder ^ "there.sml");
  use "logging.sml";
  colset N = int with 0..9;
  var n, m : N;
  fun log n = addLine ("n", n);
  val wrong : N = "a";

page P
  place A : N
    initial 1`start
  place B : N
  transition Go
    take A : n
    guard n < 3
    give A : next n
  transition Log
    take A : n
    guard n = 2
    code input (n); output (m); action (log n; n)
    give B : m
  transition Check
    take B : n
    guard EXPR ("1", n = 2)
END
mkdir lib
echo 'val start = 0; fun next n = n + 1;' > lib/there.sml
run check lacks.cpnt
exits 3 "a state space needs every transition"
tells 'page P, transition Log, code segment: the declaration of log was refused .line 7.: the name addLine is not known: perhaps it is declared in "logging.sml", which was left out' "the first that lacks something is told, and the file"
run info lacks.cpnt
exits 0 "info goes on with what does not need it"
says 'no state space .*: line 21: page P, transition Log' "and says why there is no state space"
tells 'transition Log, code segment: .*; the transition is left out, and never occurs' "each transition that is left out"
tells 'transition Check, guard: the name EXPR is not known.*; the transition is left out' "by name"
same "$(grep -c 'use "logging.sml" is left out' "$err")" 1 "the file once"
run info --json lacks.cpnt
says '"no_state_space": "page P, transition Log' "for programs"
run simulate lacks.cpnt --random 10
exits 0 "the rest is simulated"
says "3  .*P'Go .n=2." "as far as it goes"
silent "P'Log" "and no further"
explores lacks.cpnt "it can be explored"
run simulate lacks.cpnt --random 10 --define 'log=fn n => ()' --define 'EXPR=fn (s, b) => b'
says "P'Check \{n=2\}" "what is lacking can be given"
run check lacks.cpnt --define 'log=fn n => ()' --define 'EXPR=fn (s, b) => b' --no-deadlock -o /dev/null
exits 0 "to check as well"
sed 's/give B : m/give B : wrong/; s/action (log n; n)/action n/' lacks.cpnt > bad.cpnt
run info bad.cpnt
exits 3 "a declaration that is wrong is another thing"
tells 'arc to B: the declaration of wrong was refused' "and told as such"
sed 's/guard n < 3/guard n < "a"/' lacks.cpnt > bad.cpnt
run simulate bad.cpnt --random 1
exits 3 "so is a wrong inscription"
sed 's/1`start/1`begin/' lacks.cpnt > bad.cpnt
run info bad.cpnt
exits 0 "a marking that nobody knows"
tells 'place A, initial marking: .*begin.*; the marking is left out, and the place is empty' "is told"

# Twelve that lack a name: simulate tells some, info all.
awk 'BEGIN { print "declare\n  colset N = int; var n : N;\npage P\n  place A : N"; for (i = 1; i <= 12; i++) printf "  transition T%d\n    take A : n\n    guard away n\n", i }' > many.cpnt
run simulate many.cpnt --random 1
same "$(grep -c 'never occurs' "$err")" 10 "ten are told"
tells 'more such warnings are left out: thimble info tells all' "and where the others are"
run info many.cpnt
same "$(grep -c 'never occurs' "$err")" 12 "all of them"

# ---- random values without end ------------------------------------------------------------------------------------------------

cat > draws.cpnt <<'END'
declare
  colset R = real; colset N = int; var n : N; var r : R;
page P
  place A : N
    initial 1`0
  place B : R
  transition Go
    take A : n
    guard n < 20
    give A : n + 1
    give B : uniform (0.0, 1.0)
END
run check draws.cpnt
exits 3 "no state space"
tells 'hint: thimble simulate draws random values; check needs finitely many' "and what can be done"
run check draws.cpnt --define "$(sed -n 's/.*--define "\(.*\)", or another.*/\1/p' "$err")" --no-deadlock -o /dev/null
exits 0 "which is right as it stands"
run info draws.cpnt
exits 0 "info"
run simulate draws.cpnt --random 5 --seed 3
cp "$out" first
run simulate draws.cpnt --random 5 --seed 3
cmp -s "$out" first; ok $? "the same seed draws the same"
run simulate draws.cpnt --random 5 --seed 4
cmp -s "$out" first; [ $? = 1 ]; ok $? "another one something else"
explores draws.cpnt "explored by seed and state"
tells 'no state space: line 11: .*uniform is random' "which is told"

# ---- names of events -----------------------------------------------------------------------------------------------------------

cat > events.cpnt <<'END'
declare
  colset N = int with 1..3; colset S = string; var n : N; var e : S;
  val msc = MSC.createMSC "chart";
page P
  place A : N
    initial N.all ()
  place B : S
  transition Send
    take A : n
    code input (n); output (e); action MSC.startEvent (msc, "P", Int.toString n)
    give B : e
  transition Receive
    take B : e
    code input (e); action MSC.endEvent (msc, e, "Q"); print e
END
run check events.cpnt
exits 3 "events of charts have new names each time, which no state space has"
tells 'MSC.startEvent draws a chart: a state space cannot have that' "and it says so"
run simulate events.cpnt --random 6
exits 0 "a simulation has them"
same "$(grep -o '  P.Receive {e="[^"]*"' "$out" | sort -u | wc -l)" 3 "three names for three events"

# ---- channels -------------------------------------------------------------------------------------------------------------------

sed 's/    take B : e$/    channel ch?e\n&/' events.cpnt > channel.cpnt
run check channel.cpnt
exits 3 "channels"
run simulate channel.cpnt --random 6
exits 0 "a transition that takes part in one is left out"
tells 'transition Receive: it takes part in a channel' "and told"
run convert channel.cpnt -o channel.cpn
run convert channel.cpn -o again.cpnt
grep -q 'channel ch?e' again.cpnt; ok $? "the inscription is kept"

# ---- real time, subsets in brackets -----------------------------------------------------------------------------------------------

real=$ROOT/tests/models/coloured/real_time.cpnt
run check "$real" -o t.json
exits 1 "real time"
says '16 states, 15 transitions' "its size"
run simulate "$real" --replay t.json
exits 0 "its trace can be gone along"
says '@3.01666666667' "with stamps that are no whole numbers"
run convert "$real" -o real.cpn
grep -q '<option name="realtimestamp"><value><boolean>true</boolean></value></option>' real.cpn; ok $? "the option of CPN Tools"
run compare "$real" real.cpn
exits 0 "is read again"
sed 's/<boolean>true/<boolean>false/' real.cpn > whole.cpn
run check whole.cpn
exits 3 "without it time is whole numbers"
tells 'error: page Kitchen, place Empty, initial marking: this is real' "and reals are none"
sed 's/time ()/time () + 0.25/; s/@+ 2/@+ 1.0E200/' "$real" > late.cpnt
run check late.cpnt --no-deadlock
exits 1 "a stamp that no clock shows"
says 'arc to Kitchen.Full: uncaught exception Overflow' "is an error of the model"
cat > sub.cpn <<'END'
<cpnet><globbox>
<color id="a"><id>D</id><enum><id>mo</id><id>sa</id><id>su</id></enum></color>
<color id="b"><id>W</id><subset><id>D</id><with><ml>[sa,su]</ml></with></subset></color>
<color id="c"><id>V</id><subset><id>D</id><with><id>sa</id><id>mo</id></with></subset></color>
</globbox>
<page id="p"><pageattr name="P"/><place id="q"><text>Q</text><type><text>W</text></type><initmark><text>W.all()</text></initmark></place><place id="r"><text>R</text><type><text>V</text></type><initmark><text>V.all()</text></initmark></place></page></cpnet>
END
run check sub.cpn --no-deadlock --invariant 'size Q = 2' --invariant 'size R = 2'
exits 0 "subsets by a list, with brackets or without"
finish
