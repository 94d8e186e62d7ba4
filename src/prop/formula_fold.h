/* formula_fold.h -- formulas of branching and linear time made smaller by what is known of their parts.
 *
 * Only equivalences on maximal paths (ctl.h) are used, in every state or, for formula_at_start, in the first one. */
#ifndef PROP_FORMULA_FOLD_H
#define PROP_FORMULA_FOLD_H

#include "prop/formula.h"

enum formula_truth { TRUTH_OPEN, TRUTH_FALSE, TRUTH_TRUE };

/* known[g], for formulas g below `count`: an enum formula_truth that holds in every reachable state. FORMULA_NONE when refused. */
formula formula_fold(struct formulas *, formula, const uint8_t *known, size_t count);
/* start[g]: the truth of g in the first state. The result is equivalent to f there, and there only. */
formula formula_at_start(struct formulas *, formula, const uint8_t *start, size_t count);
/* A formula for !f in which negations stand as deep as they can. */
formula formula_opposite(struct formulas *, formula);

#endif
