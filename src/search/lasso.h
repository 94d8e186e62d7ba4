/* lasso.h -- a counterexample of a temporal property, made short: a way to a loop, and the loop.
 *
 * The search for cycles (emptiness.h) knows a state that lies on an accepting loop, and a long way there.  From that state the shortest
 * loop is found breadth-first in the product that counts the sets it has met (product.h: collect); then the shortest way from the beginning to any
 * state of that loop.  Where memory or time do not allow the second, the way of the search stays.  Neither may cost more than what was searched before:
 * a cycle that depth-first search meets at once can be far away for a search that goes through all that is nearer. */
#ifndef SEARCH_LASSO_H
#define SEARCH_LASSO_H

#include "prop/product.h"
#include "search/search.h"

/* A run of the model itself. */
struct lasso {
  struct search_path path; /* edges and groups: the way, then one round of the loop */
  size_t loop;             /* where the loop begins; == path.count: the run ends there, and stays in its last state for ever */
  int shortest_way;        /* no shorter way leads to the loop */
  int stays;               /* nothing can happen where the run ends, and something was read there again */
};

/* `path`: edges of the product to a state on an accepting loop; `met`: how many states were met before it was found. 0; -1 with err: memory, or limits. */
int lasso_make(struct lasso *out, const struct product_setup *, const struct search_path *path, const struct search_limits *, uint64_t met, struct mem *, struct err *);
/* To the first state that is surely bad: `path` is one of the product, and its last step leads into a terminal part of the automaton. */
int lasso_of_path(struct lasso *out, const struct product_setup *, const struct search_path *path, struct mem *, struct err *);
/* Edges of the product to a state on an accepting loop, and once round the loop. */
int lasso_of_parts(struct lasso *out, const struct product_setup *, const struct search_path *way, const struct search_path *loop, struct mem *, struct err *);
/* From a state that is known without the way to it (observer.h): `loop` has edges of the product from there back to it, through states that do not accept; none: the run
   ends there. The way is looked for breadth-first, and where memory does not allow that, or it costs more than the search did, depth-first with `store`. */
struct lasso_place {
  const struct product_state *state;
  const struct search_path *loop;
  const struct store_type *store; /* NULL = one that forgets */
  const struct store_options *options;
};
int lasso_from_place(struct lasso *out, const struct product_setup *, const struct lasso_place *, const struct search_limits *, uint64_t met, struct mem *, struct err *);
void lasso_free(struct lasso *, struct mem *);

#endif
