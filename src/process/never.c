/* never.c -- a never claim as an automaton over the states of the model.
 *
 * A claim takes one transition in each state that the model is in.  Its transitions have guards and nothing else, but for assertions, which
 * translators of formulas write where a run is lost: an assertion that fails is the claim's end, and so is its closing brace.  An atomic sequence of a claim is taken in
 * one state: its guards must all be true there.  else is the negation of the guards beside it.
 *
 * Guards are taken apart: `a && !b` is two conditions, `a || b` two edges, and what is written twice is one condition.  So the automaton has the atoms that a formula would
 * have, which are fewer to be evaluated, and shows what it does not tell apart (prop/automaton_stutter.c).  Where that makes too many conditions or edges, guards stay whole: an edge more that is open where others are changes nothing. */
#include "process/process_model.h"
#include "process/same.h"

#include <string.h>

enum { CONDITIONS = 64, CHAIN = 1000, EDGES = 256, BRANCHES = 32 }; /* CONDITIONS: as many as a letter has bits; EDGES: of one step; BRANCHES: disjunctions within each other */

struct demand {
  ir_expr expr;
  int negated;
};

struct walk {
  struct process_model *m;
  uint32_t proc, from;
  struct demand demand[CONDITIONS]; /* what must be true for the step that is looked at */
  size_t count, chain;
  struct model_literal literal[CONDITIONS]; /* the edge that is made of it */
  size_t edges;
  uint32_t used[CONDITIONS]; /* conditions of all edges; */
  size_t uses;               /* CONDITIONS + 1 = too many */
  int whole;                 /* guards are not taken apart */
  int (*edge)(void *context, const struct model_claim_edge *); /* NULL = only `used` is wanted */
  void *context;
  struct err *err;
};

static const struct ir_state *state_of(const struct walk *w, uint32_t number) {
  const struct program *p = w->m->program;
  return &p->states.at[p->procs.at[w->proc].state + number];
}

/* The number of a condition that is an expression of the program already; the same one has the same number. */
static int64_t condition_of(struct process_model *m, ir_expr e) {
  for (size_t i = 0; i < m->condition.count; i++)
    if (program_same(m->program, m->condition.at[i], e)) return (int64_t)i;
  return vec_push(&m->condition, m->base.mem, MEM_MODEL, e) ? -1 : (int64_t)m->condition.count - 1;
}

static int demand(struct walk *w, ir_expr e, int negated, struct place_in_text at) {
  if (w->count == CONDITIONS) return err_input(w->err, at, "a step of this claim has more than %d conditions", CONDITIONS);
  w->demand[w->count++] = (struct demand){e, negated};
  return 0;
}

static void use(struct walk *w, uint32_t condition) {
  for (size_t i = 0; i < w->uses && i < CONDITIONS; i++)
    if (w->used[i] == condition) return;
  if (w->uses < CONDITIONS) w->used[w->uses] = condition;
  if (w->uses <= CONDITIONS) w->uses++;
}

/* One more condition of the edge: 1; 0: it is open for no letter; -1 with err, or without: too many. */
static int add_literal(struct walk *w, const struct demand *d, size_t *count) {
  int64_t number = condition_of(w->m, d->expr);
  if (number < 0) return err_memory(w->err, "a never claim");
  for (size_t i = 0; i < *count; i++)
    if (w->literal[i].condition == (uint32_t)number) return w->literal[i].negated == d->negated;
  if (*count == CONDITIONS) return -1;
  use(w, (uint32_t)number);
  w->literal[(*count)++] = (struct model_literal){(uint32_t)number, (uint8_t)d->negated};
  return 1;
}

/* The two parts of what is demanded: 1 = both, 2 = one of them; 0: it has none. */
static int parts(const struct walk *w, const struct demand *d, struct demand *one, struct demand *other) {
  const struct ir_node *n = program_at(w->m->program, d->expr);
  if (w->whole || (n->op != IR_AND && n->op != IR_OR && n->op != IR_IMPLIES)) return 0;
  *one = (struct demand){n->a, n->op == IR_IMPLIES ? !d->negated : d->negated};
  *other = (struct demand){n->b, d->negated};
  return (n->op == IR_AND) != d->negated ? 1 : 2;
}

/* An edge for each way in which all of the first `n` demands of a list with room for CONDITIONS are true, beside the `count` literals that are there. 0; -1 with err, or without: too many. */
static int split(struct walk *w, struct demand *due, size_t n, size_t count, uint32_t to, unsigned branch) {
  const struct program *p = w->m->program;
  while (n) {
    struct demand d = due[--n], one, other, left[CONDITIONS];
    int32_t value;
    if (program_constant(p, d.expr, &value)) {
      if ((value != 0) == d.negated) return 0;
      continue;
    }
    if (program_at(p, d.expr)->op == IR_NOT && !w->whole) {
      due[n++] = (struct demand){program_at(p, d.expr)->a, !d.negated};
      continue;
    }
    int kind = parts(w, &d, &one, &other);
    if (kind && (n + 2 > CONDITIONS || branch > BRANCHES)) return -1;
    if (kind == 2) {
      memcpy(left, due, n * sizeof *left);
      left[n] = one;
      if (split(w, left, n + 1, count, to, branch + 1)) return -1;
    }
    if (kind == 1) due[n++] = one;
    if (kind) due[n++] = other;
    int open = kind ? 1 : add_literal(w, &d, &count);
    if (open <= 0) return open;
  }
  if (++w->edges > EDGES && !w->whole) return -1;
  struct model_claim_edge e = {.from = w->from, .to = to, .literal = w->literal, .literals = count};
  if (!w->edge || !w->edge(w->context, &e)) return 0;
  return w->err->kind ? -1 : err_memory(w->err, "a never claim");
}

