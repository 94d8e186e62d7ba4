/* sarif.c -- violations as SARIF 2.1.0 (OASIS, 2020), for editors and code scanning.
 *
 * A violated property is a result; its rule is the kind of property; the trace is a code flow with one thread flow, whose locations are the
 * steps in their order, each with what it changes.  What was not decided is no result but a notification of the run: a list of results
 * without it would look like a proof.  Very long traces are cut in their middle: readers take ten thousand locations at most. */
#include "report/ci.h"

#include "base/json.h"
#include "report/trace_view.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 10000, RULES = 32 };

static const struct {
  const char *kind, *name, *text;
} known[] = {
    {"deadlock", "Deadlock", "No reachable state may be without a step unless it is a valid end."},
    {"assert", "Assertion", "An assertion of the model must be true whenever it is executed."},
    {"runtime", "RuntimeError", "No step may go wrong: division by zero, an index out of range, a value that does not fit."},
    {"invariant", "Invariant", "The expression must be true in every reachable state."},
    {"reachable", "Reachable", "Some reachable state must make the expression true."},
    {"ltl", "TemporalProperty", "Every run must satisfy the formula."},
    {"ctl", "BranchingProperty", "The first state must satisfy the branching formula."},
    {"claim", "Claim", "No run may be accepted by the claim."},
    {"automaton", "Automaton", "No run may be accepted by the automaton."},
    {"observer", "Observer", "Every run must please the observer."},
    {"progress", "Progress", "No run may go on for ever without progress."},
    {"acceptance", "Acceptance", "No run may pass accepting states again and again."},
    {"strategy", "Strategy", "There must be a winning strategy."},
    {"channels", "UnboundedChannel", "No channel may grow for ever."},
};

/* ---- rules ---------------------------------------------------------------------------------- */

struct rules {
  const char *kind[RULES];
  size_t count;
};

static size_t rule_of(struct rules *r, const char *kind) {
  size_t i = 0;
  while (i < r->count && strcmp(r->kind[i], kind) != 0) i++;
  if (i == r->count && r->count < RULES) r->kind[r->count++] = kind;
  return i;
}

static void message(struct json_out *j, const char *key, const char *text) {
  json_out_object_flat(j, key);
  json_out_text(j, "text", text);
  json_out_end(j);
}

static void rule(struct json_out *j, const char *kind) {
  const char *name = kind, *text = "A property of the model.";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].kind, kind) == 0) name = known[i].name, text = known[i].text;
  json_out_object(j, NULL);
  json_out_text(j, "id", kind);
  json_out_text(j, "name", name);
  message(j, "shortDescription", text);
  json_out_object_flat(j, "defaultConfiguration");
  json_out_text(j, "level", "error");
  json_out_end(j);
  json_out_end(j);
}

static void tool(struct json_out *j, const struct rules *r) {
  json_out_object(j, "tool");
  json_out_object(j, "driver");
  json_out_text(j, "name", "Thimble");
  json_out_text(j, "version", THIMBLE_VERSION);
  json_out_text(j, "semanticVersion", THIMBLE_VERSION);
  json_out_array(j, "rules");
  for (size_t i = 0; i < r->count; i++) rule(j, r->kind[i]);
  json_out_end(j);
  json_out_end(j);
  json_out_end(j);
}

/* ---- places --------------------------------------------------------------------------------- */

/* A path as a URI reference (RFC 3986). */
static void uri(struct json_out *j, const char *path) {
  static const char plain[] = "-._~/!$&'()*+,;=@";
  char text[4096];
  size_t n = 0;
  if (*path == '/') n = (size_t)snprintf(text, sizeof text, "file://");
  else if (strcspn(path, "/") > strcspn(path, ":")) n = (size_t)snprintf(text, sizeof text, "./"); /* a colon in the first part would be a scheme */
  for (; *path && n + 4 < sizeof text; path++) {
    unsigned char c = (unsigned char)*path;
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || strchr(plain, c) || c == ':') text[n++] = (char)c;
    else n += (size_t)snprintf(text + n, sizeof text - n, "%%%02X", c);
  }
  text[n] = 0;
  json_out_text(j, "uri", text);
}

static void physical(struct json_out *j, struct place_in_text at, const char *otherwise) {
  const char *file = at.file ? at.file : otherwise;
  if (!file) return;
  json_out_object(j, "physicalLocation");
  json_out_object_flat(j, "artifactLocation");
  uri(j, file);
  json_out_end(j);
  if (at.line > 0) {
    json_out_object_flat(j, "region");
    json_out_integer(j, "startLine", at.line);
    if (at.column > 0) json_out_integer(j, "startColumn", at.column);
    json_out_end(j);
  }
  json_out_end(j);
}

