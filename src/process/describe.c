/* describe.c -- what the cells of one state mean.
 *
 * The cells of a slot belong to the process that lives there, so their names and types depend on the state; so do the names of
 * channels, which are numbered in the order of their creation: those of the global scope first, then those of slot 0, of slot 1, ...
 *
 * A channel is shown as one variable with its messages as text; the cell of its length stands for all of it:
 *
 *   q = [ack(3), data(7)]
 *
 * An object of the heap is called by the pointer to it, and its fields by their names: @5.next. */
#include "process/process_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int32_t cell_at(const struct process_view *v, uint32_t cell) {
  return v->state ? packing_cell(v->model->packing, v->state, cell) : v->image[cell];
}

int64_t process_view_type(const struct process_view *v, uint32_t slot) {
  return slot < v->slots ? (int64_t)cell_at(v, shape_slot(&v->model->shape, slot) + SLOT_TYPE) - 1 : -1;
}

/* The name of a cell of a scope, with its process where it has one. */
static void full_name(const struct process_view *v, uint32_t scope, uint32_t slot, const char *own, char *out, size_t room) {
  if (!scope) snprintf(out, room, "%s", own);
  else snprintf(out, room, "%s[%u].%s", v->model->program->procs.at[scope - 1].name, (unsigned)slot, own);
}

/* ---- channels --------------------------------------------------------------------------------------------------------- */

/* The cell of the variable that declares the index-th channel of a scope. */
static uint32_t chan_variable(const struct program *p, uint32_t scope, uint32_t index) {
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope == scope && d->chan && index >= d->first_chan && index - d->first_chan < d->cells)
      return d->base + index - d->first_chan;
  }
  return 0;
}

void process_channel_name(const struct process_view *v, int32_t number, char *out, size_t room) {
  const struct process_model *m = v->model;
  const uint32_t *first = m->shape.chan_first;
  uint32_t left = (uint32_t)number - 1, scope = 0, slot = 0;
  char own[150];
  if (number <= 0) {
    snprintf(out, room, "none");
    return;
  }
  while (left >= first[scope + 1] - first[scope]) {
    left -= first[scope + 1] - first[scope];
    if (scope) slot++;
    int64_t type = process_view_type(v, slot);
    if (type < 0) {
      snprintf(out, room, "channel %d", (int)number);
      return;
    }
    scope = (uint32_t)type + 1;
  }
  program_cell_name(m->program, scope, chan_variable(m->program, scope, left), own, sizeof own);
  full_name(v, scope, slot, own, out, room);
}

/* Which channel of a scope holds this cell; NULL = none. *index tells its number within the scope. */
static const struct shape_chan *chan_with(const struct process_view *v, uint32_t scope, uint32_t cell, uint32_t *index) {
  const struct shape *s = &v->model->shape;
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &v->model->program->chans.at[s->chan[i].chan];
    if (!c->capacity || cell < s->chan[i].cell || cell - s->chan[i].cell > c->capacity * c->fields) continue;
    *index = i - s->chan_first[scope];
    return &s->chan[i];
  }
  return NULL;
}

/* ack(3), (1,2), 5: a name takes the other fields as its arguments. */
static size_t message(const struct process_view *v, const struct ir_chan *c, uint32_t cell, char *out, size_t room) {
  size_t n = 0;
  int named = 0;
  out[0] = 0;
  for (uint32_t f = 0; f < c->fields && n + 40 < room; f++) {
    char value[100];
    int name = process_value_text(v, v->model->program->chan_fields.at[c->field + f], cell_at(v, cell + f), value, sizeof value);
    if (f == 0) named = name;
    const char *before = f == 0 ? (named || c->fields == 1 ? "" : "(") : f == 1 && named ? "(" : ",";
    n += (size_t)snprintf(out + n, room - n, "%s%.*s", before, 30, value);
  }
  if (c->fields > 1 && n + 1 < room) n += (size_t)snprintf(out + n, room - n, ")");
  return n;
}

