/* check_pattern.c -- patterns, and types as they are written.
 *
 * A name in a pattern is a constructor if that is what it means just now, and a new variable else.  'a in an annotation is one
 * unknown for the whole declaration; SML would insist that it stays unknown, we let it become a type. */
#include "ml/check.h"

#include <string.h>

struct ml_local *check_new_local(struct check *c, const char *name, struct ml_type *type) {
  struct ml_local *l = arena_alloc(&c->ml->arena, sizeof *l);
  struct ml_meaning *m = l ? ml_mean(c->ml, name, ML_MEANS_LOCAL) : NULL;
  if (!m || !(l->scheme = ml_scheme_of(c->ml, type))) return check_memory(c), NULL;
  l->name = name;
  l->number = c->ml->local_count++;
  l->depth = c->depth;
  l->group = c->group;
  m->local = l;
  m->scheme = l->scheme;
  return l;
}

static int variable(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  const struct ml_meaning *m = ml_meaning(c->ml, p->name);
  if (strchr(p->name, '.')) return check_unknown(c, p->place, p->from, p->name, "constructor", 0);
  if (m && m->kind == ML_MEANS_LOCAL && m->local->group == c->group)
    return check_fault(c, p->place, p->from, "%s stands twice in one pattern", p->name);
  if (!(p->local = check_new_local(c, p->name, want))) return -1;
  p->slot = p->local->number;
  return 0;
}

/* A constructor or exception, with the type of its argument; NULL with *found 0: it is none. */
static struct ml_type *constructed(struct check *c, struct ml_pattern *p, const struct ml_meaning *m, struct ml_type **argument) {
  struct ml_type *t = check_instance(c, m->scheme);
  if (!t) return NULL;
  t = ml_type_find(t);
  *argument = NULL;
  if (m->kind == ML_MEANS_EXCEPTION) {
    p->kind = ML_P_EXCEPTION;
    p->exception = m->exception;
  } else {
    p->kind = ML_P_CONSTRUCTOR;
    p->data = m->data;
    p->constructor = m->number;
  }
  int takes = m->kind == ML_MEANS_EXCEPTION ? m->exception->argument != NULL : m->data->argument[m->number] != NULL;
  if (takes) *argument = t->part[0], t = t->part[1];
  return t;
}

static int construction(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  int failed = 0;
  struct ml_meaning *m = ml_lookup(c->ml, p->name, &failed, c->err);
  if (failed) return -1;
  int named = m && (m->kind == ML_MEANS_CONSTRUCTOR || m->kind == ML_MEANS_EXCEPTION);
  if (m && m->kind == ML_MEANS_REFUSED && (m->number == ML_REFUSED_MAKER || p->kind != ML_P_VAR)) /* no variable, although it is no constructor */
    return c->ml->blamed = 1, check_fault(c, p->place, p->from, "%s", m->why);
  if (p->kind == ML_P_VAR && !named) {
    if (m && m->kind == ML_MEANS_UNIT) {
      p->kind = ML_P_TUPLE;
      return check_unify_at(c, p->place, p->from, c->ml->unit, want);
    }
    return variable(c, p, want);
  }
  if (!named && !strcmp(p->name, "@"))
    return check_fault(c, p->place, p->from, "a pattern with @ takes a time stamp off a token, which is not understood");
  if (!named) return check_unknown(c, p->place, p->from, p->name, "constructor", 0);
  struct ml_type *argument, *t = constructed(c, p, m, &argument);
  if (!t) return -1;
  if (argument && !p->parts) return check_fault(c, p->place, p->from, "the constructor %s needs an argument", p->name);
  if (!argument && p->parts) return check_fault(c, p->place, p->from, "the constructor %s has no argument", p->name);
  if (check_unify_at(c, p->place, p->from, t, want)) return -1;
  return p->parts ? check_pattern(c, p->part[0], argument) : 0;
}

static int tuple(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  struct ml_type *t = ml_type_find(want);
  if (t->kind != ML_TYPE_TUPLE || t->parts != p->parts) {
    if (!check_made(c, t = ml_type_new(c->ml, ML_TYPE_TUPLE, p->parts))) return -1;
    for (uint32_t i = 0; i < p->parts; i++)
      if (!(t->part[i] = check_new_var(c, 0))) return -1;
    if (check_unify_at(c, p->place, p->from, t, want)) return -1;
  }
  for (uint32_t i = 0; i < p->parts; i++)
    if (check_pattern(c, p->part[i], t->part[i])) return -1;
  return 0;
}

static int record(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  struct ml_type *t = ml_type_new(c->ml, p->open ? ML_TYPE_VAR : ML_TYPE_RECORD, p->parts);
  if (!check_made(c, t)) return -1;
  t->label = p->label;
  for (uint32_t i = 0; i < p->parts; i++)
    if (!(t->part[i] = check_new_var(c, 0))) return -1;
  if (p->open) {
    t->level = c->level;
    t->demand = ML_FLEXIBLE;
    if (vec_push(&c->open, c->ml->mem, MEM_MODEL, p)) return check_memory(c);
  }
  if (check_unify_at(c, p->place, p->from, t, want)) return -1;
  for (uint32_t i = 0; i < p->parts; i++)
    if (check_pattern(c, p->part[i], t->part[i])) return -1;
  return 0;
}

