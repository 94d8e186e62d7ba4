/* automaton.c -- automata by hand: words, kinds of components, trimming, one set; HOA and never claims: reading, writing,
 * refusing. */
#include "tap.h"

#include "prop/hoa.h"
#include "prop/never.h"
#include "prop/translate.h"

#include <stdlib.h>

static struct mem mem;
static struct err err;

static struct automaton *hoa(const char *text) {
  struct automaton *a;
  err_clear(&err);
  return hoa_read(&a, text, strlen(text), "x.hoa", &mem, &err) ? NULL : a;
}

#define HEAD(states, atoms, acceptance) "HOA: v1\nStates: " states "\nStart: 0\nAP: " atoms "\nAcceptance: " acceptance "\n"

static int accepts(const struct automaton *a, uint64_t first, uint64_t loop) {
  return automaton_accepts(a, &first, 1, &loop, 1, &err);
}

static void test_words(void) {
  /* G F 0, by a state-based automaton */
  struct automaton *a =
      hoa(HEAD("2", "1 \"p\"", "1 Inf(0)") "--BODY--\nState: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[!0] 0\n[0] 1\n--END--\n");
  if (!ok(a != NULL, "an automaton with acceptance on states")) return;
  ok(a->by_state && a->sets == 1 && a->deterministic, "is what it is");
  is(a->kind[0], SCC_STRONG, "strong");
  uint64_t loop[3] = {0, 1, 0};
  is(automaton_accepts(a, NULL, 0, loop, 3, &err), 1, "p again and again");
  is(accepts(a, 1, 0), 0, "p once");
  is(accepts(a, 0, 1), 1, "p for ever");
  is(automaton_empty(a, &err), 0, "is not empty");
  ok(automaton_trim(&a, &err) == 0 && a->states == 2, "nothing to trim");
  ok(automaton_reduce(&a, NULL, &err) == 0 && a->states == 2, "nothing to reduce as long as acceptance is on states");
  a->by_state = 0;
  ok(automaton_degeneralise(&a, 1, &err) == 0 && a->by_state && a->states == 2, "nothing to degeneralise");
  automaton_close(a);
}

static void test_kinds(void) {
  struct automaton *a = hoa(HEAD("6", "2 \"a\" \"b\"", "1 Inf(0)") "--BODY--\n"
                                                                   "State: 0\n[0] 1\n[1] 2\n[t] 5\n"
                                                                   "State: 1\n[0] 1\n[!0] 3\n"
                                                                   "State: 2\n[1] 2 {0}\n[!1] 2\n[0&1] 4\n"
                                                                   "State: 3\n[t] 3 {0}\n"
                                                                   "State: 4\n[0] 4 {0}\n"
                                                                   "State: 5\n[t] 5\n--END--\n");
  if (!ok(a != NULL, "one of each")) return;
  static const int want[] = {SCC_TRANSIENT, SCC_REJECTING, SCC_STRONG, SCC_TERMINAL, SCC_WEAK, SCC_REJECTING};
  for (uint32_t s = 0; s < 6; s++) is(a->kind[s], want[s], automaton_kind_name((enum automaton_kind)want[s]));
  is(automaton_strength(a), SCC_STRONG, "all together are strong");
  for (uint32_t s = 0; s < 6; s++)
    for (const struct automaton_edge *x = automaton_edges(a, s); x < automaton_edges(a, s + 1); x++)
      if (a->scc[x->to] > a->scc[s]) ok(0, "edges go to lower components");
  ok(automaton_trim(&a, &err) == 0, "trimmed");
  is(a->states, 5, "without the dead state");
  automaton_close(a);
}

static void test_sets(void) {
  const char *text =
      HEAD("1", "3 \"a\" \"b\" \"c\"",
           "3 Inf(0)&(Inf(1)&Inf(2))") "--BODY--\nState: 0\n"
                                       "[!0&!1&!2] 0\n[0&!1&!2] 0 {0}\n[!0&1&!2] 0 {1}\n[!0&!1&2] 0 {2}\n"
                                       "[0&1&!2] 0 {0 1}\n[0&!1&2] 0 {0 2}\n[!0&1&2] 0 {1 2}\n[0&1&2] 0 {0 1 2}\n--END--\n";
  for (int by_state = 0; by_state <= 1; by_state++) {
    struct automaton *a = hoa(text);
    if (!ok(a && a->sets == 3, "three sets")) return;
    ok(automaton_degeneralise(&a, by_state, &err) == 0 && automaton_reduce(&a, NULL, &err) == 0, "made one");
    is(a->sets, 1, "is one");
    is(a->states, by_state ? 4 : 3, "as many states as levels");
    uint64_t all[3] = {4, 1, 2}, two[2] = {1, 2};
    is(automaton_accepts(a, NULL, 0, all, 3, &err), 1, "in turns");
    is(automaton_accepts(a, NULL, 0, two, 2, &err), 0, "one is missing");
    automaton_close(a);
  }
}

