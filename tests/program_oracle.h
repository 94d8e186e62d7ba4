/* program_oracle.h -- the slow truth about programs: walks a struct program by what program.h says, and by nothing else.
 *
 * A state is a row of plain numbers: global cells, then per slot the control state and the cells, then per channel the number
 * of messages and the messages.  Breadth-first, with a simple hash table.  Shares no code with the engine.
 *
 * It knows what languages with a fixed set of processes need: guards, assignments, assertions, buffered and rendezvous channels,
 * committed states, receiver_first, else.  A program that needs more (run, atomic, timeout, heap, ...) has `unsupported` set. */
#ifndef TESTS_PROGRAM_ORACLE_H
#define TESTS_PROGRAM_ORACLE_H

#include "process/program.h"

#include <stdlib.h>
#include <string.h>

struct program_oracle {
  const struct program *p;
  size_t row, states, edges, deadlocks, faults, asserts; /* faults: failed assertions included */
  int complete, unsupported;
  int32_t *value; /* states x row */
  /* layout and tables */
  uint32_t slots, slot_at[256], chans;
  uint32_t *chan_at; /* offset in the row, by number - 1 */
  const struct ir_chan **chan_of;
  size_t *slot, slots_of_table, room;
  size_t most;
  int fault; /* in the step at hand */
};

static inline int32_t *po_cell(struct program_oracle *o, int32_t *s, uint32_t self, ir_ref ref);

static inline int32_t po_eval(struct program_oracle *o, int32_t *s, uint32_t self, ir_expr e) {
  const struct ir_node *n = &o->p->nodes.at[e];
  int32_t a, b, r;
  switch (n->op) {
  case IR_VALUE: return n->value;
  case IR_LOAD: return *po_cell(o, s, self, n->a);
  case IR_NEG: return (int32_t)(0u - (uint32_t)po_eval(o, s, self, n->a));
  case IR_NOT: return !po_eval(o, s, self, n->a);
  case IR_INVERT: return ~po_eval(o, s, self, n->a);
  case IR_AND: return po_eval(o, s, self, n->a) && po_eval(o, s, self, n->b);
  case IR_OR: return po_eval(o, s, self, n->a) || po_eval(o, s, self, n->b);
  case IR_IMPLIES: return !po_eval(o, s, self, n->a) || po_eval(o, s, self, n->b);
  case IR_COND: return po_eval(o, s, self, n->a) ? po_eval(o, s, self, n->b) : po_eval(o, s, self, n->c);
  case IR_AT: {
    a = po_eval(o, s, self, n->a);
    if (a < 0 || (uint32_t)a >= o->slots || o->p->start.at[a] != n->b) return 0;
    return s[o->slot_at[a]] == (int32_t)o->p->labels.at[n->c].state;
  }
  case IR_PID_OWN: return (int32_t)self;
  case IR_PC_VALUE: return s[o->slot_at[po_eval(o, s, self, n->a)]];
  case IR_NR_PR: return (int32_t)o->slots;
  case IR_LEN: return s[o->chan_at[po_eval(o, s, self, n->a) - 1]];
  default: break;
  }
  if (n->op < IR_ADD || n->op > IR_NE) {
    o->unsupported = 1;
    return 0;
  }
  a = po_eval(o, s, self, n->a);
  b = po_eval(o, s, self, n->b);
  if (program_apply((enum ir_op)n->op, a, b, &r)) return r;
  o->fault = 2; /* no successor */
  return 0;
}

static inline int32_t *po_cell(struct program_oracle *o, int32_t *s, uint32_t self, ir_ref ref) {
  const struct ir_lvalue *r = &o->p->refs.at[ref];
  uint32_t at = r->base;
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &o->p->indices.at[r->index + i];
    int32_t v = po_eval(o, s, self, x->expr);
    if (v < 0 || (uint32_t)v >= x->bound) o->fault |= 1, v = 0;
    at += (uint32_t)v * x->stride;
  }
  if (r->where == IR_GLOBAL) return &s[at];
  if (r->where == IR_LOCAL) return &s[o->slot_at[self] + 1 + at];
  if (r->where == IR_REMOTE) return &s[o->slot_at[po_eval(o, s, self, r->slot)] + 1 + at];
  o->unsupported = 1;
  return &s[0];
}

