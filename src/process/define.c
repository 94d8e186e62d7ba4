/* define.c -- what a program means, written down once more: slowly, plainly, and for no other purpose than to be compared.
 *
 * The engine (explore.c, interpreter.c, runtime.h, packing.c) runs on one image with a log, undoes, packs, and may run generated
 * code.  Nothing of that is used here.  A world is a row of plain numbers, one per variable of the model: the cells of the image
 * as machine.h describes it.  A world is copied for every attempt, and a failed attempt is thrown away.
 *
 *   alternatives   everything that one process can do in a world, in order: a list of worlds one transition later (two, where
 *                  a rendezvous takes place), each with the process that has to go on, if any
 *   define_edge    a stack of such half-finished steps.  The topmost is taken: a d_step is run to its end; an atomic sequence
 *                  is replaced by its alternatives; what is finished is the next successor.  Since alternatives are pushed in
 *                  reverse, successors come in the order of program.h.
 *
 * No recursion depends on how long a step is.  Expressions are trees whose depth the parser bounds.
 *
 * An atomic sequence that never ends ends nevertheless.  As long as there is nothing to choose: where its length is no power of two, at
 * least ENDLESS, and the world is what it was at the last power of two (the engine tells a fault there).  With choices: once a step
 * has met MANY of them, a choice that is met again is not entered again.  Those are kept in a plain list: where it gets longer than
 * REMEMBERED, the definition gives up.
 *
 * This file decides what is tried and what a step is; define.h names the files that do the rest.  A state may have more processes than
 * the caller's array has room for: then what fits is written. */
#include "process/define.h"

#include <string.h>

enum { ENDLESS = 256, MANY = 10000, REMEMBERED = 20000, DSTEP_LONGEST = 10000000, HALF_STEPS = 20000000 };

/* ---- what a process can do ------------------------------------------------------------------------------------------------ */

static void drop_half(struct definition *d, struct half *h) {
  define_drop(d, &h->world);
  define_drop(d, &h->past);
}

/* What was tried is no step: what went wrong since `kept` belongs to none. */
static void loosen(struct definition *d, size_t kept) {
  for (; d->fault != kept; d->fault = d->faults.at[d->fault - 1].before)
    if (vec_push(&d->loose, d->mem, MEM_OTHER, d->faults.at[d->fault - 1].claim)) d->refused = 1;
}

static void drop_halves(struct definition *d, struct halves *list) {
  for (size_t i = 0; i < list->count; i++) drop_half(d, &list->at[i]);
  vec_free(list, d->mem);
}

/* One more half-step that began like `from`; takes over the world. */
static void add(struct definition *d, struct halves *list, struct world *w, uint32_t slot, const struct ir_trans *t, const struct half *from) {
  struct half h = {.world = *w, .slot = slot, .flow = t->flags & IR_END ? IR_STOP : t->flow, .first = from->first, .chain = from->chain, .begins = from->begins, .fault = d->fault};
  if (from->past.cell && define_copy(d, &from->past, &h.past)) h.past.cell = NULL;
  if (vec_push(list, d->mem, MEM_OTHER, h)) {
    drop_half(d, &h);
    d->refused = 1;
  }
}

/* What earlier transitions of a control state leave for the later ones. */
struct turn {
  uint32_t escape, choice;
  int moved;
};

static int in_turn(const struct turn *turn, const struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->choice && t->choice == turn->choice) return 0;
  if (t->flags & IR_ELSE && turn->moved) return 0;
  return !(t->flags & IR_END) || slot + 1 == w->processes;
}

static int provided(struct definition *d, const struct world *w, uint32_t slot) {
  ir_expr e = d->p->procs.at[type_of(d, w, slot)].provided;
  return !e || define_value(d, w, slot, e);
}

