/* native.h -- the functions of library.def in C: one for each line, of the name that stands there.
 *
 * A function finds its arguments side by side, tuples in parts, and puts its result in place of the first.  What may be long is
 * paid for with ml_work, so that the step limit holds for it as well. */
#ifndef ML_NATIVE_H
#define ML_NATIVE_H

#include "ml/machine.h"
#include "ml/multiset.h"

#define DO(symbol)                                                                                                               \
  enum ml_answer ml_do_##symbol(struct ml_machine *m __attribute__((unused)), ml_value *a,                                       \
                                const struct ml_site *site __attribute__((unused)))
#define L(symbol, name, type) enum ml_answer ml_do_##symbol(struct ml_machine *, ml_value *, const struct ml_site *);
#define C(symbol, name, type, colsets) enum ml_answer ml_do_##symbol(struct ml_machine *, ml_value *, const struct ml_site *);
#include "ml/library.def"

static inline enum ml_answer ml_give_int(struct ml_machine *m, ml_value *a, int64_t n) {
  if (n > ML_INT_MAX || n < -ML_INT_MAX) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  *a = ml_from_int(n);
  return ML_OK;
}
static inline enum ml_answer ml_give_bool(ml_value *a, int truth) {
  *a = ml_from_int(truth != 0);
  return ML_OK;
}
static inline enum ml_answer ml_give_order(ml_value *a, int order) { /* LESS, EQUAL, GREATER */
  *a = ml_from_int(order < 0 ? 0 : order == 0 ? 1 : 2);
  return ML_OK;
}
static inline enum ml_answer ml_give_block(ml_value *a, const struct ml_block *b) {
  if (!b) return ML_MEMORY;
  *a = ml_from_block(b);
  return ML_OK;
}
/* A value, or 0 where memory ran out. */
static inline enum ml_answer ml_give(ml_value *a, ml_value v) {
  if (!v) return ML_MEMORY;
  *a = v;
  return ML_OK;
}
static inline enum ml_answer ml_give_string(struct ml_machine *m, ml_value *a, const char *text, size_t length) {
  return ml_give_block(a, ml_heap_string(m->heap, text, length));
}
static inline enum ml_answer ml_give_real(struct ml_machine *m, ml_value *a, double x) { return ml_give(a, ml_heap_real(m->heap, x)); }
enum ml_answer ml_give_some(struct ml_machine *, ml_value *a, ml_value); /* native.c */
enum ml_answer ml_give_sum(struct ml_machine *, enum ml_sum);            /* raises what it stands for */
uint64_t ml_list_length(ml_value list);
int ml_may_change(struct ml_machine *, ml_value cell); /* native.c: a reference, or an array; 0: ML_STEPS, told */

/* A list that grows at its end. */
struct ml_line {
  ml_value first, *end;
};
static inline void ml_line_open(struct ml_line *l) {
  l->first = ML_NIL;
  l->end = &l->first;
}
static inline int ml_line_add(struct ml_line *l, struct ml_heap *h, ml_value v) { /* 0, or -1: memory */
  struct ml_block *b = ml_heap_cut(h, ML_BLOCK_CELL, 2, 2);
  if (!b) return -1;
  b->field[0] = v;
  b->field[1] = ML_NIL;
  *l->end = ml_from_block(b);
  l->end = &b->field[1];
  return 0;
}

#define ML_EACH(cell, list) /* the cells of a list */                                                                            \
  const struct ml_block *cell = ml_is_int(list) ? NULL : ml_block(list);                                                         \
  cell;                                                                                                                          \
  cell = ml_is_int(cell->field[1]) ? NULL : ml_block(cell->field[1])

#endif
