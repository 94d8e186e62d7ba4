/* footprint_touch.h -- what single statements touch (footprint.h). */
#ifndef PROCESS_FOOTPRINT_TOUCH_H
#define PROCESS_FOOTPRINT_TOUCH_H

#include "process/footprint.h"

/* One walk over statements. */
struct footprint_walk {
  const struct footprints *f;
  struct machine *m; /* NULL = nothing is known of the process: footprints of its type */
  uint32_t slot;
  uint64_t *used, *against;
  int whole; /* communications depend on the whole channel */
  int ends;  /* of a guard that a channel is not empty, or not full, depends on one end of it: nobody sees that it is false */
  int asks;  /* it is a condition on states, which may see a timeout */
};

void footprint_transition(struct footprint_walk *, uint32_t trans);
/* What the process that an action makes, and those that it makes, may use of the channels that it is given: into `used`. Where nothing is known of the maker, of global ones alone. */
void footprint_heirs(struct footprint_walk *, const struct ir_action *run);
/* What a part of a guard that is false stands against: it waits for that to change. */
void footprint_wait(struct footprint_walk *, ir_expr part);
void footprint_expr(struct footprint_walk *, ir_expr, unsigned depth); /* depth 0 */
/* Can it be evaluated once and for all in its process? own: in the state at hand, with locals that change. */
int footprint_settled(const struct footprints *, ir_expr, int own, unsigned depth);
/* Its value in a process of the state at hand; what goes wrong is for the statement to tell. */
int32_t footprint_value(struct machine *, uint32_t slot, ir_expr);

#endif
