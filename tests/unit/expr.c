/* expr.c -- expressions: values, precedence, errors that help, the program against the tree on random expressions. */
#include "tap.h"

#include "base/rng.h"
#include "fake_model.h"
#include "model/expr.h"

#include <stdio.h>
#include <stdlib.h>

static struct mem mem;
static struct err err;
static const char *const vars[] = {"a",
                                   "b",
                                   "c",
                                   "d",
                                   "with-minus",
                                   "has space",
                                   "Cell1.2",
                                   "gr\xc3\xbc\xc3\x9f"
                                   "e",
                                   "twin",
                                   "twin",
                                   "it's \"it\"",
                                   "true",
                                   NULL};
static const char *const groups[] = {"go", "stop", "t-3", NULL};
static struct fake fake;

enum { VARS = 12 };
static uint32_t state[VARS] = {1, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12};

static struct expr *parse(const char *text) {
  struct expr *e;
  err_clear(&err);
  return expr_parse(&e, &fake.model, &mem, text, "--invariant", &err) ? NULL : e;
}

/* The value, by both ways; they must agree. */
static int64_t value(const char *text) {
  struct expr *e = parse(text);
  if (!e) {
    printf("# %s: column %ld: %s\n", text, err.column, err.message);
    return -777777;
  }
  int64_t values[VARS];
  for (int i = 0; i < VARS; i++) values[i] = (int32_t)state[i];
  struct model_cursor c = {.model = &fake.model};
  int64_t v = expr_value(e, &c, state), w = expr_define(e, &fake.model, values);
  expr_close(e);
  return v == w ? v : -888888;
}

#define value_is(text, want) is(value(text), want, text)

static void test_values(void) {
  value_is("a", 1);
  value_is("  42 ", 42);
  value_is("a + b * c", 7);
  value_is("(a + b) * c", 9);
  value_is("a-b", -1);
  value_is("c - b - a", 0);
  value_is("c - (b - a)", 2);
  value_is("-a * -b", 2);
  value_is("--a", 1);
  value_is("a < b", 1);
  value_is("b <= a", 0);
  value_is("a = 1", 1);
  value_is("a == 1 && b != 1", 1);
  value_is("a <> 1", 0);
  value_is("3 > b", 1);
  value_is("2 >= b and 2 <= b", 1);
  value_is("1 < a || d", 0);
  value_is("a or d and d", 1);
  value_is("a | d & d", 1);
  value_is("!d", 1);
  value_is("!!b", 1);
  value_is("!a || !b", 0);
  value_is("not a == 2", 1);
  value_is("not not b", 1);
  value_is("not d and d", 0);
  value_is("d -> d -> d", 1);
  value_is("a -> d -> d", 1);
  value_is("(a -> d) -> d", 1);
  value_is("a -> b -> d", 0);
  value_is("a <-> b", 1);
  value_is("a <-> d <-> d", 1);
  value_is("d <-> d <-> d", 0);
  value_is("a -> d <-> d", 1);
  value_is("(a < b) + (b < c)", 2);
  value_is("(a && b) == 1", 1);
  value_is("-(!d)", -1);
  value_is("\"true\"", 12);
  value_is("Cell1.2", 7);
  value_is("gr\xc3\xbc\xc3\x9f"
           "e",
           8);
  value_is("\"with-minus\" + 'has space'", 11);
  value_is("'it''s \"it\"'", 11);
  value_is("\"it's \"\"it\"\"\"", 11);
  value_is("tokens(a, b, c)", 6);
  value_is("tokens(a)", 1);
  value_is("tokens ( \"a\" , 'b' ) >= 3", 1);
  value_is("fireable(go)", 1);
  value_is("fireable(go, stop)", 1);
  value_is("fireable(\"t-3\")", 1);
  value_is("dead", 0);
  value_is("!dead && a", 1);
  value_is("dead()", 0);
  value_is("9223372036854775807 + a", INT64_MAX);
  value_is("-9223372036854775807 - b", INT64_MIN);
  value_is("9223372036854775807 * 9223372036854775807", INT64_MAX);
  value_is("9223372036854775807 * -2", INT64_MIN);
  value_is("-(-9223372036854775807 - 1)", INT64_MAX);
  value_is("false", 0);
  state[0] = state[1] = state[2] = 0;
  value_is("dead", 1);
  value_is("fireable(go, stop, 't-3')", 0);
  state[0] = 1, state[1] = 2, state[2] = 3;
}