/* ---- traces --------------------------------------------------------------------------------- */

struct flow {
  struct json_out *j;
  const struct trace_view *view;
  const char *file;
  uint64_t order;
};

static void changes(struct flow *f, size_t step) {
  const struct trace *t = f->view->trace;
  size_t told = 0;
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++) told += !(t->change[c].words && t->change[c].words->hidden);
  if (!told) return;
  json_out_object(f->j, "state");
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++) {
    const struct trace_words *w = t->change[c].words;
    char number[24];
    if (w && w->hidden) continue;
    snprintf(number, sizeof number, "%lld", (long long)t->change[c].to);
    message(f->j, w ? w->label : f->view->var(f->view->context, t->change[c].var), w ? w->to : number);
  }
  json_out_end(f->j);
}

static void location(struct flow *f, struct place_in_text at, const char *text, const char *process) {
  json_out_object(f->j, "location");
  physical(f->j, at, f->file);
  message(f->j, "message", text);
  json_out_end(f->j);
  json_out_count(f->j, "executionOrder", ++f->order);
  if (process) json_out_text(f->j, "module", process);
}

static void part(struct flow *f, const struct model_part *p, size_t step, int last) {
  char process[120] = "", text[600];
  if (p->process.name) snprintf(process, sizeof process, "%s[%u]", p->process.name, (unsigned)p->process.pid);
  snprintf(text, sizeof text, "%zu: %s%s%s%s%s", step + 1, process, *process ? " " : "", p->statement ? p->statement : f->view->step(f->view->context, f->view->trace, step), p->fault ? ": " : "",
           p->fault ? p->fault : "");
  json_out_object(f->j, NULL);
  location(f, p->place, text, *process ? process : NULL);
  if (p->fault) json_out_text(f->j, "importance", "essential");
  if (last) changes(f, step);
  json_out_end(f->j);
}

static void whole_step(struct flow *f, size_t step) {
  const struct trace *t = f->view->trace;
  char text[600];
  snprintf(text, sizeof text, "%zu: %s", step + 1, f->view->step(f->view->context, t, step));
  json_out_object(f->j, NULL);
  location(f, (struct place_in_text){0}, text, NULL);
  changes(f, step);
  json_out_end(f->j);
}

static void one_step(struct flow *f, size_t step) {
  const struct trace *t = f->view->trace;
  if (!t->part_start || t->part_start[step] == t->part_start[step + 1]) whole_step(f, step);
  else
    for (size_t p = t->part_start[step]; p < t->part_start[step + 1]; p++) part(f, &t->part[p], step, p + 1 == t->part_start[step + 1]);
}

static void left_out(struct flow *f, size_t steps) {
  char text[80];
  snprintf(text, sizeof text, "%zu steps are left out here", steps);
  json_out_object(f->j, NULL);
  location(f, (struct place_in_text){0}, text, NULL);
  json_out_text(f->j, "importance", "unimportant");
  json_out_end(f->j);
}

static void code_flow(struct flow *f, const char *what) {
  const struct trace *t = f->view->trace;
  size_t parts = t->part_start ? t->part_count : t->count, most = parts && t->count * (size_t)LOCATIONS / parts < t->count ? t->count * (size_t)LOCATIONS / parts : t->count;
  size_t head = most < t->count ? most / 2 : t->count, tail = most < t->count ? t->count - most / 2 : t->count;
  json_out_object(f->j, NULL);
  message(f->j, "message", what);
  json_out_array(f->j, "threadFlows");
  json_out_object(f->j, NULL);
  if (t->loop >= 0) {
    json_out_object_flat(f->j, "properties");
    json_out_integer(f->j, "loopFromStep", t->loop);
    json_out_end(f->j);
  }
  json_out_array(f->j, "locations");
  json_out_object(f->j, NULL);
  location(f, (struct place_in_text){0}, "the initial state", NULL);
  json_out_end(f->j);
  for (size_t i = 0; i < head; i++) one_step(f, i);
  if (tail > head) left_out(f, tail - head);
  for (size_t i = tail; i < t->count; i++) one_step(f, i);
  json_out_end(f->j);
  json_out_end(f->j);
  json_out_end(f->j);
  json_out_end(f->j);
}

static void code_flows(struct json_out *j, const struct verdict *v, const struct verdict_property *p, const struct report_setup *how) {
  json_out_array(j, "codeFlows");
  for (size_t i = 0; i < p->evidence_count; i++) {
    const struct trace *t = p->evidence[i].trace;
    struct trace_view view, branch;
    if (!t) continue;
    trace_view_model(&view, t, how->model);
    struct flow f = {j, &view, v->file, 0};
    code_flow(&f, t->loop >= 0 ? "the run, of which the steps behind the loop's beginning repeat for ever" : "the run");
    for (size_t b = 0; b < t->branch_count; b++) {
      view.branch(&view, b, &branch);
      f = (struct flow){j, &branch, v->file, 0};
      code_flow(&f, "a branch of the run");
    }
  }
  json_out_end(j);
}

