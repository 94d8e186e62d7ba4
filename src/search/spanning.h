/* spanning.h -- the breadth-first tree in two bits per state.
 *
 * In breadth-first numbering the predecessors of states 0, 1, 2, ... never decrease: the tree
 * is a row of bits, a 0 for each new state and a 1 each time that a state has been expanded.
 * The predecessor of state n is the number of ones before the n-th zero of those after the
 * initial state.  Every 512th state has its position noted, so that the search for the n-th zero
 * scans at most some hundred bits (the unary child counts of succinct ComBack). */
#ifndef SEARCH_SPANNING_H
#define SEARCH_SPANNING_H

#include "base/mem.h"

#include <stdint.h>

struct spanning {
  struct region bits;    /* 0 = state found, 1 = state expanded */
  struct region samples; /* struct spanning_sample, one per SPANNING_STEP states */
  uint64_t length, states, expanded;
};

void spanning_open(struct spanning *, struct mem *);
/* Both return 0, or -1 when memory ends. */
int spanning_found(struct spanning *);                             /* a new state, found while the present one is expanded */
int spanning_expanded(struct spanning *);                          /* the present state is done; on to the next number */
uint64_t spanning_parent(const struct spanning *, uint64_t state); /* state > 0 */
void spanning_close(struct spanning *);

#endif
