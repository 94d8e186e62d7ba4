/* reduction.c -- see reduction.h.
 *
 * There are two ways to choose steps: by what actions have to do with each other (stubborn.h), where the model tells that in rows, or by the model itself (model_type.thrift_choose).  Then what the steps lead to is
 * replaced by what stands for it: first without the values that do not matter, then with equal things in their order.
 *
 * Together they are sound where a run to what is looked for is as long from one state as from the one that stands for it: the first step of a stubborn set that such a run takes can be taken first, the rest is
 * shorter, and what stands for the next state has as short a rest.  What rests on cycles (runs, faults) needs transitions of which every cycle has one, also every cycle up to symmetry: programs are told
 * (model_aims.permuted), for nets, whose order of places is not symmetric, there is no symmetry beside por then.
 *
 * Dressing gives the model a type of its own: a copy of the language's, in which `successors` is ours and `step`, which would number edges otherwise, is left to the generic one.  All else goes on to see
 * the language's own model and cursor.  A cursor has its scratch in `reduced`. */
#include "reduce/reduction.h"

#include "base/rng.h"
#include "model/expr_helpful.h"
#include "reduce/dressed.h"
#include "reduce/pilot.h"
#include "model/stubborn.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SYMMETRY_WORTH 0.4 /* of the states of a pilot */

static const char *const kind_names[REDUCE_KINDS] = {"slice", "por", "symmetry"};

const char *reduction_name(unsigned kind) {
  for (unsigned i = 0; i < REDUCE_KINDS; i++)
    if (kind == 1u << i) return kind_names[i];
  return NULL;
}

/* What a cursor needs to choose. */
struct chooser {
  struct reduction *r;
  struct model_cursor *cursor;
  struct stubborn *stubborn;
  const uint32_t *state;
  struct model_thrift *thrift; /* NULL = by rows */
  uint8_t *keep;
  size_t room;
  struct model_likeness *alike[LIKENESSES];
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
  if (!r->thrifty || b->count - first < 2 || b->fault_count > faults) return 1;
  if (c->thrift) return choose_by_model(c, b, first);
  c->state = state;
  stubborn_begin(c->stubborn, b->group + first, b->count - first, guard, c);
  struct expr_helped helped = {&r->dependence, want, want_enabled, enabled, c};
  for (size_t i = 0; i < r->goals; i++) expr_helpful(r->goal[i].expr, r->goal[i].wanted, r->model, state, &helped);
  stubborn_choose(c->stubborn);
  return 0;
}

static int chosen(const struct chooser *c, const struct model_batch *b, size_t first, size_t i) { return c->thrift ? c->keep[i - first] : stubborn_has(c->stubborn, b->group[i]); }

/* Leaves those of the successors that are chosen. */
static void thin_out(const struct chooser *c, struct model_batch *b, size_t first) {
  size_t kept = first;
  for (size_t i = first; i < b->count; i++) {
    if (!chosen(c, b, first, i)) continue;
    if (kept != i) {
      memcpy(b->states + kept * b->stride, b->states + i * b->stride, b->stride * sizeof *b->states);
      b->group[kept] = b->group[i];
    }
    kept++;
  }
  b->count = kept;
}

enum model_answer reduction_stand_in(const struct reduction *r, struct model_likeness *const *alike, struct model_cursor *cursor, uint32_t *state) {
  enum model_answer answer = MODEL_OK;
  for (size_t k = 0; k < LIKENESSES && answer == MODEL_OK; k++)
    if (r->like[k]) answer = r->like[k]->apply(alike[k], cursor, state);
  return answer;
}

static enum model_answer successors(struct model_cursor *cursor, const uint32_t *state, struct model_batch *b) {
  struct chooser *c = cursor->reduced;
  size_t first = b->count, faults = b->fault_count;
  enum model_answer answer = reduction_of(cursor->model)->own->successors(cursor, state, b);
  if (!c || answer != MODEL_OK) return answer;
  int all = choose(c, state, b, first, faults);
  if (all == 0) thin_out(c, b, first);
  if (all < 0) answer = MODEL_MEMORY;
  for (size_t i = first; i < b->count && answer == MODEL_OK && c->r->cursor; i++) answer = reduction_stand_in(c->r, c->alike, cursor, b->states + i * b->stride);
  if (answer == MODEL_OK) return MODEL_OK;
  b->count = first;
  b->fault_count = faults;
  return answer;
}

static void initial(const struct model *m, uint32_t *state) {
  struct reduction *r = reduction_of(m);
  r->own->initial(m, state);
  if (r->cursor) reduction_stand_in(r, r->alike, r->cursor, state); /* or it stays what it is, which is as good for a beginning */
}

