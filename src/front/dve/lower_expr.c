/* lower_expr.c -- expressions, twice: their value in the initial state, and as expressions of the program.
 *
 * P.q becomes IR_AT of the slot of P.  Where the asking process is known to be in a certain control state (its effects run when
 * it has arrived at the target already), the answer for itself is a number; so is that for the process whose step an assertion of another one stands behind.  P->x becomes a remote variable.
 *
 * An array without an index is its first element: DiVinE reads it so, and models rely on it; the reader warns. */
#include "front/dve/lower.h"

/* ---- in the initial state ------------------------------------------------------------------------------------------------ */

static int eval_variable(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, const char *constant,
                         int32_t *out) {
  struct dve_symbol *s = dve_find_variable(l, view, &e->owner, &e->name);
  int32_t index = 0;
  if (!s) return -1;
  if (constant && !s->is_const)
    return dve_fail(l->d, e->at, "%s must be a constant, but \"%s\" is a variable", constant, e->name.text);
  if (e->kind == DVE_X_INDEX) {
    if (!s->count) return dve_fail(l->d, e->at, "\"%s\" is not an array", e->name.text);
    uint32_t initial = s->initial, count = s->count; /* the table of symbols does not move, but let us not rely on it */
    if (dve_eval(l, view, e->a, constant, &index)) return -1;
    if (index < 0 || (uint32_t)index >= count)
      return dve_fail(l->d, e->a->at, "the index is %ld here, but the array \"%s\" has %u elements", (long)index, e->name.text,
                      count);
    *out = l->initial.at[initial + (uint32_t)index];
    return 0;
  }
  *out = l->initial.at[s->initial];
  return 0;
}

static int eval_at(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, const char *constant,
                   int32_t *out) {
  if (constant || !l->declared) return dve_fail(l->d, e->at, "the state of a process is not a constant");
  struct dve_automaton *a = dve_find_process(l, &e->owner);
  uint32_t state = a ? dve_find_state(l, a, &e->name) : NAMES_NONE;
  (void)view;
  *out = a && state == a->init;
  return state == NAMES_NONE ? -1 : 0;
}

static int eval_binary(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, const char *constant,
                       int32_t *out) {
  int32_t a, b;
  if (dve_eval(l, view, e->a, constant, &a)) return -1;
  if ((e->op == IR_AND && !a) || (e->op == IR_OR && a) || (e->op == IR_IMPLIES && !a)) {
    *out = e->op != IR_AND;
    return 0;
  }
  if (dve_eval(l, view, e->b, constant, &b)) return -1;
  if (program_apply(e->op, a, b, out)) return 0;
  return dve_fail(l->d, e->sign, "this is a division by zero");
}

int dve_eval(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, const char *constant, int32_t *out) {
  int32_t a;
  *out = 0;
  switch (e->kind) {
  case DVE_X_NUMBER: *out = e->value; return 0;
  case DVE_X_NAME:
  case DVE_X_INDEX: return eval_variable(l, view, e, constant, out);
  case DVE_X_AT: return eval_at(l, view, e, constant, out);
  case DVE_X_UNARY:
    if (dve_eval(l, view, e->a, constant, &a)) return -1;
    *out = e->op == IR_NOT ? !a : e->op == IR_NEG ? (int32_t)(0u - (uint32_t)a) : ~a;
    return 0;
  case DVE_X_BINARY: return eval_binary(l, view, e, constant, out);
  }
  return -1;
}

/* ---- in the program ------------------------------------------------------------------------------------------------------ */

static void warn_bare_array(struct lowering *l, const struct dve_expr *e, struct dve_symbol *s) {
  if (s->warned) return;
  s->warned = 1;
  dve_warn(l->d, e->at, "the array \"%s\" is used without an index: its first element is meant", e->name.text);
}

