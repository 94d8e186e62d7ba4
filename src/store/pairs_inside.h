/* pairs_inside.h -- what pairs.c and pairs_shape.c share: where a pair belongs, and what a block can do.
 *
 * Everything that counts bits is in functions that are always inlined into two callers: one for any processor, one
 * for those that count and scatter bits in one instruction (popcnt, pdep; on the first Zen processors pdep is slow). */
#ifndef STORE_PAIRS_INSIDE_H
#define STORE_PAIRS_INSIDE_H

#include "store/pairs.h"

#include "base/bits.h"
#include "base/hash.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FAST __attribute__((target("popcnt,bmi,bmi2")))
#else
#define FAST
#endif

enum { BLOCK = 64, ROOMY = 44, POINT = 16 }; /* up to ROOMY pairs a block takes all that belong there */

/* The n lowest bits, n < 64. */
INLINE uint64_t low_mask(unsigned n) { return ((uint64_t)1 << n) - 1; }
/* Bits 0 .. n, n < 64. */
INLINE uint64_t up_to(unsigned n) { return ((uint64_t)2 << n) - 1; }

/* ---- from pairs to quotients and back ---------------------------------------------------------------------------------- */

struct where {
  uint64_t *shard, *home;            /* its shard and its block there */
  uint64_t number, block, remainder; /* their numbers */
  unsigned bucket;
};

INLINE uint32_t spread_right(const struct pairs *p, uint32_t l) {
  return (uint32_t)((l + (uint64_t)1) * 0x9e3779b97f4a7c15u >> 32 & p->hash_mask);
}

INLINE uint64_t spread_left(const struct pairs *p, uint64_t r2) {
  return hash_slot((r2 + 1) * 0xd6e8feb86659fd93u & p->hash_mask, p->left);
}

/* x * A mod left for x < left < 2^32, where `times` is 2^64 * A / left rounded up: the low half of the product is the fraction of x * A / left,
   too large by less than 1 / left (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019). */
INLINE uint64_t multiply_mod(const struct pairs *p, uint64_t x, uint64_t times) { return hash_slot(x * times, p->left); }

/* Even steps between ids are broken up; what is small stays small. */
INLINE uint32_t fold(uint32_t r) { return r ^ r >> 7; }
INLINE uint32_t unfold(uint32_t r) { return r ^ r >> 7 ^ r >> 14 ^ r >> 21 ^ r >> 28; }

INLINE uint64_t reverse_bits(uint64_t x, unsigned n) {
  if (!n) return 0;
  x = (x & 0x5555555555555555u) << 1 | (x >> 1 & 0x5555555555555555u);
  x = (x & 0x3333333333333333u) << 2 | (x >> 2 & 0x3333333333333333u);
  x = (x & 0x0f0f0f0f0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0fu);
  return __builtin_bswap64(x) >> (64 - n);
}

INLINE uint64_t base_of(const struct pairs *p, uint64_t q) { return (uint64_t)((unsigned __int128)q * p->step >> POINT); }

/* The shard of r1: its low bits in reverse, so that one more of them splits each shard into two neighbours. */
INLINE uint64_t shard_of(const struct pairs *p, uint64_t r1) { return reverse_bits(r1 & low_mask(p->low), p->low); }

INLINE size_t block_words(const struct pairs *p) { return 3 + p->width + p->extra; }

/* From a block to the other one that a pair may be in, and back. */
INLINE uint64_t other_block(const struct pairs *p, uint64_t block, uint64_t remainder, unsigned bucket) {
  uint64_t h = hash_slot((remainder << 6 | bucket) * 0xff51afd7ed558ccdu + 0x9e3779b97f4a7c15u, p->blocks);
  return h >= block ? h - block : h + p->blocks - block;
}

INLINE struct where locate(const struct pairs *p, uint64_t pair) {
  uint32_t l = (uint32_t)(pair >> 32), r = (uint32_t)pair;
  uint64_t r1 = (fold(r) ^ spread_right(p, l)) & low_mask(p->right_bits), r2 = r1 >> p->low, l1 = multiply_mod(p, l, p->times) + spread_left(p, r2);
  if (l1 >= p->left) l1 -= p->left;
  uint64_t v = l1 << p->key_bits | r2;
  uint64_t q = (uint64_t)((unsigned __int128)v * p->inverse >> 64); /* at most two too small */
  while (base_of(p, q + 1) <= v) q++;
  struct where w = {.remainder = v - base_of(p, q), .bucket = (unsigned)(q % BLOCK)};
  w.block = q / BLOCK;
  w.number = shard_of(p, r1);
  w.shard = (uint64_t *)(void *)(p->region.base + w.number * p->shard_bytes);
  w.home = w.shard + w.block * block_words(p);
  return w;
}

