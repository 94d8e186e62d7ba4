/* bits.h -- bit arithmetic shared by packings and tables. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

/* Bits needed to hold the values 0..max. */
static inline unsigned bits_for(uint64_t max) { return max ? 64 - (unsigned)__builtin_clzll(max) : 0; }

static inline uint64_t bits_mask(unsigned n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

/* Does the processor count, gather and scatter bits in one fast instruction each (popcnt, pext, pdep)? The first Zen processors take
   hundreds of cycles for the last two. */
static inline int bits_instructions(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
#else
  return 0;
#endif
}

/* Both only where bits_instructions() said so. The bits of x under the mask, side by side; and back to their places. */
static inline uint64_t bits_gather(uint64_t x, uint64_t mask) {
#if defined(__x86_64__)
  uint64_t y;
  __asm__("pextq %2, %1, %0" : "=r"(y) : "r"(x), "r"(mask));
  return y;
#else
  (void)mask;
  return x;
#endif
}

static inline uint64_t bits_scatter(uint64_t x, uint64_t mask) {
#if defined(__x86_64__)
  uint64_t y;
  __asm__("pdepq %2, %1, %0" : "=r"(y) : "r"(x), "r"(mask));
  return y;
#else
  (void)mask;
  return x;
#endif
}

#endif
