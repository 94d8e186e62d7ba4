/* reduction.c -- see reduction.h.
 *
 * There are two ways to choose: by what actions have to do with each other (stubborn.h), where the model tells that in rows, or by the model itself (model_type.thrift_choose).
 *
 * Dressing gives the model a type of its own: a copy of the language's, in which `successors` is ours and `step`, which would number edges otherwise, is left to the generic one.  All else goes on to see
 * the language's own model and cursor.  A cursor has its scratch in `reduced`. */
#include "reduce/reduction.h"

#include "base/rng.h"
#include "model/dependence.h"
#include "model/expr_helpful.h"
#include "reduce/stubborn.h"

#include <stddef.h>
#include <string.h>

struct reduction {
  struct model *model;
  struct mem *mem;
  const struct model_type *own; /* the language's */
  struct model_type type;
  int dressed;
  const struct reduction_goal *goal;
  size_t goals;
  struct dependence dependence;
  uint8_t *avoid; /* of runs: actions that are seen, or sticky; NULL otherwise */
  struct model_aims aims; /* of models that choose themselves */
  const struct expr **seen;
};

/* What a cursor needs to choose. */
struct chooser {
  struct reduction *r;
  struct model_cursor *cursor;
  struct stubborn *stubborn;
  const uint32_t *state;
  struct model_thrift *thrift; /* NULL = by rows */
  uint8_t *keep;
  size_t room;
};

static struct reduction *reduction_of(const struct model *m) { return (struct reduction *)((char *)(uintptr_t)m->type - offsetof(struct reduction, type)); }

static int guard(void *context, uint32_t g) {
  struct chooser *c = context;
  return c->r->own->guard(c->cursor, c->state, g);
}

static void want(void *context, uint32_t action) { stubborn_want(((struct chooser *)context)->stubborn, action); }
static void want_enabled(void *context, uint32_t group) { stubborn_want_enabled(((struct chooser *)context)->stubborn, group); }
static int enabled(void *context, uint32_t group) { return stubborn_enabled(((struct chooser *)context)->stubborn, group); }

/* The model itself chooses. */
static int choose_by_model(struct chooser *c, const struct model_batch *b, size_t first) {
  size_t count = b->count - first;
  if (count > c->room) {
    uint8_t *keep = mem_resize(c->r->mem, MEM_SEARCH, c->keep, 2 * count);
    if (!keep) return -1;
    c->keep = keep;
    c->room = 2 * count;
  }
  return c->r->own->thrift_choose(c->thrift, c->cursor, b, first, c->keep);
}

/* Chooses among the successors from `first` on; 1: all of them; -1: memory. Where something went wrong all are taken. */
static int choose(struct chooser *c, const uint32_t *state, const struct model_batch *b, size_t first, size_t faults) {
  struct reduction *r = c->r;
  if (b->count - first < 2 || b->fault_count > faults) return 1;
  if (c->thrift) return choose_by_model(c, b, first);
  c->state = state;
  stubborn_begin(c->stubborn, b->group + first, b->count - first, guard, c);
  struct expr_helped helped = {&r->dependence, want, want_enabled, enabled, c};
  for (size_t i = 0; i < r->goals; i++) expr_helpful(r->goal[i].expr, r->goal[i].wanted, r->model, state, &helped);
  stubborn_choose(c->stubborn);
  return 0;
}

static int chosen(const struct chooser *c, const struct model_batch *b, size_t first, size_t i) { return c->thrift ? c->keep[i - first] : stubborn_has(c->stubborn, b->group[i]); }

static enum model_answer successors(struct model_cursor *cursor, const uint32_t *state, struct model_batch *b) {
  struct chooser *c = cursor->reduced;
  size_t first = b->count, kept = first, faults = b->fault_count;
  enum model_answer answer = reduction_of(cursor->model)->own->successors(cursor, state, b);
  if (!c || answer != MODEL_OK) return answer;
  int all = choose(c, state, b, first, faults);
  if (all < 0) {
    b->count = first;
    b->fault_count = faults;
    return MODEL_MEMORY;
  }
  if (all) return MODEL_OK;
  for (size_t i = first; i < b->count; i++) {
    if (!chosen(c, b, first, i)) continue;
    if (kept != i) {
      memcpy(b->states + kept * b->stride, b->states + i * b->stride, b->stride * sizeof *b->states);
      b->group[kept] = b->group[i];
    }
    kept++;
  }
  b->count = kept;
  return MODEL_OK;
}

