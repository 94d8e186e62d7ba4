/* bits.h -- bit arithmetic shared by packings and tables. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

/* Bits needed to hold the values 0..max. */
static inline unsigned bits_for(uint64_t max) { return max ? 64 - (unsigned)__builtin_clzll(max) : 0; }

static inline uint64_t bits_mask(unsigned n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

#endif
