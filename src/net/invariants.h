/* invariants.h -- flows of a place/transition net with exact integers.
 *
 * A P-flow y satisfies y C = 0 (C the incidence matrix): y m is the same in all reachable
 * markings.  A T-flow x satisfies C x = 0: firing x returns to where it began.  Semiflows
 * have no negative weights; the minimal ones generate them all (Farkas; Colom and Silva).
 * A marking bound of place p by a P-semiflow is y m0 / y(p). */
#ifndef NET_INVARIANTS_H
#define NET_INVARIANTS_H

#include "net/pt.h"

enum flow_side { FLOW_PLACES, FLOW_TRANSITIONS };

struct flow {
  uint32_t count;
  uint32_t *index; /* places or transitions, ascending */
  int64_t *weight; /* not 0; first one positive; greatest common divisor 1 */
  int64_t value;   /* FLOW_PLACES: y m0 */
  uint32_t own;    /* flows_basis: an index that no other flow of the basis has, so it follows from the others; else PT_NONE */
};

struct flows {
  struct mem *mem;
  struct flow *at;
  size_t count, room;
  int complete;      /* 0: effort or number range ended the computation; what is there is still right */
  const char *limit; /* why not complete */
};

/* A basis of all flows, each with an index of its own. effort = elementary row operations allowed, 0 = no limit.
   0, or -1 with err (memory). A budget that is too small for the whole computation but not for what was found is a
   `limit`, not an error. */
int flows_basis(struct flows *out, const struct pt_net *, enum flow_side, struct mem *, uint64_t effort, struct err *);
/* The semiflows of minimal support: they generate all others. Sorted by size, then by index. There can be
   exponentially many of them: give an effort. */
int flows_semi(struct flows *out, const struct pt_net *, enum flow_side, struct mem *, uint64_t effort, struct err *);
/* Adds semiflows made from a basis to `semi`: not all of them and not minimal, but cheap; for bounds. 0, or -1 with err (memory;
   what was added stays). */
int flows_mend(struct flows *semi, const struct flows *basis, const struct pt_net *, struct mem *, struct err *);
void flows_close(struct flows *);
/* Upper bounds of tokens per place from P-semiflows; PT_NONE where they give none. */
void flows_bounds(const struct flows *semi, const struct pt_net *, uint32_t *bound);

#endif
