/* machine.c -- the image: where things lie, creating and destroying processes, undoing. */
#include "process/machine.h"

#include "process/embedded.h"
#include "process/heap.h"
#include "process/interpreter.h"

#include <string.h>

/* ---- shape ------------------------------------------------------------------------------------------------------- */

static uint64_t chan_cells(const struct program *p, uint32_t chan) {
  const struct ir_chan *c = &p->chans.at[chan];
  return c->capacity ? 1 + (uint64_t)c->capacity * c->fields : 0;
}

/* Lists the channels of a scope and places their contents after its variables. Returns the cells of the scope. */
static uint64_t place_channels(struct shape *s, uint32_t scope, uint32_t cells) {
  const struct program *p = s->program;
  uint32_t n = s->chan_first[scope];
  uint64_t at = cells;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || !d->chan) continue;
    for (uint32_t k = 0; k < d->cells; k++) {
      uint64_t more = chan_cells(p, d->chan - 1);
      s->chan[n + d->first_chan + k] = (struct shape_chan){d->chan - 1, more ? (uint32_t)at : 0};
      at += more;
      if (at > PROGRAM_CELLS_MAX) return at;
    }
  }
  return at;
}

/* Types cell by cell, so that nobody has to walk declarations later. */
static int list_types(struct shape *s, struct mem *mem) {
  const struct program *p = s->program;
  size_t scopes = p->procs.count + 1, cells = p->global_cells;
  for (size_t i = 0; i < p->procs.count; i++) cells += p->procs.at[i].cells;
  s->type_first = mem_alloc(mem, MEM_MODEL, (scopes + 1) * sizeof *s->type_first);
  s->pointer_first = mem_alloc(mem, MEM_MODEL, (scopes + 1) * sizeof *s->pointer_first);
  s->type = mem_alloc(mem, MEM_MODEL, (cells + 1) * sizeof *s->type);
  s->pointer = mem_alloc(mem, MEM_MODEL, (cells + 1) * sizeof *s->pointer);
  if (!s->type_first || !s->pointer_first || !s->type || !s->pointer) return -1;
  s->type_first[1] = p->global_cells;
  for (size_t i = 0; i < p->procs.count; i++) s->type_first[i + 2] = s->type_first[i + 1] + p->procs.at[i].cells;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    for (uint32_t k = 0; k < d->cells; k++)
      s->type[s->type_first[d->scope] + d->base + k] = program_type_in(p, d->type, d->count, k);
  }
  uint32_t pointers = 0;
  for (size_t scope = 0; scope < scopes; scope++) {
    s->pointer_first[scope] = pointers;
    for (uint32_t i = s->type_first[scope]; i < s->type_first[scope + 1]; i++)
      if (p->types.at[s->type[i]].kind == IR_POINTER) s->pointer[pointers++] = i - s->type_first[scope];
  }
  s->pointer_first[scopes] = pointers;
  return 0;
}

/* Declarations that keep their first value, scope by scope. */
static int list_constants(struct shape *s, struct mem *mem) {
  const struct program *p = s->program;
  size_t scopes = p->procs.count + 1;
  s->constant_first = mem_alloc(mem, MEM_MODEL, (scopes + 1) * sizeof *s->constant_first);
  s->constant = mem_alloc(mem, MEM_MODEL, p->decls.count * sizeof *s->constant);
  s->first_value = mem_alloc(mem, MEM_MODEL, ((size_t)s->type_first[scopes] + 1) * sizeof *s->first_value);
  if (!s->constant_first || !s->constant || !s->first_value) return -1;
  uint32_t n = 0;
  for (uint32_t scope = 0; scope < scopes; scope++) {
    s->constant_first[scope] = n;
    for (uint32_t i = 1; i < p->decls.count; i++)
      if (p->decls.at[i].scope == scope && p->decls.at[i].flags & (IR_CONST | IR_HIDDEN)) s->constant[n++] = i;
  }
  s->constant_first[scopes] = n;
  return 0;
}

/* Can a transition be taken by its process alone? A send may be a rendezvous. */
static int simple_transition(const struct program *p, const struct ir_trans *t) {
  return !t->comm || p->comms.at[t->comm - 1].flags & IR_RECEIVE || !p->uses_rendezvous;
}

