/* define_transition.c -- one transition of the definition: guard, communication, actions; and the two halves of a rendezvous.
 *
 * A transition writes into the world that it is given.  Where it turns out to be disabled half-way the world is spoilt: whoever tries
 * has a copy. */
#include "process/define.h"

#include <string.h>

enum { MOST_ARGS = 256 };

static int act(struct definition *d, struct world *w, uint32_t slot, const struct ir_action *a) {
  int64_t args[MOST_ARGS], pid;
  switch (a->kind) {
  case IR_ASSIGN: define_assign(d, w, slot, a->ref, define_value(d, w, slot, a->expr)); return 1;
  case IR_RUN:
    if (a->args > MOST_ARGS) return 0;
    for (uint32_t i = 0; i < a->args; i++) args[i] = define_value(d, w, slot, d->p->args.at[a->arg + i].what);
    pid = define_create(d, w, a->proc, args, a->args);
    if (pid < 0) return 0;
    if (a->value && d->p->uses_priority) slot_cells(d, w, (uint32_t)pid)[SLOT_PRIORITY] = a->value & 255;
    if (a->ref) define_assign(d, w, slot, a->ref, pid);
    return 1;
  case IR_NEW:
    pid = define_allocate(d, w, d->p->types.at[d->p->refs.at[a->ref].type].names);
    if (!pid) return 0;
    define_assign(d, w, slot, a->ref, pid);
    return 1;
  case IR_RESET: define_assign(d, w, slot, a->ref, 0); return 1;
  case IR_SET_PRIORITY:
    pid = define_value(d, w, slot, a->expr);
    if (alive(w, pid)) slot_cells(d, w, (uint32_t)pid)[SLOT_PRIORITY] = define_cut(define_value(d, w, slot, d->p->args.at[a->arg].what), 8, 0);
    return 1;
  case IR_ASSERT: /* goes on, true or not */
    if (d->claim_of && !define_value(d, w, slot, a->expr)) define_wrong(d, d->claim_of[a - d->p->actions.at]);
    return 1;
  case IR_PRINT: /* nothing is heard of it unless it goes wrong */
    for (uint32_t i = 0; i < a->args; i++) define_value(d, w, slot, d->p->args.at[a->arg + i].what);
    return 1;
  case IR_C_CODE: return 1;
  }
  return 1;
}

static int act_all(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++)
    if (!act(d, w, slot, &d->p->actions.at[t->action + i])) return 0;
  return 1;
}

static void bind(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &d->p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_BIND)
      define_assign(d, w, slot, a->what, i < d->message_fields ? d->message[i] : 0);
  }
}

