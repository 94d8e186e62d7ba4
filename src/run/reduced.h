/* reduced.h -- reductions as a run uses them: what is asked is put to reduce/reduction.h, and what was found becomes runs of the model as it is. */
#ifndef RUN_REDUCED_H
#define RUN_REDUCED_H

#include "reduce/reduction.h"
#include "run/run.h"
#include "search/judge.h"
#include "search/lasso.h"

struct reduced {
  struct reduction *reduction; /* NULL = all of the model is explored */
  struct model *model;         /* that is to be searched */
  struct reduction_goal *goal;
  struct mem *mem;
};

/* For the properties of single states, all at once; for one of whole runs. `bounded`: the model is known to have finitely many states. The verdict is told what is used, and what not and why. 0, or -1 with err. */
int reduced_open_states(struct reduced *, const struct run_setup *, int bounded, struct verdict *, struct err *);
int reduced_possible_for_runs(const struct run_setup *, const struct temporal *); /* by what it asks; the model may say no all the same */
int reduced_open_runs(struct reduced *, const struct run_setup *, const struct temporal *, int bounded, struct verdict *, struct err *);
void reduced_close(struct reduced *);

static inline void reduced_dress(struct reduced *r) {
  if (r->reduction) reduction_dress(r->reduction);
}
static inline void reduced_undress(struct reduced *r) {
  if (r->reduction) reduction_undress(r->reduction);
}

/* Back to the model as it is. 0, or -1 with err. */
int reduced_lead_back_found(struct reduced *, struct judge *, struct err *);
int reduced_lead_back_lasso(struct reduced *, struct lasso *, struct err *);
int reduced_lead_back_path(struct reduced *, struct search_path *, struct err *);

#endif
