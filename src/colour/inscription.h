/* inscription.h -- what can be read off the tree of an inscription: terms of a multiset, conditions of a guard, both sides of an equation,
 * and patterns: expressions that a value can be matched with. */
#ifndef COLOUR_INSCRIPTION_H
#define COLOUR_INSCRIPTION_H

#include "colour/values.h"
#include "ml/ml.h"

/* c`e, or e alone: coefficient NULL. early: with @+, which lets tokens be taken before they are ready. */
struct inscription_term {
  const struct ml_expr *coefficient, *value;
  int early;
};

/* The terms of a sum, told one by one; 0. 1: it is no sum of terms. -1: `hear` said so. */
int inscription_terms(const struct ml_expr *, int (*hear)(void *, struct inscription_term), void *);
/* The conditions of a guard, all of which must be true: [a, b], a andalso b. 0, or -1: `hear` said so. */
int inscription_conditions(const struct ml_expr *, int (*hear)(void *, const struct ml_expr *), void *);
/* left = right. */
int inscription_equation(const struct ml_expr *, const struct ml_expr **left, const struct ml_expr **right);
/* Does the inscription say when (@, @+, a function that does)? */
int inscription_timed(const struct ml_expr *);
int inscription_stamped(const struct ml_expr *); /* by @ */
/* Can its evaluation raise an exception, or not end? Sums beyond 2^61 are not thought of. */
int inscription_may_fail(const struct ml_expr *);
/* Are two types the same, as far as they are known? */
int inscription_same_type(struct ml_type *, struct ml_type *);

/* The type of the argument that a constructor of this data type takes; NULL: none, or one that cannot be told. Lists: that of their elements. */
struct ml_type *inscription_argument(struct ml_type *, uint32_t constructor);
int inscription_is_list(struct ml_type *);

/* ---- patterns --------------------------------------------------------------------------------------------------------------- */

enum pattern_kind {
  PATTERN_VARIABLE, /* variable */
  PATTERN_NUMBER,   /* word: ints, constructors without argument, unit, nil */
  PATTERN_STRING,   /* text, length */
  PATTERN_TUPLE,    /* part: products, records */
  PATTERN_CELL,     /* part[0] :: part[1] */
  PATTERN_BUILT,    /* word: the number of the constructor; part[0] */
  PATTERN_COMPUTED, /* code: what must be equal to it, known when the variables are */
};

struct pattern {
  enum pattern_kind kind;
  uint32_t variable; /* number of a variable of the net */
  ml_value word;
  const char *text;
  size_t length;
  const struct ml_code *code;
  const struct ml_expr *expr;
  uint32_t parts;
  struct pattern **part;
};

/* Makes a pattern of an expression; parts that are none become PATTERN_COMPUTED. NULL: err. */
struct pattern *pattern_make(struct ml *, const struct ml_expr *, struct arena *, struct err *);
/* Tells the variables of the pattern in the order in which they stand in it: those that it binds, and (computed 1) those that its computed parts speak of. */
int pattern_variables(const struct pattern *, int computed, int (*hear)(void *, uint32_t variable), void *);

#endif
