/* explore.c -- see explore.h. */
#include "cli/explore.h"

#include "search/progress.h"

#include <string.h>

int explore_way_open(struct explore_way *w, struct session *s) {
  const struct options *o = &s->options;
  int sweep = strcmp(options_text(o, OPTION_GRAPH_SEARCH), "sweep") == 0;
  *w = (struct explore_way){.search = sweep ? &search_sweep : &search_bfs};
  if (!options_given(o, OPTION_GRAPH_MEASURE)) return 0;
  if (!sweep) {
    err_usage(&s->err, "--progress-measure is for the sweep-line");
    err_hint(&s->err, "--search sweep");
    return -1;
  }
  if (expr_parse(&w->measure, s->model, &s->mem, options_text(o, OPTION_GRAPH_MEASURE), "--progress-measure", &s->err)) return -1;
  return run_measure(&w->progress, w->measure, s->model, &s->mem, &s->err);
}

void explore_way_close(struct explore_way *w) {
  progress_close(w->progress);
  expr_close(w->measure);
}

const char *explore_unfolded(const struct verdict *v) {
  return v->sweep.sweeps > 1 ? "the graph is an unfolding: states that were forgotten and met again stand in it several times; it is strongly bisimilar to the real one" : NULL;
}

int explore_graph(struct session *s, const struct graph_type *type, const struct explore_way *way, FILE *out, struct explored *x) {
  struct graph_file graph;
  struct report_progress progress;
  struct listener *listeners[2];
  size_t n = 0;
  struct run_setup setup = {
      .mem = &s->mem, .model = s->model, .search = way->search, .progress = way->progress, .store = &store_plain, .listeners = listeners, .load_s = s->load_s};
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
