/* heap.c -- see heap.h. */
#include "process/heap.h"

#include <string.h>

static uint32_t object_cells(const struct program *p, const int32_t *heap, uint32_t header) {
  return 1 + p->types.at[heap[header] - 1].cells;
}

static uint32_t end_of(const struct machine *m, const int32_t *heap) {
  uint32_t at = 0;
  while (at < m->shape->heap_cells && heap[at]) at += object_cells(m->program, heap, at);
  return at;
}

int32_t heap_allocate(struct runtime *face, uint32_t type) {
  struct machine *m = (struct machine *)face;
  uint32_t at = end_of(m, face->cell + m->shape->heap), cells = 1 + m->program->types.at[type].cells;
  if (at + cells > m->shape->heap_cells) return 0;
  runtime_put(face, m->shape->heap + at, (int32_t)type + 1);
  for (uint32_t i = 1; i < cells; i++) runtime_put(face, m->shape->heap + at + i, 0);
  return (int32_t)at + 1;
}

/* The work of one pass: old and new heap side by side. */
struct pass {
  struct machine *m;
  int32_t *old;     /* a copy of the heap as it was */
  int32_t *moved;   /* new pointer of the object whose header was at this offset; 0 = not reached yet */
  int32_t *fresh;   /* the new heap */
  uint32_t end;     /* of the new heap */
};

static int32_t reach(struct pass *x, int32_t pointer) {
  if (pointer <= 0 || (uint32_t)pointer >= x->m->shape->heap_cells) return 0;
  uint32_t header = (uint32_t)pointer - 1, cells = object_cells(x->m->program, x->old, header);
  if (!x->moved[header]) {
    x->moved[header] = (int32_t)x->end + 1;
    memcpy(x->fresh + x->end, x->old + header, cells * sizeof *x->fresh);
    x->end += cells;
  }
  return x->moved[header];
}

/* Pointers among the cells of a scope or object. */
static void follow_cell(struct pass *x, uint32_t cell) {
  runtime_put(&x->m->run, cell, reach(x, x->m->run.cell[cell]));
}

/* Pointers in the messages of a channel. */
static void follow_channel(struct pass *x, const struct ir_chan *c, uint32_t cell) {
  const struct program *p = x->m->program;
  uint32_t length = (uint32_t)x->m->run.cell[cell];
  for (uint32_t f = 0; f < c->fields; f++) {
    if (p->types.at[p->chan_fields.at[c->field + f]].kind != IR_POINTER) continue;
    for (uint32_t i = 0; i < length; i++) follow_cell(x, cell + 1 + i * c->fields + f);
  }
}

static void follow_scope(struct pass *x, uint32_t scope, uint32_t base) {
  const struct shape *s = x->m->shape;
  for (uint32_t i = s->pointer_first[scope]; i < s->pointer_first[scope + 1]; i++) follow_cell(x, base + s->pointer[i]);
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &s->program->chans.at[s->chan[i].chan];
    if (c->capacity) follow_channel(x, c, base + s->chan[i].cell);
  }
}

/* Pointers inside an object, by walking its type. */
static void follow_object(struct pass *x, uint32_t type, uint32_t at) {
  const struct program *p = x->m->program;
  uint32_t cells = p->types.at[type].cells;
  for (uint32_t i = 0; i < cells; i++) {
    uint32_t t = program_type_in(p, type, 0, i);
    if (p->types.at[t].kind == IR_POINTER) x->fresh[at + i] = reach(x, x->fresh[at + i]);
  }
}

void heap_canonical(struct machine *m) {
  const struct shape *s = m->shape;
  if (!s->heap_cells) return;
  uint32_t used = end_of(m, m->run.cell + s->heap);
  int32_t *space = mem_alloc(m->mem, MEM_SEARCH, (3 * (size_t)used + 1) * sizeof *space);
  if (!space) {
    m->failed = 1;
    return;
  }
  struct pass x = {m, space, space + used, space + 2 * (size_t)used, 0};
  memcpy(x.old, m->run.cell + s->heap, used * sizeof *space);
  follow_scope(&x, 0, s->global);
  for (uint32_t slot = 0; slot < m->run.processes; slot++) {
    uint32_t base = shape_slot(s, slot);
    follow_scope(&x, (uint32_t)m->run.cell[base + SLOT_TYPE], base + SLOT_HEADER);
  }
  for (uint32_t at = 0; at < x.end; at += object_cells(m->program, x.fresh, at))
    follow_object(&x, (uint32_t)x.fresh[at] - 1, at + 1);
  for (uint32_t i = 0; i < used; i++) runtime_put(&m->run, s->heap + i, i < x.end ? x.fresh[i] : 0);
  mem_free(m->mem, space);
}
