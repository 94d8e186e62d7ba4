/* rounds.h -- many states expanded at once, by several threads.
 *
 * A breadth-first search gives out a round: the next waiting states of a layer, in order, cut into parts.  Whoever of the crew is free takes the next part, makes the successors of its states
 * with a cursor of his own and asks the store about them (store.h: rounds).  Then the store settles which of them are new, listeners are asked whether these concern them (search.h: concerns), and the
 * search takes over, source by source in their order, as if it had expanded them itself: numbers, paths, events and counts do not depend on the number of threads.
 *
 * Somebody who cannot go on (a value does not fit, something went wrong in a step, memory) stops there: what stands before counts, the rest of the round is as if it had not been, and
 * the search takes the next state by itself and sees why. */
#ifndef SEARCH_ROUNDS_H
#define SEARCH_ROUNDS_H

#include "search/search.h"

struct round_source {
  uint32_t successors;
  uint32_t unknown; /* where its successors that were not known end, among those of the part */
  uint8_t deadlock; /* it has none, and is no valid end */
  uint8_t concern;  /* somebody wants to hear that it was expanded */
};

struct round_part {
  struct round_source *source;
  size_t sources;
  uint8_t concerns; /* `concern` of any of them */
  const struct store_part *unknown;
  uint32_t *edge, *group; /* of each of them */
  uint8_t *concern;       /* it is new, and somebody wants to hear it */
};

struct rounds;

/* Could several threads search this, as it is now? */
int rounds_possible(const struct search *);
/* 0, or -1: no memory, no threads. */
int rounds_open(struct rounds **out, struct search *);
void rounds_close(struct rounds *); /* NULL is fine */
/* How many states a round takes, and room for what the store calls them; 0 = states have another form now, and there is no memory for that. */
size_t rounds_room(struct rounds *, store_ref **refs);
size_t rounds_most(const struct rounds *); /* states that a round may find, at most */
/* Expands the first n of them, at `depth`. Returns how many parts there are now in order, their answers known, or -1: the store has no memory for a round. `done`: states that are expanded; the next one stands alone if they are less than n. */
int64_t rounds_run(struct rounds *, size_t n, uint64_t depth, size_t *done);
/* Then: the store may have something left to do until refs are known and states can be got. `meanwhile` (NULL = nothing) is done by this thread, by the side; it may look at answers. */
void rounds_finish(struct rounds *, void (*meanwhile)(void *), void *context);
const struct round_part *rounds_part(const struct rounds *, size_t part);

#endif
