/* main.c -- thimble-audit CERTIFICATE [MODEL]: confirms what thimble check --certificate has written, or says why not.
 *
 * Exit codes: 0 it holds, confirmed; 1 it is violated, confirmed; 2 usage; 3 the certificate is damaged or about another model; 4 not confirmed, or not covered. */
#include "audit/audit.h"
#include "base/json.h"
#include "base/quantity.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { HOLDS = 0, VIOLATED = 1, USAGE = 2, BAD = 3, NOT_CONFIRMED = 4 };

static int refuse(struct audit *a, int code, const char *format, va_list args) {
  if (!a->exit) vsnprintf(a->why, sizeof a->why, format, args), a->exit = code;
  return -1;
}

int audit_bad(struct audit *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  refuse(a, BAD, format, args);
  va_end(args);
  return -1;
}

int audit_not(struct audit *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  refuse(a, NOT_CONFIRMED, format, args);
  va_end(args);
  return -1;
}

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* May this kind of evidence show this? What the definition does not tell cannot be shown at all. */
static int sensible(struct audit *a, const struct audit_claim *c) {
  int reachable = is(c->kind, "reachable"), steps = is(c->kind, "assert") || is(c->kind, "runtime"), states = steps || is(c->kind, "deadlock") || is(c->kind, "invariant");
  int all = is(c->status, reachable ? "violated" : "holds"), one = is(c->status, reachable ? "holds" : "violated");
  if (is(c->evidence, "none") || (is(c->evidence, "set") && (reachable || states) && all) || (is(c->evidence, "trace") && (reachable || states || is(c->kind, "ltl")) && one))
    return steps && !is(c->evidence, "none") && !a->model->type->define_all ? audit_bad(a, "%s cannot be confirmed for a %s", c->id, a->kind) : 0;
  return audit_bad(a, "%s cannot be shown by a %s", c->id, c->evidence);
}

/* Reads all of it, and confirms on the way what each part is to show. */
static int confirm(struct audit *a) {
  size_t next = 0;
  int there, set = 0;
  for (size_t i = 0; i < a->claims.count; i++)
    if (sensible(a, &a->claims.at[i])) return -1;
  while ((there = sealed_next(a, &a->records)) > 0 && is(a->records.tag, "TRAC")) {
    while (next < a->claims.count && !is(a->claims.at[next].evidence, "trace")) next++;
    if (next == a->claims.count) return audit_bad(a, "it has a trace of nothing");
    if (follow_check(a, &a->claims.at[next++])) return -1;
  }
  if (there > 0 && (set = is(a->records.tag, "STAT")) && closure_check(a)) return -1;
  if (there <= 0 || !is(a->records.tag, "ENDS") || a->records.data.count != 24) return audit_bad(a, "the file is cut off");
  if (sealed_fixed(a->records.data.at, 8) != a->states || sealed_fixed(a->records.data.at + 16, 8) != a->records.sums) return audit_bad(a, "records are missing, or were put in");
  if (a->records.next != a->records.size) return audit_bad(a, "there is something behind its end");
  for (size_t i = 0; i < a->claims.count; i++)
    if (!a->claims.at[i].confirmed && !is(a->claims.at[i].evidence, "none")) return audit_bad(a, "it has no %s for %s", a->claims.at[i].evidence, a->claims.at[i].id);
  return !set && !a->claims.count ? audit_bad(a, "it says nothing") : 0;
}

/* What follows for the verdict: one confirmed violation is enough for that; a verdict that all is well needs all of them. */
static int conclude(struct audit *a) {
  size_t violated = 0, open = 0;
  for (size_t i = 0; i < a->claims.count; i++) {
    const struct audit_claim *c = &a->claims.at[i];
    violated += is(c->status, "violated") && c->confirmed;
    open += !c->confirmed;
    if (is(a->verdict, "holds") && !is(c->status, "holds")) return audit_bad(a, "it contradicts itself: the verdict is holds, and %s is %s", c->id, c->status);
  }
  if (is(a->verdict, "violated")) return violated ? a->exit = VIOLATED : audit_not(a, "no violation is covered by the certificate");
  if (!is(a->verdict, "holds")) return audit_bad(a, "its verdict is neither holds nor violated");
  return open ? audit_not(a, "%zu of %zu properties are not covered by the certificate", open, a->claims.count) : 0;
}

