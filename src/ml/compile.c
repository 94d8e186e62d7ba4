/* compile.c -- expressions to code for the machine.
 *
 * Each expression is compiled into a register that is free until then.  Operands that are locals stay where they are, and what
 * depends on nothing is evaluated at once and becomes a constant (fold.c): 1`1 ++ 1`2, PH.all(), tables of records.  Expressions
 * in tail position return by themselves, so that calls there need no frame.
 *
 * Truth values are jumps (compile_condition.c) and become numbers only where somebody keeps them. */
#include "ml/unit.h"

#include "ml/multiset.h"

int ml_small(const struct ml_unit *u, const struct ml_expr *e, int32_t *out) {
  int64_t n;
  switch (e->kind) {
  case ML_INT: n = e->number; break;
  case ML_CONSTRUCTOR:
    if (e->data->argument[e->constructor]) return 0;
    n = e->constructor;
    break;
  case ML_TUPLE:
  case ML_LIST:
    if (e->parts) return 0;
    n = 0;
    break;
  case ML_GLOBAL: {
    ml_value v = e->global->number < u->back->globals.count ? u->back->globals.at[e->global->number] : 0;
    if (!ml_is_int(v)) return 0;
    n = ml_to_int(v);
    break;
  }
  default: return 0;
  }
  *out = (int32_t)n;
  return n == *out;
}

void ml_compile_local(struct ml_unit *u, uint32_t number, uint16_t into) {
  struct ml_where w = ml_unit_find(u, number);
  switch (w.kind) {
  case ML_IN_REGISTER:
    if (w.at != into) ml_emit(u, ML_OP_MOVE, into, w.at, 0);
    break;
  case ML_IN_CLOSURE: ml_emit_index(u, ML_OP_CAPTURED, into, w.at); break;
  case ML_IS_SELF: ml_emit_index(u, ML_OP_SELF, into, 0); break;
  case ML_IS_BARE: ml_emit_constant(u, into, w.known->bare); break;
  }
}

uint16_t ml_compile_operand(struct ml_unit *u, const struct ml_expr *e) {
  if (e->kind == ML_LOCAL) {
    struct ml_where w = ml_unit_find(u, e->local->number);
    if (w.kind == ML_IN_REGISTER) return (uint16_t)w.at;
  }
  uint16_t into = ml_unit_register(u);
  ml_compile_into(u, e, into, 0);
  return into;
}

/* A multiset where a single value may stand for one. */
static uint16_t multiset_operand(struct ml_unit *u, const struct ml_expr *e) {
  uint16_t r = ml_compile_operand(u, e);
  enum ml_type_kind kind = ml_type_find(e->type)->kind;
  if (kind == ML_TYPE_MULTISET || kind == ML_TYPE_TIMED) return r;
  uint16_t one = ml_unit_register(u);
  ml_emit(u, ML_OP_ONE, one, r, 0);
  return one;
}

/* Parts side by side, evaluated in the order in which they were written. */
static uint16_t side_by_side(struct ml_unit *u, const struct ml_expr *e) {
  uint16_t first = ml_unit_registers(u, e->parts);
  for (uint32_t k = 0; k < e->parts && !u->failed; k++) {
    uint32_t i = e->kind == ML_RECORD && e->order ? e->order[k] : k;
    ml_compile_into(u, e->part[i], (uint16_t)(first + i), 0);
  }
  return first;
}

static void compile_tuple(struct ml_unit *u, const struct ml_expr *e, uint16_t into) {
  if (e->parts == 0) ml_emit_constant(u, into, ML_UNIT);
  else if (e->parts == 2 && !(e->kind == ML_RECORD && e->order && e->order[0] == 1)) {
    uint16_t a = ml_compile_operand(u, e->part[0]), b = ml_compile_operand(u, e->part[1]);
    ml_emit(u, ML_OP_PAIR, into, a, b);
  } else ml_emit(u, ML_OP_TUPLE, into, side_by_side(u, e), e->parts);
}

/* Long lists in pieces from the end, each evaluated from the left. */
static void compile_list(struct ml_unit *u, const struct ml_expr *e, uint16_t into) {
  enum { PIECE = 1000 };
  if (e->parts == 0) ml_emit_constant(u, into, ML_NIL);
  else if (e->parts <= PIECE) ml_emit(u, ML_OP_LIST, into, side_by_side(u, e), e->parts);
  else {
    uint32_t end = e->parts;
    ml_emit_constant(u, into, ML_NIL);
    while (end > 0 && !u->failed) {
      uint32_t next = u->next, from = (end - 1) / PIECE * PIECE;
      uint16_t first = ml_unit_registers(u, end - from);
      for (uint32_t i = from; i < end; i++) ml_compile_into(u, e->part[i], (uint16_t)(first + i - from), 0);
      ml_emit(u, ML_OP_LIST_ONTO, into, first, end - from);
      u->next = next;
      end = from;
    }
  }
}

static void compile_truth(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  ml_jumps no = 0, end = 0;
  ml_compile_condition(u, e, 0, &no);
  ml_emit_constant(u, into, ml_from_int(1));
  if (tail) ml_emit_return(u, into, 1);
  else ml_emit_jump(u, &end);
  ml_jumps_here(u, no);
  ml_emit_constant(u, into, ml_from_int(0));
  ml_emit_return(u, into, tail);
  ml_jumps_here(u, end);
}

static void compile_if(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  ml_jumps no = 0, end = 0;
  uint32_t next = u->next;
  ml_compile_condition(u, e->part[0], 0, &no);
  u->next = next;
  ml_compile_into(u, e->part[1], into, tail);
  if (!tail) ml_emit_jump(u, &end);
  ml_jumps_here(u, no);
  u->next = next;
  ml_compile_into(u, e->part[2], into, tail);
  ml_jumps_here(u, end);
}

