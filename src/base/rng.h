/* rng.h -- a small seeded generator (splitmix64): the same seed, the same run, everywhere. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
  uint64_t state;
};

static inline uint64_t rng_next(struct rng *r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Uniform in 0..n-1, n > 0. */
static inline uint64_t rng_below(struct rng *r, uint64_t n) { return (uint64_t)((unsigned __int128)rng_next(r) * n >> 64); }

#endif
