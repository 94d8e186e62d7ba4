/* graph_linear.h -- is there a run of a whole graph that an automaton accepts?  What several linear properties of one model are decided by when its graph is there. */
#ifndef SEARCH_GRAPH_LINEAR_H
#define SEARCH_GRAPH_LINEAR_H

#include "prop/automaton.h"
#include "search/kripke.h"

struct graph_linear {
  uint64_t states, edges; /* of the product that were looked at */
};
/* Atom i of the automaton is atom i of the graph. A state without successors is left by a step that changes nothing, or (`ends`) not at all. 1: there is one; 0: there
   is none; -1 with err: memory, or ERR_LIMIT: patience was over, or the product has 2^32 states and more. */
int graph_linear(struct graph_linear *, const struct kripke *, const struct automaton *, int ends, const struct model_patience *, struct mem *, struct err *);

#endif
