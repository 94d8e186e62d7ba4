/* raises.c -- see raises.h.
 *
 * A walk over trees that is on the safe side: what is not known to be harmless may raise anything.  Functions of the net are looked into, to some depth; those that call themselves may raise anything, and so may functions that come as
 * arguments, and whatever has a handler. Memory and the limit of steps are no exceptions: nobody handles them. */
#include "ml/raises.h"

#include "ml/library.h"
#include "ml/types.h"

#include <string.h>

enum { DEEPEST = 12, MOST_ARGUMENTS = 8, MOST_LOOKS = 20000, SMALL_SET = 100000 };

struct look {
  const struct ml *ml;
  unsigned depth; /* of functions */
  unsigned left;  /* nodes that may still be looked at */
};

static const struct ml_expr *const unknown[MOST_ARGUMENTS];

static unsigned evaluated(struct look *, const struct ml_expr *);
static unsigned applied(struct look *, const struct ml_expr *, unsigned arguments, const struct ml_expr *const *argument);

/* ---- patterns ------------------------------------------------------------------------------------------------------------------ */

/* Does it fit every value? */
static int always_fits(const struct ml_pattern *p) {
  switch (p->kind) {
  case ML_P_ANY:
  case ML_P_VAR: return 1;
  case ML_P_CONSTRUCTOR:
    if (p->data->constructors != 1) return 0;
    break;
  case ML_P_AS:
  case ML_P_TUPLE:
  case ML_P_RECORD: break;
  default: return 0;
  }
  for (uint32_t i = 0; i < p->parts; i++)
    if (!always_fits(p->part[i])) return 0;
  return 1;
}

/* Is there a rule for every value: one that fits all, or one for each constructor? */
static int complete(const struct ml_rule *rule, uint32_t rules) {
  uint64_t seen = 0;
  const struct ml_data *data = NULL;
  for (uint32_t i = 0; i < rules; i++) {
    const struct ml_pattern *p = rule[i].pattern;
    if (always_fits(p)) return 1;
    if (p->kind != ML_P_CONSTRUCTOR || p->constructor >= 64 || (p->parts && !always_fits(p->part[0]))) continue;
    data = p->data;
    seen |= (uint64_t)1 << p->constructor;
  }
  return data && data->constructors < 64 && seen == ((uint64_t)1 << data->constructors) - 1;
}

static unsigned ruled(struct look *l, const struct ml_rule *rule, uint32_t rules) {
  unsigned may = complete(rule, rules) ? 0 : ML_MAY_MATCH;
  for (uint32_t i = 0; i < rules; i++) may |= evaluated(l, rule[i].body);
  return may;
}

/* ---- functions that everybody knows ---------------------------------------------------------------------------------------------- */

