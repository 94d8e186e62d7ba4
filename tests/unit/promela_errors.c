/* promela_errors.c -- what is refused, with its place; several faults of one text; hostile texts. */
#include "unit/promela_read.h"

#include <signal.h>

static void refused(const char *what, int plus, const char *text, const char *want) {
  struct promela r;
  is(promela_text(&r, text, plus), -1, what);
  is_text(r.errors, want, "with its place");
  if (!promela_done(&r)) ok(0, "memory came back");
}

static void faults(void) {
  refused("an undeclared variable, with what is near", 0, "byte count;\ninit { cuont = 1 }\n",
          "2:8 the variable \"cuont\" is not declared\n");
  refused("two faults in one process", 0, "init {\n  x = 1;\n  y = 2\n}\n",
          "2:3 the variable \"x\" is not declared\n3:3 the variable \"y\" is not declared\n");
  refused("goes on after a syntax error", 0,
          "byte x;\ninit {\n  x = ;\n  x = 1;\n  if :: x == 1 -> ) :: else fi;\n  z = 3\n}\nproctype P() { x = 1 }\n",
          "3:7 expected an expression, found \";\"\n5:19 expected a statement, found \")\"\n6:3 the variable \"z\" is not "
          "declared\n");
  refused("a missing fi", 0, "byte x;\ninit {\n  if\n  :: x == 1 -> skip\n}\n",
          "5:1 expected \"fi\" to close the if of line 3, found \"}\"\n");
  refused("a missing separator", 0, "byte x;\ninit { x = 1 x = 2 }\n",
          "2:14 expected \";\" before the next statement, found \"x\"\n");
  refused("an index too many, and one too few", 0, "byte x, a[3];\ninit { x[1] = 1; a = 2 }\n",
          "2:9 this is not an array\n2:18 a is an array: an index is missing\n");
  refused("fields", 0, "typedef T { byte first; byte second };\nT t; byte x;\ninit { t.frist = 1; x.f = 2; t = 3 }\n",
          "3:10 T has no field \"frist\"\n3:22 this has no fields: it is a byte\n3:30 a record cannot be assigned as a whole\n");
  refused("no channel", 0, "byte x; chan c = [1] of {byte};\ninit { x!1; c!1,2; c = 3 }\n",
          "2:8 x is no channel\n2:24 a number is no channel\n");
  refused("declared twice", 0, "byte x;\ninit { byte x; skip }\n", "2:13 x is already declared at line 1\n");
  refused("labels", 0, "byte x;\ninit { goto there; here: x = 1; here: x = 2 }\n", "2:33 the label here is already defined\n");
  refused("a label that is missing", 0, "byte x;\ninit { goto there; here: x = 1 }\n", "2:8 there is no label there\n");
  refused("a label at the start of a block", 0, "byte x;\ninit { atomic { L: x = 1; goto L } }\n",
          "2:17 the label L cannot stand here: this is no state of its own\n");
  refused("break outside", 0, "init { break }\n", "1:8 break stands outside of any loop\n");
  refused("jumps and d_steps", 0, "byte x;\ninit { goto L; d_step { x = 1; L: x = 2 } }\n", "2:8 this jumps into a d_step\n");
  refused("a jump out of a d_step", 0, "byte x;\ninit { d_step { x = 1; goto L }; L: x = 2 }\n",
          "2:24 this jumps out of a d_step\n");
  refused("run", 0, "proctype P(byte a) { skip }\ninit { run P(); run Q(1) }\n",
          "2:8 P takes 1 parameter, here are 0\n2:17 there is no process type Q\n");
  refused("two elses", 0, "byte x;\ninit { if :: else -> x = 1 :: else -> x = 2 fi }\n", "2:31 there is a second else\n");
  refused("a recursive inline", 0, "inline f(a) { a = 1; f(a) }\nbyte x;\ninit { f(x) }\n",
          "1:22 f calls itself: inlines cannot be recursive\n");
  refused("arguments of an inline", 0, "inline f(a) { a = 1 }\nbyte x;\ninit { f(x, x) }\n",
          "3:8 f takes 1 argument, here are 2\n");
  refused("nothing runs", 0, "proctype P() { skip }\n",
          "1:1 no process is active: there is neither init nor an active process type\n");
  refused("an open string", 0, "init { printf(\"abc) }\n",
          "1:15 this string is not closed\n2:1 expected \")\", found the end of the file\n");
  refused("a huge number", 0, "init { assert(99999999999) }\n", "1:15 this number does not fit into 32 bits\n");
  refused("a wrong array", 0, "byte a[0]; byte b[-3]; int n;\ninit { skip }\n",
          "1:7 an array cannot have 0 elements\n1:18 an array cannot have -3 elements\n");
  refused("pointers are not Promela", 0, "bit * p;\ninit { skip }\n", "1:5 expected the name of a variable, found \"*\"\n");
  refused(
      "pointers", 1,
      "bit * p; byte * q; byte x;\nactive [1] proctype I() { p = x; p = q; x = p; p + 1 == 2; reset x; *x = 1; p = new byte }\n",
      "2:31 p is a pointer: it takes another pointer, new or null\n2:38 this points to something else than bit *\n2:45 a pointer "
      "is assigned to something that is none\n2:50 pointers can be compared by == and != only\n2:66 reset needs a pointer\n2:69 "
      "* needs a pointer\n2:81 this pointer points to bit\n");
  refused("loops of jumps", 0, "init { L: goto M; M: goto L }\n", "1:22 control goes round here without ever doing anything\n");
  refused("mtypes of different sets", 0, "mtype:a = {one}; mtype:b = {two};\nmtype:a v;\ninit { v = two }\n",
          "3:12 two is of the type b, not a\n");
  refused("a choice without options", 0, "init { if fi; do od; skip }\n",
          "1:11 there must be at least one option, begun by ::\n1:18 there must be at least one option, begun by ::\n");
  refused("unless in a d_step", 0, "byte x;\ninit { d_step { x = 1 unless x == 2 } }\n",
          "2:23 unless cannot be used in a d_step\n");
}

