/* state_equation.c -- random nets: what the state equation excludes must not be reachable, what it allows at most must never be exceeded; walks play by the rules. */
#include "tap.h"

#include "nets.h"
#include "net/pt_model.h"
#include "net/state_equation.h"
#include "net/walk.h"
#include "oracle.h"

static struct mem mem;
static struct err err;
static const struct lp_patience patient = {.steps = 5000};

/* ---- the truth ---- */

static int enabled(const struct pt_net *n, const int64_t *m, uint32_t t) {
  for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++)
    if (m[n->pre[a].place] < n->pre[a].weight) return 0;
  return 1;
}

static int true_in(const struct pt_net *n, const int64_t *m, const struct linear *x) {
  int64_t sum = 0;
  switch (x->kind) {
  case LINEAR_FALSE: return 0;
  case LINEAR_TRUE: return 1;
  case LINEAR_AT_LEAST:
    for (uint32_t i = 0; i < x->count; i++) sum += x->factor[i] * m[x->var[i]];
    return sum >= x->least;
  case LINEAR_FIREABLE: return enabled(n, m, x->group);
  case LINEAR_UNFIREABLE: return !enabled(n, m, x->group);
  case LINEAR_DEAD:
  case LINEAR_ALIVE:
    for (uint32_t t = 0; t < n->transitions; t++)
      if (enabled(n, m, t)) return x->kind == LINEAR_ALIVE;
    return x->kind == LINEAR_DEAD;
  case LINEAR_AND:
    for (uint32_t i = 0; i < x->count; i++)
      if (!true_in(n, m, x->child[i])) return 0;
    return 1;
  case LINEAR_OR:
    for (uint32_t i = 0; i < x->count; i++)
      if (true_in(n, m, x->child[i])) return 1;
    return 0;
  }
  return 0;
}

/* ---- random questions ---- */

static struct linear *random_sum(struct linear_maker *maker, struct rng *r, const struct pt_net *n, int64_t least) {
  struct linear *x = arena_alloc(&maker->arena, sizeof *x);
  x->kind = LINEAR_AT_LEAST;
  x->var = arena_alloc(&maker->arena, n->places * sizeof *x->var);
  x->factor = arena_alloc(&maker->arena, n->places * sizeof *x->factor);
  for (uint32_t p = 0; p < n->places; p++) {
    int64_t factor = (int64_t)rng_below(r, 5) - 2;
    if (!factor || rng_below(r, 2)) continue;
    x->var[x->count] = p;
    x->factor[x->count++] = factor;
  }
  x->least = least;
  return x;
}

static struct linear *random_question(struct linear_maker *maker, struct rng *r, const struct pt_net *n, int depth) {
  struct linear *part[4], *x;
  unsigned what = (unsigned)rng_below(r, depth ? 12 : 8);
  if (what < 4) return random_sum(maker, r, n, (int64_t)rng_below(r, 9) - 3);
  if (what == 4 && rng_below(r, 2)) {
    x = arena_alloc(&maker->arena, sizeof *x);
    x->kind = rng_below(r, 2) ? LINEAR_DEAD : LINEAR_ALIVE;
    return x;
  }
  if (what < 8) {
    x = arena_alloc(&maker->arena, sizeof *x);
    x->kind = rng_below(r, 2) ? LINEAR_FIREABLE : LINEAR_UNFIREABLE;
    x->group = (uint32_t)rng_below(r, n->transitions);
    return x;
  }
  size_t count = 2 + rng_below(r, 3);
  for (size_t i = 0; i < count; i++) part[i] = random_question(maker, r, n, depth - 1);
  return linear_many(maker, what < 10 ? LINEAR_AND : LINEAR_OR, part, count);
}

/* ---- tests ---- */

struct tally {
  int nets, unbounded, questions, unreachable, excluded, wrong, bounds, exact, exceeded, walks_wrong;
};

