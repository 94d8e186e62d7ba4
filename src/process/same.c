/* same.c -- see same.h: node by node, as they were written. */
#include "process/same.h"

enum { DEPTH = 60 };

static int same(const struct program *p, ir_expr a, ir_expr b, unsigned depth);

static int same_cell(const struct program *p, ir_ref a, ir_ref b, unsigned depth) {
  const struct ir_lvalue *x = &p->refs.at[a], *y = &p->refs.at[b];
  if (a == b) return 1;
  if (x->where != y->where || x->base != y->base || x->indices != y->indices) return 0;
  if (x->where == IR_HEAP ? x->type != y->type : x->decl != y->decl) return 0;
  if (x->where == IR_REMOTE && x->proc != y->proc) return 0;
  if ((x->where == IR_REMOTE || x->where == IR_HEAP) && !same(p, x->slot, y->slot, depth + 1)) return 0;
  for (uint32_t i = 0; i < x->indices; i++) {
    const struct ir_index *s = &p->indices.at[x->index + i], *t = &p->indices.at[y->index + i];
    if (s->stride != t->stride || s->bound != t->bound || !same(p, s->expr, t->expr, depth + 1)) return 0;
  }
  return 1;
}

static int same(const struct program *p, ir_expr a, ir_expr b, unsigned depth) {
  const struct ir_node *x = program_at(p, a), *y = program_at(p, b);
  if (a == b) return 1;
  if (depth > DEPTH || x->op != y->op) return 0;
  unsigned operands = ir_operands(x);
  for (unsigned i = 0; i < operands; i++)
    if (!same(p, ir_operand(x, i), ir_operand(y, i), depth + 1)) return 0;
  if (operands) return 1;
  switch (x->op) {
  case IR_VALUE:
  case IR_OWN_CHAN: return x->value == y->value;
  case IR_LOAD: return same_cell(p, x->a, y->a, depth + 1);
  case IR_LEN:
  case IR_EMPTY:
  case IR_FULL:
  case IR_NEMPTY:
  case IR_NFULL:
  case IR_PC_VALUE:
  case IR_PRIORITY: return same(p, x->a, y->a, depth + 1);
  case IR_AT: return x->b == y->b && x->c == y->c && same(p, x->a, y->a, depth + 1);
  case IR_FIRST: return x->b == y->b;
  case IR_PID_OWN:
  case IR_NR_PR:
  case IR_LAST:
  case IR_NP:
  case IR_NULL_POINTER: return 1;
  default: return 0; /* polls, C, and what depends on steps */
  }
}

int program_same(const struct program *p, ir_expr a, ir_expr b) { return same(p, a, b, 0); }
int program_same_cell(const struct program *p, ir_ref a, ir_ref b) { return same_cell(p, a, b, 0); }