static int tell(struct walk *w, uint32_t to) {
  struct demand due[CONDITIONS];
  int whole = w->whole;
  w->edges = 0;
  memcpy(due, w->demand, w->count * sizeof *due);
  int bad = split(w, due, w->count, 0, to, 0);
  if (!bad || w->err->kind || whole) return bad;
  w->whole = 1;
  memcpy(due, w->demand, w->count * sizeof *due);
  bad = split(w, due, w->count, 0, to, 0);
  w->whole = 0;
  return bad;
}

/* Where a transition arrives: at the end of the claim, in the middle of an atomic sequence, or in a state. */
static int arrive(struct walk *w, const struct ir_trans *t);

static int from_state(struct walk *w, uint32_t number) {
  const struct program *p = w->m->program;
  const struct ir_state *s = state_of(w, number);
  size_t before = w->count;
  int bad = 0;
  if (++w->chain > CHAIN) return err_input(w->err, s->place, "an atomic sequence of this claim is too long");
  for (uint32_t i = 0; i < s->transitions && !bad; i++) {
    const struct ir_trans *t = &p->trans.at[s->trans + i];
    w->count = before;
    for (uint32_t k = 0; t->flags & IR_ELSE && k < s->transitions && !bad; k++) {
      const struct ir_trans *other = &p->trans.at[s->trans + k];
      if (!(other->flags & IR_ELSE)) bad = demand(w, other->guard ? other->guard : program_value(w->m->program, 1), 1, other->place);
    }
    if (t->guard && !bad) bad = demand(w, t->guard, 0, t->place);
    if (!bad) bad = arrive(w, t);
  }
  w->count = before;
  w->chain--;
  return bad;
}

static int asserts(struct walk *w, const struct ir_trans *t) {
  const struct program *p = w->m->program;
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &p->actions.at[t->action + i];
    if (a->kind == IR_PRINT) continue;
    if (a->kind != IR_ASSERT) return err_input(w->err, a->place, "a never claim cannot change anything");
    size_t before = w->count;
    if (demand(w, a->expr, 1, a->place) || tell(w, MODEL_CLAIM_BROKEN)) return -1;
    w->count = before;
    if (demand(w, a->expr, 0, a->place)) return -1;
  }
  return 0;
}

static int arrive(struct walk *w, const struct ir_trans *t) {
  if (t->comm) return err_input(w->err, t->place, "a never claim cannot send or receive");
  if (asserts(w, t)) return -1;
  if (t->flags & IR_END) return tell(w, MODEL_CLAIM_BROKEN);
  const struct ir_state *to = state_of(w, t->to);
  const struct program *p = w->m->program;
  if (to->transitions && p->trans.at[to->trans].flags & IR_END) return tell(w, MODEL_CLAIM_BROKEN);
  return t->flow == IR_STOP ? tell(w, t->to) : from_state(w, t->to);
}

int process_claim_automaton(const struct model *base, uint32_t claim, struct model_claim_automaton *out,
                            int (*edge)(void *context, const struct model_claim_edge *), void *context, struct err *e) {
  struct process_model *m = (struct process_model *)base; /* as of conditions: see condition.c */
  const struct program *p = m->program;
  uint32_t index = claim - (uint32_t)m->claim.count;
  if (claim < m->claim.count || index >= m->never.count) return err_internal(e, "claim %u is no automaton", claim);
  struct walk w = {.m = m, .proc = m->never.at[index], .edge = edge, .context = context, .err = e};
  const struct ir_proc *proc = &p->procs.at[w.proc];
  *out = (struct model_claim_automaton){.states = proc->states, .initial = proc->start};
  w.whole = p->uses_c; /* C behind && may rely on what is before it */
  w.edge = NULL;
  for (w.from = 0; w.from < proc->states && !w.whole; w.from++)
    if (from_state(&w, w.from)) return -1;
  if (w.uses > CONDITIONS) w.whole = 1;
  w.edge = edge;
  for (w.from = 0; w.from < proc->states; w.from++)
    if (from_state(&w, w.from)) return -1;
  return 0;
}

int process_claim_accepts(const struct model *base, uint32_t claim, uint32_t state) {
  const struct process_model *m = process_of(base);
  struct walk w = {.m = (struct process_model *)base, .proc = m->never.at[claim - m->claim.count]};
  return (state_of(&w, state)->flags & IR_ACCEPT) != 0;
}
