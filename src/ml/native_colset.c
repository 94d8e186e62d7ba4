/* native_colset.c -- the functions that each colour set has: all, size, ord, col, mkstr, legal, lt, mult, and those of parts.
 *
 * Predicates of subsets run on the same machine, above the window of the caller; the stack may move meanwhile, so the place of
 * the result is kept as a number. */
#include "ml/native.h"

#include "ml/colset.h"

enum { MOST_VALUES = 50 * 1000 * 1000 };

struct line_of {
  struct ml_machine *machine;
  struct ml_line line;
  uint64_t skip; /* col: values before the one */
  ml_value found;
  enum ml_answer answer;
};

static int add_value(void *data, ml_value v) {
  struct line_of *l = data;
  if ((l->answer = ml_work(l->machine, 8)) != ML_OK) return -1;
  if (ml_line_add(&l->line, l->machine->heap, v)) l->answer = ML_MEMORY;
  return l->answer != ML_OK;
}

DO(COLSET_ALL) {
  struct line_of l = {.machine = m, .answer = ML_OK};
  size_t at = (size_t)(a - m->stack);
  if (ml_colset_size(site->colset, MOST_VALUES) == 0) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  ml_line_open(&l.line);
  if (ml_colset_values(m, site->colset, m->heap, add_value, &l)) return l.answer == ML_OK ? ML_MEMORY : l.answer;
  return ml_give_sum(m, ml_multiset_from_list(m->heap, l.line.first, m->stack + at));
}

DO(COLSET_SIZE) {
  uint64_t n = ml_colset_size(site->colset, ML_INT_MAX);
  return n ? ml_give_int(m, a, (int64_t)n) : ml_raise(m, ML_EXN_SIZE, ML_UNIT);
}

DO(COLSET_ORD) {
  if (ml_colset_size(site->colset, ML_INT_MAX) == 0) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  ml_value v = a[0];
  size_t at = (size_t)(a - m->stack);
  int belongs = ml_belongs(m, site->colset, v);
  if (belongs < 0) return m->answer;
  if (!belongs) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  return ml_give_int(m, m->stack + at, (int64_t)ml_colset_rank(site->colset, v));
}

static int stop_there(void *data, ml_value v) {
  struct line_of *l = data;
  if ((l->answer = ml_work(l->machine, 8)) != ML_OK) return -1;
  if (l->skip-- == 0) l->found = v;
  return l->found != 0;
}

DO(COLSET_COL) {
  int64_t n = ml_to_int(a[0]);
  size_t at = (size_t)(a - m->stack);
  const struct ml_colset *c = site->colset;
  uint64_t size = ml_colset_size(c, ML_INT_MAX);
  if (n < 0 || (uint64_t)n >= size) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  if (c->kind == ML_COLSET_INT || c->kind == ML_COLSET_ENUM)
    return ml_give_int(m, a, n + (c->kind == ML_COLSET_INT ? c->low : 0));
  struct line_of l = {.machine = m, .skip = (uint64_t)n, .answer = ML_OK};
  ml_colset_values(m, c, m->heap, stop_there, &l);
  if (!l.found) return l.answer == ML_OK ? ML_MEMORY : l.answer;
  return ml_give(m->stack + at, l.found);
}

static enum ml_answer give_printed(struct ml_machine *m, ml_value *a, const struct ml_colset *c,
                                   size_t (*print)(const struct ml_colset *, ml_value, char *, size_t)) {
  size_t length = print(c, a[0], NULL, 0);
  enum ml_answer answer = ml_work(m, length);
  if (answer != ML_OK) return answer;
  struct ml_block *b = ml_heap_string(m->heap, NULL, length + 1);
  if (!b) return ML_MEMORY;
  print(c, a[0], (char *)b->field, length + 1);
  if ((length & 7) == 0) m->heap->next -= 8; /* the room of the final zero */
  b->size = (uint32_t)length;
  return ml_give_block(a, b);
}
DO(COLSET_MKSTR) { return give_printed(m, a, site->colset, ml_print); }
DO(COLSET_MKSTR_MS) { return give_printed(m, a, site->colset, ml_print_multiset); }
DO(COLSET_MKSTR_TMS) { return give_printed(m, a, site->colset, ml_print_multiset); }

DO(COLSET_LEGAL) {
  size_t at = (size_t)(a - m->stack);
  int belongs = ml_belongs(m, site->colset, a[0]);
  return belongs < 0 ? m->answer : ml_give_bool(m->stack + at, belongs);
}

DO(COLSET_LT) { return ml_give_bool(a, ml_value_compare(a[0], a[1]) < 0); }

DO(COLSET_MULT) { /* a tuple of multisets to the multiset of tuples */
  const struct ml_block *set = ml_block(a[0]);
  uint32_t parts = set->size;
  uint64_t total = 1;
  for (uint32_t i = 0; i < parts; i++) {
    uint64_t n = ml_multiset_entries(set->field[i]);
    if (n && total > UINT32_MAX / 4 / n) return ML_STEPS;
    total *= n;
  }
  enum ml_answer answer = ml_work(m, total * 8);
  if (answer != ML_OK) return answer;
  struct ml_block *b = ml_heap_block(m->heap, ML_BLOCK_MULTISET, (uint32_t)(2 * total));
  if (!b) return ML_MEMORY;
  for (uint64_t k = 0; k < total; k++) { /* k in digits: which entry of each part */
    struct ml_block *tuple = ml_heap_block(m->heap, ML_BLOCK_TUPLE, parts);
    if (!tuple) return ML_MEMORY;
    int64_t coefficient = 1;
    uint64_t rest = k;
    for (uint32_t i = parts; i-- > 0;) {
      const struct ml_block *part = ml_block(set->field[i]);
      uint64_t n = ml_multiset_entries(set->field[i]), e = rest % n;
      rest /= n;
      tuple->field[i] = part->field[2 * e + 1];
      if (__builtin_mul_overflow(coefficient, ml_to_int(part->field[2 * e]), &coefficient) || coefficient > ML_INT_MAX)
        return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
    }
    b->field[2 * k] = ml_from_int(coefficient);
    b->field[2 * k + 1] = ml_from_block(tuple);
  }
  *a = ml_from_block(b);
  return ml_give_sum(m, ml_multiset_canonical(b));
}

DO(COLSET_SET) { /* a record with another part */
  const struct ml_block *old = ml_block(a[0]);
  struct ml_block *b = ml_heap_block(m->heap, ML_BLOCK_TUPLE, old->size);
  if (!b) return ML_MEMORY;
  for (uint32_t i = 0; i < old->size; i++) b->field[i] = old->field[i];
  b->field[site->number] = a[1];
  return ml_give_block(a, b);
}

static int64_t constructor_of(ml_value v) { return ml_to_int(ml_is_int(v) ? v : ml_block(v)->field[0]); }
DO(COLSET_IS) { return ml_give_bool(a, constructor_of(a[0]) == site->number); }
DO(COLSET_OF) {
  if (constructor_of(a[0]) != site->number) return ml_raise(m, ML_EXN_MATCH, ML_UNIT);
  return ml_give(a, ml_is_int(a[0]) ? ML_UNIT : ml_block(a[0])->field[1]);
}
