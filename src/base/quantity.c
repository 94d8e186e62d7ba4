/* quantity.c -- see quantity.h.
 *
 * Whole numbers are kept exact in 64 bits; only fractions and exponents go through floating
 * point, and a count that is then not whole is refused. */
#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct number {
  int whole; /* `exact` is right */
  uint64_t exact;
  long double value;
};

/* Digits with _ between them, a fraction, an exponent. Returns what follows, or NULL. */
static const char *parse_number(const char *p, struct number *n) {
  *n = (struct number){.whole = 1};
  int digits = 0;
  for (; isdigit((unsigned char)*p) || (*p == '_' && digits && isdigit((unsigned char)p[1])); p++) {
    if (*p == '_') continue;
    unsigned d = (unsigned)(*p - '0');
    if (n->whole && (n->exact > (UINT64_MAX - d) / 10)) n->whole = 0;
    n->exact = n->exact * 10 + d;
    n->value = n->value * 10 + d;
    digits++;
  }
  if (*p == '.') {
    long double place = 0.1L;
    for (p++; isdigit((unsigned char)*p); p++, digits++, place /= 10) n->value += place * (unsigned)(*p - '0');
    n->whole = 0;
  }
  if (!digits) return NULL;
  if ((*p == 'e' || *p == 'E') && (isdigit((unsigned char)p[1]) || (p[1] == '+' && isdigit((unsigned char)p[2])))) {
    unsigned exponent = 0;
    for (p += p[1] == '+' ? 2 : 1; isdigit((unsigned char)*p) && exponent < 10000; p++)
      exponent = exponent * 10 + (unsigned)(*p - '0');
    if (isdigit((unsigned char)*p)) return NULL;
    n->value *= powl(10, exponent);
    n->whole = 0;
  }
  return p;
}

static int scaled(const struct number *n, uint64_t factor, uint64_t *out) {
  if (n->whole) return __builtin_mul_overflow(n->exact, factor, out) ? -1 : 0;
  long double x = n->value * (long double)factor, rounded = roundl(x);
  if (!(x < 18446744073709551615.0L) || fabsl(x - rounded) > 1e-6L * (1 + fabsl(x) * 1e-9L)) return -1;
  *out = (uint64_t)rounded;
  return 0;
}

static int power(char letter) {
  const char *at = letter ? strchr("kmgtp", tolower((unsigned char)letter)) : NULL;
  return at ? (int)(at - "kmgtp") + 1 : 0;
}

static uint64_t raise(uint64_t base, int n) {
  uint64_t x = 1;
  while (n-- > 0) x *= base;
  return x;
}

int quantity_count(const char *text, uint64_t *out) {
  struct number n;
  const char *p = parse_number(text, &n);
  if (!p) return -1;
  int e = power(*p);
  if (e) p++;
  return *p ? -1 : scaled(&n, raise(1000, e), out);
}

int quantity_size(const char *text, uint64_t machine, uint64_t *out) {
  struct number n;
  const char *p = parse_number(text, &n);
  if (!p) return -1;
  while (*p == ' ') p++;
  if (p[0] == '%' && !p[1]) {
    if (!(n.value > 0 && n.value <= 100)) return -1;
    *out = (uint64_t)((long double)machine * n.value / 100);
    return 0;
  }
  int e = power(*p);
  if (e) p++;
  if (e && *p == 'i') {
    p++;
    if (*p != 'b' && *p != 'B') return -1;
  }
  if (*p == 'b' || *p == 'B') p++;
  if (*p) return -1;
  struct number bytes = n;
  if (!n.whole) { /* 1.5G is fine, and a byte more or less is no matter */
    bytes.value = floorl(n.value * (long double)raise(1024, e));
    return scaled(&bytes, 1, out);
  }
  return scaled(&bytes, raise(1024, e), out);
}

int quantity_duration(const char *text, double *seconds) {
  static const struct {
    const char *unit;
    double seconds;
  } units[] = {{"ms", 1e-3}, {"d", 86400}, {"h", 3600}, {"min", 60}, {"m", 60}, {"s", 1}};
  double total = 0;
  const char *p = text;
  if (!*p) return -1;
  while (*p) {
    struct number n;
    p = parse_number(p, &n);
    if (!p) return -1;
    size_t u = 0;
    for (; u < sizeof units / sizeof *units; u++) {
      size_t length = strlen(units[u].unit);
      if (strncmp(p, units[u].unit, length) != 0 || isalpha((unsigned char)p[length])) continue;
      total += (double)n.value * units[u].seconds;
      p += length;
      break;
    }
    if (u < sizeof units / sizeof *units) continue;
    if (*p) return -1;
    total += (double)n.value; /* no unit: seconds, and nothing may follow */
  }
  if (!isfinite(total)) return -1;
  *seconds = total;
  return 0;
}