static inline void po_store(struct program_oracle *o, int32_t *s, uint32_t self, ir_ref ref, int32_t value) {
  *po_cell(o, s, self, ref) = program_cut(&o->p->types.at[o->p->refs.at[ref].type], value);
}

static inline void po_act(struct program_oracle *o, int32_t *s, uint32_t self, const struct ir_trans *t) {
  if (o->p->receiver_first) s[o->slot_at[self]] = (int32_t)t->to;
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &o->p->actions.at[t->action + i];
    if (a->kind == IR_ASSIGN) po_store(o, s, self, a->ref, po_eval(o, s, self, a->expr));
    else if (a->kind == IR_ASSERT) {
      if (!po_eval(o, s, self, a->expr)) o->fault |= 1, o->asserts++;
    } else if (a->kind != IR_PRINT) o->unsupported = 1;
  }
  s[o->slot_at[self]] = (int32_t)t->to;
}

static inline uint64_t po_hash(const int32_t *v, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++) h = (h ^ (uint32_t)v[i]) * 1099511628211u, h ^= h >> 29;
  return h;
}

/* Puts a state; 0 if there is no room for it. */
static inline int po_put(struct program_oracle *o, const int32_t *s) {
  if (2 * o->states >= o->slots_of_table) {
    size_t more = o->slots_of_table ? 2 * o->slots_of_table : 1 << 12;
    free(o->slot);
    o->slot = calloc(more, sizeof *o->slot);
    o->slots_of_table = more;
    for (size_t i = 0; i < o->states; i++) {
      size_t at = po_hash(o->value + i * o->row, o->row) & (more - 1);
      while (o->slot[at]) at = (at + 1) & (more - 1);
      o->slot[at] = i + 1;
    }
  }
  size_t at = po_hash(s, o->row) & (o->slots_of_table - 1);
  for (; o->slot[at]; at = (at + 1) & (o->slots_of_table - 1))
    if (memcmp(o->value + (o->slot[at] - 1) * o->row, s, o->row * sizeof *s) == 0) return 1;
  if (o->states == o->most) return 0;
  if (o->states == o->room) {
    o->room = o->room ? 2 * o->room : 1 << 10;
    o->value = realloc(o->value, o->room * o->row * sizeof *o->value);
  }
  memcpy(o->value + o->states * o->row, s, o->row * sizeof *s);
  o->slot[at] = ++o->states;
  return 1;
}

/* The step is over: one edge. */
static inline void po_edge(struct program_oracle *o, const int32_t *s) {
  if (o->fault) o->faults++;
  if (o->fault < 2) {
    o->edges++;
    if (!po_put(o, s)) o->complete = 0;
  }
  o->fault = 0;
}

/* Can this message be taken by the receive? Binds nothing. */
static inline int po_matches(struct program_oracle *o, int32_t *s, uint32_t self, const struct ir_comm *c,
                             const int32_t *message) {
  for (uint32_t i = 0; i < c->args; i++) {
    const struct ir_arg *a = &o->p->args.at[c->arg + i];
    if (a->kind == IR_ARG_MATCH && po_eval(o, s, self, a->what) != message[i]) return 0;
  }
  return 1;
}

static inline void po_bind(struct program_oracle *o, int32_t *s, uint32_t self, const struct ir_comm *c, const int32_t *message) {
  for (uint32_t i = 0; i < c->args; i++) {
    const struct ir_arg *a = &o->p->args.at[c->arg + i];
    if (a->kind == IR_ARG_BIND) po_store(o, s, self, a->what, message[i]);
  }
}

