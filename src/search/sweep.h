/* sweep.h -- the sweep-line search, and what finds paths for it: for sweep.c, sweep_move.c and sweep_path.c alone. */
#ifndef SEARCH_SWEEP_H
#define SEARCH_SWEEP_H

#include "base/mem.h"
#include "search/search.h"

/* What sweep calls a state in EXPANDED and FAULT, unless a listener wants numbers: its turn (the n-th state expanded has n - 1) and this bit. NEW tells numbers in order of discovery. Both are the same whenever the same
   model is swept along the same measure again. */
#define SWEEP_TURN ((uint64_t)1 << 63)

/* A sweep that looks for one state and remembers where the last `room` states before it came from. */
struct sweep_errand {
  store_ref target;
  struct region origins; /* uint64_t[], number % room: number of the predecessor and edge */
  uint64_t room, found;  /* found: states so far */
  uint64_t number;       /* of the target; STORE_NONE until it is met */
};
enum { SWEEP_EDGE_BITS = 24 }; /* of an origin */

static inline uint64_t *sweep_origin(const struct sweep_errand *e, uint64_t number) { return (uint64_t *)(void *)e->origins.base + number % e->room; }

int sweep_path(struct search *, store_ref, struct search_path *out);

#endif