static ir_ref reference(struct lowering *l, const struct dve_view *view, const struct dve_expr *e, struct dve_symbol *s) {
  struct program *p = l->program;
  struct place_in_text at = dve_where(p, e->at);
  ir_expr index = 0;
  ir_ref ref;
  if (e->kind == DVE_X_INDEX) {
    if (!s->count) {
      dve_fail(l->d, e->at, "\"%s\" is not an array", e->name.text);
      return 0;
    }
    if (!(index = dve_lower_expr(l, view, e->a))) return 0;
    int32_t value;
    if (program_constant(p, index, &value) && (value < 0 || (uint32_t)value >= s->count)) {
      dve_fail(l->d, e->a->at, "the index is %ld, but the array \"%s\" has %u elements", (long)value, e->name.text, s->count);
      return 0;
    }
  } else if (s->count) {
    warn_bare_array(l, e, s);
    index = program_value(p, 0);
  }
  int far = view->elsewhere && p->decls.at[s->decl].scope;
  if (e->owner.text || far) {
    struct dve_automaton *a = e->owner.text ? dve_find_process(l, &e->owner) : &l->automata.at[view->process];
    ref = program_ref_remote(p, s->decl, program_value(p, (int32_t)a->slot), at);
  } else {
    ref = program_ref(p, s->decl, at);
  }
  return index ? program_ref_index(p, ref, index) : ref;
}

static ir_expr lower_variable(struct lowering *l, const struct dve_view *view, const struct dve_expr *e) {
  struct dve_symbol *s = dve_find_variable(l, view, &e->owner, &e->name);
  if (!s) return 0;
  if (s->is_const && e->kind == DVE_X_NAME) return program_value(l->program, l->initial.at[s->initial]);
  ir_ref ref = reference(l, view, e, s);
  return ref ? program_load(l->program, ref) : 0;
}

static ir_expr lower_at(struct lowering *l, const struct dve_view *view, const struct dve_expr *e) {
  struct program *p = l->program;
  struct dve_automaton *a = dve_find_process(l, &e->owner);
  if (a && l->conditions && names_find(&a->states, e->name.text, e->name.length) == NAMES_NONE &&
      names_find(&a->scope.names, e->name.text, e->name.length) != NAMES_NONE) {
    struct dve_expr variable = *e;
    variable.kind = DVE_X_NAME;
    return lower_variable(l, view, &variable);
  }
  uint32_t state = a ? dve_find_state(l, a, &e->name) : NAMES_NONE;
  if (state == NAMES_NONE) return 0;
  int own = view->process == a - l->automata.at;
  if (a->is_property && !own) {
    dve_fail(l->d, e->at, "the property process \"%s\" is not part of the system: its state cannot be used outside",
             e->owner.text);
    return 0;
  }
  if (own && view->own_state >= 0) return program_value(p, view->own_state == (int64_t)state);
  if (view->mover && &l->automata.at[view->mover - 1] == a) return program_value(p, view->arrives == state);
  ir_expr pid = own && !view->elsewhere ? program_node(p, (struct ir_node){.op = IR_PID_OWN, .place = dve_where(p, e->at)})
                    : program_value(p, (int32_t)a->slot);
  return program_node(
      p, (struct ir_node){.op = IR_AT, .a = pid, .b = a->proc, .c = a->labels.at[state], .place = dve_where(p, e->at)});
}

ir_expr dve_lower_expr(struct lowering *l, const struct dve_view *view, const struct dve_expr *e) {
  struct program *p = l->program;
  struct place_in_text at = dve_where(p, e->at);
  ir_expr a, b;
  int32_t divisor;
  switch (e->kind) {
  case DVE_X_NUMBER: return program_value(p, e->value);
  case DVE_X_NAME:
  case DVE_X_INDEX: return lower_variable(l, view, e);
  case DVE_X_AT: return lower_at(l, view, e);
  case DVE_X_UNARY: return (a = dve_lower_expr(l, view, e->a)) ? program_unary(p, e->op, a, at) : 0;
  case DVE_X_BINARY:
    a = dve_lower_expr(l, view, e->a);
    b = dve_lower_expr(l, view, e->b); /* both, so that errors in both are told */
    if (!a || !b) return 0;
    if ((e->op == IR_DIV || e->op == IR_MOD) && program_constant(p, b, &divisor) && !divisor) {
      dve_fail(l->d, e->sign, "this is a division by zero");
      return 0;
    }
    return program_binary(p, e->op, a, b, at);
  }
  return 0;
}

ir_ref dve_lower_target(struct lowering *l, const struct dve_view *view, const struct dve_expr *e) {
  if (e->kind != DVE_X_NAME && e->kind != DVE_X_INDEX) {
    dve_fail(l->d, e->at, "a value can only be put into a variable or an element of an array");
    return 0;
  }
  struct dve_symbol *s = dve_find_variable(l, view, &e->owner, &e->name);
  if (!s) return 0;
  if (s->is_const || s->read_only) {
    dve_fail(l->d, e->at, "\"%s\" is a constant", e->name.text);
    return 0;
  }
  return reference(l, view, e, s);
}
