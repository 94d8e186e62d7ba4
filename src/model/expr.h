/* expr.h -- state expressions over a model's own names.
 *
 *   expr   := or-chains of and-chains of comparisons of sums
 *   or     ||  or  |        and  &&  and  &      not  !  not
 *   ->  (implies, right associative)   <->
 *   compare == = != <> < <= > >=       arithmetic + - * (unary -)
 *   atoms  number, true, false, NAME, "any text as a name", 'likewise',
 *          fireable(T, ...) (true if one of them is), dead (no transition is fireable),
 *          tokens(P, ...) (sum), ( expr )
 *
 * A name is what the model calls a variable (a place) by id or by unique name.  A number
 * used as a condition is true when it is not 0, so `--invariant '!critical1 || !critical2'`
 * reads well.  Unknown names get the nearest known one as a hint; errors carry the column
 * and show the formula with a caret.  Compiled to a small stack program; evaluation
 * allocates nothing.  Arithmetic is done in 64 bits and saturates instead of wrapping. */
#ifndef MODEL_EXPR_H
#define MODEL_EXPR_H

#include "model/model.h"

struct expr;

/* `what` is the option or file the text came from, for messages ("--invariant"). */
int expr_parse(struct expr **out, const struct model *, struct mem *, const char *text, const char *what, struct err *);
/* A condition that the model knows by its number already. */
int expr_of_condition(struct expr **out, const struct model *, struct mem *, uint32_t condition, const char *text, struct err *);
void expr_close(struct expr *); /* NULL is fine */
const char *expr_text(const struct expr *);
/* 1 if evaluation needs a cursor (fireable, dead). */
int expr_needs_cursor(const struct expr *);
int64_t expr_condition(const struct expr *); /* the number of the model's condition that it is; -1 = it is none */
int64_t expr_value(const struct expr *, struct model_cursor *, const uint32_t *state);
static inline int expr_true(const struct expr *e, struct model_cursor *c, const uint32_t *state) {
  return expr_value(e, c, state) != 0;
}
/* The same by walking the syntax tree over plain values and the model's define_step: independent of the compiled
   program and of packed states, for replay. Where fireable or dead occur it uses memory of the expression: one
   thread at a time. */
int64_t expr_define(const struct expr *, const struct model *, const int64_t *values);
/* The variables and groups mentioned: what a reduction must keep visible. */
const uint32_t *expr_vars(const struct expr *, size_t *count);
const uint32_t *expr_groups(const struct expr *, size_t *count);

#endif