static void compile_let(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  size_t bindings = u->bindings.count;
  for (uint32_t i = 0; i < e->declarations && !u->failed; i++) {
    const struct ml_declaration *d = &e->declaration[i];
    if (d->kind == ML_D_FUN) ml_compile_functions(u, d);
    if (d->kind != ML_D_VAL) continue;
    uint16_t value = ml_compile_operand(u, d->body);
    ml_jumps fail = 0, fits = 0;
    ml_match(u, d->pattern, value, &fail);
    if (fail) {
      ml_emit_jump(u, &fits);
      ml_jumps_here(u, fail);
      ml_emit_index(u, ML_OP_FAIL, 0, ML_EXN_BIND);
      ml_jumps_here(u, fits);
    }
  }
  ml_compile_into(u, e->part[0], into, tail);
  u->bindings.count = bindings;
}

static ml_value global_value(struct ml_unit *u, const struct ml_global *g) {
  ml_value v = g->number < u->back->globals.count ? u->back->globals.at[g->number] : 0;
  if (v) return v;
  if (!u->failed) err_internal(u->err, "%s has no value yet", g->name);
  u->failed = 1;
  return ML_UNIT;
}

/* What compiles to a few words and ends up in `into`; the caller returns. */
static void compile_simple(struct ml_unit *u, const struct ml_expr *e, uint16_t into) {
  switch (e->kind) {
  case ML_INT: ml_emit_constant(u, into, ml_from_int(e->number)); break;
  case ML_REAL: ml_emit_constant(u, into, ml_heap_real(u->back->heap, e->real)); break;
  case ML_STRING: ml_emit_constant(u, into, ml_string_constant(u, e->text, e->length)); break;
  case ML_LOCAL: ml_compile_local(u, e->local->number, into); break;
  case ML_GLOBAL: ml_emit_constant(u, into, global_value(u, e->global)); break;
  case ML_COLOURED: ml_emit_index(u, ML_OP_VARIABLE, into, e->variable->number); break;
  case ML_LIBRARY: ml_compile_library(u, e, into); break;
  case ML_CONSTRUCTOR:
    if (!e->data->argument[e->constructor]) ml_emit_constant(u, into, ml_from_int(e->constructor));
    else ml_emit_constant(u, into, ml_wrapper(u, e)->bare);
    break;
  case ML_EXCEPTION:
    if (e->exception->argument) ml_emit_constant(u, into, ml_wrapper(u, e)->bare);
    else {
      ml_emit_constant(u, into, ML_UNIT);
      ml_emit(u, ML_OP_EXCEPTION, into, into, ml_unit_short(u, e->exception->number));
    }
    break;
  case ML_TUPLE:
  case ML_RECORD: compile_tuple(u, e, into); break;
  case ML_LIST: compile_list(u, e, into); break;
  case ML_SELECT: ml_emit(u, ML_OP_FIELD, into, ml_compile_operand(u, e->part[0]), ml_unit_short(u, e->number)); break;
  case ML_FN: ml_compile_fn(u, e, into); break;
  case ML_COEFFICIENT: {
    int32_t n;
    if (ml_small(u, e->part[0], &n) && n == 1) ml_emit(u, ML_OP_ONE, into, ml_compile_operand(u, e->part[1]), 0);
    else {
      uint16_t a = ml_compile_operand(u, e->part[0]), b = ml_compile_operand(u, e->part[1]);
      ml_emit(u, ML_OP_SINGLE, into, a, b);
    }
    break;
  }
  case ML_AT:
  case ML_DELAY: {
    uint16_t a = multiset_operand(u, e->part[0]), b = ml_compile_operand(u, e->part[1]);
    ml_emit(u, e->kind == ML_AT ? ML_OP_AT : ML_OP_LATER, into, a, b);
    break;
  }
  default:
    if (!u->failed) err_internal(u->err, "an expression of kind %d reached the compiler", (int)e->kind);
    u->failed = 1;
  }
}

static void compile_unfolded(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  switch (e->kind) {
  case ML_APPLY:
    if (ml_is_condition(e)) compile_truth(u, e, into, tail);
    else ml_compile_apply(u, e, into, tail);
    return;
  case ML_AND:
  case ML_OR: compile_truth(u, e, into, tail); return;
  case ML_IF: compile_if(u, e, into, tail); return;
  case ML_CASE: ml_compile_case(u, e, into, tail); return;
  case ML_HANDLE: ml_compile_handle(u, e, into, tail); return;
  case ML_LET: compile_let(u, e, into, tail); return;
  case ML_RAISE: ml_emit_index(u, ML_OP_RAISE, ml_compile_operand(u, e->part[0]), 0); return;
  case ML_SEQUENCE:
    for (uint32_t i = 0; i + 1 < e->parts; i++) ml_compile_into(u, e->part[i], ml_unit_register(u), 0);
    ml_compile_into(u, e->part[e->parts - 1], into, tail);
    return;
  case ML_LOCAL:
    if (tail) {
      ml_emit_return(u, ml_compile_operand(u, e), 1);
      return;
    }
    break;
  default: break;
  }
  compile_simple(u, e, into);
  ml_emit_return(u, into, tail);
}

void ml_compile_into(struct ml_unit *u, const struct ml_expr *e, uint16_t into, int tail) {
  if (u->failed) return;
  uint32_t next = u->next;
  int fold = u->fold;
  if (fold && ml_closed(u, e)) {
    ml_value v = ml_fold(u, e);
    if (v) {
      ml_emit_constant(u, into, v);
      ml_emit_return(u, into, tail);
      return;
    }
    u->fold = 0; /* its parts would not do better */
  }
  compile_unfolded(u, e, into, tail);
  u->fold = fold;
  u->next = next;
}
