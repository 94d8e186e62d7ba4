/* comback_rebuild.c -- finds states again along the tree.
 *
 * The ways from wanted states up to the next state that is known in full (window, cache, root) are put into a small forest, in which
 * shared parts stand once.  Then the states of the forest are made from the known ones downward: a state whose
 * turn it is takes all the steps that are needed from it, one after the other (the model remembers its successors), so each state on the
 * ways is expanded once however many wanted states lie behind it.
 *
 * The forest takes what memory it is given; without more than the little it was opened with, wants are handled in several goes, and a way that is
 * longer than the forest is walked by looking up each of its states anew (quadratic, but it needs nothing).  So finding a state
 * never fails for lack of memory of the store's own. */
#include "store/comback.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_NODES = 64, FIRST_PENDING = 2, KEEP = 4 };

static void clear(struct comback *s);

/* How many states the forest may have: a share of those stored. */
static size_t most_nodes(const struct comback *s) { return 4096 + s->tree.count / 32; }

int comback_rebuild_open(struct comback *s) {
  s->nodes = s->pendings = 0;
  s->node_room = FIRST_NODES;
  s->pending_room = FIRST_PENDING;
  s->node = blocks_alloc(&s->blocks, s->node_room * sizeof *s->node);
  s->map = blocks_alloc(&s->blocks, 2 * s->node_room * sizeof *s->map);
  s->pending = blocks_alloc(&s->blocks, s->pending_room * sizeof *s->pending);
  s->state = blocks_alloc(&s->blocks, s->pending_room * s->stride * sizeof *s->state);
  return s->node && s->map && s->pending && s->state ? 0 : -1;
}

void comback_rebuild_close(struct comback *s, struct blocks *blocks) {
  blocks_free(blocks, s->node);
  blocks_free(blocks, s->map);
  blocks_free(blocks, s->pending);
  blocks_free(blocks, s->state);
}

/* Back to the little that it was opened with. */
void comback_rebuild_shrink(struct comback *s) {
  if (s->node_room > 16 * FIRST_NODES) {
    clear(s);
    s->node = blocks_resize(&s->blocks, s->node, FIRST_NODES * sizeof *s->node);
    s->map = blocks_resize(&s->blocks, s->map, 2 * FIRST_NODES * sizeof *s->map);
    s->node_room = FIRST_NODES;
  }
  if (s->pending_room > 16 * FIRST_PENDING) {
    s->pending = blocks_resize(&s->blocks, s->pending, FIRST_PENDING * sizeof *s->pending);
    s->state = blocks_resize(&s->blocks, s->state, FIRST_PENDING * s->stride * sizeof *s->state);
    s->pending_room = FIRST_PENDING;
  }
}

int comback_load(const struct comback *s, uint64_t number, uint32_t *state) {
  const uint8_t *full = comback_known(&s->known, number);
  if (!full) {
    struct comback_back b = comback_tree_back(&s->tree, number);
    if (b.parent != COMBACK_NOBODY) return 0;
    full = comback_root(&s->known, b.edge);
  }
  memset(state, 0, s->stride * sizeof *state);
  memcpy(state, full, s->record);
  return 1;
}

/* ---- one step --------------------------------------------------------------------------- */

static int has_number(const struct comback *s, const uint32_t *state, uint64_t number) {
  struct fragments_look l = fragments_look(&s->table, comback_hash(s, state));
  for (uint64_t candidate; fragments_next(&l, &candidate);)
    if (candidate == number) return 1;
  return 0;
}

/* From `from` to state `number`. What the tree says of the step is its edge; its group (variant 3); or nothing (variant 5), then it is the
   one successor whose hash has this number among its candidates. 0, or -1: the model could not. */
static int take(struct comback *s, const uint32_t *from, uint64_t number, uint32_t edge, int exceptional, uint32_t *out) {
  const struct store_model *m = s->model;
  s->stats->rebuild_steps++;
  if (!(s->variants & (COMBACK_BACKWARDS | COMBACK_SETS)) || (exceptional && s->variants & COMBACK_SETS)) {
    memset(out + s->words, 0, (s->stride - s->words) * sizeof *out);
    return m->step(m->context, from, edge, out);
  }
  const uint32_t *states, *groups;
  size_t stride;
  int64_t n = m->successors(m->context, from, &states, &stride, &groups);
  for (int64_t k = 0; k < n; k++) {
    if (s->variants & COMBACK_BACKWARDS && groups[k] != edge) continue;
    memset(out, 0, s->stride * sizeof *out);
    memcpy(out, states + (size_t)k * stride, s->words * sizeof *out);
    if (s->variants & COMBACK_BACKWARDS || has_number(s, out, number)) return 0;
  }
  return -1;
}

