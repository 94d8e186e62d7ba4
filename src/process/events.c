/* events.c -- see events.h.
 *
 * The automaton is the process type program.trace_proc; its transitions are communications.  An event is in its scope if
 * some transition anywhere in it has the same direction and the same channel; others pass unseen.  A `trace` must match every event in
 * its scope: where no transition of its state does, that is a fault.  A `notrace` forbids the sequences it describes, from the first event
 * on: arriving at its end is the fault, and an event that it does not match puts it there for good, since nothing can go wrong any more.
 *
 * Processes that could all stop where they are may do so only where the trace may, too: at its end, or at one of its end labels. */
#include "process/events.h"

#include "process/interpreter.h"

static int same_event(struct runtime *r, const struct ir_trans *t, uint32_t direction, int32_t chan) {
  const struct program *p = ((struct machine *)r)->program;
  if (!t->comm) return 0;
  const struct ir_comm *c = &p->comms.at[t->comm - 1];
  return (c->flags & (IR_SEND | IR_RECEIVE)) == direction && interpreter_value(r, 0, c->chan) == chan;
}

static int matches(struct runtime *r, const struct ir_comm *c) {
  const struct program *p = ((struct machine *)r)->program;
  for (uint32_t i = 0; i < c->args && i < r->message_fields; i++) {
    const struct ir_arg *a = &p->args.at[c->arg + i];
    if ((a->kind == IR_ARG_MATCH || a->kind == IR_ARG_VALUE) && interpreter_value(r, 0, a->what) != r->message[i]) return 0;
  }
  return 1;
}

static int is_end(const struct program *p, const struct ir_state *s) {
  return s->transitions == 0 || (s->transitions == 1 && p->trans.at[s->trans].flags & IR_END);
}

static void retire(struct runtime *r, const struct program *p, const struct ir_proc *proc) {
  for (uint32_t s = 0; s < proc->states; s++)
    if (is_end(p, &p->states.at[proc->state + s])) runtime_put(r, IMAGE_EVENT, (int32_t)s);
}

void events_follow(struct runtime *r, uint32_t comm, uint32_t slot, int32_t chan) {
  const struct program *p = ((struct machine *)r)->program;
  const struct ir_proc *proc = &p->procs.at[p->trace_proc];
  uint32_t direction = p->comms.at[comm].flags & (IR_SEND | IR_RECEIVE);
  int in_scope = 0;
  (void)slot;
  for (uint32_t s = 0; s < proc->states && !in_scope; s++) {
    const struct ir_state *state = &p->states.at[proc->state + s];
    for (uint32_t i = 0; i < state->transitions && !in_scope; i++) in_scope = same_event(r, &p->trans.at[state->trans + i], direction, chan);
  }
  if (!in_scope) return;
  const struct ir_state *now = &p->states.at[proc->state + (uint32_t)r->cell[IMAGE_EVENT]];
  for (uint32_t i = 0; i < now->transitions; i++) {
    const struct ir_trans *t = &p->trans.at[now->trans + i];
    if (!same_event(r, t, direction, chan) || !matches(r, &p->comms.at[t->comm - 1])) continue;
    runtime_put(r, IMAGE_EVENT, (int32_t)t->to);
    if (p->trace_negated && is_end(p, &p->states.at[proc->state + t->to])) r->fault(r, FAULT_EVENT, comm);
    return;
  }
  if (p->trace_negated) retire(r, p, proc);
  else r->fault(r, FAULT_EVENT, comm);
}

const struct ir_state *events_unfinished(const struct program *p, int64_t event) {
  if (!p->has_trace || p->trace_negated) return NULL;
  const struct ir_state *s = &p->states.at[p->procs.at[p->trace_proc].state + (uint32_t)event];
  return s->flags & IR_VALID_END ? NULL : s;
}
