/* space.c -- the report on the state spaces of random nets, against markings that are found one by one and a closure of who reaches whom. */
#include "tap.h"

#include "net/pt_model.h"
#include "nets.h"
#include "run/space.h"

enum { MOST = 160, PLACES = 8, TRANSITIONS = 8 };

/* ---- the space by hand ----------------------------------------------------------------------------------------------------------- */

struct by_hand {
  uint32_t states, edges;
  int64_t marking[MOST][PLACES];
  struct {
    uint32_t from, to, t;
  } edge[MOST * TRANSITIONS];
  uint8_t reach[MOST][MOST];
};
static struct by_hand hand;

static uint32_t find(const struct pt_net *n, const int64_t *marking) {
  for (uint32_t s = 0; s < hand.states; s++)
    if (memcmp(hand.marking[s], marking, n->places * sizeof *marking) == 0) return s;
  if (hand.states < MOST) memcpy(hand.marking[hand.states], marking, n->places * sizeof *marking);
  return hand.states < MOST ? hand.states++ : MOST;
}

/* 0: there are too many. */
static int explore(const struct pt_net *n) {
  int64_t marking[PLACES];
  memset(&hand, 0, sizeof hand);
  for (uint32_t p = 0; p < n->places; p++) marking[p] = n->initial[p];
  find(n, marking);
  for (uint32_t s = 0; s < hand.states; s++)
    for (uint32_t t = 0; t < n->transitions; t++) {
      memcpy(marking, hand.marking[s], sizeof marking);
      if (!nets_fire(n, marking, t)) continue;
      uint32_t to = find(n, marking);
      if (to == MOST) return 0;
      hand.edge[hand.edges].from = s;
      hand.edge[hand.edges].to = to;
      hand.edge[hand.edges++].t = t;
    }
  for (uint32_t s = 0; s < hand.states; s++) hand.reach[s][s] = 1;
  for (uint32_t e = 0; e < hand.edges; e++) hand.reach[hand.edge[e].from][hand.edge[e].to] = 1;
  for (uint32_t via = 0; via < hand.states; via++)
    for (uint32_t s = 0; s < hand.states; s++)
      for (uint32_t t = 0; hand.reach[s][via] && t < hand.states; t++) hand.reach[s][t] |= hand.reach[via][t];
  return 1;
}

static int together(uint32_t a, uint32_t b) { return hand.reach[a][b] && hand.reach[b][a]; }

/* ---- comparing ------------------------------------------------------------------------------------------------------------------- */

static int same_bounds(const struct pt_net *n, const struct space_report *r) {
  if (r->bounds != n->places) return 0;
  for (uint32_t p = 0; p < n->places; p++) {
    int64_t most = 0, least = INT64_MAX;
    for (uint32_t s = 0; s < hand.states; s++) {
      if (hand.marking[s][p] > most) most = hand.marking[s][p];
      if (hand.marking[s][p] < least) least = hand.marking[s][p];
    }
    if (r->bound[p].upper != (uint64_t)most || r->bound[p].lower != (uint64_t)least) return 0;
  }
  return 1;
}

static int same_components(const struct space_report *r) {
  uint64_t components = 0, cyclic = 0, between = 0, home = 0;
  for (uint32_t s = 0; s < hand.states; s++) {
    int first = 1, is_cyclic = 0, is_home = 1;
    for (uint32_t t = 0; t < s; t++) first &= !together(s, t);
    for (uint32_t e = 0; e < hand.edges; e++) is_cyclic |= together(s, hand.edge[e].from) && together(s, hand.edge[e].to);
    for (uint32_t t = 0; t < hand.states; t++) is_home &= hand.reach[t][s];
    components += (uint64_t)first;
    cyclic += (uint64_t)(first && is_cyclic);
    home += (uint64_t)is_home;
  }
  for (uint32_t e = 0; e < hand.edges; e++) between += !together(hand.edge[e].from, hand.edge[e].to);
  int reversible = 1;
  for (uint32_t t = 0; t < hand.states; t++) reversible &= hand.reach[t][0];
  const struct summary *g = &r->graph;
  return g->components == components && g->cyclic == cyclic && g->between == between && g->home == home && g->reversible == reversible;
}

static int same_transitions(const struct pt_net *n, const struct model *m, const struct space_report *r) {
  for (uint32_t t = 0; t < n->transitions; t++) {
    uint8_t possible[MOST] = {0};
    int happens = 0, live = 1;
    uint32_t label = 1;
    while (strcmp(r->name[label], m->type->group_name(m, t)) != 0) label++;
    for (uint32_t e = 0; e < hand.edges; e++)
      if (hand.edge[e].t == t) happens = possible[hand.edge[e].from] = 1;
    for (uint32_t s = 0; s < hand.states; s++) {
      int from_here = 0;
      for (uint32_t to = 0; to < hand.states; to++) from_here |= hand.reach[s][to] && possible[to];
      live &= from_here;
    }
    if ((r->role[label] == SPACE_HAPPENS) != happens || ((r->graph.label[label] & SUMMARY_LIVE) != 0) != live) return 0;
  }
  return 1;
}

static int same(const struct pt_net *n, const struct model *m, const struct space_report *r) {
  uint64_t ends = 0;
  for (uint32_t s = 0; s < hand.states; s++) {
    int end = 1;
    for (uint32_t e = 0; e < hand.edges; e++) end &= hand.edge[e].from != s;
    ends += (uint64_t)end;
  }
  return r->complete && r->has_graph && r->states == hand.states && r->edges == hand.edges && r->ends == ends && r->graph.ends == ends && same_bounds(n, r) && same_components(r) &&
         same_transitions(n, m, r);
}

int main(void) {
  struct mem mem;
  struct rng rng = {3};
  struct err e;
  unsigned compared = 0, right = 0, cycles = 0, ends = 0;
  mem_open(&mem, (size_t)64 << 20);
  err_clear(&e);
  for (unsigned round = 0; round < 40000 && compared < 600; round++) {
    struct pt_net *n = nets_random(&mem, &rng, 2 + (unsigned)rng_below(&rng, 5), 2 + (unsigned)rng_below(&rng, 5), 6 + (unsigned)rng_below(&rng, 14), 1 + round % 2, 3);
    struct model *m;
    struct space space = {0};
    struct space_report r = {0};
    struct verdict v = {0};
    if (!explore(n) || hand.states < 3) {
      pt_close(n);
      continue;
    }
    if (pt_model_open(&m, n, "net", &e)) break;
    struct run_setup run = {.mem = &mem, .model = m};
    compared++;
    int good = space_open(&space, m, &mem, 100, &e) == 0 && space_explore(&space, &run, &v, &e) == 0 && space_tell(&space, &r, NULL, NULL, &e) == 0 && same(n, m, &r);
    if (!good) nets_print(n);
    right += (unsigned)good;
    cycles += r.graph.cyclic > 0;
    ends += r.ends > 0;
    verdict_close(&v);
    space_report_close(&r);
    space_close(&space);
    model_close(m);
  }
  is(compared, 600, "600 random nets with 3 to 160 markings");
  is(right, 600, "figures, bounds, components, home and dead markings, dead and live transitions are what a closure says");
  ok(cycles > 50 && ends > 50, "with and without cycles and ends");
  is(mem.used, 0, "no memory is left behind");
  return done();
}
