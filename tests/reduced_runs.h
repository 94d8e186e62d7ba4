/* reduced_runs.h -- one run of a model with some reductions, for tests that compare it with the run that has none. */
#ifndef TESTS_REDUCED_RUNS_H
#define TESTS_REDUCED_RUNS_H

#include "run/run.h"
#include "search/search.h"
#include "store/store.h"

#include <stdio.h>

enum { REDUCED_PROPERTIES = 40 };

struct reduced_outcome {
  enum prop_status status[REDUCED_PROPERTIES];
  int complete;  /* 2: all states were seen; 1: all was decided */
  int confirmed; /* every violation came with a run of the model as it is */
  unsigned used;           /* reductions, as a set of REDUCE_* */
  uint64_t states;
};

struct reduced_how {
  unsigned reduce;
  const struct search_type *search;
  const struct store_type *store;
  uint64_t most; /* states */
};

static inline struct reduced_outcome reduced_run(struct model *m, struct mem *mem, const struct prop *p, size_t count, const struct reduced_how *how) {
  struct verdict v;
  struct err e;
  struct run_setup setup = {.mem = mem, .model = m, .props = p, .prop_count = count, .search = how->search, .store = how->store, .reduce = how->reduce, .decide_all = 1, .limits = {.states = how->most}};
  err_clear(&e);
  int bad = run_check(&v, &setup, &e);
  struct reduced_outcome o = {.complete = bad ? 0 : v.stop == STOP_DONE ? 2 : v.stop == STOP_GOAL, .confirmed = !bad, .states = v.stats.states};
  for (unsigned i = 0; i < REDUCE_KINDS; i++) o.used |= v.reduction[i].used ? 1u << i : 0;
  for (size_t i = 0; i < v.property_count && i < REDUCED_PROPERTIES; i++) {
    o.status[i] = v.property[i].status;
    if (v.property[i].evidence_count && !v.property[i].evidence[0].trace) o.confirmed = 0;
  }
  if (bad) printf("# %s\n", e.message);
  verdict_close(&v);
  return o;
}

#endif
