/* check_colset.c -- colour sets.
 *
 * A colour set is a name for a type, and says which values of the type belong to it.  Enumerations, indexes and unions make a
 * type of their own, with constructors; all others share the type of their structure.  Ranges are worked out here, once. */
#include "ml/check.h"

#include <string.h>

static const struct ml_colset *part_of(struct check *c, const struct ml_written *w) {
  const struct ml_type_meaning *m = ml_symbol(w->name)->type;
  if (!m || !m->colset) return check_unknown(c, w->place, w->from, w->name, "colour set", 1), NULL;
  return m->colset;
}

/* Is there something in it that is refused, or changes references? */
static int changed(struct check *c) {
  if (c->assigns && !c->refused) c->refused = "':=' changes a reference";
  if (c->chance && !c->refused) c->refused = c->chance;
  return c->refused != NULL;
}

static int number(struct check *c, struct ml_expr *e, struct ml_type *type, ml_value *out) {
  if (check_against(c, &e, type) || check_finish(c)) return -1;
  if (changed(c)) return check_fault(c, e->place, e->from, "%s: a colour set cannot have that", c->refused);
  return ml_evaluate(c->ml, e, out, c->err);
}

static int range(struct check *c, struct ml_expr *low, struct ml_expr *high, struct ml_colset *s) {
  ml_value a, b;
  struct ml_type *type = s->kind == ML_COLSET_TIME || s->kind == ML_COLSET_INTINF ? c->ml->time : c->ml->int_;
  if (number(c, low, type, &a) || number(c, high, type, &b)) return -1;
  s->has_range = 1;
  s->low = ml_to_int(a);
  s->high = ml_to_int(b);
  return s->low <= s->high ? 0
                           : check_fault(c, low->place, low->from, "the range of %s is empty: %lld..%lld", s->name,
                                         (long long)s->low, (long long)s->high);
}

static int real_range(struct check *c, const struct ml_statement *w, struct ml_colset *s) {
  ml_value a, b;
  if (number(c, w->low, c->ml->real, &a) || number(c, w->high, c->ml->real, &b)) return -1;
  s->has_range = 1;
  memcpy(&s->low_real, &ml_block(a)->field[0], sizeof s->low_real);
  memcpy(&s->high_real, &ml_block(b)->field[0], sizeof s->high_real);
  return 0;
}

static int character(struct check *c, struct ml_expr *e, const char **out) {
  ml_value v;
  if (number(c, e, c->ml->string, &v)) return -1;
  if (ml_block(v)->size != 1) return check_fault(c, e->place, e->from, "a string of one character is expected");
  *out = arena_strndup(&c->ml->arena, (const char *)ml_block(v)->field, 1);
  return *out ? 0 : check_memory(c);
}

static int strings(struct check *c, const struct ml_statement *w, struct ml_colset *s) {
  if (!w->low) return 0;
  if (character(c, w->low, &s->low_char) || character(c, w->high, &s->high_char)) return -1;
  return w->low_length ? range(c, w->low_length, w->high_length, s) : 0;
}

/* Product: a tuple. Record: labels sorted; where each was written is kept. */
static int structure(struct check *c, const struct ml_statement *w, struct ml_colset *s, const struct ml_colset **part) {
  struct ml_type *t = s->type = ml_type_new(c->ml, s->kind == ML_COLSET_PRODUCT ? ML_TYPE_TUPLE : ML_TYPE_RECORD, w->parts);
  if (!check_made(c, t)) return -1;
  if (s->kind == ML_COLSET_RECORD) {
    if (w->parts > 1000) return check_fault(c, w->place, w->from, "the record %s has more than 1000 labels", s->name);
    const char **label = arena_alloc(&c->ml->arena, w->parts * sizeof *label);
    uint32_t *order = arena_alloc(&c->ml->arena, w->parts * sizeof *order);
    if (!label || !order) return check_memory(c);
    memcpy(label, w->part_name, w->parts * sizeof *label);
    for (uint32_t i = 0; i < w->parts; i++) order[i] = i;
    for (uint32_t i = 1; i < w->parts; i++) { /* few: by insertion, taking the parts along */
      for (uint32_t j = i; j && strcmp(label[j - 1], label[j]) >= 0; j--) {
        if (label[j - 1] == label[j])
          return check_fault(c, w->place, w->from, "the record %s has two labels %s", s->name, label[j]);
        const char *l = label[j];
        const struct ml_colset *p = part[j];
        label[j] = label[j - 1], label[j - 1] = l;
        part[j] = part[j - 1], part[j - 1] = p;
      }
    }
    for (uint32_t i = 0; i < w->parts; i++)
      for (uint32_t j = 0; j < w->parts; j++)
        if (label[j] == w->part_name[i]) order[i] = j;
    t->label = label;
    s->order = order;
  }
  for (uint32_t i = 0; i < w->parts; i++) t->part[i] = part[i]->type;
  return 0;
}

