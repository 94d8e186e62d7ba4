/* check_declare.c -- val and fun, in let and on top, and what is declared beside them.
 *
 * In a let, variables are locals; on top they are globals, and what they are is worked out at once by the second half of the room
 * (ml_define_val and ml_define_fun).  A declaration that needs something no state space has -- random numbers, files, assignment
 * -- is checked but not worked out: its names remember why, and an inscription that uses one is refused with that reason.  Files
 * are full of such functions that no transition calls. */
#include "ml/check.h"

#include <stdio.h>
#include <string.h>

int check_is_value(const struct ml_expr *e) {
  switch (e->kind) {
  case ML_INT:
  case ML_REAL:
  case ML_STRING:
  case ML_LOCAL:
  case ML_GLOBAL:
  case ML_COLOURED:
  case ML_LIBRARY:
  case ML_CONSTRUCTOR:
  case ML_EXCEPTION:
  case ML_FN: return 1;
  case ML_TUPLE:
  case ML_RECORD:
  case ML_LIST:
    for (uint32_t i = 0; i < e->parts; i++)
      if (!check_is_value(e->part[i])) return 0;
    return 1;
  case ML_SEQUENCE: return e->parts == 1 && check_is_value(e->part[0]);
  case ML_APPLY: return (e->part[0]->kind == ML_CONSTRUCTOR || e->part[0]->kind == ML_EXCEPTION) && check_is_value(e->part[1]);
  default: return 0;
  }
}

struct locals vec(struct ml_local *);

static int variables_of(struct check *c, const struct ml_pattern *p, struct locals *out) {
  if (p->local && vec_push(out, c->ml->mem, MEM_MODEL, p->local)) return check_memory(c);
  for (uint32_t i = 0; i < p->parts; i++)
    if (variables_of(c, p->part[i], out)) return -1;
  return 0;
}

static int generalise(struct check *c, struct ml_local *const *local, size_t count) {
  struct ml_scheme **scheme = arena_alloc(&c->ml->arena, (count + 1) * sizeof *scheme);
  if (!scheme) return check_memory(c);
  for (size_t i = 0; i < count; i++) scheme[i] = local[i]->scheme;
  return ml_generalise(c->ml, &c->effort, scheme, count, c->level)
             ? check_fault(c, c->text->place, 0, "the types in this text grow too large")
             : 0;
}

/* Is it ref e, which makes a reference, or one of those that make an array? */
static int makes_cell(const struct ml_expr *e) {
  while (e->kind == ML_SEQUENCE && e->parts == 1) e = e->part[0];
  if (e->kind != ML_APPLY) return 0;
  const struct ml_expr *f = e->part[0];
  if (f->kind == ML_LIBRARY) return f->library == ML_LIB_REF || f->library == ML_LIB_ARRAY_MAKE || f->library == ML_LIB_ARRAY_FROM_LIST;
  return f->kind == ML_GLOBAL && f->global->place.file && strcmp(f->global->place.file, "prelude") == 0 && strcmp(f->global->name, "Array.tabulate") == 0;
}

/* val pattern = body: the pattern's variables are bound, with general types where that is allowed. */
static int val(struct check *c, struct ml_declaration *d, int top) {
  struct locals all = {0};
  c->level++;
  struct ml_type *t = NULL;
  if (d->pattern->written && (t = check_written(c, d->pattern->written))) {
    if (check_against(c, &d->body, t)) t = NULL;
  } else if (!d->pattern->written) t = check_infer(c, &d->body);
  int status = t && !check_new_pattern(c, d->pattern, d->body->type) ? 0 : -1;
  if (!status && !top && d->pattern->kind == ML_P_VAR && d->pattern->local && makes_cell(d->body)) d->pattern->local->cell = 1;
  c->level--;
  if (!status && top) status = check_finish(c);
  if (!status) status = variables_of(c, d->pattern, &all);
  if (!status && check_is_value(d->body)) status = generalise(c, all.at, all.count);
  else if (!status) {
    struct ml_type *here = check_new_var(c, 0);
    status = here ? check_unify_at(c, d->body->place, d->body->from, d->body->type, here) : -1;
  }
  vec_free(&all, c->ml->mem);
  return status;
}