int check_pattern(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  p->type = want;
  if (p->written) {
    struct ml_type *said = check_written(c, p->written);
    if (!said || check_unify_at(c, p->place, p->from, said, want)) return -1;
  }
  struct ml_type *t;
  switch (p->kind) {
  case ML_P_ANY: return 0;
  case ML_P_INT:
    t = p->name ? c->ml->char_ : check_new_var(c, ML_INTEGRAL);
    return t ? check_unify_at(c, p->place, p->from, t, want) : -1;
  case ML_P_STRING: return check_unify_at(c, p->place, p->from, c->ml->string, want);
  case ML_P_VAR:
  case ML_P_CONSTRUCTOR:
  case ML_P_EXCEPTION: return construction(c, p, want);
  case ML_P_AS: return variable(c, p, want) ? -1 : check_pattern(c, p->part[0], want);
  case ML_P_TUPLE: return tuple(c, p, want);
  case ML_P_RECORD: return record(c, p, want);
  }
  return -1;
}

int check_new_pattern(struct check *c, struct ml_pattern *p, struct ml_type *want) {
  c->group = ++c->ml->group_count;
  return check_pattern(c, p, want);
}

static struct ml_type *type_variable(struct check *c, const struct ml_written *w) {
  static const struct {
    const char *name;
    uint32_t demand;
  } demands[] = {{"'num", ML_NUMBER}, {"'ord", ML_ORDERED}, {"'int", ML_INTEGRAL}};
  for (size_t i = 0; i < c->written.count; i++)
    if (c->written.at[i].name == w->name) return c->written.at[i].type;
  uint32_t demand = w->name[1] == '\'' ? ML_EQUAL : 0;
  for (size_t i = 0; c->ml->in_prelude && i < sizeof demands / sizeof *demands; i++)
    if (!strcmp(w->name, demands[i].name)) demand = demands[i].demand;
  struct check_variable v = {w->name, check_new_var(c, demand)};
  if (!v.type) return NULL;
  return vec_push(&c->written, c->ml->mem, MEM_MODEL, v) ? check_memory(c), NULL : v.type;
}

struct ml_type *check_written(struct check *c, const struct ml_written *w) {
  struct ml_type *t;
  if (w->kind == ML_W_VAR) return type_variable(c, w);
  struct ml_type **part = arena_alloc(&c->ml->arena, (w->parts + 1) * sizeof *part);
  if (!part) return check_memory(c), NULL;
  for (uint32_t i = 0; i < w->parts; i++)
    if (!(part[i] = check_written(c, w->part[i]))) return NULL;
  if (w->kind == ML_W_NAME) {
    const struct ml_type_meaning *m = ml_symbol(w->name)->type;
    if (!m) { /* TextIO.outstream: something that is refused anyhow */
      int failed = 0;
      const struct ml_meaning *known = ml_lookup(c->ml, w->name, &failed, c->err);
      if (known && known->kind == ML_MEANS_REFUSED) {
        check_blind(c, w->place, w->from, known->why);
        return check_refuse(c, w->place, w->from, known->why) ? NULL : check_new_var(c, 0);
      }
      return check_unknown(c, w->place, w->from, w->name, "type", 1), NULL;
    }
    if (m->arity != w->parts)
      return check_fault(c, w->place, w->from, "the type %s has %u arguments, not %u", w->name, m->arity, w->parts), NULL;
    /* The arguments may speak of the parameters themselves, within a datatype: they are put in afterwards. */
    struct ml_type **place = arena_alloc(&c->ml->arena, (w->parts + 1) * sizeof *place);
    if (!place) return check_memory(c), NULL;
    for (uint32_t i = 0; i < w->parts; i++)
      if (!(place[i] = check_new_var(c, 0))) return NULL;
    if (!check_made(c, t = ml_substitute(c->ml, &c->effort, m->type, m->arity, m->parameter, place))) return NULL;
    for (uint32_t i = 0; i < w->parts; i++) place[i]->is = part[i];
    return t;
  }
  if (w->kind == ML_W_ARROW) return check_made(c, ml_type_arrow(c->ml, part[0], part[1]));
  if (!check_made(c, t = ml_type_new(c->ml, w->kind == ML_W_TUPLE ? ML_TYPE_TUPLE : ML_TYPE_RECORD, w->parts))) return NULL;
  t->label = w->kind == ML_W_RECORD ? (const char *const *)w->label : NULL;
  for (uint32_t i = 0; i < w->parts; i++) t->part[i] = part[i]; /* {} has none, and nowhere to copy to */
  return t;
}

struct ml_scheme *ml_scheme_read(struct ml *ml, const char *text, struct ml_type *const *given, const char *const *given_name,
                                 uint32_t givens, struct err *err) {
  struct ml_text source = {text, strlen(text), {"library", 1, 1}, NULL};
  struct check c;
  struct ml_scheme *s = NULL;
  ml->in_prelude++;
  check_open(&c, ml, &source, err);
  c.level = 1;
  const struct ml_written *w = ml_parse_type(ml, &source, err);
  int ready = w != NULL;
  for (uint32_t i = 0; ready && i < givens; i++) {
    struct check_variable v = {ml_name(ml, given_name[i], strlen(given_name[i])), given[i]};
    if (!v.name || vec_push(&c.written, ml->mem, MEM_MODEL, v)) check_memory(&c), ready = 0;
  }
  struct ml_type *t = ready ? check_written(&c, w) : NULL;
  if (t) {
    /* Here overloaded variables are the scheme's as well: each use is decided by itself. */
    uint32_t count = 0;
    s = ml_scheme_of(ml, t);
    struct ml_type **all = arena_alloc(&ml->arena, (c.written.count + 1) * sizeof *all);
    if (!s || !all) s = NULL, check_memory(&c);
    for (size_t i = 0; s && i < c.written.count; i++) {
      if (c.written.at[i].type->kind != ML_TYPE_VAR || i < givens) continue;
      c.written.at[i].type->level = ML_GENERIC;
      all[count++] = c.written.at[i].type;
    }
    if (s) s->variable = all, s->variables = count;
  }
  check_close(&c);
  ml->in_prelude--;
  return s;
}
