/* ndfs.h -- is there an accepting cycle? By a second depth-first search inside the first.
 *
 * The automaton accepts by states (automaton.h: by_state).  When the first, blue search leaves an accepting state s, all that can be reached from s is known; a red search
 * from s then looks for a state on the blue stack: from there the stack leads back to s.  What is red stays red: later searches need not enter it
 * again (Courcoubetis, Vardi, Wolper and Yannakakis, 1992; Holzmann, Peled and Yannakakis, 1996).  An edge of the blue search back to the stack closes a
 * cycle at once if one of its ends accepts (Schwoon and Esparza, 2005), and the red search stays inside one component of the automaton.
 *
 * Two marks per state, on the blue stack and red: two bits where the store numbers its states, 16 bytes for marked states only elsewhere.  Against the search for
 * components (emptiness.h) it saves the memory of open components, and pays with a second visit of states that lie behind accepting ones. */
#ifndef SEARCH_NDFS_H
#define SEARCH_NDFS_H

#include "base/vec.h"
#include "prop/product.h"
#include "search/refmap.h"
#include "search/search.h"

struct ndfs_marks {
  int dense; /* bits, not a map */
  struct region bits;
  struct refmap map;
};

struct ndfs_frame {
  size_t next, end; /* successors that wait */
};

struct ndfs {
  struct listener listener;
  struct mem *mem;
  struct model *model; /* the product */
  const struct automaton *automaton;
  struct ndfs_marks marks, after; /* after: see EVENT_MOVED */
  int moving;
  struct vec(uint32_t) edge;  /* the blue stack: by which edge each state was entered */
  struct vec(uint8_t) accepts; /* and whether it accepts */
  /* the red search */
  struct vec(struct ndfs_frame) red;
  struct vec(uint32_t) waiting;    /* states that wait, `stride` words each */
  struct vec(store_ref) waiting_ref;
  struct vec(uint32_t) state;      /* the one that is expanded */
  struct model_batch batch;
  uint32_t batch_words; /* 0 = not open */
  uint64_t red_states;
  unsigned steps;
  int failed;            /* memory: the search was ended */
  enum search_stop stop; /* a limit was met in a red search; STOP_DONE = none */
  int found;
  struct search_path path; /* to a state of an accepting cycle, in the memory given to open */
};

/* The product's automaton must accept by states, with one set. */
void ndfs_open(struct ndfs *, struct model *product, const struct automaton *, struct mem *);
void ndfs_close(struct ndfs *);

#endif
