/* native_number.c -- numbers: ints, intinf and time are one kind of value, reals another; operators look which they got.
 *
 * The machine has words of its own for ints; what stands here runs where an operator is passed as a function, and for reals. */
#include "ml/native.h"

#include "ml/print.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


DO(ADD) {
  if (ml_is_int(a[0])) return ml_give_int(m, a, ml_to_int(a[0]) + ml_to_int(a[1]));
  return ml_give_real(m, a, ml_to_real(a[0]) + ml_to_real(a[1]));
}
DO(SUBTRACT) {
  if (ml_is_int(a[0])) return ml_give_int(m, a, ml_to_int(a[0]) - ml_to_int(a[1]));
  return ml_give_real(m, a, ml_to_real(a[0]) - ml_to_real(a[1]));
}
DO(MULTIPLY) {
  int64_t product;
  if (!ml_is_int(a[0])) return ml_give_real(m, a, ml_to_real(a[0]) * ml_to_real(a[1]));
  if (__builtin_mul_overflow(ml_to_int(a[0]), ml_to_int(a[1]), &product)) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  return ml_give_int(m, a, product);
}
DO(REAL_DIVIDE) { return ml_give_real(m, a, ml_to_real(a[0]) / ml_to_real(a[1])); }
DO(NEGATE) { return ml_is_int(a[0]) ? ml_give_int(m, a, -ml_to_int(a[0])) : ml_give_real(m, a, -ml_to_real(a[0])); }
DO(ABS) { return ml_is_int(a[0]) ? ml_give_int(m, a, llabs(ml_to_int(a[0]))) : ml_give_real(m, a, fabs(ml_to_real(a[0]))); }

/* div and mod round down, quot and rem towards zero. */
static enum ml_answer divide(struct ml_machine *m, ml_value *a, int down, int rest) {
  int64_t x = ml_to_int(a[0]), y = ml_to_int(a[1]);
  if (y == 0) return ml_raise(m, ML_EXN_DIV, ML_UNIT);
  int64_t q = x / y;
  if (down && x % y != 0 && (x < 0) != (y < 0)) q--;
  return ml_give_int(m, a, rest ? x - q * y : q);
}
DO(DIV) { return divide(m, a, 1, 0); }
DO(MOD) { return divide(m, a, 1, 1); }
DO(QUOT) { return divide(m, a, 0, 0); }
DO(REM) { return divide(m, a, 0, 1); }
DO(INTINF_QUOT) { return divide(m, a, 0, 0); }
DO(INTINF_REM) { return divide(m, a, 0, 1); }

static int order_of_ints(const ml_value *a) { return ((int64_t)a[0] > (int64_t)a[1]) - ((int64_t)a[0] < (int64_t)a[1]); }
DO(MIN) { return ml_give(a, order_of_ints(a) < 0 ? a[0] : a[1]); }
DO(MAX) { return ml_give(a, order_of_ints(a) > 0 ? a[0] : a[1]); }
DO(INTINF_MIN) { return ml_do_MIN(m, a, site); }
DO(INTINF_MAX) { return ml_do_MAX(m, a, site); }
DO(INT_COMPARE) { return ml_give_order(a, order_of_ints(a)); }
DO(INTINF_COMPARE) { return ml_give_order(a, order_of_ints(a)); }
DO(SIGN) { return ml_give_int(m, a, (ml_to_int(a[0]) > 0) - (ml_to_int(a[0]) < 0)); }
DO(INTINF_FROM_INT) { return ml_give(a, a[0]); }
DO(INTINF_TO_INT) { return ml_give(a, a[0]); }
DO(INT_MAX_INT) { return ml_give_some(m, a, ml_from_int(ML_INT_MAX)); }
DO(INT_MIN_INT) { return ml_give_some(m, a, ml_from_int(-ML_INT_MAX)); }

DO(INTINF_POW) {
  int64_t base = ml_to_int(a[0]), power = 1, n = ml_to_int(a[1]);
  if (n < 0) {
    if (base == 0) return ml_raise(m, ML_EXN_DIV, ML_UNIT);
    return ml_give_int(m, a, base == 1 || (base == -1 && n % 2 == 0) ? 1 : base == -1 ? -1 : 0);
  }
  if (base == -1 && n > 1) n = 2 + n % 2;
  for (; n > 0 && (base != 0 && base != 1); n--)
    if (__builtin_mul_overflow(power, base, &power) || power > ML_INT_MAX || power < -ML_INT_MAX)
      return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  return ml_give_int(m, a, base == 0 && n > 0 ? 0 : power);
}

