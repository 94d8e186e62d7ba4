/* symmetry_facts.c -- see symmetry.c: a state as facts about nodes.
 *
 * Processes, names that occur and objects are nodes.  What a cell holds is a fact about the nodes that it belongs to (its process, the names that are its indices) and the one that it holds, if it holds a name, a pointer or a
 * channel, in the role of that cell; likewise each field of a message, by its place in the channel.  Cells that nobody looks at again say nothing. */
#include "process/symmetry_inside.h"

static uint32_t name_node(struct symmetry *y, uint32_t sort, uint32_t name) {
  if (y->sorts.sort[sort].by_slot && name < y->slots && y->sorts.pid[y->type[name]] == sort && y->node[name] != NOBODY) return y->node[name];
  struct name_node *n = &y->named[sort * SORT_NAMES + name];
  if (n->serial == y->serial) return n->node;
  n->serial = y->serial;
  n->node = canonical_node(&y->canonical, block_of(y, sort, name), y->now->shared[sort * SORT_NAMES + name]);
  if (vec_push(&y->names, y->mem, MEM_SEARCH, sort * SORT_NAMES + name)) y->failed = 1;
  return n->node;
}

struct saying { /* nodes of a fact */
  uint32_t node[FACT_NODES], count;
};
static void add_node(struct saying *x, uint32_t node) {
  if (x->count < FACT_NODES) x->node[x->count++] = node;
}
static void add_dims(struct symmetry *y, struct saying *x, uint32_t dim, uint32_t dims) {
  for (uint32_t i = dim; i < dim + dims; i++) add_node(x, name_node(y, y->view.dims.at[i].sort, y->view.dims.at[i].name));
}

static inline uint64_t number_fact(uint64_t what, int32_t value) { return what + 0x9e3779b97f4a7c15u * (uint32_t)value; }

/* A value belongs to the nodes of x, in the role `what`. */
static void say(struct symmetry *y, struct saying *x, uint64_t what, struct symmetry_holds holds, int32_t value) {
  uint32_t at, slot;
  switch ((enum holds)holds.kind) {
  case HOLDS_NAME:
    if ((uint32_t)value < y->sorts.sort[holds.sort].names) {
      add_node(x, name_node(y, holds.sort, (uint32_t)value));
      canonical_say(&y->canonical, what, x->node, x->count);
      return;
    }
    break;
  case HOLDS_CHANNEL:
    if (!find_channel(y, value, &at, &slot)) break;
    if (slot != NOBODY && y->node[slot] != NOBODY) add_node(x, y->node[slot]);
    add_dims(y, x, y->view.chan[at].dim, y->view.chan[at].dims);
    canonical_say(&y->canonical, hash_pair(what, y->view.chan[at].what), x->node, x->count);
    return;
  case HOLDS_POINTER:
    if (value <= 0 || (size_t)value > y->object.count) break;
    add_node(x, y->object.at[value - 1]);
    canonical_say(&y->canonical, what, x->node, x->count);
    return;
  case HOLDS_NUMBER: break;
  }
  if (value) canonical_say(&y->canonical, number_fact(what, value), x->node, x->count);
}

/* state: where the process stands whose cells they are. */
static void say_cells(struct symmetry *y, uint32_t base, uint32_t owner, uint32_t first, uint32_t end, uint32_t state) {
  for (uint32_t i = first; i < end; i++) {
    const struct sight *s = &y->view.sights.at[i];
    if (forgotten(y, s, state)) continue;
    int32_t value = y->m->run.cell[base + s->cell];
    if (!value && s->holds.kind != HOLDS_NAME) continue;
    struct saying x = {.count = 0};
    if (owner != NOBODY) add_node(&x, owner);
    add_dims(y, &x, s->dim, s->dims);
    say(y, &x, s->what, s->holds, value);
  }
}

static void say_channels(struct symmetry *y, uint32_t scope, uint32_t base, uint32_t owner, int all) {
  const struct shape *shape = y->sorts.shape;
  if (!all && !y->view.some_chan[scope]) return;
  for (uint32_t i = shape->chan_first[scope]; i < shape->chan_first[scope + 1]; i++) {
    const struct sight_chan *c = &y->view.chan[i];
    if (!c->capacity || (!all && !c->relevant)) continue;
    const int32_t *cell = y->m->run.cell + base + c->cell;
    for (int32_t k = 0, at = 1; k < cell[0]; k++)
      for (uint32_t f = 0; f < c->fields; f++, at++) {
        struct saying x = {.count = 0};
        if (owner != NOBODY) add_node(&x, owner);
        add_dims(y, &x, c->dim, c->dims);
        say(y, &x, hash_pair(c->what, (uint32_t)at), c->holds[f], cell[at]);
      }
    struct saying x = {.count = 0};
    if (owner != NOBODY) add_node(&x, owner);
    add_dims(y, &x, c->dim, c->dims);
    say(y, &x, c->what, (struct symmetry_holds){HOLDS_NUMBER, 0}, cell[0]);
  }
}

/* Objects become nodes before anything points to them. */
static void find_objects(struct symmetry *y) {
  const struct shape *shape = y->sorts.shape;
  const int32_t *heap = y->m->run.cell + shape->heap;
  y->object.count = 0;
  for (uint32_t at = 0; at < shape->heap_cells && heap[at] && !y->failed;) {
    uint32_t cells = 1 + y->sorts.p->types.at[heap[at] - 1].cells;
    uint32_t node = canonical_node(&y->canonical, hash_mix((uint64_t)heap[at] << 32), 0);
    for (uint32_t i = 0; i < cells; i++)
      if (vec_push(&y->object, y->mem, MEM_SEARCH, node)) y->failed = 1;
    at += cells;
  }
}

static void say_objects(struct symmetry *y) {
  const struct shape *shape = y->sorts.shape;
  const int32_t *heap = y->m->run.cell + shape->heap;
  for (uint32_t at = 0; at < y->object.count;) {
    uint32_t type = (uint32_t)heap[at] - 1, root = view_heap_root(&y->view, type);
    say_cells(y, shape->heap + at, y->object.at[at], y->view.first[root], y->view.last[root], UINT32_MAX);
    at += 1 + y->sorts.p->types.at[type].cells;
  }
}

void symmetry_say_all(struct symmetry *y) {
  const struct shape *shape = y->sorts.shape;
  find_objects(y);
  say_cells(y, shape->global, NOBODY, y->view.first[0], y->view.last[0], UINT32_MAX);
  say_channels(y, 0, shape->global, NOBODY, 0);
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    if (y->node[slot] == NOBODY) continue;
    uint32_t root = y->type[slot] + 1, base = shape_slot(shape, slot);
    int movable = y->group_size[slot] > 1;
    if (movable) canonical_own(&y->canonical, y->node[slot], hash_pair(1, (uint32_t)y->m->run.cell[base + SLOT_PC]) + (uint32_t)y->m->run.cell[base + SLOT_PRIORITY]);
    say_cells(y, base + SLOT_HEADER, y->node[slot], y->view.first[root], y->view.plain[root], state_of(y, slot));
    for (uint32_t i = y->view.plain[root]; movable && i < y->view.last[root]; i++) {
      int32_t value = y->m->run.cell[base + SLOT_HEADER + y->view.sights.at[i].cell];
      if (value) canonical_own(&y->canonical, y->node[slot], number_fact(y->view.sights.at[i].what, value));
    }
    say_channels(y, root, base + SLOT_HEADER, y->node[slot], movable);
  }
  say_objects(y);
}
