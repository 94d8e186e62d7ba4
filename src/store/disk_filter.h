/* disk_filter.h -- which states are surely not on disk: a blocked Bloom filter (Putze, Sanders and Singler 2007).
 *
 * The hash chooses a block of 64 bytes and `functions` bits in it: one cache miss for a question.  The more states there are for its size, the fewer bits are best; who fills it
 * chooses both anew from time to time (disk.c). */
#ifndef STORE_DISK_FILTER_H
#define STORE_DISK_FILTER_H

#include "base/hash.h"
#include "base/mem.h"

struct disk_filter {
  struct region bits;
  uint64_t blocks; /* 0 = it knows nothing: everything may be there */
  unsigned functions;
  uint64_t count, enough; /* states in it; more than this and it should be made anew */
};

static inline void disk_filter_add(struct disk_filter *f, uint64_t hash) {
  f->count++;
  if (!f->blocks) return;
  uint64_t *block = (uint64_t *)(void *)f->bits.base + 8 * hash_slot(hash, f->blocks), mixed = hash * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < f->functions; i++, mixed = mixed << 9 | mixed >> 55) block[mixed & 7] |= (uint64_t)1 << (mixed >> 3 & 63);
}

static inline int disk_filter_may_have(const struct disk_filter *f, uint64_t hash) {
  if (!f->count) return 0;
  if (!f->blocks) return 1;
  const uint64_t *block = (const uint64_t *)(const void *)f->bits.base + 8 * hash_slot(hash, f->blocks);
  uint64_t mixed = hash * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < f->functions; i++, mixed = mixed << 9 | mixed >> 55)
    if (!(block[mixed & 7] >> (mixed >> 3 & 63) & 1)) return 0;
  return 1;
}

/* Empty, of so many bytes and functions, until there are `enough` states. 0, or -1: no memory; then it knows nothing. */
static inline int disk_filter_make(struct disk_filter *f, size_t bytes, unsigned functions, uint64_t enough) {
  f->count = f->blocks = 0;
  f->enough = enough;
  f->functions = functions;
  if (region_resize(&f->bits, bytes & ~(size_t)63)) return -1;
  region_clear(&f->bits);
  f->blocks = f->bits.size / 64;
  return 0;
}

#endif
