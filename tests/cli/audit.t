#!/bin/sh
# audit.t -- check --certificate and thimble-audit: verdicts of all languages are confirmed, the certificate does not depend on how the states were found, and lies are found out although their sums are right.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
forge() { # its own memory is of no interest
  [ "$3" = states ] || rm -f "$2"
  ASAN_OPTIONS=detect_leaks=0 "$BUILD/tests/forge/forge" "$@" || echo "# forge: $*"
}
audit() { "$BUILD/thimble-audit" "$@" > "$out" 2> "$err" < /dev/null; code=$?; }
T=$ROOT/tests/models

# ---- verdicts are confirmed
# confirms EXIT "what" OPTIONS... MODEL: check says so, and so does audit
confirms() {
  want=$1 what=$2
  shift 2
  rm -f c.cert
  run check --no-space-report -o t.json --certificate c.cert "$@"
  [ "$code" = "$want" ] || exits "$want" "$what: check"
  audit c.cert
  exits "$want" "$what"
}
cat > safe.pml <<'X'
byte turn; bool in[2];
active [2] proctype P() {
  do :: turn == _pid -> in[_pid] = true; assert(!in[1 - _pid]); in[_pid] = false; turn = 1 - _pid od
}
ltl live { [] <> (turn == 1) }
ltl wrong { [] (turn == 0) }
X
cat > starts.pml <<'X'
chan q = [2] of { byte }; byte n;
proctype Q(byte k) { q!k; n++ }
init { byte v; atomic { run Q(1); run Q(2) }; q?v; assert(v > 0); q?v; (_nr_pr == 1) -> skip }
X
confirms 0 "Promela, holds" --no-claims safe.pml
says '^confirmed: c.cert says holds of safe.pml with --no-claims$' "is said in one line, with the options that matter"
says '^  [0-9]+ states, [0-9]+ steps from them$' "with what was seen"
says '^  confirmed +assert:3 holds$' "and property by property"
confirms 0 "processes that begin on the way" starts.pml
confirms 1 "a failed assertion" "$MODELS/exchange.pml"
confirms 1 "run-time errors" "$T/faults.pml"
confirms 1 "an atomic sequence that does not end" -p runtime "$T/endless.pml"
confirms 0 "priorities" --no-deadlock "$T/priorities.pml"
confirms 0 "a channel that loses messages" --lose-messages --no-deadlock "$T/channels.pml"
confirms 0 "PROM+, holds" --no-deadlock "$T/promplus/pointers.pmp"
confirms 1 "PROM+, a null pointer" -p runtime "$T/heap.pmp"
confirms 0 "DVE, holds" "$MODELS/peterson.dve"
confirms 1 "DVE, violated" "$T/assertion.dve"
confirms 1 "a net that has a deadlock" "$MODELS/philosophers.net"
confirms 0 "an invariant" --no-deadlock --invariant 'fork1 + fork2 <= 2' "$MODELS/philosophers.net"
confirms 1 "an invariant that is violated" --no-deadlock --invariant 'eats1 == 0' "$MODELS/philosophers.net"
confirms 0 "a state that is reached" --no-deadlock --reachable 'eats1 == 1' "$MODELS/philosophers.net"
confirms 1 "a state that is not" --no-deadlock --reachable 'eats1 + eats2 == 2' "$MODELS/philosophers.net"
confirms 1 "an initial marking of the command line" --marking fork1=2 --invariant 'fork1 <= 1' "$MODELS/philosophers.net"
confirms 0 "PNML" "$MODELS/mutex.pnml"
confirms 0 "a coloured net" "$MODELS/managers.cpnt"
confirms 1 "a coloured net that has a deadlock" "$MODELS/simple-protocol.cpnt"
confirms 0 "a coloured net and its own conditions" --no-deadlock --invariant 'size Unused <= 42' "$MODELS/managers.cpnt"
run check -q --unfold never --no-deadlock --certificate never.cert "$MODELS/trams.pnml"
audit never.cert
exits 0 "a symmetric net that keeps its colours"
confirms 0 "one that is unfolded" --unfold always --no-deadlock "$MODELS/trams.pnml"
confirms 1 "a labelled transition system" "$MODELS/graph.aut"

