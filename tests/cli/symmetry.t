#!/bin/sh
# symmetry.t -- check --reduce symmetry on programs: what is alike, why something is not, real names in runs; scalarsets.
. tests/cli/lib.sh
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
fewer() { # file most "what"
  run check --json --reduce symmetry --output trace.json "$1"
  states=$(number states)
  [ "$states" -le "$2" ]
  ok $? "$3: $states states, at most $2"
}

cat > peterson.pml <<'EOF'
bool flag[2]; byte turn; byte c;
active [2] proctype P() {
  do
  :: flag[_pid] = 1; turn = _pid; (flag[1-_pid] == 0 || turn == 1 - _pid);
     c++; assert(c == 1); c--; flag[_pid] = 0
  od
}
EOF
run check --json --reduce none peterson.pml
all=$(number states)
fewer peterson.pml $(((all + 2) / 2)) "1 - _pid is fine for two processes"
exits 0 "and nothing is wrong"

cat > ids.pml <<'EOF'
byte owner = 255; bool in[4]; byte n;
proctype P(byte id) {
  atomic { owner == 255 -> owner = id; in[id] = 1 };
  n++; assert(owner == id);
  n--; in[id] = 0; owner = 255;
}
init { atomic { run P(0); run P(1); run P(2); run P(3) } }
EOF
fewer ids.pml 30 "numbers in parameters, processes that end"
exits 0 "and nothing is wrong"

cat > ring.pml <<'EOF'
#define N 4
chan q[N] = [1] of { byte };
active [N] proctype node() {
  byte x;
  if :: _pid == 0 -> q[0]!1 :: else fi;
  do :: q[_pid]?x -> q[(_pid+1)%N]!x od
}
EOF
run check --reduce symmetry ring.pml
tells 'processes of node are not alike: ring.pml:6: `q\[\(_pid\+1\)%4\]!x`' "a ring is refused with its statement"

# A choice between all values prefers none; but it is made for one element of an array, and inside a d_step the first value is taken.
twice() { # "statement" "what": that makes the same process go on, done twice
  printf 'byte a[3]; pid x;\n%s\nactive proctype Q() { %s; %s }\n' \
    'active [3] proctype P() { byte n; (a[_pid] == 2); atomic { a[_pid] = 0; n = 1 }; (a[_pid] == 2); assert(false) }' "$1" "$1" > twice.pml
  run check --json --reduce symmetry -p assert twice.pml
  exits 1 "$2"
}
for k in 0 1 2; do
  twice "if :: a[$k] = 0 :: a[$k] = 1 :: a[$k] = 2 fi" "a choice for element $k of an array"
  twice "d_step { skip; if :: x = $k :: x = ($k + 1) % 3 :: x = ($k + 2) % 3 fi; a[x] = 2 }" "a choice in a d_step, where it is always $k"
done

# Channels of processes go with them, and their numbers change: whoever calculates with them, or uses them as indices, sees that.
number_of() { # "statements that only one process does" "what": with the number of its channel, 1 or 2
  printf 'bit t = 1; byte a[3];\nactive [2] proctype P() { chan me = [1] of { bit }; byte x = me; byte n; atomic { t == 1 -> t = 0; n = 1 }; %s; assert(false); do :: false od }\n' "$1" > number.pml
  run check --json --reduce symmetry -p assert number.pml
  exits 1 "$2"
  says '"reductions": *\[\]' "$2: nothing is exchanged"
}
for k in 0 1; do
  number_of "(me % 2 == $k)" "a channel by its number, $k modulo 2"
  number_of "(-x == -1 - $k)" "a number that a channel had before, $k"
done
number_of 'a[me] = 1; (a[me] == 1)' "a channel as an index"

cat > server.pml <<'EOF'
mtype = { req, ack, rel };
chan srv = [2] of { mtype, chan, pid };
active proctype server() { chan c; pid who; do :: srv?req,c,who -> c!ack; srv?rel,_,eval(who) od }
active [3] proctype client() { chan me = [1] of { mtype }; do :: srv!req,me,_pid; me?ack; srv!rel,me,_pid od }
EOF
run check --reduce symmetry server.pml
exits 1 "channels of processes in messages: the deadlock is found"
says 'client\[[123]\] waits at server.pml:4: srv!rel' "in the names of real processes"
says 'reduced by symmetry \(processes of client\)' "and it is said what was exchanged"
run check --json --reduce none server.pml
all=$(number states)
fewer server.pml $((all / 3)) "channels and numbers in messages"

run check --json --reduce symmetry --invariant 'flag[0] == 0 || turn < 2' peterson.pml
one=$(number states)
run check --json --reduce none --invariant 'flag[0] == 0 || turn < 2' peterson.pml
[ "$one" = "$(number states)" ]
ok $? "an invariant that names one process tells it from the other"

cat > values.pml <<'EOF'
scalarset(4) who, x; bool used[4]; chan c = [2] of { scalarset(4) };
active proctype A() { scalarset(4) k;
  do :: select (k : 0 .. 3); (!used[k]); used[k] = true; c!k :: c?who; used[who] = false od }
active proctype B() { scalarset(4) j; do :: j = who; if :: j == x :: else -> x = j fi od }
EOF
fewer values.pml 1006 "scalarset(4), 21632 states without symmetry"
exits 0 "which holds"
run check --reduce none --json values.pml
[ "$(number states)" = 21632 ]
ok $? "a scalarset is a byte without symmetry"
wrong() { # text "what"
  printf '%s\n' "scalarset(4) x; byte y; byte a[3]; active proctype A() { $1 }" > wrong.pml
  run check wrong.pml
  exits 3 "$2"
  tells "wrong.pml:1:[0-9]+: error: .*scalarset\(4\)" "$2: with its place"
}
wrong 'y = x + 1' "no arithmetic"
wrong 'x < 2' "no order"
wrong 'x == 2' "no constant beside =="
wrong 'x = 2' "no constant but by choice"
wrong 'y = x' "no number from it"
wrong 'a[x] = 1' "no array of another size"
printf 'scalarset(99) x; active proctype A() { skip }\n' > wrong.pml
run check wrong.pml
tells 'wrong.pml:1:1: error: a scalarset has between 1 and 64 values, not 99' "not more than 64 values"
printf 'byte y; inline scalarset(x) { y = x }\nactive proctype A() { scalarset(4) }\n' > mine.pml
run check mine.pml
exits 0 "the word is no keyword"
finish
