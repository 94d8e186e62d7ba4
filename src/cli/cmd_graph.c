/* cmd_graph.c -- thimble graph: the reachability graph as a file, whole, minimised, or what it is like. */
#include "cli/explore.h"
#include "cli/graph_summary.h"
#include "cli/outfile.h"
#include "cli/seen.h"
#include "base/text.h"
#include "run/minimise.h"

#include <string.h>

command_run command_graph;

static void say_partial(const struct session *s, const struct explored *x) {
  if (options_given(&s->options, OPTION_QUIET)) return;
  const struct verdict *v = &x->verdict;
  char why[400];
  fprintf(stderr, "partial graph, %s", report_stop(v, why, sizeof why));
  if (v->unbounded_count) {
    char name[64];
    fprintf(stderr, " (no bound exists for %s)", report_name(name, sizeof name, v->unbounded[0]));
  }
  fputs("; states whose successors are missing are marked\n", stderr);
}

/* A limit that the user gave is what he wanted: exit 0. A limit that came over him is not. */
static int code(const struct session *s, const struct explored *x) {
  const struct verdict *v = &x->verdict;
  int wanted = (v->stop == STOP_STATES && options_given(&s->options, OPTION_MAX_STATES)) ||
               (v->stop == STOP_DEPTH && options_given(&s->options, OPTION_MAX_DEPTH));
  if (v->complete || wanted) return EXIT_HOLDS;
  return v->stop == STOP_INTERRUPT ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
}

/* ---- the whole graph, and what is made of it -------------------------------------------------------------------------------- */

static int write_minimised(struct session *s, const struct run_setup *run, FILE *out, struct verdict *v) {
  enum bisimulation kind = strcmp(options_text(&s->options, OPTION_MINIMISE), "strong") == 0 ? BISIMULATION_STRONG : BISIMULATION_BRANCHING;
  const struct graph_type *type = graph_find_type(options_text(&s->options, OPTION_GRAPH_FORMAT));
  struct minimised m;
  struct seen seen;
  if (seen_open(&seen, s)) {
    seen_close(&seen, s);
    return -1;
  }
  seen_model(&seen, 0, s->model);
  int bad = minimise(&m, run, kind, &seen.of[0], &s->err);
  if (!bad) bad = seen_check(&seen, s);
  if (!bad && m.verdict.complete) {
    char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM], d[TEXT_ROOM];
    bad = graph_file_write(type, s->model, &m.graph, m.labels.text.at, out, &s->mem, &s->err);
    if (!bad && !options_given(&s->options, OPTION_QUIET))
      fprintf(stderr, "%s state%s and %s transition%s of %s and %s\n", text_count(a, m.graph.states), text_plural(m.graph.states), text_count(b, m.graph.edges),
              text_plural(m.graph.edges), text_count(c, m.states), text_count(d, m.edges));
  }
  *v = m.verdict;
  m.verdict = (struct verdict){0};
  minimised_close(&m);
  seen_close(&seen, s);
  return bad;
}

/* --minimise and --summary: without the whole graph there is no answer. */
static int of_whole_graph(struct session *s, const struct explore_way *way, FILE *out, struct explored *x) {
  struct report_progress progress;
  struct listener *listeners[1];
  struct run_setup run = {.mem = &s->mem, .model = s->model, .search = way->search, .progress = way->progress, .listeners = listeners, .load_s = s->load_s};
  *x = (struct explored){0};
  session_limits(s, &run.limits);
  struct listener *watch = session_progress(s, &progress);
  if (watch) listeners[run.listener_count++] = watch;
  int summary = options_given(&s->options, OPTION_SUMMARY);
  int bad = summary ? graph_summary(s, &run, out, &x->verdict) : write_minimised(s, &run, out, &x->verdict);
  if (watch) report_progress_clear(&progress);
  if (bad || x->verdict.complete) return bad;
  char why[400];
  err_limit(&s->err, "nothing written: the graph is not whole, %s", report_stop(&x->verdict, why, sizeof why));
  if (x->verdict.advice) err_hint(&s->err, "%s", x->verdict.advice);
  return -1;
}

static int minimising(const struct session *s) { return strcmp(options_text(&s->options, OPTION_MINIMISE), "none") != 0; }

static int usage(struct session *s) {
  int minimise = minimising(s), summary = options_given(&s->options, OPTION_SUMMARY);
  if (minimise && summary) return err_usage(&s->err, "--minimise and --summary exclude each other"), -1;
  if (!minimise && (options_given(&s->options, OPTION_HIDE) || options_given(&s->options, OPTION_SHOW)))
    return err_usage(&s->err, "--hide and --show are for --minimise"), -1;
  if (!summary && options_given(&s->options, OPTION_JSON)) {
    err_usage(&s->err, "--json is for --summary");
    err_hint(&s->err, "--format json writes the graph as JSON");
    return -1;
  }
  return 0;
}

int command_graph(struct session *s) {
  const char *name = options_text(&s->options, OPTION_OUTPUT);
  const struct graph_type *type = graph_find_type(options_text(&s->options, OPTION_GRAPH_FORMAT));
  struct outfile out;
  struct explored x;
  session_budget(s);
  struct explore_way way = {0};
  if (usage(s) || session_load(s, s->options.operand[0]) || explore_way_open(&way, s)) {
    explore_way_close(&way);
    return session_exit_code(&s->err);
  }
  if (outfile_open(&out, *name ? name : "-", &s->err)) {
    explore_way_close(&way);
    return EXIT_OUTPUT;
  }
  int whole = minimising(s) || options_given(&s->options, OPTION_SUMMARY);
  int bad = whole ? of_whole_graph(s, &way, out.stream, &x) : explore_graph(s, type, &way, out.stream, &x), exit_code = bad ? session_exit_code(&s->err) : code(s, &x);
  if (bad && x.verdict.stop == STOP_INTERRUPT) exit_code = EXIT_INTERRUPTED;
  if (bad && s->err.kind == ERR_IO) exit_code = EXIT_OUTPUT;
  if (outfile_close(&out, !bad, &s->err)) exit_code = EXIT_OUTPUT;
  else if (!bad && x.cut) say_partial(s, &x);
  if (!bad && explore_unfolded(&x.verdict) && !options_given(&s->options, OPTION_QUIET)) fprintf(stderr, "%s\n", explore_unfolded(&x.verdict));
  explore_way_close(&way);
  verdict_close(&x.verdict);
  return exit_code;
}
