/* minimise.h -- the smallest graph that behaves like a model: explored, refined, and made of blocks. */
#ifndef RUN_MINIMISE_H
#define RUN_MINIMISE_H

#include "run/run.h"
#include "search/labelled.h"
#include "search/refine.h"

/* Explores the model of `run` into a graph, behind the states that are there. The verdict tells whether it is whole; close it. 0, or -1 with err. */
int minimise_explore(struct graph *, struct labelling *, const struct run_setup *, struct verdict *, struct err *);
/* How long what comes after the search may take. */
struct model_patience minimise_patience(const struct run_setup *, double started);

struct minimised {
  struct labels labels;
  struct graph graph;     /* the small one; groups are labels */
  uint64_t states, edges; /* of the one before */
  struct verdict verdict; /* of the search: if that is not complete there is no graph */
};
/* 0, or -1 with err; close it in any case. */
int minimise(struct minimised *, const struct run_setup *, enum bisimulation, const struct labels_seen *, struct err *);
void minimised_close(struct minimised *);

#endif
