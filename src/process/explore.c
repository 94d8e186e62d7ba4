/* explore.c -- see explore.h.
 *
 * The search for successors keeps a stack of levels.  The bottom level belongs to a complete state and one of its
 * processes; each atomic transition adds a level for the process that goes on.  A level is left when its transitions are
 * used up; if it is not the bottom one and nothing was possible there, the process is blocked inside its atomic sequence and the
 * state is complete after all.
 *
 * A d_step needs no levels, because it never comes back to a choice.
 *
 * What goes wrong in a transition that is taken belongs to the step, and to each of those that go on from there.  What goes wrong in one that turns out to be impossible, where it is asked who may move, and on a way
 * that is no step (a d_step that blocks, a choice that was met before) belongs to none: it is told of the state. */
#include "process/explore.h"

#include "model/model.h"
#include "process/events.h"
#include "process/heap.h"
#include "process/interpreter.h"

#include <string.h>

enum { SHORT_CHAIN = 256, DSTEP_MAX = 10000000 }; /* transitions in one d_step: beyond it, it is taken for endless */

static uint32_t slot_base(const struct explore *x, uint32_t slot) { return shape_slot(x->m->shape, slot); }

static inline const struct shape_state *state_of(const struct explore *x, uint32_t slot) {
  const int32_t *cell = x->m->run.cell + slot_base(x, slot);
  const struct shape *s = x->m->shape;
  return &s->state[s->state_first[cell[SLOT_TYPE] - 1] + (uint32_t)cell[SLOT_PC]];
}

static int provided(struct explore *x, uint32_t slot) {
  const struct program *p = x->m->program;
  if (!p->uses_provided) return 1;
  uint32_t type = (uint32_t)x->m->run.cell[slot_base(x, slot)] - 1;
  return !p->procs.at[type].provided || x->m->engine.provided(&x->m->run, slot, type);
}

/* Whoever asks may be in the middle of a statement, or have a message on offer: a copy of it lies behind the message while transitions are tried. */
static void keep_message(struct machine *m, int back) {
  uint32_t fields = m->shape->fields_max + 1;
  memcpy(m->run.message + (back ? 0 : fields), m->run.message + (back ? fields : 0), fields * sizeof *m->run.message);
}

int explore_enabled(struct explore *x, uint32_t slot) {
  struct machine *m = x->m;
  if (slot >= m->run.processes || m->asking) return 0; /* a question inside the question has no answer */
  const int32_t message_chan = m->run.message_chan;
  const uint32_t message_fields = m->run.message_fields;
  m->asking = 1;
  keep_message(m, 0);
  const struct shape_state *s = state_of(x, slot);
  uint32_t mark = m->run.logged;
  size_t faults = m->faults.count;
  int restructured = m->restructured, enabled = 0;
  for (uint32_t i = s->trans; i < s->end && !enabled; i++) {
    if (m->shape->trans[i].flags & IR_END) enabled = slot + 1 == m->run.processes;
    else enabled = engine_run(&m->engine, &m->run, slot, i) != RUN_DISABLED;
    machine_undo(m, mark);
    if (m->restructured != restructured) machine_recount(m);
    m->restructured = restructured;
  }
  m->faults.count = faults;
  keep_message(m, 1);
  m->run.message_chan = message_chan;
  m->run.message_fields = message_fields;
  m->asking = 0;
  return enabled;
}

static int32_t ask_enabled(struct runtime *r, int32_t pid) {
  struct machine *m = (struct machine *)r;
  return m->explorer && pid >= 0 && explore_enabled(m->explorer, (uint32_t)pid);
}

/* np_: no process is in a progress state. */
static int32_t ask_no_progress(struct runtime *r) {
  struct machine *m = (struct machine *)r;
  for (uint32_t slot = 0; m->explorer && slot < r->processes; slot++)
    if (state_of(m->explorer, slot)->flags & IR_PROGRESS) return 0;
  return 1;
}

/* One more fault of a list that has none twice. */
static void add_fault(struct machine *m, struct machine_faults *to, size_t from, struct machine_fault fault) {
  for (size_t i = from; i < to->count; i++)
    if (to->at[i].kind == fault.kind && to->at[i].what == fault.what) return;
  if (vec_push(to, m->mem, MEM_SEARCH, fault)) m->failed = 1;
}