/* A type of its own, with constructors. */
static int data(struct check *c, const struct ml_statement *w, struct ml_colset *s, const struct ml_colset **part) {
  struct ml_data *d = check_new_data(c, s->name, w->parts, w->part_name, w->place);
  struct ml_type *t = s->type = d ? check_made(c, ml_type_data(c->ml, d, NULL)) : NULL;
  if (!t) return -1;
  struct ml_type **argument = (struct ml_type **)(uintptr_t)d->argument;
  if (s->kind == ML_COLSET_INDEX) {
    argument[0] = c->ml->int_;
    d->index = 1;
    d->scalarset = w->scalarset;
  }
  for (uint32_t i = 0; s->kind == ML_COLSET_UNION && i < w->parts; i++)
    if (part[i]) argument[i] = part[i]->type;
  return check_constructors(c, d, t);
}

static int names(struct check *c, const struct ml_statement *w, struct ml_colset *s) {
  if (!w->parts) return 0;
  if (s->kind == ML_COLSET_UNIT) {
    s->unit_name = w->part_name[0];
    return ml_mean(c->ml, s->unit_name, ML_MEANS_UNIT) ? 0 : check_memory(c);
  }
  s->false_name = w->part_name[0];
  s->true_name = w->part_name[1];
  for (uint32_t i = 0; i < 2; i++) {
    struct ml_meaning *m = ml_mean(c->ml, w->part_name[i], ML_MEANS_CONSTRUCTOR);
    if (!m || !(m->scheme = ml_scheme_of(c->ml, c->ml->bool_))) return check_memory(c);
    m->data = c->ml->bool_data;
    m->number = i;
  }
  return 0;
}

static int subset(struct check *c, const struct ml_statement *w, struct ml_colset *s) {
  struct ml_expr *e = w->by ? w->by : w->with;
  struct ml_type *want = w->by ? ml_type_arrow(c->ml, s->type, c->ml->bool_) : ml_type_data(c->ml, c->ml->list_data, s->type);
  if (!check_made(c, want) || check_against(c, &e, want) || check_finish(c)) return -1;
  if (changed(c)) return check_fault(c, e->place, e->from, "%s: a colour set cannot have that", c->refused);
  if (w->by) s->by = e;
  else s->with = e;
  return 0;
}

static int form(struct check *c, const struct ml_statement *w, struct ml_colset *s, const struct ml_colset **part) {
  struct ml *ml = c->ml;
  switch (s->kind) {
  case ML_COLSET_UNIT: s->type = ml->unit; return names(c, w, s);
  case ML_COLSET_BOOL: s->type = ml->bool_; return names(c, w, s);
  case ML_COLSET_INT: s->type = ml->int_; return w->low ? range(c, w->low, w->high, s) : 0;
  case ML_COLSET_INTINF:
  case ML_COLSET_TIME: s->type = ml->time; return w->low ? range(c, w->low, w->high, s) : 0;
  case ML_COLSET_REAL: s->type = ml->real; return w->low ? real_range(c, w, s) : 0;
  case ML_COLSET_STRING: s->type = ml->string; return strings(c, w, s);
  case ML_COLSET_ENUM:
  case ML_COLSET_UNION: return data(c, w, s, part);
  case ML_COLSET_INDEX: return range(c, w->low, w->high, s) ? -1 : data(c, w, s, part);
  case ML_COLSET_PRODUCT:
    if (w->parts < 2) return check_fault(c, w->place, w->from, "a product has at least two parts");
    /* fall through */
  case ML_COLSET_RECORD: return structure(c, w, s, part);
  case ML_COLSET_LIST:
    if (!(s->type = check_made(c, ml_type_data(ml, ml->list_data, part[0]->type)))) return -1;
    return w->low ? range(c, w->low, w->high, s) : 0;
  case ML_COLSET_SUBSET: s->type = part[0]->type; return subset(c, w, s);
  case ML_COLSET_ALIAS:
    s->type = part[0]->type;
    s->timed |= part[0]->timed;
    return 0;
  }
  return -1;
}

int check_colset(struct check *c, const struct ml_statement *w) {
  struct ml_colset *s = arena_alloc(&c->ml->arena, sizeof *s);
  const struct ml_colset **part = arena_alloc(&c->ml->arena, (w->parts + 1) * sizeof *part);
  if (!s || !part) return check_memory(c);
  s->name = w->name;
  s->kind = w->colset == ML_COLSET_TIME && c->ml->real_time ? ML_COLSET_REAL : w->colset;
  s->real_time = c->ml->real_time;
  s->timed = w->timed;
  s->place = w->place;
  for (uint32_t i = 0; i < w->parts; i++)
    if (w->part_of[i] && !(part[i] = part_of(c, w->part_of[i]))) return -1;
  if (form(c, w, s, part)) return -1;
  int has_parts =
      s->kind != ML_COLSET_ENUM && s->kind != ML_COLSET_INDEX && s->kind != ML_COLSET_UNIT && s->kind != ML_COLSET_BOOL;
  s->part = part;
  s->parts = has_parts ? w->parts : 0;
  struct ml_type_meaning *m = ml_mean_type(c->ml, s->name, s->type);
  if (!m || vec_push(&c->ml->colsets, c->ml->mem, MEM_MODEL, s)) return check_memory(c);
  s->number = (uint32_t)c->ml->colsets.count - 1;
  m->colset = s;
  return ml_define_colset(c->ml, s, c->err);
}
