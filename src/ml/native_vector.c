/* native_vector.c -- vectors: a tuple block with as many fields as there are elements.  Nobody changes one: Vector.update makes another.
 *
 * An array is a reference to such a block, which nobody else has; so arrays are equal if they are the same, and the machine sees which run has made one (native.c). */
#include "ml/native.h"

#include <string.h>

static struct ml_block *fresh(struct ml_machine *m, uint64_t length) { return length > UINT32_MAX ? NULL : ml_heap_block(m->heap, ML_BLOCK_TUPLE, (uint32_t)length); }

DO(VECTOR_FROM_LIST) {
  uint64_t n = ml_list_length(a[0]), i = 0;
  enum ml_answer answer = ml_work(m, n);
  if (answer != ML_OK) return answer;
  struct ml_block *b = fresh(m, n);
  if (!b) return ML_MEMORY;
  for (ML_EACH(cell, a[0])) b->field[i++] = cell->field[0];
  return ml_give_block(a, b);
}

DO(VECTOR_TO_LIST) {
  const struct ml_block *v = ml_block(a[0]);
  struct ml_line line;
  ml_line_open(&line);
  enum ml_answer answer = ml_work(m, v->size);
  if (answer != ML_OK) return answer;
  for (uint32_t i = 0; i < v->size; i++)
    if (ml_line_add(&line, m->heap, v->field[i])) return ML_MEMORY;
  return ml_give(a, line.first);
}

DO(VECTOR_LENGTH) { return ml_give_int(m, a, ml_block(a[0])->size); }

static int outside(const ml_value *a) { return ml_to_int(a[1]) < 0 || ml_to_int(a[1]) >= ml_block(a[0])->size; }

DO(VECTOR_SUB) {
  if (outside(a)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  return ml_give(a, ml_block(a[0])->field[ml_to_int(a[1])]);
}

DO(VECTOR_UPDATE) {
  if (outside(a)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  const struct ml_block *v = ml_block(a[0]);
  enum ml_answer answer = ml_work(m, v->size);
  if (answer != ML_OK) return answer;
  struct ml_block *b = fresh(m, v->size);
  if (!b) return ML_MEMORY;
  memcpy(b->field, v->field, v->size * sizeof *v->field);
  b->field[ml_to_int(a[1])] = a[2];
  return ml_give_block(a, b);
}

DO(VECTOR_CONCAT) {
  uint64_t n = 0, parts = 0;
  for (ML_EACH(part, a[0])) n += ml_block(part->field[0])->size, parts++;
  enum ml_answer answer = ml_work(m, n + parts);
  if (answer != ML_OK) return answer;
  struct ml_block *b = fresh(m, n);
  if (!b) return ML_MEMORY;
  n = 0;
  for (ML_EACH(one, a[0])) {
    const struct ml_block *v = ml_block(one->field[0]);
    if (v->size) memcpy(b->field + n, v->field, v->size * sizeof *v->field);
    n += v->size;
  }
  return ml_give_block(a, b);
}

/* Arrays. */

enum { LONGEST = 100 * 1000 * 1000 };

static enum ml_answer give_array(struct ml_machine *m, ml_value *a, const struct ml_block *elements) {
  a[0] = ml_from_block(elements);
  return ml_do_REF(m, a, NULL);
}
static struct ml_block *elements(ml_value array) { return (struct ml_block *)(uintptr_t)ml_block(array)->field[0]; }
static int beyond(const ml_value *a) { return ml_to_int(a[1]) < 0 || ml_to_int(a[1]) >= elements(a[0])->size; }

DO(ARRAY_MAKE) {
  int64_t n = ml_to_int(a[0]);
  if (n < 0 || n > LONGEST) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  enum ml_answer answer = ml_work(m, (uint64_t)n);
  if (answer != ML_OK) return answer;
  struct ml_block *b = fresh(m, (uint64_t)n);
  if (!b) return ML_MEMORY;
  for (int64_t i = 0; i < n; i++) b->field[i] = a[1];
  return give_array(m, a, b);
}

DO(ARRAY_FROM_LIST) {
  enum ml_answer answer = ml_do_VECTOR_FROM_LIST(m, a, site);
  return answer == ML_OK ? give_array(m, a, ml_block(a[0])) : answer;
}

DO(ARRAY_LENGTH) { return ml_give_int(m, a, elements(a[0])->size); }

DO(ARRAY_SUB) {
  if (beyond(a)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  return ml_give(a, elements(a[0])->field[ml_to_int(a[1])]);
}

DO(ARRAY_UPDATE) {
  if (beyond(a)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  if (!ml_may_change(m, a[0])) return ML_STEPS;
  elements(a[0])->field[ml_to_int(a[1])] = a[2];
  return ml_give(a, ML_UNIT);
}

DO(ARRAY_VECTOR) {
  const struct ml_block *v = elements(a[0]);
  enum ml_answer answer = ml_work(m, v->size);
  if (answer != ML_OK) return answer;
  struct ml_block *b = fresh(m, v->size);
  if (!b) return ML_MEMORY;
  if (v->size) memcpy(b->field, v->field, v->size * sizeof *v->field);
  return ml_give_block(a, b);
}
