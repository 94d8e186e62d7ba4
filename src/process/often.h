/* often.h -- how often statements of a program are executed at most, and so how many processes, channels and objects it can make. */
#ifndef PROCESS_OFTEN_H
#define PROCESS_OFTEN_H

#include "process/footprint.h"

/* Whatever happens, no more than that is ever made, what is there at the start included. UINT32_MAX: nobody knows. */
struct often_most {
  uint32_t processes, channels;
  uint32_t cells; /* of objects on the heap, as they lie there */
};
/* 0 or -1 (memory). Asks for fixed and tame of footprints. */
int often_find(struct often_most *, const struct footprints *);

#endif
