/* compile_condition.c -- truth as jumps.
 *
 * andalso, orelse, not and the comparisons of numbers and of anything for equality are tests with a goal: `if a < b andalso c =
 * 3` needs no truth value anywhere.  One of the operands may be a small number inside the word. */
#include "ml/unit.h"

static int library_of(const struct ml_expr *e) {
  return e->kind == ML_APPLY && e->part[0]->kind == ML_LIBRARY ? (int)e->part[0]->library : -1;
}

/* An operator applied to a pair that is written out. */
static int is_binary(const struct ml_expr *e) { return e->part[1]->kind == ML_TUPLE && e->part[1]->parts == 2; }

int ml_type_is_number(const struct ml_expr *operator) {
  struct ml_type *t = ml_type_find(operator->type);
  if (t->kind != ML_TYPE_ARROW) return 0;
  t = ml_type_find(t->part[0]);
  if (t->kind == ML_TYPE_TUPLE && t->parts) t = ml_type_find(t->part[0]);
  return t->kind == ML_TYPE_INT || t->kind == ML_TYPE_TIME || t->kind == ML_TYPE_CHAR;
}

int ml_is_condition(const struct ml_expr *e) {
  switch (library_of(e)) {
  case ML_LIB_NOT: return 1;
  case ML_LIB_EQUAL:
  case ML_LIB_DIFFERENT: return is_binary(e);
  case ML_LIB_LESS:
  case ML_LIB_LESS_EQUAL:
  case ML_LIB_GREATER:
  case ML_LIB_GREATER_EQUAL: return is_binary(e) && ml_type_is_number(e->part[0]);
  default: return 0;
  }
}

static void test(struct ml_unit *u, enum ml_op op, uint32_t a, uint32_t b, ml_jumps *jumps) {
  ml_emit(u, op, a, b, 0);
  ml_jump_later(u, jumps);
}

static void test_number(struct ml_unit *u, enum ml_op op, uint32_t a, int32_t number, ml_jumps *jumps) {
  ml_emit_index(u, op, a, (uint32_t)number);
  ml_jump_later(u, jumps);
}

static void compile_equal(struct ml_unit *u, const struct ml_expr *a, const struct ml_expr *b, int sense, ml_jumps *jumps) {
  int32_t n;
  if (ml_small(u, a, &n)) {
    const struct ml_expr *swap = a;
    a = b;
    b = swap;
  }
  uint16_t x = ml_compile_operand(u, a);
  if (ml_small(u, b, &n)) test_number(u, sense ? ML_OP_IF_IS : ML_OP_IF_IS_NOT, x, n, jumps);
  else test(u, sense ? ML_OP_IF_EQUAL : ML_OP_IF_DIFFERENT, x, ml_compile_operand(u, b), jumps);
}

enum relation { BELOW, AT_MOST, ABOVE, AT_LEAST };
static const enum relation turned[] = {ABOVE, AT_LEAST, BELOW, AT_MOST};  /* operands exchanged */
static const enum relation negated[] = {AT_LEAST, ABOVE, AT_MOST, BELOW}; /* the opposite */

static void compile_order(struct ml_unit *u, const struct ml_expr *a, const struct ml_expr *b, enum relation r, ml_jumps *jumps) {
  enum { MOST = 1 << 30 };
  int32_t n;
  if (ml_small(u, a, &n)) {
    const struct ml_expr *swap = a;
    a = b;
    b = swap;
    r = turned[r];
  }
  uint16_t x = ml_compile_operand(u, a);
  if (ml_small(u, b, &n) && n > -MOST && n < MOST) {
    if (r == BELOW || r == AT_MOST) test_number(u, ML_OP_IF_BELOW, x, n + (r == AT_MOST), jumps);
    else test_number(u, ML_OP_IF_ABOVE, x, n - (r == AT_LEAST), jumps);
    return;
  }
  uint16_t y = ml_compile_operand(u, b);
  enum ml_op op = r == BELOW || r == ABOVE ? ML_OP_IF_LESS : ML_OP_IF_LESS_EQUAL;
  if (r == BELOW || r == AT_MOST) test(u, op, x, y, jumps);
  else test(u, op, y, x, jumps);
}

/* Both must be as `sense` says the opposite of: andalso where false jumps, orelse where true does. */
static void compile_both(struct ml_unit *u, const struct ml_expr *e, int sense, ml_jumps *jumps) {
  int leaves = e->kind == ML_OR; /* the truth of the first part that decides */
  if (sense == leaves) {
    ml_compile_condition(u, e->part[0], sense, jumps);
    ml_compile_condition(u, e->part[1], sense, jumps);
    return;
  }
  ml_jumps decided = 0;
  ml_compile_condition(u, e->part[0], leaves, &decided);
  ml_compile_condition(u, e->part[1], sense, jumps);
  ml_jumps_here(u, decided);
}

void ml_compile_condition(struct ml_unit *u, const struct ml_expr *e, int sense, ml_jumps *jumps) {
  if (u->failed) return;
  uint32_t next = u->next;
  int fold = u->fold;
  ml_value v = 0;
  if (e->kind == ML_CONSTRUCTOR) v = ml_from_int(e->constructor);
  else if (fold && ml_closed(u, e)) {
    v = ml_fold(u, e);
    u->fold = 0;
  }
  const struct ml_expr *const *part =
      e->kind == ML_APPLY && e->part[1]->kind == ML_TUPLE ? (const struct ml_expr *const *)e->part[1]->part : NULL;
  if (v) {
    if ((v == ml_from_int(1)) == sense) ml_emit_jump(u, jumps);
  } else if (e->kind == ML_AND || e->kind == ML_OR) compile_both(u, e, sense, jumps);
  else if (!ml_is_condition(e)) {
    uint16_t x = ml_compile_operand(u, e);
    test(u, sense ? ML_OP_IF_TRUE : ML_OP_IF_FALSE, x, 0, jumps);
  } else {
    switch (e->part[0]->library) {
    case ML_LIB_NOT: ml_compile_condition(u, e->part[1], !sense, jumps); break;
    case ML_LIB_EQUAL: compile_equal(u, part[0], part[1], sense, jumps); break;
    case ML_LIB_DIFFERENT: compile_equal(u, part[0], part[1], !sense, jumps); break;
    default: {
      uint32_t l = e->part[0]->library;
      enum relation r = l == ML_LIB_LESS ? BELOW : l == ML_LIB_LESS_EQUAL ? AT_MOST : l == ML_LIB_GREATER ? ABOVE : AT_LEAST;
      compile_order(u, part[0], part[1], sense ? r : negated[r], jumps);
    }
    }
  }
  u->fold = fold;
  u->next = next;
}
