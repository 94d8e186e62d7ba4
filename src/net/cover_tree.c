/* cover_tree.c -- the tree of labels: comparing, accelerating, forgetting.
 *
 * Comparisons are the work of a coverability analysis.  Most new labels are old ones: a table by
 * hash finds the equal ones (it may forget, and is never believed without looking).  For the
 * others, three filters come before a full comparison:
 *
 *   group      only labels that agree on the places of semiflows can be comparable (cover_net.c);
 *              a hash of these values finds the group
 *   signature  128 bits, each "this place has at least n tokens" (or one of these places has);
 *              m <= m' needs signature(m) within signature(m'); they lie in one array
 *              per group
 *   blocks     labels are bytes while no count is above 254 (widened once, all together), compared
 *              16 at a time with an early way out
 *
 * To accelerate, a new label wants its ancestors that it covers.  Where the group is smaller than
 * the branch is long, the members of the group are tried and asked whether they are
 * ancestors: each node has one jump pointer (Myers 1983, skew-binary), so any ancestor is
 * O(log depth) away.  Otherwise the branch is walked.
 *
 * A node that is inactive, not waiting, without children and without an event has told all it
 * knows and is freed, then perhaps its parent too. */
#include "net/cover.h"

#include "base/hash.h"

#include <string.h>

int cover_tree_open(struct cover_tree *t, const struct cover_net *net, struct mem *m) {
  *t = (struct cover_tree){.mem = m, .net = net, .free_node = COVER_NONE, .width = 1};
  t->stride = ((size_t)net->slots + 15) / 16 * 16;
  region_open(&t->nodes, m, MEM_ANALYSIS);
  region_open(&t->labels, m, MEM_ANALYSIS);
  t->encoded = mem_alloc(m, MEM_ANALYSIS, t->stride * 4);
  if (t->encoded) return 0;
  cover_tree_close(t);
  return -1;
}

void cover_tree_close(struct cover_tree *t) {
  if (!t->mem) return;
  for (size_t g = 0; g < t->groups.count; g++)
    if (t->groups.at[g].room) mem_free(t->mem, t->groups.at[g].many);
  vec_free(&t->groups, t->mem);
  mem_free(t->mem, t->group_slot);
  vec_free(&t->events, t->mem);
  vec_free(&t->event_slots, t->mem);
  mem_free(t->mem, t->encoded);
  mem_free(t->mem, t->recent);
  region_close(&t->nodes);
  region_close(&t->labels);
  *t = (struct cover_tree){0};
}

/* ---- labels --------------------------------------------------------------------------- */

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint64_t pair __attribute__((vector_size(16)));

/* a <= b in every slot; rows are padded with zeros to 16 bytes and aligned. */
static int below(const struct cover_tree *t, const uint8_t *a, const uint8_t *b) {
  if (t->width == 1) {
    for (size_t i = 0; i < t->stride; i += 16) {
      pair more = (pair)(*(const bytes16 *)(const void *)(a + i) > *(const bytes16 *)(const void *)(b + i));
      if (more[0] | more[1]) return 0;
    }
  } else {
    for (size_t i = 0; i < t->stride; i += 16) {
      pair more = (pair)(*(const words4 *)(const void *)(a + i) > *(const words4 *)(const void *)(b + i));
      if (more[0] | more[1]) return 0;
    }
  }
  return 1;
}

static uint8_t *row_of(const struct cover_tree *t, uint32_t id) { return t->labels.base + (size_t)id * t->stride; }

void cover_label(const struct cover_tree *t, uint32_t id, uint32_t *out) {
  for (uint32_t s = 0; s < t->net->slots; s++) out[s] = cover_value(t, id, s);
}

/* Four bytes per slot from now on. Rows move apart, so the last goes first; within a row, the last slot. 0 or -1. */
static int widen(struct cover_tree *t) {
  size_t old = t->stride, stride = old * 4;
  if (region_resize(&t->labels, (size_t)t->node_count * stride)) return -1;
  for (uint32_t id = t->node_count; id-- > 0;) {
    const uint8_t *from = t->labels.base + (size_t)id * old;
    uint32_t *to = (uint32_t *)(void *)(t->labels.base + (size_t)id * stride);
    for (size_t s = old; s-- > 0;) to[s] = from[s] == 255 ? COVER_OMEGA : from[s];
  }
  t->width = 4;
  t->stride = stride;
  return 0;
}

