/* scalarset.c -- see scalarset.h. */
#include "process/scalarset.h"

/* ---- choices -------------------------------------------------------------------------------------------------------------- */

/* The lvalue and the constant of a transition that does nothing else: 1, or 0. */
static int assigns_constant(const struct program *p, const struct ir_trans *t, const struct ir_lvalue **to, int32_t *value) {
  if (t->guard || t->comm || t->actions != 1 || t->flags || p->actions.at[t->action].kind != IR_ASSIGN) return 0;
  const struct ir_action *a = &p->actions.at[t->action];
  *to = &p->refs.at[a->ref];
  return !(*to)->indices && ((*to)->where == IR_GLOBAL || (*to)->where == IR_LOCAL) && program_constant(p, a->expr, value);
}

/* Inside a d_step the first one that is possible is taken. */
static int is_in_dstep(const struct program *p, uint32_t proc, uint32_t state) {
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (t->proc == proc && t->to == state && t->flow == IR_DSTEP && !(t->flags & IR_END)) return 1;
  }
  return 0;
}

uint32_t program_choice(const struct program *p, const struct ir_trans *t) {
  const struct ir_lvalue *to, *other_to;
  int32_t value, other;
  uint64_t found = 0;
  if (!assigns_constant(p, t, &to, &value)) return 0;
  const struct ir_state *q = &p->states.at[p->procs.at[t->proc].state + t->from];
  for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
    const struct ir_trans *x = &p->trans.at[i];
    if (!assigns_constant(p, x, &other_to, &other) || other_to->decl != to->decl || other_to->base != to->base || other_to->where != to->where) continue;
    if (x->to != t->to || x->flow != t->flow || x->escape != t->escape || x->choice || other < 0 || other >= SCALARSET_MOST) continue;
    found |= (uint64_t)1 << other;
  }
  uint32_t count = 0;
  while (count < SCALARSET_MOST && found >> count & 1) count++;
  return value >= 0 && (uint32_t)value < count && !is_in_dstep(p, t->proc, t->from) ? count : 0;
}

/* ---- checking ------------------------------------------------------------------------------------------------------------- */

struct checker {
  const struct program *p;
  struct err *e;
  struct place_in_text place; /* of the statement */
  int failed;
};

static void wrong(struct checker *c, struct place_in_text at, uint32_t set, const char *what) {
  if (c->failed) return;
  c->failed = 1;
  err_input(c->e, at.line ? at : c->place, "%s scalarset(%u): its values can only be assigned, compared with == and !=, sent, received, chosen by select and used as index", what, (unsigned)set);
}

static uint32_t walk(struct checker *c, ir_expr e);

/* The set of an lvalue; 0 = a number. */
static uint32_t walk_ref(struct checker *c, ir_ref ref) {
  const struct program *p = c->p;
  const struct ir_lvalue *r = &p->refs.at[ref];
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &p->indices.at[r->index + i];
    uint32_t set = walk(c, x->expr);
    if (set && x->bound != set) wrong(c, r->place, set, "an array of another size is indexed by");
  }
  if (r->slot) {
    uint32_t set = walk(c, r->slot);
    if (set) wrong(c, r->place, set, "a process is named by");
  }
  return p->types.at[r->type].scalarset;
}

static void same(struct checker *c, struct place_in_text at, uint32_t a, uint32_t b, const char *what) {
  if (a != b) wrong(c, at, a ? a : b, what);
}

static void walk_comm(struct checker *c, uint32_t comm) {
  const struct program *p = c->p;
  if (!comm) return;
  const struct ir_comm *x = &p->comms.at[comm - 1];
  const struct ir_node *n = program_at(p, x->chan);
  const struct ir_decl *d = n->op == IR_LOAD ? &p->decls.at[p->refs.at[n->a].decl] : NULL;
  const struct ir_chan *chan = d && d->chan ? &p->chans.at[d->chan - 1] : NULL; /* otherwise messages go where nobody knows */
  walk(c, x->chan);
  for (uint32_t i = 0; i < x->args; i++) {
    const struct ir_arg *a = &p->args.at[x->arg + i];
    if (a->kind == IR_ARG_IGNORE) continue;
    uint32_t set = a->kind == IR_ARG_BIND ? walk_ref(c, a->what) : walk(c, a->what);
    if (chan && i < chan->fields) same(c, x->place, set, p->types.at[p->chan_fields.at[chan->field + i]].scalarset, "a field of a message is not what is sent or received:");
  }
}

