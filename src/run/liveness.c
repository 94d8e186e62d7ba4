/* liveness.c -- see liveness.h. */
#include "run/liveness.h"

#include "base/clock.h"
#include "search/emptiness.h"
#include "search/ndfs.h"

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

static void take_figures(struct liveness *out, const struct search *s) {
  out->stats = s->stats;
  out->stop = s->stop;
  out->seconds = s->seconds;
  out->search = s->type;
  memcpy(out->rung, s->rung, sizeof out->rung);
  out->rungs = s->rungs;
  if (s->stop == STOP_FAULT) out->fault = s->err;
  if (!s->store) return;
  out->store_bytes = s->store->type->bytes(s->store);
  out->lossy = !(s->store->type->caps & STORE_EXACT);
  if (s->store->type->omission) out->omission = s->store->type->omission(s->store);
}

static int explore(struct liveness *out, struct model *product, struct listener *listener, const struct search_type *type,
                   const struct run_setup *run, const struct search_limits *limits, struct err *e) {
  struct listener *listeners[] = {listener};
  struct search_setup setup = {.model = product,
                               .store = run->store ? run->store : store_types[0],
                               .ladder = !run->store,
                               .store_options = run->store_options,
                               .mem = run->mem,
                               .limits = *limits,
                               .listeners = listeners,
                               .listener_count = 1};
  struct search *s = NULL;
  mem_trim();
  if (search_open(&s, type, &setup, e)) return -1;
  search_run(s);
  take_figures(out, s);
  search_close(s);
  return 0;
}

/* A lasso that memory or time do not allow is left out: the verdict stands without it. */
static int leave_out(struct err *e) {
  if (e->kind != ERR_MEMORY && e->kind != ERR_LIMIT) return -1;
  err_clear(e);
  return 0;
}

/* The automaton with one set, on states. */
static int by_states(struct automaton **out, const struct automaton *a, struct mem *mem, struct err *e) {
  struct automaton_draft d;
  automaton_draft_open(&d, mem);
  int bad = 0;
  for (uint32_t s = 0; s < a->states; s++)
    for (const struct automaton_edge *x = automaton_edges(a, s), *end = automaton_edges(a, s + 1); x < end && !bad; x++) bad = automaton_draft_edge(&d, s, *x);
  for (uint32_t i = 0; i < a->initial_count && !bad; i++) bad = automaton_draft_initial(&d, a->initial[i]);
  bad = bad ? err_memory(e, "an automaton") : automaton_finish(out, &d, a->states, a->sets, e);
  automaton_draft_close(&d);
  if (!bad) bad = automaton_degeneralise(out, 1, e) || automaton_classify(*out, e);
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
  if (!bad) {
    ndfs_open(&nested, product, automaton, run->mem);
    bad = explore(out, product, &nested.listener, &search_dfs, run, limits, e);
  }
  model_close(product);
  if (!bad && nested.failed) out->stop = STOP_MEMORY;
  if (!bad && nested.stop != STOP_DONE) out->stop = nested.stop;
  out->broken = !bad && nested.found;
  if (out->broken && nested.path.edge) {
    struct search_limits left = *limits;
    if (left.seconds > 0) left.seconds = left.seconds > clock_now() - begin ? left.seconds - (clock_now() - begin) : 1e-3;
    bad = lasso_make(&out->lasso, &setup, &nested.path, &left, run->mem, e);
    out->has_lasso = !bad;
    if (bad) bad = leave_out(e);
  }
  ndfs_close(&nested);
  automaton_close(automaton);
  return bad;
}

int liveness_check(struct liveness *out, const struct run_setup *run, const struct temporal *t, const struct search_limits *limits, struct err *e) {
  if (run->cycles == CYCLES_NESTED && t->method == TEMPORAL_STRONG && !run->fair && !(run->store && run->store->caps & STORE_FORGETS))
    return check_nested(out, run, t, limits, e);
  struct product_setup setup = temporal_product(t, run->model, run->fair);
  struct model *product = NULL;
  struct reach reach = {.listener = {EVENT_NEW | EVENT_AGAIN, reached}, .mem = run->mem};
  struct emptiness cycle = {0};
  double begin = clock_now();
  *out = (struct liveness){0};
  if (product_open(&product, &setup, run->mem, e)) return -1;
  int safety = t->method == TEMPORAL_SAFETY && !run->fair;
  emptiness_open(&cycle, product, t->method != TEMPORAL_STRONG && !run->fair, run->mem);
  /* distances and walks are for single states */
  const struct search_type *wanted = run->search && !run->search->directed && !run->search->storeless ? run->search : search_types[0];
  const struct search_type *by = safety ? wanted : &search_dfs;
  int bad = explore(out, product, safety ? &reach.listener : &cycle.listener, by, run, limits, e);
  model_close(product);
  if (!bad && cycle.failed) out->stop = STOP_MEMORY;
  out->broken = !bad && (safety ? reach.found : cycle.found);
  out->finite = safety;
  struct search_limits left = *limits;
  if (left.seconds > 0) left.seconds = left.seconds > clock_now() - begin ? left.seconds - (clock_now() - begin) : 1e-3;
  const struct search_path *path = safety ? &reach.path : &cycle.path;
  if (out->broken && path->edge) {
    bad = safety ? lasso_of_path(&out->lasso, &setup, path, run->mem, e) : lasso_make(&out->lasso, &setup, path, &left, run->mem, e);
    out->has_lasso = !bad;
    if (bad) bad = leave_out(e);
  }
  mem_free(run->mem, reach.path.edge);
  emptiness_close(&cycle);
  return bad;
}

void liveness_close(struct liveness *l, struct mem *mem) { lasso_free(&l->lasso, mem); }