static void cursor_close(struct model_cursor *cursor) {
  if (!cursor) return;
  struct reduction *r = reduction_of(cursor->model);
  struct chooser *c = cursor->reduced; /* NULL: it was opened before the model was dressed */
  if (c) {
    stubborn_close(c->stubborn);
    if (c->thrift) r->own->thrift_close(c->thrift);
    mem_free(r->mem, c->keep);
  }
  mem_free(r->mem, c);
  r->own->cursor_close(cursor);
}

static int cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  struct reduction *r = reduction_of(m);
  if (r->own->cursor_open(out, m, mem)) return -1;
  struct chooser *c = (*out)->reduced = mem_alloc(r->mem, MEM_SEARCH, sizeof *c);
  if (c) *c = (struct chooser){.r = r, .cursor = *out};
  if (c && (r->own->dependence ? stubborn_open(&c->stubborn, &r->dependence, r->avoid, r->mem) : r->own->thrift_open(&c->thrift, m, &r->aims, r->mem)) == 0) return 0;
  cursor_close(*out);
  *out = NULL;
  return -1;
}

void reduction_dress(struct reduction *r) {
  r->model->type = &r->type;
  r->dressed = 1;
}

void reduction_undress(struct reduction *r) {
  r->model->type = r->own;
  r->dressed = 0;
}

/* ---- is it worth it? ----------------------------------------------------------------------------------------------------------------------- */

enum { WALK = 600, LENGTH = 120 };

/* Of the steps of states met on random walks, how many are taken. */
static double share_taken(struct reduction *r) {
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  struct rng rng = {3};
  uint64_t taken = 0, all = 0;
  uint32_t *state = mem_alloc(r->mem, MEM_SEARCH, ((size_t)r->model->words + 4) * sizeof *state);
  reduction_dress(r);
  if (state && cursor_open(&cursor, r->model, r->mem) == 0 && model_batch_open(&batch, r->mem, r->model->words, 64) == 0)
    for (size_t step = 0, walked = LENGTH; step < WALK; step++, walked++) {
      if (walked >= LENGTH) {
        r->own->initial(r->model, state);
        walked = 0;
      }
      batch.count = batch.fault_count = 0;
      if (r->own->successors(cursor, state, &batch) != MODEL_OK) break; /* it becomes wider: what has been seen must do */
      if (!batch.count) {
        walked = LENGTH;
        continue;
      }
      struct chooser *c = cursor->reduced;
      int every = choose(c, state, &batch, 0, 0) != 0;
      for (size_t i = 0; i < batch.count; i++) taken += every || chosen(c, &batch, 0, i);
      all += batch.count;
      memcpy(state, batch.states + rng_below(&rng, batch.count) * batch.stride, r->model->words * sizeof *state);
    }
  model_batch_close(&batch);
  if (cursor) cursor_close(cursor);
  mem_free(r->mem, state);
  reduction_undress(r);
  return all ? (double)taken / (double)all : 1;
}

/* Actions that change what is seen, and those of which every cycle has one. 0 or -1 (memory). */
static int avoid_seen(struct reduction *r, const struct reduction_setup *setup) {
  const struct dependence *d = &r->dependence;
  r->avoid = mem_alloc(r->mem, MEM_SEARCH, (size_t)d->actions + 1);
  if (!r->avoid) return -1;
  memcpy(r->avoid, d->sticky, d->actions);
  for (size_t i = 0; i < setup->atoms; i++) {
    size_t count;
    const uint32_t *var = expr_vars(setup->atom[i], &count);
    for (size_t k = 0; k < count; k++) {
      for (uint32_t a = d->raise.start[var[k]]; a < d->raise.start[var[k] + 1]; a++) r->avoid[d->raise.at[a]] = 1;
      for (uint32_t a = d->lower.start[var[k]]; a < d->lower.start[var[k] + 1]; a++) r->avoid[d->lower.at[a]] = 1;
    }
  }
  return 0;
}

/* Models that tell rows: they know nothing of faults, and expressions must be told from variables. 0, 1 or -1. */
static int ask_rows(struct reduction *r, const struct reduction_setup *setup) {
  if (setup->assertions || setup->errors) return 1;
  for (size_t i = 0; i < setup->goals; i++)
    if (expr_condition(setup->goal[i].expr) >= 0) return 1;
  for (size_t i = 0; i < setup->atoms; i++)
    if (!setup->atom[i] || expr_condition(setup->atom[i]) >= 0 || expr_needs_cursor(setup->atom[i])) return 1;
  int status = r->own->dependence(r->model, &r->dependence);
  return status ? status : setup->runs ? avoid_seen(r, setup) : 0;
}

