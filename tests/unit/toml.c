/* toml.c -- TOML by the rules of its specification: values, tables, what is refused and where; then suites, their tasks and their mistakes. */
#include "bench/suite.h"
#include "bench/toml.h"
#include "tap.h"

#include <math.h>

static struct mem mem;
static struct arena arena;
static struct err e;

static struct toml *parse(const char *text) {
  struct toml *t;
  arena_close(&arena);
  arena_open(&arena, &mem, MEM_OTHER);
  err_clear(&e);
  return toml_parse(&t, "a.toml", text, strlen(text), &arena, &e) ? NULL : t;
}

static const struct toml *get(const char *text, const char *key) { return toml_find(parse(text), key); }

static void text_is(const char *toml, const char *want) {
  const struct toml *v = get(toml, "a");
  is_text(v && v->kind == TOML_TEXT ? v->text : NULL, want, toml);
}
static void integer_is(const char *toml, long long want) {
  const struct toml *v = get(toml, "a");
  if (ok(v && v->kind == TOML_INTEGER, toml)) is(v->integer, want, "its value");
}
static void real_is(const char *toml, double want) {
  const struct toml *v = get(toml, "a");
  ok(v && v->kind == TOML_REAL && (v->real == want || (isnan(want) && isnan(v->real))), toml);
}

/* Refused, at this place. */
static void refused(const char *toml, long line, long column, const char *part) {
  char what[200];
  const struct toml *t = parse(toml);
  snprintf(what, sizeof what, "refused: %.150s", toml);
  for (char *p = what; *p; p++)
    if (*p == '\n' || *p == '#') *p = ' ';
  if (!ok(!t && e.kind == ERR_INPUT && e.line == line && e.column == column && strstr(e.message, part), what))
    printf("#   %ld:%ld %s, want %ld:%ld %s\n", e.line, e.column, t ? "accepted" : e.message, line, column, part);
}

static void values(void) {
  text_is("a = \"x\"", "x");
  text_is("a = 'C:\\x'", "C:\\x");
  text_is("a = \"\\t\\u00e9\\U0001F600\\\"\"", "\t\xc3\xa9\xf0\x9f\x98\x80\"");
  text_is("a = \"\"\"\nfirst\n  second \\\n\n     third\"\"\"", "first\n  second third");
  text_is("a = '''\nall 'of' this\\'''", "all 'of' this\\");
  text_is("a = \"\"\"two \"\" quotes\"\"\"\"\"", "two \"\" quotes\"\"");
  text_is("a = \"\"", "");
  text_is("\"a\" = 'quoted key'", "quoted key");
  integer_is("a = 0", 0);
  integer_is("a = +1_000", 1000);
  integer_is("a = -9223372036854775808", (long long)INT64_MIN);
  integer_is("a = 0xdead_beef", 0xdeadbeef);
  integer_is("a = 0o17", 15);
  integer_is("a = 0b101", 5);
  real_is("a = 1.5", 1.5);
  real_is("a = -2e-3", -0.002);
  real_is("a = 6.02_2e23", 6.022e23);
  real_is("a = inf", INFINITY);
  real_is("a = -inf", -INFINITY);
  real_is("a = nan", NAN);
  const struct toml *v = get("a = true # yes", "a");
  ok(v && v->kind == TOML_BOOL && v->truth, "true");
  v = get("a = [1, 'two', [3], {four = 4},\n # why not\n ]", "a");
  ok(v && v->kind == TOML_ARRAY && v->count == 4, "an array of several kinds, with a comma at its end");
  v = get("a = { b.c = 1, 'd e' = {} }", "a");
  ok(v && toml_find(toml_find(v, "b"), "c")->integer == 1 && toml_find(v, "d e")->kind == TOML_TABLE, "inline tables");
  v = get("[a.b]\nc = 1\n[a]\nd = 2\n[[a.list]]\nx = 1\n[[a.list]]\nx = 2\n[a.list.sub]\ny = 3\r\n", "a");
  ok(v && toml_find(v, "d")->integer == 2 && toml_find(toml_find(v, "b"), "c")->integer == 1, "a table after its part");
  ok(v && toml_find(v, "list")->count == 2 && toml_find(toml_find(toml_find(v, "list")->last, "sub"), "y")->integer == 3, "arrays of tables; a table of the last one");
  v = get("\xef\xbb\xbf# a mark and a comment\n\n a.b . c = 3\na.b.d = 4", "a");
  ok(v && toml_find(toml_find(v, "b"), "d")->integer == 4, "dotted keys");
  v = toml_find(get("x = 1\n[t]\n  a = 5", "t"), "a");
  ok(v && v->line == 3 && v->column == 3 && strcmp(v->file, "a.toml") == 0, "where a key stands");
  ok(parse("") && parse("# nothing") && parse("\n\n"), "nothing is fine");
}

