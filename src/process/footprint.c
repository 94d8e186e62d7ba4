/* footprint.c -- see footprint.h.
 *
 * A step is a chain of transitions (explore.h).  What it may touch is found by letting sets flow backwards along the transitions that do not end a step, until nothing changes; what a process may
 * ever touch, along all of them, together with all that the processes may touch which it makes.
 *
 * That a communication is impossible is seen by some: by an `else` beside it, by alternatives of lower rank (unless, the entries of a d_step), and inside an atomic sequence, which stops there.  Such communications
 * depend on the whole channel.  Others are told apart by how full the channel is when the choice is made (dependence.c); their bits are not in `against`.
 *
 * A send that is no rendezvous because nobody is ready to receive is seen in the same way.  Whether somebody is, changes with every step of a process on its way to a receive, or from it.
 *
 * After a rendezvous the receiver goes on, if it is inside an atomic sequence: what it does then is part of its own transition's footprint, and whoever may be the receiver is in every set with the sender.  But if it comes to
 * another rendezvous there, the partner may be the first sender, at a place where it was not when the step began.  Programs in which that can happen (`relays`) get the footprint of all that is to come
 * wherever there is a communication.
 *
 * Objects on the heap (heap.h) have numbers that say where they lie.  These change with what others do, but for all who point to an object alike, and programs can only tell whether two pointers are the same; so in both orders
 * of two steps that touch different objects the same heap comes out, in its canonical order.  A pointer that nobody writes as long as its process lives leads to the same object all the time: what is touched by it is that
 * one.  What is touched by other pointers may be any.  `new` is not possible when the heap is full; unless it is known that it never is (often.h), it stands against everything. */
#include "process/footprint_touch.h"
#include "process/assured.h"
#include "process/heirs.h"
#include "process/mishap.h"

#include <string.h>

enum { CELLS_MOST = 512 /* beyond so many declarations are the units, not cells */, PARTS_MOST = 16 /* of a guard */, ALIKE_MOST = 2000, OBJECTS = 64 };

/* ---- the program ---------------------------------------------------------------------------------------------------------- */

static void find_fixed(struct footprints *f) {
  const struct program *p = f->p;
  memset(f->fixed, 1, p->decls.count);
  for (size_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i].ref) f->fixed[p->refs.at[p->actions.at[i].ref].decl] = 0;
  for (size_t i = 0; i < p->args.count; i++)
    if (p->args.at[i].kind == IR_ARG_BIND && p->args.at[i].what) f->fixed[p->refs.at[p->args.at[i].what].decl] = 0;
  for (size_t i = 1; i < p->decls.count; i++)
    if (p->decls.at[i].flags & IR_HIDDEN) f->fixed[i] = 0;
}

/* The cells of each scope that stay as they are. */
static int list_fixed(struct footprints *f) {
  const struct program *p = f->p;
  size_t cells = 0;
  for (size_t i = 0; i < p->procs.count; i++) cells += p->procs.at[i].cells;
  f->fixed_first = mem_alloc(f->mem, MEM_SEARCH, (p->procs.count + 1) * sizeof *f->fixed_first);
  f->fixed_cell = mem_alloc(f->mem, MEM_SEARCH, (cells + 1) * sizeof *f->fixed_cell);
  if (!f->fixed_first || !f->fixed_cell) return -1;
  uint32_t count = 0;
  for (uint32_t type = 0; type < p->procs.count; type++) {
    f->fixed_first[type] = count;
    for (size_t i = 1; i < p->decls.count; i++)
      for (uint32_t k = 0; k < p->decls.at[i].cells && p->decls.at[i].scope == type + 1 && f->fixed[i]; k++) f->fixed_cell[count++] = p->decls.at[i].base + k;
  }
  f->fixed_first[p->procs.count] = count;
  return 0;
}

static void find_watched(struct footprints *f) {
  const struct program *p = f->p;
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op == IR_AT) f->watched[p->nodes.at[i].b] = 1;
}

/* Variables of processes that others look at. Returns how many. */
static uint32_t number_remotes(struct footprints *f) {
  const struct program *p = f->p;
  uint32_t count = 0;
  for (size_t i = 1; i < p->refs.count; i++)
    if (p->refs.at[i].where == IR_REMOTE && !f->remote[p->refs.at[i].decl]) f->remote[p->refs.at[i].decl] = ++count;
  return count;
}

