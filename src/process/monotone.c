/* monotone.c -- see monotone.h.
 *
 * A declaration rises if every statement that writes it is  x = x + c  with a positive constant, and if c is negative it falls; so does an array, element by element, where
 * the index on both sides is the same expression.  Or if all statements write the same constant: a flag that goes up once.  Messages that bind it, pids, loops that
 * begin it again are writes of another kind, and end its claim.
 *
 * Cells have widths and wrap around.  That x cannot is proven only where the guard of each such transition says so: x < 9 beside x = x + 1.  In a rendezvous the
 * partner may come between guard and statement, which is taken to prove nothing.  Nothing here is a promise about values, only about steps: what is not proven is
 * still a good guess. */
#include "process/monotone.h"

#include "process/same.h"

enum { DEPTH = 60 }; /* of guards that are looked into */

enum claim { NOTHING_YET, STEPS, FLAG, LOST };

struct judge {
  const struct program *p;
  struct mem *mem;
  uint8_t *claim, *proven, *unknown; /* per declaration; unknown: what it is at the start */
  int8_t *sign;                      /* STEPS */
  int32_t *constant;                 /* FLAG: what is written; first value */
  uint32_t *last;                    /* 1 + the transition that wrote it last */
};

static int loads(const struct program *p, ir_expr e, ir_ref ref) {
  const struct ir_node *n = program_at(p, e);
  return n->op == IR_LOAD && p->refs.at[ref].where <= IR_LOCAL && program_same_cell(p, n->a, ref);
}

/* c of ref + c; 0 = the expression is nothing of the kind. */
static int64_t step_of(const struct program *p, ir_ref ref, ir_expr e) {
  const struct ir_node *n = program_at(p, e);
  int32_t c;
  if (n->op == IR_ADD && loads(p, n->a, ref) && program_constant(p, n->b, &c)) return c;
  if (n->op == IR_ADD && loads(p, n->b, ref) && program_constant(p, n->a, &c)) return c;
  if (n->op == IR_SUB && loads(p, n->a, ref) && program_constant(p, n->b, &c)) return -(int64_t)c;
  return 0;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------------------ */

static int64_t least_of(const struct ir_type *t) { return t->is_signed ? -(INT64_C(1) << (t->bits - 1)) : 0; }
static int64_t most_of(const struct ir_type *t) { return (INT64_C(1) << (t->is_signed ? t->bits - 1 : t->bits)) - 1; }

static enum ir_op turned(enum ir_op op) {
  switch (op) {
  case IR_LT: return IR_GT;
  case IR_LE: return IR_GE;
  case IR_GT: return IR_LT;
  case IR_GE: return IR_LE;
  default: return op;
  }
}

/* A conjunct of the guard keeps ref + step within the type. */
static int keeps(const struct program *p, ir_expr e, ir_ref ref, int64_t step, const struct ir_type *t, unsigned depth) {
  const struct ir_node *n = program_at(p, e);
  int32_t c;
  if (!e || depth > DEPTH) return 0;
  if (n->op == IR_AND) return keeps(p, n->a, ref, step, t, depth + 1) || keeps(p, n->b, ref, step, t, depth + 1);
  if (n->op < IR_LT || n->op > IR_EQ) return 0;
  enum ir_op op = (enum ir_op)n->op;
  if (loads(p, n->b, ref) && program_constant(p, n->a, &c)) op = turned(op);
  else if (!loads(p, n->a, ref) || !program_constant(p, n->b, &c)) return 0;
  int64_t edge = (int64_t)c + (op == IR_LT ? -1 : op == IR_GT ? 1 : 0) + step;
  int above = op == IR_LT || op == IR_LE || op == IR_EQ, below = op == IR_GT || op == IR_GE || op == IR_EQ;
  return step > 0 ? above && edge <= most_of(t) : below && edge >= least_of(t);
}

/* ---- writes ------------------------------------------------------------------------------------------------------------------ */

static void lose(struct judge *j, ir_ref ref) {
  const struct ir_lvalue *r = &j->p->refs.at[ref];
  if (ref && r->where != IR_HEAP) j->claim[r->decl] = LOST;
}

static void assign(struct judge *j, uint32_t trans, const struct ir_action *a) {
  const struct program *p = j->p;
  const struct ir_trans *t = &p->trans.at[trans];
  const struct ir_lvalue *r = &p->refs.at[a->ref];
  if (r->where == IR_HEAP) return;
  uint32_t d = r->decl;
  int64_t step = r->where == IR_REMOTE ? 0 : step_of(p, a->ref, a->expr);
  int32_t c;
  if (step && (j->claim[d] == NOTHING_YET || (j->claim[d] == STEPS && (j->sign[d] > 0) == (step > 0)))) {
    j->claim[d] = STEPS;
    j->sign[d] = step > 0 ? 1 : -1;
    int moved = r->indices && (t->comm || a != &p->actions.at[t->action]); /* another element than the guard speaks of, perhaps */
    if (moved || j->last[d] == trans + 1 || (t->comm && p->uses_rendezvous) || !keeps(p, t->guard, a->ref, step, &p->types.at[r->type], 0)) j->proven[d] = 0;
  } else if (!step && r->where != IR_REMOTE && program_constant(p, a->expr, &c) && (j->claim[d] == NOTHING_YET || (j->claim[d] == FLAG && j->constant[d] == program_cut(&p->types.at[r->type], c)))) {
    j->claim[d] = FLAG;
    j->constant[d] = program_cut(&p->types.at[r->type], c);
  } else {
    j->claim[d] = LOST;
  }
  j->last[d] = trans + 1;
}

static void judge_transition(struct judge *j, uint32_t trans) {
  const struct program *p = j->p;
  const struct ir_trans *t = &p->trans.at[trans];
  if (t->comm) {
    const struct ir_comm *c = &p->comms.at[t->comm - 1];
    for (uint32_t i = 0; i < c->args; i++)
      if (p->args.at[c->arg + i].kind == IR_ARG_BIND) lose(j, p->args.at[c->arg + i].what);
  }
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &p->actions.at[t->action + i];
    if (a->kind == IR_ASSIGN) assign(j, trans, a);
    else lose(j, a->ref);
  }
}

