/* generate.h -- a program as C text: the engine for long runs. */
#ifndef PROCESS_GENERATE_H
#define PROCESS_GENERATE_H

#include "process/machine.h"

/* The text is owned by the caller (mem_free, MEM_OTHER). 0, or -1: memory. It holds numbers and names of ours only, nothing
   from the model's text. */
int generate_c(char **out, size_t *length, const struct shape *, struct mem *);

#endif
