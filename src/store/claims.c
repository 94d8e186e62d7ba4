/* claims.c -- see claims.h. */
#include "store/claims.h"

enum { PLACE_BITS = 32, TURN_BITS = 16, TAG_BITS = 16 };

static inline uint64_t turn_of(uint64_t entry) { return entry >> (PLACE_BITS + TAG_BITS); }

void claims_begin(struct store_round *r) {
  struct store_claims *c = &r->claims;
  if (++c->turn >> TURN_BITS == 0) return;
  memset((void *)c->entry, 0, c->entries * sizeof *c->entry);
  c->turn = 1;
}

static inline const uint32_t *state_at(const struct store_round *r, uint32_t at) {
  const struct store_part *p = &r->part[at >> r->room];
  return p->states + (at & (((uint32_t)1 << r->room) - 1)) * p->stride;
}

/* From *slot on: is there an equal state that stands before `mine`? Otherwise *slot is where that shows, and *seen what stands there. */
static inline int stands_before(const struct store_round *r, const uint32_t *state, size_t stride, uint64_t mine, uint64_t *slot, uint64_t *seen) {
  const struct store_claims *c = &r->claims;
  uint64_t at = *slot, x;
  for (; turn_of(x = atomic_load_explicit(&c->entry[at], memory_order_acquire)) == c->turn; at = at + 1 == c->entries ? 0 : at + 1) {
    if ((x ^ mine) >> PLACE_BITS || memcmp(state_at(r, (uint32_t)x), state, stride * sizeof *state)) continue;
    if ((uint32_t)x < (uint32_t)mine) return 1;
    break;
  }
  *slot = at;
  *seen = x;
  return 0;
}

int claims_take(const struct store_round *r, size_t part, const uint32_t *state, uint64_t hash, uint8_t gone) {
  const struct store_claims *c = &r->claims;
  const struct store_part *p = &r->part[part];
  uint64_t place = (uint64_t)part << r->room | p->count, mine = (uint64_t)c->turn << (PLACE_BITS + TAG_BITS) | (hash & 0xffff) << PLACE_BITS | place, slot = hash_slot(hash, c->entries), seen;
  if (stands_before(r, state, p->stride, mine, &slot, &seen)) return 0;
  memcpy(p->states + p->count * p->stride, state, p->stride * sizeof *state); /* before its place can be seen */
  while (!atomic_compare_exchange_strong_explicit(&c->entry[slot], &seen, mine, memory_order_acq_rel, memory_order_acquire))
    if (stands_before(r, state, p->stride, mine, &slot, &seen)) return 0;
  if (turn_of(seen) == c->turn) {
    uint32_t other = (uint32_t)seen;
    atomic_store_explicit((_Atomic uint8_t *)&r->part[other >> r->room].answer[other & (((uint32_t)1 << r->room) - 1)], gone, memory_order_relaxed);
  }
  return 1;
}
