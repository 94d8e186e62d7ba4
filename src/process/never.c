/* never.c -- a never claim as an automaton over the states of the model.
 *
 * A claim takes one transition in each state that the model is in.  Its transitions have guards and nothing else, but for assertions, which
 * translators of formulas write where a run is lost: an assertion that fails is the claim's end, and so is its closing brace.  An atomic sequence of a claim is taken in
 * one state: its guards must all be true there.  else is the negation of the guards beside it. */
#include "process/process_model.h"

enum { CONDITIONS = 64, CHAIN = 1000 };

struct walk {
  struct process_model *m;
  uint32_t proc, from;
  struct model_literal literal[CONDITIONS];
  size_t count, chain;
  int (*edge)(void *context, const struct model_claim_edge *);
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
    if (m->condition.at[i] == e) return (int64_t)i;
  return vec_push(&m->condition, m->base.mem, MEM_MODEL, e) ? -1 : (int64_t)m->condition.count - 1;
}

static int demand(struct walk *w, ir_expr e, int negated, struct place_in_text at) {
  if (w->count == CONDITIONS) return err_input(w->err, at, "a step of this claim has more than %d conditions", CONDITIONS);
  int64_t number = condition_of(w->m, e);
  if (number < 0) return err_memory(w->err, "a never claim");
  w->literal[w->count++] = (struct model_literal){(uint32_t)number, (uint8_t)negated};
  return 0;
}

static int tell(struct walk *w, uint32_t to) {
  struct model_claim_edge e = {.from = w->from, .to = to, .literal = w->literal, .literals = w->count};
  return w->edge(w->context, &e) ? err_memory(w->err, "a never claim") : 0;
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
  for (uint32_t i = 0; i < proc->states; i++) {
    w.from = i;
    if (from_state(&w, i)) return -1;
  }
  return 0;
}

int process_claim_accepts(const struct model *base, uint32_t claim, uint32_t state) {
  const struct process_model *m = process_of(base);
  struct walk w = {.m = (struct process_model *)base, .proc = m->never.at[claim - m->claim.count]};
  return (state_of(&w, state)->flags & IR_ACCEPT) != 0;
}
