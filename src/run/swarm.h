/* swarm.h -- many small lossy searches instead of one large one.
 *
 * Holzmann, Joshi and Groce (2008): where a space is far too large for any store, searches that differ in everything that may differ reach
 * different parts of it, and together they find more than one search with all of their memory and time. */
#ifndef RUN_SWARM_H
#define RUN_SWARM_H

#include "run/run.h"

/* Until the first that the listeners call a goal. */
void swarm_run(struct swarm_figures *out, const struct run_setup *, const struct search_limits *, struct listener *const *listeners, size_t listener_count);

#endif
