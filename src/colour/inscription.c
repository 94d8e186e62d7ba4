/* inscription.c -- reading trees of CPN ML with the eyes of a net.
 *
 * Everything here is about form: what is not of a form that is known is an expression like any other, to be computed when its variables
 * are known.  So nothing here can change what a net means, only how soon variables are bound.
 *
 * Trees are at most ML_HIGHEST high, which bounds the recursion. */
#include "colour/inscription.h"

#include <string.h>

/* Applies the library's function of this name to a pair? */
static int applies(const struct ml_expr *e, const char *name) {
  return e->kind == ML_APPLY && e->part[0]->kind == ML_LIBRARY && e->part[0]->name && strcmp(e->part[0]->name, name) == 0 &&
         e->part[1]->kind == ML_TUPLE && e->part[1]->parts == 2;
}

/* The checker marks an untimed part of a timed sum as e @+ 0. */
static const struct ml_expr *without_delay(const struct ml_expr *e) {
  while (e->kind == ML_DELAY && e->part[1]->kind == ML_INT && e->part[1]->number == 0) e = e->part[0];
  return e;
}

static int is_timed(const struct ml_expr *e) { return ml_type_find(e->type)->kind == ML_TYPE_TIMED; }
static int is_multiset(const struct ml_expr *e) { return is_timed(e) || ml_type_find(e->type)->kind == ML_TYPE_MULTISET; }

static int is_term(const struct ml_expr *e) {
  while (e->kind == ML_DELAY) e = e->part[0];
  if (applies(e, "++") || applies(e, "+++")) return is_term(e->part[1]->part[0]) && is_term(e->part[1]->part[1]);
  return e->kind == ML_COEFFICIENT || !is_multiset(e) || (e->kind == ML_LIBRARY && e->name && strcmp(e->name, "empty") == 0);
}

static int tell_terms(const struct ml_expr *e, int early, int (*hear)(void *, struct inscription_term), void *context) {
  e = without_delay(e);
  for (; e->kind == ML_DELAY; e = e->part[0]) early = 1;
  if (applies(e, "++") || applies(e, "+++"))
    return tell_terms(e->part[1]->part[0], early, hear, context) || tell_terms(e->part[1]->part[1], early, hear, context) ? -1 : 0;
  if (e->kind == ML_COEFFICIENT) return hear(context, (struct inscription_term){e->part[0], e->part[1], early});
  if (is_multiset(e)) return 0; /* empty */
  return hear(context, (struct inscription_term){NULL, e, early});
}

int inscription_terms(const struct ml_expr *e, int (*hear)(void *, struct inscription_term), void *context) {
  return is_term(e) ? tell_terms(e, 0, hear, context) : 1;
}

int inscription_conditions(const struct ml_expr *e, int (*hear)(void *, const struct ml_expr *), void *context) {
  if (e->kind == ML_AND) return inscription_conditions(e->part[0], hear, context) || inscription_conditions(e->part[1], hear, context) ? -1 : 0;
  if (e->kind == ML_LIST) {
    for (uint32_t i = 0; i < e->parts; i++)
      if (inscription_conditions(e->part[i], hear, context)) return -1;
    return 0;
  }
  return hear(context, e);
}

int inscription_equation(const struct ml_expr *e, const struct ml_expr **left, const struct ml_expr **right) {
  if (!applies(e, "=")) return 0;
  *left = e->part[1]->part[0];
  *right = e->part[1]->part[1];
  return 1;
}

static int any_part(const struct ml_expr *e, int (*is)(const struct ml_expr *)) {
  for (uint32_t i = 0; i < e->parts; i++)
    if (is(e->part[i])) return 1;
  for (uint32_t i = 0; i < e->rules; i++)
    if (is(e->rule[i].body)) return 1;
  return 0;
}

int inscription_timed(const struct ml_expr *e) {
  e = without_delay(e);
  if (e->kind == ML_AT || e->kind == ML_DELAY || (e->kind == ML_APPLY && is_timed(e) && e->part[0]->kind != ML_LIBRARY)) return 1;
  return any_part(e, inscription_timed);
}

int inscription_stamped(const struct ml_expr *e) { return e->kind == ML_AT || any_part(e, inscription_stamped); }

