/* colset_of.c -- a colour set of all values of a type, for what is kept in a place although nobody has declared a colour set for it.
 *
 * Numbers, strings and truth values have one; datatypes have the enumeration, index set or union that they were declared as (with its ranges); tuples, records and lists are made of their parts.  Functions, references, multisets, and
 * datatypes that are no colour sets cannot be tokens. */
#include "ml/types.h"

#include <string.h>

enum { DEEPEST = 24 };

static const struct ml_colset *declared(const struct ml *ml, const struct ml_data *data) {
  for (size_t i = 0; i < ml->colsets.count; i++) {
    const struct ml_colset *c = ml->colsets.at[i];
    if ((c->kind == ML_COLSET_ENUM || c->kind == ML_COLSET_INDEX || c->kind == ML_COLSET_UNION) && !c->timed && ml_type_find(c->type)->data == data) return c;
  }
  return NULL;
}

static const struct ml_colset *of(struct ml *ml, struct ml_type *type, int depth);

static const struct ml_colset *made(struct ml *ml, struct ml_type *type, enum ml_colset_kind kind, int depth) {
  char text[200];
  struct ml_colset *c = arena_alloc(&ml->arena, sizeof *c);
  const struct ml_colset **part = arena_alloc(&ml->arena, (type->parts + 1) * sizeof *part);
  uint32_t *order = arena_alloc(&ml->arena, (type->parts + 1) * sizeof *order);
  if (!c || !part || !order) return NULL;
  for (uint32_t i = 0; i < type->parts; i++) {
    if (!(part[i] = of(ml, type->part[i], depth + 1))) return NULL;
    order[i] = i;
  }
  ml_type_print(type, text, sizeof text);
  *c = (struct ml_colset){.name = ml_name(ml, text, strlen(text)), .kind = kind, .type = type, .part = part, .parts = type->parts, .order = kind == ML_COLSET_RECORD ? order : NULL, .number = (uint32_t)ml->colsets.count};
  return c->name && !vec_push(&ml->colsets, ml->mem, MEM_MODEL, c) ? c : NULL;
}

static const struct ml_colset *of(struct ml *ml, struct ml_type *type, int depth) {
  type = ml_type_find(type);
  if (depth > DEEPEST) return NULL;
  switch (type->kind) {
  case ML_TYPE_INT: return ml->int_colset;
  case ML_TYPE_REAL: return ml->real_colset;
  case ML_TYPE_STRING: return ml->string_colset;
  case ML_TYPE_TIME: return ml->intinf_colset;
  case ML_TYPE_TUPLE: return type->parts ? made(ml, type, ML_COLSET_PRODUCT, depth) : ml->unit_colset;
  case ML_TYPE_RECORD: return made(ml, type, ML_COLSET_RECORD, depth);
  case ML_TYPE_DATA:
    if (type->data == ml->bool_data) return ml->bool_colset;
    return ml_type_is_list(ml, type) ? made(ml, type, ML_COLSET_LIST, depth) : declared(ml, type->data);
  default: return NULL;
  }
}

const struct ml_colset *ml_colset_of(struct ml *ml, struct ml_type *type) { return of(ml, type, 0); }
