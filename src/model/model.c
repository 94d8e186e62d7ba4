/* model.c -- the parts of model.h that are the same for every language. */
#include "model/model.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int model_impatient(const struct model_patience *p) { return p && ((p->interrupt && *p->interrupt) || (p->until > 0 && clock_now() > p->until)); }

int model_batch_open(struct model_batch *b, struct mem *mem, uint32_t words, size_t room) {
  *b = (struct model_batch){.mem = mem, .stride = model_stride(words)};
  if (model_batch_grow(b, room ? room : 1) == 0) return 0;
  model_batch_close(b);
  return -1;
}

/* Exactly this much room, contents kept. If only the first array could grow it stays larger than needed. */
static int set_room(struct model_batch *b, size_t room) {
  if (room > SIZE_MAX / 16 / (b->stride + 1)) return -1;
  uint32_t *states = mem_resize(b->mem, MEM_SEARCH, b->states, room * b->stride * sizeof *states);
  if (!states) return -1;
  b->states = states;
  uint32_t *group = mem_resize(b->mem, MEM_SEARCH, b->group, room * sizeof *group);
  if (!group) return -1;
  b->group = group;
  b->room = room;
  return 0;
}

int model_batch_grow(struct model_batch *b, size_t room) {
  if (room <= b->room) return 0;
  /* By half at least, so that asking for one more each time is not quadratic; just enough when memory is short. */
  size_t generous = b->room + b->room / 2;
  return generous > room && set_room(b, generous) == 0 ? 0 : set_room(b, room);
}

int model_batch_restride(struct model_batch *b, uint32_t words) {
  size_t bytes = b->room * b->stride * sizeof *b->states, stride = model_stride(words);
  b->count = b->fault_count = 0;
  if (stride == b->stride) return 0;
  size_t need = b->room * stride * sizeof *b->states;
  uint32_t *states = need > bytes ? mem_resize(b->mem, MEM_SEARCH, b->states, need) : NULL;
  if (states) {
    b->states = states;
    bytes = need;
  } else if (need > bytes) { /* no larger block: fewer states in the one that is there */
    size_t room = bytes / (stride * sizeof *b->states);
    if (room == 0) return -1;
    b->room = room;
  }
  b->stride = stride;
  memset(b->states, 0, bytes); /* padding must be zero, and lies elsewhere now */
  return 0;
}

int model_batch_fault(struct model_batch *b, struct model_fault fault) {
  if (b->fault_count == b->fault_room) {
    size_t room = b->fault_room ? 2 * b->fault_room : 16;
    struct model_fault *faults = mem_resize(b->mem, MEM_SEARCH, b->faults, room * sizeof *faults);
    if (!faults) return -1;
    b->faults = faults;
    b->fault_room = room;
  }
  b->faults[b->fault_count++] = fault;
  return 0;
}

void model_batch_close(struct model_batch *b) {
  if (!b->mem) return;
  mem_free(b->mem, b->faults);
  mem_free(b->mem, b->states);
  mem_free(b->mem, b->group);
  *b = (struct model_batch){0};
}

int model_stuck(struct model_cursor *c, const uint32_t *state) {
  const struct model *m = c->model;
  if (m->type->stuck) return m->type->stuck(c, state);
  for (uint32_t g = 0; g < m->groups; g++)
    if (m->type->fireable(c, state, g)) return 0;
  return 1;
}

int model_step(struct model_cursor *c, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group,
               struct model_batch *scratch) {
  const struct model *m = c->model;
  if (m->type->step) return m->type->step(c, state, k, out, group);
  if (model_batch_restride(scratch, m->words)) return -1;
  if (m->type->successors(c, state, scratch) != MODEL_OK) return -1;
  if (k >= scratch->count) return 0;
  if (m->words) memcpy(out, scratch->states + k * scratch->stride, m->words * sizeof *out);
  if (group) *group = scratch->group[k];
  return 1;
}

void model_print_value(const struct model *m, uint32_t var, int64_t value, char *out, size_t room) {
  if (m->type->print_value) m->type->print_value(m, var, value, out, room);
  else snprintf(out, room, "%" PRId64, value);
}

void model_tell_value(const struct model *m, const uint32_t *state, uint32_t var, char *out, size_t room) {
  struct model_var d;
  if (m->type->describe && !m->type->vars_are_no_numbers) {
    m->type->describe(m, state, var, &d);
    snprintf(out, room, "%s", d.kind == MODEL_VAR_UNUSED ? "" : d.text);
  } else model_print_value(m, var, m->type->value(m, state, var), out, room);
}

void model_close(struct model *m) {
  if (m) m->type->close(m);
}
