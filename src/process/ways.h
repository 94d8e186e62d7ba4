/* ways.h -- how many steps a process is away from a control state, an assertion, or something that may go wrong.
 *
 * A table has a number for each control state of each process type: the least number of steps in which its process alone, or one that it starts, gets there, if guards
 * and channels never stood in the way.  A step that goes on inside an atomic sequence costs nothing, so that the numbers are bounds.  Tables are
 * made when they are first asked for; WAYS_NONE = memory does not allow it. */
#ifndef PROCESS_WAYS_H
#define PROCESS_WAYS_H

#include "process/machine.h"

struct ways;
int ways_open(struct ways **out, const struct shape *, const uint32_t *claim_of, size_t claims, struct mem *); /* 0 or -1 */
void ways_close(struct ways *);                                                                              /* NULL is fine */

/* By shape->state_first[type] + control state; NULL = no memory. UINT32_MAX = there is no way. */
const uint32_t *ways_to_label(struct ways *, uint32_t label); /* steps until the process is there */
const uint32_t *ways_to_claim(struct ways *, uint32_t claim); /* steps until the assertion is tried, that one included */
const uint32_t *ways_to_fault(struct ways *);                 /* the same for anything that may be a run-time error */
/* May something go wrong where a process only stands: in a guard, or in a message that nobody takes? */
int ways_fail_standing(const struct program *);

#endif