/* The bodies of functions whose types are known to be these variables. */
static int bodies(struct check *c, struct ml_declaration *d, struct ml_type **type) {
  for (uint32_t i = 0; i < d->functions; i++) {
    if (!check_infer(c, &d->function_body[i])) return -1;
    const struct ml_expr *e = d->function_body[i];
    if (check_unify_at(c, e->place, e->from, e->type, type[i])) return -1;
  }
  return 0;
}

static int twice(struct check *c, struct ml_declaration *d, uint32_t i) {
  return check_fault(c, d->function_body[i]->place, d->function_body[i]->from, "%s is declared twice", d->function[i]->name);
}

static int fun(struct check *c, struct ml_declaration *d) {
  struct ml_type **type = arena_alloc(&c->ml->arena, d->functions * sizeof *type);
  if (!type) return check_memory(c);
  c->level++;
  c->group = ++c->ml->group_count;
  int status = 0;
  for (uint32_t i = 0; !status && i < d->functions; i++) {
    const struct ml_meaning *m = ml_meaning(c->ml, d->function[i]->name);
    if (m && m->kind == ML_MEANS_LOCAL && m->local->group == c->group) status = twice(c, d, i);
    else if (!(type[i] = check_new_var(c, 0)) || !(d->function[i] = check_new_local(c, d->function[i]->name, type[i])))
      status = -1;
  }
  if (!status) status = bodies(c, d, type);
  c->level--;
  return status ? -1 : generalise(c, d->function, d->functions);
}

static int open(struct check *c, const struct ml_statement *s) {
  for (uint32_t i = 0; i < s->parts; i++)
    if (ml_open_structure(c->ml, s->part_name[i], c->err)) return -1;
  return 0;
}

/* Declarations of a let, one after the other; what runs is put at the end of out. */
static int several(struct check *c, struct ml_declaration *d, uint32_t count, struct ml_declaration *out, uint32_t *outs) {
  for (uint32_t i = 0; i < count; i++) {
    const struct ml_statement *s = d[i].statement;
    if (d[i].kind == ML_D_VAL ? val(c, &d[i], 0) : d[i].kind == ML_D_FUN ? fun(c, &d[i]) : 0) return -1;
    if (d[i].kind != ML_D_OTHER) {
      if (d[i].kind == ML_D_EXCEPTION && check_exceptions(c, s)) return -1;
      out[(*outs)++] = d[i];
      continue;
    }
    size_t before = ml_scope_enter(c->ml);
    if (s->kind == ML_S_TYPE && check_types(c, s)) return -1;
    if (s->kind == ML_S_OPEN && open(c, s)) return -1;
    if (s->kind == ML_S_DATATYPE && check_datatypes(c, s)) return -1;
    if (s->kind != ML_S_LOCAL) continue;
    if (several(c, s->inner, s->inners, out, outs)) return -1;
    size_t between = ml_scope_enter(c->ml);
    if (several(c, s->outer, s->outers, out, outs)) return -1;
    if (ml_scope_drop(c->ml, before, between)) return check_memory(c);
  }
  return 0;
}

static uint32_t flat(const struct ml_declaration *d, uint32_t count) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct ml_statement *s = d[i].kind == ML_D_OTHER ? d[i].statement : NULL;
    n += s && s->kind == ML_S_LOCAL ? flat(s->inner, s->inners) + flat(s->outer, s->outers) : 1;
  }
  return n;
}

int check_let(struct check *c, struct ml_expr *e) {
  struct ml_declaration *out = arena_alloc(&c->ml->arena, (flat(e->declaration, e->declarations) + 1) * sizeof *out);
  uint32_t outs = 0;
  if (!out) return check_memory(c);
  if (several(c, e->declaration, e->declarations, out, &outs)) return -1;
  e->declaration = out;
  e->declarations = outs;
  return 0;
}

/* On top. */
static struct ml_global *new_global(struct check *c, const char *name, struct ml_scheme *scheme, struct place_in_text place) {
  struct ml_global *g = arena_alloc(&c->ml->arena, sizeof *g);
  struct ml_meaning *m = g ? ml_mean(c->ml, name, ML_MEANS_GLOBAL) : NULL;
  if (!m || vec_push(&c->ml->globals, c->ml->mem, MEM_MODEL, g)) return check_memory(c), NULL;
  g->name = name;
  g->scheme = scheme;
  g->place = place;
  g->number = (uint32_t)c->ml->globals.count - 1;
  m->scheme = scheme;
  m->global = g;
  return g;
}

