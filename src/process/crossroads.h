/* crossroads.h -- where an atomic sequence has had a choice already.
 *
 * The alternatives inside one atomic step are explored path by path, as SPIN does, so that every way through counts as an edge.
 * A loop with a choice inside an atomic sequence has no end of ways through.  So once a step has met MANY choices, those that follow
 * are remembered, image and process, and are not entered twice: the step then has every successor, though not every way
 * to it.  Memory counts against the budget. */
#ifndef PROCESS_CROSSROADS_H
#define PROCESS_CROSSROADS_H

#include "process/machine.h"

struct crossroads {
  uint64_t met; /* choices of the step under way */
  struct vec(int32_t) images;
  struct vec(uint64_t) start; /* of each record in images: process, cells, image */
  uint32_t *table;            /* 1 + index in start; 0 = free */
  size_t size;                /* of the table, a power of two */
};

void crossroads_reset(struct crossroads *);
/* 1 if this choice was remembered already; 0 if it is new, or not yet one of many; -1: memory. */
int crossroads_known(struct crossroads *, const struct machine *, uint32_t slot);
void crossroads_close(struct crossroads *, struct mem *);

#endif
