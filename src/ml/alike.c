/* alike.c -- see alike.h.
 *
 * A walk over trees.  The one thing that needs a second thought is a list that was made of a multiset: its order is that of the values.  Where only its elements count, and not their order, it does no harm: if it becomes a
 * multiset again, if somebody asks how many or whether there is one, also after functions that work element by element.  `loose` says that the order of what an expression gives does not count.
 *
 * Exceptions see the order as well: of two elements that raise different ones the first decides, and whether List.exists raises one or is true depends on which element comes first.  So functions that work element by element may raise
 * one exception and no other, and those that stop early none (ml/raises.h). */
#include "ml/alike.h"

#include "ml/library.h"
#include "ml/raises.h"
#include "ml/types.h"

#include <stdio.h>
#include <string.h>

enum { TYPE_DEEPEST = 24 };

struct walk {
  const struct ml *ml;
  int (*hear)(void *, const struct ml_telling *);
  void *context;
  uint8_t *seen; /* per global */
  int status;
};

size_t ml_colsets(const struct ml *ml) { return ml->colsets.count; }
const struct ml_colset *ml_colset_at(const struct ml *ml, size_t i) { return ml->colsets.at[i]; }

int ml_is_named_set(const struct ml *ml, const struct ml_data *d) {
  if (d->index) return 1;
  if (!d->constructors) return 0; /* vectors, arrays */
  if (d->arity || d == ml->bool_data || d == ml->list_data || d == ml->option_data || d == ml->order_data || d == ml->exn_data) return 0;
  for (uint32_t i = 0; i < d->constructors; i++)
    if (d->argument[i]) return 0;
  return 1;
}

static void tell(struct walk *w, const struct ml_data *data, int64_t value, struct place_in_text place, const char *how) {
  if (w->status) return;
  w->status = w->hear(w->context, &(struct ml_telling){data, value, place, how});
}

/* All sets that values of the type may hold. */
static void tell_type(struct walk *w, const struct ml_type *type, struct place_in_text place, const char *how, int depth) {
  const struct ml_type *t = ml_type_find((struct ml_type *)(uintptr_t)type);
  if (depth > TYPE_DEEPEST || t->kind == ML_TYPE_VAR) {
    tell(w, NULL, ML_TELLS_ALL, place, how);
    return;
  }
  if (t->kind == ML_TYPE_DATA && ml_is_named_set(w->ml, t->data)) tell(w, t->data, ML_TELLS_ALL, place, how);
  else if (t->kind == ML_TYPE_DATA && t->data != w->ml->list_data && t->data != w->ml->option_data)
    for (uint32_t i = 0; i < t->data->constructors && !w->status; i++)
      if (t->data->argument[i]) tell_type(w, t->data->argument[i], place, how, depth + 1);
  for (uint32_t i = 0; i < t->parts && !w->status; i++) tell_type(w, t->part[i], place, how, depth + 1);
}

static void walk(struct walk *, const struct ml_expr *, int loose);

/* ---- patterns ---------------------------------------------------------------------------------------------------------------- */

static void named(struct walk *w, const struct ml_data *d, uint32_t constructor, struct place_in_text place) {
  char how[160];
  snprintf(how, sizeof how, "%.100s is named", d->constructor[constructor]);
  tell(w, d, constructor, place, how);
}

static void indexed(struct walk *w, const struct ml_data *d, int64_t index, struct place_in_text place) {
  char how[160];
  snprintf(how, sizeof how, "%.80s(%lld) is named", d->constructor[0], (long long)index);
  tell(w, d, index, place, how);
}

static void numbered(struct walk *w, const struct ml_data *d, struct place_in_text place) {
  char how[160];
  snprintf(how, sizeof how, "%.80s(...) makes them of numbers, or numbers of them", d->constructor[0]);
  tell(w, d, ML_TELLS_ALL, place, how);
}

static void walk_pattern(struct walk *w, const struct ml_pattern *p) {
  if (p->kind == ML_P_CONSTRUCTOR && ml_is_named_set(w->ml, p->data)) {
    if (!p->data->index) named(w, p->data, p->constructor, p->place);
    else if (p->parts == 1 && p->part[0]->kind == ML_P_INT) indexed(w, p->data, p->part[0]->number, p->place);
    else if (p->parts != 1 || p->part[0]->kind != ML_P_ANY) numbered(w, p->data, p->place);
    return;
  }
  for (uint32_t i = 0; i < p->parts && !w->status; i++) walk_pattern(w, p->part[i]);
}

