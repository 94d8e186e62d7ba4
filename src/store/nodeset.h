/* nodeset.h -- 64-bit values with dense numbers: one table for the nodes of all trees.
 *
 *   nodes  | value 1 | value 2 | ...                8 bytes each, in order of arrival
 *   index  | tag: low hash bits | number |          4 bytes, open addressing, linear probing; 0 = free
 *
 * As in plain.c: the number takes as many bits as the present size needs, the tag the rest.  Numbers never change and begin
 * with 1.  A value costs 8 bytes and 5.3 to 8 of index (more while
 * there are less than 10^5: a small index with few collisions is worth it). */
#ifndef STORE_NODESET_H
#define STORE_NODESET_H

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"

#include <string.h>

struct nodeset {
  struct region nodes, index;
  uint32_t count;
  uint64_t room;         /* numbers that nodes has room for */
  uint64_t slots, limit; /* limit: nodes before the index should grow */
  uint64_t hash_mask;
  unsigned number_bits;
  uint32_t tag_mask;
};

int nodeset_open(struct nodeset *, struct mem *, uint64_t hash_mask); /* 0, or -1: no memory */
void nodeset_close(struct nodeset *);
int nodeset_grow(struct nodeset *); /* room for one more: 0, or -1: refused, nothing changed */

static inline uint64_t nodeset_hash(const struct nodeset *s, uint64_t value) { return hash_mix(value) & s->hash_mask; }
static inline uint32_t *nodeset_entry(const struct nodeset *s, uint64_t slot) { return (uint32_t *)(void *)s->index.base + slot; }
static inline uint64_t *nodeset_node(const struct nodeset *s, uint32_t number) {
  return (uint64_t *)(void *)s->nodes.base + number;
}
static inline uint64_t nodeset_value(const struct nodeset *s, uint32_t number) { return *nodeset_node(s, number); }

static inline void nodeset_prefetch(const struct nodeset *s, uint64_t hash) {
  __builtin_prefetch(nodeset_entry(s, hash_slot(hash, s->slots)));
}

/* Goes to the first entry worth comparing and fetches its node. */
static inline void nodeset_approach(const struct nodeset *s, uint64_t hash) {
  uint64_t at = hash_slot(hash, s->slots);
  uint32_t tag = (uint32_t)hash & s->tag_mask, x;
  while ((x = *nodeset_entry(s, at))) {
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
  while ((x = *nodeset_entry(s, at))) {
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

#endif
