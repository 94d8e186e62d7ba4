/* formula_for_all.h -- a linear formula that must hold on all paths, as a branching formula, where there is one. */
#ifndef PROP_FORMULA_FOR_ALL_H
#define PROP_FORMULA_FOR_ALL_H

#include "prop/formula.h"

/* A(f) in CTL on maximal paths (ctl.h), for linear formulas in which a path that ends stays in its last state for ever; `dead` is the atom that is true where a path ends.
   FORMULA_NONE: it is none of the shapes that are known, or memory. Negations must stand as deep as they can (formula_opposite). */
formula formula_for_all(struct formulas *, formula f, formula dead);

#endif
