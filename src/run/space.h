/* space.h -- the state space of a model as a whole: its condensed graph and the bounds of its places, kept by a listener, and the report that is made of them.
 *
 * The listener may stand beside a verification run whose search is breadth-first; where the run ends before all is explored, or asks nothing of states, space_explore
 * explores by itself.  The graph is given up when memory is short (`share`), so that a run never suffers for it; figures, bounds and which transitions happen are kept. */
#ifndef RUN_SPACE_H
#define RUN_SPACE_H

#include "colour/bounds.h"
#include "run/run.h"
#include "search/labelled.h"
#include "search/space.h"

struct space {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  struct labels labels;
  struct labelling labelling;
  struct graph graph;
  size_t most;          /* in use: from there on the graph is given up */
  const char *no_graph; /* why it was; NULL = it is there */
  struct vec(uint8_t) happens;  /* per label */
  struct colour_bounds *coloured;
  struct space_range *range; /* place/transition nets: per place */
  int no_bounds;             /* memory */
  uint64_t states, edges, expanded, ends;
};

/* `share`: percent of the budget that may be in use before the graph is given up; 100 = all of it. 0, or -1 with err. */
int space_open(struct space *, const struct model *, struct mem *, unsigned share, struct err *);
void space_close(struct space *); /* also of a zeroed struct */
/* Have all states been told? */
static inline int space_whole(const struct space *s) { return s->states && s->expanded == s->states; }
/* Explores everything from the start; the properties of `run` are not looked at. The verdict tells how far it got; close it. 0, or -1 with err. */
int space_explore(struct space *, const struct run_setup *run, struct verdict *, struct err *);
/* The report on what was told; the space must outlive it. Patience (may be NULL) is for what takes time. 0, or -1 with err. */
int space_tell(struct space *, struct space_report *out, const char *stop, const struct model_patience *, struct err *);

#endif