static void walk_rules(struct walk *w, const struct ml_rule *rule, uint32_t rules, int loose) {
  for (uint32_t i = 0; i < rules && !w->status; i++) {
    walk_pattern(w, rule[i].pattern);
    walk(w, rule[i].body, loose);
  }
}

/* ---- names -------------------------------------------------------------------------------------------------------------------- */

static int calls(const struct ml_expr *e, const char *prelude) {
  return e->kind == ML_GLOBAL && e->global->place.file && strcmp(e->global->place.file, "prelude") == 0 && strcmp(e->global->name, prelude) == 0;
}

static int calls_one_of(const struct ml_expr *e, const char *const *names) {
  for (; *names; names++)
    if (calls(e, *names)) return 1;
  return 0;
}

/* Functions of multisets that go through them in an order. */
static const char *const through[] = {"MS.ext_col", "MS.ext_ms", "MS.filter", NULL};

/* Is it a reference of the net that changes?  What it holds is a token then (references.h), and what it held at first a marking, which may be any. */
static int changing(const struct walk *w, const struct ml_global *g) { return ml_type_find(g->scheme->type)->kind == ML_TYPE_REF && g->uses.mentions & w->ml->changing; }

static void walk_global(struct walk *w, const struct ml_expr *e) {
  const struct ml_global *g = e->global;
  if (changing(w, g)) return;
  if (calls_one_of(e, through)) tell(w, NULL, ML_TELLS_ALL, e->place, "an exception may show in which order a multiset is gone through"); /* nobody sees what it is applied to */
  if (g->place.file && strcmp(g->place.file, "prelude") == 0) return; /* they do the same to all values, and give multisets back where they take them apart */
  if (w->seen[g->number]) return;
  w->seen[g->number] = 1;
  if (g->body) walk(w, g->body, 0);
  else tell(w, NULL, ML_TELLS_ALL, e->place, "nobody knows how it was declared");
}

/* Functions of the library that do the same to all values. Those of which the type speaks of no set of names have nothing to do with them, whatever they do. */
static int harmless(uint32_t library) {
  switch (library) {
  case ML_LIB_EQUAL:
  case ML_LIB_DIFFERENT:
  case ML_LIB_IGNORE:
  case ML_LIB_REF:
  case ML_LIB_DEREFERENCE:
  case ML_LIB_APPEND:
  case ML_LIB_LENGTH:
  case ML_LIB_REV:
  case ML_LIB_REV_APPEND:
  case ML_LIB_NULL:
  case ML_LIB_HD:
  case ML_LIB_TL:
  case ML_LIB_LAST:
  case ML_LIB_NTH:
  case ML_LIB_TAKE:
  case ML_LIB_DROP:
  case ML_LIB_LIST_CONCAT:
  case ML_LIB_MEM:
  case ML_LIB_RM:
  case ML_LIB_RMALL:
  case ML_LIB_INS:
  case ML_LIB_INS_NEW:
  case ML_LIB_CONTAINS:
  case ML_LIB_CONTAINS_ALL:
  case ML_LIB_INTERSECT:
  case ML_LIB_UNION:
  case ML_LIB_REMDUPL:
  case ML_LIB_LISTSUB:
  case ML_LIB_POS:
  case ML_LIB_VECTOR_FROM_LIST:
  case ML_LIB_VECTOR_TO_LIST:
  case ML_LIB_VECTOR_LENGTH:
  case ML_LIB_VECTOR_SUB:
  case ML_LIB_VECTOR_UPDATE:
  case ML_LIB_VECTOR_CONCAT:
  case ML_LIB_ARRAY_MAKE:
  case ML_LIB_ARRAY_FROM_LIST:
  case ML_LIB_ARRAY_LENGTH:
  case ML_LIB_ARRAY_SUB:
  case ML_LIB_ARRAY_VECTOR:
  case ML_LIB_MS_EMPTY:
  case ML_LIB_MS_ADD:
  case ML_LIB_MS_SUBTRACT:
  case ML_LIB_MS_SCALE:
  case ML_LIB_MS_EQUAL:
  case ML_LIB_MS_DIFFERENT:
  case ML_LIB_MS_LESS:
  case ML_LIB_MS_LESS_EQUAL:
  case ML_LIB_MS_GREATER:
  case ML_LIB_MS_GREATER_EQUAL:
  case ML_LIB_MS_IF:
  case ML_LIB_MS_IF_ALL:
  case ML_LIB_MS_CF:
  case ML_LIB_MS_SIZE:
  case ML_LIB_LIST_TO_MS:
  case ML_LIB_MS_TO_COL: /* of one value alone */
  case ML_LIB_TMS_ADD:
  case ML_LIB_TMS_SUBTRACT:
  case ML_LIB_TMS_SIZE:
  case ML_LIB_TMS_CF:
  case ML_LIB_TMS_MS:
  case ML_LIB_COLSET_ALL:
  case ML_LIB_COLSET_SIZE:
  case ML_LIB_COLSET_LEGAL:
  case ML_LIB_COLSET_MULT:
  case ML_LIB_COLSET_SET:
  case ML_LIB_COLSET_OF:
  case ML_LIB_COLSET_IS: return 1;
  default: return 0;
  }
}

