/* components.h -- the strongly connected components of a graph that is there as a whole, and which of them cannot be left or gone round in. */
#ifndef SEARCH_COMPONENTS_H
#define SEARCH_COMPONENTS_H

#include "base/err.h"
#include "search/graph.h"

struct components {
  struct mem *mem;
  uint32_t *of; /* per state */
  uint32_t count;
  uint8_t *last;   /* per component: no edge leaves it */
  uint8_t *cyclic; /* per component: an edge stays inside, so that runs can stay for ever */
  uint64_t between; /* edges from one component to another */
};

int components_find(struct components *, const struct graph *, struct mem *, struct err *);
void components_close(struct components *);

#endif
