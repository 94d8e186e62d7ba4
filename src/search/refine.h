/* refine.h -- which states of a labelled graph behave alike: the coarsest partition that is a bisimulation, and the graph of its blocks.
 *
 *   strong      s and t can do the same labels, and what they come to is alike again
 *   branching   the same where the hidden step (label 0) does not count as long as it changes nothing that can be done later (van Glabbeek and Weijland).  Going round
 *               in hidden steps for ever is no difference.
 *
 * Laws (tests/unit/refine.c): the partition is the one of the definition; a graph and its quotient are bisimilar; the quotient of a quotient is no smaller. */
#ifndef SEARCH_REFINE_H
#define SEARCH_REFINE_H

#include "base/err.h"
#include "model/model.h"
#include "search/graph.h"

enum bisimulation { BISIMULATION_STRONG, BISIMULATION_BRANCHING };

struct refined {
  struct mem *mem;
  uint32_t *block; /* per state */
  uint32_t blocks;
};
/* 0, or -1 with err: memory, or ERR_LIMIT: patience was over. */
int refine(struct refined *, const struct graph *, enum bisimulation, const struct model_patience *, struct mem *, struct err *);
void refined_close(struct refined *);
/* The graph of blocks, numbered in breadth-first order from those of the states `initial` on; blocks that cannot be reached from there are left out. number[b] (the
   caller frees it, may be NULL) tells what block b is called, UINT32_MAX = left out. Edges of a row are sorted by label and target, each once. */
int refined_quotient(const struct refined *, const struct graph *, enum bisimulation, const uint64_t *initial, size_t initials, struct graph *out, uint32_t **number,
                     struct mem *, struct err *);

#endif
