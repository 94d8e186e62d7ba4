/* contest.c -- random small nets and random queries: every answer against a slow truth of our own, once with searches, and once with no search or one that sees few states.
 *
 * Branching formulas are decided here by naive fixpoints on the graph of the definition; linear ones by the model checker on the formula as it was, which knows nothing of
 * what is done to queries before a search.  contest [SEED [NETS]] for a longer look. */
#include "tap.h"

#include "nets.h"
#include "net/pt_model.h"
#include "oracle.h"
#include "run/contest_parts.h"

static struct mem mem;
static struct err err;
enum { MOST_STATES = 150, MOST_NODES = 64, QUERIES = 16, TEXT = 4000 };

/* ---- the graph ---- */

struct truth {
  const struct model *model;
  const struct pt_net *net;
  struct oracle o;
  uint8_t edge[MOST_STATES][MOST_STATES];
  int out[MOST_STATES];
};

static void truth_open(struct truth *g, const struct model *m) {
  int64_t *next = calloc(m->vars + 1, sizeof *next);
  *g = (struct truth){.model = m, .net = pt_model_net(m), .o = oracle_explore(m, MOST_STATES)};
  for (size_t s = 0; s < g->o.states && g->o.complete; s++)
    for (uint32_t t = 0; t < m->groups; t++) {
      if (!m->type->define_step(m, g->o.value + s * m->vars, t, next)) continue;
      for (size_t d = 0; d < g->o.states; d++)
        if (!memcmp(g->o.value + d * m->vars, next, m->vars * sizeof *next)) g->edge[s][d] = 1;
      g->out[s]++;
    }
  free(next);
}

static void truth_close(struct truth *g) {
  free(g->o.value);
  free(g->o.depth_of);
}

/* ---- formulas ---- */

enum kind { ATOM_LE, ATOM_FIREABLE, NOT, AND, OR, NEXT, FINALLY, GLOBALLY, UNTIL, ALL, EXISTS };
struct node {
  enum kind kind;
  int a, b; /* children, or number and place, or transitions */
};
struct formula_under_test {
  struct node node[MOST_NODES];
  int count;
};

static int make(struct formula_under_test *f, enum kind kind, int a, int b) {
  if (f->count == MOST_NODES) return f->count - 1;
  f->node[f->count] = (struct node){kind, a, b};
  return f->count++;
}

static int random_boolean(struct formula_under_test *f, struct rng *r, const struct pt_net *n, int depth) {
  unsigned what = (unsigned)rng_below(r, depth ? 6 : 3);
  if (what == 0) return make(f, ATOM_FIREABLE, (int)rng_below(r, n->transitions), (int)rng_below(r, n->transitions));
  if (what < 3) return make(f, ATOM_LE, (int)rng_below(r, 4), (int)rng_below(r, n->places));
  int a = random_boolean(f, r, n, depth - 1);
  if (what == 3) return make(f, NOT, a, 0);
  int b = random_boolean(f, r, n, depth - 1);
  return make(f, what == 4 ? AND : OR, a, b);
}

static int random_state(struct formula_under_test *f, struct rng *r, const struct pt_net *n, int depth) {
  unsigned what = (unsigned)rng_below(r, depth ? 9 : 1);
  if (!what || f->count > MOST_NODES - 24) return random_boolean(f, r, n, 2);
  int a = random_state(f, r, n, depth - 1), b;
  if (what == 1) return make(f, NOT, a, 0);
  if (what < 4) return b = random_state(f, r, n, depth - 1), make(f, what == 2 ? AND : OR, a, b);
  static const enum kind operators[] = {NEXT, FINALLY, FINALLY, GLOBALLY, GLOBALLY, UNTIL};
  enum kind op = operators[rng_below(r, 6)], quantifier = rng_below(r, 2) ? ALL : EXISTS;
  b = op == UNTIL ? random_state(f, r, n, depth - 1) : 0;
  return make(f, quantifier, make(f, op, a, b), 0);
}

