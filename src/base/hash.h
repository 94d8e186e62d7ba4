/* hash.h -- hashing of state vectors.
 *
 * Short vectors (up to 128 bits, most packed states) take two or three multiplications;
 * longer ones and byte strings go through XXH3.  Tables use the high bits for the slot
 * and the low bits for the tag, so both ends must be good. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_mix(uint64_t x) { /* a bijection: collisions are impossible */
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return x;
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xe7037ed1a0b428dbu);
  return hash_mix((uint64_t)p ^ (uint64_t)(p >> 64) ^ (b << 1));
}

static inline uint64_t hash_bytes(const void *data, size_t length) { return XXH3_64bits(data, length); }

static inline uint64_t hash_bytes_seeded(const void *data, size_t length, uint64_t seed) { return XXH3_64bits_withSeed(data, length, seed); }

/* Maps a hash onto 0..n-1 by its high bits: monotone in the hash, n need not be a power of two. */
static inline uint64_t hash_slot(uint64_t hash, uint64_t n) { return (uint64_t)((unsigned __int128)hash * n >> 64); }

#endif
