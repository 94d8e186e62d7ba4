/* print.c -- values as CPN Tools writes them: 1`(1,"COL")++
 * 1`(2,"OUR").
 *
 * Everything goes through a sink that counts what does not fit, so that one call tells how much room is needed.  With a colour
 * set, its names are used (unit with e, bool with (no, yes)); without one the type decides. */
#include "ml/print.h"

#include "ml/heap.h"
#include "ml/multiset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sink {
  char *out;
  size_t room, length;
  unsigned depth;
};

static void put(struct sink *s, const char *text, size_t length) {
  if (s->length < s->room) {
    size_t left = s->room - s->length;
    memcpy(s->out + s->length, text, length < left ? length : left);
  }
  s->length += length;
}

static void put_text(struct sink *s, const char *text) { put(s, text, strlen(text)); }

static size_t close_sink(struct sink *s, char *out, size_t room) {
  if (room) out[s->length < room ? s->length : room - 1] = 0;
  return s->length;
}

static void put_int(struct sink *s, int64_t n) {
  char text[32];
  put(s, text, (size_t)snprintf(text, sizeof text, "%s%lld", n < 0 ? "~" : "", (long long)llabs(n)));
}

static void put_real(struct sink *s, double x) {
  char text[40];
  put(s, text, ml_print_real(x, text));
}

static void put_bytes(struct sink *s, const char *bytes, size_t length) {
  char one[8];
  put(s, "\"", 1);
  for (size_t i = 0; i < length; i++) put(s, one, ml_print_char((unsigned char)bytes[i], one));
  put(s, "\"", 1);
}

static void put_string(struct sink *s, ml_value v) { put_bytes(s, ml_string_bytes(ml_block(v)), ml_block(v)->size); }

static void put_char(struct sink *s, ml_value v) {
  char c = (char)ml_to_int(v);
  put(s, "#", 1);
  put_bytes(s, &c, 1);
}

/* What is printed: a colour set, or a type where there is none. */
struct as {
  const struct ml_colset *colset;
  struct ml_type *type;
};

static void put_value(struct sink *, struct as, ml_value);

static struct as part_of(struct as as, uint32_t i) {
  if (as.colset) return (struct as){as.colset->part[i], as.colset->part[i] ? as.colset->part[i]->type : NULL};
  return (struct as){NULL, as.type->part[i]};
}

static void put_tuple(struct sink *s, struct as as, uint32_t parts, const char *const *label, ml_value v) {
  put(s, label ? "{" : "(", 1);
  for (uint32_t k = 0; k < parts; k++) {
    uint32_t i = as.colset && as.colset->order ? as.colset->order[k] : k; /* records as they were declared */
    if (k) put(s, ",", 1);
    if (label) {
      put_text(s, label[i]);
      put(s, "=", 1);
    }
    put_value(s, part_of(as, i), ml_block(v)->field[i]);
  }
  put(s, label ? "}" : ")", 1);
}

static void put_list(struct sink *s, struct as element, ml_value v) {
  put(s, "[", 1);
  for (int first = 1; !ml_is_int(v); v = ml_block(v)->field[1], first = 0) {
    if (!first) put(s, ",", 1);
    put_value(s, element, ml_block(v)->field[0]);
  }
  put(s, "]", 1);
}

static void put_vector(struct sink *s, struct as element, ml_value v) {
  put(s, "#[", 2);
  for (uint32_t i = 0; i < ml_block(v)->size; i++) {
    if (i) put(s, ",", 1);
    put_value(s, element, ml_block(v)->field[i]);
  }
  put(s, "]", 1);
}

static void put_constructed(struct sink *s, const struct ml_data *data, struct as argument, ml_value v) {
  if (ml_is_int(v)) {
    const char *const *name = data->shown ? data->shown : data->constructor;
    put_text(s, (uint64_t)ml_to_int(v) < data->constructors ? name[ml_to_int(v)] : "?");
    return;
  }
  const struct ml_block *b = ml_block(v);
  put_text(s, data->constructor[ml_to_int(b->field[0])]);
  put(s, "(", 1);
  put_value(s, argument, b->field[1]);
  put(s, ")", 1);
}

static void put_entries(struct sink *s, struct as as, ml_value v) {
  const struct ml_block *b = ml_block(v);
  uint32_t stride = ml_multiset_stride(b);
  if (b->size == 0) put_text(s, "empty");
  for (uint32_t i = 0; i < b->size; i += stride) {
    if (i) put_text(s, stride == 3 ? "+++\n" : "++\n");
    put_int(s, ml_to_int(b->field[i]));
    put(s, "`", 1);
    put_value(s, as, b->field[i + 1]);
    if (stride == 2) continue;
    put(s, "@", 1);
    if (as.colset && as.colset->real_time) put_real(s, instant_to_real(ml_to_int(b->field[i + 2])));
    else put_int(s, ml_to_int(b->field[i + 2]));
  }
}

/* The argument of the constructor that made a value of a datatype. */
static struct ml_type *argument_type(struct ml_type *type, ml_value v) {
  const struct ml_data *data = type->data;
  if (ml_is_int(v)) return NULL;
  struct ml_type *argument = data->argument[ml_to_int(ml_block(v)->field[0])];
  if (!argument) return NULL;
  argument = ml_type_find(argument);
  for (uint32_t i = 0; i < data->arity && i < type->parts; i++)
    if (argument == ml_type_find(data->parameter[i])) return type->part[i];
  return argument;
}

