/* process_model.c -- a program behind the model door.
 *
 * machine.h holds a state unpacked, explore.h finds its steps, packing.h says how it is packed.  This file joins them and
 * speaks for them to searches.  A cursor keeps the image of the state that it expanded last: the next one usually differs in a
 * few words only, and only those are unpacked. */
#include "process/process_model.h"

#include "base/clock.h"
#include "model/look_ahead.h"
#include "process/dependence.h"
#include "process/events.h"
#include "process/slice.h"
#include "process/distance.h"
#include "process/symmetry.h"

#include <stdio.h>
#include <string.h>

static struct process_cursor *at(struct model_cursor *c) { return (struct process_cursor *)c; }

static void adopt(struct process_model *m, struct packing *k) {
  m->packing = k;
  m->base.words = k->words;
  m->base.bits = k->bits;
  m->base.vars = m->shape.slots + (k->widths.slots << m->shape.slot_bits);
  m->base.groups = (k->widths.slots ? k->widths.slots : 1) * (uint32_t)m->program->trans.count;
  m->serial++;
}

/* ---- exploring ------------------------------------------------------------------------------------------------------ */

static void initial(const struct model *base, uint32_t *state) {
  struct process_model *m = (struct process_model *)base;
  machine_initial(&m->scratch);
  packing_pack(m->packing, &m->scratch, state);
}

static void cursor_close(struct model_cursor *base) {
  if (!base) return;
  struct process_cursor *c = at(base);
  struct mem *mem = base->mem;
  const struct process_model *m = process_of(base->model);
  for (size_t i = 0; c->machine.run.cut && i < machine_cuts(&m->shape); i++) m->cut[i] |= c->machine.run.cut[i];
  process_tell_notes(c);
  pack_widths_close(&c->wanted, mem);
  explore_close(&c->explore);
  machine_close(&c->machine);
  mem_free(mem, c->now);
  vec_free(&c->movers, mem);
  vec_free(&c->watched, mem);
  vec_free(&c->letters, mem);
  mem_free(mem, c);
}

enum { SOME_STATES = 1000, MANY_STATES = 100000 }; /* expanded: from here on widening is dear */

/* The processes that have a part in the step. */
static int note_movers(struct process_cursor *c, const struct explore *x) {
  uint64_t who = 0;
  for (size_t i = 0; i < x->links.count; i++) {
    uint32_t slot = x->links.at[i].slot;
    who |= (uint64_t)1 << (slot < 63 ? slot : 63);
  }
  return vec_push(&c->movers, c->base.mem, MEM_SEARCH, who);
}

static const uint64_t *movers(struct model_cursor *base) {
  struct process_cursor *c = (struct process_cursor *)base;
  c->tells_movers = c->explore.telling = 1;
  return c->movers.at;
}

int process_want(struct process_cursor *c, uint32_t misfit) {
  const struct process_model *m = process_of(c->base.model);
  pack_widths_close(&c->wanted, c->base.mem);
  int more = pack_widths_copy(&c->wanted, &m->packing->widths, &m->shape, c->base.mem) ? -1 : packing_admit(&c->wanted, &c->machine, misfit, c->base.mem);
  if (more == 0 && m->asked > MANY_STATES) packing_admit_more(&c->wanted, &m->shape);
  if (more == 1 && m->asked > SOME_STATES) packing_admit_kin(&c->wanted, &m->shape);
  c->wants = 1;
  return more < 0 ? -1 : 0;
}

/* A step is complete: packs it behind the others. */
static int keep(void *context, struct explore *x, uint32_t first) {
  struct process_cursor *c = context;
  struct model_batch *b = c->batch;
  const struct process_model *m = process_of(c->base.model);
  struct machine *machine = x->m;
  if (b->count == b->room && model_batch_grow(b, b->count + 1)) {
    machine->failed = 1;
    return -1;
  }
  uint32_t misfit = packing_update(m->packing, machine, c->now, b->states + b->count * b->stride);
  if (misfit != PACK_FITS) {
    if (process_want(c, misfit)) machine->failed = 1;
    return -1;
  }
  if ((c->tells_movers && note_movers(c, x)) || (c->watched.count && process_note_letter(c))) {
    machine->failed = 1;
    return -1;
  }
  if (c->notes_parts) process_note_step(c);
  b->group[b->count] = first;
  for (size_t i = 0; i < machine->faults.count; i++)
    if (model_batch_fault(b, process_fault(m, &machine->faults.at[i], b->count))) machine->failed = 1;
  b->count++;
  return 0;
}