/* ---- the forest -------------------------------------------------------------------------- */

static size_t map_slots(const struct comback *s) { return 2 * s->node_room; }

/* Where a number is in the map, or would be. */
static size_t map_place(const struct comback *s, uint64_t number) {
  size_t at = hash_slot(hash_mix(number), map_slots(s));
  while (s->map[at] && s->node[s->map[at] - 1].number != number)
    if (++at == map_slots(s)) at = 0;
  return at;
}

static void clear(struct comback *s) {
  if (s->nodes > s->node_room / 8) memset(s->map, 0, map_slots(s) * sizeof *s->map);
  else
    while (s->nodes) s->map[map_place(s, s->node[--s->nodes].number)] = 0; /* newest first: nothing was entered behind it */
  s->nodes = 0;
}

/* Twice as large. 0, or -1: no memory. */
static int grow_forest(struct comback *s) {
  size_t room = 2 * s->node_room;
  if (room >= UINT32_MAX / 4 || (room > most_nodes(s) && s->nodes > 1024)) return -1;
  struct comback_node *node = blocks_resize(&s->blocks, s->node, room * sizeof *node);
  if (!node) return -1;
  s->node = node;
  uint32_t *map = blocks_alloc(&s->blocks, 2 * room * sizeof *map);
  if (!map) return -1;
  blocks_free(&s->blocks, s->map);
  s->map = map;
  s->node_room = room;
  for (size_t i = 0; i < s->nodes; i++) s->map[map_place(s, s->node[i].number)] = (uint32_t)i + 1;
  return 0;
}

/* The way from a state up to what is known, or to what is in the forest. 0, or -1: no room, nothing is left of it. */
static int add_way(struct comback *s, uint64_t number, uint32_t want) {
  size_t before = s->nodes;
  uint32_t below = 0, height = 0;
  for (;; height++) {
    size_t at = map_place(s, number);
    int there = s->map[at] != 0;
    if (!there && s->nodes == s->node_room) {
      if (grow_forest(s)) break;
      at = map_place(s, number);
    }
    if (!there) {
      s->node[s->nodes] = (struct comback_node){.number = number};
      s->map[at] = (uint32_t)++s->nodes;
    }
    struct comback_node *n = &s->node[s->map[at] - 1];
    if (below) {
      s->node[below - 1].sibling = n->child;
      n->child = below;
    } else n->want = want;
    if (n->height < height) n->height = height;
    if (there) return 0;
    n->top = comback_known(&s->known, number) != NULL;
    if (n->top) return 0;
    struct comback_back b = comback_tree_back(&s->tree, number);
    n->top = b.parent == COMBACK_NOBODY;
    if (n->top) return 0;
    n->edge = b.edge;
    n->exceptional = (uint32_t)b.exceptional;
    below = s->map[at];
    number = b.parent;
  }
  while (s->nodes > before) s->map[map_place(s, s->node[--s->nodes].number)] = 0;
  return -1;
}

struct telling {
  struct comback_want *want;
  size_t count;
  comback_visit *visit;
  void *context;
};

static void tell(struct comback *s, struct comback_node *n, const struct telling *t, const uint32_t *state) {
  n->visited = 1;
  if (!n->want) return;
  for (size_t i = n->want - 1; i < t->count && t->want[i].number == n->number; i++) t->visit(s, &t->want[i], state, t->context);
  s->stats->rebuilds++;
}