/* May it be a rendezvous? */
static int may_meet(const struct footprints *f, const struct ir_comm *c) {
  const struct program *p = f->p;
  const struct ir_node *n = program_at(p, c->chan);
  if (!p->uses_rendezvous) return 0;
  if (n->op != IR_LOAD) return 1;
  const struct ir_lvalue *r = &p->refs.at[n->a];
  const struct ir_decl *d = &p->decls.at[r->decl];
  return (r->where != IR_GLOBAL && r->where != IR_LOCAL) || !d->chan || !f->fixed[r->decl] || !p->chans.at[d->chan - 1].capacity;
}

/* Is there a receive that does not end the step, and after it in the same step another rendezvous, perhaps with the one who sent first? */
static void find_relays(struct footprints *f) {
  const struct program *p = f->p;
  for (size_t i = 0; i < p->trans.count; i++) { /* inside marks: such a receive leads here in the same step */
    const struct ir_trans *t = &p->trans.at[i];
    if (t->flow != IR_STOP && !(t->flags & IR_END)) f->inner[p->procs.at[t->proc].state + t->to] = 1;
    if (t->comm && p->comms.at[t->comm - 1].flags & IR_RECEIVE && t->flow != IR_STOP && may_meet(f, &p->comms.at[t->comm - 1])) f->inside[p->procs.at[t->proc].state + t->to] = 1;
  }
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < p->trans.count; i++) {
      const struct ir_trans *t = &p->trans.at[i];
      uint32_t first = p->procs.at[t->proc].state;
      if (!f->inside[first + t->from] || t->flags & IR_END) continue;
      f->relays |= t->comm && may_meet(f, &p->comms.at[t->comm - 1]);
      if (t->flow == IR_STOP || f->inside[first + t->to]) continue;
      changed = f->inside[first + t->to] = 1;
    }
  }
}

/* Is there a transition from here that is taken only if another one is impossible? */
static int looks_around(const struct footprints *f, const struct ir_state *s) {
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++)
    if (f->p->trans.at[i].flags & IR_ELSE || f->p->trans.at[i].escape || f->p->trans.at[i].choice) return 1;
  return 0;
}

/* Is the footprint of a transition's communication left to the moment of choice? */
static int left_open(const struct footprints *f, const struct ir_trans *t) {
  if (!t->comm || f->relays || f->p->lossy_channels || f->p->procs.at[t->proc].provided) return 0;
  return !(f->p->comms.at[t->comm - 1].flags & (IR_SORTED | IR_RANDOM | IR_PEEK));
}

int footprint_whole(const struct footprints *f, uint32_t trans) {
  const struct ir_trans *t = &f->p->trans.at[trans];
  uint32_t state = f->p->procs.at[t->proc].state + t->from;
  return !left_open(f, t) || (f->inner[state] && !f->assured[trans]) || looks_around(f, &f->p->states.at[state]);
}

/* What processes of each type may ever use: all of their transitions, and those of the processes that they make. */
static int find_types(struct footprints *f) {
  const struct program *p = f->p;
  uint64_t *own = mem_alloc(f->mem, MEM_SEARCH, 2 * (size_t)f->words * sizeof *own);
  if (!own) return -1;
  for (uint32_t i = 0; i < p->trans.count; i++) {
    struct footprint_walk w = {.f = f, .used = own, .against = own + f->words, .whole = p->trans.at[i].comm && footprint_whole(f, i)};
    memset(own, 0, 2 * (size_t)f->words * sizeof *own);
    footprint_transition(&w, i);
    for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++)
      if (p->actions.at[a].kind == IR_RUN) footprint_heirs(&w, &p->actions.at[a]);
    uint64_t *type = f->of_type + (size_t)p->trans.at[i].proc * f->words;
    for (uint32_t k = 0; k < f->words; k++) type[k] |= own[k];
    f->heavy[i] = (uint8_t)(footprint_has(own, TOUCH_ALL) || footprint_has(own, TOUCH_RUN) || p->trans.at[i].comm);
    for (uint32_t bit = f->vars; bit < f->words * 64 && !f->heavy[i]; bit++) f->heavy[i] = (uint8_t)footprint_has(own, bit);
  }
  mem_free(f->mem, own);
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < p->trans.count; i++)
      for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++) {
        if (p->actions.at[a].kind != IR_RUN) continue;
        uint64_t *to = f->of_type + (size_t)p->trans.at[i].proc * f->words, *from = f->of_type + (size_t)p->actions.at[a].proc * f->words;
        for (uint32_t k = 0; k < f->words; k++) {
          changed |= (from[k] & ~to[k]) != 0;
          to[k] |= from[k];
        }
      }
  }
  return 0;
}

