/* mishap.c -- see mishap.h.
 *
 * What can go wrong: an index out of range, a division by zero, a channel that is not there, has another number of fields or has no buffer to be looked into, a pointer to nothing, a look into a process that may be of another type.  Each is excluded by what the
 * numbers may be: spans follow from constants, from the widths of variables, and from what stays as it is as long as a process lives.  What is nested too deeply may go wrong. */
#include "process/mishap.h"

#include "process/footprint_touch.h"
#include "process/interpreter.h"

enum { DEPTH = 200 };

struct span {
  int64_t least, most;
};

struct walk {
  const struct footprints *f;
  struct machine *m;
  uint32_t slot;
};

static const struct span any = {INT32_MIN, INT32_MAX};

static struct span clip(int64_t least, int64_t most) { return least < INT32_MIN || most > INT32_MAX ? any : (struct span){least, most}; }

static struct span of_type(const struct ir_type *t) {
  if (t->bits >= 32 || !t->bits) return any;
  if (t->is_signed) return (struct span){-((int64_t)1 << (t->bits - 1)), ((int64_t)1 << (t->bits - 1)) - 1};
  return (struct span){0, ((int64_t)1 << t->bits) - 1};
}

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

static struct span span_of(const struct walk *w, ir_expr e, unsigned depth) {
  const struct program *p = w->f->p;
  const struct ir_node *n = program_at(p, e);
  struct span a, b;
  if (depth > DEPTH) return any;
  if (w->m && footprint_settled(w->f, e, 0, 0)) {
    int64_t value = footprint_value(w->m, w->slot, e);
    return (struct span){value, value};
  }
  switch (n->op) {
  case IR_VALUE: return (struct span){n->value, n->value};
  case IR_LOAD: return of_type(&p->types.at[p->refs.at[n->a].type]);
  case IR_NOT:
  case IR_LT:
  case IR_LE:
  case IR_GT:
  case IR_GE:
  case IR_EQ:
  case IR_NE:
  case IR_AND:
  case IR_OR:
  case IR_IMPLIES: return (struct span){0, 1};
  case IR_PID_OWN: return (struct span){0, MACHINE_SLOTS - 1};
  case IR_LEN: return (struct span){0, PROGRAM_CAPACITY};
  case IR_NEG: a = span_of(w, n->a, depth + 1); return clip(-a.most, -a.least);
  case IR_ADD:
  case IR_SUB:
    a = span_of(w, n->a, depth + 1), b = span_of(w, n->b, depth + 1);
    return n->op == IR_ADD ? clip(a.least + b.least, a.most + b.most) : clip(a.least - b.most, a.most - b.least);
  case IR_MUL:
    a = span_of(w, n->a, depth + 1), b = span_of(w, n->b, depth + 1);
    return a.least < 0 || b.least < 0 ? any : clip(a.least * b.least, a.most * b.most);
  case IR_MOD:
    a = span_of(w, n->a, depth + 1), b = span_of(w, n->b, depth + 1);
    if (b.least < 1) return any;
    return (struct span){a.least < 0 ? greater(a.least, 1 - b.most) : 0, a.most > 0 ? lesser(a.most, b.most - 1) : 0};
  case IR_DIV:
    a = span_of(w, n->a, depth + 1), b = span_of(w, n->b, depth + 1);
    return a.least < 0 || b.least < 1 ? any : (struct span){a.least / b.most, a.most / b.least};
  case IR_BAND:
    a = span_of(w, n->a, depth + 1), b = span_of(w, n->b, depth + 1);
    return b.least >= 0 ? (struct span){0, b.most} : a.least >= 0 ? (struct span){0, a.most} : any;
  case IR_COND:
    a = span_of(w, n->b, depth + 1), b = span_of(w, n->c, depth + 1);
    return (struct span){lesser(a.least, b.least), greater(a.most, b.most)};
  default: return any;
  }
}

static int in_expr(const struct walk *w, ir_expr e, unsigned depth);

static int in_ref(const struct walk *w, ir_ref ref, unsigned depth) {
  const struct ir_lvalue *r = &w->f->p->refs.at[ref];
  if (!ref) return 0;
  if (r->where == IR_REMOTE) return 1;
  if (r->where == IR_HEAP && (!w->m || !footprint_settled(w->f, r->slot, 0, 0) || !footprint_value(w->m, w->slot, r->slot))) return 1; /* a pointer that stays leads to an object for ever, if it does now */
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &w->f->p->indices.at[r->index + i];
    struct span at = span_of(w, x->expr, depth);
    if (at.least < 0 || at.most >= x->bound || in_expr(w, x->expr, depth + 1)) return 1;
  }
  return 0;
}

/* A channel that is certainly there. fields: what a communication gives; UINT32_MAX: no matter. poll: it must have a buffer. */
static int in_channel(const struct walk *w, ir_expr chan, uint32_t fields, int poll, unsigned depth) {
  const struct footprints *f = w->f;
  const struct ir_node *n = program_at(f->p, chan);
  if (in_expr(w, chan, depth)) return 1;
  if (n->op == IR_LOAD) {
    const struct ir_lvalue *r = &f->p->refs.at[n->a];
    const struct ir_decl *d = &f->p->decls.at[r->decl];
    if ((r->where == IR_GLOBAL || r->where == IR_LOCAL) && d->chan && f->fixed[r->decl]) {
      const struct ir_chan *kind = &f->p->chans.at[d->chan - 1];
      return (fields != UINT32_MAX && kind->fields != fields) || (poll && !kind->capacity);
    }
  }
  if (!w->m || !footprint_settled(f, chan, 0, 0)) return 1;
  int32_t number = footprint_value(w->m, w->slot, chan); /* channels of the program itself are always there; in a tame one those that a process holds, too */
  if (number < 1 || ((uint32_t)number > f->p->global_chans && !f->tame)) return 1;
  const struct runtime_chan *there = runtime_chan(&w->m->run, number);
  return !there || (fields != UINT32_MAX && there->fields != fields) || (poll && !there->capacity);
}

