/* affect.h -- finds which expressions the transitions of a net can change (affected.h). */
#ifndef RUN_AFFECT_H
#define RUN_AFFECT_H

#include "model/expr.h"
#include "search/affected.h"

/* Entries of `expr` may be NULL. Where the model is no net or memory is short, nothing is known: that is no error. */
void affect_open(struct affected *, const struct model *, struct expr *const *expr, size_t count, struct mem *);
void affect_close(struct affected *, struct mem *);

#endif
