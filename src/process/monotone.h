/* monotone.h -- variables that the statements of a program only ever raise, or only ever lower. */
#ifndef PROCESS_MONOTONE_H
#define PROCESS_MONOTONE_H

#include "process/program.h"

struct monotone {
  uint32_t decl;
  int sign;      /* 1: it rises, -1: it falls */
  int proven;    /* it cannot wrap around either, and its process cannot end */
  int32_t first; /* its value when it comes into being, where that is known; otherwise 0 */
};

struct monotones {
  struct vec(struct monotone) at;
};

/* Those of all scopes, in the order of declaration. 0, or -1: memory. */
int monotone_find(struct monotones *, const struct program *, struct mem *);
void monotone_close(struct monotones *, struct mem *);

/* Processes of the type can end; somebody starts processes of the type. */
int monotone_ends(const struct program *, uint32_t proc);
int monotone_is_run(const struct program *, uint32_t proc);

#endif
