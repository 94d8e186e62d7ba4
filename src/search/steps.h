/* steps.h -- the model as a store sees it (struct store_model): its functions, with a cursor and a batch of their own.
 *
 * Stores that keep steps instead of states take them again in the middle of a search, while the strategy's own cursor and batch are in
 * use.  Only opened for stores that ask for it (STORE_COSTLY).
 *
 * The successors of the state that was asked about last are remembered: a store that wants several of them, one after the
 * other, pays for one. */
#ifndef SEARCH_STEPS_H
#define SEARCH_STEPS_H

#include "model/model.h"
#include "store/store.h"

/* 0, or -1: no memory. */
int steps_open(struct store_model *out, struct model *, struct mem *);
void steps_close(struct store_model *); /* a zeroed one is fine */

#endif