/* m into t->encoded, widening if it does not fit. 0 or -1. */
static int encode(struct cover_tree *t, const uint32_t *m) {
  uint32_t slots = t->net->slots;
  if (t->width == 1) {
    int fits = 1;
    for (uint32_t s = 0; s < slots; s++) {
      fits &= m[s] < 255 || m[s] == COVER_OMEGA;
      t->encoded[s] = m[s] == COVER_OMEGA ? 255 : (uint8_t)m[s];
    }
    if (fits) return 0;
    memset(t->encoded, 0, t->stride);
    if (widen(t)) return -1;
  }
  memcpy(t->encoded, m, slots * sizeof *m);
  return 0;
}

/* Bits are dealt to the loose slots in turn, each round for another threshold; slots beyond 128 share the bits of
   the first round. */
static struct cover_signature signature_of(const struct cover_tree *t, const uint32_t *m) {
  static const uint32_t thresholds[] = {1, 2, COVER_OMEGA, 3, 4, 6, 8, 12, 16, 32, 64, 128};
  struct cover_signature signature = {{0, 0}};
  uint32_t loose = t->net->loose, bit = 0;
  for (size_t round = 0; round < sizeof thresholds / sizeof *thresholds; round++) {
    if (round && bit + loose > 128) break;
    for (uint32_t s = 0; s < loose; s++, bit++)
      signature.bits[bit >> 6 & 1] |= (uint64_t)(m[s] >= thresholds[round]) << (bit & 63);
  }
  return signature;
}

/* Has a every bit that b has? Only then b <= a is possible. */
static int has(struct cover_signature a, struct cover_signature b) {
  return !((b.bits[0] & ~a.bits[0]) | (b.bits[1] & ~a.bits[1]));
}

/* ---- groups --------------------------------------------------------------------------- */

static struct cover_member *members(struct cover_group *g) { return g->room ? g->many : &g->one; }

static uint64_t group_hash(const struct cover_tree *t, const uint32_t *m) {
  return hash_bytes(m + t->net->loose, (t->net->slots - t->net->loose) * sizeof *m);
}

static size_t group_seek(const struct cover_tree *t, uint64_t hash) {
  size_t i = hash & (t->group_slots - 1);
  while (t->group_slot[i] != COVER_NONE && t->groups.at[t->group_slot[i]].hash != hash) i = (i + 1) & (t->group_slots - 1);
  return i;
}

/* The group of this hash, made if there is none; COVER_NONE: memory. A group that lost all its members stays: another
   label of it may come. Two sets of values with the same hash share a group: comparisons look at all slots anyway. */
static uint32_t group_of(struct cover_tree *t, uint64_t hash) {
  if ((t->groups.count + 1) * 2 > t->group_slots) {
    size_t slots = t->group_slots ? t->group_slots * 2 : 64;
    uint32_t *table = mem_alloc(t->mem, MEM_ANALYSIS, slots * sizeof *table);
    if (!table) return COVER_NONE;
    mem_free(t->mem, t->group_slot);
    t->group_slot = table;
    t->group_slots = slots;
    memset(table, 0xff, slots * sizeof *table);
    for (size_t g = 0; g < t->groups.count; g++) table[group_seek(t, t->groups.at[g].hash)] = (uint32_t)g;
  }
  size_t i = group_seek(t, hash);
  if (t->group_slot[i] != COVER_NONE) return t->group_slot[i];
  if (vec_push(&t->groups, t->mem, MEM_ANALYSIS, (struct cover_group){.hash = hash})) return COVER_NONE;
  return t->group_slot[i] = (uint32_t)(t->groups.count - 1);
}

static int group_reserve(struct cover_tree *t, uint32_t group) {
  struct cover_group *g = &t->groups.at[group];
  if (g->count < (g->room ? g->room : 1)) return 0;
  uint32_t room = g->count * 2 + 2;
  struct cover_member *many = mem_resize(t->mem, MEM_ANALYSIS, g->room ? g->many : NULL, room * sizeof *many);
  if (!many) return -1;
  if (!g->room) many[0] = g->one;
  g->many = many;
  g->room = room;
  return 0;
}

static void group_remove(struct cover_tree *t, uint32_t id) {
  struct cover_group *g = &t->groups.at[cover_node(t, id)->group];
  uint32_t at = cover_node(t, id)->member;
  struct cover_member last = members(g)[--g->count];
  members(g)[at] = last;
  cover_node(t, last.node)->member = at;
}

/* ---- labels seen before ---------------------------------------------------------------- */

