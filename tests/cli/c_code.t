#!/bin/sh
# c_code.t -- C inside Promela models: nothing runs unasked, what is asked for runs as in SPIN's verifier.
#
# The counts are those of SPIN 6.5.2: spin -a -o1 -o2 -o3, -DSAFETY -DNOREDUCE -DNOCLAIM (it counts one transition more, the start).
. tests/cli/lib.sh
export XDG_CACHE_HOME="$WORK/cache"
cc=${THIMBLE_CC:-cc}

cat > hostile.pml <<'P'
byte x;
c_decl { __attribute__((constructor)) static void begin(void) { fclose(fopen("loaded", "w")); } }
active proctype P() {
  c_code { fclose(fopen("ran", "w")); };
  c_expr { fopen("asked", "w") != 0 } -> x = 1
}
P
for command in check info "graph -o g.dot" "simulate --random 3" "convert -o g.aut" "check --engine compiled" "check --engine interpreter" "check --json"; do
  run $command hostile.pml
  exits 3 "$command of a model with C"
  tells 'hostile.pml:2:1: error: the model holds C code' "$command says where"
  tells 'hint: .*--allow-c-code' "$command says what to do"
done
[ ! -e loaded ] && [ ! -e ran ] && [ ! -e asked ]; ok $? "nothing of it has run"
silent '^(holds|violated)' "there is no verdict"

printf 'byte x;\nactive proctype P() {\n  if :: c_expr { 1 } -> x = 1 fi\n}\n' > later.pml
run check later.pml
exits 3 "a single c_expr is C, too"
tells 'later.pml:3:9: error' "told where it stands"
printf 'inline f() { c_code { now.x = 1; } }\nbyte x;\nactive proctype P() { f() }\n' > inlined.pml
run check inlined.pml
exits 3 "in an inline as well"

run check hostile.pml --allow-c-code --engine interpreter
exits 3 "the interpreter alone cannot"
tells 'hostile.pml:2:1: error: the model holds C code, which the interpreter alone cannot run' "and says so"
THIMBLE_CC="$WORK/no-such-compiler" "$THIMBLE" check hostile.pml --allow-c-code > "$out" 2> "$err"
code=$?
exits 3 "without a C compiler"
tells 'hostile.pml:2:1: error: .*there is no C compiler' "and says so"
silent '^(holds|violated)' "without a verdict"
[ ! -e loaded ] && [ ! -e ran ]; ok $? "still nothing has run"

if ! echo 'int x;' | $cc -x c -c -o /dev/null - 2> /dev/null; then
  skip "running C" "no C compiler"
  finish
  exit 0
fi

run check hostile.pml --allow-c-code
exits 0 "with --allow-c-code"
[ -e loaded ] && [ -e ran ] && [ -e asked ]; ok $? "it has run"

# counts FILE STATES TRANSITIONS "what"
counts() {
  for engine in auto compiled; do
    run check "$1" --allow-c-code --no-deadlock --continue --json --engine $engine
    same "$(field states) $(field transitions)" "$2 $3" "$4 ($engine)"
  done
}

cat > mirror.pml <<'P'
typedef R { byte a; short b[2]; bit c };
bit flag; bool arr[3]; byte x = 3; short y; int z; unsigned u : 5; pid pp; R t; R ta[2];
c_code { static int twice(int v) { return 2 * v + now.t.b[1]; } }
active [2] proctype P() {
  byte i; bit k; short loc[3];
  do
  :: c_expr { PP->i < 2 } -> c_code { PP->i++; PP->loc[PP->i] = -PP->_pid - 1; now.z = twice(now.x); now.ta[1].b[0]--; now.arr[PP->_pid] = 1; }
  :: c_expr { now.u < 15 && PP->i == 1 } -> c_code { now.u += 7; now.flag = !now.flag; now.t.c++; now.y = -now.u; }
  :: else -> break
  od;
  x = z + t.b[0];
  atomic { c_code { now.x += 250; }; c_code { now.pp = now._nr_pr; } }
}
P
counts mirror.pml 733 1174 "variables of all types, arrays, records, functions"