static void test_hoa(void) {
  struct automaton *a =
      hoa("HOA: v1 /* a /* nested */ comment */ name: \"x \\\"y\\\"\" Start: 0 Start: 1 tool: \"t\" \"1\"\n"
          "AP: 2 \"a \\\"q\\\"\" \"b\" acc-name: Buchi Alias: @x 0&!1 Alias: @y @x|1 properties: trans-acc some-thing\n"
          "Acceptance: 2 Inf(1) --BODY-- State: 0 \"first\" [@y] 1 {0 1} State: [!@x & (t | f)] 1 0 {1} 1 --END--");
  if (!ok(a != NULL, "everything at once")) printf("# %ld:%ld %s\n", err.line, err.column, err.message);
  else {
    is(a->initial_count, 2, "two initial states");
    is(a->sets, 1, "one set counts");
    is_text(a->atom[0], "a \"q\"", "a name with quotes");
    is(accepts(a, 1, 2), 1, "a word");
    is(accepts(a, 1, 1), 0, "another");
  }
  automaton_close(a);
  a = hoa(HEAD("2", "1 \"p\"", "0 t") "--BODY--\nState: 0\n1\n0\nState: 1\n1\n1\n--END--\n");
  ok(a && a->sets == 0 && a->first[2] == 3, "implicit labels");
  is(accepts(a, 1, 1), 1, "every run is accepting");
  automaton_close(a);
  a = hoa(HEAD("1", "0", "0 f") "--BODY--\nState: 0\n[t] 0\n--END--\n");
  ok(a && automaton_empty(a, &err) == 1, "f accepts nothing");
  automaton_close(a);
}

static void test_hoa_refused(void) {
  static const struct {
    const char *text, *message;
    long line;
  } list[] = {
      {"", "expected \"HOA:\"", 1},
      {"HOA: v2", "expected \"v1\"", 1},
      {HEAD("1", "0", "1 Fin(0)") "--BODY--\n--END--", "only Buechi", 5},
      {HEAD("1", "0", "2 Inf(0)|Inf(1)") "--BODY--\n--END--", "only Buechi", 5},
      {HEAD("1", "0", "1 Inf(!0)") "--BODY--\n--END--", "only Buechi", 5},
      {HEAD("1", "0", "1 Inf(1)") "--BODY--\n--END--", "no such acceptance set", 5},
      {HEAD("1", "0", "0 t") "--BODY--\nState: 0\n[t] 0&0\n--END--", "alternating", 8},
      {HEAD("1", "0", "0 t") "--BODY--\nState: 0\n[t] 1\n--END--", "no such state", 8},
      {HEAD("1", "0", "0 t") "--BODY--\nState: 0\n[0] 0\n--END--", "no such atomic proposition", 8},
      {HEAD("1", "0", "0 t") "--BODY--\nState: 0\n[@a] 0\n--END--", "alias is not defined", 8},
      {HEAD("1", "1 \"p\"", "0 t") "--BODY--\nState: 0\n0\n--END--", "one edge for each letter", 7},
      {HEAD("1", "1 \"p\"", "0 t") "--BODY--\nState: 0\n0 0 0\n--END--", "more edges", 8},
      {HEAD("1", "0", "0 t") "--BODY--\nState: 0\n[t] 0\n", "found the end", 9},
      {HEAD("1", "0", "0 t") "--BODY--\n--ABORT--", "gave up", 7},
      {HEAD("1", "0", "0 t") "--BODY--\n--END--\nHOA: v1", "more than one automaton", 8},
      {HEAD("1", "0", "0 t") "Novel: 3\n--BODY--\n--END--", "not understood", 6},
      {HEAD("1", "0", "0 t") "/* --BODY--", "comment is not closed", 6},
      {"HOA: v1\nStart: 0\nAP: 0\n--BODY--\n--END--", "tells no acceptance", 4},
      {"HOA: v1\nStart: 3\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n--END--", "not among the states", 1},
      {"HOA: v1\nAP: 65 \"a\"", "64", 2},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    struct automaton *a = hoa(list[i].text);
    if (!ok(!a && strstr(err.message, list[i].message) && err.line == list[i].line, list[i].message))
      printf("# line %ld: %s\n", err.line, err.message);
    automaton_close(a);
  }
}

