/* fields.h -- where the numbers of a state stand in its bits.
 *
 * One field for each place, and one for the clock where there is time.  A field is as wide as the numbers met so far need, and lies within one lane of 64 bits.  Places whose
 * marking never changed have no bits at all. */
#ifndef COLOUR_FIELDS_H
#define COLOUR_FIELDS_H

#include "base/mem.h"

#include <string.h>

struct one_field {
  uint32_t lane;
  uint8_t shift, bits;
  uint64_t mask; /* of the number itself */
};

struct fields {
  uint32_t fields, lanes, words, bits;
  struct one_field *field;
};

int fields_open(struct fields *, const uint8_t *widths, uint32_t fields, struct mem *); /* 0 or -1 */
void fields_close(struct fields *, struct mem *);

static inline void fields_lanes(const struct fields *l, const uint32_t *state, uint64_t *lane) {
  if (l->lanes) lane[l->lanes - 1] = 0;
  memcpy(lane, state, l->words * sizeof *state);
}
static inline uint32_t fields_get(const struct fields *l, const uint64_t *lane, uint32_t field) {
  const struct one_field *f = &l->field[field];
  return (uint32_t)(lane[f->lane] >> f->shift & f->mask);
}
/* The number goes from old to now: both must fit. */
static inline void fields_change(const struct fields *l, uint64_t *lane, uint32_t field, uint32_t old, uint32_t now) {
  const struct one_field *f = &l->field[field];
  lane[f->lane] ^= (uint64_t)(old ^ now) << f->shift;
}
static inline int fields_fits(const struct fields *l, uint32_t field, uint32_t number) { return number <= l->field[field].mask; }

#endif