static int random_path(struct formula_under_test *f, struct rng *r, const struct pt_net *n, int depth) {
  unsigned what = (unsigned)rng_below(r, depth ? 9 : 1);
  if (!what || f->count > MOST_NODES - 24) return random_boolean(f, r, n, 1);
  int a = random_path(f, r, n, depth - 1), b;
  static const enum kind kinds[] = {NOT, NEXT, FINALLY, FINALLY, GLOBALLY, AND, OR, UNTIL};
  enum kind kind = kinds[what - 1];
  b = kind >= AND && kind != NEXT && kind != FINALLY && kind != GLOBALLY ? random_path(f, r, n, depth - 1) : 0;
  return make(f, kind, a, b);
}

static void print(const struct formula_under_test *f, int i, const struct pt_net *n, char *out) {
  static const char *const sign[] = {[NOT] = "(! ", [NEXT] = "(X ", [FINALLY] = "(F ", [GLOBALLY] = "(G ", [ALL] = "(A ", [EXISTS] = "(E ", [AND] = " && ", [OR] = " || ", [UNTIL] = " U "};
  const struct node *x = &f->node[i];
  char *end = out + strlen(out);
  size_t room = (size_t)(TEXT - (end - out));
  if (x->kind == ATOM_LE) snprintf(end, room, "(%d <= tokens(\"%s\"))", x->a, n->place_id[x->b]);
  else if (x->kind == ATOM_FIREABLE) snprintf(end, room, "fireable(\"%s\", \"%s\")", n->transition_id[x->a], n->transition_id[x->b]);
  else if (x->kind == AND || x->kind == OR || x->kind == UNTIL) {
    strcat(out, "(");
    print(f, x->a, n, out);
    strcat(out, sign[x->kind]);
    print(f, x->b, n, out);
    strcat(out, ")");
  } else {
    strcat(out, sign[x->kind]);
    print(f, x->a, n, out);
    strcat(out, ")");
  }
}

/* ---- naive fixpoints ---- */

typedef uint8_t set[MOST_STATES];

static int exists_next(const struct truth *g, size_t s, const uint8_t *in) {
  for (size_t d = 0; d < g->o.states; d++)
    if (g->edge[s][d] && in[d]) return 1;
  return 0;
}

static int all_next(const struct truth *g, size_t s, const uint8_t *in) {
  for (size_t d = 0; d < g->o.states; d++)
    if (g->edge[s][d] && !in[d]) return 0;
  return 1;
}

static void decide(const struct truth *g, const struct formula_under_test *f, int i, uint8_t *out) {
  const struct node *x = &f->node[i];
  size_t n = g->o.states;
  set a = {0}, b = {0};
  memset(out, 0, MOST_STATES);
  if (x->kind >= NOT && x->kind != ALL && x->kind != EXISTS) decide(g, f, x->a, a);
  if (x->kind == AND || x->kind == OR) decide(g, f, x->b, b);
  for (size_t s = 0; s < n; s++) {
    const int64_t *m = g->o.value + s * g->model->vars;
    int64_t scratch[64];
    if (x->kind == ATOM_LE) out[s] = x->a <= m[x->b];
    if (x->kind == ATOM_FIREABLE)
      out[s] = g->model->type->define_step(g->model, m, (uint32_t)x->a, scratch) || g->model->type->define_step(g->model, m, (uint32_t)x->b, scratch);
    if (x->kind == NOT) out[s] = !a[s];
    if (x->kind == AND) out[s] = a[s] && b[s];
    if (x->kind == OR) out[s] = a[s] || b[s];
  }
  if (x->kind != ALL && x->kind != EXISTS) return;
  const struct node *path = &f->node[x->a];
  int all = x->kind == ALL;
  decide(g, f, path->a, a);
  if (path->kind == UNTIL) decide(g, f, path->b, b);
  if (path->kind == GLOBALLY) memcpy(out, a, sizeof a);
  if (path->kind == FINALLY) memcpy(out, a, sizeof a);
  if (path->kind == UNTIL) memcpy(out, b, sizeof b);
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t s = 0; s < n; s++) {
      int next = path->kind == NEXT ? (all ? all_next(g, s, a) : exists_next(g, s, a)) : all ? all_next(g, s, out) : exists_next(g, s, out), now = out[s];
      if (path->kind == NEXT) now = next;
      else if (path->kind == GLOBALLY) now = a[s] && (!g->out[s] || next);
      else if (path->kind == FINALLY) now = a[s] || (g->out[s] && next);
      else now = b[s] || (a[s] && g->out[s] && next);
      changed |= now != out[s];
      out[s] = (uint8_t)now;
    }
  }
}

