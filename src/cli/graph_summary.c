/* graph_summary.c -- thimble graph --summary: what the whole graph is like, in words or as JSON. */
#include "cli/graph_summary.h"

#include "base/json.h"
#include "base/text.h"
#include "run/minimise.h"
#include "search/graph_walk.h"
#include "search/summary.h"

#include <string.h>

enum { SHOWN = 20 }; /* names of transitions in the text */

static void write_names(const struct labels *l, const struct summary *m, unsigned mask, unsigned want, const char *what, FILE *out) {
  uint64_t n = 0, shown = 0;
  char count[TEXT_ROOM], name[80];
  for (uint32_t i = 1; i < m->labels; i++) n += (m->label[i] & mask) == want;
  if (!n) return;
  fprintf(out, "%s %s:", text_count(count, n), what);
  for (uint32_t i = 1; i < m->labels && shown < SHOWN; i++)
    if ((m->label[i] & mask) == want) fprintf(out, "%s %s", shown++ ? "," : "", report_name(name, sizeof name, l->text.at[i]));
  fputs(n > SHOWN ? ", ...\n" : "\n", out);
}

/* A state of the graph, made again. */
struct state {
  uint32_t *words; /* NULL = there is none */
  uint64_t depth;
};

static void write_state(const struct model *m, const struct state *s, FILE *out) {
  char name[80], text[240];
  size_t shown = 0;
  fprintf(out, "; the nearest, after %llu %s:", (unsigned long long)s->depth, s->depth == 1 ? "step" : "steps");
  for (uint32_t v = 0; v < m->vars; v++) {
    int64_t value = m->type->value(m, s->words, v);
    struct model_var d = {0};
    if (m->type->describe) m->type->describe(m, s->words, v, &d);
    if (!value || d.kind != MODEL_VAR_PLAIN) continue;
    if (shown++ == SHOWN) {
      fputs(", ...", out);
      return;
    }
    fprintf(out, "%s %s", shown > 1 ? "," : "", report_name(name, sizeof name, m->type->describe ? d.label : m->type->var_name(m, v)));
    if (m->type->describe && strcmp(d.text, "1") != 0) fprintf(out, " %s", report_name(text, sizeof text, d.text));
    else if (!m->type->describe && value != 1) fprintf(out, " %lld", (long long)value);
  }
}

static void write_text(const struct model *model, const struct labels *l, const struct summary *m, const struct state *end, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "%s states, %s transitions; a state has %u to %u successors\n", text_count(a, m->states), text_count(b, m->edges), m->least, m->most);
  if (m->ends) fprintf(out, "%s %s no successors", text_count(a, m->ends), m->ends == 1 ? "state has" : "states have");
  if (m->ends && end->words) write_state(model, end, out);
  fputs(m->ends ? "\n" : "every state has a successor\n", out);
  fprintf(out, "%s strongly connected %s, the largest with %s %s\n", text_count(a, m->components), m->components == 1 ? "component" : "components", text_count(b, m->largest),
          m->largest == 1 ? "state" : "states");
  fprintf(out, "%s of them cannot be left, with %s %s\n", text_count(a, m->last), text_count(b, m->last_states), m->last_states == 1 ? "state" : "states");
  if (m->reversible) fputs("the first state can be reached from every state: all states are home states\n", out);
  else if (m->home) fprintf(out, "%s home %s, which can be reached from every state\n", text_count(a, m->home), m->home == 1 ? "state" : "states");
  else fputs("there is no home state: no state can be reached from every state\n", out);
  write_names(l, m, SUMMARY_HAPPENS, 0, "transitions never happen", out);
  write_names(l, m, SUMMARY_HAPPENS | SUMMARY_LIVE, SUMMARY_HAPPENS, "happen, but not for ever: from some state they cannot happen again", out);
  write_names(l, m, SUMMARY_HAPPENS | SUMMARY_LIVE, SUMMARY_HAPPENS | SUMMARY_LIVE, "are live: from every state they can come to happen", out);
}

static void json_names(struct json_out *j, const char *key, const struct labels *l, const struct summary *m, unsigned mask, unsigned want) {
  json_out_array_flat(j, key);
  for (uint32_t i = 1; i < m->labels; i++)
    if ((m->label[i] & mask) == want) json_out_text(j, NULL, l->text.at[i]);
  json_out_end(j);
}

static void write_json(const struct session *s, const struct labels *l, const struct summary *m, FILE *out) {
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.graph-summary/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_text(&j, "file", s->file);
  json_out_count(&j, "states", m->states);
  json_out_count(&j, "transitions", m->edges);
  json_out_count(&j, "least_successors", m->least);
  json_out_count(&j, "most_successors", m->most);
  json_out_count(&j, "without_successors", m->ends);
  json_out_count(&j, "components", m->components);
  json_out_count(&j, "largest_component", m->largest);
  json_out_count(&j, "last_components", m->last);
  json_out_count(&j, "last_states", m->last_states);
  json_out_count(&j, "home_states", m->home);
  json_out_bool(&j, "reversible", m->reversible);
  json_names(&j, "dead", l, m, SUMMARY_HAPPENS, 0);
  json_names(&j, "not_live", l, m, SUMMARY_HAPPENS | SUMMARY_LIVE, SUMMARY_HAPPENS);
  json_names(&j, "live", l, m, SUMMARY_HAPPENS | SUMMARY_LIVE, SUMMARY_HAPPENS | SUMMARY_LIVE);
  json_out_end(&j);
  json_out_close(&j);
}

/* The nearest state without successors. What memory does not allow is left out. */
static void find_end(struct session *s, const struct graph *g, const struct summary *m, struct state *out) {
  struct graph_tree tree;
  struct err e;
  err_clear(&e);
  if (!m->ends || graph_tree_open(&tree, g, &s->mem, &e)) return;
  out->words = mem_alloc(&s->mem, MEM_OTHER, model_stride(s->model->words) * sizeof *out->words);
  if (out->words && graph_state(&tree, s->model, m->first_end, out->words, &out->depth, &e)) {
    mem_free(&s->mem, out->words);
    out->words = NULL;
  }
  graph_tree_close(&tree);
}

int graph_summary(struct session *s, const struct run_setup *run, FILE *out, struct verdict *v) {
  struct labels labels;
  struct graph g = {0};
  struct summary m = {0};
  struct labelling labelling = {0};
  static const struct labels_seen all;
  int bad = labels_open(&labels, &s->mem) || labelling_open(&labelling, &labels, s->model, &all) ? err_memory(&s->err, "the labels of a graph") : 0;
  if (!bad) {
    graph_open(&g, &s->mem, (uint32_t)labels.text.count);
    bad = minimise_explore(&g, &labelling, run, v, &s->err);
  }
  if (!bad && v->complete) bad = summary_find(&m, &g, (uint32_t)labels.text.count, &s->mem, &s->err);
  if (!bad && v->complete && options_given(&s->options, OPTION_JSON)) write_json(s, &labels, &m, out);
  else if (!bad && v->complete) {
    struct state end = {0};
    find_end(s, &g, &m, &end);
    write_text(s->model, &labels, &m, &end, out);
    mem_free(&s->mem, end.words);
  }
  summary_close(&m);
  graph_close(&g);
  labelling_close(&labelling);
  labels_close(&labels);
  return bad;
}
