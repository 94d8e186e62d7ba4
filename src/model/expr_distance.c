/* expr_distance.c -- see expr_distance.h.
 *
 * The tree is walked for each state; every node is visited every time, so that what was found out about comparisons in advance (how much a step can change
 * them) lies in a list in the order of the walk. */
#include "model/expr_distance.h"

#include "base/vec.h"
#include "model/expr_tree.h"

#include <string.h>

enum { GAP_MOST = 1 << 24 };

struct pace { /* of a comparison: the most that a step can add to left - right, and take from it */
  int64_t up, down;
};

struct expr_distance {
  struct mem *mem;
  const struct expr *expr;
  const struct model *model;
  struct vec(struct pace) paces;
};

struct look {
  struct expr_world world;
  const struct expr_distance *d;
  struct model_cursor *cursor;
  const uint32_t *state;
  int bound;
  size_t at; /* the next pace */
};

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

struct sum {
  struct mem *mem;
  struct vec(uint32_t) var;
  struct vec(int64_t) times;
  int other; /* it is no sum of variables, or memory ended */
};

static void collect(struct sum *s, const struct node *n, int64_t times) {
  switch (n->kind) {
  case NODE_NUMBER: return;
  case NODE_VARS:
    for (uint32_t i = 0; i < n->count; i++)
      if (vec_push(&s->var, s->mem, MEM_OTHER, n->id[i]) || vec_push(&s->times, s->mem, MEM_OTHER, times)) s->other = 1;
    return;
  case NODE_SUM:
    for (uint32_t i = 0; i < n->count; i++) collect(s, n->child[i], i && n->minus[i] ? -times : times);
    return;
  case NODE_NEGATE: collect(s, n->child[0], -times); return;
  case NODE_PRODUCT:
    if (n->count == 2 && n->child[0]->kind == NODE_NUMBER && n->child[0]->number > -1000000 && n->child[0]->number < 1000000 && times > -1000000 && times < 1000000)
      collect(s, n->child[1], times * n->child[0]->number);
    else s->other = 1;
    return;
  default: s->other = 1;
  }
}

static struct pace pace_of(const struct expr_distance *d, const struct node *left, const struct node *right) {
  struct pace pace = {INT64_MAX, INT64_MAX};
  struct sum s = {.mem = d->mem};
  if (!d->model->type->most_gain) return pace;
  collect(&s, left, 1);
  if (right) collect(&s, right, -1);
  if (!s.other) {
    pace.up = d->model->type->most_gain(d->model, s.var.at, s.times.at, s.var.count, d->mem);
    for (size_t i = 0; i < s.times.count; i++) s.times.at[i] = -s.times.at[i];
    pace.down = d->model->type->most_gain(d->model, s.var.at, s.times.at, s.var.count, d->mem);
  }
  vec_free(&s.var, d->mem);
  vec_free(&s.times, d->mem);
  return pace;
}

static int is_number(const struct node *n) {
  return n->kind == NODE_NUMBER || n->kind == NODE_VARS || n->kind == NODE_SUM || n->kind == NODE_PRODUCT || n->kind == NODE_NEGATE;
}

static int find_paces(struct expr_distance *d, const struct node *n) {
  if (is_number(n)) return vec_push(&d->paces, d->mem, MEM_OTHER, pace_of(d, n, NULL));
  if (n->kind == NODE_COMPARE) return vec_push(&d->paces, d->mem, MEM_OTHER, pace_of(d, n->child[0], n->child[1]));
  if (n->kind == NODE_FIREABLE || n->kind == NODE_DEAD || n->kind == NODE_IFF) return 0;
  for (uint32_t i = 0; i < n->count; i++)
    if (find_paces(d, n->child[i])) return -1;
  return 0;
}

/* ---- walking ---------------------------------------------------------------------------------------------------------- */

static int64_t value_of(const struct expr_world *w, uint32_t var) {
  const struct look *l = (const struct look *)w;
  const struct model *m = l->d->model;
  return (m->type->amount ? m->type->amount : m->type->value)(m, l->state, var);
}

static int can_happen(const struct expr_world *w, uint32_t group) {
  const struct look *l = (const struct look *)w;
  const struct model *m = l->d->model;
  if (group != EXPR_ANY_GROUP) return m->type->fireable(l->cursor, l->state, group);
  return !model_stuck(l->cursor, l->state);
}

static int64_t value(const struct look *l, const struct node *n) { return expr_walk(&l->world, n); }

/* A difference must fall (or rise) by `gap`, and can by `pace` in a step. */
static uint32_t steps(const struct look *l, int64_t gap, int64_t pace) {
  if (gap <= 0) return 0;
  if (!l->bound) return gap > GAP_MOST ? GAP_MOST : (uint32_t)gap;
  if (pace == INT64_MAX) return 1;
  if (pace <= 0) return MODEL_FAR;
  int64_t n = gap / pace + (gap % pace != 0);
  return n > GAP_MOST ? GAP_MOST : (uint32_t)n;
}