static int in_args(const struct walk *w, uint32_t first, uint32_t count, unsigned depth) {
  for (uint32_t i = first; i < first + count; i++) {
    const struct ir_arg *a = &w->f->p->args.at[i];
    if (a->kind == IR_ARG_BIND ? in_ref(w, a->what, depth) : a->kind != IR_ARG_IGNORE && in_expr(w, a->what, depth)) return 1;
  }
  return 0;
}

static int in_comm(const struct walk *w, const struct ir_comm *c, unsigned depth) { return in_channel(w, c->chan, c->args, c->flags & IR_PEEK, depth) || in_args(w, c->arg, c->args, depth); }

static int in_expr(const struct walk *w, ir_expr e, unsigned depth) {
  const struct ir_node *n = program_at(w->f->p, e);
  if (!e) return 0;
  if (depth > DEPTH) return 1;
  switch (n->op) {
  case IR_VALUE:
  case IR_PID_OWN:
  case IR_OWN_CHAN:
  case IR_NULL_POINTER:
  case IR_NR_PR:
  case IR_FIRST:
  case IR_TIMEOUT: return 0;
  case IR_LOAD: return in_ref(w, n->a, depth + 1);
  case IR_LEN:
  case IR_EMPTY:
  case IR_FULL:
  case IR_NEMPTY:
  case IR_NFULL: return in_channel(w, n->a, UINT32_MAX, 0, depth + 1);
  case IR_POLL: {
    const struct ir_comm *c = &w->f->p->comms.at[n->a - 1];
    return in_channel(w, c->chan, c->args, 1, depth + 1) || in_args(w, c->arg, c->args, depth + 1);
  }
  case IR_DIV:
  case IR_MOD: {
    struct span b = span_of(w, n->b, depth);
    if (b.least <= 0 && b.most >= 0) return 1;
  } /* fallthrough */
  default:
    for (unsigned i = 0; i < ir_operands(n); i++)
      if (in_expr(w, ir_operand(n, i), depth + 1)) return 1;
    return !ir_operands(n);
  }
}

int mishap_expr(const struct footprints *f, struct machine *m, uint32_t slot, ir_expr e) {
  struct walk w = {f, m, slot};
  return in_expr(&w, e, 0);
}

static int in_action(const struct walk *w, const struct ir_action *a) {
  const struct program *p = w->f->p;
  switch (a->kind) {
  case IR_ASSIGN: return in_ref(w, a->ref, 0) || in_expr(w, a->expr, 0);
  case IR_NEW:
  case IR_RESET: return in_ref(w, a->ref, 0);
  case IR_ASSERT: return in_expr(w, a->expr, 0);
  case IR_PRINT: return in_args(w, a->arg, a->args, 0);
  case IR_RUN: {
    struct walk of_new = {w->f, NULL, 0};
    if (in_args(w, a->arg, a->args, 0) || in_ref(w, a->ref, 0)) return 1;
    for (size_t i = 1; i < p->decls.count; i++)
      if (p->decls.at[i].scope == a->proc + 1 && in_expr(&of_new, p->decls.at[i].init, 0)) return 1;
    for (uint32_t i = p->procs.at[a->proc].init; i < p->procs.at[a->proc].init + p->procs.at[a->proc].inits; i++)
      if (in_ref(&of_new, p->inits.at[i].ref, 0) || in_expr(&of_new, p->inits.at[i].expr, 0)) return 1;
    return 0;
  }
  default: return 1;
  }
}

/* Inside a d_step: is nothing certain to be possible in the state that a transition leads to? */
static int may_block(const struct program *p, const struct ir_trans *t) {
  const struct ir_state *s = &p->states.at[p->procs.at[t->proc].state + t->to];
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
    const struct ir_trans *next = &p->trans.at[i];
    int runs = 0;
    for (uint32_t a = next->action; a < next->action + next->actions; a++) runs |= p->actions.at[a].kind == IR_RUN;
    if (!next->guard && !next->comm && !runs && !(next->flags & IR_END)) return 0; /* an else, too: the first that is possible is taken */
  }
  return 1;
}

int mishap_transition(const struct footprints *f, struct machine *m, uint32_t slot, uint32_t trans) {
  const struct ir_trans *t = &f->p->trans.at[trans];
  struct walk w = {f, m, slot};
  if ((t->flow == IR_DSTEP && may_block(f->p, t)) || in_expr(&w, f->p->procs.at[t->proc].provided, 0) || in_expr(&w, t->guard, 0)) return 1;
  if (t->comm && in_comm(&w, &f->p->comms.at[t->comm - 1], 0)) return 1;
  for (uint32_t i = t->action; i < t->action + t->actions; i++)
    if (in_action(&w, &f->p->actions.at[i])) return 1;
  return 0;
}
