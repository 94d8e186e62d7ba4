/* components.c -- see components.h.
 *
 * Tarjan's algorithm with a stack of its own, since paths may be as long as there are states, and with one number per state instead of three, after Pearce ("A space-efficient algorithm for finding
 * strongly connected components"): while a state is open `of` is the number of the oldest state that it is known to reach, counted from 1; when its component is closed it is that component's, counted down from
 * CLOSED.  Numbers of components are larger than all others, so that an edge needs one look at its target.  On graphs of millions of states those looks are what takes the time.
 *
 * 32 bytes per state while it runs: the stack keeps where in its row a state is, so that nothing is looked up again on the way back. */
#include "search/components.h"

#define CLOSED (UINT32_MAX - 1)

struct visit {
  uint64_t at, end; /* in the row of its state */
  uint32_t state;
  uint16_t width;
  uint16_t oldest; /* nothing older is known that it reaches */
};

struct search_components {
  const struct graph *g;
  uint32_t *of, *waiting; /* waiting: states that are done, and reach an older one that is not */
  struct visit *stack;
  uint64_t depth, waits;
  uint32_t next, closed; /* numbers for the next state, and for the next component */
};

static void enter(struct search_components *c, uint32_t state) {
  struct graph_edges row = graph_edges(c->g, state);
  c->stack[c->depth++] = (struct visit){row.at, row.end, state, (uint16_t)row.width, 1};
  c->of[state] = c->next++;
}

static void leave(struct search_components *c, uint32_t state, int oldest) {
  if (!oldest) {
    c->waiting[c->waits++] = state;
    return;
  }
  uint32_t number = c->of[state];
  c->next--;
  while (c->waits && number <= c->of[c->waiting[c->waits - 1]]) {
    c->of[c->waiting[--c->waits]] = c->closed;
    c->next--;
  }
  c->of[state] = c->closed--;
}

static void find_from(struct search_components *c, uint32_t first) {
  for (enter(c, first); c->depth;) {
    struct visit *v = &c->stack[c->depth - 1];
    struct graph_edges row = {c->g->bits.base, v->at, v->end, v->state, v->width, c->g->group_bits};
    uint32_t known = c->of[v->state], t = UINT32_MAX;
    while (graph_more(&row)) {
      uint32_t to = graph_next(&row, NULL), number = c->of[to];
      if (!number) {
        t = to;
        break;
      }
      if (number < known) known = number, v->oldest = 0;
    }
    c->of[v->state] = known;
    v->at = row.at;
    if (t != UINT32_MAX) {
      enter(c, t);
      continue;
    }
    uint32_t state = v->state;
    c->depth--;
    leave(c, state, v->oldest);
    if (!c->depth) break;
    struct visit *above = &c->stack[c->depth - 1]; /* what the state reaches, the one before it does */
    if (c->of[state] < c->of[above->state]) c->of[above->state] = c->of[state], above->oldest = 0;
  }
}

/* Which cannot be left, and which have an edge inside. */
static void look_at_edges(struct components *c, const struct graph *g) {
  for (uint32_t i = 0; i < c->count; i++) c->last[i] = 1;
  for (uint64_t s = 0; s < g->states; s++)
    for (struct graph_edges row = graph_edges(g, s); graph_more(&row);)
      if (c->of[graph_next(&row, NULL)] != c->of[s]) c->last[c->of[s]] = 0, c->between++;
      else c->cyclic[c->of[s]] = 1;
}

int components_find(struct components *c, const struct graph *g, struct mem *mem, struct err *e) {
  uint64_t n = g->states;
  struct search_components find = {.g = g, .next = 1, .closed = CLOSED};
  *c = (struct components){.mem = mem, .of = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *c->of)};
  find.of = c->of;
  find.waiting = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *find.waiting);
  find.stack = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *find.stack);
  int bad = !c->of || !find.waiting || !find.stack;
  for (uint64_t s = 0; s < n && !bad; s++)
    if (!c->of[s]) find_from(&find, (uint32_t)s);
  mem_free(mem, find.waiting);
  mem_free(mem, find.stack);
  if (!bad) {
    c->count = CLOSED - find.closed;
    for (uint64_t s = 0; s < n; s++) c->of[s] = CLOSED - c->of[s];
    c->last = mem_alloc(mem, MEM_SEARCH, (size_t)c->count + 1);
    c->cyclic = mem_alloc(mem, MEM_SEARCH, (size_t)c->count + 1);
    bad = !c->last || !c->cyclic;
  }
  if (!bad) {
    look_at_edges(c, g);
    return 0;
  }
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