/* The line and the caret of the first error, and its hint. */
static void shown(void) {
  struct promela r;
  promela_text(&r, "byte count;\ninit {\n\tcuont = 1\n}\n", 0);
  is(r.err.kind, ERR_INPUT, "an error of the model");
  is_text(r.err.file, "t.pml", "its file");
  is(r.err.line, 3, "its line");
  is(r.err.column, 2, "its column");
  is_text(r.err.excerpt, " cuont = 1", "the line");
  is(r.err.caret, 1, "the caret");
  is_text(r.err.hint, "did you mean count?", "the hint");
  ok(promela_done(&r), "memory came back");
}

/* After macros the original text is shown. */
static void preprocessed(void) {
  struct promela r;
  promela_text(&r, "#define N 3\n#define SET(v) v = N\nbyte x;\ninit {\n  SET(x);\n  yy = N\n}\n", 0);
  is_text(r.errors, "6:3 the variable \"yy\" is not declared\n", "lines and columns before the preprocessor");
  is_text(r.err.excerpt, "  yy = N", "the line before the preprocessor");
  ok(promela_done(&r), "memory came back");
  promela_text(&r, "#error no\ninit { skip }\n", 0);
  is(r.err.line, 1, "an error of the preprocessor has its line");
  ok(promela_done(&r), "memory came back");
  is(promela_text(&r, "#define A B B\n#define B C C\n#define C D D\nbyte D; init { D = 1 }\n", 0), 0, "macros");
  ok(promela_done(&r), "memory came back");
}

static char *repeated(const char *before, const char *unit, size_t times, const char *after) {
  size_t n = strlen(unit), length = strlen(before) + times * n + strlen(after);
  char *text = malloc(length + 1), *at = text + sprintf(text, "%s", before);
  for (size_t i = 0; i < times; i++, at += n) memcpy(at, unit, n);
  strcpy(at, after);
  return text;
}

static void hostile(const char *what, const char *before, const char *unit, size_t times, const char *after) {
  struct promela r;
  char *text = repeated(before, unit, times, after);
  double start = cpu_now();
  ok(promela_text(&r, text, 0) && r.err.message[0], what);
  ok(cpu_now() - start < 10, "in good time");
  ok(r.error_count <= 20, "at most twenty errors");
  ok(promela_done(&r), "memory came back");
  free(text);
}