/* Values of a type that nobody decided: by their looks. */
static void put_anything(struct sink *s, ml_value v) {
  if (ml_is_int(v)) put_int(s, ml_to_int(v));
  else if (ml_block(v)->tag == ML_BLOCK_STRING) put_string(s, v);
  else if (ml_block(v)->tag == ML_BLOCK_REAL) put_real(s, ml_to_real(v));
  else put_text(s, "...");
}

static void put_by_type(struct sink *s, struct ml_type *type, ml_value v) {
  type = ml_type_find(type);
  struct as as = {NULL, type};
  switch (type->kind) {
  case ML_TYPE_VAR: put_anything(s, v); break;
  case ML_TYPE_INT:
  case ML_TYPE_TIME: put_int(s, ml_to_int(v)); break;
  case ML_TYPE_REAL: put_real(s, ml_to_real(v)); break;
  case ML_TYPE_STRING: put_string(s, v); break;
  case ML_TYPE_CHAR: put_char(s, v); break;
  case ML_TYPE_TUPLE:
    if (type->parts == 0) put_text(s, "()");
    else put_tuple(s, as, type->parts, NULL, v);
    break;
  case ML_TYPE_RECORD: put_tuple(s, as, type->parts, type->label, v); break;
  case ML_TYPE_ARROW: put_text(s, "fn"); break;
  case ML_TYPE_MULTISET:
  case ML_TYPE_TIMED: put_entries(s, part_of(as, 0), v); break;
  case ML_TYPE_REF:
    put_text(s, "ref ");
    put_value(s, part_of(as, 0), ml_block(v)->field[0]);
    break;
  case ML_TYPE_DATA:
    if (!ml_is_int(v) && ml_block(v)->tag == ML_BLOCK_EXCEPTION) put_text(s, "exn");
    else if (!ml_is_int(v) && ml_block(v)->tag == ML_BLOCK_TUPLE) put_vector(s, part_of(as, 0), v);
    else if (!ml_is_int(v) && ml_block(v)->tag == ML_BLOCK_REF) put_text(s, "array");
    else if (type->parts == 1 && (ml_is_int(v) ? strcmp(type->data->name, "list") == 0 : ml_block(v)->tag == ML_BLOCK_CELL))
      put_list(s, part_of(as, 0), v);
    else put_constructed(s, type->data, (struct as){NULL, argument_type(type, v)}, v);
    break;
  }
}

static void put_by_colset(struct sink *s, const struct ml_colset *c, ml_value v) {
  struct as as = {c, c->type};
  const char *name = NULL;
  switch (c->kind) {
  case ML_COLSET_UNIT: put_text(s, c->unit_name ? c->unit_name : "()"); break;
  case ML_COLSET_BOOL:
    name = ml_to_int(v) ? c->true_name : c->false_name;
    put_text(s, name ? name : ml_to_int(v) ? "true" : "false");
    break;
  case ML_COLSET_PRODUCT: put_tuple(s, as, c->parts, NULL, v); break;
  case ML_COLSET_RECORD: put_tuple(s, as, c->parts, ml_type_find(c->type)->label, v); break;
  case ML_COLSET_LIST: put_list(s, part_of(as, 0), v); break;
  case ML_COLSET_UNION:
    put_constructed(s, ml_type_find(c->type)->data,
                    ml_is_int(v) ? (struct as){0} : part_of(as, (uint32_t)ml_to_int(ml_block(v)->field[0])), v);
    break;
  case ML_COLSET_SUBSET:
  case ML_COLSET_ALIAS: put_value(s, part_of(as, 0), v); break;
  default: put_by_type(s, c->type, v);
  }
}

static void put_value(struct sink *s, struct as as, ml_value v) {
  enum { DEEPEST = 5000 }; /* values of datatypes only */
  s->depth++;
  if (s->depth > DEEPEST) put_text(s, "...");
  else if (as.colset) put_by_colset(s, as.colset, v);
  else if (as.type) put_by_type(s, as.type, v);
  else put_anything(s, v);
  s->depth--;
}

void ml_show_as(const struct ml_colset *c, const char *const *constant) {
  if (c->kind == ML_COLSET_ENUM) ((struct ml_data *)(uintptr_t)ml_type_find(c->type)->data)->shown = constant;
}

size_t ml_print(const struct ml_colset *c, ml_value v, char *out, size_t room) {
  struct sink s = {out, room, 0, 0};
  put_value(&s, (struct as){c, c->type}, v);
  return close_sink(&s, out, room);
}

size_t ml_print_type(const struct ml_type *type, ml_value v, char *out, size_t room) {
  struct sink s = {out, room, 0, 0};
  put_by_type(&s, (struct ml_type *)(uintptr_t)type, v);
  return close_sink(&s, out, room);
}

size_t ml_print_multiset(const struct ml_colset *c, ml_value v, char *out, size_t room) {
  struct sink s = {out, room, 0, 0};
  put_entries(&s, (struct as){c, c->type}, v);
  return close_sink(&s, out, room);
}