static void refused(const char *text, long column, const char *message, const char *hint) {
  char what[300];
  struct expr *e = parse(text);
  snprintf(what, sizeof what, "refused: %.200s", text);
  for (char *c = what; *c; c++) *c = *c == '\n' ? ' ' : *c == '#' ? ' ' : *c;
  ok(!e && err.kind == ERR_INPUT, what);
  if (e) {
    expr_close(e);
    return;
  }
  is(err.column, column, "at its column");
  if (message) is_text(err.message, message, "with a reason");
  if (hint) is_text(err.hint, hint, "and a hint");
  ok(err.caret >= 0 && strcmp(err.file, "--invariant") == 0 && err.line >= 1, "and an excerpt");
}

static void test_errors(void) {
  refused("", 1, "the expression is empty", NULL);
  refused("   ", 1, "the expression is empty", NULL);
  refused("a +", 4, "expected a name, a number or \"(\", found the end", NULL);
  refused("a b", 3, "expected an operator or the end, found \"b\"", NULL);
  refused("(a", 1, "this bracket is not closed", NULL);
  refused("a)", 2, "expected an operator or the end, found \")\"", NULL);
  refused("a < b < c", 7, "comparisons cannot be chained", "write a < b && b < c");
  refused("!a == b", 4, NULL, "write (!a) == b or !(a == b)");
  refused("a + unknown", 5, "the model has no variable \"unknown\"", "");
  refused("Cell1.3 > 0", 1, "the model has no variable \"Cell1.3\"", "did you mean \"Cell1.2\"?");
  refused("with-minus > 0", 1, "the model has no variable \"with\"", "a name with other characters needs quotes: \"with-minus\"");
  refused("go", 1, "the model has no variable \"go\"", "it is a transition; fireable(go) is true where it can happen");
  refused("fireable(a)", 10, "the model has no transition \"a\"", "it is no transition, but has a value: write a > 0");
  refused("fireable(stpo)", 10, NULL, "did you mean \"stop\"?");
  refused("fireable()", 10, "expected a name, found \")\"", NULL);
  refused("fireable(go", 12, "expected \",\" or \")\", found the end", NULL);
  refused("tokens(17)", 8, "expected a name, found a number", NULL);
  refused("twin", 1, "several variables are called \"twin\"", "use the id, which is unique");
  refused("true", 1, NULL, "write \"true\" in quotes for the name, 1 or 0 instead of true");
  refused("0 || true()", 6, "there is no function \"true\"", NULL);
  refused("sqrt(a)", 1, "there is no function \"sqrt\"", NULL);
  refused("a / 2", 3, "\"/\" has no meaning here", "there is no division; multiply the other side");
  refused("a ; b", 3, "\";\" has no meaning here", NULL);
  refused("\"a", 1, "this quote is not closed", NULL);
  refused("9223372036854775808", 1, "this number is above 9223372036854775807", NULL);
  refused("a &&& b", 5, NULL, NULL);
  refused("a not b", 3, "expected an operator before \"not\"", NULL);
  refused("gr\xc3\xbc\xc3\x9f"
          "e + x",
          9, NULL, NULL);
  is(err.caret, 8, "the caret counts characters, not bytes");
  refused("a +\n  oops", 3, NULL, NULL);
  is(err.line, 2, "lines are counted");
  is_text(err.excerpt, "  oops", "and the right one is shown");
}

