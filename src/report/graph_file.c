/* graph_file.c -- what the graph formats share: bookkeeping per state, the temporary file. */
#include "report/graph_file.h"

#include <errno.h>
#include <string.h>

extern const struct graph_type graph_dot, graph_json, graph_aut;
const struct graph_type *const graph_types[] = {&graph_dot, &graph_json, &graph_aut, NULL};

const struct graph_type *graph_find_type(const char *name) {
  for (const struct graph_type *const *t = graph_types; *t; t++)
    if (strcmp((*t)->name, name) == 0) return *t;
  return NULL;
}

static int flag(struct graph_file *g, uint64_t state, unsigned bits) {
  if (state >= g->flags.size && region_resize(&g->flags, (size_t)(state + state / 2 + 4096))) {
    if (region_resize(&g->flags, (size_t)state + 1)) return -1;
  }
  g->flags.base[state] |= (uint8_t)bits;
  return 0;
}

static int outside(const struct graph_file *g, uint64_t state) { return g->limit && state >= g->limit; }

static void hear_expanded(struct graph_file *g, const struct search_event *event) {
  unsigned bits = GRAPH_EXPANDED;
  if (!event->successors) {
    const struct model *m = g->model;
    int end = event->words && m->type->labels && m->type->labels(m, event->words) & MODEL_END;
    if (!end) bits |= GRAPH_DEAD;
  }
  if (flag(g, event->state, bits)) g->failed = 1;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct graph_file *g = (struct graph_file *)l;
  g->no_depths = s && s->type->measured;
  switch (event->kind) {
  case EVENT_NEW:
    if (outside(g, event->state)) break;
    if (flag(g, event->state, 0)) g->failed = 1;
    g->type->state(g, event);
    g->states++;
    break;
  case EVENT_EDGE:
    if (outside(g, event->source)) break;
    if (outside(g, event->state)) {
      if (flag(g, event->source, GRAPH_CUT)) g->failed = 1;
      break;
    }
    g->type->edge(g, event->source, event->state, g->model->type->group_name(g->model, event->group));
    g->edges++;
    break;
  case EVENT_EXPANDED:
    if (!outside(g, event->state)) hear_expanded(g, event);
    break;
  default: break;
  }
  if (ferror(g->out) || (g->spool && ferror(g->spool))) g->failed = 1;
  return g->failed ? LISTEN_GOAL : LISTEN_ON;
}

int graph_file_open(struct graph_file *g, const struct graph_type *type, const struct model *model, FILE *out, uint64_t limit,
               struct mem *mem, struct err *e) {
  memset(g, 0, sizeof *g);
  g->listener = (struct listener){.wants = EVENT_NEW | EVENT_EDGE | EVENT_EXPANDED | EVENT_NUMBERS, .hear = hear};
  g->type = type;
  g->model = model;
  g->mem = mem;
  g->out = out;
  g->limit = limit;
  region_open(&g->flags, mem, MEM_OTHER);
  if (type->spools) {
    g->spool = tmpfile();
    if (!g->spool) {
      graph_file_close(g);
      return err_io(e, NULL, "no temporary file for the graph: %s", strerror(errno));
    }
  }
  type->begin(g);
  return 0;
}

unsigned graph_file_flags(const struct graph_file *g, uint64_t state) {
  unsigned bits = state < g->flags.size ? g->flags.base[state] : 0;
  return bits & GRAPH_EXPANDED ? bits : bits | GRAPH_CUT;
}

int graph_file_finish(struct graph_file *g, const struct verdict *v, struct err *e) {
  if (!g->failed) {
    for (uint64_t s = 0; s < g->states && !g->cut; s++) g->cut = (graph_file_flags(g, s) & GRAPH_CUT) != 0;
    g->type->end(g, v);
    if (fflush(g->out) || ferror(g->out)) g->failed = 1;
  }
  if (!g->failed) return 0;
  if (ferror(g->out)) return err_io(e, NULL, "the graph could not be written: %s", strerror(errno));
  if (g->spool && ferror(g->spool))
    return err_io(e, NULL, "the temporary file for the graph could not be written: %s", strerror(errno));
  return err_memory(e, "the marks of the graph's states");
}

void graph_file_close(struct graph_file *g) {
  if (!g->mem) return;
  if (g->spool) fclose(g->spool);
  region_close(&g->flags);
  memset(g, 0, sizeof *g);
}

int graph_file_append_spool(struct graph_file *g) {
  char buffer[1 << 14];
  rewind(g->spool);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, g->spool)) > 0;)
    if (fwrite(buffer, 1, n, g->out) != n) break;
  if (ferror(g->spool) || ferror(g->out)) g->failed = 1;
  return g->failed ? -1 : 0;
}

size_t graph_file_values(const struct graph_file *g, const uint32_t *words, void (*each)(struct graph_file *, uint32_t, int64_t, size_t)) {
  size_t n = 0;
  for (uint32_t v = 0; v < g->model->vars; v++) {
    int64_t value = g->model->type->value(g->model, words, v);
    if (value) each((struct graph_file *)g, v, value, n++);
  }
  return n;
}

/* Tells one state, or an edge of it, as a search would. */
static int tell(struct graph_file *g, enum search_event_kind kind, uint64_t state, uint32_t successors) {
  struct search_event event = {.kind = kind, .state = state, .source = STORE_NONE, .successors = successors};
  return g->listener.hear(&g->listener, NULL, &event) == LISTEN_ON ? 0 : -1;
}

int graph_file_write(const struct graph_type *type, const struct model *model, const struct graph *graph, const char *const *label, FILE *out, struct mem *mem,
                     struct err *e) {
  struct graph_file g;
  struct verdict v = {0};
  if (graph_file_open(&g, type, model, out, 0, mem, e)) return -1;
  for (uint64_t s = 0; s < graph->states; s++)
    if (tell(&g, EVENT_NEW, s, 0)) break;
  for (uint64_t s = 0; s < graph->states && !g.failed; s++) {
    for (struct graph_edges row = graph_edges(graph, s); graph_more(&row); g.edges++) {
      uint32_t l, t = graph_next(&row, &l);
      type->edge(&g, s, t, label[l]);
    }
    if (tell(&g, EVENT_EXPANDED, s, graph_degree(graph, s))) break;
  }
  int bad = graph_file_finish(&g, &v, e);
  graph_file_close(&g);
  return bad;
}

void graph_file_number(FILE *out, uint64_t n) {
  char text[24], *at = text + sizeof text;
  do *--at = (char)('0' + n % 10);
  while (n /= 10);
  fwrite(at, 1, (size_t)(text + sizeof text - at), out);
}
