/* cmd_trace.c -- thimble trace: a trace file as a story or in another format. */
#include "cli/outfile.h"
#include "cli/session.h"
#include "base/text.h"
#include "report/trace_view.h"

#include <errno.h>
#include <string.h>

command_run command_trace;

static int format_known(struct session *s, const char *format) {
  static const char *const known[] = {"text", "json", "itf", NULL}, *const later[] = {"mermaid", "msc", "svg", NULL};
  char quoted[80];
  for (size_t i = 0; known[i]; i++)
    if (strcmp(known[i], format) == 0) return 1;
  for (size_t i = 0; later[i]; i++)
    if (strcmp(later[i], format) == 0) {
      err_usage(&s->err, "the format %s is not in this version", format);
      err_hint(&s->err, "there are: text, json, itf");
      return 0;
    }
  const char *near = text_nearest(format, known);
  err_usage(&s->err, "--format takes text, json or itf, not '%s'", err_quote(quoted, sizeof quoted, format, strlen(format)));
  if (near) err_hint(&s->err, "did you mean %s?", near);
  return 0;
}

static void heading(const struct trace_view *v, int colour, FILE *out) {
  char name[256];
  const struct trace *t = v->trace;
  const char *bold = report_colour(colour, BOLD), *plain = report_colour(colour, PLAIN);
  fprintf(out, "%s%s%s", bold, report_name(name, sizeof name, v->file ? v->file : "a trace"), plain);
  if (t->property[0]) fprintf(out, ": %s %s", report_name(name, sizeof name, t->property), t->verdict);
  if (v->property_text) fprintf(out, ": %s", report_name(name, sizeof name, v->property_text));
  fprintf(out, "\n%zu step%s%s\n", t->count, t->count == 1 ? "" : "s", t->shortest ? ", the shortest there is" : "");
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
  FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
  if (!in) {
    err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
    return EXIT_MODEL;
  }
  struct trace_file *file = NULL;
  int bad = trace_file_read(&file, in, name, &s->mem, &s->err), code = bad ? session_exit_code(&s->err) : EXIT_HOLDS;
  if (in != stdin) fclose(in);
  if (bad) return code;
  struct trace_view view;
  struct outfile out;
  trace_file_view(file, &view);
  if (outfile_open(&out, *output ? output : "-", &s->err)) code = EXIT_OUTPUT;
  else {
    write_as(s, format, &view, out.stream);
    if (s->err.kind != ERR_NONE) code = session_exit_code(&s->err);
    if (outfile_close(&out, s->err.kind == ERR_NONE, &s->err)) code = EXIT_OUTPUT;
  }
  trace_file_close(file);
  return code;
}