static inline const struct ir_state *po_state(struct program_oracle *o, const int32_t *s, uint32_t slot) {
  const struct ir_proc *q = &o->p->procs.at[o->p->start.at[slot]];
  return &o->p->states.at[q->state + (uint32_t)s[o->slot_at[slot]]];
}

static inline int po_may_move(struct program_oracle *o, const int32_t *s, uint32_t slot, int committed) {
  return !committed || po_state(o, s, slot)->flags & IR_COMMITTED;
}

/* Steps of one transition of one process; 1 if there were any. */
static inline int po_take(struct program_oracle *o, int32_t *now, int32_t *next, uint32_t self, const struct ir_trans *t,
                          int committed) {
  const struct program *p = o->p;
  int32_t message[256] = {0};
  int any = 0;
  o->fault = 0;
  if (t->flow != IR_STOP || t->escape || t->choice || t->flags & ~IR_ELSE) o->unsupported = 1;
  if (t->guard && !po_eval(o, now, self, t->guard)) {
    if (o->fault) o->faults++, o->fault = 0;
    return 0;
  }
  memcpy(next, now, o->row * sizeof *now);
  if (!t->comm) {
    po_act(o, next, self, t);
    po_edge(o, next);
    return 1;
  }
  const struct ir_comm *c = &p->comms.at[t->comm - 1];
  uint32_t number = (uint32_t)po_eval(o, now, self, c->chan) - 1;
  const struct ir_chan *chan = o->chan_of[number];
  int32_t *queue = next + o->chan_at[number];
  if (c->flags & ~(IR_SEND | IR_RECEIVE)) o->unsupported = 1;
  if (c->flags & IR_SEND)
    for (uint32_t i = 0; i < chan->fields && i < c->args; i++)
      message[i] =
          program_cut(&p->types.at[p->chan_fields.at[chan->field + i]], po_eval(o, now, self, p->args.at[c->arg + i].what));
  if (chan->capacity) {
    uint32_t fields = chan->fields, count = (uint32_t)queue[0];
    if (c->flags & IR_SEND) {
      if (count == chan->capacity) return 0;
      memcpy(queue + 1 + count * fields, message, fields * sizeof *message);
      queue[0]++;
    } else {
      if (!count) return 0;
      memcpy(message, queue + 1, fields * sizeof *message);
      if (!po_matches(o, now, self, c, message)) return 0;
      memmove(queue + 1, queue + 1 + fields, (count - 1) * fields * sizeof *queue);
      memset(queue + 1 + (count - 1) * fields, 0, fields * sizeof *queue);
      queue[0]--;
      po_bind(o, next, self, c, message);
    }
    po_act(o, next, self, t);
    po_edge(o, next);
    return 1;
  }
  if (c->flags & IR_RECEIVE) return 0;
  int fault = o->fault;
  for (uint32_t other = o->slots; other-- > 0;) {
    if (other == self || !po_may_move(o, now, other, committed)) continue;
    const struct ir_state *at = po_state(o, now, other);
    for (uint32_t k = 0; k < at->transitions; k++) {
      const struct ir_trans *r = &p->trans.at[at->trans + k];
      if (!r->comm) continue;
      const struct ir_comm *rc = &p->comms.at[r->comm - 1];
      o->fault = fault;
      if (!(rc->flags & IR_RECEIVE) || (uint32_t)po_eval(o, now, other, rc->chan) - 1 != number) continue;
      if ((r->guard && !po_eval(o, now, other, r->guard)) || !po_matches(o, now, other, rc, message)) continue;
      memcpy(next, now, o->row * sizeof *now);
      po_bind(o, next, other, rc, message);
      po_act(o, next, p->receiver_first ? other : self, p->receiver_first ? r : t);
      po_act(o, next, p->receiver_first ? self : other, p->receiver_first ? t : r);
      po_edge(o, next);
      any = 1;
    }
  }
  return any;
}

