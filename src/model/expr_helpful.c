/* expr_helpful.c -- see expr_helpful.h.
 *
 * The tree is walked with what is wanted of each part; parts that are as wanted already need no help.  Where a product, an equivalence or a truth value that is used as a number stands in between,
 * everything that changes one of its variables is taken to help. */
#include "model/expr_helpful.h"

#include "model/expr_tree.h"

struct helper {
  struct expr_world world;
  const struct model *model;
  const uint32_t *state;
  const struct expr_helped *to;
};

static int64_t value_of(const struct expr_world *w, uint32_t var) {
  const struct helper *h = (const struct helper *)w;
  return h->model->type->value(h->model, h->state, var);
}

static int can_happen(const struct expr_world *w, uint32_t group) {
  const struct helper *h = (const struct helper *)w;
  if (group != EXPR_ANY_GROUP) return h->to->enabled(h->to->context, group);
  for (uint32_t a = 0; a < h->to->dependence->actions; a++)
    if (h->to->enabled(h->to->context, a)) return 1;
  return 0;
}

static void tell(const struct helper *h, const struct dependence_rows *rows, uint32_t row) {
  for (uint32_t i = rows->start[row]; i < rows->start[row + 1]; i++) h->to->action(h->to->context, rows->at[i]);
}

/* An enabled action may become disabled by itself and by those with which it is in conflict. */
static void disable(const struct helper *h, uint32_t group) {
  h->to->action(h->to->context, group);
  tell(h, &h->to->dependence->conflict, group);
}

static void any_group(const struct helper *h, uint32_t group) {
  const struct dependence *d = h->to->dependence;
  disable(h, group);
  for (uint32_t i = d->guards_of.start[group]; i < d->guards_of.start[group + 1]; i++) tell(h, &d->enabling, d->guards_of.at[i]);
}

/* Everything that may change the value. */
static void any(const struct helper *h, const struct node *n) {
  const struct dependence *d = h->to->dependence;
  switch (n->kind) {
  case NODE_NUMBER: return;
  case NODE_VARS:
    for (uint32_t i = 0; i < n->count; i++) {
      tell(h, &d->raise, n->id[i]);
      tell(h, &d->lower, n->id[i]);
    }
    return;
  case NODE_FIREABLE:
    for (uint32_t i = 0; i < n->count; i++) any_group(h, n->id[i]);
    return;
  case NODE_DEAD:
    for (uint32_t a = 0; a < d->actions; a++) h->to->action(h->to->context, a);
    return;
  default:
    for (uint32_t i = 0; i < n->count; i++) any(h, n->child[i]);
  }
}

/* Makes a number larger (sign 1) or smaller (-1). */
static void shift(const struct helper *h, const struct node *n, int sign) {
  const struct dependence *d = h->to->dependence;
  switch (n->kind) {
  case NODE_NUMBER: return;
  case NODE_VARS:
    for (uint32_t i = 0; i < n->count; i++) tell(h, sign > 0 ? &d->raise : &d->lower, n->id[i]);
    return;
  case NODE_SUM:
    for (uint32_t i = 0; i < n->count; i++) shift(h, n->child[i], i && n->minus[i] ? -sign : sign);
    return;
  case NODE_NEGATE: shift(h, n->child[0], -sign); return;
  default: any(h, n);
  }
}

static void help(const struct helper *h, const struct node *n, int wanted);

static void help_compare(const struct helper *h, const struct node *n, int wanted) {
  static const enum relation opposite[] = {[EQUAL] = UNEQUAL, [UNEQUAL] = EQUAL, [LESS] = AT_LEAST, [AT_MOST] = GREATER, [GREATER] = AT_MOST, [AT_LEAST] = LESS};
  enum relation relation = wanted ? n->relation : opposite[n->relation];
  if (relation == UNEQUAL) {
    any(h, n->child[0]);
    any(h, n->child[1]);
    return;
  }
  int up = relation == GREATER || relation == AT_LEAST || (relation == EQUAL && expr_walk(&h->world, n->child[0]) < expr_walk(&h->world, n->child[1])) ? 1 : -1;
  shift(h, n->child[0], up);
  shift(h, n->child[1], -up);
}

/* How many actions a part would bring, roughly: its variables and groups. */
static uint32_t size_of(const struct node *n) {
  uint32_t size = n->kind == NODE_VARS || n->kind == NODE_FIREABLE ? n->count : n->kind == NODE_DEAD ? 1000 : 0;
  if (n->kind == NODE_VARS || n->kind == NODE_FIREABLE || n->kind == NODE_NUMBER || n->kind == NODE_DEAD) return size;
  for (uint32_t i = 0; i < n->count; i++) size += size_of(n->child[i]);
  return size;
}

/* All parts must be as wanted, and some are not: one of those, the smallest. */
static void help_one(const struct helper *h, const struct node *n, int wanted) {
  const struct node *best = NULL;
  for (uint32_t i = 0; i < n->count; i++)
    if ((expr_walk(&h->world, n->child[i]) != 0) != wanted && (!best || size_of(n->child[i]) < size_of(best))) best = n->child[i];
  if (best) help(h, best, wanted);
}

static void help_all(const struct helper *h, const struct node *n, int wanted) {
  for (uint32_t i = 0; i < n->count; i++) help(h, n->child[i], wanted);
}

static void help_fireable(const struct helper *h, const struct node *n, int wanted) {
  for (uint32_t i = 0; i < n->count; i++) {
    if (wanted) h->to->enable(h->to->context, n->id[i]);
    else if (can_happen(&h->world, n->id[i])) { /* it must be disabled, some time */
      disable(h, n->id[i]);
      return;
    }
  }
}

static void help_dead(const struct helper *h, int wanted) {
  for (uint32_t a = 0; wanted && a < h->to->dependence->actions; a++)
    if (can_happen(&h->world, a)) {
      disable(h, a);
      return;
    }
}

static void help(const struct helper *h, const struct node *n, int wanted) {
  switch (n->kind) {
  case NODE_COMPARE: help_compare(h, n, wanted); return;
  case NODE_NOT: help(h, n->child[0], !wanted); return;
  case NODE_AND: wanted ? help_one(h, n, 1) : help_all(h, n, 0); return;
  case NODE_OR: wanted ? help_all(h, n, 1) : help_one(h, n, 0); return;
  case NODE_FIREABLE: help_fireable(h, n, wanted); return;
  case NODE_DEAD: help_dead(h, wanted); return;
  case NODE_IMPLIES:
    if (n->count == 2 && wanted) { /* not a, or b */
      help(h, n->child[0], 0);
      help(h, n->child[1], 1);
      return;
    }
    any(h, n);
    return;
  default: any(h, n);
  }
}

int expr_helpful(const struct expr *e, int wanted, const struct model *m, const uint32_t *state, const struct expr_helped *to) {
  struct helper h = {{value_of, can_happen}, m, state, to};
  const struct node *root = expr_root(e);
  if (!root) return -1;
  help(&h, root, wanted);
  return 0;
}
