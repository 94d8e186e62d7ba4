/* game_confirm.c -- see game_confirm.h. */
#include "search/game_confirm.h"

#include "base/clock.h"
#include "store/store.h"

#include <string.h>

struct confirmer {
  struct strategy *s;
  const struct expr *condition;
  struct owners *owners;
  const struct model *model;
  struct mem *mem;
  const struct model_patience *patience;
  struct store *store; /* refs are rows */
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *words;
  int64_t *values, *next;
  double until; /* how long the definition is asked */
  size_t defined; /* rows that it was asked about */
  struct err *err;
};

static int no_memory(struct confirmer *c) { return err_memory(c->err, "confirming a strategy"); }
static int wrong(struct confirmer *c, size_t row, const char *what) { return err_internal(c->err, "the strategy does not hold in its state %zu: %s", row, what); }

/* ---- the definition ------------------------------------------------------------------------------------------------------------ */

static int same_values(struct confirmer *c, size_t k) {
  for (uint32_t v = 0; v < c->model->vars; v++)
    if (c->model->type->value(c->model, c->batch.states + k * c->batch.stride, v) != c->next[v]) return 0;
  return 1;
}

/* Groups that lead to one state each: those that are enabled are in the batch, each once, and lead there. */
static int same_steps_by_group(struct confirmer *c, size_t row) {
  size_t enabled = 0;
  for (uint32_t g = 0; g < c->model->groups; g++) {
    if (!c->model->type->define_step(c->model, c->values, g, c->next)) continue;
    size_t k = 0;
    while (k < c->batch.count && c->batch.group[k] != g) k++;
    if (k == c->batch.count || !same_values(c, k)) return wrong(c, row, "the definition of the language has another step");
    enabled++;
  }
  return enabled == c->batch.count ? 0 : wrong(c, row, "the definition of the language has other steps");
}

/* 0; 1: it gives up; -1. */
static int same_steps_by_edge(struct confirmer *c, size_t row) {
  for (size_t k = 0;; k++) {
    uint32_t group;
    int there = c->model->type->define_edge(c->model, c->values, (uint32_t)k, &group, c->next, c->mem);
    if (there == MODEL_GIVES_UP) return 1;
    if (there < 0) return no_memory(c);
    if (!there) return k == c->batch.count ? 0 : wrong(c, row, "the definition of the language has fewer steps");
    if (k == c->batch.count || group != c->batch.group[k] || !same_values(c, k)) return wrong(c, row, "the definition of the language has another step");
  }
}

/* As long as there is time. 0, or -1. */
static int compare_with_definition(struct confirmer *c, size_t row, int *truth) {
  const struct model_type *t = c->model->type;
  if (!t->define_initial || c->defined < row || clock_now() > c->until) return 0;
  for (uint32_t v = 0; v < c->model->vars; v++) c->values[v] = t->value(c->model, c->words, v);
  int same = t->define_step ? same_steps_by_group(c, row) : t->define_edge ? same_steps_by_edge(c, row) : 1;
  if (same) return same < 0 ? -1 : 0;
  if ((expr_define(c->condition, c->model, c->values) != 0) != *truth) return wrong(c, row, "the condition is not what the definition says");
  c->defined++;
  return 0;
}

/* ---- one state ------------------------------------------------------------------------------------------------------------------ */

/* The play may come from row i to the k-th successor: the state becomes a row, or is one. */
static int follow(struct confirmer *c, size_t i, size_t k, int falling) {
  struct strategy *s = c->s;
  store_ref ref;
  enum store_answer answer = store_put(c->store, c->batch.states + k * c->batch.stride, c->model->words, NULL, &ref);
  if (answer == STORE_FULL) return no_memory(c);
  if (ref >= s->count) return wrong(c, i, "a step leads to a state that is not in the list");
  if (answer == STORE_NEW && (s->row[ref].from != i || s->row[ref].edge != k)) return wrong(c, i, "a step leads to another state than the list says");
  if (falling && s->row[ref].rank >= s->row[i].rank) return wrong(c, i, "a step leads no nearer to what is to be reached");
  return 0;
}

/* What must be true of a row, by who wins what. */
static int check_row(struct confirmer *c, size_t i, int truth) {
  const struct strategy_row *r = &c->s->row[i];
  int keep = c->s->keep, winner = c->s->winner, seeks = (winner == OWNER_UNCONTROLLABLE) == keep;
  size_t count[2] = {0, 0};
  if (seeks && (truth != keep) != (r->move == STRATEGY_DONE)) return wrong(c, i, "the play is over here, or it is not");
  if (!seeks && truth != keep) return wrong(c, i, "the other side has reached what it wants");
  if (r->move == STRATEGY_DONE) return 0;
  for (size_t k = 0; k < c->batch.count; k++) {
    if (c->batch.group[k] >= c->owners->count && owners_more(c->owners, c->batch.group[k])) return no_memory(c);
    count[c->owners->of[c->batch.group[k]]]++;
  }
  size_t own = count[winner], others = count[!winner];
  if (r->move >= 0 && ((size_t)r->move >= c->batch.count || c->owners->of[c->batch.group[r->move]] != (uint32_t)winner)) return wrong(c, i, "the move is not there, or not the winner's");
  if (r->move == STRATEGY_WAIT) { /* may it? */
    int may;
    if (winner == OWNER_CONTROLLABLE) may = keep ? others || !own : others && !own; /* to reach something it must move if it can */
    else may = keep ? others && !own : others || !own;
    if (!may) return wrong(c, i, "the winner does not move where it must");
  }
  if (r->move >= 0) c->s->row[i].group = c->batch.group[r->move];
  int preempted = winner == OWNER_UNCONTROLLABLE && r->move >= 0; /* the environment is faster */
  for (size_t k = 0; k < c->batch.count; k++) {
    int its = (int64_t)k == r->move, theirs = c->owners->of[c->batch.group[k]] != (uint32_t)winner;
    if ((its || (theirs && !preempted)) && follow(c, i, k, seeks)) return -1;
  }
  return 0;
}