static unsigned of_library(const struct ml_expr *e) {
  switch (e->library) {
  case ML_LIB_LESS:
  case ML_LIB_LESS_EQUAL:
  case ML_LIB_GREATER:
  case ML_LIB_GREATER_EQUAL:
  case ML_LIB_EQUAL:
  case ML_LIB_DIFFERENT:
  case ML_LIB_NOT:
  case ML_LIB_IGNORE:
  case ML_LIB_REF:
  case ML_LIB_DEREFERENCE:
  case ML_LIB_TIME:
  case ML_LIB_REAL_TIME:
  case ML_LIB_MIN:
  case ML_LIB_MAX:
  case ML_LIB_SIGN:
  case ML_LIB_INT_COMPARE:
  case ML_LIB_INT_TO_STRING:
  case ML_LIB_BOOL_TO_STRING:
  case ML_LIB_APPEND:
  case ML_LIB_LENGTH:
  case ML_LIB_REV:
  case ML_LIB_REV_APPEND:
  case ML_LIB_NULL:
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
  case ML_LIB_CONCATENATE:
  case ML_LIB_STRING_SIZE:
  case ML_LIB_STRING_COMPARE:
  case ML_LIB_MS_EMPTY:
  case ML_LIB_MS_EQUAL:
  case ML_LIB_MS_DIFFERENT:
  case ML_LIB_MS_LESS:
  case ML_LIB_MS_LESS_EQUAL:
  case ML_LIB_MS_GREATER:
  case ML_LIB_MS_GREATER_EQUAL:
  case ML_LIB_MS_IF:
  case ML_LIB_MS_IF_ALL:
  case ML_LIB_MS_CF:
  case ML_LIB_TMS_CF:
  case ML_LIB_MS_TO_LIST:
  case ML_LIB_COLSET_MKSTR:
  case ML_LIB_COLSET_LT:
  case ML_LIB_COLSET_SET:
  case ML_LIB_COLSET_IS: return 0;
  case ML_LIB_ADD:
  case ML_LIB_SUBTRACT:
  case ML_LIB_MULTIPLY:
  case ML_LIB_NEGATE:
  case ML_LIB_ABS:
  case ML_LIB_MS_ADD:
  case ML_LIB_TMS_ADD:
  case ML_LIB_MS_SCALE:
  case ML_LIB_MS_SIZE:
  case ML_LIB_TMS_SIZE:
  case ML_LIB_TMS_MS:
  case ML_LIB_LIST_TO_MS: return ML_MAY_OVERFLOW;
  case ML_LIB_DIV:
  case ML_LIB_MOD: return ML_MAY_DIV | ML_MAY_OVERFLOW;
  case ML_LIB_HD:
  case ML_LIB_TL:
  case ML_LIB_LAST: return ML_MAY_EMPTY;
  case ML_LIB_NTH:
  case ML_LIB_TAKE:
  case ML_LIB_DROP:
  case ML_LIB_STRING_SUB:
  case ML_LIB_SUBSTRING:
  case ML_LIB_VECTOR_SUB: return ML_MAY_SUBSCRIPT;
  case ML_LIB_COLSET_ALL:
  case ML_LIB_COLSET_SIZE: return e->colset && ml_colset_size(e->colset, SMALL_SET) ? 0 : ML_MAY_SIZE;
  case ML_LIB_MS_SUBTRACT:
  case ML_LIB_TMS_SUBTRACT:
  case ML_LIB_LISTSUB: return ML_MAY_SUBTRACT;
  default: return ML_MAY_ANYTHING;
  }
}

