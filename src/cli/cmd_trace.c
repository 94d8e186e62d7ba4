/* cmd_trace.c -- thimble trace: a trace file as a story, as a message sequence chart, or in another format. */
#include "cli/outfile.h"
#include "cli/session.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/chart_map.h"
#include "report/trace_view.h"

#include <errno.h>
#include <string.h>

command_run command_trace;

static int format_known(struct session *s, const char *format) {
  static const char *const known[] = {"text", "json", "itf", "msc", "mermaid", "svg", NULL};
  char quoted[80];
  for (size_t i = 0; known[i]; i++)
    if (strcmp(known[i], format) == 0) return 1;
  const char *near = text_nearest(format, known);
  err_usage(&s->err, "--format takes text, json, itf, msc, mermaid or svg, not '%s'", err_quote(quoted, sizeof quoted, format, strlen(format)));
  if (near) err_hint(&s->err, "did you mean %s?", near);
  return 0;
}

static int is_chart(const char *format) { return strcmp(format, "msc") == 0 || strcmp(format, "mermaid") == 0 || strcmp(format, "svg") == 0; }

static void heading(const struct trace_view *v, int colour, FILE *out) {
  char name[256];
  const struct trace *t = v->trace;
  const char *bold = report_colour(colour, BOLD), *plain = report_colour(colour, PLAIN);
  fprintf(out, "%s%s%s", bold, report_name(name, sizeof name, v->file ? v->file : "a trace"), plain);
  if (t->property[0]) fprintf(out, ": %s %s", report_name(name, sizeof name, t->property), t->verdict);
  if (v->property_text) fprintf(out, ": %s", report_name(name, sizeof name, v->property_text));
  fprintf(out, "\n%zu step%s%s\n", t->count, t->count == 1 ? "" : "s", t->shortest ? ", the shortest there is" : "");
}

static int write_one_chart(struct session *s, const char *format, const struct trace_view *v, const struct chart_map *map, FILE *out) {
  struct chart chart;
  struct chart_drawing how = {.colour = session_colour(s, out)};
  if (chart_make(&chart, v, map, &s->mem, &s->err)) return -1;
  int bad = strcmp(format, "svg") == 0 ? chart_write_svg(&chart, out) : strcmp(format, "mermaid") == 0 ? chart_write_mermaid(&chart, out) : chart_write_text(&chart, &how, out);
  if (bad && !ferror(out)) err_memory(&s->err, "a chart");
  chart_close(&chart);
  return bad;
}

/* A chart; for the terminal also those of further runs. */
static int write_chart(struct session *s, const char *format, const struct trace_view *v, const struct chart_map *map, FILE *out) {
  if (strcmp(format, "msc") != 0) return write_one_chart(s, format, v, map, out);
  heading(v, session_colour(s, out), out);
  int bad = write_one_chart(s, format, v, map, out);
  for (size_t i = 0; i < v->trace->branch_count && !bad; i++) {
    struct trace_view run;
    v->branch(v, i, &run);
    fprintf(out, "\nrun %zu, which leaves run %zu after step %zu\n", i + 2, v->trace->branch[i].of + 1, v->trace->branch[i].at);
    bad = write_one_chart(s, format, &run, map, out);
  }
  return bad;
}

static int read_map(struct session *s, const char *format, struct chart_map **out) {
  const char *name = options_text(&s->options, OPTION_MAP);
  if (!*name) return 0;
  if (!is_chart(format)) return err_usage(&s->err, "--map is for charts: --format msc, mermaid or svg");
  FILE *in = fopen(name, "re");
  if (!in) return err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
  int bad = chart_map_read(out, in, name, &s->mem, &s->err);
  fclose(in);
  return bad;
}

static int write_as(struct session *s, const char *format, const struct trace_view *v, FILE *out) {
  if (strcmp(format, "json") == 0) return trace_write_json(v, out);
  if (strcmp(format, "itf") == 0) return trace_write_itf(v, &s->mem, out, &s->err);
  struct trace_telling story = {.colour = session_colour(s, out)};
  heading(v, story.colour, out);
  int bad = trace_write_text(v, &story, out);
  if (v->trace->message[0]) {
    char text[300];
    int branching = v->property_kind && strcmp(v->property_kind, "ctl") == 0; /* says itself where it is so */
    fprintf(out, "  %s%s\n", branching ? "" : "here ", report_name(text, sizeof text, v->trace->message));
    trace_write_branches(v, &story, out);
  } else if (v->trace->verdict[0] && v->property_kind && strcmp(v->property_kind, "deadlock") == 0) {
    fputs("  here nothing can happen any more\n", out);
    trace_write_stands(v, out);
  }
  return bad;
}

int command_trace(struct session *s) {
  const char *name = s->options.operand[0], *format = options_text(&s->options, OPTION_TRACE_FORMAT);
  const char *output = options_text(&s->options, OPTION_OUTPUT);
  if (!format_known(s, format)) return EXIT_USAGE;
  session_budget(s);
  struct chart_map *map = NULL;
  if (read_map(s, format, &map)) return session_exit_code(&s->err);
  FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
  if (!in) {
    err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
    chart_map_close(map);
    return EXIT_MODEL;
  }
  struct trace_file *file = NULL;
  int bad = trace_file_read(&file, in, name, &s->mem, &s->err), code = bad ? session_exit_code(&s->err) : EXIT_HOLDS;
  if (in != stdin) fclose(in);
  if (bad) {
    chart_map_close(map);
    return code;
  }
  struct trace_view view;
  struct outfile out;
  trace_file_view(file, &view);
  if (outfile_open(&out, *output ? output : "-", &s->err)) code = EXIT_OUTPUT;
  else {
    if (is_chart(format)) write_chart(s, format, &view, map, out.stream);
    else write_as(s, format, &view, out.stream);
    if (s->err.kind != ERR_NONE) code = session_exit_code(&s->err);
    if (outfile_close(&out, s->err.kind == ERR_NONE, &s->err)) code = EXIT_OUTPUT;
  }
  trace_file_close(file);
  chart_map_close(map);
  return code;
}
