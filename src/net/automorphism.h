/* automorphism.h -- symmetries of a graph with colours on its vertices and labels on its edges. */
#ifndef NET_AUTOMORPHISM_H
#define NET_AUTOMORPHISM_H

#include "base/mem.h"

#include <stdint.h>

struct coloured_graph { /* each edge stands with both of its ends, perhaps by different labels */
  uint32_t vertices;
  const uint64_t *colour; /* per vertex */
  const size_t *start;    /* vertex v: entries start[v] .. start[v + 1] of the next two */
  const uint32_t *to;
  const uint64_t *label;
};

/* Tells permutations of the vertices that keep colours and labelled edges, each checked edge by edge: generators of all of them, or of some. `image` is borrowed. effort: edges looked at, about.
   0; 1: the effort is spent, there may be more; -1: memory, or the listener wanted to end it by returning something else than 0. */
int automorphism_find(const struct coloured_graph *, uint64_t effort, int (*hear)(void *, const uint32_t *image), void *, struct mem *);

#endif
