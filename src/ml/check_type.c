/* check_type.c -- type, datatype and exception.
 *
 * A datatype's parameters are variables of its own that every use replaces; its constructors are functions whose schemes quantify
 * over them.  Exceptions are numbered: one declaration, one exception, however often a let around it is run. */
#include "ml/check.h"

/* 'a of the declaration stand for these while its right side is read. */
static int parameters(struct check *c, const struct ml_statement *s, struct ml_type ***out) {
  struct ml_type **p = *out = arena_alloc(&c->ml->arena, (s->parameters + 1) * sizeof *p);
  if (!p) return check_memory(c);
  c->written.count = 0;
  for (uint32_t i = 0; i < s->parameters; i++) {
    if (!check_made(c, p[i] = ml_type_var(c->ml, ML_GENERIC, 0))) return -1;
    struct check_variable v = {s->parameter[i], p[i]};
    if (vec_push(&c->written, c->ml->mem, MEM_MODEL, v)) return check_memory(c);
  }
  return 0;
}

/* All 'a must be parameters. */
static int closed(struct check *c, const struct ml_statement *s) {
  if (c->written.count <= s->parameters) return 0;
  return check_fault(c, s->place, s->from, "the type variable %s is not among the parameters of %s",
                     c->written.at[s->parameters].name, s->name);
}

int check_types(struct check *c, const struct ml_statement *s) {
  for (; s; s = s->also) {
    struct ml_type **p, *t;
    if (parameters(c, s, &p) || !(t = check_written(c, s->part_of[0])) || closed(c, s)) return -1;
    struct ml_type_meaning *m = ml_mean_type(c->ml, s->name, t);
    if (!m) return check_memory(c);
    m->arity = s->parameters;
    m->parameter = p;
  }
  return 0;
}

/* May values of the type hold functions; cells: or references? A function in a reference does no harm to =, which asks whether the reference is the same. */
static int holds(const struct ml_type *type, int cells, int depth) {
  const struct ml_type *t = ml_type_find((struct ml_type *)(uintptr_t)type);
  if (t->kind == ML_TYPE_ARROW || depth > 100) return 1;
  if (t->kind == ML_TYPE_REF) return cells;
  if (t->kind == ML_TYPE_DATA && (cells ? t->data->holds_cells : t->data->holds_functions)) return 1;
  for (uint32_t i = 0; i < t->parts; i++)
    if (holds(t->part[i], cells, depth + 1)) return 1;
  return 0;
}

/* Datatypes that are declared together may hold each other: looks until nothing new is seen. */
static void look_inside(const struct ml_statement *first) {
  for (int more = 1; more;) {
    more = 0;
    for (const struct ml_statement *s = first; s; s = s->also) {
      struct ml_data *d = (struct ml_data *)(uintptr_t)ml_symbol(s->name)->type->type->data;
      for (uint32_t i = 0; i < d->constructors; i++) {
        if (!d->argument[i]) continue;
        if (!d->holds_functions && holds(d->argument[i], 0, 0)) d->holds_functions = more = 1;
        if (!d->holds_cells && holds(d->argument[i], 1, 0)) d->holds_cells = more = 1;
      }
    }
  }
}

struct ml_data *check_new_data(struct check *c, const char *name, uint32_t constructors, const char **constructor,
                               struct place_in_text place) {
  struct ml_data *d = arena_alloc(&c->ml->arena, sizeof *d);
  struct ml_type **argument = arena_alloc(&c->ml->arena, (constructors + 1) * sizeof *argument);
  if (!d || !argument) return check_memory(c), NULL;
  d->name = name;
  d->constructors = constructors;
  d->constructor = constructor;
  d->argument = argument;
  d->place = place;
  return d;
}

