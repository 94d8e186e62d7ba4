/* compare.h -- do two models do the same? The check of a protocol against its service.
 *
 *   strong, branching   bisimulation (refine.h) of the first states
 *   trace               each word of one is a word of the other
 *   language            the same for the words of runs that have come to their end: a state without successors */
#ifndef RUN_COMPARE_H
#define RUN_COMPARE_H

#include "run/run.h"
#include "search/labelled.h"
#include "search/play.h"
#include "search/traces.h"

enum equivalence { SAME_STRONG, SAME_BRANCHING, SAME_TRACE, SAME_LANGUAGE };

struct comparison {
  enum equivalence is;
  struct mem *mem;
  struct labels labels;
  struct verdict verdict[2]; /* of the two searches */
  uint64_t states[2], edges[2], classes;
  int complete;              /* both graphs are whole: there is an answer */
  int same;
  int included[2];           /* words: those of the first are words of the second, and the other way round */
  struct traces_word word[2]; /* where not */
  struct play play;          /* bisimulations: why not */
};
/* `run` is what both searches have in common; its model is not looked at. 0, or -1 with err; close it in any case. */
int compare(struct comparison *, enum equivalence, struct model *const model[2], const struct run_setup *run, const struct labels_seen seen[2], struct err *);
void comparison_close(struct comparison *);

#endif
