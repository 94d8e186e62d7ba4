/* coverability.h -- which places are unbounded, and how to pump them.
 *
 * Builds the minimal coverability set: markings over N + {omega} (Karp and Miller with
 * acceleration along ancestors; covered nodes are pruned as Valmari and Hansen do). */
#ifndef NET_COVERABILITY_H
#define NET_COVERABILITY_H

#include "net/pt.h"

struct coverability_setup {
  struct mem *mem;
  size_t max_nodes;         /* 0 = no limit */
  double max_seconds;       /* 0 = no limit */
  const volatile int *stop; /* may be NULL; set to non-zero by a signal handler: end early */
  int until_unbounded;      /* stop at the first unbounded place */
};

struct coverability {
  struct mem *mem;
  int complete;       /* bounds are exact; otherwise only `unbounded` markings found so far are certain */
  int unbounded;      /* at least one place is */
  const char *limit;  /* why not complete, or why there is no run */
  size_t nodes, kept; /* made in all; active at the end: where complete, the maximal markings */
  uint32_t *bound;    /* per place: most tokens, PT_NONE = unbounded (valid where complete, or PT_NONE) */
  /* A run that proves it: fire `prefix` from the initial marking, then `pump` again and again; each round adds
     tokens to `pumped` and takes from no place. */
  uint32_t *prefix, *pump, *pumped;
  size_t prefix_count, pump_count, pumped_count;
};

/* 0, or -1 with err (memory). The pumping run has been replayed exactly before it is returned. */
int coverability_run(struct coverability *out, const struct pt_net *, const struct coverability_setup *, struct err *);
/* A pumping run for one given place, which is among `pumped` then. Without one (pump_count 0) `limit` says why: the place is
   bounded, a limit was reached, the run would be too long, or none was found because the place grows only by using
   up other unbounded places. */
int coverability_pump(struct coverability *out, const struct pt_net *, uint32_t place, const struct coverability_setup *,
                      struct err *);
void coverability_close(struct coverability *);

#endif
