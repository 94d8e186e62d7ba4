/* distance.h -- how far a state seems to be from what decides a property: what directed searches go by.
 *
 * Of each property that single states or steps can decide a number is read off (the conjuncts that are not violated yet, the processes that can still move,
 * the statements before an assertion, the tokens that are missing); smaller is nearer.  There are two kinds:
 *
 *   a guess   for greedy search (best).  Properties of different kinds have numbers that mean different things: each kind is a list of its own, and the search
 *             takes turns among them, so that the best of them is at most a factor of DISTANCE_LISTS away.
 *   a bound   for shortest runs (astar).  One list: a lower bound on the number of states that must still be expanded until something is decided, the state
 *             itself included (so that it is at least 1 where nothing is decided yet), which falls by one at most in a step.  What is decided when a
 *             state is expanded (a deadlock, a failed assertion) counts that expansion.
 *
 * Directed model checking: Edelkamp, Leue and Lluch Lafuente (2001, 2004); one list per kind: Roeger and Helmert (2010).
 *
 * Laws (tests/unit/distance.c): a property of states has distance 0 where it is decided and nowhere else; bounds are never larger than the true distance, on
 * random nets and on programs. */
#ifndef PROP_DISTANCE_H
#define PROP_DISTANCE_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

struct expr;
struct model;
struct prop;

enum { DISTANCE_LISTS = 4 };
#define DISTANCE_FAR UINT32_MAX /* as far as anyone can tell it cannot be reached from here */

struct distance { /* each kind's own struct begins with this */
  size_t lists;   /* numbers per state */
  int bound;      /* it is a bound */
  void (*value)(struct distance *, const uint32_t *state, uint32_t *out); /* `lists` of them */
  void (*close)(struct distance *);
};

enum distance_kind { DISTANCE_GUESS, DISTANCE_BOUND };

/* From what decides one of the properties. Properties of whole runs have none. 0, or -1: memory. */
int distance_open(struct distance **out, enum distance_kind, const struct model *, const struct prop *, size_t count, struct mem *, struct err *);
/* What the user says: the value of an expression, 0 where it is negative. */
int distance_open_expr(struct distance **out, const struct expr *, const struct model *, struct mem *, struct err *);
void distance_close(struct distance *); /* NULL is fine */

#endif
