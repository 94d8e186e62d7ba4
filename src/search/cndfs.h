/* cndfs.h -- is there an accepting cycle? By nested depth-first searches of several threads, which tell each other what they are done with.
 *
 * As in ndfs.h a blue search looks for accepting states and a red one, from each of them when it is left, for a way back to the stack.  Each thread makes both, in an order of its own; blue
 * and red are for all (CNDFS: Evangelista, Laarman, Petrucci, van de Pol: Improved multi-core nested depth-first search, 2012):
 *
 *   cyan   on this thread's blue stack                       its own
 *   blue   some thread has left it                           for all: nobody else enters it
 *   pink   this thread's red search has come there           its own
 *   red    a red search has been there and found nothing     for all, set when the whole of it is over
 *
 * A thread whose red search has met accepting states of others waits until these are red before it makes its own ones red: so red states lead to no cycle that somebody still has to find.  States that threads enter at the
 * same time are explored by both; how often that happens the random order decides.  States and transitions are counted once, by the thread that makes a state blue: in a complete search they are those of ndfs.
 *
 * Strategy and store in one: the set is shared.h.  If its memory ends the caller has other ways, which need less.  When states become wider everything begins anew. */
#ifndef SEARCH_CNDFS_H
#define SEARCH_CNDFS_H

#include "prop/automaton.h"
#include "search/search.h"

/* What search->ways.nested points to. */
struct cndfs {
  const struct automaton *automaton; /* accepts by states, with one set */
  struct mem *mem;                   /* for the path */
  int found;
  struct search_path path; /* to a state of an accepting cycle; edge NULL: there was no memory for it */
  size_t store_bytes;
};

extern const struct search_type search_cndfs; /* the model is a product; not for users to choose by name */

#endif