static int cursor_open(struct model_cursor **out, const struct model *base, struct mem *mem) {
  const struct process_model *m = process_of(base);
  struct process_cursor *c = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return -1;
  c->base.model = base;
  c->base.mem = mem;
  if (machine_open(&c->machine, &m->shape, mem, m->packing->widths.slots)) {
    cursor_close(&c->base);
    return -1;
  }
  explore_open(&c->explore, &c->machine);
  c->explore.complete = keep;
  c->explore.context = c;
  machine_initial(&c->machine); /* what never changes is filled in once and for all */
  *out = &c->base;
  return 0;
}

int process_load(struct process_cursor *c, const uint32_t *state) {
  const struct process_model *m = process_of(c->base.model);
  size_t words = m->base.words;
  if (c->serial != m->serial) {
    if (words > c->now_room) {
      uint32_t *now = mem_resize(c->base.mem, MEM_SEARCH, c->now, words * sizeof *now);
      if (!now) return -1;
      c->now = now;
      c->now_room = words;
    }
    if (machine_slots(&c->machine, m->packing->widths.slots)) return -1;
    c->serial = m->serial;
    c->loaded = 0;
  }
  packing_load(m->packing, &c->machine, state, c->loaded ? c->now : NULL);
  memcpy(c->now, state, words * sizeof *state);
  c->loaded = 1;
  return 0;
}

/* ---- engines ------------------------------------------------------------------------------------------------------- */

#define LASTING 0.4 /* seconds before compiling pays */
enum { BETWEEN_LOOKS = 1024 }; /* expanded states */

static void adopt_code(struct process_model *m) {
  if (m->build.state != BUILD_READY || m->engine.code) return;
  m->engine.code = m->build.code;
  m->engine.provided = m->build.code->provided;
}

static void look_after_compiler(struct process_model *m) {
  if (m->wanted != PROCESS_AUTO || m->engine.code) return;
  double now = clock_now();
  if (!m->began) m->began = now;
  if (now - m->began < LASTING) return;
  if (m->build.state == BUILD_NONE) build_start(&m->build, &m->shape, m->base.mem);
  build_poll(&m->build, &m->shape);
  adopt_code(m);
}

/* A state is expanded. Several threads that do so at once leave what is the model's alone: share. */
static void count_asked(struct process_model *m) {
  if (m->threads) return;
  if (m->asked++ % BETWEEN_LOOKS == 0) look_after_compiler(m);
}

/* C in the model has variables of its own, of which there is one set. */
static int share(struct model *base, unsigned threads, uint64_t expanded) {
  struct process_model *m = (struct process_model *)base;
  if (m->embedded) return -1;
  m->threads = threads;
  if (m->asked < expanded) m->asked = expanded;
  if (threads) look_after_compiler(m);
  return 0;
}

static enum model_answer successors(struct model_cursor *base, const uint32_t *state, struct model_batch *batch) {
  struct process_cursor *c = at(base);
  const struct process_model *m = process_of(base->model);
  if (__atomic_load_n(&m->spoiled, __ATOMIC_RELAXED) || process_load(c, state) || (c->notes_parts && process_note_stands(c))) return MODEL_MEMORY;
  count_asked((struct process_model *)m);
  c->machine.engine = m->engine;
  c->batch = batch;
  c->first = batch->count;
  c->movers.count = c->letters.count = 0;
  c->wants = 0;
  c->explore.patience = base->patience;
  c->explore.stopped = 0;
  size_t faults = batch->fault_count;
  int stopped = explore_all(&c->explore);
  if (!stopped) { /* what belongs to no step */
    for (size_t i = 0; i < c->explore.loose.count; i++)
      if (model_batch_fault(batch, process_fault(m, &c->explore.loose.at[i], MODEL_NO_EDGE))) c->machine.failed = 1;
    if (!c->machine.failed) return MODEL_OK;
  }
  /* nothing is added; padding behind count must be zero again only up to `words`, which every state overwrites */
  batch->count = c->first;
  batch->fault_count = faults;
  c->loaded = 0;
  if (!c->machine.failed && c->wants) return MODEL_WIDEN;
  c->machine.failed = 0;
  return c->explore.stopped ? MODEL_STOPPED : MODEL_MEMORY;
}