/* What went wrong since there were `from` faults is told of the state as well. */
static void tell_loose(struct explore *x, size_t from) {
  for (size_t i = from; i < x->m->faults.count; i++) add_fault(x->m, &x->loose, 0, x->m->faults.at[i]);
}

/* A transition is tried. Returns how many faults there were before. */
static inline size_t begin_attempt(struct machine *m) { return m->attempt = m->faults.count; }

/* It came to nothing: what went wrong belongs to no step. */
static inline void loosen(struct explore *x, size_t from) {
  if (x->m->faults.count == from) return;
  tell_loose(x, from);
  x->m->faults.count = from;
}

/* It was taken: what went wrong belongs to the step, where it is told once. */
static inline void end_attempt(struct machine *m, size_t from) {
  const size_t count = m->faults.count;
  m->attempt = 0;
  if (count == from) return;
  m->faults.count = from;
  for (size_t i = from; i < count; i++) add_fault(m, &m->faults, 0, m->faults.at[i]);
}

void explore_open(struct explore *x, struct machine *m) {
  memset(x, 0, sizeof *x);
  x->m = m;
  m->explorer = x;
  m->run.enabled = ask_enabled;
  m->run.no_progress = ask_no_progress;
  if (m->program->has_trace) m->run.event = events_follow;
}

void explore_close(struct explore *x) {
  if (!x->m) return;
  vec_free(&x->levels, x->m->mem);
  vec_free(&x->links, x->m->mem);
  vec_free(&x->loose, x->m->mem);
  crossroads_close(&x->crossroads, x->m->mem);
  for (unsigned k = 0; k < 64; k++) mem_free(x->m->mem, x->snapshot[k]);
  memset(x, 0, sizeof *x);
}

/* With priorities only those may move whom no enabled process outranks. */
static int may_move(struct explore *x, uint32_t slot) {
  struct machine *m = x->m;
  if (!provided(x, slot)) return 0;
  if (!m->program->uses_priority) return 1;
  int32_t own = m->run.cell[slot_base(x, slot) + SLOT_PRIORITY];
  for (uint32_t other = 0; other < m->run.processes; other++)
    if (other != slot && m->run.cell[slot_base(x, other) + SLOT_PRIORITY] > own && provided(x, other) && explore_enabled(x, other)) return 0;
  return 1;
}

/* Back to the state in which the log was that long. */
static void undo(struct explore *x, const struct explore_level *l) {
  struct machine *m = x->m;
  machine_undo(m, l->mark);
  m->faults.count = l->fault_mark;
  x->links.count = l->link_mark;
  if (m->restructured) {
    machine_recount(m);
    m->restructured = l->mark > 0;
  }
}

static inline void go_to(struct explore *x, uint32_t slot, const struct shape_trans *t) {
  struct runtime *f = &x->m->run;
  if (t->flags & IR_END) f->destroy(f);
  else runtime_put(f, slot_base(x, slot) + SLOT_PC, (int32_t)t->to);
  if (x->m->program->uses_last && t->flow != IR_DSTEP) runtime_put(f, IMAGE_LAST, (int32_t)slot); /* a d_step counts when it is over */
}

/* The same inside a chain of transitions of one process, whose control needs to be logged only once: nobody goes back to the middle of a chain. */
static inline void go_on(struct explore *x, uint32_t slot, const struct shape_trans *t, int *logged) {
  struct runtime *f = &x->m->run;
  uint32_t before = f->logged;
  if (*logged && !(t->flags & IR_END) && !x->m->program->uses_last) {
    f->cell[slot_base(x, slot) + SLOT_PC] = (int32_t)t->to;
    return;
  }
  go_to(x, slot, t);
  *logged |= f->logged > before;
}

static void add_link(struct explore *x, uint32_t slot, uint32_t trans, uint32_t partner) {
  if (!x->telling) return;
  int32_t chan = partner || (x->m->program->trans.at[trans].comm) ? x->m->run.message_chan : 0;
  if (vec_push(&x->links, x->m->mem, MEM_SEARCH, (struct explore_link){slot, trans, chan, partner})) x->m->failed = 1;
}

/* Does the transition's turn come at all? Marks the choice as used is the caller's. */
static inline int in_turn(struct explore *x, uint32_t slot, const struct shape_trans *t, uint32_t choice, int moved) {
  if (t->choice && t->choice == choice) return 0;
  if (t->flags & IR_ELSE && moved) return 0;
  if (t->flags & IR_END && slot + 1 != x->m->run.processes) return 0;
  return 1;
}

