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
 * After a rendezvous inside an atomic sequence the receiver goes on, and may come back to the sender at a place where it was not when the step began.  Programs in which a receive
 * does not end the step (`relays`) get the footprint of all that is to come wherever there is a communication. */
#include "process/footprint_touch.h"

#include <string.h>

enum { CELLS_MOST = 512 }; /* beyond so many declarations are the units, not cells */

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
  for (size_t i = 1; i < p->refs.count; i++)
    if (p->refs.at[i].where == IR_REMOTE) f->watched[p->refs.at[i].proc] = 1;
}

static int is_plain_channel(const struct footprints *f, const struct ir_comm *c) {
  const struct ir_node *n = program_at(f->p, c->chan);
  if (n->op != IR_LOAD) return 0;
  const struct ir_lvalue *r = &f->p->refs.at[n->a];
  const struct ir_decl *d = &f->p->decls.at[r->decl];
  if ((r->where != IR_GLOBAL && r->where != IR_LOCAL) || !d->chan || !f->fixed[r->decl]) return 0;
  return f->p->chans.at[d->chan - 1].fields == c->args;
}

/* Can statements go wrong at run time? On the safe side. Endless sequences are for whoever knows loops. */
static int can_fail(const struct footprints *f) {
  const struct program *p = f->p;
  int32_t value;
  for (size_t i = 1; i < p->nodes.count; i++) {
    const struct ir_node *n = &p->nodes.at[i];
    if ((n->op == IR_DIV || n->op == IR_MOD) && (!program_constant(p, n->b, &value) || !value)) return 1;
    if (n->op >= IR_LEN && n->op <= IR_POLL) return 1;
  }
  for (size_t i = 1; i < p->refs.count; i++) {
    const struct ir_lvalue *r = &p->refs.at[i];
    if (r->where == IR_REMOTE || r->where == IR_HEAP) return 1;
    for (uint32_t k = 0; k < r->indices; k++)
      if (!program_constant(p, p->indices.at[r->index + k].expr, &value) || (uint32_t)value >= p->indices.at[r->index + k].bound) return 1;
  }
  for (size_t i = 0; i < p->comms.count; i++)
    if (!is_plain_channel(f, &p->comms.at[i])) return 1;
  for (size_t i = 0; i < p->trans.count; i++)
    if (p->trans.at[i].flow == IR_DSTEP) return 1;
  return 0;
}

/* What processes of each type may ever use: all of their transitions, and those of the processes that they make. */
static int find_types(struct footprints *f) {
  const struct program *p = f->p;
  uint64_t *own = mem_alloc(f->mem, MEM_SEARCH, 2 * (size_t)f->words * sizeof *own);
  if (!own) return -1;
  for (uint32_t i = 0; i < p->trans.count; i++) {
    struct footprint_walk w = {.f = f, .used = own, .against = own + f->words, .whole = 1};
    memset(own, 0, 2 * (size_t)f->words * sizeof *own);
    footprint_transition(&w, i);
    uint64_t *type = f->of_type + (size_t)p->trans.at[i].proc * f->words;
    for (uint32_t k = 0; k < f->words; k++) type[k] |= own[k];
    f->heavy[i] = (uint8_t)(footprint_has(own, TOUCH_ALL) || footprint_has(own, TOUCH_RUN));
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
  if (p->uses_last || p->uses_np || p->uses_priority || p->uses_c || p->uses_heap || p->uses_committed || p->has_trace || p->unbounded_channels) return 1;
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
  f->vars = f->insides + 2 * (uint32_t)p->procs.count;
  f->chans = f->vars + 2 * f->cells;
  f->words = (f->chans + CHAN_BITS * f->channels + 63) / 64;
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    f->relays |= p->uses_rendezvous && t->comm && p->comms.at[t->comm - 1].flags & IR_RECEIVE && t->flow != IR_STOP;
  }
  f->fixed = mem_alloc(mem, MEM_SEARCH, p->decls.count + 1);
  f->watched = mem_alloc(mem, MEM_SEARCH, p->procs.count + 1);
  f->heavy = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  f->of_type = mem_alloc(mem, MEM_SEARCH, (p->procs.count + 1) * f->words * sizeof *f->of_type);
  if (!f->fixed || !f->watched || !f->heavy || !f->of_type) {
    footprints_close(f);
    return -1;
  }
  find_fixed(f);
  find_watched(f);
  f->fails = can_fail(f);
  if (find_types(f) == 0 && list_fixed(f) == 0) return 0;
  footprints_close(f);
  return -1;
}

void footprints_close(struct footprints *f) {
  if (!f->mem) return;
  mem_free(f->mem, f->fixed);
  mem_free(f->mem, f->watched);
  mem_free(f->mem, f->heavy);
  mem_free(f->mem, f->of_type);
  mem_free(f->mem, f->fixed_first);
  mem_free(f->mem, f->fixed_cell);
  *f = (struct footprints){0};
}

