/* check_expr.c -- types of expressions.
 *
 * check_infer finds the type of an expression; check_against is told what it must be and pushes that inwards as long as the
 * expression is only a frame around others.  Both complete the tree: names become what they mean, and where a list meets a
 * multiset a conversion is put. */
#include "ml/check.h"

#include <string.h>

struct ml_expr *check_convert(struct check *c, struct ml_expr *e, uint32_t library, struct ml_type *type) {
  struct ml_expr *call = arena_alloc(&c->ml->arena, sizeof *call + 2 * sizeof(struct ml_expr *)),
                 *f = arena_alloc(&c->ml->arena, sizeof *f);
  struct ml_type *arrow = ml_type_arrow(c->ml, e->type, type);
  if (!call || !f || !arrow) return check_memory(c), NULL;
  *f = (struct ml_expr){
      .kind = ML_LIBRARY, .place = e->place, .from = e->from, .to = e->from, .type = arrow, .library = library, .height = 1};
  f->name = ml_library_name(library);
  *call = (struct ml_expr){
      .kind = ML_APPLY, .place = e->place, .from = e->from, .to = e->to, .type = type, .parts = 2, .height = e->height + 1};
  call->part = (struct ml_expr **)(call + 1);
  call->part[0] = f;
  call->part[1] = e;
  return call;
}

struct ml_expr *check_now(struct check *c, struct ml_expr *e, struct ml_type *type) {
  c->moves |= ML_BY_CLOCK;
  struct ml_expr *later = arena_alloc(&c->ml->arena, sizeof *later + 2 * sizeof(struct ml_expr *)),
                 *zero = arena_alloc(&c->ml->arena, sizeof *zero);
  if (!later || !zero) return check_memory(c), NULL;
  *zero = (struct ml_expr){.kind = ML_INT, .place = e->place, .from = e->from, .to = e->from, .type = c->ml->int_, .height = 1};
  *later = (struct ml_expr){
      .kind = ML_DELAY, .place = e->place, .from = e->from, .to = e->to, .type = type, .parts = 2, .height = e->height + 1};
  later->part = (struct ml_expr **)(later + 1);
  later->part[0] = e;
  later->part[1] = zero;
  return later;
}

/* list_to_ms l, which a list is made of again: multisets are sorted, lists need not be. */
static int is_made_of_list(const struct ml_expr *e) {
  return e->kind == ML_APPLY && e->part[0]->kind == ML_LIBRARY && e->part[0]->library == ML_LIB_LIST_TO_MS;
}

/* Its type is known; converts it if it must be and can be. */
int check_fit(struct check *c, struct ml_expr **slot, struct ml_type *want) {
  struct ml_expr *e = *slot;
  struct ml_type *have = ml_type_find(e->type), *w = ml_type_find(want);
  int list = ml_type_is_list(c->ml, have), ms = have->kind == ML_TYPE_MULTISET;
  int to_ms = w->kind == ML_TYPE_MULTISET, to_tms = w->kind == ML_TYPE_TIMED, to_list = ml_type_is_list(c->ml, w);
  if (!((list && (to_ms || to_tms)) || (ms && (to_list || to_tms)))) return check_unify_at(c, e->place, e->from, have, want);
  enum ml_unified u = ml_unify(c->ml, &c->effort, have->part[0], w->part[0]);
  if (u) return check_mismatch(c, u, e->place, e->from, have, want);
  if (to_list && is_made_of_list(e)) { /* and back again: the list as it was written */
    *slot = e->part[1];
    return 0;
  }
  if (list) {
    struct ml_type *plain = to_ms ? want : check_made(c, ml_type_of(c->ml, ML_TYPE_MULTISET, w->part[0]));
    if (!plain || !(e = check_convert(c, e, ML_LIB_LIST_TO_MS, plain))) return -1;
  } else if (to_list && !(e = check_convert(c, e, ML_LIB_MS_TO_LIST, want))) return -1;
  if (to_tms && !(e = check_now(c, e, want))) return -1;
  *slot = e;
  return 0;
}

/* Several ways to one result, each inferred: a type that all fit. */
struct ml_type *check_join(struct check *c, struct ml_expr **const *slot, uint32_t count) {
  struct ml_type *best = NULL;
  int rank = -1;
  for (uint32_t i = 0; i < count; i++) {
    struct ml_type *t = check_infer(c, slot[i]);
    if (!t) return NULL;
    t = ml_type_find(t);
    int r = t->kind == ML_TYPE_TIMED ? 3 : t->kind == ML_TYPE_MULTISET ? 2 : t->kind != ML_TYPE_VAR || t->demand ? 1 : 0;
    if (r > rank) best = t, rank = r;
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct ml_expr *e = *slot[i];
    if (rank == 3 && count > 1 &&
        ml_type_find(e->type)->kind == ML_TYPE_MULTISET) /* ML reads if c then a else b @+ 5 as a or (b @+ 5) */
      return check_fault(c, e->place, e->from,
                         "this carries no time, but another branch does: is @+ meant for the whole? put the whole in brackets"),
             NULL;
    if (check_fit(c, slot[i], best)) return NULL;
  }
  return best;
}

