/* liveness.c -- one temporal property, decided by several processes: the product of model and automaton is explored breadth-first by all of them.
 *
 *   safety  until the automaton has seen enough on some rank: the way there is shortest
 *   else    to its end, then its accepting cycles are looked for (owcty.h)
 *
 * The counterexample is the same on all ranks: each makes the run of the model of it, and replays it. */
#include "mpi/liveness.h"

#include "mpi/owcty.h"

struct reach {
  struct listener listener;
  int found;
  uint64_t state;
};

/* For safety: a state in which the automaton has seen enough. */
static enum listener_answer reached(struct listener *l, struct search *s, const struct search_event *event) {
  struct reach *r = (struct reach *)l;
  if (event->kind == EVENT_AGAIN) {
    r->found = 0;
    return LISTEN_ON;
  }
  if (r->found || !(s->model->type->labels(s->model, event->words) & MODEL_ACCEPT)) return LISTEN_ON;
  r->found = 1;
  r->state = event->state;
  return LISTEN_GOAL;
}

/* Who found it, of several that did; all know the way then. 1; 0: nobody, or memory; -1: lost. */
static int found_by(struct search *s, const struct reach *r, struct search_path *way, int *found) {
  struct ranks *ranks = s->ways.ranks;
  uint64_t who = r->found ? ranks_count(ranks) - ranks_self(ranks) : 0, state = r->state;
  if (ranks_max(ranks, &who, 1)) return -1;
  *found = who != 0;
  if (!who) return 0;
  unsigned rank = ranks_count(ranks) - (unsigned)who;
  if (ranks_tell(ranks, rank, &state, sizeof state)) return -1;
  int status = spread_path(s, rank, state, way);
  return status < 0 ? -1 : status == 0;
}

/* The store that cycles can be looked for in: states by number. */
static const struct store_type *numbering(const struct run_setup *run, int safety) {
  const struct store_type *asked = run->store ? run->store : store_types[0];
  return safety || (asked->caps & STORE_ORDER && asked->caps & STORE_GET) ? asked : &store_plain;
}

enum { NEAR = 50000 }; /* states that each rank may look at, for itself, to make a counterexample shorter */

static int show_cycle(struct lasso *out, const struct product_setup *setup, const struct search_path *way, const struct search_path *loop, struct mem *mem, struct err *e) {
  struct search_limits near = {.states = NEAR};
  if (lasso_make(out, setup, way, &near, 0, mem, e) == 0) return 0;
  if (liveness_leave_out(e)) return -1;
  return lasso_of_parts(out, setup, way, loop, mem, e);
}

int spread_liveness(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  struct product_setup setup = temporal_product(t, run->model, run->fair);
  struct model *product = NULL;
  struct reach reach = {.listener = {EVENT_NEW | EVENT_AGAIN, reached}};
  struct listener *listeners[8];
  size_t n = 0;
  int safety = t->method == TEMPORAL_SAFETY && !run->fair, weak = t->method != TEMPORAL_STRONG && !run->fair;
  *out = (struct liveness){.finite = safety};
  for (size_t i = 0; i < run->listener_count && n < 7; i++)
    if (run->listeners[i]->wants & EVENT_PRODUCTS) listeners[n++] = run->listeners[i];
  if (safety) listeners[n++] = &reach.listener;
  if (product_open(&product, &setup, run->mem, e)) return ranks_agree(run->spread->ranks, -1, e);
  struct search_setup with = {.model = product,
                              .store = numbering(run, safety),
                              .ladder = !run->store && safety,
                              .store_options = run->store_options,
                              .mem = run->mem,
                              .limits = *limits,
                              .listeners = listeners,
                              .listener_count = n,
                              .ways = {.ranks = run->spread->ranks}};
  struct search *s = NULL;
  struct search_path way = {0}, loop = {0};
  struct owcty_result cycle = {0};
  int shown = 0;
  mem_trim();
  int bad = ranks_agree(run->spread->ranks, search_open(&s, run->spread->search, &with, e), e);
  if (!bad) {
    search_run(s);
    if (safety && s->stop == STOP_GOAL) shown = found_by(s, &reach, &way, &out->broken) == 1;
    if (!safety && s->stop == STOP_DONE && owcty_find(s, weak, &cycle) == 0) {
      out->broken = cycle.cycle;
      shown = cycle.shown;
      way = cycle.way;
      loop = cycle.loop;
      if (out->broken) s->stop = STOP_GOAL;
    }
    liveness_take_figures(out, s);
  }
  search_close(s);
  model_close(product);
  if (!bad && shown) {
    bad = safety ? lasso_of_path(&out->lasso, &setup, &way, run->mem, e) : show_cycle(&out->lasso, &setup, &way, &loop, run->mem, e);
    out->has_lasso = !bad;
    if (bad) bad = liveness_leave_out(e);
  }
  mem_free(run->mem, way.edge);
  mem_free(run->mem, loop.edge);
  return bad;
}
