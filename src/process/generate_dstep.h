/* generate_dstep.h -- long d_steps as C text: one function runs one to its end, instead of a call for each statement. */
#ifndef PROCESS_GENERATE_DSTEP_H
#define PROCESS_GENERATE_DSTEP_H

#include "process/machine.h"
#include "process/text_out.h"

/* use: per transition, 1 if it could be part of such a function: it writes nothing unless it is enabled. Afterwards 1 if it is part of one. -1: memory. */
int dsteps_find(const struct shape *, uint8_t *use, struct mem *);
/* The functions and dstep_table, to stand behind swift_0, swift_1, ... of the transitions that are used. */
void dsteps_say(struct text_out *, const struct shape *, const uint8_t *use);

#endif