static int overridden(const struct ml *ml, const char *name) {
  for (size_t i = 0; i < ml->overridden.count; i++)
    if (ml->overridden.at[i].name == name) return ml->overridden.at[i].used = 1;
  return 0;
}

static int global_val(struct check *c, struct ml_declaration *d, int reference) {
  struct ml *ml = c->ml;
  struct locals all = {0};
  if (d->pattern->kind == ML_P_VAR && overridden(ml, d->pattern->name)) return 0;
  size_t mark = ml_scope_enter(ml);
  int status = val(c, d, 1);
  if (!status) status = variables_of(c, d->pattern, &all);
  if (!status && c->cells && ml_holds_functions(d->body->type)) status = check_refuse(c, d->body->place, d->body->from, "a reference or an array that is changed is kept");
  if (!status && c->assigns && !check_is_value(d->body)) status = check_refuse(c, d->body->place, d->body->from, "':=' changes a reference");
  if (!status && c->chance && !check_is_value(d->body)) status = check_refuse(c, d->body->place, d->body->from, c->chance);
  ml_scope_leave(ml, mark);
  struct ml_bound *bound = arena_alloc(&ml->arena, (all.count + 1) * sizeof *bound);
  if (!bound && !status) status = check_memory(c);
  for (size_t i = 0; !status && i < all.count; i++) {
    struct ml_global *g = new_global(c, all.at[i]->name, all.at[i]->scheme, d->place);
    if (!g) status = -1;
    else g->refused = c->refused, g->lacking = c->lacks, g->chance = c->chance, g->writes = c->writes, g->blind = c->blind != NULL, g->assigns = c->assigns, g->cells = c->cells, g->reads = c->reads, g->moves = c->moves, g->reference = reference, g->body = d->body, bound[i] = (struct ml_bound){all.at[i]->number, g};
  }
  if (!status && c->assigns && !check_is_value(d->body) && !ml->assigned) ml->assigned = d->place.line;
  if (!status && !c->refused) status = ml_define_val(ml, d->pattern, d->body, bound, all.count, c->err);
  vec_free(&all, ml->mem);
  return status;
}

/* Functions that come from outside. */
static void drop_overridden(const struct ml *ml, struct ml_declaration *d) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < d->functions; i++) {
    if (overridden(ml, d->function[i]->name)) continue;
    d->function[kept] = d->function[i];
    d->function_body[kept++] = d->function_body[i];
  }
  d->functions = kept;
}

static int global_fun(struct check *c, struct ml_declaration *d) {
  struct ml *ml = c->ml;
  if (ml->overridden.count) drop_overridden(ml, d);
  if (!d->functions) return 0;
  const struct ml_global **global = arena_alloc(&ml->arena, d->functions * sizeof *global);
  struct ml_type **type = arena_alloc(&ml->arena, d->functions * sizeof *type);
  struct ml_scheme **scheme = arena_alloc(&ml->arena, d->functions * sizeof *scheme);
  if (!global || !type || !scheme) return check_memory(c);
  uint32_t first = (uint32_t)ml->globals.count;
  c->level++;
  int status = 0;
  for (uint32_t i = 0; !status && i < d->functions; i++) {
    const struct ml_meaning *m = ml_meaning(ml, d->function[i]->name);
    if (m && m->kind == ML_MEANS_GLOBAL && m->global->number >= first) status = twice(c, d, i);
    else if (!(type[i] = check_new_var(c, 0)) || !(scheme[i] = ml_scheme_of(ml, type[i]))) status = check_memory(c);
    else if (!(global[i] = new_global(c, d->function[i]->name, scheme[i], d->function_body[i]->place))) status = -1;
  }
  if (!status) status = bodies(c, d, type);
  c->level--;
  if (!status) status = check_finish(c);
  if (!status && ml_generalise(ml, &c->effort, scheme, d->functions, c->level))
    status = check_fault(c, d->place, 0, "the types in this text grow too large");
  if (status) return -1;
  for (uint32_t i = 0; i < d->functions; i++) {
    struct ml_global *g = ml->globals.at[global[i]->number];
    g->refused = c->refused;
    g->lacking = c->lacks;
    g->chance = c->chance;
    g->writes = c->writes;
    g->blind = c->blind != NULL;
    g->assigns = c->assigns;
    g->cells = c->cells;
    g->reads = c->reads;
    g->moves = c->moves;
    g->body = d->function_body[i];
  }
  return c->refused ? 0 : ml_define_fun(ml, global, d->function_body, d->functions, c->err);
}

