/* reduce_process.c -- stubborn sets of processes (process/dependence.h) on random programs (programs.h), in Promela, DVE and PROM+.
 *
 * Each program is walked with all of its steps and with the fewer ones that are chosen for several aims.  Whatever is asked, the states without successors must be the same ones; in programs in which nothing depends on who is
 * which (process/heirs.c) up to the dead, whom others keep from vanishing, and numbers: there global variables and channels must have the same contents in them.  Where faults count, the same
 * assertions fail and the same run-time errors occur; where conditions count, they have the same values somewhere.  Then verdicts of whole runs are compared, over searches and
 * stores, on the interpreter and on generated code, also of formulas without next about whole runs, and paths must be confirmed by the definition. */
#include "tap.h"

#include "edge_laws.h"
#include "front/front.h"
#include "process/process.h"
#include "programs.h"
#include "reduce/reduction.h"
#include "reduced_runs.h"
#include "run/run.h"

static char text[9000];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { PROGRAMS = 1500, MOST = 1500, CONDITIONS = 3, FAULTS = 64, COMPILED_EACH = 400, FORMULAS = 2 };

static const char *const conditions[] = {"x == 2", "len(c) == 1 && y == 0", "a[1] > y", "P0[1]@L0", "x == 1 && y == 1", "len(d) == 2", "z != 0 && P1[2]@L1", "a[0] == 1 || len(e[1]) == 1", "_nr_pr < 2"};

static const char *const dve_conditions[] = {"x == 2", "y == 1 and x == 1", "z > y", "P0.s1", "P0.s1 and P1.s1", "x == 1 and not P1.s0"};

static const char *const pointer_conditions[] = {"x == 2", "x == 1 && y == 1", "w == 1", "z != 0 && x == 0", "len(q) == 1", "g == null", "_nr_pr < 2"};

static const struct {
  const char *language;
  const char *const *condition;
  size_t conditions;
} kinds[] = {{"promela", conditions, sizeof conditions / sizeof *conditions}, {"dve", dve_conditions, sizeof dve_conditions / sizeof *dve_conditions}, {"prom+", pointer_conditions, sizeof pointer_conditions / sizeof *pointer_conditions}};
enum { PROMELA, DVE, POINTERS };

/* What tells ends apart in programs that are blind for who is which. */
static const char *const signs[] = {"x == 0", "x == 1", "y == 0", "y == 1", "z == 0", "z == 1", "a[0] == 0", "a[0] == 1", "a[1] == 0", "a[1] == 1", "len(c) == 0", "len(d) == 0", "len(d) == 1", "len(e[0]) == 0", "len(e[1]) == 0"};
static const char *const pointer_signs[] = {"x == 0", "x == 1", "y == 0", "z == 0", "w == 0", "w == 1", "g == null", "a == null", "b == null", "len(q) == 0", "len(q) == 1", "a == g", "b == g", "d == g", "x == 2"};
enum { SIGNS = sizeof signs / sizeof *signs };
_Static_assert(SIGNS == sizeof pointer_signs / sizeof *pointer_signs, "as many signs");

static struct model *load(const char *program, const char *language, struct mem *mem) {
  struct err e;
  struct model *m = NULL;
  err_clear(&e);
  FILE *f = fmemopen((void *)(uintptr_t)program, strlen(program), "r");
  struct front_setup setup = {.mem = mem, .file = "random", .input = f};
  if (!f) return NULL;
  if (front_find(language)->load(&m, &setup, &e)) {
    printf("# %s\n# %s\n", e.message, program);
    m = NULL;
  }
  fclose(f);
  return m;
}

/* What was seen on a walk. */
struct seen {
  struct known ends; /* states without successors */
  struct known alike; /* what they have of signs */
  uint64_t fault[FAULTS];
  size_t faults, states;
  unsigned value[CONDITIONS]; /* bit 0: false somewhere, bit 1: true */
  int complete;
};

static void note_fault(struct seen *s, const struct model_fault *f) {
  uint64_t which = (uint64_t)f->claim << 32 | f->detail;
  for (size_t i = 0; i < s->faults; i++)
    if (s->fault[i] == which) return;
  if (s->faults < FAULTS) s->fault[s->faults++] = which;
}

static int has_fault(const struct seen *s, uint64_t which) {
  for (size_t i = 0; i < s->faults; i++)
    if (s->fault[i] == which) return 1;
  return 0;
}

