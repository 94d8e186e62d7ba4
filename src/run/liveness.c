/* liveness.c -- see liveness.h. */
#include "run/liveness.h"

#include "base/clock.h"
#include "search/cndfs.h"
#include "search/emptiness.h"
#include "search/ndfs.h"
#include "search/observer.h"

#include <string.h>

/* For safety: the first state in which the automaton has seen enough. */
struct reach {
  struct listener listener;
  struct mem *mem;
  int found;
  struct search_path path;
};

static enum listener_answer reached(struct listener *l, struct search *s, const struct search_event *event) {
  struct reach *r = (struct reach *)l;
  if (event->kind == EVENT_AGAIN || !(s->model->type->labels(s->model, event->words) & MODEL_ACCEPT)) return LISTEN_ON;
  r->found = 1;
  search_keep_edges(s, event->state, r->mem, &r->path);
  return LISTEN_GOAL;
}

static int may_be_reached(struct listener *l, struct model_cursor *cursor, const struct search_event *event) {
  (void)l;
  return (cursor->model->type->labels(cursor->model, event->words) & MODEL_ACCEPT) != 0;
}

void liveness_take_figures(struct liveness *out, const struct search *s) {
  out->stats = s->stats;
  out->stop = s->stop;
  out->seconds = s->seconds;
  out->search = s->type;
  out->spread = s->spread;
  out->sweep = s->sweep;
  out->disk = s->disk;
  memcpy(out->rung, s->rung, sizeof out->rung);
  out->rungs = s->rungs;
  if (s->stop == STOP_FAULT) out->fault = s->err;
  out->store_bytes = s->spread.store_bytes;
  if (!s->store) return;
  if (!s->spread.ranks) out->store_bytes = s->store->type->bytes(s->store);
  out->lossy = !(s->store->type->caps & STORE_EXACT);
  if (s->store->type->omission) out->omission = s->store->type->omission(s->store);
}

/* `listener` may be NULL: the search itself knows what to look for. */
static int explore(struct liveness *out, struct model *product, struct listener *listener, struct cndfs *nested, const struct search_type *type, const struct run_setup *run,
                   const struct search_limits *limits, struct err *e) {
  struct listener **listeners = mem_alloc(run->mem, MEM_SEARCH, (run->listener_count + 1) * sizeof *listeners);
  size_t n = 0;
  if (!listeners) return err_memory(e, "the search");
  for (size_t i = 0; i < run->listener_count; i++)
    if (run->listeners[i]->wants & EVENT_PRODUCTS) listeners[n++] = run->listeners[i];
  if (listener) listeners[n++] = listener; /* last: others have heard an event before it may end the search */
  struct search_setup setup = {.model = product,
                               .store = run_store(run, type),
                               .ladder = !run->store,
                               .store_options = run->store_options,
                               .mem = run->mem,
                               .limits = *limits,
                               .jobs = run->jobs,
                               .listeners = listeners,
                               .listener_count = n,
                               .ways = {.progress = run->progress, .measured = run->model, .nested = nested}};
  struct search *s = NULL;
  if (run->trial && (!limits->states || limits->states > run->trial)) setup.limits.states = run->trial;
  mem_trim();
  int bad = search_open(&s, type, &setup, e);
  if (!bad) {
    search_run(s);
    liveness_take_figures(out, s);
  }
  search_close(s);
  mem_free(run->mem, listeners);
  return bad;
}

int liveness_explore(struct liveness *out, struct model *product, struct listener *listener, const struct search_type *type, const struct run_setup *run,
                     const struct search_limits *limits, struct err *e) {
  return explore(out, product, listener, NULL, type, run, limits, e);
}

static struct search_limits limits_left(const struct search_limits *limits, double begin) {
  struct search_limits left = *limits;
  if (left.seconds > 0) left.seconds = left.seconds > clock_now() - begin ? left.seconds - (clock_now() - begin) : 1e-3;
  return left;
}

int liveness_leave_out(struct err *e) {
  if (e->kind != ERR_MEMORY && e->kind != ERR_LIMIT) return -1;
  err_clear(e);
  return 0;
}

