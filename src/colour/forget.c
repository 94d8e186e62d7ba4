/* forget.c -- tokens that nobody will look at (model.h: slice).
 *
 * A place matters if something that is asked speaks of it, or if a transition that matters looks at it: takes from it, tests it, or waits for it to be empty.  Which transitions matter depends on what is asked.  Where
 * deadlocks or run-time errors are, or whole runs, all of them do, and what is left are places that are only filled: logs, counts, heaps of what is done.  Where only states are asked, those do that change a place that matters; the others
 * lead from a marking to one that is the same as far as anybody can see.
 *
 * What stands for a marking is the same one with the other places empty.  Empty, and not as they were at first, so that exchanging colours (symmetry.c) leaves them as they are.  Places with time matter: the clock stops at
 * the stamps of their tokens.  Places that follow from emptied ones (implied.h) get fields of their own first, and so do emptied ones that follow from others: what stands for a
 * marking does not depend on whether that was known. */
#include "colour/colour_model.h"

#include "model/expr.h"

#include <stdio.h>
#include <string.h>

struct forget {
  struct model_likeness base;
  struct mem *mem;
  struct colour_model *m;
  struct vec(uint32_t) place; /* that do not matter */
  struct vec(uint32_t) odd;   /* that follow from them */
  uint64_t *lane;
  size_t lanes;
};

static int looks(const struct net_arc *a) { return a->kind != DRAWING_TO_PLACE && a->kind != DRAWING_RESET; }

/* ---- what matters ---------------------------------------------------------------------------------------------------------------- */

static int asks_all(const struct model_aims *aims) {
  int all = aims->deadlocks || aims->assertions || aims->errors || aims->runs;
  for (size_t i = 0; i < aims->exprs; i++) all |= !aims->expr[i] || (expr_condition(aims->expr[i]) < 0 && expr_needs_cursor(aims->expr[i])); /* what can happen */
  return all;
}

static void mark_asked(const struct colour_model *m, const struct model_aims *aims, uint8_t *matters) {
  for (size_t i = 0; i < aims->exprs; i++) {
    int64_t condition = aims->expr[i] ? expr_condition(aims->expr[i]) : -1;
    size_t count = 0;
    const uint32_t *var = NULL;
    if (condition >= 0) var = m->conditions.at[condition].place, count = m->conditions.at[condition].places;
    else if (aims->expr[i]) var = expr_vars(aims->expr[i], &count);
    for (size_t k = 0; k < count; k++)
      if (var[k] < m->net->places.count) matters[var[k]] = 1;
  }
}

/* Does it change a place that matters? A test leaves it as it is. */
static int transition_matters(const struct net *net, const struct net_transition *t, const uint8_t *matters) {
  for (uint32_t a = 0; a < t->arcs; a++) {
    const struct net_arc *arc = &net->arcs.at[t->arc + a];
    if (arc->kind != DRAWING_TEST && arc->kind != DRAWING_INHIBITOR && matters[arc->place]) return 1;
  }
  return 0;
}

static void find_matters(const struct colour_model *m, const struct model_aims *aims, uint8_t *matters) {
  const struct net *net = m->net;
  int all = asks_all(aims) || m->by_priority || net->timed; /* then whether one may happen depends on the others */
  for (size_t p = 0; p < net->places.count; p++) matters[p] = net->places.at[p].markings.each == 4;
  mark_asked(m, aims, matters);
  for (int any = 1; any;) {
    any = 0;
    for (size_t t = 0; t < net->transitions.count; t++) {
      const struct net_transition *at = &net->transitions.at[t];
      if (!all && !transition_matters(net, at, matters)) continue;
      for (uint32_t a = 0; a < at->arcs; a++) {
        const struct net_arc *arc = &net->arcs.at[at->arc + a];
        if (!looks(arc) || matters[arc->place]) continue;
        matters[arc->place] = 1;
        any = 1;
      }
    }
  }
}

/* ---- opening --------------------------------------------------------------------------------------------------------------------- */

static void close_forget(struct model_likeness *l) {
  struct forget *f = (struct forget *)l;
  if (!f) return;
  vec_free(&f->place, f->mem);
  vec_free(&f->odd, f->mem);
  mem_free(f->mem, f->lane);
  mem_free(f->mem, f);
}

