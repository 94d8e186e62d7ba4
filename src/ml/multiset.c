/* multiset.c -- multisets as sorted blocks: sums, differences, multiples.
 *
 * Plain and timed multisets differ only in the stride of their entries (coefficient, value[, time]) and share every loop here.
 * Two multisets are added by one merge; many (the 1`a ++ 1`b ++ ... of initial markings) by collecting all entries and
 * sorting them once. */
#include "ml/multiset.h"

#include "ml/heap.h"
#include "ml/instant.h"

#include <stdlib.h>
#include <string.h>

static const struct ml_block no_entries = {ML_BLOCK_MULTISET, 0, {}}, no_timed_entries = {ML_BLOCK_TIMED, 0, {}};

ml_value ml_multiset_empty(int timed) { return ml_from_block(timed ? &no_timed_entries : &no_entries); }

/* Order of two entries: by value, then by time. */
static int compare_entries(const ml_value *a, const ml_value *b, uint32_t stride) {
  int c;
  if (ml_is_int(a[1]) && ml_is_int(b[1])) c = ((int64_t)a[1] > (int64_t)b[1]) - ((int64_t)a[1] < (int64_t)b[1]);
  else c = ml_value_compare(a[1], b[1]);
  if (c || stride == 2) return c;
  return ((int64_t)a[2] > (int64_t)b[2]) - ((int64_t)a[2] < (int64_t)b[2]);
}

static int compare_plain(const void *a, const void *b) { return compare_entries(a, b, 2); }
static int compare_timed(const void *a, const void *b) { return compare_entries(a, b, 3); }

/* A sum of coefficients in place; 0 if it is too large. */
static int add_coefficient(ml_value *to, ml_value what) {
  int64_t sum = ml_to_int(*to) + ml_to_int(what);
  *to = ml_from_int(sum);
  return sum <= ML_INT_MAX;
}

/* A block that was made `size` fields large at the end of the heap needs only `used`: the rest goes back. */
static void trim(struct ml_heap *h, struct ml_block *b, uint32_t used) {
  if ((char *)(b->field + b->size) == h->next) h->next = (char *)(b->field + used);
  b->size = used;
}

enum ml_sum ml_multiset_single(struct ml_heap *h, int64_t coefficient, ml_value value, ml_value *out) {
  if (coefficient <= 0) {
    *out = ml_multiset_empty(0);
    return ML_SUM_OK;
  }
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_MULTISET, 2, 2);
  if (!b) return ML_SUM_MEMORY;
  b->field[0] = ml_from_int(coefficient);
  b->field[1] = value;
  *out = ml_from_block(b);
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_add(struct ml_heap *h, ml_value v, ml_value w, ml_value *out) {
  const struct ml_block *a = ml_block(v), *b = ml_block(w);
  if (a->size == 0 || b->size == 0) {
    *out = a->size == 0 ? w : v;
    return ML_SUM_OK;
  }
  uint32_t stride = ml_multiset_stride(a), i = 0, j = 0, n = 0, most = a->size + b->size;
  if (most < a->size) return ML_SUM_MEMORY;
  size_t entry = stride * sizeof(ml_value);
  struct ml_block *sum = ml_heap_cut(h, a->tag, most, most);
  if (!sum) return ML_SUM_MEMORY;
  while (i < a->size && j < b->size) {
    int c = compare_entries(a->field + i, b->field + j, stride);
    memcpy(sum->field + n, c <= 0 ? a->field + i : b->field + j, entry);
    if (c == 0 && !add_coefficient(sum->field + n, b->field[j])) return ML_SUM_OVERFLOW;
    if (c <= 0) i += stride;
    if (c >= 0) j += stride;
    n += stride;
  }
  memcpy(sum->field + n, a->field + i, (a->size - i) * sizeof(ml_value));
  n += a->size - i;
  memcpy(sum->field + n, b->field + j, (b->size - j) * sizeof(ml_value));
  n += b->size - j;
  trim(h, sum, n);
  *out = ml_from_block(sum);
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_canonical(struct ml_block *b) {
  uint32_t stride = ml_multiset_stride(b), n = 0;
  int sorted = 1;
  for (uint32_t i = stride; i < b->size && sorted; i += stride)
    sorted = compare_entries(b->field + i - stride, b->field + i, stride) < 0;
  if (!sorted) qsort(b->field, b->size / stride, stride * sizeof(ml_value), stride == 3 ? compare_timed : compare_plain);
  for (uint32_t i = 0; i < b->size; i += stride) {
    if (ml_to_int(b->field[i]) <= 0) continue;
    if (n && compare_entries(b->field + n - stride, b->field + i, stride) == 0) {
      if (!add_coefficient(b->field + n - stride, b->field[i])) return ML_SUM_OVERFLOW;
      continue;
    }
    if (n != i) memmove(b->field + n, b->field + i, stride * sizeof(ml_value));
    n += stride;
  }
  b->size = n;
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_add_many(struct ml_heap *h, const ml_value *part, uint32_t count, int timed, ml_value *out) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++) most += ml_block(part[i])->size;
  if (most > UINT32_MAX) return ML_SUM_MEMORY;
  if (most == 0) {
    *out = ml_multiset_empty(timed);
    return ML_SUM_OK;
  }
  struct ml_block *b = ml_heap_cut(h, timed ? ML_BLOCK_TIMED : ML_BLOCK_MULTISET, (uint32_t)most, most);
  if (!b) return ML_SUM_MEMORY;
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct ml_block *p = ml_block(part[i]);
    memcpy(b->field + n, p->field, p->size * sizeof(ml_value));
    n += p->size;
  }
  *out = ml_from_block(b);
  return ml_multiset_canonical(b);
}