int check_rules(struct check *c, struct ml_rule *rule, uint32_t rules, struct ml_type *argument, struct ml_type **result,
                struct ml_type *want) {
  struct ml_expr ***slot = want ? NULL : arena_alloc(&c->ml->arena, rules * sizeof *slot);
  if (!want && !slot) return check_memory(c);
  for (uint32_t i = 0; i < rules; i++) {
    size_t mark = ml_scope_enter(c->ml);
    int status = check_new_pattern(c, rule[i].pattern, argument);
    if (!status) status = want ? check_against(c, &rule[i].body, want) : check_infer(c, &rule[i].body) ? 0 : -1;
    ml_scope_leave(c->ml, mark);
    if (status) return -1;
    if (slot) slot[i] = &rule[i].body;
  }
  *result = want ? want : check_join(c, slot, rules);
  return *result ? 0 : -1;
}

static struct ml_type *function(struct check *c, struct ml_expr *e, struct ml_type *argument, struct ml_type *result) {
  if (!argument && !(argument = check_new_var(c, 0))) return NULL;
  c->depth++;
  int status = check_rules(c, e->rule, e->rules, argument, &result, result);
  c->depth--;
  return status ? NULL : check_made(c, ml_type_arrow(c->ml, argument, result));
}

/* The argument does not fit. People who know C write == and != where ML says = and <>. */
static struct ml_type *misfit(struct check *c, const struct ml_expr *f) {
  if (f->kind == ML_LIBRARY && c->err->kind == ERR_INPUT && (f->library == ML_LIB_MS_EQUAL || f->library == ML_LIB_MS_DIFFERENT))
    err_hint(c->err, "%s compares multisets; values are compared by %s", f->name, f->library == ML_LIB_MS_EQUAL ? "=" : "<>");
  return NULL;
}

static struct ml_type *apply(struct check *c, struct ml_expr *e) {
  struct ml_type *f = check_infer(c, &e->part[0]);
  if (!f) return NULL;
  f = ml_type_find(f);
  if (f->kind == ML_TYPE_ARROW) return check_against(c, &e->part[1], f->part[0]) ? misfit(c, e->part[0]) : f->part[1];
  struct ml_type *x = check_infer(c, &e->part[1]);
  if (!x) return NULL;
  f = ml_type_find(f);
  if (f->kind == ML_TYPE_ARROW) return check_fit(c, &e->part[1], f->part[0]) ? NULL : f->part[1]; /* the argument has told */
  if (f->kind != ML_TYPE_VAR || f->demand) {
    char shown[150];
    const struct ml_expr *it = e->part[0];
    check_fault(c, it->place, it->from, "this is %s, not a function: it cannot be applied",
                ml_type_print(f, shown, sizeof shown));
    return NULL;
  }
  struct ml_type *result = check_new_var(c, 0), *arrow = result ? check_made(c, ml_type_arrow(c->ml, x, result)) : NULL;
  if (!arrow || check_unify_at(c, e->part[0]->place, e->part[0]->from, f, arrow)) return NULL;
  return result;
}

static struct ml_type *select_part(struct check *c, struct ml_expr *e) {
  struct ml_type *t = check_infer(c, &e->part[0]);
  if (!t) return NULL;
  t = ml_type_find(t);
  if (t->kind == ML_TYPE_RECORD || t->kind == ML_TYPE_TUPLE) {
    int at = ml_type_label(t, e->label[0]);
    if (at >= 0) return e->number = at, t->part[at];
    char shown[150];
    return check_fault(c, e->place, e->from, "this is %s, which has no part #%s", ml_type_print(t, shown, sizeof shown),
                       e->label[0]),
           NULL;
  }
  struct ml_type *some = ml_type_new(c->ml, ML_TYPE_VAR, 1);
  if (!check_made(c, some) || !(some->part[0] = check_new_var(c, 0))) return NULL;
  some->level = c->level;
  some->demand = ML_FLEXIBLE;
  some->label = e->label;
  if (vec_push(&c->select, c->ml->mem, MEM_MODEL, e)) return check_memory(c), NULL;
  struct ml_type *result = some->part[0];
  return check_unify_at(c, e->part[0]->place, e->part[0]->from, t, some) ? NULL : result;
}

static struct ml_type *parts_of(struct check *c, struct ml_expr *e) {
  struct ml_type *t = ml_type_new(c->ml, e->kind == ML_TUPLE ? ML_TYPE_TUPLE : ML_TYPE_RECORD, e->parts);
  if (!check_made(c, t)) return NULL;
  t->label = e->kind == ML_RECORD ? e->label : NULL;
  for (uint32_t i = 0; i < e->parts; i++)
    if (!(t->part[i] = check_infer(c, &e->part[i]))) return NULL;
  return t;
}

static struct ml_type *list(struct check *c, struct ml_expr *e, struct ml_type *element) {
  if (!element && !(element = check_new_var(c, 0))) return NULL;
  for (uint32_t i = 0; i < e->parts; i++)
    if (check_against(c, &e->part[i], element)) return NULL;
  return check_made(c, ml_type_data(c->ml, c->ml->list_data, element));
}

