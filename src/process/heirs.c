/* heirs.c -- see heirs.h.
 *
 * A program is tame if channels are handed down only: whoever holds the number of a channel is the process that declared it, or got it as a parameter from one who held it.  Messages and global variables carry none, and
 * numbers do not become channels.  Then a channel is known to its maker and those who were made after it, directly or not, which all die before it: nobody ever holds the number of a channel that is gone.
 * What a process and its heirs may use of the channels that are there now are those that it passes on, by the parts (footprint.h: CHAN_*) that its heirs use of parameters; channels that are yet to be made are nobody else's business.
 *
 * A program is blind if nothing in it depends on who has which number: no _pid, no look into or at processes, no pid that `run` gives back, no channel of a process that is taken for a number; and the number of processes and channels stays below
 * the limits whatever happens (often.h).  In a blind program a process that has nothing to do but to die might as well be dead: what the others can do is the same but for numbers.  If a process below it is kept from dying by it,
 * that can only die later.  So a state in which the dead have been taken away has, up to numbers, the same steps, faults, ends and values of conditions in front of it, and the end of a process, where it is possible, may be
 * taken alone; makers of processes need not be asked. */
#include "process/heirs.h"

#include "process/often.h"

/* ---- tame --------------------------------------------------------------------------------------------------------------------- */

static int is_channel(const struct program *p, uint32_t type) { return p->types.at[type].kind == IR_CHANNEL; }

/* Does an expression give a channel that its process holds? Globals count only where they are wanted: as channels to communicate over. */
static int holds(const struct footprints *f, ir_expr e, int globals) {
  const struct program *p = f->p;
  const struct ir_node *n = program_at(p, e);
  if (n->op == IR_OWN_CHAN) return 1;
  if (n->op != IR_LOAD || !is_channel(p, p->refs.at[n->a].type)) return 0;
  const struct ir_lvalue *r = &p->refs.at[n->a];
  return r->where == IR_LOCAL || (r->where == IR_GLOBAL && (globals || f->fixed[r->decl]));
}

static int tame_write(const struct footprints *f, ir_ref ref, ir_expr e) {
  const struct program *p = f->p;
  if (!ref || !is_channel(p, p->refs.at[ref].type)) return 1;
  const struct ir_node *n = program_at(p, e);
  return p->refs.at[ref].where == IR_LOCAL && e && holds(f, e, 0) && (n->op == IR_OWN_CHAN || p->refs.at[n->a].where == IR_LOCAL);
}

static int tame_action(const struct footprints *f, const struct ir_action *a) {
  const struct program *p = f->p;
  if (!tame_write(f, a->ref, a->kind == IR_ASSIGN ? a->expr : 0)) return 0;
  if (a->kind != IR_RUN) return 1;
  for (uint32_t i = 0; i < a->args && i < p->procs.at[a->proc].params; i++)
    if (is_channel(p, program_cell_type(p, a->proc + 1, i)) && !holds(f, p->args.at[a->arg + i].what, 0)) return 0;
  return 1;
}

static int is_tame(const struct footprints *f) {
  const struct program *p = f->p;
  for (size_t i = 0; i < p->comms.count; i++) {
    const struct ir_comm *c = &p->comms.at[i];
    if (!holds(f, c->chan, 1)) return 0;
    for (uint32_t k = c->arg; k < c->arg + c->args; k++)
      if (p->args.at[k].kind == IR_ARG_BIND && is_channel(p, p->refs.at[p->args.at[k].what].type)) return 0;
  }
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op >= IR_LEN && p->nodes.at[i].op <= IR_NFULL && !holds(f, p->nodes.at[i].a, 1)) return 0;
  for (size_t i = 0; i < p->actions.count; i++)
    if (!tame_action(f, &p->actions.at[i])) return 0;
  for (size_t i = 0; i < p->inits.count; i++)
    if (p->inits.at[i].scope && !tame_write(f, p->inits.at[i].ref, p->inits.at[i].expr)) return 0;
  for (size_t i = 1; i < p->decls.count; i++)
    if (p->decls.at[i].scope && p->decls.at[i].init && is_channel(p, p->decls.at[i].type)) return 0;
  for (size_t i = 1; i < p->refs.count; i++)
    if (p->refs.at[i].where == IR_REMOTE && is_channel(p, p->refs.at[i].type)) return 0;
  return 1;
}

/* ---- parts ---------------------------------------------------------------------------------------------------------------------- */

/* A channel that the process declared itself, and no other. */
static int is_own(const struct footprints *f, ir_expr chan) {
  const struct ir_node *n = program_at(f->p, chan);
  if (n->op == IR_OWN_CHAN) return 1;
  return n->op == IR_LOAD && f->p->refs.at[n->a].where == IR_LOCAL && f->p->decls.at[f->p->refs.at[n->a].decl].chan && f->fixed[f->p->refs.at[n->a].decl];
}

/* Does an action give the process that it makes a channel that its maker was given? */
static int passes_on(const struct footprints *f, const struct ir_action *a) {
  const struct program *p = f->p;
  if (a->kind != IR_RUN) return 0;
  for (uint32_t i = 0; i < a->args && i < p->procs.at[a->proc].params; i++)
    if (is_channel(p, program_cell_type(p, a->proc + 1, i)) && !is_own(f, p->args.at[a->arg + i].what)) return 1;
  return 0;
}

