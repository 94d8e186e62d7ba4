/* symmetry_sorts.c -- see symmetry_sorts.h. */
#include "colour/symmetry_sorts.h"

#include "ml/alike.h"
#include "model/expr.h"

#include <stdio.h>
#include <string.h>

enum { TYPE_DEEPEST = 24 };

/* ---- all inscriptions ---------------------------------------------------------------------------------------------------------- */

struct listener {
  int (*hear)(void *, const struct ml_telling *);
  void *context;
  const char **transition; /* whose inscription it is; NULL = of nobody */
};

/* 0, what was returned, or -1. */
static int of_transition(const struct net *net, const struct net_transition *t, const struct listener *l) {
  int status = 0;
  if (l->transition) *l->transition = t->name;
  for (uint32_t a = 0; a < t->arcs && !status; a++)
    if (net->arcs.at[t->arc + a].tree) status = ml_tells(net->ml, net->arcs.at[t->arc + a].tree, l->hear, l->context);
  for (uint32_t c = 0; c < t->conditions && !status; c++) status = ml_tells(net->ml, net->conditions.at[t->condition + c].tree, l->hear, l->context);
  if (!status && t->delay_tree) status = ml_tells(net->ml, t->delay_tree, l->hear, l->context);
  if (!status && t->action_tree) status = ml_tells(net->ml, t->action_tree, l->hear, l->context);
  return status;
}

static int of_net(const struct net *net, const struct listener *l) {
  int status = 0;
  if (l->transition) *l->transition = NULL;
  for (size_t i = 0; i < ml_colsets(net->ml) && !status; i++) {
    const struct ml_colset *c = ml_colset_at(net->ml, i);
    if (c->by) status = ml_tells(net->ml, c->by, l->hear, l->context);
    if (!status && c->with) status = ml_tells(net->ml, c->with, l->hear, l->context);
  }
  for (size_t t = 0; t < net->transitions.count && !status; t++) status = of_transition(net, &net->transitions.at[t], l);
  return status;
}

/* ---- sorts -------------------------------------------------------------------------------------------------------------------- */

static const struct ml_data *data_of(struct ml_type *type) {
  type = ml_type_find(type);
  return type->kind == ML_TYPE_DATA ? type->data : NULL;
}

/* Does the type speak of the data? -1: nobody can tell. */
static int speaks_of(struct ml_type *type, const struct ml_data *data, int depth) {
  type = ml_type_find(type);
  if (depth > TYPE_DEEPEST || type->kind == ML_TYPE_VAR || type->kind == ML_TYPE_ARROW || type->kind == ML_TYPE_REF) return -1;
  if (type->kind == ML_TYPE_DATA && type->data == data) return 1;
  int found = 0;
  for (uint32_t i = 0; type->kind == ML_TYPE_DATA && i < type->data->constructors && !found; i++) {
    struct ml_type *argument = inscription_is_list(type) ? NULL : inscription_argument(type, i);
    if (argument) found = speaks_of(argument, data, depth + 1);
  }
  for (uint32_t i = 0; i < type->parts && !found; i++) found = speaks_of(type->part[i], data, depth + 1);
  return found;
}

static int held(const struct net *net, const struct ml_data *data) {
  for (size_t p = 0; p < net->places.count; p++)
    if (speaks_of(net->places.at[p].colset->type, data, 0)) return 1;
  return 0;
}

static int add_sort(struct colour_sorts *s, const struct net *net, const struct ml_colset *c) {
  const struct ml_data *d = data_of(c->type);
  struct colour_sort sort = {.data = d, .name = c->name, .low = c->kind == ML_COLSET_INDEX ? c->low : 0};
  uint64_t values = c->kind == ML_COLSET_INDEX ? (uint64_t)(c->high - c->low) + 1 : d->constructors;
  if (values < 2 || !held(net, d)) return 0;
  if (values > SORT_VALUES) {
    snprintf(sort.why, sizeof sort.why, "%.60s has more than %d values", c->name, SORT_VALUES);
    values = 0;
  }
  sort.values = sort.alike = (uint32_t)values;
  sort.first = s->nodes;
  sort.told = mem_alloc(s->mem, MEM_SEARCH, values + 1);
  if (!sort.told || vec_push(&s->sort, s->mem, MEM_SEARCH, sort)) {
    mem_free(s->mem, sort.told);
    return -1;
  }
  s->nodes += (uint32_t)values;
  return 0;
}

