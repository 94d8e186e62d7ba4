/* junit.c -- a verdict as JUnit XML, the format that every build server reads (there is no standard; this is what Jenkins' and
 * GitLab's readers have in common).
 *
 * A property is a test case: it fails with the story of its trace; one that is not decided because another was violated before is skipped;
 * one that a limit left open is an error, so that nobody takes it for a pass.  A model that cannot be read is a test case of its own. */
#include "report/ci.h"
#include "report/escape.h"
#include "report/trace_view.h"

struct junit {
  const struct verdict *v;
  const struct report_setup *how;
  FILE *out, *text; /* text: escaped on its way to out */
};

enum { STORY_ENDS = 500 }; /* steps told at each end of a long trace */

enum outcome { PASSED, FAILED, SKIPPED, UNDECIDED };

static enum outcome outcome(const struct verdict *v, const struct verdict_property *p) {
  if (p->status == STATUS_HOLDS) return PASSED;
  if (p->status == STATUS_VIOLATED) return FAILED;
  return v->kind == VERDICT_VIOLATED ? SKIPPED : UNDECIDED;
}

/* key="text" */
static void attribute(struct junit *j, const char *key, const char *text) {
  fprintf(j->out, " %s=\"", key);
  escape_xml(j->out, text);
  fputc('"', j->out);
}

static void counts(struct junit *j, size_t tests, size_t failed, size_t undecided, size_t skipped, double seconds) {
  fprintf(j->out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\"", tests, failed, undecided, skipped, seconds);
}

static void figures(struct junit *j) {
  const struct verdict *v = j->v;
  const struct {
    const char *name;
    unsigned long long value;
  } rows[] = {{"states", v->stats.states}, {"transitions", v->stats.transitions}, {"depth", v->stats.depth}, {"memory.budget_bytes", v->budget}, {"memory.peak_bytes", v->peak}};
  fputs("    <properties>\n", j->out);
  fputs("      <property name=\"verdict\"", j->out);
  attribute(j, "value", verdict_name(v->kind));
  fputs("/>\n", j->out);
  for (size_t i = 0; i < v->options; i++) {
    fputs("      <property name=\"option\"", j->out);
    attribute(j, "value", v->option[i]);
    fputs("/>\n", j->out);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) fprintf(j->out, "      <property name=\"%s\" value=\"%llu\"/>\n", rows[i].name, rows[i].value);
  fputs("    </properties>\n", j->out);
}

static void story(struct junit *j, const struct verdict_property *p) {
  const struct trace *t = p->evidence_count ? p->evidence[0].trace : NULL;
  struct trace_view view;
  if (p->text) fprintf(j->text, "%s\n", p->text);
  if (t && j->how->model) {
    trace_view_model(&view, t, j->how->model);
    view.property_kind = p->kind;
    view.property_text = p->text;
    struct trace_telling telling = {.head = STORY_ENDS, .tail = STORY_ENDS, .whole = p->evidence[0].file};
    trace_write_text(&view, &telling, j->text);
    if (t->message[0]) fprintf(j->text, "%s\n", t->message);
    trace_write_branches(&view, &telling, j->text);
    if (p->evidence[0].file) fprintf(j->text, "trace: %s\n", p->evidence[0].file);
  }
  fflush(j->text);
}

static void test_case(struct junit *j, const struct verdict_property *p) {
  const char *file = j->v->file ? j->v->file : "model";
  char text[800];
  fputs("    <testcase", j->out);
  attribute(j, "classname", trace_base_name(file));
  attribute(j, "name", p->id);
  fputs(" time=\"0\"", j->out);
  if (p->place.line) {
    attribute(j, "file", p->place.file ? p->place.file : file);
    fprintf(j->out, " line=\"%ld\"", p->place.line);
  }
  switch (outcome(j->v, p)) {
  case PASSED: fputs("/>\n", j->out); return;
  case FAILED:
    ci_message(p, text, sizeof text);
    fputs(">\n      <failure", j->out);
    attribute(j, "message", text);
    attribute(j, "type", p->kind);
    fputc('>', j->out);
    story(j, p);
    fputs("</failure>\n", j->out);
    break;
  case SKIPPED:
    ci_reason(j->v, text, sizeof text);
    fputs(">\n      <skipped", j->out);
    attribute(j, "message", text);
    fputs("/>\n", j->out);
    break;
  case UNDECIDED:
    ci_reason(j->v, text, sizeof text);
    fputs(">\n      <error", j->out);
    attribute(j, "message", text);
    attribute(j, "type", verdict_name(j->v->kind));
    fputs("/>\n", j->out);
  }
  fputs("    </testcase>\n", j->out);
}

/* There was nothing to judge: the model, or the run, is what failed. */
static void no_run(struct junit *j) {
  const struct err *e = j->how->err;
  const char *message = e && e->kind != ERR_NONE ? e->message : "the run ended before anything was judged", *file = j->v->file ? j->v->file : "model";
  fputs("    <testcase", j->out);
  attribute(j, "classname", trace_base_name(file));
  fputs(" name=\"run\" time=\"0\"", j->out);
  if (e && e->line) {
    attribute(j, "file", e->file[0] ? e->file : file);
    fprintf(j->out, " line=\"%ld\"", e->line);
  }
  fputs(">\n      <error", j->out);
  attribute(j, "message", message);
  attribute(j, "type", verdict_name(j->v->kind));
  fputc('>', j->out);
  if (e && e->line) fprintf(j->text, "%s:%ld:%ld: %s\n", e->file, e->line, e->column, message);
  if (e && e->hint[0]) fprintf(j->text, "%s\n", e->hint);
  fflush(j->text);
  fputs("</error>\n    </testcase>\n", j->out);
}

int report_junit(const struct verdict *v, const struct report_setup *how, FILE *out) {
  struct junit j = {.v = v, .how = how, .out = out, .text = escape_in_xml(out)};
  size_t n[4] = {0}, tests = v->property_count;
  if (!j.text) return -1;
  for (size_t i = 0; i < v->property_count; i++) n[outcome(v, &v->property[i])]++;
  int nothing = v->kind == VERDICT_ERROR || (!v->property_count && v->kind != VERDICT_HOLDS);
  if (nothing) tests++, n[UNDECIDED]++;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"thimble\"", out);
  counts(&j, tests, n[FAILED], n[UNDECIDED], n[SKIPPED], v->total_s);
  fputs(">\n  <testsuite", out);
  attribute(&j, "name", v->file ? v->file : "model");
  counts(&j, tests, n[FAILED], n[UNDECIDED], n[SKIPPED], v->total_s);
  fputs(">\n", out);
  figures(&j);
  for (size_t i = 0; i < v->property_count; i++) test_case(&j, &v->property[i]);
  if (nothing) no_run(&j);
  fputs("  </testsuite>\n</testsuites>\n", out);
  int bad = fclose(j.text);
  return bad || ferror(out) ? -1 : 0;
}
