/* split.c -- see split.h.
 *
 * The estimate for a set of units A out of the units U of a position, on m states: NA and NB different values of A and of U - A,
 * kept in full with an index of 6 bytes each, and (at the root) a pair per state, about log2(NA * NB / m) + 5 bits.  Numbers of different values are
 * counted by linear counting: each value sets a bit of a bitmap, and the share of bits still clear tells how many there were.
 * The hash of a value is the sum of the hashes of its units, so that moving a unit is one addition per state.
 *
 * First all cuts of the units in their order are tried, then single units move while that helps. */
#include "store/split.h"

#include "base/bits.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { UNITS = 64, PASSES = 4, LEAF_BYTES = 6, PAIR_BYTES = 14 };

struct unit {
  uint32_t at, bits;
};

struct chooser {
  const struct split_sample *sample;
  struct unit unit[UNITS];
  unsigned units;
  uint32_t *left, *all; /* per state: hash of the left units, of all units */
  uint64_t *bitmap;
  unsigned bitmap_bits; /* log2 of its size */
};

/* ---- estimating --------------------------------------------------------------------------------------------------------- */

static inline uint32_t spread(uint64_t salt, uint64_t value) {
  uint64_t h = (value ^ salt) * 0xd6e8feb86659fd93u;
  return (uint32_t)((h ^ h >> 32) * 0x9e3779b97f4a7c15u >> 32);
}

/* A unit of all states is added to their sums, or taken from them. */
static void add_unit(const struct chooser *c, uint32_t *sum, unsigned unit, int remove) {
  const struct unit *u = &c->unit[unit];
  const uint32_t *s = c->sample->states + u->at / 32;
  uint64_t salt = unit * 0x9e3779b97f4a7c15u;
  uint32_t shift = u->at % 32, sign = remove ? UINT32_MAX : 1;
  if (shift + u->bits <= 32) {
    uint64_t mask = bits_mask(u->bits);
    for (size_t i = 0; i < c->sample->count; i++, s += c->sample->stride) sum[i] += sign * spread(salt, *s >> shift & mask);
    return;
  }
  for (size_t i = 0; i < c->sample->count; i++, s += c->sample->stride) {
    uint64_t h = *s >> shift;
    uint32_t left = u->bits - (32 - shift);
    for (uint32_t w = 1; left; w++) {
      uint32_t here = left < 32 ? left : 32;
      h = hash_mix(h ^ (s[w] & bits_mask(here)));
      left -= here;
    }
    sum[i] += sign * spread(salt, h);
  }
}

static double distinct(struct chooser *c, int right) {
  size_t bits = (size_t)1 << c->bitmap_bits, clear = bits;
  memset(c->bitmap, 0, bits / 8);
  for (size_t i = 0; i < c->sample->count; i++) {
    uint32_t sum = right ? c->all[i] - c->left[i] : c->left[i];
    uint64_t at = (sum ^ sum >> 15) * 0x9e3779b97f4a7c15u >> (64 - c->bitmap_bits), *word = &c->bitmap[at / 64];
    clear -= ~*word >> at % 64 & 1;
    *word |= (uint64_t)1 << at % 64;
  }
  if (!clear) clear = 1;
  return -(double)bits * log((double)clear / (double)bits);
}

/* Bytes for the sample when the units are split like that. */
static double cost(struct chooser *c, uint64_t left, uint64_t members, int root) {
  double na = distinct(c, 0), nb = distinct(c, 1), m = (double)c->sample->count, bits[2] = {0};
  for (unsigned u = 0; u < c->units; u++)
    if (members >> u & 1) bits[!(left >> u & 1)] += c->unit[u].bits;
  double bytes = na * (bits[0] / 8 + LEAF_BYTES) + nb * (bits[1] / 8 + LEAF_BYTES);
  double pair = log2(na * nb / m);
  return root ? bytes + m * ((pair > 0 ? pair : 0) + 5) / 8 : bytes;
}

