/* dependence.h -- what the actions of a model have to do with each other: the ground of partial-order reductions (stubborn.h).
 *
 * An action is what can happen at most once in a step: a transition of a net, a statement of one process.  It is enabled if all of its guards are true; a guard is a condition on
 * the state that actions can make true or false.  All relations are on the safe side: "may".
 *
 *   guards      action -> guards
 *   enabling    guard  -> actions that may make it true                                   (necessary enabling set)
 *   conflict    action -> the others that may disable it, be disabled by it, or lead elsewhere in the other order, where both are enabled
 *   raise       variable -> actions that may make it larger
 *   lower       variable -> actions that may make it smaller
 *   sticky      a set of actions of which every cycle of states has one
 *
 * Rows are kept one after the other: row i is at[start[i]] .. at[start[i + 1]). */
#ifndef MODEL_DEPENDENCE_H
#define MODEL_DEPENDENCE_H

#include "base/mem.h"

#include <stdint.h>

struct dependence_rows {
  uint32_t *start, *at;
};

struct dependence {
  struct mem *mem;
  uint32_t actions, guards, vars;
  struct dependence_rows guards_of, enabling, conflict, raise, lower;
  uint8_t *sticky; /* per action */
};

/* Rows from pairs (row, entry) in any order; entries of a row become ascending and unique. The pairs are sorted in place. 0 or -1 (memory). */
struct dependence_pair {
  uint32_t row, entry;
};
int dependence_rows_make(struct dependence_rows *, uint32_t rows, struct dependence_pair *, size_t count, struct mem *);
void dependence_close(struct dependence *); /* a zeroed one is fine */

#endif
