/* game_confirm.h -- the second opinion on a strategy: walked on the model itself, against every step of the other side, without the graph it was found on.
 *
 * States are made by stepping and kept in a store of their own; which steps there are, whose they are and what the condition is are asked of the model again, and as far as there is time by the slow definition
 * of its language: every step that the definition allows must be among those that were looked at.  Where something is to be reached, the numbers that the strategy gives must
 * fall with every step, whoever makes it: so every play ends. */
#ifndef SEARCH_GAME_CONFIRM_H
#define SEARCH_GAME_CONFIRM_H

#include "model/expr.h"
#include "model/owners.h"
#include "search/game.h"

/* Of a graph that holds a state several times (a sweep forgets some and meets them again): each of the model's states once, as the walk finds it first. Ranks must be the least. 0, or -1 with err: memory. */
int strategy_fold(struct strategy *, const struct model *, struct mem *, struct err *);

/* Sets `proof`. 0, or -1 with err: ERR_MEMORY; ERR_LIMIT; ERR_INTERNAL: it is no winning strategy. */
int strategy_confirm(struct strategy *, const struct expr *condition, struct owners *, struct mem *, const struct model_patience *, struct err *);

enum { STRATEGY_DEFINED_S = 5 }; /* after so many seconds the definition is asked no more */

#endif
