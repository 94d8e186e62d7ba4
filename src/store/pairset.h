/* pairset.h -- a set of pairs of up to 32 bits each, in order of their hashes.
 *
 * Linear probing in which the entries stand sorted by hash (Amble and Knuth's ordered hash tables):
 *
 *   entry  | high: high_bits | low: low_bits |    2 to 8 bytes, as few as both need at present; 0 = free
 *   table  | home slots ...              | overflow | one free entry |
 *
 * The home of an entry is the high half of hash * slots, which is monotone in the hash: the whole table is sorted
 * whatever its size.  That has three uses:
 *
 *   - a pair that is not there is missed at the first entry with a larger hash, after as few looks as one that is there;
 *   - growing is one sequential pass: all entries move to the end of the larger table and are dealt out again from the left, in
 * place, without a second copy (what is written never overtakes what is read: the rest still has to fit behind it);
 *   - the hash does not depend on the widths, so making entries wider is the same pass.
 *
 * A new pair moves the rest of its cluster up by one entry: a dozen or two at the highest load.  The load stays between 0.6 and
 * 0.8 (wider than 5 bytes: 0.71 and 0.86), so a pair of 5 bytes costs 6.3 to 8.3 and one of 8 bytes 9.3 to 11.2; up to 0.9 cost a
 * byte less and a tenth of the run's time.
 *
 * The pair (0, 0) would look free and is kept as a flag. */
#ifndef STORE_PAIRSET_H
#define STORE_PAIRSET_H

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

struct pairset {
  struct region table;
  uint64_t slots, overflow;
  uint64_t count, limit; /* limit: entries before it should grow */
  uint64_t hash_mask;
  unsigned entry, entry_min; /* bytes */
  unsigned low_bits, high_bits;
  int has_zero;
};

/* 0, or -1: no memory. Widths are those of the first pairs; entry_min: tests want wider entries. */
int pairset_open(struct pairset *, struct mem *, unsigned low_bits, unsigned high_bits, unsigned entry_min, uint64_t hash_mask);
void pairset_close(struct pairset *);
/* Room for one more pair, for these two numbers, at this end of the table: 0, or -1: refused, nothing changed. */
int pairset_grow(struct pairset *);
int pairset_widen(struct pairset *, uint32_t low, uint32_t high);
int pairset_stretch(struct pairset *);
/* The pairs from the last to the first; *slot begins with PAIRSET_END. 1, or 0: there are no more. `consume` gives memory back.
 */
#define PAIRSET_END UINT64_MAX
int pairset_previous(struct pairset *, uint64_t *slot, uint64_t *pair, int consume);

/* A pair is high << 32 | low. */
static inline uint64_t pairset_hash(const struct pairset *s, uint64_t pair) { return hash_mix(pair) & s->hash_mask; }

static inline uint64_t pairset_load(const struct pairset *s, uint64_t slot) {
  uint64_t x;
  memcpy(&x, s->table.base + slot * s->entry, 8);
  return x & bits_mask(s->entry * 8);
}

/* An entry without a call: memcpy of a variable length is one. */
static inline void pairset_store(uint8_t *at, uint64_t x, unsigned entry) {
  uint64_t upper = entry >= 4 ? x >> (entry - 4) * 8 : x >> (entry - 2) * 8;
  if (entry >= 4) {
    memcpy(at, &x, 4);
    memcpy(at + entry - 4, &upper, 4);
  } else {
    memcpy(at, &x, 2);
    memcpy(at + entry - 2, &upper, 2);
  }
}

static inline uint64_t pairset_pack(const struct pairset *s, uint64_t pair) {
  return (pair & UINT32_MAX) | pair >> 32 << s->low_bits;
}

static inline uint64_t pairset_unpack(const struct pairset *s, uint64_t x) {
  return (x & bits_mask(s->low_bits)) | x >> s->low_bits << 32;
}

static inline int pairset_fits(const struct pairset *s, uint64_t pair) {
  return !((pair & UINT32_MAX) >> s->low_bits | pair >> 32 >> s->high_bits);
}

static inline void pairset_prefetch(const struct pairset *s, uint64_t hash) {
  const uint8_t *at = s->table.base + hash_slot(hash, s->slots) * s->entry;
  __builtin_prefetch(at);
  __builtin_prefetch(at + 40);
}

