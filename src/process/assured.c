/* assured.c -- see assured.h.
 *
 * Protocols ask before they communicate: atomic { nempty(in) && nfull(out) -> in?x; out!x }.  Inside the sequence nobody else moves, so that both communications are possible, and nothing depends on their not being so.
 *
 * What is known on arrival at a control state inside a step are facts: a channel is not empty, it is not full.  A guard and communications bring them; a receive takes away that channels are not empty, a send that they are not
 * full (of all channels, as two names may stand for one).  Where ways meet only what all of them bring is kept; a state in which a step may begin, or may be blocked, brings nothing.  The facts are the greatest
 * solution, found by taking away what does not hold. */
#include "process/assured.h"

#include <string.h>

enum { NAMES = 16 }; /* channels by name; a fact is a bit: 2 k: not empty, 2 k + 1: not full */

#define FACTS_NOT_EMPTY UINT32_C(0x55555555)
#define FACTS_NOT_FULL UINT32_C(0xaaaaaaaa)

struct finder {
  struct footprints *f;
  const struct program *p;
  uint32_t name[NAMES], names; /* declarations */
  uint32_t *known;             /* per control state: facts on arrival inside a step */
  uint8_t *begins;             /* per control state: a step may begin there */
};

/* The number of a channel that one name stands for all the time; -1: it is not one. */
static int name_of(struct finder *x, ir_expr chan) {
  const struct ir_node *n = program_at(x->p, chan);
  if (n->op != IR_LOAD) return -1;
  const struct ir_lvalue *r = &x->p->refs.at[n->a];
  if ((r->where != IR_GLOBAL && r->where != IR_LOCAL) || r->indices || x->p->decls.at[r->decl].cells != 1 || !x->f->fixed[r->decl]) return -1;
  for (uint32_t k = 0; k < x->names; k++)
    if (x->name[k] == r->decl) return (int)k;
  if (x->names == NAMES) return -1;
  x->name[x->names] = r->decl;
  return (int)x->names++;
}

/* Where there is room a send is possible, but for one of rendezvous, which waits for a receiver all
 * the same. */
static int holds_messages(const struct program *p, uint32_t decl) {
  if (p->decls.at[decl].chan) return p->chans.at[p->decls.at[decl].chan - 1].capacity > 0;
  for (size_t i = 0; i < p->chans.count; i++)
    if (!p->chans.at[i].capacity) return 0;
  return 1;
}

/* What a guard says about channels, all parts of which are true. */
static uint32_t facts_of(struct finder *x, ir_expr guard) {
  ir_expr waiting[32];
  uint32_t count = 0, facts = 0;
  if (guard) waiting[count++] = guard;
  while (count) {
    const struct ir_node *n = program_at(x->p, waiting[--count]);
    if (n->op == IR_AND && count + 2 <= 32) {
      waiting[count++] = n->a;
      waiting[count++] = n->b;
    } else if (n->op == IR_NEMPTY || n->op == IR_NFULL) {
      int k = name_of(x, n->a);
      if (k >= 0 && holds_messages(x->p, x->name[k]))
        facts |= UINT32_C(1) << (2 * k + (n->op == IR_NFULL));
    }
  }
  return facts;
}

/* Is a communication possible by what is known? */
static int is_assured(struct finder *x, const struct ir_trans *t, uint32_t facts) {
  const struct ir_comm *c = &x->p->comms.at[t->comm - 1];
  if (t->guard || c->flags & (IR_SORTED | IR_RANDOM | IR_PEEK)) return 0;
  int k = name_of(x, c->chan);
  if (k < 0) return 0;
  for (uint32_t i = c->arg; i < c->arg + c->args; i++)
    if (x->p->args.at[i].kind == IR_ARG_MATCH) return 0;
  return facts >> (2 * k + ((c->flags & IR_SEND) != 0)) & 1;
}

/* What is known after a transition, if that was known before it. */
static uint32_t after(struct finder *x, const struct ir_trans *t, uint32_t facts) {
  facts |= facts_of(x, t->guard);
  if (!t->comm) return facts;
  const struct ir_comm *c = &x->p->comms.at[t->comm - 1];
  if (c->flags & IR_PEEK) return facts;
  return facts & (c->flags & IR_SEND ? ~FACTS_NOT_FULL : ~FACTS_NOT_EMPTY);
}

/* May a process be blocked there, inside a step? */
static int may_block(struct finder *x, uint32_t state) {
  const struct ir_state *s = &x->p->states.at[state];
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
    const struct ir_trans *t = &x->p->trans.at[i];
    int runs = 0;
    for (uint32_t a = t->action; a < t->action + t->actions; a++) runs |= x->p->actions.at[a].kind == IR_RUN;
    if (!t->guard && !runs && !(t->flags & (IR_END | IR_ELSE)) && (!t->comm || is_assured(x, t, x->known[state]))) return 0;
  }
  return 1;
}

static void solve(struct finder *x) {
  const struct program *p = x->p;
  for (size_t i = 0; i < p->procs.count; i++)
    if (p->procs.at[i].states) x->begins[p->procs.at[i].state + p->procs.at[i].start] = 1;
  for (size_t i = 0; i < p->trans.count; i++)
    if (p->trans.at[i].flow == IR_STOP && !(p->trans.at[i].flags & IR_END)) x->begins[p->procs.at[p->trans.at[i].proc].state + p->trans.at[i].to] = 1;
  memset(x->known, 0xff, p->states.count * sizeof *x->known);
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < p->states.count; s++)
      if (!x->begins[s] && may_block(x, s)) changed = x->begins[s] = 1;
    for (size_t i = 0; i < p->trans.count; i++) {
      const struct ir_trans *t = &p->trans.at[i];
      uint32_t first = p->procs.at[t->proc].state;
      if (t->flow == IR_STOP || t->flags & IR_END) continue;
      uint32_t facts = after(x, t, x->begins[first + t->from] ? 0 : x->known[first + t->from]);
      changed |= (x->known[first + t->to] & ~facts) != 0;
      x->known[first + t->to] &= facts;
    }
  }
}

int assured_find(struct footprints *f) {
  const struct program *p = f->p;
  struct finder x = {.f = f, .p = p};
  x.known = mem_alloc(f->mem, MEM_SEARCH, (p->states.count + 1) * sizeof *x.known);
  x.begins = mem_alloc(f->mem, MEM_SEARCH, p->states.count + 1);
  int good = x.known && x.begins;
  if (good && !p->lossy_channels && !p->uses_rendezvous && !p->uses_provided) {
    solve(&x);
    for (size_t i = 0; i < p->trans.count; i++)
      f->assured[i] = p->trans.at[i].comm && f->inner[p->procs.at[p->trans.at[i].proc].state + p->trans.at[i].from] && is_assured(&x, &p->trans.at[i], x.known[p->procs.at[p->trans.at[i].proc].state + p->trans.at[i].from]);
  }
  mem_free(f->mem, x.known);
  mem_free(f->mem, x.begins);
  return good ? 0 : -1;
}
