/* minimise.c -- see minimise.h. */
#include "run/minimise.h"

#include "base/clock.h"

int minimise_explore(struct graph *g, struct labelling *labelling, const struct run_setup *run, struct verdict *v, struct err *e) {
  struct labelled l;
  struct listener *listeners[8];
  struct run_setup with = *run;
  labelled_open(&l, g, labelling);
  listeners[0] = &l.listener;
  with.listener_count = 1;
  for (size_t i = 0; i < run->listener_count && with.listener_count < 8; i++) listeners[with.listener_count++] = run->listeners[i];
  with.listeners = listeners;
  with.search = run->search ? run->search : &search_bfs;
  with.store = &store_plain; /* it numbers its states, and can forget */
  if (run_check(v, &with, e)) return -1;
  if (l.failed) return err_memory(e, "the graph of all states");
  if (g->states < l.base + l.states) g->states = l.base + l.states;
  return 0;
}

struct model_patience minimise_patience(const struct run_setup *run, double started) {
  return (struct model_patience){.interrupt = run->limits.interrupt, .until = run->limits.seconds > 0 ? started + run->limits.seconds : 0};
}

int minimise(struct minimised *m, const struct run_setup *run, enum bisimulation kind, const struct labels_seen *seen, struct err *e) {
  struct graph whole = {0};
  struct refined r = {0};
  struct labelling labelling = {0};
  static const uint64_t initial;
  double started = clock_now();
  *m = (struct minimised){0};
  int bad = labels_open(&m->labels, run->mem) || labelling_open(&labelling, &m->labels, run->model, seen) ? err_memory(e, "the labels of a graph") : 0;
  if (!bad) {
    graph_open(&whole, run->mem, (uint32_t)m->labels.text.count);
    bad = minimise_explore(&whole, &labelling, run, &m->verdict, e);
  }
  if (!bad && m->verdict.complete) {
    struct model_patience patience = minimise_patience(run, started);
    m->states = whole.states;
    m->edges = whole.edges;
    bad = refine(&r, &whole, kind, &patience, run->mem, e) || refined_quotient(&r, &whole, kind, &initial, 1, &m->graph, NULL, run->mem, e) ? -1 : 0;
  }
  refined_close(&r);
  graph_close(&whole);
  labelling_close(&labelling);
  return bad;
}

void minimised_close(struct minimised *m) {
  labels_close(&m->labels);
  graph_close(&m->graph);
  verdict_close(&m->verdict);
}