/* ---- cursors -------------------------------------------------------------------------------------------------------------------------------- */

static void close_alike(const struct reduction *r, struct model_likeness **alike) {
  for (size_t k = 0; k < LIKENESSES; k++)
    if (alike[k]) r->like[k]->close(alike[k]);
}

static int open_alike(const struct reduction *r, struct model_likeness **alike) {
  char why[sizeof ((struct reduction_told *)0)->text[0]];
  for (size_t k = 0; k < LIKENESSES; k++)
    if (r->like[k] && r->like[k]->open(&alike[k], r->model, &r->aims, r->mem, why, sizeof why)) return -1;
  return 0;
}

static void cursor_close(struct model_cursor *cursor) {
  if (!cursor) return;
  struct reduction *r = reduction_of(cursor->model);
  struct chooser *c = cursor->reduced; /* NULL: it was opened before the model was dressed */
  if (c) {
    stubborn_close(c->stubborn);
    if (c->thrift) r->own->thrift_close(c->thrift);
    close_alike(r, c->alike);
    mem_free(r->mem, c->keep);
  }
  mem_free(r->mem, c);
  r->own->cursor_close(cursor);
}

static int open_choice(struct chooser *c) {
  struct reduction *r = c->r;
  char why[sizeof ((struct reduction_told *)0)->text[0]];
  if (!r->thrifty) return 0;
  return r->own->dependence ? stubborn_open(&c->stubborn, &r->dependence, r->avoid, r->mem) : r->own->thrift_open(&c->thrift, r->model, &r->aims, r->mem, why, sizeof why);
}

static int cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  struct reduction *r = reduction_of(m);
  if (r->own->cursor_open(out, m, mem)) return -1;
  struct chooser *c = (*out)->reduced = mem_alloc(r->mem, MEM_SEARCH, sizeof *c);
  if (c) *c = (struct chooser){.r = r, .cursor = *out};
  if (c && open_choice(c) == 0 && open_alike(r, c->alike) == 0) return 0;
  cursor_close(*out);
  *out = NULL;
  return -1;
}

struct model *reduction_model(struct reduction *r) { return r->model; }

void reduction_dress(struct reduction *r) {
  r->model->type = &r->type;
  r->dressed = 1;
}

void reduction_undress(struct reduction *r) {
  r->model->type = r->own;
  r->dressed = 0;
}

/* ---- is it worth it? ----------------------------------------------------------------------------------------------------------------------- */

enum { WALK = 600, LENGTH = 120, ATTEMPTS = 40 };