/* Processes of each type, and those that they make, use these parts of channels that they were given. */
static void find_parts(struct footprints *f) {
  const struct program *p = f->p;
  uint8_t asks = 0;
  for (size_t i = 1; i < p->nodes.count; i++) {
    unsigned op = p->nodes.at[i].op;
    asks |= (op >= IR_LEN && op <= IR_NFULL && !is_own(f, p->nodes.at[i].a)) || op == IR_POLL;
  }
  for (uint32_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    uint8_t *parts = &f->chan_parts[t->proc];
    if (asks) *parts |= 1u << CHAN_WHOLE;
    if (!t->comm || is_own(f, p->comms.at[t->comm - 1].chan)) continue;
    *parts |= (uint8_t)(1u << (p->comms.at[t->comm - 1].flags & IR_SEND ? CHAN_TAIL : CHAN_HEAD));
    if (footprint_whole(f, i)) *parts |= 1u << CHAN_WHOLE;
  }
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < p->trans.count; i++)
      for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++) {
        if (!passes_on(f, &p->actions.at[a])) continue;
        uint8_t *to = &f->chan_parts[p->trans.at[i].proc], more = f->chan_parts[p->actions.at[a].proc];
        changed |= (more & ~*to) != 0;
        *to |= more;
      }
  }
}

/* ---- blind ---------------------------------------------------------------------------------------------------------------------- */

static int asks_who(const struct program *p) {
  for (size_t i = 1; i < p->nodes.count; i++) {
    unsigned op = p->nodes.at[i].op;
    if (op == IR_PID_OWN || op == IR_NR_PR || op == IR_AT || op == IR_FIRST) return 1;
  }
  for (size_t i = 1; i < p->refs.count; i++)
    if (p->refs.at[i].where == IR_REMOTE) return 1;
  for (size_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i].kind == IR_RUN && p->actions.at[i].ref) return 1;
  return 0;
}

/* The number of a channel that a process made: it depends on how many there are. */
static int is_made(const struct program *p, ir_expr e) {
  const struct ir_node *n = program_at(p, e);
  return n->op == IR_OWN_CHAN || (n->op == IR_LOAD && p->refs.at[n->a].where != IR_GLOBAL && is_channel(p, p->refs.at[n->a].type));
}

/* Of two channels it may be asked whether they are the same. */
static int counts_in_node(const struct program *p, const struct ir_node *n) {
  if ((n->op == IR_EQ || n->op == IR_NE) && is_made(p, n->a) && is_made(p, n->b)) return 0;
  if (n->op == IR_AT) return is_made(p, n->a);
  for (unsigned i = 0; i < ir_operands(n); i++)
    if (is_made(p, ir_operand(n, i))) return 1;
  return 0;
}

static int counts_in_action(const struct program *p, const struct ir_action *a) {
  if (is_made(p, a->expr) && !(a->kind == IR_ASSIGN && is_channel(p, p->refs.at[a->ref].type))) return 1;
  for (uint32_t i = 0; i < a->args && a->kind == IR_RUN; i++)
    if (is_made(p, p->args.at[a->arg + i].what) && (i >= p->procs.at[a->proc].params || !is_channel(p, program_cell_type(p, a->proc + 1, i)))) return 1;
  return 0;
}

/* Is a channel that a process made taken for a number: calculated with, compared with one, kept or sent as one? */
static int asks_which_channel(const struct program *p) {
  for (size_t i = 1; i < p->nodes.count; i++)
    if (counts_in_node(p, &p->nodes.at[i])) return 1;
  for (size_t i = 0; i < p->indices.count; i++)
    if (is_made(p, p->indices.at[i].expr)) return 1;
  for (size_t i = 0; i < p->procs.count; i++)
    if (is_made(p, p->procs.at[i].provided)) return 1;
  for (size_t i = 0; i < p->trans.count; i++)
    if (is_made(p, p->trans.at[i].guard)) return 1;
  for (size_t i = 0; i < p->actions.count; i++)
    if (counts_in_action(p, &p->actions.at[i])) return 1;
  for (size_t i = 0; i < p->comms.count; i++)
    for (uint32_t k = p->comms.at[i].arg; k < p->comms.at[i].arg + p->comms.at[i].args; k++)
      if ((p->args.at[k].kind == IR_ARG_VALUE || p->args.at[k].kind == IR_ARG_MATCH) && is_made(p, p->args.at[k].what)) return 1;
  for (size_t i = 0; i < p->inits.count; i++)
    if (is_made(p, p->inits.at[i].expr) && !is_channel(p, p->refs.at[p->inits.at[i].ref].type)) return 1;
  for (size_t i = 1; i < p->decls.count; i++)
    if (is_made(p, p->decls.at[i].init) && !is_channel(p, p->decls.at[i].type)) return 1;
  return 0;
}

int heirs_find(struct footprints *f) {
  const struct program *p = f->p;
  struct often_most most;
  int own = 0;
  for (size_t i = 0; i < p->procs.count; i++) own |= p->procs.at[i].chans != 0;
  f->tame = is_tame(f);
  find_parts(f);
  int blind = !asks_who(p) && (!own || (f->tame && !asks_which_channel(p)));
  if (!blind && !p->uses_heap) return 0;
  if (often_find(&most, f)) return -1;
  f->blind = blind && most.processes < MACHINE_SLOTS && most.channels < MACHINE_CHANS;
  f->ample = most.cells <= f->shape->heap_cells;
  return 0;
}
