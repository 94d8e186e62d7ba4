/* footprint_touch.c -- see footprint_touch.h.
 *
 * A walk over guard, communication and actions of a transition, which adds bits to two sets.  Elements of arrays and channels are told apart where what chooses them stays as it is; otherwise all that they may be are touched.  What is
 * not understood, and what is nested too deeply to be walked over, touches everything. */
#include "process/footprint_touch.h"

#include "process/interpreter.h"
#include "process/mishap.h"

enum { DEPTH = 500 }; /* of expressions */

static void both(struct footprint_walk *w, uint32_t used, uint32_t against) {
  footprint_bit(w->used, used);
  footprint_bit(w->against, against);
}

static void everything(struct footprint_walk *w) {
  both(w, TOUCH_ALL, TOUCH_ANY);
}

/* ---- what stays as it is -------------------------------------------------------------------------------------------------- */

int footprint_settled(const struct footprints *f, ir_expr e, int own, unsigned depth) {
  const struct ir_node *n = program_at(f->p, e);
  if (depth > DEPTH) return 0;
  switch (n->op) {
  case IR_VALUE:
  case IR_PID_OWN:
  case IR_OWN_CHAN: return 1;
  case IR_LOAD: {
    const struct ir_lvalue *r = &f->p->refs.at[n->a];
    if (r->where != IR_GLOBAL && r->where != IR_LOCAL) return 0;
    if (!f->fixed[r->decl] && !(own && r->where == IR_LOCAL)) return 0;
    for (uint32_t i = 0; i < r->indices; i++)
      if (!footprint_settled(f, f->p->indices.at[r->index + i].expr, own, depth + 1)) return 0;
    return 1;
  }
  default:
    for (unsigned i = 0; i < ir_operands(n); i++)
      if (!footprint_settled(f, ir_operand(n, i), own, depth + 1)) return 0;
    return ir_operands(n) > 0;
  }
}

int32_t footprint_value(struct machine *m, uint32_t slot, ir_expr e) {
  size_t faults = m->faults.count;
  int32_t value = interpreter_value(&m->run, slot, e);
  m->faults.count = faults;
  return value;
}

/* ---- variables and channels ------------------------------------------------------------------------------------------------- */

static void touch_unit(struct footprint_walk *w, uint32_t unit, int writes) {
  uint32_t reading = w->f->vars + 2 * unit, writing = reading + 1;
  both(w, writes ? writing : reading, writing);
  if (writes) footprint_bit(w->against, reading);
}

static void touch_global(struct footprint_walk *w, const struct ir_lvalue *r, int writes) {
  const struct footprints *f = w->f;
  const struct ir_decl *d = &f->p->decls.at[r->decl];
  if (!writes && f->fixed[r->decl]) return;
  if (!f->by_cell) {
    touch_unit(w, r->decl, writes);
    return;
  }
  uint32_t cell = r->base;
  int known = 1;
  for (uint32_t i = 0; i < r->indices && known; i++) {
    const struct ir_index *x = &f->p->indices.at[r->index + i];
    int32_t at;
    if (program_constant(f->p, x->expr, &at)) known = 1;
    else if (w->m && footprint_settled(f, x->expr, 0, 0)) at = footprint_value(w->m, w->slot, x->expr);
    else known = 0;
    if (known && (uint32_t)at < x->bound) cell += (uint32_t)at * x->stride; /* element 0 where it is out of range */
  }
  if (known && cell - d->base < d->cells) touch_unit(w, cell, writes);
  else
    for (uint32_t k = 0; k < d->cells; k++) touch_unit(w, d->base + k, writes);
}

/* An object on the heap: the one that a pointer leads to which stays as it is, or any. */
static void touch_object(struct footprint_walk *w, const struct ir_lvalue *r, int writes, unsigned depth) {
  const struct footprints *f = w->f;
  int32_t pointer = w->m && footprint_settled(f, r->slot, 0, 0) ? footprint_value(w->m, w->slot, r->slot) : 0;
  footprint_expr(w, r->slot, depth + 1);
  for (uint32_t k = 0; k < f->objects; k++)
    if (pointer <= 0 || k == (uint32_t)pointer % f->objects) touch_unit(w, f->cells + k, writes);
}

