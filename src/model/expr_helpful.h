/* expr_helpful.h -- which actions can help an expression to become true, or false, from a state on.
 *
 * Every run from the state to one in which the expression is as wanted takes at least one of them (an up-set: Schmidt, and Boenneland, Jensen, Larsen, Muniz, Srba for nets):
 *
 *   x + y >= 3 is false      those that raise x or y
 *   a && b is false          those of one part that is false: the one with the fewest
 *   a || b is false          those of both
 *   fireable(t) is false     those that may make true a guard of t that is false */
#ifndef MODEL_EXPR_HELPFUL_H
#define MODEL_EXPR_HELPFUL_H

#include "model/dependence.h"
#include "model/expr.h"

struct expr_helped {
  const struct dependence *dependence;
  void (*action)(void *context, uint32_t action); /* helps */
  void (*enable)(void *context, uint32_t group);  /* what may enable it helps; it is disabled */
  int (*enabled)(void *context, uint32_t group);
  void *context;
};

/* The expression is not as wanted in the state; groups are actions. 0, or -1: nothing can be said (it is a condition in the model's own language). */
int expr_helpful(const struct expr *, int wanted, const struct model *, const uint32_t *state, const struct expr_helped *);

#endif