static void walk_library(struct walk *w, const struct ml_expr *e) {
  char how[160];
  const char *name = e->name ? e->name : ml_library_name(e->library);
  if (harmless(e->library)) return;
  if (e->library == ML_LIB_ASSIGN || e->library == ML_LIB_ARRAY_UPDATE) { /* in which order things are done can be seen, also where it does no harm otherwise */
    tell(w, NULL, ML_TELLS_ALL, e->place, "a reference or an array is changed");
    return;
  }
  if (e->library == ML_LIB_MS_TO_LIST) snprintf(how, sizeof how, "a multiset is taken as a list, which has an order");
  else if (e->library == ML_LIB_COLSET_LT) snprintf(how, sizeof how, "%.80s puts them in an order", name);
  else snprintf(how, sizeof how, "%.80s is not the same for all of them", name);
  if (e->colset) tell_type(w, e->colset->type, e->place, how, 0);
  else tell_type(w, e->type, e->place, how, 0);
}

/* ---- calls -------------------------------------------------------------------------------------------------------------------- */

static int is_library(const struct ml_expr *e, uint32_t library) { return e->kind == ML_LIBRARY && e->library == library; }

/* Does the expression speak of this local? On the safe side: functions of a let may. */
static int speaks_of(const struct ml_expr *e, const struct ml_local *l) {
  if (e->kind == ML_LOCAL) return e->local == l;
  if (e->kind == ML_LET) return 1;
  for (uint32_t i = 0; i < e->parts; i++)
    if (speaks_of(e->part[i], l)) return 1;
  for (uint32_t i = 0; i < e->rules; i++)
    if (speaks_of(e->rule[i].body, l)) return 1;
  return 0;
}

/* fn (x, sum) => this ++ sum, in either order: then the order of the list does not count. NULL: it is something else. */
static const struct ml_expr *summand(const struct ml_expr *f) {
  if (f->kind != ML_FN || f->rules != 1 || f->rule[0].pattern->kind != ML_P_TUPLE || f->rule[0].pattern->parts != 2) return NULL;
  const struct ml_pattern *sum = f->rule[0].pattern->part[1];
  const struct ml_expr *body = f->rule[0].body;
  while (body->kind == ML_SEQUENCE && body->parts == 1) body = body->part[0];
  if (sum->kind != ML_P_VAR || body->kind != ML_APPLY || !is_library(body->part[0], ML_LIB_MS_ADD) || body->part[1]->kind != ML_TUPLE || body->part[1]->parts != 2) return NULL;
  for (int i = 0; i < 2; i++) {
    const struct ml_expr *is = body->part[1]->part[i], *other = body->part[1]->part[1 - i];
    if (is->kind == ML_LOCAL && is->local == sum->local && !speaks_of(other, sum->local)) return other;
  }
  return NULL;
}

