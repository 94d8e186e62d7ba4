/* comback_table.h -- from hashes to the numbers of states, in as few bits as that takes.
 *
 * ComBack keeps no states, so a table cannot hash them again when it grows: what it knows of a hash it must keep.  It keeps its upper
 * T bits, most of them by place (Knuth's quotienting, as in quotient.h):
 *
 *   shard   by 6 of them; each is a table of its own, grown by an eighth at a time into a new block: little memory is needed twice
 *   bucket  64 bytes, one cache line; by the high half of (the other bits) * buckets, so that buckets need be no power of two
 *   entry   | distance from its own bucket: 2 bits | rest of the hash | number + 1 |        0 = free
 *
 * More buckets leave less of the rest, more states need longer numbers: an entry takes T + 6 bits however large the table is.  What T
 * bits cannot tell apart becomes a candidate that has to be found again to be compared, so T must grow with the number of
 * states, but those that are there keep what they have: later states go to a new generation with a larger T.  The first ends at 2^22 states,
 * the others are four times as large as all before; a question looks into each, newest first.
 *
 * In a full bucket the entry that has come furthest stays (Robin Hood hashing): first come, first served would need far longer distances.
 * Entries that cannot lie within 3 buckets from home (hashes made to collide) go to a small table of their own. */
#ifndef STORE_COMBACK_TABLE_H
#define STORE_COMBACK_TABLE_H

#include "store/block.h"

#include <stdint.h>
#include <string.h>

enum { COMBACK_SHARD_BITS = 6, COMBACK_SHARDS = 64, COMBACK_LINE = 64, COMBACK_FAR = 3, COMBACK_GENERATIONS = 12,
       COMBACK_LEAST_BITS = 25 /* T of the first generation */ };

struct comback_shard {
  uint8_t *line, *block; /* aligned; as allocated */
  uint32_t buckets, count, limit;
  uint8_t number_bits, rest_bits, entry, per;
};

struct comback_generation {
  uint64_t first; /* number of its first state */
  unsigned bits;  /* T */
  struct comback_shard shard[COMBACK_SHARDS];
};

struct comback_far {
  uint64_t hash, number; /* number + 1; 0 = free */
  uint64_t bits;         /* how many of the hash are known */
};

struct comback_table {
  struct blocks *blocks;
  unsigned fixed; /* hashes alone, of so many bits: one generation, and no numbers */
  struct comback_generation *generation[COMBACK_GENERATIONS];
  unsigned generations;
  struct comback_far *far;
  size_t far_count, far_room;
};

void comback_table_open(struct comback_table *, struct blocks *);
/* For hashes alone (hashcompact): `bits` of them, 16 to 56; every number is 0. */
void comback_table_open_fixed(struct comback_table *, struct blocks *, unsigned bits);
void comback_table_close(struct comback_table *);
/* Enters a state; numbers ascend. 0, or -1: no memory. */
int comback_table_add(struct comback_table *, uint64_t hash, uint64_t number);

/* ---- candidates ---------------------------------------------------------------------- */

struct comback_look {
  const struct comback_table *table;
  const struct comback_shard *shard;
  uint64_t hash, first, key;
  const uint8_t *line;
  unsigned generation, distance, slot;
  size_t far_at;
};

static inline size_t comback_far_home(uint64_t hash, size_t room) { return (hash >> 48) * 0x9e3779b97f4a7c15u % room; } /* bits that are always known */

static inline uint64_t comback_entry(const uint8_t *line, unsigned entry, unsigned slot) {
  unsigned at = slot * entry, byte = at / 8;
  if (byte > COMBACK_LINE - 8) byte = COMBACK_LINE - 8;
  uint64_t x;
  memcpy(&x, line + byte, 8);
  return x >> (at - byte * 8) & (((uint64_t)1 << entry) - 1);
}

/* The part of a hash that a shard of this generation tells apart, and its bucket and rest there. */
static inline uint64_t comback_inner(const struct comback_generation *g, uint64_t hash) {
  return hash << COMBACK_SHARD_BITS >> (64 - (g->bits - COMBACK_SHARD_BITS));
}
static inline uint64_t comback_home(const struct comback_generation *g, const struct comback_shard *s, uint64_t inner) {
  return (uint64_t)((unsigned __int128)inner * s->buckets >> (g->bits - COMBACK_SHARD_BITS));
}
static inline uint64_t comback_rest(const struct comback_generation *g, const struct comback_shard *s, uint64_t inner) {
  unsigned bits = g->bits - COMBACK_SHARD_BITS;
  return (inner * s->buckets & (((uint64_t)1 << bits) - 1)) >> (bits - s->rest_bits);
}

static inline void comback_enter_generation(struct comback_look *l) {
  const struct comback_generation *g = l->table->generation[l->generation - 1];
  uint64_t inner = comback_inner(g, l->hash);
  l->shard = &g->shard[l->hash >> (64 - COMBACK_SHARD_BITS)];
  l->first = g->first;
  l->distance = l->slot = 0;
  if (!l->shard->buckets) return;
  l->line = l->shard->line + comback_home(g, l->shard, inner) * COMBACK_LINE;
  l->key = comback_rest(g, l->shard, inner);
}

static inline void comback_prefetch(const struct comback_table *t, uint64_t hash) {
  for (unsigned i = 0; i < t->generations; i++) {
    const struct comback_generation *g = t->generation[i];
    const struct comback_shard *s = &g->shard[hash >> (64 - COMBACK_SHARD_BITS)];
    if (s->buckets) __builtin_prefetch(s->line + comback_home(g, s, comback_inner(g, hash)) * COMBACK_LINE);
  }
}

static inline struct comback_look comback_look(const struct comback_table *t, uint64_t hash) {
  struct comback_look l = {.table = t, .hash = hash, .generation = t->generations};
  if (t->far_count) l.far_at = comback_far_home(hash, t->far_room);
  if (l.generation) comback_enter_generation(&l);
  return l;
}

/* The next state that could have this hash: 1 and its number, or 0: no more. */
static inline int comback_next(struct comback_look *l, uint64_t *number) {
  while (l->generation) {
    const struct comback_shard *s = l->shard;
    while (s->buckets && l->distance <= COMBACK_FAR) {
      if (l->slot == s->per) {
        l->slot = 0;
        l->line += COMBACK_LINE;
        l->distance++;
        l->key += (uint64_t)1 << s->rest_bits;
        continue;
      }
      uint64_t x = comback_entry(l->line, s->entry, l->slot++);
      if (!x) break;
      if (x >> s->number_bits == l->key) {
        *number = l->first + (x & (((uint64_t)1 << s->number_bits) - 1)) - 1;
        return 1;
      }
    }
    if (--l->generation) comback_enter_generation(l);
  }
  if (!l->table->far_count) return 0;
  for (;;) {
    const struct comback_far *f = &l->table->far[l->far_at];
    if (!f->number) return 0;
    if (++l->far_at == l->table->far_room) l->far_at = 0;
    if ((f->hash ^ l->hash) >> (64 - f->bits)) continue;
    *number = f->number - 1;
    return 1;
  }
}

#endif
