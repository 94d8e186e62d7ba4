/* components.c -- see components.h. Tarjan's algorithm with a stack of its own: paths may be as long as there are states. */
#include "search/components.h"

struct visit {
  uint32_t state;
  uint64_t edge; /* where in its row the next one to be looked at is; 0 = the first */
};

int components_find(struct components *c, const struct graph *g, struct mem *mem, struct err *e) {
  uint64_t n = g->states, depth = 0, open = 0;
  uint32_t next = 1;
  *c = (struct components){.mem = mem, .of = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *c->of)};
  uint32_t *index = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *index), *low = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *low);
  uint32_t *waiting = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *waiting);
  struct visit *stack = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *stack);
  int bad = !c->of || !index || !low || !waiting || !stack;
  for (uint64_t root = 0; root < n && !bad; root++) {
    if (index[root]) continue;
    stack[depth++] = (struct visit){(uint32_t)root, 0};
    index[root] = low[root] = next++;
    waiting[open++] = (uint32_t)root;
    c->of[root] = UINT32_MAX; /* its component is open */
    while (depth) {
      struct visit *v = &stack[depth - 1];
      uint32_t s = v->state;
      struct graph_edges row = graph_edges_from(g, s, v->edge);
      if (graph_more(&row)) {
        uint32_t t = graph_next(&row, NULL);
        v->edge = row.at;
        if (!index[t]) {
          index[t] = low[t] = next++;
          waiting[open++] = t;
          c->of[t] = UINT32_MAX;
          stack[depth++] = (struct visit){t, 0};
        } else if (c->of[t] == UINT32_MAX && index[t] < low[s]) {
          low[s] = index[t];
        }
        continue;
      }
      depth--;
      if (depth && low[s] < low[stack[depth - 1].state]) low[stack[depth - 1].state] = low[s];
      if (low[s] != index[s]) continue;
      uint32_t member;
      do c->of[member = waiting[--open]] = c->count;
      while (member != s);
      c->count++;
    }
  }
  if (!bad) c->last = mem_alloc(mem, MEM_SEARCH, (size_t)c->count + 1);
  if (!bad) c->cyclic = mem_alloc(mem, MEM_SEARCH, (size_t)c->count + 1);
  bad |= !c->last || !c->cyclic;
  for (uint32_t i = 0; !bad && i < c->count; i++) c->last[i] = 1;
  for (uint64_t s = 0; s < n && !bad; s++)
    for (struct graph_edges row = graph_edges(g, s); graph_more(&row);)
      if (c->of[graph_next(&row, NULL)] != c->of[s]) c->last[c->of[s]] = 0, c->between++;
      else c->cyclic[c->of[s]] = 1;
  mem_free(mem, index);
  mem_free(mem, low);
  mem_free(mem, waiting);
  mem_free(mem, stack);
  if (!bad) return 0;
  components_close(c);
  return err_memory(e, "the components of the graph");
}

void components_close(struct components *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->of);
  mem_free(c->mem, c->last);
  mem_free(c->mem, c->cyclic);
  *c = (struct components){0};
}
