/* often.c -- see often.h.
 *
 * Three kinds of bounds, each of which follows from others.  All begin with "any number of times" and are lowered until nothing changes, so that they hold at every moment:
 *
 *   processes of a type         those at the start, and as many more as statements are executed that make one;
 *   messages in a pool          as many as sends to it are executed.  A pool is a global channel, or an array of them, that is only ever named where somebody communicates over it, in a program in which nobody can get at
 *                               its number otherwise (heirs.c: tame).  A receive is executed at most as often as there are messages, however many processes try;
 *   executions of a statement   within its process it is executed at most once between two receives from pools (and before the first) if no way leads from it back to itself without such a receive.  So there are at most as many
 *                               executions as of those receives from which a way leads to it without another one; and as processes, if one leads to it from their beginning.  The same without any receives.
 *
 * So a process that makes two others for each message that it finds in a channel makes no more of them than messages were sent there, though its type makes itself. */
#include "process/often.h"

#include <string.h>

enum { PLENTY = 1000, ROUNDS_MOST = 100, WORK_MOST = 10 << 20 /* control states that are looked at: beyond that nothing is known */ };

struct often {
  const struct footprints *f;
  const struct program *p;
  uint32_t *trans;     /* per transition */
  uint32_t *processes; /* per type */
  uint32_t *messages;  /* per declaration */
  uint8_t *pool;       /* per declaration */
  uint32_t *stack;     /* of control states */
  uint8_t *mark;       /* per control state of a type; all 0 between uses */
  uint64_t work;
};

static uint32_t sum(uint32_t a, uint32_t b) { return a + b < PLENTY ? a + b : PLENTY; } /* neither is more than that */

/* The declaration that a channel's expression loads; 0: it is something else. */
static uint32_t decl_of(const struct program *p, ir_expr chan) {
  const struct ir_node *n = program_at(p, chan);
  return n->op == IR_LOAD && p->refs.at[n->a].where == IR_GLOBAL ? p->refs.at[n->a].decl : 0;
}

/* ---- pools -------------------------------------------------------------------------------------------------------------------- */

/* named: per node. */
static void find_pools(struct often *o, uint8_t *named) {
  const struct program *p = o->p;
  for (size_t i = 1; i < p->decls.count; i++) o->pool[i] = (uint8_t)(o->f->tame && !p->decls.at[i].scope && p->decls.at[i].chan && o->f->fixed[i]);
  for (size_t i = 0; i < p->comms.count; i++) named[p->comms.at[i].chan] = 1;
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op >= IR_LEN && p->nodes.at[i].op <= IR_NFULL) named[p->nodes.at[i].a] = 1;
  for (size_t i = 0; i < p->args.count; i++)
    if (p->args.at[i].kind == IR_ARG_VALUE || p->args.at[i].kind == IR_ARG_MATCH) named[p->args.at[i].what] = 0; /* whatever else it is */
  for (size_t i = 0; i < p->actions.count; i++) named[p->actions.at[i].expr] = 0;
  for (size_t i = 0; i < p->inits.count; i++) named[p->inits.at[i].expr] = 0;
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op == IR_LOAD && !named[i] && p->refs.at[p->nodes.at[i].a].where != IR_HEAP) o->pool[p->refs.at[p->nodes.at[i].a].decl] = 0;
}

/* The pool that a transition takes a message from; 0: none. */
static uint32_t taken_from(const struct often *o, uint32_t trans) {
  const struct ir_trans *t = &o->p->trans.at[trans];
  if (!t->comm) return 0;
  const struct ir_comm *c = &o->p->comms.at[t->comm - 1];
  uint32_t decl = c->flags & IR_RECEIVE && !(c->flags & IR_PEEK) ? decl_of(o->p, c->chan) : 0;
  return o->pool[decl] ? decl : 0;
}

static uint32_t sent_to(const struct often *o, uint32_t trans) {
  const struct ir_trans *t = &o->p->trans.at[trans];
  uint32_t decl = t->comm && o->p->comms.at[t->comm - 1].flags & IR_SEND ? decl_of(o->p, o->p->comms.at[t->comm - 1].chan) : 0;
  return o->pool[decl] ? decl : 0;
}

/* ---- ways --------------------------------------------------------------------------------------------------------------------- */

/* Does a way lead from one control state of a type to another, without receives from pools where these are left out? */
static int leads(struct often *o, uint32_t type, uint32_t from, uint32_t to, int without) {
  const struct program *p = o->p;
  uint32_t seen = 1;
  int found = 0;
  o->stack[0] = from;
  o->mark[from] = 1;
  for (uint32_t next = 0; next < seen && !found; next++) { /* the stack is a list of all that is reached */
    const struct ir_state *s = &p->states.at[p->procs.at[type].state + o->stack[next]];
    found = o->stack[next] == to;
    for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
      if (p->trans.at[i].flags & IR_END || o->mark[p->trans.at[i].to] || (without && taken_from(o, i))) continue;
      o->mark[p->trans.at[i].to] = 1;
      o->stack[seen++] = p->trans.at[i].to;
    }
  }
  for (uint32_t k = 0; k < seen; k++) o->mark[o->stack[k]] = 0;
  o->work += seen;
  return found;
}

