/* check_strategy.h -- what check has to do with games: owners, and files of strategies. */
#ifndef CLI_CHECK_STRATEGY_H
#define CLI_CHECK_STRATEGY_H

#include "cli/owned.h"
#include "search/verdict.h"

/* Options of games are for games. 0, or -1 with err. */
int check_strategy_sensible(const struct options *, struct err *);
/* Writes the strategies of the verdict's properties: one that cannot be written is told and leaves the verdict as it is. */
void check_strategy_write(struct session *, const struct owned *, struct verdict *);

#endif
