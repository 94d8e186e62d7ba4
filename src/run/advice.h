/* advice.h -- what would help a run that ended early, in a sentence. */
#ifndef RUN_ADVICE_H
#define RUN_ADVICE_H

#include "run/run.h"

/* Fills verdict->advice (NULL where there is nothing to say, or no memory to say it). */
void advice_give(struct verdict *, const struct run_setup *);

#endif