static const char *result_of(const struct audit *a) { return a->exit == HOLDS || a->exit == VIOLATED ? "confirmed" : a->exit == BAD ? "bad certificate" : "not confirmed"; }

static const char *said(const struct audit_claim *c) { return c->confirmed ? "confirmed" : is(c->evidence, "none") ? "not covered" : "not confirmed"; }

static void tell(const struct audit *a, const char *file, int json) {
  if (json) {
    struct json_out j;
    json_out_open(&j, stdout, 1);
    json_out_object(&j, NULL);
    json_out_text(&j, "schema", "thimble.audit/1");
    json_out_text(&j, "result", result_of(a));
    json_out_text(&j, "verdict", a->verdict);
    json_out_text(&j, "model", file);
    json_out_text(&j, "reason", *a->why ? a->why : NULL);
    json_out_count(&j, "states", a->states);
    json_out_count(&j, "successors", a->successors);
    json_out_array(&j, "properties");
    for (size_t i = 0; i < a->claims.count; i++) {
      json_out_object_flat(&j, NULL);
      json_out_text(&j, "id", a->claims.at[i].id);
      json_out_text(&j, "status", a->claims.at[i].status);
      json_out_text(&j, "evidence", a->claims.at[i].evidence);
      json_out_text(&j, "audit", said(&a->claims.at[i]));
      json_out_end(&j);
    }
    json_out_end(&j);
    json_out_end(&j);
    json_out_close(&j);
    return;
  }
  printf("%s: %s%s%s%s%s\n", result_of(a), a->name, a->verdict ? " says " : "", a->verdict ? a->verdict : "", *a->why ? ": " : "", a->why);
  if (a->states) printf("  %" PRIu64 " states, %" PRIu64 " steps from them\n", a->states, a->successors);
  for (size_t i = 0; i < a->claims.count; i++) printf("  %-13s  %s %s\n", said(&a->claims.at[i]), a->claims.at[i].id, a->claims.at[i].status);
}

static int usage(int code) {
  fputs("usage: thimble-audit [--memory SIZE] [--json] CERTIFICATE [MODEL]\nConfirms the verdict that thimble check --certificate CERTIFICATE has written; MODEL is where the model is now.\n", code ? stderr : stdout);
  return code;
}

int main(int argc, char **argv) {
  struct audit a = {0};
  const char *model = NULL;
  uint64_t memory = mem_machine() / 5 * 4;
  int json = 0;
  for (int i = 1; i < argc; i++) {
    if (is(argv[i], "--json")) json = 1;
    else if (is(argv[i], "--help")) return usage(0);
    else if (is(argv[i], "--version")) return puts("thimble-audit " THIMBLE_VERSION), 0;
    else if (is(argv[i], "--memory") && i + 1 < argc) {
      if (quantity_size(argv[++i], mem_machine(), &memory)) return usage(USAGE);
    } else if (*argv[i] == '-' || model) return usage(USAGE);
    else if (a.name) model = argv[i];
    else a.name = argv[i];
  }
  if (!a.name) return usage(USAGE);
  mem_open(&a.mem, (size_t)memory);
  int bad = sealed_head(&a);
  if (!model) model = a.model_name;
  if (!bad) bad = semantics_load(&a, model) || confirm(&a);
  if (!bad) conclude(&a);
  tell(&a, model, json);
  sealed_close(&a, &a.records);
  for (size_t i = 0; i < a.claims.count; i++) expr_close(a.claims.at[i].expr);
  vec_free(&a.claims, &a.mem);
  vec_free(&a.inputs, &a.mem);
  vec_free(&a.options, &a.mem);
  vec_free(&a.packed, &a.mem);
  mem_free(&a.mem, a.values);
  mem_free(&a.mem, a.head);
  model_close(a.model);
  return a.exit;
}
