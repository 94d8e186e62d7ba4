/* names.c -- what people call the cells and transitions of a program.
 *
 *   x   a[2]   s.f[1]        a global variable
 *   P[1].x                   a variable of the process with pid 1, an instance of P; in expressions also P[1]:x
 *   P[1]                     the process itself: 0 = not there, else its type; P[1].pc its control state
 *   len(q)   q[3].0          contents of a channel: number of messages, field 0 of the fourth message
 *   heap[5]                  a cell of the heap
 *
 * A slot that has seen processes of several types is named for the first of them.  Names are made when first asked for and
 * kept. */
#include "process/process_model.h"

#include "model/owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps a name in a table that grows. */
static const char *remember(struct process_model *m, char ***table, size_t *room, size_t index, const char *text) {
  if (index >= *room) {
    size_t more = index + index / 2 + 64;
    char **grown = mem_resize(m->base.mem, MEM_MODEL, *table, more * sizeof *grown);
    if (!grown) return "?";
    *table = grown;
    *room = more;
  }
  if (!(*table)[index]) (*table)[index] = arena_strndup(&m->names, text, strlen(text));
  return (*table)[index] ? (*table)[index] : "?";
}

/* The type after which a slot is named, or -1. */
static int64_t slot_type(const struct process_model *m, uint32_t slot) {
  const struct pack_widths *w = &m->packing->widths;
  size_t columns = m->program->procs.count + 1;
  if (slot >= w->slots) return -1;
  for (uint32_t t = 1; t < columns; t++)
    if (w->admitted[slot * columns + t]) return t - 1;
  return -1;
}

/* ---- groups ----------------------------------------------------------------------------------------------------------- */

const char *process_group_name(const struct model *base, uint32_t group) {
  struct process_model *m = (struct process_model *)base;
  if (group < m->group_names_room && m->group_names[group]) return m->group_names[group];
  const struct program *p = m->program;
  uint32_t slot = group / (uint32_t)p->trans.count, trans = group % (uint32_t)p->trans.count;
  const struct ir_trans *t = &p->trans.at[trans];
  char text[400];
  snprintf(text, sizeof text, "%s[%u] %s", p->procs.at[t->proc].name, (unsigned)slot, t->text ? t->text : "");
  return remember(m, &m->group_names, &m->group_names_room, group, text);
}

struct place_in_text process_group_place(const struct model *base, uint32_t group) {
  const struct program *p = process_of(base)->program;
  return p->trans.at[group % (uint32_t)p->trans.count].place;
}

/* Of games: a label where the statement stands says who moves, else the name of its process does. */
int process_owner(const struct model *base, uint32_t group) {
  const struct program *p = process_of(base)->program;
  const struct ir_trans *t = &p->trans.at[group % (uint32_t)p->trans.count];
  int found = OWNER_UNSAID;
  for (size_t i = 0; i < p->labels.count && found != OWNER_UNCONTROLLABLE; i++) {
    const struct ir_label *l = &p->labels.at[i];
    if (l->proc != t->proc || l->state != t->from) continue;
    int said = owner_by_name(l->name);
    if (said != OWNER_UNSAID) found = said;
  }
  return found == OWNER_UNSAID ? owner_by_name(p->procs.at[t->proc].name) : found;
}

int64_t process_find_group(const struct model *base, const char *name, size_t length) {
  int64_t found = -1;
  for (uint32_t g = 0; g < base->groups; g++) {
    const char *text = process_group_name(base, g);
    if (strlen(text) != length || memcmp(text, name, length)) continue;
    if (found >= 0) return -2;
    found = g;
  }
  return found;
}

/* ---- variables ---------------------------------------------------------------------------------------------------------- */

