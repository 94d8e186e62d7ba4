/* corner.h -- small parts of the state space that cannot be left, far from the first state: what does not happen there is not live, however large the space is. */
#ifndef RUN_CORNER_H
#define RUN_CORNER_H

#include "model/model.h"

struct corner_setup {
  struct model *model; /* its layout may become wider */
  struct mem *mem;
  const uint32_t *unit; /* per group: what it counts as */
  uint32_t units;
  double seconds;
  const volatile int *interrupt;
};

/* 1: there is a reachable set of states that cannot be left, in which some unit never happens. 0: none was met in the time, or memory did not allow it. */
int corner_find(const struct corner_setup *);

#endif
