/* pilot.c -- see pilot.h.
 *
 * States lie end to end in the order in which they were found; a table of their numbers, twice as large as they can become, tells which are there.  When a state does not fit the layout, that is made wider and all begins anew: nothing else
 * has been stored yet. */
#include "reduce/pilot.h"

#include "base/hash.h"

#include <string.h>

enum { TABLE = 4 * PILOT_STATES, ATTEMPTS = 40 };

struct flight {
  struct model *m;
  struct mem *mem;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *state; /* PILOT_STATES of them, and one more */
  uint32_t *table; /* 1 + number */
  uint32_t count;
};

int pilot_widen(struct model *m, struct model_cursor *cursor) {
  struct err e;
  err_clear(&e);
  if (!m->type->widen || m->type->widen(m, cursor, &e)) return -1;
  m->type->widen_done(m, 1);
  return 0;
}

/* 1: there is no room for it. */
static int add(struct flight *f, const uint32_t *state) {
  size_t bytes = f->m->words * sizeof *state;
  size_t at = (size_t)hash_slot(hash_bytes(state, bytes), TABLE);
  for (; f->table[at]; at = at + 1 < TABLE ? at + 1 : 0)
    if (memcmp(f->state + (size_t)(f->table[at] - 1) * f->m->words, state, bytes) == 0) return 0;
  if (f->count == PILOT_STATES) return 1;
  memcpy(f->state + (size_t)f->count * f->m->words, state, bytes);
  f->table[at] = ++f->count;
  return 0;
}

/* 0; 1: wider, begin anew; -1: no more. */
static int fly(struct flight *f, struct pilot *p) {
  const struct model *m = f->m;
  memset(p, 0, sizeof *p);
  memset(f->table, 0, TABLE * sizeof *f->table);
  f->count = 0;
  uint32_t *first = f->state + (size_t)PILOT_STATES * m->words;
  m->type->initial(m, first);
  add(f, first);
  for (uint32_t at = 0, end = 1; at < f->count; at++) {
    if (at == end) { /* a depth is complete */
      end = f->count;
      if (p->depths == PILOT_DEPTHS) return 0;
      p->states[p->depths++] = f->count;
    }
    f->batch.count = f->batch.fault_count = 0;
    enum model_answer answer = m->type->successors(f->cursor, f->state + (size_t)at * m->words, &f->batch);
    if (answer != MODEL_OK) return answer == MODEL_WIDEN && pilot_widen(f->m, f->cursor) == 0 ? 1 : -1;
    for (size_t i = 0; i < f->batch.count; i++)
      if (add(f, f->batch.states + i * f->batch.stride)) return 0;
  }
  if (p->depths < PILOT_DEPTHS) p->states[p->depths++] = f->count;
  p->whole = 1;
  return 0;
}

void pilot_fly(struct pilot *p, struct model *m, struct mem *mem) {
  struct flight f = {.m = m, .mem = mem};
  int status = 1;
  memset(p, 0, sizeof *p);
  for (int i = 0; i < ATTEMPTS && status == 1; i++) {
    f.state = mem_alloc(mem, MEM_SEARCH, ((size_t)m->words * (PILOT_STATES + 1) + 4) * sizeof *f.state);
    f.table = mem_alloc(mem, MEM_SEARCH, TABLE * sizeof *f.table);
    status = f.state && f.table && m->type->cursor_open(&f.cursor, m, mem) == 0 && model_batch_open(&f.batch, mem, m->words, 64) == 0 ? fly(&f, p) : -1;
    model_batch_close(&f.batch);
    if (f.cursor) m->type->cursor_close(f.cursor);
    mem_free(mem, f.state);
    mem_free(mem, f.table);
    f.cursor = NULL;
    f.batch = (struct model_batch){0};
  }
  if (status) memset(p, 0, sizeof *p);
}

double pilot_share(const struct pilot *p, const struct pilot *than) {
  uint32_t depths = p->depths < than->depths ? p->depths : than->depths;
  if (p->whole && than->whole) return (double)p->states[p->depths - 1] / than->states[than->depths - 1];
  if (!depths) return 1;
  return (double)p->states[depths - 1] / than->states[depths - 1];
}
