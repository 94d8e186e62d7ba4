/* check_space.c -- see check_space.h.
 *
 * Coloured nets get the report without asking, as users of CPN Tools expect, if nothing else was asked: no property, no store or search of one's own choice, no reduction, not --quiet.
 * The run's own search tells the space while it goes.  A run that ends at a violation leaves the rest unexplored, and most nets are made to come to an end, which is a
 * deadlock: then the space is explored by itself, up to BEHIND states unless the report was asked for by name, or the run has seen as many (looking for a run shorter than the scout's).  The verdict and its figures stay what they are.
 *
 * Fairness may take a pass over the graph for each transition.  A report that nobody asked for by name takes no longer over it than all before it took. */
#include "cli/check_space.h"

#include "base/clock.h"
#include "colour/colour.h"

enum { SHARE = 33, SHARE_ASKED = 60, BEHIND = 200000 }; /* percent of the budget (run/space.c); states */
#define PATIENCE 2.0 /* seconds that fairness has in any case */

static int asks_something(const struct options *o) {
  static const enum option_id asking[] = {OPTION_PROPERTY, OPTION_LTL,         OPTION_CTL,         OPTION_AUTOMATON, OPTION_OBSERVER,
                                          OPTION_NO_PROGRESS, OPTION_NO_ACCEPTANCE, OPTION_INVARIANT, OPTION_REACHABLE, OPTION_SWARM};
  for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
    if (options_given(o, asking[i])) return 1;
  return 0;
}

void check_space_open(struct check_space *c, struct session *s, const struct search_type *search, const struct store_type *store, int reduced) {
  const struct options *o = &s->options;
  int usual = !reduced && !store && (!search || search == &search_bfs) && !options_given(o, OPTION_SWARM);
  enum option_id said = options_last(o, OPTION_SPACE_REPORT, OPTION_NO_SPACE_REPORT, OPTION_HELP);
  *c = (struct check_space){0};
  int json = options_given(o, OPTION_JSON), quiet = options_given(o, OPTION_QUIET);
  if (quiet && !json) return; /* nobody would see it */
  c->asked = said == OPTION_SPACE_REPORT;
  /* scripts mostly want the verdict, and the report costs half of its time again: they ask for it */
  c->wanted = c->asked || (said == OPTION_HELP && colour_model_drawing(s->model) && usual && !asks_something(o) && !quiet && !json);
  struct err e;
  err_clear(&e);
  if (c->wanted && space_open(&c->space, s->model, &s->mem, c->asked ? SHARE_ASKED : SHARE, &e)) { /* the run goes on without it */
    if (c->asked) session_tell(s, &e);
    c->wanted = 0;
  }
  c->beside = c->wanted && usual;
}

/* What is left of the time that the user gave. */
static double seconds_left(const struct run_setup *run, const struct verdict *v) {
  double left = run->limits.seconds - v->total_s;
  return run->limits.seconds <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

/* What the run's own search did not tell. Returns what ended it, NULL: nothing did. */
static const char *explore_rest(struct check_space *c, const struct run_setup *run, const struct verdict *v) {
  struct verdict rest = {0};
  struct run_setup again = *run;
  struct err e;
  const char *stop;
  err_clear(&e);
  again.search = NULL;
  again.swarm = 0;
  again.listener_count = 0;
  again.limits.seconds = seconds_left(run, v);
  int bounded = !c->asked && (!again.limits.states || again.limits.states > BEHIND);
  if (bounded) again.limits.states = BEHIND;
  if (space_explore(&c->space, &again, &rest, &e)) stop = "a fault of the model";
  else if (rest.stop == STOP_STATES && bounded) stop = "a limit of 200,000 states behind a violation: --space-report explores all of them";
  else stop = rest.stop == STOP_DONE ? NULL : verdict_stop_name(&rest);
  verdict_close(&rest);
  return stop;
}

void check_space_finish(struct check_space *c, struct session *s, const struct run_setup *run, struct verdict *v) {
  if (!c->wanted || v->kind == VERDICT_ERROR) return;
  double started = clock_now();
  struct err e;
  err_clear(&e);
  const char *stop = verdict_stop_name(v);
  int decided = v->stop == STOP_GOAL || v->stop == STOP_DONE; /* what is left was not explored because nobody needed it */
  if (decided && !c->asked && c->space.states >= BEHIND && !space_whole(&c->space)) stop = "a violation: --space-report explores all of them"; /* the run has gone as far as it would go by itself */
  else if (!space_whole(&c->space) && (decided || (c->asked && !c->beside))) stop = explore_rest(c, run, v);
  v->total_s += clock_now() - started;
  started = clock_now();
  double most = c->asked ? 0 : v->total_s > PATIENCE ? v->total_s : PATIENCE, left = seconds_left(run, v);
  if (left > 0 && (!most || left < most)) most = left;
  struct model_patience patience = {.interrupt = run->limits.interrupt, .until = most > 0 ? started + most : 0};
  c->there = c->space.states && space_tell(&c->space, &c->report, stop, &patience, &e) == 0;
  if (e.kind) session_tell(s, &e);
  v->peak = s->mem.peak;
  verdict_weigh(v);
  v->total_s += clock_now() - started;
}

void check_space_close(struct check_space *c) {
  space_report_close(&c->report);
  space_close(&c->space);
}