/* The block where it is if it is not at home. */
INLINE uint64_t *away(const struct pairs *p, const struct where *w) {
  return w->shard + other_block(p, w->block, w->remainder, w->bucket) * block_words(p);
}

INLINE uint64_t pair_at(const struct pairs *p, uint64_t shard, uint64_t block, unsigned bucket, uint64_t slot) {
  uint64_t remainder = slot & low_mask(p->width), home = slot >> p->width & 1 ? other_block(p, block, remainder, bucket) : block;
  uint64_t v = base_of(p, home * BLOCK + bucket) + remainder, r2 = v & low_mask(p->key_bits), l1 = v >> p->key_bits;
  uint64_t shift = spread_left(p, r2), l = multiply_mod(p, l1 >= shift ? l1 - shift : l1 + p->left - shift, p->back);
  uint64_t r1 = r2 << p->low | reverse_bits(shard, p->low);
  return pairs_join((uint32_t)l, unfold((uint32_t)((r1 ^ spread_right(p, (uint32_t)l)) & low_mask(p->right_bits))));
}

/* ---- a block ------------------------------------------------------------------------------------------------------------- */

INLINE unsigned fill_of(const uint64_t *block) { return block[1] ? 64 - (unsigned)__builtin_clzll(block[1]) : 0; }

/* Slots are at most 57 bits wide (set_shape), so that one load of 8 bytes has all of them. */
INLINE uint64_t slot_value(const uint64_t *block, unsigned width, unsigned slot, uint64_t mask) {
  unsigned at = slot * width;
  uint64_t x;
  memcpy(&x, (const uint8_t *)(block + 2) + at / 8, 8);
  return x >> at % 8 & mask;
}

INLINE void set_slot(uint64_t *block, unsigned width, unsigned slot, uint64_t value) {
  unsigned at = slot * width;
  uint8_t *place = (uint8_t *)(block + 2) + at / 8;
  uint64_t x;
  memcpy(&x, place, 8);
  x = (x & ~(low_mask(width) << at % 8)) | value << at % 8;
  memcpy(place, &x, 8);
}

/* Place of the k-th set bit (k from 1; there are that many): by the instruction that scatters bits, or by sums over bytes, then within
   one byte. */
INLINE unsigned select_bit(uint64_t x, unsigned k, int fast) {
  if (fast) return (unsigned)__builtin_ctzll(bits_scatter((uint64_t)1 << (k - 1), x));
  if (k > 4) {
    uint64_t s = x - (x >> 1 & 0x5555555555555555u);
    s = (s & 0x3333333333333333u) + (s >> 2 & 0x3333333333333333u);
    s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u; /* byte i: set bits in bytes 0..i */
    uint64_t less = (((k - 1) * 0x0101010101010101u | 0x8080808080808080u) - s) & 0x8080808080808080u; /* bytes with s < k */
    unsigned byte = (unsigned)__builtin_ctzll(~(less >> 7) & 0x0101010101010101u);
    k -= byte ? (unsigned)(s >> (byte - 8) & 255) : 0;
    x &= ~(uint64_t)0 << byte;
  }
  while (--k) x &= x - 1;
  return (unsigned)__builtin_ctzll(x);
}

/* The slot of a value in the block's bucket, or -1. */
INLINE int slot_of(const uint64_t *block, unsigned width, unsigned bucket, uint64_t value, uint64_t mask, int fast) {
  if (!(block[0] >> bucket & 1)) return -1;
  uint64_t ends = block[1];
  unsigned k = (unsigned)__builtin_popcountll(block[0] & up_to(bucket));
  for (unsigned i = select_bit(ends, k, fast);; i--) { /* its run, backwards */
    if (slot_value(block, width, i, mask) == value) return (int)i;
    if (!i || ends >> (i - 1) & 1) return -1;
  }
}

/* Slots `from` .. `to`-1 move up by one. */
INLINE void move_up(uint64_t *words, unsigned width, unsigned from, unsigned to) {
  unsigned low = from * width, high = (to + 1) * width; /* bits low .. high-1 change */
  if (from >= to) return;
  unsigned first = low / 64, last = (high - 1) / 64;
  uint64_t keep_low = low_mask(low % 64), keep_high = high % 64 ? ~(uint64_t)0 << high % 64 : 0;
  uint64_t old_first = words[first], old_last = words[last];
  for (unsigned i = last; i > first; i--) words[i] = words[i] << width | words[i - 1] >> (64 - width);
  words[first] = (old_first & ~keep_low) << width | (old_first & keep_low);
  words[last] = (words[last] & ~keep_high) | (old_last & keep_high);
}