static void touch_ref(struct footprint_walk *w, ir_ref ref, int writes, unsigned depth) {
  const struct ir_lvalue *r = &w->f->p->refs.at[ref];
  if (!ref) return;
  if (depth > DEPTH || (r->where == IR_REMOTE && writes)) {
    everything(w);
    return;
  }
  for (uint32_t i = 0; i < r->indices; i++) footprint_expr(w, w->f->p->indices.at[r->index + i].expr, depth + 1);
  if (r->where == IR_HEAP) {
    touch_object(w, r, writes, depth);
    return;
  }
  if (r->where == IR_GLOBAL) touch_global(w, r, writes);
  uint32_t seen = w->f->remotes + 2 * (w->f->remote[r->decl] - 1); /* looked at; and one more: changed */
  if (r->where == IR_LOCAL && writes && w->f->remote[r->decl]) both(w, seen + 1, seen);
  if (r->where != IR_REMOTE) return;
  footprint_expr(w, r->slot, depth + 1);
  if (w->f->remote[r->decl]) both(w, seen, seen + 1);
  else everything(w);
  both(w, TOUCH_COUNT, TOUCH_RUN);
  footprint_bit(w->against, TOUCH_END);
}

/* One end of a channel, by a guard that is true as long as nobody else uses the same end. */
static void touch_end(struct footprint_walk *w, uint32_t number, uint32_t part) { both(w, footprint_chan(w->f, number, part), footprint_chan(w->f, number, part)); }

static void touch_number(struct footprint_walk *w, uint32_t number, unsigned parts) {
  for (uint32_t part = CHAN_TAIL; part <= CHAN_WHOLE; part++) {
    if (parts >> part & 1) footprint_bit(w->used, footprint_chan(w->f, number, part));
    if (parts >> CHAN_WHOLE & 1) footprint_bit(w->against, footprint_chan(w->f, number, part));
  }
  if (parts >> CHAN_WHOLE & 1 && parts >> CHAN_TAIL & 1) both(w, footprint_chan(w->f, number, CHAN_ASKS), footprint_chan(w->f, number, CHAN_READY));
}