/* <, <=, >, >= on whatever has an order; nothing is below or above a real that is not a number. */
static int compare(const ml_value *a, int *unordered) {
  *unordered = 0;
  if (!ml_is_int(a[0]) && ml_block(a[0])->tag == ML_BLOCK_REAL) {
    double x = ml_to_real(a[0]), y = ml_to_real(a[1]);
    *unordered = isnan(x) || isnan(y);
    return (x > y) - (x < y);
  }
  return ml_value_compare(a[0], a[1]);
}
#define ORDER(symbol, relation)                                                                                                  \
  DO(symbol) {                                                                                                                   \
    int unordered, order = compare(a, &unordered);                                                                               \
    return ml_give_bool(a, !unordered && order relation 0);                                                                      \
  }
ORDER(LESS, <)
ORDER(LESS_EQUAL, <=)
ORDER(GREATER, >)
ORDER(GREATER_EQUAL, >=)
ORDER(REAL_EQUAL, ==)
static enum ml_answer give_equal(struct ml_machine *m, ml_value *a, int sense) {
  int equal;
  enum ml_answer answer = ml_equal(m, a[0], a[1], &equal);
  ml_give_bool(a, equal == sense);
  return answer;
}
DO(EQUAL) { return give_equal(m, a, 1); }
DO(DIFFERENT) { return give_equal(m, a, 0); }
DO(REAL_COMPARE) {
  int unordered, order = compare(a, &unordered);
  if (unordered) return ml_raise(m, ML_EXN_DOMAIN, ML_UNIT);
  return ml_give_order(a, order);
}

/* Text. */

DO(INT_TO_STRING) {
  char text[32];
  int64_t n = ml_to_int(a[0]);
  int length = snprintf(text, sizeof text, "%s%lld", n < 0 ? "~" : "", (long long)llabs(n));
  return ml_give_string(m, a, text, (size_t)length);
}
DO(INTINF_TO_STRING) { return ml_do_INT_TO_STRING(m, a, site); }

