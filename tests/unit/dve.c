/* dve.c -- the reader of DVE: what it takes, what it refuses and in which words, and that it survives a lack of memory. */
#include "front/dve/dve.h"
#include "front/dve/lexer.h"
#include "program_oracle.h"
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  struct mem mem;
  struct err err;
  struct front_setup setup;
  struct program *program;
  char warning[300];
  int warnings, errors, in_order;
  long last_line, last_column;
  struct err first;
};

static void hear_warning(void *context, struct place_in_text at, const char *message) {
  struct reading *r = context;
  (void)at;
  snprintf(r->warning, sizeof r->warning, "%s", message);
  r->warnings++;
}

static void hear_error(void *context, const struct err *e) {
  struct reading *r = context;
  if (!r->errors) r->first = *e;
  if (r->errors && (e->line < r->last_line || (e->line == r->last_line && e->column < r->last_column))) r->in_order = 0;
  r->last_line = e->line;
  r->last_column = e->column;
  r->errors++;
}

static int read_bytes(struct reading *r, const char *text, size_t length, size_t fail_after) {
  mem_open(&r->mem, 0);
  r->mem.fail_after = fail_after;
  err_clear(&r->err);
  r->setup.mem = &r->mem;
  r->setup.file = "model.dve";
  r->setup.input = length ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
  r->setup.warn = hear_warning;
  r->setup.error = hear_error;
  r->setup.warn_context = r->setup.error_context = r;
  r->in_order = 1;
  int status = dve_read(&r->program, &r->setup, &r->err);
  fclose(r->setup.input);
  return status;
}

static int read_text(struct reading *r, const char *text) { return read_bytes(r, text, strlen(text), 0); }

static int read_done(struct reading *r) {
  program_close(r->program);
  r->program = NULL;
  return r->mem.used == 0;
}

/* ---- lexer ------------------------------------------------------------------------------------------------------------ */

static void test_lexer(void) {
  static const char text[] = "byte x_1 = 12; // to the end\n/* over\nlines */ a->b => <= << && or \\ \n not \xe1";
  static const enum dve_word words[] = {DVE_BYTE,       DVE_NAME, DVE_SIGN, DVE_NUMBER, DVE_SIGN, DVE_NAME, DVE_ARROW, DVE_NAME,
                                        DVE_WIDE_ARROW, DVE_LE,   DVE_SHL,  DVE_AND,    DVE_OR,   DVE_NOT,  DVE_BAD,   DVE_END};
  struct dve_lexer l;
  size_t wrong = 0;
  long line = 0;
  dve_lexer_open(&l, text, sizeof text - 1);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    struct dve_token t = dve_lexer_next(&l);
    wrong += t.word != words[i];
    if (t.word == DVE_NUMBER) wrong += t.value != 12;
    if (t.word == DVE_NOT) line = t.line;
  }
  is(wrong, 0, "words, signs and comments");
  is(line, 4, "lines are counted through comments and continued lines");
  char out[20];
  is(dve_squeeze(out, sizeof out, " a /* x */\n  b // c\n", 20), 3, "blanks and comments become one space");
  is_text(out, "a b", "and nothing at the ends");
}

/* ---- what is refused ----------------------------------------------------------------------------------------------------- */

#define P(body) "process P { state p, q; init p; " body " }\nsystem async;\n"

