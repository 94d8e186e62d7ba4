/* retrace.h -- the way to violations that the search knew no way to.
 *
 * On the lowest rung of the memory ladder states are marked, not numbered, and a violation comes without a path.  Its depth is known,
 * and the store is closed: a second breadth-first search up to that depth has the whole budget and finds the same violations with their
 * paths.  The same where the search went to disk in the middle: the second one is there from the start. */
#ifndef RUN_RETRACE_H
#define RUN_RETRACE_H

#include "search/judge.h"

/* Paths for those found without one, as far as memory and time allow. */
void retrace(struct judge *, struct model *, struct search_limits, const struct store_options *disk, struct mem *); /* disk NULL = in memory */

#endif