static int list_states(struct shape *s, struct mem *mem) {
  const struct program *p = s->program;
  s->state_first = mem_alloc(mem, MEM_MODEL, (p->procs.count + 1) * sizeof *s->state_first);
  s->state = mem_alloc(mem, MEM_MODEL, (p->states.count + 1) * sizeof *s->state);
  s->trans = mem_alloc(mem, MEM_MODEL, (p->trans.count + 1) * sizeof *s->trans);
  if (!s->state_first || !s->state || !s->trans) return -1;
  for (size_t i = 0; i < p->procs.count; i++) s->state_first[i] = p->procs.at[i].state;
  for (size_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    int receives = t->comm && p->comms.at[t->comm - 1].flags & IR_RECEIVE;
    s->trans[i] = (struct shape_trans){t->to, t->flags, t->flow, (uint8_t)receives, t->escape, t->choice};
  }
  for (size_t i = 0; i < p->states.count; i++) {
    const struct ir_state *q = &p->states.at[i];
    s->state[i] = (struct shape_state){.trans = q->trans,
                                       .end = q->trans + q->transitions,
                                       .last = q->trans,
                                       .flags = q->flags,
                                       .simple = !p->procs.at[q->proc].provided && !p->uses_heap && !p->uses_committed && !p->uses_priority};
    for (uint32_t t = q->trans; t < q->trans + q->transitions; t++) {
      if (!simple_transition(p, &p->trans.at[t])) s->state[i].simple = 0;
      if (s->trans[t].receives) s->state[i].receives = 1;
      if (!(s->trans[t].flags & IR_ELSE)) s->state[i].last = t;
    }
  }
  return 0;
}

int shape_open(struct shape *s, const struct program *p, struct mem *mem, struct err *err) {
  size_t scopes = p->procs.count + 1, chans = p->global_chans;
  memset(s, 0, sizeof *s);
  s->program = p;
  s->cut_refs = (uint32_t)p->refs.count;
  s->cut_args = (uint32_t)p->args.count;
  for (size_t i = 0; i < p->procs.count; i++) chans += p->procs.at[i].chans;
  s->chan_first = mem_alloc(mem, MEM_MODEL, (scopes + 1) * sizeof *s->chan_first);
  s->chan = mem_alloc(mem, MEM_MODEL, (chans + 1) * sizeof *s->chan);
  s->frame = mem_alloc(mem, MEM_MODEL, scopes * sizeof *s->frame);
  s->run_chan = mem_alloc(mem, MEM_MODEL, (p->chans.count + 1) * sizeof *s->run_chan);
  s->run_cut = mem_alloc(mem, MEM_MODEL, (p->chan_fields.count + 1) * sizeof *s->run_cut);
  if (!s->run_chan || !s->run_cut || !s->chan_first || !s->chan || !s->frame || list_types(s, mem) || list_constants(s, mem) || list_states(s, mem)) {
    shape_close(s, mem);
    return err_memory(err, "the program");
  }
  s->chan_first[1] = p->global_chans;
  for (size_t i = 0; i < p->procs.count; i++) s->chan_first[i + 2] = s->chan_first[i + 1] + p->procs.at[i].chans;
  s->global = IMAGE_HEADER;
  uint64_t at = s->global + place_channels(s, 0, p->global_cells);
  uint64_t largest = SLOT_HEADER;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    uint64_t frame = SLOT_HEADER + place_channels(s, i + 1, p->procs.at[i].cells);
    if (frame > largest) largest = frame;
    s->frame[i] = (uint32_t)frame;
  }
  s->heap = (uint32_t)at;
  s->heap_cells = p->uses_heap ? HEAP_CELLS : 0;
  at += s->heap_cells;
  s->slots = (uint32_t)at;
  while (((uint64_t)1 << s->slot_bits) < largest) s->slot_bits++;
  if (at > PROGRAM_CELLS_MAX || largest > PROGRAM_CELLS_MAX) {
    shape_close(s, mem);
    return err_input(err, (struct place_in_text){p->file, 0, 0}, "the model's variables and channels need more than %u cells",
                     PROGRAM_CELLS_MAX);
  }
  for (size_t i = 0; i < p->chans.count; i++)
    s->run_chan[i] = (struct runtime_chan){p->chans.at[i].capacity, p->chans.at[i].fields, p->chans.at[i].field};
  for (size_t i = 0; i < p->chan_fields.count; i++) {
    const struct ir_type *t = &p->types.at[p->chan_fields.at[i]];
    s->run_cut[i] = (struct runtime_cut){t->bits, t->is_signed};
  }
  for (size_t i = 0; i < p->chans.count; i++)
    if (p->chans.at[i].fields > s->fields_max) s->fields_max = p->chans.at[i].fields;
  for (size_t i = 0; i < p->comms.count; i++)
    if (p->comms.at[i].args > s->fields_max) s->fields_max = p->comms.at[i].args;
  for (size_t i = 0; i < p->trans.count; i++) {
    uint32_t runs = 0;
    for (uint32_t k = 0; k < p->trans.at[i].actions; k++) runs += p->actions.at[p->trans.at[i].action + k].kind == IR_RUN;
    if (runs > s->runs_max) s->runs_max = runs;
  }
  return 0;
}

