/* loops.h -- transitions of which every loop of a process's control flow has one. */
#ifndef PROCESS_LOOPS_H
#define PROCESS_LOOPS_H

#include "process/program.h"

enum closing { CLOSES_NOTHING, CLOSES_BY_COMM /* a communication closes the loop: somebody else must have a part in it */, CLOSES };

/* closes: per transition, enum closing. heavy: per transition, it touches what processes share; loops are closed by such ones where they have any. 0 or -1 (memory). */
int loops_cut(const struct program *, const uint8_t *heavy, uint8_t *closes, struct mem *);

#endif