/* Back to before one transition of a chain that turned out to be disabled half-way: it may have created a process already. */
static void undo_attempt(struct machine *m, uint32_t mark, uint32_t processes) {
  machine_undo(m, mark);
  if (m->run.processes == processes) return;
  machine_recount(m);
  m->restructured = 1;
}

/* Generated code goes on inside of a d_step as far as it can. Returns the transition by which it left, or RUNTIME_NONE. */
static __attribute__((noinline)) uint32_t hurry(struct explore *x, uint32_t slot, uint32_t *steps) {
  struct machine *m = x->m;
  runtime_dstep *dstep = m->engine.code->dstep[m->run.cell[slot_base(x, slot) + SLOT_TYPE] - 1];
  if (!dstep || machine_remember(m)) return RUNTIME_NONE;
  uint32_t left = dstep(&m->run, slot, steps);
  machine_compare(m);
  if (left != RUNTIME_NONE && m->program->uses_last) runtime_put(&m->run, IMAGE_LAST, (int32_t)slot);
  return left;
}

/* Goes on with the first enabled transition until the d_step ends. Returns the flow that follows, or -1 with a fault. One that takes longer than it takes to copy the image is left to hurry. */
static int finish_dstep(struct explore *x, uint32_t slot, uint32_t entry, int *logged) {
  enum { CELLS_A_STEP = 16 };
  struct machine *m = x->m;
  const struct shape_state *first = m->shape->state + m->shape->state_first[m->run.cell[slot_base(x, slot) + SLOT_TYPE] - 1], *s = state_of(x, slot);
  uint32_t slow = m->engine.code && !x->telling ? LONG_DSTEP : DSTEP_MAX;
  for (uint32_t steps = DSTEP_MAX; steps; steps--, slow--) {
    if (!slow && DSTEP_MAX - steps >= shape_slot(m->shape, m->run.processes) / CELLS_A_STEP) {
      uint32_t left = hurry(x, slot, &steps);
      *logged = 0;
      if (m->failed) return -1;
      if (left != RUNTIME_NONE) return m->shape->trans[left].flow;
      if (!steps) break;
      s = state_of(x, slot);
    }
    if (!slow) slow = LONG_DSTEP;
    uint32_t i = s->trans, end = s->end, mark = m->run.logged, processes = m->run.processes;
    for (; i < end; i++) {
      if (engine_run(&m->engine, &m->run, slot, i) == RUN_DONE) break;
      undo_attempt(m, mark, processes);
    }
    if (m->failed) return -1;
    if (i == end) {
      m->run.fault(&m->run, FAULT_DSTEP, entry);
      return -1;
    }
    const struct shape_trans *t = &m->shape->trans[i];
    add_link(x, slot, i, 0);
    go_on(x, slot, t, logged);
    if (t->flow != IR_DSTEP) return t->flow;
    s = first + t->to;
  }
  m->run.fault(&m->run, FAULT_ENDLESS, entry);
  return -1;
}

/* Both sides of a rendezvous act and move. 0 = the step has no successor. */
static int act(struct explore *x, uint32_t sender, uint32_t send, uint32_t receiver, uint32_t receive) {
  struct machine *m = x->m;
  const struct shape_trans *sent = &m->shape->trans[send], *received = &m->shape->trans[receive];
  if (m->run.event) {
    m->run.event(&m->run, m->program->trans.at[send].comm - 1, sender, m->run.message_chan);
    m->run.event(&m->run, m->program->trans.at[receive].comm - 1, receiver, m->run.message_chan);
  }
  if (m->program->receiver_first) {
    if (!engine_effects(&m->engine, &m->run, receiver, receive)) return 0;
    go_to(x, receiver, received); /* the sender's actions see it arrived */
    if (!engine_effects(&m->engine, &m->run, sender, send)) return 0;
    go_to(x, sender, sent);
    return 1;
  }
  if (!engine_effects(&m->engine, &m->run, sender, send) || !engine_effects(&m->engine, &m->run, receiver, receive)) return 0;
  go_to(x, sender, sent);
  go_to(x, receiver, received);
  return 1;
}