void shape_close(struct shape *s, struct mem *mem) {
  mem_free(mem, s->chan_first);
  mem_free(mem, s->chan);
  mem_free(mem, s->frame);
  mem_free(mem, s->run_chan);
  mem_free(mem, s->state_first);
  mem_free(mem, s->state);
  mem_free(mem, s->trans);
  mem_free(mem, s->run_cut);
  mem_free(mem, s->type_first);
  mem_free(mem, s->type);
  mem_free(mem, s->pointer_first);
  mem_free(mem, s->pointer);
  mem_free(mem, s->constant_first);
  mem_free(mem, s->constant);
  mem_free(mem, s->first_value);
  memset(s, 0, sizeof *s);
}

/* ---- the machine --------------------------------------------------------------------------------------------------- */

static void grow_log(struct runtime *r) {
  struct machine *m = (struct machine *)r;
  uint32_t room = r->log_room * 2;
  struct runtime_write *log = mem_resize(m->mem, MEM_SEARCH, r->log, (size_t)room * sizeof *log);
  if (!log) { /* the step cannot be finished: its writes are forgotten, and so is the step */
    m->failed = 1;
    machine_undo(m, 0);
    return;
  }
  r->log = log;
  r->log_room = room;
}

static void fault(struct runtime *r, uint32_t kind, uint32_t what) {
  struct machine *m = (struct machine *)r;
  for (size_t i = m->attempt < m->faults.count ? m->attempt : 0; i < m->faults.count; i++)
    if (m->faults.at[i].kind == kind && m->faults.at[i].what == what) return;
  if (vec_push(&m->faults, m->mem, MEM_SEARCH, (struct machine_fault){kind, what})) m->failed = 1;
}

/* Numbers the channels of a scope that begins to live. Returns 0 if there are too many. */
static int open_channels(struct machine *m, uint32_t scope, uint32_t slot) {
  const struct shape *s = m->shape;
  uint32_t first = s->chan_first[scope], end = s->chan_first[scope + 1];
  if (m->run.channels + (end - first) > MACHINE_CHANS) return 0;
  for (uint32_t i = first; i < end; i++) {
    uint32_t number = ++m->run.channels;
    m->chan_kind[number] = (uint16_t)s->chan[i].chan;
    m->chan_cell[number] = shape_scope(s, scope, slot) + s->chan[i].cell;
  }
  return 1;
}

/* First values of the variables of a scope. */
static void initialise(struct machine *m, uint32_t scope, uint32_t slot) {
  const struct program *p = m->program;
  uint32_t base = shape_scope(m->shape, scope, slot);
  uint32_t chan = scope ? m->slot_chan[slot] : 1;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || (!d->chan && !d->init)) continue;
    int32_t value = d->init ? program_cut(&p->types.at[d->type], interpreter_value(&m->run, slot, d->init)) : 0;
    for (uint32_t k = 0; k < d->cells; k++)
      runtime_put(&m->run, base + d->base + k, d->chan ? (int32_t)(chan + d->first_chan + k) : value);
  }
  uint32_t first = scope ? p->procs.at[scope - 1].init : 0, count = scope ? p->procs.at[scope - 1].inits : p->global_inits;
  for (uint32_t i = 0; i < count; i++) interpreter_assign(&m->run, slot, p->inits.at[first + i].ref, p->inits.at[first + i].expr);
}