/* A cell of a scope: a variable, or the contents of one of its channels. */
void process_cell_name(const struct process_model *m, uint32_t scope, uint32_t cell, char *out, size_t room) {
  const struct shape *s = &m->shape;
  const struct program *p = m->program;
  if (cell < s->type_first[scope + 1] - s->type_first[scope]) {
    program_cell_name(p, scope, cell, out, room);
    return;
  }
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || !d->chan) continue;
    for (uint32_t k = 0; k < d->cells; k++) {
      const struct shape_chan *at = &s->chan[s->chan_first[scope] + d->first_chan + k];
      const struct ir_chan *c = &p->chans.at[at->chan];
      if (!c->capacity || cell < at->cell || cell - at->cell > c->capacity * c->fields) continue;
      char name[200];
      program_cell_name(p, scope, d->base + k, name, sizeof name);
      uint32_t offset = cell - at->cell;
      if (!offset) snprintf(out, room, "len(%s)", name);
      else snprintf(out, room, "%s[%u].%u", name, (unsigned)((offset - 1) / c->fields), (unsigned)((offset - 1) % c->fields));
      return;
    }
  }
  snprintf(out, room, "?");
}

const char *process_var_name(const struct model *base, uint32_t var) {
  struct process_model *m = (struct process_model *)base;
  const struct shape *s = &m->shape;
  char text[400], own[300];
  if (var < m->var_names_room && m->var_names[var]) return m->var_names[var];
  if (var == IMAGE_LAST) {
    snprintf(text, sizeof text, "_last");
  } else if (var == IMAGE_EVENT) {
    snprintf(text, sizeof text, "_event");
  } else if (var < s->heap) {
    process_cell_name(m, 0, var - s->global, text, sizeof text);
  } else if (var < s->slots) {
    snprintf(text, sizeof text, "heap[%u]", (unsigned)(var - s->heap));
  } else {
    uint32_t slot = (var - s->slots) >> s->slot_bits, offset = (var - s->slots) & ((1u << s->slot_bits) - 1);
    int64_t type = slot_type(m, slot);
    const char *process = type >= 0 ? m->program->procs.at[type].name : "process";
    if (offset == SLOT_TYPE) snprintf(text, sizeof text, "%s[%u]", process, (unsigned)slot);
    else if (offset == SLOT_PC) snprintf(text, sizeof text, "%s[%u].pc", process, (unsigned)slot);
    else if (offset == SLOT_PRIORITY) snprintf(text, sizeof text, "%s[%u].priority", process, (unsigned)slot);
    else if (type < 0 || offset >= s->frame[type]) snprintf(text, sizeof text, "%s[%u].cell%u", process, (unsigned)slot, (unsigned)offset);
    else {
      process_cell_name(m, (uint32_t)type + 1, offset - SLOT_HEADER, own, sizeof own);
      snprintf(text, sizeof text, "%s[%u].%s", process, (unsigned)slot, own);
    }
    if (type < 0) return remember(m, &m->var_names, &m->var_names_room, var, text);
  }
  return remember(m, &m->var_names, &m->var_names_room, var, text);
}

/* The declaration behind a cell; NULL = none. */
static const struct ir_decl *decl_behind(const struct process_model *m, uint32_t var) {
  const struct shape *s = &m->shape;
  if (var >= s->global && var - s->global < s->type_first[1]) return &m->program->decls.at[program_cell_decl(m->program, 0, var - s->global)];
  if (var < s->slots) return NULL;
  uint32_t slot = (var - s->slots) >> s->slot_bits, offset = (var - s->slots) & ((1u << s->slot_bits) - 1);
  int64_t type = slot_type(m, slot);
  if (type < 0 || offset < SLOT_HEADER || offset - SLOT_HEADER >= m->program->procs.at[type].cells) return NULL;
  return &m->program->decls.at[program_cell_decl(m->program, (uint32_t)type + 1, offset - SLOT_HEADER)];
}

struct place_in_text process_var_place(const struct model *base, uint32_t var) {
  const struct ir_decl *d = decl_behind(process_of(base), var);
  return d ? d->place : (struct place_in_text){base->file, 0, 0};
}