/* Edges from a state to another one for each way to have the first `atoms` atoms. */
static void fan(struct automaton_draft *d, uint32_t from, uint32_t to, unsigned atoms) {
  for (uint64_t want = 0; want >> atoms == 0; want++) automaton_draft_edge(d, from, (struct automaton_edge){(UINT64_C(1) << atoms) - 1, want, to, 0});
}

/* Whether guards cover each other is asked for a while only, so that some states look alike and others that are do not: 0 and 2, 2 and 3, 3 and 1 do. Of the two at the beginning, 2 and 3, each can do without the other. */
static void test_long_guards(void) {
  struct automaton_draft d;
  struct automaton *a;
  enum { END = 4 };
  automaton_draft_open(&d, &mem);
  fan(&d, 0, END, 10);
  fan(&d, 1, END, 13);
  for (size_t i = 0; i < 2; i++) { /* two that differ in the last atom alone are cut in halves */
    struct automaton_edge *x = &d.edge[1024 + 4096 * i].edge, half = *x;
    x->care = half.care |= 1 << 13;
    half.want |= 1 << 13;
    automaton_draft_edge(&d, 1, half);
  }
  fan(&d, 2, END, 12);
  fan(&d, 3, END, 13);
  automaton_draft_edge(&d, END, (struct automaton_edge){.to = END, .accept = 1});
  for (uint32_t s = 0; s < 2; s++) automaton_draft_edge(&d, END, (struct automaton_edge){.to = s});
  for (uint32_t s = 2; s < 4; s++) automaton_draft_initial(&d, s);
  err_clear(&err);
  ok(automaton_finish(&a, &d, END + 1, 1, &err) == 0 && automaton_reduce(&a, NULL, &err) == 0, "guards that take long to compare");
  is(accepts(a, 5, 7), 1, "one of two states that could each do without the other stays");
  automaton_close(a);
  automaton_draft_close(&d);
}

static char *written(const struct automaton *a, int claim) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (claim) never_write(a, "a */ name", out);
  else hoa_write(a, "a \"name\"", out);
  fclose(out);
  return text;
}

/* Nothing is accepted without an initial state, and that is what is written. */
static void test_no_start(void) {
  struct automaton *a = hoa("HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--");
  char *out = a ? written(a, 0) : NULL;
  struct automaton *b = out ? hoa(out) : NULL;
  ok(b && automaton_empty(a, &err) == 1 && automaton_empty(b, &err) == 1, "no initial state");
  free(out);
  automaton_close(a);
  automaton_close(b);
}

/* Automata of formulas through both formats. */
static void test_round_trips(void) {
  static const char *const list[] = {"G (a -> F b)",        "a U (b & X c)", "false", "true",
                                     "G F a & G F b & F c", "F G a | G b",   NULL};
  for (const char *const *text = list; *text; text++) {
    struct formulas *fs;
    struct atoms atoms, others;
    struct automaton *a, *b, *c;
    formula f;
    err_clear(&err);
    atoms_open(&atoms, &mem);
    struct formula_reader reader = {.what = "x", .atom = atoms_add, .context = &atoms};
    if (formulas_open(&fs, &mem, &err) || formula_parse(fs, &f, *text, &reader, &err) ||
        translate(&a, fs, f, &(struct translate_setup){0}, &err) ||
        automaton_name_atoms(a, (const char *const *)atoms.text, atoms.count, &err)) {
      ok(0, *text);
      continue;
    }
    char *out = written(a, 0);
    b = hoa(out);
    char *again = b ? written(b, 0) : NULL;
    if (a->states) is_text(again, out, "HOA, read and written again");
    else ok(b && automaton_empty(b, &err) == 1, "HOA of nothing");
    automaton_close(a);
    automaton_close(b);
    free(out);
    free(again);
    if (translate(&a, fs, f, &(struct translate_setup){.shape = SHAPE_STATE}, &err)) continue;
    automaton_name_atoms(a, (const char *const *)atoms.text, atoms.count, &err);
    out = written(a, 1);
    atoms_open(&others, &mem);
    for (uint32_t i = 0; i < atoms.count; i++) atoms_add(&others, atoms.text[i], strlen(atoms.text[i]), 1, &err);
    int same = never_read(&c, out, strlen(out), "claim", &others, &mem, &err) == 0;
    for (uint64_t x = 0; x < 8 && same; x++)
      for (uint64_t y = 0; y < 64 && same; y++) {
        uint64_t loop[2] = {y & 7, y >> 3};
        same = automaton_accepts(a, &x, 1, loop, 2, &err) == automaton_accepts(c, &x, 1, loop, 2, &err);
      }
    if (!ok(same, *text)) printf("# %s\n%s", err.message, out);
    automaton_close(a);
    automaton_close(c);
    free(out);
    atoms_close(&atoms);
    atoms_close(&others);
    formulas_close(fs);
  }
}

