/* liveness.c -- temporal properties of random models: what is said to hold is broken by no run, what is broken is broken by the run that is shown.
 *
 * Models are a few automata with one token each, some of whose steps are taken together.  Formulas are random.  For each:
 *
 *   - random runs that end in a loop, judged by the definition of LTL (ltl_random.h): if one breaks the formula, the verdict must be "violated";
 *   - a violated verdict comes with a run that was replayed (else run_check fails);
 *   - a formula and its negation do not both hold;
 *   - beside a branching property it is decided on the graph of that (search/graph_linear.h), and the verdict is the same;
 *   - every store (one that forgets may not hold the stack, and says so), the components' way and nested depth-first search instead of the stack's way, and both with the breadth-first way for safety, say the same. */
#include "tap.h"

#include "ltl_random.h"
#include "machines.h"
#include "net/pt_model.h"
#include "run/liveness.h"
#include "run/run.h"

enum { ATOMS = MACHINES, WALKS = 60, MODELS = 60, FORMULAS = 12 };

static char text[4000];

/* Atom i is true while machine i is in its last place. */
static int letter_bit(const struct model *m, const int64_t *values, int i) {
  char name[16];
  int n = snprintf(name, sizeof name, "m%dp%d", i, PLACES - 1);
  return values[m->type->find_var(m, name, (size_t)n)] != 0;
}

static uint64_t letter(const struct model *m, const int64_t *values) {
  uint64_t bits = 0;
  for (int i = 0; i < ATOMS; i++) bits |= (uint64_t)letter_bit(m, values, i) << i;
  return bits;
}

/* A random run, until it comes to a state for the second time or ends. 0: it became too long. */
static int random_run(const struct model *m, struct rng *r, struct ltl_word *w) {
  int64_t state[LTL_POSITIONS][MACHINES * PLACES], next[64][MACHINES * PLACES];
  m->type->define_initial(m, state[0]);
  for (size_t n = 0; n < LTL_POSITIONS; n++) {
    w->letter[n] = letter(m, state[n]);
    size_t open = 0;
    for (uint32_t g = 0; g < m->groups && open < 64; g++) open += m->type->define_step(m, state[n], g, next[open]) == 1;
    if (!open) {
      w->prefix = n;
      w->loop = 1;
      return 1;
    }
    size_t k = (size_t)rng_below(r, open);
    for (size_t i = 0; i <= n; i++)
      if (!memcmp(state[i], next[k], sizeof state[i]) && rng_below(r, 3)) { /* sometimes it goes on */
        w->prefix = i;
        w->loop = n + 1 - i;
        return 1;
      }
    if (n + 1 < LTL_POSITIONS) memcpy(state[n + 1], next[k], sizeof state[0]);
  }
  return 0;
}

struct asked {
  struct mem *mem;
  struct model *model;
  const char *formula;
};

/* 1: violated, 0: holds, below 0: neither. `strong`: by components, or with 2 by nested depth-first search, whatever the automaton is. */
static uint64_t states_of_product; /* of the last one */
static int verdict_of(const struct asked *a, const struct store_type *store, int strong, unsigned jobs) {
  struct err e = {0};
  struct prop p;
  struct verdict v;
  if (prop_open(&p, PROP_LTL, 1, a->formula, a->model, a->mem, &e)) {
    printf("# %s: %s\n", a->formula, e.message);
    return -2;
  }
  if (strong) p.temporal->method = TEMPORAL_STRONG;
  struct store_options few = {.cache = 16}; /* of a store that forgets */
  struct run_setup setup = {.mem = a->mem, .model = a->model, .props = &p, .prop_count = 1, .store = store, .store_options = store && store->caps & STORE_FORGETS ? &few : NULL,
                            .cycles = strong == 2 ? CYCLES_NESTED : CYCLES_COMPONENTS, .jobs = jobs};
  int bad = run_check(&v, &setup, &e);
  int answer = bad ? -3 : v.kind == VERDICT_VIOLATED ? 1 : v.kind == VERDICT_HOLDS ? 0 : -1;
  if (bad) printf("# %s: %s\n", a->formula, e.message);
  states_of_product = v.property[0].product.states;
  if (answer == 1 && (!v.property[0].evidence_count || !v.property[0].evidence[0].trace)) answer = -4;
  verdict_close(&v);
  prop_close(&p);
  return answer;
}

