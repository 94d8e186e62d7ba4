/* native_string.c -- strings and chars: bytes, as SML has them. */
#include "ml/native.h"

#include "ml/print.h"

#include <stdio.h>
#include <string.h>

static uint32_t length_of(ml_value s) { return ml_block(s)->size; }
static const char *bytes_of(ml_value s) { return ml_string_bytes(ml_block(s)); }

/* A string that is filled in by the caller. */
static char *fresh(struct ml_machine *m, ml_value *a, uint64_t length) {
  struct ml_block *b = length > UINT32_MAX ? NULL : ml_heap_string(m->heap, NULL, length);
  if (!b) return NULL;
  *a = ml_from_block(b);
  return (char *)b->field;
}

DO(CONCATENATE) {
  ml_value x = a[0], y = a[1];
  enum ml_answer answer = ml_work(m, ((uint64_t)length_of(x) + length_of(y)) / 8);
  if (answer != ML_OK) return answer;
  char *at = fresh(m, a, (uint64_t)length_of(x) + length_of(y));
  if (!at) return ML_MEMORY;
  memcpy(at, bytes_of(x), length_of(x));
  memcpy(at + length_of(x), bytes_of(y), length_of(y));
  return ML_OK;
}

static enum ml_answer join(struct ml_machine *m, ml_value *a, ml_value between, ml_value list) {
  uint64_t length = 0, n = 0, gap = between ? length_of(between) : 0;
  for (ML_EACH(cell, list)) {
    length += length_of(cell->field[0]) + (n > 0 ? gap : 0);
    n++;
  }
  enum ml_answer answer = ml_work(m, n + length / 8);
  if (answer != ML_OK) return answer;
  char *at = fresh(m, a, length);
  if (!at) return ML_MEMORY;
  int first = 1;
  for (ML_EACH(part, list)) {
    if (!first && gap) {
      memcpy(at, bytes_of(between), gap);
      at += gap;
    }
    first = 0;
    memcpy(at, bytes_of(part->field[0]), length_of(part->field[0]));
    at += length_of(part->field[0]);
  }
  return ML_OK;
}
DO(STRING_CONCAT) { return join(m, a, 0, a[0]); }
DO(STRING_CONCAT_WITH) { return join(m, a, a[0], a[1]); }

DO(STRING_SIZE) { return ml_give_int(m, a, length_of(a[0])); }
DO(STRING_SUB) {
  int64_t i = ml_to_int(a[1]);
  if (i < 0 || i >= length_of(a[0])) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  return ml_give(a, ml_from_int((unsigned char)bytes_of(a[0])[i]));
}

static enum ml_answer part(struct ml_machine *m, ml_value *a, int64_t from, int64_t length) {
  int64_t whole = length_of(a[0]);
  if (from < 0 || length < 0 || from > whole || length > whole - from) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  ml_value s = a[0];
  char *at = fresh(m, a, (uint64_t)length);
  if (!at) return ML_MEMORY;
  memcpy(at, bytes_of(s) + from, (size_t)length);
  return ML_OK;
}
DO(SUBSTRING) { return part(m, a, ml_to_int(a[1]), ml_to_int(a[2])); }
DO(STRING_EXTRACT) { /* NONE: up to the end */
  int64_t from = ml_to_int(a[1]);
  return part(m, a, from, ml_is_int(a[2]) ? (int64_t)length_of(a[0]) - from : ml_to_int(ml_block(a[2])->field[1]));
}

DO(IMPLODE) {
  uint64_t n = ml_list_length(a[0]);
  ml_value list = a[0];
  enum ml_answer answer = ml_work(m, n);
  if (answer != ML_OK) return answer;
  char *at = fresh(m, a, n);
  if (!at) return ML_MEMORY;
  for (ML_EACH(cell, list)) *at++ = (char)ml_to_int(cell->field[0]);
  return ML_OK;
}
DO(EXPLODE) {
  struct ml_line line;
  ml_line_open(&line);
  enum ml_answer answer = ml_work(m, length_of(a[0]));
  if (answer != ML_OK) return answer;
  for (uint32_t i = 0, n = length_of(a[0]); i < n; i++)
    if (ml_line_add(&line, m->heap, ml_from_int((unsigned char)bytes_of(a[0])[i]))) return ML_MEMORY;
  return ml_give(a, line.first);
}
DO(STR) {
  char c = (char)ml_to_int(a[0]);
  return ml_give_string(m, a, &c, 1);
}
DO(STRING_COMPARE) { return ml_give_order(a, ml_value_compare(a[0], a[1])); }

