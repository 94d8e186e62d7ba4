/* thrift.c -- partial orders: of the bindings that are enabled, some that need be tried (model.h: thrift).
 *
 * Stubborn sets (model/stubborn.h) over bindings, not over transitions: two bindings of one transition have nothing to do with each other if they take tokens of different colours.  All bindings that can ever happen are
 * foreseen (foreseen.h), as transitions of an unfolding of which the places are cells; what they have to do with each other is what net/dependence.h says of such a net.
 *
 * What is asked: states without successors; conditions on markings, for which the set has all bindings that change a place of which the condition speaks; run-time errors, if no binding that is foreseen can go wrong, so that there are
 * none; and whole runs, of which bindings that change such a place are seen (dependence.h: sticky, stubborn.h: avoid).
 *
 * Not with time, where everything depends on the clock, nor with priorities, where it depends on everything, nor with inhibitor and reset arcs. */
#include "colour/foreseen.h"

#include "model/expr.h"
#include "model/stubborn.h"

#include <stdio.h>
#include <string.h>

struct model_thrift {
  struct colour_model *m;
  struct mem *mem;
  struct foreseen *f; /* the model's */
  uint8_t *seen; /* per binding: it changes a place that is looked at */
  struct vec(uint32_t) wanted; /* those, if states are looked for */
  uint8_t *avoid; /* of runs; NULL otherwise */
  struct stubborn *stubborn;
  struct colour_cursor *cursor;
  struct vec(uint32_t) enabled;
  uint32_t *of_leaf; /* per leaf of the model's tree of bindings: its number here + 1; 0 = not asked yet */
  size_t leaves;
  uint64_t dropped; /* that tree is of */
};

/* ---- opening --------------------------------------------------------------------------------------------------------------------- */

static const char *refusal(const struct colour_model *m) {
  const struct net *net = m->net;
  if (net->timed) return "the net has time";
  if (m->by_priority) return "the net has priorities";
  if (m->draws) return "the net draws random numbers";
  for (size_t t = 0; t < net->transitions.count; t++)
    if (net->transitions.at[t].draws) return "the net draws random values"; /* a binding is known by its variables there, and has one outcome */
  for (size_t a = 0; a < net->arcs.count; a++)
    if (net->arcs.at[a].kind == DRAWING_INHIBITOR || net->arcs.at[a].kind == DRAWING_RESET) return "the net has inhibitor or reset arcs";
  return NULL;
}

/* Found once for the model, and once more for markings in which colours were exchanged. 0, 1, -1. */
static int foresee(struct model_thrift *t, const struct model_aims *aims, char *why, size_t room) {
  struct colour_model *m = t->m;
  struct foreseen **slot = &m->foreseen[aims->permuted != 0];
  struct model_likeness *like = NULL;
  char quiet[200];
  int status = 0;
  if (!*slot) {
    if (aims->permuted) status = colour_symmetry.open(&like, &m->base, aims, t->mem, quiet, sizeof quiet);
    if (!status) status = foreseen_open(slot, m, like, why, room);
    if (like) colour_symmetry.close(like);
  }
  t->f = *slot;
  return status;
}

/* Which places the expressions speak of. 1: that cannot be told. */
static int mark_places(const struct colour_model *m, const struct model_aims *aims, uint8_t *place) {
  for (size_t i = 0; i < aims->exprs; i++) {
    const struct expr *e = aims->expr[i];
    int64_t condition = e ? expr_condition(e) : -1;
    if (condition >= 0) {
      const struct colour_condition *c = &m->conditions.at[condition];
      for (uint32_t k = 0; k < c->places; k++) place[c->place[k]] = 1;
      continue;
    }
    size_t count;
    if (!e || expr_needs_cursor(e)) return 1;
    const uint32_t *var = expr_vars(e, &count);
    for (size_t k = 0; k < count; k++)
      if (var[k] < m->net->places.count) place[var[k]] = 1;
  }
  return 0;
}

static int find_seen(struct model_thrift *t, const struct model_aims *aims) {
  const struct foreseen *f = t->f;
  uint8_t *place = mem_alloc(t->mem, MEM_SEARCH, t->m->net->places.count + 1);
  t->seen = mem_alloc(t->mem, MEM_SEARCH, f->binding.count + 1);
  if (aims->runs) t->avoid = mem_alloc(t->mem, MEM_SEARCH, f->binding.count + 1);
  int status = !place || !t->seen || (aims->runs && !t->avoid) ? -1 : mark_places(t->m, aims, place);
  for (uint32_t b = 0; b < f->binding.count && !status; b++) {
    uint32_t cell;
    int64_t change;
    for (struct pt_effects it = pt_effects(&f->net, b); pt_effect(&it, &cell, &change);) t->seen[b] |= place[f->cell.at[cell].place];
    if (t->avoid) t->avoid[b] = t->seen[b] || f->dependence.sticky[b];
    else if (t->seen[b] && vec_push(&t->wanted, t->mem, MEM_SEARCH, b)) status = -1;
  }
  mem_free(t->mem, place);
  return status;
}

