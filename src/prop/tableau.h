/* tableau.h -- the automaton of a formula as it is built, neither trimmed nor reduced: inside the room. */
#ifndef PROP_TABLEAU_H
#define PROP_TABLEAU_H

#include "prop/automaton.h"
#include "prop/formula.h"

/* `f` is LTL in normal form with atoms below 64. most_terms: edges of one state; 0 = 32,768. */
int tableau(struct automaton **out, struct formulas *, formula f, uint32_t most_terms, const volatile int *interrupt, struct err *);

#endif
