/* fifo.c -- the channels of a state apart from all the rest.
 *
 * Whether a run can be repeated with fuller channels (run/growth.h) depends on two things that are compared in different ways: the control -- variables, where processes stand, who
 * lives -- which must be the same, and the contents of buffered channels, of which one must begin as the other does. */
#include "process/process_model.h"

void process_fifo_open(struct process_fifo *f, const struct model *m, struct mem *mem) { *f = (struct process_fifo){.mem = mem, .model = m}; }

void process_fifo_close(struct process_fifo *f) {
  if (!f->mem) return;
  vec_free(&f->image, f->mem);
  vec_free(&f->control, f->mem);
  vec_free(&f->queue, f->mem);
  vec_free(&f->content, f->mem);
  *f = (struct process_fifo){0};
}

static int add_control(struct process_fifo *f, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to && i < f->cells; i++)
    if (vec_push(&f->control, f->mem, MEM_SEARCH, f->cell[i])) return -1;
  return 0;
}

/* The channels of a scope whose first variable is cell `base`; `number` counts all of them. */
static int add_queues(struct process_fifo *f, uint32_t scope, uint32_t base, uint32_t *number) {
  const struct process_model *m = process_of(f->model);
  const struct shape *s = &m->shape;
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &m->program->chans.at[s->chan[i].chan];
    uint32_t at = base + s->chan[i].cell;
    ++*number;
    if (!c->capacity || at >= f->cells) continue;
    struct process_queue q = {*number, c->fields, (uint32_t)f->cell[at], c->declared, f->content.count};
    if (vec_push(&f->queue, f->mem, MEM_SEARCH, q)) return -1;
    for (uint32_t k = 0; k < q.length * c->fields && at + 1 + k < f->cells; k++)
      if (vec_push(&f->content, f->mem, MEM_SEARCH, f->cell[at + 1 + k])) return -1;
  }
  return 0;
}

static int take_apart(struct process_fifo *f) {
  const struct shape *s = &process_of(f->model)->shape;
  uint32_t number = 0;
  f->control.count = f->queue.count = f->content.count = 0;
  if (add_control(f, 0, s->global + s->type_first[1]) || add_queues(f, 0, s->global, &number) || add_control(f, s->heap, s->slots)) return -1;
  for (uint32_t slot = 0; slot < MACHINE_SLOTS; slot++) {
    uint32_t first = shape_slot(s, slot), scope = first < f->cells ? (uint32_t)f->cell[first + SLOT_TYPE] : 0;
    if (!scope) break;
    uint32_t variables = s->type_first[scope + 1] - s->type_first[scope];
    if (add_control(f, first, first + SLOT_HEADER + variables) || add_queues(f, scope, first + SLOT_HEADER, &number)) return -1;
  }
  return 0;
}

int process_fifo_state(struct process_fifo *f, struct model_cursor *cursor, const uint32_t *state) {
  struct process_cursor *c = (struct process_cursor *)cursor;
  if (process_load(c, state)) return -1;
  const struct shape *s = &process_of(f->model)->shape;
  uint32_t slots = 0;
  while (slots < c->machine.slots && c->machine.run.cell[shape_slot(s, slots) + SLOT_TYPE]) slots++;
  f->cell = c->machine.run.cell;
  f->cells = shape_slot(s, slots);
  return take_apart(f);
}

int process_fifo_values(struct process_fifo *f, const int64_t *values, uint32_t vars) {
  f->image.count = 0;
  for (uint32_t i = 0; i < vars; i++)
    if (vec_push(&f->image, f->mem, MEM_SEARCH, (int32_t)values[i])) return -1;
  f->cell = f->image.at;
  f->cells = vars;
  return take_apart(f);
}

void process_queue_name(const struct process_fifo *f, size_t queue, char *out, size_t room) {
  const struct process_model *m = process_of(f->model);
  uint32_t slots = 0;
  while (slots < MACHINE_SLOTS && shape_slot(&m->shape, slots) < f->cells) slots++;
  struct process_view view = {m, NULL, f->cell, slots};
  process_channel_name(&view, (int32_t)f->queue.at[queue].number, out, room);
}