static inline void po_expand(struct program_oracle *o, int32_t *now, int32_t *next) {
  int committed = 0;
  for (uint32_t s = 0; s < o->slots; s++) committed |= po_state(o, now, s)->flags & IR_COMMITTED;
  for (uint32_t self = o->slots; self-- > 0;) {
    if (!po_may_move(o, now, self, committed)) continue;
    const struct ir_state *at = po_state(o, now, self);
    int any = 0;
    for (uint32_t k = 0; k < at->transitions; k++) {
      const struct ir_trans *t = &o->p->trans.at[at->trans + k];
      if (!(t->flags & IR_ELSE && any)) any |= po_take(o, now, next, self, t, committed);
    }
  }
}

static inline void po_initial(struct program_oracle *o, int32_t *s) {
  const struct program *p = o->p;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    for (uint32_t slot = 0; slot < (d->scope ? o->slots : 1); slot++) {
      if (d->scope && p->start.at[slot] != d->scope - 1) continue;
      int32_t *first = s + d->base + (d->scope ? o->slot_at[slot] + 1 : 0);
      for (uint32_t k = 0; k < d->cells; k++)
        first[k] = d->chan   ? (int32_t)(1 + d->first_chan + k)
                   : d->init ? program_cut(&p->types.at[d->type], po_eval(o, s, slot, d->init))
                             : 0;
    }
  }
  for (size_t i = 0; i < p->inits.count; i++)
    for (uint32_t slot = 0; slot < (p->inits.at[i].scope ? o->slots : 1); slot++)
      if (!p->inits.at[i].scope || p->start.at[slot] == p->inits.at[i].scope - 1)
        po_store(o, s, slot, p->inits.at[i].ref, po_eval(o, s, slot, p->inits.at[i].expr));
  for (uint32_t slot = 0; slot < o->slots; slot++) s[o->slot_at[slot]] = (int32_t)p->procs.at[p->start.at[slot]].start;
}

/* Explores at most `most` states. */
__attribute__((unused)) static struct program_oracle program_oracle_explore(const struct program *p, size_t most) {
  struct program_oracle o = {.p = p, .most = most, .complete = 1, .slots = (uint32_t)p->start.count, .chans = p->global_chans};
  size_t row = p->global_cells;
  o.chan_at = calloc(o.chans + 1, sizeof *o.chan_at);
  o.chan_of = calloc(o.chans + 1, sizeof *o.chan_of);
  for (uint32_t i = 0; i < o.slots && i < 256; i++) {
    o.slot_at[i] = (uint32_t)row;
    row += 1 + p->procs.at[p->start.at[i]].cells;
    if (p->procs.at[p->start.at[i]].chans || p->procs.at[p->start.at[i]].provided) o.unsupported = 1;
  }
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    for (uint32_t k = 0; d->chan && !d->scope && k < d->cells; k++) {
      o.chan_of[d->first_chan + k] = &p->chans.at[d->chan - 1];
      o.chan_at[d->first_chan + k] = (uint32_t)row;
      row += 1 + (size_t)p->chans.at[d->chan - 1].capacity * p->chans.at[d->chan - 1].fields;
    }
  }
  o.row = row;
  int32_t *now = calloc(row + 1, sizeof *now), *next = calloc(row + 1, sizeof *next);
  po_initial(&o, now);
  po_put(&o, now);
  for (size_t i = 0; i < o.states && o.complete && !o.unsupported; i++) {
    size_t before = o.edges;
    memcpy(now, o.value + i * row, row * sizeof *now);
    po_expand(&o, now, next);
    o.deadlocks += o.edges == before;
  }
  free(now);
  free(next);
  free(o.slot);
  o.slot = NULL;
  return o;
}

__attribute__((unused)) static void program_oracle_free(struct program_oracle *o) {
  free(o->value);
  free(o->chan_at);
  free(o->chan_of);
}

#endif