/* Slots `from`+1 .. `to`-1 move down by one. */
INLINE void move_down(uint64_t *block, unsigned width, unsigned from, unsigned to) {
  for (unsigned i = from; i + 1 < to; i++) set_slot(block, width, i, slot_value(block, width, i + 1, low_mask(width)));
}

/* Enters a value that is not there; the block has room. */
INLINE void enter(uint64_t *block, unsigned width, unsigned bucket, uint64_t value, int fast) {
  uint64_t ends = block[1], bit = (uint64_t)1 << bucket;
  unsigned k = (unsigned)__builtin_popcountll(block[0] & up_to(bucket)), at = k ? select_bit(ends, k, fast) + 1 : 0;
  move_up(block + 2, width, at, fill_of(block));
  set_slot(block, width, at, value);
  ends = (ends & low_mask(at)) | (ends & ~low_mask(at)) << 1 | (uint64_t)1 << at;
  if (block[0] & bit) ends &= ~((uint64_t)1 << (at - 1)); /* the run has a new end */
  block[0] |= bit;
  block[1] = ends;
}

/* Enters a pair that is in neither of its blocks. 0, or -1: there is no room in either. */
INLINE int enter_new(const struct pairs *p, const struct where *w, uint64_t owner, int fast) {
  unsigned fill = fill_of(w->home);
  uint64_t *block = w->home;
  int go = 0;
  if (fill > ROOMY) {
    uint64_t *other = away(p, w);
    go = fill_of(other) < fill;
    if (go) block = other;
    else if (fill == BLOCK) return -1;
  }
  enter(block, p->width + 1 + p->extra, w->bucket, w->remainder | (uint64_t)go << p->width | owner << (p->width + 1), fast);
  return 0;
}

/* 1: it is there; 0: it is not; with put it is entered; -1: there is no room in either block. */
INLINE int ask_one(const struct pairs *p, const struct where *w, int put, uint64_t owner, int fast) {
  unsigned width = p->width + 1 + p->extra;
  uint64_t mask = low_mask(p->width + 1);
  if (slot_of(w->home, width, w->bucket, w->remainder, mask, fast) >= 0) return 1;
  /* nobody was ever sent away from a block that is roomy now, unless it was thinned */
  if ((fill_of(w->home) > ROOMY || p->thinned) && slot_of(away(p, w), width, w->bucket, w->remainder | (uint64_t)1 << p->width, mask, fast) >= 0) return 1;
  return put ? enter_new(p, w, owner, fast) : 0;
}

/* ---- all of a shard ---------------------------------------------------------------------------------------------------- */

/* Goes through the slots in use of a shard: what is in them, and which pair that is. */
typedef void visit_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair);
INLINE void visit(const struct pairs *p, uint64_t shard, visit_slot *hear, void *context) {
  uint64_t *block = (uint64_t *)(void *)(p->region.base + shard * p->shard_bytes);
  unsigned width = p->width + 1 + p->extra;
  for (uint64_t k = 0; k < p->blocks; k++, block += block_words(p)) {
    unsigned slot = 0;
    for (uint64_t set = block[0]; set; set &= set - 1)
      for (int more = 1; more; slot++) {
        uint64_t x = slot_value(block, width, slot, low_mask(width));
        more = !(block[1] >> slot & 1);
        hear(context, p, block, slot, x, pair_at(p, shard, k, (unsigned)__builtin_ctzll(set), x));
      }
  }
}

INLINE void unpack_slot(void *context, const struct pairs *p, uint64_t *block, unsigned slot, uint64_t value, uint64_t pair) {
  struct pairs_spilled **out = context;
  (void)block, (void)slot;
  *(*out)++ = (struct pairs_spilled){pair, value >> (p->width + 1)};
}

/* All pairs of a shard; returns how many. */
INLINE size_t unpack(const struct pairs *p, uint64_t number, struct pairs_spilled *out) {
  struct pairs_spilled *next = out;
  visit(p, number, unpack_slot, &next);
  return (size_t)(next - out);
}

/* Pairs of a shard, at most. */
INLINE uint64_t shard_most(const struct pairs *p) { return p->blocks * BLOCK < p->count ? p->blocks * BLOCK : p->count + 1; }

/* Room to unpack any shard. */
INLINE struct pairs_spilled *open_list(const struct pairs *p) {
  return mem_alloc(p->region.mem, p->region.tag, shard_most(p) * sizeof(struct pairs_spilled));
}

/* ---- pairs without a place (pairs.c) ----------------------------------------------------------------------------------- */

int pairs_spill_grow(struct pairs *, uint64_t room);                /* 0 or -1 */
int pairs_spill_put(struct pairs *, uint64_t pair, uint64_t owner); /* 0 or -1; by several threads at once */

#endif