static const struct bad {
  const char *what, *text;
  long line, column;
  const char *message, *hint;
} bad[] = {
    {"an empty file", "", 1, 1, "a process expected, but here is the end of the file", "system async"},
    {"no system line", "process P { state p; init p; }", 1, 31, "system expected", "system async"},
    {"no process", "byte x; system async;", 1, 22, "the model has no process", ""},
    {"a mistyped word", "proces P { state p; init p; } system async;", 1, 1, "a declaration, process or system expected",
     "process"},
    {"text after the end", P("") "byte x;", 3, 1, "the end of the file expected", ""},
    {"a synchronous system", "process P { state p; init p; } system sync;", 1, 39, "synchronous systems", ""},
    {"an open comment", P("") "/* never closed", 3, 1, "this comment is not closed", ""},
    {"a strange character", "byte x @ 3;" P(""), 1, 8, "not part of DVE", ""},
    {"a number too large", "int x = 2147483648;" P(""), 1, 9, "above 2147483647", ""},
    {"a name that begins with a digit", "int 2x;" P(""), 1, 5, "cannot begin with a digit", ""},
    {"a keyword as a name", "byte state;" P(""), 1, 6, "the name of a variable expected", "word of the language"},
    {"C's negation", "byte x;" P("trans p -> q { guard !x; };"), 1, 61, "an expression expected", "not"},
    {"an unknown variable", "byte count;" P("trans p -> q { guard cuont > 1; };"), 1, 65, "there is no variable \"cuont\"",
     "count"},
    {"an unknown state", P("trans p -> r {};"), 1, 44, "has no state \"r\"", ""},
    {"an unknown initial state", "process P { state p; init pp; } system async;", 1, 27, "has no state \"pp\"", "\"p\""},
    {"no initial state", "process P { state p; } system async;", 1, 9, "has no initial state", "init p"},
    {"no states", "process P { init p; } system async;", 1, 9, "has no states", ""},
    {"two initial states", P("init q;"), 1, 33, "has its initial state already", ""},
    {"a state declared twice", "process P { state p, p; init p; } system async;", 1, 22, "declared already", ""},
    {"a variable declared twice", "byte x;\nint x;\n" P(""), 2, 5, "declared already, in line 1", ""},
    {"a process declared twice", "process P { state p; init p; } process P { state p; init p; } system async;", 1, 40,
     "declared already", ""},
    {"a state as a variable", P("trans p -> q { guard q; };"), 1, 54, "there is no variable \"q\"", "P.q"},
    {"a channel as a variable", "channel c;" P("trans p -> q { guard c; };"), 1, 64, "is a channel, not a variable", ""},
    {"a variable as a channel", "byte c;" P("trans p -> q { sync c!; };"), 1, 60, "is a variable, not a channel", ""},
    {"an unknown process", P("trans p -> q { guard Q.a; };"), 1, 54, "there is no process \"Q\"", ""},
    {"an unknown state of a process", P("trans p -> q { guard P.a; };"), 1, 56, "has no state \"a\"", ""},
    {"an unknown foreign variable", P("trans p -> q { guard P->a; };"), 1, 57, "has no variable \"a\"", ""},
    {"an assignment to a constant", "const byte c = 1;" P("trans p -> q { effect c = 2; };"), 1, 72, "is a constant", ""},
    {"an assignment to an array of constants", "const byte c[2] = {1,2};" P("trans p -> q { effect c[0] = 2; };"), 1, 79,
     "is a constant", ""},
    {"a constant without a value", "const byte c;" P(""), 1, 12, "has no value", ""},
    {"an assignment to a state", P("trans p -> q { effect P.p = 2; };"), 1, 55, "can only be put into a variable", ""},
    {"++", "byte x;" P("trans p -> q { effect x++; };"), 1, 63, "\"=\" expected", "variable = expression"},
    {"an index on a scalar", "byte x;" P("trans p -> q { guard x[1]; };"), 1, 61, "is not an array", ""},
    {"an index out of range", "byte x[3];" P("trans p -> q { guard x[3]; };"), 1, 66, "the index is 3", ""},
    {"a negative index", "byte x[3];" P("trans p -> q { guard x[1-2]; };"), 1, 66, "the index is -1", ""},
    {"a division by zero", "byte x;" P("trans p -> q { guard x % 0; };"), 1, 63, "division by zero", ""},
    {"a division by zero in a first value", "byte x = 1 / 0;" P(""), 1, 12, "division by zero", ""},
    {"an array of no size", "byte x[0];" P(""), 1, 8, "must be from 1 to", ""},
    {"a huge array", "byte x[2000000000];" P(""), 1, 8, "must be from 1 to", ""},
    {"a size that varies", "byte n; byte x[n];" P(""), 1, 16, "must be a constant", ""},
    {"a list for a scalar", "byte x = {1};" P(""), 1, 10, "is not an array", ""},
    {"a scalar for a list", "byte x[2] = 1;" P(""), 1, 13, "is an array", "{ first"},
    {"a huge channel", "channel {byte} c[70000];" P(""), 1, 18, "the capacity of a channel is 70000", ""},
    {"fields that disagree", "channel c;" P("trans p -> q { sync c!1; }, q -> p { sync c!; };"), 1, 85,
     "with 0 values here, but with 1", ""},
    {"fields that contradict the type", "channel {byte} c[0];" P("trans p -> q { sync c!{1,2}; };"), 1, 73,
     "have 1 fields, but here are 2", ""},
    {"a constant received into", "channel c;" P("trans p -> q { sync c?3; };"), 1, 65, "can only be put into a variable", ""},
    {"a first transition without a source", P("trans -> q {};"), 1, 39, "must say where it begins", ""},
    {"a probabilistic transition", P("trans p => { q: 1 };"), 1, 41, "probabilistic", ""},
    {"two guards", P("trans p -> q { guard 1; guard 1; };"), 1, 57, "has its guard already", ""},
    {"an assertion about no state", P("assert r: 1;"), 1, 40, "has no state \"r\"", ""},
    {"an assertion false from the start", P("assert p: 1 == 2;"), 1, 43, "false in the initial state", ""},
    {"a property that is not there", "process P { state p; init p; } system async property Q;", 1, 54,
     "there is no process \"Q\"", ""},
    {"only a property", "process P { state p; init p; } system async property P;", 1, 54, "no process but its property", ""},
    {"the property's state from outside",
     "process P { state p; init p; trans p -> p { guard Q.q; }; }\nprocess Q { state q; init q; } system async property Q;", 1,
     51, "not part of the system", ""},
};