/* Every solution of the net's equation that is claimed not to be there, against all states. */
static void ask(struct tally *c, struct rng *r, const struct pt_net *n, const struct oracle *o, struct state_equation *q, struct linear_maker *maker) {
  struct linear *x = random_question(maker, r, n, 3);
  int reachable = 0, excluded = state_equation_refutes(q, x, &patient);
  for (size_t s = 0; s < o->states && !reachable; s++) reachable = true_in(n, o->value + s * n->places, x);
  c->questions++;
  c->excluded += excluded;
  c->unreachable += o->complete && !reachable;
  c->wrong += excluded && reachable;
  struct linear *sum = random_sum(maker, r, n, 0);
  int64_t most = state_equation_most(q, sum, INT64_MAX, &patient), seen = INT64_MIN;
  for (size_t s = 0; s < o->states; s++) {
    int64_t now = 0;
    for (uint32_t i = 0; i < sum->count; i++) now += sum->factor[i] * o->value[s * n->places + sum->var[i]];
    if (now > seen) seen = now;
  }
  c->bounds += most < INT64_MAX;
  c->exact += most == seen;
  c->exceeded += most < seen;
}

/* Counts and enabled transitions of a walk, after some steps and after going back. */
static void stroll(struct tally *c, const struct pt_net *n, struct linear_maker *maker, struct rng *r) {
  struct walk w;
  int64_t *m = calloc(n->places + 1, sizeof *m);
  walk_open(&w, n, &mem, rng_next(r));
  for (int run = 0; run < 3; run++) {
    for (uint32_t p = 0; p < n->places; p++) m[p] = n->initial[p];
    walk_restart(&w);
    for (int i = 0; i < 30 && w.enabled_count; i++) {
      uint32_t t = w.enabled[rng_below(&w.rng, w.enabled_count)];
      struct linear *x = random_question(maker, r, n, 2);
      int64_t after = walk_distance_after(&w, t, x);
      walk_fire(&w, t);
      c->walks_wrong += !nets_fire(n, m, t) || after != walk_distance(&w, x) || walk_satisfies(&w, x) != true_in(n, m, x);
      c->walks_wrong += memcmp(m, w.tokens, n->places * sizeof *m) != 0;
      for (uint32_t k = 0; k < n->transitions; k++) c->walks_wrong += walk_enabled(&w, k) != enabled(n, m, k);
    }
  }
  walk_close(&w);
  free(m);
}

static void random_nets(uint64_t seed, int count, struct tally *c) {
  struct rng r = {seed};
  for (int run = 0; run < count; run++) {
    struct pt_net *n = run % 3 ? nets_random(&mem, &r, 2 + (unsigned)rng_below(&r, 6), 1 + (unsigned)rng_below(&r, 7), 4 + (unsigned)rng_below(&r, 18), 2, 2)
                               : nets_random_counters(&mem, &r, 3, 2, 5);
    struct model *m = NULL;
    struct linear_maker maker;
    struct state_equation *q = NULL;
    if (!n || pt_model_open(&m, n, "net", &err)) {
      ok(0, "a random net");
      return;
    }
    struct oracle o = oracle_explore(m, 3000);
    uint32_t *bound = calloc(n->places + 1, sizeof *bound);
    for (uint32_t p = 0; p < n->places; p++) bound[p] = pt_model_bound(m, p);
    linear_open(&maker, &mem);
    state_equation_open(&q, n, run % 2 ? bound : NULL, &mem);
    c->nets++;
    c->unbounded += !o.complete;
    for (int i = 0; i < 12; i++) ask(c, &r, n, &o, q, &maker);
    stroll(c, n, &maker, &r);
    state_equation_close(q);
    linear_close(&maker);
    free(bound);
    free(o.value);
    free(o.depth_of);
    model_close(m);
  }
}