cat > states.pml <<'P'
c_decl {
  typedef struct { int n; char mark; } Pair;
}
c_state "Pair pair" "Global"
c_state "int limit" "Global" "3"
c_state "unsigned short mine" "Local P" "7"
c_state "int calls" "Hidden"
active [2] proctype P() {
  do
  :: c_expr { now.pair.n < now.limit } -> c_code { now.pair.n++; PP->mine--; calls++; }
  :: c_expr { PP->mine > 5 } -> c_code { PP->mine -= 1; now.pair.mark ^= 1; }
  :: else -> break
  od
}
P
counts states.pml 560 1074 "c_state: global, local, hidden, with first values"

cat > firsts.pml <<'P'
byte n = 5; int x, y;
c_state "int m" "Global" "now.n + 1"
c_state "int k" "Local P" "now.n * 10 + PP->a + PP->b * 2 + PP->_pid"
c_state "int early" "Local Q" "now.m + now.n"
c_state "int other" "Local R" "100 / PR->a"
proctype P(byte a) { byte b = 3; x = c_expr { PP->k }; y = y + x }
proctype R(byte a) { skip }
active proctype Q() { c_code { now.n += PQ->early; } }
init { run P(1); n = 7; run P(2); (_nr_pr == 2); x = c_expr { now.m } }
P
counts firsts.pml 264 367 "first values are computed when a process is made, those of globals last"

cat > children.pml <<'P'
c_state "int depth" "Local Child" "1"
c_state "long total" "Global"
proctype Child(byte n) {
  pid p;
  if
  :: n > 0 -> p = run Child(n - 1); c_code { PChild->depth *= 3; now.total += PChild->depth; }
  :: else -> c_code { now.total = now.total * 2 - PChild->_pid; }
  fi
}
init { run Child(2); run Child(1); (_nr_pr == 1) -> c_code { now.total = -5000000000L; }; assert(c_expr { now.total < 0 }) }
P
counts children.pml 3735 7738 "c_state of processes that come and go"

cat > counter.pml <<'P'
c_decl { int cnt; };
c_track "&cnt" "sizeof(int)"
active [2] proctype P() { do :: c_expr { cnt < 3 } -> c_code { cnt++; } :: else -> break od }
P
counts counter.pml 31 48 "c_track"

cat > pool.pml <<'P'
c_decl {
\#include <math.h>
  struct node { int value; struct node *next; };
  struct node pool[3];
  double level = 1.5;
}
c_track "&pool[0]" "sizeof(pool)" "Matched"
c_track "&level" "sizeof(double)"
int got;
chan q = [2] of { byte };
proctype W(byte id) {
  byte v;
  do
  :: q?v -> d_step { c_code { pool[PW->id].value += PW->v; level = sqrt(level * level); }; got = got + v }
  :: timeout -> break
  od
}
init {
  byte i;
  atomic { run W(0); run W(1) };
  for (i : 1 .. 3) { q!i; c_code { pool[2].value = Pinit->i; } }
}
P
counts pool.pml 322 614 "c_track of records and doubles, d_step, a system header and library"

cat > pointer.pml <<'P'
c_decl { struct cell { int n; short m; }; struct cell room, *at; double half; }
c_track "at" "sizeof(struct cell)"
c_track "&at" "sizeof(at)"
c_track "&half" "sizeof half"
proctype W(byte k) { c_code { if (!at) { at = &room; at->n = at->m = 0; } }; c_code { at->n++; half += 0.5; } ; c_expr { at } -> c_code { if (at->n > 1) { at->m = -PW->k - at->n; } } }
init { run W(0); run W(1); run W(0); c_expr { half } -> c_code { half = 0; } }
P
counts pointer.pml 1425 3571 "a tracked pointer and what it points to; truth of pointers and fractions"

cat > meet.pml <<'P'
mtype = { red, green };
hidden int h;
mtype light = red;
chan c = [0] of { mtype, byte };
active proctype S() { byte n; do :: c_expr { PS->n < 4 } -> c!red,n; c_code { PS->n++; h = PS->n; } :: else -> break od }
active proctype T() { mtype m; byte k; do :: c?m,k -> c_code { now.light = PT->m; } od }
P
counts meet.pml 26 33 "beside rendezvous; mtype and hidden variables"

