/* check_reduce.h -- the option --reduce: which reductions a run may use, and when. */
#ifndef CLI_CHECK_REDUCE_H
#define CLI_CHECK_REDUCE_H

#include "cli/session.h"
#include "run/run.h"

/* auto | late | none | a list of slice, por, symmetry. 0, or -1 with err: usage. */
int check_reduce_read(struct run_setup *, const struct options *, struct err *);
/* What was asked for by name and could not be used is told with its reason; with --verbose all of it. */
void check_reduce_tell(const struct session *, const struct verdict *);

#endif
