/* layers.h -- the layers of a directed graph: how far one has come for good.
 *
 * Nodes that reach each other are one component.  The layer of a component is the largest sum of the edges' gains on a way to it; edges inside a component gain
 * nothing.  So no edge leads to a lower layer. */
#ifndef BASE_LAYERS_H
#define BASE_LAYERS_H

#include "base/mem.h"

struct layers_edge {
  uint32_t from, to;
  uint32_t gain;
};

/* component: per node, edges between components lead from larger numbers to smaller ones. layer: per node; sums stop at INT64_MAX / 4. 0, or -1: memory. */
int layers_find(uint32_t nodes, const struct layers_edge *, size_t edges, uint32_t *component, int64_t *layer, struct mem *);

#endif