/* A process of a type in the next slot; args fill its parameters. Returns its pid, or -1: too many. */
static int create(struct runtime *r, uint32_t type, const int32_t *args, uint32_t count, uint32_t arg) {
  struct machine *m = (struct machine *)r;
  const struct ir_proc *proc = &m->program->procs.at[type];
  uint32_t slot = r->processes;
  if (slot >= MACHINE_SLOTS || m->failed) return -1;
  if (slot >= m->slots && !m->asking && machine_slots(m, slot + 1)) {
    m->failed = 1;
    return -1;
  }
  m->slot_chan[slot] = r->channels + 1;
  if (!open_channels(m, type + 1, slot)) return -1;
  r->processes++;
  m->restructured = 1;
  uint32_t base = shape_slot(m->shape, slot);
  runtime_put(r, base + SLOT_TYPE, (int32_t)type + 1);
  runtime_put(r, base + SLOT_PC, (int32_t)proc->start);
  runtime_put(r, base + SLOT_PRIORITY, m->program->uses_priority ? (int32_t)(proc->priority ? proc->priority : 1) : 0);
  for (uint32_t i = 0; i < count && i < proc->params; i++) {
    uint32_t cell_type = m->shape->type[m->shape->type_first[type + 1] + i];
    int32_t kept = program_cut(&m->program->types.at[cell_type], args[i]);
    if (kept != args[i]) r->cut_arg[arg + i] = 1;
    runtime_put(r, base + SLOT_HEADER + i, kept);
  }
  initialise(m, type + 1, slot);
  if (m->shape->embedded && !m->learning) embedded_begin(r, type + 1, slot);
  return (int)slot;
}

/* The youngest process dies. */
static void destroy(struct runtime *r) {
  struct machine *m = (struct machine *)r;
  uint32_t slot = --r->processes, base = shape_slot(m->shape, slot);
  uint32_t type = (uint32_t)r->cell[base + SLOT_TYPE] - 1;
  r->channels = m->slot_chan[slot] - 1;
  m->restructured = 1;
  for (uint32_t i = 0; i < m->shape->frame[type]; i++) runtime_put(r, base + i, 0);
}

/* Only what depends on which process lives where: done again after every change of it. */
void machine_recount(struct machine *m) {
  m->run.processes = m->run.channels = 0;
  open_channels(m, 0, 0);
  for (uint32_t slot = 0; slot < m->slots; slot++) {
    int32_t type = m->run.cell[shape_slot(m->shape, slot) + SLOT_TYPE];
    if (!type) break;
    m->slot_chan[slot] = m->run.channels + 1;
    open_channels(m, (uint32_t)type, slot);
    m->run.processes++;
  }
  m->restructured = 0;
}

int machine_slots(struct machine *m, uint32_t slots) {
  if (slots <= m->slots) return 0;
  size_t cells = m->shape->slots + (((size_t)slots + m->shape->runs_max) << m->shape->slot_bits);
  int32_t *cell = mem_resize(m->mem, MEM_SEARCH, m->run.cell, cells * sizeof *cell);
  if (!cell) return -1;
  m->run.cell = cell;
  m->slots = slots;
  return 0;
}