cat > guarded.pml <<'P'
int a[4] = 1;
inline bump(i) { c_code { now.a[PP->me]++; }; skip }
active [3] proctype P() provided (c_expr { now.a[0] < 4 }) {
  byte me; me = _pid; bump(me); bump(me);
  if :: c_expr { now.a[1] == 3 } :: c_expr { now.a[2] } && a[3] == 1 fi unless { c_expr { now.a[2] > 2 } ; c_code { now.a[3]--; } }
}
P
counts guarded.pml 616 1556 "in provided, unless, inlines and larger expressions"

cat > comments.pml <<'P'
byte x;
active proctype P() { c_code { // closes } here, don't "stop
  now.x = '{' == 123; /* } */ if (now.x) { now.x = strlen("}}{ // /*"); } };
  c_expr [1 // ]
    ] { now.x == 9 } -> x = 2 }
P
counts comments.pml 5 4 "brackets in comments and strings close nothing"

cat > truth.pml <<'P'
c_decl { long wide = 1L << 40; struct unknown *nobody; double half = 0.5; int v = 4; }
bit flag = 1; unsigned u : 5 = 3; int x;
active proctype P() provided (c_expr { wide }) {
  if :: c_expr { wide } -> x = 1 :: else fi;
  if :: x == 1 && c_expr { wide } && (x == 1 -> c_expr { wide } : 0) -> x = (c_expr { wide } -> 2 : 3) :: else fi;
  assert(c_expr { wide }); assert(!c_expr { nobody } && c_expr { half });
  assert(x == 2);
  c_expr { now.flag } -> x = c_expr { now.u }; assert(x == 3);
  x = c_expr { v } + c_expr { 2.75 }; assert(x == 6);
  x = c_expr { wide }; assert(x == 0)
}
P
counts truth.pml 16 15 "truth of wide values, bit fields as conditions and as numbers"
run check truth.pml --allow-c-code
exits 0 "with the values that they have in SPIN"

cat > hidden.pml <<'P'
hidden byte c, p, type, i[3], channels; hidden int pc, processes; byte x;
active proctype P() {
  d_step { c = 1; p = 2; type = 3; i[1] = 4; channels = 5; pc = 6; processes = 7; c_code { now.x = c + p + type + i[1] + channels + pc + processes; } };
  assert(x == 28)
}
P
run check hidden.pml --allow-c-code
exits 0 "hidden variables of any name have their values in C"

cat > condition.pml <<'P'
byte x;
active proctype A() {
  do
  :: c_code [now.x < 3] { now.x++; }
  :: x > 0 -> x--
  od
}
P
counts condition.pml 7 9 "a false precondition has no successor"
run check condition.pml --allow-c-code
exits 1 "and is an error"
says 'after 3 steps, the shortest there is' "found in the fewest steps"
printf 'byte x;\nactive proctype A() {\n  if :: c_expr [now.x == 1] { 1 } -> x = 2 :: x = 3 fi\n}\n' > condition2.pml
run check condition2.pml --allow-c-code
exits 1 "a false precondition of c_expr"

cat > formulas.pml <<'P'
c_decl { int cnt; long wide; }
c_track "&cnt" "sizeof(int)"
c_track "&wide" "sizeof(long)"
byte x;
active proctype P() { do :: x < 3 -> c_code { now.x++; cnt += 2; wide = (long)now.x << 33; } :: else -> break od }
ltl range { [] (c_expr { cnt <= 6 && now.x < 4 } && (c_expr { now.x } == x)) }
ltl never_four { [] !c_expr { cnt == 4 } }
ltl seven { <> (c_expr {
    cnt   /* twice x */
  } + 1 == 7) }
