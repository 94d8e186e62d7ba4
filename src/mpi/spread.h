/* spread.h -- breadth-first search by several processes: search_spread, as run/run.h uses it.
 *
 * Every rank has the model, a cursor, a store under a budget of its own, the states that it owns (exchange.h), those of them that wait, and where each came from (backedges.h).  A layer ends when
 * all ranks have expanded their part of it and received what belongs to them (post.h); then they agree how to go on.  So depths are shortest distances, and the numbers of a complete run are those of one process.
 *
 * A state is called by its rank and its number in order of discovery there.  Listeners hear what happens on their rank: NEW without a source where the state came from elsewhere, EXPANDED, FAULT, ticks
 * with the sums of all ranks on rank 0; no EDGE and no SEEN.  GOAL ends the search of all.
 *
 * Paths go from rank to rank, so only all together can tell one: search_path knows none while the search runs.
 *
 *   spread.c          layers: expanding, sending, settling what has come
 *   spread_forms.c    what must be the same for all: the model, the form of states, their layout
 *   spread_figures.c  limits, ticks, sums, the end
 *   trace.c           paths, and what was found
 *   keep.c, keep_again.c, keep_resettle.c   journals to go on from (keep.h) */
#ifndef MPI_SPREAD_H
#define MPI_SPREAD_H

#include "mpi/backedges.h"
#include "mpi/exchange.h"
#include "mpi/keep.h"
#include "run/run.h"
#include "search/frontier.h"
#include "search/judge.h"

struct spread {
  struct ranks *ranks;
  struct exchange x;
  struct frontier frontier;
  struct frontier_reception reception;
  int receiving, open; /* open: the parts below are there */
  struct backedges back;
  struct search_batch batch; /* successors, before they go where they belong */
  uint32_t *words;           /* of the states that are expanded, `stride` each */
  size_t stride;
  uint64_t *number;          /* of them */
  size_t *first;             /* where their successors begin */
  size_t sources;
  uint64_t next, found, layer_end, depth;
  int words_differ;          /* ranks do not pack alike any more */
  uint64_t wide_number;      /* the state that does not fit: its number, in `words` */
  struct search_path given;  /* the path that all know just now, for search_path */
  struct search_spread told; /* of attempts before the last one, and of ends */
  double began_cpu;
  struct keep keep;          /* its journal */
  int restoring;             /* states of the journal are put back */
};

extern const struct search_type search_spread;

/* Together: the edges from the initial state to a state, known to all then. 0; 1: some rank has no memory for it; -1: lost. */
int spread_path(struct search *, unsigned rank, uint64_t number, struct search_path *out);
/* Together, after a search with a judge: all ranks know what any of them found, with paths. */
int spread_share(struct search *, struct judge *, struct err *);

/* Between the phases of a search, for those who go over its states again (owcty.h). */
static inline struct spread *spread_of(const struct search *s) { return s->own; }
/* Time, interrupt, ticks, pulses: 1, or 0: the exchange stops. */
int spread_may_go_on(struct search *);
/* What went from rank to rank so far. */
void spread_add_up(struct search *);
/* What ended it, on all ranks alike. */
void spread_conclude(struct search *, enum exchange_stop, unsigned who, enum search_stop otherwise);

/* ---- between its files ---- */
static inline uint32_t *spread_source(struct spread *p, size_t i) { return p->words + i * p->stride; }
struct search_move spread_moving(struct spread *);
int spread_same_model(struct search *);      /* together: 1; 0: the ranks see different ones; -1: lost, or stop is set */
uint64_t spread_layout(const struct search *); /* what words mean (model.h: layout_sign), as a number; 0 = nothing to others */
int spread_agree_on_forms(struct search *);  /* together. 0; -1 with stop set, on all ranks */
/* A state of rank `who` does not fit: all take the wider layout, and begin anew. 0; -1 with stop set, on all ranks. */
int spread_widen_together(struct search *, unsigned who);
int spread_widen_by(struct search *, const uint32_t *words); /* a state that does not fit. 1: now it does; 0: it did; -1: memory, or err */
void spread_count(struct search *);          /* counters of all ranks; without one of them: what was heard of the others */
double spread_cpu(void);                     /* seconds of this process */

#endif
