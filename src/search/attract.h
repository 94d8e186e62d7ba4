/* attract.h -- from where one side can force its way to a set of states, and how fast: the fixpoint behind games and ranks of formulas.
 *
 * Who has a say in a state is one of:
 *
 *   ANY       whoever seeks the goal picks every step             rank: 1 + the least of the successors
 *   ALL       whoever does not want it picks every step           rank: 1 + the greatest
 *   REACH     the controllable side seeks it, the environment does not: the environment may take any of its own steps, or leave the step to the other; it must move
 *             where the other cannot                               rank: 1 + the greatest of (steps of the environment, best step of the other)
 *   KEEP      the environment seeks it; the other side may wait wherever the environment has a step of its own
 *                                                                  rank: 1 + the least step of the environment, or without any 1 + the greatest of the other's
 *
 * A state of the goal has rank 0, states that are not `through` have none, nor has a state without successors that is no goal.  Edges of REACH and KEEP have owners in the place of groups
 * (kripke.h).  Time is linear in the graph: backwards from the goal by counting what is left; where memory does not allow the edges the other way round, by sweeps over all states, whose ranks are sound
 * and perhaps not the least. */
#ifndef SEARCH_ATTRACT_H
#define SEARCH_ATTRACT_H

#include "model/model.h"
#include "search/graph.h"

#define ATTRACT_NEVER UINT32_MAX

enum attract_mode { ATTRACT_ANY, ATTRACT_ALL, ATTRACT_REACH, ATTRACT_KEEP };

struct attract_setup {
  const struct graph *graph;
  uint64_t states;
  const uint64_t *goal;    /* one bit per state; */
  int goal_negated;        /* the others are meant */
  const uint64_t *through; /* likewise; NULL = every state */
  int through_negated;
  enum attract_mode mode;
  const struct model_patience *patience; /* may be NULL */
  int forwards; /* for tests: as if there were no memory to turn the edges */
};

struct attractor {
  struct mem *mem;
  uint32_t *rank; /* per state; ATTRACT_NEVER = it cannot be forced from there */
  int least;      /* ranks are the least that there are */
};

/* 0, or -1 with err: memory; ERR_LIMIT: patience was over. */
int attract(struct attractor *, const struct attract_setup *, struct mem *, struct err *);
void attract_close(struct attractor *); /* also of a zeroed struct */

/* The rank of a state by those of its successors; ATTRACT_NEVER = it has none. It is no goal. */
uint32_t attract_look(const struct attract_setup *, const uint32_t *rank, uint64_t state);

#endif
