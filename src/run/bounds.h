/* bounds.h -- is the net bounded?  Asked before the search, with small effort. */
#ifndef RUN_BOUNDS_H
#define RUN_BOUNDS_H

#include "base/err.h"
#include "model/model.h"
#include "net/coverability.h"

struct bounds {
  int known; /* the model needs no analysis: no net, or every bound is proven already */
  int ran;   /* `cover` is filled */
  struct coverability cover;
};

/* seconds: upper limit of the effort, 0 = the usual one. Never fails for lack of memory: then nothing is known.
   -1 with err only if the layout cannot take the bounds. */
int bounds_find(struct bounds *out, struct model *, struct mem *, double seconds, const volatile int *stop, struct err *);
void bounds_close(struct bounds *);

#endif
