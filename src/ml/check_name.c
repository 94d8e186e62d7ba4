/* check_name.c -- what a name stands for, and names that stand for several things.
 *
 * Variables of the net are values in inscriptions only: a declaration does not see them, and whatever they hide there is seen. */
#include "ml/check.h"

#include <stdio.h>
#include <string.h>

struct ml_type *check_instance(struct check *c, const struct ml_scheme *s) {
  if (!s->variables) return s->type;
  struct ml_type **fresh = arena_alloc(&c->ml->arena, s->variables * sizeof *fresh);
  if (!fresh) return check_memory(c), NULL;
  for (uint32_t i = 0; i < s->variables; i++)
    if (!(fresh[i] = check_new_var(c, s->variable[i]->demand))) return NULL;
  return check_made(c, ml_substitute(c->ml, &c->effort, s->type, s->variables, s->variable, fresh));
}

struct ml_meaning *check_meaning(struct check *c, const char *name, int *failed) {
  struct ml_meaning *m = ml_lookup(c->ml, name, failed, c->err);
  while (m && c->declares && m->kind == ML_MEANS_VARIABLE) m = m->outer;
  if (m && !c->declares && m->kind == ML_MEANS_GLOBAL) { /* a function of the same name does not hide it, wherever it was declared */
    const struct ml_variable *v = ml_find_variable(c->ml, name);
    while (v && m->kind != ML_MEANS_VARIABLE) m = m->outer;
  }
  return m;
}

/* Refused for a reason that is none of this text's: whether it lacks something is known there. */
static int pass_on(struct check *c, const struct ml_expr *e, const char *why, int lacking) {
  int status = check_refuse(c, e->place, e->from, why);
  if (status) c->ml->lacking = lacking;
  else if (c->refused == why) c->lacks = lacking;
  return status;
}

static int refused(struct check *c, struct ml_expr *e, const char *why, int lacking) {
  e->kind = ML_TUPLE;
  check_blind(c, e->place, e->from, why);
  return pass_on(c, e, why, lacking);
}

/* Declarations may speak of it; whether they are worked out is another question (global_val). */
static int may_assign(const struct check *c) { return c->declares || c->acts; }

static const char assignment[] = "':=' changes a reference";

/* The name, and what is refused in it. NULL: memory, told. */
static const char *because(struct check *c, const struct ml_global *g, const char *of) {
  size_t room = strlen(of) + strlen(g->name) + 64;
  char *why = arena_alloc(&c->ml->arena, room);
  if (!why) return check_memory(c), NULL;
  if (strstr(of, " needs ")) snprintf(why, room, "%s", of); /* the innermost reason is enough */
  else snprintf(why, room, "%s" ML_NEEDS "%s", g->name, of);
  return why;
}

static int refuse_assignment(struct check *c, const struct ml_expr *e, const struct ml_global *g) {
  const char *why = because(c, g, assignment);
  return why ? check_refuse(c, e->place, e->from, why) : -1;
}

/* Something with finitely many outcomes is drawn. */
static int draw(struct check *c, const struct ml_expr *e, const char *why) {
  if (!why) return -1;
  if (!c->chance) c->chance = why;
  return c->declares || c->gives ? 0 : check_refuse(c, e->place, e->from, why);
}

static int global(struct check *c, struct ml_expr *e, const struct ml_global *g) {
  e->kind = ML_GLOBAL;
  e->global = g;
  c->assigns |= g->assigns;
  c->cells |= g->cells;
  c->reads |= g->reads;
  c->moves |= g->moves;
  if (!c->writes) c->writes = g->writes;
  if (g->assigns && !g->refused && !may_assign(c)) return refuse_assignment(c, e, g);
  if (!g->refused && g->chance) return draw(c, e, because(c, g, g->chance));
  if (!g->refused) return 0;
  const char *why = because(c, g, g->refused);
  if (!why) return -1;
  if (g->blind) check_blind(c, e->place, e->from, why);
  return pass_on(c, e, why, g->lacking);
}