static void tell_one(struct colour_sort *s, const struct ml_telling *t) {
  if (!s->why[0]) {
    if (t->place.file && t->place.line) snprintf(s->why, sizeof s->why, "%.50s:%ld: %.110s", t->place.file, t->place.line, t->how);
    else snprintf(s->why, sizeof s->why, "%.110s", t->how);
  }
  for (uint32_t v = 0; v < s->values; v++)
    if (t->value == ML_TELLS_ALL || t->value == s->low + (int64_t)v) s->told[v] = 1;
}

static int tell_sorts(void *context, const struct ml_telling *t) {
  struct colour_sorts *s = context;
  for (size_t i = 0; i < s->sort.count; i++)
    if (!t->data || t->data == s->sort.at[i].data) tell_one(&s->sort.at[i], t);
  return 0;
}

int colour_sorts_find(struct colour_sorts *s, const struct colour_model *m, const struct model_aims *aims, struct mem *mem) {
  const struct net *net = m->net;
  *s = (struct colour_sorts){.mem = mem};
  int status = 0;
  for (size_t i = 0; i < ml_colsets(net->ml) && !status; i++) {
    const struct ml_colset *c = ml_colset_at(net->ml, i);
    if (c->kind == ML_COLSET_INDEX || c->kind == ML_COLSET_ENUM) status = add_sort(s, net, c);
  }
  if (!status) status = of_net(net, &(struct listener){tell_sorts, s, NULL});
  for (size_t i = 0; i < aims->exprs && !status; i++) {
    int64_t condition = aims->expr[i] ? expr_condition(aims->expr[i]) : -1; /* others count tokens, or ask what can happen: that is the same for all */
    if (condition >= 0) status = ml_tells(net->ml, m->conditions.at[condition].tree, tell_sorts, s);
  }
  for (size_t i = 0; i < s->sort.count; i++) {
    struct colour_sort *sort = &s->sort.at[i];
    sort->alike = 0;
    for (uint32_t v = 0; v < sort->values; v++) sort->alike += !sort->told[v];
    if (sort->alike < 2) sort->alike = 0;
    s->alike += sort->alike;
  }
  if (status) colour_sorts_close(s);
  return status;
}

void colour_sorts_close(struct colour_sorts *s) {
  for (size_t i = 0; i < s->sort.count; i++) mem_free(s->mem, s->sort.at[i].told);
  if (s->mem) vec_free(&s->sort, s->mem);
  *s = (struct colour_sorts){0};
}

const struct colour_sort *colour_sort_of(const struct colour_sorts *s, const struct ml_data *data) {
  for (size_t i = 0; i < s->sort.count; i++)
    if (s->sort.at[i].data == data) return s->sort.at[i].alike ? &s->sort.at[i] : NULL;
  return NULL;
}

int colour_sorts_in(const struct colour_sorts *s, struct ml_type *type) {
  int found = 0;
  for (size_t i = 0; i < s->sort.count && found >= 0; i++) {
    if (!s->sort.at[i].alike) continue;
    int one = speaks_of(type, s->sort.at[i].data, 0);
    found = one < 0 ? -1 : found | one;
  }
  return found;
}

/* ---- scalarsets --------------------------------------------------------------------------------------------------------------- */

struct complaint {
  struct err *e;
  const struct net *net;
  const char *transition;
};

static int complain(void *context, const struct ml_telling *t) {
  struct complaint *c = context;
  const struct ml_data *d = t->data;
  for (size_t i = 0; !d && i < ml_colsets(c->net->ml); i++) { /* nobody knows which: the first */
    const struct ml_data *other = data_of(ml_colset_at(c->net->ml, i)->type);
    if (other && other->scalarset) d = other;
  }
  if (!d || !d->scalarset) return 0;
  err_input(c->e, t->place, "%s%.100s%sthe values of scalarset %.60s are all alike, but %.100s", c->transition ? "transition " : "", c->transition ? c->transition : "", c->transition ? ": " : "", d->name, t->how);
  err_hint(c->e, "they can be compared for being equal, put on arcs and into tuples and lists, and taken all together: %.60s.all()", d->name);
  return 1;
}

int colour_check_scalarsets(const struct net *net, struct err *e) {
  struct complaint c = {e, net, NULL};
  int any = 0;
  for (size_t i = 0; i < ml_colsets(net->ml); i++) {
    const struct ml_data *d = data_of(ml_colset_at(net->ml, i)->type);
    any |= d && d->scalarset;
  }
  if (!any) return 0;
  int status = of_net(net, &(struct listener){complain, &c, &c.transition});
  return status < 0 ? err_memory(e, "the net") : status ? -1 : 0;
}
