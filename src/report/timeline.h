/* timeline.h -- how a run went over time: a listener that rides on TICK, and what is left of it in the verdict.
 *
 * A run may have several searches, one after the other (temporal properties, members of a swarm, a second try with
 * reductions): each sample says which one it is of.  The time is that since the timeline was opened. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "base/json.h"
#include "search/search.h"

enum { TIMELINE_MOST = 320 }; /* samples at any time: when there are so many, they are thinned */

struct timeline_sample {
  double seconds;
  uint64_t states, transitions, frontier, depth, memory;
  uint32_t search;
};

struct report_timeline {
  struct listener listener;
  double opened;    /* clock */
  double began;     /* when the search that is heard began */
  double gap;       /* samples are at least so far apart */
  uint32_t searches; /* heard so far */
  size_t count;
  struct timeline_sample at[TIMELINE_MOST];
};

void report_timeline_open(struct report_timeline *);
/* So that a run that goes on from a checkpoint has the curves of the parts before (search/journal.h). */
struct records;
void report_timeline_save(void *timeline, struct records *);
int report_timeline_load(void *timeline, struct records *);
/* NULL: there is none. */
void report_timeline_json(const struct report_timeline *, struct json_out *);

#endif