void footprint_condition(const struct footprints *f, ir_expr e, uint64_t *used, uint64_t *against) {
  struct footprint_walk w = {.f = f, .used = used, .against = against, .whole = 1};
  footprint_expr(&w, e, 0);
}

/* ---- a process ------------------------------------------------------------------------------------------------------------ */

/* Is there a transition from here that is taken only if another one is impossible? */
static int looks_around(const struct footprints *f, const struct ir_state *s) {
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++)
    if (f->p->trans.at[i].flags & IR_ELSE || f->p->trans.at[i].escape || f->p->trans.at[i].choice) return 1;
  return 0;
}

/* The communication of a transition, if its footprint is left to the moment of choice. */
static const struct ir_comm *left_open(const struct footprints *f, const struct ir_trans *t, int around) {
  if (!t->comm || around || f->relays || f->p->lossy_channels) return NULL;
  const struct ir_comm *c = &f->p->comms.at[t->comm - 1];
  return c->flags & (IR_SORTED | IR_RANDOM | IR_PEEK) || !footprint_settled(f, c->chan, 1, 0) ? NULL : c;
}

/* The guard of a transition, if it is about the process alone; 0: it is not, or has none. */
static ir_expr own_guard(const struct footprints *f, const struct ir_trans *t) { return t->guard && !f->relays && footprint_settled(f, t->guard, 1, 0) ? t->guard : 0; }

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

struct sets { /* per control state */
  uint64_t *used, *against;
};

/* What one transition from each state touches, as the first of a step and inside of one. */
static int touch_states(struct footprint *one, const struct footprints *f, struct machine *m, struct sets first, struct sets inner) {
  const struct ir_proc *proc = &f->p->procs.at[one->type];
  for (uint32_t s = 0; s < proc->states; s++) {
    const struct ir_state *q = &f->p->states.at[proc->state + s];
    int around = looks_around(f, q);
    size_t at = (size_t)s * f->words;
    one->comm_first[s] = (uint32_t)one->comms.count;
    one->guarded_first[s] = (uint32_t)one->guarded.count;
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
      const struct ir_comm *open = left_open(f, &f->p->trans.at[i], around);
      ir_expr guard = own_guard(f, &f->p->trans.at[i]);
      struct footprint_walk w = {.f = f, .m = m, .slot = one->slot, .used = first.used + at, .against = first.against + at, .whole = !open};
      if (guard) {
        w.against = one->guarded_sets + one->guarded.count * f->words;
        if (vec_push(&one->guarded, f->mem, MEM_SEARCH, (struct footprint_guarded){guard, w.against})) return -1;
      }
      footprint_transition(&w, i);
      w = (struct footprint_walk){.f = f, .m = m, .slot = one->slot, .used = inner.used + at, .against = inner.against + at, .whole = 1};
      footprint_transition(&w, i);
      if (open && vec_push(&one->comms, f->mem, MEM_SEARCH, (struct footprint_comm){open->chan, guard, open->flags & IR_SEND})) return -1;
    }
  }
  one->comm_first[proc->states] = (uint32_t)one->comms.count;
  one->guarded_first[proc->states] = (uint32_t)one->guarded.count;
  return 0;
}

static int communicates(const struct footprints *f, const uint64_t *used) {
  for (uint32_t bit = f->chans; bit < f->chans + CHAN_BITS * f->channels; bit++)
    if (footprint_has(used, bit)) return 1;
  return 0;
}

/* Where a receive on what may be a rendezvous is to come, every step counts: whether somebody is ready to receive is told by where processes stand. */
static void get_ready(const struct footprints *f, uint64_t *ever, uint64_t *now, uint64_t *against) {
  if (!f->p->uses_rendezvous) return;
  for (uint32_t number = 1; number <= f->channels; number++) {
    if (!footprint_has(ever, footprint_chan(f, number, CHAN_HEAD))) continue;
    if (number <= f->p->global_chans && f->p->chans.at[f->shape->chan[number - 1].chan].capacity) continue;
    footprint_bit(ever, footprint_chan(f, number, CHAN_READY));
    footprint_bit(now, footprint_chan(f, number, CHAN_READY));
    footprint_bit(against, footprint_chan(f, number, CHAN_ASKS));
  }
}

