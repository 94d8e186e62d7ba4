#!/bin/sh
# colour_symmetry.t -- check --reduce symmetry on coloured nets: what is alike, why something is not, real colours in runs; scalarsets.
. tests/cli/lib.sh
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
states() { # FILE STATES "what" [OPTION ...]
  file=$1 wanted=$2 what=$3
  shift 3
  run check "$file" --json --output trace.json "$@"
  same "$(number states)" "$wanted" "$what"
}
states $MODELS/managers.cpnt 5104 "database managers"
states $MODELS/managers.cpnt 29 "1 + n (n + 1) / 2 of them" --reduce symmetry
states $MODELS/managers.cpnt 466 "thirty" --reduce symmetry -D n=30
run check $MODELS/telephones.cpnt --reduce auto --property deadlock
says 'reduced by symmetry \(4 values of PHONE\)' "auto uses it where it spares much"
states $MODELS/telephones.cpnt 379 "telephones" --reduce symmetry

cat > net.cpnt <<'EOF'
declare
  val n = 5; colset P = SET p with 1..n; colset PP = product P * P; var x, y : P;
page Net
  place In : P
    initial P.all()
  place Out : PP
  place Spare : P
    initial 1`p(2)
  transition Go
    take In : x
    take In : y
    test Spare : x
    GUARD
    give Out : (x, y)
  transition Change
    take Spare : x
    test In : y
    give Spare : y
EOF
net() { sed "s/SET/$1/; s/GUARD/$2/" net.cpnt > "$3.cpnt"; }
net scalarset 'guard x <> y' good
run check good.cpnt --reduce symmetry --no-deadlock --invariant 'size Out < 1' --output trace.json
exits 1 "what can be reached"
says 'reduced by symmetry \(5 values of P\)' "what is alike"
says 'Go \{x=p\(2\),y=p\([1345]\)\}' "the run has real colours"
run check good.cpnt --reduce symmetry --no-deadlock --invariant 'size Out < 2 orelse cf(p 5, Spare) = 0' --output trace.json
exits 1 "a question that names a colour"
says 'reduced by symmetry \(4 values of P\)' "tells it from the others"
run check good.cpnt --reduce symmetry --no-deadlock --ltl '[] <> {cf(p 3, Spare) = 1}' --output trace.json
exits 1 "a formula"
says 'reduced by symmetry \(4 values of P\)' "is asked as well"

net index 'guard x <> p 3' named
run check named.cpnt --reduce symmetry --output trace.json
says 'reduced by symmetry \(4 values of P\)' "an inscription that names one"
net index 'guard P.lt (x, y)' ordered
run check ordered.cpnt --reduce symmetry --output trace.json
tells 'no reduction by symmetry: values of P are not alike: ordered.cpnt:13: P.lt puts them in an order' "an order"
net index 'guard P.ord x <> P.ord y' tried
run check tried.cpnt --reduce symmetry --output trace.json
says 'reduced by symmetry \(5 values of P\)' "what treats all alike in the end"
net index 'guard P.ord x mod 2 = P.ord y mod 2' even
run check even.cpnt --reduce symmetry --output trace.json
says 'reduced by symmetry \(5 values of P in 2 kinds\)' "even and odd ones"
net scalarset 'guard P.lt (x, y)' ordered
run check ordered.cpnt
exits 3 "a scalarset has none"
tells "ordered.cpnt:13:11: error: transition Net'Go: the values of scalarset P are all alike, but P.lt puts them in an order" "and that is said, with its place"
net scalarset 'guard x <> p 3' named
run check named.cpnt
tells 'named.cpnt:13:16: error: .*but p\(3\) is named' "nor names"
net scalarset 'guard hd (P.all()) = x' listed
run check listed.cpnt
tells 'listed.cpnt:13:.*a multiset is taken as a list' "nor a first one"
run convert good.cpnt --output good.cpn
exits 0 "to CPN Tools"
run check good.cpn --reduce symmetry --output trace.json
says 'reduced by symmetry \(5 values of P\)' "it is an index set there"
run convert good.cpnt --output again.cpnt
grep -q 'colset P = scalarset p with 1..n;' again.cpnt
ok $? "and stays what it is in text"

# the report is one of the whole space
run check $MODELS/managers.cpnt --reduce symmetry
silent 'State space report' "no report on a part of the space"
run check $MODELS/managers.cpnt --reduce symmetry --space-report
says '29 states' "the verdict is about the part"
says 'State space  5,104 nodes, 20,426 arcs: full' "the report about the whole"

# The layout becomes wider twice in a row, and the states of a compact tree move twice: cycles are judged by what they are called now.
cat > wider.cpnt <<'END'
net "x"
declare
  colset P = index p with 1..4; colset Q = with q1 | q2;
  colset PAIR = product P * P; colset LIST = list P; colset BOX = union one : P + two : Q + none; colset REC = record who : P * kind : Q; colset N = int;
  var x, y : P; var u, v : Q; var w : PAIR; var l : LIST; var b : BOX; var r : REC; var k : N;
  fun others x = List.foldl (fn (z, all) => (if z = x then empty else 1`z) ++ all) empty (P.all());
  fun swap (x, y) = (y, x);

page Net
  place A0 : P
    initial P.all()
  place A1 : LIST
  place A2 : REC
    initial {who = p(2), kind = q2}
  place A3 : LIST
    initial [p(1)]
  transition T0
    take A0 : y
    take A3 : x :: l
    guard P.ord x <> P.ord y
    give A3 : if length l < 2 then (x) :: l else l
    give A0 : 1`(x)
  transition T1
    take A2 : r
    give A0 : empty
  transition T2
    take A2 : r
    give A3 : []
  transition T3
    take A0 : x
    take A3 : l
    give A2 : empty
    give A0 : others (x)
END
for store in plain compact-tree; do
  for how in none symmetry; do
    run check --reduce $how --store $store -p ltl:1 --ltl '<> [] {size A2 = 0}' wider.cpnt
    exits 0 "$store, $how: a formula that holds"
  done
done
# an exception tells which of two values comes first
cat > first.cpnt <<'END'
declare
  colset P = index p with 1..3; colset S = string; colset PP = product P * P; exception First; var x, y : P;
page Top
  place A : P
    initial P.all ()
  place B : PP
  place C : S
  transition Pick
    take A : x
    take A : y
    give B : (x, y)
  transition Look
    take B : (x, y)
    give C : if List.exists (fn z => if z = x then raise First else z = y) (P.all ()) handle First => false then "second" else "first"
END
for which in first second; do
  for how in none symmetry; do
    run check first.cpnt --reduce $how --no-deadlock --invariant "cf (\"$which\", C) = 0"
    exits 1 "$how: the $which may come first"
  done
done
finish
