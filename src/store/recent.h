/* recent.h -- states that were asked about a moment ago.
 *
 * The ways to a state are short and come from neighbours: often more than half of all questions are about states that were the answer to one of the
 * last few thousand.  Here they find their ref by one hash and one comparison, before a store takes them apart.
 *
 * A table without chains: an entry is ref + 1 (0 = empty) and the state in 64-bit words; a later one drops an earlier one of the same place.
 * It is small enough for the processor's caches, and where it does not help it is given up. */
#ifndef STORE_RECENT_H
#define STORE_RECENT_H

#include "base/hash.h"
#include "base/mem.h"

#include <stdint.h>

struct recent {
  struct mem *mem;
  uint32_t words;  /* 32-bit words of a state */
  size_t stride;   /* 64-bit words of an entry */
  unsigned bits;   /* log2 of the entries */
  uint64_t *entry; /* NULL = there is no table (yet, or any more) */
  uint64_t asked, hits, try_at;
};

void recent_open(struct recent *, struct mem *, uint32_t words);
void recent_close(struct recent *);
size_t recent_bytes(const struct recent *);
void recent_drop(struct recent *); /* there is no memory to spare: it does not come back */
/* Now and then, with the number of states of the store: may open, enlarge or give up the table. */
void recent_tend(struct recent *, uint64_t states);

/* The place of a state, which is read to a whole number of 64-bit words. */
static inline uint64_t *recent_place(const struct recent *r, const uint32_t *state) {
  uint64_t a, b, h;
  memcpy(&a, state, 8);
  if (r->words <= 2) h = (a ^ a >> 29) * 0x9e3779b97f4a7c15u;
  else if (r->words <= 4) memcpy(&b, state + 2, 8), h = ((a ^ a >> 29) * 0x9e3779b97f4a7c15u ^ b ^ b >> 31) * 0xd6e8feb86659fd93u;
  else h = hash_bytes(state, r->words * sizeof *state);
  return r->entry + (h >> (64 - r->bits)) * r->stride;
}

static inline int recent_is(const struct recent *r, const uint64_t *place, const uint32_t *state) {
  uint64_t different = 0;
  for (size_t w = 1; w < r->stride; w++) {
    uint64_t x;
    memcpy(&x, state + 2 * (w - 1), 8);
    different |= place[w] ^ x;
  }
  return (place[0] != 0) & (different == 0);
}

static inline void recent_keep(const struct recent *r, uint64_t *place, const uint32_t *state, uint64_t ref) {
  place[0] = ref + 1;
  memcpy(place + 1, state, (r->stride - 1) * 8);
}

#endif
