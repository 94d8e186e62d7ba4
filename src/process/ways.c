/* ways.c -- see ways.h.
 *
 * Costs.  A transition after which the state is complete costs one step.  One whose process goes on (atomic, d_step) costs nothing: its step is counted where it ends.
 * A rendezvous may hand control to a partner inside an atomic sequence, who may hand it back in the same step, so where a program has both, communication
 * costs nothing either.  The transition that has the assertion costs one: whatever came before it in the step costs nothing.
 *
 * What may go wrong at run time is found by looking at the statements: division, indices that are no constants, variables of other processes, pointers, channels that are not the
 * ones declared, and whatever does not end its step (it may never end).  Too much is taken for dangerous, never too little.
 *
 * The numbers are the least solution of equations with costs 0 and 1: sweeps over all transitions until nothing changes, which is a handful where states are
 * numbered in the order of the text. */
#include "process/ways.h"

#include <string.h>

#define NOWHERE UINT32_MAX
enum { EXPRESSION_DEPTH = 400 };

struct ways {
  struct mem *mem;
  const struct shape *shape;
  const uint32_t *claim_of;
  size_t states, claims;
  int handing;           /* control may come back in the same step */
  uint32_t **to_label;   /* by label */
  uint32_t **to_claim;   /* by claim */
  uint32_t *to_fault;
};

int ways_open(struct ways **out, const struct shape *shape, const uint32_t *claim_of, size_t claims, struct mem *mem) {
  const struct program *p = shape->program;
  struct ways *w = *out = mem_alloc(mem, MEM_SEARCH, sizeof *w);
  if (!w) return -1;
  *w = (struct ways){.mem = mem, .shape = shape, .claim_of = claim_of, .claims = claims};
  for (uint32_t i = 0; i < p->procs.count; i++) w->states += p->procs.at[i].states;
  for (uint32_t i = 0; i < p->trans.count && p->uses_rendezvous; i++) w->handing |= p->trans.at[i].flow != IR_STOP;
  w->to_label = mem_alloc(mem, MEM_SEARCH, (p->labels.count + 1) * sizeof *w->to_label);
  w->to_claim = mem_alloc(mem, MEM_SEARCH, (claims + 1) * sizeof *w->to_claim);
  if (w->to_label && w->to_claim) return 0;
  ways_close(w);
  *out = NULL;
  return -1;
}

void ways_close(struct ways *w) {
  if (!w) return;
  for (size_t i = 0; w->to_label && i < w->shape->program->labels.count; i++) mem_free(w->mem, w->to_label[i]);
  for (size_t i = 0; w->to_claim && i < w->claims; i++) mem_free(w->mem, w->to_claim[i]);
  mem_free(w->mem, w->to_label);
  mem_free(w->mem, w->to_claim);
  mem_free(w->mem, w->to_fault);
  mem_free(w->mem, w);
}

/* ---- what may go wrong --------------------------------------------------------------------------------------------------- */

static int dangerous(const struct program *p, ir_expr e, unsigned depth);

static int dangerous_ref(const struct program *p, ir_ref ref, unsigned depth) {
  const struct ir_lvalue *r = &p->refs.at[ref];
  if (r->where == IR_REMOTE || r->where == IR_HEAP) return 1;
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &p->indices.at[r->index + i];
    int32_t at;
    if (!program_constant(p, x->expr, &at) || at < 0 || (uint32_t)at >= x->bound) return 1;
    if (dangerous(p, x->expr, depth)) return 1;
  }
  return 0;
}

/* The channel that a declaration made, which nobody overwrites: with so many fields. */
static int known_channel(const struct program *p, ir_expr e, uint32_t fields, unsigned depth) {
  const struct ir_node *n = program_at(p, e);
  if (n->op != IR_LOAD || dangerous_ref(p, n->a, depth)) return 0;
  const struct ir_lvalue *r = &p->refs.at[n->a];
  const struct ir_decl *d = &p->decls.at[r->decl];
  return d->flags & IR_CONST && d->chan && (fields == UINT32_MAX || p->chans.at[d->chan - 1].fields == fields);
}

static int dangerous_comm(const struct program *p, uint32_t index, unsigned depth) {
  const struct ir_comm *c = &p->comms.at[index];
  if (c->flags & IR_PEEK || !known_channel(p, c->chan, c->args, depth)) return 1; /* looking into a channel without buffer is a fault */
  for (uint32_t i = 0; i < c->args; i++) {
    const struct ir_arg *a = &p->args.at[c->arg + i];
    if (a->kind == IR_ARG_BIND ? dangerous_ref(p, a->what, depth) : a->kind != IR_ARG_IGNORE && dangerous(p, a->what, depth)) return 1;
  }
  return 0;
}

static int dangerous(const struct program *p, ir_expr e, unsigned depth) {
  if (!e) return 0;
  if (depth > EXPRESSION_DEPTH) return 1;
  const struct ir_node *n = program_at(p, e);
  int32_t divisor;
  switch (n->op) {
  case IR_VALUE:
  case IR_TIMEOUT:
  case IR_PID_OWN:
  case IR_NR_PR:
  case IR_LAST:
  case IR_FIRST:
  case IR_OWN_CHAN: return 0;
  case IR_LOAD: return dangerous_ref(p, n->a, depth + 1);
  case IR_DIV:
  case IR_MOD:
    if (!program_constant(p, n->b, &divisor) || !divisor) return 1;
    return dangerous(p, n->a, depth + 1);
  case IR_LEN:
  case IR_EMPTY:
  case IR_FULL:
  case IR_NEMPTY:
  case IR_NFULL: return !known_channel(p, n->a, UINT32_MAX, depth + 1);
  default:
    for (unsigned i = 0; i < ir_operands(n); i++)
      if (dangerous(p, ir_operand(n, i), depth + 1)) return 1;
    return !ir_operands(n);
  }
}

