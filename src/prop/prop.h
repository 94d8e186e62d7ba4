/* prop.h -- what is asked of a model.
 *
 * A property is judged on single states: an invariant must hold in all of them, a
 * reachable expression wants one, deadlock freedom wants none without successors.
 * Searches call prop_judge; what they do with the answer is theirs. */
#ifndef PROP_PROP_H
#define PROP_PROP_H

#include "base/err.h"
#include "model/expr.h"
#include "model/model.h"

enum prop_kind { PROP_DEADLOCK, PROP_INVARIANT, PROP_REACHABLE, PROP_KINDS };

struct prop {
  enum prop_kind kind;
  char id[64];       /* "deadlock", "invariant:1", "reachable:1": unique within a run */
  struct expr *expr; /* NULL for deadlock */
};

const char *prop_kind_name(enum prop_kind); /* "deadlock", "invariant", "reachable" */

/* A new property; `index` numbers those of its kind from 1. text NULL for deadlock. */
int prop_open(struct prop *out, enum prop_kind, unsigned index, const char *text, const struct model *, struct mem *,
              struct err *);
void prop_close(struct prop *);

/* 1 if this state decides the property: violates an invariant, shows what is to be reached,
 * or is a deadlock (`dead`: it has no successors and is no valid end). */
int prop_decided(const struct prop *, struct model_cursor *, const uint32_t *state, int dead);
/* 1 if it must be asked for each new state, 0 if only for states without successors. */
int prop_wants_states(const struct prop *);

#endif
