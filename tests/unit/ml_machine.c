/* ml_machine.c -- CPN ML runs: tables of expressions and their values (ml_basis.txt, ml_cpn.txt), each by itself, beside a
 * variable that keeps it from being constant as a whole, and inside a function; limits, deep recursion, refused memory at every
 * request. */
#include "tap.h"

#include "ml/ml.h"
#include "ml/value.h"

#include <stdlib.h>

static struct mem mem;
static struct err err;
static struct ml *ml;
static struct ml_machine *machine;
static const int64_t now = 100;

static struct ml_text text_of(const char *s) { return (struct ml_text){s, strlen(s), {"test", 1, 1}, NULL}; }

static int declare(const char *text) {
  struct ml_text t = text_of(text);
  err_clear(&err);
  if (ml_declare(ml, &t, &err) == 0) return 1;
  printf("# %s: %s\n", text, err.message);
  return 0;
}

static const struct ml_code *compile(const char *text, enum ml_wanted wanted, const struct ml_colset *colset,
                                     const struct ml_expr **tree) {
  struct ml_text t = text_of(text);
  const struct ml_expr *e;
  const struct ml_code *code;
  err_clear(&err);
  if (ml_check(&e, ml, &t, wanted, colset, &err) || ml_compile(&code, ml, e, wanted, colset, &err)) {
    printf("# %s: column %ld: %s\n", text, err.column, err.message);
    return NULL;
  }
  if (tree) *tree = e;
  return code;
}

/* What an expression is, as text without line ends; "!" and the exception, "?" and an error. */
static const char *value(const char *text) {
  static char out[5000];
  const struct ml_expr *e;
  const struct ml_code *code = compile(text, ML_WANT_ANYTHING, NULL, &e);
  ml_value v, variable[16];
  if (!code) return "?";
  for (int i = 0; i < 16; i++) variable[i] = ml_from_int(i);
  switch (ml_run(machine, code, variable, now, &v)) {
  case ML_OK: {
    ml_print_type(e->type, v, out, sizeof out);
    char *to = out;
    for (const char *from = out; *from; from++)
      if (*from != '\n') *to++ = *from;
    *to = 0;
    break;
  }
  case ML_RAISED: {
    const char *name = ml_machine_fault(machine), *head = "uncaught exception ";
    name = strncmp(name, head, strlen(head)) == 0 ? name + strlen(head) : name;
    snprintf(out, sizeof out, "!%.*s", (int)strcspn(name, " :"), name);
    break;
  }
  case ML_STEPS: snprintf(out, sizeof out, "too many steps"); break;
  default: snprintf(out, sizeof out, "no memory");
  }
  ml_machine_clear(machine);
  return out;
}

/* An expression by itself and where parts of it are constant and others are not: a frame that gives something else, or NULL. */
static const char *differing(const char *text, const char *want) {
  static const char *const frames[] = {"%s", "#2 (i, %s)", "let fun f x = (x, %s) in #2 (f i) end",
                                       "case i of 77 => (%s) | _ => (%s)", "hd (List.map (fn x => (x; (%s))) [i])"};
  static char framed[150000];
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    snprintf(framed, sizeof framed, frames[i], text, text);
    if (strcmp(value(framed), want) != 0) return framed;
  }
  return NULL;
}

static void check_line(const char *text, const char *want, const char *file, int line) {
  const char *framed = differing(text, want);
  ok(!framed, text);
  if (framed) printf("#   %s:%d: %s: got %s, want %s\n", file, line, framed, value(framed), want);
}

static void check_file(const char *name) {
  char path[300], line[4000];
  const char *slash = strrchr(__FILE__, '/');
  snprintf(path, sizeof path, "%.*s/%s", slash ? (int)(slash - __FILE__) : 1, slash ? __FILE__ : ".", name);
  FILE *f = fopen(path, "r");
  if (!f) {
    ok(0, path);
    return;
  }
  for (int number = 1; fgets(line, sizeof line, f); number++) {
    line[strcspn(line, "\n")] = 0;
    if (!line[0] || line[0] == '#') continue;
    if (line[0] == '!') {
      ok(declare(line + 2), line);
      continue;
    }
    char *arrow = strstr(line, " ==> "), want[2000];
    snprintf(want, sizeof want, "%s", arrow ? arrow + 5 : "");
    if (!arrow && (arrow = strstr(line, " =!> "))) snprintf(want, sizeof want, "!%s", arrow + 5);
    if (!arrow) {
      ok(0, line);
      continue;
    }
    *arrow = 0;
    check_line(line, want, name, number);
  }
  fclose(f);
}

