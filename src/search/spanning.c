/* spanning.c -- see spanning.h. */
#include "search/spanning.h"

#include <assert.h>

enum { SPANNING_STEP = 512, GROW = 64 << 10 };

struct spanning_sample {
  uint64_t position; /* of the zero of state k * SPANNING_STEP */
  uint64_t ones;     /* before it */
};

void spanning_open(struct spanning *s, struct mem *m) {
  *s = (struct spanning){0};
  region_open(&s->bits, m, MEM_SEARCH);
  region_open(&s->samples, m, MEM_SEARCH);
}

static int room(struct region *r, uint64_t bytes) {
  if (bytes <= r->size) return 0;
  if (region_resize(r, bytes + bytes / 8 + GROW) == 0) return 0;
  return region_resize(r, bytes + 4096);
}

int spanning_found(struct spanning *s) {
  if (s->states % SPANNING_STEP == 0) {
    uint64_t k = s->states / SPANNING_STEP;
    if (room(&s->samples, (k + 1) * sizeof(struct spanning_sample))) return -1;
    ((struct spanning_sample *)(void *)s->samples.base)[k] = (struct spanning_sample){s->length, s->expanded};
  }
  if (room(&s->bits, s->length / 8 + 16)) return -1;
  s->length++; /* fresh bits are zero */
  s->states++;
  return 0;
}

int spanning_expanded(struct spanning *s) {
  if (room(&s->bits, s->length / 8 + 16)) return -1;
  ((uint64_t *)(void *)s->bits.base)[s->length / 64] |= (uint64_t)1 << s->length % 64;
  s->length++;
  s->expanded++;
  return 0;
}

uint64_t spanning_parent(const struct spanning *s, uint64_t state) {
  assert(state > 0 && state < s->states);
  const struct spanning_sample *sample = (const struct spanning_sample *)(const void *)s->samples.base + state / SPANNING_STEP;
  const uint64_t *bits = (const uint64_t *)(const void *)s->bits.base;
  uint64_t zeros = state % SPANNING_STEP, at = sample->position, ones = sample->ones;
  while (zeros) { /* pass `zeros` zeros, counting ones; whole words while they cannot hold the last of them */
    at++;
    uint64_t rest = bits[at / 64] >> at % 64;
    unsigned width = 64 - at % 64, set = (unsigned)__builtin_popcountll(rest);
    if (width - set < zeros) {
      ones += set;
      zeros -= width - set;
      at += width - 1;
    } else {
      if (rest & 1) ones++;
      else zeros--;
    }
  }
  return ones;
}

void spanning_close(struct spanning *s) {
  region_close(&s->bits);
  region_close(&s->samples);
}
