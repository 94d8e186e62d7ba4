/* graph_json.c -- schema thimble.graph/1: states with their values as they are found, then the
 * edges (which waited in the temporary file), then the deadlocks and the cut states. */
#include "report/graph_file.h"

#include "base/json.h"

#include <inttypes.h>

static void begin(struct graph_file *g) {
  struct json_out j;
  fputs("{\"schema\":\"thimble.graph/1\",\"version\":\"" THIMBLE_VERSION "\",\n\"model\":", g->out);
  json_out_open(&j, g->out, 0);
  json_out_object(&j, NULL);
  json_out_text(&j, "file", g->model->file);
  json_out_text(&j, "language", g->model->language);
  json_out_end(&j);
  fputs(",\n\"initial\":0,\n\"states\":[", g->out);
}

static void value(struct graph_file *g, uint32_t var, int64_t n, size_t nth) {
  struct json_out j;
  if (nth) putc(',', g->out);
  json_out_open(&j, g->out, 0);
  json_out_text(&j, NULL, g->model->type->var_name(g->model, var));
  fprintf(g->out, ":%" PRId64, n);
}

/* Processes: a variable is called by the process that has it in this state. */
static void described(struct graph_file *g, const uint32_t *words) {
  const struct model *m = g->model;
  size_t nth = 0;
  for (uint32_t v = 0; v < m->vars; v++) {
    struct model_var d;
    struct json_out j;
    int64_t n = m->type->value(m, words, v);
    if (!n) continue;
    m->type->describe(m, words, v, &d);
    if (d.kind == MODEL_VAR_UNUSED) continue;
    if (nth++) putc(',', g->out);
    json_out_open(&j, g->out, 0);
    json_out_text(&j, NULL, d.name);
    if (m->type->vars_are_no_numbers) {
      putc(':', g->out);
      json_out_open(&j, g->out, 0);
      json_out_text(&j, NULL, d.text);
    } else fprintf(g->out, ":%" PRId64, n);
  }
}

static void state(struct graph_file *g, const struct search_event *event) {
  fprintf(g->out, "%s\n{\"id\":%" PRIu64, g->states ? "," : "", event->state);
  if (!g->no_depths) fprintf(g->out, ",\"depth\":%" PRIu64, event->depth);
  fputs(",\"values\":{", g->out);
  if (event->words && g->model->type->describe) described(g, event->words);
  else if (event->words) graph_file_values(g, event->words, value);
  fputs("}}", g->out);
}

static void edge(struct graph_file *g, uint64_t from, uint64_t to, const char *label) {
  struct json_out j;
  fprintf(g->spool, "%s\n", g->edges ? "," : "");
  json_out_open(&j, g->spool, 0);
  json_out_object(&j, NULL);
  json_out_count(&j, "from", from);
  json_out_count(&j, "to", to);
  json_out_text(&j, "transition", label);
  json_out_end(&j);
}

static void numbers(struct graph_file *g, const char *key, unsigned wanted) {
  fprintf(g->out, ",\n\"%s\":[", key);
  const char *comma = "";
  for (uint64_t s = 0; s < g->states; s++)
    if (graph_file_flags(g, s) & wanted) fprintf(g->out, "%s%" PRIu64, comma, s), comma = ",";
  putc(']', g->out);
}

static void end(struct graph_file *g, const struct verdict *v) {
  (void)v;
  fputs("],\n\"edges\":[", g->out);
  if (graph_file_append_spool(g)) return;
  putc(']', g->out);
  numbers(g, "deadlocks", GRAPH_DEAD);
  numbers(g, "cut", GRAPH_CUT);
  fprintf(g->out, ",\n\"complete\":%s}\n", g->cut ? "false" : "true");
}

extern const struct graph_type graph_json;
const struct graph_type graph_json = {
    .name = "json", .summary = "thimble.graph/1", .spools = 1, .begin = begin, .state = state, .edge = edge, .end = end};
