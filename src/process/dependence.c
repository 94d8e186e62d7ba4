/* dependence.c -- see dependence.h.
 *
 * In a state, a set T of processes is closed if it has, with each process p of it, every process q of which something that it may ever do (or those that it makes) may be in the way of something that p can do where
 * it stands now (footprint.h).  As long as only others move, the processes of T stand where they are, what they can do stays possible and does the same, what they cannot do stays impossible, and both
 * orders of one of their steps and one of the others' lead to the same state.  So the steps of T, if there are any, are a persistent set, and every state without successors is found if only they are taken: a run
 * to it has a step of T some time, and the first one can be moved to the front.  A process that waits for its end waits for the youngest one.  A rendezvous belongs to both: whoever
 * uses the channel at all is in T with one who stands at it.  `timeout` cannot be true while T has a step.
 *
 * Faults belong to steps, or to a process that stands somewhere and reads certain variables; either is one of the things that a process does, with a footprint.  A run w to a fault is found
 * as well, unless its steps are put off for ever: where w has no step of T, a step of T leaves w possible.  So on each cycle there must be a state in which all steps are taken.  In a cycle some process goes
 * round in its control flow: the one in the lowest slot that moves, as nobody who lives makes it anew.  Some transitions are chosen such that every loop of a control flow has one of them; where T has a step with such a
 * transition, T is not used.  This is known from the state alone, so that searches may do what they like.  Transitions that touch shared things are chosen rather than others, because T
 * is large there anyway, and communications rather than all others: in a cycle, what is sent into a channel is received from it, so that somebody who moves has the other end.  Of the lowest slot that moves it cannot be
 * one below.  So a loop that is closed by a communication counts only if a process in the same slot or a higher one may use the other end (and no process can be made any more, so
 * that those who move in a cycle are there in all of its states).
 *
 * For conditions on states (invariants, what is to be reached) steps that may change their value must not change places: where T has one, T is not used either.
 * Then the condition is, at the end of w, what it was.
 *
 * Footprints of processes are kept from state to state: a process keeps its own as long as it lives. */
#include "process/dependence.h"

#include "model/expr.h"
#include "process/footprint.h"
#include "process/interpreter.h"
#include "process/loops.h"
#include "process/process_model.h"

#include <string.h>

enum { PROCESSES_MOST = 64, KEPT_MOST = 1024 };

struct model_thrift {
  struct mem *mem;
  struct footprints common;
  int loops_matter;   /* something may be put off for ever */
  uint8_t *loops;     /* per transition: enum closing: a step that begins with it may close a loop */
  uint64_t *aim;      /* what conditions stand against; NULL = there are none */
  struct vec(struct footprint *) kept;
  struct footprint *last[PROCESSES_MOST]; /* that was right for the slot */
  uint64_t *against; /* scratch: of one process in the state at hand */
  /* the state at hand */
  struct machine *m;
  uint32_t processes;
  uint64_t known, need[PROCESSES_MOST]; /* which needs are known */
  uint32_t steps[PROCESSES_MOST];       /* of each process */
  uint64_t closing, seen;               /* processes with a step that closes a loop; that changes a condition */
  int growing;                          /* processes may be made */
};

/* ---- loops ------------------------------------------------------------------------------------------------------------------ */

/* A step is a chain: what any of its transitions closes, it closes. Only of the first one it is known what its channel is. */
static void spread(const struct program *p, uint32_t type, uint8_t *loops, int everywhere) {
  const struct ir_proc *proc = &p->procs.at[type];
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < proc->states; s++)
      for (uint32_t i = p->states.at[proc->state + s].trans, end = i + p->states.at[proc->state + s].transitions; i < end; i++) {
        const struct ir_trans *t = &p->trans.at[i];
        if (loops[i] == CLOSES || t->flags & IR_END || (!everywhere && t->flow == IR_STOP)) continue;
        const struct ir_state *next = &p->states.at[proc->state + t->to];
        for (uint32_t k = next->trans; k < next->trans + next->transitions && loops[i] != CLOSES; k++)
          if (loops[k]) changed = loops[i] = CLOSES;
      }
  }
}