/* ---- one step ------------------------------------------------------------------------------------------------------- */

enum { NOT_REACHED = UINT32_MAX };

/* A step is complete: if it is the one that is wanted, packs it and wants no more. The steps before it are taken on the image and undone, as
   always, but nothing is made of them. */
static int reach(void *context, struct explore *x, uint32_t first) {
  struct process_cursor *c = context;
  if (c->sought) {
    c->sought--;
    return 0;
  }
  c->sought = NOT_REACHED;
  c->group = first;
  c->wants = packing_update(process_of(c->base.model)->packing, x->m, c->now, c->out) != PACK_FITS;
  return -1;
}

/* The k-th successor alone. Stops behind it; packs nothing else. */
static int step(struct model_cursor *base, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group) {
  struct process_cursor *c = at(base);
  const struct process_model *m = process_of(base->model);
  if (k == NOT_REACHED || process_load(c, state)) return -1;
  c->machine.engine = m->engine;
  c->sought = k;
  c->out = out;
  c->wants = 0;
  c->explore.patience = base->patience;
  c->explore.stopped = 0;
  c->explore.complete = reach;
  explore_all(&c->explore);
  c->explore.complete = keep;
  if (c->machine.failed || c->wants) {
    c->machine.failed = 0;
    c->loaded = 0;
    return -1;
  }
  *group = c->group;
  return c->sought == NOT_REACHED;
}

/* ---- widening ------------------------------------------------------------------------------------------------------- */

int process_widen(struct model *base, struct model_cursor *cursor, struct err *err) {
  struct process_model *m = (struct process_model *)base;
  struct packing *fresh = mem_alloc(base->mem, MEM_MODEL, sizeof *fresh);
  const struct pack_widths *wanted = m->misfit.decl ? &m->misfit : &at(cursor)->wanted; /* it came from elsewhere, or this cursor has met it */
  int bad = !fresh || packing_open(fresh, &m->shape, wanted, base->mem) || machine_slots(&m->scratch, wanted->slots);
  pack_widths_close(&m->misfit, base->mem);
  m->misfit = (struct pack_widths){0};
  if (bad) {
    if (fresh) packing_close(fresh, base->mem);
    mem_free(base->mem, fresh);
    return err_memory(err, "wider states");
  }
  m->old = m->packing;
  adopt(m, fresh);
  return 0;
}

static void convert(void *model, const uint32_t *old_words, uint32_t *new_words) {
  struct process_model *m = model;
  packing_load(m->old, &m->scratch, old_words, NULL);
  packing_pack(m->packing, &m->scratch, new_words);
}

static void drop(struct process_model *m, struct packing *k) {
  packing_close(k, m->base.mem);
  mem_free(m->base.mem, k);
}

void process_widen_done(struct model *base, int keep_it) {
  struct process_model *m = (struct process_model *)base;
  struct packing *gone = keep_it ? m->old : m->packing;
  if (!keep_it) adopt(m, m->old);
  m->old = NULL;
  drop(m, gone);
}

/* ---- what a state is -------------------------------------------------------------------------------------------------- */

