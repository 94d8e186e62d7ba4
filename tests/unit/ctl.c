/* ctl.c -- branching formulas on random graphs against fixpoints by definition, one state after another; the operators forwards and backwards; the graph itself. */
#include "tap.h"

#include "graphs.h"
#include "search/ctl.h"
#include "search/ctl_operators.h"

static struct mem mem;
static struct err err;
static struct rng rng = {20};
static struct fake fake;
static struct model_type type;
static struct expr *atom[GRAPH_ATOMS];
static uint64_t masks[16];
static struct affected exact = {masks, 1, GRAPH_ATOMS};

typedef uint8_t slow_set[GRAPH_STATES];

/* ---- the definition: one step of the fixpoint equation until nothing changes ------------------------------------------------ */

/* Is `set` true in some (all) successors? Of none: some no, all yes. */
static int next(const struct small_graph *g, uint32_t s, const uint8_t *set, int all) {
  for (uint32_t k = 0; k < g->degree[s]; k++)
    if (set[g->target[s][k]] != all) return !all;
  return all;
}

static int step(const struct small_graph *g, uint32_t s, enum formula_kind kind, int all, const uint8_t *f, const uint8_t *h, const uint8_t *set) {
  int ends = !g->degree[s], then = next(g, s, set, all);
  switch (kind) {
  case F_NEXT: return next(g, s, f, all);
  case F_FINALLY: return f[s] || (!ends && then);
  case F_GLOBALLY: return f[s] && (ends || then);
  case F_UNTIL: return h[s] || (f[s] && !ends && then);
  case F_RELEASE: return h[s] && (f[s] || ends || then);
  case F_WEAK: return h[s] || (f[s] && (ends || then));
  case F_STRONG: return h[s] && (f[s] || (!ends && then));
  default: return 0;
  }
}

static void fixpoint(const struct small_graph *g, enum formula_kind kind, int all, const uint8_t *f, const uint8_t *h, uint8_t *set) {
  int greatest = kind == F_GLOBALLY || kind == F_RELEASE || kind == F_WEAK;
  memset(set, greatest, g->states);
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < g->states; s++) {
      int now = step(g, s, kind, all, f, h, set);
      changed |= now != set[s];
      set[s] = (uint8_t)now;
    }
    if (kind == F_NEXT) return;
  }
}

static void slow(const struct small_graph *g, const struct formulas *fs, formula f, uint8_t *set) {
  slow_set a = {0}, b = {0};
  enum formula_kind kind = formula_kind(fs, f);
  uint32_t n = formula_children(fs, f);
  if (kind == F_ALL || kind == F_EXISTS) {
    formula path = formula_child(fs, f, 0);
    slow(g, fs, formula_child(fs, path, 0), a);
    if (formula_children(fs, path) > 1) slow(g, fs, formula_child(fs, path, 1), b);
    fixpoint(g, formula_kind(fs, path), kind == F_ALL, a, b, set);
    return;
  }
  for (uint32_t s = 0; s < g->states; s++)
    set[s] = kind == F_ATOM ? (uint8_t)(g->label[s] >> formula_atom_index(fs, f) & 1) : kind == F_TRUE || kind == F_AND;
  for (uint32_t i = 0; i < n; i++) {
    slow(g, fs, formula_child(fs, f, i), i ? b : a);
    const uint8_t *x = i ? b : a;
    for (uint32_t s = 0; s < g->states; s++) {
      if (kind == F_AND) set[s] &= x[s];
      else if (kind == F_OR) set[s] |= x[s];
      else if (kind == F_NOT) set[s] = !x[s];
      else if (kind == F_IMPLIES && i) set[s] = !a[s] || b[s];
      else if (kind == F_IFF && i) set[s] = a[s] == b[s];
    }
  }
}