/* The message may have been overwritten since, and what went wrong when it was made is forgotten. */
static void offer_again(struct machine *m, const struct explore_level *l) {
  begin_attempt(m);
  engine_run(&m->engine, &m->run, l->slot, l->sender);
}

/* May it move, for the sake of a step? What goes wrong in the question belongs to none. */
static int is_free(struct explore *x, uint32_t slot) {
  size_t faults = begin_attempt(x->m);
  int may = may_move(x, slot);
  loosen(x, faults);
  return may;
}

/* Whether it may move is asked of everybody, also of those who have nothing to receive: what goes wrong in the answer is told. */
static int may_receive(struct explore *x, uint32_t slot) {
  const struct program *p = x->m->program;
  int receives = state_of(x, slot)->receives;
  if (!receives && !p->uses_provided && !p->uses_priority) return 0;
  x->m->run.offered = x->m->run.message_chan;
  int may = is_free(x, slot);
  x->m->run.offered = 0;
  return may && receives;
}

/* The next receiver of the message on offer. 1: bound, both have moved, *slot and *flow tell who goes on. */
static int next_partner(struct explore *x, struct explore_level *l, uint32_t *slot, int *flow) {
  struct machine *m = x->m;
  for (;;) {
    while (l->partner_at < l->partner_end) {
      uint32_t i = l->partner_at++;
      const struct shape_trans *t = &m->shape->trans[i];
      if (l->partner_escape && l->partner_escape != t->escape) break;
      if (!t->receives || !in_turn(x, l->partner, t, l->partner_choice, 0)) continue;
      if (x->committed && !(state_of(x, l->partner)->flags & IR_COMMITTED)) break;
      size_t faults = begin_attempt(m);
      if (!engine_accept(&m->engine, &m->run, l->partner, i)) {
        machine_undo(m, l->mark);
        loosen(x, faults);
        continue;
      }
      add_link(x, l->slot, l->sender, 0);
      add_link(x, l->partner, i, l->slot + 1);
      if (!act(x, l->slot, l->sender, l->partner, i)) {
        loosen(x, faults);
        undo(x, l);
        offer_again(m, l);
        continue;
      }
      end_attempt(m, faults);
      l->partner_escape = t->escape;
      l->partner_choice = t->choice;
      l->met = 1;
      *slot = l->partner;
      *flow = t->flow;
      return 1;
    }
    do {
      if (l->partner == 0) return 0;
      l->partner--;
    } while (l->partner == l->slot || !may_receive(x, l->partner));
    const struct shape_state *s = state_of(x, l->partner);
    l->partner_at = s->trans;
    l->partner_end = s->end;
    l->partner_escape = l->partner_choice = 0;
  }
}

static void offer(struct explore *x, struct explore_level *l, uint32_t trans) {
  l->offering = 1;
  l->met = 0;
  l->sender = trans;
  l->partner = x->m->run.processes;
  l->partner_at = l->partner_end = 0;
}

/* Nobody takes the message on offer. What went wrong is told, as of a guard that is false; where a message is a matter of the step (receiver_first) that is what the guard did, and no more. */
static void refuse_offer(struct explore *x, const struct explore_level *l) {
  struct machine *m = x->m;
  ir_expr guard = m->program->trans.at[l->sender].guard;
  if (m->program->receiver_first && m->faults.count > l->fault_mark) {
    m->faults.count = l->fault_mark;
    if (guard) interpreter_value(&m->run, l->slot, guard);
  }
  loosen(x, l->fault_mark);
}

