/* pt_symmetry.h -- what pt_model.c tells symmetry.c of a model; nobody else includes it. */
#ifndef NET_PT_SYMMETRY_H
#define NET_PT_SYMMETRY_H

#include "model/model.h"
#include "net/pt.h"

struct pt_symmetry_setup {
  const struct pt_net *net;
  const uint8_t *dead, *constant; /* transitions, places */
  const uint32_t *bound;          /* per place, PT_NONE = none is known */
  int loose;                      /* there are transitions with arcs that never fire */
};
void pt_symmetry_ask(const struct model *, struct pt_symmetry_setup *);

/* Values of some places of a state; and a state in which they are others: MODEL_OK, or MODEL_WIDEN and the state is as it was. all, packed: room for all values, and for a state. */
void pt_symmetry_values(const struct model *, const uint32_t *state, const uint32_t *place, uint32_t count, int64_t *value);
enum model_answer pt_symmetry_put(struct model_cursor *, uint32_t *state, const uint32_t *place, uint32_t count, const int64_t *value, int64_t *all, uint32_t *packed);

#endif