/* What the model is asked to choose for. 0, 1 or -1 as thrift_open. */
static int aim(struct reduction *r, const struct reduction_setup *setup) {
  struct model_thrift *trial;
  size_t count = setup->runs ? setup->atoms : setup->goals;
  r->seen = mem_alloc(r->mem, MEM_SEARCH, (count + 1) * sizeof *r->seen);
  if (!r->seen) return -1;
  for (size_t i = 0; i < count; i++) r->seen[i] = setup->runs ? setup->atom[i] : setup->goal[i].expr;
  r->aims = (struct model_aims){.expr = r->seen, .exprs = count, .deadlocks = 1, .assertions = setup->assertions, .errors = setup->errors, .runs = setup->runs};
  int status = r->own->thrift_open(&trial, r->model, &r->aims, r->mem);
  if (!status) r->own->thrift_close(trial);
  return status;
}

int reduction_open(struct reduction **out, const struct reduction_setup *setup, struct mem *mem, struct err *e) {
  struct model *m = setup->model;
  *out = NULL;
  if ((!m->type->dependence || !m->type->guard) && !m->type->thrift_open) return 1;
  struct reduction *r = mem_alloc(mem, MEM_SEARCH, sizeof *r);
  if (!r) return err_memory(e, "the reduction");
  *r = (struct reduction){.model = m, .mem = mem, .own = m->type, .type = *m->type, .goal = setup->goal, .goals = setup->goals};
  r->type.successors = successors;
  r->type.cursor_open = cursor_open;
  r->type.cursor_close = cursor_close;
  r->type.step = NULL;
  r->type.unstep = NULL;
  r->type.movers = NULL; /* lists beside the successors: they would have to be thinned out, too, and nobody who takes fewer steps asks for them */
  r->type.watch = NULL;
  r->type.letters = NULL;
  int status = m->type->dependence ? ask_rows(r, setup) : aim(r, setup);
  if (!status && setup->worth > 0 && share_taken(r) > setup->worth) status = 1;
  if (status) {
    reduction_close(r);
    return status > 0 ? 1 : err_memory(e, "the reduction");
  }
  *out = r;
  return 0;
}

void reduction_close(struct reduction *r) {
  if (!r) return;
  reduction_undress(r);
  dependence_close(&r->dependence);
  mem_free(r->mem, r->avoid);
  mem_free(r->mem, r->seen);
  mem_free(r->mem, r);
}

/* The edge'th of the successors that are chosen, among all of them; -1: there is none. */
static int64_t among_all(struct chooser *c, const uint32_t *state, struct model_batch *b, uint32_t edge) {
  b->count = b->fault_count = 0;
  if (c->r->own->successors(c->cursor, state, b) != MODEL_OK) return -1;
  int all = choose(c, state, b, 0, 0);
  for (size_t i = 0; i < b->count && all >= 0; i++)
    if ((all || chosen(c, b, 0, i)) && edge-- == 0) return (int64_t)i;
  return -1;
}

int reduction_lead_back(struct reduction *r, uint32_t *edge, size_t count) {
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  uint32_t *state = mem_alloc(r->mem, MEM_SEARCH, ((size_t)r->model->words + 4) * sizeof *state);
  int status = state ? 0 : -1, was = r->dressed;
  reduction_dress(r);
  if (!status) status = cursor_open(&cursor, r->model, r->mem) || model_batch_open(&batch, r->mem, r->model->words, 64) ? -1 : 0;
  if (!status) r->own->initial(r->model, state);
  for (size_t i = 0; i < count && edge[i] != UINT32_MAX && !status; i++) {
    int64_t k = among_all(cursor->reduced, state, &batch, edge[i]);
    if (k < 0) status = -1;
    else {
      edge[i] = (uint32_t)k;
      memcpy(state, batch.states + (size_t)k * batch.stride, r->model->words * sizeof *state);
    }
  }
  model_batch_close(&batch);
  if (cursor) cursor_close(cursor);
  mem_free(r->mem, state);
  if (!was) reduction_undress(r);
  return status;
}
