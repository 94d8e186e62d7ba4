/* spanning.c -- see spanning.h. */
#include "store/spanning.h"

#include "base/bits.h"

#include <assert.h>

enum { SPANNING_STEP = 512, GROW = 4096 };

struct spanning_sample {
  uint64_t position; /* of the zero of state k * SPANNING_STEP */
  uint64_t ones;     /* before it */
  uint64_t edge_at;  /* where the first block of edges begins */
  uint8_t width[SPANNING_STEP / SPANNING_BLOCK];
};

void spanning_open(struct spanning *s, struct mem *m, enum mem_tag tag) {
  *s = (struct spanning){0};
#if defined(__x86_64__)
  s->fast = __builtin_cpu_supports("popcnt") != 0;
#endif
  region_open(&s->bits, m, tag);
  region_open(&s->samples, m, tag);
  region_open(&s->edges, m, tag);
}

static int room(struct region *r, uint64_t bytes) {
  if (bytes <= r->size) return 0;
  if (region_resize(r, bytes + bytes / 8 + GROW) == 0) return 0;
  return region_resize(r, bytes + 4096);
}

int spanning_reserve(struct spanning *s, size_t found, size_t expanded) {
  uint64_t samples = (s->states + found) / SPANNING_STEP + 2, blocks = found / SPANNING_BLOCK + 2;
  return room(&s->bits, (s->length + found + expanded) / 8 + 24) || room(&s->samples, samples * sizeof(struct spanning_sample)) ||
                 room(&s->edges, (s->edge_words + blocks * 32 + 1) * 8)
             ? -1
             : 0;
}

static struct spanning_sample *sample_of(const struct spanning *s, uint64_t state) {
  return (struct spanning_sample *)(void *)s->samples.base + state / SPANNING_STEP;
}

/* The block is full: as many bits for each as the largest needs. */
static void write_block(struct spanning *s, unsigned width) {
  uint64_t *out = (uint64_t *)(void *)s->edges.base + s->edge_words;
  for (unsigned i = 0; i < SPANNING_BLOCK && width; i++) {
    unsigned at = i * width;
    out[at / 64] |= (uint64_t)s->last[i] << at % 64;
    if (at % 64 + width > 64) out[at / 64 + 1] |= (uint64_t)s->last[i] >> (64 - at % 64);
  }
  sample_of(s, s->states - 1)->width[(s->states - 1) % SPANNING_STEP / SPANNING_BLOCK] = (uint8_t)width;
  s->edge_words += width;
}

static unsigned width_of_last(const struct spanning *s) {
  uint32_t most = 0;
  for (unsigned i = 0; i < SPANNING_BLOCK; i++) most |= s->last[i];
  return bits_for(most);
}

void spanning_begin_block(struct spanning *s) {
  if (s->states) write_block(s, width_of_last(s));
  if (s->states % SPANNING_STEP == 0) *sample_of(s, s->states) = (struct spanning_sample){.position = s->length, .ones = s->expanded, .edge_at = s->edge_words};
}

/* All memory is asked for before anything changes: a refused state leaves the tree as it was. */
int spanning_found(struct spanning *s, uint32_t edge) {
  if (s->states % SPANNING_STEP == 0 && room(&s->samples, (s->states / SPANNING_STEP + 1) * sizeof(struct spanning_sample))) return -1;
  if (room(&s->bits, s->length / 8 + 16)) return -1;
  if (s->states && s->states % SPANNING_BLOCK == 0 && room(&s->edges, (s->edge_words + width_of_last(s) + 1) * 8)) return -1;
  spanning_add_found(s, edge);
  return 0;
}

