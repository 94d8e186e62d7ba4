/* check_files.c -- see check_files.h.
 *
 * The report is made while model and traces are still there: what `thimble report` would make of the files later. */
#include "cli/check_files.h"

#include "cli/outfile.h"
#include "cli/report_parts.h"
#include "report/ci.h"
#include "report/coverage.h"

#include <string.h>

static const enum option_id options[] = {OPTION_REPORT, OPTION_JUNIT, OPTION_SARIF};

int check_files_named(const struct options *o, struct err *e) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (!options_given(o, options[i]) || strcmp(options_text(o, options[i]), "-") != 0) continue;
    err_usage(e, "standard output is for the verdict: --%s needs a file", option_specs[options[i]].name);
    return -1;
  }
  return 0;
}

/* ---- the report ----------------------------------------------------------------------------- */

static int add_traces(struct html *h, struct report_parts *parts, struct session *s, const struct verdict *v) {
  size_t missing = 0;
  html_traces(h);
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    for (size_t k = 0; k < p->evidence_count; k++) {
      struct trace_view view;
      if (!p->evidence[k].trace) {
        missing++;
        continue;
      }
      trace_view_model(&view, p->evidence[k].trace, s->model);
      view.property_kind = p->kind;
      view.property_text = p->text;
      if (report_parts_trace(parts, h, p->evidence[k].file ? p->evidence[k].file : p->id, &view, NULL)) return -1;
    }
  }
  return missing ? report_parts_note(parts, "%zu run%s could not be kept: memory, or a step that is too long to be confirmed.", missing, missing == 1 ? "" : "s") : 0;
}

static int add_files(struct report_parts *parts, struct session *s, const struct verdict *v, const struct report_setup *how) {
  int bad = report_parts_file(parts, v->file);
  for (size_t i = 0; i < v->property_count && !bad; i++)
    if (v->property[i].place.line) bad = report_parts_file(parts, v->property[i].place.file);
  for (size_t i = 0; how->coverage && i < how->coverage->count && !bad; i++)
    if (how->coverage->row[i].place.line) bad = report_parts_file(parts, how->coverage->row[i].place.file);
  if (!bad && s->err.kind != ERR_NONE && s->err.line) bad = report_parts_file(parts, s->err.file);
  if (!bad && v->file && strcmp(v->file, "-") == 0) bad = report_parts_note(parts, "The model came from standard input: its text is not here.");
  return bad;
}

static int write_report(struct session *s, const struct verdict *v, const struct report_setup *how, FILE *out, struct err *e) {
  struct report_parts parts;
  struct html html;
  report_parts_open(&parts, &s->mem);
  parts.trusted = v->file;
  parts.folders = s->folders;
  int bad = html_open(&html, v->file ? trace_base_name(v->file) : "model", out);
  if (!bad) {
    report_json(v, how, html_verdict(&html));
    bad = add_files(&parts, s, v, how) || report_parts_folder(&parts, NULL) || add_traces(&html, &parts, s, v) || report_parts_write(&parts, &html, e);
    if (bad) page_close(&html.page);
    else html_close(&html);
  }
  report_parts_close(&parts);
  return bad && e->kind == ERR_NONE ? err_memory(e, "the report") : bad;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int write_file(struct session *s, enum option_id option, const struct verdict *v, const struct report_setup *how) {
  struct outfile out;
  struct err e;
  err_clear(&e);
  int bad = outfile_open(&out, options_text(&s->options, option), &e);
  if (!bad) {
    if (option == OPTION_REPORT) bad = write_report(s, v, how, out.stream, &e);
    else if ((option == OPTION_JUNIT ? report_junit : report_sarif)(v, how, out.stream) && !ferror(out.stream)) bad = err_memory(&e, "a report");
    if (outfile_close(&out, !bad, &e)) bad = -1;
  }
  if (bad) session_tell(s, &e);
  return bad;
}

int check_files_write(struct session *s, const struct verdict *v, const struct report_setup *how) {
  int bad = 0;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (options_given(&s->options, options[i]) && write_file(s, options[i], v, how)) bad = -1;
  return bad;
}
