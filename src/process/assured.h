/* assured.h -- communications inside a step that cannot be impossible, because something before them in the same step saw to it. */
#ifndef PROCESS_ASSURED_H
#define PROCESS_ASSURED_H

#include "process/footprint.h"

/* Sets `assured` of footprints that know what is fixed: per transition, where it is not the first one of a step. 0 or -1 (memory). */
int assured_find(struct footprints *);

#endif