static void forget(struct known *k) {
  for (size_t i = 0; i < k->count; i++) free(k->at[i]);
  free(k->at);
  free(k->slot);
}

static void see(struct seen *s, struct model *m, struct mem *mem, struct expr *const *expr, struct expr *const *sign, size_t most) {
  struct walk w = {.m = m, .mem = mem, .packed_room = 4096, .packed = malloc(4096)};
  *s = (struct seen){.complete = 1};
  fit(&w);
  if (m->type->cursor_open(&w.cursor, m, mem) || model_batch_open(&w.batch, mem, m->words, 4) || model_batch_open(&w.again, mem, m->words, 4)) s->complete = 0;
  memset(w.state, 0, w.room * sizeof *w.state);
  m->type->initial(m, w.state);
  keep(&w, w.state);
  for (size_t i = 0; i < w.known.count && s->complete; i++) {
    memset(w.state, 0, w.room * sizeof *w.state);
    if (i > most || m->type->unpack(m, w.known.at[i] + 4, length_of(w.known.at[i]), w.state)) {
      s->complete = 0;
      break;
    }
    for (size_t k = 0; k < CONDITIONS; k++) s->value[k] |= 1u << (expr_true(expr[k], w.cursor, w.state) != 0);
    if (expand(&w, w.cursor, &w.batch)) s->complete = 0;
    for (size_t k = 0; k < w.batch.fault_count; k++) note_fault(s, &w.batch.faults[k]);
    for (size_t k = 0; k < w.batch.count; k++) keep(&w, w.batch.states + k * w.batch.stride);
    if (w.batch.count) continue;
    uint8_t has[SIGNS] = {0};
    for (size_t k = 0; k < SIGNS && sign; k++) has[k] = expr_true(sign[k], w.cursor, w.state) != 0;
    put(&s->ends, w.known.at[i] + 4, length_of(w.known.at[i]));
    put(&s->alike, has, sizeof has);
  }
  s->states = w.known.count;
  m->type->cursor_close(w.cursor);
  model_batch_close(&w.batch);
  model_batch_close(&w.again);
  forget(&w.known);
  free(w.state), free(w.out), free(w.values), free(w.next), free(w.packed);
}

/* What is lost, or NULL. */
static const char *lost(const struct seen *all, struct seen *few, int faults, int values, int blind) {
  const struct known *from = blind ? &all->alike : &all->ends;
  struct known *to = blind ? &few->alike : &few->ends;
  size_t before = to->count;
  for (size_t i = 0; i < from->count; i++) put(to, from->at[i] + 4, length_of(from->at[i]));
  if (to->count != before) return "a state without successors";
  for (size_t i = 0; faults && i < all->faults; i++)
    if (!has_fault(few, all->fault[i])) return "a fault";
  for (size_t i = 0; values && i < CONDITIONS; i++)
    if (all->value[i] != few->value[i]) return "a value of a condition";
  return NULL;
}

struct tally {
  size_t kind[3], programs, reduced, lost, more, wrong, unconfirmed, left, compiled, blind;
  uint64_t all, few[3];
  size_t formulas;
  uint64_t run_all, run_few;
};

static void walks(struct tally *t, struct model *m, struct mem *mem, struct expr *const *expr, struct expr *const *sign, const char *program) {
  struct seen all, few;
  struct reduction_goal goal[CONDITIONS];
  struct err e;
  for (size_t i = 0; i < CONDITIONS; i++) goal[i] = (struct reduction_goal){expr[i], 1};
  see(&all, m, mem, expr, sign, MOST);
  t->programs += all.complete;
  for (int aim = 0; aim < 3 && all.complete; aim++) {
    struct reduction *r;
    struct reduction_told told;
    struct reduction_setup setup = {.model = m, .kinds = REDUCE_POR, .bounded = 1, .deadlocks = 1, .goal = goal, .goals = aim == 2 ? CONDITIONS : 0, .assertions = aim > 0, .errors = aim > 0};
    err_clear(&e);
    int status = reduction_open(&r, &setup, &told, mem, &e);
    if (status) continue;
    reduction_dress(r);
    see(&few, m, mem, expr, sign, MOST);
    reduction_undress(r);
    reduction_close(r);
    int blind = sign && strstr(program, "run P") && !strstr(program, "_pid") && !strstr(program, "_nr_pr");
    t->blind += blind && few.ends.count != all.ends.count;
    const char *what = lost(&all, &few, aim > 0, aim > 1, blind);
    if (what && !t->lost++) printf("# aim %d: %s is lost in\n%s\n", aim, what, program);
    t->more += few.states > all.states || !few.complete;
    t->reduced += aim == 2;
    t->few[aim] += few.states;
    if (aim == 2) t->all += all.states;
    forget(&few.ends);
    forget(&few.alike);
  }
  forget(&all.ends);
  forget(&all.alike);
}

