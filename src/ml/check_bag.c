/* check_bag.c -- multisets and time.
 *
 * An arc may say x, 1`x, 1`x ++ 2`y, if c then 1`x else empty, x @+ 5: a multiset of the place's colours, or one colour.
 * check_bag knows the colour and asks each end of the expression by itself, so that x @+ 5 and if c then x else empty are
 * understood although no type of ML describes both ways.
 *
 * The type afterwards: the colour (one value; only for the whole, ends inside become 1`e), a multiset of it, or a timed one. */
#include "ml/check.h"

#include <string.h>

int check_span(struct check *c, struct ml_expr **slot) {
  struct ml_type *t = check_infer(c, slot);
  if (!t) return -1;
  t = ml_type_find(t);
  if (t->kind == ML_TYPE_TIME || (t->kind == ML_TYPE_REAL && c->ml->real_time) || !check_fit(c, slot, c->ml->int_)) return 0;
  if (t->kind == ML_TYPE_REAL) err_hint(c->err, "time of this net is a whole number, since its option realtimestamp does not say otherwise; round (...) makes one");
  return -1;
}

/* 1`e */
static int once(struct check *c, struct ml_expr **slot) {
  struct ml_expr *e = *slot, *b = arena_alloc(&c->ml->arena, sizeof *b + 2 * sizeof(struct ml_expr *)),
                 *one = arena_alloc(&c->ml->arena, sizeof *one);
  struct ml_type *t = ml_type_of(c->ml, ML_TYPE_MULTISET, e->type);
  if (!b || !one || !t) return check_memory(c);
  *one = (struct ml_expr){
      .kind = ML_INT, .place = e->place, .from = e->from, .to = e->from, .type = c->ml->int_, .number = 1, .height = 1};
  *b = (struct ml_expr){
      .kind = ML_COEFFICIENT, .place = e->place, .from = e->from, .to = e->to, .type = t, .parts = 2, .height = e->height + 1};
  b->part = (struct ml_expr **)(b + 1);
  b->part[0] = one;
  b->part[1] = e;
  *slot = b;
  return 0;
}

struct ml_type *check_time(struct check *c, struct ml_expr *e) {
  if (e->kind == ML_COEFFICIENT) {
    struct ml_type *t = check_against(c, &e->part[0], c->ml->int_) ? NULL : check_infer(c, &e->part[1]);
    return t ? check_made(c, ml_type_of(c->ml, ML_TYPE_MULTISET, t)) : NULL;
  }
  if (e->kind == ML_DELAY) c->moves |= ML_BY_CLOCK;
  struct ml_type *t = check_infer(c, &e->part[0]);
  if (!t) return NULL;
  t = ml_type_find(t);
  if (t->kind != ML_TYPE_MULTISET) {
    if (ml_type_is_list(c->ml, t) || (t->kind == ML_TYPE_VAR && !t->demand) || t->kind == ML_TYPE_TIMED) {
      struct ml_type *element = check_new_var(c, 0),
                     *bag = element ? check_made(c, ml_type_of(c->ml, ML_TYPE_MULTISET, element)) : NULL;
      if (!bag || check_fit(c, &e->part[0], bag)) return NULL;
    } else if (once(c, &e->part[0])) return NULL;
  }
  if (check_span(c, &e->part[1])) return NULL;
  return check_made(c, ml_type_of(c->ml, ML_TYPE_TIMED, ml_type_find(e->part[0]->type)->part[0]));
}

int check_bag_operator(struct check *c, const struct ml_expr *e) {
  if (e->kind != ML_APPLY || e->part[0]->kind != ML_NAME || e->part[1]->kind != ML_TUPLE || e->part[1]->parts != 2 ||
      e->part[1]->type)
    return -1;
  int failed = 0;
  struct ml_meaning *m = ml_lookup(c->ml, e->part[0]->name, &failed, c->err);
  if (!m || m->kind != ML_MEANS_LIBRARY) return -1;
  uint32_t n = m->number;
  return n == ML_LIB_MS_ADD || n == ML_LIB_MS_SUBTRACT || n == ML_LIB_TMS_ADD ? (int)n : -1;
}