static void mistakes(void) {
  refused("a = ", 1, 5, "a value is expected");
  refused("a", 1, 2, "= is expected");
  refused("= 1", 1, 1, "a key is expected");
  refused("a = 1 b = 2", 1, 7, "the line should end");
  refused("a = \"x", 1, 5, "does not end");
  refused("\na = \"x\ny\"", 2, 5, "does not end on its line");
  refused("a = '''x", 1, 5, "does not end");
  refused("a = \"\\q\"", 1, 7, "no such escape");
  refused("a = \"\\u12\"", 1, 7, "four hexadecimal digits");
  refused("a = \"\\ud800\"", 1, 7, "no Unicode");
  refused("a = \"\\u0000\"", 1, 7, "the character 0");
  refused("a = 01", 1, 5, "does not begin with 0");
  refused("a = 1__0", 1, 5, "no number");
  refused("a = 1.", 1, 5, "after the point");
  refused("a = 1e", 1, 5, "exponent");
  refused("a = 0x", 1, 5, "no number");
  refused("a = 9223372036854775808", 1, 5, "64 bits");
  refused("a = 1979-05-27", 1, 5, "dates");
  refused("a = 07:32:00", 1, 5, "dates");
  refused("a = yes", 1, 5, "quotes");
  refused("a = 1\na = 2", 2, 1, "already");
  refused("[a]\n[a]", 2, 2, "already");
  refused("a = 1\n[a]", 2, 2, "has a value");
  refused("a = 1\n[a.b]", 2, 2, "has a value");
  refused("[[a]]\n[a]", 2, 2, "has a value");
  refused("a = []\n[[a]]", 2, 3, "in use");
  refused("a = {}\na.b = 1", 2, 1, "has a value");
  refused("a.b = 1\n[a.c]", 2, 2, "dotted");
  refused("[a]\nb = 1\n[]", 3, 2, "a key is expected");
  refused("[a", 1, 3, "] is missing");
  refused("[[a]", 1, 4, "]] is missing");
  refused("a = [1 2]", 1, 8, ", or ]");
  refused("a = {b = 1", 1, 11, ", or }");
  refused("a = {b = 1,}", 1, 12, "a key is expected");
  refused("a = {b = 1\n}", 1, 11, ", or }");
  refused("a = [,]", 1, 6, "a value is expected");
  refused("a = \"\x01\"", 1, 6, "control");
  refused("# \x01", 1, 3, "control");
  refused("\na = '\xff'", 2, 6, "UTF-8");
  refused("a = '\xc0\x80'", 1, 6, "UTF-8");
  refused("a = '\xed\xa0\x80'", 1, 6, "UTF-8");
}

static void hostile(void) {
  char *deep = mem_alloc(&mem, MEM_OTHER, 100020);
  memcpy(deep, "a = ", 4);
  memset(deep + 4, '[', 100000);
  ok(!parse(deep) && strstr(e.message, "nested"), "a hundred thousand brackets");
  for (int i = 0; i < 10000; i++) memcpy(deep + 4 + 3 * i, "{a=", 3);
  deep[4 + 30000] = 0;
  ok(!parse(deep) && strstr(e.message, "nested"), "ten thousand tables in each other");
  memset(deep, '.', 100000);
  for (int i = 0; i < 100000; i += 2) deep[i] = 'a';
  deep[99999] = 0;
  ok(!parse(deep), "fifty thousand dots");
  memset(deep + 4, '1', 100000);
  ok(!parse(deep), "a number of a hundred thousand digits");
  mem_free(&mem, deep);
  char *many = mem_alloc(&mem, MEM_OTHER, 2000000);
  size_t n = 0;
  for (int i = 0; i < 20000; i++) n += (size_t)sprintf(many + n, "k%d = %d\n", i, i);
  ok(!parse(many) && strstr(e.message, "too many keys"), "twenty thousand keys");
  mem_free(&mem, many);
}

/* ---- suites ----------------------------------------------------------------------------------- */

static int an_option(const char *name) { return strcmp(name, "store") == 0 || strcmp(name, "cache") == 0 ? 2 : strcmp(name, "lossy") == 0 ? 1 : 0; }
static const struct suite_host host = {.option = an_option};

static int read_suite(struct suite *s, const char *text) {
  err_clear(&e);
  return suite_parse(s, "s.toml", text, strlen(text), &host, &mem, &e);
}

static void bad_suite(const char *text, long line, const char *part) {
  struct suite s;
  char what[200];
  int status = read_suite(&s, text);
  snprintf(what, sizeof what, "a suite is refused: %s", part);
  if (!ok(status && e.kind == ERR_INPUT && e.line == line && strstr(e.message, part), what)) printf("#   line %ld: %s\n", e.line, e.message);
  suite_close(&s);
}

