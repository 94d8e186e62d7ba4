/* settle.h -- questions about single markings of a net, answered without a search where that is possible.
 *
 *   reached   a random walk came to such a marking.  The way there has been gone again by the definition of the language (model.h: define_step).
 *   never     the state equation has no solution for it (state_equation.h), by an exact certificate.
 *
 * Both are cheap and neither is sure to answer: what is not settled is left to the search. */
#ifndef RUN_SETTLE_H
#define RUN_SETTLE_H

#include "net/state_equation.h"
#include "net/walk.h"

struct settle {
  struct mem *mem;
  const struct model *model;
  const struct pt_net *net;
  struct linear_maker maker;
  struct walk walk;
  int walking; /* the walk is open */
  struct state_equation *equation; /* NULL: not made, or memory did not allow it */
  uint32_t *bound;                 /* per place, for the equation */
  int64_t *values, *next;          /* for going a way again */
  double until;                    /* clock_now(): no more effort after that */
  const volatile int *interrupt;
  uint64_t walked; /* steps */
};

/* seconds: how long all of it may take. 0, or -1: the model is no place/transition net, or there is too little memory. */
int settle_open(struct settle *, const struct model *, struct mem *, double seconds, const volatile int *interrupt);
void settle_close(struct settle *); /* a zeroed one is fine */
int settle_over(const struct settle *); /* time is over, or somebody wants it to end */

/* Goes the walk's way again by the definition: the values where it ends, NULL if the definition disagrees (never) or memory is short. Borrowed. */
const int64_t *settle_confirm(struct settle *);

/* Random steps that do not care where, from the initial marking on; hear is told after each (and once before the first of each walk) and returns 1 to end. */
void settle_wander(struct settle *, uint64_t steps, int (*hear)(void *context, uint32_t fired), void *context);
#define SETTLE_BEGINS UINT32_MAX /* as `fired` */
/* Steps towards a goal. 1: the walk stands where it is satisfied. */
int settle_approach(struct settle *, const struct linear *goal, uint64_t steps);
/* 1: no reachable marking satisfies it. seconds: for this one. */
int settle_never(struct settle *, const struct linear *goal, double seconds);
/* After settle_never said 0: tries the firings of its solution in some order. 1: the walk stands where the goal is satisfied. */
int settle_follow(struct settle *, const struct linear *goal, uint64_t steps);
/* What a sum of places never exceeds, INT64_MAX = not known. */
int64_t settle_most(struct settle *, const struct linear *sum, double seconds);

#endif