# ---- runs that go on for ever
confirms 1 "a formula, by a run with a loop" --no-deadlock --ltl '<> eats1' "$MODELS/philosophers.net"
confirms 1 "by a run that ends" --no-deadlock --ltl '[] <> fireable(left1)' -p ltl "$MODELS/philosophers.net"
confirms 1 "by the beginning of a run" --no-deadlock --ltl '[] !eats2' "$MODELS/philosophers.net"
confirms 1 "with next and release" --no-deadlock --ltl '(eats1 R thinks1) || X X X eats3' "$MODELS/philosophers.net"
confirms 1 "a formula of the model" -p ltl:wrong safe.pml
echo 'byte x = 1; ltl two { [] (x & 2) } active proctype P() { x = 1 }' > bits.pml
confirms 1 "one about bits" -p ltl:two bits.pml
run check --certificate c.cert -p ltl:live -p deadlock safe.pml
exits 0 "a formula that holds"
says '^the certificate is c.cert \([0-9.]+ (bytes|kB)\) and covers 1 of 2 properties; confirm it with: thimble-audit c.cert$' "the certificate is named, and how much of it is covered"
says '^it does not cover ltl:live, which holds: nobody will confirm that$' "what is not covered is said when it is written"
run check --json --certificate c.cert -p ltl:live -p deadlock safe.pml
same "$(field certificate)" '{"file": "c.cert", "bytes": '"$(stat -c %s c.cert)"', "covers": ["deadlock"], "not_covered": ["ltl:live"], "trouble": null}' "JSON says it, too"
run check -q --certificate c.cert -p deadlock safe.pml
silent certificate "-q: nothing is said"
run check --certificate c.cert -p deadlock safe.pml
says '^the certificate is c.cert \([0-9.]+ (bytes|kB)\); confirm it with: thimble-audit c.cert$' "all is covered"
silent 'does not cover' "and nothing else is said"
run check --certificate c.cert -p ltl:live -p deadlock safe.pml
audit c.cert
exits 4 "the audit says so, too"
says '^not confirmed: c.cert says holds of safe.pml: 1 of 2 properties are not covered by the certificate$' "and how many"
says '^  not covered +ltl:live holds$' "and which"
says '^  confirmed +deadlock holds$' "the others are confirmed"
rm -f c.cert
run check --certificate c.cert -p ltl:live safe.pml
[ ! -e c.cert ]; ok $? "nothing that could be confirmed: no file"
says 'no certificate is written: it would confirm nothing' "which is said"
run check --json --certificate c.cert -p ltl:live safe.pml
same "$(field certificate)" '{"file": null, "bytes": 0, "covers": [], "not_covered": ["ltl:live"], "trouble": "it would confirm nothing"}' "JSON has the reason"
run check --json safe.pml
same "$(field certificate)" null "null where none is wanted"

# ---- the same certificate, whoever finds the states
"$ROOT/tools/gen-net" pipeline 11 > line.net
run check -q --no-deadlock --invariant true --certificate plain.cert line.net
for how in '--store tree' '--store compact-tree' '--store collapse' '--store comback' '--store delta' '--store dfa' '--store disk --disk .' '-j 2' '--search dfs' '--search sweep' '--memory 4M' '--search dfs --store cache --cache 4000'; do
  rm -f other.cert
  # shellcheck disable=SC2086
  run check -q --no-deadlock --invariant true --certificate other.cert $how line.net
  cmp -s plain.cert other.cert; ok $? "$how: the same bytes"
