/* expr_tree.h -- the syntax tree of an expression: made by expr_parse.c, used by expr.c.
 * Beside them only those include it who look into expressions: linear.c, expr_distance.c, net/seen.c.
 *
 * Chains (a && b && c, a + b - c) are one node with many children, so that the tree is never
 * deeper than the brackets in the text are nested, and walking it may recurse. */
#ifndef MODEL_EXPR_TREE_H
#define MODEL_EXPR_TREE_H

#include "model/expr.h"

enum { EXPR_DEPTH = 200 }; /* nested brackets and signs */

enum node_kind {
  NODE_NUMBER,   /* number */
  NODE_VARS,     /* sum of the vars in id */
  NODE_FIREABLE, /* one of the groups in id can happen */
  NODE_DEAD,     /* no group can happen */
  NODE_SUM,      /* children, those with minus[] set are taken away */
  NODE_PRODUCT,
  NODE_NEGATE,
  NODE_COMPARE, /* two children, by `relation` */
  NODE_NOT,
  NODE_AND,
  NODE_OR,
  NODE_IMPLIES, /* right associative chain */
  NODE_IFF,     /* left associative chain */
};

enum relation { EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST };

struct node {
  enum node_kind kind;
  enum relation relation;
  int64_t number;
  uint32_t count; /* of children or ids */
  struct node **child;
  uint8_t *minus;
  uint32_t *id;
};

/* Values by walking the tree: what a variable is, and whether a group can happen. */
#define EXPR_ANY_GROUP UINT32_MAX
struct expr_world {
  int64_t (*value)(const struct expr_world *, uint32_t var);
  int (*can_happen)(const struct expr_world *, uint32_t group); /* EXPR_ANY_GROUP: some group */
};
int64_t expr_walk(const struct expr_world *, const struct node *);

/* Everything of the tree lies in the arena. NULL with err. */
struct node *expr_tree_parse(struct arena *, const struct model *, struct mem *, const char *text, const char *what,
                             struct err *);

/* The tree of an expression; NULL: it is a condition in the model's own language. */
const struct node *expr_root(const struct expr *);

static inline int64_t saturating_add(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static inline int64_t saturating_subtract(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_sub_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static inline int64_t saturating_multiply(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : r;
}

static inline int compare(enum relation relation, int64_t a, int64_t b) {
  switch (relation) {
  case EQUAL: return a == b;
  case UNEQUAL: return a != b;
  case LESS: return a < b;
  case AT_MOST: return a <= b;
  case GREATER: return a > b;
  case AT_LEAST: return a >= b;
  }
  return 0;
}

#endif