/* Kinds that only frame what decides the type; want NULL: it is not known. NULL with *frame 0: it is none. */
static struct ml_type *framed(struct check *c, struct ml_expr *e, struct ml_type *want, int *frame) {
  struct ml_type *t = NULL, *result;
  *frame = 1;
  switch (e->kind) {
  case ML_IF: {
    if (check_against(c, &e->part[0], c->ml->bool_)) return NULL;
    if (want) return check_against(c, &e->part[1], want) || check_against(c, &e->part[2], want) ? NULL : want;
    struct ml_expr **const way[2] = {&e->part[1], &e->part[2]};
    return check_join(c, way, 2);
  }
  case ML_CASE:
    if (!(t = check_infer(c, &e->part[0]))) return NULL;
    return check_rules(c, e->rule, e->rules, t, &result, want) ? NULL : result;
  case ML_HANDLE:
    t = want && check_against(c, &e->part[0], want) ? NULL : want ? want : check_infer(c, &e->part[0]);
    if (!t) return NULL;
    return check_rules(c, e->rule, e->rules, c->ml->exn, &result, t) ? NULL : result;
  case ML_LET: {
    size_t mark = ml_scope_enter(c->ml);
    int status = check_let(c, e);
    if (!status) status = want ? check_against(c, &e->part[0], want) : check_infer(c, &e->part[0]) ? 0 : -1;
    ml_scope_leave(c->ml, mark);
    return status ? NULL : e->part[0]->type;
  }
  case ML_SEQUENCE: {
    if (e->written && !(t = check_written(c, e->written))) return NULL;
    for (uint32_t i = 0; i + 1 < e->parts; i++)
      if (!check_infer(c, &e->part[i])) return NULL;
    struct ml_expr **last = &e->part[e->parts - 1];
    if (e->written) return check_against(c, last, t) ? NULL : t;
    if (want) return check_against(c, last, want) ? NULL : want;
    return check_infer(c, last);
  }
  default: *frame = 0; return NULL;
  }
}

static struct ml_type *infer(struct check *c, struct ml_expr **slot) {
  struct ml_expr *e = *slot;
  int done;
  struct ml_type *t = framed(c, e, NULL, &done);
  if (done) return t;
  switch (e->kind) {
  case ML_INT: return e->name ? c->ml->char_ : check_new_var(c, ML_INTEGRAL);
  case ML_REAL: return c->ml->real;
  case ML_STRING: return c->ml->string;
  case ML_NAME: t = check_writing(c, e, &done); return done ? t : check_name(c, e);
  case ML_TUPLE:
  case ML_RECORD: return parts_of(c, e);
  case ML_SELECT: return select_part(c, e);
  case ML_LIST: return list(c, e, NULL);
  case ML_APPLY:
    t = check_writing(c, e, &done);
    if (!done) t = check_operator(c, slot, &done);
    return done ? t : apply(c, e);
  case ML_FN: return function(c, e, NULL, NULL);
  case ML_RAISE: return check_against(c, &e->part[0], c->ml->exn) ? NULL : check_new_var(c, 0);
  case ML_AND:
  case ML_OR:
    return check_against(c, &e->part[0], c->ml->bool_) || check_against(c, &e->part[1], c->ml->bool_) ? NULL : c->ml->bool_;
  case ML_COEFFICIENT:
  case ML_AT:
  case ML_DELAY: return check_time(c, e);
  default: return err_internal(c->err, "the checker met a kind of expression that it does not know"), NULL;
  }
}

struct ml_type *check_infer(struct check *c, struct ml_expr **slot) {
  struct ml_expr *e = *slot;
  if (!e->type) e->type = infer(c, slot);
  return e->type;
}

int check_against(struct check *c, struct ml_expr **slot, struct ml_type *want) {
  struct ml_expr *e = *slot;
  struct ml_type *w = ml_type_find(want);
  if (e->type || w->kind == ML_TYPE_VAR) return check_infer(c, slot) ? check_fit(c, slot, want) : -1;
  if (e->kind == ML_TUPLE && w->kind == ML_TYPE_TUPLE && w->parts == e->parts) {
    for (uint32_t i = 0; i < e->parts; i++)
      if (check_against(c, &e->part[i], w->part[i])) return -1;
    e->type = want;
    return 0;
  }
  if (e->kind == ML_LIST && ml_type_is_list(c->ml, w)) {
    e->type = list(c, e, w->part[0]);
    return e->type ? 0 : -1;
  }
  if (e->kind == ML_FN && w->kind == ML_TYPE_ARROW) {
    e->type = function(c, e, w->part[0], w->part[1]);
    return e->type ? 0 : -1;
  }
  int frame;
  struct ml_type *t = framed(c, e, want, &frame);
  if (frame && !t) return -1;
  if (frame) e->type = t;
  return check_infer(c, slot) ? check_fit(c, slot, want) : -1;
}