/* Beside a branching property that needs the whole graph and holds, which is decided first. `by`: set where the graph decided. */
static int verdict_beside(const struct asked *a, const char *branching, int *by) {
  struct err e = {0};
  struct prop p[2] = {{0}};
  struct verdict v = {0};
  int answer = -2;
  if (prop_open(&p[0], PROP_CTL, 1, branching, a->model, a->mem, &e) == 0 && prop_open(&p[1], PROP_LTL, 1, a->formula, a->model, a->mem, &e) == 0) {
    struct run_setup setup = {.mem = a->mem, .model = a->model, .props = p, .prop_count = 2};
    int bad = run_check(&v, &setup, &e);
    answer = bad ? -3 : v.property[1].status == STATUS_VIOLATED ? 1 : v.property[1].status == STATUS_HOLDS ? 0 : -1;
    *by = answer == 0 && strcmp(v.property[1].product.search, "graph") == 0;
  }
  verdict_close(&v);
  prop_close(&p[1]);
  prop_close(&p[0]);
  return answer;
}

int main(void) {
  struct mem mem;
  struct rng r = {20};
  size_t missed = 0, both = 0, differ = 0, odd = 0, holds = 0, violated = 0, beside = 0, by_graph = 0, threads = 0;
  mem_open(&mem, 0);
  for (int n = 0; n < MODELS; n++) {
    struct err e = {0};
    struct model *m = NULL;
    machines_random(text, &r, 4);
    struct pt_net *net = nets_read(&mem, text);
    if (!net || pt_model_open(&m, net, "test", &e)) {
      ok(0, e.message);
      break;
    }
    for (int k = 0; k < FORMULAS; k++) {
      struct ltl_tree t;
      char wanted[4000], negated[4100];
      ltl_random_tree(&t, &r, 3 + (int)rng_below(&r, 8), ATOMS);
      machines_formula(&t, wanted);
      snprintf(negated, sizeof negated, "!(%s)", wanted);
      struct asked a = {&mem, m, wanted}, not = {&mem, m, negated};
      int answer = verdict_of(&a, NULL, 0, 1), other = verdict_of(&not, NULL, 0, 1);
      odd += answer < 0 || other < 0;
      both += !answer && !other;
      holds += answer == 0;
      violated += answer == 1;
      int by = 0;
      beside += verdict_beside(&a, "AG EF (m0p0 >= 0 || m1p0 > 1)", &by) != answer;
      by_graph += (size_t)by;
      for (size_t s = 0; store_types[s]; s++) {
        unsigned caps = store_types[s]->caps;
        if (!(caps & STORE_EXACT)) continue;
        for (int strong = 0; strong < 3; strong++) {
          int again = verdict_of(&a, store_types[s], strong, 1);
          if (caps & STORE_FORGETS && again == -1) continue; /* it does not hold the stack */
          if (again != answer && differ++ < 5) printf("# %s, strong %d: %d, not %d: %s on %s\n", store_types[s]->name, strong, again, answer, wanted, text);
        }
      }
      uint64_t states[3] = {0};
      for (unsigned jobs = 1; jobs <= 4; jobs *= 2) { /* nested depth-first searches of several threads */
        int again = verdict_of(&a, NULL, 2, jobs);
        states[jobs / 2] = states_of_product;
        if (again != answer && threads++ < 5) printf("# %u threads: %d, not %d: %s on %s\n", jobs, again, answer, wanted, text);
      }
      threads += answer == 0 && (states[0] != states[1] || states[0] != states[2]);
      for (int w = 0; w < WALKS && answer == 0; w++) {
        struct ltl_word word;
        if (!random_run(m, &r, &word) || ltl_holds(&t, &word)) continue;
        if (missed++ < 5) printf("# not found: %s on %s\n", wanted, text);
        break;
      }
    }
    model_close(m);
  }
  ok(holds > 50 && violated > 50, "both verdicts are common");
  is(odd, 0, "every formula gets a verdict, violations a confirmed run");
  is(missed, 0, "no random run breaks what is said to hold");
  is(both, 0, "no formula holds together with its negation");
  is(differ, 0, "all stores and all ways to look for cycles agree");
  is(threads, 0, "so do nested searches of 1, 2 and 4 threads, and count the same states");
  is(beside, 0, "the graph of a branching property says the same");
  is(by_graph, holds, "and spares the search of what holds");
  is(mem.used, 0, "nothing is left behind");
  return done();
}
