/* pt_model.h -- a place/transition net as a model: packed markings, incremental firing. */
#ifndef NET_PT_MODEL_H
#define NET_PT_MODEL_H

#include "model/model.h"
#include "net/pt.h"

#include <stdio.h>

/* Takes the net over on success. `language` is what JSON calls it ("pnml", "net"). */
int pt_model_open(struct model **out, struct pt_net *net, const char *language, struct err *);
/* The net behind a model, or NULL if the model is no place/transition net. */
const struct pt_net *pt_model_net(const struct model *);

/* How markings are packed: one line per fact, for `info`. */
struct pt_packing {
  uint32_t places, stored, implied, constant; /* places that have bits, follow from flows, never change */
  uint32_t unit_fields;                       /* groups of places kept as one code */
  uint32_t bits;
  uint32_t dead_transitions; /* that no marking can ever enable */
  int proven;                /* every width is proven, the layout cannot widen */
  int safe;                  /* one-safe: proven (2), declared (1), unknown (0) */
};
void pt_model_packing(const struct model *, struct pt_packing *out);
/* A proven bound of tokens for a place, or PT_NONE. */
uint32_t pt_model_bound(const struct model *, uint32_t place);
/* Bounds learnt from elsewhere (coverability): PT_NONE = unbounded. Call before the search; narrows the layout. */
int pt_model_set_bounds(struct model *, const uint32_t *bounds, struct err *);

/* Over all states expanded by this cursor so far: most tokens in one place, and in one marking. */
void pt_cursor_peaks(const struct model_cursor *, uint32_t *in_place, uint64_t *in_marking);

#endif