/* ---- verdicts ---- */

enum { PROPERTIES = 40 };

static void verdicts(struct tally *t, struct model *m, struct mem *mem, struct rng *r, const char *const *asked, const char *program) {
  static const struct search_type *searches[] = {&search_bfs, &search_dfs};
  static const struct store_type *stores[] = {&store_plain, &store_compact_tree, &store_comback};
  struct prop p[PROPERTIES];
  struct err e;
  size_t count = 0;
  err_clear(&e);
  prop_open(&p[count++], PROP_DEADLOCK, 1, NULL, m, mem, &e);
  for (uint32_t c = 0; c < m->type->claims(m) && count < 20; c++) count += prop_open_claim(&p[count], m, c, mem, &e) == 0;
  count += prop_open_claim(&p[count], m, MODEL_RUNTIME, mem, &e) == 0;
  for (unsigned i = 0; i < rng_below(r, CONDITIONS + 1); i++) count += prop_open(&p[count], rng_below(r, 2) ? PROP_INVARIANT : PROP_REACHABLE, i + 1, asked[i], m, mem, &e) == 0;
  struct reduced_outcome want = reduced_run(m, mem, p, count, &(struct reduced_how){.search = &search_bfs, .store = &store_plain, .most = MOST});
  struct reduced_outcome got = reduced_run(m, mem, p, count, &(struct reduced_how){.reduce = REDUCE_POR, .search = searches[rng_below(r, 2)], .store = stores[rng_below(r, 3)], .most = MOST});
  for (size_t i = 0; i < count && want.complete; i++)
    if ((got.complete ? want.status[i] != got.status[i] : want.complete == 2) && !t->wrong++)
      printf("# %s: %s instead of %s in\n%s\n", p[i].id, prop_status_name(got.status[i]), prop_status_name(want.status[i]), program);
  t->unconfirmed += !got.confirmed;
  for (size_t i = 0; i < count; i++) prop_close(&p[i]);
}

/* Formulas without next about whole runs, each by itself. Atoms are the conditions, or small ones that are seen less often. */
static void runs(struct tally *t, struct model *m, struct mem *mem, struct rng *r, int kind, const char *program) {
  static const char *atoms[] = {"(x == 1)", "(y == 1)", "(z > 0)"};
  static const char *shapes[] = {"[] <> (%s)", "<> [] (%s)", "[] ((%s) -> <> (%s))", "(%s) U (%s)", "<> ((%s) && <> (%s))", "[] ((%s) -> ((%s) W (%s)))", "[] (%s)", "([] <> (%s)) -> [] <> (%s)", "[] ((%s) -> [] (%s))"};
  for (int k = 0; k < FORMULAS; k++) {
    struct prop p;
    struct err e;
    char text_of[400];
    const char *a[3];
    for (int i = 0; i < 3; i++) a[i] = rng_below(r, 3) ? atoms[rng_below(r, 3)] : kinds[kind].condition[rng_below(r, kinds[kind].conditions)];
    err_clear(&e);
    snprintf(text_of, sizeof text_of, shapes[rng_below(r, sizeof shapes / sizeof *shapes)], a[0], a[1], a[2]);
    if (prop_open(&p, PROP_LTL, 1, text_of, m, mem, &e)) {
      t->wrong++;
      printf("# %s: %s\n", text_of, e.message);
      continue;
    }
    struct reduced_outcome want = reduced_run(m, mem, &p, 1, &(struct reduced_how){.search = &search_bfs, .store = &store_plain, .most = MOST});
    struct reduced_outcome got = reduced_run(m, mem, &p, 1, &(struct reduced_how){.reduce = REDUCE_POR, .search = &search_bfs, .store = rng_below(r, 2) ? &store_plain : &store_compact_tree, .most = 500 * MOST}); /* the run is looked for in all of the space */
    t->formulas += want.complete && got.complete;
    t->run_all += want.complete ? want.states : 0;
    t->run_few += want.complete ? got.states : 0;
    if (want.complete && (!got.complete || want.status[0] != got.status[0]) && !t->wrong++)
      printf("# %s: %s instead of %s in\n%s\n", text_of, prop_status_name(got.status[0]), prop_status_name(want.status[0]), program);
    if (want.confirmed && !got.confirmed && !t->unconfirmed++) printf("# %s is not confirmed in\n%s\n", text_of, program);
    prop_close(&p);
  }
}

