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

struct split_piece { /* the bits that a leaf takes out of one 64-bit word of the state, and where they go in its key */
  uint64_t mask;
  uint32_t word, at;
};

struct split {
  uint32_t words; /* 64-bit words of a state */
  unsigned positions;
  struct split_position {
    uint8_t left, right; /* SPLIT_LEAF = a leaf */
    uint32_t bits;       /* of a leaf's key */
    uint32_t run, runs;  /* its runs */
    struct split_piece *piece; /* the same by words */
    uint32_t pieces;
  } position[SPLIT_POSITIONS];
  struct vec(struct split_run) run;
  struct split_piece *pieces; /* of all leaves */
  uint64_t *masks;  /* words * positions: the bits of the word that the leaf takes */
  uint32_t *leaves; /* of each word: the set of leaves that take some of its bits */
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

/* Which leaves have other bits of word w, if these bits of it are different: a set of positions. */
static inline uint32_t split_changed(const struct split *s, uint32_t w, uint64_t difference) {
  uint32_t leaves = s->leaves[w], changed = 0;
  if (!(leaves & (leaves - 1))) return difference ? leaves : 0;
  const uint64_t *mask = s->masks + (size_t)w * s->positions;
  for (; leaves; leaves &= leaves - 1) changed |= (uint32_t)((difference & mask[__builtin_ctz(leaves)]) != 0) << __builtin_ctz(leaves);
  return changed;
}

/* The memory that it holds beside itself. */
size_t split_bytes(const struct split *);

/* A leaf's key; `key` has (bits + 63) / 64 words, at least one, all written. */
static inline void split_take(const struct split *s, unsigned position, const uint64_t *state, uint64_t *key) {
  const struct split_position *p = &s->position[position];
  const struct split_piece *piece = p->piece, *end = piece + p->pieces;
  if (s->fast && p->bits <= 64) {
    uint64_t x = 0;
    for (; piece < end; piece++) x |= bits_gather(state[piece->word], piece->mask) << piece->at;
    key[0] = x;
    return;
  }
  for (uint32_t i = 0; i < (p->bits + 63) / 64 + !p->bits; i++) key[i] = 0;
  if (s->fast) {
    for (; piece < end; piece++) {
      uint32_t at = piece->at;
      uint64_t x = bits_gather(state[piece->word], piece->mask);
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
    for (uint32_t k = 0; k < p->pieces; k++) {
      uint32_t at = p->piece[k].at;
      state[p->piece[k].word] |= bits_scatter(key[at / 64] >> at % 64 | (at % 64 ? key[at / 64 + 1] << (64 - at % 64) : 0), p->piece[k].mask);
    }
    return;
  }
  const struct split_run *r = s->run.at + p->run;
  for (uint32_t i = 0; i < p->runs; i++) state[r[i].word] |= (key[r[i].key_word] >> r[i].to & r[i].mask) << r[i].from;
}

#endif