/* -1, 0, 1: field by field. */
static int compare(const int64_t *a, const int64_t *b, uint32_t fields) {
  for (uint32_t i = 0; i < fields; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* Does the automaton's transition speak of the same channel and direction? */
static int same_event(struct definition *d, const struct world *w, const struct ir_trans *t, const struct ir_comm *seen) {
  const struct ir_comm *wanted = t->comm ? &d->p->comms.at[t->comm - 1] : NULL;
  return wanted && !((wanted->flags ^ seen->flags) & (IR_SEND | IR_RECEIVE)) && define_value(d, w, 0, wanted->chan) == d->message_chan;
}

static int over(const struct definition *d, const struct ir_state *s) { return !s->transitions || (s->transitions == 1 && d->p->trans.at[s->trans].flags & IR_END); }

/* No transition fits: an event that some transition anywhere in the automaton speaks of is wrong then, unless the automaton tells what must not be:
   that it has escaped for ever. */
static void unexpected(struct definition *d, struct world *w, const struct ir_proc *automaton, const struct ir_comm *seen) {
  int concerns = 0;
  for (uint32_t s = 0; s < automaton->states; s++)
    for (uint32_t i = 0; i < d->p->states.at[automaton->state + s].transitions; i++)
      concerns |= same_event(d, w, &d->p->trans.at[d->p->states.at[automaton->state + s].trans + i], seen);
  if (concerns && !d->p->trace_negated) define_wrong(d, MODEL_RUNTIME);
  for (uint32_t s = 0; concerns && d->p->trace_negated && s < automaton->states; s++)
    if (over(d, &d->p->states.at[automaton->state + s])) w->cell[IMAGE_EVENT] = s;
}

/* The automaton of a trace assertion sees a communication: it moves if the event is one of its own and fits here. */
static void watch(struct definition *d, struct world *w, const struct ir_comm *seen) {
  if (!d->p->has_trace) return;
  const struct ir_proc *automaton = &d->p->procs.at[d->p->trace_proc];
  const struct ir_state *s = &d->p->states.at[automaton->state + (uint32_t)w->cell[IMAGE_EVENT]];
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    if (!same_event(d, w, t, seen)) continue;
    const struct ir_comm *wanted = &d->p->comms.at[t->comm - 1];
    int fits = 1;
    for (uint32_t k = 0; k < wanted->args && k < d->message_fields; k++) {
      const struct ir_arg *a = &d->p->args.at[wanted->arg + k];
      if (a->kind == IR_ARG_MATCH || a->kind == IR_ARG_VALUE) fits &= define_value(d, w, 0, a->what) == d->message[k];
    }
    if (!fits) continue;
    w->cell[IMAGE_EVENT] = t->to;
    if (d->p->trace_negated && over(d, &d->p->states.at[automaton->state + t->to])) define_wrong(d, MODEL_RUNTIME);
    return;
  }
  unexpected(d, w, automaton, seen);
}

static enum attempt send(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  if (!define_channel_for(d, w, slot, comm, &c)) return DISABLED;
  uint32_t fields = c.kind->fields;
  int64_t length = length_of(&c), capacity = c.kind->capacity, at = length;
  if (capacity && length == capacity && !d->p->lossy_channels) return DISABLED;
  for (uint32_t i = 0; i < comm->args; i++) { /* one too many is lost, one too few is 0 */
    int64_t value = define_value(d, w, slot, d->p->args.at[comm->arg + i].what);
    if (i < fields) d->message[i] = value;
  }
  for (uint32_t i = comm->args; i < fields; i++) d->message[i] = 0;
  if (comm->args != fields) define_wrong(d, MODEL_RUNTIME);
  if (comm->flags & IR_SORTED && capacity) /* its place is found with the values as they are */
    for (at = 0; at < length && compare(message_at(&c, at), d->message, fields) <= 0;) at++;
  for (uint32_t i = 0; i < fields; i++) d->message[i] = define_cut_to(&d->p->types.at[d->p->chan_fields.at[c.kind->field + i]], d->message[i]);
  d->message_chan = define_value(d, w, slot, comm->chan);
  d->message_fields = fields;
  if (!capacity) return OFFERED;
  watch(d, w, comm);
  if (length == capacity) return DONE; /* lost */
  memmove(message_at(&c, at + 1), message_at(&c, at), (size_t)(length - at) * fields * sizeof *d->message);
  memcpy(message_at(&c, at), d->message, fields * sizeof *d->message);
  c.contents[0]++;
  return DONE;
}

static enum attempt receive(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  if (!define_channel_for(d, w, slot, comm, &c)) return DISABLED;
  if (!c.kind->capacity && comm->flags & IR_PEEK) define_wrong(d, MODEL_RUNTIME);
  if (!c.kind->capacity) return DISABLED;
  int64_t at = define_find_message(d, w, slot, comm, &c), last = length_of(&c) - 1;
  size_t bytes = c.kind->fields * sizeof *d->message;
  if (at < 0) return DISABLED;
  memcpy(d->message, message_at(&c, at), bytes);
  d->message_chan = define_value(d, w, slot, comm->chan);
  d->message_fields = c.kind->fields;
  bind(d, w, slot, comm);
  watch(d, w, comm);
  if (comm->args > c.kind->fields || (comm->args < c.kind->fields && !(comm->flags & IR_PEEK)))
    define_wrong(d, MODEL_RUNTIME);
  if (comm->flags & IR_PEEK) return DONE;
  memmove(message_at(&c, at), message_at(&c, at + 1), (size_t)(last - at) * bytes);
  memset(message_at(&c, last), 0, bytes);
  c.contents[0]--;
  return DONE;
}

/* Guard, communication, actions; the process does not move yet. If it is DISABLED, the world is spoilt. */
enum attempt define_attempt(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->guard && !define_value(d, w, slot, t->guard)) return DISABLED;
  if (t->comm) {
    const struct ir_comm *comm = &d->p->comms.at[t->comm - 1];
    enum attempt said = comm->flags & IR_SEND ? send(d, w, slot, comm) : receive(d, w, slot, comm);
    if (said != DONE) return said;
  }
  return act_all(d, w, slot, t) ? DONE : DISABLED;
}

/* Takes part in the rendezvous on offer: guard, channel and patterns fit, variables are bound. */
static int accept(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (!t->comm) return 0;
  const struct ir_comm *comm = &d->p->comms.at[t->comm - 1];
  if (!(comm->flags & IR_RECEIVE) || comm->flags & IR_PEEK || (t->guard && !define_value(d, w, slot, t->guard))) return 0;
  if (define_value(d, w, slot, comm->chan) != d->message_chan) return 0;
  if (!define_matches(d, w, slot, comm, d->message, d->message_fields)) return 0;
  if (comm->args != d->message_fields) define_wrong(d, MODEL_RUNTIME);
  bind(d, w, slot, comm);
  return 1;
}

void define_arrive(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->flags & IR_END) define_die(d, w);
  else slot_cells(d, w, slot)[SLOT_PC] = t->to;
  if (d->p->uses_last && t->flow != IR_DSTEP) w->cell[IMAGE_LAST] = slot; /* a d_step counts when it is over */
}

/* Both sides of a rendezvous act and arrive. */
int define_meet(struct definition *d, struct world *w, uint32_t sender, const struct ir_trans *sent, uint32_t receiver,
                const struct ir_trans *received) {
  d->offered = d->message_chan;
  int accepted = accept(d, w, receiver, received);
  d->offered = 0;
  if (!accepted) return 0;
  watch(d, w, &d->p->comms.at[sent->comm - 1]);
  watch(d, w, &d->p->comms.at[received->comm - 1]);
  if (d->p->receiver_first) {
    if (!act_all(d, w, receiver, received)) return 0;
    define_arrive(d, w, receiver, received);
    if (!act_all(d, w, sender, sent)) return 0;
    define_arrive(d, w, sender, sent);
    return 1;
  }
  if (!act_all(d, w, sender, sent) || !act_all(d, w, receiver, received)) return 0;
  define_arrive(d, w, sender, sent);
  define_arrive(d, w, receiver, received);
  return 1;
}
