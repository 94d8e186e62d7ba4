/* cmd_graph.c -- thimble graph: the reachability graph as a file. */
#include "cli/explore.h"
#include "cli/outfile.h"
#include "base/text.h"

#include <string.h>

command_run command_graph;

static void say_partial(const struct session *s, const struct explored *x) {
  if (options_given(&s->options, OPTION_QUIET)) return;
  const struct verdict *v = &x->verdict;
  fprintf(stderr, "partial graph: stopped by %s", verdict_stop_name(v));
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

int command_graph(struct session *s) {
  const char *name = options_text(&s->options, OPTION_OUTPUT);
  const struct graph_type *type = graph_find_type(options_text(&s->options, OPTION_GRAPH_FORMAT));
  struct outfile out;
  struct explored x;
  session_budget(s);
  if (session_load(s, s->options.operand[0])) return session_exit_code(&s->err);
  if (outfile_open(&out, *name ? name : "-", &s->err)) return EXIT_OUTPUT;
  int bad = explore_graph(s, type, out.stream, &x), exit_code = bad ? session_exit_code(&s->err) : code(s, &x);
  if (bad && s->err.kind == ERR_IO) exit_code = EXIT_OUTPUT;
  if (outfile_close(&out, !bad, &s->err)) exit_code = EXIT_OUTPUT;
  else if (!bad && x.cut) say_partial(s, &x);
  verdict_close(&x.verdict);
  return exit_code;
}