/* The set that an expression's value is of; 0 = a number. As deep as the parser lets expressions be. */
static uint32_t walk(struct checker *c, ir_expr e) {
  const struct ir_node *n = program_at(c->p, e);
  uint32_t a, b;
  switch ((enum ir_op)n->op) {
  case IR_LOAD: return walk_ref(c, n->a);
  case IR_EQ:
  case IR_NE:
    a = walk(c, n->a);
    b = walk(c, n->b);
    same(c, n->place, a, b, "a number is compared with a value of");
    return 0;
  case IR_COND:
    if ((a = walk(c, n->a))) wrong(c, n->place, a, "a condition is a value of");
    a = walk(c, n->b);
    b = walk(c, n->c);
    same(c, n->place, a, b, "either a number or a value of");
    return a;
  case IR_POLL: walk_comm(c, n->a); return 0;
  case IR_NEG: case IR_NOT: case IR_INVERT:
  case IR_LEN: case IR_EMPTY: case IR_FULL: case IR_NEMPTY: case IR_NFULL:
  case IR_AT: case IR_ENABLED: case IR_PC_VALUE: case IR_PRIORITY:
    if ((a = walk(c, n->a))) wrong(c, n->place, a, "no operator is for");
    return 0;
  case IR_ADD: case IR_SUB: case IR_MUL: case IR_DIV: case IR_MOD:
  case IR_BAND: case IR_BOR: case IR_BXOR: case IR_SHL: case IR_SHR:
  case IR_LT: case IR_LE: case IR_GT: case IR_GE:
  case IR_AND: case IR_OR: case IR_IMPLIES:
    a = walk(c, n->a);
    b = walk(c, n->b);
    if (a || b) wrong(c, n->place, a ? a : b, "no operator is for");
    return 0;
  default: return 0;
  }
}

static void walk_condition(struct checker *c, ir_expr e) {
  uint32_t set = e ? walk(c, e) : 0;
  if (set) wrong(c, program_at(c->p, e)->place, set, "a condition is a value of");
}

static void walk_action(struct checker *c, const struct ir_trans *t, const struct ir_action *a) {
  const struct program *p = c->p;
  uint32_t set;
  switch (a->kind) {
  case IR_ASSIGN:
    set = walk_ref(c, a->ref);
    if (!set || program_choice(p, t) < set) same(c, a->place, set, walk(c, a->expr), "a number is assigned to a variable of, or the other way round,");
    return;
  case IR_ASSERT: walk_condition(c, a->expr); return;
  case IR_RUN:
    for (uint32_t i = 0; i < a->args && i < p->procs.at[a->proc].params; i++)
      same(c, a->place, walk(c, p->args.at[a->arg + i].what), p->types.at[program_cell_type(p, a->proc + 1, i)].scalarset, "a parameter is not what is given for it:");
    return;
  case IR_PRINT:
    for (uint32_t i = 0; i < a->args; i++) walk(c, p->args.at[a->arg + i].what);
    return;
  case IR_NEW:
  case IR_RESET:
  case IR_SET_PRIORITY:
  case IR_C_CODE: return;
  }
}

int program_check_scalarsets(const struct program *p, struct err *e) {
  struct checker c = {.p = p, .e = e};
  int any = 0;
  for (size_t i = 0; i < p->types.count; i++) any |= p->types.at[i].scalarset != 0;
  if (!any) return 0;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->init && p->types.at[d->type].scalarset && !walk(&c, d->init)) wrong(&c, d->place, p->types.at[d->type].scalarset, "a number is the first value of a variable of");
  }
  for (size_t i = 0; i < p->inits.count && !c.failed; i++) {
    c.place = p->refs.at[p->inits.at[i].ref].place;
    same(&c, c.place, p->types.at[p->refs.at[p->inits.at[i].ref].type].scalarset, walk(&c, p->inits.at[i].expr), "a number is the first value of a variable of");
  }
  for (size_t i = 0; i < p->trans.count && !c.failed; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    c.place = t->place;
    walk_condition(&c, t->guard);
    walk_comm(&c, t->comm);
    for (uint32_t a = 0; a < t->actions; a++) walk_action(&c, t, &p->actions.at[t->action + a]);
  }
  return c.failed ? -1 : 0;
}