/* The first values of a process that is made. */
static int dangerous_start(const struct program *p, uint32_t type) {
  const struct ir_proc *proc = &p->procs.at[type];
  for (size_t i = 1; i < p->decls.count; i++)
    if (p->decls.at[i].scope == type + 1 && dangerous(p, p->decls.at[i].init, 0)) return 1;
  for (uint32_t i = proc->init; i < proc->init + proc->inits; i++)
    if (dangerous_ref(p, p->inits.at[i].ref, 0) || dangerous(p, p->inits.at[i].expr, 0)) return 1;
  return 0;
}

static int may_fail(const struct program *p, const struct ir_trans *t) {
  if (t->flow != IR_STOP || dangerous(p, t->guard, 0) || (t->comm && dangerous_comm(p, t->comm - 1, 0))) return 1;
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &p->actions.at[t->action + i];
    if (a->kind == IR_NEW || a->kind == IR_RESET || a->kind == IR_C_CODE || dangerous(p, a->expr, 0) || (a->ref && dangerous_ref(p, a->ref, 0))) return 1;
    for (uint32_t k = 0; k < a->args; k++)
      if (dangerous(p, p->args.at[a->arg + k].what, 0)) return 1;
    if (a->kind == IR_RUN && dangerous_start(p, a->proc)) return 1;
  }
  return 0;
}

int ways_fail_standing(const struct program *p) {
  for (size_t i = 0; i < p->procs.count; i++)
    if (dangerous(p, p->procs.at[i].provided, 0)) return 1;
  for (size_t i = 0; i < p->trans.count; i++)
    if (dangerous(p, p->trans.at[i].guard, 0) || (p->trans.at[i].comm && dangerous_comm(p, p->trans.at[i].comm - 1, 0))) return 1;
  return p->uses_c;
}

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

enum goal { GOAL_LABEL, GOAL_CLAIM, GOAL_FAULT };

static int tries(const struct ways *w, const struct ir_trans *t, enum goal goal, uint32_t which) {
  const struct program *p = w->shape->program;
  if (goal == GOAL_FAULT) return p->uses_provided || p->has_trace || p->uses_c || p->uses_np || may_fail(p, t);
  if (goal == GOAL_LABEL) return 0;
  for (uint32_t i = 0; i < t->actions; i++)
    if (p->actions.at[t->action + i].kind == IR_ASSERT && w->claim_of[t->action + i] == which) return 1;
  return 0;
}

static uint32_t cost(const struct ways *w, const struct ir_trans *t) { return t->flow == IR_STOP && !(t->comm && w->handing); }

static uint32_t after(uint32_t steps, uint32_t far) { return far == NOWHERE ? NOWHERE : steps + far; }

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* By this transition; `known` where it tries what is wanted. */
static uint32_t by(const struct ways *w, const struct ir_trans *t, enum goal goal, const uint32_t *far, int known) {
  const struct program *p = w->shape->program;
  if (known) return 1;
  uint32_t least = t->flags & IR_END ? NOWHERE : after(cost(w, t), far[w->shape->state_first[t->proc] + t->to]);
  for (uint32_t i = 0; i < t->actions && goal != GOAL_LABEL; i++) {
    const struct ir_action *a = &p->actions.at[t->action + i];
    if (a->kind == IR_RUN) least = smaller(least, after(cost(w, t), far[w->shape->state_first[a->proc] + p->procs.at[a->proc].start]));
  }
  return least;
}

static uint32_t *solve(struct ways *w, enum goal goal, uint32_t which) {
  const struct program *p = w->shape->program;
  uint32_t *far = mem_alloc(w->mem, MEM_SEARCH, (w->states + 1) * sizeof *far);
  uint8_t *known = mem_alloc(w->mem, MEM_SEARCH, p->trans.count + 1);
  if (!far || !known) {
    mem_free(w->mem, far);
    mem_free(w->mem, known);
    return NULL;
  }
  memset(far, 0xff, (w->states + 1) * sizeof *far);
  if (goal == GOAL_LABEL) far[w->shape->state_first[p->labels.at[which].proc] + p->labels.at[which].state] = 0;
  for (uint32_t i = 0; i < p->trans.count; i++) known[i] = (uint8_t)tries(w, &p->trans.at[i], goal, which);
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = p->trans.count; i-- > 0;) {
      const struct ir_trans *t = &p->trans.at[i];
      uint32_t *here = &far[w->shape->state_first[t->proc] + t->from], least = by(w, t, goal, far, known[i]);
      if (least >= *here) continue;
      *here = least;
      changed = 1;
    }
  }
  mem_free(w->mem, known);
  return far;
}

const uint32_t *ways_to_label(struct ways *w, uint32_t label) {
  if (!w->to_label[label]) w->to_label[label] = solve(w, GOAL_LABEL, label);
  return w->to_label[label];
}

const uint32_t *ways_to_claim(struct ways *w, uint32_t claim) {
  if (!w->to_claim[claim]) w->to_claim[claim] = solve(w, GOAL_CLAIM, claim);
  return w->to_claim[claim];
}

const uint32_t *ways_to_fault(struct ways *w) {
  if (!w->to_fault) w->to_fault = solve(w, GOAL_FAULT, 0);
  return w->to_fault;
}
