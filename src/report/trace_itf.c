/* trace_itf.c -- traces for the tools around Apalache and TLA+.
 *
 * ITF writes every state in full: {"#meta":{...},"vars":[...],"states":[{...},...]}.  Integers
 * beyond 2^53 are {"#bigint":"..."}.  Variables are keys of JSON objects there, so equal
 * names (two places may be called alike) get their index behind them, and so do names that
 * begin with '#', which ITF keeps for itself. */
#define _GNU_SOURCE /* qsort_r */
#include "report/trace_view.h"

#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct keys {
  const struct trace_view *view;
  uint8_t *clash; /* per variable: needs its index to be a key of its own */
};

static int by_name(const void *a, const void *b, void *view) {
  const struct trace_view *v = view;
  int order = strcmp(v->var(v->context, *(const uint32_t *)a), v->var(v->context, *(const uint32_t *)b));
  return order ? order : *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

static int find_clashes(struct keys *k, struct mem *mem) {
  size_t n = k->view->trace->vars;
  const struct trace_view *v = k->view;
  uint32_t *order = mem_alloc(mem, MEM_OTHER, n * sizeof *order);
  k->clash = mem_alloc(mem, MEM_OTHER, n);
  if (!order || !k->clash) {
    mem_free(mem, order);
    return -1;
  }
  for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
  qsort_r(order, n, sizeof *order, by_name, (void *)v);
  for (size_t i = 0; i < n; i++) {
    const char *name = v->var(v->context, order[i]);
    if (name[0] == '#') k->clash[order[i]] = 1;
    if (i && strcmp(name, v->var(v->context, order[i - 1])) == 0) k->clash[order[i]] = k->clash[order[i - 1]] = 1;
  }
  mem_free(mem, order);
  return 0;
}

/* The key of a variable; `buffer` holds it where the name alone does not do. */
static const char *key(const struct keys *k, uint32_t var, char *buffer, size_t room) {
  const char *name = k->view->var(k->view->context, var);
  if (!k->clash[var]) return name;
  snprintf(buffer, room, "%.200s[%" PRIu32 "]", name[0] == '#' ? name + 1 : name, var);
  return buffer;
}

static void state(const struct keys *k, const int64_t *values, size_t index, const char *action, struct json_out *j) {
  char buffer[240], number[24];
  json_out_object_flat(j, NULL);
  json_out_object(j, "#meta");
  json_out_count(j, "index", index);
  if (action) json_out_text(j, "action", action);
  json_out_end(j);
  for (uint32_t v = 0; v < k->view->trace->vars; v++) {
    const char *name = key(k, v, buffer, sizeof buffer);
    if (values[v] > -(INT64_C(1) << 53) && values[v] < INT64_C(1) << 53) {
      json_out_integer(j, name, values[v]);
      continue;
    }
    snprintf(number, sizeof number, "%" PRId64, values[v]);
    json_out_object(j, name);
    json_out_text(j, "#bigint", number);
    json_out_end(j);
  }
  json_out_end(j);
}

static void write_all(const struct keys *k, int64_t *values, struct json_out *j) {
  const struct trace_view *v = k->view;
  const struct trace *t = v->trace;
  char buffer[240];
  json_out_object(j, NULL);
  json_out_object(j, "#meta");
  json_out_text(j, "format", "ITF");
  json_out_text(j, "format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html");
  json_out_text(j, "description", "written by thimble " THIMBLE_VERSION);
  json_out_text(j, "source", v->file ? v->file : "");
  if (t->property[0]) json_out_text(j, "property", t->property);
  if (t->verdict[0]) json_out_text(j, "status", t->verdict);
  json_out_object(j, "varTypes");
  for (uint32_t i = 0; i < t->vars; i++) json_out_text(j, key(k, i, buffer, sizeof buffer), "Int");
  json_out_end(j);
  json_out_end(j);
  json_out_array(j, "params");
  json_out_end(j);
  json_out_array(j, "vars");
  for (uint32_t i = 0; i < t->vars; i++) json_out_text(j, NULL, key(k, i, buffer, sizeof buffer));
  json_out_end(j);
  if (t->loop >= 0) json_out_integer(j, "loop", t->loop);
  json_out_array(j, "states");
  state(k, values, 0, NULL, j);
  for (size_t i = 0; i < t->count; i++) {
    for (size_t c = t->change_start[i]; c < t->change_start[i + 1]; c++) values[t->change[c].var] = t->change[c].to;
    state(k, values, i + 1, v->step(v->context, t, i), j);
  }
  json_out_end(j);
  json_out_end(j);
}

int trace_write_itf(const struct trace_view *v, struct mem *mem, FILE *out, struct err *e) {
  struct keys k = {.view = v};
  size_t bytes = v->trace->vars * sizeof(int64_t);
  int64_t *values = mem_alloc(mem, MEM_OTHER, bytes);
  int bad = 0;
  if (!values || find_clashes(&k, mem)) bad = err_memory(e, "the states of a trace");
  if (!bad) {
    struct json_out j;
    if (bytes) memcpy(values, v->trace->initial, bytes);
    json_out_open(&j, out, 1);
    write_all(&k, values, &j);
    bad = json_out_close(&j);
  }
  mem_free(mem, values);
  mem_free(mem, k.clash);
  return bad;
}