/* A node with exactly this label, active or not: an active one covers it anyway. */
static int seen_before(const struct cover_tree *t, uint64_t hash) {
  if (!t->recent_slots) return 0;
  uint32_t id = t->recent[hash & (t->recent_slots - 1)];
  return id != COVER_NONE && cover_node(t, id)->used && memcmp(row_of(t, id), t->encoded, t->stride) == 0;
}

static void remember(struct cover_tree *t, uint32_t id, uint64_t hash) {
  if (t->recent_slots < (size_t)t->node_count * 2) { /* grows empty: what is forgotten costs a search, not the truth */
    size_t slots = t->recent_slots ? t->recent_slots * 4 : 1024;
    uint32_t *recent = mem_alloc(t->mem, MEM_ANALYSIS, slots * sizeof *recent);
    if (recent) {
      memset(recent, 0xff, slots * sizeof *recent);
      mem_free(t->mem, t->recent);
      t->recent = recent;
      t->recent_slots = slots;
    }
  }
  if (t->recent_slots) t->recent[hash & (t->recent_slots - 1)] = id;
}

/* ---- the tree ------------------------------------------------------------------------- */

static int is_ancestor(const struct cover_tree *t, uint32_t old, uint32_t id) { /* or the node itself */
  uint32_t depth = cover_node(t, old)->depth;
  while (cover_node(t, id)->depth > depth) {
    const struct cover_node *n = cover_node(t, id);
    id = cover_node(t, n->jump)->depth >= depth ? n->jump : n->parent;
  }
  return id == old;
}

static int reserve_node(struct cover_tree *t) {
  if (t->free_node != COVER_NONE) return 0;
  size_t count = (size_t)t->node_count + 1;
  if (count >= COVER_NONE) return -1;
  size_t nodes = count * sizeof(struct cover_node), labels = count * t->stride;
  if (nodes > t->nodes.size && region_resize(&t->nodes, nodes + nodes / 2) && region_resize(&t->nodes, nodes)) return -1;
  if (labels > t->labels.size && region_resize(&t->labels, labels + labels / 2) && region_resize(&t->labels, labels)) return -1;
  return 0;
}

/* Everything that can be refused has been asked for before. */
static uint32_t new_node(struct cover_tree *t, uint32_t parent, uint32_t transition, uint32_t group,
                         struct cover_signature signature) {
  uint32_t id = t->free_node;
  if (id != COVER_NONE) t->free_node = cover_node(t, id)->parent;
  else id = t->node_count++;
  struct cover_node *n = cover_node(t, id);
  *n = (struct cover_node){.signature = signature,
                           .parent = parent,
                           .jump = id,
                           .transition = transition,
                           .group = group,
                           .event = COVER_NONE,
                           .used = 1,
                           .active = 1,
                           .waiting = 1};
  if (parent != COVER_NONE) {
    struct cover_node *p = cover_node(t, parent), *j = cover_node(t, p->jump);
    p->children++;
    n->depth = p->depth + 1;
    n->jump = p->depth - j->depth == j->depth - cover_node(t, j->jump)->depth ? j->jump : parent;
  }
  if (t->stride) memcpy(row_of(t, id), t->encoded, t->stride);
  struct cover_group *g = &t->groups.at[group];
  n->member = g->count;
  members(g)[g->count++] = (struct cover_member){signature, id};
  t->active++;
  return id;
}

void cover_release(struct cover_tree *t, uint32_t id) {
  while (id != COVER_NONE) {
    struct cover_node *n = cover_node(t, id);
    if (n->active || n->waiting || n->pinned || n->children) return;
    uint32_t parent = n->parent;
    group_remove(t, id);
    n->used = 0;
    n->parent = t->free_node;
    t->free_node = id;
    if (parent != COVER_NONE) cover_node(t, parent)->children--;
    id = parent;
  }
}

/* m is larger than the label of its ancestor: the slots where it grew become omega. 1 if there were any, 0, or -1. */
static int accelerate(struct cover_tree *t, uint32_t *m, uint32_t ancestor) {
  size_t first = t->event_slots.count;
  for (uint32_t s = 0; s < t->net->loose; s++) {
    if (m[s] == COVER_OMEGA || m[s] == cover_value(t, ancestor, s)) continue;
    if (vec_push(&t->event_slots, t->mem, MEM_ANALYSIS, s)) return -1;
    m[s] = COVER_OMEGA;
  }
  uint32_t count = (uint32_t)(t->event_slots.count - first);
  if (!count) return 0;
  return vec_push(&t->events, t->mem, MEM_ANALYSIS,
                  (struct cover_event){COVER_NONE, ancestor, (uint32_t)first, count, COVER_NONE})
             ? -1
             : 1;
}

