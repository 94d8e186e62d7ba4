/* explore.c -- see explore.h. */
#include "cli/explore.h"

#include "run/run.h"

#include <string.h>

int explore_graph(struct session *s, const struct graph_type *type, FILE *out, struct explored *x) {
  struct graph_file graph;
  struct report_progress progress;
  struct listener *listeners[2];
  size_t n = 0;
  struct run_setup setup = {
      .mem = &s->mem, .model = s->model, .search = &search_bfs, .store = &store_plain, .listeners = listeners, .load_s = s->load_s};
  memset(x, 0, sizeof *x);
  session_limits(s, &setup.limits);
  if (graph_file_open(&graph, type, s->model, out, setup.limits.states, &s->mem, &s->err)) return -1;
  listeners[n++] = &graph.listener;
  struct listener *watch = session_progress(s, &progress);
  if (watch) listeners[n++] = watch;
  setup.listener_count = n;
  int bad = run_check(&x->verdict, &setup, &s->err);
  if (watch) report_progress_clear(&progress);
  if (!bad) bad = graph_file_finish(&graph, &x->verdict, &s->err);
  x->cut = graph.cut || !x->verdict.complete;
  graph_file_close(&graph);
  return bad;
}
