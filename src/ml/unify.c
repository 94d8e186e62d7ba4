/* unify.c -- making two types equal, and schemes.
 *
 * Unification as Robinson's, with Remy's levels: a variable knows the let that it belongs to, so that generalising a let looks at
 * its type only and not at everything around it.  Variables carry demands (type.h): a number, something ordered, something with
 * equality, a record with certain labels.  Demands of both sides hold for what they become.
 *
 * A few lines of ML can have a type of astronomical size.  Each text has an effort to spend; when it is gone, or a type is more
 * than DEEPEST deep, it is refused. */
#include "ml/types.h"

#include <string.h>

enum { DEEPEST = 1000, MOST_STEPS = 20000000 };

static int tired(struct ml_effort *e, int depth) { return depth > DEEPEST || ++e->steps > MOST_STEPS; }

static uint32_t both_demands(uint32_t a, uint32_t b) {
  uint32_t d = a | b;
  if (d & ML_INTEGRAL) d = (d & ~(uint32_t)(ML_NUMBER | ML_ORDERED)) | ML_INTEGRAL;
  if (d & ML_NUMBER) d &= ~(uint32_t)ML_ORDERED;
  return d;
}

/* The type becomes part of something of this level that demands equality or not; var must not occur in it. */
static enum ml_unified adopt(struct ml_effort *e, const struct ml_type *var, struct ml_type *t, uint32_t level, int equal,
                             int depth) {
  t = ml_type_find(t);
  if (tired(e, depth)) return ML_TOO_LARGE;
  if (t == var) return ML_CIRCULAR;
  if (t->kind == ML_TYPE_VAR) {
    if (t->level != ML_GENERIC && t->level > level) t->level = level;
    if (equal) t->demand |= ML_EQUAL;
  }
  if (equal && (t->kind == ML_TYPE_ARROW || (t->kind == ML_TYPE_DATA && t->data->holds_functions)))
    return ML_DEMAND;
  if (t->kind == ML_TYPE_REF) equal = 0;
  for (uint32_t i = 0; i < t->parts; i++) {
    enum ml_unified u = adopt(e, var, t->part[i], level, equal, depth + 1);
    if (u) return u;
  }
  return ML_UNIFIED;
}

static int meets(const struct ml_type *t, uint32_t demand) {
  int number = t->kind == ML_TYPE_INT || t->kind == ML_TYPE_TIME;
  if (demand & ML_INTEGRAL) return number;
  if (demand & ML_NUMBER) return number || t->kind == ML_TYPE_REAL;
  if (demand & ML_ORDERED) return number || t->kind == ML_TYPE_REAL || t->kind == ML_TYPE_STRING || t->kind == ML_TYPE_CHAR;
  return 1;
}

static enum ml_unified unify(struct ml *ml, struct ml_effort *e, struct ml_type *a, struct ml_type *b, int depth);

/* Labels of a flexible record must be among those of a whole one. */
static enum ml_unified fill(struct ml *ml, struct ml_effort *e, const struct ml_type *flexible, struct ml_type *whole,
                            int depth) {
  if (whole->kind != ML_TYPE_RECORD && whole->kind != ML_TYPE_TUPLE) return ML_CLASH;
  for (uint32_t i = 0; i < flexible->parts; i++) {
    int at = ml_type_label(whole, flexible->label[i]);
    if (at < 0) return ML_CLASH;
    enum ml_unified u = unify(ml, e, flexible->part[i], whole->part[at], depth + 1);
    if (u) return u;
  }
  return ML_UNIFIED;
}

/* Two flexible records: b gets the labels of both. */
static enum ml_unified merge(struct ml *ml, struct ml_effort *e, const struct ml_type *a, struct ml_type *b, int depth) {
  for (uint32_t i = 0; i < a->parts; i++) {
    uint32_t at = 0;
    while (at < b->parts && b->label[at] != a->label[i]) at++;
    if (at < b->parts) {
      enum ml_unified u = unify(ml, e, a->part[i], b->part[at], depth + 1);
      if (u) return u;
      continue;
    }
    struct ml_type **part = arena_alloc(&ml->arena, (b->parts + 1) * sizeof *part);
    const char **label = arena_alloc(&ml->arena, (b->parts + 1) * sizeof *label);
    if (!part || !label) return ML_NO_MEMORY;
    for (uint32_t k = 0; k < b->parts; k++) part[k] = b->part[k], label[k] = b->label[k];
    part[b->parts] = a->part[i];
    label[b->parts] = a->label[i];
    b->part = part;
    b->label = label;
    b->parts++;
    if ((e->steps += b->parts) > MOST_STEPS) return ML_TOO_LARGE;
  }
  return ML_UNIFIED;
}

static enum ml_unified bind(struct ml *ml, struct ml_effort *e, struct ml_type *var, struct ml_type *t, int depth) {
  enum ml_unified u = adopt(e, var, t, var->level, (var->demand & ML_EQUAL) != 0, depth);
  for (uint32_t i = 0; !u && i < var->parts && t->kind == ML_TYPE_VAR; i++) u = adopt(e, t, var->part[i], t->level, 0, depth);
  if (u) return u;
  if (t->kind == ML_TYPE_VAR) {
    uint32_t demand = both_demands(var->demand, t->demand);
    if ((demand & ML_FLEXIBLE) && (demand & (ML_NUMBER | ML_INTEGRAL | ML_ORDERED))) return ML_CLASH;
    t->demand = demand;
    var->is = t;
    return var->demand & ML_FLEXIBLE ? merge(ml, e, var, t, depth) : ML_UNIFIED;
  }
  if (!meets(t, var->demand)) return ML_DEMAND;
  if (var->demand & ML_FLEXIBLE) {
    u = fill(ml, e, var, t, depth);
    if (u) return u;
  }
  var->is = t;
  return ML_UNIFIED;
}

