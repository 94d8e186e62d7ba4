/* native_list.c -- lists: the Basis' and CPN Tools' own.
 *
 * Everything that compares for equality does so one with one; lists in inscriptions are short.  What is quadratic pays for it. */
#include "ml/native.h"

uint64_t ml_list_length(ml_value list) {
  uint64_t n = 0;
  for (ML_EACH(cell, list)) n++;
  return n;
}

static int equal(ml_value x, ml_value y) { return x == y || ml_value_compare(x, y) == 0; }

/* Whether a list holds a value; *work counts. */
static int holds(ml_value list, ml_value v, uint64_t *work) {
  for (ML_EACH(cell, list)) {
    ++*work;
    if (equal(cell->field[0], v)) return 1;
  }
  return 0;
}

/* The first `count` elements onto the line; -1: memory. */
static int copy_some(struct ml_machine *m, struct ml_line *line, ml_value list, uint64_t count) {
  for (ML_EACH(cell, list)) {
    if (count-- == 0) break;
    if (ml_line_add(line, m->heap, cell->field[0])) return -1;
  }
  return 0;
}

static enum ml_answer append(struct ml_machine *m, ml_value *a, ml_value x, ml_value y) {
  struct ml_line line;
  ml_line_open(&line);
  if (ml_is_int(y)) return ml_give(a, x);
  enum ml_answer answer = ml_work(m, ml_list_length(x));
  if (answer != ML_OK) return answer;
  if (copy_some(m, &line, x, UINT64_MAX)) return ML_MEMORY;
  *line.end = y;
  return ml_give(a, line.first);
}
DO(APPEND) { return append(m, a, a[0], a[1]); }
DO(UNION) { return append(m, a, a[0], a[1]); }

DO(LENGTH) {
  uint64_t n = ml_list_length(a[0]);
  ml_give_int(m, a, (int64_t)n);
  return ml_work(m, n);
}

static enum ml_answer reverse(struct ml_machine *m, ml_value *a, ml_value list, ml_value onto) {
  uint64_t n = 0;
  for (ML_EACH(cell, list)) {
    struct ml_block *b = ml_heap_cut(m->heap, ML_BLOCK_CELL, 2, 2);
    if (!b) return ML_MEMORY;
    b->field[0] = cell->field[0];
    b->field[1] = onto;
    onto = ml_from_block(b);
    n++;
  }
  *a = onto;
  return ml_work(m, n);
}
DO(REV) { return reverse(m, a, a[0], ML_NIL); }
DO(REV_APPEND) { return reverse(m, a, a[0], a[1]); }

DO(NULL) { return ml_give_bool(a, ml_is_int(a[0])); }
DO(HD) { return ml_is_int(a[0]) ? ml_raise(m, ML_EXN_EMPTY, ML_UNIT) : ml_give(a, ml_block(a[0])->field[0]); }
DO(TL) { return ml_is_int(a[0]) ? ml_raise(m, ML_EXN_EMPTY, ML_UNIT) : ml_give(a, ml_block(a[0])->field[1]); }
DO(LAST) {
  if (ml_is_int(a[0])) return ml_raise(m, ML_EXN_EMPTY, ML_UNIT);
  uint64_t n = 0;
  ml_value last = 0;
  for (ML_EACH(cell, a[0])) {
    last = cell->field[0];
    n++;
  }
  *a = last;
  return ml_work(m, n);
}