static unsigned labels(const struct model *base, const uint32_t *state) {
  const struct process_model *m = process_of(base);
  const struct program *p = m->program;
  unsigned all_end = MODEL_END, any = 0;
  for (uint32_t slot = 0; slot < m->packing->widths.slots; slot++) {
    uint32_t cell = shape_slot(&m->shape, slot);
    int32_t type = packing_cell(m->packing, state, cell);
    if (!type) break;
    unsigned flags = p->states.at[p->procs.at[type - 1].state + (uint32_t)packing_cell(m->packing, state, cell + SLOT_PC)].flags;
    if (!(flags & IR_VALID_END)) all_end = 0;
    if (flags & IR_PROGRESS) any |= MODEL_PROGRESS;
    if (flags & IR_ACCEPT) any |= MODEL_ACCEPT;
    if (!slot && p->has_trace && events_unfinished(p, packing_cell(m->packing, state, IMAGE_EVENT))) all_end = 0;
  }
  return all_end | any;
}

static size_t components(const struct model *base, uint32_t *bit, size_t room) {
  return packing_components(process_of(base)->packing, bit, room);
}

static int64_t value(const struct model *base, const uint32_t *state, uint32_t var) {
  return packing_cell(process_of(base)->packing, state, var);
}

static int is_sought(void *context, struct explore *x, uint32_t first) {
  const struct process_cursor *c = context;
  (void)x;
  return first == c->sought ? -1 : 0;
}

/* There was no memory for an answer. Of what was answered, something may be wrong: nothing can be said any more. */
static int cannot_tell(struct process_model *m) {
  __atomic_store_n(&m->spoiled, 1, __ATOMIC_RELAXED);
  return 0;
}

/* C may keep what it likes in memory that nobody tells us of. */
static int opaque(const struct model *m, struct place_in_text *at, const char **hint) {
  const struct program *p = process_of(m)->program;
  *at = p->first_c;
  *hint = "memory that C keeps from step to step becomes a part of the state by c_track \"&name\" \"sizeof(name)\", or as a c_state";
  return p->uses_c;
}

static int at_a_loss(const struct model *m) { return __atomic_load_n(&process_of(m)->spoiled, __ATOMIC_RELAXED); }

/* Is some step possible whose first transition is this one? Where it leads need not fit the layout. */
static int fireable(struct model_cursor *base, const uint32_t *state, uint32_t group) {
  struct process_cursor *c = at(base);
  struct process_model *m = (struct process_model *)base->model;
  if (process_load(c, state)) return cannot_tell(m);
  c->machine.engine = m->engine;
  c->sought = group;
  c->explore.complete = is_sought;
  c->explore.patience = NULL; /* it is yes or no */
  int stopped = explore_all(&c->explore), found = stopped && !c->machine.failed;
  if (c->machine.failed) cannot_tell(m);
  c->explore.complete = keep;
  c->machine.failed = 0;
  if (stopped) c->loaded = 0;
  return found;
}

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

static void close_model(struct model *base) {
  struct process_model *m = (struct process_model *)base;
  struct mem *mem = base->mem;
  build_close(&m->build);
  if (m->packing) drop(m, m->packing);
  pack_widths_close(&m->misfit, mem);
  machine_close(&m->scratch);
  process_ways_close(m);
  shape_close(&m->shape, mem);
  embedded_close(m->embedded);
  mem_free(mem, m->claim_of);
  vec_free(&m->claim, mem);
  vec_free(&m->never, mem);
  vec_free(&m->condition, mem);
  mem_free(mem, m->cut);
  mem_free(mem, m->notes.part);
  mem_free(mem, m->notes.stood);
  if (m->names.mem) arena_close(&m->names);
  mem_free(mem, m->group_names);
  mem_free(mem, m->var_names);
  program_close(m->program);
  mem_free(mem, m);
}