/* ---- asking ---- */

struct answers {
  struct contest_answer at[QUERIES + 1];
  size_t count;
};

static void hear(void *context, const struct contest_answer *a) {
  struct answers *all = context;
  int i = *a->id == 'q' ? atoi(a->id + 1) : 0; /* they come as they are found */
  all->at[i] = *a;
  all->count++;
}

static int run_contest(const char *examination, struct queries *queries, struct model *m, uint64_t most, struct answers *out) {
  struct run_setup setup = {.mem = &mem, .model = m, .limits = {.states = most}};
  out->count = 0;
  return contest_run(examination, queries, &setup, hear, out, &err);
}

/* So many states that a search may see: one is no search, some are a part of the graph. */
static uint64_t few(struct rng *r) {
  static const uint64_t counts[] = {1, 1, 2, 4, 8, 16, 40};
  return counts[rng_below(r, sizeof counts / sizeof *counts)];
}

struct tally {
  int asked, settled, open, wrong;
};

static void compare(struct tally *c, const struct answers *quick, const struct answers *whole, const int64_t *want, int number, char (*text)[TEXT], const struct pt_net *n) {
  for (size_t i = 0; i < whole->count; i++) {
    const struct contest_answer *a[] = {&whole->at[i], &quick->at[i]};
    c->asked++;
    c->settled += quick->at[i].status != CONTEST_UNKNOWN;
    c->open += whole->at[i].status == CONTEST_UNKNOWN;
    for (int k = 0; k < 2; k++) {
      int64_t got = number ? a[k]->number : a[k]->status == CONTEST_TRUE;
      if (a[k]->status == CONTEST_UNKNOWN || got == want[i]) continue;
      if (c->wrong++ < 5) {
        printf("# %s: %s got %lld, want %lld\n", k ? "without a whole search" : "with one", text[i], (long long)got, (long long)want[i]);
        nets_print(n);
      }
    }
  }
}

static void fill(struct queries *queries, struct query *query, char (*text)[TEXT], int bound) {
  *queries = (struct queries){.mem = &mem, .count = QUERIES, .first = query, .file = "test"};
  static char id[QUERIES][16];
  for (int i = 0; i < QUERIES; i++) snprintf(id[i], sizeof id[i], "q%d", i);
  for (int i = 0; i < QUERIES; i++) query[i] = (struct query){.id = id[i], .text = text[i], .bound = bound, .next = i + 1 < QUERIES ? &query[i + 1] : NULL};
}

static char text[QUERIES][TEXT];

static void branching(struct tally *c, struct rng *r, struct model *m, const struct truth *g, int simple) {
  struct queries queries;
  struct query query[QUERIES];
  struct answers quick, whole;
  int64_t want[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    struct formula_under_test f = {.count = 0};
    int root = simple ? random_boolean(&f, r, g->net, 3) : random_state(&f, r, g->net, 4);
    if (simple) {
      enum kind quantifier = rng_below(r, 2) ? ALL : EXISTS;
      root = make(&f, quantifier, make(&f, quantifier == ALL ? GLOBALLY : FINALLY, root, 0), 0);
    }
    set in;
    decide(g, &f, root, in);
    want[i] = in[0];
    text[i][0] = 0;
    print(&f, root, g->net, text[i]);
  }
  fill(&queries, query, text, 0);
  const char *examination = simple ? "ReachabilityFireability" : "CTLCardinality";
  if (run_contest(examination, &queries, m, few(r), &quick) || run_contest(examination, &queries, m, 0, &whole)) c->wrong++;
  compare(c, &quick, &whole, want, 0, text, g->net);
}

/* All of them on one graph, which otherwise only those see that took too long. */
static void on_one_graph(struct tally *c, struct queries *queries, struct model *m, struct answers *out) {
  struct contest_answer answer[QUERIES] = {{0}};
  char *rest[QUERIES] = {0}, *as_branching[QUERIES] = {0};
  struct err *problem[QUERIES] = {0};
  uint8_t told[QUERIES] = {0};
  struct run_setup setup = {.mem = &mem, .model = m};
  struct contest contest = {.run = &setup, .queries = queries, .answer = answer, .text = rest, .branching = as_branching, .problem = problem, .told = told, .is = LINEAR, .hear = hear, .context = out};
  out->count = 0;
  size_t i = 0;
  for (const struct query *q = queries->first; q; q = q->next) answer[i++].id = q->id;
  if (contest_branching(&contest, CONTEST_WHOLE, &err)) c->wrong++;
  for (i = 0; i < QUERIES; i++) out->at[i] = answer[i];
  if (out->count != QUERIES) c->open++;
  out->count = QUERIES;
}