static void test_hostile(void) {
  size_t n = 1000000;
  char *text = malloc(n + 10);
  memset(text, '(', n), text[n] = 0;
  ok(!parse(text) && strcmp(err.message, "brackets are nested too deeply") == 0, "a million brackets");
  memset(text, '-', n), strcpy(text + n, "a");
  is(value(text), 1, "a million signs");
  memset(text, '!', n), strcpy(text + n, "a");
  is(value(text), 1, "a million negations");
  for (size_t i = 0; i + 4 <= n; i += 4) memcpy(text + i, "a&& ", 4);
  strcpy(text + n, "a");
  is(value(text), 1, "a chain of 250,000 conditions");
  for (size_t i = 0; i + 4 <= n; i += 4) memcpy(text + i, "a-> ", 4);
  strcpy(text + n, "d");
  is(value(text), 0, "a chain of 250,000 implications");
  for (size_t i = 0; i + 4 <= n; i += 4) memcpy(text + i, "a + ", 4);
  strcpy(text + n, "a");
  is(value(text), 250001, "a sum of 250,000 terms");
  for (size_t i = 0; i + 4 <= n; i += 4) memcpy(text + i, "not ", 4);
  strcpy(text + n, "a");
  is(value(text), 1, "250,000 times not");
  memset(text, 'x', n), text[n] = 0;
  ok(!parse(text) && strlen(err.message) < 200, "a name of a megabyte");
  text[0] = '"', text[n - 1] = '"';
  ok(!parse(text) && strlen(err.message) < 200, "in quotes");
  /* the deepest that is allowed, with every level in every bracket */
  size_t o = 0;
  for (int i = 0; i < 199; i++) o += (size_t)sprintf(text + o, "a <-> d -> d || a && d == c + a * (");
  o += (size_t)sprintf(text + o, "a");
  for (int i = 0; i < 199; i++) text[o++] = ')';
  text[o] = 0;
  int64_t v = value(text);
  ok(v == 0 || v == 1, "199 brackets with eight operators in each");
  free(text);
  is(mem.used, 0, "nothing is left");
}

static void test_mentions(void) {
  struct expr *e = parse("c > 1 && (a || tokens(a, c, b) == 3)");
  size_t count;
  const uint32_t *list = expr_vars(e, &count);
  ok(count == 3 && list[0] == 0 && list[1] == 1 && list[2] == 2, "variables, ascending, once each");
  expr_groups(e, &count);
  ok(count == 0 && !expr_needs_cursor(e), "no transitions");
  is_text(expr_text(e), "c > 1 && (a || tokens(a, c, b) == 3)", "the text");
  expr_close(e);
  e = parse("fireable(stop, go, stop)");
  list = expr_groups(e, &count);
  ok(count == 2 && list[0] == 0 && list[1] == 1 && expr_needs_cursor(e), "transitions");
  expr_close(e);
  e = parse("dead");
  list = expr_groups(e, &count);
  ok(count == 3 && list[2] == 2 && expr_needs_cursor(e), "dead mentions all");
  expr_close(e);
  expr_close(NULL);
}

/* Random expressions: the program and the tree must agree, whatever the values. */
static size_t random_text(struct rng *r, char *out, size_t room, int depth) {
  static const char *const binary[] = {"+", "-", "*", "==", "<", ">=", "!=", "&&", "||", "->", "<->", "and", "or"};
  static const char *const atoms[] = {"a",   "b", "c", "d", "0", "1", "3", "tokens(a,b)", "fireable(go)", "fireable(stop,go)",
                                      "dead"};
  size_t o = 0;
  if (depth == 0 || room < 200 || rng_below(r, 5) == 0) return (size_t)sprintf(out, "%s", atoms[rng_below(r, 11)]);
  int sign = rng_below(r, 6) == 0;
  o += (size_t)sprintf(out + o, "%s", !sign ? "(" : rng_below(r, 2) ? "(!(" : "(-(");
  unsigned terms = 2 + (unsigned)rng_below(r, 2);
  const char *op = binary[rng_below(r, 13)];
  for (unsigned i = 0; i < terms; i++) {
    if (i) o += (size_t)sprintf(out + o, " %s ", op);
    o += random_text(r, out + o, (room - o) / (terms - i + 1), depth - 1);
    if (i == 1 && strchr("=<>!", op[0]) && strcmp(op, "<->")) break; /* no chains of comparisons */
  }
  o += (size_t)sprintf(out + o, sign ? "))" : ")");
  return o;
}

