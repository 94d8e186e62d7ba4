/* graphs.h -- small random graphs, told to a kripke structure as a breadth-first search would tell them.
 *
 * States have a number from 0 to 15 for what is true in them: atom i is bit i, a variable of a fake model.  The group of an edge is the set of atoms that differ between
 * its ends, so that what a step can change (affected.h) is known exactly, and a graph that evaluates too little shows it. */
#ifndef TESTS_GRAPHS_H
#define TESTS_GRAPHS_H

#include "base/rng.h"
#include "fake_model.h"
#include "search/kripke.h"

enum { GRAPH_ATOMS = 4, GRAPH_STATES = 200, GRAPH_EDGES = 4 };

struct small_graph {
  uint32_t states, degree[GRAPH_STATES], target[GRAPH_STATES][GRAPH_EDGES];
  unsigned label[GRAPH_STATES];
};

static const char *const graph_vars[] = {"a", "b", "c", "d", NULL};
static const char *const graph_groups[] = {NULL};

static int graph_cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  *out = mem_alloc(mem, MEM_OTHER, sizeof **out);
  if (!*out) return -1;
  **out = (struct model_cursor){.model = m, .mem = mem};
  return 0;
}
static void graph_cursor_close(struct model_cursor *c) { mem_free(c->mem, c); }

/* Every state is reachable from state 0 and states are numbered as a breadth-first search finds them. `dead`: of 100 states, how many have no successors at least. */
static void graph_random(struct small_graph *g, struct rng *r, uint32_t states, unsigned dead) {
  struct small_graph raw = {.states = states};
  uint32_t number[GRAPH_STATES], order[GRAPH_STATES], count = 0;
  for (uint32_t s = 0; s < states; s++) {
    raw.label[s] = (unsigned)rng_below(r, 16);
    raw.degree[s] = rng_below(r, 100) < dead ? 0 : 1 + (uint32_t)rng_below(r, GRAPH_EDGES);
    for (uint32_t k = 0; k < raw.degree[s]; k++) raw.target[s][k] = (uint32_t)rng_below(r, states);
    number[s] = UINT32_MAX;
  }
  number[0] = count++;
  order[0] = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < raw.degree[order[i]]; k++) {
      uint32_t t = raw.target[order[i]][k];
      if (number[t] != UINT32_MAX) continue;
      order[count] = t;
      number[t] = count++;
    }
  *g = (struct small_graph){.states = count};
  for (uint32_t i = 0; i < count; i++) {
    g->label[i] = raw.label[order[i]];
    g->degree[i] = raw.degree[order[i]];
    for (uint32_t k = 0; k < g->degree[i]; k++) g->target[i][k] = number[raw.target[order[i]][k]];
  }
}

static void graph_say(struct kripke *k, const struct small_graph *g, enum search_event_kind kind, uint64_t source, uint64_t state) {
  uint32_t words[GRAPH_ATOMS];
  for (unsigned i = 0; i < GRAPH_ATOMS; i++) words[i] = g->label[state] >> i & 1;
  struct search_event event = {.kind = kind, .state = state, .source = source, .words = words};
  if (source != STORE_NONE) event.group = g->label[source] ^ g->label[state];
  event.successors = g->degree[state];
  k->listener.hear(&k->listener, NULL, &event);
}

static void graph_tell(struct kripke *k, const struct small_graph *g) {
  uint32_t known = 1;
  graph_say(k, g, EVENT_NEW, STORE_NONE, 0);
  for (uint32_t s = 0; s < g->states; s++) {
    for (uint32_t i = 0; i < g->degree[s]; i++) {
      uint32_t t = g->target[s][i];
      graph_say(k, g, t == known ? EVENT_NEW : EVENT_SEEN, s, t);
      known += t == known;
    }
    graph_say(k, g, EVENT_EXPANDED, STORE_NONE, s);
  }
}

#endif
