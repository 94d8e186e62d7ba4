/* quotient.h -- an index of short states that needs no second look.
 *
 * For states of up to 31 bits the hash is a permutation of the b-bit numbers, so a state is known
 * when its hash is.  The home bucket tells about log2(buckets) bits of the hash; an entry keeps the
 * rest and the number of the state (Knuth's quotienting; Cleary):
 *
 *   entry  | distance from home: 4 bits | rest of the hash | number + 1 |      0 = free
 *   bucket | entry | entry | ...        64 bytes: one cache line, filled from the left
 *
 * Number and rest together take about b + 4 bits however large the table is, since more states mean
 * more buckets: 4 or 5 bytes per entry for states of up to 23 and 31 bits.  (6 bytes would do for 39 bits,
 * but then the lines fill unevenly and a state costs 16 bytes in all.)  A lookup touches
 * one cache line and never the record: half the memory traffic of comparing vectors, which is what a
 * lookup beyond the cache costs.
 *
 * With hash h (left-aligned, b bits) the home is the high half of h * buckets, and the low half, cut to
 * its upper bits, is the rest: values of h with one home differ by at least 2^(64-b), so their low
 * halves differ by at least buckets * 2^(64-b).  Buckets need not be a power of two.
 *
 * An entry that would lie more than 15 buckets from home makes the table grow; if that does not help
 * (states made to collide), the caller turns to its other index. */
#ifndef STORE_QUOTIENT_H
#define STORE_QUOTIENT_H

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

enum { QUOTIENT_BITS = 31, QUOTIENT_LINE = 64, QUOTIENT_FAR = 15 };

struct quotient {
  unsigned bits;       /* b */
  unsigned entry, per; /* bytes of an entry, entries of a bucket */
  unsigned number_bits, rest_bits;
  unsigned rest_shift;     /* of the low half of the product; 64 = no rest */
  uint64_t buckets, limit; /* limit: states before it should grow */
  uint64_t mask;
};

/* Decides widths for this many buckets. 0, or -1 if an entry does not fit. */
static inline int quotient_shape(struct quotient *q, unsigned bits, uint64_t buckets) {
  q->bits = bits;
  q->entry = bits <= 23 ? 4 : 5;
  q->per = QUOTIENT_LINE / q->entry;
  q->buckets = buckets;
  q->limit = buckets * q->per / 16 * 13;
  q->number_bits = bits_for(buckets * q->per + 1);
  unsigned known = bits_for(buckets) - 1; /* floor of the logarithm */
  q->rest_bits = bits > known ? bits - known : 0;
  q->rest_shift = 64 - q->rest_bits;
  q->mask = bits_mask(bits);
  return q->number_bits + q->rest_bits + 4 <= q->entry * 8 ? 0 : -1;
}

/* A permutation of the b-bit numbers, left-aligned in 64 bits. */
static inline uint64_t quotient_hash(const struct quotient *q, uint64_t state) {
  unsigned half = (q->bits + 1) / 2;
  uint64_t x = state;
  x ^= x >> half;
  x = x * 0xd6e8feb86659fd93u & q->mask;
  x ^= x >> half;
  x = x * 0x9e3779b97f4a7c15u & q->mask;
  x ^= x >> half;
  x = x * 0xd6e8feb86659fd93u & q->mask;
  x ^= x >> half;
  return x << (64 - q->bits);
}

static inline uint64_t quotient_home(const struct quotient *q, uint64_t hash) {
  return (uint64_t)((unsigned __int128)hash * q->buckets >> 64);
}

static inline uint64_t quotient_rest(const struct quotient *q, uint64_t hash) {
  return q->rest_bits ? hash * q->buckets >> q->rest_shift : 0;
}

static inline __attribute__((always_inline)) uint64_t quotient_load(const uint8_t *at, unsigned entry) {
  if (entry == 4) {
    uint32_t x;
    memcpy(&x, at, 4);
    return x;
  }
  uint64_t x;
  memcpy(&x, at, 8); /* the last entry of a line ends early enough */
  return x & bits_mask(entry * 8);
}

/* Where a state is, or where it would go. */
struct quotient_place {
  uint64_t number; /* UINT64_MAX: not there */
  uint8_t *at;     /* free entry; NULL: too far from home */
  uint64_t key;    /* upper part of an entry there */
};

static inline __attribute__((always_inline)) struct quotient_place quotient_look(const struct quotient *q, unsigned entry,
                                                                                 uint8_t *table, uint64_t hash) {
  uint64_t bucket = quotient_home(q, hash), key = quotient_rest(q, hash);
  for (unsigned far = 0; far <= QUOTIENT_FAR; far++) {
    uint8_t *at = table + bucket * QUOTIENT_LINE;
    for (unsigned j = 0; j < QUOTIENT_LINE / entry; j++, at += entry) {
      uint64_t x = quotient_load(at, entry);
      if (!x) return (struct quotient_place){UINT64_MAX, at, key};
      if (x >> q->number_bits == key) return (struct quotient_place){(x & bits_mask(q->number_bits)) - 1, NULL, 0};
    }
    key += (uint64_t)1 << q->rest_bits;
    if (++bucket == q->buckets) bucket = 0;
  }
  return (struct quotient_place){UINT64_MAX, NULL, 0};
}

static inline __attribute__((always_inline)) void quotient_enter(const struct quotient *q, unsigned entry,
                                                                 struct quotient_place p, uint64_t number) {
  uint64_t x = p.key << q->number_bits | (number + 1);
  memcpy(p.at, &x, entry);
}

#endif