enum ml_sum ml_multiset_subtract(struct ml_heap *h, ml_value from, ml_value what, ml_value *out) {
  const struct ml_block *a = ml_block(from), *b = ml_block(what);
  if (b->size == 0) {
    *out = from;
    return ML_SUM_OK;
  }
  uint32_t stride = ml_multiset_stride(a), i = 0, j = 0, n = 0;
  if (a->size == 0) return ML_SUM_MISSING;
  struct ml_block *rest = ml_heap_cut(h, a->tag, a->size, a->size);
  if (!rest) return ML_SUM_MEMORY;
  for (; i < a->size; i += stride) {
    int c = j < b->size ? compare_entries(a->field + i, b->field + j, stride) : -1;
    if (c > 0) return ML_SUM_MISSING;
    int64_t left = ml_to_int(a->field[i]);
    if (c == 0) {
      left -= ml_to_int(b->field[j]);
      j += stride;
    }
    if (left < 0) return ML_SUM_MISSING;
    if (left == 0) continue;
    memcpy(rest->field + n, a->field + i, stride * sizeof(ml_value));
    rest->field[n] = ml_from_int(left);
    n += stride;
  }
  if (j < b->size) return ML_SUM_MISSING;
  trim(h, rest, n);
  *out = ml_from_block(rest);
  return ML_SUM_OK;
}

/* A copy whose coefficients or times may be changed. */
static struct ml_block *duplicate(struct ml_heap *h, const struct ml_block *a) {
  struct ml_block *b = ml_heap_cut(h, a->tag, a->size, a->size);
  if (b) memcpy(b->field, a->field, a->size * sizeof(ml_value));
  return b;
}

enum ml_sum ml_multiset_scale(struct ml_heap *h, int64_t by, ml_value v, ml_value *out) {
  const struct ml_block *a = ml_block(v);
  if (by <= 0 || a->size == 0) {
    *out = ml_multiset_empty(a->tag == ML_BLOCK_TIMED);
    return ML_SUM_OK;
  }
  struct ml_block *b = duplicate(h, a);
  if (!b) return ML_SUM_MEMORY;
  for (uint32_t i = 0; i < b->size; i += ml_multiset_stride(b)) {
    int64_t product;
    if (__builtin_mul_overflow(ml_to_int(b->field[i]), by, &product) || product > ML_INT_MAX) return ML_SUM_OVERFLOW;
    b->field[i] = ml_from_int(product);
  }
  *out = ml_from_block(b);
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_from_list(struct ml_heap *h, ml_value list, ml_value *out) {
  uint64_t n = 0;
  for (ml_value v = list; !ml_is_int(v); v = ml_block(v)->field[1]) n++;
  if (n > UINT32_MAX / 2) return ML_SUM_MEMORY;
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_MULTISET, (uint32_t)(2 * n), 2 * n);
  if (!b) return ML_SUM_MEMORY;
  ml_value *at = b->field;
  for (ml_value v = list; !ml_is_int(v); v = ml_block(v)->field[1]) {
    *at++ = ml_from_int(1);
    *at++ = ml_block(v)->field[0];
  }
  *out = ml_from_block(b);
  return ml_multiset_canonical(b);
}