static int may_move(struct definition *d, const struct world *w, uint32_t slot) {
  if (d->committed && !(define_state(d, w, slot)->flags & IR_COMMITTED)) return 0;
  if (!provided(d, w, slot)) return 0;
  for (uint32_t other = 0; d->p->uses_priority && other < w->processes; other++)
    if (define_header(d, w, other, SLOT_PRIORITY) > define_header(d, w, slot, SLOT_PRIORITY) && provided(d, w, other) && define_enabled(d, w, other)) return 0;
  return 1;
}

/* A rendezvous with every process that takes the message on offer. Returns 1 if there was one. */
static int offer(struct definition *d, const struct half *from, uint32_t sender, const struct ir_trans *sent, struct halves *list) {
  const struct world *now = &from->world;
  int met = 0;
  size_t before = d->fault; /* of the sender */
  for (uint32_t other = now->processes; other-- > 0;) {
    if (other == sender) continue;
    d->offered = d->message_chan;
    int may = may_move(d, now, other);
    d->offered = 0;
    loosen(d, before);
    if (!may) continue;
    const struct ir_state *s = define_state(d, now, other);
    struct turn turn = {0};
    for (uint32_t i = s->trans; i < s->trans + s->transitions && !d->refused; i++) {
      const struct ir_trans *t = &d->p->trans.at[i];
      struct world next;
      if (turn.escape && turn.escape != t->escape) break;
      if (!in_turn(&turn, now, other, t) || define_copy(d, now, &next)) continue;
      if (!define_meet(d, &next, sender, sent, other, t)) {
        define_drop(d, &next);
        loosen(d, before);
        continue;
      }
      turn = (struct turn){.escape = t->escape, .choice = t->choice};
      add(d, list, &next, other, t, from);
      d->fault = before;
      met = 1;
    }
  }
  return met;
}

/* Everything that one process can do. `begins`: these are the first transitions of a step. Returns 1 if there was something. */
static int alternatives(struct definition *d, const struct half *from, uint32_t slot, int begins, struct halves *list) {
  const struct world *now = &from->world;
  d->fault = from->fault;
  int may = may_move(d, now, slot);
  loosen(d, from->fault);
  if (!may) return 0;
  const struct ir_state *s = define_state(d, now, slot);
  struct turn turn = {0};
  for (uint32_t i = s->trans; i < s->trans + s->transitions && !d->refused; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    struct half begun = *from;
    struct world next;
    if (turn.escape && turn.escape != t->escape) break;
    if (!in_turn(&turn, now, slot, t) || define_copy(d, now, &next)) continue;
    begun.begins = begins;
    if (begins) begun.first = slot * (uint32_t)d->p->trans.count + i;
    enum attempt said = define_attempt(d, &next, slot, t);
    if (said == DONE) {
      define_arrive(d, &next, slot, t);
      add(d, list, &next, slot, t, &begun);
    } else {
      define_drop(d, &next);
      int met = said == OFFERED && offer(d, &begun, slot, t, list);
      if (met || (said == OFFERED && d->p->receiver_first)) d->fault = from->fault; /* where a message is a matter of the step, nobody computes one that nobody takes */
      if (!met && said == OFFERED && d->p->receiver_first && t->guard) define_value(d, now, slot, t->guard);
      if (!met) loosen(d, from->fault);
      if (!met) continue;
    }
    d->fault = from->fault;
    turn.moved = 1;
    turn.escape = t->escape;
    turn.choice = t->choice;
  }
  return turn.moved;
}