/* Of the prelude: what they do themselves raises nothing, so it is up to the functions that they get. */
static int passes_on(const char *name) {
  static const char *const names[] = {"List.map",     "List.filter",   "List.foldl",     "List.foldr",    "List.exists",  "List.all",     "List.find",   "List.partition", "List.mapPartial", "List.ext_ms", "MS.ext_ms",
                                      "MS.ext_col",   "MS.filter",     "predlist",       "fmap",          "ListPair.zip", "ListPair.map", "ListPair.all", "ListPair.exists", "Option.isSome",  "Option.getOpt", "Option.map"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return 1;
  return 0;
}

static int of_prelude(const struct ml_global *g) { return g->place.file && strcmp(g->place.file, "prelude") == 0; }

/* How many arguments a function of this type takes before it gives something else. */
static unsigned arrows(struct ml_type *type) {
  unsigned n = 0;
  for (type = ml_type_find(type); type->kind == ML_TYPE_ARROW && n < MOST_ARGUMENTS; type = ml_type_find(type->part[1])) n++;
  return n;
}

/* argument[i] NULL: nobody knows which. */
static unsigned passed_on(struct look *l, const struct ml_expr *f, unsigned arguments, const struct ml_expr *const *argument) {
  const char *name = f->global->name;
  unsigned may = strncmp(name, "MS.", 3) == 0 || strcmp(name, "List.ext_ms") == 0 ? ML_MAY_OVERFLOW : 0; /* they count */
  struct ml_type *t = ml_type_find(f->type);
  for (unsigned i = 0; i < arguments; i++, t = ml_type_find(t->part[1])) {
    if (t->kind != ML_TYPE_ARROW) return ML_MAY_ANYTHING;
    unsigned n = arrows(t->part[0]);
    if (n) may |= argument[i] ? applied(l, argument[i], n, unknown) : ML_MAY_ANYTHING;
  }
  return may;
}

/* ---- expressions ------------------------------------------------------------------------------------------------------------------ */

static unsigned of_function(struct look *l, const struct ml_expr *fn, unsigned arguments) {
  if (fn->kind != ML_FN || l->depth == DEEPEST) return ML_MAY_ANYTHING;
  l->depth++;
  unsigned may;
  if (arguments <= 1) may = ruled(l, fn->rule, fn->rules);
  else {
    may = complete(fn->rule, fn->rules) ? 0 : ML_MAY_MATCH;
    for (uint32_t i = 0; i < fn->rules; i++) may |= applied(l, fn->rule[i].body, arguments - 1, unknown);
  }
  l->depth--;
  return may;
}

/* A function value is applied to so many arguments, of which argument[i] is known or NULL. */
static unsigned applied(struct look *l, const struct ml_expr *f, unsigned arguments, const struct ml_expr *const *argument) {
  while (f->kind == ML_SEQUENCE && f->parts == 1) f = f->part[0];
  switch (f->kind) {
  case ML_LIBRARY: return of_library(f);
  case ML_CONSTRUCTOR:
  case ML_EXCEPTION: return 0;
  case ML_FN: return of_function(l, f, arguments);
  case ML_GLOBAL:
    if (of_prelude(f->global)) return passes_on(f->global->name) ? passed_on(l, f, arguments, argument) : ML_MAY_ANYTHING;
    return f->global->body ? of_function(l, f->global->body, arguments) : ML_MAY_ANYTHING;
  case ML_APPLY: {
    const struct ml_expr *all[MOST_ARGUMENTS] = {NULL}, *head = f;
    unsigned own = 0, may = 0;
    for (; head->kind == ML_APPLY; head = head->part[0])
      if (++own + arguments > MOST_ARGUMENTS) return ML_MAY_ANYTHING;
    unsigned i = own;
    for (const struct ml_expr *at = f; at->kind == ML_APPLY; at = at->part[0]) {
      all[--i] = at->part[1];
      may |= evaluated(l, at->part[1]);
    }
    for (i = 0; i < arguments; i++) all[own + i] = argument[i];
    return may | evaluated(l, head) | applied(l, head, own + arguments, all);
  }
  default: return ML_MAY_ANYTHING;
  }
}

static unsigned declared(struct look *l, const struct ml_expr *e) {
  unsigned may = 0;
  for (uint32_t i = 0; i < e->declarations; i++) {
    const struct ml_declaration *d = &e->declaration[i];
    if (d->kind != ML_D_VAL) continue;
    may |= evaluated(l, d->body) | (always_fits(d->pattern) ? 0 : ML_MAY_MATCH);
  }
  return may;
}

static unsigned evaluated(struct look *l, const struct ml_expr *e) {
  unsigned may = 0;
  if (l->left == 0) return ML_MAY_ANYTHING;
  l->left--;
  switch (e->kind) {
  case ML_RAISE: return ML_MAY_ANYTHING;
  case ML_FN: return 0;
  case ML_APPLY: return applied(l, e, 0, unknown);
  case ML_HANDLE: return evaluated(l, e->part[0]) ? ML_MAY_ANYTHING : 0;
  case ML_CASE: may = ruled(l, e->rule, e->rules); break;
  case ML_LET: may = declared(l, e); break;
  case ML_COEFFICIENT:
  case ML_AT:
  case ML_DELAY: may = ML_MAY_OVERFLOW; break;
  default: break;
  }
  for (uint32_t i = 0; i < e->parts; i++) may |= evaluated(l, e->part[i]);
  return may;
}

unsigned ml_raises_applied(const struct ml *ml, const struct ml_expr *function, unsigned arguments) {
  struct look l = {ml, 0, MOST_LOOKS};
  return evaluated(&l, function) | applied(&l, function, arguments < MOST_ARGUMENTS ? arguments : MOST_ARGUMENTS, unknown);
}
