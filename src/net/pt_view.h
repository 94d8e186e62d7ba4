/* pt_view.h -- the token counts of packed markings, one after the other: what differs from the marking before is read, and what has changed is written. */
#ifndef NET_PT_VIEW_H
#define NET_PT_VIEW_H

#include "net/layout.h"

struct pt_view {
  struct mem *mem;
  uint64_t serial;    /* of the layout; 0 = none yet */
  uint64_t *state;    /* the marking it stands on */
  size_t words;       /* room in it */
  int64_t *tokens;    /* per place */
  int64_t *numerator; /* per place that follows from others: what its divisor divides */
};

/* Moves to a marking. 0, or -1: memory. A zeroed view with its mem set is fine. */
int pt_view_move(struct pt_view *, const struct layout *, const uint32_t *state, uint32_t words);
/* Writes other counts of some places into the marking that it stands on; those that follow from others follow, and must. 0; -1: one does not fit, *wide tells which, and `state` is of no use. The view stays where it is. */
int pt_view_write(const struct pt_view *, const struct layout *, uint32_t *state, uint32_t words, const uint32_t *place, uint32_t count, const int64_t *tokens, uint32_t *wide);
void pt_view_close(struct pt_view *);

#endif