/* Functions that have an answer whatever they are applied to. */
static int is_total(const struct ml_expr *e) {
  static const char *const total[] = {"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "~", "not", "^", "^^", "@", "mem", "size", "length", "List.length", "null", "List.null", "cf"};
  for (size_t i = 0; e->kind == ML_LIBRARY && e->name && i < sizeof total / sizeof *total; i++)
    if (strcmp(e->name, total[i]) == 0) return 1;
  return e->kind == ML_CONSTRUCTOR || (e->kind == ML_APPLY && is_total(e->part[0]) && !inscription_may_fail(e->part[1]));
}

int inscription_may_fail(const struct ml_expr *e) {
  switch (e->kind) {
  case ML_RAISE:
  case ML_CASE:
  case ML_HANDLE:
  case ML_LET: return 1;
  case ML_FN: return 0; /* by itself */
  case ML_APPLY: return !is_total(e->part[0]) || inscription_may_fail(e->part[1]);
  default: return any_part(e, inscription_may_fail);
  }
}

int inscription_same_type(struct ml_type *a, struct ml_type *b) {
  a = ml_type_find(a);
  b = ml_type_find(b);
  if (a == b) return 1;
  if (a->kind == ML_TYPE_VAR || b->kind == ML_TYPE_VAR) return 1;
  if (a->kind != b->kind || a->parts != b->parts || a->data != b->data) return 0;
  for (uint32_t i = 0; i < a->parts; i++) {
    if (a->kind == ML_TYPE_RECORD && strcmp(a->label[i], b->label[i]) != 0) return 0;
    if (!inscription_same_type(a->part[i], b->part[i])) return 0;
  }
  return 1;
}

int inscription_is_list(struct ml_type *type) { return type->kind == ML_TYPE_DATA && strcmp(type->data->name, "list") == 0; }

struct ml_type *inscription_argument(struct ml_type *type, uint32_t constructor) {
  const struct ml_data *d = type->data;
  if (inscription_is_list(type)) return ml_type_find(type->part[0]);
  if (constructor >= d->constructors || !d->argument[constructor]) return NULL;
  struct ml_type *argument = ml_type_find(d->argument[constructor]);
  for (uint32_t i = 0; i < d->arity; i++)
    if (ml_type_find(d->parameter[i]) == argument) return ml_type_find(type->part[i]);
  return argument;
}

/* ---- patterns --------------------------------------------------------------------------------------------------------------- */

struct maker {
  struct ml *ml;
  struct arena *arena;
  struct err *e;
};

static struct pattern *make(struct maker *m, const struct ml_expr *e);

static struct pattern *fresh(struct maker *m, enum pattern_kind kind, uint32_t parts) {
  struct pattern *p = arena_alloc(m->arena, sizeof *p);
  if (p && parts) p->part = arena_alloc(m->arena, parts * sizeof *p->part);
  if (!p || (parts && !p->part)) {
    err_memory(m->e, "an inscription");
    return NULL;
  }
  p->kind = kind;
  p->parts = parts;
  return p;
}

static struct pattern *number(struct maker *m, int64_t n) {
  struct pattern *p = fresh(m, PATTERN_NUMBER, 0);
  if (p) p->word = ml_from_int(n);
  return p;
}

static struct pattern *computed(struct maker *m, const struct ml_expr *e) {
  struct pattern *p = fresh(m, PATTERN_COMPUTED, 0);
  if (!p || ml_compile(&p->code, m->ml, e, ML_WANT_ANYTHING, NULL, m->e)) return NULL;
  p->expr = e;
  return p;
}

static struct pattern *of_parts(struct maker *m, enum pattern_kind kind, struct ml_expr *const *part, uint32_t parts) {
  struct pattern *p = fresh(m, kind, parts);
  for (uint32_t i = 0; p && i < parts; i++)
    if (!(p->part[i] = make(m, part[i]))) return NULL;
  return p;
}

/* a :: b :: tail; tail NULL is nil. */
static struct pattern *cells(struct maker *m, const struct ml_expr *list, const struct ml_expr *tail) {
  struct pattern *rest = tail ? make(m, tail) : number(m, 0);
  for (uint32_t i = list->parts; rest && i-- > 0;) {
    struct pattern *cell = fresh(m, PATTERN_CELL, 2);
    if (!cell || !(cell->part[0] = make(m, list->part[i]))) return NULL;
    cell->part[1] = rest;
    rest = cell;
  }
  return rest;
}

static struct pattern *built(struct maker *m, const struct ml_expr *e) {
  const struct ml_expr *constructor = e->part[0], *argument = e->part[1];
  if (strcmp(constructor->data->name, "list") == 0)
    return argument->kind == ML_TUPLE && argument->parts == 2 ? of_parts(m, PATTERN_CELL, argument->part, 2) : computed(m, e);
  struct pattern *p = of_parts(m, PATTERN_BUILT, &e->part[1], 1);
  if (p) p->word = ml_from_int(constructor->constructor);
  return p;
}

static struct pattern *make(struct maker *m, const struct ml_expr *e) {
  struct pattern *p;
  switch (e->kind) {
  case ML_COLOURED:
    p = fresh(m, PATTERN_VARIABLE, 0);
    if (p) p->variable = e->variable->number;
    return p;
  case ML_INT: return number(m, e->number);
  case ML_STRING:
    p = fresh(m, PATTERN_STRING, 0);
    if (p) p->text = e->text, p->length = e->length;
    return p;
  case ML_TUPLE:
  case ML_RECORD: return e->parts ? of_parts(m, PATTERN_TUPLE, e->part, e->parts) : number(m, 0);
  case ML_CONSTRUCTOR:
    return ml_type_find(e->type)->kind == ML_TYPE_ARROW ? computed(m, e) : number(m, e->constructor);
  case ML_LIST: return cells(m, e, NULL);
  case ML_APPLY:
    if (e->part[0]->kind == ML_CONSTRUCTOR) return built(m, e);
    if (applies(e, "^^") && e->part[1]->part[0]->kind == ML_LIST) return cells(m, e->part[1]->part[0], e->part[1]->part[1]);
    return computed(m, e);
  default: return computed(m, e);
  }
}

struct pattern *pattern_make(struct ml *ml, const struct ml_expr *e, struct arena *arena, struct err *err) {
  struct maker m = {ml, arena, err};
  return make(&m, e);
}

int pattern_variables(const struct pattern *p, int of_computed, int (*hear)(void *, uint32_t), void *context) {
  uint32_t number_of[64];
  if (p->kind == PATTERN_VARIABLE) return of_computed ? 0 : hear(context, p->variable);
  if (p->kind == PATTERN_COMPUTED && of_computed) {
    size_t n = ml_free_variables(p->expr, number_of, 64);
    for (size_t i = 0; i < n && i < 64; i++)
      if (hear(context, number_of[i])) return -1;
  }
  for (uint32_t i = 0; i < p->parts; i++)
    if (pattern_variables(p->part[i], of_computed, hear, context)) return -1;
  return 0;
}
