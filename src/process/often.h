/* often.h -- how often statements of a program are executed at most, and so how many processes and channels it can make. */
#ifndef PROCESS_OFTEN_H
#define PROCESS_OFTEN_H

#include "process/footprint.h"

/* Whatever happens, are there fewer processes and fewer channels made than that, those at the start included? 1; 0: nobody knows; -1: memory. Asks for fixed and tame of footprints. */
int often_bounded(const struct footprints *, uint32_t processes, uint32_t channels);

#endif