/* 1 with the slot of the pair, or 0 with the one where it belongs. The pair fits and is not 0. */
static inline int pairset_look(const struct pairset *s, uint64_t pair, uint64_t hash, uint64_t *slot) {
  uint64_t x = pairset_pack(s, pair), at = hash_slot(hash, s->slots), y;
  for (; (y = pairset_load(s, at)); at++) {
    if (y == x) {
      *slot = at;
      return 1;
    }
    if (pairset_hash(s, pairset_unpack(s, y)) > hash) break;
  }
  *slot = at;
  return 0;
}

static inline int pairset_has(const struct pairset *s, uint64_t pair, uint64_t hash) {
  uint64_t slot;
  if (!pair) return s->has_zero;
  return pairset_fits(s, pair) && pairset_look(s, pair, hash, &slot);
}

/* 1: new; 0: it is there; -1: no memory. */
static inline int pairset_put(struct pairset *s, uint64_t pair, uint64_t hash) {
  uint64_t slot, end;
  if (!pair) {
    int fresh = !s->has_zero;
    s->count += (unsigned)fresh;
    s->has_zero = 1;
    return fresh;
  }
  if (pairset_fits(s, pair) && pairset_look(s, pair, hash, &slot)) return 0;
  if (!pairset_fits(s, pair) || s->count >= s->limit) {
    if (!pairset_fits(s, pair) && pairset_widen(s, (uint32_t)pair, (uint32_t)(pair >> 32))) return -1;
    if (s->count >= s->limit && pairset_grow(s)) return -1;
    pairset_look(s, pair, hash, &slot);
  }
  for (;;) {
    for (end = slot; pairset_load(s, end); end++) {}
    if (end + 1 < s->slots + s->overflow) break; /* the last entry stays free */
    if (pairset_stretch(s)) return -1;
    pairset_look(s, pair, hash, &slot);
  }
  uint8_t *at = s->table.base + slot * s->entry;
  uint64_t x = pairset_pack(s, pair);
  memmove(at + s->entry, at, (end - slot) * s->entry);
  pairset_store(at, x, s->entry);
  s->count++;
  return 1;
}

/* ---- several threads ----
 * Each has a stretch of the table that nobody else reads or writes meanwhile, by the home of a pair; room has been made for all. 1: new, the caller counts it later; 0: it is there; -1: that cannot be told
 * without looking beyond the stretch. */
struct pairset_stretch {
  uint64_t from, end; /* slots */
};
int pairset_reserve(struct pairset *, uint64_t more); /* 0, or -1: refused */
enum { PAIRSET_GUARD = 8 }; /* entries at the end of a stretch that are left alone: some bytes beyond an entry are read with it */

static inline unsigned pairset_owner(uint64_t hash, unsigned owners) { return (unsigned)((unsigned __int128)hash * owners >> 64); }

static inline struct pairset_stretch pairset_stretch_of(const struct pairset *s, unsigned owner, unsigned owners) {
  /* the homes of all hashes with this owner */
  uint64_t first = (uint64_t)((((unsigned __int128)owner << 64) + owners - 1) / owners);
  struct pairset_stretch out = {.from = hash_slot(first, s->slots), .end = s->slots + s->overflow - 1};
  if (owner + 1 == owners) return out;
  first = (uint64_t)((((unsigned __int128)(owner + 1) << 64) + owners - 1) / owners);
  out.end = hash_slot(first, s->slots);
  return out;
}

static inline int pairset_put_own(const struct pairset *s, const struct pairset_stretch *own, uint64_t pair, uint64_t hash) {
  uint64_t x = pairset_pack(s, pair), at = hash_slot(hash, s->slots), stop = own->end < PAIRSET_GUARD ? 0 : own->end - PAIRSET_GUARD, y;
  if (!pair || !pairset_fits(s, pair) || at < own->from + PAIRSET_GUARD) return -1;
  for (;; at++) {
    if (at >= stop) return -1;
    if (!(y = pairset_load(s, at))) break;
    if (y == x) return 0;
    if (pairset_hash(s, pairset_unpack(s, y)) > hash) break;
  }
  uint64_t end = at;
  while (end < stop && pairset_load(s, end)) end++;
  if (end >= stop) return -1;
  uint8_t *place = s->table.base + at * s->entry;
  memmove(place + s->entry, place, (end - at) * s->entry);
  pairset_store(place, x, s->entry);
  return 1;
}

#endif