/* A place that has a number in states, or whose slices have, can be emptied; what is computed from such a number cannot be any more. */
static int find_places(struct forget *f, const uint8_t *matters) {
  struct net *net = f->m->net;
  struct implied *im = &f->m->implied;
  for (uint32_t p = 0; p < net->places.count; p++)
    if (!matters[p] && vec_push(&f->place, f->mem, MEM_SEARCH, p)) return -1;
  for (uint32_t q = 0; im->dropped && q < net->places.count; q++) {
    const struct implied_place *at = &im->place[q];
    int odd = !matters[q]; /* it can be emptied only where it has a field */
    if (!implied_has(im, q) || at->slices) continue;
    for (uint32_t s = 0; s < at->sources; s++) odd |= !matters[at->source[s]];
    if (!odd) continue;
    implied_breaks(im, q);
    if (vec_push(&f->odd, f->mem, MEM_SEARCH, q)) return -1;
  }
  return 0;
}

static void describe(struct forget *f) {
  size_t used = 0, room = sizeof f->base.text;
  used = (size_t)snprintf(f->base.text, room, "tokens do not matter in %s", f->m->net->places.at[f->place.at[0]].name);
  for (size_t i = 1; i < f->place.count && used + 20 < room; i++) {
    const char *name = f->m->net->places.at[f->place.at[i]].name;
    if (used + strlen(name) + 24 < room) used += (size_t)snprintf(f->base.text + used, room - used, ", %s", name);
    else {
      snprintf(f->base.text + used, room - used, " and %zu more", f->place.count - i);
      break;
    }
  }
}

static int open_forget(struct model_likeness **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  struct forget *f = mem_alloc(mem, MEM_SEARCH, sizeof *f);
  *out = NULL;
  if (!f) return -1;
  f->base.type = &colour_forget;
  f->mem = mem;
  f->m = (struct colour_model *)(uintptr_t)base;
  uint8_t *matters = mem_alloc(mem, MEM_SEARCH, f->m->net->places.count + 1);
  int status = matters ? 0 : -1;
  if (!status) {
    find_matters(f->m, aims, matters);
    status = find_places(f, matters);
  }
  mem_free(mem, matters);
  for (size_t i = 0; i < f->place.count && !status; i++) /* so that it has a number */
    if (bags_put(&f->m->net->places.at[f->place.at[i]].markings, NULL, 0) == BAGS_NONE) status = -1;
  if (!status && !f->place.count) {
    snprintf(why, room, "tokens matter in every place");
    status = 1;
  }
  if (status) {
    close_forget(&f->base);
    return status;
  }
  describe(f);
  *out = &f->base;
  return 0;
}

/* ---- a state --------------------------------------------------------------------------------------------------------------------- */

static int empty_field(struct forget *f, struct colour_cursor *c, uint32_t field) {
  struct bags *bags = &net_field_place(f->m->net, field)->markings;
  const struct fields *l = f->m->layout;
  uint32_t empty = bags_put(bags, NULL, 0);
  if (empty == BAGS_NONE) return -1;
  if (!fields_fits(l, field, empty)) {
    c->misfit = field;
    return 1;
  }
  fields_change(l, f->lane, field, fields_get(l, f->lane, field), empty);
  return 0;
}

static enum model_answer apply(struct model_likeness *base, struct model_cursor *cursor, uint32_t *state) {
  struct forget *f = (struct forget *)base;
  const struct colour_model *m = f->m;
  for (size_t i = 0; i < f->odd.count; i++)
    if (implied_has(&m->implied, f->odd.at[i])) return MODEL_WIDEN;
  if (m->layout->lanes > f->lanes || !f->lane) {
    uint64_t *lane = mem_resize(f->mem, MEM_SEARCH, f->lane, ((size_t)m->layout->lanes + 1) * sizeof *lane);
    if (!lane) return MODEL_MEMORY;
    f->lane = lane;
    f->lanes = m->layout->lanes;
  }
  fields_lanes(m->layout, state, f->lane);
  for (size_t i = 0; i < f->place.count; i++) {
    uint32_t first = f->place.at[i], parts = 1;
    if (implied_has(&m->implied, first)) parts = m->implied.place[first].slices, first = m->implied.place[first].slice;
    for (uint32_t field = first; field < first + parts; field++) {
      int status = empty_field(f, (struct colour_cursor *)cursor, field);
      if (status) return status < 0 ? MODEL_MEMORY : MODEL_WIDEN;
    }
  }
  memcpy(state, f->lane, m->layout->words * sizeof *state);
  return MODEL_OK;
}

const struct model_likeness_type colour_forget = {"slice", open_forget, apply, close_forget, NULL, NULL};
