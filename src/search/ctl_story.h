/* ctl_story.h -- why a branching formula is true or false in the first state: a tree of runs that shows it, as far as runs can.
 *
 * A formula that some path decides (E that is true, A that is false) is shown by that path: the shortest one to a goal, or a way to a loop or to an end.  In the state
 * where the path has led, the part of the formula that matters there is explained in turn, and its path goes on from there: AG (p -> AF q) is
 * broken by a way to a state with p and from there by a loop without q.  The story ends where all paths or no path would have to be shown; the
 * message says which part of the formula that is, and what it is in that state.
 *
 * Where several parts matter (EF p && EG q, or E[EF p U q] with its EF p in every state on the way) one goes on along the run and the others branch off: each is a run of its own, which begins
 * with the first `at` steps of run `of`.  The first run is the trunk. */
#ifndef SEARCH_CTL_STORY_H
#define SEARCH_CTL_STORY_H

#include "search/ctl.h"

struct ctl_story {
  struct search_path path; /* edges only; groups are the reader's */
  uint32_t *state;         /* numbers of the states in the graph, count + 1 */
  size_t loop;             /* where the loop begins; == path.count: none */
  int ends;                /* that nothing can happen after the last step matters */
  int shortest;            /* no shorter run shows it */
  size_t of, at;           /* where it branches off */
  char message[300];
};

enum { CTL_BRANCHES = 24 }; /* no more runs are told */
struct ctl_tree {
  struct ctl_story story[CTL_BRANCHES];
  size_t count; /* 0 = there is none */
};

/* `name` gives the text of an atom. 0, or -1 with err: memory. Free it in any case. */
int ctl_tell(struct ctl_tree *out, struct ctl *, const struct formulas *, formula, const struct kripke *, const char *(*name)(void *, uint32_t), void *context,
             struct mem *, struct err *);
void ctl_tree_free(struct ctl_tree *, struct mem *);

#endif
