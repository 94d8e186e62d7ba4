/* ctl_partial.h -- branching formulas on a part of a graph: what is certain whatever the rest looks like.
 *
 * A graph that was cut (kripke_cut) knows all edges of the states below `done` and none of the others'.  For every part of a formula there are two sets: states in which
 * it must be true, and states in which it may be.  A lasso that shows EG, a path that shows EF, all ways to an AF that are short: such formulas need no whole graph. */
#ifndef SEARCH_CTL_PARTIAL_H
#define SEARCH_CTL_PARTIAL_H

#include "prop/formula.h"
#include "search/kripke.h"

struct ctl_partial;
int ctl_partial_open(struct ctl_partial **out, const struct formulas *, const struct kripke *, struct mem *, const struct model_patience *); /* 0, or -1: memory */
void ctl_partial_close(struct ctl_partial *); /* NULL is fine */
/* 1, 0, or -1: not known, for lack of states, memory or patience. */
int ctl_partial_holds(struct ctl_partial *, formula);
void ctl_partial_forget(struct ctl_partial *); /* gives back the memory of all sets */

#endif