/* The automaton with one set, on states, without what leads nowhere. */
static int by_states(struct automaton **out, const struct automaton *a, struct mem *mem, struct err *e) {
  struct automaton_draft d;
  automaton_draft_open(&d, mem);
  int bad = 0;
  for (uint32_t s = 0; s < a->states; s++)
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end && !bad; x++) bad = automaton_draft_edge(&d, s, *x);
  for (uint32_t i = 0; i < a->initial_count && !bad; i++) bad = automaton_draft_initial(&d, a->initial[i]);
  bad = bad ? err_memory(e, "an automaton") : automaton_finish(out, &d, a->states, a->sets, e);
  automaton_draft_close(&d);
  if (!bad) bad = automaton_trim(out, e) || automaton_degeneralise(out, 1, e) || automaton_classify(*out, e);
  if (!bad) return 0;
  automaton_close(*out);
  *out = NULL;
  return -1;
}

/* Accepting cycles by nested depth-first search. */
static int check_nested(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  struct product_setup setup = temporal_product(t, run->model, 0);
  struct automaton *automaton = NULL;
  struct model *product = NULL;
  struct ndfs nested = {0};
  double begin = clock_now();
  *out = (struct liveness){.nested = 1};
  int bad = by_states(&automaton, t->bad, run->mem, e);
  setup.automaton = automaton;
  if (!bad) bad = product_open(&product, &setup, run->mem, e);
  struct cndfs together = {.automaton = automaton, .mem = run->mem};
  /* what one of several threads leaves at a limit of steps would be left for all */
  int by_threads = !bad && run->jobs > 1 && !limits->depth && !run->store && product->type->share && product->type->share(product, 0, 0) == 0;
  if (by_threads) {
    bad = explore(out, product, NULL, &together, &search_cndfs, run, limits, e);
    out->store_bytes = together.store_bytes;
    by_threads = out->stop != STOP_MEMORY; /* one thread has stores that need less */
  }
  if (!bad && !by_threads) {
    struct search_limits left = limits_left(limits, begin);
    ndfs_open(&nested, product, automaton, run->mem);
    bad = liveness_explore(out, product, &nested.listener, &search_dfs, run, &left, e);
  } else if (!bad) {
    nested = (struct ndfs){.mem = run->mem, .found = together.found, .path = together.path};
  }
  model_close(product);
  if (!bad && nested.failed) out->stop = STOP_MEMORY;
  if (!bad && nested.stop != STOP_DONE) out->stop = nested.stop;
  out->broken = !bad && nested.found;
  if (out->broken && nested.path.edge) {
    struct search_limits left = limits_left(limits, begin);
    bad = lasso_make(&out->lasso, &setup, &nested.path, &left, out->stats.states, run->mem, e);
    out->has_lasso = !bad;
    if (bad) bad = liveness_leave_out(e);
  }
  ndfs_close(&nested);
  automaton_close(automaton);
  return bad;
}

struct watch { /* one attempt to watch a model */
  const struct store_type *store; /* NULL = the ladder */
  int levels;                     /* nothing waits: automaton_levels.c */
};

static int watch(struct liveness *out, struct observer *o, const struct run_setup *run, const struct watch *how, const struct product_setup *setup, const struct search_limits *limits,
                 struct err *e) {
  struct model *product = NULL;
  struct run_setup with = *run;
  struct liveness before = *out;
  with.store = how->store;
  if (product_open(&product, setup, run->mem, e)) return -1;
  observer_open(o, product, setup->automaton, how->levels, run->mem);
  int bad = liveness_explore(out, product, &o->listener, &search_dfs, &with, limits, e);
  model_close(product);
  if (!bad && o->failed) out->stop = STOP_MEMORY;
  if (!before.rungs || bad) return bad;
  if (before.rungs < SEARCH_RUNGS) before.rung[before.rungs++] = how->levels ? "cache, nothing waiting" : how->store->name;
  memcpy(out->rung, before.rung, sizeof out->rung);
  out->rungs = before.rungs;
  out->seconds += before.seconds;
  return 0;
}

/* By one depth-first search in the product with the observer itself.  When no form of the store has room for all states, one that forgets begins anew; and when it has none for the
   accepting states that wait, once more without any. */