/* A state waits for its children to be made. Without memory it does not: they are found another way. */
static void wait_for_children(struct comback *s, uint32_t node, const uint32_t *state) {
  if (s->pendings == s->pending_room) {
    size_t room = 2 * s->pending_room;
    uint32_t *pending = blocks_resize(&s->blocks, s->pending, room * sizeof *pending);
    if (pending) s->pending = pending;
    uint32_t *states = pending ? blocks_resize(&s->blocks, s->state, room * s->stride * sizeof *states) : NULL;
    if (!states) return;
    s->state = states;
    s->pending_room = room;
  }
  memcpy(s->state + s->pendings * s->stride, state, s->stride * sizeof *state);
  s->pending[s->pendings++] = node;
}

/* Makes what lies below a state that is known. */
static int descend(struct comback *s, uint32_t top, const struct telling *t) {
  uint32_t *from = comback_scratch(s, 0), *to = comback_scratch(s, 1);
  if (!comback_load(s, s->node[top].number, from)) return 0; /* the cache has lost it meanwhile: another go will do */
  tell(s, &s->node[top], t, from);
  if (!s->node[top].child) return 0;
  s->pendings = 0;
  wait_for_children(s, top, from);
  while (s->pendings) {
    const struct comback_node *n = &s->node[s->pending[--s->pendings]];
    memcpy(from, s->state + s->pendings * s->stride, s->stride * sizeof *from);
    for (uint32_t c = n->child; c; c = s->node[c - 1].sibling) {
      struct comback_node *child = &s->node[c - 1];
      if (take(s, from, child->number, child->edge, (int)child->exceptional, to)) return -1;
      tell(s, child, t, to);
      if (child->child) wait_for_children(s, c - 1, to);
      if (child->height >= KEEP) comback_cache_add(&s->known, child->number, to);
    }
  }
  return 0;
}

/* ---- without memory ----------------------------------------------------------------------- */

/* One state, each of its ancestors looked up anew. */
static int find_slowly(struct comback *s, uint64_t number, uint32_t *state) {
  uint32_t *next = comback_scratch(s, 1);
  size_t steps = 0;
  uint64_t n = number;
  while (!comback_load(s, n, state)) {
    n = comback_tree_back(&s->tree, n).parent;
    steps++;
  }
  for (; steps; steps--) {
    uint64_t at = number;
    for (size_t i = 1; i < steps; i++) at = comback_tree_back(&s->tree, at).parent;
    struct comback_back b = comback_tree_back(&s->tree, at);
    if (take(s, state, at, b.edge, b.exceptional, next)) return -1;
    memcpy(state, next, s->stride * sizeof *state);
  }
  return 0;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
  const struct comback_want *x = a, *y = b;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  return (x->tag > y->tag) - (x->tag < y->tag);
}

/* The ways to the first wants, as many as have room, are walked. Returns how many wants had room, or -1: a step could not be taken. */
static int64_t walk(struct comback *s, const struct telling *t) {
  size_t taken = 0;
  clear(s);
  for (; taken < t->count; taken++)
    if ((!taken || t->want[taken].number != t->want[taken - 1].number) && add_way(s, t->want[taken].number, (uint32_t)taken + 1)) break;
  for (uint32_t i = 0; i < s->nodes; i++)
    if (s->node[i].top && descend(s, i, t)) return -1;
  return (int64_t)taken;
}

/* Takes the wants that were told out of the list: returns how many are left. */
static size_t drop_told(const struct comback *s, struct telling *t, size_t taken) {
  size_t left = 0;
  for (size_t i = 0; i < t->count; i++) {
    const struct comback_node *n = i < taken ? &s->node[s->map[map_place(s, t->want[i].number)] - 1] : NULL;
    if (!n || !n->visited) t->want[left++] = t->want[i];
  }
  return left;
}

int comback_rebuild(struct comback *s, struct comback_want *want, size_t count, comback_visit *visit, void *context) {
  struct telling t = {want, count, visit, context};
  qsort(want, count, sizeof *want, by_number);
  while (t.count) {
    int64_t taken = walk(s, &t);
    if (taken < 0) return -1;
    size_t left = drop_told(s, &t, (size_t)taken), before = t.count;
    t.count = left;
    if (left < before) continue;
    uint32_t *state = comback_scratch(s, 0);
    uint64_t number = want[0].number;
    size_t same = 0;
    if (find_slowly(s, number, state)) return -1;
    while (same < left && want[same].number == number) visit(s, &want[same++], state, context);
    t.want += same;
    t.count -= same;
    want = t.want;
  }
  return 0;
}