static void linear(struct tally *c, struct rng *r, struct model *m, const struct truth *g) {
  struct queries queries;
  struct query query[QUERIES];
  struct answers quick, whole;
  int64_t want[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    struct formula_under_test f = {.count = 0};
    int root = random_path(&f, r, g->net, 3);
    struct prop p = {0};
    struct verdict v = {0};
    text[i][0] = 0;
    print(&f, root, g->net, text[i]);
    struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1};
    want[i] = -1;
    if (prop_open(&p, PROP_LTL, 1, text[i], m, &mem, &err) == 0 && run_check(&v, &setup, &err) == 0) want[i] = v.property[0].status == STATUS_HOLDS;
    verdict_close(&v);
    prop_close(&p);
    text[i][0] = 0;
    print(&f, make(&f, ALL, root, 0), g->net, text[i]);
  }
  fill(&queries, query, text, 0);
  if (run_contest("LTLCardinality", &queries, m, few(r), &quick) || run_contest("LTLCardinality", &queries, m, 0, &whole)) c->wrong++;
  compare(c, &quick, &whole, want, 0, text, g->net);
  on_one_graph(c, &queries, m, &whole);
  compare(c, &quick, &whole, want, 0, text, g->net);
}

static void bounds(struct tally *c, struct rng *r, struct model *m, const struct truth *g) {
  struct queries queries;
  struct query query[QUERIES];
  struct answers quick, whole;
  int64_t want[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    unsigned count = 1 + (unsigned)rng_below(r, 3), place[3];
    snprintf(text[i], TEXT, "tokens(");
    for (unsigned k = 0; k < count; k++) {
      place[k] = (unsigned)rng_below(r, g->net->places);
      snprintf(text[i] + strlen(text[i]), 100, "%s\"%s\"", k ? ", " : "", g->net->place_id[place[k]]);
    }
    strcat(text[i], ")");
    want[i] = 0;
    for (size_t s = 0; s < g->o.states; s++) {
      int64_t sum = 0;
      for (unsigned k = 0; k < count; k++) sum += g->o.value[s * m->vars + place[k]];
      if (sum > want[i]) want[i] = sum;
    }
  }
  fill(&queries, query, text, 1);
  if (run_contest("UpperBounds", &queries, m, few(r), &quick) || run_contest("UpperBounds", &queries, m, 0, &whole)) c->wrong++;
  compare(c, &quick, &whole, want, 1, text, g->net);
}

/* Deadlock, one-safe, quasi-live, stable; liveness by: from every state every transition can be enabled again. */
static void questions(struct tally *c, struct rng *r, struct model *m, const struct truth *g) {
  static const char *const names[] = {"ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking", "Liveness"};
  int64_t want[5] = {0, 1, 1, 0, 1}, scratch[64];
  for (size_t s = 0; s < g->o.states; s++) {
    want[0] |= !g->out[s];
    for (uint32_t p = 0; p < m->vars; p++) want[1] &= g->o.value[s * m->vars + p] <= 1;
  }
  for (uint32_t t = 0; t < m->groups; t++) {
    set can = {0};
    int any = 0;
    for (size_t s = 0; s < g->o.states; s++) any |= can[s] = (uint8_t)m->type->define_step(m, g->o.value + s * m->vars, t, scratch);
    want[2] &= any;
    for (int changed = 1; changed;) {
      changed = 0;
      for (size_t s = 0; s < g->o.states; s++)
        if (!can[s] && exists_next(g, s, can)) can[s] = 1, changed = 1;
    }
    for (size_t s = 0; s < g->o.states; s++) want[4] &= can[s];
  }
  for (uint32_t p = 0; p < m->vars; p++) {
    int still = 1;
    for (size_t s = 0; s < g->o.states; s++) still &= g->o.value[s * m->vars + p] == g->o.value[p];
    want[3] |= still;
  }
  for (int i = 0; i < 5; i++) {
    struct answers quick, whole;
    struct queries none = {.mem = &mem};
    snprintf(text[0], TEXT, "%s", names[i]);
    if (run_contest(names[i], &none, m, few(r), &quick) || run_contest(names[i], &none, m, 0, &whole)) c->wrong++;
    compare(c, &quick, &whole, &want[i], 0, text, g->net);
  }
}

