/* shared.c -- see shared.h. */
#include "store/shared.h"

#include "base/bits.h"
#include "base/hash.h"

#include <string.h>

enum { NUMBER_BITS = 36, FIRST = 1 << 12, MARGIN = 1 << 11 }; /* margin: numbers that threads may take after the limit was seen */

static inline _Atomic uint64_t *entry_at(const struct shared *s, uint64_t slot) { return (_Atomic uint64_t *)(void *)s->index.base + slot; }
static inline uint8_t *record_at(const struct shared *s, uint64_t number) { return s->records.base + number * s->record; }

static int take(struct shared *s, uint64_t slots) {
  uint64_t limit = slots - slots / 4;
  if (limit >> NUMBER_BITS || region_resize(&s->records, (limit + MARGIN) * s->record) || region_resize(&s->marks, limit + MARGIN) || region_resize(&s->index, slots * sizeof(uint64_t))) return -1;
  s->slots = slots;
  s->limit = limit;
  return 0;
}

int shared_open(struct shared *s, struct mem *mem, uint32_t words, uint32_t bits) {
  *s = (struct shared){.mem = mem, .words = words, .record = bits ? (bits + 7) / 8 : 1};
  region_open(&s->index, mem, MEM_STORE);
  region_open(&s->records, mem, MEM_STORE);
  region_open(&s->marks, mem, MEM_STORE);
  if (take(s, FIRST) == 0) return 0;
  shared_close(s);
  return -1;
}

void shared_close(struct shared *s) {
  region_close(&s->index);
  region_close(&s->records);
  region_close(&s->marks);
}

size_t shared_bytes(const struct shared *s) { return s->index.held + s->records.held + s->marks.held; }

void shared_get(const struct shared *s, uint64_t number, uint32_t *state) {
  memset(state, 0, s->words * sizeof *state);
  memcpy(state, record_at(s, number), s->record);
}

uint64_t shared_put(struct shared *s, const uint32_t *state, uint64_t *spare) {
  uint64_t hash = hash_bytes(state, s->record), slot = hash_slot(hash, s->slots), tag = hash << NUMBER_BITS, mine = 0;
  for (;;) {
    uint64_t x = atomic_load_explicit(entry_at(s, slot), memory_order_acquire);
    if (!x) {
      if (!mine) { /* a number, and the record under it, before anybody can see them */
        if (*spare == SHARED_NONE) {
          if (atomic_load_explicit(&s->next, memory_order_relaxed) >= s->limit) return SHARED_FULL;
          *spare = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
        }
        memcpy(record_at(s, *spare), state, s->record);
        mine = tag | (*spare + 1);
      }
      if (atomic_compare_exchange_strong_explicit(entry_at(s, slot), &x, mine, memory_order_acq_rel, memory_order_acquire)) {
        *spare = SHARED_NONE;
        return (mine & bits_mask(NUMBER_BITS)) - 1;
      }
    }
    uint64_t number = (x & bits_mask(NUMBER_BITS)) - 1;
    if ((x ^ tag) >> NUMBER_BITS == 0 && memcmp(record_at(s, number), state, s->record) == 0) return number;
    if (++slot == s->slots) slot = 0;
  }
}

int shared_grow(struct shared *s) {
  uint64_t old = s->slots, all = atomic_load_explicit(&s->next, memory_order_relaxed);
  if (all < s->limit) return 0; /* somebody else has */
  uint64_t *seen = mem_alloc(s->mem, MEM_STORE, all / 8 + 8); /* numbers that are nobody's yet are in no entry */
  if (!seen) return -1;
  for (uint64_t i = 0; i < old; i++) {
    uint64_t x = atomic_load_explicit(entry_at(s, i), memory_order_relaxed), n = (x & bits_mask(NUMBER_BITS)) - 1;
    if (x) seen[n / 64] |= (uint64_t)1 << n % 64;
  }
  if (take(s, old * 2)) {
    s->slots = old; /* what was taken beyond that does no harm */
    s->limit = old - old / 4;
    mem_free(s->mem, seen);
    return -1;
  }
  region_clear(&s->index);
  for (uint64_t n = 0; n < all; n++) {
    if (!(seen[n / 64] >> n % 64 & 1)) continue;
    uint64_t hash = hash_bytes(record_at(s, n), s->record), slot = hash_slot(hash, s->slots);
    while (atomic_load_explicit(entry_at(s, slot), memory_order_relaxed)) slot = slot + 1 == s->slots ? 0 : slot + 1;
    atomic_store_explicit(entry_at(s, slot), hash << NUMBER_BITS | (n + 1), memory_order_relaxed);
  }
  mem_free(s->mem, seen);
  return 0;
}
