/* product_inside.h -- the product of product.h, for product.c, which makes its steps, and product_state.c, which knows what its states are. */
#ifndef PROP_PRODUCT_INSIDE_H
#define PROP_PRODUCT_INSIDE_H

#include "prop/product.h"

#include "base/bits.h"
#include "base/vec.h"

#include <string.h>

struct product {
  struct model base;
  struct product_setup setup;
  struct model *inner;
  uint32_t inner_bits;       /* of the model's layout when ours was made */
  uint32_t q_bits, q_at;     /* q and, above it, the number of sets that were met; where they begin */
  uint32_t watcher_bits;     /* of q alone */
  uint32_t *start;           /* where runs begin; NULL = where the model's do. In the present layout */
  uint32_t old_at, old_words; /* between widen and widen_done */
  uint64_t *care;            /* per state of the automaton and its beginning: atoms that its edges ask about */
  uint8_t *may_end;          /* per state of the automaton: there may be a letter that it has no edge for */
  uint32_t *clean;           /* a state of the model, for convert */
  size_t clean_room;
};

struct way {
  uint32_t edge, slot, open; /* of the model; where its successor stands; among the open ones */
};

struct product_cursor {
  struct model_cursor base;
  struct model_cursor *inner;
  uint32_t *clean; /* the state of the model alone */
  size_t clean_room;
  struct vec(uint64_t) marks;
  struct vec(const struct automaton_edge *) open;
  struct vec(struct way) ways; /* of the edges that the last call appended */
  uint64_t watched;            /* atoms that the model evaluates in its successors, and their bits there */
  uint8_t watched_as[64];
  uint64_t care;               /* atoms that matter in the successors of the state at hand */
};

static inline const struct product *product_of(const struct model *m) { return (const struct product *)m; }

static inline uint32_t get_q(const struct product *p, const uint32_t *state, uint32_t at) {
  return p->q_bits ? state[at / 32] >> at % 32 & (uint32_t)bits_mask(p->q_bits) : 0;
}

/* Words behind the model's own are made zero; q is written into bits that are. */
static inline void put_q(const struct product *p, uint32_t *state, uint32_t q) {
  for (uint32_t w = p->inner->words; w < p->base.words; w++) state[w] = 0;
  if (p->q_bits) state[p->q_at / 32] |= q << p->q_at % 32;
}

static inline void copy_clean(const struct product *p, uint32_t *out, const uint32_t *state, uint32_t words, uint32_t at) {
  memcpy(out, state, words * sizeof *out);
  if (p->q_bits && at / 32 < words) out[at / 32] &= ~((uint32_t)bits_mask(p->q_bits) << at % 32);
}

static inline int room_for(uint32_t **words, size_t *room, size_t need, struct mem *mem) {
  if (need <= *room) return 0;
  uint32_t *w = mem_resize(mem, MEM_MODEL, *words, need * sizeof *w);
  if (!w) return -1;
  *words = w;
  *room = need;
  return 0;
}

static inline uint32_t watcher(const struct product *p, uint32_t q) { return q & (uint32_t)bits_mask(p->watcher_bits); }

/* product_state.c; for the table of the model, see model.h. */
void product_set_layout(struct product *);
unsigned product_labels(const struct model *, const uint32_t *state);
size_t product_components(const struct model *, uint32_t *bit, size_t room);
size_t product_pack(const struct model *, const uint32_t *state, uint8_t *out, size_t room);
int product_unpack(const struct model *, const uint8_t *data, size_t length, uint32_t *state);
uint64_t product_layout_sign(const struct model *);
int product_widen(struct model *, struct model_cursor *, struct err *);
void product_convert(void *model, const uint32_t *old, uint32_t *new);
void product_widen_done(struct model *, int keep);

#endif
