/* state_equation.h -- what no marking of a net can be, by linear algebra.
 *
 * A run in which transition t fires x(t) times leads from m0 to m = m0 + C x, with x >= 0 and m >= 0.  What has no solution there is not reachable.  The converse is
 * not true: order is forgotten, and fractions are allowed.  Traps bring back some of it: a set of places that every transition that takes from it also gives to, once
 * marked, stays marked (Esparza and Melzer, "Verification of safety properties using integer programming", 2000).  All claims rest on exact certificates (lp.h). */
#ifndef NET_STATE_EQUATION_H
#define NET_STATE_EQUATION_H

#include "model/linear.h"
#include "net/lp.h"
#include "net/pt.h"

struct state_equation;

/* bound: per place what it never exceeds, PT_NONE = not known; NULL: nothing is known. 0, or -1: memory. */
int state_equation_open(struct state_equation **out, const struct pt_net *, const uint32_t *bound, struct mem *);
void state_equation_close(struct state_equation *); /* NULL is fine */

/* 1: no reachable marking satisfies it. 0: not known. */
int state_equation_refutes(struct state_equation *, const struct linear *, const struct lp_patience *);
/* The sum (a LINEAR_AT_LEAST; `least` does not matter) is never more than this; INT64_MAX: not known. enough: nothing below it is of interest. */
int64_t state_equation_most(struct state_equation *, const struct linear *sum, int64_t enough, const struct lp_patience *);

/* After a refutation that failed: how often each transition fires in the solution that was found, NULL if there was none. Borrowed until the next call. */
const double *state_equation_firings(const struct state_equation *);
uint64_t state_equation_programs(const struct state_equation *); /* solved so far */

#endif
