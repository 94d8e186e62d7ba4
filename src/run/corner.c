/* corner.c -- see corner.h.
 *
 * A random walk goes on from where it is, a few thousand steps; then everything that can be reached from there is explored, up to some thousand states.  If that comes to an end, the set cannot be left, and it is looked at what
 * happens in it.  Otherwise the walk goes on.  Walks begin anew now and then, as a walk that has come into one such set never comes into another.
 *
 *   most states, steps   twice as many each time that nothing was found: small corners cost little
 *
 * States lie end to end in the order in which they were found; a table of their numbers tells which are there.  A state that does not fit the layout makes it wider, and all begins anew.
 *
 * DNAwalker-PT-09ringLR (28 million states) and StigmergyCommit-PT-07a of the contest are not live and have no deadlock: a corner says so in 0.4 and 3 seconds (bench/mcc -e Liveness). */
#include "run/corner.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"

#include <string.h>

enum { FIRST_STATES = 500, MOST_STATES = 64000, FIRST_STEPS = 500, MOST_STEPS = 16000, WALKS_ON = 6, REFILLS = 40 };

struct corner {
  const struct corner_setup *how;
  struct model *m;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *state; /* `room` of them */
  uint32_t *table; /* 1 + number; twice as many */
  uint32_t *at;    /* where the walk is */
  uint8_t *happens; /* per unit */
  uint32_t room, count;
  struct rng rng;
  double until;
};

enum outcome { FOUND, NOT_FOUND, OPEN, WIDER, GIVE_UP };

static int over(const struct corner *c) { return (c->how->interrupt && *c->how->interrupt) || clock_now() > c->until; }

static const uint32_t *successor(const struct corner *c, size_t i) { return c->batch.states + i * c->batch.stride; }

static enum outcome ask(struct corner *c, const uint32_t *state) {
  c->batch.count = c->batch.fault_count = 0;
  enum model_answer answer = c->m->type->successors(c->cursor, state, &c->batch);
  if (answer == MODEL_OK) return OPEN;
  struct err e;
  err_clear(&e);
  if (answer != MODEL_WIDEN || !c->m->type->widen || c->m->type->widen(c->m, c->cursor, &e)) return GIVE_UP;
  c->m->type->widen_done(c->m, 1);
  return WIDER;
}

static enum outcome walk(struct corner *c, uint64_t steps) {
  for (uint64_t i = 0; i < steps; i++) {
    if (i % 64 == 0 && over(c)) return GIVE_UP;
    enum outcome o = ask(c, c->at);
    if (o != OPEN) return o;
    if (!c->batch.count) break;
    memcpy(c->at, successor(c, rng_below(&c->rng, c->batch.count)), c->m->words * sizeof *c->at);
  }
  return OPEN;
}

/* 1: there is no room for it. */
static int add(struct corner *c, const uint32_t *state) {
  size_t words = c->m->words, bytes = words * sizeof *state, slots = 2 * (size_t)c->room;
  size_t at = (size_t)hash_slot(hash_bytes(state, bytes), slots);
  for (; c->table[at]; at = at + 1 < slots ? at + 1 : 0)
    if (memcmp(c->state + (c->table[at] - 1) * words, state, bytes) == 0) return 0;
  if (c->count == c->room) return 1;
  memcpy(c->state + c->count * words, state, bytes);
  c->table[at] = ++c->count;
  return 0;
}

/* FOUND: some unit never happens from here on. OPEN: there are too many states. */
static enum outcome look_around(struct corner *c) {
  memset(c->table, 0, 2 * (size_t)c->room * sizeof *c->table);
  memset(c->happens, 0, c->how->units);
  uint32_t silent = c->how->units;
  c->count = 0;
  add(c, c->at);
  for (uint32_t i = 0; i < c->count; i++) {
    if (i % 64 == 0 && over(c)) return GIVE_UP;
    enum outcome o = ask(c, c->state + (size_t)i * c->m->words);
    if (o != OPEN) return o;
    for (size_t k = 0; k < c->batch.count; k++) {
      uint8_t *happens = &c->happens[c->how->unit[c->batch.group[k]]];
      silent -= !*happens;
      *happens = 1;
      if (!silent) return NOT_FOUND; /* whatever is beyond */
      if (add(c, successor(c, k))) return OPEN;
    }
  }
  return silent ? FOUND : NOT_FOUND;
}

static void close_room(struct corner *c) {
  struct mem *mem = c->how->mem;
  model_batch_close(&c->batch);
  c->batch = (struct model_batch){0};
  if (c->cursor) c->m->type->cursor_close(c->cursor);
  c->cursor = NULL;
  mem_free(mem, c->state);
  mem_free(mem, c->table);
  mem_free(mem, c->at);
  c->state = c->table = c->at = NULL;
}

/* For states as they are laid out now. */
static int open_room(struct corner *c, uint32_t states) {
  struct mem *mem = c->how->mem;
  size_t words = c->m->words;
  c->room = states;
  c->state = mem_alloc(mem, MEM_SEARCH, (words * states + 1) * sizeof *c->state);
  c->table = mem_alloc(mem, MEM_SEARCH, 2 * (size_t)states * sizeof *c->table);
  c->at = mem_alloc(mem, MEM_SEARCH, (words + 4) * sizeof *c->at);
  return c->state && c->table && c->at && c->m->type->cursor_open(&c->cursor, c->m, mem) == 0 && model_batch_open(&c->batch, mem, c->m->words, 64) == 0 ? 0 : -1;
}

static enum outcome try(struct corner *c, uint32_t states, uint64_t steps) {
  enum outcome o = open_room(c, states) ? GIVE_UP : OPEN;
  if (o == OPEN) c->m->type->initial(c->m, c->at);
  for (int i = 0; i < WALKS_ON && o == OPEN; i++) {
    o = walk(c, steps);
    if (o == OPEN) o = look_around(c);
    if (o == NOT_FOUND) o = OPEN;
  }
  close_room(c);
  return o;
}

int corner_find(const struct corner_setup *how) {
  struct corner c = {.how = how, .m = how->model, .until = clock_now() + how->seconds, .rng = {1}};
  uint32_t states = FIRST_STATES, wider = 0;
  uint64_t steps = FIRST_STEPS;
  enum outcome o = OPEN;
  c.happens = mem_alloc(how->mem, MEM_SEARCH, (size_t)how->units + 1);
  while (c.happens && how->units && (o == OPEN || (o == WIDER && ++wider < REFILLS))) {
    o = try(&c, states, steps);
    if (o != OPEN) continue;
    if (states == MOST_STATES && steps == MOST_STEPS) break;
    if (states < MOST_STATES) states *= 2;
    if (steps < MOST_STEPS) steps *= 2;
  }
  mem_free(how->mem, c.happens);
  return o == FOUND;
}
