/* measure.h -- a progress measure that nobody had to write down, and what one is worth. */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "search/progress.h"
#include "search/search.h"

/* What a measure does on the first states of a model, and on random walks from there. */
struct measure_sample {
  uint64_t states, edges;
  int complete;           /* those are all states that there are */
  uint64_t classes;       /* different values */
  uint64_t largest;       /* states of the value that most have */
  uint64_t regress_edges; /* edges that lower it */
  uint64_t persistent;    /* states that such edges lead to: a sweep keeps them */
  uint64_t peak;          /* states that a sweep over these would hold at once, persistent ones included */
  uint64_t walk_steps, walk_regress; /* 0: there were no walks, as all states are known */
  uint64_t walk_classes;
};

struct measure_effort {
  uint64_t states;
  double seconds;
  const volatile int *interrupt; /* may be NULL */
};
extern const struct measure_effort measure_usual_effort;

/* 0, or -1 with err: memory. */
int measure_sample(struct measure_sample *, struct progress *, struct model *, struct mem *, const struct measure_effort *, struct err *);
/* The share of the states that a sweep would hold at once. */
double measure_peak_share(const struct measure_sample *);

/* The best measure that follows from what the model is, by a sample of its states. 0; 1: there is none that is worth anything; -1 with err: memory. */
int measure_derive(struct progress **out, struct model *, struct mem *, struct err *);
/* The same with the sample of it, which may be NULL. */
int measure_derive_sampled(struct progress **out, struct measure_sample *, struct model *, struct mem *, const struct measure_effort *, struct err *);

#endif
