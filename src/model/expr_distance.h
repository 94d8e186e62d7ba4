/* expr_distance.h -- how far a state is from making an expression true, or false.
 *
 *   a && b      both: distances add up (a guess), or the larger one (a bound)
 *   a || b      the smaller one
 *   a <= b      a - b, where that is positive; as a bound: divided by the most that a step can bring it down, where the model knows
 *   fireable    the tokens that are missing, of the transition that misses fewest
 *
 * 0 where it is so already, and only there. Conditions in the model's own language are the model's to judge. */
#ifndef MODEL_EXPR_DISTANCE_H
#define MODEL_EXPR_DISTANCE_H

#include "model/expr.h"

struct expr_distance;
int expr_distance_open(struct expr_distance **out, const struct expr *, const struct model *, struct mem *, struct err *);
void expr_distance_close(struct expr_distance *); /* NULL is fine */
uint32_t expr_distance(const struct expr_distance *, struct model_cursor *, const uint32_t *state, int wanted, int bound);

#endif
