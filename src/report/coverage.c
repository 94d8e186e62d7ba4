/* coverage.c -- what of a model was executed: counts of groups, gathered by statement.
 *
 * A group of a program is a statement in one place for processes: `worker[0] k = n` and `worker[1] k = n` are the same
 * statement, and most pairs of the two belong to no process that ever is.  People ask about statements, so groups with the
 * same place and the same name without its number are one row.  A step is called by the statement that it begins with; the others of an
 * atomic sequence, and the receiver of a rendezvous, are known as parts (model.h: role). */
#include "report/coverage.h"

#include <stdlib.h>
#include <string.h>

/* "worker[1] k = n" without the number: two pieces. Names of other models are one. */
static void pieces(const struct model *m, const char *name, size_t *first, const char **rest) {
  const char *open = m->type->role ? strchr(name, '[') : NULL, *close = open ? strchr(open, ']') : NULL;
  *first = close ? (size_t)(open - name) : strlen(name);
  *rest = close ? close + 1 : name + *first;
}

static int by_place(const void *a, const void *b) {
  const struct coverage_row *x = a, *y = b;
  const char *f = x->place.file ? x->place.file : "", *g = y->place.file ? y->place.file : "";
  int files = strcmp(f, g);
  if (files) return files;
  if (x->place.line != y->place.line) return x->place.line < y->place.line ? -1 : 1;
  if (x->place.column != y->place.column) return x->place.column < y->place.column ? -1 : 1;
  int names = x->place.line ? strcmp(x->name, y->name) : 0;
  if (names) return names;
  return x->group < y->group ? -1 : x->group > y->group; /* models without places: in their own order */
}

static char *shown(struct coverage *c, const struct model *m, uint32_t group) {
  const char *name = m->type->group_name(m, group), *rest;
  size_t first;
  pieces(m, name, &first, &rest);
  size_t more = strlen(rest);
  char *text = arena_alloc(&c->text, first + more + 1);
  if (!text) return NULL;
  memcpy(text, name, first);
  memcpy(text + first, rest, more + 1);
  return text;
}

static enum coverage_role role_of(const struct model *m, uint32_t group) {
  if (!m->type->role) return COVERAGE_FIRST;
  enum model_role role = m->type->role(m, group);
  return role == MODEL_ROLE_PART ? COVERAGE_PART : role == MODEL_ROLE_ABSENT ? COVERAGE_ABSENT : COVERAGE_FIRST;
}

/* Rows of the same statement become one. */
static void gather(struct coverage *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->count; i++) {
    struct coverage_row *last = kept ? &c->row[kept - 1] : NULL, *row = &c->row[i];
    const char *f = last && last->place.file ? last->place.file : "", *g = row->place.file ? row->place.file : "";
    int same = last && row->place.line && last->place.line == row->place.line && last->place.column == row->place.column && strcmp(f, g) == 0 && strcmp(last->name, row->name) == 0;
    if (!same) {
      c->row[kept++] = *row;
      continue;
    }
    last->taken += row->taken;
    last->fresh += row->fresh;
    if (row->role == COVERAGE_PART || (row->role == COVERAGE_FIRST && last->role == COVERAGE_ABSENT)) last->role = row->role;
  }
  c->count = kept;
}

int coverage_open(struct coverage *c, const struct report_counts *counts, const struct model *m, struct mem *mem, struct err *e) {
  memset(c, 0, sizeof *c);
  c->mem = mem;
  arena_open(&c->text, mem, MEM_OTHER);
  c->row = mem_alloc(mem, MEM_OTHER, ((size_t)counts->groups + 1) * sizeof *c->row);
  for (uint32_t g = 0; c->row && g < counts->groups; g++) {
    struct coverage_row *row = &c->row[c->count++];
    *row = (struct coverage_row){.group = g, .taken = counts->generated[g], .fresh = counts->fresh[g], .role = role_of(m, g)};
    if (m->type->group_place) row->place = m->type->group_place(m, g);
    if (row->place.line && !row->place.file) row->place.file = m->file;
    if (row->taken && row->role == COVERAGE_ABSENT) row->role = COVERAGE_FIRST;
    if (!(row->name = shown(c, m, g))) {
      coverage_close(c);
      return err_memory(e, "coverage");
    }
  }
  if (!c->row) return err_memory(e, "coverage");
  qsort(c->row, c->count, sizeof *c->row, by_place);
  gather(c);
  return 0;
}

void coverage_close(struct coverage *c) {
  if (!c->mem) return;
  arena_close(&c->text);
  mem_free(c->mem, c->row);
  memset(c, 0, sizeof *c);
}

void coverage_json(const struct coverage *c, int complete, struct json_out *j) {
  static const char *const roles[] = {"first", "part", "absent"};
  if (!c || !c->mem) {
    json_out_null(j, "coverage");
    return;
  }
  json_out_object(j, "coverage");
  json_out_bool(j, "complete", complete);
  json_out_array(j, "statements");
  for (size_t i = 0; i < c->count; i++) {
    const struct coverage_row *row = &c->row[i];
    json_out_object_flat(j, NULL);
    json_out_text(j, "transition", row->name);
    json_out_text(j, "file", row->place.line ? row->place.file : NULL);
    json_out_integer(j, "line", row->place.line);
    json_out_integer(j, "column", row->place.column);
    json_out_count(j, "taken", row->taken);
    json_out_count(j, "fresh", row->fresh);
    json_out_text(j, "role", roles[row->role]);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}