static enum relation opposite(enum relation r) {
  switch (r) {
  case EQUAL: return UNEQUAL;
  case UNEQUAL: return EQUAL;
  case LESS: return AT_LEAST;
  case AT_MOST: return GREATER;
  case GREATER: return AT_MOST;
  case AT_LEAST: return LESS;
  }
  return r;
}

static uint32_t compared(const struct look *l, enum relation relation, int64_t difference, struct pace p) {
  switch (relation) {
  case EQUAL: return difference > 0 ? steps(l, difference, p.down) : steps(l, saturating_subtract(0, difference), p.up);
  case UNEQUAL: return difference ? 0 : l->bound && p.up <= 0 && p.down <= 0 ? MODEL_FAR : 1;
  case LESS: return steps(l, saturating_add(difference, 1), p.down);
  case AT_MOST: return steps(l, difference, p.down);
  case GREATER: return steps(l, saturating_subtract(1, difference), p.up);
  case AT_LEAST: return steps(l, saturating_subtract(0, difference), p.up);
  }
  return 0;
}

static uint32_t fireable(const struct look *l, const struct node *n, int wanted) {
  const struct model_type *type = l->d->model->type;
  uint32_t least = MODEL_FAR, can = 0;
  for (uint32_t i = 0; i < n->count; i++) {
    int now = type->fireable(l->cursor, l->state, n->id[i]);
    can += now != 0;
    if (!wanted) continue;
    uint32_t far = now ? 0 : type->group_distance ? type->group_distance(l->cursor, l->state, n->id[i], l->bound) : 1;
    least = model_either(least, far);
  }
  return wanted ? least : l->bound ? can != 0 : can;
}

static uint32_t dead(const struct look *l, int wanted) {
  const struct model_type *type = l->d->model->type;
  int now = !can_happen(&l->world, EXPR_ANY_GROUP);
  if (now) return wanted ? 0 : MODEL_FAR;
  if (!wanted) return 0;
  uint32_t far = type->stuck_distance ? type->stuck_distance(l->cursor, l->state, l->bound) : 1;
  if (l->bound && far > 1 && far != MODEL_FAR) far--; /* the expansion of the last state does not count here */
  return far ? far : 1;
}

static uint32_t far_from(struct look *l, const struct node *n, int wanted);

/* All of the children, or one of them; those up to `but` must be the opposite. */
static uint32_t children(struct look *l, const struct node *n, int wanted, int all, uint32_t opposite_before) {
  uint32_t far = all ? 0 : MODEL_FAR;
  for (uint32_t i = 0; i < n->count; i++) {
    uint32_t one = far_from(l, n->child[i], i < opposite_before ? !wanted : wanted);
    far = all ? model_both(far, one, l->bound) : model_either(far, one);
  }
  return far;
}

static uint32_t far_from(struct look *l, const struct node *n, int wanted) {
  switch (n->kind) {
  case NODE_NUMBER:
  case NODE_VARS:
  case NODE_SUM:
  case NODE_PRODUCT:
  case NODE_NEGATE: return compared(l, wanted ? UNEQUAL : EQUAL, value(l, n), l->d->paces.at[l->at++]);
  case NODE_COMPARE:
    return compared(l, wanted ? n->relation : opposite(n->relation), saturating_subtract(value(l, n->child[0]), value(l, n->child[1])),
                    l->d->paces.at[l->at++]);
  case NODE_FIREABLE: return fireable(l, n, wanted);
  case NODE_DEAD: return dead(l, wanted);
  case NODE_NOT: return far_from(l, n->child[0], !wanted);
  case NODE_AND: return children(l, n, wanted, wanted, 0);
  case NODE_OR: return children(l, n, wanted, !wanted, 0);
  case NODE_IMPLIES: return children(l, n, wanted, !wanted, n->count - 1); /* !a || !b || c */
  case NODE_IFF: return (value(l, n) != 0) != wanted;
  }
  return 0;
}

uint32_t expr_distance(const struct expr_distance *d, struct model_cursor *c, const uint32_t *state, int wanted, int bound) {
  int64_t condition = expr_condition(d->expr);
  struct look l = {{value_of, can_happen}, d, c, state, bound, 0};
  if (condition < 0) return far_from(&l, expr_root(d->expr), wanted);
  if (d->model->type->condition_distance) return d->model->type->condition_distance(c, state, (uint32_t)condition, wanted, bound);
  return expr_true(d->expr, c, state) != wanted;
}

/* ---- the door --------------------------------------------------------------------------------------------------------- */

int expr_distance_open(struct expr_distance **out, const struct expr *e, const struct model *m, struct mem *mem, struct err *err) {
  struct expr_distance *d = *out = mem_alloc(mem, MEM_OTHER, sizeof *d);
  if (!d) return err_memory(err, "a distance");
  *d = (struct expr_distance){.mem = mem, .expr = e, .model = m};
  if (!expr_root(e) || find_paces(d, expr_root(e)) == 0) return 0;
  expr_distance_close(d);
  *out = NULL;
  return err_memory(err, "a distance");
}

void expr_distance_close(struct expr_distance *d) {
  if (!d) return;
  vec_free(&d->paces, d->mem);
  mem_free(d->mem, d);
}
