#!/bin/sh
# ltl.t -- thimble ltl: formats, errors with a caret, limits.
. tests/cli/lib.sh

run ltl '[] (request -> <> grant)'
exits 0 "a formula"
says '^HOA: v1$' "as HOA"
says '^AP: 2 "request" "grant"$' "with its atoms"
says '^Acceptance: 1 Inf\(0\)$' "and its acceptance"
cp "$out" first.hoa
run ltl 'always (request implies eventually grant)'
cmp -s first.hoa "$out"; ok $? "the same in words"
run ltl -o file.hoa 'G (request -> F grant)'
cmp -s first.hoa file.hoa; ok $? "the same in a file"
printf 'G (request ->\n F grant)\n' | "$THIMBLE" ltl - > "$out" 2> "$err"
cmp -s first.hoa "$out"; ok $? "the same from standard input"
run ltl --format text --negate 'G F p -> G F q'
says '^negation +G F p & F G !q$' "what was translated"
says '^class +reactivity$' "its class"
says '^states +2$' "its size"
run ltl -f text 'a U (b U c)'
says '^kind +terminal, deterministic$' "terminal"
run ltl -f never 'a U (b & G c)'
says '^accept_S' "a never claim"
says 'goto ' "with edges"
run ltl -f dot --acceptance states 'a U (b & G c)'
says 'doublecircle' "dot"
run ltl --bad-prefixes -f text 'G (x < 3 -> X y)'
exits 0 "bad prefixes"
says '^kind +terminal, deterministic$' "are deterministic"
run ltl --bad-prefixes 'F p'
exits 2 "no safety formula"
tells 'guarantee' "is told its class"
run ltl -f text 'a U b U c'
says '^formula +a U \(b U c\)$' "to the right"
run ltl -f text --spin-grouping 'a U b U c'
says '^formula +\(a U b\) U c$' "to the left"
run ltl --json 'G p'
same "$(field class)" '"safety"' "JSON"
same "$(field negated)" false "its fields"
run ltl 'a U'
exits 3 "half a formula"
tells '^FORMULA:1:4: error: expected a formula, found the end$' "is told with its place"
tells '^     \^$' "and a caret"
run ltl 'x <> 3'
tells 'unequal is written !=' "a hint"
run ltl
exits 2 "no formula"
run ltl 'AG p q'
exits 3 "no quantifiers here"
many=$(i=0; while [ $i -lt 65 ]; do printf 'a%d | ' $i; i=$((i + 1)); done)
run ltl "${many}b"
exits 4 "too many atoms"
tells 'more than 64 different state expressions' "is told"
many=$(i=0; while [ $i -lt 30 ]; do printf 'F a%d & ' $i; i=$((i + 1)); done)
run ltl --memory 1M "${many}F b"
exits 4 "an automaton beyond the budget"
tells 'memory budget is too small' "is told"
run ltl 'false'
exits 0 "nothing"
says '^States: 1$' "has a state for readers that want one"
run ltl --format aut p
exits 2 "an unknown format"

# Equivalences in each other: as text without them the formula is exponentially long, and so may be the automaton.
chain='F a0'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do chain="G F a$((i % 7)) <-> ($chain)"; done
timeout 60 "$THIMBLE" ltl --memory 256M -f text "$chain" > "$out" 2> "$err"
code=$?
[ "$code" != 124 ] && [ "$code" -lt 128 ]; ok $? "thirty equivalences: an answer, or the reason why there is none (exit $code)"
"$THIMBLE" ltl --memory 8G -f text "$chain <-> F G ($chain)" > "$out" 2> "$err" &
pid=$!
sleep 0.5
kill -TERM $pid 2> /dev/null
began=$(date +%s)
wait $pid
[ $(($(date +%s) - began)) -lt 10 ]; ok $? "SIGTERM is heard meanwhile"
finish