static formula random_formula(struct formulas *fs, unsigned depth) {
  static const enum formula_kind paths[] = {F_NEXT, F_FINALLY, F_GLOBALLY, F_UNTIL, F_RELEASE, F_WEAK, F_STRONG};
  static const enum formula_kind binary[] = {F_AND, F_OR, F_IMPLIES, F_IFF};
  uint64_t pick = rng_below(&rng, 10);
  if (!depth || pick == 0) return pick == 0 && rng_below(&rng, 8) == 0 ? FORMULA_TRUE : formula_atom(fs, (uint32_t)rng_below(&rng, GRAPH_ATOMS));
  formula a = random_formula(fs, depth - 1);
  if (pick == 1) return formula_unary(fs, F_NOT, a);
  if (pick < 5) return formula_binary(fs, binary[rng_below(&rng, 4)], a, random_formula(fs, depth - 1));
  enum formula_kind kind = paths[rng_below(&rng, 7)];
  formula path = kind <= F_GLOBALLY ? formula_unary(fs, kind, a) : formula_binary(fs, kind, a, random_formula(fs, depth - 1));
  return formula_unary(fs, rng_below(&rng, 2) ? F_ALL : F_EXISTS, path);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------------------- */

static void tell_graph(struct kripke *k, const struct small_graph *g) {
  if (kripke_open(k, &fake.model, atom, GRAPH_ATOMS, &mem, &err)) tap_say(0, __FILE__, __LINE__, "a graph");
  k->affected = &exact;
  graph_tell(k, g);
}

static int same_graph(const struct kripke *k, const struct small_graph *g) {
  uint64_t edges = 0;
  int same = k->states == g->states && !k->failed;
  for (uint32_t s = 0; same && s < g->states; s++) {
    struct graph_edges e = graph_edges(&k->graph, s);
    same = graph_left(&e) == g->degree[s];
    for (uint32_t i = 0; same && i < g->degree[s]; i++, edges++) same = graph_next(&e, NULL) == g->target[s][i];
    for (unsigned a = 0; a < GRAPH_ATOMS; a++) same &= kripke_true(k, a, s) == (int)(g->label[s] >> a & 1);
  }
  return same && k->graph.edges == edges;
}

/* -1: all answers are those of the definition; else the number of the formula that differs. */
static int differs(const struct small_graph *g, const struct kripke *k, unsigned formulas, unsigned depth) {
  struct formulas *fs = NULL;
  struct ctl *ctl = NULL;
  formula f[16];
  int bad = -1;
  if (formulas_open(&fs, &mem, &err)) return 0;
  for (unsigned i = 0; i < formulas; i++) f[i] = random_formula(fs, depth);
  if (ctl_open(&ctl, fs, k, &mem, &err)) return 0;
  for (unsigned i = 0; i < formulas && bad < 0; i++) {
    slow_set want;
    slow(g, fs, f[i], want);
    if (ctl_holds(ctl, f[i], &err) != want[0]) bad = (int)i; /* before the whole set is known, and after */
    const uint64_t *got = (const uint64_t *)(const void *)ctl_states(ctl, f[i], &err);
    for (uint32_t s = 0; s < g->states && bad < 0; s++)
      if (!got || ctl_in(got, s) != want[s]) bad = (int)i;
    if (ctl_holds(ctl, f[i], &err) != want[0]) bad = (int)i;
    if (i % 3 == 2) ctl_forget(ctl);
  }
  ctl_close(ctl);
  formulas_close(fs);
  return bad;
}

static void against_the_definition(void) {
  int graphs = 0, answers = 0;
  for (unsigned round = 0; round < 400; round++) {
    struct small_graph g;
    struct kripke k;
    graph_random(&g, &rng, 1 + (uint32_t)rng_below(&rng, round % 4 ? 12 : GRAPH_STATES), round % 3 * 15);
    tell_graph(&k, &g);
    graphs += same_graph(&k, &g);
    answers += differs(&g, &k, 12, 1 + round % 4) < 0;
    kripke_close(&k);
  }
  is(graphs, 400, "400 graphs are kept as they were told");
  is(answers, 400, "12 formulas on each, in all states as by definition");
}

static void both_directions(void) {
  int until = 0, always = 0, home = 0;
  for (unsigned round = 0; round < 300; round++) {
    struct small_graph g;
    struct kripke k;
    struct ctl_operators back, forth;
    slow_set all = {0}, f, h, want;
    uint64_t fast_f[4] = {0}, fast_h[4] = {0}, out[2][4] = {{0}};
    graph_random(&g, &rng, 1 + (uint32_t)rng_below(&rng, GRAPH_STATES), round % 2 * 10);
    tell_graph(&k, &g);
    ctl_operators_open(&back, &k, &mem);
    ctl_operators_open(&forth, &k, &mem);
    forth.forwards = 1;
    for (uint32_t s = 0; s < g.states; s++) {
      all[s] = s == 0;
      f[s] = rng_below(&rng, 4) > 0;
      h[s] = rng_below(&rng, 8) == 0;
      if (f[s]) ctl_put(fast_f, s);
      if (h[s]) ctl_put(fast_h, s);
    }
    fixpoint(&g, F_UNTIL, 0, f, h, want);
    ctl_some_until(&back, fast_f, fast_h, out[0]);
    ctl_some_until(&forth, fast_f, fast_h, out[1]);
    int same = !memcmp(out[0], out[1], sizeof out[0]);
    for (uint32_t s = 0; s < g.states; s++) same &= ctl_in(out[0], s) == want[s];
    until += same;
    memset(out, 0, sizeof out);
    fixpoint(&g, F_GLOBALLY, 0, f, NULL, want);
    ctl_some_always(&back, fast_f, out[0]);
    ctl_some_always(&forth, fast_f, out[1]);
    same = !memcmp(out[0], out[1], sizeof out[0]);
    for (uint32_t s = 0; s < g.states; s++) same &= ctl_in(out[0], s) == want[s];
    always += same;
    fixpoint(&g, F_FINALLY, 0, all, NULL, want);
    int reversible = memchr(want, 0, g.states) == NULL;
    home += ctl_reversible(&back) == reversible && ctl_reversible(&forth) == reversible;
    ctl_operators_close(&back);
    ctl_operators_close(&forth);
    kripke_close(&k);
  }
  is(until, 300, "until: backwards, forwards and by definition the same");
  is(always, 300, "always: likewise");
  is(home, 300, "can the first state always be reached again: likewise");
}

/* Some requests are refused: an answer is right or an error of memory, and nothing is lost. */
static void refused_memory(void) {
  struct small_graph g;
  struct kripke k;
  int wrong = 0, refused = 0;
  graph_random(&g, &rng, 150, 5);
  tell_graph(&k, &g);
  struct formulas *fs = NULL;
  formulas_open(&fs, &mem, &err);
  formula f[20];
  slow_set want;
  for (unsigned i = 0; i < 20; i++) f[i] = random_formula(fs, 3);
  size_t before = mem.used;
  for (unsigned i = 0; i < 20; i++) {
    slow(&g, fs, f[i], want);
    for (size_t n = 1; n < 60; n++) {
      struct ctl *ctl = NULL;
      err_clear(&err);
      mem.fail_after = n;
      int got = ctl_open(&ctl, fs, &k, &mem, &err) ? -1 : ctl_holds(ctl, f[i], &err);
      mem.fail_after = 0;
      wrong += got >= 0 ? got != want[0] : err.kind != ERR_MEMORY;
      refused += got < 0;
      ctl_close(ctl);
      wrong += mem.used != before;
    }
  }
  ok(refused > 20, "memory was refused again and again");
  is(wrong, 0, "an answer is right, or there is none");
  formulas_close(fs);
  kripke_close(&k);
}

static void limits(void) {
  struct small_graph g;
  struct kripke k;
  struct formulas *fs = NULL;
  struct ctl *ctl = NULL;
  do graph_random(&g, &rng, GRAPH_STATES, 0);
  while (g.states < 50);
  tell_graph(&k, &g);
  formulas_open(&fs, &mem, &err);
  formula a = formula_atom(fs, 0), path = formula_unary(fs, F_FINALLY, a);
  formula ag = formula_unary(fs, F_ALL, formula_unary(fs, F_NEXT, formula_unary(fs, F_EXISTS, formula_unary(fs, F_NEXT, a))));
  formula two = formula_unary(fs, F_ALL, formula_unary(fs, F_GLOBALLY, path));
  ctl_open(&ctl, fs, &k, &mem, &err);
  err_clear(&err);
  is(ctl_holds(ctl, path, &err), -1, "a path without a quantifier");
  is(err.kind, ERR_INPUT, "is no CTL");
  err_clear(&err);
  is(ctl_holds(ctl, two, &err), -1, "A of two temporal operators");
  is(err.kind, ERR_INPUT, "neither");
  err_clear(&err);
  ctl_close(ctl);
  ctl_open(&ctl, fs, &k, &mem, &err);
  volatile int stop = 1;
  ctl_limit(ctl, &(struct model_patience){.interrupt = &stop});
  is(ctl_holds(ctl, ag, &err), -1, "interrupted");
  is(err.kind, ERR_LIMIT, "which is a limit");
  err_clear(&err);
  stop = 0;
  is(ctl_holds(ctl, ag, &err), -1, "and it stays one");
  err_clear(&err);
  ctl_close(ctl);
  formulas_close(fs);
  kripke_close(&k);
}

int main(void) {
  mem_open(&mem, (size_t)256 << 20);
  fake = fake_open(graph_vars, graph_groups);
  type = *fake.model.type;
  type.cursor_open = graph_cursor_open;
  type.cursor_close = graph_cursor_close;
  fake.model.type = &type;
  for (unsigned i = 0; i < 16; i++) masks[i] = i;
  for (unsigned i = 0; i < GRAPH_ATOMS; i++)
    if (expr_parse(&atom[i], &fake.model, &mem, graph_vars[i], "test", &err)) tap_say(0, __FILE__, __LINE__, "an atom");
  against_the_definition();
  both_directions();
  refused_memory();
  limits();
  for (unsigned i = 0; i < GRAPH_ATOMS; i++) expr_close(atom[i]);
  is(mem.used, 0, "no memory is left behind");
  return done();
}
