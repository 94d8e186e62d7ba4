/* ctl_operators.h -- EX, EU and EG on sets of states of a whole graph; what branching formulas are made of.
 *
 * A set is an array of 64-bit words, one bit per state; bits beyond the last state are 0.  Paths are maximal: they may end in a state without successors. */
#ifndef SEARCH_CTL_OPERATORS_H
#define SEARCH_CTL_OPERATORS_H

#include "search/kripke.h"

struct ctl_operators {
  struct mem *mem;
  const struct kripke *k;
  size_t words; /* of a set */
  struct graph before; /* edges backwards */
  int turned;          /* it is there */
  int forwards;        /* there is no memory for it */
  unsigned asked; /* how often EF was computed */
  int reversible; /* from every state the first one can be reached: 1, 0, -1 not known */
  struct model_patience patience;
  int late; /* it was over */
};

void ctl_operators_open(struct ctl_operators *, const struct kripke *, struct mem *);
void ctl_operators_close(struct ctl_operators *);

static inline int ctl_in(const uint64_t *set, uint64_t s) { return (int)(set[s / 64] >> s % 64 & 1); }
static inline void ctl_put(uint64_t *set, uint64_t s) { set[s / 64] |= UINT64_C(1) << s % 64; }

int ctl_empty(const struct ctl_operators *, const uint64_t *set);
int ctl_full(const struct ctl_operators *, const uint64_t *set);
void ctl_fill(const struct ctl_operators *, uint64_t *set); /* with all states */
void ctl_invert(const struct ctl_operators *, uint64_t *set);

/* Can the first state be reached from every state? 1, or 0: no, or patience was over. */
int ctl_reversible(struct ctl_operators *);
/* `out` is an empty set; f NULL = all states. 0, or -1: patience was over. */
int ctl_some_next(struct ctl_operators *, const uint64_t *f, uint64_t *out);
int ctl_some_until(struct ctl_operators *, const uint64_t *f, const uint64_t *g, uint64_t *out);
int ctl_some_always(struct ctl_operators *, const uint64_t *f, uint64_t *out);

#endif