/* What is left of a list behind `count` elements; 0: it is shorter. */
static ml_value behind(ml_value list, int64_t count) {
  for (; count > 0; count--) {
    if (ml_is_int(list)) return 0;
    list = ml_block(list)->field[1];
  }
  return list;
}
DO(NTH) {
  int64_t n = ml_to_int(a[1]);
  ml_value rest = n < 0 ? 0 : behind(a[0], n);
  if (!rest || ml_is_int(rest)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  ml_give(a, ml_block(rest)->field[0]);
  return ml_work(m, (uint64_t)n);
}
DO(DROP) {
  int64_t n = ml_to_int(a[1]);
  ml_value rest = n < 0 ? 0 : behind(a[0], n);
  if (!rest) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  ml_give(a, rest);
  return ml_work(m, (uint64_t)n);
}
DO(TAKE) {
  int64_t n = ml_to_int(a[1]);
  if (n < 0 || !behind(a[0], n)) return ml_raise(m, ML_EXN_SUBSCRIPT, ML_UNIT);
  struct ml_line line;
  ml_line_open(&line);
  if (copy_some(m, &line, a[0], (uint64_t)n)) return ML_MEMORY;
  *a = line.first;
  return ml_work(m, (uint64_t)n);
}
DO(LIST_CONCAT) {
  struct ml_line line;
  ml_line_open(&line);
  for (ML_EACH(cell, a[0])) {
    enum ml_answer answer = ml_work(m, 8 + ml_list_length(cell->field[0]));
    if (answer != ML_OK) return answer;
    if (copy_some(m, &line, cell->field[0], UINT64_MAX)) return ML_MEMORY;
  }
  return ml_give(a, line.first);
}

/* CPN Tools' own. */

DO(MEM) {
  uint64_t work = 0;
  ml_give_bool(a, holds(a[0], a[1], &work));
  return ml_work(m, work);
}

/* The list without `most` occurrences of a value, from the left; what is behind the last one is shared. */
static enum ml_answer without(struct ml_machine *m, ml_value *a, ml_value v, ml_value list, uint64_t most) {
  struct ml_line line;
  uint64_t work = 0;
  ml_line_open(&line);
  ml_value rest = list;
  while (!ml_is_int(rest) && most > 0) {
    const struct ml_block *cell = ml_block(rest);
    rest = cell->field[1];
    work++;
    if (equal(cell->field[0], v)) most--;
    else if (ml_line_add(&line, m->heap, cell->field[0])) return ML_MEMORY;
  }
  *line.end = rest;
  *a = line.first;
  return ml_work(m, work);
}
DO(RM) { return without(m, a, a[0], a[1], 1); }
DO(RMALL) { return without(m, a, a[0], a[1], UINT64_MAX); }

static enum ml_answer at_end(struct ml_machine *m, ml_value *a, ml_value list, ml_value v) {
  struct ml_line line;
  ml_line_open(&line);
  if (copy_some(m, &line, list, UINT64_MAX) || ml_line_add(&line, m->heap, v)) return ML_MEMORY;
  *a = line.first;
  return ml_work(m, ml_list_length(list));
}
DO(INS) { return at_end(m, a, a[0], a[1]); }
DO(INS_NEW) {
  uint64_t work = 0;
  if (holds(a[0], a[1], &work)) return ml_work(m, work);
  return at_end(m, a, a[0], a[1]);
}

DO(CONTAINS) { /* each element of the second is in the first */
  uint64_t work = 0;
  int all = 1;
  for (ML_EACH(cell, a[1])) {
    if (!holds(a[0], cell->field[0], &work)) {
      all = 0;
      break;
    }
  }
  ml_give_bool(a, all);
  return ml_work(m, work);
}

/* Both lists as multisets of what they hold. */
static enum ml_answer as_multisets(struct ml_machine *m, ml_value x, ml_value y, ml_value set[2]) {
  enum ml_answer answer = ml_work(m, 8 * (ml_list_length(x) + ml_list_length(y)));
  if (answer != ML_OK) return answer;
  enum ml_sum sum = ml_multiset_from_list(m->heap, x, &set[0]);
  if (sum == ML_SUM_OK) sum = ml_multiset_from_list(m->heap, y, &set[1]);
  return ml_give_sum(m, sum);
}
DO(CONTAINS_ALL) { /* and as often */
  ml_value set[2];
  enum ml_answer answer = as_multisets(m, a[0], a[1], set);
  return answer == ML_OK ? ml_give_bool(a, ml_multiset_contains(set[0], set[1])) : answer;
}

/* Elements of x that y has, or has not, each of y's counting once: both in the order of x. */
static enum ml_answer sift(struct ml_machine *m, ml_value *a, ml_value x, ml_value y, int shared) {
  struct ml_line line;
  ml_line_open(&line);
  for (ML_EACH(cell, x)) {
    uint64_t work = 8;
    int there = holds(y, cell->field[0], &work);
    enum ml_answer answer = ml_work(m, 2 * work);
    if (there && answer == ML_OK) answer = without(m, &y, cell->field[0], y, 1);
    if (answer != ML_OK) return answer;
    if (there == shared && ml_line_add(&line, m->heap, cell->field[0])) return ML_MEMORY;
  }
  if (!shared && !ml_is_int(y)) return ml_raise(m, ML_EXN_SUBTRACT, ML_UNIT); /* something is taken away that is not there */
  return ml_give(a, line.first);
}
DO(INTERSECT) { return sift(m, a, a[0], a[1], 1); }
DO(LISTSUB) { return sift(m, a, a[0], a[1], 0); }

DO(REMDUPL) { /* the last one of those that are equal stays */
  struct ml_line line;
  ml_line_open(&line);
  for (ML_EACH(cell, a[0])) {
    uint64_t work = 8;
    int again = holds(cell->field[1], cell->field[0], &work);
    enum ml_answer answer = ml_work(m, work);
    if (answer != ML_OK) return answer;
    if (!again && ml_line_add(&line, m->heap, cell->field[0])) return ML_MEMORY;
  }
  return ml_give(a, line.first);
}

DO(POS) {
  int64_t n = 0;
  for (ML_EACH(cell, a[1])) {
    if (equal(cell->field[0], a[0])) {
      ml_give_int(m, a, n);
      return ml_work(m, (uint64_t)n);
    }
    n++;
  }
  return ml_raise(m, ML_EXN_MATCH, ML_UNIT);
}

DO(SORT_INT_LIST) { /* a multiset is sorted */
  ml_value set;
  enum ml_answer answer = ml_work(m, 8 * ml_list_length(a[0]));
  if (answer == ML_OK) answer = ml_give_sum(m, ml_multiset_from_list(m->heap, a[0], &set));
  if (answer != ML_OK) return answer;
  a[0] = set;
  return ml_do_MS_TO_LIST(m, a, site);
}