done
audit plain.cert
exits 0 "confirmed"
says '  2048 states, 7168 steps' "all of it"
audit --memory 600k plain.cert
exits 0 "with little memory"
audit --json plain.cert
exits 0 "JSON"
grep -q '"result": "confirmed"' "$out" && grep -q '"states": 2048' "$out" && grep -q '"audit": "confirmed"' "$out"; ok $? "what it says"
[ "$(echo thimble-*)" = 'thimble-*' ] && [ "$(echo ./*.tmp)" = './*.tmp' ]; ok $? "no temporary files are left"

# ---- where there is none
rm -f c.cert
run check --max-states 100 --certificate c.cert line.net
exits 4 "an incomplete run"
[ ! -e c.cert ]; ok $? "writes none"
says 'no certificate is written: the verdict is incomplete' "and says so"
echo old > c.cert
run check --max-states 100 --certificate c.cert line.net
same "$(cat c.cert)" old "what was there stays"
run check --lossy --store hashcompact --no-deadlock --certificate d.cert line.net
[ ! -e d.cert ]; ok $? "nor does a lossy one"
for wrong in '--reduce por' '--checkpoint x' '--allow-c-code' '--unbounded-channels' '--mcc'; do
  # shellcheck disable=SC2086
  run check $wrong --certificate d.cert safe.pml
  exits 2 "$wrong and --certificate"
done
run check --certificate - line.net
exits 2 "standard output"
run check --no-deadlock --invariant true --certificate no/such/folder/c.cert line.net
[ "$code" != 0 ] && tells 'no/such/folder' "a folder that is not there is named"

# ---- lies
# refuses EXIT "what": the audit of f.cert
refuses() {
  audit "${3:-f.cert}"
  exits "$1" "$2"
}
N=$MODELS/philosophers.net
run check -q --no-deadlock --invariant 'fork1 <= 1' --certificate n.cert "$N"
states=$(forge n.cert - states)
same "$states" 14 "a small set"
bad=0
for i in $(seq 0 $((states - 1))); do
  forge n.cert f.cert drop "$i"; audit f.cert; [ "$code" = 4 ] || bad="drop $i: $code"
  forge n.cert f.cert change "$i"; audit f.cert; [ "$code" = 4 ] || [ "$code" = 3 ] || bad="change $i: $code"
  forge n.cert f.cert head 'property invariant holds set invariant:1' 'property deadlock holds set deadlock'
  forge f.cert g.cert drop "$i"; audit g.cert; [ "$code" = 4 ] || bad="deadlock without $i: $code"