int check_constructors(struct check *c, struct ml_data *d, struct ml_type *type) {
  for (uint32_t i = 0; i < d->constructors; i++) {
    const struct ml_meaning *before = ml_meaning(c->ml, d->constructor[i]);
    if (before && before->kind == ML_MEANS_CONSTRUCTOR && before->data == d)
      return check_fault(c, d->place, 0, "%s has the constructor %s twice", d->name, d->constructor[i]);
    struct ml_meaning *m = ml_mean(c->ml, d->constructor[i], ML_MEANS_CONSTRUCTOR);
    struct ml_type *t = m && d->argument[i] ? ml_type_arrow(c->ml, d->argument[i], type) : type;
    if (!m || !t || !(m->scheme = ml_scheme_of(c->ml, t))) return check_memory(c);
    m->scheme->variables = d->arity;
    m->scheme->variable = (struct ml_type **)(uintptr_t)d->parameter;
    m->data = d;
    m->number = i;
  }
  return 0;
}

int check_datatypes(struct check *c, const struct ml_statement *first) {
  for (const struct ml_statement *s = first; s; s = s->also) { /* the names first: they may speak of each other */
    struct ml_type **p;
    struct ml_data *d = parameters(c, s, &p) ? NULL : check_new_data(c, s->name, s->parts, s->part_name, s->place);
    struct ml_type *t = d ? check_made(c, ml_type_new(c->ml, ML_TYPE_DATA, s->parameters)) : NULL;
    struct ml_type_meaning *m = t ? ml_mean_type(c->ml, s->name, t) : NULL;
    if (!m) return t ? check_memory(c) : -1;
    d->arity = m->arity = s->parameters;
    d->parameter = m->parameter = p;
    t->data = d;
    for (uint32_t i = 0; i < s->parameters; i++) t->part[i] = p[i];
  }
  for (const struct ml_statement *s = first; s; s = s->also) {
    struct ml_type *t = ml_symbol(s->name)->type->type;
    struct ml_data *d = (struct ml_data *)(uintptr_t)t->data;
    c->written.count = 0;
    for (uint32_t i = 0; i < s->parameters; i++) {
      struct check_variable v = {s->parameter[i], d->parameter[i]};
      if (vec_push(&c->written, c->ml->mem, MEM_MODEL, v)) return check_memory(c);
    }
    struct ml_type **argument = (struct ml_type **)(uintptr_t)d->argument;
    for (uint32_t i = 0; i < s->parts; i++)
      if (s->part_of[i] && !(argument[i] = check_written(c, s->part_of[i]))) return -1;
    if (closed(c, s) || check_constructors(c, d, t)) return -1;
  }
  look_inside(first);
  c->written.count = 0;
  return 0;
}

static int same(struct check *c, const struct ml_statement *s) {
  const struct ml_meaning *old = ml_meaning(c->ml, s->same);
  if (!old || old->kind != ML_MEANS_EXCEPTION) return check_unknown(c, s->place, s->from, s->same, "exception", 0);
  struct ml_meaning *m = ml_mean(c->ml, s->name, ML_MEANS_EXCEPTION);
  if (!m) return check_memory(c);
  m->exception = old->exception;
  m->scheme = old->scheme;
  return 0;
}

int check_exceptions(struct check *c, const struct ml_statement *s) {
  for (; s; s = s->also) {
    if (s->same) {
      if (same(c, s)) return -1;
      continue;
    }
    struct ml_type *argument = NULL, *t = c->ml->exn;
    if (s->parts &&
        (!(argument = check_written(c, s->part_of[0])) || !check_made(c, t = ml_type_arrow(c->ml, argument, c->ml->exn))))
      return -1;
    struct ml_exception *x = arena_alloc(&c->ml->arena, sizeof *x);
    struct ml_meaning *m = x ? ml_mean(c->ml, s->name, ML_MEANS_EXCEPTION) : NULL;
    if (!m || !(m->scheme = ml_scheme_of(c->ml, t)) || vec_push(&c->ml->exceptions, c->ml->mem, MEM_MODEL, x))
      return check_memory(c);
    *x = (struct ml_exception){s->name, argument, (uint32_t)c->ml->exceptions.count - 1};
    m->exception = x;
  }
  return 0;
}
