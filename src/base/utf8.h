/* utf8.h -- what is well-formed UTF-8 (RFC 3629: no surrogates, nothing overlong). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Length of the sequence that begins with `a`, and what its second byte may be; 0 = none begins so. */
static inline size_t utf8_first(unsigned char a, unsigned char *low, unsigned char *high) {
  *low = 0x80, *high = 0xbf;
  if (a < 0x80) return 1;
  if (a >= 0xc2 && a <= 0xdf) return 2;
  if (a >= 0xe0 && a <= 0xef) return *low = a == 0xe0 ? 0xa0 : 0x80, *high = a == 0xed ? 0x9f : 0xbf, 3;
  if (a >= 0xf0 && a <= 0xf4) return *low = a == 0xf0 ? 0x90 : 0x80, *high = a == 0xf4 ? 0x8f : 0xbf, 4;
  return 0;
}

/* Could these bytes, of which there is at least one, be the beginning of a sequence, or one? */
static inline int utf8_begins(const unsigned char *p, size_t count) {
  unsigned char low, high;
  size_t n = utf8_first(p[0], &low, &high);
  if (!n || count > n) return 0;
  if (count > 1 && (p[1] < low || p[1] > high)) return 0;
  for (size_t i = 2; i < count; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  return 1;
}

/* Length of the well-formed sequence at p, or 0. */
static inline size_t utf8_length(const unsigned char *p, size_t left) {
  unsigned char low, high;
  size_t n = utf8_first(p[0], &low, &high);
  return n && n <= left && utf8_begins(p, n) ? n : 0;
}

#endif