/* The name of a colour set as a value: all its colours, as in Design/CPN. */
static struct ml_type *whole_colset(struct check *c, struct ml_expr *e, const struct ml_colset *set) {
  struct ml_expr *nothing = arena_alloc(&c->ml->arena, sizeof *nothing);
  struct ml_type *t = ml_type_of(c->ml, ML_TYPE_MULTISET, set->type);
  if (!nothing || !t) return check_memory(c), NULL;
  *nothing =
      (struct ml_expr){.kind = ML_TUPLE, .place = e->place, .from = e->from, .to = e->to, .type = c->ml->unit, .height = 1};
  struct ml_expr *call = check_convert(c, nothing, ML_LIB_COLSET_ALL, t);
  if (!call) return NULL;
  call->part[0]->colset = set;
  *e = *call;
  return t;
}

static int refuse_random(struct check *c, const struct ml_expr *e, uint32_t number) {
  if (c->ml->draws || (!ml_is_random(number) && number != ML_LIB_CLOCK)) return 0;
  if (number == ML_LIB_CLOCK) return check_refuse(c, e->place, e->from, "Time.now depends on the machine that it runs on");
  size_t room = strlen(e->name) + 16;
  char *why = arena_alloc(&c->ml->arena, room);
  if (!why) return check_memory(c);
  snprintf(why, room, "%s is random", e->name);
  return ml_is_choice(number) ? draw(c, e, why) : check_refuse(c, e->place, e->from, why);
}

static struct ml_type *colset_function(struct check *c, struct ml_expr *e) {
  const struct ml_type_meaning *set = ml_symbol(e->name)->type;
  if (set && set->colset) return whole_colset(c, e, set->colset);
  const char *why = NULL;
  struct ml_meaning *m = ml_lookup_colset(c->ml, e->name, &e->colset, &why, &e->library);
  if (why && m) return refused(c, e, why, 1) ? NULL : check_new_var(c, 0);
  if (why && strcmp(why, ML_WHY_MEMORY) == 0) return check_memory(c), NULL;
  if (why) return check_fault(c, e->place, e->from, "%s", why), NULL;
  if (!m) return check_unknown(c, e->place, e->from, e->name, strchr(e->name, '.') ? "function" : "name", 0), NULL;
  e->kind = ML_LIBRARY;
  e->number = e->library; /* which part */
  e->library = m->number;
  if (ml_is_random(m->number)) c->moves |= ML_BY_CHANCE;
  if (refuse_random(c, e, m->number)) return NULL;
  return check_instance(c, m->scheme);
}

static int changes(uint32_t library) { return library == ML_LIB_ASSIGN || library == ML_LIB_ARRAY_UPDATE; }
static int of_cells(uint32_t library) { return changes(library) || library == ML_LIB_DEREFERENCE || library == ML_LIB_ARRAY_SUB || library == ML_LIB_ARRAY_VECTOR; }