/* Both operands have the type bag: the operator is the one for it. */
int check_bag_close(struct check *c, struct ml_expr *e, struct ml_type *bag) {
  int n = check_bag_operator(c, e), timed = ml_type_find(bag)->kind == ML_TYPE_TIMED;
  struct ml_expr *pair = e->part[1], *f = e->part[0];
  struct ml_type *both = ml_type_new(c->ml, ML_TYPE_TUPLE, 2), *arrow = both ? ml_type_arrow(c->ml, both, bag) : NULL;
  if (!arrow) return check_memory(c);
  both->part[0] = both->part[1] = bag;
  pair->type = both;
  f->type = arrow;
  f->kind = ML_LIBRARY;
  f->library = n == ML_LIB_MS_SUBTRACT ? (timed ? ML_LIB_TMS_SUBTRACT : ML_LIB_MS_SUBTRACT)
               : timed                 ? ML_LIB_TMS_ADD
                                       : ML_LIB_MS_ADD;
  if (n == ML_LIB_MS_SUBTRACT) {
    struct ml_type *equal = check_new_var(c, ML_EQUAL);
    if (!equal || check_unify_at(c, e->place, e->from, ml_type_find(bag)->part[0], equal)) return -1;
  }
  e->type = bag;
  return 0;
}

static int is_timed(const struct ml_expr *e) { return ml_type_find(e->type)->kind == ML_TYPE_TIMED; }

/* Ends that were looked at one by one: if one of them carries time, all do. */
static struct ml_type *agree(struct check *c, struct ml_expr **const *way, uint32_t count) {
  struct ml_type *timed = NULL;
  for (uint32_t i = 0; i < count; i++)
    if (is_timed(*way[i])) timed = ml_type_find((*way[i])->type);
  for (uint32_t i = 0; timed && i < count; i++)
    if (check_fit(c, way[i], timed)) return NULL;
  return (*way[0])->type;
}

/* if c then 1`x else empty @+ 5: in ML the delay belongs to the last branch alone, which no type allows as the others carry no
   time; CPN Tools takes it for the delay of the whole, and so do we.  The ends are known; the last may be such a delay. */
static int close_ways(struct check *c, struct ml_expr **slot, struct ml_expr **const *way, uint32_t count, int binds) {
  struct ml_expr *e = *slot, *last = *way[count - 1];
  uint32_t plain = 0;
  while (plain + 1 < count && !is_timed(*way[plain])) plain++;
  if (count > 1 && plain + 1 == count && last->kind == ML_DELAY && !last->bracketed) {
    if (binds)
      return check_fault(c, last->place, last->from,
                         "this carries time, but the other rules do not: is @+ meant for the whole? put the whole in brackets");
    *way[count - 1] = last->part[0];
    e->type = last->part[0]->type;
    last->part[0] = e;
    last->bracketed = e->bracketed;
    last->place = e->place;
    last->from = e->from;
    *slot = last;
    return 0;
  }
  return (e->type = agree(c, way, count)) ? 0 : -1;
}

static int binds(const struct ml_pattern *p) {
  for (uint32_t i = 0; i < p->parts; i++)
    if (binds(p->part[i])) return 1;
  return p->local != NULL;
}

static int rules(struct check *c, struct ml_expr **slot, struct ml_type *argument, struct ml_type *element,
                 struct ml_expr **first) {
  struct ml_expr *e = *slot;
  struct ml_expr ***way = arena_alloc(&c->ml->arena, (e->rules + 1) * sizeof *way);
  uint32_t ways = 0;
  if (!way) return check_memory(c);
  if (first) way[ways++] = first;
  for (uint32_t i = 0; i < e->rules; i++) {
    size_t mark = ml_scope_enter(c->ml);
    int status = check_new_pattern(c, e->rule[i].pattern, argument) || check_bag(c, &e->rule[i].body, element, 0) ? -1 : 0;
    ml_scope_leave(c->ml, mark);
    if (status) return -1;
    way[ways++] = &e->rule[i].body;
  }
  return close_ways(c, slot, way, ways, binds(e->rule[e->rules - 1].pattern));
}

/* 3 on a place of unit is 3`(). */
static int so_many_units(struct check *c, struct ml_expr **slot, struct ml_type *unit) {
  struct ml_expr *e = *slot, *nothing = arena_alloc(&c->ml->arena, sizeof *nothing);
  if (check_fit(c, slot, c->ml->int_)) return -1;
  if (!nothing) return check_memory(c);
  *nothing = (struct ml_expr){.kind = ML_TUPLE, .place = e->place, .from = e->from, .to = e->to, .type = unit, .height = 1};
  if (once(c, &nothing)) return -1;
  nothing->part[0] = *slot;
  nothing->height = (*slot)->height + 1;
  *slot = nothing;
  return 0;
}

