/* heirs.h -- what processes that are made can get hold of, and whether it matters who is which. */
#ifndef PROCESS_HEIRS_H
#define PROCESS_HEIRS_H

#include "process/footprint.h"

/* Sets tame, blind, ample and chan_parts of footprints that know what is fixed. 0 or -1 (memory). */
int heirs_find(struct footprints *);

#endif
