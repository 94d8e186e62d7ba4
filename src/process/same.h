/* same.h -- two expressions of a program that certainly mean the same. */
#ifndef PROCESS_SAME_H
#define PROCESS_SAME_H

#include "process/program.h"

/* The same value in every state, for the same process. 0 also where nobody can tell. */
int program_same(const struct program *, ir_expr, ir_expr);
/* The same cell, likewise. */
int program_same_cell(const struct program *, ir_ref, ir_ref);

#endif
