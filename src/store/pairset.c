/* pairset.c -- a set of pairs: growing, and going through it. See pairset.h. */
#include "store/pairset.h"

#include <assert.h>

enum { FIRST_SLOTS = 1024, FIRST_OVERFLOW = 64, SLACK = 8, NARROW = 5 };

static uint64_t all_slots(const struct pairset *s) { return s->slots + s->overflow; }
static unsigned entry_for(const struct pairset *s, unsigned bits) {
  unsigned entry = (bits + 7) / 8;
  if (entry < s->entry_min) entry = s->entry_min;
  return entry < 2 ? 2 : entry;
}

/* Wide entries are packed tighter. */
static uint64_t limit_of(uint64_t slots, unsigned entry) { return entry <= NARROW ? slots - slots / 5 : slots - slots / 7; }

/* Moves everything into a table of this shape, which is no smaller in any respect. 0, or -1: refused, nothing changed. */
static int reshape(struct pairset *s, uint64_t slots, uint64_t overflow, unsigned low_bits, unsigned high_bits) {
  struct pairset old = *s;
  unsigned entry = entry_for(s, low_bits + high_bits);
  assert(slots >= s->slots && entry >= s->entry);
  /* An entry that has k others behind it stood at most at all_slots - 1 - k, so in a table r times as long its home is at most r
   * (home + 1) and the k others still fit into an overflow that is a little longer. */
  if (overflow < s->overflow + 4) overflow = s->overflow + 4;
  size_t bytes = (slots + overflow) * entry;
  if (region_resize(&s->table, bytes + SLACK)) return -1;
  uint8_t *base = s->table.base;
  /* to the end, the last one first */
  size_t read = bytes;
  for (uint64_t i = all_slots(&old); i-- > 0;) {
    uint64_t x;
    memcpy(&x, base + i * old.entry, 8);
    x &= bits_mask(old.entry * 8);
    if (!x) continue;
    read -= old.entry;
    pairset_store(base + read, x, old.entry);
  }
  /* and out again, the first one first */
  s->slots = slots;
  s->overflow = overflow;
  s->entry = entry;
  s->low_bits = low_bits;
  s->high_bits = high_bits;
  size_t written = 0;
  for (uint64_t next = 0; read < bytes; next++) {
    uint64_t x;
    memcpy(&x, base + read, 8);
    x &= bits_mask(old.entry * 8);
    read += old.entry;
    uint64_t pair = pairset_unpack(&old, x), home = hash_slot(pairset_hash(s, pair), slots);
    if (home > next) next = home;
    memset(base + written, 0, next * entry - written);
    x = pairset_pack(s, pair);
    pairset_store(base + next * entry, x, entry);
    written = (next + 1) * entry;
    assert(written <= read);
  }
  memset(base + written, 0, bytes + SLACK - written);
  s->limit = limit_of(slots, entry);
  return 0;
}

int pairset_grow(struct pairset *s) {
  unsigned parts = s->slots < (1 << 16) ? 1 : s->entry <= NARROW ? 3 : 5;
  for (; parts <= 32; parts *= 2)
    if (reshape(s, s->slots + s->slots / parts, s->overflow, s->low_bits, s->high_bits) == 0) return 0;
  uint64_t most = s->slots - s->slots / 64; /* the budget ends: fill what there is */
  if (s->limit < most) s->limit = most;
  return s->count < s->limit ? 0 : -1;
}

int pairset_widen(struct pairset *s, uint32_t low, uint32_t high) {
  unsigned low_bits = bits_for(low), high_bits = bits_for(high);
  if (low_bits < s->low_bits) low_bits = s->low_bits;
  if (high_bits < s->high_bits) high_bits = s->high_bits;
  /* what is left of the last byte goes to both */
  for (unsigned spare = entry_for(s, low_bits + high_bits) * 8 - low_bits - high_bits; spare; spare--) {
    if (low_bits < 32 && (low_bits <= high_bits || high_bits >= 32)) low_bits++;
    else if (high_bits < 32) high_bits++;
  }
  return reshape(s, s->slots, s->overflow, low_bits, high_bits);
}

int pairset_stretch(struct pairset *s) { return reshape(s, s->slots, s->overflow * 2, s->low_bits, s->high_bits); }

int pairset_previous(struct pairset *s, uint64_t *slot, uint64_t *pair, int consume) {
  enum { PIECE = 1 << 20 };
  uint64_t at = *slot;
  if (at == PAIRSET_END) {
    at = *slot = all_slots(s);
    *pair = 0;
    if (s->has_zero) return 1;
  }
  while (at-- > 0) {
    uint64_t x = pairset_load(s, at);
    if (!x) continue;
    if (consume && s->table.size > at * s->entry + SLACK + PIECE) region_resize(&s->table, at * s->entry + SLACK);
    *slot = at;
    *pair = pairset_unpack(s, x);
    return 1;
  }
  return 0;
}

int pairset_open(struct pairset *s, struct mem *mem, unsigned low_bits, unsigned high_bits, unsigned entry_min,
                 uint64_t hash_mask) {
  *s = (struct pairset){.low_bits = low_bits, .high_bits = high_bits, .entry_min = entry_min, .hash_mask = hash_mask};
  region_open(&s->table, mem, MEM_STORE);
  s->slots = FIRST_SLOTS;
  s->overflow = FIRST_OVERFLOW;
  s->entry = entry_for(s, low_bits + high_bits);
  s->limit = limit_of(s->slots, s->entry);
  return region_resize(&s->table, all_slots(s) * s->entry + SLACK);
}

void pairset_close(struct pairset *s) { region_close(&s->table); }

int pairset_reserve(struct pairset *s, uint64_t more) {
  while (s->count + more > s->limit)
    if (pairset_grow(s)) return -1;
  return 0;
}
