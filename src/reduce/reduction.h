/* reduction.h -- a model of which only some steps are taken: enough to decide what is asked.
 *
 * A reduction dresses a model: until it is undressed, `successors` gives the steps of a stubborn set (stubborn.h) and edges are numbered among those.  Search and stores need
 * know nothing of it, since the set is a function of the state alone.  Paths that were found are led back to the numbers of all steps afterwards, and are confirmed on the model as it is.
 *
 * What is asked: deadlocks, always; states in which expressions are true or false; faults of steps, where models have any; or whole runs of which a formula without next sees the atoms alone. */
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

struct reduction_setup {
  struct model *model;
  const struct reduction_goal *goal; /* must outlive it */
  size_t goals;
  int assertions, errors; /* those of the model's own steps must be found, too */
  int runs; /* of runs: `atom` are what is seen of a state */
  const struct expr *const *atom; /* NULL entries are labels */
  size_t atoms;
  double worth; /* only if at most this share of the steps is taken on random walks; 0 = whatever it spares */
};

/* 0; 1: this model, or what is asked, knows no reduction; -1 with err. */
int reduction_open(struct reduction **, const struct reduction_setup *, struct mem *, struct err *);
void reduction_close(struct reduction *); /* undresses; NULL is fine */
void reduction_dress(struct reduction *);
void reduction_undress(struct reduction *);

/* Edges of a path from the initial state: numbers among the steps that were taken become numbers among all. A path ends with UINT32_MAX, too. 0 or -1 (memory; a step that is not there). */
int reduction_lead_back(struct reduction *, uint32_t *edge, size_t count);

#endif
