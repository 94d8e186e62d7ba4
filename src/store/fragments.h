/* fragments.h -- from hashes to the numbers of states, in as few bits as that takes.
 *
 * Where states are not kept, or dear to make (comback, delta), a table cannot hash them again when it grows: what it knows of a hash it must keep.  It
 * keeps the upper T bits, most of them by place (Knuth's quotienting, as in quotient.h):
 *
 *   shard   by 6 of them; each is a table of its own, grown by a fifth to an eighth at a time into a new block: little memory is needed twice
 *   bucket  64 bytes, one cache line; by the high half of (the other bits) * buckets, so that buckets need be no power of two
 *   entry   | distance from its own bucket: 2 bits | rest of the hash | number + 1 |        0 = free
 *           its upper 8 bits stand apart, one byte for each entry at the front of the line: sixteen of them are compared at once
 *
 * More buckets leave less of the rest, more states need longer numbers: an entry takes about T + 7 bits however large the table is.  What T
 * bits cannot tell apart becomes a candidate that has to be compared, so T must grow with the number of
 * states, but those that are there keep what they have: later states go to a new generation with a larger T.  The first ends at 2^21 states,
 * the others are four times as large as all before; a question looks into each, newest first.
 *
 * In a full bucket the entry that has come furthest stays (Robin Hood hashing): first come, first served would need far longer distances.
 * Entries that cannot lie within 3 buckets from home (hashes made to collide) go to a small table of their own. */
#ifndef STORE_FRAGMENTS_H
#define STORE_FRAGMENTS_H

#include "store/block.h"

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { FRAGMENTS_SHARD_BITS = 6, FRAGMENTS_SHARDS = 64, FRAGMENTS_LINE = 64, FRAGMENTS_FAR = 3, FRAGMENTS_GENERATIONS = 12,
       FRAGMENTS_LEAST_BITS = 25 /* T of the first generation */ };

struct fragments_shard {
  uint8_t *line, *block; /* aligned; as allocated */
  uint32_t buckets, count, limit;
  uint8_t number_bits, rest_bits, entry, per;
  uint8_t low, tag_mask; /* bits of an entry behind its tag; those of the tag that belong to distance and rest */
  double reciprocal;     /* of the buckets */
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
  unsigned whole; /* bits of a hash that are kept of every state, where all are needed; 0 = as said above. Set while the table is empty */
  unsigned more;  /* bits of a hash beyond T, of every state; likewise */
  unsigned blur;  /* bits of a number that are not kept: candidates are so many numbers, one after the other, of which one was entered; likewise */
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
  uint32_t hits; /* slots of this line that are still to be looked at */
  unsigned generation, distance;
  size_t far_at;
};

static inline size_t fragments_far_home(uint64_t hash, size_t room) { return (hash >> 48) * 0x9e3779b97f4a7c15u % room; } /* bits that are always known */

static inline uint64_t fragments_entry(const struct fragments_shard *s, const uint8_t *line, unsigned slot) {
  unsigned at = s->per * 8u + slot * s->low, byte = at / 8;
  if (byte > FRAGMENTS_LINE - 8) byte = FRAGMENTS_LINE - 8;
  uint64_t x;
  memcpy(&x, line + byte, 8);
  return (x >> (at - byte * 8) & (((uint64_t)1 << s->low) - 1)) | (uint64_t)line[slot] << s->low;
}

/* The slots of a line whose tag, as far as the mask goes, is this one. At most 32 slots. */
static inline uint32_t fragments_tags(const struct fragments_shard *s, const uint8_t *line, unsigned tag, unsigned mask) {
  uint32_t hits = 0;
#if defined(__SSE2__)
  __m128i want = _mm_set1_epi8((char)tag), cut = _mm_set1_epi8((char)mask);
  const __m128i *in = (const __m128i *)(const void *)line;
  hits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(_mm_load_si128(in), cut), want));
  if (s->per > 16) hits |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(_mm_load_si128(in + 1), cut), want)) << 16;
#else
  for (unsigned slot = 0; slot < s->per; slot++) hits |= (uint32_t)((line[slot] & mask) == tag) << slot;
#endif
  return hits & (uint32_t)(((uint64_t)1 << s->per) - 1);
}

/* Lines are filled from the left. */
static inline int fragments_full(const struct fragments_shard *s, const uint8_t *line) { return fragments_entry(s, line, s->per - 1u) != 0; }

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

static inline void fragments_enter_line(struct fragments_look *l) {
  const struct fragments_shard *s = l->shard;
  l->hits = fragments_tags(s, l->line, (unsigned)(l->key << s->number_bits >> s->low) & s->tag_mask, s->tag_mask);
}

static inline void fragments_enter_generation(struct fragments_look *l) {
  const struct fragments_generation *g = l->table->generation[l->generation - 1];
  uint64_t inner = fragments_inner(g, l->hash);
  l->shard = &g->shard[l->hash >> (64 - FRAGMENTS_SHARD_BITS)];
  l->first = g->first;
  l->hits = l->distance = 0;
  if (!l->shard->buckets) return;
  l->line = l->shard->line + fragments_home(g, l->shard, inner) * FRAGMENTS_LINE;
  l->key = fragments_rest(g, l->shard, inner);
  fragments_enter_line(l);
}

/* To the next line, if what is sought can lie there: only if this one is full of entries that have come no less far than it would have, since
   otherwise it would have taken the place of one. */
static inline int fragments_next_line(struct fragments_look *l) {
  const struct fragments_shard *s = l->shard;
  if (!s->buckets || l->distance == FRAGMENTS_FAR || !fragments_full(s, l->line)) return 0;
  for (unsigned d = 0; d < l->distance; d++)
    if (fragments_tags(s, l->line, d << 6, 3 << 6)) return 0;
  l->line += FRAGMENTS_LINE;
  l->distance++;
  l->key += (uint64_t)1 << s->rest_bits;
  fragments_enter_line(l);
  return 1;
}

/* Inlined before anything else: gcc takes a function that does nothing but prefetch for one without effect, and drops the calls. */
static inline __attribute__((always_inline)) void fragments_prefetch(const struct fragments *t, uint64_t hash) {
  for (unsigned i = 0; i < t->generations; i++) {
    const struct fragments_generation *g = t->generation[i];
    const struct fragments_shard *s = &g->shard[hash >> (64 - FRAGMENTS_SHARD_BITS)];
    if (!s->buckets) continue;
    const uint8_t *line = s->line + fragments_home(g, s, fragments_inner(g, hash)) * FRAGMENTS_LINE;
    __builtin_prefetch(line);
    __builtin_prefetch(line + FRAGMENTS_LINE); /* every other time something lies there */
  }
}

static inline struct fragments_look fragments_look(const struct fragments *t, uint64_t hash) {
  struct fragments_look l = {.table = t, .hash = hash, .generation = t->generations};
  if (t->far_count) l.far_at = fragments_far_home(hash, t->far_room);
  if (l.generation) fragments_enter_generation(&l);
  return l;
}

/* The next state that could have this hash: 1 and its number (or the first of those that it could be), or 0: no more. */
static inline int fragments_next(struct fragments_look *l, uint64_t *number) {
  while (l->generation) {
    const struct fragments_shard *s = l->shard;
    do
      while (l->hits) {
        uint64_t x = fragments_entry(s, l->line, (unsigned)__builtin_ctz(l->hits)), n = x & (((uint64_t)1 << s->number_bits) - 1);
        l->hits &= l->hits - 1;
        if (!n || x >> s->number_bits != l->key) continue;
        *number = l->first + ((n - 1) << l->table->blur);
        return 1;
      }
    while (fragments_next_line(l));
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