static int look_at(struct confirmer *c, size_t i) {
  if (c->store->type->get(c->store, i, c->words, NULL)) return no_memory(c);
  c->batch.count = c->batch.fault_count = 0;
  switch (c->model->type->successors(c->cursor, c->words, &c->batch)) {
  case MODEL_OK: break;
  case MODEL_MEMORY:
  case MODEL_STOPPED: return no_memory(c);
  case MODEL_WIDEN:
  case MODEL_FAULT: return wrong(c, i, "the model has no successors of a state that was explored");
  }
  int truth = expr_true(c->condition, c->cursor, c->words) != 0;
  return compare_with_definition(c, i, &truth) ? -1 : check_row(c, i, truth);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------ */

static int open_confirmer(struct confirmer *c) {
  const struct model *m = c->model;
  struct store_setup setup = {.words = m->words, .bits = m->bits, .mem = c->mem};
  c->words = mem_alloc(c->mem, MEM_SEARCH, model_stride(m->words) * sizeof *c->words);
  c->values = mem_alloc(c->mem, MEM_SEARCH, ((size_t)m->vars + 1) * sizeof *c->values);
  c->next = mem_alloc(c->mem, MEM_SEARCH, ((size_t)m->vars + 1) * sizeof *c->next);
  if (!c->words || !c->values || !c->next || m->type->cursor_open(&c->cursor, m, c->mem) || model_batch_open(&c->batch, c->mem, m->words, 16) || store_plain.open(&c->store, &setup)) return no_memory(c);
  m->type->initial(m, c->words);
  store_ref ref;
  return store_put(c->store, c->words, m->words, NULL, &ref) == STORE_NEW && ref == 0 ? 0 : no_memory(c);
}

static void close_confirmer(struct confirmer *c) {
  if (c->store) c->store->type->close(c->store);
  if (c->batch.mem) model_batch_close(&c->batch);
  if (c->cursor) c->model->type->cursor_close(c->cursor);
  mem_free(c->mem, c->words);
  mem_free(c->mem, c->values);
  mem_free(c->mem, c->next);
}

/* States that are alike have the same move, and what it leads to has been found when the first of them was looked at: the walk finds the others in the same order. */
int strategy_fold(struct strategy *s, const struct model *model, struct mem *mem, struct err *e) {
  struct confirmer c = {.s = s, .model = model, .mem = mem, .err = e};
  uint32_t *now = mem_alloc(mem, MEM_SEARCH, (s->count + 1) * sizeof *now); /* per row: its number from now on */
  int bad = now ? open_confirmer(&c) : no_memory(&c);
  size_t kept = 1;
  uint32_t *next = bad ? NULL : mem_alloc(mem, MEM_SEARCH, model_stride(model->words) * sizeof *next);
  if (!bad && !next) bad = no_memory(&c);
  for (size_t i = 1; i < s->count && !bad; i++) {
    struct strategy_row row = s->row[i];
    store_ref ref = 0;
    uint32_t group;
    memset(next, 0, model_stride(model->words) * sizeof *next);
    row.from = now[row.from];
    if (c.store->type->get(c.store, row.from, c.words, NULL)) bad = no_memory(&c);
    else if (model_step(c.cursor, c.words, row.edge, next, &group, &c.batch) != 1) bad = no_memory(&c);
    else {
      enum store_answer answer = store_put(c.store, next, model->words, NULL, &ref);
      if (answer == STORE_FULL) bad = no_memory(&c);
      if (answer == STORE_NEW) s->row[kept++] = row;
      now[i] = (uint32_t)ref;
    }
  }
  if (!bad) s->count = kept;
  mem_free(mem, next);
  mem_free(mem, now);
  close_confirmer(&c);
  return bad;
}

int strategy_confirm(struct strategy *s, const struct expr *condition, struct owners *owners, struct mem *mem, const struct model_patience *patience, struct err *e) {
  struct confirmer c = {.s = s, .condition = condition, .owners = owners, .model = owners->model, .mem = mem, .patience = patience, .until = clock_now() + STRATEGY_DEFINED_S, .err = e};
  int bad = open_confirmer(&c);
  for (size_t i = 0; i < s->count && !bad; i++) {
    if (patience && ((patience->interrupt && *patience->interrupt) || (patience->until > 0 && i % 1024 == 0 && clock_now() > patience->until))) bad = err_limit(e, "there was no time left to confirm a strategy");
    else if (c.store->type->count(c.store) <= i) bad = wrong(&c, i, "no play comes here");
    else bad = look_at(&c, i);
  }
  if (!bad) s->proof = c.defined == s->count ? STRATEGY_BY_DEFINITION : STRATEGY_BY_STEPS;
  close_confirmer(&c);
  return bad;
}
