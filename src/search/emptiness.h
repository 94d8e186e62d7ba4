/* emptiness.h -- is there an accepting cycle? Two listeners of a depth-first search, one of which is chosen by what the model accepts.
 *
 *   weak    on a cycle either all states may accept or none (model.h: MODEL_ACCEPT, and nothing in between): the first edge back to such a state on the
 *           stack closes an accepting cycle.  Only states on the stack are remembered (Cerna and Pelanek, 2003).
 *   strong  cycles accept by the sets that their edges are in: strongly connected components are put together while the search runs, each with the sets
 *           met inside; the first one that has all of them is accepting (Couvreur, 1999; Gabow, 2000).  States of components that are not complete
 *           yet are remembered: 24 bytes each, and no more once their component is left.
 *
 * A store that forgets (store.h) may drop a state of an open component that is not on the stack, and give its ref to another one.  The state is entered and searched once more when it comes again; its old place in the
 * component is nobody's then.
 *
 * Both end the search as soon as the edges seen so far contain an accepting cycle, and tell a state on it that lies on the stack.  States without
 * MODEL_ACCEPT are on no accepting cycle and cost nothing. */
#ifndef SEARCH_EMPTINESS_H
#define SEARCH_EMPTINESS_H

#include "base/vec.h"
#include "search/refmap.h"
#include "search/search.h"

struct emptiness_root { /* a component that is open */
  uint64_t first;    /* place of its first state in `live` */
  uint64_t met, way; /* sets met inside; those of the edge that leads to its first state */
};

struct emptiness {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  int weak;
  uint64_t all; /* sets to be met */
  struct refmap known, next; /* state: its place in `live` (strong), nothing (weak); after a move: see EVENT_MOVED */
  int moving;
  struct vec(store_ref) live; /* strong: states whose component is open, in order of discovery */
  struct vec(struct emptiness_root) root;
  int failed; /* memory: the search was ended */
  int found;
  struct search_path path; /* to a state of an accepting cycle, in the memory given to open */
};

int emptiness_open(struct emptiness *, const struct model *, int weak, struct mem *);
void emptiness_close(struct emptiness *);

#endif
