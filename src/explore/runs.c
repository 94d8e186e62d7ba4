/* runs.c -- runs: one step, many at random, along a file, and as a file for others.
 *
 * A run begins at the initial state and is the list of its edges (explorer.h); whoever looks at it keeps it, and sends it back when it is to become a
 * file.  Files are traces (doc/formats/trace.md), which simulate and trace read as well; they are made by replay, so a run that the definition of
 * the language does not confirm is never written. */
#include "explore/requests.h"

#include "base/rng.h"
#include "report/chart.h"
#include "report/trace_follow.h"
#include "report/trace_view.h"
#include "search/trace.h"

#include <string.h>

enum { WALK = 10000 };

/* Goes on by one step and tells it. "to" of a step that nobody had a number for is told as "new". */
static int go(struct explorer *x, uint32_t k, struct json_out *j, struct err *e) {
  uint32_t to, before = x->here;
  json_out_object_flat(j, NULL);
  explorer_step_json(x, k, j);
  if (explorer_go(x, k, &to, e) != 1) return -1;
  if (!explorer_edge(x, before, k)) json_out_count(j, "new", to);
  json_out_end(j);
  explorer_draw(x, to);
  return 0;
}

int answer_step(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t state, to;
  uint64_t k;
  if (request_state(x, a, "state", &state, e) || request_count(a, "k", 0, UINT32_MAX - 1, &k, e)) return -1;
  if (explorer_step(x, state, (uint32_t)k, &to, e)) return -1;
  explorer_draw(x, to);
  json_out_object(j, NULL);
  json_out_count(j, "from", state);
  json_out_count(j, "k", k);
  json_out_count(j, "to", to);
  json_out_end(j);
  return 0;
}

/* Why a run does not go on from where the explorer stands; NULL = it could. */
static const char *stopped(const struct explorer *x) {
  const struct explorer_state *s = &x->states.at[x->here];
  return s->broken ? "broken" : s->steps ? NULL : s->end ? "end" : "deadlock";
}

int answer_walk(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t state;
  uint64_t steps, seed, taken = 0;
  if (request_state(x, a, "state", &state, e) || request_count_or(a, "steps", 1, WALK, 1, &steps, e) || request_count_or(a, "seed", 0, INT64_MAX, 1, &seed, e)) return -1;
  if (explorer_enter(x, state, e)) return -1;
  struct rng rng = {seed};
  json_out_object(j, NULL);
  json_out_count(j, "from", state);
  json_out_array(j, "steps");
  for (; taken < steps && !stopped(x); taken++) {
    uint32_t k = (uint32_t)rng_below(&rng, x->states.at[x->here].steps);
    if (go(x, k, j, e)) return -1;
  }
  json_out_end(j);
  json_out_text(j, "stopped", stopped(x));
  json_out_end(j);
  return 0;
}

int explorer_path_json(struct explorer *x, const struct explorer_path *path, struct json_out *j, struct err *e) {
  if (explorer_enter(x, 0, e)) return -1;
  json_out_array(j, "steps");
  for (size_t i = 0; i < path->count; i++) {
    if (path->edge[i] >= x->states.at[x->here].steps) return err_usage(e, "step %zu of the run is not possible", i + 1);
    if (go(x, path->edge[i], j, e)) return -1;
  }
  json_out_end(j);
  return 0;
}

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

/* The edges in the arguments, with their groups. */
static int read_run(struct explorer *x, const struct request_args *a, uint32_t **edge, uint32_t **group, size_t *count, struct err *e) {
  const json_t *list = json_object_get(a->object, "steps");
  uint32_t to;
  if (!json_is_array(list) || json_array_size(list) > EXPLORE_RUN) return err_usage(e, "%s: 'steps' must be a list of at most %d numbers", a->request, EXPLORE_RUN);
  *count = json_array_size(list);
  *edge = mem_alloc(x->mem, MEM_OTHER, (*count + 1) * sizeof **edge);
  *group = mem_alloc(x->mem, MEM_OTHER, (*count + 1) * sizeof **group);
  if (!*edge || !*group) return err_memory(e, "a run");
  if (explorer_enter(x, 0, e)) return -1;
  for (size_t i = 0; i < *count; i++) {
    const json_t *k = json_array_get(list, i);
    json_int_t n = json_is_integer(k) ? json_integer_value(k) : -1;
    if (n < 0 || n >= (json_int_t)x->states.at[x->here].steps) return err_usage(e, "%s: step %zu is not possible", a->request, i + 1);
    (*edge)[i] = (uint32_t)n;
    (*group)[i] = x->at.batch.group[n];
    if (explorer_go(x, (uint32_t)n, &to, e) != 1) return -1;
  }
  return 0;
}