/* [ack(3), data(7)]; cut with ... where it does not fit. */
static void messages(const struct process_view *v, const struct shape_chan *at, uint32_t base, char *out, size_t room) {
  const struct program *p = v->model->program;
  const struct ir_chan *c = &p->chans.at[at->chan];
  uint32_t cell = base + at->cell, length = (uint32_t)cell_at(v, cell);
  size_t used = (size_t)snprintf(out, room, "[");
  for (uint32_t i = 0; i < length && i < c->capacity; i++) {
    char one[200];
    size_t n = message(v, c, cell + 1 + i * c->fields, one, sizeof one);
    if (used + n + 8 > room) {
      used += (size_t)snprintf(out + used, room - used, "%s...", i ? ", " : "");
      break;
    }
    used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", one);
  }
  snprintf(out + used, room - used, "]");
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

int process_value_text(const struct process_view *v, uint32_t type, int32_t value, char *out, size_t room) {
  const struct program *p = v->model->program;
  const struct ir_type *t = &p->types.at[type];
  if (t->kind == IR_MTYPE && t->names < p->names.count) {
    const struct ir_names *names = &p->names.at[t->names];
    if (value >= 0 && (size_t)value < names->name.count && names->name.at[value]) {
      snprintf(out, room, "%s", names->name.at[value]);
      return 1;
    }
  }
  if (t->kind == IR_CHANNEL) {
    process_channel_name(v, value, out, room);
    return 1;
  }
  if (t->kind == IR_POINTER) {
    if (value) snprintf(out, room, "@%d", (int)value);
    else snprintf(out, room, "null");
    return 1;
  }
  snprintf(out, room, "%d", (int)value);
  return 0;
}

/* ---- cells ------------------------------------------------------------------------------------------------------------- */

/* A cell of a scope that begins at `base`. */
static void in_scope(const struct process_view *v, uint32_t scope, uint32_t slot, uint32_t base, uint32_t cell, struct model_var *out) {
  const struct process_model *m = v->model;
  const struct program *p = m->program;
  const struct shape *s = &m->shape;
  char own[150];
  process_cell_name(m, scope, cell, own, sizeof own);
  full_name(v, scope, slot, own, out->name, sizeof out->name);
  memcpy(out->label, out->name, sizeof out->label);
  uint32_t cells = s->type_first[scope + 1] - s->type_first[scope], index;
  int32_t value = cell_at(v, base + cell);
  if (cell < cells) {
    const struct ir_decl *d = &p->decls.at[program_cell_decl(p, scope, cell)];
    if (d->flags & (IR_INTERNAL | IR_HIDDEN)) out->kind = MODEL_VAR_INTERNAL;
    /* A channel's variable says nothing as long as it names the channel that it came with. */
    process_value_text(v, s->type[s->type_first[scope] + cell], value, out->text, sizeof out->text);
    if (d->chan && strcmp(out->text, out->name) == 0) out->kind = MODEL_VAR_INTERNAL;
    return;
  }
  const struct shape_chan *at = chan_with(v, scope, cell, &index);
  if (!at) {
    out->kind = MODEL_VAR_UNUSED;
    return;
  }
  if (cell != at->cell) {
    out->kind = MODEL_VAR_PART;
    out->whole = base + at->cell;
    snprintf(out->text, sizeof out->text, "%d", (int)value);
    return;
  }
  program_cell_name(p, scope, chan_variable(p, scope, index), own, sizeof own);
  full_name(v, scope, slot, own, out->label, sizeof out->label);
  messages(v, at, base, out->text, sizeof out->text);
}

/* A cell of the heap: objects lie one after the other, each with its type before it. */
static void in_heap(const struct process_view *v, uint32_t cell, struct model_var *out) {
  const struct program *p = v->model->program;
  uint32_t heap = v->model->shape.heap, at = 0, cells = 0;
  snprintf(out->name, sizeof out->name, "heap[%u]", (unsigned)cell);
  while (at <= cell) {
    int32_t type = cell_at(v, heap + at);
    cells = type > 0 ? 1 + p->types.at[type - 1].cells : 0;
    if (!cells || cell < at + cells) break;
    at += cells;
  }
  memcpy(out->label, out->name, sizeof out->label);
  if (!cells) {
    out->kind = MODEL_VAR_UNUSED;
    return;
  }
  uint32_t type = (uint32_t)cell_at(v, heap + at) - 1;
  snprintf(out->label, sizeof out->label, "@%u", (unsigned)at + 1);
  if (cell == at) {
    out->kind = MODEL_VAR_INTERNAL;
    snprintf(out->text, sizeof out->text, "%s", p->types.at[type].name);
    return;
  }
  program_field_name(p, type, 0, cell - at - 1, out->label, sizeof out->label);
  process_value_text(v, program_type_in(p, type, 0, cell - at - 1), cell_at(v, heap + cell), out->text, sizeof out->text);
}

/* A cell of a slot. */
static void in_slot(const struct process_view *v, uint32_t slot, uint32_t offset, struct model_var *out) {
  const struct process_model *m = v->model;
  const struct program *p = m->program;
  int64_t type = process_view_type(v, slot);
  if (type < 0 || offset >= m->shape.frame[type]) {
    out->kind = MODEL_VAR_UNUSED;
    return;
  }
  uint32_t base = shape_slot(&m->shape, slot);
  const char *name = p->procs.at[type].name;
  switch (offset) {
  case SLOT_TYPE:
    out->kind = MODEL_VAR_CONTROL;
    snprintf(out->name, sizeof out->name, "%s[%u]", name, (unsigned)slot);
    snprintf(out->text, sizeof out->text, "%s", name);
    break;
  case SLOT_PC: {
    int32_t pc = cell_at(v, base + SLOT_PC);
    const struct ir_state *q = &p->states.at[p->procs.at[type].state + (uint32_t)pc];
    long line = q->transitions ? p->trans.at[q->trans].place.line : q->place.line;
    out->kind = MODEL_VAR_CONTROL;
    snprintf(out->name, sizeof out->name, "%s[%u].pc", name, (unsigned)slot);
    snprintf(out->text, sizeof out->text, "line %ld", line);
    break;
  }
  case SLOT_PRIORITY:
    out->kind = p->uses_priority ? MODEL_VAR_PLAIN : MODEL_VAR_INTERNAL;
    snprintf(out->name, sizeof out->name, "%s[%u].priority", name, (unsigned)slot);
    snprintf(out->text, sizeof out->text, "%d", (int)cell_at(v, base + offset));
    break;
  default: in_scope(v, (uint32_t)type + 1, slot, base + SLOT_HEADER, offset - SLOT_HEADER, out); return;
  }
  memcpy(out->label, out->name, sizeof out->label);
}

void process_describe(const struct model *base, const uint32_t *state, uint32_t var, struct model_var *out) {
  const struct process_model *m = process_of(base);
  const struct shape *s = &m->shape;
  struct process_view v = {m, state, NULL, m->packing->widths.slots};
  memset(out, 0, sizeof *out);
  if (var < IMAGE_HEADER) {
    out->kind = MODEL_VAR_INTERNAL;
    snprintf(out->name, sizeof out->name, "%s", var == IMAGE_LAST ? "_last" : "_event");
    snprintf(out->text, sizeof out->text, "%d", (int)cell_at(&v, var));
    memcpy(out->label, out->name, sizeof out->label);
    if (var == IMAGE_LAST ? !m->program->uses_last : !m->program->has_trace) out->kind = MODEL_VAR_UNUSED;
  } else if (var < s->heap) in_scope(&v, 0, 0, s->global, var - s->global, out);
  else if (var < s->slots) in_heap(&v, var - s->heap, out);
  else in_slot(&v, (var - s->slots) >> s->slot_bits, (var - s->slots) & ((1u << s->slot_bits) - 1), out);
  if (out->kind == MODEL_VAR_UNUSED && !out->name[0]) {
    snprintf(out->name, sizeof out->name, "%s", process_var_name(base, var));
    memcpy(out->label, out->name, sizeof out->label);
  }
}