static enum ml_unified unify(struct ml *ml, struct ml_effort *e, struct ml_type *a, struct ml_type *b, int depth) {
  a = ml_type_find(a);
  b = ml_type_find(b);
  if (a == b) return ML_UNIFIED;
  if (tired(e, depth)) return ML_TOO_LARGE;
  if (a->kind == ML_TYPE_VAR) return bind(ml, e, a, b, depth);
  if (b->kind == ML_TYPE_VAR) return bind(ml, e, b, a, depth);
  if (a->kind != b->kind || a->parts != b->parts || a->data != b->data) return ML_CLASH;
  for (uint32_t i = 0; a->kind == ML_TYPE_RECORD && i < a->parts; i++)
    if (a->label[i] != b->label[i]) return ML_CLASH;
  for (uint32_t i = 0; i < a->parts; i++) {
    enum ml_unified u = unify(ml, e, a->part[i], b->part[i], depth + 1);
    if (u) return u;
  }
  return ML_UNIFIED;
}

enum ml_unified ml_unify(struct ml *ml, struct ml_effort *e, struct ml_type *a, struct ml_type *b) {
  return unify(ml, e, a, b, 0);
}

int ml_may_unify(const struct ml_type *a, const struct ml_type *b, int depth) {
  a = ml_type_find((struct ml_type *)(uintptr_t)a);
  b = ml_type_find((struct ml_type *)(uintptr_t)b);
  if (a == b || depth > 20) return 1;
  if (b->kind == ML_TYPE_VAR) return ml_may_unify(b, a, depth + 1);
  if (a->kind == ML_TYPE_VAR) return b->kind == ML_TYPE_VAR || meets(b, a->demand);
  if (a->kind != b->kind || a->parts != b->parts || a->data != b->data) return 0;
  for (uint32_t i = 0; i < a->parts; i++)
    if (!ml_may_unify(a->part[i], b->part[i], depth + 1)) return 0;
  return 1;
}

/* A copy in which bound variables are followed; what needs no copy is shared. */
static struct ml_type *copy(struct ml *ml, struct ml_effort *e, struct ml_type *t, int depth) {
  t = ml_type_find(t);
  if (tired(e, depth)) return NULL;
  if (t->kind == ML_TYPE_VAR || !t->parts) return t;
  struct ml_type *made = NULL;
  for (uint32_t i = 0; i < t->parts; i++) {
    struct ml_type *part = copy(ml, e, t->part[i], depth + 1);
    if (!part) return NULL;
    if (part == ml_type_find(t->part[i]) && !made && part == t->part[i]) continue;
    if (!made) {
      made = ml_type_new(ml, t->kind, t->parts);
      if (!made) return NULL;
      made->label = t->label;
      made->data = t->data;
      memcpy(made->part, t->part, i * sizeof *made->part);
    }
    made->part[i] = part;
  }
  return made ? made : t;
}

struct ml_type *ml_substitute(struct ml *ml, struct ml_effort *e, struct ml_type *type, uint32_t count,
                              struct ml_type *const *parameter, struct ml_type *const *argument) {
  for (uint32_t i = 0; i < count; i++) parameter[i]->is = argument[i];
  struct ml_type *made = count ? copy(ml, e, type, 0) : type;
  for (uint32_t i = 0; i < count; i++) parameter[i]->is = NULL;
  return made;
}

struct generics {
  struct vec(struct ml_type *) found;
  int failed;
};

static void collect(struct ml *ml, struct ml_effort *e, struct ml_type *t, uint32_t level, struct generics *g, int depth) {
  t = ml_type_find(t);
  if (tired(e, depth)) g->failed = 1;
  if (g->failed) return;
  if (t->kind == ML_TYPE_VAR && t->level > level && t->level != ML_GENERIC) {
    if (t->demand & ~(uint32_t)ML_EQUAL) t->level = level; /* overloading and records are decided by the whole text */
    else {
      t->level = ML_GENERIC;
      if (vec_push(&g->found, ml->mem, MEM_MODEL, t)) g->failed = 1;
    }
  }
  for (uint32_t i = 0; i < t->parts; i++) collect(ml, e, t->part[i], level, g, depth + 1);
}

int ml_generalise(struct ml *ml, struct ml_effort *e, struct ml_scheme *const *scheme, size_t count, uint32_t level) {
  struct generics g = {0};
  for (size_t i = 0; i < count; i++) collect(ml, e, scheme[i]->type, level, &g, 0);
  struct ml_type **variable = g.failed || !g.found.count ? NULL : arena_alloc(&ml->arena, g.found.count * sizeof *variable);
  if (!g.failed && g.found.count && !variable) g.failed = 1;
  if (variable) memcpy(variable, g.found.at, g.found.count * sizeof *variable);
  for (size_t i = 0; variable && i < count; i++) { /* all get all: they may share some */
    scheme[i]->variable = variable;
    scheme[i]->variables = (uint32_t)g.found.count;
  }
  vec_free(&g.found, ml->mem);
  return g.failed ? -1 : 0;
}