ltl alike { [] ((x > 0 -> c_expr { wide }) && (c_expr { wide } -> x > 0)) }
ltl again { []<> c_expr { cnt == 2 } }
P
run check formulas.pml --allow-c-code --continue -o t.json
exits 1 "C in formulas of the model"
for held in range seven alike; do says "ltl:$held +holds" "$held holds"; done
says 'ltl:never_four +violated.*after 4 steps, the shortest there is' "a formula that is broken"
says 'ltl:again +violated' "one that is broken by a run without end"
run check formulas.pml
exits 3 "none of it runs unasked"
run check formulas.pml --allow-c-code --no-claims --ltl '[] c_expr { cnt < 5 }'
exits 3 "C that is not in the model"
tells 'c_expr can be asked inside the model only' "is told"
printf 'byte x;\nactive proctype P() { byte y; y = 1 }\nltl p { [] c_expr { PP->y < 2 } }\n' > local.pml
run check local.pml --allow-c-code
exits 3 "variables of a process in a formula"
tells 'local.pml:3:20: error: C code of a formula cannot use variables of P' "are told"

cat > asserted.pml <<'P'
c_decl { int cnt; };
c_track "&cnt" "sizeof(int)"
active [2] proctype P() { c_code { cnt++; }; assert(c_expr { cnt < 2 }) }
P
run check asserted.pml --allow-c-code
exits 1 "an assertion about C memory"
says 'assert:3 +violated +after 3 steps, the shortest there is' "replayed and told"
run simulate asserted.pml --allow-c-code --random 2
exits 0 "simulate runs it"
run graph counter.pml --allow-c-code -f aut -o counter.aut
exits 0 "graph runs it"
same "$(head -n 1 counter.aut)" 'des (0, 48, 31)' "with all its edges"
run info counter.pml --allow-c-code
exits 0 "info reads it"

printf 'active proctype P() { c_code { printf("out %%d\\n", 1); puts("two"); putchar(51); fputs("four", stdout); Printf("five"); } }\n' > prints.pml
run check prints.pml --allow-c-code --json
exits 0 "C that prints"
silent 'out 1|two|four' "leaves standard output alone"
same "$(field states)" 3 "where the JSON is"
tells 'out 1' "and prints to standard error"
! grep -q five "$out" "$err"; ok $? "SPIN's Printf is silent"

for status in 0 1; do
  printf 'byte x;\nactive proctype P() { x = 1; c_code { if (now.x) exit(%d); } }\n' $status > leaves.pml
  run check leaves.pml --allow-c-code
  exits 3 "exit($status) in C is no verdict"
  tells "error: the C code of the model calls exit\\($status\\)" "and is told"
done

# What the compiler says is told with the place in the model.
printf 'int x;\nactive proctype P() {\n  c_code { now.x = 1;\n    now.y = 2; }\n}\n' > wrong.pml
run check wrong.pml --allow-c-code
exits 3 "C that does not compile"
tells "wrong.pml:4:[89]: error: the C compiler says: .*no member named 'y'" "is told at its place"
printf '#define V undefined_thing\nint x;\nactive proctype P() { c_code { now.x = V; } }\n' > macro.pml
run check macro.pml --allow-c-code
exits 3 "behind the preprocessor"
tells "macro.pml:3:40: error: the C compiler says: .*undefined_thing" "too"
printf 'active proctype P() { skip; c_code { nowhere(1); } }\n' > call.pml
run check call.pml --allow-c-code
exits 3 "a function that is not there"
tells 'call.pml:1:38: error: the C compiler says: .*nowhere' "is told"
printf 'c_decl { extern int nowhere(void); }\nactive proctype P() { c_code { nowhere(); } }\n' > link.pml
run check link.pml --allow-c-code
exits 3 "a function that is declared and not there"
tells 'link.pml:1:1: error: the C compiler says: .*nowhere' "is told"
printf 'c_track "&cnt" "sizeof(itn)"\nc_decl { int cnt; }\nactive proctype P() { c_code { cnt++; } }\n' > size.pml
run check size.pml --allow-c-code
exits 3 "a size that is none"
tells 'size.pml:1:24: error: .*itn' "is told"