static const struct model_type process_type = {
    .kind = "processes",
    .close = close_model,
    .share = share,
    .cursor_open = cursor_open,
    .cursor_close = cursor_close,
    .initial = initial,
    .successors = successors,
    .step = step,
    .widen = process_widen,
    .convert = convert,
    .widen_done = process_widen_done,
    .labels = labels,
    .movers = movers,
    .note_parts = process_note_parts,
    .role = process_role,
    .watch = process_watch,
    .letters = process_letters,
    .claim_automaton = process_claim_automaton,
    .claim_accepts = process_claim_accepts,
    .condition = process_condition,
    .asked_all = process_asked_all,
    .condition_value = process_condition_value,
    .condition_define = process_condition_define,
    .stuck_distance = process_stuck_distance,
    .measure = process_measure,
    .claim_distance = process_claim_distance,
    .condition_distance = process_condition_distance,
    .components = components,
    .value = value,
    .fireable = fireable,
    .at_a_loss = at_a_loss,
    .find_var = process_find_var,
    .find_group = process_find_group,
    .var_name = process_var_name,
    .group_name = process_group_name,
    .var_place = process_var_place,
    .group_place = process_group_place,
    .owner = process_owner,
    .print_value = process_print_value,
    .define_initial = process_define_initial,
    .define_edge = process_define_edge,
    .define_all = process_define_all,
    .define_labels = process_define_labels,
    .define_fits = process_define_fits,
    .opaque = opaque,
    .claims = process_claims,
    .claim = process_claim,
    .fault_text = process_fault_text,
    .fault_place = process_fault_place,
    .fails_standing = process_fails_standing,
    .describe = process_describe,
    .parts = process_parts,
    .stands = process_stands,
    .warning = process_warning,
    .slice = &process_slice,
    .thrift_open = process_thrift_open,
    .thrift_worth = 0.97, /* it does so in little time */
    .thrift_choose = process_thrift_choose,
    .thrift_close = process_thrift_close,
    .symmetry = &process_symmetry,
    .pack = process_pack,
    .unpack = process_unpack,
    .layout_sign = process_layout_sign,
    .layout_keep = process_layout_keep,
    .layout_take = process_layout_take,
};

static int is_process(const struct model *m) { return m->type->close == close_model; }

/* The first values of what never changes: globals from the initial state, locals from a process made for the purpose, alone: with all the others there may be no room for it. */
static void learn_constants(struct process_model *m) {
  struct shape *s = &m->shape;
  const int32_t *cell;
  m->scratch.learning = 1;
  for (uint32_t scope = 1; scope <= m->program->procs.count; scope++) {
    machine_initial(&m->scratch);
    while (m->scratch.run.processes) m->scratch.run.destroy(&m->scratch.run);
    int slot = m->scratch.run.create(&m->scratch.run, scope - 1, NULL, 0, 0);
    if (slot < 0) continue;
    cell = m->scratch.run.cell + shape_scope(s, scope, (uint32_t)slot);
    for (uint32_t i = s->type_first[scope]; i < s->type_first[scope + 1]; i++) s->first_value[i] = cell[i - s->type_first[scope]];
  }
  m->scratch.learning = 0;
  machine_initial(&m->scratch);
  for (uint32_t i = 0; i < s->type_first[1]; i++) s->first_value[i] = m->scratch.run.cell[s->global + i];
}

/* Packs the initial state in as little as it needs. */
static int first_packing(struct process_model *m, struct err *err) {
  struct mem *mem = m->base.mem;
  struct pack_widths widths;
  if (pack_widths_open(&widths, &m->shape, mem)) return err_memory(err, "the state's layout");
  for (;;) {
    struct packing *k = mem_alloc(mem, MEM_MODEL, sizeof *k);
    if (!k || packing_open(k, &m->shape, &widths, mem)) {
      mem_free(mem, k);
      break;
    }
    uint32_t *words = mem_alloc(mem, MEM_MODEL, ((size_t)k->words + 2) * sizeof *words);
    uint32_t misfit = words ? packing_pack(k, &m->scratch, words) : PACK_FITS;
    mem_free(mem, words);
    if (misfit == PACK_FITS) {
      pack_widths_close(&widths, mem);
      adopt(m, k);
      return 0;
    }
    drop(m, k);
    if (packing_admit(&widths, &m->scratch, misfit, mem) < 0) break;
  }
  pack_widths_close(&widths, mem);
  return err_memory(err, "the state's layout");
}