static void walk_apply(struct walk *w, const struct ml_expr *e, int loose) {
  static const char *const one_by_one[] = {"List.map", "List.filter", "List.mapPartial", NULL};
  static const char *const of_all[] = {"List.exists", "List.all", "predlist", "List.ext_ms", NULL};
  static const char *const early[] = {"List.exists", "List.all", "predlist", NULL};
  static const char *const folds[] = {"List.foldl", "List.foldr", NULL};
  const struct ml_expr *f = e->part[0], *a = e->part[1];
  if (f->kind == ML_CONSTRUCTOR && f->data->index) {
    if (a->kind == ML_INT) indexed(w, f->data, a->number, e->place);
    else {
      numbered(w, f->data, e->place);
      walk(w, a, 0);
    }
    return;
  }
  if (is_library(f, ML_LIB_ASSIGN) && a->kind == ML_TUPLE && a->parts == 2 && a->part[0]->kind == ML_GLOBAL && changing(w, a->part[0]->global)) {
    walk(w, a->part[1], 0); /* functions that work element by element must not do that: it may raise anything (raises.c) */
    return;
  }
  if (is_library(f, ML_LIB_MS_TO_LIST)) {
    if (!loose) walk_library(w, f);
    walk(w, a, 0);
    return;
  }
  if (is_library(f, ML_LIB_LIST_TO_MS) || is_library(f, ML_LIB_LENGTH) || is_library(f, ML_LIB_NULL)) {
    walk(w, a, 1);
    return;
  }
  if (is_library(f, ML_LIB_LIST_CONCAT) || is_library(f, ML_LIB_REV) || (is_library(f, ML_LIB_APPEND) && a->kind != ML_TUPLE)) {
    walk(w, a, is_library(f, ML_LIB_APPEND) ? 0 : loose);
    return;
  }
  if (is_library(f, ML_LIB_APPEND)) {
    for (uint32_t i = 0; i < a->parts && !w->status; i++) walk(w, a->part[i], loose);
    return;
  }
  if (calls_one_of(f, through)) {
    if (!ml_raises_one(ml_raises_applied(w->ml, a, 1))) tell_type(w, a->type, e->place, "an exception shows in which order a multiset is gone through", 0);
    walk(w, a, 0);
    return;
  }
  if (f->kind == ML_APPLY) {
    const struct ml_expr *g = f->part[0];
    int each = calls_one_of(g, one_by_one), all = calls_one_of(g, of_all);
    unsigned may = each || all ? ml_raises_applied(w->ml, f->part[1], 1) : 0;
    if ((each || all) && (calls_one_of(g, early) ? may == 0 : ml_raises_one(may))) {
      walk(w, f->part[1], 0);
      walk(w, a, all || loose);
      return;
    }
    if (is_library(g, ML_LIB_MEM) || is_library(g, ML_LIB_CONTAINS) || is_library(g, ML_LIB_CONTAINS_ALL)) {
      walk(w, f->part[1], 1);
      walk(w, a, !is_library(g, ML_LIB_MEM));
      return;
    }
    if (g->kind == ML_APPLY && calls_one_of(g->part[0], folds)) {
      const struct ml_expr *each_adds = summand(g->part[1]);
      if (each_adds && ml_raises_one(ml_raises_applied(w->ml, g->part[1], 1))) {
        walk_pattern(w, g->part[1]->rule[0].pattern);
        walk(w, each_adds, 0);
        walk(w, f->part[1], 0);
        walk(w, a, 1);
        return;
      }
    }
  }
  walk(w, f, 0);
  walk(w, a, 0);
}

static void walk_let(struct walk *w, const struct ml_expr *e, int loose) {
  for (uint32_t i = 0; i < e->declarations && !w->status; i++) {
    const struct ml_declaration *d = &e->declaration[i];
    if (d->kind == ML_D_VAL) {
      walk_pattern(w, d->pattern);
      walk(w, d->body, 0);
    }
    for (uint32_t k = 0; d->kind == ML_D_FUN && k < d->functions && !w->status; k++) walk(w, d->function_body[k], 0);
  }
  walk(w, e->part[0], loose);
}

static void walk(struct walk *w, const struct ml_expr *e, int loose) {
  if (w->status) return;
  switch (e->kind) {
  case ML_GLOBAL: walk_global(w, e); return;
  case ML_LIBRARY: walk_library(w, e); return;
  case ML_CONSTRUCTOR:
    if (!ml_is_named_set(w->ml, e->data)) return;
    if (e->data->index) numbered(w, e->data, e->place); /* as a function */
    else named(w, e->data, e->constructor, e->place);
    return;
  case ML_APPLY: walk_apply(w, e, loose); return;
  case ML_LET: walk_let(w, e, loose); return;
  case ML_FN: walk_rules(w, e->rule, e->rules, 0); return;
  case ML_CASE:
    walk(w, e->part[0], 0);
    walk_rules(w, e->rule, e->rules, loose);
    return;
  case ML_HANDLE:
    walk(w, e->part[0], loose);
    walk_rules(w, e->rule, e->rules, loose);
    return;
  case ML_IF:
    walk(w, e->part[0], 0);
    walk(w, e->part[1], loose);
    walk(w, e->part[2], loose);
    return;
  case ML_SEQUENCE:
    for (uint32_t i = 0; i < e->parts && !w->status; i++) walk(w, e->part[i], i + 1 == e->parts && loose);
    return;
  default:
    for (uint32_t i = 0; i < e->parts && !w->status; i++) walk(w, e->part[i], 0);
  }
}

int ml_tells(const struct ml *ml, const struct ml_expr *e, int (*hear)(void *, const struct ml_telling *), void *context) {
  struct walk w = {.ml = ml, .hear = hear, .context = context};
  w.seen = mem_alloc(ml->mem, MEM_OTHER, ml->globals.count + 1);
  if (!w.seen) return -1;
  walk(&w, e, 0);
  mem_free(ml->mem, w.seen);
  return w.status;
}
