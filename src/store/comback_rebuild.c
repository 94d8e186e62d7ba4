/* comback_rebuild.c -- finds states again along the tree.
 *
 * The ways from wanted states up to the next state that is known in full (window, cache, root) make a forest, in which shared parts
 * stand once.  It is built from the largest number down: of the numbers that are wanted and the predecessors of those that are in the forest already, the
 * largest is next.  In breadth-first order predecessors come out in order by themselves, so this is the merging of two rows that are sorted: no table
 * is needed to notice that a state is there already, and the tree of predecessors is read in one direction.  (Where they do not, in
 * depth-first orders, a predecessor is moved to its place in the row; where ways were shortened it may come too late and stands twice, which costs a step.)
 *
 * Then the states are made in the opposite order, from the smallest number up: each from its predecessor's by one step.  A state is
 * kept until its last child is made; steps from one state follow each other.
 *
 * The forest takes what memory it is given; if that is too little for all wants, half of them are tried first, and so on; one whose way alone
 * is too long is walked by looking up each of its states anew (quadratic, but it needs nothing).  So finding a state never fails for lack of memory of
 * the store's own. */
#include "store/comback.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_NODES = 64, FIRST_SLOTS = 2, KEEP = 6, SOON = 8, LITTLE = 4096 /* bytes */ };

/* How many states the forest may have: a share of those stored. */
static size_t most_nodes(const struct comback *s) { return 4096 + s->tree.count / 32; }

int comback_rebuild_open(struct comback *s) {
  s->nodes = s->slots_used = 0;
  s->free_slot = 0;
  s->node_room = FIRST_NODES;
  s->slot_room = FIRST_SLOTS;
  s->node = blocks_alloc(&s->blocks, s->node_room * sizeof *s->node);
  s->queue = blocks_alloc(&s->blocks, s->node_room * sizeof *s->queue);
  s->state = blocks_alloc(&s->blocks, s->slot_room * s->stride * sizeof *s->state);
  return s->node && s->queue && s->state ? 0 : -1;
}

void comback_rebuild_close(struct comback *s, struct blocks *blocks) {
  blocks_free(blocks, s->node);
  blocks_free(blocks, s->queue);
  blocks_free(blocks, s->state);
}