/* Which processes will live where, and how large values become. */
enum { WALK_SUCCESSORS = 50000, WALK_WORK = 200000 };

static int worked_enough(void *context, struct model_cursor *cursor) {
  (void)context;
  return at(cursor)->explore.work > WALK_WORK;
}

static void learn_widths(struct process_model *m) {
  model_look_ahead(&m->base, WALK_SUCCESSORS, worked_enough, NULL);
  m->asked = 0;
}

int process_open(struct model **out, struct program *program, struct mem *mem, struct err *err) {
  struct process_model *m = mem_alloc(mem, MEM_MODEL, sizeof *m);
  if (!m) {
    program_close(program);
    return err_memory(err, "the model");
  }
  m->base = (struct model){.type = &process_type, .mem = mem, .language = program->language, .file = program->file};
  m->program = program;
  m->engine = engine_interpreter;
  arena_open(&m->names, mem, MEM_MODEL);
  if (program->start.count > MACHINE_SLOTS) {
    err_input(err, (struct place_in_text){program->file, 0, 0}, "%zu processes at the start are more than %d", program->start.count,
              MACHINE_SLOTS);
    close_model(&m->base);
    return -1;
  }
  if (program->uses_c) { /* the definition (define.c) cannot run C: replay asks the engine again */
    m->own_type = process_type;
    m->own_type.define_initial = NULL;
    m->own_type.define_edge = NULL;
    m->base.type = &m->own_type;
  }
  if ((program->uses_c && embedded_open(&m->embedded, program, mem, err)) || shape_open(&m->shape, program, mem, err)) {
    close_model(&m->base);
    return -1;
  }
  m->shape.embedded = m->embedded;
  m->own_nodes = (ir_expr)program->nodes.count;
  if (machine_open(&m->scratch, &m->shape, mem, (uint32_t)program->start.count + 1) || process_claims_open(m)) {
    close_model(&m->base);
    return err_memory(err, "the model");
  }
  m->cut = mem_alloc(mem, MEM_MODEL, machine_cuts(&m->shape) + 1);
  if (!m->cut) {
    close_model(&m->base);
    return err_memory(err, "the model");
  }
  learn_constants(m);
  if (m->scratch.failed) {
    err_input(err, (struct place_in_text){program->file, 0, 0}, "the initial state has more than %d channels", MACHINE_CHANS);
    close_model(&m->base);
    return -1;
  }
  if (first_packing(m, err)) {
    close_model(&m->base);
    return -1;
  }
  m->wanted = PROCESS_INTERPRETER;
  /* C may remember what it did: it runs in the search alone. Unbounded channels would be filled for nothing. */
  if (!program->uses_c && !program->unbounded_channels) learn_widths(m);
  m->wanted = PROCESS_AUTO;
  memset(m->scratch.run.cut, 0, machine_cuts(&m->shape)); /* what was tried for its own sake is not told */
  memset(m->cut, 0, machine_cuts(&m->shape));
  *out = &m->base;
  return 0;
}

const struct program *process_program(const struct model *m) { return is_process(m) ? process_of(m)->program : NULL; }

int process_choose_engine(struct model *base, enum process_engine engine, double seconds, const volatile int *interrupt) {
  if (!is_process(base)) return -1;
  struct process_model *m = (struct process_model *)base;
  m->wanted = engine;
  if (engine != PROCESS_COMPILED) return 0;
  build_start(&m->build, &m->shape, base->mem);
  build_wait(&m->build, &m->shape, seconds > 0 ? seconds : 600, interrupt);
  adopt_code(m);
  return m->engine.code ? 0 : -1;
}

const char *process_engine_name(const struct model *m) {
  return is_process(m) && process_of(m)->engine.code ? "compiled" : "interpreter";
}

double process_compile_seconds(const struct model *m) {
  return is_process(m) && !process_of(m)->build.from_cache ? process_of(m)->build.seconds : 0;
}

const char *process_engine_why(const struct model *m) { return is_process(m) ? process_of(m)->build.why : ""; }