static int check_observer(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  int forgets = run->store && run->store->caps & STORE_FORGETS;
  struct watch plan[] = {{run->store, 0}, {&store_cache, 0}, {&store_cache, 1}};
  struct product_setup setup = temporal_product(t, run->model, 0);
  struct automaton *automaton = NULL, *levels = NULL;
  struct observer o = {0};
  struct search_limits left = *limits;
  double begin = clock_now();
  *out = (struct liveness){0};
  int bad = by_states(&automaton, t->bad, run->mem, e);
  for (size_t i = 0; i < sizeof plan / sizeof *plan && !bad; i++) {
    if (i && ((out->stop != STOP_MEMORY && out->stop != STOP_CACHE) || (run->store && !forgets))) break;
    if (forgets && i == 1) continue; /* that was tried just now */
    if (plan[i].levels) bad = automaton_two_levels(&levels, automaton, e);
    setup.automaton = plan[i].levels ? levels : automaton;
    observer_close(&o);
    left = limits_left(limits, begin);
    if (!bad) bad = watch(out, &o, run, &plan[i], &setup, &left, e);
  }
  out->broken = !bad && o.found;
  if (out->broken && o.has_place) {
    struct lasso_place place = {&o.place, &o.loop, run->store, run->store_options};
    left = limits_left(limits, begin);
    bad = lasso_from_place(&out->lasso, &setup, &place, &left, out->stats.states, run->mem, e);
    out->has_lasso = !bad;
    out->finite = o.rejected && !out->lasso.stays;
    if (bad) bad = liveness_leave_out(e);
  }
  observer_close(&o);
  automaton_close(automaton);
  automaton_close(levels);
  return bad;
}

static int check(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  if (run->spread) return run->spread->liveness(out, run, t, limits, e);
  if (t->method == TEMPORAL_OBSERVER) return check_observer(out, run, t, limits, e);
  if (run->cycles == CYCLES_NESTED && t->method == TEMPORAL_STRONG && !run->fair && !(run->store && run->store->caps & STORE_FORGETS))
    return check_nested(out, run, t, limits, e);
  struct product_setup setup = temporal_product(t, run->model, run->fair);
  struct model *product = NULL;
  struct reach reach = {.listener = {.wants = EVENT_NEW | EVENT_AGAIN, .hear = reached, .concerns = may_be_reached}, .mem = run->mem};
  struct emptiness cycle = {0};
  double begin = clock_now();
  *out = (struct liveness){0};
  if (product_open(&product, &setup, run->mem, e)) return -1;
  int safety = t->method == TEMPORAL_SAFETY && !run->fair;
  emptiness_open(&cycle, product, t->method != TEMPORAL_STRONG && !run->fair, run->mem);
  /* distances and walks are for single states */
  const struct search_type *wanted = run->search && !run->search->directed && !run->search->storeless ? run->search : search_types[0];
  const struct search_type *by = safety ? wanted : &search_dfs;
  int bad = liveness_explore(out, product, safety ? &reach.listener : &cycle.listener, by, run, limits, e);
  model_close(product);
  if (!bad && cycle.failed) out->stop = STOP_MEMORY;
  out->broken = !bad && (safety ? reach.found : cycle.found);
  out->finite = safety;
  struct search_limits left = limits_left(limits, begin);
  const struct search_path *path = safety ? &reach.path : &cycle.path;
  if (out->broken && path->edge) {
    bad = safety ? lasso_of_path(&out->lasso, &setup, path, run->mem, e) : lasso_make(&out->lasso, &setup, path, &left, out->stats.states, run->mem, e);
    out->has_lasso = !bad;
    if (bad) bad = liveness_leave_out(e);
  }
  mem_free(run->mem, reach.path.edge);
  emptiness_close(&cycle);
  return bad;
}

int liveness_check(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  int bad = check(out, run, t, limits, e);
  out->blind = run->store && run->store->caps & STORE_BLIND && (t->method != TEMPORAL_SAFETY || run->fair);
  return bad;
}

void liveness_close(struct liveness *l, struct mem *mem) { lasso_free(&l->lasso, mem); }
