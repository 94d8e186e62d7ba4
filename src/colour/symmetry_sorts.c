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
  sort.block = mem_alloc(s->mem, MEM_SEARCH, (values + 1) * sizeof *sort.block);
  if (!sort.told || !sort.block || vec_push(&s->sort, s->mem, MEM_SEARCH, sort)) {
    mem_free(s->mem, sort.told);
    mem_free(s->mem, sort.block);
    return -1;
  }
  s->nodes += (uint32_t)values;
  return 0;
}

/* Blocks become smaller: values stay together that were, and are in `by`. */
static void divide(struct colour_sort *s, const uint32_t *by) {
  uint32_t *old = s->block;
  for (uint32_t v = s->values; v-- > 0;) { /* from above: those below still say what they said */
    uint32_t u = 0;
    while (u < v && (old[u] != old[v] || by[u] != by[v])) u++;
    old[v] = u < v ? u | 0x80000000u : v | 0x80000000u;
  }
  for (uint32_t v = 0; v < s->values; v++) old[v] &= 0x7fffffffu;
}

static void excuse(struct colour_sort *s, const struct ml_telling *t) {
  if (s->why[0]) return;
  if (t->place.file && t->place.line) snprintf(s->why, sizeof s->why, "%.50s:%ld: %.110s", t->place.file, t->place.line, t->how);
  else snprintf(s->why, sizeof s->why, "%.110s", t->how);
}

struct one_sort {
  struct colour_sort *sort;
  uint32_t *by;
  int used; /* divide, or only listen */
  int heard;
};

static int tell_sort(void *context, const struct ml_telling *t) {
  struct one_sort *one = context;
  if (t->data && t->data != one->sort->data) return 0;
  one->heard = 1;
  if (!one->used) return 0;
  excuse(one->sort, t);
  for (uint32_t v = 0; v < one->sort->values; v++) one->by[v] = t->value == ML_TELLS_ALL ? v : t->value == one->sort->low + (int64_t)v;
  divide(one->sort, one->by);
  return 0;
}

/* One text; `trial` NULL: it cannot be tried. 0 or -1. */
static int ask(struct colour_sorts *s, struct net *net, const struct ml_expr *tree, const struct colour_trial *trial, uint32_t *by) {
  for (size_t i = 0; i < s->sort.count && tree; i++) {
    struct one_sort one = {.sort = &s->sort.at[i], .by = by, .used = !trial};
    if (ml_tells(net->ml, tree, tell_sort, &one)) return -1;
    if (!trial || !one.heard) continue;
    int status = colour_try(trial, one.sort, net, by, s->mem);
    if (status < 0) return -1;
    if (!status) divide(one.sort, by);
    one.used = status > 0 || !one.sort->why[0]; /* of what was tried only the reason is wanted */
    if (!status && one.used) {
      struct colour_sort copy = *one.sort;
      int all = 1;
      for (uint32_t v = 0; v < copy.values; v++) all &= by[v] == 0;
      if (all) continue; /* it tells nothing from anything after all */
      copy.values = 0; /* nothing to divide */
      one.sort = &copy;
      if (ml_tells(net->ml, tree, tell_sort, &one)) return -1;
      memcpy(s->sort.at[i].why, copy.why, sizeof copy.why);
    } else if (one.used && ml_tells(net->ml, tree, tell_sort, &one)) return -1;
  }
  return 0;
}

static int ask_transition(struct colour_sorts *s, struct net *net, const struct net_transition *t, uint32_t *by) {
  int status = 0;
  for (uint32_t a = 0; a < t->arcs && !status; a++) {
    const struct net_arc *arc = &net->arcs.at[t->arc + a];
    status = ask(s, net, arc->tree, &(struct colour_trial){t, arc->code, arc->variables, &net->places.at[arc->place]}, by);
  }
  for (uint32_t c = 0; c < t->conditions && !status; c++) {
    const struct net_condition *condition = &net->conditions.at[t->condition + c];
    status = ask(s, net, condition->tree, &(struct colour_trial){t, condition->code, condition->variables, NULL}, by);
  }
  if (!status) status = ask(s, net, t->delay_tree, NULL, by);
  return status ? status : ask(s, net, t->action_tree, NULL, by);
}

static int ask_all(struct colour_sorts *s, const struct colour_model *m, const struct model_aims *aims, uint32_t *by) {
  struct net *net = m->net;
  int status = 0;
  for (size_t i = 0; i < ml_colsets(net->ml) && !status; i++) {
    const struct ml_colset *c = ml_colset_at(net->ml, i);
    status = ask(s, net, c->by, NULL, by) || ask(s, net, c->with, NULL, by) ? -1 : 0;
  }
  for (size_t t = 0; t < net->transitions.count && !status; t++) status = ask_transition(s, net, &net->transitions.at[t], by);
  for (size_t i = 0; i < aims->exprs && !status; i++) {
    int64_t condition = aims->expr[i] ? expr_condition(aims->expr[i]) : -1; /* others count tokens, or ask what can happen: that is the same for all */
    if (condition >= 0) status = ask(s, net, m->conditions.at[condition].tree, NULL, by);
  }
  return status;
}

static void count_alike(struct colour_sort *s) {
  s->alike = 0;
  for (uint32_t v = 0; v < s->values; v++) {
    s->told[v] = 1;
    for (uint32_t u = 0; u < s->values && s->told[v]; u++) s->told[v] = u == v || s->block[u] != s->block[v];
    s->alike += !s->told[v];
  }
}

int colour_sorts_find(struct colour_sorts *s, const struct colour_model *m, const struct model_aims *aims, struct mem *mem) {
  const struct net *net = m->net;
  *s = (struct colour_sorts){.mem = mem};
  int status = 0;
  for (size_t i = 0; i < ml_colsets(net->ml) && !status; i++) {
    const struct ml_colset *c = ml_colset_at(net->ml, i);
    if (c->kind == ML_COLSET_INDEX || c->kind == ML_COLSET_ENUM) status = add_sort(s, net, c);
  }
  uint32_t *by = mem_alloc(mem, MEM_SEARCH, (SORT_VALUES + 1) * sizeof *by);
  if (!by) status = -1;
  if (!status) status = ask_all(s, m, aims, by);
  mem_free(mem, by);
  for (size_t i = 0; i < s->sort.count && !status; i++) {
    count_alike(&s->sort.at[i]);
    s->alike += s->sort.at[i].alike;
  }
  if (status) colour_sorts_close(s);
  return status;
}

void colour_sorts_close(struct colour_sorts *s) {
  for (size_t i = 0; i < s->sort.count; i++) mem_free(s->mem, s->sort.at[i].told), mem_free(s->mem, s->sort.at[i].block);
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
