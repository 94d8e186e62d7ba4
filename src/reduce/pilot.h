/* pilot.h -- the first few thousand states of a model, breadth-first: how many there are up to each depth.  Enough to tell whether one way to explore it leaves much less than another. */
#ifndef REDUCE_PILOT_H
#define REDUCE_PILOT_H

#include "model/model.h"

enum { PILOT_STATES = 3000, PILOT_DEPTHS = 400 };

struct pilot {
  uint32_t depths;               /* that were explored to their end */
  uint32_t states[PILOT_DEPTHS]; /* up to each of them */
  int whole;                     /* there are no more */
};

/* Of the model as it is dressed. Where memory or the model do not allow it, no depth is told. */
void pilot_fly(struct pilot *, struct model *, struct mem *);
/* By how much the first leaves less than the second: the share of states at the greatest depth that both know; 1 where neither says anything. */
double pilot_share(const struct pilot *, const struct pilot *than);
/* The layout gets room for what a cursor could not put into it, before anything is stored. 0 or -1. */
int pilot_widen(struct model *, struct model_cursor *);

#endif
