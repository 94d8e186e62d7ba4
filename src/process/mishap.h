/* mishap.h -- can a statement go wrong at run time?  On the safe side: "no" is certain. */
#ifndef PROCESS_MISHAP_H
#define PROCESS_MISHAP_H

#include "process/footprint.h"

/* m: NULL, or the machine in which the process of the slot lives: what is settled for it (footprint_touch.h) is known. */
int mishap_expr(const struct footprints *, struct machine *m, uint32_t slot, ir_expr);
/* Its guard, communication and actions, but for assertions; a d_step may block. Endless sequences are for those who know loops. */
int mishap_transition(const struct footprints *, struct machine *m, uint32_t slot, uint32_t trans);

#endif