int machine_open(struct machine *m, const struct shape *shape, struct mem *mem, uint32_t slots) {
  memset(m, 0, sizeof *m);
  m->mem = mem;
  m->shape = shape;
  m->program = shape->program;
  m->engine = engine_interpreter;
  m->run.log_room = 256;
  m->run.log = mem_alloc(mem, MEM_SEARCH, m->run.log_room * sizeof *m->run.log);
  m->run.message = mem_alloc(mem, MEM_SEARCH, 2 * ((size_t)shape->fields_max + 1) * sizeof *m->run.message);
  m->run.cut = mem_alloc(mem, MEM_SEARCH, machine_cuts(m->shape) + 1);
  m->run.cut_arg = m->run.cut ? m->run.cut + m->shape->cut_refs : NULL;
  m->run.cell = mem_alloc(mem, MEM_SEARCH, ((size_t)shape->slots + 1) * sizeof *m->run.cell);
  m->run.chan_cell = m->chan_cell;
  m->run.chan_kind = m->chan_kind;
  m->run.slot_chan = m->slot_chan;
  m->run.grow_log = grow_log;
  m->run.fault = fault;
  m->run.create = create;
  m->run.destroy = destroy;
  m->run.print = interpreter_print;
  m->run.allocate = heap_allocate;
  m->run.value = interpreter_value;
  m->run.run_slowly = engine_interpreter.run;
  m->run.accept_slowly = engine_interpreter.accept;
  m->run.effects_slowly = engine_interpreter.effects;
  m->run.chans = shape->run_chan;
  m->run.cuts = shape->run_cut;
  m->run.image_slots = shape->slots;
  m->run.slot_bits = shape->slot_bits;
  m->run.lossy = m->program->lossy_channels;
  if (!m->run.log || !m->run.message || !m->run.cut || !m->run.cell || machine_slots(m, slots ? slots : 1)) {
    machine_close(m);
    return -1;
  }
  return 0;
}

void machine_close(struct machine *m) {
  if (!m->mem) return;
  mem_free(m->mem, m->run.log);
  mem_free(m->mem, m->run.message);
  mem_free(m->mem, m->run.cut);
  mem_free(m->mem, m->run.cell);
  mem_free(m->mem, m->memory);
  vec_free(&m->faults, m->mem);
  memset(m, 0, sizeof *m);
}

static uint32_t cells_alive(const struct machine *m) { return shape_slot(m->shape, m->run.processes); }

/* Room in the log for all cells, so that machine_compare cannot fail. */
static int reserve_log(struct machine *m, uint32_t cells) {
  struct runtime *r = &m->run;
  if (r->log_room - r->logged > cells) return 0;
  uint32_t room = 2 * (r->logged + cells + 1);
  struct runtime_write *log = mem_resize(m->mem, MEM_SEARCH, r->log, (size_t)room * sizeof *log);
  if (!log) return -1;
  r->log = log;
  r->log_room = room;
  return 0;
}

int machine_remember(struct machine *m) {
  uint32_t cells = cells_alive(m);
  if (reserve_log(m, cells)) return -1;
  if (m->memory_room < cells) {
    int32_t *memory = mem_resize(m->mem, MEM_SEARCH, m->memory, (size_t)cells * sizeof *memory);
    if (!memory) return -1;
    m->memory = memory;
    m->memory_room = cells;
  }
  memcpy(m->memory, m->run.cell, (size_t)cells * sizeof *m->memory);
  m->remembered = m->run.logged;
  return 0;
}

void machine_compare(struct machine *m) {
  uint32_t cells = cells_alive(m);
  const int32_t *old = m->memory, *now = m->run.cell;
  struct runtime_write *w = m->run.log + m->remembered;
  for (uint32_t c = 0; c < cells; c++)
    if (now[c] != old[c]) *w++ = (struct runtime_write){c, old[c]};
  m->run.logged = (uint32_t)(w - m->run.log);
}

void machine_initial(struct machine *m) {
  size_t cells = m->shape->slots + ((size_t)m->slots << m->shape->slot_bits);
  memset(m->run.cell, 0, cells * sizeof *m->run.cell);
  m->run.logged = 0;
  m->faults.count = m->attempt = 0;
  m->run.processes = m->run.channels = 0;
  if (!open_channels(m, 0, 0)) m->failed = 1;
  initialise(m, 0, 0);
  for (size_t i = 0; i < m->program->start.count; i++)
    if (create(&m->run, m->program->start.at[i], NULL, 0, 0) < 0) m->failed = 1;
  if (m->shape->embedded && !m->learning) embedded_begin(&m->run, 0, 0);
  heap_canonical(m);
  if (m->program->has_trace) m->run.cell[IMAGE_EVENT] = (int32_t)m->program->procs.at[m->program->trace_proc].start;
  m->run.logged = 0;
}
