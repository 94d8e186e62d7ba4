/* dependence.c -- see dependence.h.
 *
 * In a state, a set T of processes is closed if it has, with each process p of it,
 *
 *   - for each step that p can take: every process q of which something that it may ever do (or those that it makes) may be in the way of it (footprint.h);
 *   - for each transition of p that is impossible where p stands: all who may make it possible.  Of a guard with several false parts those are enough who may change one of them, of a full channel those who receive, of
 *     an empty one those who send.  An `else` beside something possible needs nobody, nor does a timeout: T has steps, and those stay possible.  A process that waits for its end waits for the youngest one.
 *
 * As long as only others move, the processes of T stand where they are, what they can do stays possible and does the same, what they cannot do stays impossible, and both
 * orders of one of their steps and one of the others' lead to the same state.  So the steps of T, if there are any, are a persistent set, and every state without successors is found if only they are taken: a run
 * to it has a step of T some time, and the first one can be moved to the front.  A rendezvous belongs to both: whoever uses the channel at all is in T with one who stands at it.
 *
 * What is looked for beside them, faults and values of conditions, are aims.  A process is helpful if it may ever have a part in one: an assertion, something that can go wrong (mishap.h), a variable of a condition.
 * Let w be a run to an aim.  If it has a step of T, the first one moves to the front, and what is left is shorter.  If not, a step of T leaves w possible, and its end as good as it was unless the step
 * changes a condition; but w must not be put off for ever.  So in some state of each cycle, and wherever T changes a condition, T has to have all who are helpful: then w has a step of T, its last one if no other.
 * Faults may also be told by a process that only stands somewhere and evaluates guards; guards that can go wrong are never looked at in parts, so that it tells the same as long as T does not move.
 *
 * Each cycle has a step that closes it (closing.h), told by the state alone, so that searches may do what they like.  Communications that close count less: in a cycle, what is sent into a channel is received from it, so that
 * somebody who moves has the other end.  Of the lowest slot that moves it cannot be
 * one below.  So a loop that is closed by a communication counts only if a process in the same slot or a higher one may use the other end (and no process can be made any more, so
 * that those who move in a cycle are there in all of its states).
 *
 * For formulas about whole runs, without next, the conditions are those of ample sets: where T has a step that may change an atom, or that closes a cycle, all steps are taken.
 *
 * Footprints of processes are kept from state to state: a process keeps its own as long as it lives.  Who may use what is kept, too (company.h).  Guards are evaluated by the interpreter, and only
 * where it makes a difference. */
#include "process/dependence.h"

#include "model/expr.h"
#include "process/closing.h"
#include "process/company.h"
#include "process/footprint_touch.h"
#include "process/process_model.h"

#include <string.h>

enum { PROCESSES_MOST = 64, KEPT_MOST = 1024 };

struct model_thrift {
  struct mem *mem;
  struct footprints common;
  struct closing loops;
  int loops_matter;   /* something may be put off for ever */
  int runs;           /* whole runs are seen */
  uint64_t *aim;      /* what conditions stand against, and the faults that count: those who use it help to reach what is looked for */
  int conditions;     /* there are conditions */
  struct vec(struct footprint *) kept;
  struct footprint *last[PROCESSES_MOST]; /* that was right for the slot */
  struct companies companies;
  uint32_t serials; /* of footprints */
  /* the state at hand */
  struct machine *m;
  const struct model_batch *batch;
  uint32_t processes;
  uint32_t control[PROCESSES_MOST];     /* where each process stands */
  uint64_t moving;                      /* processes with steps */
  uint64_t known, need[PROCESSES_MOST]; /* which needs are known */
  uint32_t steps[PROCESSES_MOST];       /* of each process */
  size_t first[PROCESSES_MOST];         /* of them in the batch, where they stand side by side */
  uint64_t closing, seen, helpful;      /* processes with a step that closes a loop; that changes a condition; that may ever help to reach what is looked for */
  int growing;                          /* processes may be made */
  int permuted;                         /* slots are no names: model_aims */
};