/* globref x = e is val x = ref e */
static int globref(struct check *c, const struct ml_statement *s) {
  struct ml_type *t = check_infer(c, (struct ml_expr **)(uintptr_t)&s->body);
  struct ml_type *r = t ? check_made(c, ml_type_of(c->ml, ML_TYPE_REF, t)) : NULL;
  struct ml_expr *body = r ? check_convert(c, s->body, ML_LIB_REF, r) : NULL;
  struct ml_pattern *p = arena_alloc(&c->ml->arena, sizeof *p);
  if (!body || !p) return p ? -1 : check_memory(c);
  *p = (struct ml_pattern){.kind = ML_P_VAR, .place = s->place, .from = s->from, .name = s->name, .height = 1};
  struct ml_declaration d = {.kind = ML_D_VAL, .place = s->place, .pattern = p, .body = body};
  return global_val(c, &d, 1);
}

static int variables(struct check *c, const struct ml_statement *s) {
  const struct ml_written *w = s->part_of[0];
  const struct ml_type_meaning *m = w->kind == ML_W_NAME && !w->parts ? ml_symbol(w->name)->type : NULL;
  if (w->kind != ML_W_NAME || w->parts)
    return check_fault(c, w->place, w->from, "a variable of the net is of a colour set, which stands here by its name");
  if (!m || !m->colset) return check_unknown(c, w->place, w->from, w->name, "colour set", 1);
  for (uint32_t i = 0; i < s->parts; i++) {
    struct ml_variable *v = arena_alloc(&c->ml->arena, sizeof *v);
    struct ml_meaning *is = v ? ml_mean(c->ml, s->part_name[i], ML_MEANS_VARIABLE) : NULL;
    if (!is || !(is->scheme = ml_scheme_of(c->ml, m->colset->type)) || vec_push(&c->ml->variables, c->ml->mem, MEM_MODEL, v))
      return check_memory(c);
    *v = (struct ml_variable){s->part_name[i], m->colset, s->place, (uint32_t)c->ml->variables.count - 1};
    is->variable = v;
  }
  return 0;
}

static int local(struct check *c, const struct ml_statement *s) {
  size_t before = ml_scope_enter(c->ml);
  for (uint32_t i = 0; i < s->inners; i++)
    if (check_global(c, &s->inner[i])) return -1;
  size_t between = ml_scope_enter(c->ml);
  for (uint32_t i = 0; i < s->outers; i++)
    if (check_global(c, &s->outer[i])) return -1;
  return ml_scope_drop(c->ml, before, between) ? check_memory(c) : 0;
}

int check_global(struct check *c, struct ml_declaration *d) {
  const struct ml_statement *s = d->statement;
  c->refused = c->blind = c->chance = c->writes = NULL;
  c->lacks = 0;
  c->written_out.count = 0;
  c->assigns = c->reads = c->cells = c->moves = 0;
  c->written.count = 0;
  if (d->kind == ML_D_VAL) return global_val(c, d, 0);
  if (d->kind == ML_D_FUN) return global_fun(c, d);
  if (d->kind == ML_D_EXCEPTION) return check_exceptions(c, s);
  switch (s->kind) {
  case ML_S_COLSET: return check_colset(c, s);
  case ML_S_VAR: return variables(c, s);
  case ML_S_GLOBREF: return globref(c, s);
  case ML_S_EXCEPTION: return check_exceptions(c, s);
  case ML_S_DATATYPE: return check_datatypes(c, s);
  case ML_S_TYPE: return check_types(c, s);
  case ML_S_LOCAL: return local(c, s);
  case ML_S_OPEN: return open(c, s);
  case ML_S_NOTHING: return 0;
  }
  return 0;
}
