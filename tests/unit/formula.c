/* formula.c -- formulas: what is read, what is refused with which words and where, classes, rewriting, refused memory. */
#include "tap.h"

#include "prop/atoms.h"
#include "prop/translate.h"

#include <stdlib.h>

static struct mem mem;
static struct err err;
static struct formulas *fs;
static struct atoms atoms;

static formula parse_as(const char *text, enum formula_grouping grouping, int branching) {
  struct formula_reader reader = {
      .what = "--ltl", .grouping = grouping, .branching = branching, .atom = atoms_add, .context = &atoms};
  formula f;
  err_clear(&err);
  return formula_parse(fs, &f, text, &reader, &err) ? FORMULA_NONE : f;
}

static formula parse(const char *text) { return parse_as(text, GROUP_USUAL, 0); }

static void prints(formula f, const char *want, const char *what) {
  char *text = f == FORMULA_NONE ? NULL : formula_print(fs, f, SPELL_USUAL, atoms_text, &atoms);
  if (!text) printf("# %s: column %ld: %s\n", what, err.column, err.message);
  is_text(text, want, what);
  mem_free(&mem, text);
}

#define reads(text, want) prints(parse(text), want, text)
#define reads_spin(text, want) prints(parse_as(text, GROUP_SPIN, 0), want, "spin: " text)
#define reads_promela(text, want) prints(parse_as(text, GROUP_PROMELA, 0), want, "ltl block: " text)
#define reads_ctl(text, want) prints(parse_as(text, GROUP_USUAL, 1), want, "ctl: " text)

static void test_spellings(void) {
  reads("[] p", "G p");
  reads("always p", "G p");
  reads("<>[]p", "F G p");
  reads("eventually (not p)", "F !p");
  reads("p until q", "p U q");
  reads("p stronguntil q", "p U q");
  reads("p weakuntil q", "p W q");
  reads("p V q", "p R q");
  reads("p release q", "p R q");
  reads("p M q", "p M q");
  reads("next p implies q", "X p -> q");
  reads("p equivalent q", "p <-> q");
  reads("p <=> q", "p <-> q");
  reads("p => q", "p -> q");
  reads("~p and q or r", "(!p & q) | r");
  reads("! p && q || r", "(!p & q) | r");
  reads("1 U p", "true U p");
  reads("0", "false");
  reads("true && false", "false");
}

static void test_binding(void) {
  reads("a U b U c", "a U (b U c)");
  reads("a -> b -> c", "a -> (b -> c)");
  reads("a <-> b <-> c", "(a <-> b) <-> c");
  reads("a -> b <-> c", "(a -> b) <-> c");
  reads("a && b U c || d", "(a & (b U c)) | d");
  reads("[] a -> <> b", "G a -> F b");
  reads("! a U b", "!a U b");
  reads_spin("a U b U c", "(a U b) U c");
  reads_spin("a -> b -> c", "(a -> b) -> c");
  reads_spin("a <-> b -> c", "(a <-> b) -> c");
  reads_spin("a || b && c", "a | (b & c)");
  reads_promela("a U b U c", "(a U b) U c");
  reads_promela("a -> b <-> c", "(a -> b) <-> c");
}

/* What is printed is read as the same formula. */
static int survives(const char *text) {
  formula f = parse(text);
  char *printed = f == FORMULA_NONE ? NULL : formula_print(fs, f, SPELL_USUAL, atoms_text, &atoms);
  int good = printed && parse(printed) == f && parse_as(printed, GROUP_SPIN, 0) == f;
  if (!good) printf("# %s is printed as %s\n", text, printed ? printed : "nothing");
  mem_free(&mem, printed);
  return good;
}

/* Conditions may be called like operators: brackets tell them apart where nothing else does. */
static void test_names_of_operators(void) {
  static const char *const words[] = {"X", "G", "F", "U", "V", "R", "W", "M", "not", "next", "until", "and", "or", "implies", "p"};
  static const char *const shapes[] = {"[] (%s) U (%s)", "(%s) U [] (%s)", "!(%s) && (%s)", "X X (%s) -> (%s)", "((%s) R (%s)) && q", "<> ((%s) -> [] (%s)) U q"};
  size_t wrong = 0, words_count = sizeof words / sizeof *words;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (size_t i = 0; i < words_count * words_count; i++) {
      char text[100];
      snprintf(text, sizeof text, shapes[s], words[i / words_count], words[i % words_count]);
      if (parse(text) != FORMULA_NONE) wrong += !survives(text);
    }
  is(wrong, 0, "conditions that are called like operators are printed and read again");
  ok(survives("[]U U (b & G c)"), "one that fuzzing found");
  ok(survives("[] <> {a <> b} && !{x = [1, 2]} U {f x}"), "conditions in braces");
  ok(parse("[] <> {a <> b}") == parse("G F {a <> b}"), "are one condition each");
  ok(parse("{a} == {b}") == FORMULA_NONE, "and no part of one");
}