/* ---- opening ---------------------------------------------------------------------------------------------------------------- */

static int set_aims(struct model_thrift *t, const struct process_model *m, const struct model_aims *aims) {
  t->aim = mem_alloc(t->mem, MEM_SEARCH, 2 * (size_t)t->common.words * sizeof *t->aim);
  if (!t->aim) return -1;
  for (size_t i = 0; i < aims->exprs; i++) footprint_condition(&t->common, m->condition.at[expr_condition(aims->expr[i])], t->aim + t->common.words, t->aim);
  if (footprint_has(t->aim, TOUCH_END)) t->common.blind = 0; /* who is there is seen */
  if (aims->assertions) footprint_bit(t->aim, TOUCH_ASSERT);
  if (aims->errors) footprint_bit(t->aim, t->loops.endless ? TOUCH_ANY : TOUCH_MISHAP);
  t->conditions = aims->exprs > 0;
  t->runs = aims->runs;
  t->permuted = aims->permuted;
  t->loops_matter = aims->assertions || aims->errors || aims->exprs || aims->runs;
  return 0;
}

int process_thrift_open(struct model_thrift **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  const struct process_model *m = process_of(base);
  *out = NULL;
  (void)why, (void)room; /* what is in the way is said of states, not of the program */
  for (size_t i = 0; i < aims->exprs; i++)
    if (!aims->expr[i] || expr_condition(aims->expr[i]) < 0) return 1;
  struct model_thrift *t = mem_alloc(mem, MEM_SEARCH, sizeof *t);
  if (!t) return -1;
  t->mem = mem;
  int status = footprints_open(&t->common, &m->shape, mem);
  if (!status) {
    companies_open(&t->companies, &t->common, mem);
    if (closing_open(&t->loops, &t->common, mem) || set_aims(t, m, aims)) status = -1;
  }
  if (!status) {
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
  companies_forget(&t->companies);
  memset(t->last, 0, sizeof t->last);
}

void process_thrift_close(struct model_thrift *t) {
  if (!t) return;
  forget(t);
  vec_free(&t->kept, t->mem);
  closing_close(&t->loops);
  mem_free(t->mem, t->aim);
  companies_close(&t->companies);
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
  one->serial = t->serials++;
  return t->last[slot] = one;
}

static uint64_t users(const struct model_thrift *t, uint32_t slot, const uint64_t *set) { return companies_users(&t->companies, t->last[slot], slot, set); }
static uint64_t channel_users(const struct model_thrift *t, uint32_t number, uint32_t part) { return t->companies.now->by_bit[footprint_chan(&t->common, number, part)]; }

/* The channel of a transition that is left open, as things are; 0: it has none. */
static uint32_t channel_of(struct model_thrift *t, uint32_t slot, uint32_t trans) {
  const struct footprint_trans *ft = &t->last[slot]->trans[trans - t->last[slot]->first];
  if (!ft->open) return 0;
  int32_t number = ft->number >= 0 ? ft->number : footprint_value(t->m, slot, t->common.p->comms.at[t->common.p->trans.at[trans].comm - 1].chan);
  return runtime_chan(&t->m->run, number) ? (uint32_t)number : 0;
}

/* Who may make a transition possible that is not, because a part of its guard is false or its channel is full or empty. Of several false parts the one is taken for which the fewest are needed. 0: it is not that simple. */
static int waits_for(struct model_thrift *t, uint32_t slot, uint32_t trans, uint64_t *need) {
  const struct footprint *one = t->last[slot];
  const struct footprint_trans *ft = &one->trans[trans - one->first];
  int found = 0;
  uint64_t fewest = 0;
  for (uint32_t k = ft->part; k < ft->part + ft->parts; k++) {
    uint64_t more = users(t, slot, one->parts[k].against) & ~*need;
    if ((found && __builtin_popcountll(more) >= __builtin_popcountll(fewest)) || footprint_value(t->m, slot, one->parts[k].test)) continue;
    fewest = more;
    found = 1;
    if (!fewest) break;
  }
  *need |= fewest;
  uint32_t number = found ? 0 : channel_of(t, slot, trans);
  if (!number) return found;
  const struct runtime_chan *chan = runtime_chan(&t->m->run, (int32_t)number);
  if (!chan->capacity || runtime_length(&t->m->run, t->m->chan_cell[number], chan) != (ft->sends ? chan->capacity : 0)) return 0;
  *need |= users(t, slot, ft->channel) | channel_users(t, number, ft->sends ? CHAN_HEAD : CHAN_TAIL);
  return 1;
}

/* Who may use something that a step which begins with a transition stands against. */
static uint64_t stands_against(struct model_thrift *t, uint32_t slot, uint32_t trans) {
  const struct footprint *one = t->last[slot];
  const struct footprint_trans *ft = &one->trans[trans - one->first];
  uint64_t need = users(t, slot, ft->against);
  uint32_t number = channel_of(t, slot, trans);
  if (!number) return need;
  need |= channel_users(t, number, CHAN_WHOLE) | channel_users(t, number, ft->sends ? CHAN_TAIL : CHAN_HEAD);
  if (!runtime_chan(&t->m->run, (int32_t)number)->capacity) need |= channel_users(t, number, ft->sends ? CHAN_HEAD : CHAN_TAIL);
  return need;
}

/* The processes that a set must have with this one. Where they are all that can move, nobody asks for more. */
static uint64_t needs(struct model_thrift *t, uint32_t slot) {
  const struct footprint *one = t->last[slot];
  const struct program *p = t->common.p;
  uint64_t need = (uint64_t)1 << slot;
  if (t->known >> slot & 1) return t->need[slot];
  const struct ir_state *s = &p->states.at[p->procs.at[one->type].state + t->control[slot]];
  for (int turn = 0; turn < 2; turn++) { /* what is possible first: it needs most */
    size_t next = t->first[slot], end = next + t->steps[slot];
    for (uint32_t i = s->trans; i < s->trans + s->transitions && t->moving & ~need; i++) {
      const struct footprint_trans *ft = &one->trans[i - one->first];
      int possible = 0;
      for (; next < end && t->batch->group[next] % (uint32_t)p->trans.count == i; next++) possible = 1;
      if (turn == 0) {
        if (possible || ft->coarse) need |= stands_against(t, slot, i);
        if (ft->coarse && p->trans.at[i].flags & IR_END) need |= (uint64_t)1 << (t->processes - 1);
        continue;
      }
      if (possible || ft->coarse) continue;
      if (p->trans.at[i].flags & IR_END && slot + 1 < t->processes) {
        need |= (uint64_t)1 << (t->processes - 1); /* the youngest must die first */
        continue;
      }
      if (p->trans.at[i].flags & IR_ELSE && next > t->first[slot]) continue; /* something before it stays possible */
      if (ft->contains && !(users(t, slot, ft->against) & ~need)) continue; /* whatever it waits for */
      if (!waits_for(t, slot, i, &need)) need |= stands_against(t, slot, i);
    }
  }
  t->known |= (uint64_t)1 << slot;
  return t->need[slot] = need;
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
  uint8_t kind = t->loops.kind[trans];
  if (kind == CLOSES_BY_VALUE) return closing_by_value(&t->loops, f, t->m, slot, trans);
  if (kind != CLOSES_BY_COMM || t->growing || t->permuted) return kind != CLOSES_NOTHING;
  uint32_t number = channel_of(t, slot, trans), part = f->shape->trans[trans].receives ? CHAN_TAIL : CHAN_HEAD;
  return !number || channel_users(t, number, part) >> slot;
}

/* A rendezvous is called by its sender: receivers have a part of it. */
static void note_partners(struct model_thrift *t) {
  const struct program *p = t->common.p;
  if (!p->uses_rendezvous || !t->loops_matter) return;
  for (uint32_t slot = 0; slot < t->processes; slot++) {
    const struct ir_state *s = &p->states.at[p->procs.at[t->last[slot]->type].state + t->control[slot]];
    for (uint32_t i = s->trans; i < s->trans + s->transitions; i++)
      if (t->loops.kind[i] && meets(t, slot, i) && closes(t, slot, i)) t->closing |= (uint64_t)1 << slot;
  }
}

/* Who has steps, and of what kind. -1: memory. */
static int look_at(struct model_thrift *t, size_t first) {
  const struct footprints *f = &t->common;
  const struct model_batch *b = t->batch;
  uint32_t transitions = (uint32_t)f->p->trans.count;
  t->known = t->closing = t->seen = t->helpful = t->moving = 0;
  memset(t->steps, 0, t->processes * sizeof *t->steps);
  if (t->kept.count > KEPT_MOST) forget(t);
  for (uint32_t slot = 0; slot < t->processes; slot++) {
    if (!footprint_of(t, slot)) return -1;
    t->control[slot] = (uint32_t)t->m->run.cell[shape_slot(f->shape, slot) + SLOT_PC];
  }
  if (companies_meet(&t->companies, t->last, t->control, t->processes)) return -1;
  t->growing = t->companies.now->by_bit[TOUCH_RUN] != 0;
  for (size_t i = first; i < b->count; i++) {
    uint32_t slot = b->group[i] / transitions, trans = b->group[i] % transitions;
    if (!t->steps[slot]++) t->first[slot] = i;
    t->moving |= (uint64_t)1 << slot;
    if (t->loops_matter && closes(t, slot, trans)) t->closing |= (uint64_t)1 << slot;
  }
  note_partners(t);
  if (!t->loops_matter) return 0;
  for (uint32_t slot = 0; slot < t->processes; slot++) {
    size_t at = (size_t)t->control[slot] * f->words;
    if (!footprint_meets(t->aim, t->last[slot]->ever + at, f->words)) continue;
    t->helpful |= (uint64_t)1 << slot;
    if (t->conditions && (t->steps[slot] || f->p->uses_rendezvous) && footprint_meets(t->aim, t->last[slot]->now + at, f->words)) t->seen |= (uint64_t)1 << slot;
  }
  return 0;
}

/* The least closed set with these processes. */
static uint64_t closed(struct model_thrift *t, uint64_t set) {
  for (uint64_t waiting = set; waiting && t->moving & ~set;) {
    uint32_t one = (uint32_t)__builtin_ctzll(waiting);
    uint64_t more = needs(t, one) & ~set;
    waiting = (waiting & (waiting - 1)) | more;
    set |= more;
  }
  return set;
}

/* The least closed set with this process that will do. 0: there is none but all. */
static uint64_t sufficient(struct model_thrift *t, uint32_t slot) {
  uint64_t set = closed(t, (uint64_t)1 << slot);
  if (!(set & (t->closing | t->seen))) return set;
  return t->runs ? 0 : closed(t, set | t->helpful);
}

int process_thrift_choose(struct model_thrift *t, struct model_cursor *base, const struct model_batch *b, size_t first, uint8_t *keep) {
  struct process_cursor *c = (struct process_cursor *)base;
  uint64_t best = 0;
  size_t least = b->count - first;
  t->m = &c->machine;
  t->batch = b;
  t->processes = c->machine.run.processes;
  if (t->processes > PROCESSES_MOST || t->processes < 2 || c->explore.timeout) return 1;
  uint32_t transitions = (uint32_t)t->common.p->trans.count;
  if (b->group[first] / transitions == b->group[b->count - 1] / transitions) return 1; /* steps of one process, as they come slot by slot */
  if (look_at(t, first)) return -1;
  for (uint32_t slot = t->processes; slot-- > 0 && least > 1;) {
    if (!t->steps[slot] || t->steps[slot] >= least) continue;
    uint64_t set = sufficient(t, slot);
    size_t steps = 0;
    for (uint64_t left = set; left; left &= left - 1) steps += t->steps[__builtin_ctzll(left)];
    if (!set || steps >= least) continue;
    least = steps;
    best = set;
  }
  if (!best) return 1;
  for (size_t i = first; i < b->count; i++) keep[i - first] = best >> (b->group[i] / transitions) & 1;
  return 0;
}
