/* replay_lasso.h -- the second opinion on runs that go on for ever. */
#ifndef SEARCH_REPLAY_LASSO_H
#define SEARCH_REPLAY_LASSO_H

#include "prop/temporal.h"
#include "search/lasso.h"

/* Runs it by the definition of the language (replay.h), and demands that the loop comes back to where it began, or that nothing can happen where the run ends;
   that the formula, read on the values along the way by its semantics, is broken. `finite`: the way alone breaks it, whatever comes after.
   0, or -1 with err: ERR_MEMORY, ERR_LIMIT when the definition gives up, ERR_INTERNAL when it is no counterexample. */
int replay_lasso(struct model *, const struct lasso *, const struct temporal *, int finite, struct mem *, struct err *);

#endif