/* Programs whose assertion fails, and would be put off for ever if a cycle were overlooked, or never tried if it were not seen who is which, or who will get hold of a channel. */
static const char *const cycles[] = {
  /* a counter that wraps around */
  "byte g;\nactive proctype R() { g = 1; assert(g == 0) }\nactive proctype P() { unsigned k : 2; do :: k++ od }\n",
  /* one that is set back outside of the loop that it counts, on a way round that uses the same transition */
  "chan c = [1] of { bit };\nbyte g;\nactive proctype R() { g = 1; assert(g == 0) }\n"
  "active proctype P() { byte i = 1; bit x; A: if :: i < 1 -> goto B :: c?x -> i = 0; goto B fi; B: i++; goto A }\nactive proctype Q() { do :: c!1 od }\n",
  /* the number of a process is that of one who is dead by then, or not; SPIN's reduction takes the other order for both */
  "proctype Q() { skip }\nproctype R() { pid p; p = run Q(); assert(p == 2) }\ninit { atomic { run R(); run Q() } }\n",
  "proctype Q() { skip }\nproctype R() { pid p; p = run Q(); assert(p == 3) }\ninit { atomic { run R(); run Q() } }\n",
  "byte x;\nproctype Q() { skip }\nproctype R() { if :: (_nr_pr == 2) -> x = 1 :: (_nr_pr == 3) -> x = 2 fi; assert(x != 2) }\ninit { atomic { run R(); run Q() } }\n",
  /* so is the number of a channel, which a variable, a message, a comparison or the order of messages may tell */
  "proctype A() { chan c = [1] of { bit }; c!1 }\nproctype B() { chan d = [1] of { bit }; byte x; x = d; assert(x != 2); d!1 }\ninit { run A(); run B() }\n",
  "proctype A() { chan c = [1] of { bit }; c!1 }\nproctype B() { chan d = [1] of { bit }; assert(d != 2); d!1 }\ninit { run A(); run B() }\n",
  "chan q = [1] of { byte };\nproctype A() { chan c = [1] of { bit }; c!1 }\nproctype B() { chan d = [1] of { bit }; byte x; q!d; q?x; assert(x != 3); d!1 }\ninit { run A(); run B() }\n",
  "proctype A() { chan c = [1] of { bit }; c!1 }\nproctype C(byte x) { assert(x != 2) }\nproctype B() { chan d = [1] of { bit }; d!1; run C(d) }\ninit { run A(); run B() }\n",
  /* a process that is yet to be made gives a channel to one that it makes: directly, an element of an array, by the name of another one */
  "chan g = [2] of { byte };\nproctype Q(chan c) { c!2 }\nproctype A() { run Q(g) }\ninit { run A() }\nactive proctype S() { g!1 }\nactive proctype R() { byte x; g?x; assert(x == 1) }\n",
  "chan g[2] = [2] of { byte };\nproctype Q(chan c) { c!2 }\nproctype B(byte i) { run Q(g[i]) }\nproctype A() { run B(1) }\ninit { run A() }\n"
  "active proctype S() { g[1]!1 }\nactive proctype R() { byte x; g[1]?x; assert(x == 1) }\n",
  "chan g = [2] of { byte };\nchan h = g;\nproctype Q(chan c) { c!2 }\nproctype A() { run Q(h) }\ninit { run A() }\nactive proctype S() { g!1 }\nactive proctype R() { byte x; g?x; assert(x == 1) }\n",
  /* one that is set to what it is */
  "byte g;\nactive proctype R() { g = 1; assert(g == 0) }\nactive proctype P() { byte k = 5; bit x; do :: k < 5 -> k++ :: k >= 5 -> k = 5 od }\n",
};

