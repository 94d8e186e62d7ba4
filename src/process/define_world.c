/* define_world.c -- worlds of the definition: copies of them, and the processes in them.
 *
 * A world is a row of plain numbers that grows when a process needs room; nothing is ever undone in it. */
#include "process/define.h"

#include <string.h>

int define_copy(struct definition *d, const struct world *from, struct world *to) {
  size_t cells = cells_of(d, from->slots), used = d->s->heap + define_heap_end(d, from), slots = d->s->slots;
  *to = *from;
  to->cell = mem_alloc(d->mem, MEM_OTHER, cells * sizeof *to->cell);
  if (!to->cell) {
    d->refused = 1;
    return -1;
  }
  memcpy(to->cell, from->cell, used * sizeof *to->cell); /* behind the objects, up to the slots, all is 0 */
  memcpy(to->cell + slots, from->cell + slots, (cells - slots) * sizeof *to->cell);
  return 0;
}

void define_drop(struct definition *d, struct world *w) {
  mem_free(d->mem, w->cell);
  w->cell = NULL;
}

const struct ir_state *define_state(const struct definition *d, const struct world *w, uint32_t slot) {
  return &d->p->states.at[d->p->procs.at[type_of(d, w, slot)].state + (uint32_t)slot_cells(d, w, slot)[SLOT_PC]];
}

/* ---- processes come and go ------------------------------------------------------------------------------------------- */

void define_assign(struct definition *d, struct world *w, uint32_t slot, ir_ref ref, int64_t v) {
  int64_t *cell = define_cell(d, w, slot, ref);
  if (cell) *cell = define_cut_to(&d->p->types.at[d->p->refs.at[ref].type], v);
}

static void initialise(struct definition *d, struct world *w, uint32_t scope, uint32_t slot) {
  const struct program *p = d->p;
  int64_t *base = scope ? slot_cells(d, w, slot) + SLOT_HEADER : w->cell + d->s->global;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *x = &p->decls.at[i];
    if (x->scope != scope) continue;
    for (uint32_t k = 0; k < x->cells; k++) {
      if (x->chan) base[x->base + k] = (scope ? define_channels_below(d, w, slot) : 0) + 1 + x->first_chan + k;
      else if (x->init) base[x->base + k] = define_cut_to(&p->types.at[x->type], define_value(d, w, slot, x->init));
    }
  }
  for (uint32_t i = 0; i < p->inits.count; i++)
    if (p->inits.at[i].scope == scope) define_assign(d, w, slot, p->inits.at[i].ref, define_value(d, w, slot, p->inits.at[i].expr));
}

int define_make_room(struct definition *d, struct world *w, uint32_t slots) {
  if (slots <= w->slots) return 0;
  int64_t *cell = mem_resize(d->mem, MEM_OTHER, w->cell, cells_of(d, slots) * sizeof *cell);
  if (!cell) {
    d->refused = 1;
    return -1;
  }
  w->cell = cell;
  w->slots = slots;
  return 0;
}

/* A process of a type begins to live in the next slot. Its pid; -1: there are too many processes or channels. */
int64_t define_create(struct definition *d, struct world *w, uint32_t type, const int64_t *args, uint32_t count) {
  const struct ir_proc *proc = &d->p->procs.at[type];
  uint32_t slot = w->processes;
  if (slot >= MACHINE_SLOTS || define_channels_below(d, w, slot) + channels_of(d, type + 1) > MACHINE_CHANS) return -1;
  if (define_make_room(d, w, slot + 1)) return -1;
  int64_t *cell = slot_cells(d, w, slot);
  w->processes++;
  cell[SLOT_TYPE] = (int64_t)type + 1;
  cell[SLOT_PC] = proc->start;
  cell[SLOT_PRIORITY] = !d->p->uses_priority ? 0 : proc->priority ? proc->priority : 1;
  for (uint32_t i = 0; i < count && i < proc->params; i++)
    cell[SLOT_HEADER + i] = define_cut_to(&d->p->types.at[d->s->type[d->s->type_first[type + 1] + i]], args[i]);
  initialise(d, w, type + 1, slot);
  return slot;
}

/* The youngest process dies: its slot is empty again. */
void define_die(struct definition *d, struct world *w) {
  w->processes--;
  memset(slot_cells(d, w, w->processes), 0, sizeof *w->cell << d->s->slot_bits);
}

void define_first(struct definition *d, struct world *w) {
  initialise(d, w, 0, 0);
  if (d->p->has_trace) w->cell[IMAGE_EVENT] = d->p->procs.at[d->p->trace_proc].start;
  for (size_t i = 0; i < d->p->start.count; i++) define_create(d, w, d->p->start.at[i], NULL, 0);
}

/* What is hidden is as it was at the start: the state does not remember it. */
void define_forget_hidden(struct definition *d, struct world *w) {
  const struct program *p = d->p;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *x = &p->decls.at[i];
    if (!(x->flags & IR_HIDDEN)) continue;
    struct world first = {0};
    if (define_make_room(d, &first, (uint32_t)p->start.count + 1)) return;
    define_first(d, &first);
    int64_t from = x->scope ? define_create(d, &first, x->scope - 1, NULL, 0) : 0;
    for (uint32_t slot = 0; slot < (x->scope ? w->processes : 1) && from >= 0; slot++) {
      if (x->scope && type_of(d, w, slot) + 1 != x->scope) continue;
      int64_t *to = x->scope ? slot_cells(d, w, slot) + SLOT_HEADER : w->cell + d->s->global;
      const int64_t *source = x->scope ? slot_cells(d, &first, (uint32_t)from) + SLOT_HEADER : first.cell + d->s->global;
      for (uint32_t k = 0; k < x->cells; k++)
        to[x->base + k] = x->chan ? (x->scope ? define_channels_below(d, w, slot) : 0) + 1 + x->first_chan + k : source[x->base + k];
    }
    define_drop(d, &first);
  }
}

/* ---- worlds from elsewhere ------------------------------------------------------------------------------------------- */

static int channels_fit(const struct definition *d, const int64_t *base, uint32_t scope) {
  for (uint32_t i = d->s->chan_first[scope]; i < d->s->chan_first[scope + 1]; i++) {
    const struct ir_chan *kind = &d->p->chans.at[d->s->chan[i].chan];
    int64_t length = kind->capacity ? base[d->s->chan[i].cell] : 0;
    if (length < 0 || length > (int64_t)kind->capacity) return 0;
  }
  return 1;
}

int define_world_fits(struct definition *d, const struct world *w) {
  if (w->processes > MACHINE_SLOTS || !channels_fit(d, w->cell + d->s->global, 0)) return 0;
  if (d->p->has_trace && (w->cell[IMAGE_EVENT] < 0 || w->cell[IMAGE_EVENT] >= (int64_t)d->p->procs.at[d->p->trace_proc].states)) return 0;
  for (uint32_t slot = 0; slot < w->processes; slot++) {
    const int64_t *cell = slot_cells(d, w, slot);
    if (cell[SLOT_TYPE] < 1 || cell[SLOT_TYPE] > (int64_t)d->p->procs.count) return 0;
    if (cell[SLOT_PC] < 0 || cell[SLOT_PC] >= (int64_t)d->p->procs.at[cell[SLOT_TYPE] - 1].states) return 0;
    if (!channels_fit(d, cell + SLOT_HEADER, (uint32_t)cell[SLOT_TYPE])) return 0;
  }
  return define_heap_fits(d, w);
}