static void test_atoms(void) {
  reads("[] x == 3", "G (x == 3)");
  reads("(x + 1) * 2 < y", "(x + 1) * 2 < y");
  reads("(x) && (y)", "x & y");
  reads("3 < (x + 1) -> p", "(3 < (x + 1)) -> p");
  reads("len(q) == 3 || full(q)", "(len(q) == 3) | (full(q))");
  reads("P[1]@cs && P[1]:x > 2", "(P[1]@cs) & (P[1]:x > 2)");
  reads("a[i+1] == 3", "a[i+1] == 3");
  reads("fireable(t1, t2) U tokens(p,q) <= 3", "(fireable(t1, t2)) U (tokens(p,q) <= 3)");
  reads("dead", "dead");
  reads("\"any U text\" U 'G p'", "\"any U text\" U 'G p'");
  reads("-x < 3", "-x < 3");
  reads("(a -> b : c) == 3", "(a -> b : c) == 3");
  reads("q?[msg, 1] -> p", "(q?[msg, 1]) -> p");
  reads("c_expr { now.x && !y } U p", "(c_expr { now.x && !y }) U p");
  reads("(!a) == b", "(!a) == b");
  reads("!(a == b)", "!(a == b)");
  reads("U U U", "U U U");
  reads("G && p", "p & G");
  reads("X == 3", "X == 3");
  reads("F[2] > 1", "F[2] > 1");
  reads("X U p", "X U p");
  reads("X G", "X G");
  reads("G F X", "G F X");
  reads("A[i] == 1", "A[i] == 1");
  reads("gr\xc3\xbc\xc3\x9f U b", "gr\xc3\xbc\xc3\x9f U b");
  reads_promela("[] (x & 2)", "G (x & 2)");
  reads_promela("x & 1 || !(y | z) && p", "(x & 1) | (p & !(y | z))");
  reads_promela("[] ~x && always ~(x) == 3", "G (~x) & G (~(x) == 3)");
  reads_promela("[] (!a == b)", "G (!a == b)");
  reads_promela("!(a) == b U !a[1] != -!c", "(!(a) == b) U (!a[1] != -!c)");
  reads_promela("!a && !(a == b) && !<> a && ! !b", "b & !a & !(a == b) & !F a");
  atoms_close(&atoms);
  parse("x==3 U x == 3 U x==3");
  is(atoms.count, 2, "the same text is the same atom");
}

static void test_branching(void) {
  reads_ctl("AG EF p", "AG EF p");
  reads_ctl("A[p U q]", "A(p U q)");
  reads_ctl("E[ p U A(q W r) ]", "E(p U A(q W r))");
  reads_ctl("AX p & EX q", "AX p & EX q");
  reads_ctl("A(G F p)", "AG F p");
  reads_ctl("E [] p", "EG p");
  reads_ctl("A[i] == 1", "A[i] == 1");
  reads_ctl("EG == 2 -> p", "(EG == 2) -> p");
  ok(formula_is(fs, parse_as("AG (p -> AF q)", GROUP_USUAL, 1), CLASS_CTL), "CTL");
  ok(!formula_is(fs, parse_as("A(G F p)", GROUP_USUAL, 1), CLASS_CTL), "CTL*, and not CTL");
  ok(!formula_is(fs, parse_as("AG p", GROUP_USUAL, 1), CLASS_LTL), "CTL, and not LTL");
  ok(formula_is(fs, parse_as("E(F p) & q", GROUP_USUAL, 1), CLASS_STATE), "about a state");
  ok(!formula_is(fs, parse("F p"), CLASS_STATE), "about a path");
  ok(formula_is(fs, parse("p & !q"), CLASS_STATE | CLASS_CTL | CLASS_LTL | CLASS_BOOLEAN), "boolean is all of them");
  struct automaton *a;
  formula f = parse_as("AG p", GROUP_USUAL, 1);
  ok(translate(&a, fs, f, &(struct translate_setup){0}, &err) == -1 && err.kind == ERR_USAGE, "CTL has no automaton");
}

