/* smaller.c -- structural reductions (net/shrink.h) on random nets, held against the definition.
 *
 * For random aims a smaller net is made, and both are explored by the definition alone: the same values of all expressions are reached together (and, where deadlocks are asked, with the same answer whether the marking is
 * dead: a marking that is not need not be kept).  Every run of the smaller net, with each transition written out as what it stands for, is one of the larger net, and ends in a marking that agrees on all places that are left, on all expressions, and on being dead.  Formulas
 * about runs have the same verdict.
 *
 * Nets: loose ones; rings that meet; and both after they were blown up again by what the rules undo: transitions cut in two, places and transitions doubled, places that nobody needs. */
#include "tap.h"

#include "base/rng.h"
#include "model/expr.h"
#include "net/pt_model.h"
#include "nets.h"
#include "oracle.h"
#include "run/run.h"

static char text[400];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { NETS = 3000, MOST = 3000, EXPRS = 3, WALKS = 12, LENGTH = 25, NODES = 60, ARCS = 400 };

/* ---- nets --------------------------------------------------------------------------------------------------------------------------- */

struct sketch {
  unsigned places, transitions, arcs, initial[NODES];
  struct {
    unsigned place, transition, weight;
    int gives;
  } arc[ARCS];
};

static void join(struct sketch *k, unsigned place, unsigned transition, int gives, unsigned weight) {
  if (k->arcs == ARCS) return;
  k->arc[k->arcs].place = place;
  k->arc[k->arcs].transition = transition;
  k->arc[k->arcs].weight = weight;
  k->arc[k->arcs++].gives = gives;
}

static unsigned another_place(struct sketch *k, unsigned tokens) {
  k->initial[k->places] = tokens;
  return k->places++;
}

static void loose(struct sketch *k, struct rng *r) {
  unsigned weight = 1 + (unsigned)rng_below(r, 2), arcs;
  k->places = 2 + (unsigned)rng_below(r, 6);
  k->transitions = 2 + (unsigned)rng_below(r, 6);
  arcs = k->transitions * 2 + (unsigned)rng_below(r, 8);
  for (unsigned p = 0; p < k->places; p++) k->initial[p] = (unsigned)rng_below(r, 3);
  for (unsigned i = 0; i < arcs; i++)
    join(k, (unsigned)rng_below(r, k->places), i < k->transitions ? i : (unsigned)rng_below(r, k->transitions), i >= k->transitions && rng_below(r, 2), 1 + (unsigned)rng_below(r, weight));
}

static void rings(struct sketch *k, struct rng *r) {
  unsigned count = 2 + (unsigned)rng_below(r, 3), size[5], first[5];
  for (unsigned i = 0; i < count; i++) {
    size[i] = 2 + (unsigned)rng_below(r, 3);
    first[i] = k->places;
    for (unsigned j = 0; j < size[i]; j++) another_place(k, j == 0);
  }
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < size[i]; j++) {
      unsigned t = k->transitions++;
      join(k, first[i] + j, t, 0, 1);
      join(k, first[i] + (unsigned)((j + 1 + (rng_below(r, 5) == 0)) % size[i]), t, 1, 1);
      if (rng_below(r, 3)) continue;
      unsigned with = (i + 1 + (unsigned)rng_below(r, count - 1)) % count, from = (unsigned)rng_below(r, size[with]);
      join(k, first[with] + from, t, 0, 1);
      join(k, first[with] + (rng_below(r, 2) ? from : (from + 1) % size[with]), t, 1, 1);
    }
}

/* Copies the arcs of a place or transition to another one, so many times as heavy. */
static void copy_arcs(struct sketch *k, int transition, unsigned from, unsigned to, unsigned times) {
  unsigned arcs = k->arcs;
  for (unsigned i = 0; i < arcs; i++) {
    if ((transition ? k->arc[i].transition : k->arc[i].place) != from) continue;
    join(k, transition ? k->arc[i].place : to, transition ? to : k->arc[i].transition, k->arc[i].gives, k->arc[i].weight * times);
  }
}

