/* promela_flow.c -- control flow: which places of a text are states, and what leads where.  Each automaton was compared with what
 * `pan -d` prints after spin -a -o1 -o2 -o3: same states, same transitions in the same order, same atomic flags and labels. */
#include "unit/promela_read.h"

static void flow(const char *what, const char *text, const char *want) {
  static char got[8000];
  struct promela r;
  if (promela_text(&r, text, 0)) printf("# %s", r.errors);
  is_text(r.program ? promela_automaton(r.program, 0, got, sizeof got) : r.errors, want, what);
  if (!promela_done(&r)) ok(0, "memory came back");
}

static void sequences(void) {
  flow("statements", "byte x; init { x = 1; skip; x == 1 -> assert(x) }",
       "start 0\n0>1 x = 1\n1>2 skip\n2>3 (x==1)\n3>4 assert(x)\n4e>0x -end-\n");
  flow("an assertion that runs", "init { if :: assert(run P(2)) :: else fi; skip } proctype P(byte b) { b == 0 }",
       "start 0\n0>1 assert(run P(2))\n0>1e else\n1>2 skip\n2e>0x -end-\n");
  flow("initialised at the start: no step", "init { byte x = 1; byte y; x = 2; }", "start 0\n0>1 x = 2\n1e>0x -end-\n");
  flow("declared in the middle: a step each", "init { skip; byte x = 1; byte y; x = 2; }",
       "start 0\n0>1 skip\n1>2 x = 1\n2>3 y = 0\n3>4 x = 2\n4e>0x -end-\n");
  flow("a block", "byte x; init { { x = 1; x = 2 }; x = 3 }", "start 1\n0>2 x = 2\n1>0 x = 1\n2>3 x = 3\n3e>0x -end-\n");
  flow("a jump over states", "byte x; init { x = 1; goto L; x = 2; L: x = 3 }", "start 0\n0>1 x = 1\n1>2 x = 3\n2e>0x -end-\n");
  flow("a label for the end of a process", "byte x; init { x = 1; goto L; x = 2; L: }",
       "start 0\n0>1 x = 1\n1>2 skip\n2e>0x -end-\n");
  flow("the end of a line separates",
       "byte x\ninit {\n  x = 1\n  x++\n  if\n  :: x > 1 -> x = 2\n  :: else x = 3\n  fi\n  x = 4\n}",
       "start 0\n0>1 x = 1\n1>4 x = x+1\n2>5 x = 2\n3>5 x = 3\n4>2 (x>1)\n4>3e else\n5>6 x = 4\n6e>0x -end-\n");
  flow("an inline, twice", "byte x; inline f(a, b) { a = a + b; a = 1 } init { f(x, 2); f(x, x) }",
       "start 1\n0>3 x = 1\n1>0 x = x+2\n2>4 x = 1\n3>2 x = x+x\n4e>0x -end-\n");
}

static void choices(void) {
  flow("if with else in the middle", "byte x; init { if :: x == 1 -> x = 2 :: else -> x = 3 :: x == 4 fi }",
       "start 2\n0>3 x = 2\n1>3 x = 3\n2>0 (x==1)\n2>3 (x==4)\n2>1e else\n3e>0x -end-\n");
  flow("do with break and a label for its state", "byte x; init { end: do :: x < 3 -> x++ :: break od; x = 5 }",
       "start 1\n0>1 x = x+1\n1e>0 (x<3)\n1e>2 break\n2>3 x = 5\n3e>0x -end-\n");
  flow("an option that is never possible", "byte x; init { if :: false -> x = 1 :: x = 2 fi }",
       "start 0\n0>1 x = 2\n1e>0x -end-\n");
  flow("an if in an if", "byte x; init { if :: if :: x == 1 :: x == 2 fi; x = 3 :: x == 4 fi }",
       "start 1\n0>2 x = 3\n1>0 (x==1)\n1>0 (x==2)\n1>2 (x==4)\n2e>0x -end-\n");
  flow("a do in a do", "byte x; init { do :: do :: x == 1 -> break :: x == 2 od :: x == 4 -> break od }",
       "start 1\n0>1 (x==1)\n0>0 (x==2)\n1>1 (x==1)\n1>0 (x==2)\n1>2 (x==4)\n2e>0x -end-\n");
  flow("skips in a row", "byte x; init { if :: x == 1; skip; skip; skip; x = 2 fi }",
       "start 2\n0>1 skip\n1>3 x = 2\n2>0 (x==1)\n3e>0x -end-\n");
  flow("a labelled jump becomes a step", "byte x; init { do :: x == 1 -> accept: goto L :: x = 2 od; L: x = 3 }",
       "start 1\n0a>2 skip\n1>0 (x==1)\n1>1 x = 2\n2>3 x = 3\n3e>0x -end-\n");
}