/* Of the steps of states met on random walks, how many are taken; 2: the layout became wider, ask again. */
static double share_on_walks(struct reduction *r) {
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  struct rng rng = {3};
  uint64_t taken = 0, all = 0;
  int wider = 0;
  uint32_t *state = mem_alloc(r->mem, MEM_SEARCH, ((size_t)r->model->words + 4) * sizeof *state);
  if (state && cursor_open(&cursor, r->model, r->mem) == 0 && model_batch_open(&batch, r->mem, r->model->words, 64) == 0)
    for (size_t step = 0, walked = LENGTH; step < WALK; step++, walked++) {
      if (walked >= LENGTH) {
        r->own->initial(r->model, state);
        walked = 0;
      }
      batch.count = batch.fault_count = 0;
      enum model_answer answer = r->own->successors(cursor, state, &batch);
      wider = answer == MODEL_WIDEN && pilot_widen(r->model, cursor) == 0;
      if (answer != MODEL_OK) break;
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
  return wider ? 2 : all ? (double)taken / (double)all : 1;
}

static double share_taken(struct reduction *r) {
  double share = 2;
  reduction_dress(r);
  for (int i = 0; i < ATTEMPTS && share > 1; i++) share = share_on_walks(r);
  reduction_undress(r);
  return share;
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

/* Can the model choose for this? 0, 1 or -1 as thrift_open. */
static int ask_thrift(struct reduction *r, char *why, size_t room) {
  struct model_thrift *trial;
  int status = r->own->thrift_open(&trial, r->model, &r->aims, r->mem, why, room);
  if (!status) r->own->thrift_close(trial);
  return status;
}

/* ---- opening -------------------------------------------------------------------------------------------------------------------------------- */

/* Each kind by itself: 0: used, or not; -1: memory (with err where it says so). */
static char *text_of(struct reduction_told *told, unsigned kind) {
  unsigned i = 0;
  while (kind != 1u << i) i++;
  return told->text[i];
}

static void tell(struct reduction_told *told, unsigned kind, const char *text) { snprintf(text_of(told, kind), sizeof told->text[0], "%s", text); }

static int make_smaller(struct reduction *r, struct reduction_told *told, struct err *e) {
  char what[sizeof told->text[0]] = "";
  struct model *smaller = NULL;
  if (!r->own->smaller) return 0;
  int status = r->own->smaller(&smaller, r->model, &r->aims, what, sizeof what, r->mem, e);
  tell(told, REDUCE_SLICE, what);
  if (status) return status < 0 ? -1 : 0;
  told->used |= REDUCE_SLICE;
  r->model = smaller;
  r->own = smaller->type;
  return 0;
}

static int find_likeness(struct reduction *r, size_t k, unsigned kind, const struct model_likeness_type *type, struct reduction_told *told) {
  char why[sizeof told->text[0]] = "";
  struct model_likeness *trial = NULL;
  if (!type) return 0;
  int status = type->open(&trial, r->model, &r->aims, r->mem, why, sizeof why);
  if (status < 0) return -1;
  tell(told, kind, status ? why : trial->text);
  if (status) return 0;
  told->used |= kind;
  r->like[k] = type;
  type->close(trial);
  return 0;
}

static int find_thrift(struct reduction *r, const struct reduction_setup *setup, struct reduction_told *told) {
  const struct model_type *own = r->own;
  if ((!own->dependence || !own->guard) && !own->thrift_open) return 0;
  char why[sizeof told->text[0]] = "";
  int status = own->dependence ? ask_rows(r, setup) : ask_thrift(r, why, sizeof why);
  if (status > 0) tell(told, REDUCE_POR, why);
  if (status) return status < 0 ? -1 : 0;
  r->thrifty = 1;
  double worth = own->dependence || setup->worth <= 0 ? setup->worth : own->thrift_worth;
  if (worth > 0 && share_taken(r) > worth) {
    r->thrifty = 0;
    tell(told, REDUCE_POR, "it would spare few steps");
    return 0;
  }
  told->used |= REDUCE_POR;
  return 0;
}

/* What is seen of states. */
static int aim(struct reduction *r, const struct reduction_setup *setup) {
  size_t count = setup->runs ? setup->atoms : setup->goals;
  r->seen = mem_alloc(r->mem, MEM_SEARCH, (count + 1) * sizeof *r->seen);
  if (!r->seen) return -1;
  for (size_t i = 0; i < count; i++) r->seen[i] = setup->runs ? setup->atom[i] : setup->goal[i].expr;
  r->aims = (struct model_aims){.expr = r->seen, .exprs = count, .deadlocks = setup->deadlocks || setup->runs, .assertions = setup->assertions, .errors = setup->errors, .runs = setup->runs};
  return 0;
}

/* What stands for the initial state must fit the layout before anything is stored: otherwise the beginning would be another one later. */
static int make_room(struct reduction *r) {
  enum model_answer answer = MODEL_WIDEN;
  for (int i = 0; i < ATTEMPTS && answer == MODEL_WIDEN; i++) {
    uint32_t *state = mem_alloc(r->mem, MEM_SEARCH, ((size_t)r->model->words + 4) * sizeof *state);
    if (!state) return -1;
    r->own->initial(r->model, state);
    answer = reduction_stand_in(r, r->alike, r->cursor, state);
    mem_free(r->mem, state);
    if (answer == MODEL_WIDEN && pilot_widen(r->model, r->cursor)) return -1;
  }
  return answer == MODEL_MEMORY ? -1 : 0;
}

/* The type that the model is dressed in. */
static int sew(struct reduction *r) {
  r->type = *r->own;
  r->type.successors = successors;
  r->type.cursor_open = cursor_open;
  r->type.cursor_close = cursor_close;
  r->type.step = NULL;
  r->type.unstep = NULL;
  r->type.movers = NULL; /* lists beside the successors: they would have to be thinned out, too, and nobody who takes fewer steps asks for them */
  r->type.watch = NULL;
  r->type.letters = NULL;
  if (!r->like[0] && !r->like[1]) return 0;
  r->type.initial = initial;
  r->type.covers = NULL; /* of states that only stand for others */
  return r->own->cursor_open(&r->cursor, r->model, r->mem) || open_alike(r, r->alike) || make_room(r) ? -1 : 0;
}

static int open_as_asked(struct reduction **out, const struct reduction_setup *setup, unsigned kinds, struct reduction_told *told, struct mem *mem, struct err *e) {
  struct model *m = setup->model;
  *out = NULL;
  memset(told, 0, sizeof *told);
  struct reduction *r = mem_alloc(mem, MEM_SEARCH, sizeof *r);
  if (!r) return err_memory(e, "the reduction");
  *r = (struct reduction){.larger = m, .model = m, .mem = mem, .own = m->type, .type = *m->type, .goal = setup->goal, .goals = setup->goals};
  err_clear(e);
  int bad = aim(r, setup);
  r->aims.thrifty = (kinds & REDUCE_POR) != 0;
  if (!bad && setup->bounded && kinds & REDUCE_SLICE) bad = make_smaller(r, told, e) || find_likeness(r, 0, REDUCE_SLICE, r->own->slice, told);
  r->aims.sliced = r->like[0] != NULL;
  if (!bad && setup->bounded && kinds & REDUCE_SYMMETRY) bad = find_likeness(r, 1, REDUCE_SYMMETRY, r->own->symmetry, told);
  r->aims.permuted = r->like[1] != NULL;
  if (!bad && kinds & REDUCE_POR) {
    r->type = *r->own;
    r->type.cursor_open = cursor_open;
    r->type.cursor_close = cursor_close;
    bad = find_thrift(r, setup, told);
  }
  if (!bad && r->like[1] && r->thrifty && r->own->dependence && setup->runs) { /* which transitions every cycle has is told by an order of places */
    r->like[1] = NULL;
    told->used &= ~(unsigned)REDUCE_SYMMETRY;
    tell(told, REDUCE_SYMMETRY, "of whole runs it is not used beside por");
  }
  if (!bad) bad = sew(r);
  if (bad || !told->used) {
    reduction_close(r);
    if (bad && e->kind) return -1;
    return bad ? err_memory(e, "the reduction") : 1;
  }
  *out = r;
  return 0;
}

/* With these kinds, whatever symmetry spares. A slice keeps some things for the sake of fewer steps: where those are not to be had it is cut anew, so that what is explored depends on what is used alone, and a run that goes on with these
   kinds finds the same states. */
static int open_with(struct reduction **out, const struct reduction_setup *setup, unsigned kinds, struct reduction_told *told, struct mem *mem, struct err *e) {
  int status = open_as_asked(out, setup, kinds, told, mem, e);
  if (status || !(kinds & REDUCE_POR) || told->used & REDUCE_POR || !(*out)->like[0]) return status;
  struct reduction_told first = *told;
  reduction_close(*out);
  status = open_as_asked(out, setup, kinds & ~(unsigned)REDUCE_POR, told, mem, e);
  memcpy(text_of(told, REDUCE_POR), text_of(&first, REDUCE_POR), sizeof told->text[0]);
  return status;
}

static void fly(struct pilot *p, struct reduction *r, const struct reduction_setup *setup, struct mem *mem) {
  if (r) reduction_dress(r);
  pilot_fly(p, r ? r->model : setup->model, mem);
  if (r) reduction_undress(r);
}

/* Symmetry costs much time per state: is there much less to explore with it than with the others alone? */
static int open_if_worth(struct reduction **out, const struct reduction_setup *setup, struct reduction_told *told, struct mem *mem, struct err *e) {
  struct reduction_told others;
  struct reduction *with = NULL, *without = NULL;
  struct pilot much, less;
  int status = open_with(&with, setup, setup->kinds, told, mem, e);
  if (status || !(told->used & REDUCE_SYMMETRY)) {
    *out = with;
    return status;
  }
  fly(&less, with, setup, mem);
  status = open_with(&without, setup, setup->kinds & ~(unsigned)REDUCE_SYMMETRY, &others, mem, e);
  if (status < 0) {
    reduction_close(with);
    return -1;
  }
  fly(&much, without, setup, mem);
  int worth = !much.whole && pilot_share(&less, &much) <= SYMMETRY_WORTH;
  if (worth) *out = with;
  else {
    *out = without;
    *told = others;
    tell(told, REDUCE_SYMMETRY, "it would spare few states");
  }
  reduction_close(worth ? without : with);
  return *out ? 0 : 1;
}

int reduction_open(struct reduction **out, const struct reduction_setup *setup, struct reduction_told *told, struct mem *mem, struct err *e) {
  *out = NULL;
  return setup->worth > 0 && setup->kinds & REDUCE_SYMMETRY ? open_if_worth(out, setup, told, mem, e) : open_with(out, setup, setup->kinds, told, mem, e);
}

void reduction_close(struct reduction *r) {
  if (!r) return;
  reduction_undress(r);
  close_alike(r, r->alike);
  if (r->cursor) r->own->cursor_close(r->cursor);
  dependence_close(&r->dependence);
  if (r->model != r->larger) model_close(r->model);
  mem_free(r->mem, r->avoid);
  mem_free(r->mem, r->seen);
  mem_free(r->mem, r);
}
