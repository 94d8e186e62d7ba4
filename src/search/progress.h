/* progress.h -- how far a state is: what the sweep-line sweeps along.
 *
 * A measure gives every state a number.  Where steps hardly ever lower it, states with small numbers are not met again once the search has gone past them, and can be
 * forgotten (sweep.c).  A measure may lie: edges that lower it (regress edges) cost time, never a state.
 *
 * After Christensen, Kristensen, Mailund (A sweep-line method for state space exploration, 2001) and Kristensen, Mailund (A generalised sweep-line method, 2002). */
#ifndef SEARCH_PROGRESS_H
#define SEARCH_PROGRESS_H

#include "model/expr.h"
#include "model/model.h"

struct progress;
struct progress_type {
  int64_t (*value)(const struct progress *, struct model_cursor *, const uint32_t *state);
  void (*close)(struct progress *);
};

struct progress { /* each kind's own struct begins with it */
  const struct progress_type *type;
  char text[200]; /* for people: "sent + received", "2 * p1 + p7" */
  int monotone;   /* proven: no step lowers it */
};

static inline int64_t progress_of(const struct progress *p, struct model_cursor *c, const uint32_t *state) { return p->type->value(p, c, state); }

/* The value of an expression over the model's names, which must outlive it. 0, or -1: memory. */
int progress_by_expr(struct progress **out, const struct expr *, struct mem *, struct err *);
void progress_close(struct progress *); /* NULL is fine */

#endif