/* Is some transition of the process possible? An offer counts, whether or not somebody takes it. */
int define_enabled(struct definition *d, const struct world *w, int64_t pid) {
  int yes = 0;
  if (d->asking || !alive(w, pid)) return 0;
  d->asking = 1; /* a question inside the question has no answer */
  int64_t *kept = d->message, kept_chan = d->message_chan; /* the one who asks may have a message under way */
  uint32_t kept_fields = d->message_fields;
  d->message = mem_alloc(d->mem, MEM_OTHER, ((size_t)d->s->fields_max + 1) * sizeof *d->message);
  d->refused |= !d->message;
  const struct ir_state *s = define_state(d, w, (uint32_t)pid);
  for (uint32_t i = s->trans; i < s->trans + s->transitions && !yes && !d->refused; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    struct world next;
    if (t->flags & IR_END && pid + 1 != w->processes) continue;
    if (define_copy(d, w, &next)) break;
    yes = define_attempt(d, &next, (uint32_t)pid, t) != DISABLED;
    define_drop(d, &next);
  }
  mem_free(d->mem, d->message);
  d->message = kept;
  d->message_chan = kept_chan;
  d->message_fields = kept_fields;
  d->asking = 0;
  return yes;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------- */

/* Runs a d_step to its end. Returns 0 if it blocks: then there is no step. */
static int finish_dstep(struct definition *d, struct half *h) {
  d->fault = h->fault;
  for (uint32_t steps = 0; steps < DSTEP_LONGEST; steps++) {
    const struct ir_state *s = define_state(d, &h->world, h->slot);
    const struct ir_trans *t = NULL;
    struct world next;
    for (uint32_t i = s->trans; i < s->trans + s->transitions && !t; i++) {
      if (define_copy(d, &h->world, &next)) return 0;
      t = &d->p->trans.at[i];
      if (define_attempt(d, &next, h->slot, t) == DONE) break;
      define_drop(d, &next);
      t = NULL;
    }
    if (!t) break;
    define_arrive(d, &next, h->slot, t);
    define_drop(d, &h->world);
    h->world = next;
    h->flow = t->flow;
    h->fault = d->fault;
    if (h->flow != IR_DSTEP) return 1;
  }
  define_wrong(d, MODEL_RUNTIME);
  loosen(d, 0);
  return 0;
}

static int same_world(const struct definition *d, const struct world *a, const struct world *b) {
  return a->processes == b->processes && memcmp(a->cell, b->cell, cells_of(d, a->processes) * sizeof *a->cell) == 0;
}

/* An atomic sequence goes on: is it where it was before? */
static int comes_back(struct definition *d, struct half *h) {
  h->chain++;
  if (h->chain < ENDLESS) return 0;
  if (h->chain & (h->chain - 1)) return h->past.cell && same_world(d, &h->past, &h->world);
  define_drop(d, &h->past);
  define_copy(d, &h->world, &h->past);
  return 0;
}

/* May there be more than one way on? */
static int is_choice(const struct definition *d, const struct half *h) {
  const struct ir_state *s = define_state(d, &h->world, h->slot);
  return s->transitions != 1 || !d->s->state[s - d->p->states.at].simple;
}

/* A choice inside an atomic sequence: was it met before, after many others? */
static int met_before(struct definition *d, const struct half *h) {
  struct half kept = {.slot = h->slot};
  if (++d->met < MANY) return 0;
  for (size_t i = 0; i < d->seen.count; i++)
    if (d->seen.at[i].slot == h->slot && same_world(d, &d->seen.at[i].world, &h->world)) return 1;
  if (d->seen.count == REMEMBERED) { /* too many for so plain a list */
    d->refused = d->gave_up = 1;
    return 0;
  }
  if (define_copy(d, &h->world, &kept.world)) return 0;
  if (vec_push(&d->seen, d->mem, MEM_OTHER, kept)) {
    drop_half(d, &kept);
    d->refused = 1;
  }
  return 0;
}

static void start(struct definition *d, const struct model *base) {
  const struct process_model *m = process_of(base);
  *d = (struct definition){.p = m->program, .s = &m->shape, .mem = base->mem};
}

static uint32_t slots_of(const struct definition *d, uint32_t vars) { return (vars - d->s->slots) >> d->s->slot_bits; }

void process_define_initial(const struct model *base, int64_t *values) {
  struct definition d;
  start(&d, base);
  memset(values, 0, base->vars * sizeof *values);
  struct world w = {.cell = values, .slots = slots_of(&d, base->vars)};
  define_first(&d, &w); /* the initial state fits the model's variables: nothing grows */
}

/* All steps begin here: the stack has those of the highest slot on top. */
static void begin(struct definition *d, const struct world *now, struct halves *stack) {
  struct half from = {.world = *now};
  int moved = 0;
  for (uint32_t slot = 0; slot < now->processes; slot++) d->committed |= define_state(d, now, slot)->flags & IR_COMMITTED;
  for (d->timeout = 0; d->timeout < 2 && !moved; d->timeout++)
    for (uint32_t slot = now->processes; slot-- > 0;) moved |= alternatives(d, &from, slot, 1, stack);
  d->timeout = 0;
}

/* Turns round what was added to the stack since it had `from`: what came first is on top. */
static void turn_round(struct halves *stack, size_t from) {
  for (size_t i = from, j = stack->count; i + 1 < j; i++) {
    struct half h = stack->at[--j];
    stack->at[j] = stack->at[i];
    stack->at[i] = h;
  }
}

/* A step whose ways all lead back to choices that it had before has no successor, and that is wrong. */
static void end_step(struct definition *d) {
  d->fault = 0;
  if (d->pruned && !d->completed) define_wrong(d, MODEL_RUNTIME);
  loosen(d, 0);
  d->pruned = d->completed = 0;
}

/* Takes the topmost half-step on. Returns 1 and *out when it is a whole one; else it, or what follows it, is on the stack. */
static int go_on(struct definition *d, struct halves *stack, struct half *out) {
  struct half h = stack->at[--stack->count];
  size_t from = stack->count;
  if (h.begins) { /* what other steps have met is of no interest */
    end_step(d);
    d->met = 0;
    drop_halves(d, &d->seen);
  }
  if (h.flow == IR_DSTEP && !finish_dstep(d, &h)) {
    drop_half(d, &h);
    return 0;
  }
  int back = h.flow == IR_ATOMIC && comes_back(d, &h);
  if (back) { /* it would never end */
    d->fault = h.fault;
    define_wrong(d, MODEL_RUNTIME);
    h.fault = d->fault;
  }
  if (h.flow == IR_ATOMIC && !back) {
    int again = 0;
    if (is_choice(d, &h)) {
      again = met_before(d, &h);
      d->pruned |= again;
      if (again) { /* what went wrong on the way here did */
        d->fault = h.fault;
        loosen(d, 0);
      }
      h.chain = 0;
      define_drop(d, &h.past);
    }
    if (again || alternatives(d, &h, h.slot, 0, stack)) {
      drop_half(d, &h);
      turn_round(stack, from);
      return 0;
    }
  }
  d->completed = 1;
  define_tidy_heap(d, &h.world);
  define_forget_hidden(d, &h.world);
  *out = h;
  return 1;
}

static void settle(struct definition *d, const struct model *base, const int64_t *values, struct world *now) {
  *now = (struct world){.cell = (int64_t *)values, .slots = slots_of(d, base->vars)}; /* copied before anything is written */
  while (now->processes < now->slots && slot_cells(d, now, now->processes)[SLOT_TYPE]) now->processes++;
}

/* Tells every step until `hear` does not want more (1). 1: it did not; 0: that was all; -1, MODEL_GIVES_UP. */
static int each_step(struct definition *d, const struct model *base, const int64_t *values, int (*hear)(void *, struct definition *, const struct half *), void *context) {
  struct halves stack = {0};
  struct half h;
  struct world now;
  int enough = 0;
  d->message = mem_alloc(d->mem, MEM_OTHER, ((size_t)d->s->fields_max + 1) * sizeof *d->message);
  if (!d->message) return -1;
  settle(d, base, values, &now);
  begin(d, &now, &stack);
  turn_round(&stack, 0);
  for (uint32_t halves = 0; stack.count && !enough && !d->refused; halves++) {
    if (halves == HALF_STEPS) d->refused = d->gave_up = 1;
    if (!go_on(d, &stack, &h)) continue;
    enough = hear(context, d, &h);
    drop_half(d, &h);
  }
  end_step(d);
  drop_halves(d, &stack);
  drop_halves(d, &d->seen);
  mem_free(d->mem, d->message);
  return d->gave_up ? MODEL_GIVES_UP : d->refused ? -1 : enough;
}

struct wanted { /* the k-th step */
  const struct model *base;
  uint32_t k, *group;
  int64_t *out;
};

static int hear_wanted(void *context, struct definition *d, const struct half *h) {
  struct wanted *w = context;
  if (w->k--) return 0;
  size_t cells = cells_of(d, h->world.slots);
  *w->group = h->first;
  memset(w->out, 0, w->base->vars * sizeof *w->out);
  memcpy(w->out, h->world.cell, (cells < w->base->vars ? cells : w->base->vars) * sizeof *w->out);
  return 1;
}

int process_define_edge(const struct model *base, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *mem) {
  struct definition d;
  struct wanted wanted = {base, k, group, out};
  start(&d, base);
  d.mem = mem;
  return each_step(&d, base, values, hear_wanted, &wanted);
}

struct audience {
  void (*hear)(void *, const struct model_defined *);
  void *context;
};

static int hear_all(void *context, struct definition *d, const struct half *h) {
  const struct audience *a = context;
  struct vec(uint32_t) claims = {0};
  for (size_t f = h->fault; f; f = d->faults.at[f - 1].before)
    if (vec_push(&claims, d->mem, MEM_OTHER, d->faults.at[f - 1].claim)) d->refused = 1;
  a->hear(a->context, &(struct model_defined){h->first, h->world.cell, cells_of(d, h->world.slots), claims.at, claims.count});
  vec_free(&claims, d->mem);
  return 0;
}

int process_define_all(const struct model *base, const int64_t *values, struct mem *mem, void (*hear)(void *, const struct model_defined *), void *context) {
  struct definition d;
  struct audience audience = {hear, context};
  start(&d, base);
  d.mem = mem;
  d.claim_of = process_of(base)->claim_of;
  int status = each_step(&d, base, values, hear_all, &audience);
  if (!status && d.loose.count) hear(context, &(struct model_defined){.claim = d.loose.at, .claims = d.loose.count});
  vec_free(&d.faults, mem);
  vec_free(&d.loose, mem);
  return status;
}

unsigned process_define_labels(const struct model *base, const int64_t *values) {
  struct definition d;
  struct world now;
  unsigned all_end = MODEL_END, any = 0;
  start(&d, base);
  settle(&d, base, values, &now);
  for (uint32_t slot = 0; slot < now.processes; slot++) {
    unsigned flags = define_state(&d, &now, slot)->flags;
    if (!(flags & IR_VALID_END)) all_end = 0;
    any |= (flags & IR_PROGRESS ? MODEL_PROGRESS : 0) | (flags & IR_ACCEPT ? MODEL_ACCEPT : 0);
  }
  if (now.processes && d.p->has_trace && !d.p->trace_negated) { /* the trace must have come to an end as well */
    uint32_t at = (uint32_t)now.cell[IMAGE_EVENT];
    if (!(d.p->states.at[d.p->procs.at[d.p->trace_proc].state + at].flags & IR_VALID_END)) all_end = 0;
  }
  return all_end | any;
}

int process_define_fits(const struct model *base, const int64_t *values, struct mem *mem) {
  struct definition d;
  struct world now;
  start(&d, base);
  d.mem = mem;
  settle(&d, base, values, &now);
  int fits = define_world_fits(&d, &now);
  return d.refused ? -1 : fits;
}

int64_t process_condition_define(const struct model *base, const int64_t *values, uint32_t condition) {
  struct definition d;
  start(&d, base);
  d.mem = base->mem;
  d.message = mem_alloc(d.mem, MEM_OTHER, ((size_t)d.s->fields_max + 1) * sizeof *d.message);
  if (!d.message) return 0;
  struct world now;
  settle(&d, base, values, &now);
  int64_t value = define_value(&d, &now, 0, process_of(base)->condition.at[condition]);
  mem_free(d.mem, d.message);
  return value;
}
