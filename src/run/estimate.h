/* estimate.h -- bytes per state of every exact store, measured on the first states of a model. */
#ifndef RUN_ESTIMATE_H
#define RUN_ESTIMATE_H

#include "search/search.h"

enum { ESTIMATE_STORES = 16 };

struct estimate {
  const char *store;
  uint64_t states; /* that it was measured on */
  double bytes;    /* per state, without queue and tree of the search */
  int all;         /* there are no more states */
};

/* Explores the first `states` states with each exact store, or for `seconds` each. Returns how many stores could be measured. */
size_t estimate_stores(struct estimate *out, struct model *, struct mem *, uint64_t states, double seconds, const volatile int *interrupt);

#endif