static void test_random(void) {
  struct rng rng = {31};
  static char text[20000];
  int wrong = 0, varied = 0;
  for (int i = 0; i < 4000 && !wrong; i++) {
    random_text(&rng, text, sizeof text - 500, 1 + (int)rng_below(&rng, 6));
    struct expr *e = parse(text);
    if (!e) {
      printf("# %s\n# column %ld: %s\n", text, err.column, err.message);
      wrong++;
      break;
    }
    struct model_cursor c = {.model = &fake.model};
    int64_t first = 0;
    for (int k = 0; k < 20; k++) {
      uint32_t s[VARS] = {0};
      int64_t values[VARS] = {0};
      for (int v = 0; v < 4; v++) s[v] = (uint32_t)rng_below(&rng, 4), values[v] = (int32_t)s[v];
      int64_t got = expr_value(e, &c, s);
      if (got != expr_define(e, &fake.model, values)) wrong++;
      if (k == 0) first = got;
      else if (got != first) varied++, k = 20;
    }
    if (wrong) printf("# %s\n", text);
    expr_close(e);
  }
  is(wrong, 0, "random expressions: program and tree agree");
  ok(varied > 1000, "and are not constant");
  is(mem.used, 0, "nothing is left");
}

static void test_failures(void) {
  static const char *const text = "a + b * c - 'it''s \"it\"' > 3 && (fireable(go, stop) -> tokens(a, b)) <-> !dead || not a";
  int wrong = 0, refusals = 0;
  for (size_t budget = 1; budget < 20000; budget += 16) {
    struct expr *e;
    err_clear(&err);
    mem.budget = budget;
    if (expr_parse(&e, &fake.model, &mem, text, "x", &err)) refusals++, wrong += err.kind != ERR_MEMORY;
    else expr_close(e);
    wrong += mem.used != 0;
  }
  mem.budget = SIZE_MAX;
  ok(refusals > 50 && refusals < 1000, "a small budget is an error");
  refusals = 0;
  for (size_t k = 1, left = 0; !left && k < 10000; k++) {
    struct expr *e;
    err_clear(&err);
    mem.fail_after = k;
    int status = expr_parse(&e, &fake.model, &mem, text, "x", &err);
    left = mem.fail_after;
    mem.fail_after = 0;
    if (status) refusals++, wrong += err.kind != ERR_MEMORY;
    else expr_close(e);
    wrong += mem.used != 0;
  }
  ok(refusals > 2, "refused allocations are errors");
  is(wrong, 0, "about memory, without leaks");
}

/* 80,000 names: an unknown one gets its hint quickly. */
static void test_large(void) {
  enum { MANY = 80000 };
  const char **names = malloc((MANY + 1) * sizeof *names);
  for (int i = 0; i < MANY; i++) {
    char *name = malloc(40);
    sprintf(name, "place_%d_of_process_%d", i % 300, i / 300);
    names[i] = name;
  }
  names[MANY] = NULL;
  struct fake big = fake_open(names, groups);
  struct expr *e;
  err_clear(&err);
  double t0 = cpu_now();
  int status = expr_parse(&e, &big.model, &mem, "place_299_of_porcess_17 == 1", "--reachable", &err);
  double seconds = cpu_now() - t0;
  ok(status == -1, "a mistyped name among 80,000");
  is_text(err.hint, "did you mean \"place_299_of_process_17\"?", "is recognised");
  printf("# in %.3f s\n", seconds);
  ok(seconds < 3, "quickly");
  for (int i = 0; i < MANY; i++) free((void *)names[i]);
  free(names);
}

static void test_speed(void) {
  struct expr *e = parse("a == 1 && b >= 2 && c < 4 && d == 0 && !(a > 1)");
  struct model_cursor c = {.model = &fake.model};
  int64_t sum = 0;
  double t0 = cpu_now();
  for (int i = 0; i < 1000000; i++) sum += expr_value(e, &c, state);
  printf("# five conditions: %.1f ns\n", 1e3 * (cpu_now() - t0));
  is(sum, 1000000, "a million evaluations");
  expr_close(e);
}

int main(void) {
  mem_open(&mem, 0);
  fake = fake_open(vars, groups);
  test_values();
  test_errors();
  test_hostile();
  test_mentions();
  test_random();
  test_failures();
  test_large();
  test_speed();
  return done();
}