int colour_thrift_open(struct model_thrift **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  struct colour_model *m = (struct colour_model *)(uintptr_t)base; /* what is foreseen stays with it */
  const char *refused = refusal(m);
  *out = NULL;
  why[0] = 0;
  if (refused) {
    snprintf(why, room, "%s", refused);
    return 1;
  }
  struct model_thrift *t = mem_alloc(mem, MEM_SEARCH, sizeof *t);
  if (!t) return -1;
  t->m = m;
  t->mem = mem;
  int status = foresee(t, aims, why, room);
  if (!status && aims->errors && t->f->faults) {
    snprintf(why, room, "some inscription may go wrong, and run-time errors are asked for");
    status = 1;
  }
  if (!status && aims->permuted && aims->runs) { /* which bindings every cycle has is told by an order of cells, which is not the same for all colours */
    snprintf(why, room, "of whole runs it is not used beside symmetry");
    status = 1;
  }
  if (!status && (status = find_seen(t, aims)) > 0) snprintf(why, room, "what is asked is about what can happen");
  if (!status) status = stubborn_open(&t->stubborn, &t->f->dependence, t->avoid, mem);
  if (!status) {
    *out = t;
    return 0;
  }
  colour_thrift_close(t);
  return status;
}

void colour_thrift_close(struct model_thrift *t) {
  if (!t) return;
  stubborn_close(t->stubborn);
  mem_free(t->mem, t->seen);
  mem_free(t->mem, t->avoid);
  mem_free(t->mem, t->of_leaf);
  vec_free(&t->wanted, t->mem);
  vec_free(&t->enabled, t->mem);
  mem_free(t->mem, t);
}

/* ---- a state --------------------------------------------------------------------------------------------------------------------- */

/* Are so many tokens in the cell? */
static int guard(void *context, uint32_t g) {
  struct model_thrift *t = context;
  const struct foreseen_cell *c = &t->f->cell.at[t->f->guard[g].place];
  struct bag bag = colour_marking(t->cursor, c->place);
  for (size_t e = 0; e < bag.words; e += 2)
    if (bag.at[e] == c->value) return bag.at[e + 1] >= t->f->guard[g].weight;
  return 0;
}

/* 0; 1: it was not foreseen, which cannot be; -1: memory. */
static int number_of(struct model_thrift *t, uint32_t leaf, uint32_t *out) {
  const struct bind *b = &t->m->bind;
  if (t->dropped != b->dropped) {
    if (t->leaves) memset(t->of_leaf, 0, t->leaves * sizeof *t->of_leaf);
    t->dropped = b->dropped;
  }
  if (leaf >= t->leaves) {
    size_t room = t->leaves ? t->leaves : 256;
    while (room <= leaf) room *= 2;
    uint32_t *more = mem_resize(t->mem, MEM_SEARCH, t->of_leaf, room * sizeof *more);
    if (!more) return -1;
    memset(more + t->leaves, 0, (room - t->leaves) * sizeof *more);
    t->of_leaf = more;
    t->leaves = room;
  }
  if (!t->of_leaf[leaf]) t->of_leaf[leaf] = foreseen_find(t->f, t->m->net, bind_node(b, leaf)->transition, bind_env(b, bind_node(b, leaf))) + 1;
  *out = t->of_leaf[leaf] - 1;
  return *out == UINT32_MAX;
}

int colour_thrift_choose(struct model_thrift *t, struct model_cursor *base, const struct model_batch *batch, size_t first, uint8_t *keep) {
  struct colour_cursor *c = (struct colour_cursor *)base;
  size_t count = batch->count - first;
  if (colour_note_leaves(c)) return -1;
  if (c->leaf.count != count) return 1;
  t->cursor = c;
  if (vec_reserve(&t->enabled, t->mem, MEM_SEARCH, count + 1)) return -1;
  for (size_t i = 0; i < count; i++) {
    int status = number_of(t, c->leaf.at[i], &t->enabled.at[i]);
    if (status) return status;
  }
  stubborn_begin(t->stubborn, t->enabled.at, count, guard, t);
  for (size_t i = 0; i < t->wanted.count; i++) stubborn_want(t->stubborn, t->wanted.at[i]);
  stubborn_choose(t->stubborn);
  for (size_t i = 0; i < count; i++) keep[i] = (uint8_t)stubborn_has(t->stubborn, t->enabled.at[i]);
  return 0;
}