static void refuses(const char *text, long column, const char *message) {
  formula f = parse(text);
  is(f, FORMULA_NONE, text);
  is(err.column, column, "at its place");
  if (!ok(strstr(err.message, message) != NULL, message)) printf("# %s\n", err.message);
  ok(err.caret >= 0 && (err.excerpt[0] || !*text), "with a caret");
}

static void test_errors(void) {
  refuses("", 1, "expected a formula, found the end");
  refuses("a U", 4, "expected a formula, found the end");
  refuses("(a", 1, "not closed");
  refuses("a)", 2, "not opened");
  refuses("(a]", 3, "not opened");
  refuses("a b", 3, "expected an operator or the end");
  refuses("a &&& b", 5, "expected a formula");
  refuses("x <> 3", 3, "expected an operator or the end");
  ok(strstr(err.hint, "!=") != NULL, "with a hint");
  refuses("!a == 3", 1, "two ways");
  refuses("((G p) + 1) > 2", 3, "temporal operator");
  refuses("\"abc", 1, "quote is not closed");
  refuses("a ; b", 3, "no meaning");
  refuses("gr\xc3\xbc\xc3\x9f"
          "e ; b",
          7, "no meaning"); /* characters, not bytes */
  struct formula_reader reader = {.what = "m.pml", .line = 7, .column = 5, .atom = atoms_add, .context = &atoms};
  formula f;
  err_clear(&err);
  ok(formula_parse(fs, &f, "a U\n  )", &reader, &err) == -1 && err.line == 8 && err.column == 3, "lines of a file");
  err_clear(&err);
  ok(formula_parse(fs, &f, "a ;", &reader, &err) == -1 && err.line == 7 && err.column == 7, "columns of its first line");
  static char deep[5000];
  memset(deep, '(', 201);
  strcpy(deep + 201, "a");
  refuses(deep, 201, "nested too deeply");
  memset(deep, '!', 1000);
  strcpy(deep + 1000, "a");
  refuses(deep, 201, "nested too deeply");
  deep[0] = 0;
  for (int i = 0; i < 300; i++) strcat(deep, "a U ");
  strcat(deep, "a");
  refuses(deep, 803, "nested too deeply");
  ok(parse_as(deep, GROUP_SPIN, 0) == FORMULA_NONE && strstr(err.message, "nested too deeply"), "also to the left");
  deep[0] = 0;
  for (int i = 0; i < 600; i++) strcat(deep, "a | b | ");
  strcat(deep, "c");
  ok(parse(deep) != FORMULA_NONE, "a long chain is not deep");
}

