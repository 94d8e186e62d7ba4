/* layout.h -- where the numbers of a state stand in its bits.
 *
 * One field for each place, and one for the clock where there is time.  A field is as wide as the numbers met so far need, and lies within one lane of 64 bits.  Places whose
 * marking never changed have no bits at all. */
#ifndef COLOUR_LAYOUT_H
#define COLOUR_LAYOUT_H

#include "base/mem.h"

#include <string.h>

struct layout_field {
  uint32_t lane;
  uint8_t shift, bits;
  uint64_t mask; /* of the number itself */
};

struct layout {
  uint32_t fields, lanes, words, bits;
  struct layout_field *field;
};

int layout_open(struct layout *, const uint8_t *widths, uint32_t fields, struct mem *); /* 0 or -1 */
void layout_close(struct layout *, struct mem *);

static inline void layout_lanes(const struct layout *l, const uint32_t *state, uint64_t *lane) {
  if (l->lanes) lane[l->lanes - 1] = 0;
  memcpy(lane, state, l->words * sizeof *state);
}
static inline uint32_t layout_get(const struct layout *l, const uint64_t *lane, uint32_t field) {
  const struct layout_field *f = &l->field[field];
  return (uint32_t)(lane[f->lane] >> f->shift & f->mask);
}
/* The number goes from old to now: both must fit. */
static inline void layout_change(const struct layout *l, uint64_t *lane, uint32_t field, uint32_t old, uint32_t now) {
  const struct layout_field *f = &l->field[field];
  lane[f->lane] ^= (uint64_t)(old ^ now) << f->shift;
}
static inline int layout_fits(const struct layout *l, uint32_t field, uint32_t number) { return number <= l->field[field].mask; }

#endif