struct ml_type *check_name(struct check *c, struct ml_expr *e) {
  int failed = 0;
  struct ml_meaning *m = check_meaning(c, e->name, &failed);
  if (failed) return NULL;
  if (m && m->kind == ML_MEANS_OVERLOADED) { /* where nothing decides: of lists */
    m = ml_lookup_exact(c->ml, ml_overloads[m->number].list, &failed, c->err);
    if (!m) return failed ? NULL : (err_internal(c->err, "library: %s", e->name), NULL);
  }
  if (!m) return colset_function(c, e);
  switch (m->kind) {
  case ML_MEANS_LOCAL:
    e->kind = ML_LOCAL;
    e->local = m->local;
    break;
  case ML_MEANS_GLOBAL:
    if (global(c, e, m->global)) return NULL;
    break;
  case ML_MEANS_VARIABLE:
  case ML_MEANS_EXTRA:
    e->kind = ML_COLOURED;
    e->variable = m->variable;
    return m->scheme->type;
  case ML_MEANS_CONSTRUCTOR:
    e->kind = ML_CONSTRUCTOR;
    e->data = m->data;
    e->constructor = m->number;
    break;
  case ML_MEANS_EXCEPTION:
    e->kind = ML_EXCEPTION;
    e->exception = m->exception;
    break;
  case ML_MEANS_LIBRARY:
    if (refuse_random(c, e, m->number)) return NULL;
    c->assigns |= changes(m->number);
    c->moves |= m->number == ML_LIB_TIME || m->number == ML_LIB_REAL_TIME ? ML_BY_CLOCK : ml_is_random(m->number) || m->number == ML_LIB_CLOCK ? ML_BY_CHANCE : 0;
    c->reads |= m->number == ML_LIB_DEREFERENCE || m->number == ML_LIB_ARRAY_SUB || m->number == ML_LIB_ARRAY_VECTOR;
    if (m->number == ML_LIB_ASSIGN && !may_assign(c) && check_refuse(c, e->place, e->from, assignment)) return NULL;
    if (m->number == ML_LIB_ARRAY_UPDATE && check_refuse(c, e->place, e->from, "Array.update changes an array")) return NULL;
    e->kind = ML_LIBRARY;
    e->library = m->number;
    break;
  case ML_MEANS_UNIT: e->kind = ML_TUPLE; return c->ml->unit;
  case ML_MEANS_REFUSED:
    if (m->number && m->number != ML_REFUSED_WRITES && !c->declares && !c->notes) return c->ml->lacking = m->lacking, check_fault(c, e->place, e->from, "%s", m->why), NULL;
    return refused(c, e, m->why, m->lacking || m->number == ML_REFUSED_EFFECT || m->number == ML_REFUSED_WRITES) ? NULL : check_new_var(c, 0);
  case ML_MEANS_OVERLOADED: return NULL;
  }
  return check_instance(c, m->scheme);
}

/* size, filter and the like: the container that comes last decides. */
static int overloaded(struct check *c, struct ml_expr *e, const struct ml_overload *o) {
  struct ml_expr *head = e->part[0]->kind == ML_APPLY ? e->part[0]->part[0] : e->part[0];
  struct ml_type *t = check_infer(c, &e->part[1]);
  if (!t) return -1;
  t = ml_type_find(t);
  const char *chosen = t->kind == ML_TYPE_MULTISET && o->ms ? o->ms : t->kind == ML_TYPE_TIMED && o->tms ? o->tms : o->list;
  if (t->kind == ML_TYPE_STRING && !strcmp(o->list, "List.length"))
    chosen = "String.size"; /* size "abc", as in ML without CPN Tools */
  int failed = 0;
  struct ml_meaning *m = ml_lookup_exact(c->ml, chosen, &failed, c->err);
  if (!m) return failed ? -1 : err_internal(c->err, "library: %s", chosen);
  if (m->kind == ML_MEANS_LIBRARY) head->kind = ML_LIBRARY, head->library = m->number;
  else if (m->kind == ML_MEANS_GLOBAL) head->kind = ML_GLOBAL, head->global = m->global;
  head->type = check_instance(c, m->scheme);
  return head->type ? 0 : -1;
}

static struct ml_meaning *named(struct check *c, const struct ml_expr *e, int *failed) {
  return e->kind == ML_NAME && !e->type ? check_meaning(c, e->name, failed) : NULL;
}

/* !x and x := e where a let has said val x = ref ..., and the same of arrays: a reference of this evaluation, which ends with it.  Whoever evaluates the whole sees nothing of it, so a state space can have that.  Functions may use such a
   reference, but must not take it elsewhere: a value of the net that holds functions, or is one, is refused if it was made by something that changes any (global_val).  The machine looks as well (native.c). */
