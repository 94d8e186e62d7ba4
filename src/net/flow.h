/* flow.h -- what the two computations of flows share; nobody else includes it. */
#ifndef NET_FLOW_H
#define NET_FLOW_H

#include "net/incidence.h"
#include "net/invariants.h"

extern const char *const flow_limit_effort, *const flow_limit_memory, *const flow_limit_range;

/* The last judge: a vector is a flow only if this says so, in plain 128-bit integers. */
struct flow_check {
  const struct pt_net *net;
  enum flow_side side;
  struct incidence items; /* one row per place (FLOW_PLACES) or transition */
  __int128 *sum;          /* per column, all 0 between checks */
  struct mem *mem;
};
int flow_check_open(struct flow_check *, const struct pt_net *, enum flow_side, struct mem *); /* 0, or -1: memory */
void flow_check_close(struct flow_check *);

enum flow_answer { FLOW_KEPT, FLOW_RANGE, FLOW_WRONG, FLOW_MEMORY };
/* Brings the vector (ascending, no zeros, not empty) to lowest terms with a positive first weight, checks that it is a
   flow, and appends it. */
enum flow_answer flow_keep(struct flows *, struct flow_check *, const uint32_t *index, int64_t *weight, uint32_t count,
                           uint32_t own);

static inline uint64_t flow_size(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }

#endif