static int speaks_of_all(const struct program *p) {
  if (p->uses_last || p->uses_np || p->uses_priority || p->uses_c || p->uses_committed || p->has_trace || p->unbounded_channels) return 1;
  for (size_t i = 0; i < p->chan_fields.count; i++)
    if (p->types.at[p->chan_fields.at[i]].kind == IR_POINTER) return 1; /* sorted by numbers of objects, which are told by all of the state */
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op == IR_ENABLED || p->nodes.at[i].op == IR_PC_VALUE) return 1;
  return 0;
}

int footprints_open(struct footprints *f, const struct shape *shape, struct mem *mem) {
  const struct program *p = shape->program;
  *f = (struct footprints){.p = p, .shape = shape, .mem = mem};
  if (speaks_of_all(p)) return 1;
  f->by_cell = p->global_cells <= CELLS_MOST;
  f->cells = f->by_cell ? p->global_cells : (uint32_t)p->decls.count;
  f->channels = p->global_chans;
  for (size_t i = 0; i < p->procs.count; i++)
    if (p->procs.at[i].chans) f->channels = MACHINE_CHANS;
  if (f->channels > MACHINE_CHANS) return 1;
  f->insides = TOUCH_FIRST;
  f->remotes = f->insides + 2 * (uint32_t)p->procs.count;
  f->remote = mem_alloc(mem, MEM_SEARCH, (p->decls.count + 1) * sizeof *f->remote);
  if (!f->remote) return -1;
  f->vars = f->remotes + 2 * number_remotes(f);
  f->objects = p->uses_heap ? OBJECTS : 0;
  f->chans = f->vars + 2 * (f->cells + f->objects);
  f->words = (f->chans + CHAN_BITS * f->channels + 63) / 64;
  f->fixed = mem_alloc(mem, MEM_SEARCH, p->decls.count + 1);
  f->watched = mem_alloc(mem, MEM_SEARCH, p->procs.count + 1);
  f->assured = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  f->inner = mem_alloc(mem, MEM_SEARCH, p->states.count + 1);
  f->chan_parts = mem_alloc(mem, MEM_SEARCH, p->procs.count + 1);
  f->inside = mem_alloc(mem, MEM_SEARCH, p->states.count + 1);
  f->heavy = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  f->of_type = mem_alloc(mem, MEM_SEARCH, (p->procs.count + 1) * f->words * sizeof *f->of_type);
  if (!f->fixed || !f->watched || !f->chan_parts || !f->inner || !f->assured || !f->inside || !f->heavy || !f->of_type) {
    footprints_close(f);
    return -1;
  }
  find_fixed(f);
  find_watched(f);
  find_relays(f);
  if (assured_find(f) == 0 && heirs_find(f) == 0 && find_types(f) == 0 && list_fixed(f) == 0) return 0;
  footprints_close(f);
  return -1;
}

void footprints_close(struct footprints *f) {
  if (!f->mem) return;
  mem_free(f->mem, f->fixed);
  mem_free(f->mem, f->remote);
  mem_free(f->mem, f->watched);
  mem_free(f->mem, f->chan_parts);
  mem_free(f->mem, f->inside);
  mem_free(f->mem, f->inner);
  mem_free(f->mem, f->assured);
  mem_free(f->mem, f->heavy);
  mem_free(f->mem, f->of_type);
  mem_free(f->mem, f->fixed_first);
  mem_free(f->mem, f->fixed_cell);
  *f = (struct footprints){0};
}

void footprint_condition(const struct footprints *f, ir_expr e, uint64_t *used, uint64_t *against) {
  struct footprint_walk w = {.f = f, .used = used, .against = against, .whole = 1, .asks = 1};
  footprint_expr(&w, e, 0);
}

/* ---- a process ------------------------------------------------------------------------------------------------------------ */

static int add(uint64_t *to, const uint64_t *from, uint32_t words) {
  uint64_t more = 0;
  for (uint32_t k = 0; k < words; k++) {
    more |= from[k] & ~to[k];
    to[k] |= from[k];
  }
  return more != 0;
}

