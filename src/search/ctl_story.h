/* ctl_story.h -- why a branching formula is true or false in the first state: one run that shows it, as far as one run can.
 *
 * A formula that some path decides (E that is true, A that is false) is shown by that path: the shortest one to a goal, or a way to a loop or to an end.  In the state
 * where the path has led, the part of the formula that matters there is explained in turn, and its path goes on from there: AG (p -> AF q) is
 * broken by a way to a state with p and from there by a loop without q.  The story ends where all paths or no path would have to be shown; the
 * message says which part of the formula that is, and what it is in that state. */
#ifndef SEARCH_CTL_STORY_H
#define SEARCH_CTL_STORY_H

#include "search/ctl.h"

struct ctl_story {
  struct search_path path; /* edges only; groups are the reader's */
  uint32_t *state;         /* numbers of the states in the graph, count + 1 */
  size_t loop;             /* where the loop begins; == path.count: none */
  int ends;                /* that nothing can happen after the last step matters */
  int shortest;            /* no shorter run shows it */
  char message[300];
};

/* `name` gives the text of an atom. 0, or -1 with err: memory. Free it in any case. */
int ctl_tell(struct ctl_story *out, struct ctl *, const struct formulas *, formula, const struct kripke *, const char *(*name)(void *, uint32_t), void *context,
             struct mem *, struct err *);
void ctl_story_free(struct ctl_story *, struct mem *);

#endif
