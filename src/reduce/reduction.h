/* reduction.h -- a model of which only a part is explored: enough to decide what is asked.
 *
 *   slice     a smaller model, where the language can make one (nets: model_type.smaller); or values that nobody will read any more are all the same (model_type.slice);
 *   por       of steps that have nothing to do with each other one order is enough (model/stubborn.h, model_type.thrift_choose);
 *   symmetry  which of several equal things is which does not matter (model_type.symmetry).
 *
 * A reduction dresses the model that is searched: until it is undressed, `successors` gives fewer steps, edges are numbered among those, and they lead to the states that stand for their targets.  Search and stores
 * need know nothing of it, since all of it is a function of the state alone.  Paths that were found are led back to steps of the model as it is (lead_back.c), and are confirmed there.
 *
 * What is asked: states without successors; states in which expressions are true or false; faults of steps, where models have any; or whole runs of which a formula without next sees the atoms alone. */
#ifndef REDUCE_REDUCTION_H
#define REDUCE_REDUCTION_H

#include "base/err.h"
#include "model/expr.h"
#include "model/model.h"

struct reduction;

enum { REDUCE_SLICE = 1, REDUCE_POR = 2, REDUCE_SYMMETRY = 4, REDUCE_ALL = 7, REDUCE_KINDS = 3 };
const char *reduction_name(unsigned kind); /* "por" for REDUCE_POR */

struct reduction_goal { /* a state is looked for in which the expression is true, or false */
  const struct expr *expr;
  int wanted;
};

struct reduction_setup {
  struct model *model;
  unsigned kinds; /* that may be used */
  int bounded;    /* the model has no more than finitely many states: where that is not known, states must stay what they are */
  const struct reduction_goal *goal; /* must outlive it */
  size_t goals;
  int deadlocks, assertions, errors; /* those of the model's own steps must be found, too */
  int runs; /* of runs: `atom` are what is seen of a state */
  const struct expr *const *atom; /* NULL entries are labels */
  size_t atoms;
  double worth; /* por only if at most this share of the steps is taken on random walks, symmetry only if a pilot (pilot.h) shows much less; 0 = whatever they spare */
};

/* What became of each kind, bit by bit of REDUCE_*: what it does, or why it is not used (or nothing). */
struct reduction_told {
  unsigned used;
  char text[REDUCE_KINDS][200];
};

/* 0; 1: this model, or what is asked, knows no reduction; -1 with err. */
int reduction_open(struct reduction **, const struct reduction_setup *, struct reduction_told *, struct mem *, struct err *);
void reduction_close(struct reduction *); /* undresses; NULL is fine */
struct model *reduction_model(struct reduction *); /* what is to be searched: the model, or a smaller one with the same variables */
void reduction_dress(struct reduction *);
void reduction_undress(struct reduction *);

/* A path from the initial state, and what it shows in the end. */
struct reduction_path {
  uint32_t *edge, *group; /* they are replaced; edge UINT32_MAX: nothing happens any more */
  size_t count;
  size_t loop;  /* from here on it is a loop; == count: it is none */
  int stuck;    /* nothing can happen in the end */
  enum { REDUCTION_NOTHING_FAILS, REDUCTION_STEP_FAILS, REDUCTION_STATE_FAILS } fault; /* the last step goes wrong, or what could happen in the last state: */
  uint32_t claim, detail;
};
/* It becomes a path of the model as it is: with real steps, and of real things, which may be more or fewer. 0, or -1 with err: memory; ERR_LIMIT: its loop does not close there; internal. */
int reduction_lead_back(struct reduction *, struct reduction_path *, struct mem *, struct err *);

#endif
