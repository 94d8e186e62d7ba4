/* stubborn.h -- stubborn sets: of the actions that are enabled in a state, some that need be tried.
 *
 * A set of actions is stubborn in a state (Valmari; with guards: Laarman, Pater, van de Pol, Weber) if
 *
 *   an enabled action in it brings all with which it is in conflict,
 *   a disabled one brings all that may make true one of its guards that is false now,
 *   one enabled action is in it, if any is enabled at all,
 *
 * and if only its enabled actions are tried, every deadlock is still found.  If it also has all actions that may help something to become true (helpful.h), states in which that is true are
 * found as well: a run to one of them has to take a helpful action some time, and the first action of the set that it takes can be taken first.  No condition on cycles is needed for either, so
 * the set is a function of the state alone and every kind of search may use it.
 *
 * Properties of whole runs, of formulas without next, need more (Peled's ample sets): unless all enabled actions are tried, none that is tried may change the truth of an atom, and every cycle must
 * have a state in which all are tried.  The first is seen from the variables of the atoms; for the second no set has a sticky action (dependence.h).  Both are functions of the state alone again: actions to be avoided.
 *
 * What an action brings makes a graph, of which closed parts are wanted.  Without anything to help, its strong components are found (Tarjan) from the enabled actions: a component with enabled actions
 * below which there is none is a stubborn set that has no smaller one in it; of those that are met from the enabled actions the one with the fewest of them is taken. */
#ifndef MODEL_STUBBORN_H
#define MODEL_STUBBORN_H

#include "model/dependence.h"

struct stubborn;

/* Tells whether a guard is true in the state at hand. */
typedef int stubborn_guard(void *context, uint32_t guard);

/* `avoid`: actions that a set of fewer than all enabled ones may not have; NULL = none. It must outlive the scratch. 0 or -1 */
int stubborn_open(struct stubborn **, const struct dependence *, const uint8_t *avoid, struct mem *);
void stubborn_close(struct stubborn *);                                         /* NULL is fine */

/* One state after the other: the enabled actions; then those that help, if any; then the choice. */
void stubborn_begin(struct stubborn *, const uint32_t *enabled, size_t count, stubborn_guard *, void *context);
int stubborn_enabled(const struct stubborn *, uint32_t action);
void stubborn_want(struct stubborn *, uint32_t action);
/* What makes a disabled action possible: those that may make true one of its false guards, the fewest. */
void stubborn_want_enabled(struct stubborn *, uint32_t action);
/* How many enabled actions are chosen. */
size_t stubborn_choose(struct stubborn *);
int stubborn_has(const struct stubborn *, uint32_t action);

#endif
