/* layers.c -- see layers.h.
 *
 * Tarjan's components with a stack of its own, as graphs may be long chains.  Components are finished sinks first; going through nodes sorted by falling component
 * number, all ways to a component are known when it is reached. */
#include "base/layers.h"

#include <string.h>

#define NONE UINT32_MAX

struct walk {
  size_t *start;            /* per node: its edges, in `edge` */
  uint32_t *edge;           /* indices of edges, sorted by `from` */
  size_t *next;             /* per node: the edge to look at next */
  uint32_t *index, *low;    /* of Tarjan's algorithm; index 0 = not met */
  uint32_t *stack, *path;
};

static void walk_close(struct walk *w, struct mem *mem) {
  void *all[] = {w->start, w->edge, w->next, w->index, w->low, w->stack, w->path};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(mem, all[i]);
}

static int walk_open(struct walk *w, uint32_t nodes, const struct layers_edge *e, size_t edges, struct mem *mem) {
  size_t n = (size_t)nodes + 2;
  *w = (struct walk){.start = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->start),
                     .edge = mem_alloc(mem, MEM_ANALYSIS, (edges + 1) * sizeof *w->edge),
                     .next = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->next),
                     .index = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->index),
                     .low = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->low),
                     .stack = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->stack),
                     .path = mem_alloc(mem, MEM_ANALYSIS, n * sizeof *w->path)};
  if (!w->start || !w->edge || !w->next || !w->index || !w->low || !w->stack || !w->path) {
    walk_close(w, mem);
    return -1;
  }
  for (size_t i = 0; i < edges; i++) w->start[e[i].from + 1]++;
  for (uint32_t v = 0; v < nodes; v++) w->start[v + 1] += w->start[v];
  memcpy(w->next, w->start, n * sizeof *w->next);
  for (size_t i = 0; i < edges; i++) w->edge[w->next[e[i].from]++] = (uint32_t)i;
  memcpy(w->next, w->start, n * sizeof *w->next);
  return 0;
}

/* Components from one node on; returns how many there are then. */
static uint32_t search_from(struct walk *w, uint32_t root, const struct layers_edge *e, uint32_t *component, uint32_t components, uint32_t *met, uint32_t *held) {
  uint32_t depth = 0;
  w->path[depth] = root;
  w->index[root] = w->low[root] = ++*met;
  w->stack[(*held)++] = root;
  for (;;) {
    uint32_t v = w->path[depth];
    if (w->next[v] < w->start[v + 1]) {
      uint32_t to = e[w->edge[w->next[v]++]].to;
      if (!w->index[to]) {
        w->index[to] = w->low[to] = ++*met;
        w->stack[(*held)++] = to;
        w->path[++depth] = to;
      } else if (component[to] == NONE && w->index[to] < w->low[v]) {
        w->low[v] = w->index[to];
      }
      continue;
    }
    if (w->low[v] == w->index[v]) {
      uint32_t member;
      do component[member = w->stack[--*held]] = components;
      while (member != v);
      components++;
    }
    if (!depth) return components;
    uint32_t parent = w->path[--depth];
    if (w->low[v] < w->low[parent]) w->low[parent] = w->low[v];
  }
}

int layers_find(uint32_t nodes, const struct layers_edge *e, size_t edges, uint32_t *component, int64_t *layer, struct mem *mem) {
  struct walk w;
  uint32_t components = 0, met = 0, held = 0;
  if (walk_open(&w, nodes, e, edges, mem)) return -1;
  memset(component, 0xff, nodes * sizeof *component);
  for (uint32_t v = 0; v < nodes; v++)
    if (!w.index[v]) components = search_from(&w, v, e, component, components, &met, &held);
  /* nodes by component: counted into `start` of components, listed in `stack` */
  int64_t *best = mem_alloc(mem, MEM_ANALYSIS, ((size_t)components + 1) * sizeof *best);
  size_t *first = mem_alloc(mem, MEM_ANALYSIS, ((size_t)components + 2) * sizeof *first);
  int status = best && first ? 0 : -1;
  if (!status) {
    for (uint32_t v = 0; v < nodes; v++) first[component[v] + 1]++;
    for (uint32_t c = 0; c < components; c++) first[c + 1] += first[c];
    memcpy(w.next, first, ((size_t)components + 1) * sizeof *first);
    for (uint32_t v = 0; v < nodes; v++) w.stack[w.next[component[v]]++] = v;
    for (uint32_t c = components; c-- > 0;)
      for (size_t i = first[c]; i < first[c + 1]; i++)
        for (size_t k = w.start[w.stack[i]]; k < w.start[w.stack[i] + 1]; k++) {
          const struct layers_edge *edge = &e[w.edge[k]];
          uint32_t to = component[edge->to];
          int64_t far = best[c] + edge->gain;
          if (to != c && far > best[to]) best[to] = far < INT64_MAX / 4 ? far : INT64_MAX / 4;
        }
    for (uint32_t v = 0; v < nodes; v++) layer[v] = best[component[v]];
  }
  mem_free(mem, best);
  mem_free(mem, first);
  walk_close(&w, mem);
  return status;
}