static void test_bad(void) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct reading r = {0};
    const struct bad *b = &bad[i];
    int status = read_text(&r, b->text);
    int good = status == -1 && !r.program && r.err.kind == ERR_INPUT && r.err.line == b->line && r.err.column == b->column &&
               strstr(r.err.message, b->message) && strstr(r.err.hint, b->hint) && r.errors >= 1 && r.err.caret >= 0 &&
               strcmp(r.first.message, r.err.message) == 0;
    if (!ok(good && read_done(&r), b->what))
      printf("#   got %d at %ld:%ld: %s (%s), %d errors, leaked %zu\n", status, r.err.line, r.err.column, r.err.message,
             r.err.hint, r.errors, r.mem.used);
    read_done(&r);
  }
}

static void test_recovery(void) {
  struct reading r = {0};
  is(read_text(&r,
               "byte x y;\nint z;\nprocess P { state p; init p;\n trans p -> p { guard x = 1; },\n  p -> p { efect z = 1; },\n"
               "  p -> p { sync ; effect z = 2; };\n}\nprocess Q { state ; init q; }\nsystem async;\n"),
     -1, "a text with many errors is refused");
  is(r.errors, 5, "each is told");
  ok(r.in_order, "in the order of the text");
  ok(r.err.line == 1 && r.err.column == 8, "the first is returned");
  ok(read_done(&r), "all memory comes back");

  memset(&r, 0, sizeof r);
  is(read_text(&r, "byte x;\nprocess P { state p; init p;\n trans p -> p { guard a; effect b = c; },\n  p -> r { sync d!; "
                   "};\n}\nsystem async;\n"),
     -1, "names that are missing");
  is(r.errors, 5, "each is told once");
  ok(r.in_order && r.last_line == 4, "in the order of the text");
  read_done(&r);

  char many[4000] = "";
  for (int i = 0; i < 100; i++) snprintf(many + strlen(many), sizeof many - strlen(many), "byte 1;\n");
  memset(&r, 0, sizeof r);
  is(read_text(&r, many), -1, "a hundred errors");
  is(r.errors, 20, "twenty are told");
  read_done(&r);
}

/* ---- hostile texts --------------------------------------------------------------------------------------------------------- */