static void suites(void) {
  struct suite s;
  int status = read_suite(&s, "repetitions = 3\ntime = '1m30s'\nmemory = '2G'\n[options]\nlossy = true\n[matrix]\nstore = ['plain', 'tree']\ncache = [1, 2, 3]\n"
                              "[[way]]\nname = 'w'\ntool = 't'\n[[tool]]\nname = 't'\nlanguages = ['pml']\ncommand = ['x', '{model}']\nfind = { states = '([0-9]+) states' }\n"
                              "[[model]]\nfile = 'a/b.pml'\ndefine = { N = 3, M = 4 }\nexpect = { states = 7 }\nways = ['plain*', 'w']\n"
                              "[model.task]\n'plain 2' = { expect = { states = 8 }, paper = { time = 2.5 } }\n'plain 3' = { skip = true }\n"
                              "[[model]]\nname = 'n'\ngenerate = ['g', '1']\nsize = 4\n");
  if (!ok(status == 0, "a suite")) printf("#   %ld: %s\n", e.line, e.message);
  is(s.task_count, 3 + 6, "every model with every way that wants it");
  ok(s.repetitions == 3 && s.seconds == 90 && s.bytes == (uint64_t)2 << 30, "limits");
  is_text(s.tasks[0].way->name, "w", "ways come before those of the matrix");
  is_text(s.tasks[1].way->name, "plain 1", "which are named by their values");
  is(s.tasks[1].expect.figure[SUITE_STATES], 7, "what the model expects");
  is(s.tasks[2].expect.figure[SUITE_STATES], 8, "what is known of one task");
  ok(s.tasks[2].paper && s.tasks[2].paper->number == 2.5, "and what a paper says of it");
  is_text(s.tasks[0].model->name, "b.pml", "a model is called as its file");
  is_text(s.tasks[0].source->file, "//a/b.pml", "which is below the suite's folder");
  is_text(s.tasks[0].model->defines.at[0], "N=3", "constants");
  is_text(s.tasks[3].model->source.suffix, "net", "generated models are nets unless they say so");
  is_text(s.baseline, "w", "the first way is the baseline");
  suite_close(&s);

#define MODEL "[[model]]\nfile = 'm.net'\n"
  bad_suite("", 0, "nothing to run");
  bad_suite("nmae = 'x'\n" MODEL, 1, "no key 'nmae'");
  bad_suite("repetitions = 0\n" MODEL, 1, "between 1 and 1000");
  bad_suite("repetitions = 'x'\n" MODEL, 1, "whole number");
  bad_suite("time = 'soon'\n" MODEL, 1, "a time like");
  bad_suite("memory = '0'\n" MODEL, 1, "a size like");
  bad_suite("clock = 'sun'\n" MODEL, 1, "one of wall, search, cpu");
  bad_suite("baseline = 'x'\n" MODEL, 1, "no way is called");
  bad_suite("model = 1\n", 1, "[[model]]");
  bad_suite("[[model]]\n", 1, "a file, or a command");
  bad_suite("[[model]]\nfile = 'a'\ngenerate = ['b']\n", 1, "a file, or a command");
  bad_suite("[[model]]\ngenerate = ['b']\n", 1, "needs a name");
  bad_suite(MODEL MODEL, 3, "already");
  bad_suite(MODEL "expect = { states = -1 }\n", 3, "between");
  bad_suite(MODEL "expect = { verdict = 'maybe' }\n", 3, "one of holds");
  bad_suite(MODEL "[model.task]\nfast = {}\n", 4, "no way is called 'fast'");
  bad_suite(MODEL "options = { stroe = 'x' }\n", 3, "no option --stroe");
  bad_suite(MODEL "options = { lossy = 'x' }\n", 3, "is a flag");
  bad_suite(MODEL "options = { store = true }\n", 3, "takes a value");
  bad_suite("[[way]]\nname = 'a'\n[[way]]\nname = 'a'\n" MODEL, 3, "already");
  bad_suite("[[way]]\nname = 'a'\ntool = 'x'\n" MODEL, 3, "no tool 'x'");
  bad_suite("[[way]]\ntool = 'x'\n" MODEL, 1, "no name");
  bad_suite("[[tool]]\nname = 'x'\n" MODEL, 1, "no command");
  bad_suite("[[tool]]\nname = 'x'\ncommand = ['x']\nfind = { states = '(' }\n" MODEL, 4, "the pattern is wrong");
  bad_suite("[[tool]]\nname = 'x'\ncommand = ['x']\nfind = { states = 'x' }\n" MODEL, 4, "no group");
  bad_suite("[matrix]\nstore = 'plain'\n" MODEL, 2, "array of values");
  bad_suite("[[bar]]\nfigure = 'time'\nway = 'thimble'\n" MODEL, 1, "at_most");
  bad_suite("[[bar]]\nfigure = 'time'\nway = 'x'\nat_most = 1\n" MODEL, 1, "no way");
  bad_suite("include = ['x.toml']\n" MODEL, 1, "cannot be included");
}

int main(void) {
  mem_open(&mem, 0);
  arena_open(&arena, &mem, MEM_OTHER);
  values();
  mistakes();
  hostile();
  suites();
  arena_close(&arena);
  ok(mem.used == 0, "all memory came back");
  return done();
}
