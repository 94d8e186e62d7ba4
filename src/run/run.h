/* run.h -- one verification run: a loaded model, properties, a budget and limits in, a
 * verdict out.  Prints nothing, keeps no state between runs; the command line and the
 * library both stand on it.
 *
 *   analyse   nets whose bounds are not proven: a short coverability analysis (bounds.c)
 *             finds bounds for the packing, or proves the net unbounded;
 *   search    with the judge and the caller's listeners, perhaps directed by distances that the properties have, or as a swarm (swarm.h),
 *             and, for branching properties that need it, the whole graph (branches.h);
 *   runs      each temporal property by a search of its own (liveness.h);
 *   confirm   the store is closed, every deciding path is replayed by the slow checker and
 *             becomes a trace;
 *   conclude  what holds, what is violated, what is not known, what would help. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "model/owners.h"
#include "process/process.h"
#include "prop/prop.h"
#include "reduce/reduction.h"
#include "search/progress.h"
#include "search/verdict.h"

struct journal;
struct judge;
struct liveness;

/* A run of several processes, each of which makes the same run at the same time (mpi/spread.h): the searches are theirs together, and what they found is the same in all of them afterwards. */
struct run_setup;
struct run_spread {
  const struct search_type *search;
  struct ranks *ranks;
  unsigned self, count; /* which of how many */
  int tells;           /* this one tells the verdict and writes files; the others do the same and say nothing */
  unsigned neighbours; /* on this machine, this one included */
  int (*agree)(struct ranks *, int bad, struct err *); /* -1 on all if it is bad on one, with the first one's err */
  int (*share)(struct search *, struct judge *, struct err *);
  int (*same_moment)(struct ranks *, struct journal *, struct err *); /* checkpoints of all: go on from the last moment that all have. -1 on all, with err: there is none */
  int (*liveness)(struct liveness *out, const struct run_setup *, const struct temporal *, const struct search_limits *, struct err *);
};

/* Hears of a property as soon as it is decided and the runs that show it are confirmed: what could be said of it if the run ended now. What it is given lives until it hears otherwise. */
struct run_watch {
  void (*decided)(struct run_watch *, size_t prop, const struct verdict_property *);
  void (*again)(struct run_watch *); /* the run begins anew: nothing is decided any more */
};

struct checkpoint; /* checkpoint.h */
struct run_setup {
  struct mem *mem;
  struct model *model;
  const struct prop *props; /* must outlive the verdict */
  size_t prop_count;
  const struct search_type *search; /* NULL = pick one */
  const struct store_type *store;   /* NULL = pick one */
  const struct store_options *store_options; /* may be NULL */
  struct search_limits limits;
  unsigned jobs;                     /* threads; 0 or 1 = the caller's alone */
  int decide_all;                    /* go on until every property is decided, whatever is violated on the way */
  size_t collect;                    /* 0: stop at the first violation; n: explore everything, keep n deciding runs */
  struct listener *const *listeners; /* told beside the judge: progress, graph writers; those that want products (search.h) hear the searches for properties of runs, too. What is more than ticks comes from these only
                                        where no search for properties of states is made: everything is counted once */
  size_t listener_count;
  double load_s; /* what loading took, for the report */
  /* How many states of an unbounded net are explored all the same, to find violations; 0 = RUN_PREFIX. */
  uint64_t prefix;
  uint64_t scout; /* where neither a search nor a limit of states or depth is asked for: states of a directed search ahead of the breadth-first one (run_scout.c); 0 = there is none */
  uint64_t shorten; /* where the scout has found all that it was sent for: states of the search for a shorter run; 0 = RUN_SHORTEN */
  enum process_engine engine; /* how statements of process models run */
  enum { CYCLES_COMPONENTS, CYCLES_NESTED } cycles; /* how accepting cycles are looked for where automata are strong: emptiness.h, ndfs.h */
  struct progress *progress;    /* searches that are measured: run_measure gives one; NULL = run_check finds one */
  const struct expr *heuristic; /* directed searches: the distance; NULL = read off the properties */
  uint64_t seed, walks;       /* of random walks and swarms; walks 0 = RUN_WALKS, or until time or states end */
  unsigned swarm;             /* so many small lossy searches instead of one; 0 = one */
  unsigned reduce;            /* reductions that may be used, where model and properties allow it: REDUCE_* */
  unsigned reduce_late;       /* likewise, in a second run, if the first does not fit into the budget */
  unsigned reduce_runs;       /* likewise, for a property of runs whose whole product has more than RUN_TRIAL states */
  int reduce_if_worth;        /* por only where it spares enough */
  uint64_t trial;             /* products are searched no further than this; 0 = as far as limits allow */
  struct owners *owners;      /* games: who owns which transition; NULL = what the model says */
  const struct run_spread *spread; /* NULL = one process */
  struct checkpoint *checkpoint; /* the run can be gone on with, or goes on with one (checkpoint_possible says whether that can be); NULL = not */
  struct run_watch *watch;    /* may be NULL */
  int fair;                   /* temporal properties: only runs that are weakly fair to every process; reductions serve to ask all runs first */
};

/* The measure of progress that a sweep goes by: what the expression says, which must outlive it, or without one (NULL) what the model itself tells. 0, or -1 with err: ERR_USAGE when it
   tells nothing. */
int run_measure(struct progress **out, const struct expr *, struct model *, struct mem *, struct err *);
/* The store that this search begins with: the one that was asked for, if the search can do with it. */
const struct store_type *run_store(const struct run_setup *, const struct search_type *);

#define RUN_PREFIX 100000u
#define RUN_WALKS 1000u
#define RUN_SCOUT 10000u
#define RUN_SHORTEN 1000000u
#define RUN_TRIAL 100000u
#define RUN_WORTH 0.6 /* reductions that leave more of the steps cost more than they spare */

/* A verdict that says what is asked and answers nothing yet. 0, or -1 with err: memory; close it in any case. */
int run_describe(struct verdict *, const struct run_setup *, struct err *);

/* Always fills the verdict (close it with verdict_close). -1 when it is VERDICT_ERROR, with the reason in err: ERR_INTERNAL when
   a trace failed its replay, ERR_INPUT when the model is at fault (a count beyond 2^31-1). */
int run_check(struct verdict *out, const struct run_setup *, struct err *);

#endif
