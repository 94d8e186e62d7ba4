/* refs.h -- what stores call states, in few bytes: both halves of a ref in as many as they need.
 *
 * Numbers in order of discovery have nothing in their upper half, pairs of ids (compact-tree) have little in both: 2 to 5 bytes mostly, instead of 8. */
#ifndef SEARCH_REFS_H
#define SEARCH_REFS_H

#include "base/bits.h"
#include "store/store.h"

#include <string.h>

struct ref_shape {
  uint32_t entry;    /* bytes of an entry */
  uint8_t low, high; /* of the halves of a ref */
};

static inline uint8_t ref_bytes(uint32_t half) { return (uint8_t)((bits_for(half) + 7) / 8 + !half); }

/* Refs become longer as a store grows: the shape follows. */
static inline void ref_fit(struct ref_shape *shape, store_ref ref) {
  uint8_t low = ref_bytes((uint32_t)ref), high = ref_bytes((uint32_t)(ref >> 32));
  if (low > shape->low) shape->low = low;
  if (high > shape->high) shape->high = high;
  shape->entry = (uint32_t)shape->low + shape->high;
}

static inline void ref_put(uint8_t *at, struct ref_shape shape, store_ref ref) {
  uint32_t low = (uint32_t)ref, high = (uint32_t)(ref >> 32);
  memcpy(at, &low, shape.low); /* the bytes that count come first */
  memcpy(at + shape.low, &high, shape.high);
}

static inline store_ref ref_get(const uint8_t *at, struct ref_shape shape) {
  uint32_t low = 0, high = 0;
  memcpy(&low, at, shape.low);
  memcpy(&high, at + shape.low, shape.high);
  return (store_ref)high << 32 | low;
}

#endif