void process_print_value(const struct model *base, uint32_t var, int64_t value, char *out, size_t room) {
  const struct process_model *m = process_of(base);
  const struct program *p = m->program;
  const struct shape *s = &m->shape;
  uint32_t offset = var >= s->slots ? (var - s->slots) & ((1u << s->slot_bits) - 1) : SLOT_HEADER;
  if (offset == SLOT_TYPE) {
    snprintf(out, room, "%s", value > 0 && value <= (int64_t)p->procs.count ? p->procs.at[value - 1].name : "none");
    return;
  }
  const struct ir_decl *d = decl_behind(m, var);
  uint32_t type = d ? program_type_in(p, d->type, d->count, var < s->slots ? var - s->global - d->base : offset - SLOT_HEADER - d->base) : 0;
  const struct ir_type *t = &p->types.at[type];
  if (d && t->kind == IR_MTYPE && t->names < p->names.count) {
    const struct ir_names *names = &p->names.at[t->names];
    if (value >= 0 && (uint64_t)value < names->name.count && names->name.at[value]) {
      snprintf(out, room, "%s", names->name.at[value]);
      return;
    }
  }
  snprintf(out, room, "%" PRId64, value);
}

/* A variable of a scope by name, with indices and fields as people write them. */
static int64_t find_cell(const struct process_model *m, uint32_t scope, const char *name, size_t length) {
  const struct shape *s = &m->shape;
  uint32_t cells = s->type_first[scope + 1] - s->type_first[scope];
  char text[300];
  /* A declaration's name begins the cell's name: only cells of such declarations are spelled out. */
  for (size_t i = 1; i < m->program->decls.count; i++) {
    const struct ir_decl *d = &m->program->decls.at[i];
    size_t n = strlen(d->name);
    if (d->scope != scope || n > length || memcmp(d->name, name, n) || (length > n && !strchr("[.#", name[n]))) continue;
    n = strlen(program_decl_name(m->program, (uint32_t)i, text, sizeof text));
    for (uint32_t c = 0; c < d->cells && d->base + c < cells; c++) {
      text[n] = 0;
      program_field_name(m->program, d->type, d->count, c, text, sizeof text);
      if (strlen(text) == length && !memcmp(text, name, length)) return d->base + c;
    }
  }
  /* contents of channels */
  uint32_t end = scope ? s->frame[scope - 1] - SLOT_HEADER : s->heap - s->global;
  if (length > 3)
    for (uint32_t c = cells; c < end; c++) {
      process_cell_name(m, scope, c, text, sizeof text);
      if (strlen(text) == length && !memcmp(text, name, length)) return c;
    }
  return -1;
}

int64_t process_find_var(const struct model *base, const char *name, size_t length) {
  const struct process_model *m = process_of(base);
  const struct shape *s = &m->shape;
  int64_t cell = find_cell(m, 0, name, length);
  if (cell >= 0) return s->global + cell;
  if (length == 5 && !memcmp(name, "_last", 5)) return IMAGE_LAST;
  if (length == 6 && !memcmp(name, "_event", 6)) return IMAGE_EVENT;
  if (length > 6 && !memcmp(name, "heap[", 5) && name[length - 1] == ']') {
    unsigned long offset = strtoul(name + 5, NULL, 10);
    return offset < s->heap_cells ? (int64_t)(s->heap + offset) : -1;
  }
  for (uint32_t t = 0; t < m->program->procs.count; t++) { /* P[pid], P[pid].x, P[pid]:x */
    const char *process = m->program->procs.at[t].name;
    size_t n = strlen(process);
    if (length < n + 3 || memcmp(name, process, n) || name[n] != '[') continue;
    char *rest;
    long pid = strtol(name + n + 1, &rest, 10);
    if (pid < 0 || pid >= MACHINE_SLOTS || *rest != ']') continue;
    rest++;
    uint32_t first = shape_slot(s, (uint32_t)pid);
    size_t used = (size_t)(rest - name);
    if (used == length) return first + SLOT_TYPE;
    if (*rest != '.' && *rest != ':') continue;
    if (length - used == 3 && !memcmp(rest + 1, "pc", 2)) return first + SLOT_PC;
    if (length - used == 9 && !memcmp(rest + 1, "priority", 8)) return first + SLOT_PRIORITY;
    cell = find_cell(m, t + 1, rest + 1, length - used - 1);
    if (cell >= 0) return first + SLOT_HEADER + cell;
  }
  return -1;
}
