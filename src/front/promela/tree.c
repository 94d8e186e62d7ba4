/* tree.c -- expressions as trees: making them, and what can be said of one without its place in the text.
 *
 * The depth of a tree is counted while it grows and bounded: trees are walked by recursion later. */
#include "front/promela/parse.h"

struct expr *tree_new(struct parser *p, enum expr_kind kind, struct place_in_text place) {
  struct expr *e = parse_alloc(p, sizeof *e);
  e->kind = kind;
  e->place = place;
  e->depth = 1;
  return e;
}

struct expr *tree_value(struct parser *p, int32_t value, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_VALUE, place);
  e->value = value;
  return e;
}

struct expr *tree_deeper(struct parser *p, struct expr *e, const struct expr *part) {
  if (part && part->depth >= e->depth) e->depth = part->depth + 1;
  if (e->depth > DEPTH_MAX) {
    parse_error(p, e->place, "this expression is too long");
    p->panic = 1;
    return tree_value(p, 0, e->place);
  }
  return e;
}

/* ---- pointers (PROM+) ------------------------------------------------------------------------------------------- */

int tree_is_pointer(struct parser *p, const struct expr *e, uint32_t *type) {
  *type = 0;
  if (e->kind == EXPR_NULL) return 1;
  if (e->kind != EXPR_REF || e->ref->count || p->program->types.at[e->ref->type].kind != IR_POINTER) return 0;
  *type = e->ref->type;
  return 1;
}

static void check_pointers(struct parser *p, enum ir_op op, struct expr *a, struct expr *b, struct place_in_text place) {
  uint32_t ta, tb = 0;
  if (!p->plus) return;
  int pa = tree_is_pointer(p, a, &ta), pb = b && tree_is_pointer(p, b, &tb);
  if (!pa && !pb) return;
  if (op != IR_EQ && op != IR_NE) parse_error(p, place, "pointers can be compared by == and != only");
  else if (pa != pb) parse_error(p, place, "a pointer is compared with something that is none");
  else if (ta && tb && ta != tb) parse_error(p, place, "pointers to different types are compared");
}

/* ---- operators -------------------------------------------------------------------------------------------------- */

struct expr *tree_binary(struct parser *p, enum ir_op op, struct expr *a, struct expr *b, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_BINARY, place);
  e->op = op;
  e->a = a;
  e->b = b;
  check_pointers(p, op, a, b, place);
  return tree_deeper(p, tree_deeper(p, e, a), b);
}

struct expr *tree_unary(struct parser *p, enum ir_op op, struct expr *a, struct place_in_text place) {
  struct expr *e = tree_new(p, EXPR_UNARY, place);
  e->op = op;
  e->a = a;
  check_pointers(p, op, a, NULL, place);
  return tree_deeper(p, e, a);
}

/* The first index of a reference with a run in it, from a step on. */
static struct step *index_with_run(struct step *s) {
  while (s && !tree_has_run(s->index)) s = s->next;
  return s;
}

static struct step *steps_of(const struct expr *e) {
  return e->kind == EXPR_REF && !e->ref->pointer ? e->ref->steps : NULL;
}

int tree_has_run(const struct expr *e) {
  return e && (e->kind == EXPR_RUN || tree_has_run(e->a) || tree_has_run(e->b) ||
               tree_has_run(e->c) || index_with_run(steps_of(e)));
}

struct expr *tree_certain_run(struct expr *e) {
  if (!e || e->kind == EXPR_RUN) return e;
  struct step *s = index_with_run(steps_of(e));
  if (s) return index_with_run(s->next) ? NULL : tree_certain_run(s->index);
  if (e->kind == EXPR_COND || (e->kind == EXPR_BINARY && (e->op == IR_AND || e->op == IR_OR))) /* the rest is evaluated at times */
    return tree_has_run(e->b) || tree_has_run(e->c) ? NULL : tree_certain_run(e->a);
  if (!tree_has_run(e->b)) return tree_certain_run(e->a);
  return tree_has_run(e->a) ? NULL : tree_certain_run(e->b);
}

int tree_constant(const struct expr *e, int32_t *out) {
  int32_t a, b;
  if (e->kind == EXPR_VALUE) {
    *out = e->value;
    return 1;
  }
  if (e->kind == EXPR_UNARY && tree_constant(e->a, &a)) {
    *out = e->op == IR_NEG ? (int32_t)(0u - (uint32_t)a) : e->op == IR_NOT ? !a : ~a;
    return 1;
  }
  return e->kind == EXPR_BINARY && tree_constant(e->a, &a) && tree_constant(e->b, &b) && program_apply(e->op, a, b, out);
}