static int cell(struct check *c, struct ml_expr *e, const struct ml_meaning *m) {
  const struct ml_expr *x = e->part[1]->kind == ML_TUPLE && e->part[1]->parts > 1 ? e->part[1]->part[0] : e->part[1];
  int failed = 0;
  const struct ml_meaning *is = named(c, x, &failed);
  if (failed) return -1;
  if (!is || is->kind != ML_MEANS_LOCAL || !is->local->cell) return 0;
  struct ml_expr *f = e->part[0];
  c->cells |= changes(m->number);
  f->kind = ML_LIBRARY;
  f->library = m->number;
  return (f->type = check_instance(c, m->scheme)) ? 0 : -1;
}

struct ml_type *check_operator(struct check *c, struct ml_expr **slot, int *handled) {
  struct ml_expr *e = *slot;
  int failed = 0;
  *handled = 1;
  struct ml_meaning *m = named(c, e->part[0], &failed);
  if (m && m->kind == ML_MEANS_LIBRARY && of_cells(m->number)) {
    if (cell(c, e, m)) return NULL;
    return *handled = 0, NULL;
  }
  if (!m && !failed && e->part[0]->kind == ML_APPLY) {
    m = named(c, e->part[0]->part[0], &failed);
    if (m && m->kind != ML_MEANS_OVERLOADED) m = NULL;
    if (m && !strcmp(ml_overloads[m->number].list, "List.length")) m = NULL; /* it has one argument only */
  } else if (m && m->kind == ML_MEANS_OVERLOADED && strcmp(ml_overloads[m->number].list, "List.length")) m = NULL;
  if (failed) return NULL;
  *handled = 0;
  if (!m) return NULL;
  if (m->kind == ML_MEANS_OVERLOADED) {
    if (overloaded(c, e, &ml_overloads[m->number])) return *handled = 1, NULL;
    return NULL; /* now it is like any other application */
  }
  if (m->kind != ML_MEANS_LIBRARY || e->part[1]->kind != ML_TUPLE || e->part[1]->parts != 2 || e->part[1]->type) return NULL;
  struct ml_expr *pair = e->part[1];
  if (m->number == ML_LIB_APPEND && !strcmp(e->part[0]->name, "@")) { /* lists, or a time stamp */
    struct ml_type *t = check_infer(c, &pair->part[0]);
    *handled = 1;
    if (!t) return NULL;
    t = ml_type_find(t);
    struct ml_type *u = check_infer(c, &pair->part[1]);
    if (!u) return NULL;
    u = ml_type_find(u);
    int stamp = u->kind == ML_TYPE_INT || u->kind == ML_TYPE_TIME || (u->kind == ML_TYPE_REAL && c->ml->real_time) || (u->kind == ML_TYPE_VAR && (u->demand & ML_INTEGRAL));
    *handled = 0;
    if (!stamp) return NULL;
    e->kind = ML_AT;
    e->part = pair->part;
    *handled = 1;
    return check_time(c, e);
  }
  if (check_bag_operator(c, e) < 0) return NULL;
  /* ++ and the like outside of what must be a multiset anyhow */
  struct ml_expr **const way[2] = {&pair->part[0], &pair->part[1]};
  struct ml_type *element = check_new_var(c, 0);
  *handled = 1;
  if (!element || !check_infer(c, way[0]) || !check_infer(c, way[1])) return NULL;
  int timed = m->number == ML_LIB_TMS_ADD || ml_type_find((*way[0])->type)->kind == ML_TYPE_TIMED ||
              ml_type_find((*way[1])->type)->kind == ML_TYPE_TIMED;
  struct ml_type *bag = check_made(c, ml_type_of(c->ml, timed ? ML_TYPE_TIMED : ML_TYPE_MULTISET, element));
  if (!bag || check_fit(c, way[0], bag) || check_fit(c, way[1], bag)) return NULL;
  return check_bag_close(c, e, bag) ? NULL : bag;
}