static void blow_up(struct sketch *k, struct rng *r) {
  for (unsigned rounds = (unsigned)rng_below(r, 7); rounds && k->places < NODES - 2 && k->transitions < NODES - 2 && k->arcs < ARCS - 60; rounds--) {
    unsigned t = (unsigned)rng_below(r, k->transitions), p = (unsigned)rng_below(r, k->places), w = 1 + (rng_below(r, 4) == 0), q, u;
    switch (rng_below(r, 8)) {
    case 0:
    case 1: /* what t gives it gives later: post-agglomeration */
      q = another_place(k, rng_below(r, 8) == 0);
      u = k->transitions++;
      for (unsigned i = 0; i < k->arcs; i++)
        if (k->arc[i].transition == t && k->arc[i].gives && rng_below(r, 4)) k->arc[i].transition = u;
      join(k, q, t, 1, w);
      join(k, q, u, 0, rng_below(r, 5) ? w : 1);
      break;
    case 2:
    case 3: /* what t takes is taken before: pre-agglomeration */
      q = another_place(k, rng_below(r, 8) == 0);
      u = k->transitions++;
      for (unsigned i = 0; i < k->arcs; i++)
        if (k->arc[i].transition == t && !k->arc[i].gives && rng_below(r, 3)) k->arc[i].transition = u;
      join(k, q, u, 1, w);
      join(k, q, t, 0, rng_below(r, 5) ? w : 1);
      break;
    case 4: /* a parallel place */
      q = another_place(k, k->initial[p] * w + (unsigned)rng_below(r, 2));
      copy_arcs(k, 0, p, q, w);
      break;
    case 5: /* the sum of two */
      u = (unsigned)rng_below(r, k->places);
      q = another_place(k, k->initial[p] + k->initial[u]);
      copy_arcs(k, 0, p, q, 1);
      copy_arcs(k, 0, u, q, 1);
      break;
    case 6: /* the same transition, which may need more */
      u = k->transitions++;
      copy_arcs(k, 1, t, u, 1);
      if (rng_below(r, 2)) join(k, p, u, 0, 1), join(k, p, u, 1, 1);
      break;
    default: /* one that only looks; a place that only grows */
      u = k->transitions++;
      join(k, p, u, 0, 1);
      join(k, p, u, 1, 1);
      if (rng_below(r, 3) == 0) join(k, another_place(k, (unsigned)rng_below(r, 2)), t, (int)rng_below(r, 2), 1);
    }
  }
}

static struct pt_net *random_net(struct mem *mem, struct rng *r) {
  static struct sketch k;
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char p[32], t[32];
  memset(&k, 0, sizeof k);
  if (rng_below(r, 2)) loose(&k, r);
  else rings(&k, r);
  blow_up(&k, r);
  err_clear(&e);
  if (pt_builder_open(&b, mem, "random", &e)) return NULL;
  for (unsigned i = 0; i < k.places; i++) {
    snprintf(p, sizeof p, "p%u", i);
    pt_builder_place(b, p, NULL, k.initial[i], nets_nowhere, &e);
  }
  for (unsigned i = 0; i < k.transitions; i++) {
    snprintf(t, sizeof t, "t%u", i);
    pt_builder_transition(b, t, NULL, nets_nowhere, &e);
  }
  for (unsigned i = 0; i < k.arcs; i++) {
    snprintf(p, sizeof p, "p%u", k.arc[i].place);
    snprintf(t, sizeof t, "t%u", k.arc[i].transition);
    pt_builder_arc(b, k.arc[i].gives ? t : p, k.arc[i].gives ? p : t, k.arc[i].weight, nets_nowhere, &e);
  }
  if (pt_builder_finish(b, &net, &e)) pt_builder_close(b);
  return net;
}

static void condition(const struct pt_net *n, struct rng *r, char *out, size_t room) {
  static const char *relations[] = {"==", "<", ">="};
  const char *p = n->place_id[rng_below(r, n->places)], *q = n->place_id[rng_below(r, n->places)], *t = n->transition_id[rng_below(r, n->transitions)];
  switch (rng_below(r, 7)) {
  case 0: snprintf(out, room, "%s + %s", p, q); break;
  case 1: snprintf(out, room, "fireable(%s)", t); break;
  case 2: snprintf(out, room, "fireable(%s) && %s %s 1", t, p, relations[rng_below(r, 3)]); break;
  case 3: snprintf(out, room, rng_below(r, 3) ? "%s > 1" : "dead || %s > 0", p); break;
  default: snprintf(out, room, "%s %s %u", p, relations[rng_below(r, 3)], 1 + (unsigned)rng_below(r, 2));
  }
}

/* ---- the laws -------------------------------------------------------------------------------------------------------------------------- */

struct pair { /* the larger model and the smaller one, and what is asked in both */
  struct model *m[2];
  struct expr *e[2][EXPRS];
  size_t exprs;
  int deadlocks;
};

static int is_dead(const struct model *m, const int64_t *values, int64_t *scratch) {
  for (uint32_t g = 0; g < m->groups; g++)
    if (m->type->define_step(m, values, g, scratch)) return 0;
  return 1;
}

