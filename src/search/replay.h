/* replay.h -- the independent slow checker: a path is believed only after this. */
#ifndef SEARCH_REPLAY_H
#define SEARCH_REPLAY_H

#include "prop/prop.h"
#include "search/search.h"
#include "search/stepper.h"

/* Runs the path on plain values with the model's define_* functions, comparing with the engine's states at each
   step, and checks that the last state decides `prop` (NULL = no property), or that `fault` (NULL = none) happens again in the
   last step, or in the last state if it has no step. 0, or -1 with err: ERR_MEMORY, ERR_LIMIT when the definition gives up, or
   ERR_INTERNAL when the path is not one. */
int replay_path(struct model *, const struct search_path *, const struct prop *, const struct model_fault *fault, struct mem *,
                struct err *);

/* The same step by step, for those who want to see the values on the way. */
struct replay {
  struct stepper engine;
  int64_t *values; /* one per variable, by the definition */
  int64_t *before; /* those before the last step */
  uint32_t vars;
  size_t steps;      /* taken */
  size_t full_every; /* all variables are compared at each n-th step, the changed ones at every step */
};
/* At the initial state; `expected` steps will follow (tells how thorough each comparison can be). */
int replay_open(struct replay *, struct model *, struct mem *, size_t expected, struct err *);
/* Takes the k-th successor, which must be made by `group`. */
int replay_step(struct replay *, uint32_t k, uint32_t group, struct err *);
/* Compares every variable; call it at the end. */
int replay_compare(struct replay *, struct err *);
/* 1 if the current state decides the property by the definition of the language, 0 if not, negative: the definition has no answer. */
int replay_decides(struct replay *, const struct prop *, struct err *);
void replay_close(struct replay *);

#endif