/* The next step that the level's process can take. 1: taken; 0: none is left. */
static int next_step(struct explore *x, struct explore_level *l, uint32_t *slot, int *flow) {
  struct machine *m = x->m;
  if (x->committed && !(state_of(x, l->slot)->flags & IR_COMMITTED)) return 0;
  for (;;) {
    if (l->offering) {
      const struct shape_trans *t = &m->shape->trans[l->sender];
      if (l->met) offer_again(m, l);
      if (next_partner(x, l, slot, flow)) return 1;
      l->offering = 0;
      if (!l->met) refuse_offer(x, l);
      m->faults.count = l->fault_mark;
      if (l->met) {
        l->moved = 1;
        l->escape = t->escape;
        l->choice = t->choice;
      }
    }
    if (l->at >= l->end) return 0;
    uint32_t i = l->at++;
    const struct shape_trans *t = &m->shape->trans[i];
    if (l->escape && l->escape != t->escape) {
      l->at = l->end;
      return 0;
    }
    if (!in_turn(x, l->slot, t, l->choice, l->moved)) continue;
    size_t faults = begin_attempt(m);
    int done = engine_run(&m->engine, &m->run, l->slot, i);
    if (done == RUN_DISABLED) {
      loosen(x, faults);
      if (m->run.logged > l->mark || m->restructured) undo(x, l);
      continue;
    }
    if (done == RUN_OFFER) {
      offer(x, l, i);
      continue;
    }
    end_attempt(m, faults);
    add_link(x, l->slot, i, 0);
    go_to(x, l->slot, t);
    l->moved = 1;
    l->escape = t->escape;
    l->choice = t->choice;
    *slot = l->slot;
    *flow = t->flow;
    return 1;
  }
}

static int push_level(struct explore *x, uint32_t slot) {
  const struct machine *m = x->m;
  struct explore_level l = {.slot = slot,
                            .mark = m->run.logged,
                            .fault_mark = (uint32_t)m->faults.count,
                            .link_mark = (uint32_t)x->links.count,
                            .chain = 0};
  if (is_free(x, slot)) {
    const struct shape_state *s = state_of(x, slot);
    l.at = s->trans;
    l.end = s->end;
  }
  if (vec_push(&x->levels, m->mem, MEM_SEARCH, l)) {
    x->m->failed = 1;
    return -1;
  }
  return 0;
}

static void begin_step(struct explore *x) {
  crossroads_reset(&x->crossroads);
  x->pruned = 0;
  x->completed_before = x->completed;
}

/* A step whose ways all lead back to choices that it had before has no successor, and is told. */
static void end_step(struct explore *x) {
  struct machine *m = x->m;
  if (!x->pruned || x->completed != x->completed_before) {
    x->pruned = 0;
    return;
  }
  add_fault(m, &x->loose, 0, (struct machine_fault){FAULT_ENDLESS, x->first % (uint32_t)m->program->trans.count});
  x->pruned = 0;
}

/* A process comes to a choice inside its atomic sequence. 0: it is to be followed; 1: it was before, after many others; -1: memory. */
static int meet_choice(struct explore *x, uint32_t slot) {
  int known = crossroads_known(&x->crossroads, x->m, slot);
  if (known > 0) tell_loose(x, 0);
  x->pruned |= known > 0;
  x->chain = 0;
  if (known < 0) x->m->failed = 1;
  return known;
}

/* Has an atomic sequence come back to where it was? Brent's way: a snapshot is taken whenever the chain has doubled in length,
   so a loop is noticed after at most three times its length and costs nothing on short chains. Each power of two has a snapshot
   of its own, so that one taken on the way to a choice is still there when the next alternative is tried. */
static int endless(struct explore *x) {
  struct machine *m = x->m;
  size_t bytes = (m->shape->slots + ((size_t)m->run.processes << m->shape->slot_bits)) * sizeof *m->run.cell;
  x->chain++;
  if (x->chain < SHORT_CHAIN) return 0;
  unsigned k = 63 - (unsigned)__builtin_clzll(x->chain);
  if (x->chain & (x->chain - 1)) return x->snapshot_bytes[k] == bytes && !memcmp(x->snapshot[k], m->run.cell, bytes);
  int32_t *copy = mem_resize(m->mem, MEM_SEARCH, x->snapshot[k], bytes);
  if (!copy) {
    m->failed = 1;
    return 1;
  }
  x->snapshot[k] = copy;
  x->snapshot_bytes[k] = bytes;
  memcpy(copy, m->run.cell, bytes);
  return 0;
}

static int complete(struct explore *x) {
  struct machine *m = x->m;
  if (m->shape->heap_cells) heap_canonical(m);
  x->completed++;
  return m->failed || x->complete(x->context, x, x->first) ? -1 : 0;
}

/* A d_step that blocks or never ends has no successor: the step is undone, what went wrong is told of the state. */
static void drop_step(struct explore *x, uint32_t mark) {
  struct machine *m = x->m;
  machine_undo(m, mark);
  if (m->restructured) machine_recount(m);
  m->restructured = mark > 0;
  tell_loose(x, 0);
}