/* endless: an atomic sequence may go round for ever. */
static int find_loops(struct model_thrift *t, int *endless) {
  const struct program *p = t->common.p;
  int good = loops_cut(p, t->common.heavy, t->loops, t->mem) == 0;
  *endless = 0;
  for (size_t i = 0; i < p->trans.count && good; i++) *endless |= t->loops[i] && p->trans.at[i].flow != IR_STOP;
  for (uint32_t type = 0; type < p->procs.count && good; type++) spread(p, type, t->loops, t->common.relays);
  return good ? 0 : -1;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------------- */

static int set_aims(struct model_thrift *t, const struct process_model *m, const struct model_aims *aims) {
  if (!aims->exprs) return 0;
  t->aim = mem_alloc(t->mem, MEM_SEARCH, 2 * (size_t)t->common.words * sizeof *t->aim);
  if (!t->aim) return -1;
  for (size_t i = 0; i < aims->exprs; i++) footprint_condition(&t->common, m->condition.at[expr_condition(aims->expr[i])], t->aim + t->common.words, t->aim);
  return 0;
}

int process_thrift_open(struct model_thrift **out, const struct model *base, const struct model_aims *aims, struct mem *mem) {
  const struct process_model *m = process_of(base);
  int endless;
  *out = NULL;
  if (aims->runs) return 1;
  for (size_t i = 0; i < aims->exprs; i++)
    if (!aims->expr[i] || expr_condition(aims->expr[i]) < 0) return 1;
  struct model_thrift *t = mem_alloc(mem, MEM_SEARCH, sizeof *t);
  if (!t) return -1;
  t->mem = mem;
  int status = footprints_open(&t->common, &m->shape, mem);
  if (!status) {
    t->loops = mem_alloc(mem, MEM_SEARCH, m->program->trans.count + 1);
    t->against = mem_alloc(mem, MEM_SEARCH, (size_t)t->common.words * sizeof *t->against);
    if (!t->loops || !t->against || find_loops(t, &endless) || set_aims(t, m, aims)) status = -1;
  }
  if (!status) {
    t->loops_matter = aims->assertions || aims->exprs || (aims->errors && (t->common.fails || endless));
    *out = t;
    return 0;
  }
  process_thrift_close(t);
  return status;
}

static void forget(struct model_thrift *t) {
  for (size_t i = 0; i < t->kept.count; i++) {
    footprint_close(t->kept.at[i], &t->common);
    mem_free(t->mem, t->kept.at[i]);
  }
  t->kept.count = 0;
  memset(t->last, 0, sizeof t->last);
}

void process_thrift_close(struct model_thrift *t) {
  if (!t) return;
  forget(t);
  vec_free(&t->kept, t->mem);
  mem_free(t->mem, t->loops);
  mem_free(t->mem, t->aim);
  mem_free(t->mem, t->against);
  footprints_close(&t->common);
  mem_free(t->mem, t);
}

/* ---- a state ---------------------------------------------------------------------------------------------------------------- */

/* The footprint of the process in a slot; NULL: memory. */
static struct footprint *footprint_of(struct model_thrift *t, uint32_t slot) {
  const struct footprints *f = &t->common;
  if (t->last[slot] && footprint_fits(t->last[slot], f, t->m, slot)) return t->last[slot];
  for (size_t i = 0; i < t->kept.count; i++)
    if (footprint_fits(t->kept.at[i], f, t->m, slot)) return t->last[slot] = t->kept.at[i];
  struct footprint *one = mem_alloc(t->mem, MEM_SEARCH, sizeof *one);
  if (!one || footprint_open(one, f, t->m, slot)) {
    mem_free(t->mem, one);
    return NULL;
  }
  if (vec_push(&t->kept, t->mem, MEM_SEARCH, one)) {
    footprint_close(one, f);
    mem_free(t->mem, one);
    return NULL;
  }
  return t->last[slot] = one;
}

static uint32_t control(const struct model_thrift *t, uint32_t slot) { return (uint32_t)t->m->run.cell[shape_slot(t->common.shape, slot) + SLOT_PC]; }

/* What an expression over the process's own variables is; an index out of range is for the statement to tell. */
static int32_t own_value(struct model_thrift *t, uint32_t slot, ir_expr e) {
  size_t faults = t->m->faults.count;
  int32_t value = interpreter_value(&t->m->run, slot, e);
  t->m->faults.count = faults;
  return value;
}

/* Communications whose channel has to be looked at: one that is impossible waits for the other end. */
static void look_at_channels(struct model_thrift *t, const struct footprint *one, uint32_t slot, uint64_t *against) {
  struct machine *m = t->m;
  uint32_t pc = control(t, slot);
  for (uint32_t i = one->comm_first[pc]; i < one->comm_first[pc + 1]; i++) {
    const struct footprint_comm *c = &one->comms.at[i];
    if (c->guard && !own_value(t, slot, c->guard)) continue;
    int32_t number = own_value(t, slot, c->chan);
    const struct runtime_chan *chan = runtime_chan(&m->run, number);
    if (!chan) continue;
    uint32_t length = runtime_length(&m->run, m->chan_cell[number], chan), own = c->sends ? CHAN_TAIL : CHAN_HEAD, other = c->sends ? CHAN_HEAD : CHAN_TAIL;
    int waits = length == (c->sends ? chan->capacity : 0);
    if (waits) footprint_bit(against, footprint_chan(&t->common, (uint32_t)number, other));
    if (waits && chan->capacity) continue;
    footprint_bit(against, footprint_chan(&t->common, (uint32_t)number, own));
    footprint_bit(against, footprint_chan(&t->common, (uint32_t)number, CHAN_WHOLE));
  }
}

/* The processes that a set must have with this one. */
static uint64_t needs(struct model_thrift *t, uint32_t slot) {
  const struct footprints *f = &t->common;
  const struct footprint *one = t->last[slot];
  if (t->known >> slot & 1) return t->need[slot];
  uint64_t need = 0;
  memcpy(t->against, one->against + (size_t)control(t, slot) * f->words, f->words * sizeof *t->against);
  look_at_channels(t, one, slot, t->against);
  for (uint32_t i = one->guarded_first[control(t, slot)]; i < one->guarded_first[control(t, slot) + 1]; i++) {
    if (!own_value(t, slot, one->guarded.at[i].guard)) continue;
    for (uint32_t k = 0; k < f->words; k++) t->against[k] |= one->guarded.at[i].against[k];
  }
  for (uint32_t other = 0; other < t->processes; other++)
    if (other != slot && footprint_meets(t->against, t->last[other]->ever + (size_t)control(t, other) * f->words, f->words)) need |= (uint64_t)1 << other;
  if (footprint_has(one->now + (size_t)control(t, slot) * f->words, TOUCH_END)) need |= (uint64_t)1 << (t->processes - 1);
  t->known |= (uint64_t)1 << slot;
  return t->need[slot] = need;
}

/* The channel of a transition from where a process stands; 0: nobody knows. */
static uint32_t channel_of(struct model_thrift *t, uint32_t slot, uint32_t trans) {
  const struct footprint *one = t->last[slot];
  uint32_t pc = control(t, slot);
  ir_expr chan = t->common.p->comms.at[t->common.p->trans.at[trans].comm - 1].chan;
  for (uint32_t i = one->comm_first[pc]; i < one->comm_first[pc + 1]; i++) {
    if (one->comms.at[i].chan != chan) continue;
    int32_t number = own_value(t, slot, chan);
    return runtime_chan(&t->m->run, number) ? (uint32_t)number : 0;
  }
  return 0;
}

/* May the transition of a process be the receiver's part of a rendezvous? */
static int meets(struct model_thrift *t, uint32_t slot, uint32_t trans) {
  if (!t->common.shape->trans[trans].receives) return 0;
  uint32_t number = channel_of(t, slot, trans);
  return !number || !runtime_chan(&t->m->run, (int32_t)number)->capacity;
}

/* May a step that begins with the transition of a process be the one of a cycle in which all steps must be taken? */
static int closes(struct model_thrift *t, uint32_t slot, uint32_t trans) {
  const struct footprints *f = &t->common;
  if (t->loops[trans] != CLOSES_BY_COMM || t->growing) return t->loops[trans] != CLOSES_NOTHING;
  uint32_t number = channel_of(t, slot, trans), part = f->shape->trans[trans].receives ? CHAN_TAIL : CHAN_HEAD;
  for (uint32_t other = slot; other < t->processes && number; other++)
    if (footprint_has(t->last[other]->ever + (size_t)control(t, other) * f->words, footprint_chan(f, number, part))) return 1;
  return !number;
}

/* A rendezvous is called by its sender: receivers have a part of it. */
static void note_partners(struct model_thrift *t) {
  const struct program *p = t->common.p;
  if (!p->uses_rendezvous || !t->loops_matter) return;
  for (uint32_t slot = 0; slot < t->processes; slot++) {
    const struct ir_state *s = &p->states.at[p->procs.at[t->last[slot]->type].state + control(t, slot)];
    for (uint32_t i = s->trans; i < s->trans + s->transitions; i++)
      if (t->loops[i] && meets(t, slot, i) && closes(t, slot, i)) t->closing |= (uint64_t)1 << slot;
  }
}

/* Who has steps, and of what kind. -1: memory. */
static int look_at(struct model_thrift *t, const struct model_batch *b, size_t first) {
  const struct footprints *f = &t->common;
  uint32_t transitions = (uint32_t)f->p->trans.count;
  t->known = t->closing = t->seen = 0;
  memset(t->steps, 0, sizeof t->steps);
  if (t->kept.count > KEPT_MOST) forget(t);
  for (uint32_t slot = 0; slot < t->processes; slot++)
    if (!footprint_of(t, slot)) return -1;
  t->growing = 0;
  for (uint32_t slot = 0; slot < t->processes; slot++) t->growing |= footprint_has(t->last[slot]->ever + (size_t)control(t, slot) * f->words, TOUCH_RUN);
  for (size_t i = first; i < b->count; i++) {
    uint32_t slot = b->group[i] / transitions, trans = b->group[i] % transitions;
    t->steps[slot]++;
    if (t->loops_matter && closes(t, slot, trans)) t->closing |= (uint64_t)1 << slot;
  }
  note_partners(t);
  for (uint32_t slot = 0; slot < t->processes && t->aim; slot++)
    if ((t->steps[slot] || f->p->uses_rendezvous) && footprint_meets(t->aim, t->last[slot]->now + (size_t)control(t, slot) * f->words, f->words)) t->seen |= (uint64_t)1 << slot;
  return 0;
}

/* The least closed set with this process. */
static uint64_t closed(struct model_thrift *t, uint32_t slot) {
  uint64_t set = (uint64_t)1 << slot, waiting = set;
  while (waiting) {
    uint32_t one = (uint32_t)__builtin_ctzll(waiting);
    uint64_t more = needs(t, one) & ~set;
    waiting = (waiting & (waiting - 1)) | more;
    set |= more;
  }
  return set;
}

int process_thrift_choose(struct model_thrift *t, struct model_cursor *base, const struct model_batch *b, size_t first, uint8_t *keep) {
  struct process_cursor *c = (struct process_cursor *)base;
  uint64_t best = 0;
  size_t least = b->count - first;
  t->m = &c->machine;
  t->processes = c->machine.run.processes;
  if (t->processes > PROCESSES_MOST || t->processes < 2) return 1;
  if (look_at(t, b, first)) return -1;
  for (uint32_t slot = t->processes; slot-- > 0 && least > 1;) {
    if (!t->steps[slot] || t->steps[slot] >= least) continue;
    uint64_t set = closed(t, slot);
    size_t steps = 0;
    if (set & (t->closing | t->seen)) continue;
    for (uint64_t left = set; left; left &= left - 1) steps += t->steps[__builtin_ctzll(left)];
    if (steps >= least) continue;
    least = steps;
    best = set;
  }
  if (!best) return 1;
  for (size_t i = first; i < b->count; i++) keep[i - first] = best >> (b->group[i] / (uint32_t)t->common.p->trans.count) & 1;
  return 0;
}
