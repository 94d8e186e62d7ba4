/* seen.h -- what the aims of a run (model.h) see of a place/transition net: whatever makes the net smaller, or takes one marking for another, must leave that alone.
 *
 * The places that expressions speak of are seen.  An expression that asks whether a transition can fire sees the transition and the places that it takes from; one that asks whether any can asks for deadlocks. */
#ifndef NET_SEEN_H
#define NET_SEEN_H

#include "model/model.h"
#include "net/pt.h"

struct pt_seen {
  struct mem *mem;
  uint8_t *place, *transition;
  int exprs;     /* there are expressions at all */
  int deadlocks; /* which markings are dead is asked, as a property or in an expression */
  int alive;     /* an expression asks whether something can fire: that a marking is not dead is seen as well */
  int runs;
};

/* 0; 1: an expression cannot be looked into; -1: memory. */
int pt_seen_open(struct pt_seen *, const struct pt_net *, const struct model_aims *, struct mem *);
void pt_seen_close(struct pt_seen *); /* a zeroed one is fine */

#endif