/* Sets flow back along transitions: those inside steps, or all of them. */
static void flow_back(const struct footprints *f, uint32_t type, uint64_t *set, int inside) {
  const struct ir_proc *proc = &f->p->procs.at[type];
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = proc->states; s-- > 0;) {
      const struct ir_state *q = &f->p->states.at[proc->state + s];
      for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
        const struct ir_trans *t = &f->p->trans.at[i];
        if (t->flags & IR_END || (inside && t->flow == IR_STOP)) continue;
        changed |= add(set + (size_t)s * f->words, set + (size_t)t->to * f->words, f->words);
      }
    }
  }
}

/* The parts of a guard, or how many they are (out = NULL). One that may go wrong is not taken apart: which of its parts are evaluated depends on the others. */
static uint32_t take_apart(const struct footprints *f, struct machine *m, uint32_t slot, ir_expr guard, struct footprint_part *out) {
  ir_expr waiting[PARTS_MOST];
  uint32_t count = 0, open = 0;
  if (!guard) return 0;
  waiting[open++] = guard;
  int whole = mishap_expr(f, m, slot, guard);
  while (open) {
    ir_expr e = waiting[--open];
    const struct ir_node *n = program_at(f->p, e);
    if (n->op == IR_AND && !whole && open + count + 2 <= PARTS_MOST) {
      waiting[open++] = n->b;
      waiting[open++] = n->a;
    } else {
      if (out) out[count].test = e;
      count++;
    }
  }
  return count;
}

/* A communication that is possible anyhow: those who use the same end, and those who look at the channel, are in its way. */
static void against_readers(const struct footprints *f, struct machine *m, uint32_t slot, const struct ir_comm *c, uint64_t *against) {
  int32_t number = footprint_settled(f, c->chan, 0, 0) ? footprint_value(m, slot, c->chan) : 0;
  for (uint32_t k = 1; k <= f->channels; k++) {
    if (number && (int32_t)k != number) continue;
    footprint_bit(against, footprint_chan(f, k, CHAN_WHOLE));
    footprint_bit(against, footprint_chan(f, k, c->flags & IR_SEND ? CHAN_TAIL : CHAN_HEAD));
  }
}

/* What one transition from each state touches: as the first of a step, and inside of one (per state). scratch: a set that is of no use. */
static void touch_states(struct footprint *one, const struct footprints *f, struct machine *m, uint64_t *inner_used, uint64_t *inner_against, uint64_t *scratch) {
  const struct ir_proc *proc = &f->p->procs.at[one->type];
  uint32_t parts = 0;
  uint64_t *next = one->sets;
  for (uint32_t s = 0; s < proc->states; s++) {
    const struct ir_state *q = &f->p->states.at[proc->state + s];
    int around = looks_around(f, q);
    size_t at = (size_t)s * f->words;
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
      const struct ir_trans *t = &f->p->trans.at[i];
      struct footprint_trans *ft = &one->trans[i - one->first];
      *ft = (struct footprint_trans){.against = next, .channel = next + f->words, .part = parts, .number = -1, .open = (uint8_t)left_open(f, t), .coarse = (uint8_t)(f->relays || proc->provided)};
      next += 2 * (size_t)f->words;
      struct footprint_walk w = {.f = f, .m = m, .slot = one->slot, .used = one->now + at, .against = ft->against, .whole = !ft->open, .ends = !proc->provided && !f->relays};
      footprint_transition(&w, i);
      if (around) { /* that it is impossible is seen, but not by others */
        w = (struct footprint_walk){.f = f, .m = m, .slot = one->slot, .used = one->now + at, .against = scratch, .whole = 1};
        footprint_transition(&w, i);
      }
      w = (struct footprint_walk){.f = f, .m = m, .slot = one->slot, .used = inner_used + at, .against = inner_against + at, .whole = !f->assured[i]};
      footprint_transition(&w, i);
      if (f->assured[i]) against_readers(f, m, one->slot, &f->p->comms.at[t->comm - 1], inner_against + at);
      if (t->comm) {
        const struct ir_comm *c = &f->p->comms.at[t->comm - 1];
        ft->sends = (c->flags & IR_SEND) != 0;
        if (footprint_settled(f, c->chan, 0, 0)) ft->number = footprint_value(m, one->slot, c->chan);
        w = (struct footprint_walk){.f = f, .m = m, .slot = one->slot, .used = scratch, .against = ft->channel, .whole = 1};
        footprint_expr(&w, c->chan, 0);
        if (mishap_expr(f, m, one->slot, t->guard) || mishap_expr(f, m, one->slot, c->chan)) footprint_expr(&w, t->guard, 0);
      }
      ft->parts = take_apart(f, m, one->slot, t->guard, one->parts + parts);
      ft->contains = !t->comm;
      for (uint32_t k = parts; k < parts + ft->parts; k++) {
        one->parts[k].against = next;
        next += f->words;
        w = (struct footprint_walk){.f = f, .m = m, .slot = one->slot, .used = scratch, .against = one->parts[k].against, .whole = 1};
        footprint_wait(&w, one->parts[k].test);
        for (uint32_t word = 0; word < f->words; word++) ft->contains &= !(one->parts[k].against[word] & ~ft->against[word]);
      }
      parts += ft->parts;
    }
  }
}

