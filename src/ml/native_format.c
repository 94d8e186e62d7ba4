/* native_format.c -- numbers as somebody wants them written: StringCvt's radixes and formats; what an exception is called.
 *
 * SCI and FIX have six digits behind the point where nothing else is said, GEN twelve in all and an exponent where it is below ~4 or there is no room for all digits before the point: as SML/NJ does it, and
 * as Real.toString does, which is GEN NONE.  EXACT is the shortest fraction that is read as the same number. */
#include "ml/native.h"

#include "ml/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCI, FIX, GEN };         /* constructors of StringCvt.realfmt, see basis.c */
enum { MOST_DIGITS = 100 * 1000 }; /* beyond it a format raises Size */

static enum ml_answer in_radix(struct ml_machine *m, ml_value *a) {
  static const unsigned radix[] = {2, 8, 10, 16};
  char text[80], *at = text + sizeof text;
  int64_t n = ml_to_int(a[1]);
  uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
  unsigned base = radix[ml_to_int(a[0])];
  do *--at = "0123456789ABCDEF"[left % base];
  while (left /= base);
  if (n < 0) *--at = '~';
  return ml_give_string(m, a, at, (size_t)(text + sizeof text - at));
}
DO(INT_FMT) { return in_radix(m, a); }
DO(INTINF_FMT) { return in_radix(m, a); }

size_t ml_number_as_ml(const char *text, int point, char *out) {
  size_t n = 0;
  int whole = point;
  for (const char *c = text; *c; c++) {
    if (*c == '.') whole = 0;
    if (*c == '-') out[n++] = '~';
    else if (*c == 'e') {
      whole = 0;
      out[n++] = 'E';
      if (c[1] == '-') out[n++] = '~';
      c++;
      while (c[1] == '0' && c[2]) c++;
    } else out[n++] = *c;
  }
  if (whole) {
    out[n++] = '.';
    out[n++] = '0';
  }
  out[n] = 0;
  return n;
}

static enum ml_answer exact(struct ml_machine *m, ml_value *a, double x) {
  char text[40], out[40];
  size_t n = 0, digits = 0;
  if (signbit(x)) out[n++] = '~';
  if (x == 0) return ml_give_string(m, a, "~0.0" + !n, 3 + n);
  for (int more = 0; more < 17; more++) {
    snprintf(text, sizeof text, "%.*e", more, fabs(x));
    if (strtod(text, NULL) == fabs(x)) break;
  }
  out[n++] = '0';
  out[n++] = '.';
  for (const char *c = text; *c && *c != 'e'; c++)
    if (*c != '.') out[n + digits++] = *c;
  while (digits > 1 && out[n + digits - 1] == '0') digits--;
  n += digits;
  int power = atoi(strchr(text, 'e') + 1) + 1;
  if (power) n += (size_t)snprintf(out + n, sizeof out - n, "E%s%d", power < 0 ? "~" : "", abs(power));
  return ml_give_string(m, a, out, n);
}

DO(REAL_FMT) {
  double x = ml_to_real(a[1]);
  const struct ml_block *spec = ml_is_int(a[0]) ? NULL : ml_block(a[0]);
  int64_t kind = spec ? ml_to_int(spec->field[0]) : 0, digits = kind == GEN ? 12 : 6;
  if (spec && !ml_is_int(spec->field[1])) digits = ml_to_int(ml_block(spec->field[1])->field[1]);
  if (digits < (kind == GEN) || digits > MOST_DIGITS) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  if (isnan(x)) return ml_give_string(m, a, "nan", 3);
  if (isinf(x)) return x < 0 ? ml_give_string(m, a, "~inf", 4) : ml_give_string(m, a, "inf", 3);
  if (!spec) return exact(m, a, x);
  const char *format = kind == SCI ? "%.*e" : kind == FIX ? "%.*f" : "%.*g";
  enum ml_answer answer = ml_work(m, (uint64_t)digits);
  if (answer != ML_OK) return answer;
  size_t length = (size_t)digits + 400; /* a sign, 309 digits before the point, the point, an exponent */
  char *text = mem_alloc(m->mem, MEM_MODEL, 2 * length);
  if (!text) return ML_MEMORY;
  snprintf(text, length, format, (int)digits, x);
  answer = ml_give_string(m, a, text + length, ml_number_as_ml(text, kind == GEN, text + length));
  mem_free(m->mem, text);
  return answer;
}

/* Exceptions. */

static uint64_t number_of(ml_value exception) { return (uint64_t)ml_to_int(ml_block(exception)->field[0]); }

DO(EXN_NAME) {
  uint64_t number = number_of(a[0]);
  const char *name = number < m->ml->exceptions.count ? m->ml->exceptions.at[number]->name : "?";
  return ml_give_string(m, a, name, strlen(name));
}

/* As SML/NJ has them; those of the net are told by their names. */
DO(EXN_MESSAGE) {
  static const char *const message[ML_EXNS] = {[ML_EXN_MATCH] = "nonexhaustive match failure", [ML_EXN_BIND] = "nonexhaustive binding failure", [ML_EXN_DIV] = "divide by zero",
                                               [ML_EXN_OVERFLOW] = "overflow",                 [ML_EXN_SUBSCRIPT] = "subscript out of bounds",   [ML_EXN_SIZE] = "size",
                                               [ML_EXN_DOMAIN] = "domain error"};
  uint64_t number = number_of(a[0]);
  if (number < ML_EXNS && message[number]) return ml_give_string(m, a, message[number], strlen(message[number]));
  if (number != ML_EXN_FAIL) return ml_do_EXN_NAME(m, a, site);
  const struct ml_block *text = ml_block(ml_block(a[0])->field[1]);
  struct ml_block *whole = ml_heap_string(m->heap, NULL, (size_t)text->size + 6);
  if (!whole) return ML_MEMORY;
  memcpy(whole->field, "Fail: ", 6);
  memcpy((char *)whole->field + 6, ml_string_bytes(text), text->size);
  return ml_give_block(a, whole);
}