/* From transitions to steps, and to all that follows. inner: scratch from here on. */
static void join_states(struct footprint *one, const struct footprints *f, struct sets inner) {
  const struct ir_proc *proc = &f->p->procs.at[one->type];
  size_t all = (size_t)proc->states * f->words;
  flow_back(f, one->type, inner.used, 1);
  flow_back(f, one->type, inner.against, 1);
  for (uint32_t s = 0; s < proc->states; s++) {
    const struct ir_state *q = &f->p->states.at[proc->state + s];
    size_t at = (size_t)s * f->words;
    uint32_t guarded = one->guarded_first[s];
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
      const struct ir_trans *t = &f->p->trans.at[i];
      uint64_t *against = own_guard(f, t) ? one->guarded.at[guarded++].against : one->against + at;
      if (t->flow != IR_STOP && !(t->flags & IR_END)) {
        add(one->now + at, inner.used + (size_t)t->to * f->words, f->words);
        add(against, inner.against + (size_t)t->to * f->words, f->words);
      }
      for (uint32_t a = t->action; a < t->action + t->actions; a++)
        if (f->p->actions.at[a].kind == IR_RUN) add(one->ever + at, f->of_type + (size_t)f->p->actions.at[a].proc * f->words, f->words);
    }
    add(one->ever + at, one->now + at, f->words);
  }
  flow_back(f, one->type, one->ever, 0);
  for (size_t at = 0; at < all; at += f->words) get_ready(f, one->ever + at, one->now + at, one->against + at);
  if (!f->relays) return;
  memcpy(inner.against, one->against, all * sizeof *inner.against);
  flow_back(f, one->type, inner.against, 0);
  for (uint32_t s = 0; s < proc->states; s++) {
    size_t at = (size_t)s * f->words;
    if (!communicates(f, one->now + at)) continue;
    add(one->now + at, one->ever + at, f->words);
    add(one->against + at, inner.against + at, f->words);
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

static size_t own_guards(const struct footprints *f, uint32_t type) {
  const struct ir_proc *proc = &f->p->procs.at[type];
  size_t count = 0;
  for (uint32_t s = proc->state; s < proc->state + proc->states; s++)
    for (uint32_t i = f->p->states.at[s].trans; i < f->p->states.at[s].trans + f->p->states.at[s].transitions; i++) count += own_guard(f, &f->p->trans.at[i]) != 0;
  return count;
}

int footprint_open(struct footprint *one, const struct footprints *f, struct machine *m, uint32_t slot) {
  uint32_t type = (uint32_t)m->run.cell[shape_slot(f->shape, slot) + SLOT_TYPE] - 1, states = f->p->procs.at[type].states;
  size_t all = (size_t)states * f->words + 1;
  *one = (struct footprint){.type = type, .slot = slot, .first_chan = m->slot_chan[slot]};
  uint64_t **set[] = {&one->now, &one->against, &one->ever};
  struct sets inner = {mem_alloc(f->mem, MEM_SEARCH, all * sizeof(uint64_t)), mem_alloc(f->mem, MEM_SEARCH, all * sizeof(uint64_t))};
  int good = inner.used && inner.against;
  for (size_t i = 0; i < 3; i++) good &= (*set[i] = mem_alloc(f->mem, MEM_SEARCH, all * sizeof **set[i])) != NULL;
  one->comm_first = mem_alloc(f->mem, MEM_SEARCH, ((size_t)states + 1) * sizeof *one->comm_first);
  one->guarded_first = mem_alloc(f->mem, MEM_SEARCH, ((size_t)states + 1) * sizeof *one->guarded_first);
  one->guarded_sets = mem_alloc(f->mem, MEM_SEARCH, ((size_t)own_guards(f, type) * f->words + 1) * sizeof *one->guarded_sets);
  one->fixed = mem_alloc(f->mem, MEM_SEARCH, ((size_t)f->fixed_first[type + 1] - f->fixed_first[type] + 1) * sizeof *one->fixed);
  good = good && one->comm_first && one->guarded_first && one->guarded_sets && one->fixed && !touch_states(one, f, m, (struct sets){one->now, one->against}, inner);
  if (good) {
    join_states(one, f, inner);
    for (uint32_t k = f->fixed_first[type]; k < f->fixed_first[type + 1]; k++)
      one->fixed[k - f->fixed_first[type]] = m->run.cell[shape_scope(f->shape, type + 1, slot) + f->fixed_cell[k]];
  }
  mem_free(f->mem, inner.used);
  mem_free(f->mem, inner.against);
  if (good) return 0;
  footprint_close(one, f);
  return -1;
}

void footprint_close(struct footprint *one, const struct footprints *f) {
  mem_free(f->mem, one->now);
  mem_free(f->mem, one->against);
  mem_free(f->mem, one->ever);
  mem_free(f->mem, one->fixed);
  mem_free(f->mem, one->comm_first);
  mem_free(f->mem, one->guarded_first);
  mem_free(f->mem, one->guarded_sets);
  vec_free(&one->comms, f->mem);
  vec_free(&one->guarded, f->mem);
}