static int communicates(const struct footprints *f, const uint64_t *used) {
  for (uint32_t bit = f->chans; bit < f->chans + CHAN_BITS * f->channels; bit++)
    if (footprint_has(used, bit)) return 1;
  return 0;
}

/* Where a receive on what may be a rendezvous is to come, every step counts: whether somebody is ready to receive is told by where processes stand. */
static void get_ready(struct footprint *one, const struct footprints *f, uint32_t state) {
  const struct ir_state *q = &f->p->states.at[f->p->procs.at[one->type].state + state];
  uint64_t *now = one->now + (size_t)state * f->words, *ever = one->ever + (size_t)state * f->words;
  if (!f->p->uses_rendezvous) return;
  for (uint32_t number = 1; number <= f->channels; number++) {
    if (!footprint_has(ever, footprint_chan(f, number, CHAN_HEAD))) continue;
    if (number <= f->p->global_chans && f->p->chans.at[f->shape->chan[number - 1].chan].capacity) continue;
    footprint_bit(ever, footprint_chan(f, number, CHAN_READY));
    footprint_bit(now, footprint_chan(f, number, CHAN_READY));
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) footprint_bit(one->trans[i - one->first].against, footprint_chan(f, number, CHAN_ASKS));
  }
}

/* Programs with relays: where a process may communicate, its step may go on anywhere. */
static void relay(struct footprint *one, const struct footprints *f, uint64_t *later) {
  const struct ir_proc *proc = &f->p->procs.at[one->type];
  memset(later, 0, (size_t)proc->states * f->words * sizeof *later);
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t s = 0; s < proc->states; s++) {
      const struct ir_state *q = &f->p->states.at[proc->state + s];
      size_t at = (size_t)s * f->words;
      if (turn && !communicates(f, one->now + at)) continue;
      for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
        uint64_t *against = one->trans[i - one->first].against;
        if (turn) add(against, later + at, f->words);
        else add(later + at, against, f->words);
      }
      if (turn) add(one->now + at, one->ever + at, f->words);
    }
    if (!turn) flow_back(f, one->type, later, 0);
  }
}

/* From transitions to steps, and to all that follows. The inner sets are scratch from here on. */
static void join_states(struct footprint *one, const struct footprints *f, struct machine *m, uint64_t *inner_used, uint64_t *inner_against) {
  const struct ir_proc *proc = &f->p->procs.at[one->type];
  flow_back(f, one->type, inner_used, 1);
  flow_back(f, one->type, inner_against, 1);
  for (uint32_t s = 0; s < proc->states; s++) {
    const struct ir_state *q = &f->p->states.at[proc->state + s];
    size_t at = (size_t)s * f->words;
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
      const struct ir_trans *t = &f->p->trans.at[i];
      if (t->flow != IR_STOP && !(t->flags & IR_END)) {
        add(one->now + at, inner_used + (size_t)t->to * f->words, f->words);
        add(one->trans[i - one->first].against, inner_against + (size_t)t->to * f->words, f->words);
      }
      for (uint32_t a = t->action; a < t->action + t->actions; a++)
        if (f->p->actions.at[a].kind == IR_RUN) {
          struct footprint_walk w = {.f = f, .m = m, .slot = one->slot, .used = one->ever + at};
          add(one->ever + at, f->of_type + (size_t)f->p->actions.at[a].proc * f->words, f->words);
          footprint_heirs(&w, &f->p->actions.at[a]);
        }
    }
    add(one->ever + at, one->now + at, f->words);
  }
  flow_back(f, one->type, one->ever, 0);
  for (uint32_t s = 0; s < proc->states; s++) get_ready(one, f, s);
  if (f->relays) relay(one, f, inner_against);
}