/* An end: what it is decides. */
static int end(struct check *c, struct ml_expr **slot, struct ml_type *element, int top) {
  struct ml_type *t = check_infer(c, slot);
  if (!t) return -1;
  t = ml_type_find(t);
  if (ml_type_find(element) == c->ml->unit && (t->kind == ML_TYPE_INT || (t->kind == ML_TYPE_VAR && (t->demand & ML_INTEGRAL))))
    return so_many_units(c, slot, c->ml->unit);
  struct ml_expr *e = *slot;
  int bag = t->kind == ML_TYPE_MULTISET || t->kind == ML_TYPE_TIMED || (t->kind == ML_TYPE_VAR && !t->demand);
  if (ml_type_is_list(c->ml, t) && !ml_may_unify(t, element, 0)) bag = 1;
  if (t->kind == ML_TYPE_TIMED) {
    enum ml_unified u = ml_unify(c->ml, &c->effort, t->part[0], element);
    struct ml_type *want = ml_type_of(c->ml, ML_TYPE_MULTISET, element);
    if (!want) return check_memory(c);
    return u ? check_mismatch(c, u, e->place, e->from, t, want) : 0;
  }
  /* A multiset of what the colour is a list of is that list: in CPN Tools they are the same. */
  int is_list = t->kind == ML_TYPE_MULTISET && ml_type_is_list(c->ml, ml_type_find(element)) && !ml_may_unify(t->part[0], element, 0) &&
                ml_may_unify(t->part[0], ml_type_find(element)->part[0], 0);
  if (bag && !is_list) {
    struct ml_type *want = check_made(c, ml_type_of(c->ml, ML_TYPE_MULTISET, element));
    /* A list that is neither a colour nor made of colours: speak of the colour. */
    if (want && ml_type_is_list(c->ml, t) && !ml_may_unify(t->part[0], element, 0))
      return check_mismatch(c, ML_CLASH, e->place, e->from, t, element);
    return want ? check_fit(c, slot, want) : -1;
  }
  struct ml_expr *before = *slot;
  if (check_fit(c, slot, element)) return -1;
  if (is_list && (*slot)->parts == 2 && (*slot)->part[1] == before) c->ml->sorted = 1;
  return top ? 0 : once(c, slot);
}

int check_bag(struct check *c, struct ml_expr **slot, struct ml_type *element, int top) {
  struct ml_expr *e = *slot;
  if (e->type) return end(c, slot, element, top);
  switch (e->kind) {
  case ML_AT:
  case ML_DELAY: {
    if (e->kind == ML_DELAY) c->moves |= ML_BY_CLOCK;
    if (check_bag(c, &e->part[0], element, 0)) return -1;
    if (ml_type_find(e->part[0]->type)->kind == ML_TYPE_TIMED)
      return check_fault(c, e->part[0]->place, e->part[0]->from, "these tokens have their time already: @+ stands once");
    if (check_span(c, &e->part[1])) return -1;
    return (e->type = check_made(c, ml_type_of(c->ml, ML_TYPE_TIMED, element))) ? 0 : -1;
  }
  case ML_IF: {
    struct ml_expr **const way[2] = {&e->part[1], &e->part[2]};
    if (check_against(c, &e->part[0], c->ml->bool_) || check_bag(c, way[0], element, 0) || check_bag(c, way[1], element, 0))
      return -1;
    return close_ways(c, slot, way, 2, 0);
  }
  case ML_CASE: {
    struct ml_type *t = check_infer(c, &e->part[0]);
    return t ? rules(c, slot, t, element, NULL) : -1;
  }
  case ML_HANDLE: return check_bag(c, &e->part[0], element, 0) ? -1 : rules(c, slot, c->ml->exn, element, &e->part[0]);
  case ML_LET: {
    size_t mark = ml_scope_enter(c->ml);
    int status = check_let(c, e) || check_bag(c, &e->part[0], element, 0) ? -1 : 0;
    ml_scope_leave(c->ml, mark);
    e->type = e->part[0]->type;
    return status;
  }
  case ML_SEQUENCE: {
    if (e->written) return end(c, slot, element, top);
    for (uint32_t i = 0; i + 1 < e->parts; i++)
      if (!check_infer(c, &e->part[i])) return -1;
    if (check_bag(c, &e->part[e->parts - 1], element, 0)) return -1;
    e->type = e->part[e->parts - 1]->type;
    return 0;
  }
  case ML_APPLY: {
    if (check_bag_operator(c, e) < 0) return end(c, slot, element, top);
    struct ml_expr *pair = e->part[1], **const way[2] = {&pair->part[0], &pair->part[1]};
    if (check_bag(c, way[0], element, 0) || check_bag(c, way[1], element, 0)) return -1;
    struct ml_type *bag = agree(c, way, 2);
    return bag ? check_bag_close(c, e, bag) : -1;
  }
  default: return end(c, slot, element, top);
  }
}