/* The deepest ancestor (parent or above) that t->encoded strictly covers with a gain; accelerates. 1, 0, or -1. */
static int accelerate_once(struct cover_tree *t, uint32_t *m, struct cover_signature signature, uint32_t parent, uint32_t group) {
  struct cover_group *g = &t->groups.at[group];
  uint32_t found = COVER_NONE;
  if (g->count <= cover_node(t, parent)->depth) {
    for (uint32_t i = 0; i < g->count; i++) {
      const struct cover_member *x = &members(g)[i];
      if (!has(signature, x->signature) || cover_node(t, x->node)->depth > cover_node(t, parent)->depth) continue;
      if (found != COVER_NONE && cover_node(t, x->node)->depth <= cover_node(t, found)->depth) continue;
      if (below(t, row_of(t, x->node), t->encoded) && is_ancestor(t, x->node, parent)) {
        int gain = 0; /* covered ones that differ only where m has omega already give nothing */
        for (uint32_t s = 0; s < t->net->loose && !gain; s++) gain = m[s] != COVER_OMEGA && m[s] != cover_value(t, x->node, s);
        if (gain) found = x->node;
      }
    }
    return found == COVER_NONE ? 0 : accelerate(t, m, found);
  }
  for (uint32_t id = parent; id != COVER_NONE; id = cover_node(t, id)->parent) {
    const struct cover_node *n = cover_node(t, id);
    if (n->group != group || !has(signature, n->signature) || !below(t, row_of(t, id), t->encoded)) continue;
    int gained = accelerate(t, m, id);
    if (gained) return gained;
  }
  return 0;
}

static int covered(struct cover_tree *t, struct cover_signature signature, uint32_t group) {
  struct cover_group *g = &t->groups.at[group];
  const struct cover_member *x = members(g), *end = x + g->count;
  for (; x < end; x++) {
    if (has(x->signature, signature) && cover_node(t, x->node)->active && below(t, t->encoded, row_of(t, x->node))) return 1;
  }
  return 0;
}

static void deactivate_covered(struct cover_tree *t, struct cover_signature signature, uint32_t group) {
  struct cover_group *g = &t->groups.at[group];
  const struct cover_member *list = members(g); /* does not move: the list only shrinks here */
  for (uint32_t i = g->count; i-- > 0;) { /* backwards: a freed node's place is taken by the last one, which was looked at */
    if (!has(signature, list[i].signature)) continue;
    if (i >= g->count) continue; /* several went at once */
    struct cover_member x = list[i];
    struct cover_node *n = cover_node(t, x.node);
    if (!n->active || !below(t, row_of(t, x.node), t->encoded)) continue;
    n->active = 0;
    t->active--;
    cover_release(t, x.node);
  }
}

enum cover_answer cover_add(struct cover_tree *t, uint32_t *m, uint32_t parent, uint32_t transition, uint32_t *id) {
  size_t events = t->events.count, event_slots = t->event_slots.count;
  struct cover_signature signature;
  enum cover_answer answer = COVER_MEMORY;
  uint32_t group = group_of(t, group_hash(t, m));
  if (group == COVER_NONE) return COVER_MEMORY;
  uint64_t hash = 0;
  for (;;) { /* each round adds at least one omega */
    if (encode(t, m)) goto undo;
    if (t->net->loose) {
      hash = hash_bytes(m, t->net->slots * sizeof *m);
      if (seen_before(t, hash)) {
        answer = COVER_COVERED;
        goto undo;
      }
    }
    signature = signature_of(t, m);
    if (covered(t, signature, group)) {
      answer = COVER_COVERED;
      goto undo;
    }
    int gained = parent != COVER_NONE && t->net->loose ? accelerate_once(t, m, signature, parent, group) : 0;
    if (gained < 0) goto undo;
    if (!gained) break;
  }
  if (reserve_node(t) || group_reserve(t, group)) goto undo;
  /* The parent may be among those covered; while it waits it is not freed. */
  deactivate_covered(t, signature, group);
  *id = new_node(t, parent, transition, group, signature);
  if (t->net->loose) remember(t, *id, hash);
  struct cover_node *n = cover_node(t, *id);
  for (size_t e = t->events.count; e-- > events;) { /* linked from the last, so that the first comes first */
    t->events.at[e].node = *id;
    t->events.at[e].next = n->event;
    n->event = (uint32_t)e;
    n->pinned = 1;
  }
  return COVER_ADDED;
undo:
  t->events.count = events;
  t->event_slots.count = event_slots;
  return answer;
}