static void find_alike(struct footprint *one, const struct footprints *f, uint32_t states) {
  for (uint32_t s = 0; s < states; s++) {
    uint32_t first = s < ALIKE_MOST ? 0 : s; /* beyond so many it would take too long to look */
    while (first < s && memcmp(one->ever + (size_t)first * f->words, one->ever + (size_t)s * f->words, f->words * sizeof *one->ever)) first++;
    one->alike[s] = first;
  }
}

int footprint_fits(const struct footprint *one, const struct footprints *f, const struct machine *m, uint32_t slot) {
  uint32_t count = 0;
  if (m->run.cell[shape_slot(f->shape, slot) + SLOT_TYPE] != (int32_t)one->type + 1 || one->slot != slot || one->first_chan != m->slot_chan[slot]) return 0;
  const int32_t *cell = m->run.cell + shape_scope(f->shape, one->type + 1, slot);
  for (uint32_t k = f->fixed_first[one->type]; k < f->fixed_first[one->type + 1]; k++)
    if (one->fixed[count++] != cell[f->fixed_cell[k]]) return 0;
  return 1;
}

int footprint_open(struct footprint *one, const struct footprints *f, struct machine *m, uint32_t slot) {
  uint32_t type = (uint32_t)m->run.cell[shape_slot(f->shape, slot) + SLOT_TYPE] - 1, states = f->p->procs.at[type].states;
  size_t all = (size_t)states * f->words, transitions = 0, parts = 0;
  *one = (struct footprint){.type = type, .slot = slot, .first_chan = m->slot_chan[slot], .first = states ? f->p->states.at[f->p->procs.at[type].state].trans : 0};
  for (uint32_t s = 0; s < states; s++) transitions += f->p->states.at[f->p->procs.at[type].state + s].transitions;
  for (size_t i = one->first; i < one->first + transitions; i++) parts += take_apart(f, m, slot, f->p->trans.at[i].guard, NULL);
  uint64_t *inner = mem_alloc(f->mem, MEM_SEARCH, (2 * all + f->words) * sizeof *inner);
  one->now = mem_alloc(f->mem, MEM_SEARCH, (2 * all + 1) * sizeof *one->now);
  one->ever = one->now ? one->now + all : NULL;
  one->sets = mem_alloc(f->mem, MEM_SEARCH, ((2 * transitions + parts) * f->words + 1) * sizeof *one->sets);
  one->trans = mem_alloc(f->mem, MEM_SEARCH, (transitions + 1) * sizeof *one->trans);
  one->parts = mem_alloc(f->mem, MEM_SEARCH, (parts + 1) * sizeof *one->parts);
  one->set_count = (uint32_t)(2 * transitions + parts);
  one->alike = mem_alloc(f->mem, MEM_SEARCH, ((size_t)states + 1) * sizeof *one->alike);
  one->fixed = mem_alloc(f->mem, MEM_SEARCH, ((size_t)f->fixed_first[type + 1] - f->fixed_first[type] + 1) * sizeof *one->fixed);
  int good = inner && one->now && one->sets && one->trans && one->parts && one->alike && one->fixed;
  if (good) {
    touch_states(one, f, m, inner, inner + all, inner + 2 * all);
    join_states(one, f, m, inner, inner + all);
    find_alike(one, f, states);
    for (uint32_t k = f->fixed_first[type]; k < f->fixed_first[type + 1]; k++)
      one->fixed[k - f->fixed_first[type]] = m->run.cell[shape_scope(f->shape, type + 1, slot) + f->fixed_cell[k]];
  }
  mem_free(f->mem, inner);
  if (good) return 0;
  footprint_close(one, f);
  return -1;
}

void footprint_close(struct footprint *one, const struct footprints *f) {
  mem_free(f->mem, one->now);
  mem_free(f->mem, one->sets);
  mem_free(f->mem, one->trans);
  mem_free(f->mem, one->parts);
  mem_free(f->mem, one->alike);
  mem_free(f->mem, one->fixed);
}