DO(IS_PREFIX) {
  uint32_t n = length_of(a[0]);
  return ml_give_bool(a, n <= length_of(a[1]) && memcmp(bytes_of(a[0]), bytes_of(a[1]), n) == 0);
}
DO(IS_SUFFIX) {
  uint32_t n = length_of(a[0]), whole = length_of(a[1]);
  return ml_give_bool(a, n <= whole && memcmp(bytes_of(a[0]), bytes_of(a[1]) + (whole - n), n) == 0);
}
DO(IS_SUBSTRING) {
  uint32_t n = length_of(a[0]), whole = length_of(a[1]);
  int there = 0;
  for (uint32_t i = 0; n <= whole && i <= whole - n && !there; i++) there = memcmp(bytes_of(a[0]), bytes_of(a[1]) + i, n) == 0;
  ml_give_bool(a, there);
  return ml_work(m, whole);
}

size_t ml_print_char(unsigned char c, char out[8]) {
  static const char named[] = "abtnvfr"; /* 7 .. 13 */
  if (c == '"' || c == '\\') return (size_t)snprintf(out, 8, "\\%c", c);
  if (c >= 7 && c <= 13) return (size_t)snprintf(out, 8, "\\%c", named[c - 7]);
  if (c < 32) return (size_t)snprintf(out, 8, "\\^%c", c + 64);
  if (c >= 127) return (size_t)snprintf(out, 8, "\\%03u", c);
  out[0] = (char)c;
  out[1] = 0;
  return 1;
}
static enum ml_answer escape(struct ml_machine *m, ml_value *a, const char *bytes, uint32_t n) {
  char one[8];
  uint64_t length = 0;
  for (uint32_t i = 0; i < n; i++) length += ml_print_char((unsigned char)bytes[i], one);
  char *at = fresh(m, a, length);
  if (!at) return ML_MEMORY;
  for (uint32_t i = 0; i < n; i++) {
    size_t k = ml_print_char((unsigned char)bytes[i], one);
    memcpy(at, one, k);
    at += k;
  }
  return ml_work(m, n);
}
DO(STRING_TO_STRING) { return escape(m, a, bytes_of(a[0]), length_of(a[0])); }
DO(CHAR_TO_STRING) {
  char c = (char)ml_to_int(a[0]);
  return escape(m, a, &c, 1);
}

static enum ml_answer give_char(struct ml_machine *m, ml_value *a, int64_t c) {
  if (c < 0 || c > 255) return ml_raise(m, ML_EXN_CHR, ML_UNIT);
  return ml_give(a, ml_from_int(c));
}
DO(CHAR_ORD) { return ml_give(a, a[0]); }
DO(CHAR_CHR) { return give_char(m, a, ml_to_int(a[0])); }
DO(CHAR_SUCC) { return give_char(m, a, ml_to_int(a[0]) + 1); }
DO(CHAR_PRED) { return give_char(m, a, ml_to_int(a[0]) - 1); }
DO(CHAR_COMPARE) { return ml_do_INT_COMPARE(m, a, site); }
DO(CHAR_TO_UPPER) {
  int64_t c = ml_to_int(a[0]);
  return ml_give(a, ml_from_int(c >= 'a' && c <= 'z' ? c - 32 : c));
}
DO(CHAR_TO_LOWER) {
  int64_t c = ml_to_int(a[0]);
  return ml_give(a, ml_from_int(c >= 'A' && c <= 'Z' ? c + 32 : c));
}