done
same "$bad" 0 "whichever state is left out or changed is missed, also the one that is the deadlock"
forge n.cert f.cert head 'property invariant holds set invariant:1' 'property deadlock holds set deadlock'
refuses 4 "a deadlock in the set"
forge n.cert f.cert head 'fork1 <= 1' 'fork1 <= 0'
refuses 4 "another invariant"
forge n.cert f.cert twice 3
refuses 3 "a state twice"
forge n.cert f.cert swap 3
refuses 3 "states that are not in order"
forge n.cert f.cert cut
refuses 4 "a block less"
forge n.cert f.cert add 0202020202020202020202020202020202
refuses 3 "a state of too many values"
forge n.cert f.cert head 'vars 12' 'vars 13'
refuses 3 "another number of variables"
forge n.cert f.cert head 'holds set' 'holds trace'
refuses 3 "evidence of the wrong kind"
forge n.cert f.cert head 'property invariant holds set' 'property ltl holds set'
refuses 3 "a set for a formula"
forge n.cert f.cert head 'property invariant holds set invariant:1' 'property runtime holds set runtime'
refuses 3 "a property that the definition does not tell"
forge n.cert f.cert head 'holds set invariant:1' 'holds set deadlock'
refuses 3 "a property that is called another"
forge n.cert f.cert head 'fork1 <= 1' 'fork1 >= 0 \\n  confirmed      deadlock holds'
refuses 3 "a text that is none"
forge n.cert f.cert head 'fork1 <= 1' 'fork1 >= 0'
refuses 0 "a text that says less"
says '^  confirmed +invariant:1 holds: fork1 >= 0$' "is shown"
audit --json f.cert
grep -q '"text": "fork1 >= 0"' "$out"; ok $? "in JSON too"
forge n.cert f.cert head 'verdict holds' 'verdict violated'
refuses 4 "a verdict that nothing shows"
forge n.cert f.cert head 'input ' 'option --define=X=1
input '
refuses 3 "an option that the model does not know"
# what is shown is the audit's own word, and not the certificate's
esc=$(printf '\033')
forge n.cert f.cert head 'property invariant holds set invariant:1' "property invariant holds set invariant:x$esc[2J\\n  confirmed      deadlock holds$(printf '\377')"
forge f.cert g.cert head 'verdict holds' "verdict violated$esc[1A\\nconfirmed"
for c in f.cert g.cert; do
  audit $c
  [ "$(grep -c '^bad certificate\|^confirmed\|^  confirmed' "$out")" = 2 ]; ok $? "$c: no lines of its own"
  ! grep -q "$esc" "$out"; ok $? "$c: nothing that commands the terminal"
  audit --json $c
  grep -q '"schema": "thimble.audit/1"' "$out" && grep -q '"audit": "confirmed"' "$out" && ! grep -q "$esc" "$out"; ok $? "$c: and as JSON, whatever its names are"
done
sed 's/fork1 = 1/fork1 = 2/' "$N" > other.net
audit n.cert other.net
exits 3 "another model"
says 'other.net is not the file that the certificate is about' "is named"
cp "$N" moved.net
audit n.cert moved.net
exits 0 "the same model elsewhere"
forge n.cert f.cert mix plain.cert
refuses 3 "the states of another model"
size=$(stat -c %s n.cert) bad=0
for at in $(seq 0 9 $((size - 1))); do
  head -c "$at" n.cert > f.cert; audit f.cert; [ "$code" = 3 ] || bad="cut at $at: $code"
  { head -c "$at" n.cert; printf '\377'; tail -c +$((at + 2)) n.cert; } > f.cert
  audit f.cert; [ "$code" = 3 ] || cmp -s n.cert f.cert || bad="byte $at: $code"
done
same "$bad" 0 "a file that is cut off or has another byte is refused, wherever"
{ cat n.cert; echo more; } > f.cert
refuses 3 "something behind its end"
audit no-such-file
exits 3 "no file"
audit "$N"
exits 3 "no certificate"

# ---- lies in traces
run check -q -o t.json --certificate t.cert "$N"
refuses 1 "a true one" t.cert
forge t.cert f.cert trace '"transition": "left2"' '"transition": "left1"'
refuses 4 "a step that is not possible"
forge t.cert f.cert trace '"transition": "left3"' '"transition": "right1"'
refuses 4 "another step"
forge t.cert f.cert trace '"from": 1, "to": 0' '"from": 1, "to": 3'
refuses 4 "a step that changes something else"
forge t.cert f.cert head 'deadlock violated trace deadlock' 'invariant violated trace invariant:1
text fork1 <= 1'
refuses 4 "a run that shows something else"
forge t.cert f.cert head 'violated trace' 'violated none'
refuses 3 "a trace of nothing"
run check -q -o t.json --no-deadlock --ltl '<> eats1' --certificate l.cert "$N"
refuses 1 "a run with a loop" l.cert
loop=$(sed -n 's/.*"loop": \([0-9]*\).*/\1/p' t.json | head -n 1)
forge l.cert f.cert trace "\"loop\": $loop" "\"loop\": $((loop + 1))"
refuses 4 "a loop that does not close"
forge l.cert f.cert head '<> eats1' '<> thinks1'
refuses 4 "another formula"
run check -q -o t.json --no-deadlock --ltl '[] !eats2' --certificate l.cert "$N"
forge l.cert f.cert head '[] !eats2' '<> eats3'
refuses 4 "the beginning of a run does not show that something never comes"
run check -q -o t.json --certificate a.cert "$MODELS/exchange.pml"
forge a.cert f.cert trace '"edge": 1' '"edge": 0'
refuses 4 "another successor of a program"
forge a.cert f.cert head 'assert violated trace assert:21' 'runtime violated trace runtime'
refuses 4 "an assertion is no run-time error"