int answer_path(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t *edge = NULL, *group = NULL;
  size_t count;
  int bad = read_run(x, a, &edge, &group, &count, e);
  json_out_object(j, NULL);
  if (!bad) bad = explorer_path_json(x, &(struct explorer_path){edge, count}, j, e);
  if (!bad) json_out_end(j);
  mem_free(x->mem, edge);
  mem_free(x->mem, group);
  return bad;
}

/* The trace of the run in the arguments, confirmed by replay. */
static int confirmed(struct explorer *x, const struct request_args *a, struct trace *trace, struct err *e) {
  if (x->model->chance) return err_usage(e, "a run with random values is not kept: nobody could confirm it");
  struct search_path path = {0};
  int bad = read_run(x, a, &path.edge, &path.group, &path.count, e);
  if (!bad) {
    explorer_rest(x); /* replay may widen states */
    bad = trace_make(trace, x->model, &path, x->mem, e);
    if (explorer_wake(x, e)) {
      if (!bad) trace_free(trace);
      bad = -1;
    }
  }
  mem_free(x->mem, path.edge);
  mem_free(x->mem, path.group);
  return bad;
}

int answer_run(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  struct trace trace;
  struct trace_view view;
  if (confirmed(x, a, &trace, e)) return -1;
  trace_view_model(&view, &trace, x->model);
  int bad = trace_write_json(&view, j->out) ? err_memory(e, "an answer") : 0;
  trace_free(&trace);
  return bad;
}

int answer_chart(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  struct trace trace;
  struct trace_view view;
  struct chart chart = {0};
  if (confirmed(x, a, &trace, e)) return -1;
  trace_view_model(&view, &trace, x->model);
  int bad = chart_make(&chart, &view, NULL, x->mem, e);
  if (!bad) chart_write_json(j, NULL, &chart);
  chart_close(&chart);
  trace_free(&trace);
  return bad;
}

static int follow(struct explorer *x, const struct trace_view *view, struct json_out *j, struct err *e) {
  static const char name[] = "the run";
  uint32_t k;
  if (explorer_enter(x, 0, e)) return -1;
  json_out_array(j, "steps");
  for (size_t i = 0; i < view->trace->count; i++) {
    if (x->states.at[x->here].broken) return err_input(e, (struct place_in_text){name, 0, 0}, "step %zu: %s", i + 1, x->fault.message);
    if (trace_follow(view, i, &x->at, name, &k, e)) return -1;
    if (go(x, k, j, e) || trace_agrees(view, i, &x->at, name, e)) return -1;
  }
  json_out_end(j);
  return 0;
}

int answer_open(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  struct trace_file *file = NULL;
  struct trace_view view;
  if (!a->length) return err_usage(e, "open: a trace file is needed");
  FILE *in = fmemopen((void *)(uintptr_t)a->body, a->length, "r");
  if (!in) return err_memory(e, "a trace file");
  int bad = trace_file_read(&file, in, "the run", x->mem, e);
  fclose(in);
  if (bad) return -1;
  trace_file_view(file, &view);
  const struct trace *t = view.trace;
  if (t->count > EXPLORE_RUN) bad = err_limit(e, "the run has %zu steps: more than %d are not shown", t->count, EXPLORE_RUN);
  json_out_object(j, NULL);
  json_out_text(j, "file", view.file);
  json_out_text(j, "property", t->property[0] ? t->property : NULL);
  json_out_text(j, "message", t->message[0] ? t->message : NULL);
  json_out_text(j, "verdict", t->verdict[0] ? t->verdict : NULL);
  if (t->loop >= 0) json_out_integer(j, "loop", t->loop);
  else json_out_null(j, "loop");
  if (!bad) bad = follow(x, &view, j, e);
  if (!bad) json_out_end(j);
  trace_file_close(file);
  return bad;
}
