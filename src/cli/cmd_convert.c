/* cmd_convert.c -- thimble convert: the same model in another language.
 *
 * A language that can write itself is asked to; an explicit graph can be made of any finite
 * model, by exploring it. */
#include "cli/explore.h"
#include "cli/outfile.h"
#include "front/front.h"

#include <string.h>

command_run command_convert;

static const struct front_type *wanted(struct session *s, const char *output) {
  const char *to = options_text(&s->options, OPTION_TO);
  char quoted[80];
  const struct front_type *f = NULL;
  if (*to) {
    f = front_find(to);
    if (!f) err_usage(&s->err, "there is no language '%s'", err_quote(quoted, sizeof quoted, to, strlen(to)));
  } else if (!*output || strcmp(output, "-") == 0) {
    err_usage(&s->err, "convert needs an output: -o FILE, or --to LANGUAGE");
  } else {
    f = front_for_file(output);
    if (!f) err_usage(&s->err, "the suffix of '%s' tells no language", err_quote(quoted, sizeof quoted, output, strlen(output)));
  }
  if (f) return f;
  char list[160] = "";
  for (size_t i = 0; front_types[i]; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", front_types[i]->name);
  }
  err_hint(&s->err, "languages: %s", list);
  return NULL;
}

/* 0; otherwise the exit code. */
static int by_exploring(struct session *s, FILE *out) {
  struct explored x;
  int code = 0;
  if (explore_graph(s, graph_find_type("aut"), &(struct explore_way){.search = &search_bfs}, out, &x)) code = session_exit_code(&s->err);
  else if (x.cut) {
    code = x.verdict.stop == STOP_INTERRUPT ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
    char why[400];
    fprintf(stderr, "nothing written: the state space is not complete, %s\n", report_stop(&x.verdict, why, sizeof why));
    if (x.verdict.advice) fprintf(stderr, "%s\n", x.verdict.advice);
  }
  verdict_close(&x.verdict);
  return code;
}

int command_convert(struct session *s) {
  const char *output = options_text(&s->options, OPTION_OUTPUT);
  const struct front_type *to = wanted(s, output);
  struct outfile out;
  if (!to) return EXIT_USAGE;
  session_budget(s);
  if (options_given(&s->options, OPTION_CONVERT_UNFOLD)) s->unfold = FRONT_UNFOLD_ALWAYS;
  else if (strcmp(to->name, "aut") != 0) s->unfold = to->coloured ? FRONT_UNFOLD_NEVER : FRONT_UNFOLD_ALWAYS;
  int draws = strcmp(to->name, "aut") != 0; /* a drawing is written as it is, whatever it needs; a graph is that of a state space */
  if (draws ? session_load_to_look(s, s->options.operand[0]) : session_load(s, s->options.operand[0])) return session_exit_code(&s->err);
  int code = 0, explore = strcmp(to->name, "aut") == 0 && strcmp(s->model->language, "aut") != 0;
  if (!explore && !to->save) {
    err_usage(&s->err, "models cannot be written as %s", to->name);
    return EXIT_USAGE;
  }
  if (outfile_open(&out, *output ? output : "-", &s->err)) return EXIT_OUTPUT;
  if (explore) code = by_exploring(s, out.stream);
  else if (to->save(s->model, out.stream, &s->err)) code = s->err.kind == ERR_IO ? EXIT_OUTPUT : session_exit_code(&s->err); /* all that it does to files is to write */
  if (outfile_close(&out, !code, &s->err)) return EXIT_OUTPUT;
  return code;
}