static void atomics(void) {
  flow("atomic", "byte x; init { atomic { x = 1; x = 2; x = 3 }; x = 4 }",
       "start 2\n0>A1 x = 2\n1>3 x = 3\n2>A0 x = 1\n3>4 x = 4\n4e>0x -end-\n");
  flow("a jump out of atomic is a step", "byte x; init { L: x = 0; atomic { x = 1; goto L; x = 2 } }",
       "start 0\n0>2 x = 0\n1>0 goto L\n2>A1 x = 1\n");
  flow("a jump from atomic to atomic",
       "byte x; init { L: atomic { x = 0; x = 5 }; atomic { x = 1; if :: goto L :: skip fi; x = 2 } }",
       "start 1\n0>5 x = 5\n1>A0 x = 0\n2>1 goto L\n2>A3 skip\n3>A4 goto\n4>6 x = 2\n5>A2 x = 1\n6e>0x -end-\n");
  flow("a choice at the end of atomic", "byte x; init { atomic { x = 1; if :: x = 2 :: x = 3 fi }; x = 4 }",
       "start 2\n0>A1 x = 2\n0>A1 x = 3\n1>3 goto\n2>A0 x = 1\n3>4 x = 4\n4e>0x -end-\n");
  flow("a loop in atomic", "byte x; init { atomic { do :: x < 3 -> x++ :: else -> break od; x = 9 } }",
       "start 4\n0>A1 x = x+1\n1>A0 (x<3)\n1>A2e else\n2>A3 goto\n3>5 x = 9\n4>A0 (x<3)\n4>A2e else\n5e>0x -end-\n");
  flow("a d_step", "byte x; init { d_step { x = 1; if :: x == 1 -> x = 2 :: else fi; x = 3 }; x = 4 }",
       "start 0\n0>D3 x = 1\n1>2 x = 4\n2e>0x -end-\n3>D4 (x==1)\n3>D5 else\n4>D5 x = 2\n5>1 x = 3\n");
  flow("a d_step that begins with a choice", "byte x; init { d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi } }",
       "start 0\n0>D2 (x==1)\n0>D3 else\n1e>0x -end-\n2>1 x = 2\n3>1 x = 3\n");
  flow("a d_step in atomic", "byte x; init { atomic { d_step { x = 1; x = 2 }; x = 3 } }",
       "start 1\n0>2 x = 3\n1>D3 x = 1\n2e>0x -end-\n3>A0 x = 2\n");
}

static void escapes(void) {
  flow("unless", "byte x; init { { x = 1; x = 2 } unless { x == 5; x = 6 }; x = 7 }",
       "start 0\n0>2u (x==5)\n0>1 x = 1\n1>2u (x==5)\n1>3 x = 2\n2>3 x = 6\n3>4 x = 7\n4e>0x -end-\n");
  flow("unless in unless", "byte x; init { { { x = 1 } unless { x == 2 } } unless { x == 3 } }",
       "start 0\n0>1u (x==3)\n0>1u (x==2)\n0>1 x = 1\n1e>0x -end-\n");
  flow("a loop with an escape", "byte x; init { do :: x = 1 :: x == 2 -> break od unless { x == 5 -> x = 6 } }",
       "start 1\n0>2 x = 6\n1>0u (x==5)\n1>1 x = 1\n1>2 (x==2)\n2e>0x -end-\n");
}

static void loops(void) {
  flow("for", "byte i; byte x; init { for (i : 1 .. 3) { x = i } }",
       "start 0\n0>3 i = 1\n1>2 x = i\n2>3 i = i+1\n3>1 (i<=3)\n3>4e else\n4e>0x -end-\n");
  flow("for over an array", "byte i; byte a[4]; init { for (i in a) { a[i] = 1 } }",
       "start 0\n0>3 i = 0\n1>2 a[i] = 1\n2>3 i = i+1\n3>1 (i<=3)\n3>4e else\n4e>0x -end-\n");
  flow("for over a channel", "typedef M { byte f; byte g }; M m; byte x; chan c = [2] of {M}; init { for (m in c) { x = m.f } }",
       "start 0\n0>5 _count = 0\n1>2 c?m\n2>3 c!m\n3>4 x = m.f\n4>5 _count = _count+1\n5>1 (_count<len(c))\n5>6e else\n6e>0x "
       "-end-\n");
  flow("select from few", "byte i; init { select (i : 1 .. 3) }", "start 0\n0>1 i = 1\n0>1 i = 2\n0>1 i = 3\n1e>0x -end-\n");
  flow("select between values", "byte i; byte n; init { select (i : 1 .. n) }",
       "start 0\n0>2 i = 1\n1>2 i = i+1\n2>3 break\n2>1 (i<n)\n3e>0x -end-\n");
}

int main(void) {
  sequences();
  choices();
  atomics();
  escapes();
  loops();
  return done();
}