enum ml_sum ml_multiset_at(struct ml_heap *h, ml_value v, int64_t time, ml_value *out) {
  const struct ml_block *a = ml_block(v);
  uint64_t size = (uint64_t)a->size / 2 * 3;
  if (size > UINT32_MAX) return ML_SUM_MEMORY;
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_TIMED, (uint32_t)size, size);
  if (!b) return ML_SUM_MEMORY;
  for (uint32_t i = 0, j = 0; i < a->size; i += 2, j += 3) {
    b->field[j] = a->field[i];
    b->field[j + 1] = a->field[i + 1];
    b->field[j + 2] = ml_from_int(time);
  }
  *out = ml_from_block(b);
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_later(struct ml_heap *h, ml_value v, int64_t by, int real, ml_value *out) {
  struct ml_block *b = duplicate(h, ml_block(v));
  if (!b) return ML_SUM_MEMORY;
  for (uint32_t i = 2; i < b->size; i += 3) {
    int64_t time = instant_add(real, ml_to_int(b->field[i]), by);
    if (time == INSTANT_NONE) return ML_SUM_OVERFLOW;
    b->field[i] = ml_from_int(time);
  }
  *out = ml_from_block(b);
  return ML_SUM_OK;
}

enum ml_sum ml_multiset_untimed(struct ml_heap *h, ml_value v, ml_value *out) {
  const struct ml_block *a = ml_block(v);
  uint32_t size = a->size / 3 * 2;
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_MULTISET, size, size);
  if (!b) return ML_SUM_MEMORY;
  for (uint32_t i = 0, j = 0; i < a->size; i += 3, j += 2) {
    b->field[j] = a->field[i];
    b->field[j + 1] = a->field[i + 1];
  }
  *out = ml_from_block(b);
  return ml_multiset_canonical(b);
}

int64_t ml_multiset_size(ml_value v) {
  const struct ml_block *b = ml_block(v);
  int64_t size = 0;
  for (uint32_t i = 0; i < b->size; i += ml_multiset_stride(b)) {
    size += ml_to_int(b->field[i]);
    if (size > ML_INT_MAX) return -1;
  }
  return size;
}

int64_t ml_multiset_coefficient(ml_value v, ml_value value) {
  const struct ml_block *b = ml_block(v);
  uint32_t stride = ml_multiset_stride(b), low = 0, high = b->size / stride;
  while (low < high) { /* the first entry that is not below */
    uint32_t middle = low + (high - low) / 2;
    if (ml_value_compare(b->field[middle * stride + 1], value) < 0) low = middle + 1;
    else high = middle;
  }
  int64_t sum = 0;
  for (uint32_t i = low * stride; i < b->size && ml_value_compare(b->field[i + 1], value) == 0; i += stride)
    sum += ml_to_int(b->field[i]);
  return sum;
}

int ml_multiset_contains(ml_value larger, ml_value smaller) {
  const struct ml_block *a = ml_block(larger), *b = ml_block(smaller);
  uint32_t stride = ml_multiset_stride(a), i = 0, j = 0;
  while (j < b->size) {
    int c = i < a->size ? compare_entries(a->field + i, b->field + j, stride) : 1;
    if (c > 0) return 0;
    if (c == 0 && (int64_t)a->field[i] < (int64_t)b->field[j]) return 0;
    i += stride;
    if (c == 0) j += stride;
  }
  return 1;
}