# What cannot be had.
printf 'c_decl { int cnt; }\nc_track "&cnt" "sizeof(int)" "UnMatched"\nactive proctype P() { c_code { cnt++; } }\n' > unmatched.pml
run check unmatched.pml --allow-c-code
exits 3 "UnMatched"
tells 'unmatched.pml:2:31: error: .*order of the search' "is refused with a reason"
printf 'active proctype Q() { byte z; z = 1 }\nactive proctype P() { c_code { PQ->z++; } }\n' > foreign.pml
run check foreign.pml --allow-c-code
exits 3 "variables of another process type"
tells 'foreign.pml:2:31: error: C code of P cannot use variables of Q' "as in SPIN"
printf 'c_state "int a" "Local Zebra"\nactive proctype P() { skip }\n' > nobody.pml
run check nobody.pml --allow-c-code
exits 3 "c_state of no process type"
tells 'nobody.pml:1:18: error' "is told"
printf 'c_state "int a[3]" "Global" "{1}"\nactive proctype P() { skip }\n' > array.pml
run check array.pml --allow-c-code
exits 3 "an array with a first value"

# Memory that is no part of the state: what was seen once does not come again, which is said of the model and no contradiction of Thimble's.
cat > forgetful.pml <<'P'
c_decl { int calls; }
byte x;
active proctype P() {
  do
  :: c_code { calls++; now.x = calls % 7; }; assert(x != 5)
  od
}
ltl low { [] <> (x < 2) }
P
for way in "-p assert" "-p ltl:low" "-p low --search dfs" "--invariant x<5" "--continue" "--store compact-tree"; do
  run check forgetful.pml --allow-c-code $way
  exits 3 "C that depends on memory of its own, $way"
  tells 'forgetful.pml:1:1: error: .*the C of this model depends on more than the state' "is the model's fault"
  tells 'hint: .*c_track' "and can be mended"
done
run check forgetful.pml --allow-c-code --json -p assert
same "$(field verdict) $(field exit_code)" '"error" 3' "and in JSON"
sed 's/^byte/c_track "\&calls" "sizeof(int)"\nbyte/; s/calls++;/calls = (calls + 1) % 7;/' forgetful.pml > mindful.pml
run check mindful.pml --allow-c-code -p assert
exits 1 "tracked, the same model has a trace"

# Addresses are others in each run, so a checkpoint with some in its states fits no other one. (With setarch -R they are the same.)
cat > addresses.pml <<'P'
c_decl { int pool[3]; int *head = &pool[1]; }
c_track "&head" "sizeof(head)"
byte x;
active [2] proctype P() { do :: x = (x + 1) % 100; c_code { head = &pool[now.x % 3]; } od }
P
run check addresses.pml --allow-c-code --checkpoint kept --max-states 500
exits 4 "a model that keeps addresses, stopped"
run resume kept --allow-c-code
exits 3 "cannot be gone on with"
tells 'kept: error: the checkpoint does not fit the model' "is refused"
tells 'hint: .*addresses.*setarch -R' "with the reason, and what to do"

# Included files change: the C is compiled anew each time, and no text of it is kept.
mkdir folder
printf 'c_decl {\n\\#include "own.h"\n  static const char secret[] __attribute__((used)) = "not-for-the-cache";\n}\nint x;\nactive proctype P() { c_code { now.x = OWN; }; assert(x == 1) }\n' > folder/own.pml
echo 'enum { OWN = 1 };' > folder/own.h
run check folder/own.pml --allow-c-code --engine compiled
exits 0 "a header beside the model"
echo 'enum { OWN = 2 };' > folder/own.h
run check folder/own.pml --allow-c-code --engine compiled
exits 1 "another header, another verdict"
! grep -rqs not-for-the-cache "$WORK/cache"; ok $? "the cache has no C of the model"
[ -n "$(ls "$WORK/cache/thimble" 2> /dev/null)" ]; ok $? "generated statements are cached"
TMPDIR="$WORK/tmp"; mkdir "$TMPDIR"; export TMPDIR
run check counter.pml --allow-c-code
same "$(ls "$TMPDIR" | wc -l)" 0 "no file is left behind"

finish