static uint64_t seen_of(const struct pair *x, int which, const int64_t *values, int dead) {
  int64_t v[EXPRS + 1];
  for (size_t i = 0; i < x->exprs; i++) v[i] = expr_define(x->e[which][i], x->m[which], values);
  v[x->exprs] = dead;
  return oracle_hash(v, x->exprs + 1);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* All that is seen, each once. */
static size_t all_seen(const struct pair *x, int which, const struct oracle *o, uint64_t *out) {
  static int64_t scratch[NODES];
  size_t kept = 0, count = 0;
  for (size_t i = 0; i < o->states; i++) {
    const int64_t *values = o->value + i * o->vars;
    out[count++] = seen_of(x, which, values, 0);
    if (x->deadlocks && is_dead(x->m[which], values, scratch)) out[count++] = seen_of(x, which, values, 1);
  }
  qsort(out, count, sizeof *out, by_value);
  for (size_t i = 0; i < count; i++)
    if (!kept || out[kept - 1] != out[i]) out[kept++] = out[i];
  return kept;
}

/* Random runs of the smaller net as runs of the larger one. NULL or what is wrong. */
static const char *lift(const struct pair *x, struct rng *r) {
  static int64_t a[2][NODES], b[2][NODES], scratch[NODES];
  const struct model *big = x->m[0], *small = x->m[1];
  const struct pt_net *left = pt_model_net(small);
  for (int walk = 0; walk < WALKS; walk++) {
    big->type->define_initial(big, a[0]);
    small->type->define_initial(small, b[0]);
    for (int step = 0; step < LENGTH; step++) {
      uint32_t g = (uint32_t)rng_below(r, small->groups), tried = 0;
      while (tried < small->groups && !small->type->define_step(small, b[0], g, b[1])) g = (g + 1) % small->groups, tried++;
      if (tried == small->groups) break;
      memcpy(b[0], b[1], sizeof b[0]);
      const uint32_t *word;
      size_t words = small->type->stands_for(small, g, &word);
      if (!words) return "a transition stands for nothing";
      for (size_t i = 0; i < words; i++) {
        if (word[i] >= big->groups || !big->type->define_step(big, a[0], word[i], a[1])) return "a run cannot be repeated";
        memcpy(a[0], a[1], sizeof a[0]);
      }
    }
    for (uint32_t i = 0; i < left->pre_start[left->transitions] + left->post_start[left->transitions]; i++) {
      uint32_t p = i < left->pre_start[left->transitions] ? left->pre[i].place : left->post[i - left->pre_start[left->transitions]].place;
      if (a[0][p] != b[0][p]) return "a place that is left has other tokens";
    }
    if (x->deadlocks && is_dead(small, b[0], scratch)) { /* what is left to do is not seen and comes to an end */
      uint32_t last = 0;
      for (int step = 0; step < 500 && last < big->groups; step++) {
        for (last = 0; last < big->groups && !big->type->define_step(big, a[0], last, a[1]); last++) {}
        if (last < big->groups) memcpy(a[0], a[1], sizeof a[0]);
      }
      if (last < big->groups) return "the run goes on";
    }
    if (seen_of(x, 0, a[0], 0) != seen_of(x, 1, b[0], 0)) return "something else is seen at the end";
  }
  return NULL;
}

static const char *compare(const struct pair *x, struct rng *r, uint64_t *before, uint64_t *after) {
  static uint64_t seen[2][2 * MOST + 2];
  struct oracle o[2] = {oracle_explore(x->m[0], MOST), oracle_explore(x->m[1], MOST)};
  const char *wrong = NULL;
  if (o[0].complete && !o[1].complete) wrong = "the smaller net has more markings";
  if (o[0].complete && o[1].complete) {
    *before += o[0].states;
    *after += o[1].states;
    size_t count = all_seen(x, 0, &o[0], seen[0]);
    if (o[1].states > o[0].states) wrong = "the smaller net has more markings";
    else if (count != all_seen(x, 1, &o[1], seen[1]) || memcmp(seen[0], seen[1], count * sizeof **seen) != 0) wrong = "other values are reached";
  }
  oracle_free(&o[0]);
  oracle_free(&o[1]);
  return wrong ? wrong : lift(x, r);
}

/* The verdict of a formula by the ordinary search; confirmed runs only. */
static int verdict_of(struct model *m, struct mem *mem, const char *claim, enum prop_status *out, size_t *states) {
  struct verdict v;
  struct prop p;
  struct err e;
  err_clear(&e);
  if (prop_open(&p, PROP_LTL, 1, claim, m, mem, &e)) {
    printf("# %s: %s\n", claim, e.message);
    return -1;
  }
  struct run_setup setup = {.mem = mem, .model = m, .props = &p, .prop_count = 1, .search = &search_dfs, .store = &store_plain, .decide_all = 1, .limits = {.states = MOST}};
  int bad = run_check(&v, &setup, &e);
  *out = bad ? (enum prop_status) - 1 : v.property[0].status;
  *states = v.stats.states;
  int complete = !bad && (v.stop == STOP_DONE || v.stop == STOP_GOAL);
  verdict_close(&v);
  prop_close(&p);
  return complete;
}

int main(void) {
  struct rng r = {11};
  size_t made = 0, runs = 0, wrong = 0, other = 0, left = 0, named = 0;
  uint64_t before = 0, after = 0;
  char what[300], atom[EXPRS][200], asked[800];
  const int nets = often(NETS / 4);
  for (int k = 0; k < nets; k++) {
    struct mem mem;
    struct err e;
    struct pair x = {.exprs = rng_below(&r, EXPRS + 1), .deadlocks = rng_below(&r, 3) == 0};
    mem_open(&mem, 0);
    err_clear(&e);
    int of_runs = x.exprs && rng_below(&r, 3) == 0;
    struct pt_net *net = random_net(&mem, &r);
    if (!net || pt_model_open(&x.m[0], net, "net", &e)) {
      printf("# %s\n", e.message);
      wrong++;
      continue;
    }
    struct model_aims aims = {.expr = (const struct expr *const *)x.e[0], .exprs = x.exprs, .deadlocks = x.deadlocks, .runs = of_runs};
    for (size_t i = 0; i < x.exprs; i++) {
      condition(net, &r, atom[i], sizeof atom[i]);
      if (expr_parse(&x.e[0][i], x.m[0], &mem, atom[i], "test", &e)) printf("# %s\n", e.message);
    }
    int answer = x.m[0]->type->smaller(&x.m[1], x.m[0], &aims, what, sizeof what, &mem, &e);
    if (answer < 0) wrong++;
    if (!answer) {
      made++;
      if (of_runs) x.deadlocks = 1; /* dead ends are ends of runs */
      for (size_t i = 0; i < x.exprs; i++)
        if (expr_parse(&x.e[1][i], x.m[1], &mem, atom[i], "test", &e)) printf("# %s\n", e.message);
      for (uint32_t g = 0; g < x.m[1]->groups; g++) named += x.m[1]->type->find_group(x.m[1], x.m[1]->type->group_name(x.m[1], g), strlen(x.m[1]->type->group_name(x.m[1], g))) != (int64_t)g;
      const char *problem = compare(&x, &r, &before, &after);
      if (problem && wrong++ < 3) {
        printf("# net %d, deadlocks %d, runs %d, %s, %s, %s: %s (%s)\n", k, aims.deadlocks, of_runs, x.exprs ? atom[0] : "", x.exprs > 1 ? atom[1] : "", x.exprs > 2 ? atom[2] : "", problem, what);
        nets_print(net);
        nets_print(pt_model_net(x.m[1]));
      }
      if (of_runs && !problem) {
        static const char *shapes[] = {"[] <> {%s}", "<> [] {%s}", "[] ({%s} -> <> {%s})", "{%s} U {%s}", "<> ({%s} && <> {%s})", "([] <> {%s}) -> [] <> {%s}", "[] ({%s} -> ({%s} W {%s}))"};
        enum prop_status status[2] = {0};
        size_t states[2];
        snprintf(asked, sizeof asked, shapes[rng_below(&r, sizeof shapes / sizeof *shapes)], atom[0], atom[x.exprs > 1], atom[x.exprs > 2 ? 2 : 0]);
        int complete[2] = {verdict_of(x.m[0], &mem, asked, &status[0], &states[0]), verdict_of(x.m[1], &mem, asked, &status[1], &states[1])};
        runs += complete[0] > 0 && complete[1] > 0;
        if (complete[0] > 0 && complete[1] > 0 && status[0] != status[1] && other++ < 3) {
          printf("# net %d, %s: %s instead of %s (%s)\n", k, asked, prop_status_name(status[1]), prop_status_name(status[0]), what);
          nets_print(net);
          nets_print(pt_model_net(x.m[1]));
        }
      }
    }
    for (size_t i = 0; i < x.exprs; i++)
      for (int w = 0; w < 2; w++) expr_close(x.e[w][i]);
    model_close(x.m[1]);
    model_close(x.m[0]);
    left += mem.used != 0;
  }
  is(wrong, 0, NAMED("%zu smaller nets: the same is reached, and every run is one of the larger net", made));
  is(other, 0, NAMED("%zu formulas about runs: the same verdicts", runs));
  is(named, 0, "all transitions have names of their own");
  ok(made > (size_t)nets / 3 && runs > (size_t)nets / 20, "most nets became smaller");
  ok(after < before, NAMED("%llu markings instead of %llu", (unsigned long long)after, (unsigned long long)before));
  is(left, 0, "nothing left behind");
  return done();
}