static size_t overlooked(void) {
  size_t bad = 0;
  for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
    struct mem mem;
    struct prop p[PROPERTIES];
    struct err e;
    size_t count = 0;
    mem_open(&mem, 0);
    struct model *m = load(cycles[i], "promela", &mem);
    if (!m) return 1;
    for (uint32_t c = 0; c < m->type->claims(m); c++) count += prop_open_claim(&p[count], m, c, &mem, &e) == 0;
    struct reduced_outcome got = reduced_run(m, &mem, p, count, &(struct reduced_how){.reduce = REDUCE_POR, .search = &search_bfs, .store = &store_plain, .most = 10 * MOST});
    int found = 0;
    for (size_t k = 0; k < count; k++) found |= got.status[k] == STATUS_VIOLATED;
    bad += !found;
    for (size_t k = 0; k < count; k++) prop_close(&p[k]);
    model_close(m);
  }
  return bad;
}

int main(int argc, char **argv) {
  struct rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : 11};
  int programs = argc > 2 ? atoi(argv[2]) : often(PROGRAMS / 4);
  struct tally t = {0};
  for (int k = 0; k < programs; k++) {
    char program[8000];
    const char *asked[CONDITIONS];
    struct expr *expr[CONDITIONS] = {0};
    struct mem mem;
    struct err e;
    mem_open(&mem, 0);
    err_clear(&e);
    int kind = rng_below(&r, 3) == 0 ? DVE : rng_below(&r, 4) == 0 ? POINTERS : PROMELA;
    if (kind == DVE) programs_random_dve(program, sizeof program, &r);
    else if (kind == POINTERS) programs_random_pointers(program, sizeof program, &r, 1);
    else programs_random(program, sizeof program, &r);
    t.kind[kind]++;
    struct model *m = load(program, kinds[kind].language, &mem);
    if (!m) {
      t.wrong++;
      continue;
    }
    int compiled = k % COMPILED_EACH == 1 && process_choose_engine(m, PROCESS_COMPILED, 0, NULL) == 0;
    if (!compiled) process_choose_engine(m, PROCESS_INTERPRETER, 0, NULL);
    t.compiled += compiled;
    int good = 1;
    for (size_t i = 0; i < CONDITIONS; i++) {
      asked[i] = kinds[kind].condition[rng_below(&r, kinds[kind].conditions)];
      good &= expr_parse(&expr[i], m, &mem, asked[i], "the test", &e) == 0;
    }
    struct expr *sign[SIGNS] = {0};
    for (size_t i = 0; i < SIGNS && kind != DVE; i++) good &= expr_parse(&sign[i], m, &mem, kind == POINTERS ? pointer_signs[i] : signs[i], "the test", &e) == 0;
    if (good) walks(&t, m, &mem, expr, kind == DVE ? NULL : sign, program);
    else t.wrong++, printf("# %s\n", e.message);
    verdicts(&t, m, &mem, &r, asked, program);
    runs(&t, m, &mem, &r, kind, program);
    for (size_t i = 0; i < CONDITIONS; i++) expr_close(expr[i]);
    for (size_t i = 0; i < SIGNS; i++) expr_close(sign[i]);
    model_close(m);
    t.left += mem.used != 0;
  }
  is(t.lost, 0, NAMED("%zu programs, %zu reduced: the same ends, faults and values of conditions; %zu times with fewer dead", t.programs, t.reduced, t.blind));
  is(overlooked(), 0, "no cycle is overlooked, no number and no heir");
  is(t.more, 0, "no program needs more states");
  is(t.wrong, 0, "the same verdicts");
  is(t.unconfirmed, 0, "every run is confirmed by the definition");
  ok(t.reduced > (size_t)programs / 2, "most programs were reduced");
  ok(t.few[0] <= t.few[1] && t.few[1] <= t.few[2] && t.few[2] < t.all,
     NAMED("%llu states become %llu for ends, %llu with faults, %llu with conditions", (unsigned long long)t.all, (unsigned long long)t.few[0], (unsigned long long)t.few[1], (unsigned long long)t.few[2]));
  ok(t.formulas > (size_t)programs && t.run_few < t.run_all,
     NAMED("%zu formulas about runs were decided, with %llu states instead of %llu", t.formulas, (unsigned long long)t.run_few, (unsigned long long)t.run_all));
  is(t.left, 0, NAMED("nothing left behind; %zu programs were compiled", t.compiled));
  return done();
}