/* How often a transition is executed, as one between receives from pools (without) or as it is. */
static uint32_t executions(struct often *o, uint32_t trans, int without) {
  const struct program *p = o->p;
  const struct ir_trans *t = &p->trans.at[trans];
  const struct ir_proc *proc = &p->procs.at[t->proc];
  if (!(t->flags & IR_END) && leads(o, t->proc, t->to, t->from, without)) return PLENTY;
  if (!without) return o->processes[t->proc];
  uint32_t count = leads(o, t->proc, proc->start, t->from, 1) ? o->processes[t->proc] : 0;
  for (uint32_t s = proc->state; s < proc->state + proc->states; s++)
    for (uint32_t i = p->states.at[s].trans; i < p->states.at[s].trans + p->states.at[s].transitions && count < PLENTY; i++)
      if (taken_from(o, i) && !(p->trans.at[i].flags & IR_END) && leads(o, t->proc, p->trans.at[i].to, t->from, 1)) count = sum(count, o->trans[i]);
  return count;
}

/* ---- lowering ----------------------------------------------------------------------------------------------------------------- */

static int lower(uint32_t *bound, uint32_t by) {
  if (by >= *bound) return 0;
  *bound = by;
  return 1;
}

static int makes(const struct program *p, uint32_t trans) {
  for (uint32_t a = p->trans.at[trans].action; a < p->trans.at[trans].action + p->trans.at[trans].actions; a++)
    if (p->actions.at[a].kind == IR_RUN || p->actions.at[a].kind == IR_NEW) return 1;
  return 0;
}

static int lower_transitions(struct often *o) {
  int changed = 0;
  for (uint32_t i = 0; i < o->p->trans.count && o->work < WORK_MOST; i++) {
    uint32_t decl = taken_from(o, i);
    if (decl) changed |= lower(&o->trans[i], o->messages[decl]);
    else if (makes(o->p, i) || sent_to(o, i)) { /* the others are of no interest */
      changed |= lower(&o->trans[i], executions(o, i, 0));
      changed |= lower(&o->trans[i], executions(o, i, 1));
    }
  }
  return changed;
}

static int lower_messages(struct often *o) {
  int changed = 0;
  for (uint32_t decl = 1; decl < o->p->decls.count; decl++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->p->trans.count && o->pool[decl]; i++)
      if (sent_to(o, i) == decl) count = sum(count, o->trans[i]);
    if (o->pool[decl]) changed |= lower(&o->messages[decl], count);
  }
  return changed;
}

static int lower_processes(struct often *o) {
  const struct program *p = o->p;
  int changed = 0;
  for (uint32_t type = 0; type < p->procs.count; type++) {
    uint32_t count = 0;
    for (size_t i = 0; i < p->start.count; i++) count = sum(count, p->start.at[i] == type);
    for (uint32_t i = 0; i < p->trans.count; i++)
      for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++)
        if (p->actions.at[a].kind == IR_RUN && p->actions.at[a].proc == type) count = sum(count, o->trans[i]);
    changed |= lower(&o->processes[type], count);
  }
  return changed;
}

static uint32_t told(uint64_t count) { return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX; }

/* With the pools that are known. */
static void find(struct often *o, struct often_most *most) {
  const struct program *p = o->p;
  uint64_t processes = 0, channels = p->global_chans, cells = 0;
  for (size_t i = 0; i < p->trans.count; i++) o->trans[i] = PLENTY;
  for (size_t i = 0; i < p->procs.count; i++) o->processes[i] = PLENTY;
  for (size_t i = 0; i < p->decls.count; i++) o->messages[i] = PLENTY;
  for (int round = 0, changed = 1; changed && round < ROUNDS_MOST && o->work < WORK_MOST; round++) changed = lower_processes(o) | lower_transitions(o) | lower_messages(o);
  for (size_t i = 0; i < p->procs.count; i++) {
    if (o->processes[i] == PLENTY) processes = UINT32_MAX;
    if (o->processes[i] == PLENTY && p->procs.at[i].chans) channels = UINT32_MAX;
    processes += o->processes[i];
    channels += (uint64_t)o->processes[i] * p->procs.at[i].chans;
  }
  for (size_t i = 0; i < p->trans.count; i++)
    for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++) {
      if (p->actions.at[a].kind != IR_NEW) continue;
      if (o->trans[i] == PLENTY) cells = UINT32_MAX;
      cells += (uint64_t)o->trans[i] * (1 + p->types.at[p->types.at[p->refs.at[p->actions.at[a].ref].type].names].cells);
    }
  *most = (struct often_most){told(processes), told(channels), told(cells)};
}

int often_find(struct often_most *most, const struct footprints *f) {
  const struct program *p = f->p;
  struct often o = {.f = f, .p = p};
  o.trans = mem_alloc(f->mem, MEM_SEARCH, (p->trans.count + 1) * sizeof *o.trans);
  o.processes = mem_alloc(f->mem, MEM_SEARCH, (p->procs.count + 1) * sizeof *o.processes);
  o.messages = mem_alloc(f->mem, MEM_SEARCH, (p->decls.count + 1) * sizeof *o.messages);
  o.pool = mem_alloc(f->mem, MEM_SEARCH, p->decls.count + 1);
  o.stack = mem_alloc(f->mem, MEM_SEARCH, (p->states.count + 1) * sizeof *o.stack);
  o.mark = mem_alloc(f->mem, MEM_SEARCH, p->states.count + 1);
  uint8_t *named = mem_alloc(f->mem, MEM_SEARCH, p->nodes.count + 1);
  int good = o.trans && o.processes && o.messages && o.pool && o.stack && o.mark && named;
  if (good) {
    find(&o, most);
    find_pools(&o, named);
    if (most->processes == UINT32_MAX || most->channels == UINT32_MAX || most->cells == UINT32_MAX) find(&o, most); /* most programs need no pools */
  }
  void *all[] = {o.trans, o.processes, o.messages, o.pool, o.stack, o.mark, named};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(f->mem, all[i]);
  return good ? 0 : -1;
}