int monotone_ends(const struct program *p, uint32_t proc) {
  for (uint32_t i = 0; i < p->trans.count; i++)
    if (p->trans.at[i].proc == proc && p->trans.at[i].flags & IR_END) return 1;
  return 0;
}

int monotone_is_run(const struct program *p, uint32_t proc) {
  for (uint32_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i].kind == IR_RUN && p->actions.at[i].proc == proc) return 1;
  return 0;
}

/* ---- the verdict --------------------------------------------------------------------------------------------------------------- */

/* 1 and *out if it is monotone after all. */
static int conclude(const struct judge *j, uint32_t d, struct monotone *out) {
  const struct program *p = j->p;
  const struct ir_decl *decl = &p->decls.at[d];
  int32_t first = 0;
  int known = !j->unknown[d] && !(decl->flags & IR_PARAM) && (!decl->init || program_constant(p, decl->init, &first));
  if (decl->chan || decl->flags & (IR_HIDDEN | IR_CONST | IR_INTERNAL) || p->types.at[decl->type].kind > IR_MTYPE) return 0;
  first = known ? program_cut(&p->types.at[decl->type], first) : 0;
  if (j->claim[d] == STEPS) *out = (struct monotone){.decl = d, .sign = j->sign[d], .proven = j->proven[d], .first = first};
  else if (j->claim[d] == FLAG && known && j->constant[d] != first) *out = (struct monotone){.decl = d, .sign = j->constant[d] > first ? 1 : -1, .proven = 1, .first = first};
  else return 0;
  if (decl->scope && (monotone_ends(p, decl->scope - 1) || (!known && monotone_is_run(p, decl->scope - 1)))) out->proven = 0;
  return 1;
}

int monotone_find(struct monotones *out, const struct program *p, struct mem *mem) {
  size_t n = p->decls.count + 1;
  *out = (struct monotones){0};
  if (p->uses_c) return 0; /* C may write anything */
  struct judge j = {.p = p,
                    .mem = mem,
                    .claim = mem_alloc(mem, MEM_ANALYSIS, n),
                    .proven = mem_alloc(mem, MEM_ANALYSIS, n),
                    .unknown = mem_alloc(mem, MEM_ANALYSIS, n),
                    .sign = mem_alloc(mem, MEM_ANALYSIS, n),
                    .constant = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *j.constant),
                    .last = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *j.last)};
  int status = j.claim && j.proven && j.unknown && j.sign && j.constant && j.last ? 0 : -1;
  if (!status) {
    for (size_t d = 0; d < n; d++) j.proven[d] = 1;
    for (uint32_t i = 0; i < p->inits.count; i++) j.unknown[p->refs.at[p->inits.at[i].ref].decl] = 1;
    for (uint32_t t = 0; t < p->trans.count; t++) judge_transition(&j, t);
    for (uint32_t d = 1; d < p->decls.count && !status; d++) {
      struct monotone m;
      if (conclude(&j, d, &m)) status = vec_push(&out->at, mem, MEM_ANALYSIS, m);
    }
  }
  void *all[] = {j.claim, j.proven, j.unknown, j.sign, j.constant, j.last};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(mem, all[i]);
  if (status) monotone_close(out, mem);
  return status;
}

void monotone_close(struct monotones *m, struct mem *mem) { vec_free(&m->at, mem); }
