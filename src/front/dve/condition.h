/* condition.h -- what was read stays with its program, for conditions that people ask about it (process/program.h: reader). */
#ifndef FRONT_DVE_CONDITION_H
#define FRONT_DVE_CONDITION_H

#include "front/dve/lower.h"

struct dve_reader {
  struct front_setup setup; /* a copy: who heard the errors of the model may be gone */
  struct dve d;
  struct lowering l;
};

/* The program keeps the reader, which has read it without an error. */
void dve_keep(struct dve_reader *);
void dve_forget(struct dve_reader *); /* frees it */

#endif