static int is_space(char c) { return c == ' ' || (c >= 9 && c <= 13); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Behind white space and a sign; *minus tells which. */
static const char *skip_sign(const char *at, const char *end, int *minus) {
  while (at < end && is_space(*at)) at++;
  *minus = at < end && (*at == '~' || *at == '-');
  return at < end && (*minus || *at == '+') ? at + 1 : at;
}

DO(INT_FROM_STRING) {
  const struct ml_block *s = ml_block(a[0]);
  int minus;
  const char *end = ml_string_bytes(s) + s->size, *at = skip_sign(ml_string_bytes(s), end, &minus);
  int64_t n = 0;
  if (at == end || !is_digit(*at)) return ml_give(a, ml_from_int(0));
  for (; at < end && is_digit(*at); at++) {
    int digit = *at - '0';
    if (n > (ML_INT_MAX - digit) / 10) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
    n = n * 10 + digit;
  }
  return ml_give_some(m, a, ml_from_int(minus ? -n : n));
}
DO(INTINF_FROM_STRING) { return ml_do_INT_FROM_STRING(m, a, site); }

size_t ml_print_real(double x, char out[40]) {
  if (isnan(x)) return (size_t)snprintf(out, 40, "nan");
  if (isinf(x)) return (size_t)snprintf(out, 40, x < 0 ? "~inf" : "inf");
  char text[40];
  snprintf(text, sizeof text, "%.12g", x);
  return ml_number_as_ml(text, 1, out);
}
DO(REAL_TO_STRING) {
  char text[40];
  return ml_give_string(m, a, text, ml_print_real(ml_to_real(a[0]), text));
}

DO(REAL_FROM_STRING) { /* digits, as far as a real can tell them apart, and a power of ten */
  enum { MOST = 800, HUGE_POWER = 1000 * 1000 };
  const struct ml_block *s = ml_block(a[0]);
  char text[MOST + 40];
  size_t n = 0, kept = 0;
  int64_t shift = 0, power = 0;
  int minus, any = 0;
  const char *end = ml_string_bytes(s) + s->size, *at = skip_sign(ml_string_bytes(s), end, &minus);
  if (minus) text[n++] = '-';
  for (int behind = 0; at < end; at++) {
    if (*at == '.' && !behind && at + 1 < end && is_digit(at[1])) {
      behind = 1;
      continue;
    }
    if (!is_digit(*at)) break;
    int leading = kept == 0 && *at == '0', keep = !leading && kept < MOST;
    any = 1;
    if (keep) text[n++] = *at, kept++;
    if (behind ? keep || leading : !keep && !leading) shift += behind ? -1 : 1;
  }
  if (!any) return ml_give(a, ml_from_int(0));
  if (at + 1 < end && (*at == 'e' || *at == 'E')) {
    int down = at[1] == '~' || at[1] == '-';
    for (at += 1 + (down || at[1] == '+'); at < end && is_digit(*at); at++)
      if (power < HUGE_POWER) power = power * 10 + *at - '0';
    if (down) power = -power;
  }
  enum ml_answer answer = ml_work(m, s->size);
  if (answer != ML_OK) return answer;
  if (kept) snprintf(text + n, sizeof text - n, "e%lld", (long long)(shift + power));
  ml_value x = ml_heap_real(m->heap, kept ? strtod(text, NULL) : 0);
  return x ? ml_give_some(m, a, x) : ML_MEMORY;
}

/* Reals. */

static enum ml_answer to_int(struct ml_machine *m, ml_value *a, double x) {
  if (isnan(x)) return ml_raise(m, ML_EXN_DOMAIN, ML_UNIT);
  if (fabs(x) > (double)ML_INT_MAX) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  return ml_give_int(m, a, (int64_t)x);
}
DO(REAL_FROM_INT) { return ml_give_real(m, a, (double)ml_to_int(a[0])); }
DO(REAL_FROM_LARGE_INT) { return ml_give_real(m, a, (double)ml_to_int(a[0])); }
DO(FLOOR) { return to_int(m, a, floor(ml_to_real(a[0]))); }
DO(CEIL) { return to_int(m, a, ceil(ml_to_real(a[0]))); }
DO(ROUND) { return to_int(m, a, nearbyint(ml_to_real(a[0]))); }
DO(TRUNC) { return to_int(m, a, trunc(ml_to_real(a[0]))); }
DO(REAL_MIN) { return ml_give_real(m, a, fmin(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(REAL_MAX) { return ml_give_real(m, a, fmax(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(REAL_SIGN) {
  double x = ml_to_real(a[0]);
  if (isnan(x)) return ml_raise(m, ML_EXN_DOMAIN, ML_UNIT);
  return ml_give_int(m, a, (x > 0) - (x < 0));
}
#define REAL(symbol, function)                                                                                                   \
  DO(symbol) { return ml_give_real(m, a, function(ml_to_real(a[0]))); }
REAL(SQRT, sqrt)
REAL(EXP, exp)
REAL(LN, log)
REAL(LOG10, log10)
REAL(SIN, sin)
REAL(COS, cos)
REAL(TAN, tan)
REAL(ATAN, atan)
REAL(ASIN, asin)
REAL(ACOS, acos)
DO(POW) { return ml_give_real(m, a, pow(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(ATAN2) { return ml_give_real(m, a, atan2(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(PI) { return ml_give_real(m, a, 3.14159265358979323846); }
DO(E) { return ml_give_real(m, a, 2.7182818284590452354); }
DO(REAL_REM) { return ml_give_real(m, a, fmod(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(REAL_COPY_SIGN) { return ml_give_real(m, a, copysign(ml_to_real(a[0]), ml_to_real(a[1]))); }
DO(REAL_SIGN_BIT) { return ml_give_bool(a, signbit(ml_to_real(a[0]))); }
DO(REAL_IS_NAN) { return ml_give_bool(a, isnan(ml_to_real(a[0]))); }
DO(REAL_IS_FINITE) { return ml_give_bool(a, isfinite(ml_to_real(a[0]))); }
DO(REAL_POS_INF) { return ml_give_real(m, a, INFINITY); }
DO(REAL_NEG_INF) { return ml_give_real(m, a, -INFINITY); }
DO(REAL_MAX_FINITE) { return ml_give_real(m, a, DBL_MAX); }
DO(REAL_MIN_POS) { return ml_give_real(m, a, DBL_TRUE_MIN); }
DO(REAL_MIN_NORMAL_POS) { return ml_give_real(m, a, DBL_MIN); }
