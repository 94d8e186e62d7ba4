/* type.c -- types: making them, and writing them as people do.
 *
 *   int   string list   int * string   {a: int, b: bool}   'a -> 'b   INT ms
 *
 * A variable prints as 'a, 'b, ... in the order in which the text meets them; with two quotes if only types with equality will
 * do; as "int or real" and the like where overloading has not been decided. */
#include "ml/types.h"

#include <stdio.h>
#include <string.h>

static struct ml_type *is_of(const struct ml_type *t) { return __atomic_load_n(&t->is, __ATOMIC_RELAXED); }

struct ml_type *ml_type_find(struct ml_type *t) {
  struct ml_type *next, *after;
  while (t->kind == ML_TYPE_VAR && (next = is_of(t))) {
    if (t->level != ML_GENERIC && next->kind == ML_TYPE_VAR && (after = is_of(next)) && next->level != ML_GENERIC)
      __atomic_store_n(&t->is, next = after, __ATOMIC_RELAXED); /* halves the way; several threads may do so at once: all ways lead to the same end */
    t = next;
  }
  return t;
}

struct ml_type *ml_type_new(struct ml *ml, enum ml_type_kind kind, uint32_t parts) {
  struct ml_type *t = arena_alloc(&ml->arena, sizeof *t + parts * sizeof(struct ml_type *));
  if (!t) return NULL;
  t->kind = kind;
  t->parts = parts;
  if (parts) t->part = (struct ml_type **)(t + 1);
  return t;
}

struct ml_type *ml_type_of(struct ml *ml, enum ml_type_kind kind, struct ml_type *part) {
  struct ml_type *t = ml_type_new(ml, kind, 1);
  if (t) t->part[0] = part;
  return t;
}

struct ml_type *ml_type_var(struct ml *ml, uint32_t level, uint32_t demand) {
  struct ml_type *t = ml_type_new(ml, ML_TYPE_VAR, 0);
  if (!t) return NULL;
  t->level = level;
  t->demand = demand;
  return t;
}

struct ml_type *ml_type_arrow(struct ml *ml, struct ml_type *from, struct ml_type *to) {
  struct ml_type *t = ml_type_new(ml, ML_TYPE_ARROW, 2);
  if (!t) return NULL;
  t->part[0] = from;
  t->part[1] = to;
  return t;
}

struct ml_type *ml_type_data(struct ml *ml, const struct ml_data *data, struct ml_type *part) {
  struct ml_type *t = ml_type_new(ml, ML_TYPE_DATA, part ? 1 : 0);
  if (!t) return NULL;
  t->data = data;
  if (part) t->part[0] = part;
  return t;
}

struct ml_scheme *ml_scheme_of(struct ml *ml, struct ml_type *type) {
  struct ml_scheme *s = arena_alloc(&ml->arena, sizeof *s);
  if (s) s->type = type;
  return s;
}

int ml_type_is_list(const struct ml *ml, const struct ml_type *t) { return t->kind == ML_TYPE_DATA && t->data == ml->list_data; }

int ml_type_label(const struct ml_type *t, const char *label) {
  if (t->kind == ML_TYPE_TUPLE) {
    unsigned n;
    int end;
    return sscanf(label, "%9u%n", &n, &end) == 1 && !label[end] && n >= 1 && n <= t->parts ? (int)n - 1 : -1;
  }
  for (uint32_t i = 0; i < t->parts; i++)
    if (t->label[i] == label) return (int)i;
  return -1;
}

/* Writing. Names of variables are given out in the order in which they are met. */
struct writer {
  char *out;
  size_t room, length;
  const struct ml_type *variable[26];
  uint32_t variables;
};

static void put(struct writer *w, const char *text) {
  for (; *text; text++)
    if (w->length + 1 < w->room) w->out[w->length++] = *text;
}

static void variable(struct writer *w, const struct ml_type *t) {
  if (t->demand & ML_NUMBER) return put(w, t->demand & ML_INTEGRAL ? "int" : "int or real");
  if (t->demand & ML_INTEGRAL) return put(w, "int");
  if (t->demand & ML_ORDERED) return put(w, "int, real or string");
  uint32_t i = 0;
  while (i < w->variables && w->variable[i] != t) i++;
  if (i == w->variables && i < 26) w->variable[w->variables++] = t;
  char name[4] = {'\'', (char)(i < 26 ? 'a' + (int)i : 'z'), 0};
  if (t->demand & ML_EQUAL) put(w, "'");
  put(w, name);
}

/* least: 0 = anything, 1 = no arrow, 2 = no arrow and no product. */
static void write_type(struct writer *w, const struct ml_type *type, int least, int depth) {
  const struct ml_type *t = ml_type_find((struct ml_type *)(uintptr_t)type);
  if (depth > 40 || w->length + 1 >= w->room) return put(w, "...");
  const char *behind = NULL;
  switch (t->kind) {
  case ML_TYPE_VAR:
    if (!(t->demand & ML_FLEXIBLE)) return variable(w, t);
    /* fall through */
  case ML_TYPE_RECORD:
    put(w, "{");
    for (uint32_t i = 0; i < t->parts; i++) {
      put(w, i ? ", " : "");
      put(w, t->label[i]);
      put(w, ": ");
      write_type(w, t->part[i], 0, depth + 1);
    }
    return put(w, t->kind == ML_TYPE_VAR ? ", ...}" : "}");
  case ML_TYPE_INT: return put(w, "int");
  case ML_TYPE_REAL: return put(w, "real");
  case ML_TYPE_STRING: return put(w, "string");
  case ML_TYPE_CHAR: return put(w, "char");
  case ML_TYPE_TIME: return put(w, "time");
  case ML_TYPE_TUPLE:
    if (!t->parts) return put(w, "unit");
    if (least > 1) put(w, "(");
    for (uint32_t i = 0; i < t->parts; i++) {
      put(w, i ? " * " : "");
      write_type(w, t->part[i], 2, depth + 1);
    }
    return put(w, least > 1 ? ")" : "");
  case ML_TYPE_ARROW:
    if (least > 0) put(w, "(");
    write_type(w, t->part[0], 1, depth + 1);
    put(w, " -> ");
    write_type(w, t->part[1], 0, depth + 1);
    return put(w, least > 0 ? ")" : "");
  case ML_TYPE_DATA: behind = t->data->name; break;
  case ML_TYPE_MULTISET: behind = "ms"; break;
  case ML_TYPE_TIMED: behind = "tms"; break;
  case ML_TYPE_REF: behind = "ref"; break;
  }
  if (t->parts > 1) put(w, "(");
  for (uint32_t i = 0; i < t->parts; i++) {
    put(w, i ? ", " : "");
    write_type(w, t->part[i], t->parts > 1 ? 0 : 2, depth + 1);
  }
  if (t->parts) put(w, t->parts > 1 ? ") " : " ");
  put(w, behind);
}

char *ml_type_print(const struct ml_type *type, char *out, size_t room) {
  struct writer w = {.out = out, .room = room};
  if (!room) return out;
  write_type(&w, type, 0, 0);
  out[w.length] = 0;
  return out;
}