/* Back to the little that it was opened with. */
int comback_rebuild_shrink(struct comback *s) {
  int any = 0;
  if (s->node_room > 16 * FIRST_NODES) {
    s->node = blocks_resize(&s->blocks, s->node, FIRST_NODES * sizeof *s->node);
    s->queue = blocks_resize(&s->blocks, s->queue, FIRST_NODES * sizeof *s->queue);
    s->node_room = FIRST_NODES;
    any = 1;
  }
  if (s->slot_room > FIRST_SLOTS && s->slot_room * s->stride * sizeof *s->state > LITTLE) {
    s->state = blocks_resize(&s->blocks, s->state, FIRST_SLOTS * s->stride * sizeof *s->state);
    s->slot_room = FIRST_SLOTS;
    any = 1;
  }
  return any;
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

/* ---- places for states ------------------------------------------------------------------- */

static uint32_t *slot_state(const struct comback *s, uint32_t slot) { return s->state + (size_t)(slot - 1) * s->stride; }

/* A place for a state: its number + 1, or 0: no memory. Free ones are a list through their first words. */
static uint32_t take_slot(struct comback *s) {
  if (s->free_slot) {
    uint32_t slot = s->free_slot;
    s->free_slot = *slot_state(s, slot);
    return slot;
  }
  if (s->slots_used == s->slot_room) {
    size_t room = 2 * s->slot_room;
    uint32_t *states = room < UINT32_MAX / 4 ? blocks_resize(&s->blocks, s->state, room * s->stride * sizeof *states) : NULL;
    if (!states) return 0;
    s->state = states;
    s->slot_room = room;
  }
  return (uint32_t)++s->slots_used;
}

static void give_slot(struct comback *s, uint32_t slot) {
  *slot_state(s, slot) = s->free_slot;
  s->free_slot = slot;
}

/* ---- the forest -------------------------------------------------------------------------- */

enum { NO_ROOM = 1 };

/* Twice as large. 0, or NO_ROOM. */
static int grow_forest(struct comback *s) {
  size_t room = 2 * s->node_room;
  if (room >= UINT32_MAX / 4 || (room > most_nodes(s) && s->nodes > 1024)) return NO_ROOM;
  struct comback_node *node = blocks_resize(&s->blocks, s->node, room * sizeof *node);
  if (node) s->node = node;
  uint32_t *queue = node ? blocks_resize(&s->blocks, s->queue, room * sizeof *queue) : NULL;
  if (!queue) return NO_ROOM;
  s->queue = queue;
  s->node_room = room;
  return 0;
}

/* Where the state of a new node comes from. 0, NO_ROOM. */
static int find_source(struct comback *s, struct comback_node *n) {
  const struct comback_known *k = &s->known;
  if (comback_in_window(k, n->number)) {
    n->kind = COMBACK_IN_WINDOW;
    return 0;
  }
  const uint8_t *cached = comback_known(k, n->number);
  if (cached) { /* copied at once: its place in the cache may be another's before its turn comes */
    n->kind = COMBACK_COPIED;
    n->slot = take_slot(s);
    if (!n->slot) return NO_ROOM;
    memset(slot_state(s, n->slot), 0, s->stride * sizeof *s->state);
    memcpy(slot_state(s, n->slot), cached, s->record);
    return 0;
  }
  struct comback_back b = comback_tree_back(&s->tree, n->number);
  n->kind = b.parent == COMBACK_NOBODY ? COMBACK_ROOT : COMBACK_BY_STEP;
  n->edge = b.edge;
  n->exceptional = b.exceptional != 0;
  n->above = b.parent;
  return 0;
}

/* A node waits for its predecessor to come into the forest; the row is sorted, largest first. */
static void enqueue(struct comback *s, size_t head, size_t *tail, uint32_t node) {
  size_t at = (*tail)++;
  for (; at > head && s->node[s->queue[at - 1]].above < s->node[node].above; at--) s->queue[at] = s->queue[at - 1];
  s->queue[at] = node;
  comback_tree_expect(&s->tree, s->node[node].above);
  comback_known_prefetch(&s->known, s->node[node].above);
  if (*tail - head > SOON) comback_tree_expect_soon(&s->tree, s->node[s->queue[head + SOON]].above);
}

/* The ways to all wants. 0, or NO_ROOM. */
static int build(struct comback *s, const struct comback_want *want, size_t count) {
  size_t head = 0, tail = 0;
  s->nodes = s->slots_used = 0;
  s->free_slot = 0;
  while (count || head < tail) {
    int wanted = count && (head == tail || want[count - 1].number >= s->node[s->queue[head]].above);
    uint64_t number = wanted ? want[count - 1].number : s->node[s->queue[head]].above;
    if (s->nodes == s->node_room && grow_forest(s)) return NO_ROOM;
    uint32_t index = (uint32_t)s->nodes;
    struct comback_node *n = &s->node[s->nodes++];
    *n = (struct comback_node){.number = number};
    while (count && want[count - 1].number == number) count--;
    if (wanted) n->want = (uint32_t)count + 1;
    for (; head < tail && s->node[s->queue[head]].above == number; head++) {
      struct comback_node *child = &s->node[s->queue[head]];
      child->parent = index;
      n->children++;
      if (n->height <= child->height && child->height < UINT16_MAX) n->height = (uint16_t)(child->height + 1);
    }
    if (find_source(s, n)) return NO_ROOM;
    if (n->kind == COMBACK_BY_STEP) enqueue(s, head, &tail, index);
  }
  return 0;
}

struct telling {
  const struct comback_want *want;
  size_t count;
  comback_visit *visit;
  void *context;
};

static void tell(struct comback *s, const struct comback_node *n, const struct telling *t, const uint32_t *state) {
  if (!n->want) return;
  for (size_t i = n->want - 1; i < t->count && t->want[i].number == n->number; i++) t->visit(s, &t->want[i], state, t->context);
  s->stats->rebuilds++;
}

/* Makes all states of the forest. 0; NO_ROOM; -1: a step could not be taken. */
static int descend(struct comback *s, const struct telling *t) {
  for (size_t i = s->nodes; i-- > 0;) {
    struct comback_node *n = &s->node[i], *parent = n->kind == COMBACK_BY_STEP ? &s->node[n->parent] : NULL;
    if (n->children && !n->slot && !(n->slot = take_slot(s))) return NO_ROOM;
    uint32_t *state = n->slot ? slot_state(s, n->slot) : comback_scratch(s, 1);
    if (parent) {
      if (take(s, slot_state(s, parent->slot), n->number, n->edge, n->exceptional, state)) return -1;
      if (--parent->children == 0) give_slot(s, parent->slot);
      if (n->height >= KEEP) comback_cache_add(&s->known, n->number, state);
    } else if (n->kind != COMBACK_COPIED && !comback_load(s, n->number, state)) return -1;
    tell(s, n, t, state);
    if (n->slot && !n->children) give_slot(s, n->slot);
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

/* Somebody may be told twice, if memory ends in between: what is told is the same. */
int comback_rebuild(struct comback *s, struct comback_want *want, size_t count, comback_visit *visit, void *context) {
  qsort(want, count, sizeof *want, by_number);
  for (size_t done = 0, go = count; done < count;) {
    struct telling t = {want + done, go, visit, context};
    int status = build(s, t.want, t.count);
    if (!status) status = descend(s, &t);
    if (status < 0) return -1;
    if (!status) {
      done += go;
      if (go > count - done) go = count - done;
      continue;
    }
    if (t.want[0].number != t.want[go - 1].number) {
      go = (go + 1) / 2;
      continue;
    }
    uint32_t *state = comback_scratch(s, 0);
    if (find_slowly(s, t.want[0].number, state)) return -1;
    for (size_t i = 0; i < go; i++) visit(s, &t.want[i], state, context);
    done += go;
    if (go > count - done) go = count - done;
  }
  return 0;
}