/* ---- results -------------------------------------------------------------------------------- */

static void result(struct json_out *j, const struct verdict *v, const struct verdict_property *p, const struct report_setup *how, size_t rule_index) {
  char text[800], print[300];
  int traced = 0;
  for (size_t i = 0; i < p->evidence_count; i++) traced |= p->evidence[i].trace != NULL;
  ci_message(p, text, sizeof text);
  json_out_object(j, NULL);
  json_out_text(j, "ruleId", p->kind);
  json_out_count(j, "ruleIndex", rule_index);
  json_out_text(j, "kind", "fail");
  json_out_text(j, "level", "error");
  message(j, "message", text);
  json_out_array(j, "locations");
  json_out_object(j, NULL);
  physical(j, p->place.line ? p->place : (struct place_in_text){0}, v->file);
  json_out_array(j, "logicalLocations");
  json_out_object_flat(j, NULL);
  json_out_text(j, "name", p->id);
  json_out_text(j, "kind", "member");
  json_out_end(j);
  json_out_end(j);
  json_out_end(j);
  json_out_end(j);
  snprintf(print, sizeof print, "%s:%s", trace_base_name(v->file ? v->file : ""), p->id);
  json_out_object_flat(j, "partialFingerprints");
  json_out_text(j, "thimble/property/v1", print);
  json_out_end(j);
  if (traced && how->model) code_flows(j, v, p, how);
  json_out_end(j);
}

static void notification(struct json_out *j, const char *level, const char *text, struct place_in_text at, const char *file) {
  json_out_object(j, NULL);
  json_out_text(j, "level", level);
  message(j, "message", text);
  if (at.file || file) {
    json_out_array(j, "locations");
    json_out_object(j, NULL);
    physical(j, at, file);
    json_out_end(j);
    json_out_end(j);
  }
  json_out_end(j);
}

static void invocation(struct json_out *j, const struct verdict *v, const struct report_setup *how) {
  const struct err *e = how->err && how->err->kind != ERR_NONE ? how->err : NULL;
  char text[900], why[600];
  json_out_array(j, "invocations");
  json_out_object(j, NULL);
  json_out_bool(j, "executionSuccessful", v->kind != VERDICT_ERROR);
  json_out_integer(j, "exitCode", verdict_exit_code(v));
  json_out_text(j, "exitCodeDescription", verdict_name(v->kind));
  json_out_array(j, "toolExecutionNotifications");
  if (v->kind == VERDICT_ERROR)
    notification(j, "error", e ? e->message : "the run ended in an error", e ? (struct place_in_text){e->file[0] ? e->file : NULL, e->line, e->column} : (struct place_in_text){0}, v->file);
  for (size_t i = 0; i < v->property_count; i++) {
    if (v->property[i].status != STATUS_UNKNOWN) continue;
    ci_reason(v, why, sizeof why);
    snprintf(text, sizeof text, "%s: %s", v->property[i].id, why);
    notification(j, v->kind == VERDICT_VIOLATED ? "note" : "warning", text, (struct place_in_text){0}, v->file);
  }
  if (!v->property_count && v->kind == VERDICT_INCOMPLETE) ci_reason(v, why, sizeof why), notification(j, "warning", why, (struct place_in_text){0}, v->file);
  json_out_end(j);
  json_out_end(j);
  json_out_end(j);
}

int report_sarif(const struct verdict *v, const struct report_setup *how, FILE *out) {
  struct json_out j;
  struct rules rules = {0};
  for (size_t i = 0; i < v->property_count; i++) rule_of(&rules, v->property[i].kind);
  json_out_open(&j, out, 1);
  json_out_object(&j, NULL);
  json_out_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json_out_text(&j, "version", "2.1.0");
  json_out_array(&j, "runs");
  json_out_object(&j, NULL);
  tool(&j, &rules);
  invocation(&j, v, how);
  json_out_text(&j, "columnKind", "unicodeCodePoints");
  json_out_array(&j, "results");
  for (size_t i = 0; i < v->property_count; i++)
    if (v->property[i].status == STATUS_VIOLATED) result(&j, v, &v->property[i], how, rule_of(&rules, v->property[i].kind));
  json_out_end(&j);
  json_out_end(&j);
  json_out_end(&j);
  json_out_end(&j);
  return json_out_close(&j);
}
