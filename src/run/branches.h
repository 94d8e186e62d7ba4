/* branches.h -- the branching properties of a run that need the whole graph, decided on it, and linear ones beside them: the graph is there.
 *
 * One exploration serves them all, and the properties of single states beside them: the graph (search/kripke.h) is a listener.  It wants a breadth-first search and a store
 * that numbers its states, or a sweep, which keeps few of them; and about 3 bytes for each edge beside the store (twice that while deciding, and 8 for each state after a sweep). Where memory ends first, they stay undecided. */
#ifndef RUN_BRANCHES_H
#define RUN_BRANCHES_H

#include "run/run.h"
#include "search/ctl_story.h"
#include "search/graph_linear.h"

struct branches {
  const struct run_setup *run;
  struct kripke graph;
  struct vec(struct expr *) atom; /* of all properties, one after the other */
  struct owners own, *owners;     /* of games: those of the run, or its own */
};

/* 1 if the run has any. */
int branches_wanted(const struct run_setup *);
/* The search and the store that the graph can be made with: those asked for, where they can. */
const struct search_type *branches_search(const struct run_setup *);
const struct store_type *branches_store(const struct run_setup *);
int branches_open(struct branches *, const struct run_setup *, struct err *);
void branches_close(struct branches *); /* a zeroed one is fine */

/* After a complete exploration: 1 if property i holds, 0 if not, -1 with err: memory, or ERR_LIMIT: patience was over. */
int branches_decide(struct branches *, size_t i, struct ctl_tree *out, const struct model_patience *, struct err *);
/* The graph with the atoms of property i alone: its memory belongs to the whole. */
struct kripke branches_graph(const struct branches *, size_t i);
/* Can linear property i be decided on the graph? */
int branches_linear(const struct run_setup *, size_t i);
/* The same for it, without a run that shows why not. */
int branches_decide_linear(const struct branches *, size_t i, struct graph_linear *, const struct model_patience *, struct err *);
/* One run of the tree, run again by the definition of the language: each step is one, atoms are what the graph says, the loop closes, nothing can happen where it is said so. Fills in
   the groups. 0, or -1 with err as of replay.h. */
int branches_confirm(const struct branches *, size_t i, struct ctl_story *, struct err *);

#endif