static void test_classes(void) {
  static const struct {
    const char *text, *class;
  } list[] = {{"p", "safety"},
              {"G p", "safety"},
              {"p W q", "safety"},
              {"G (p -> X q)", "safety"},
              {"F p", "guarantee"},
              {"p U q", "guarantee"},
              {"p M q", "guarantee"},
              {"!G p", "guarantee"},
              {"G p | F q", "obligation"},
              {"G p -> G q", "obligation"},
              {"G F p", "recurrence"},
              {"G (p -> F q)", "recurrence"},
              {"F G p", "persistence"},
              {"!G F p", "persistence"},
              {"G F p -> G F q", "reactivity"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    formula f = parse(list[i].text);
    is_text(formula_class_name(fs, f), list[i].class, list[i].text);
  }
}

static void simplifies(const char *text, const char *want) {
  prints(formula_simplify(fs, formula_normal(fs, parse(text), 0)), want, text);
}

static void test_rewriting(void) {
  atoms_close(&atoms);
  parse("a & b & c & d"); /* so that they are sorted like this */
  prints(formula_normal(fs, parse("!(a U (b & X c))"), 0), "!a R (!b | X !c)", "normal form");
  prints(formula_normal(fs, parse("a -> G b"), 1), "a & F !b", "normal form of a negation");
  simplifies("F F a", "F a");
  simplifies("G F G F a", "G F a");
  simplifies("a U (a U b)", "a U b");
  simplifies("F (a U b)", "F b");
  simplifies("G a & G b", "G (a & b)");
  simplifies("F a | F b", "F (a | b)");
  simplifies("a & !a", "false");
  simplifies("a | !a", "true");
  simplifies("a & (b U a)", "a");
  simplifies("a | (b U a)", "b U a");
  simplifies("X a & X b", "X (a & b)");
  simplifies("X G F a", "G F a");
  simplifies("(a U c) & (b U c)", "(a & b) U c");
  simplifies("!a U a", "F a");
  simplifies("F a <-> F F a", "true");
  simplifies("F (a & G F b)", "F a & G F b");
  simplifies("!a & (a U b)", "!a & b");
  simplifies("G F a | G F b", "G F (a | b)");
  ok(formula_implies(fs, formula_normal(fs, parse("G a"), 0), formula_normal(fs, parse("F a"), 0)), "G a implies F a");
  ok(!formula_implies(fs, formula_normal(fs, parse("F a"), 0), formula_normal(fs, parse("G a"), 0)),
     "and not the other way round");
}

static void test_limits(void) {
  struct automaton *a = NULL;
  static char text[4000];
  text[0] = 0;
  for (int i = 0; i < 33; i++) sprintf(text + strlen(text), "%sG (F a%d & F !a%d | X a%d)", i ? " & " : "", i, i, i);
  atoms_close(&atoms);
  formula f = parse(text);
  err_clear(&err);
  ok(translate(&a, fs, f, &(struct translate_setup){0}, &err) == -1 && err.kind == ERR_LIMIT, "too many untils");
  text[0] = 0;
  for (int i = 0; i < 65; i++) sprintf(text + strlen(text), "%sa%d", i ? " & " : "", i);
  atoms_close(&atoms);
  ok(parse(text) == FORMULA_NONE && err.kind == ERR_LIMIT, "too many atoms");
  atoms_close(&atoms);
  text[0] = 0;
  for (int i = 0; i < 30; i++) sprintf(text + strlen(text), "%sF a%d", i ? " & " : "", i);
  f = parse(text);
  err_clear(&err);
  struct mem small;
  mem_open(&small, 1 << 20);
  fs->mem = &small; /* only what the translation takes */
  int status = translate(&a, fs, f, &(struct translate_setup){.raw = 1}, &err);
  fs->mem = &mem;
  ok(status == -1 && err.kind == ERR_MEMORY, "an automaton beyond the budget");
  is(small.used, 0, "gives everything back");
  volatile int interrupt = 1;
  err_clear(&err);
  ok(translate(&a, fs, f, &(struct translate_setup){.raw = 1, .interrupt = &interrupt}, &err) == -1 && err.kind == ERR_LIMIT &&
         strstr(err.message, "interrupted"),
     "an interrupt");
}

/* Every allocation refused once: an error that says so, and nothing lost. */
static void test_refused(void) {
  struct mem m;
  unsigned refused = 0, odd = 0;
  for (size_t n = 1; n < 5000; n++) {
    struct formulas *own = NULL;
    struct atoms list;
    struct automaton *a = NULL, *b = NULL;
    formula f;
    mem_open(&m, 0);
    m.fail_after = n;
    err_clear(&err);
    atoms_open(&list, &m);
    struct formula_reader reader = {.what = "x", .atom = atoms_add, .context = &list};
    int status = formulas_open(&own, &m, &err) || formula_parse(own, &f, "(a U b) -> G (c | F d) && (a W X b)", &reader, &err) ||
                 translate(&a, own, f, &(struct translate_setup){.shape = SHAPE_STATE}, &err) ||
                 formula_parse(own, &f, "G (a -> X b)", &reader, &err) ||
                 translate_bad_prefixes(&b, own, f, &(struct translate_setup){0}, &err) != 1;
    automaton_close(a);
    automaton_close(b);
    formulas_close(own);
    atoms_close(&list);
    if (m.used != 0 || (status && err.kind != ERR_MEMORY)) printf("# %zu: %zu bytes, %d: %s\n", n, m.used, err.kind, err.message);
    odd += m.used != 0 || (status && err.kind != ERR_MEMORY);
    if (!status && m.fail_after) break; /* it was not reached */
    refused++;
  }
  printf("# %u refused\n", refused);
  ok(refused > 50 && refused < 4999, "allocations were refused one by one");
  is(odd, 0, "each was told and nothing was lost");
}

int main(void) {
  mem_open(&mem, (size_t)256 << 20);
  err_clear(&err);
  atoms_open(&atoms, &mem);
  if (formulas_open(&fs, &mem, &err)) return 1;
  test_spellings();
  test_binding();
  test_atoms();
  test_names_of_operators();
  test_branching();
  test_errors();
  test_classes();
  test_rewriting();
  test_limits();
  formulas_close(fs);
  atoms_close(&atoms);
  test_refused();
  is(mem.used, 0, "all memory came back");
  return done();
}