/* A claim of one state and up to two conditions; whether it accepts loop loop loop ... */
static int claims(const char *text, const uint64_t *loop, size_t length) {
  struct automaton *a;
  struct atoms atoms;
  err_clear(&err);
  atoms_open(&atoms, &mem);
  int answer = never_read(&a, text, strlen(text), "claim", &atoms, &mem, &err) ? -1 : automaton_accepts(a, NULL, 0, loop, length, &err);
  if (answer < 0) printf("# %s\n", err.message);
  automaton_close(a);
  atoms_close(&atoms);
  return answer;
}

/* What stands behind a guard takes a step of its own, unless it is a jump. */
static void test_never_steps(void) {
  uint64_t always[] = {1}, second[] = {1, 0}, third[] = {1, 0, 0};
  is(claims("never { accept: do :: p od }", second, 2), 0, "a guard is asked at every step");
  is(claims("never { accept: do :: p -> skip od }", second, 2), 1, "a skip behind it lets one pass");
  is(claims("never { accept: do :: p -> skip od }", third, 3), 0, "and no more than one");
  is(claims("never { accept: do :: p -> true; skip; goto accept od }", third, 3), 1, "two let two pass");
  is(claims("never { accept: do :: p -> goto accept; skip od }", second, 2), 0, "what stands behind a jump is not reached");
  is(claims("never { accept: do :: p -> goto accept; goto T1 od; T1: false }", always, 1), 1, "nor is another jump");
  is(claims("never { T0: do :: atomic { (p) -> assert(!(p)) } :: (1) -> goto T0 od; accept_all: skip }", second, 2), 1, "an assert that fails");
  is(claims("never { T0: do :: atomic { (!(p)) -> assert(!(!(p))) } :: (1) -> goto T0 od }", always, 1), 0, "or does not");
  is(claims("never { /*/ accept: */ T0: do :: p od }", always, 1), 0, "a comment is not closed by the sign that opens it");
}

static void test_never(void) {
  static const struct {
    const char *text, *message;
  } bad[] = {{"never {", "expected do"},
             {"never { T0: if :: (a) -> goto T1 fi; }", "label is nowhere"},
             {"never { T0: skip; T0: skip }", "stands twice"},
             {"never { T0: if :: else -> goto T0 fi }", "else"},
             {"never { T0: if :: ([] a) -> goto T0 fi }", "temporal"},
             {"never { T0: if :: (a) -> x = 1 fi }", "only goto"},
             {"never { T0: if :: (a -> goto T0 fi }", "no meaning"},
             {"never { T0: do :: atomic { a -> assert(a) } od }", "only the negation"},
             {"never { T0: do :: atomic { (a && b) -> assert(!a) } od }", "only the negation"},
             {"never { x = 1 }", "expected do"},
             {"claim { skip }", "expected \"never\""},
             {"never { skip } more", "expected the end"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct automaton *a;
    struct atoms atoms;
    err_clear(&err);
    atoms_open(&atoms, &mem);
    int status = never_read(&a, bad[i].text, strlen(bad[i].text), "claim", &atoms, &mem, &err);
    if (!ok(status == -1 && strstr(err.message, bad[i].message) && err.line == 1 && err.column > 0, bad[i].text))
      printf("# %s\n", err.message);
    automaton_close(a);
    atoms_close(&atoms);
  }
  /* p holds, and later q: then the claim ends */
  const char *text = "never named { /* x */\n accept_or_not: if :: p -> skip fi; wait: do :: q -> break :: (!q) od }";
  struct automaton *a;
  struct atoms atoms;
  atoms_open(&atoms, &mem);
  err_clear(&err);
  if (!ok(never_read(&a, text, strlen(text), "claim", &atoms, &mem, &err) == 0, "falling through, break, looping"))
    printf("# %s\n", err.message);
  else {
    is(accepts(a, 1, 2), 1, "p, then q");
    is(accepts(a, 1, 1), 0, "p, and no q");
    is(accepts(a, 0, 2), 0, "no p");
  }
  automaton_close(a);
  atoms_close(&atoms);
}

int main(void) {
  mem_open(&mem, (size_t)256 << 20);
  test_words();
  test_kinds();
  test_sets();
  test_hoa();
  test_hoa_refused();
  test_no_start();
  test_long_guards();
  test_round_trips();
  test_never();
  test_never_steps();
  is(mem.used, 0, "all memory came back");
  return done();
}
