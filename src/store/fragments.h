/* fragments.h -- from hashes to the numbers of states, in as few bits as that takes.
 *
 * Where states are not kept, or dear to make (comback, delta), a table cannot hash them again when it grows: what it knows of a hash it must keep.  It
 * keeps the upper T bits, most of them by place (Knuth's quotienting, as in quotient.h):
 *
 *   shard   by 6 of them; each is a table of its own, grown by a fourteenth at a time into a new block: little memory is needed twice
 *   bucket  64 bytes, one cache line; by the high half of (the other bits) * buckets, so that buckets need be no power of two
 *   entry   | distance from its own bucket: 2 bits | rest of the hash | number + 1 |        0 = free
 *
 * More buckets leave less of the rest, more states need longer numbers: an entry takes about T + 7 bits however large the table is.  What T
 * bits cannot tell apart becomes a candidate that has to be compared, so T must grow with the number of
 * states, but those that are there keep what they have: later states go to a new generation with a larger T.  The first ends at 2^22 states,
 * the others are four times as large as all before; a question looks into each, newest first.
 *
 * In a full bucket the entry that has come furthest stays (Robin Hood hashing): first come, first served would need far longer distances.
 * Entries that cannot lie within 3 buckets from home (hashes made to collide) go to a small table of their own. */
#ifndef STORE_FRAGMENTS_H
#define STORE_FRAGMENTS_H

#include "store/block.h"

#include <stdint.h>
#include <string.h>

enum { FRAGMENTS_SHARD_BITS = 6, FRAGMENTS_SHARDS = 64, FRAGMENTS_LINE = 64, FRAGMENTS_FAR = 3, FRAGMENTS_GENERATIONS = 12,
       FRAGMENTS_LEAST_BITS = 25 /* T of the first generation */ };

struct fragments_shard {
  uint8_t *line, *block; /* aligned; as allocated */
  uint32_t buckets, count, limit;
  uint8_t number_bits, rest_bits, entry, per;
};

struct fragments_generation {
  uint64_t first; /* number of its first state */
  unsigned bits;  /* T */
  struct fragments_shard shard[FRAGMENTS_SHARDS];
};

struct fragments_far {
  uint64_t hash, number; /* number + 1; 0 = free */
  uint64_t bits;         /* how many of the hash are known */
};

struct fragments {
  struct blocks *blocks;
  unsigned fixed; /* hashes alone, of so many bits: one generation, and no numbers */
  struct fragments_generation *generation[FRAGMENTS_GENERATIONS];
  unsigned generations;
  uint64_t grown; /* shards, so many times */
  struct fragments_far *far;
  size_t far_count, far_room;
};

void fragments_open(struct fragments *, struct blocks *);
/* For hashes alone (hashcompact): `bits` of them, 16 to 56; every number is 0. */
void fragments_open_fixed(struct fragments *, struct blocks *, unsigned bits);
void fragments_close(struct fragments *);
/* Enters a state; numbers ascend. 0, or -1: no memory. */
int fragments_add(struct fragments *, uint64_t hash, uint64_t number);

/* ---- candidates ---------------------------------------------------------------------- */

struct fragments_look {
  const struct fragments *table;
  const struct fragments_shard *shard;
  uint64_t hash, first, key;
  const uint8_t *line;
  unsigned generation, distance, slot;
  size_t far_at;
};

static inline size_t fragments_far_home(uint64_t hash, size_t room) { return (hash >> 48) * 0x9e3779b97f4a7c15u % room; } /* bits that are always known */

static inline uint64_t fragments_entry(const uint8_t *line, unsigned entry, unsigned slot) {
  unsigned at = slot * entry, byte = at / 8;
  if (byte > FRAGMENTS_LINE - 8) byte = FRAGMENTS_LINE - 8;
  uint64_t x;
  memcpy(&x, line + byte, 8);
  return x >> (at - byte * 8) & (((uint64_t)1 << entry) - 1);
}

/* The part of a hash that a shard of this generation tells apart, and its bucket and rest there. */
static inline uint64_t fragments_inner(const struct fragments_generation *g, uint64_t hash) {
  return hash << FRAGMENTS_SHARD_BITS >> (64 - (g->bits - FRAGMENTS_SHARD_BITS));
}
static inline uint64_t fragments_home(const struct fragments_generation *g, const struct fragments_shard *s, uint64_t inner) {
  return (uint64_t)((unsigned __int128)inner * s->buckets >> (g->bits - FRAGMENTS_SHARD_BITS));
}
static inline uint64_t fragments_rest(const struct fragments_generation *g, const struct fragments_shard *s, uint64_t inner) {
  unsigned bits = g->bits - FRAGMENTS_SHARD_BITS;
  return (inner * s->buckets & (((uint64_t)1 << bits) - 1)) >> (bits - s->rest_bits);
}

static inline void fragments_enter_generation(struct fragments_look *l) {
  const struct fragments_generation *g = l->table->generation[l->generation - 1];
  uint64_t inner = fragments_inner(g, l->hash);
  l->shard = &g->shard[l->hash >> (64 - FRAGMENTS_SHARD_BITS)];
  l->first = g->first;
  l->distance = l->slot = 0;
  if (!l->shard->buckets) return;
  l->line = l->shard->line + fragments_home(g, l->shard, inner) * FRAGMENTS_LINE;
  l->key = fragments_rest(g, l->shard, inner);
}

static inline void fragments_prefetch(const struct fragments *t, uint64_t hash) {
  for (unsigned i = 0; i < t->generations; i++) {
    const struct fragments_generation *g = t->generation[i];
    const struct fragments_shard *s = &g->shard[hash >> (64 - FRAGMENTS_SHARD_BITS)];
    if (s->buckets) __builtin_prefetch(s->line + fragments_home(g, s, fragments_inner(g, hash)) * FRAGMENTS_LINE);
  }
}

static inline struct fragments_look fragments_look(const struct fragments *t, uint64_t hash) {
  struct fragments_look l = {.table = t, .hash = hash, .generation = t->generations};
  if (t->far_count) l.far_at = fragments_far_home(hash, t->far_room);
  if (l.generation) fragments_enter_generation(&l);
  return l;
}

/* The next state that could have this hash: 1 and its number, or 0: no more. */
static inline int fragments_next(struct fragments_look *l, uint64_t *number) {
  while (l->generation) {
    const struct fragments_shard *s = l->shard;
    while (s->buckets && l->distance <= FRAGMENTS_FAR) {
      if (l->slot == s->per) {
        l->slot = 0;
        l->line += FRAGMENTS_LINE;
        l->distance++;
        l->key += (uint64_t)1 << s->rest_bits;
        continue;
      }
      uint64_t x = fragments_entry(l->line, s->entry, l->slot++);
      if (!x) break;
      if (x >> s->number_bits == l->key) {
        *number = l->first + (x & (((uint64_t)1 << s->number_bits) - 1)) - 1;
        return 1;
      }
    }
    if (--l->generation) fragments_enter_generation(l);
  }
  if (!l->table->far_count) return 0;
  for (;;) {
    const struct fragments_far *f = &l->table->far[l->far_at];
    if (!f->number) return 0;
    if (++l->far_at == l->table->far_room) l->far_at = 0;
    if ((f->hash ^ l->hash) >> (64 - f->bits)) continue;
    *number = f->number - 1;
    return 1;
  }
}

#endif
