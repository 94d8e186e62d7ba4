/* stepper.c -- see stepper.h. */
#include "search/stepper.h"

#include <string.h>

int stepper_open(struct stepper *s, struct model *model, struct mem *mem, struct err *e) {
  *s = (struct stepper){.model = model, .mem = mem};
  s->room = model_stride(model->words);
  s->state = mem_alloc(mem, MEM_OTHER, s->room * sizeof *s->state);
  if (!s->state) return err_memory(e, "a state to step from");
  if (model->type->cursor_open(&s->cursor, model, mem)) {
    stepper_close(s);
    return err_memory(e, "stepping through the model");
  }
  if (model_batch_open(&s->batch, mem, model->words, 16)) {
    stepper_close(s);
    return err_memory(e, "successors");
  }
  stepper_start(s);
  return 0;
}

void stepper_close(struct stepper *s) {
  if (!s->mem) return;
  if (s->batch.mem) model_batch_close(&s->batch);
  if (s->cursor) s->model->type->cursor_close(s->cursor);
  mem_free(s->mem, s->state);
  *s = (struct stepper){0};
}

void stepper_start(struct stepper *s) {
  memset(s->state, 0, s->room * sizeof *s->state);
  s->model->type->initial(s->model, s->state);
  s->expanded = 0;
}

/* A successor did not fit into the model's layout: the model picks a wider one, and the state we stand on is carried over. */
static int widen(struct stepper *s, struct err *e) {
  const struct model_type *type = s->model->type;
  if (!type->widen) return err_internal(e, "a model without widening asked to be widened");
  if (type->widen(s->model, s->cursor, e)) return -1;
  size_t room = model_stride(s->model->words);
  uint32_t *next = mem_alloc(s->mem, MEM_OTHER, room * sizeof *next);
  if (!next) {
    type->widen_done(s->model, 0);
    return err_memory(e, "a wider state");
  }
  type->convert(s->model, s->state, next);
  type->widen_done(s->model, 1);
  mem_free(s->mem, s->state);
  s->state = next;
  s->room = room;
  return model_batch_restride(&s->batch, s->model->words) ? err_memory(e, "successors") : 0;
}

int stepper_expand(struct stepper *s, struct err *e) {
  while (!s->expanded) {
    s->batch.count = s->batch.fault_count = 0;
    switch (s->model->type->successors(s->cursor, s->state, &s->batch)) {
    case MODEL_OK: s->expanded = 1; break;
    case MODEL_WIDEN:
      if (widen(s, e)) return -1;
      break;
    case MODEL_STOPPED: /* nobody gave this cursor a limit */
    case MODEL_MEMORY: return err_memory(e, "the successors of a state");
    case MODEL_FAULT: return err_input(e, (struct place_in_text){s->model->file, 0, 0}, "%s", s->cursor->fault);
    }
  }
  return 0;
}

int stepper_take(struct stepper *s, uint32_t k, uint32_t *group, struct err *e) {
  if (stepper_expand(s, e)) return -1;
  if (k >= s->batch.count) return 0;
  memcpy(s->state, s->batch.states + (size_t)k * s->batch.stride, s->model->words * sizeof *s->state);
  if (group) *group = s->batch.group[k];
  s->expanded = 0;
  return 1;
}

int64_t stepper_find(struct stepper *s, uint32_t group, struct err *e) {
  if (stepper_expand(s, e)) return -2;
  for (size_t k = 0; k < s->batch.count; k++)
    if (s->batch.group[k] == group) return (int64_t)k;
  return -1;
}