static void test_limits(void) {
  declare("fun down 0 = 0 | down m = down (m - 1); fun deep 0 = 0 | deep m = 1 + deep (m - 1); fun forever x = forever x; fun "
          "grow l = grow (1 :: l);"
          "fun nest x = 1 + nest x; fun build 0 = [] | build m = m :: build (m - 1);");
  ml_machine_limit(machine, 100 * 1000 * 1000);
  size_t before = mem.used;
  is_text(value("down (10000000 + i)"), "0", "ten million tail calls");
  ok(mem.used <= before + (1 << 20), "in constant memory"); /* but for what its text takes */
  is_text(value("deep (1000000 + i)"), "1000000", "a million calls in each other");
  is_text(value("length (build (300000 + i))"), "300000", "a long list, not in tail position");
  is_text(value("nest i"), "too many steps", "recursion without end");
  ok(strstr(ml_machine_fault(machine), "too deep in nest") != NULL, "says where");
  ml_machine_limit(machine, 10 * 1000 * 1000);
  is_text(value("forever i"), "too many steps", "a loop without end");
  is_text(ml_machine_fault(machine), "more than 10000000 steps in forever: it seems not to end", "says where as well");
  ml_machine_limit(machine, 1000);
  is_text(value("down (900 + i)"), "0", "just within the limit");
  is_text(value("down (1001 + i)"), "too many steps", "just beyond");
  is_text(value("length (List.tabulate (100000, fn x => x + i))"), "too many steps", "library functions count");
  is_text(value("(forever i) handle _ => 1"), "too many steps", "nobody handles that");
  ml_machine_limit(machine, 10 * 1000 * 1000);
  is_text(value("hd (List.drop ([i], i + 1))"), "!Empty", "faults");
  is_text(ml_machine_fault(machine), "uncaught exception Empty in List.hd", "name the library function");
  value("chop (case i of 99 => 1, 2)");
  is_text(ml_machine_fault(machine), "uncaught exception Match: no rule fits the value", "a match that fails");
  value("raise Fail \"no way\"");
  is_text(ml_machine_fault(machine), "uncaught exception Fail \"no way\"", "and an exception with its argument");
}

/* Texts longer than a function has registers. */
static void test_long(void) {
  enum { LONG = 150000 };
  char *text = malloc(LONG * 16 + 100);
  size_t n = (size_t)sprintf(text, "length [");
  for (int i = 0; i < LONG; i++) n += (size_t)sprintf(text + n, "%s%d", i ? "," : "", i);
  sprintf(text + n, "]");
  is_text(value(text), "150000", "a list of 150000 elements in brackets");
  n = (size_t)sprintf(text, "foldl (fn (x, a) => (x + 7 * a) mod 10007) 0 [");
  for (int i = 0; i < LONG / 4; i++) n += (size_t)sprintf(text + n, "%si+%d", i ? "," : "", i);
  sprintf(text + n, "]");
  int want = 0;
  for (int i = 0; i < LONG / 4; i++) want = (i + 7 * want) % 10007;
  char number[20];
  snprintf(number, sizeof number, "%d", want);
  is_text(value(text), number, "in their order, where each is computed");
  n = (size_t)sprintf(text, "size (1`0");
  for (int i = 1; i < LONG / 4; i++) n += (size_t)sprintf(text + n, "++1`%d", i % 100);
  sprintf(text + n, ")");
  is_text(value(text), "37500", "a sum of 37500 terms");
  free(text);
}

static void wanted(const char *text, const char *colset, const char *want) {
  char out[1000];
  const struct ml_colset *c = ml_find_colset(ml, ml_name(ml, colset, strlen(colset)));
  const struct ml_code *code = compile(text, ML_WANT_MULTISET, c, NULL);
  ml_value v, variable[16];
  for (int i = 0; i < 16; i++) variable[i] = ml_from_int(i);
  if (!code || ml_run(machine, code, variable, now, &v) != ML_OK) snprintf(out, sizeof out, "?");
  else ml_print_multiset(c, v, out, sizeof out);
  is_text(out, want, text);
  ml_machine_clear(machine);
}

static int guard(const char *text) {
  const struct ml_code *code = compile(text, ML_WANT_BOOL, NULL, NULL);
  ml_value v, variable[16];
  for (int i = 0; i < 16; i++) variable[i] = ml_from_int(i);
  if (!code || ml_run(machine, code, variable, now, &v) != ML_OK) return -1;
  ml_machine_clear(machine);
  return ml_to_int(v) != 0;
}

