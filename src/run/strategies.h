/* strategies.h -- the games of a run: solved on the graph of all states, and confirmed on the model. */
#ifndef RUN_STRATEGIES_H
#define RUN_STRATEGIES_H

#include "run/branches.h"
#include "search/game.h"

/* After a complete exploration: 1 if the controllable side wins the game of property i, 0 if the environment does, -1 with err (ERR_INTERNAL: the strategy was not confirmed). `out` is the winner's strategy from
   the run's memory, NULL where that does not allow it; `play` a play that shows who wins, or an empty one. */
int strategies_decide(const struct branches *, size_t i, struct strategy **out, struct ctl_story *play, const struct model_patience *, struct err *);

#endif
