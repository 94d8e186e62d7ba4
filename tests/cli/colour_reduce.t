#!/bin/sh
# colour_reduce.t -- check --reduce por and slice on coloured nets: what they spare, and why they are not used.
. tests/cli/lib.sh
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
states() { # FILE STATES "what" [OPTION ...]
  file=$1 wanted=$2 what=$3
  shift 3
  run check "$file" --json --output trace.json "$@"
  same "$(number states)" "$wanted" "$what"
}
states $MODELS/managers.cpnt 92 "database managers" --reduce por
run check $MODELS/managers.cpnt --json --reduce por,symmetry
[ "$(number states)" -lt 29 ]
ok $? "with symmetry fewer than by symmetry alone: $(number states)"
states $MODELS/philosophers.cpnt 23 "22 philosophers" --reduce por -D seats=22
run check $MODELS/managers.cpnt --reduce por --no-deadlock --invariant 'size Answered < 4' --output trace.json
exits 1 "an invariant"
says 'reduced by por' "is looked for with fewer steps"
says "Managers'Send_an_answer .sender=m" "and the run is a real one"
run check $MODELS/managers.cpnt --reduce por --ltl '[] <> {size Waiting = 0}'
exits 0 "a formula"
says 'reduced by por' "as well"

cat > net.cpnt <<'EOF'
declare
  colset P = index p with 1..3; colset N = int; var x : P; var n : N;
page Net
  place In : P
    initial P.all()
  place Out : P
  place Log : P
  place Count : N
    initial 0
  transition Go
    take In : x
    give Out : x
    give Log : x
  transition Back
    take Out : x
    give In : x
    give Log : x
EOF
run check net.cpnt --reduce slice
exits 0 "a log has no end, and does not matter"
says "8 states.*" "what is left"
says "reduced by slice \(tokens do not matter in Net'Log, Net'Count\)" "what does not matter"
run check net.cpnt --reduce slice,symmetry
says '^  4 states' "and which is which does not matter either"
run check net.cpnt --reduce slice --no-deadlock --invariant 'size Log < 3' --output trace.json
exits 1 "who asks for it"
says "reduced by slice \(tokens do not matter in Net'Count\)" "gets it"
says 'invariant:1: 3 steps' "with a real run"
run check net.cpnt --reduce slice --property invariant:1 --invariant 'size Count = 1' --output trace.json
says '^  1 state,' "where only states are asked, what leads to none of them does not matter"

refused() { # LINE "reason" "what"
  { cat net.cpnt; printf '  transition More\n    take Out : x\n%s\n' "$1"; } > refused.cpnt
  run check refused.cpnt --reduce por --max-states 100 --output trace.json
  tells "no reduction by por: $2" "$3"
}
refused '    inhibit In' 'the net has inhibitor or reset arcs' "inhibitor arcs"
refused '    reset In' 'the net has inhibitor or reset arcs' "reset arcs"
refused '    priority 5' 'the net has priorities' "priorities"
refused '    take Count : n
    give Count : n + 1
    give In : x' 'there are very many bindings|looking for all bindings takes too long|tokens can have very many colours' "numbers without end"
refused '    test Count : n
    give In : P.col (n + 7)' 'some inscription may go wrong' "what may go wrong"
run check refused.cpnt --reduce por --property deadlock --max-states 100 --output trace.json
says 'reduced by por' "unless nobody asks for that"
finish
