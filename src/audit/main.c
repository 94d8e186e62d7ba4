/* main.c -- thimble-audit CERTIFICATE [MODEL]: confirms what thimble check --certificate has written, or says why not. */
#include "audit/audit.h"
#include "base/quantity.h"
#include "base/stack.h"

#include <jansson.h>
#include <stdarg.h>

int audit_say(struct audit *a, int code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!a->exit) vsnprintf(a->why, sizeof a->why, format, args), a->exit = code;
  va_end(args);
  return -1;
}

/* Reads all of it, and confirms on the way what each part is to show. */
static int confirm(struct audit *a) {
  struct sealed *s = &a->sealed;
  size_t next = 0;
  int there = sealed_next(a, s);
  for (; there > 0 && is(s->tag, "TRAC"); there = sealed_next(a, s)) {
    while (next < a->claims.count && !is(a->claims.at[next].evidence, "trace")) next++;
    if (next == a->claims.count) return audit_bad(a, "it has a trace of nothing");
    if (follow_check(a, &a->claims.at[next++])) return -1;
  }
  if (there > 0 && is(s->tag, "STAT") && closure_check(a)) return -1;
  if (s->states && is(s->tag, "INDX")) there = sealed_next(a, s); /* for those who look for single states */
  if (there <= 0 || !is(s->tag, "ENDS") || s->data.count != 16 || s->next != s->size) return audit_bad(a, "the file is cut off, or there is something behind its end");
  if (sealed_fixed(s->data.at, 8) != s->states || sealed_fixed(s->data.at + 8, 8) != s->blocks) return audit_bad(a, "its counts are not those of the states");
  each_claim(a, c)
    if (!c->confirmed && !is(c->evidence, "none")) return audit_bad(a, "it has no %s for %s", c->evidence, c->id);
  return s->states || a->claims.count ? 0 : audit_bad(a, "it says nothing");
}

/* What follows for the verdict: one confirmed violation is enough for that; a verdict that all is well needs all of them. */
static int conclude(struct audit *a) {
  size_t violated = 0, open = 0;
  each_claim(a, c) {
    violated += is(c->status, "violated") && c->confirmed;
    open += !c->confirmed;
    if (is(a->verdict, "holds") && !is(c->status, "holds")) return audit_bad(a, "it contradicts itself: the verdict is holds, and %s is %s", c->id, c->status);
  }
  if (is(a->verdict, "violated")) return violated ? a->exit = AUDIT_VIOLATED : audit_not(a, "no violation is covered by the certificate");
  if (!is(a->verdict, "holds")) return audit_bad(a, "its verdict is neither holds nor violated");
  return open ? audit_not(a, "%zu of %zu properties are not covered by the certificate", open, a->claims.count) : 0;
}

