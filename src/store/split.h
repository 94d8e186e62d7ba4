/* split.h -- which bits of a state belong together.
 *
 * The compact tree keeps each half of a state once and a state as a pair of halves.  How small that is depends on nothing so much as on
 * which bits are in which half: bits that change together belong together.  A split is found on a sample of states: units of a
 * few neighbouring bits are moved from one half to the other as long as the estimated size falls.  A half with many values
 * is split again.
 *
 * A split is a binary tree over positions.  A leaf takes some runs of bits out of the state; an inner position pairs two others; the root,
 * which is no position, pairs the last two. */
#ifndef STORE_SPLIT_H
#define STORE_SPLIT_H

#include "base/bits.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

enum { SPLIT_POSITIONS = 14, SPLIT_LEAF = 255 };

struct split_run { /* bits of a state, inside one 64-bit word there and in the key */
  uint32_t word, key_word;
  uint8_t from, to; /* first bit there and here */
  uint64_t mask;    /* of as many bits, at 0 */
};

struct split {
  uint32_t words; /* 64-bit words of a state */
  unsigned positions;
  struct split_position {
    uint8_t left, right; /* SPLIT_LEAF = a leaf */
    uint32_t bits;       /* of a leaf's key */
    uint32_t run, runs;  /* its runs */
    uint64_t *mask;      /* leaf: per 64-bit word of the state, the bits it takes */
    uint32_t *at;        /* and where they begin in the key */
  } position[SPLIT_POSITIONS];
  struct vec(struct split_run) run;
  uint64_t *masks; /* of all leaves */
  uint32_t *starts;
  int fast; /* bits_instructions() */
  double estimate; /* bytes per state on the sample; 0 = no sample */
};

struct split_sample {
  const uint32_t *states;
  size_t stride, count;
};

/* The best split of states of that width for a sample (NULL or empty: the middle). 0, or -1: no memory. */
int split_choose(struct split *, uint32_t bits, const struct split_sample *, struct mem *);
void split_close(struct split *, struct mem *);

/* A leaf's key; `key` has (bits + 63) / 64 words, at least one, all written. */
static inline void split_take(const struct split *s, unsigned position, const uint64_t *state, uint64_t *key) {
  const struct split_position *p = &s->position[position];
  if (s->fast && p->bits < 64) {
    uint64_t x = 0;
    for (uint32_t w = 0; w < s->words; w++) x |= bits_gather(state[w], p->mask[w]) << p->at[w]; /* at is below 64, too, where nothing is taken */
    key[0] = x;
    return;
  }
  for (uint32_t i = 0; i < (p->bits + 63) / 64 + !p->bits; i++) key[i] = 0;
  if (s->fast) {
    for (uint32_t w = 0; w < s->words; w++) {
      if (!p->mask[w]) continue;
      uint32_t at = p->at[w];
      uint64_t x = bits_gather(state[w], p->mask[w]);
      key[at / 64] |= x << at % 64;
      if (at % 64 && x >> (64 - at % 64)) key[at / 64 + 1] |= x >> (64 - at % 64);
    }
    return;
  }
  const struct split_run *r = s->run.at + p->run;
  for (uint32_t i = 0; i < p->runs; i++) key[r[i].key_word] |= (state[r[i].word] >> r[i].from & r[i].mask) << r[i].to;
}

/* The bits of a key go back to their places in a state that is zero there. The key has a word behind its last one, which is read. */
static inline void split_give(const struct split *s, unsigned position, const uint64_t *key, uint64_t *state) {
  const struct split_position *p = &s->position[position];
  if (s->fast) {
    for (uint32_t w = 0; w < s->words; w++) {
      uint32_t at = p->at[w];
      if (p->mask[w]) state[w] |= bits_scatter(key[at / 64] >> at % 64 | (at % 64 ? key[at / 64 + 1] << (64 - at % 64) : 0), p->mask[w]);
    }
    return;
  }
  const struct split_run *r = s->run.at + p->run;
  for (uint32_t i = 0; i < p->runs; i++) state[r[i].word] |= (key[r[i].key_word] >> r[i].to & r[i].mask) << r[i].from;
}

#endif
