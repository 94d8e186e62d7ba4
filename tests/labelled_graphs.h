/* labelled_graphs.h -- small random labelled graphs, plain and condensed, and bisimulations on them by definition: pairs are crossed out until nothing changes. */
#ifndef TESTS_LABELLED_GRAPHS_H
#define TESTS_LABELLED_GRAPHS_H

#include "base/rng.h"
#include "search/refine.h"

enum { LTS_STATES = 48, LTS_EDGES = 6, LTS_LABELS = 4 };

struct small_lts {
  uint32_t states, degree[LTS_STATES], target[LTS_STATES][LTS_EDGES], label[LTS_STATES][LTS_EDGES];
};
typedef uint8_t lts_relation[LTS_STATES][LTS_STATES];

/* Every state can be reached from state 0, or is not there. `hidden`: of 100 edges, how many have label 0. */
static void lts_random(struct small_lts *g, struct rng *r, uint32_t states, uint32_t degree, uint32_t labels, unsigned hidden) {
  *g = (struct small_lts){.states = states};
  for (uint32_t s = 0; s < states; s++) {
    g->degree[s] = (uint32_t)rng_below(r, degree + 1);
    for (uint32_t k = 0; k < g->degree[s]; k++) {
      g->target[s][k] = (uint32_t)rng_below(r, states);
      g->label[s][k] = rng_below(r, 100) < hidden ? 0 : 1 + (uint32_t)rng_below(r, labels - 1);
    }
  }
}

/* Told behind the states that are there. 0 or -1. */
__attribute__((unused)) static int lts_tell(struct graph *out, const struct small_lts *g) {
  uint64_t base = out->states;
  for (uint32_t s = 0; s < g->states; s++) {
    if (graph_begin(out, base + s)) return -1;
    for (uint32_t k = 0; k < g->degree[s]; k++)
      if (graph_edge(out, base + g->target[s][k], g->label[s][k])) return -1;
    if (graph_end(out)) return -1;
  }
  out->states = base + g->states;
  return 0;
}

/* Both side by side. */
__attribute__((unused)) static void lts_union(struct small_lts *out, const struct small_lts *a, const struct small_lts *b) {
  *out = *a;
  for (uint32_t s = 0; s < b->states; s++, out->states++) {
    out->degree[out->states] = b->degree[s];
    for (uint32_t k = 0; k < b->degree[s]; k++) {
      out->target[out->states][k] = b->target[s][k] + a->states;
      out->label[out->states][k] = b->label[s][k];
    }
  }
}

/* From a condensed one that is small enough; 0, or -1: it is not. */
__attribute__((unused)) static int lts_read(struct small_lts *out, const struct graph *g) {
  *out = (struct small_lts){.states = (uint32_t)g->states};
  for (uint32_t s = 0; s < g->states; s++)
    for (struct graph_edges e = graph_edges(g, s); graph_more(&e); out->degree[s]++) {
      if (s >= LTS_STATES || out->degree[s] >= LTS_EDGES) return -1;
      out->target[s][out->degree[s]] = graph_next(&e, &out->label[s][out->degree[s]]);
    }
  return 0;
}

static void lts_closure(const struct small_lts *g, lts_relation reach) { /* by hidden steps */
  memset(reach, 0, sizeof(lts_relation));
  for (uint32_t s = 0; s < g->states; s++) {
    reach[s][s] = 1;
    for (uint32_t k = 0; k < g->degree[s]; k++) reach[s][g->target[s][k]] |= g->label[s][k] == 0;
  }
  for (uint32_t via = 0; via < g->states; via++)
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t t = 0; reach[s][via] && t < g->states; t++) reach[s][t] |= reach[via][t];
}

/* Can t answer the k-th step of s? */
static int lts_answers(const struct small_lts *g, lts_relation like, lts_relation reach, uint32_t s, uint32_t k, uint32_t t, int branching) {
  uint32_t label = g->label[s][k], to = g->target[s][k];
  if (branching && label == 0 && like[to][t]) return 1;
  for (uint32_t u = 0; u < g->states; u++) {
    if (branching ? !reach[t][u] || !like[s][u] : u != t) continue;
    for (uint32_t i = 0; i < g->degree[u]; i++)
      if (g->label[u][i] == label && like[to][g->target[u][i]]) return 1;
  }
  return 0;
}

__attribute__((unused)) static void lts_bisimilar(const struct small_lts *g, int branching, lts_relation like) {
  static lts_relation reach;
  lts_closure(g, reach);
  memset(like, 1, sizeof(lts_relation));
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t t = 0; t < g->states; t++)
        for (uint32_t k = 0; like[s][t] && k < g->degree[s]; k++)
          if (!lts_answers(g, like, reach, s, k, t, branching)) like[s][t] = like[t][s] = 0, changed = 1;
  }
}

#endif