/* Different values of all these units together. */
static double count_of(struct chooser *c, uint64_t members) {
  memset(c->left, 0, c->sample->count * sizeof *c->left);
  for (unsigned u = 0; u < c->units; u++)
    if (members >> u & 1) add_unit(c, c->left, u, 0);
  return distinct(c, 0);
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

static uint64_t best_halves(struct chooser *c, uint64_t members, int root, double *bytes) {
  uint64_t left = 0, best = 0;
  memset(c->all, 0, c->sample->count * sizeof *c->all);
  memset(c->left, 0, c->sample->count * sizeof *c->left);
  for (unsigned u = 0; u < c->units; u++)
    if (members >> u & 1) add_unit(c, c->all, u, 0);
  *bytes = INFINITY;
  for (unsigned u = 0; u < c->units; u++) {
    if (!(members >> u & 1)) continue;
    left |= (uint64_t)1 << u;
    if (left == members) break;
    add_unit(c, c->left, u, 0);
    double b = cost(c, left, members, root);
    if (b < *bytes) *bytes = b, best = left;
  }
  memset(c->left, 0, c->sample->count * sizeof *c->left);
  for (unsigned u = 0; u < c->units; u++)
    if (best >> u & 1) add_unit(c, c->left, u, 0);
  for (int pass = 0, moved = 1; pass < PASSES && moved; pass++) {
    moved = 0;
    for (unsigned u = 0; u < c->units; u++) {
      uint64_t bit = (uint64_t)1 << u, next = best ^ bit;
      if (!(members & bit) || !next || next == members) continue;
      add_unit(c, c->left, u, (best & bit) != 0);
      double b = cost(c, next, members, root);
      if (b < *bytes * 0.999) *bytes = b, best = next, moved = 1;
      else add_unit(c, c->left, u, (best & bit) == 0);
    }
  }
  return best;
}

/* ---- building -------------------------------------------------------------------------------------------------------------- */

struct builder {
  struct split *split;
  struct chooser *chooser;
  struct mem *mem;
};

static int add_run(struct builder *b, uint32_t at, uint32_t key_at, uint32_t bits) {
  while (bits) {
    uint32_t here = 64 - at % 64 < bits ? 64 - at % 64 : bits;
    if (64 - key_at % 64 < here) here = 64 - key_at % 64;
    struct split_run r = {at / 64, key_at / 64, (uint8_t)(at % 64), (uint8_t)(key_at % 64), bits_mask(here)};
    if (vec_push(&b->split->run, b->mem, MEM_STORE, r)) return -1;
    at += here;
    key_at += here;
    bits -= here;
  }
  return 0;
}

/* A leaf of these units: neighbours become one run. Returns the position, or -1. */
static int add_leaf(struct builder *b, uint64_t members) {
  struct split *s = b->split;
  const struct chooser *c = b->chooser;
  unsigned at = s->positions++;
  struct split_position *p = &s->position[at];
  *p = (struct split_position){.left = SPLIT_LEAF, .right = SPLIT_LEAF, .run = (uint32_t)s->run.count};
  for (unsigned u = 0; u < c->units; u++) {
    if (!(members >> u & 1)) continue;
    uint32_t from = c->unit[u].at, bits = c->unit[u].bits;
    while (u + 1 < c->units && members >> (u + 1) & 1) bits += c->unit[++u].bits;
    if (add_run(b, from, p->bits, bits)) return -1;
    p->bits += bits;
  }
  p->runs = (uint32_t)s->run.count - p->run;
  return (int)at;
}

/* A position for these units: a leaf, or a pair where that is smaller by far and there are positions left. Returns it, or -1. */
static int add_position(struct builder *b, uint64_t members, unsigned left_over) {
  struct chooser *c = b->chooser;
  unsigned units = (unsigned)__builtin_popcountll(members);
  uint32_t bits = 0;
  for (unsigned u = 0; u < c->units; u++)
    if (members >> u & 1) bits += c->unit[u].bits;
  if (left_over < 2 || units < 2 || bits < 80 || !c->sample) return add_leaf(b, members);
  double n = count_of(c, members), whole = n * (bits / 8.0 + LEAF_BYTES), halves;
  if (n < (double)c->sample->count / 50) return add_leaf(b, members);
  uint64_t left = best_halves(c, members, 0, &halves);
  if (halves + n * PAIR_BYTES > 0.7 * whole) return add_leaf(b, members);
  unsigned share = (left_over - 2) / 2;
  int l = add_position(b, left, share), r = l < 0 ? -1 : add_position(b, members & ~left, share);
  if (r < 0) return -1;
  struct split *s = b->split;
  s->position[s->positions] = (struct split_position){.left = (uint8_t)l, .right = (uint8_t)r};
  return (int)s->positions++;
}

/* The root's children must be the last two positions. */
static int add_root(struct builder *b, uint64_t members, uint64_t left) {
  struct split *s = b->split;
  int l = add_position(b, left, (SPLIT_POSITIONS - 2) / 2), r = l < 0 ? -1 : add_position(b, members & ~left, (SPLIT_POSITIONS - 2) / 2);
  if (r < 0) return -1;
  if (l + 1 == r) return 0;
  struct split_position moved = s->position[l]; /* to just before the right child; what lies between moves down, and is renumbered */
  memmove(&s->position[l], &s->position[l + 1], (size_t)(r - l - 1) * sizeof moved);
  s->position[r - 1] = moved;
  for (unsigned i = 0; i < s->positions; i++) {
    struct split_position *p = &s->position[i];
    if (p->left == SPLIT_LEAF) continue;
    if (p->left > l) p->left--;
    if (p->right > l) p->right--;
  }
  return 0;
}

static void set_units(struct chooser *c, uint32_t bits) {
  uint32_t size = bits / 48 < 2 ? 2 : (bits + UNITS - 1) / UNITS;
  if (size > 4) size = (size + 3) & ~3u;
  for (uint32_t at = 0; at < bits; at += size) c->unit[c->units++] = (struct unit){at, bits - at < size ? bits - at : size};
}

static void open_chooser(struct chooser *c, const struct split_sample *sample, struct mem *mem) {
  c->bitmap_bits = bits_for(sample->count * 4);
  if (c->bitmap_bits < 6) c->bitmap_bits = 6;
  c->left = mem_alloc(mem, MEM_STORE, 2 * sample->count * sizeof *c->left);
  c->bitmap = mem_alloc(mem, MEM_STORE, ((size_t)1 << c->bitmap_bits) / 8);
  c->all = c->left ? c->left + sample->count : NULL;
  c->sample = c->left && c->bitmap ? sample : NULL; /* without memory to choose: the middle */
}

/* What the leaves take, by words instead of runs: in the order of the state. */
static int fill_masks(struct split *s, struct mem *mem) {
  size_t n = (size_t)s->positions * s->words, used = 0;
  s->masks = mem_alloc(mem, MEM_STORE, n * sizeof *s->masks);
  s->pieces = mem_alloc(mem, MEM_STORE, n * sizeof *s->pieces);
  s->leaves = mem_alloc(mem, MEM_STORE, s->words * sizeof *s->leaves);
  if (!s->masks || !s->pieces || !s->leaves) return -1;
  for (unsigned i = 0; i < s->positions; i++) {
    struct split_position *p = &s->position[i];
    uint32_t at = 0;
    for (uint32_t k = 0; k < p->runs; k++) {
      const struct split_run *r = &s->run.at[p->run + k];
      s->masks[(size_t)r->word * s->positions + i] |= r->mask << r->from;
    }
    p->piece = s->pieces + used;
    for (uint32_t w = 0; w < s->words; w++) {
      uint64_t mask = s->masks[(size_t)w * s->positions + i];
      if (!mask) continue;
      s->pieces[used++] = (struct split_piece){mask, w, at};
      s->leaves[w] |= (uint32_t)1 << i;
      at += (uint32_t)__builtin_popcountll(mask);
    }
    p->pieces = (uint32_t)(s->pieces + used - p->piece);
  }
  return 0;
}

size_t split_bytes(const struct split *s) {
  size_t n = (size_t)s->positions * s->words;
  return s->run.room * sizeof *s->run.at + n * (sizeof *s->masks + sizeof *s->pieces) + s->words * sizeof *s->leaves;
}

int split_choose(struct split *s, uint32_t bits, const struct split_sample *sample, struct mem *mem) {
  struct chooser c = {0};
  struct builder b = {s, &c, mem};
  *s = (struct split){.words = (bits + 63) / 64, .fast = bits_instructions()};
  if (!s->words) s->words = 1;
  set_units(&c, bits);
  if (sample && sample->count > 16) open_chooser(&c, sample, mem);
  uint64_t members = bits_mask(c.units), left = bits_mask(c.units / 2 + c.units % 2);
  double bytes = 0;
  if (c.sample && c.units > 1) {
    left = best_halves(&c, members, 1, &bytes);
    s->estimate = bytes / (double)sample->count;
  }
  int status = add_root(&b, members, left) || fill_masks(s, mem) ? -1 : 0;
  mem_free(mem, c.left);
  mem_free(mem, c.bitmap);
  if (status) split_close(s, mem);
  return status;
}

void split_close(struct split *s, struct mem *mem) {
  vec_free(&s->run, mem);
  mem_free(mem, s->masks);
  mem_free(mem, s->pieces);
  mem_free(mem, s->leaves);
  *s = (struct split){0};
}