# ---- states of programs that cannot be: nothing crashes
run check -q --certificate p.cert starts.pml
bad=0
for hex in '' ff ffffffff7f feffffff1f 0000000000000000feffffff0f 02020202020202020202020202020202020202020202 000000000602020202 00000406ff7f0204 0000000000000000000000000000000000000000c801c801; do
  forge p.cert f.cert add "$hex"
  audit f.cert
  [ "$code" = 0 ] || [ "$code" = 3 ] || [ "$code" = 4 ] || bad="$hex: $code"
done
same "$bad" 0 "made-up states do no harm"

# ---- options that make another model of the same text: verdict, report, certificate and audit name them
mkdir -p altered/inc
printf '#include "n.h"\nchan c = [N] of { byte };\nactive proctype P() { c!1; c!2 }\n' > altered/m.pml
printf '#ifndef N\n#define N 1\n#endif\n' > altered/inc/n.h
confirms 1 "a folder of included files" -I altered/inc altered/m.pml
says '^confirmed: c.cert says violated of altered/m.pml with --include=altered/inc$' "is named"
for options in '--lose-messages' '--define=N=2' '--lose-messages --define=N=1'; do
  confirms 0 "$options" -I altered/inc $options --report r.html altered/m.pml
  says "^confirmed: c.cert says holds of altered/m.pml with --include=altered/inc $options\$" "is named by the audit"
  audit --json c.cert
  for option in $options; do
    says "^  \"$option\"" "and in its JSON"
    grep -qF -- "$option" r.html; ok $? "and in the report"
  done
  run check --no-space-report -q -I altered/inc $options altered/m.pml
  says "^holds: altered/m.pml with --include=altered/inc $options, complete" "and by the verdict"
done
run check --json -I altered/inc --lose-messages --fair weak altered/m.pml
says '"options": \["--include=altered/inc", "--lose-messages", "--fair=weak"\], "inputs": \[\{"file": "altered/m.pml", "hash": "[0-9a-f]{16}", "bytes": [0-9]+\}, ' "in JSON, with all files that were read"
printf '#define N 3\n' > altered/inc/n.h
audit c.cert
exits 3 "an included file that has changed"
confirms 0 "another marking" --marking fork1=2 --no-deadlock --invariant 'fork1 <= 2' "$MODELS/philosophers.net"
says 'philosophers.net with --marking=fork1=2$' "is named"
run check --no-space-report --unbounded-channels --no-deadlock --json -I altered/inc altered/m.pml
says '"--unbounded-channels"' "unbounded channels, too"
run check --junit j.xml -q --marking fork1=2 "$MODELS/philosophers.net"
grep -q '<property name="option" value="--marking=fork1=2"/>' j.xml; ok $? "and by JUnit"

# ---- the command line
audit
exits 2 "nothing to audit"
audit --no-such-option n.cert
exits 2 "an unknown option"
audit --help
exits 0 "help"
says '^usage: thimble-audit' "tells how"
lines=$(cat "$ROOT"/src/audit/* | wc -l)
[ "$lines" -lt 640 ]; ok $? "the auditor is small ($lines lines)"
nm "$BUILD/thimble-audit" 2> /dev/null | grep -Eq ' [Tt] (search|store|bfs|reduction|run|report)_(open|run|check|find_type|types|json)'
[ $? = 1 ]; ok $? "no search, no store, no reduction is in it"
finish
