/* main.c -- thimble-audit CERTIFICATE [MODEL]: confirms what thimble check --certificate has written, or says why not.
 *
 * Exit codes: 0 it holds, confirmed; 1 it is violated, confirmed; 2 usage; 3 the certificate is damaged or about another model; 4 not confirmed, or not covered. */
#include "audit/audit.h"
#include "base/quantity.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>

int audit_say(struct audit *a, int code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!a->exit) vsnprintf(a->why, sizeof a->why, format, args), a->exit = code;
  va_end(args);
  return -1;
}

int audit_memory(struct audit *a) { return audit_not(a, "there is not enough memory: --memory"); }

/* May this kind of evidence show this? What the definition does not tell cannot be shown at all. */
static int sensible(struct audit *a, const struct claim *c) {
  int reachable = is(c->kind, "reachable"), steps = is(c->kind, "assert") || is(c->kind, "runtime"), states = steps || reachable || is(c->kind, "deadlock") || is(c->kind, "invariant");
  int by_set = is(c->evidence, "set") && states && is(c->status, reachable ? "violated" : "holds");
  int by_trace = is(c->evidence, "trace") && (states || is(c->kind, "ltl")) && is(c->status, reachable ? "holds" : "violated");
  if (is(c->evidence, "none") || ((by_set || by_trace) && (!steps || a->model->type->define_all))) return 0;
  return audit_bad(a, "%s cannot be shown by a %s", c->id, c->evidence);
}

/* Reads all of it, and confirms on the way what each part is to show. */
static int confirm(struct audit *a) {
  struct sealed *s = &a->sealed;
  size_t next = 0;
  for (size_t i = 0; i < a->claims.count; i++)
    if (sensible(a, &a->claims.at[i])) return -1;
  int there = sealed_next(a, s);
  for (; there > 0 && is(s->tag, "TRAC"); there = sealed_next(a, s)) {
    while (next < a->claims.count && !is(a->claims.at[next].evidence, "trace")) next++;
    if (next == a->claims.count) return audit_bad(a, "it has a trace of nothing");
    if (follow_check(a, &a->claims.at[next++])) return -1;
  }
  if (there > 0 && is(s->tag, "STAT") && closure_check(a)) return -1;
  if (a->states && is(s->tag, "INDX")) there = sealed_next(a, s); /* for those who look for single states */
  if (there <= 0 || !is(s->tag, "ENDS") || s->data.count != 16 || s->next != s->size) return audit_bad(a, "the file is cut off, or there is something behind its end");
  if (sealed_fixed(s->data.at, 8) != a->states || sealed_fixed(s->data.at + 8, 8) != a->blocks) return audit_bad(a, "its counts are not those of the states");
  for (size_t i = 0; i < a->claims.count; i++)
    if (!a->claims.at[i].confirmed && !is(a->claims.at[i].evidence, "none")) return audit_bad(a, "it has no %s for %s", a->claims.at[i].evidence, a->claims.at[i].id);
  return a->states || a->claims.count ? 0 : audit_bad(a, "it says nothing");
}

/* What follows for the verdict: one confirmed violation is enough for that; a verdict that all is well needs all of them. */
static int conclude(struct audit *a) {
  size_t violated = 0, open = 0;
  for (size_t i = 0; i < a->claims.count; i++) {
    const struct claim *c = &a->claims.at[i];
    violated += is(c->status, "violated") && c->confirmed;
    open += !c->confirmed;
    if (is(a->verdict, "holds") && !is(c->status, "holds")) return audit_bad(a, "it contradicts itself: the verdict is holds, and %s is %s", c->id, c->status);
  }
  if (is(a->verdict, "violated")) return violated ? a->exit = AUDIT_VIOLATED : audit_not(a, "no violation is covered by the certificate");
  if (!is(a->verdict, "holds")) return audit_bad(a, "its verdict is neither holds nor violated");
  return open ? audit_not(a, "%zu of %zu properties are not covered by the certificate", open, a->claims.count) : 0;
}

static const char *said(const struct claim *c) { return c->confirmed ? "confirmed" : is(c->evidence, "none") ? "not covered" : "not confirmed"; }

static void tell(const struct audit *a, int json) {
  const char *result = a->exit <= AUDIT_VIOLATED ? "confirmed" : a->exit == AUDIT_BAD ? "bad certificate" : "not confirmed";
  json_t *list = json_array(), *all = json_pack("{s:s, s:s, s:s?, s:s?, s:I, s:I, s:o}", "schema", "thimble.audit/1", "result", result, "verdict", a->verdict, "reason", *a->why ? a->why : NULL, "states", (json_int_t)a->states,
                                                 "steps", (json_int_t)a->steps, "properties", list);
  if (!json) printf("%s: %s%s%s%s%s\n", result, a->name, a->verdict ? " says " : "", a->verdict ? a->verdict : "", *a->why ? ": " : "", a->why);
  if (!json && a->states) printf("  %" PRIu64 " states, %" PRIu64 " steps from them\n", a->states, a->steps);
  for (size_t i = 0; i < a->claims.count; i++) {
    const struct claim *c = &a->claims.at[i];
    if (!json) printf("  %-13s  %s %s\n", said(c), c->id, c->status);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "id", c->id, "status", c->status, "evidence", c->evidence, "audit", said(c)));
  }
  if (json && all && json_dumpf(all, stdout, JSON_INDENT(1)) == 0) putchar('\n');
  json_decref(all);
}

static const char usage[] = "usage: thimble-audit [--memory SIZE] [--json] CERTIFICATE [MODEL]\nConfirms the verdict that thimble check --certificate CERTIFICATE has written; MODEL is where the model is now.\n";

int main(int argc, char **argv) {
  struct audit a = {0};
  const char *model = NULL;
  uint64_t json = 0, memory = mem_machine() / 5 * 4;
  for (int i = 1; i < argc; i++) {
    if (is(argv[i], "--json")) json = 1;
    else if (is(argv[i], "--help")) return printf("%s", usage) < 0;
    else if (is(argv[i], "--version")) return puts("thimble-audit " THIMBLE_VERSION), 0;
    else if (is(argv[i], "--memory") && i + 1 < argc && quantity_size(argv[i + 1], mem_machine(), &memory) == 0) i++;
    else if (*argv[i] == '-' || model) a.exit = AUDIT_USAGE;
    else *(a.name ? &model : &a.name) = argv[i];
  }
  if (!a.name || a.exit) return fputs(usage, stderr), AUDIT_USAGE;
  mem_open(&a.mem, (size_t)memory);
  if (sealed_head(&a) == 0 && semantics_load(&a, model ? model : a.model_name) == 0 && confirm(&a) == 0) conclude(&a);
  tell(&a, json != 0);
  sealed_close(&a, &a.sealed);
  for (size_t i = 0; i < a.claims.count; i++) expr_close(a.claims.at[i].expr);
  vec_free(&a.claims, &a.mem), vec_free(&a.inputs, &a.mem), vec_free(&a.options, &a.mem), vec_free(&a.packed, &a.mem);
  mem_free(&a.mem, a.values), mem_free(&a.mem, a.head);
  model_close(a.model);
  return a.exit;
}
