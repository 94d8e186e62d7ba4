/* comback_adopt.c -- what a breadth-first search asks of ComBack beside put: loads of waiting states, ways, and a tree to take over.
 *
 * A waiting set of numbers (variant 4) is read in loads: numbers that follow each other have most of their ancestors in common, so a load costs little more
 * steps than it has states.  What the window holds is copied.
 *
 * Adoption.  A breadth-first search has a tree of all its states in a few bits each (spanning.h), and that tree is half of this store.  So a run that began
 * with another store and is short of memory hands its tree over, and what remains to be made is the table: every state is hashed once, in order.
 * The states come from the old store as long as both fit; otherwise the old store is closed before, and they are found again by taking all steps of the tree once
 * (as for a wider layout), which needs nothing but the tree and a few layers of states.  Either way numbers stay, so paths and whatever was
 * noted by number stay right. */
#include "store/comback.h"

#include <assert.h>
#include <string.h>

/* ---- loads --------------------------------------------------------------------------------- */

struct load {
  uint64_t first;
  uint32_t *states;
  size_t stride;
};

static void keep_in_load(struct comback *s, const struct comback_want *w, const uint32_t *state, void *context) {
  const struct load *l = context;
  memcpy(l->states + (w->number - l->first) * l->stride, state, s->words * sizeof *state);
}

int comback_get_batch(struct store *base, store_ref first, size_t count, uint32_t *states, size_t stride) {
  struct comback *s = (struct comback *)base;
  struct load load = {first, states, stride};
  assert(first + count <= s->tree.count);
  struct comback_want *want = blocks_alloc(&s->blocks, count * sizeof *want);
  size_t wants = 0;
  int status = 0;
  for (size_t i = 0; i < count && !status; i++) {
    const uint8_t *full = comback_known(&s->known, first + i);
    uint32_t *state = states + i * stride;
    memset(state, 0, s->words * sizeof *state);
    if (full) memcpy(state, full, s->record);
    else if (want) want[wants++] = (struct comback_want){first + i, 0};
    else status = base->type->get(base, first + i, state, NULL); /* without memory one by one */
  }
  if (wants && !status) status = comback_rebuild(s, want, wants, keep_in_load, &load);
  blocks_free(&s->blocks, want);
  comback_rebuild_shrink(s);
  return status;
}

/* ---- ways ----------------------------------------------------------------------------------- */

int comback_origin(const struct store *base, store_ref ref, store_ref *parent, uint32_t *edge) {
  const struct comback *s = (const struct comback *)base;
  assert(base->ways && ref < s->tree.count);
  struct comback_back b = comback_tree_origin(&s->tree, ref);
  *parent = b.parent;
  *edge = b.edge;
  return b.parent == COMBACK_NOBODY ? -1 : 0;
}

/* ---- adoption -------------------------------------------------------------------------------- */

static int keep_in_full(struct comback *s, uint64_t number, const uint32_t *state) {
  return comback_root_add(&s->known, state) || comback_tree_make_root(&s->tree, number, s->known.root_count - 1) ? -1 : 0;
}

/* The next state, in order. 0, or -1: no memory. */
static int enter_adopted(void *context, store_ref number, const uint32_t *state) {
  struct comback *s = context;
  if (fragments_add(&s->table, comback_hash(s, state), number)) return -1;
  return number && comback_milestone(s, spanning_parent(&s->tree.spanning, number), number) ? keep_in_full(s, number, state) : 0;
}

/* All states as the other store has them; those that wait stay in the window. */
static int enter_given(struct comback *s, store_give *give, void *context) {
  uint32_t *state = comback_scratch(s, 2);
  int status = 0;
  for (uint64_t n = 0; n < s->tree.count && !status; n++) {
    memset(state, 0, s->stride * sizeof *state);
    status = give(context, n, state) || (!n && keep_in_full(s, 0, state)) || enter_adopted(s, n, state) ? -1 : 0;
    if (n >= s->tree.spanning.expanded && !(s->variants & COMBACK_NUMBERS)) comback_window_add(&s->known, n, state);
  }
  return status;
}

/* The same by steps. A small cache, should the window not be enough: what lies high on many ways is met again. */
static int enter_by_steps(struct comback *s) {
  uint32_t *state = comback_scratch(s, 2);
  uint64_t cache = s->tree.count / 5 / s->known.slot_bytes;
  if (cache * s->known.slot_bytes < mem_left(s->blocks.mem) / 8) comback_cache_resize(&s->known, cache);
  memset(state, 0, s->stride * sizeof *state);
  return s->model->initial(s->model->context, state) || keep_in_full(s, 0, state) || comback_tell_all(s, enter_adopted, s) ? -1 : 0;
}

int comback_adopt(struct store *base, struct spanning *tree, store_give *give, void *context) {
  struct comback *s = (struct comback *)base;
  if (!base->ways || s->tree.count || !tree->states) return -1;
  spanning_close(&s->tree.spanning);
  s->tree.spanning = *tree;
  s->tree.count = tree->states;
  spanning_retag(&s->tree.spanning, MEM_STORE);
  int status = give ? enter_given(s, give, context) : enter_by_steps(s);
  if (status) { /* the store is of no more use, the tree is */
    spanning_retag(&s->tree.spanning, tree->bits.tag);
    *tree = s->tree.spanning;
    s->tree.count = s->tree.exceptions.count = s->tree.roots = 0;
    comback_known_drop(&s->known);
  }
  spanning_open(status ? &s->tree.spanning : tree, s->blocks.mem, status ? MEM_STORE : tree->bits.tag);
  return status;
}
