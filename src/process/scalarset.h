/* scalarset.h -- types whose values are no numbers: none of them is special, and symmetry may exchange them (symmetry_sorts.h). */
#ifndef PROCESS_SCALARSET_H
#define PROCESS_SCALARSET_H

#include "process/program.h"

enum { SCALARSET_MOST = 64 };

/* Values of a scalarset are assigned, compared for being equal, sent, received, given to processes and used as index of arrays of that size; a constant is one of a choice between all of them (select). Anything else
   is an error with its place: 0 or -1. */
int program_check_scalarsets(const struct program *, struct err *);
/* An assignment of a constant beside assignments of all others: x = 0, x = 1, ... from the same state to the same state, and not inside a d_step. Returns how many values there are, from 0 on; 0: it is no such choice. */
uint32_t program_choice(const struct program *, const struct ir_trans *);

#endif
