/* ctl.h -- branching formulas on a whole graph: for every part of the formula, in which states it is true.
 *
 * CTL on maximal paths: a path is infinite or ends in a state without successors.  So in such a state EG f and AG f are f, EF f and AF f are f, EX f is false and AX f
 * is true.  Every operator takes time linear in the graph: EX by looking at successors, EU by going backwards from its goal, EG by counting the successors that are left. */
#ifndef SEARCH_CTL_H
#define SEARCH_CTL_H

#include "prop/formula.h"
#include "search/kripke.h"

struct ctl;
/* `formulas` may hold many; parts that they share are computed once. Formulas made later are not known to it. */
int ctl_open(struct ctl **out, const struct formulas *, const struct kripke *, struct mem *, struct err *);
void ctl_close(struct ctl *); /* NULL is fine */
/* How long it may take from now on; without this, for ever. */
void ctl_limit(struct ctl *, const struct model_patience *);
/* Is it true in the first state? 1, 0, or -1 with err: memory; ERR_LIMIT: patience was over; ERR_INPUT: it is no CTL. */
int ctl_holds(struct ctl *, formula, struct err *);
/* In which states (one bit each, in 64-bit words); NULL with err. */
const uint8_t *ctl_states(struct ctl *, formula, struct err *);
/* The operator with !op(f, g) = dual(!f, !g). */
enum formula_kind ctl_dual(enum formula_kind);
/* Gives back the memory of all sets; what ctl_states returned is gone. */
void ctl_forget(struct ctl *);

#endif
