/* graph_dot.c -- for Graphviz: states show what is not zero, deadlocks have a red double
 * border, states whose successors were left out are dashed. */
#include "report/graph_file.h"

#include "report/report.h"

#include <inttypes.h>
#include <string.h>

/* Text within a quoted label: cut, escaped for dot and safe for terminals. */
static void label(FILE *out, const char *text) {
  char name[128];
  report_name(name, sizeof name, text);
  for (const char *c = name; *c; c++) {
    if (*c == '"' || *c == '\\') putc('\\', out);
    putc(*c, out);
  }
}

static void begin(struct graph_file *g) {
  fputs("digraph \"", g->out);
  label(g->out, g->model->file ? g->model->file : "model");
  fputs("\" {\n  node [shape=box, style=rounded];\n  start [shape=point];\n  start -> s0;\n", g->out);
}

static void value(struct graph_file *g, uint32_t var, int64_t n, size_t nth) {
  if (nth) fputs("\\n", g->out);
  label(g->out, g->model->type->var_name(g->model, var));
  if (n != 1) fprintf(g->out, " %" PRId64, n);
}

/* Processes: where each one stands, then the variables that are not 0. */
static size_t described(struct graph_file *g, const uint32_t *words) {
  const struct model *m = g->model;
  size_t nth = 0;
  for (int control = 1; control >= 0; control--)
    for (uint32_t v = 0; v < m->vars; v++) {
      struct model_var d;
      int64_t n = m->type->value(m, words, v);
      m->type->describe(m, words, v, &d);
      size_t length = strlen(d.label);
      int place = d.kind == MODEL_VAR_CONTROL && length > 3 && strcmp(d.label + length - 3, ".pc") == 0;
      if (control ? !place : d.kind != MODEL_VAR_PLAIN || !n) continue;
      if (nth++) fputs("\\n", g->out);
      if (place) d.label[length - 3] = 0;
      label(g->out, d.label);
      putc(' ', g->out);
      label(g->out, d.text);
    }
  return nth;
}

static void state(struct graph_file *g, const struct search_event *event) {
  fprintf(g->out, "  s%" PRIu64 " [label=\"", event->state);
  if (!event->words) fprintf(g->out, "%" PRIu64, event->state);
  else if (g->model->type->describe) described(g, event->words);
  else if (!graph_file_values(g, event->words, value)) fprintf(g->out, "%s", g->model->vars > 1 ? "(empty)" : "0");
  fputs("\"];\n", g->out);
}

static void edge(struct graph_file *g, uint64_t from, uint64_t to, const char *text) {
  fprintf(g->out, "  s%" PRIu64 " -> s%" PRIu64 " [label=\"", from, to);
  label(g->out, text);
  fputs("\"];\n", g->out);
}

static void end(struct graph_file *g, const struct verdict *v) {
  (void)v;
  for (uint64_t s = 0; s < g->states; s++) {
    unsigned flags = graph_file_flags(g, s);
    if (flags & GRAPH_DEAD) fprintf(g->out, "  s%" PRIu64 " [color=red, peripheries=2];\n", s);
    else if (flags & GRAPH_CUT) fprintf(g->out, "  s%" PRIu64 " [style=\"rounded,dashed\"];\n", s);
  }
  if (g->cut) fputs("  // partial: successors of dashed states are missing\n", g->out);
  fputs("}\n", g->out);
}

extern const struct graph_type graph_dot;
const struct graph_type graph_dot = {
    .name = "dot", .summary = "Graphviz", .begin = begin, .state = state, .edge = edge, .end = end};
