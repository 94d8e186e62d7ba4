/* native_multiset.c -- multisets: operators and conversions.  The arithmetic is multiset.c's. */
#include "ml/native.h"

static enum ml_answer pay(struct ml_machine *m, ml_value x, ml_value y) {
  return ml_work(m, (uint64_t)ml_block(x)->size + ml_block(y)->size);
}

DO(MS_EMPTY) { return ml_give(a, ml_multiset_empty(0)); }

static enum ml_answer add(struct ml_machine *m, ml_value *a) {
  enum ml_answer answer = pay(m, a[0], a[1]);
  return answer == ML_OK ? ml_give_sum(m, ml_multiset_add(m->heap, a[0], a[1], a)) : answer;
}
DO(MS_ADD) { return add(m, a); }
DO(TMS_ADD) { return add(m, a); }

static enum ml_answer subtract(struct ml_machine *m, ml_value *a) {
  enum ml_answer answer = pay(m, a[0], a[1]);
  return answer == ML_OK ? ml_give_sum(m, ml_multiset_subtract(m->heap, a[0], a[1], a)) : answer;
}
DO(MS_SUBTRACT) { return subtract(m, a); }
DO(TMS_SUBTRACT) { return subtract(m, a); }

DO(MS_SCALE) {
  enum ml_answer answer = pay(m, a[1], a[1]);
  return answer == ML_OK ? ml_give_sum(m, ml_multiset_scale(m->heap, ml_to_int(a[0]), a[1], a)) : answer;
}

DO(MS_EQUAL) { return ml_give_bool(a, ml_value_compare(a[0], a[1]) == 0); }
DO(MS_DIFFERENT) { return ml_give_bool(a, ml_value_compare(a[0], a[1]) != 0); }
DO(MS_LESS_EQUAL) { return ml_give_bool(a, ml_multiset_contains(a[1], a[0])); }
DO(MS_GREATER_EQUAL) { return ml_give_bool(a, ml_multiset_contains(a[0], a[1])); }
DO(MS_LESS) { return ml_give_bool(a, ml_multiset_contains(a[1], a[0]) && ml_value_compare(a[0], a[1]) != 0); }
DO(MS_GREATER) { return ml_give_bool(a, ml_multiset_contains(a[0], a[1]) && ml_value_compare(a[0], a[1]) != 0); }

DO(MS_IF) { /* [conditions] % value: one of it, or nothing */
  ml_value truth = a[0];
  enum ml_answer answer = ml_all_true(m, &truth, site);
  if (answer != ML_OK) return answer;
  return ml_give_sum(m, ml_multiset_single(m->heap, ml_to_int(truth), a[1], a));
}
DO(MS_IF_ALL) { /* [conditions] // tokens */
  ml_value truth = a[0];
  enum ml_answer answer = ml_all_true(m, &truth, site);
  if (answer != ML_OK) return answer;
  return ml_give(a, ml_to_int(truth) ? a[1] : ml_multiset_empty(ml_block(a[1])->tag == ML_BLOCK_TIMED));
}

DO(MS_CF) { return ml_give_int(m, a, ml_multiset_coefficient(a[1], a[0])); }
DO(TMS_CF) { return ml_give_int(m, a, ml_multiset_coefficient(a[1], a[0])); }

static enum ml_answer size(struct ml_machine *m, ml_value *a) {
  int64_t n = ml_multiset_size(a[0]);
  return n < 0 ? ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT) : ml_give_int(m, a, n);
}
DO(MS_SIZE) { return size(m, a); }
DO(TMS_SIZE) { return size(m, a); }

DO(MS_TO_LIST) {
  const struct ml_block *b = ml_block(a[0]);
  struct ml_line line;
  int64_t tokens = ml_multiset_size(a[0]);
  enum ml_answer answer = ml_work(m, tokens < 0 ? (uint64_t)ML_INT_MAX : (uint64_t)tokens);
  if (answer != ML_OK) return answer;
  ml_line_open(&line);
  for (uint32_t i = 0; i < b->size; i += 2)
    for (int64_t n = ml_to_int(b->field[i]); n > 0; n--)
      if (ml_line_add(&line, m->heap, b->field[i + 1])) return ML_MEMORY;
  return ml_give(a, line.first);
}
DO(LIST_TO_MS) {
  enum ml_answer answer = ml_work(m, ml_list_length(a[0]));
  return answer == ML_OK ? ml_give_sum(m, ml_multiset_from_list(m->heap, a[0], a)) : answer;
}
DO(MS_TO_COL) { /* the one value of a multiset */
  const struct ml_block *b = ml_block(a[0]);
  if (b->size != 2 || b->field[0] != ml_from_int(1)) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  return ml_give(a, b->field[1]);
}
DO(TMS_MS) { return ml_give_sum(m, ml_multiset_untimed(m->heap, a[0], a)); }
