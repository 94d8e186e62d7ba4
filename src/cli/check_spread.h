/* check_spread.h -- check in several processes at once: what they cannot do, and that all of them can begin. */
#ifndef CLI_CHECK_SPREAD_H
#define CLI_CHECK_SPREAD_H

#include "cli/session.h"
#include "prop/prop.h"

struct run_setup;

/* Options that need one process. 0, or -1 with ERR_USAGE. Nothing is refused to one process. */
int check_spread_allows(const struct session *, const struct search_type *, const struct store_type *, struct err *);
/* Properties that need one process: those that the model states itself are among them. */
int check_spread_asks(const struct session *, const struct prop *, size_t count, struct err *);
/* After loading: if one rank cannot begin, none does. */
int check_spread_agree(struct session *, int bad);
/* What the run does in another way then. NULL = nothing. */
const char *check_spread_change(const struct session *, struct run_setup *);

#endif
