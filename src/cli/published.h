/* published.h -- what a check has found out so far, for the watchdog.
 *
 * The run tells it of each property that is decided, and each tick of a search of its figures. Both
 * are taken under watchdog_hold, so that the watchdog reads them whole. */
#ifndef CLI_PUBLISHED_H
#define CLI_PUBLISHED_H

#include "run/run.h"

struct published {
  struct listener listener; /* ticks: pass it to the run beside others */
  struct run_watch watch;   /* likewise, as run_setup.watch */
  const struct run_setup *setup;
  const struct verdict_property **decided; /* by property; NULL = not yet */
  struct stats stats;
  const char *store;
  size_t store_bytes;
  double began, search_s;
  const struct verdict *final; /* the run is over, and this is its verdict; NULL = it is not */
};

/* 0, or -1: memory. `setup` must stay. */
int published_open(struct published *, const struct run_setup *);
void published_close(struct published *);
void published_final(struct published *, const struct verdict *);

/* The verdict, were the run to end now; what it holds of runs is borrowed. The watchdog speaks. -1
 * with err: memory. */
int published_verdict(const struct published *, struct verdict *out, enum search_stop why,
                      struct mem *, struct err *);

#endif