/* Takes the one transition of a process that is possible in a simple state. Returns its index; s->end: none is possible; UINT32_MAX: there may
   be several, and nothing was done. */
static inline uint32_t take_only(struct explore *x, uint32_t slot, const struct shape_state *s) {
  struct machine *m = x->m;
  uint32_t mark = m->run.logged, processes = m->run.processes, i = s->trans;
  const size_t faults = begin_attempt(m);
  for (; i < s->end; i++) {
    int done = in_turn(x, slot, &m->shape->trans[i], 0, 0) && engine_run(&m->engine, &m->run, slot, i) == RUN_DONE;
    if (done && i >= s->last) break;
    if (m->run.logged > mark) undo_attempt(m, mark, processes);
    if (!done) {
      loosen(x, faults);
      continue;
    }
    m->faults.count = faults;
    return UINT32_MAX;
  }
  end_attempt(m, faults);
  return i;
}

/* Is it time to stop, in the middle of whatever it is? Looks at the clock now and then. */
static inline int stops(struct explore *x) {
  enum { NOW_AND_THEN = 1 << 14 };
  if (++x->work % NOW_AND_THEN || !model_impatient(x->patience)) return 0;
  return x->stopped = x->m->failed = 1;
}

/* After transition `trans` of a step: goes on as long as there is nothing to choose. Returns IR_STOP: the step is complete; IR_ATOMIC:
   process `slot` has a choice and wants a level; NOWHERE: it has been there before; -1: the step is dropped. */
enum { NOWHERE = 100 };
static int follow(struct explore *x, uint32_t slot, int flow, uint32_t trans) {
  struct machine *m = x->m;
  for (int logged = 0;;) {
    if (stops(x)) return -1;
    if (flow == IR_DSTEP) flow = finish_dstep(x, slot, trans, &logged);
    if (flow != IR_ATOMIC) return flow;
    if (endless(x)) {
      m->run.fault(&m->run, FAULT_ENDLESS, trans);
      return IR_STOP;
    }
    const struct shape_state *s = state_of(x, slot);
    if ((s->end != s->trans + 1 || !s->simple) && meet_choice(x, slot)) return NOWHERE;
    if (!s->simple) return IR_ATOMIC;
    trans = take_only(x, slot, s);
    if (trans == UINT32_MAX) return IR_ATOMIC;
    if (trans == s->end) return IR_STOP; /* blocked inside its atomic sequence */
    add_link(x, slot, trans, 0);
    go_on(x, slot, &m->shape->trans[trans], &logged);
    flow = m->shape->trans[trans].flow;
  }
}

/* Explores the levels that are there down to the lowest. `inside`: the lowest belongs to a step that has begun already. Returns 1 if
   the lowest level's process could move, 0 if not, -1 to stop. */
static int explore_levels(struct explore *x, int inside) {
  struct machine *m = x->m;
  int moved = 0;
  while (x->levels.count) {
    struct explore_level *l = &x->levels.at[x->levels.count - 1];
    int first = x->levels.count == 1 && !inside, flow = IR_STOP;
    uint32_t slot = l->slot;
    if (stops(x)) return -1;
    if (m->run.logged > l->mark || m->restructured || m->faults.count > l->fault_mark) undo(x, l);
    x->links.count = l->link_mark; /* a step may have written nothing */
    x->chain = l->chain;
    if (first) {
      end_step(x);
      x->chain = 0;
      m->run.timeout = x->timeout;
    }
    int stepped = next_step(x, l, &slot, &flow);
    if (m->failed) return -1;
    if (!stepped) {
      if (!first && !l->moved && complete(x)) return -1;
      moved = l->moved;
      if (first) m->faults.count = l->fault_mark;
      x->levels.count--;
      continue;
    }
    if (first) {
      x->first = l->slot * (uint32_t)m->program->trans.count + l->at - 1;
      begin_step(x);
      m->run.timeout = 0; /* only the first transition of a step may be the timeout */
    }
    if (flow != IR_STOP) flow = follow(x, slot, flow, l->offering ? l->partner_at - 1 : l->at - 1);
    if (m->failed) return -1;
    if (flow < 0) drop_step(x, l->mark);
    else if (flow != NOWHERE && (flow == IR_ATOMIC ? push_level(x, slot) : complete(x))) return -1;
  }
  return moved;
}

