/* instant.h -- points of model time as whole numbers.
 *
 * Time is a whole number, or a real where the net says so (CPN Tools' option realtimestamp).
 * Everywhere but in arithmetic only the order of stamps matters, so a real is kept as a number of
 * the same order: the bits of a double, which grow with it, less those of the smallest that is
 * understood.
 *
 *   0.0 is 0;  2^-511 < x < 2^513 is bits (x) - bits (2^-511), from 1 on and below 2^62;  -x is the
 * negative of x
 *
 * Different reals stay different and nothing is rounded; what lies outside, and what is no number,
 * is INSTANT_NONE: an overflow. */
#ifndef ML_INSTANT_H
#define ML_INSTANT_H

#include <stdint.h>
#include <string.h>

#define INSTANT_NONE INT64_MIN
#define INSTANT_LEAST ((int64_t)512 << 52) /* the bits of 2^-511 */
#define INSTANT_MOST ((int64_t)1 << 61)    /* of whole ones */

static inline int64_t instant_of_real(double x) {
  int64_t bits;
  int below = x < 0;
  if (x == 0) return 0;
  if (below) x = -x;
  memcpy(&bits, &x, sizeof bits);
  if (!(x > 0) || bits <= INSTANT_LEAST || bits - INSTANT_LEAST >= (int64_t)1 << 62)
    return INSTANT_NONE;
  return below ? INSTANT_LEAST - bits : bits - INSTANT_LEAST;
}

static inline double instant_to_real(int64_t instant) {
  int64_t bits = (instant < 0 ? -instant : instant) + INSTANT_LEAST;
  double x;
  if (instant == 0) return 0;
  memcpy(&x, &bits, sizeof x);
  return instant < 0 ? -x : x;
}

/* a + b, a - b */
static inline int64_t instant_add(int real, int64_t a, int64_t b) {
  if (a == INSTANT_NONE || b == INSTANT_NONE) return INSTANT_NONE;
  if (real) return instant_of_real(instant_to_real(a) + instant_to_real(b));
  return a + b > INSTANT_MOST || a + b < -INSTANT_MOST ? INSTANT_NONE : a + b;
}
static inline int64_t instant_subtract(int real, int64_t a, int64_t b) {
  return instant_add(real, a, b == INSTANT_NONE ? b : -b);
}

/* When a token with this stamp may be taken by an arc that takes them so much before their time:
 * the first instant that is not further from it.  Reals are rounded, so that this may be a little
 * later than stamp - start. */
static inline int64_t instant_ready(int real, int64_t stamp, int64_t start) {
  int64_t at = instant_subtract(real, stamp, start);
  while (real && at != INSTANT_NONE && instant_add(real, at, start) < stamp) at++;
  return at;
}

#endif