uint32_t spanning_edge(const struct spanning *s, uint64_t state) {
  assert(state < s->states);
  if (state / SPANNING_BLOCK == (s->states - 1) / SPANNING_BLOCK) return s->last[state % SPANNING_BLOCK];
  const struct spanning_sample *sample = sample_of(s, state);
  unsigned block = state % SPANNING_STEP / SPANNING_BLOCK, width = sample->width[block], at = state % SPANNING_BLOCK * width;
  uint64_t word = sample->edge_at;
  for (unsigned i = 0; i < block; i++) word += sample->width[i];
  const uint64_t *in = (const uint64_t *)(const void *)s->edges.base + word;
  if (!width) return 0;
  uint64_t x = in[at / 64] >> at % 64;
  if (at % 64 + width > 64) x |= in[at / 64 + 1] << (64 - at % 64);
  return (uint32_t)(x & bits_mask(width));
}

int spanning_expanded(struct spanning *s) {
  if (room(&s->bits, s->length / 8 + 16)) return -1;
  spanning_add_expanded(s);
  return 0;
}

/* Where the k-th (from 1) of the set bits of x is. */
static inline __attribute__((always_inline)) unsigned position_of(uint64_t x, unsigned k) {
  unsigned at = 0;
  for (unsigned half = 32; half >= 8; half /= 2) {
    unsigned below = (unsigned)__builtin_popcountll(x & (((uint64_t)1 << half) - 1));
    if (below >= k) continue;
    k -= below;
    at += half;
    x >>= half;
  }
  while (--k) x &= x - 1;
  return at + (unsigned)__builtin_ctzll(x);
}

static inline __attribute__((always_inline)) uint64_t parent_of(const struct spanning *s, uint64_t state) {
  const struct spanning_sample *sample = sample_of(s, state);
  const uint64_t *bits = (const uint64_t *)(const void *)s->bits.base;
  uint64_t zeros = state % SPANNING_STEP, at = sample->position + 1, ones = sample->ones;
  if (!zeros) return ones;
  uint64_t free = ~bits[at / 64] & ~(uint64_t)0 << at % 64; /* the zeros from here on; whole words are passed while they cannot hold the last of them */
  for (uint64_t word = at / 64;; free = ~bits[++word]) {
    unsigned here = (unsigned)__builtin_popcountll(free);
    if (here < zeros) {
      zeros -= here;
      continue;
    }
    uint64_t end = word * 64 + position_of(free, (unsigned)zeros);  /* the bits between hold one zero less than were passed, and ones */
    return ones + (end - at) - (state % SPANNING_STEP - 1);
  }
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static uint64_t parent_of_fast(const struct spanning *s, uint64_t state) { return parent_of(s, state); }
#endif

uint64_t spanning_parent(const struct spanning *s, uint64_t state) {
  assert(state > 0 && state < s->states);
#if defined(__x86_64__)
  if (s->fast) return parent_of_fast(s, state);
#endif
  return parent_of(s, state);
}

void spanning_expect(const struct spanning *s, uint64_t state) { __builtin_prefetch(sample_of(s, state)); }

void spanning_expect_soon(const struct spanning *s, uint64_t state) {
  const struct spanning_sample *sample = sample_of(s, state);
  uint64_t in = state % SPANNING_STEP;
  __builtin_prefetch(s->bits.base + sample->position / 8); /* about as many ones as zeros: its place is at most this far from here */
  __builtin_prefetch(s->bits.base + sample->position / 8 + 64);
  if (s->edges.base) __builtin_prefetch(s->edges.base + (sample->edge_at + in / SPANNING_BLOCK * sample->width[0]) * 8);
}

uint64_t spanning_depth(const struct spanning *s, uint64_t state) {
  uint64_t depth = 0;
  for (; state; state = spanning_parent(s, state)) depth++;
  return depth;
}

size_t spanning_bytes(const struct spanning *s) { return s->bits.held + s->samples.held + s->edges.held; }

void spanning_retag(struct spanning *s, enum mem_tag tag) {
  region_retag(&s->edges, tag);
  region_retag(&s->bits, tag);
  region_retag(&s->samples, tag);
}

void spanning_close(struct spanning *s) {
  region_close(&s->edges);
  region_close(&s->bits);
  region_close(&s->samples);
}