/* A net with more states than we look at: what is claimed of all of them must be true of those. */
static void endless(struct tally *c, struct rng *r, struct model *m, const struct truth *g) {
  struct queries queries;
  struct query query[QUERIES];
  struct answers got;
  struct formula_under_test f[QUERIES];
  int root[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    f[i].count = 0;
    root[i] = random_boolean(&f[i], r, g->net, 3);
    snprintf(text[i], TEXT, i % 2 ? "(A (G " : "(E (F ");
    print(&f[i], root[i], g->net, text[i]);
    strcat(text[i], "))");
  }
  fill(&queries, query, text, 0);
  if (run_contest("ReachabilityCardinality", &queries, m, few(r), &got)) c->wrong++;
  for (int i = 0; i < QUERIES; i++) {
    set in;
    decide(g, &f[i], root[i], in);
    int any = 0, all = 1;
    for (size_t s = 0; s < g->o.states; s++) any |= in[s], all &= in[s];
    c->asked++;
    c->settled += got.at[i].status != CONTEST_UNKNOWN;
    if (i % 2 ? got.at[i].status == CONTEST_TRUE && !all : got.at[i].status == CONTEST_FALSE && any) c->wrong++;
  }
  for (int i = 0; i < QUERIES; i++) snprintf(text[i], TEXT, "tokens(\"%s\")", g->net->place_id[i % (int)g->net->places]);
  fill(&queries, query, text, 1);
  if (run_contest("UpperBounds", &queries, m, few(r), &got)) c->wrong++;
  for (int i = 0; i < QUERIES; i++) {
    int64_t seen = 0;
    for (size_t s = 0; s < g->o.states; s++)
      if (g->o.value[s * m->vars + (size_t)i % g->net->places] > seen) seen = g->o.value[s * m->vars + (size_t)i % g->net->places];
    c->asked++;
    c->settled += got.at[i].status != CONTEST_UNKNOWN;
    c->wrong += got.at[i].status == CONTEST_NUMBER && got.at[i].number < seen;
  }
}

static void report(const struct tally *c, const char *what) {
  printf("# %s: %d asked, %d settled without a whole search\n", what, c->asked, c->settled);
  is(c->wrong, 0, what);
  is(c->open, 0, "with a search nothing is left open");
  ok(c->settled > c->asked / 20 && c->asked >= 100, "some need no whole search");
}

int main(int argc, char **argv) {
  struct tally reach = {0}, ctl = {0}, ltl = {0}, most = {0}, net = {0}, infinite = {0};
  struct rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : 2025};
  int nets = argc > 2 ? atoi(argv[2]) : 20;
  static struct truth g;
  mem_open(&mem, 0);
  err_clear(&err);
  for (int run = 0, used = 0; run < 100 * nets && used < nets; run++) {
    struct pt_net *n = run % 3 ? nets_random(&mem, &r, 2 + (unsigned)rng_below(&r, 5), 2 + (unsigned)rng_below(&r, 6), 6 + (unsigned)rng_below(&r, 14), 2, 2)
                               : nets_random_counters(&mem, &r, 3, 2, 5);
    struct model *m = NULL;
    if (!n || pt_model_open(&m, n, "net", &err)) return 1;
    truth_open(&g, m);
    if (g.o.complete && g.o.states > 3) {
      used++;
      branching(&reach, &r, m, &g, 1);
      branching(&ctl, &r, m, &g, 0);
      linear(&ltl, &r, m, &g);
      bounds(&most, &r, m, &g);
      questions(&net, &r, m, &g);
    }
    if (!g.o.complete && run % 4 == 0) endless(&infinite, &r, m, &g);
    truth_close(&g);
    model_close(m);
  }
  report(&reach, "reachability");
  report(&ctl, "branching formulas");
  report(&ltl, "linear formulas");
  report(&most, "bounds");
  report(&net, "questions about the net");
  report(&infinite, "nets that are too large to look at");
  is(err.kind, ERR_NONE, "no error on the way");
  is(mem.used, 0, "all memory is back");
  return done();
}