/* The channels that an expression may stand for: one, those of an array, or any. parts: bits of enum CHAN_*, or one bit beyond them: its tail, its head, in the eyes of a guard. */
static void touch_channels(struct footprint_walk *w, ir_expr chan, unsigned parts) {
  const struct footprints *f = w->f;
  const struct ir_node *n = program_at(f->p, chan);
  uint32_t first = 1, last = f->channels;
  if (!w->m && f->tame && !(n->op == IR_LOAD && f->p->refs.at[n->a].where == IR_GLOBAL)) return; /* those who hand it down know which (footprint_heirs) */
  if (w->m && footprint_settled(f, chan, 0, 0)) {
    int32_t number = footprint_value(w->m, w->slot, chan);
    if (number < 1 || (uint32_t)number > f->channels) return; /* a fault, whatever happens */
    first = last = (uint32_t)number;
  } else if (n->op == IR_LOAD && f->p->refs.at[n->a].where == IR_GLOBAL) {
    const struct ir_decl *d = &f->p->decls.at[f->p->refs.at[n->a].decl];
    if (d->chan && f->fixed[f->p->refs.at[n->a].decl]) {
      first = 1 + d->first_chan;
      last = first + d->cells - 1;
    }
  }
  for (uint32_t number = first; number <= last && number <= f->channels; number++)
    if (parts == 1u << CHAN_BITS) touch_end(w, number, CHAN_TAIL);
    else if (parts == 2u << CHAN_BITS) touch_end(w, number, CHAN_HEAD);
    else touch_number(w, number, parts);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

static void touch_args(struct footprint_walk *w, uint32_t first, uint32_t count, unsigned depth) {
  for (uint32_t i = first; i < first + count; i++) {
    const struct ir_arg *a = &w->f->p->args.at[i];
    if (a->kind == IR_ARG_BIND) touch_ref(w, a->what, 1, depth);
    else if (a->kind != IR_ARG_IGNORE) footprint_expr(w, a->what, depth);
  }
}

static void touch_comm(struct footprint_walk *w, const struct ir_comm *c, int polls, unsigned depth) {
  const struct program *p = w->f->p;
  unsigned parts = polls ? 0 : 1u << (c->flags & IR_SEND ? CHAN_TAIL : CHAN_HEAD);
  if (polls || w->whole || c->flags & (IR_SORTED | IR_RANDOM | IR_PEEK) || p->lossy_channels || w->f->relays) parts |= 1u << CHAN_WHOLE;
  footprint_expr(w, c->chan, depth);
  touch_channels(w, c->chan, parts);
  for (uint32_t i = c->arg; polls && i < c->arg + c->args; i++)
    if (p->args.at[i].kind == IR_ARG_MATCH) footprint_expr(w, p->args.at[i].what, depth);
  if (!polls) touch_args(w, c->arg, c->args, depth);
}

void footprint_expr(struct footprint_walk *w, ir_expr e, unsigned depth) {
  const struct ir_node *n = program_at(w->f->p, e);
  if (!e) return;
  if (depth > DEPTH) {
    everything(w);
    return;
  }
  switch (n->op) {
  case IR_VALUE:
  case IR_PID_OWN:
  case IR_OWN_CHAN:
  case IR_NULL_POINTER: return;
  case IR_LOAD: touch_ref(w, n->a, 0, depth + 1); return;
  case IR_LEN:
  case IR_EMPTY:
  case IR_FULL:
  case IR_NEMPTY:
  case IR_NFULL:
    footprint_expr(w, n->a, depth + 1);
    touch_channels(w, n->a, 1u << CHAN_WHOLE);
    return;
  case IR_POLL: touch_comm(w, &w->f->p->comms.at[n->a - 1], 1, depth + 1); return;
  case IR_TIMEOUT: /* false while those who choose have a step (dependence.c) */
    if (w->asks) footprint_bit(w->against, TOUCH_ANY);
    return;
  case IR_AT:
    footprint_expr(w, n->a, depth + 1);
    both(w, w->f->insides + 2 * n->b, w->f->insides + 2 * n->b + 1);
    /* fallthrough */
  case IR_FIRST:
  case IR_NR_PR:
    both(w, TOUCH_COUNT, TOUCH_RUN);
    footprint_bit(w->against, TOUCH_END);
    return;
  default:
    if (!ir_operands(n)) everything(w);
    for (unsigned i = 0; i < ir_operands(n); i++) footprint_expr(w, ir_operand(n, i), depth + 1);
    return;
  }
}

/* A process is made: what its first values depend on, and all that it may ever do. */
static void touch_run(struct footprint_walk *w, uint32_t type) {
  const struct program *p = w->f->p;
  struct footprint_walk of_new = *w;
  of_new.m = NULL;
  both(w, TOUCH_RUN, TOUCH_RUN);
  if (!w->f->blind) footprint_bit(w->against, TOUCH_END);
  footprint_bit(w->against, TOUCH_COUNT);
  if (p->procs.at[type].chans && !w->f->tame) everything(w);
  for (size_t i = 1; i < p->decls.count; i++)
    if (p->decls.at[i].scope == type + 1) footprint_expr(&of_new, p->decls.at[i].init, 0);
  for (uint32_t i = p->procs.at[type].init; i < p->procs.at[type].init + p->procs.at[type].inits; i++) {
    touch_ref(&of_new, p->inits.at[i].ref, 1, 0);
    footprint_expr(&of_new, p->inits.at[i].expr, 0);
  }
}

void footprint_heirs(struct footprint_walk *w, const struct ir_action *run) {
  const struct footprints *f = w->f;
  unsigned parts = f->chan_parts[run->proc];
  for (uint32_t i = 0; i < run->args && i < f->p->procs.at[run->proc].params && f->tame && parts; i++) {
    ir_expr e = f->p->args.at[run->arg + i].what;
    if (f->p->types.at[program_cell_type(f->p, run->proc + 1, i)].kind != IR_CHANNEL) continue;
    if (!w->m) {
      touch_channels(w, e, parts); /* a global one; those that its maker was given are known to who gave them */
      continue;
    }
    int known = footprint_settled(f, e, 0, 0);
    int32_t number = known ? footprint_value(w->m, w->slot, e) : 0;
    for (uint32_t k = 1; k <= f->channels; k++) {
      if (known && (int32_t)k != number) continue;
      for (uint32_t part = CHAN_TAIL; part <= CHAN_WHOLE; part++)
        if (parts >> part & 1) footprint_bit(w->used, footprint_chan(f, k, part));
      if (parts >> CHAN_TAIL & 1 && parts >> CHAN_WHOLE & 1) footprint_bit(w->used, footprint_chan(f, k, CHAN_ASKS));
    }
  }
}

/* A guard: its parts must all be true. */
static void touch_guard(struct footprint_walk *w, ir_expr guard) {
  ir_expr waiting[32];
  uint32_t count = 0;
  if (guard) waiting[count++] = guard;
  while (count) {
    ir_expr e = waiting[--count];
    const struct ir_node *n = program_at(w->f->p, e);
    if (w->ends && n->op == IR_AND && count + 2 <= 32) {
      waiting[count++] = n->a;
      waiting[count++] = n->b;
    } else if (w->ends && (n->op == IR_NEMPTY || n->op == IR_NFULL)) {
      footprint_expr(w, n->a, 0);
      touch_channels(w, n->a, (n->op == IR_NFULL ? 1u : 2u) << CHAN_BITS);
    } else footprint_expr(w, e, 0);
  }
}

void footprint_wait(struct footprint_walk *w, ir_expr part) {
  const struct ir_node *n = program_at(w->f->p, part);
  if (n->op != IR_NEMPTY && n->op != IR_NFULL) {
    footprint_expr(w, part, 0);
    return;
  }
  footprint_expr(w, n->a, 0);
  touch_channels(w, n->a, (n->op == IR_NFULL ? 2u : 1u) << CHAN_BITS);
}

static void touch_action(struct footprint_walk *w, const struct ir_action *a) {
  switch (a->kind) {
  case IR_ASSIGN:
    touch_ref(w, a->ref, 1, 0);
    footprint_expr(w, a->expr, 0);
    return;
  case IR_ASSERT:
    footprint_bit(w->used, TOUCH_ASSERT);
    footprint_expr(w, a->expr, 0);
    return;
  case IR_PRINT: touch_args(w, a->arg, a->args, 0); return;
  case IR_RUN:
    touch_args(w, a->arg, a->args, 0);
    touch_ref(w, a->ref, 1, 0);
    touch_run(w, a->proc);
    return;
  case IR_NEW:
    if (!w->f->ample) everything(w);
    touch_ref(w, a->ref, 1, 0);
    return;
  case IR_RESET: touch_ref(w, a->ref, 1, 0); return;
  default: everything(w); return;
  }
}

void footprint_transition(struct footprint_walk *w, uint32_t trans) {
  const struct footprints *f = w->f;
  const struct ir_trans *t = &f->p->trans.at[trans];
  footprint_bit(w->used, TOUCH_ANY);
  footprint_bit(w->against, TOUCH_ALL);
  if (mishap_transition(f, w->m, w->slot, trans)) footprint_bit(w->used, TOUCH_MISHAP);
  if (f->watched[t->proc]) both(w, f->insides + 2 * t->proc + 1, f->insides + 2 * t->proc);
  footprint_expr(w, f->p->procs.at[t->proc].provided, 0);
  touch_guard(w, t->guard);
  if (t->comm) touch_comm(w, &f->p->comms.at[t->comm - 1], 0, 0);
  for (uint32_t i = 0; i < t->actions; i++) touch_action(w, &f->p->actions.at[t->action + i]);
  if (!(t->flags & IR_END)) return;
  footprint_bit(w->used, TOUCH_END);
  if (!f->blind) footprint_bit(w->against, TOUCH_RUN);
  footprint_bit(w->against, TOUCH_COUNT);
  if (f->p->procs.at[t->proc].chans && !f->tame) everything(w);
}
