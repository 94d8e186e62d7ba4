/* pairs.h -- a set of pairs of dense ids in little more than the bits that a set needs.
 *
 * A pair (l, r) with l < L and r < R is one of L * R; n of them need at least log2(L * R / n) + 1.44 bits each.  Here they take about
 * three bits more, and one or two cache lines per question.
 *
 * A pair becomes a number by steps that can be undone:
 *
 *   r1 = r ^ r >> 7 ^ F(l)         F a fixed hash: so r1 is spread evenly however r is, if there are many l
 *   shard = low bits of r1, r2 = the others
 *   l1 = (l * A + H(r2)) mod left  left >= L: any number, not a power of two; A: about 0.618 * left, without a common divisor: older ids
 *                                  have more partners than younger ones, and must not stand together
 *   v = l1 * 2^b + r2              b = bits of r2
 *   quotient q: base(q) <= v < base(q + 1), base(q) = q * step / 2^16;  remainder v - base(q)
 *   home block q / 64, bucket q mod 64
 *
 * A shard is a row of blocks of 64 slots:
 *
 *   occupied  64 bits      bit j: some pair of the block has bucket j
 *   ends      64 bits      bit j: slot j is the last of its bucket
 *   slots     64 x width   remainder | is it away from home? | `extra` bits for the owner
 *
 * Pairs of one bucket stand together, buckets in order, without gaps: the highest end tells how full the block is.  Both words are read with
 * rank and select (as in the quotient filters of Pandey, Bender, Johnson, Patro, 2017).  A pair whose home is nearly full goes to the emptier one
 * of two blocks; the other one is (hash of bucket and remainder - home) mod blocks, so that home is known from there, too.  So
 * blocks are filled to 0.93 without moving anything outside of one block, and nothing is dropped: the set is exact, and can be told.
 *
 * All shards have the same shape and lie one after another in one region; to grow, or when ids need more bits, they are rewritten from the
 * last to the first into their new places, one shard unpacked at a time.  Splitting a shard in two is part of that: the new bit of
 * r1 becomes the lowest bit of the shard's place.
 *
 * A quotient filter with one choice and shifting over block boundaries was as small and half as fast. */
#ifndef STORE_PAIRS_H
#define STORE_PAIRS_H

#include "base/mem.h"

#include <stdint.h>

#define PAIRS_FREE UINT64_MAX /* no pair: ids are smaller */
struct crew;
struct pairs_spilled {
  uint64_t pair, owner;
};

struct pairs {
  struct region region;
  struct crew *crew; /* who helps to grow; NULL = nobody */
  uint64_t count, limit, capacity; /* pairs; pairs from which on it grows; pairs that were planned for */
  uint64_t left, right_most;       /* ids that have room: l < left, r < right_most */
  unsigned right_bits, low;        /* bits of r1; how many of them choose the shard */
  uint64_t shards;                 /* 2^low; 0 = nothing was ever entered */
  unsigned key_bits;               /* b */
  uint64_t times, back;            /* 2^64 * A / left, 2^64 * B / left with A * B = 1 (mod left), rounded up */
  unsigned width, extra;           /* bits of a remainder; bits for the owner */
  uint64_t step, inverse;          /* of the quotients, 16 bits behind the point; 2^80 / step */
  uint64_t blocks;                 /* of a shard */
  size_t shard_bytes;
  uint64_t hash_mask;
  uint64_t fresh;                  /* owner of pairs that are entered from now on */
  struct pairs_spill {        /* pairs that found no room near their place: few or none, unless somebody chose them with malice */
    struct pairs_spilled *at; /* open addressing; PAIRS_FREE = free */
    uint64_t count, room;
    uint64_t limit; /* from which on another shape is tried */
  } spill;
  int thinned;                            /* pairs were forgotten: some may be away from blocks that are roomy now */
  int fast;                               /* the processor counts bits */
  int broken;                             /* memory ended where there was no way back: pairs are missing, and nothing is answered any more */
};

void pairs_open(struct pairs *, struct mem *, unsigned extra, uint64_t hash_mask);
size_t pairs_bytes(const struct pairs *);
void pairs_close(struct pairs *);
/* Room for ids below `left` and `right` and for `more` pairs; returns how many of those can be had. */
uint64_t pairs_reserve(struct pairs *, uint64_t left, uint64_t right, uint64_t more);

/* A pair in one word: l in the high half. */
static inline uint64_t pairs_join(uint32_t l, uint32_t r) { return (uint64_t)l << 32 | r; }

/* Have its ids room? A pair whose have not is not there; none other may be asked about. */
static inline int pairs_fits(const struct pairs *p, uint64_t pair) { return pair >> 32 < p->left && (uint32_t)pair < p->right_most; }

enum { PAIRS_AHEAD = 64 };
/* For each of n (at most PAIRS_AHEAD) pairs: was it there? With `put` absent ones are entered; room must have been reserved.
   Returns n, or how many were answered before memory ended. */
size_t pairs_ask(struct pairs *, const uint64_t *pair, uint8_t *there, size_t n, int put);

/* Were they there? Nothing is written: by several threads at once, while nobody enters any. */
void pairs_have(const struct pairs *, const uint64_t *pair, uint8_t *there, size_t n);

/* Entering by several threads, each with the pairs of other owners: a pair belongs to one of them by its shard. Room has been reserved, and nothing else happens meanwhile. There: 0 = it was not and is now, 1 = it was,
   PAIRS_NO_ROOM = neither. The caller adds those that are new to `count` when all are done. */
enum { PAIRS_NO_ROOM = 2 };
unsigned pairs_owner_of(const struct pairs *, uint64_t pair, unsigned owners);
void pairs_ask_own(const struct pairs *, const uint64_t *pair, uint8_t *there, size_t n);

void pairs_forget(struct pairs *, uint64_t pair); /* one that is there */

/* Marks: two bits of the owner for each pair. 0 = none. */
int pairs_set_extra(struct pairs *, unsigned extra);           /* 0, or -1: no memory, nothing has changed */
void pairs_set_owner(struct pairs *, uint64_t pair, uint64_t owner); /* of a pair that is there */
uint64_t pairs_owner(const struct pairs *, uint64_t pair);
/* Pairs of one shard with this owner, which they lose; returns how many. A shard has at most pairs_shard_room; with less `room` some may be left. */
size_t pairs_collect(struct pairs *, uint64_t shard, uint64_t owner, uint64_t *out, size_t room);
static inline uint64_t pairs_shard_room(const struct pairs *p) { return p->blocks * 64 + p->spill.count; }

/* Tells all pairs; anything but 0 from hear ends it. `consume`: the set is taken apart on the way, memory is given back. */
int pairs_each(struct pairs *, int (*hear)(void *, uint64_t pair), void *context, int consume);

#endif