static char *repeated(const char *before, const char *piece, size_t times, const char *after) {
  size_t length = strlen(piece);
  char *text = malloc(strlen(before) + length * times + strlen(after) + 1), *at = stpcpy(text, before);
  for (size_t i = 0; i < times; i++) at = stpcpy(at, piece);
  strcpy(at, after);
  return text;
}

static void refuses_deep(const char *before, const char *piece, size_t times, const char *after, const char *message,
                         const char *what) {
  struct reading r = {0};
  char *text = repeated(before, piece, times, after);
  int status = read_text(&r, text);
  if (!ok(status == -1 && r.err.kind == ERR_INPUT && strstr(r.err.message, message) && read_done(&r), what))
    printf("#   %ld:%ld: %s\n", r.err.line, r.err.column, r.err.message);
  read_done(&r);
  free(text);
}

static void test_hostile(void) {
  refuses_deep("byte x = ", "(", 100000, ";", "more than 200 deep", "brackets without end");
  refuses_deep("byte x = ", "- ", 100000, "1;", "more than 200 deep", "signs without end");
  refuses_deep("byte x; process P { state p; init p; trans p -> p { guard ", "x[", 100000, "}", "more than 200 deep",
               "indices without end");
  refuses_deep("byte x = 1", " + 1", 100000, ";", "chained more than 2000 deep", "a sum without end");
  refuses_deep("", "byte a[1000000]; ", 1,
               "byte a2[1000000], a3[1000000], a4[1000000], a5[1000000]; process P { state p; init p; } system async;",
               "more than 4194304 variables", "more variables than there is room for");
  struct reading r = {0};
  char *text = repeated("byte x = 1", " + 1", 1900, "; process P { state p; init p; } system async;");
  is(read_text(&r, text), 0, "a long sum is fine");
  read_done(&r);
  free(text);
  memset(&r, 0, sizeof r);
  is(read_bytes(&r, "byte x\0;", 8, 0), -1, "a zero byte is refused");
  read_done(&r);
}

/* ---- what is taken -------------------------------------------------------------------------------------------------------- */

static const char everything[] =
    "/* \xe8 in an old encoding */ const int N = 2; byte done, a[N] = {1, N + 1};\n"
    "channel c, d; channel {byte, int} b[N]; channel {byte} t[0];\n"
    "process P { byte x = a[1]; int y; channel own;\n"
    " state p, q, done; init p; commit q; accept buchi p; assert p: x >= 0, q: Q.r or true;\n"
    " trans p -> q { guard x == 3 and not Q.s; sync c!; effect done = 1; },\n"
    "  -> done { sync b!{x, y}; } q -> p { sync own!x; },\n"
    "  done -> p { sync t!x; effect y = Q->v; }; }\n"
    "process Q { byte v; state r, s; init r; accept muller (r, s), (); trans r -> s { sync c?; }, s -> r { sync b?{v, a[1]}; },\n"
    "  s -> s { sync P->own?v; }, r -> r { sync t?v; }, r -> r { guard a == 1; sync d!; }; }\n"
    "process L { state l; init l; accept l; trans l -> l { guard P->x == 3; }; }\n"
    "system async property L;\n";

static void test_program(void) {
  struct reading r = {0};
  if (!ok(read_text(&r, everything) == 0, "a model with everything")) {
    printf("#   %ld:%ld: %s\n", r.err.line, r.err.column, r.err.message);
    return;
  }
  const struct program *p = r.program;
  is(p->procs.count, 3, "three processes");
  is(p->start.count, 2, "the property is not started");
  ok(p->procs.at[2].is_claim && !p->procs.at[0].is_claim, "but kept as a claim");
  is(r.warnings, 2, "muller and the array without an index are warned about");
  is_text(p->labels.at[2].name, "done", "states are labels");
  ok(p->states.at[0].flags == IR_ACCEPT && p->states.at[1].flags == IR_COMMITTED, "accepting and committed states");
  const struct ir_trans *t = &p->trans.at[p->states.at[0].trans];
  is_text(t->text, "p -> q { guard x == 3 and not Q.s; sync c!; effect done = 1; }", "a transition as it was written");
  is(t[1].from, 0, "a transition without a source begins where the one before began");
  is(t->place.line, 5, "and knows its line");
  struct program_oracle o = program_oracle_explore(p, 10000);
  ok(o.complete && !o.unsupported && o.states > 3 && !o.faults, "it can be explored");
  program_oracle_free(&o);
  ok(read_done(&r), "all memory comes back");
}