/* All steps that begin with a transition of one process. Returns 1 if there was one, 0 if not, -1 to stop. */
static int explore_slot(struct explore *x, uint32_t slot) {
  x->levels.count = x->links.count = 0;
  return push_level(x, slot) ? -1 : explore_levels(x, 0);
}

/* The same for a process that is in a simple control state: no level for its first transition. */
static int explore_simple(struct explore *x, uint32_t slot, const struct shape_state *s) {
  struct machine *m = x->m;
  struct runtime *r = &m->run;
  uint32_t group = slot * (uint32_t)m->program->trans.count, choice = 0, escape = 0;
  int moved = 0;
  x->levels.count = x->links.count = 0;
  for (uint32_t i = s->trans; i < s->end; i++) {
    const struct shape_trans *t = &m->shape->trans[i];
    if (escape && escape != t->escape) break;
    if (!in_turn(x, slot, t, choice, moved)) continue;
    r->timeout = x->timeout;
    m->attempt = 0;
    if (engine_run(&m->engine, r, slot, i) == RUN_DISABLED) {
      if (r->logged) drop_step(x, 0);
      loosen(x, 0);
      continue;
    }
    moved = 1;
    choice = t->choice;
    escape = t->escape;
    go_to(x, slot, t);
    x->first = group + i;
    if (t->flow == IR_STOP) {
      if (m->failed || x->complete(x->context, x, x->first)) return -1;
    } else {
      x->chain = 0;
      r->timeout = 0;
      begin_step(x);
      int flow = follow(x, slot, t->flow, i);
      if (m->failed) return -1;
      if (flow < 0) drop_step(x, 0);
      else if (flow != NOWHERE && (flow == IR_ATOMIC ? push_level(x, slot) || explore_levels(x, 1) < 0 : complete(x))) return -1;
      end_step(x);
    }
    machine_undo(m, 0);
    m->faults.count = 0;
    if (m->restructured) {
      machine_recount(m);
      m->restructured = 0;
    }
  }
  return moved;
}

static void find_committed(struct explore *x) {
  x->committed = 0;
  if (!x->m->program->uses_committed) return;
  for (uint32_t slot = 0; slot < x->m->run.processes && !x->committed; slot++)
    x->committed = (state_of(x, slot)->flags & IR_COMMITTED) != 0;
}

int explore_all(struct explore *x) {
  struct machine *m = x->m;
  int moved = 0;
  m->restructured = 0;
  m->faults.count = x->loose.count = 0;
  find_committed(x);
  for (int timeout = 0; timeout <= m->program->uses_timeout && !moved; timeout++) {
    x->timeout = timeout;
    for (uint32_t slot = m->run.processes; slot-- > 0;) {
      const struct shape_state *s = state_of(x, slot);
      m->run.timeout = timeout; /* whether a process may move at all can depend on what others could do now */
      int one = s->simple && !x->telling ? explore_simple(x, slot, s) : explore_slot(x, slot);
      if (one < 0) {
        machine_undo(m, 0);
        m->run.timeout = 0;
        if (m->restructured) machine_recount(m);
        return -1;
      }
      moved |= one;
    }
  }
  m->run.timeout = 0;
  return 0;
}

int explore_again(struct explore *x, const struct explore_link *chain, size_t count, int32_t timeout,
                  void (*told)(void *, struct explore *, const struct explore_link *, uint32_t mark), void *context) {
  struct machine *m = x->m;
  m->restructured = 0;
  m->faults.count = 0;
  for (size_t i = 0; i < count; i++) {
    const struct explore_link *l = &chain[i], *r = l + 1;
    uint32_t mark = m->run.logged;
    m->run.timeout = i ? 0 : timeout;
    int done = engine_run(&m->engine, &m->run, l->slot, l->trans);
    if (m->failed) return -1;
    if (done == RUN_DONE) {
      go_to(x, l->slot, &m->shape->trans[l->trans]);
      told(context, x, l, mark);
      continue;
    }
    if (done != RUN_OFFER || i + 1 == count || r->partner != l->slot + 1) return -1;
    if (!engine_accept(&m->engine, &m->run, r->slot, r->trans) || !act(x, l->slot, l->trans, r->slot, r->trans) || m->failed) return -1;
    told(context, x, l, mark);
    told(context, x, r, mark);
    i++;
  }
  m->run.timeout = 0;
  return 0;
}