static void test_wanted(void) {
  wanted("i", "INT", "1`0");
  wanted("7", "INT", "1`7");
  wanted("(j, \"COL\")", "PACKET", "1`(1,\"COL\")");
  wanted("2`(j, \"COL\") ++ 1`(i, \"OUR\")", "PACKET", "1`(0,\"OUR\")++\n2`(1,\"COL\")");
  wanted("if i = j then 1`i else empty", "INT", "empty");
  wanted("if i < j then 1`i else empty", "INT", "1`0");
  wanted("1`1 ++ 1`2", "INT", "1`1++\n1`2");
  wanted("e", "UNIT0", "1`e");
  wanted("3`e", "UNIT0", "3`e");
  wanted("i", "T", "1`0@100");
  wanted("2`i ++ 1`j", "T", "2`0@100+++\n1`1@100");
  wanted("1`i @+ 3", "T", "1`0@103");
  wanted("1`4 @ 7 +++ 1`3 @ 9", "T", "1`3@9+++\n1`4@7");
  is(guard("i < j"), 1, "a guard");
  is(guard("[i < j, j = 1]"), 1, "conditions in a list");
  is(guard("[i < j, j = 2]"), 0, "one of them false");
  is(guard("[]"), 1, "no condition");
  is(guard("List.map (fn x => x = i) [0, 0]"), 1, "a list that is computed");
  is(guard("List.map (fn x => x = i) [0, 1]"), 0, "with something false in it");
  struct ml_text t = text_of("if k > i then let val x = i in j + x end else hd (map (fn y => y + k) [1])");
  const struct ml_expr *e;
  uint32_t number[8];
  if (ml_check(&e, ml, &t, ML_WANT_ANYTHING, NULL, &err)) ok(0, "variables of an expression");
  else {
    is(ml_free_variables(e, number, 8), 3, "variables of an expression");
    ok(number[0] < number[1] && number[1] < number[2], "ascending");
    is(ml_free_variables(e, number, 1), 3, "however little room there is");
    is(ml_free_variables(e, NULL, 0), 3, "none at all");
  }
  char small[6];
  const struct ml_colset *c = ml_find_colset(ml, ml_name(ml, "COLOR", 5));
  is(ml_print(c, ml_from_int(1), small, sizeof small), 5, "printing tells the length");
  is_text(small, "green", "what fits");
  is(ml_print(c, ml_from_int(1), small, 3), 5, "also where there is less room");
  is_text(small, "gr", "what fits of it");
}

/* Every request for memory refused once, while declaring, compiling and running. */
static void test_refused(void) {
  static const char *const text =
      "colset INT = int; colset C = with a | b | c; colset L = list C with 0..3; colset E = subset INT with [1, 2, 3];"
      "fun f 0 = [] | f m = (m, Int.toString m) :: f (m - 1); val big = f 200; fun g x = let fun h y = x + y in map h [1, 2, 3] "
      "end;"
      "val all = L.all ();";
  size_t survived = 0, n;
  int clean = 1, sound = 1;
  for (n = 1; n < 3000; n++) {
    struct mem few;
    struct ml *world = NULL;
    struct ml_machine *m = NULL;
    mem_open(&few, 0);
    few.fail_after = n;
    err_clear(&err);
    int answer = ml_open(&world, &few, &err);
    struct ml_text t = text_of(text), inscription = text_of("let val l = f 50 in (length l, size all, g 3, 1`l ++ 2`l) end");
    const struct ml_expr *e;
    const struct ml_code *code;
    ml_value v;
    if (!answer) answer = ml_declare(world, &t, &err);
    if (!answer) answer = ml_check(&e, world, &inscription, ML_WANT_ANYTHING, NULL, &err);
    if (!answer) answer = ml_compile(&code, world, e, ML_WANT_ANYTHING, NULL, &err);
    if (!answer) answer = ml_machine_open(&m, world, &few, &err);
    if (!answer) {
      enum ml_answer ran = ml_run(m, code, NULL, 0, &v);
      sound &= ran == ML_OK || ran == ML_MEMORY;
    } else if (err.kind != ERR_MEMORY) {
      printf("# request %zu: %s\n", n, err.message);
      sound = 0;
    }
    int through = few.fail_after > 0;
    ml_machine_close(m);
    if (world) ml_close(world);
    clean &= few.used == 0;
    survived += answer == 0;
    if (through) break;
  }
  ok(n > 30 && n < 3000, "each request for memory was refused once");
  ok(sound, "that is an ordinary answer");
  ok(clean, "and leaves nothing behind");
}

/* Each line of a file is an expression: prints what it is. For tests that ask others the same. */
static int evaluate_file(const char *path) {
  static char line[65536];
  FILE *f = fopen(path, "r");
  if (!f || !declare("colset INT = int; var i : INT;")) return 1;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    static char alone[5000];
    snprintf(alone, sizeof alone, "%s", value(line));
    const char *framed = alone[0] == '?' ? NULL : differing(line, alone);
    if (framed) printf("# %s: %s, but %s\n", framed, value(framed), alone);
    printf("%s\n", framed ? "?" : alone);
  }
  fclose(f);
  return 0;
}

int main(int count, char **argument) {
  mem_open(&mem, 0);
  if (ml_open(&ml, &mem, &err) || ml_machine_open(&machine, ml, &mem, &err)) {
    printf("# %s\n", err.message);
    return 1;
  }
  if (count > 2 && strcmp(argument[1], "--evaluate") == 0) return evaluate_file(argument[2]);
  check_file("ml_cpn.txt"); /* declares the variables of the others */
  check_file("ml_basis.txt");
  test_limits();
  test_wanted();
  test_long();
  ml_machine_close(machine);
  ml_close(ml);
  is(mem.used, 0, "all memory was given back");
  test_refused();
  return done();
}
