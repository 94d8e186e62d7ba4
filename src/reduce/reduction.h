/* reduction.h -- a model of which only some steps are taken: enough to decide what is asked.
 *
 * A reduction dresses a model: until it is undressed, `successors` gives the steps of a stubborn set (stubborn.h) and edges are numbered among those.  Search and stores need
 * know nothing of it, since the set is a function of the state alone.  Paths that were found are led back to the numbers of all steps afterwards, and are confirmed on the model as it is.
 *
 * What is asked: deadlocks, always; states in which expressions are true or false; faults of steps, where models have any. */
#ifndef REDUCE_REDUCTION_H
#define REDUCE_REDUCTION_H

#include "base/err.h"
#include "model/expr.h"
#include "model/model.h"

struct reduction;

struct reduction_goal { /* a state is looked for in which the expression is true, or false */
  const struct expr *expr;
  int wanted;
};

struct reduction_aims {
  const struct reduction_goal *goal; /* must outlive the reduction */
  size_t goals;
  int assertions, errors; /* those of the model's own steps must be found, too */
};

/* 0; 1: this model, or what is asked, knows no reduction; -1 with err. */
int reduction_open(struct reduction **, struct model *, const struct reduction_aims *, struct mem *, struct err *);
void reduction_close(struct reduction *); /* undresses; NULL is fine */
void reduction_dress(struct reduction *);
void reduction_undress(struct reduction *);

/* Edges of a path from the initial state: numbers among the steps that were taken become numbers among all. 0 or -1 (memory; a step that is not there). */
int reduction_lead_back(struct reduction *, uint32_t *edge, size_t count);

#endif
