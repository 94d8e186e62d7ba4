/* modular.h -- arithmetic modulo the Mersenne prime 2^127 - 1, and the way back to fractions.
 *
 * Exact elimination over the rationals drowns in growing numbers; modulo a prime nothing
 * grows.  This prime is just large enough that every fraction n/d whose numerator and
 * denominator are below 2^63 is determined by its residue (Wang 1981: 2 n d < p), so a
 * vector of 64-bit weights loses nothing on the way through.  Whoever uses this checks the result
 * over the integers: a prime that divides some minor of the matrix can mislead, but then
 * the check fails. */
#ifndef NET_MODULAR_H
#define NET_MODULAR_H

#include <stdint.h>

typedef unsigned __int128 residue;

#define RESIDUE_PRIME (((residue)1 << 127) - 1)

static inline residue residue_fold(residue x) { /* x < 2^128 */
  x = (x & RESIDUE_PRIME) + (x >> 127);
  return x >= RESIDUE_PRIME ? x - RESIDUE_PRIME : x;
}

static inline residue residue_of(int64_t n) { return n < 0 ? RESIDUE_PRIME - (residue)(-(__int128)n) : (residue)n; }

static inline residue residue_add(residue a, residue b) { return residue_fold(a + b); }

static inline residue residue_negate(residue a) { return a ? RESIDUE_PRIME - a : 0; }

static inline residue residue_multiply(residue a, residue b) {
  uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
  residue low = (residue)a0 * b0, middle = (residue)a1 * b0 + (residue)a0 * b1, high = (residue)a1 * b1; /* a1, b1 < 2^63 */
  residue sum = low + (middle << 64);
  high += (middle >> 64) + (sum < low);
  /* high * 2^128 + sum, and 2^128 = 2 modulo the prime; high < 2^126 */
  return residue_fold((sum & RESIDUE_PRIME) + (sum >> 127) + 2 * high);
}

/* 1 / a for a != 0, as a^(p-2): 126 squarings, about a microsecond. */
static inline residue residue_invert(residue a) {
  residue result = 1;
  for (residue e = RESIDUE_PRIME - 2; e; e >>= 1) {
    if (e & 1) result = residue_multiply(result, a);
    a = residue_multiply(a, a);
  }
  return result;
}

/* The integer nearest to 0 with this residue, if it is within 64 bits: 1 and *n, else 0. */
static inline int residue_integer(residue a, int64_t *n) {
  if (a <= INT64_MAX) {
    *n = (int64_t)a;
    return 1;
  }
  if (RESIDUE_PRIME - a <= INT64_MAX) {
    *n = -(int64_t)(RESIDUE_PRIME - a);
    return 1;
  }
  return 0;
}

/* The denominator of the fraction n/d with this residue, both below 2^63; 0 = there is none. */
static inline int64_t residue_denominator(residue a) {
  residue r0 = RESIDUE_PRIME, r1 = a;
  __int128 t0 = 0, t1 = 1;
  while (r1 > INT64_MAX) { /* Euclid, stopped half way */
    residue q = r0 / r1, r2 = r0 - q * r1;
    __int128 t2 = t0 - (__int128)q * t1; /* |t| stays below p / r */
    r0 = r1, r1 = r2;
    t0 = t1, t1 = t2;
  }
  if (t1 < 0) t1 = -t1;
  return t1 <= INT64_MAX ? (int64_t)t1 : 0;
}

#endif