/* A text of the certificate: it may command no terminal, and break no line into what looks like words of the audit. */
static const char *quoted(char out[200], const char *text) { return err_quote(out, 200, text, strlen(text)); }
static void tell(const struct audit *a, const char *name, int json) {
  const char *result = a->exit <= AUDIT_VIOLATED ? "confirmed" : a->exit == AUDIT_BAD ? "bad certificate" : "not confirmed";
  char why[sizeof a->why], verdict[200], model[200], id[200], status[200], evidence[200], text[1000];
  err_quote(why, sizeof why, a->why, strlen(a->why)), quoted(verdict, a->verdict ? a->verdict : ""), quoted(model, name ? name : "");
  json_t *with = json_array(), *files = json_array(), *list = json_array(), *all = json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:I, s:I, s:o, s:o, s:o}", "schema", "thimble.audit/1", "result", result, "model", name ? model : NULL, "verdict", a->verdict ? verdict : NULL, "reason", *why ? why : NULL, "states", (json_int_t)a->sealed.states,
                                                 "steps", (json_int_t)a->steps, "options", with, "inputs", files, "properties", list);
  if (!json) printf("%s: %s%s%s%s%s", result, a->name, a->verdict ? " says " : "", verdict, *model ? " of " : "", model);
  for (size_t i = 0; i < a->options.count; i++) { /* it is about another model than the file shows */
    if (!json) printf("%s%s", i ? " " : " with ", quoted(text, a->options.at[i]));
    json_array_append_new(with, json_string(quoted(text, a->options.at[i])));
  }
  for (size_t i = 0; i < a->inputs.count; i++) json_array_append_new(files, json_string(quoted(text, a->inputs.at[i]))); /* hash, bytes, name */
  if (!json) printf("%s%s\n", *why ? ": " : "", why);
  if (!json && a->sealed.states) printf("  %" PRIu64 " states, %" PRIu64 " steps from them\n", a->sealed.states, a->steps);
  each_claim(a, c) {
    const char *said = c->confirmed ? "confirmed" : is(c->evidence, "none") ? "not covered" : "not confirmed", *asked = c->confirmed && c->text && c->number == MODEL_RUNTIME ? err_quote(text, sizeof text, c->text, strlen(c->text)) : NULL; /* by the certificate, not by the model */
    if (!json) printf("  %-13s  %s %s%s%s\n", said, quoted(id, c->id), quoted(status, c->status), asked ? ": " : "", asked ? asked : "");
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?, s:s}", "id", quoted(id, c->id), "status", quoted(status, c->status), "evidence", quoted(evidence, c->evidence), "text", asked, "audit", said));
  }
  if (json && all && json_dumpf(all, stdout, JSON_INDENT(1)) == 0) putchar('\n');
  json_decref(all);
}

static const char usage[] = "usage: thimble-audit [--memory SIZE] [--json] CERTIFICATE [MODEL]\nConfirms the verdict that thimble check --certificate CERTIFICATE has written; MODEL is where the model is now.\n";

static int audit_run(void *arguments) {
  char **argv = arguments;
  struct audit a = {0};
  const char *model = NULL;
  uint64_t json = 0, memory = mem_machine() / 5 * 4;
  for (int i = 1; argv[i]; i++) {
    if (is(argv[i], "--json")) json = 1;
    else if (is(argv[i], "--help")) return printf("%s", usage) < 0;
    else if (is(argv[i], "--version")) return puts("thimble-audit " THIMBLE_VERSION), 0;
    else if (is(argv[i], "--memory") && argv[i + 1] && quantity_size(argv[i + 1], mem_machine(), &memory) == 0) i++;
    else if (*argv[i] == '-' || model) a.exit = AUDIT_USAGE;
    else *(a.name ? &model : &a.name) = argv[i];
  }
  if (!a.name || a.exit) return fputs(usage, stderr), AUDIT_USAGE;
  mem_open(&a.mem, (size_t)memory);
  if (sealed_head(&a) == 0 && semantics_load(&a, model ? model : a.model_name) == 0 && confirm(&a) == 0) conclude(&a);
  tell(&a, model && a.exit != AUDIT_BAD ? model : a.model_name, json != 0);
  sealed_close(&a, &a.sealed);
  each_claim(&a, c) expr_close(c->expr);
  vec_free(&a.claims, &a.mem), vec_free(&a.inputs, &a.mem), vec_free(&a.asked, &a.mem), vec_free(&a.folders, &a.mem), vec_free(&a.defines, &a.mem), vec_free(&a.markings, &a.mem), vec_free(&a.packed, &a.mem);
  model_close(a.model);
  for (size_t i = 0; i < a.options.count; i++) mem_free(&a.mem, (char *)(uintptr_t)a.options.at[i]);
  vec_free(&a.options, &a.mem);
  mem_free(&a.mem, a.values), mem_free(&a.mem, a.head);
  return a.exit;
}

int main(int argc, char **argv) { return argc ? stack_call(audit_run, argv) : AUDIT_USAGE; }
