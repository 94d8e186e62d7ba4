/* nodeset.h -- 64-bit values with dense numbers: one table for the nodes of all trees.
 *
 *   nodes  | value 1 | value 2 | ...                8 bytes each, in order of arrival
 *   index  | tag: low hash bits | number |          4 bytes, open addressing, linear probing; 0 = free
 *
 * As in plain.c: the number takes as many bits as the present size needs, the tag the rest.  Numbers never change and begin
 * with 1.  A value costs 8 bytes and 5.3 to 8 of index (more while
 * there are less than 10^5: a small index with few collisions is worth it).
 *
 * Several threads may enter values at once, while room lasts that was made beforehand (nodeset_share).  Each has some numbers of its own: it writes the value under the next of them and
 * enters that into the index by one compare-and-swap; if somebody else was faster with the same value, the number is there for the next one.  Numbers that a thread has not used yet are gaps:
 * at most GAP for each thread, which it uses first the next time. */
#ifndef STORE_NODESET_H
#define STORE_NODESET_H

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"

#include <stdatomic.h>
#include <string.h>

struct nodeset_gap { /* numbers of one thread: next .. end - 1 */
  uint32_t next, end;
  char line[56]; /* the next one's is not on the same cache line */
};

struct nodeset {
  struct region nodes, index;
  uint32_t count; /* the largest number; while several enter values, what they have taken */
  struct nodeset_gap *gap;
  unsigned gaps;
  _Atomic uint32_t taken;
  uint32_t shared; /* numbers up to here may be taken */
  uint64_t room;         /* numbers that nodes has room for */
  uint64_t slots, limit; /* limit: nodes before the index should grow */
  uint64_t hash_mask;
  unsigned number_bits;
  uint32_t tag_mask;
};

int nodeset_open(struct nodeset *, struct mem *, uint64_t hash_mask); /* 0, or -1: no memory */
void nodeset_close(struct nodeset *);
int nodeset_grow(struct nodeset *); /* room for one more: 0, or -1: refused, nothing changed */
/* From now on `threads` may use nodeset_put_shared; room for about `more` values is made, or for as many as there is memory for. 0, or -1: no memory at all. */
int nodeset_share(struct nodeset *, unsigned threads, uint64_t more);
void nodeset_shared(struct nodeset *); /* they are done */
uint32_t nodeset_values(const struct nodeset *); /* how many there are */
uint32_t nodeset_take_numbers(struct nodeset *, struct nodeset_gap *); /* the first of some more, or 0: there are no more */

static inline uint64_t nodeset_hash(const struct nodeset *s, uint64_t value) { return hash_mix(value) & s->hash_mask; }
static inline uint32_t *nodeset_entry(const struct nodeset *s, uint64_t slot) { return (uint32_t *)(void *)s->index.base + slot; }
static inline uint64_t *nodeset_node(const struct nodeset *s, uint32_t number) {
  return (uint64_t *)(void *)s->nodes.base + number;
}
static inline uint64_t nodeset_value(const struct nodeset *s, uint32_t number) { return *nodeset_node(s, number); }

/* Others may enter values meanwhile: what an entry points to was written before it. */
static inline uint32_t nodeset_load(const struct nodeset *s, uint64_t slot) {
  return atomic_load_explicit((_Atomic uint32_t *)nodeset_entry(s, slot), memory_order_acquire);
}

static inline void nodeset_prefetch(const struct nodeset *s, uint64_t hash) {
  __builtin_prefetch(nodeset_entry(s, hash_slot(hash, s->slots)));
}

/* Goes to the first entry worth comparing and fetches its node. */
static inline void nodeset_approach(const struct nodeset *s, uint64_t hash) {
  uint64_t at = hash_slot(hash, s->slots);
  uint32_t tag = (uint32_t)hash & s->tag_mask, x;
  while ((x = nodeset_load(s, at))) {
    if (((uint64_t)x >> s->number_bits) == tag) {
      __builtin_prefetch(nodeset_node(s, x & (uint32_t)bits_mask(s->number_bits)));
      return;
    }
    if (++at == s->slots) at = 0;
  }
}

/* Its number, or 0 with *slot where it would be entered. */
static inline uint32_t nodeset_find(const struct nodeset *s, uint64_t value, uint64_t hash, uint64_t *slot) {
  uint64_t at = hash_slot(hash, s->slots);
  uint32_t tag = (uint32_t)hash & s->tag_mask, number_mask = (uint32_t)bits_mask(s->number_bits), x;
  while ((x = nodeset_load(s, at))) {
    if (((uint64_t)x >> s->number_bits) == tag && nodeset_value(s, x & number_mask) == value) return x & number_mask;
    if (++at == s->slots) at = 0;
  }
  *slot = at;
  return 0;
}

/* Its number, new or not; 0: no memory. */
static inline uint32_t nodeset_put(struct nodeset *s, uint64_t value, uint64_t hash) {
  uint64_t slot = 0;
  uint32_t number = nodeset_find(s, value, hash, &slot);
  if (number) return number;
  if (s->count >= s->limit || s->count + 1 >= s->room) {
    if (nodeset_grow(s)) return 0;
    nodeset_find(s, value, hash, &slot);
  }
  number = ++s->count;
  *nodeset_node(s, number) = value;
  *nodeset_entry(s, slot) = (uint32_t)(((uint64_t)((uint32_t)hash & s->tag_mask)) << s->number_bits) | number;
  return number;
}

/* The same by one of several threads. 0: no room is left. */
static inline uint32_t nodeset_put_shared(struct nodeset *s, unsigned thread, uint64_t value, uint64_t hash) {
  uint64_t slot = 0;
  uint32_t number = nodeset_find(s, value, hash, &slot);
  if (number) return number;
  struct nodeset_gap *gap = &s->gap[thread];
  if (gap->next == gap->end && !nodeset_take_numbers(s, gap)) return 0;
  *nodeset_node(s, gap->next) = value;
  uint32_t free_entry = 0, entry = (uint32_t)(((uint64_t)((uint32_t)hash & s->tag_mask)) << s->number_bits) | gap->next;
  while (!atomic_compare_exchange_strong_explicit((_Atomic uint32_t *)nodeset_entry(s, slot), &free_entry, entry, memory_order_acq_rel, memory_order_acquire)) {
    if ((number = nodeset_find(s, value, hash, &slot))) return number;
    free_entry = 0;
  }
  return gap->next++;
}

#endif