/* What each idea is for. */
static void known_nets(void) {
  struct linear_maker maker;
  struct state_equation *q;
  struct linear dead = {.kind = LINEAR_DEAD};
  uint32_t one_safe[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  linear_open(&maker, &mem);
  /* The trap {a, b} stays marked, but a + b is no invariant. */
  struct pt_net *n = nets_read(&mem, "a=1 b c | t: a -> b + c ; u: b + c -> a ; v: b -> a ; w: c -> ");
  state_equation_open(&q, n, NULL, &mem);
  uint32_t ab[] = {0, 1};
  int64_t minus[] = {-1, -1};
  struct linear empty = {.kind = LINEAR_AT_LEAST, .count = 2, .var = ab, .factor = minus, .least = 0};
  ok(state_equation_refutes(q, &empty, &patient), "a trap stays marked");
  ok(state_equation_refutes(q, &dead, &patient), "and so something can always happen");
  state_equation_close(q);
  pt_close(n);
  /* A ring: no deadlock, each transition has two inputs, all places are one-safe. */
  n = nets_read(&mem, "a=1 b c=1 d | t: a + c -> b + c ; u: b + c -> a + d ; v: d -> c");
  state_equation_open(&q, n, one_safe, &mem);
  ok(state_equation_refutes(q, &dead, &patient), "not enabled, in one row by bounds");
  ok(state_equation_firings(q) == NULL || state_equation_programs(q) > 0, "programs are counted");
  uint32_t ac[] = {0, 3};
  int64_t plus[] = {1, 1};
  struct linear both = {.kind = LINEAR_AT_LEAST, .count = 2, .var = ac, .factor = plus, .least = 3};
  ok(state_equation_refutes(q, &both, &patient), "a sum of invariants");
  is(state_equation_most(q, &both, INT64_MAX, &patient), 2, "and its most");
  struct linear fire_u = {.kind = LINEAR_FIREABLE, .group = 1};
  ok(!state_equation_refutes(q, &fire_u, &patient), "what is reachable is not excluded");
  ok(state_equation_firings(q) != NULL && state_equation_firings(q)[0] > 0.99, "and the solution tells what must fire");
  state_equation_close(q);
  pt_close(n);
  n = nets_read(&mem, "p | grow: -> p");
  state_equation_open(&q, n, NULL, &mem);
  uint32_t zero = 0;
  int64_t one = 1;
  struct linear p = {.kind = LINEAR_AT_LEAST, .count = 1, .var = &zero, .factor = &one, .least = 1000000};
  is(state_equation_most(q, &p, INT64_MAX, &patient), INT64_MAX, "no bound where there is none");
  ok(!state_equation_refutes(q, &p, &patient), "and no refutation");
  ok(state_equation_refutes(q, &dead, &patient), "a transition without inputs is never disabled");
  state_equation_close(q);
  pt_close(n);
  linear_close(&maker);
}

/* Too little memory is no answer, and no leak. */
static void refusals(void) {
  struct pt_net *n = nets_read(&mem, "a=1 b c | t: a -> b + c ; u: b + c -> a ; v: b -> a ; w: c -> ");
  struct linear dead = {.kind = LINEAR_DEAD};
  size_t before = mem.used;
  int leaked = 0, unanswered = 0;
  for (size_t k = 1; k < 250; k++) {
    struct state_equation *q = NULL;
    mem.fail_after = k;
    int bad = state_equation_open(&q, n, NULL, &mem);
    if (!bad) unanswered += !state_equation_refutes(q, &dead, &patient);
    mem.fail_after = 0;
    if (!bad) leaked += !state_equation_refutes(q, &dead, &patient); /* as good as new */
    state_equation_close(q);
    leaked += mem.used != before;
  }
  ok(unanswered > 10, "refused memory: not settled");
  is(leaked, 0, "and nothing is spoilt or kept");
  pt_close(n);
}

int main(void) {
  struct tally c = {0};
  mem_open(&mem, 0);
  err_clear(&err);
  known_nets();
  random_nets(5, 600, &c);
  printf("# %d nets, %d unbounded; %d questions, %d surely unreachable, %d excluded; %d bounds, %d exact\n", c.nets, c.unbounded, c.questions, c.unreachable, c.excluded,
         c.bounds, c.exact);
  is(c.wrong, 0, "nothing that is reachable is excluded");
  is(c.exceeded, 0, "no bound is exceeded");
  is(c.walks_wrong, 0, "walks play by the rules");
  ok(c.excluded > c.unreachable / 2, "most of what is not reachable is excluded");
  refusals();
  is(mem.used, 0, "all memory is back");
  return done();
}
