/* contest.h -- the examinations of the Model Checking Contest, each as one run or a few.
 *
 *   ReachabilityDeadlock, OneSafe, QuasiLiveness, StableMarking, Liveness     one question about the net
 *   ReachabilityCardinality/Fireability, CTL..., LTL..., UpperBounds          sixteen queries from a file (queries.h)
 *
 * What a short walk, the first state or the state equation decides needs no search (contest_settle.c).  Queries of the shape E F and A G are watched by one search that ends when all of them are decided; branching formulas are decided on the whole graph (ctl.h), all with one
 * exploration; linear ones each by their own search (liveness.h).  What a limit did not allow has no answer, and nothing is guessed. */
#ifndef RUN_CONTEST_H
#define RUN_CONTEST_H

#include "prop/queries.h"
#include "run/run.h"

enum contest_status { CONTEST_UNKNOWN, CONTEST_FALSE, CONTEST_TRUE, CONTEST_NUMBER, CONTEST_INFINITE };
/* How it was found, apart from a search: a set of these; 0 = by the search alone. */
enum { CONTEST_BY_WALK = 1, CONTEST_BY_EQUATION = 2, CONTEST_BY_FIRST_STATE = 4, CONTEST_BY_COVERABILITY = 8, CONTEST_BY_STUBBORN_SETS = 16, CONTEST_BY_STRUCTURE = 32 };
struct contest_answer {
  const char *id;
  enum contest_status status;
  int64_t number;
  unsigned by;
  const struct err *problem; /* why the query cannot be answered at all; NULL = nothing is wrong with it */
};
typedef void contest_hear(void *context, const struct contest_answer *);

/* Is it offered? *needs_queries: it comes with a file. */
int contest_knows(const char *examination, int *needs_queries);
/* Tells an answer for each query as soon as there is one, or one in all. `run`: model, memory, limits, listeners. A query with which something is wrong
   spoils nothing but itself. 0, or -1 with err. */
int contest_run(const char *examination, const struct queries *, const struct run_setup *run, contest_hear *, void *context, struct err *);

#endif
