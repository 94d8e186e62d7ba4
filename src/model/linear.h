/* linear.h -- a state expression as ANDs and ORs of linear comparisons: what walks measure and what equations can refute.
 *
 *   !(p + q <= 3 && fireable(t))   becomes   OR( p + q >= 4, UNFIREABLE t )
 *
 * Negations are gone (not fireable is a kind of its own), equalities are two comparisons, differences are two in an OR.  Everything lies in the arena of the
 * maker.  What is not linear (a product of variables, a truth used as a number), or would become too large, has no such form: that is no error. */
#ifndef MODEL_LINEAR_H
#define MODEL_LINEAR_H

#include "model/expr.h"

enum linear_kind {
  LINEAR_FALSE,
  LINEAR_TRUE,
  LINEAR_AT_LEAST,   /* sum of factor[i] * var[i] >= least */
  LINEAR_FIREABLE,   /* group */
  LINEAR_UNFIREABLE, /* group */
  LINEAR_DEAD,       /* no group is fireable */
  LINEAR_ALIVE,
  LINEAR_AND,
  LINEAR_OR,
};

struct linear {
  enum linear_kind kind;
  uint32_t count; /* of children or terms */
  uint32_t group;
  struct linear **child;
  uint32_t *var; /* ascending, each once */
  int64_t *factor; /* not 0 */
  int64_t least;
};

/* Makes them. `room`: nodes that may still be made. */
struct linear_maker {
  struct mem *mem;
  struct arena arena;
  size_t room;
};
void linear_open(struct linear_maker *, struct mem *);
void linear_close(struct linear_maker *);

/* The expression, or its negation. NULL: it has no such form, or the memory does not allow it. */
struct linear *linear_of(struct linear_maker *, const struct expr *, int negated);
/* LINEAR_AND or LINEAR_OR of the parts; NULL if one of them is NULL. */
struct linear *linear_many(struct linear_maker *, enum linear_kind, struct linear *const *part, size_t count);
/* The terms of an expression that is a sum of variables: LINEAR_AT_LEAST whose `least` is minus what is added to it. NULL: it is none. */
struct linear *linear_sum(struct linear_maker *, const struct expr *);
/* sum >= least, for the sum of another. */
struct linear *linear_at_least(struct linear_maker *, const struct linear *sum, int64_t least);

#endif
