/* graph_walk.h -- full states of a condensed graph, made again by stepping.
 *
 * A walk visits every state once, along the breadth-first tree of the graph, with one full state in memory: a step down makes the next one, and on the way back the
 * model undoes it (unstep).  Models that cannot run backwards keep the states of the way instead, which is as long as the graph is deep.  4 bytes per state for the tree. */
#ifndef SEARCH_GRAPH_WALK_H
#define SEARCH_GRAPH_WALK_H

#include "base/err.h"
#include "model/model.h"
#include "search/graph.h"

struct graph_tree {
  struct mem *mem;
  const struct graph *g;
  uint32_t *parent; /* UINT32_MAX = it cannot be reached; the first state is its own */
};
/* 0, or -1: memory. */
int graph_tree_open(struct graph_tree *, const struct graph *, struct mem *, struct err *);
void graph_tree_close(struct graph_tree *);

/* Hears a state: not 0 ends the walk. */
typedef int graph_visit(void *context, uint64_t state, const uint32_t *words, uint64_t depth);
/* The graph is one of this model, its edges complete and in order. 0; 1: a visitor ended it; -1 with err: memory, or ERR_INTERNAL: the model has no such step. */
int graph_walk(const struct graph_tree *, const struct model *, graph_visit *, void *context, struct err *);
/* One state, into `words` (model_stride of them); its distance from the first in *depth (may be NULL). */
int graph_state(const struct graph_tree *, const struct model *, uint64_t state, uint32_t *words, uint64_t *depth, struct err *);

#endif
