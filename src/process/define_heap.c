/* define_heap.c -- objects of the definition (PROM+), which has no addresses to speak of.
 *
 * After every step objects that nothing points to vanish, and the others are laid in the order in which they are reached (heap.h): the
 * same rule as the engine's, found by asking again and again instead of by a queue. */
#include "process/define.h"

#include <string.h>

/* How many cells the objects take. All behind them are 0. */
size_t define_heap_end(const struct definition *d, const struct world *w) {
  const int64_t *heap = w->cell + d->s->heap;
  size_t at = 0;
  while (at < d->s->heap_cells && heap[at]) at += 1 + d->p->types.at[heap[at] - 1].cells;
  return at;
}

/* An object of a type behind all others. The pointer to it; 0: no room. */
int64_t define_allocate(struct definition *d, struct world *w, uint32_t type) {
  int64_t *heap = w->cell + d->s->heap;
  size_t at = define_heap_end(d, w), cells = d->p->types.at[type].cells;
  if (at + 1 + cells > d->s->heap_cells) return 0;
  heap[at] = (int64_t)type + 1;
  memset(heap + at + 1, 0, cells * sizeof *heap);
  return (int64_t)at + 1;
}

struct order vec(int64_t); /* pointers to objects in the order in which they are reached */

/* Adds the object, unless it is there. */
static void reach(struct definition *d, struct order *order, int64_t pointer) {
  if (pointer <= 0) return;
  for (size_t i = 0; i < order->count; i++)
    if (order->at[i] == pointer) return;
  if (vec_push(order, d->mem, MEM_OTHER, pointer)) d->refused = 1;
}

/* Where the object lies when all lie in order without gaps. */
static int64_t moved_to(const struct definition *d, const int64_t *heap, const struct order *order, int64_t pointer) {
  int64_t at = 1;
  for (size_t i = 0; i < order->count && order->at[i] != pointer; i++) at += 1 + (int64_t)d->p->types.at[heap[order->at[i] - 1] - 1].cells;
  return pointer > 0 ? at : 0;
}

static int is_pointer(const struct definition *d, uint32_t type) { return d->p->types.at[type].kind == IR_POINTER; }

/* A cell of this type: if it is a pointer, reaches what it points to, or (renaming) lets it point to where that is now. */
static void visit_cell(struct definition *d, int64_t *cell, uint32_t type, const int64_t *old, struct order *order, int renaming) {
  if (!is_pointer(d, type)) return;
  if (renaming) *cell = moved_to(d, old, order, *cell);
  else reach(d, order, *cell);
}

/* The variables of a scope, then the messages in its channels, field by field. */
static void visit_scope(struct definition *d, int64_t *base, uint32_t scope, const int64_t *old, struct order *order, int renaming) {
  const uint32_t *type = d->s->type + d->s->type_first[scope];
  for (uint32_t i = 0; i < d->s->type_first[scope + 1] - d->s->type_first[scope]; i++) visit_cell(d, base + i, type[i], old, order, renaming);
  for (uint32_t i = d->s->chan_first[scope]; i < d->s->chan_first[scope + 1]; i++) {
    struct channel c = {&d->p->chans.at[d->s->chan[i].chan], base + d->s->chan[i].cell};
    for (uint32_t f = 0; f < c.kind->fields; f++)
      for (int64_t m = 0; m < length_of(&c); m++)
        visit_cell(d, message_at(&c, m) + f, d->p->chan_fields.at[c.kind->field + f], old, order, renaming);
  }
}

static void visit_scopes(struct definition *d, struct world *w, const int64_t *old, struct order *order, int renaming) {
  visit_scope(d, w->cell + d->s->global, 0, old, order, renaming);
  for (uint32_t slot = 0; slot < w->processes; slot++)
    visit_scope(d, slot_cells(d, w, slot) + SLOT_HEADER, type_of(d, w, slot) + 1, old, order, renaming);
}

/* Objects that nothing points to vanish, the others lie in the order in which they are reached (heap.h). */
void define_tidy_heap(struct definition *d, struct world *w) {
  int64_t *heap = w->cell + d->s->heap;
  size_t cells = define_heap_end(d, w), at = 0;
  struct order order = {0};
  int64_t *old = cells ? mem_alloc(d->mem, MEM_OTHER, cells * sizeof *old) : NULL;
  if (!old) {
    d->refused |= cells != 0;
    return;
  }
  memcpy(old, heap, cells * sizeof *old);
  visit_scopes(d, w, old, &order, 0);
  for (size_t i = 0; i < order.count; i++) {
    const int64_t *object = old + order.at[i] - 1;
    for (uint32_t c = 0; c < d->p->types.at[object[0] - 1].cells; c++)
      if (is_pointer(d, program_type_in(d->p, (uint32_t)object[0] - 1, 0, c))) reach(d, &order, object[1 + c]);
  }
  visit_scopes(d, w, old, &order, 1);
  memset(heap, 0, cells * sizeof *heap);
  for (size_t i = 0; i < order.count; i++) {
    const int64_t *object = old + order.at[i] - 1;
    uint32_t size = d->p->types.at[object[0] - 1].cells;
    heap[at++] = object[0];
    for (uint32_t c = 0; c < size; c++)
      heap[at++] = is_pointer(d, program_type_in(d->p, (uint32_t)object[0] - 1, 0, c)) ? moved_to(d, old, &order, object[1 + c]) : object[1 + c];
  }
  vec_free(&order, d->mem);
  mem_free(d->mem, old);
}

/* Is this where an object begins? */
static int is_object(const struct definition *d, const int64_t *heap, int64_t pointer) {
  int64_t at = 1;
  while (at < pointer && at <= (int64_t)d->s->heap_cells && heap[at - 1]) at += 1 + (int64_t)d->p->types.at[heap[at - 1] - 1].cells;
  return at == pointer && at <= (int64_t)d->s->heap_cells && heap[at - 1];
}

/* Objects lie one behind the other, and pointers name their beginnings. */
int define_heap_fits(struct definition *d, const struct world *w) {
  const int64_t *heap = w->cell + d->s->heap;
  struct world copy = *w;
  struct order order = {0};
  int fits = 1;
  for (size_t at = 0; at < d->s->heap_cells && heap[at]; at += 1 + d->p->types.at[heap[at] - 1].cells)
    if (heap[at] < 1 || heap[at] > (int64_t)d->p->types.count || at + 1 + d->p->types.at[heap[at] - 1].cells > d->s->heap_cells) return 0;
  visit_scopes(d, &copy, heap, &order, 0);
  for (size_t i = 0; i < order.count && fits; i++) {
    fits = is_object(d, heap, order.at[i]);
    const int64_t *object = heap + order.at[i] - 1;
    for (uint32_t c = 0; fits && c < d->p->types.at[object[0] - 1].cells; c++)
      if (is_pointer(d, program_type_in(d->p, (uint32_t)object[0] - 1, 0, c))) reach(d, &order, object[1 + c]);
  }
  vec_free(&order, d->mem);
  return fits;
}
