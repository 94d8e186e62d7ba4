/* raises.h -- which exceptions the evaluation of a text may raise, as far as its tree tells.  See raises.c. */
#ifndef ML_RAISES_H
#define ML_RAISES_H

#include "ml/ml.h"

enum {
  ML_MAY_OVERFLOW = 1,
  ML_MAY_EMPTY = 2,
  ML_MAY_SUBSCRIPT = 4,
  ML_MAY_DIV = 8,
  ML_MAY_SUBTRACT = 16,
  ML_MAY_SIZE = 32,
  ML_MAY_MATCH = 64, /* and Bind */
  ML_MAY_ANYTHING = 128
};

/* What may be raised when a function is applied to `arguments` arguments, one after the other: a union of ML_MAY_..., 0 = nothing. */
unsigned ml_raises_applied(const struct ml *, const struct ml_expr *function, unsigned arguments);
/* Whether at most one exception may be raised, which holds nothing: then it is the same one wherever it comes from. */
static inline int ml_raises_one(unsigned may) { return !(may & ML_MAY_ANYTHING) && (may & (may - 1)) == 0; }

#endif
