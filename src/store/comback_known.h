/* comback_known.h -- the few states that ComBack has in full.
 *
 *   roots    states that came without a source; kept for ever, one after the other
 *   window   the states found last, a queue of pieces by number: most duplicates of a breadth-first search are at most two layers old
 *   cache    some others, by number, one place each: what was found again lately
 *
 * Window and cache only save time: they shrink and vanish when memory is wanted for something else. */
#ifndef STORE_COMBACK_KNOWN_H
#define STORE_COMBACK_KNOWN_H

#include "base/hash.h"
#include "store/block.h"

enum { COMBACK_NAME = 5 };

struct comback_known {
  struct blocks *blocks;
  uint32_t words, record; /* bytes of a state */
  /* window */
  uint8_t **piece; /* pieces `head` .. `tail` - 1 are there */
  size_t piece_room, head, tail;
  uint64_t per_piece, piece_base; /* states of a piece; the number of the first state of piece 0, a multiple of per_piece */
  uint64_t first, end;            /* numbers in the window */
  /* cache */
  uint8_t *cache;
  uint64_t slots;
  size_t slot_bytes; /* number + 1 in COMBACK_NAME bytes, state */
  /* roots */
  struct region roots;
  uint64_t root_count;
};

void comback_known_open(struct comback_known *, struct blocks *, uint32_t words, uint32_t bits);
void comback_known_close(struct comback_known *);
/* The memory of window and cache is given back. 1, or 0: there was none. */
int comback_known_drop(struct comback_known *);

void comback_window_add(struct comback_known *, uint64_t number, const uint32_t *state); /* numbers ascend */
void comback_window_trim(struct comback_known *, uint64_t first);                       /* older ones go */

/* So many places; what was there stays as far as it has a place. Without memory: as before. */
void comback_cache_resize(struct comback_known *, uint64_t slots);

/* 0, or -1: no memory. */
int comback_root_add(struct comback_known *, const uint32_t *state);
static inline const uint8_t *comback_root(const struct comback_known *k, uint64_t index) { return k->roots.base + index * k->record; }

static inline uint8_t *comback_slot(const struct comback_known *k, uint64_t number) {
  return k->cache + hash_slot(hash_mix(number), k->slots) * k->slot_bytes;
}

/* Whose state a slot holds: its number + 1; 0 = nobody's. */
static inline uint64_t comback_slot_name(const uint8_t *slot) {
  uint32_t low;
  memcpy(&low, slot, 4);
  return low | (uint64_t)slot[4] << 32;
}

static inline void comback_cache_add(struct comback_known *k, uint64_t number, const uint32_t *state) {
  if (!k->slots || (number + 1) >> 8 * COMBACK_NAME) return;
  uint8_t *slot = comback_slot(k, number);
  uint32_t low = (uint32_t)(number + 1);
  memcpy(slot, &low, 4);
  slot[4] = (uint8_t)((number + 1) >> 32);
  memcpy(slot + COMBACK_NAME, state, k->record);
}

static inline int comback_in_window(const struct comback_known *k, uint64_t number) { return number >= k->first && number < k->end; }

/* It will be asked for soon. */
static inline __attribute__((always_inline)) void comback_known_prefetch(const struct comback_known *k, uint64_t number) {
  uint64_t at = number - k->piece_base;
  if (comback_in_window(k, number)) __builtin_prefetch(k->piece[at / k->per_piece] + at % k->per_piece * k->record);
  else if (k->slots) __builtin_prefetch(comback_slot(k, number));
}

/* The state, if it is in the window or the cache; NULL otherwise. */
static inline const uint8_t *comback_known(const struct comback_known *k, uint64_t number) {
  if (comback_in_window(k, number)) {
    uint64_t at = number - k->piece_base;
    return k->piece[at / k->per_piece] + at % k->per_piece * k->record;
  }
  if (!k->slots) return NULL;
  const uint8_t *slot = comback_slot(k, number);
  return comback_slot_name(slot) == number + 1 ? slot + COMBACK_NAME : NULL;
}

#endif