static void many(void) {
  hostile("parentheses", "byte x; init { x = ", "(", 100000, "1 }");
  hostile("signs", "byte x; init { x = ", "-", 100000, "1 }");
  hostile("blocks", "byte x; init ", "{", 100000, " x = 1 }");
  hostile("selections", "byte x; init { ", "if :: ", 100000, " x = 1 }");
  hostile("labels", "byte x; init { ", "a: ", 100000, " x = 1 }");
  hostile("a long sum", "byte x; init { x = 1", "+x", 100000, " }");
  hostile("errors", "init { ", "y = 1; ) ;", 10000, "}");
  hostile("indices", "byte a[2]; init { a", "[a", 100000, " = 1 }");
  hostile("fields", "byte x; init { x", ".x", 100000, " = 1 }");
  hostile("inlines that double", "byte x; inline a0() { x = 1 }",
          "inline b() { a0(); a0(); a0(); a0(); a0(); a0(); a0(); a0() } ", 2, "init { b() }");
  struct promela r;
  char text[8000] = "byte x; inline f0() { x = 1 }\n", *at = text + strlen(text);
  for (int i = 1; i < 30; i++) at += sprintf(at, "inline f%d() { f%d(); f%d(); f%d(); f%d() }\n", i, i - 1, i - 1, i - 1, i - 1);
  sprintf(at, "init { f29() }\n");
  ok(promela_text(&r, text, 0) == -1 && r.errors[0], "4^29 expansions are refused");
  ok(promela_done(&r), "memory came back");
  at = text + sprintf(text, "typedef T0 { byte x }\n");
  for (int i = 1; i < 200; i++) at += sprintf(at, "typedef T%d { T%d x }\n", i, i - 1);
  sprintf(at, "T199 v; init { skip }\n");
  ok(promela_text(&r, text, 0) == -1, "records in records");
  is_text(r.errors, "122:21 records are nested too deeply\n", "have an end");
  ok(promela_done(&r), "memory came back");
}

/* What is read and not looked after is said, so that nobody relies on it. */
static void warned(void) {
  struct promela r;
  ok(!promela_text(&r, "chan c = [1] of {byte};\nactive D_proctype P() {\n  xs c; xr c; c!1 }\nD_proctype Q() { skip }\n", 0), "a D_proctype is read");
  is_text(r.warnings, "2 D_proctype is read as proctype: whether its processes ever have a choice is not checked\n3 xs has no effect: it only helps partial order reduction\n", "with a warning, once");
  ok(promela_done(&r), "memory came back");
  ok(!promela_text(&r, "byte x; active proctype P() { timeout -> x = 1 }\nnever {\n  do :: timeout && x == 1 -> break :: !timeout od }\n", 0), "a claim that asks for a timeout is read");
  is_text(r.warnings, "3 timeout is false in a never claim\n3 timeout is false in a never claim\n", "with a warning, each time");
  ok(promela_done(&r), "memory came back");
}

/* Every request for memory refused once. */
static void memory(void) {
  static const char text[] = "mtype = {a, b}; typedef T { byte f; chan c = [1] of {byte} }; T t; chan q = [2] of {mtype, byte};\n"
                             "inline g(v) { v = 1 }\nactive proctype P() { byte x; do :: q!a,x; g(x) :: d_step { x = 1; x = 2 } "
                             ":: else -> break od unless t.f == 1 }\n";
  int wrong = 0;
  for (size_t n = 1; n < 400; n++) {
    struct promela r = {0};
    mem_open(&r.mem, (size_t)64 << 20);
    r.mem.fail_after = n;
    err_clear(&r.err);
    FILE *in = fmemopen((void *)(uintptr_t)text, sizeof text - 1, "r");
    struct front_setup setup = {.mem = &r.mem, .file = "t.pml", .input = in};
    int status = promela_read(&r.program, &setup, 0, &r.err);
    fclose(in);
    program_close(r.program);
    wrong += r.mem.used != 0 || (status && r.err.kind != ERR_MEMORY) || (!status && r.err.kind != ERR_NONE);
  }
  is(wrong, 0, "refused memory is told, and nothing is lost");
}

/* Where the ends of children are ignored, nobody knows whether the preprocessor failed. */
static void without_an_end(void) {
  void (*before)(int) = signal(SIGCHLD, SIG_IGN);
  refused("a preprocessor of which the end is not told", 0, "#error no\nbyte x;\nactive proctype P() { x = 1 }\n", "nobody tells how the preprocessor ended: No child processes\n");
  signal(SIGCHLD, before);
}

int main(void) {
  faults();
  shown();
  preprocessed();
  without_an_end();
  many();
  warned();
  memory();
  return done();
}