static void test_define(void) {
  struct reading r = {0};
  struct front_override define = {"N", "3"}, unknown = {"M", "3"}, text = {"N", "x"};
  static const char model[] =
      "const byte N = 2; byte a[N]; process P { state p; init p; trans p -> p { effect a[0] = N; }; } system async;";
  r.setup.defines = &define;
  r.setup.define_count = 1;
  is(read_text(&r, model), 0, "--define changes a constant");
  is(r.program->decls.at[1].count, 3, "also as the size of an array");
  read_done(&r);
  r.setup.defines = &unknown;
  ok(read_text(&r, model) == -1 && r.err.kind == ERR_USAGE && strstr(r.err.message, "no constant \"M\""),
     "an unknown constant is refused");
  ok(read_done(&r), "all memory comes back");
  r.setup.defines = &text;
  ok(read_text(&r, model) == -1 && r.err.kind == ERR_USAGE, "a text as its value is refused");
  read_done(&r);
}

static void test_starved(void) {
  size_t n = 0, wrong = 0;
  for (int through = 0; !through && n < 5000;) {
    struct reading r = {0};
    int status = read_bytes(&r, everything, sizeof everything - 1, ++n);
    through = status == 0 && r.mem.fail_after != 0;
    wrong += status && (r.err.kind != ERR_MEMORY || r.program);
    wrong += !read_done(&r);
  }
  ok(!wrong && n > 20, "every allocation refused once: an error, and no leak");
  printf("#   %zu allocations\n", n - 1);
}

/* Assertions stand where they can be broken: behind other processes too, and in a rendezvous behind the sender. */
static void test_assertions(void) {
  static const struct {
    const char *text;
    size_t asserts;
    const char *what;
  } models[] = {
      {"byte x; process P { state p, q; init p; assert q: x == 0; trans p -> q {}; }\n"
       "process R { state r, s; init r; trans r -> s { effect x = 1; }; } system async;",
       2, "broken by another process, and on arrival"},
      {"byte x; channel c; process P { state p, q; init p; assert q: x == 1; trans p -> q { sync c?; }; }\n"
       "process S { state s, t; init s; trans s -> t { sync c!; effect x = 1; }; } system async;",
       0, "kept by the sender, who acts last"},
      {"byte x; channel c; process P { state p, q; init p; assert q: x == 1; trans p -> q { sync c?x; }; }\n"
       "process S { state s, t; init s; trans s -> t { sync c!2; }; } system async;",
       1, "broken by what is received"},
      {"process P { state p, q; init p; assert q: not R.s; trans p -> q {}; }\n"
       "process R { state r, s; init r; trans r -> s {}; } system async;",
       2, "broken by another's state"},
      {"channel c; process P { state p, q; init p; assert q: not R.s; trans p -> q { sync c!; }; }\n"
       "process R { state r, s; init r; trans r -> s { sync c?; }; } system async;",
       1, "broken by both at once"},
      {"byte x; process P { state p, q; init p; assert p: x < 2; trans p -> q {}, p -> p { guard x < 3; effect x = x + 1; }; } "
       "system async;",
       2, "broken by its own effects: twice in p, not in q"},
  };
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    struct reading r = {0};
    if (!ok(read_text(&r, models[i].text) == 0, models[i].what)) continue;
    struct program_oracle o = program_oracle_explore(r.program, 1000);
    is(o.asserts, models[i].asserts, models[i].what);
    program_oracle_free(&o);
    read_done(&r);
  }
}

int main(void) {
  test_lexer();
  test_bad();
  test_recovery();
  test_hostile();
  test_program();
  test_define();
  test_starved();
  test_assertions();
  return done();
}
