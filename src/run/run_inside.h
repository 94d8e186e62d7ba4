/* run_inside.h -- one run from beginning to end, for its files:
 *
 *   run.c             the order of the stages, and the verdict
 *   run_unbounded.c   nets without end
 *   run_explore.c     the search for properties of states
 *   run_scout.c       a short directed one ahead of it
 *   run_confirm.c     violations run again, and their traces
 *   run_graph.c       properties that need the graph
 *   run_runs.c        properties of whole runs */
#ifndef RUN_INSIDE_H
#define RUN_INSIDE_H

#include "run/run.h"

#include "run/branches.h"
#include "run/liveness.h"
#include "run/reduced.h"
#include "search/judge.h"

struct run {
  const struct run_setup *setup;
  struct verdict *v;
  struct model *model;
  struct mem *mem;
  struct judge judge;
  struct branches branches; /* only in runs that need the graph */
  struct affected affected; /* which properties a step can decide */
  struct search_limits limits;
  int by_prefix; /* the state limit is ours, because the net is unbounded */
  int lossy, shortest;
  int first_only; /* `shortest` is known of the first violation alone */
  int no_graph; /* memory did not allow what branching properties need */
  int bounded; /* finitely many states, for sure */
  struct reduced reduced; /* what is searched for properties of states */
  int explored; /* figures of a search are in the verdict */
  int whole; /* what is asked of states has its answer: all of them were seen, for sure, whatever becomes of the rest */
  double started, until; /* until: when its time is over; 0 = never */
  struct err fault; /* of the model, met by the search */
};

/* What went wrong on one of several processes has gone wrong on all: those that went on alone would wait for it. All of them ask this in the same places. */
static inline int run_together(const struct run_setup *s, int bad, struct err *e) { return s->spread ? s->spread->agree(s->spread->ranks, bad, e) : bad; }

/* run.c */
struct search_limits run_limits_left(const struct run *r); /* for what begins now: whatever came before has had its part of the time */

void run_publish(struct run *r, size_t prop); /* tells setup->watch, if what there is to find out about that property was found out */

/* run_unbounded.c */
int run_analyse(struct run *r, struct err *e);
int run_explain_ancestor(struct run *r, struct search *s, struct err *e);
void run_name_pumped(struct run *r);

/* run_explore.c */
int run_wants_states(const struct run_setup *s);
int run_explore(struct run *r, struct err *e);
int run_explore_graph(struct run *r, struct err *e);
int run_explore_no_more(struct run *r, struct err *e);
void run_listeners_begin_again(const struct run_setup *setup);
void run_take_liveness_figures(struct run *r, const struct liveness *l);

/* run_scout.c */
struct scout {
  struct judge judge;
  uint64_t states;   /* that it looked at */
  int found, enough; /* something that was asked for; so much that the run could end here */
};
void run_scout(struct run *r, struct scout *out); /* always fills it: close it */
void run_scout_limit(const struct run *r, const struct scout *, struct search_limits *); /* for the search after it */
void run_scout_tell(struct run *r, struct scout *); /* after that search: what it did not find */
void run_scout_close(struct scout *);

/* run_confirm.c */
struct trace *run_new_trace(struct run *r, const uint32_t *groups, size_t count, const struct search_path *path, struct err *e);
int run_leave_out(struct err *e);
int run_confirm(struct run *r, struct err *e);

/* run_graph.c */
int run_check_all_graph(struct run *r, struct err *e);
int run_check_linear_on_graph(struct run *r, struct err *e);

/* run_runs.c */
int run_check_all_runs(struct run *r, struct err *e);
int run_check_channels(struct run *r, struct err *e);

#endif
