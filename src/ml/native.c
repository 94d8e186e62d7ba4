/* native.c -- the table of library functions.
 *
 * How many arguments a function takes stands in its type: arrows part the steps, stars the registers of a step.  The compiler
 * asks for it at every use, which is cheap enough to read the type each time; so there is no second table that could say
 * something else. */
#include "ml/instant.h"
#include "ml/native.h"

#include <string.h>

static const struct line {
  const char *name, *type;
  enum ml_answer (*run)(struct ml_machine *, ml_value *, const struct ml_site *);
} lines[ML_LIBS] = {
#define L(symbol, name, type) [ML_LIB_##symbol] = {name, type, ml_do_##symbol},
#define C(symbol, name, type, colsets) [ML_LIB_##symbol] = {name, type, ml_do_##symbol},
#include "ml/library.def"
};

struct ml_native ml_native(uint32_t number) {
  const struct line *line = &lines[number];
  struct ml_native l = {.name = line->name, .run = line->run};
  const char *at = line->type;
  while (strstr(at, "->")) {
    const char *arrow = strstr(at, "->");
    l.width[l.steps] = 1;
    for (; at < arrow; at++) l.width[l.steps] += *at == '*';
    l.arguments += l.width[l.steps++];
    at = arrow + 2;
  }
  if (!l.arguments) l.arguments = 1; /* a value: the place of the result */
  return l;
}

const char *ml_native_name(uint32_t number) { return lines[number].name; }

enum ml_answer ml_give_some(struct ml_machine *m, ml_value *a, ml_value v) {
  struct ml_block *b = ml_heap_cut(m->heap, ML_BLOCK_CONSTRUCTED, 2, 2);
  if (!b) return ML_MEMORY;
  b->field[0] = ml_from_int(1);
  b->field[1] = v;
  return ml_give_block(a, b);
}

enum ml_answer ml_give_sum(struct ml_machine *m, enum ml_sum sum) {
  switch (sum) {
  case ML_SUM_OK: return ML_OK;
  case ML_SUM_MEMORY: return ML_MEMORY;
  case ML_SUM_MISSING: return ml_raise(m, ML_EXN_SUBTRACT, ML_UNIT);
  default: return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  }
}

/* Booleans, references, time. */

DO(NOT) { return ml_give_bool(a, a[0] == ml_from_int(0)); }
DO(BOOL_TO_STRING) { return a[0] == ml_from_int(0) ? ml_give_string(m, a, "false", 5) : ml_give_string(m, a, "true", 4); }
DO(IGNORE) { return ml_give(a, ML_UNIT); }
DO(TIME) { return ml_give_int(m, a, m->now); }
DO(REAL_TIME) { return ml_give_real(m, a, instant_to_real(m->now)); }

DO(REF) {
  struct ml_block *b = ml_heap_cut(m->heap, ML_BLOCK_REF, 2, 2);
  if (b) b->field[0] = a[0], b->field[1] = ml_from_int(m->runs);
  return ml_give_block(a, b);
}
/* The number of a reference of the net that changes; -1: it is another one. */
static int64_t of_net(ml_value cell) { return ~ml_to_int(ml_block(cell)->field[1]); }
DO(DEREFERENCE) {
  int64_t number = of_net(a[0]);
  if (number < 0) return ml_give(a, ml_block(a[0])->field[0]);
  if (m->said[number] == m->runs) return ml_give(a, m->reference[number]);
  m->complaint = "a reference that changes is read where nobody says what it holds";
  return ML_STEPS;
}
int ml_may_change(struct ml_machine *m, ml_value cell) { /* the checker lets pass only those that are made in the same run */
  if (ml_block(cell)->field[1] == ml_from_int(m->runs)) return 1;
  m->complaint = "a reference or an array that was made elsewhere is changed";
  return 0;
}
DO(ASSIGN) {
  int64_t number = of_net(a[0]);
  if (number >= 0) {
    m->reference[number] = a[1];
    m->said[number] = m->runs;
    return ml_give(a, ML_UNIT);
  }
  if (!ml_may_change(m, a[0])) return ML_STEPS;
  ((struct ml_block *)(uintptr_t)a[0])->field[0] = a[1];
  return ml_give(a, ML_UNIT);
}

enum ml_answer ml_all_true(struct ml_machine *m, ml_value *a, const struct ml_site *site) {
  (void)site;
  uint64_t n = 0;
  int all = 1;
  for (ML_EACH(cell, a[0])) {
    n++;
    all &= cell->field[0] != ml_from_int(0);
  }
  ml_give_bool(a, all);
  return ml_work(m, n);
}
