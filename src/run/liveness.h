/* liveness.h -- one temporal property of a model, decided: the product of model and automaton is searched for a run that breaks it.
 *
 *   safety  breadth-first, until the automaton has seen enough: shortest counterexamples, every store and the whole ladder
 *   observer  depth-first in the product with the observer itself (observer.h), then the shortest lasso that memory allows
 *   else    depth-first for an accepting cycle (emptiness.h, or on demand ndfs.h), then the shortest lasso around it (lasso.h) */
#ifndef RUN_LIVENESS_H
#define RUN_LIVENESS_H

#include "prop/temporal.h"
#include "run/run.h"
#include "search/lasso.h"

struct liveness {
  enum search_stop stop; /* STOP_GOAL: a run breaks it */
  int broken, has_lasso, finite; /* finite: the way alone breaks it */
  struct lasso lasso;
  struct stats stats; /* of the product */
  const struct search_type *search;
  int nested; /* by nested depth-first search */
  const char *rung[SEARCH_RUNGS];
  size_t rungs;
  size_t store_bytes;
  struct search_sweep sweep;
  struct store_files disk;
  struct search_spread spread;
  int lossy, blind; /* blind: cycles matter, and the store does not see them */
  double omission, seconds;
  struct err fault; /* STOP_FAULT: the model is wrong */
};

/* 0, or -1 with err. Close it in any case. */
int liveness_check(struct liveness *out, const struct run_setup *, const struct temporal *, const struct search_limits *, struct err *);
/* A search of its own in some model, with its figures. 0, or -1 with err. */
int liveness_explore(struct liveness *out, struct model *, struct listener *, const struct search_type *, const struct run_setup *, const struct search_limits *, struct err *);
void liveness_close(struct liveness *, struct mem *);

/* For those who search in other ways (mpi/liveness.c): the figures of a search; and a lasso that memory or time do not allow is left out, the verdict stands without it (0, or -1: err is something else). */
void liveness_take_figures(struct liveness *out, const struct search *);
int liveness_leave_out(struct err *);

#endif
