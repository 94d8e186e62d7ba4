/* steps.c -- see steps.h.
 *
 * Widening: cursors follow the model's layout by themselves; the batch and the remembered state are given the new width when they are asked
 * the next time.  What was remembered in another layout is forgotten; wider layouts have more bits, so the number of bits tells. */
#include "search/steps.h"

#include <string.h>

struct steps {
  struct model *model;
  struct mem *mem;
  struct model_cursor *cursor;
  struct model_batch batch;
  uint32_t *last; /* the state whose successors the batch holds */
  size_t last_room;
  uint32_t bits; /* of the layout in which it is remembered */
  int remembered;
};

/* The batch and the memory for a state have the model's present width. */
static int follow_layout(struct steps *s) {
  size_t stride = model_stride(s->model->words);
  if (s->bits != s->model->bits) s->remembered = 0;
  s->bits = s->model->bits;
  if (stride != s->batch.stride && model_batch_restride(&s->batch, s->model->words)) return -1;
  if (stride <= s->last_room) return 0;
  uint32_t *last = mem_resize(s->mem, MEM_SEARCH, s->last, stride * sizeof *last);
  if (!last) return -1;
  s->last = last;
  s->last_room = stride;
  return 0;
}

/* Fills the batch with the successors of a state. 0, or -1: memory. */
static int expand(struct steps *s, const uint32_t *state) {
  size_t bytes = s->model->words * sizeof *state;
  if (follow_layout(s)) return -1;
  if (s->remembered && memcmp(s->last, state, bytes) == 0) return 0;
  s->batch.count = s->batch.fault_count = 0;
  s->remembered = 0;
  if (s->model->type->successors(s->cursor, state, &s->batch) != MODEL_OK) return -1;
  memcpy(s->last, state, bytes);
  s->remembered = 1;
  return 0;
}

static int initial(void *context, uint32_t *state) {
  struct steps *s = context;
  s->model->type->initial(s->model, state);
  return 0;
}

static int step(void *context, const uint32_t *state, uint32_t edge, uint32_t *successor) {
  struct steps *s = context;
  if (s->model->type->step) {
    uint32_t group;
    return s->model->type->step(s->cursor, state, edge, successor, &group) > 0 ? 0 : -1;
  }
  if (expand(s, state) || edge >= s->batch.count) return -1;
  memcpy(successor, s->batch.states + edge * s->batch.stride, s->model->words * sizeof *successor);
  return 0;
}

static int unstep(void *context, const uint32_t *state, uint32_t group, uint32_t *predecessor) {
  struct steps *s = context;
  return s->model->type->unstep(s->cursor, state, group, predecessor) > 0;
}

static int64_t successors(void *context, const uint32_t *state, const uint32_t **states, size_t *stride, const uint32_t **groups) {
  struct steps *s = context;
  if (expand(s, state)) return -1;
  *states = s->batch.states;
  *stride = s->batch.stride;
  *groups = s->batch.group;
  return (int64_t)s->batch.count;
}

int steps_open(struct store_model *out, struct model *model, struct mem *mem) {
  *out = (struct store_model){0};
  struct steps *s = mem_alloc(mem, MEM_SEARCH, sizeof *s);
  if (!s) return -1;
  s->model = model;
  s->mem = mem;
  *out = (struct store_model){.context = s,
                              .initial = initial,
                              .step = step,
                              .unstep = model->type->unstep ? unstep : NULL,
                              .successors = successors};
  if (model->type->cursor_open(&s->cursor, model, mem) == 0 && model_batch_open(&s->batch, mem, model->words, 64) == 0) return 0;
  steps_close(out);
  return -1;
}

void steps_close(struct store_model *m) {
  struct steps *s = m->context;
  if (!s) return;
  if (s->cursor) s->model->type->cursor_close(s->cursor);
  model_batch_close(&s->batch);
  mem_free(s->mem, s->last);
  mem_free(s->mem, s);
  *m = (struct store_model){0};
}
