/* components.c -- strongly connected components of random graphs against reachability by closure. */
#include "tap.h"

#include "graphs.h"
#include "search/components.h"

static struct mem mem;
static struct err err;
static struct rng rng = {5};

static void close_reach(const struct small_graph *g, uint8_t reach[GRAPH_STATES][GRAPH_STATES]) {
  memset(reach, 0, GRAPH_STATES * GRAPH_STATES);
  for (uint32_t s = 0; s < g->states; s++) {
    reach[s][s] = 1;
    for (uint32_t i = 0; i < g->degree[s]; i++) reach[s][g->target[s][i]] = 1;
  }
  for (uint32_t via = 0; via < g->states; via++)
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t t = 0; reach[s][via] && t < g->states; t++) reach[s][t] |= reach[via][t];
}

static int as_defined(const struct small_graph *g, const struct components *c) {
  static uint8_t reach[GRAPH_STATES][GRAPH_STATES];
  uint64_t between = 0;
  close_reach(g, reach);
  for (uint32_t s = 0; s < g->states; s++) {
    int last = 1;
    if (c->of[s] >= c->count) return 0;
    for (uint32_t t = 0; t < g->states; t++) {
      int together = reach[s][t] && reach[t][s];
      if ((c->of[s] == c->of[t]) != together) return 0;
      last &= !reach[s][t] || together;
    }
    if (c->last[c->of[s]] != last) return 0;
    int cyclic = 0;
    for (uint32_t t = 0; t < g->states; t++)
      for (uint32_t i = 0; i < g->degree[t]; i++) {
        cyclic |= c->of[t] == c->of[s] && c->of[g->target[t][i]] == c->of[s];
        between += s == 0 && c->of[t] != c->of[g->target[t][i]];
      }
    if (c->cyclic[c->of[s]] != cyclic) return 0;
  }
  return between == c->between;
}

int main(void) {
  struct fake fake = fake_open(graph_vars, graph_groups);
  struct model_type type = *fake.model.type;
  int right = 0, refused = 0;
  mem_open(&mem, (size_t)64 << 20);
  type.cursor_open = graph_cursor_open;
  type.cursor_close = graph_cursor_close;
  fake.model.type = &type;
  for (unsigned round = 0; round < 200; round++) {
    struct small_graph g;
    struct kripke k;
    struct components c;
    graph_random(&g, &rng, 1 + (uint32_t)rng_below(&rng, round % 4 ? 15 : GRAPH_STATES), round % 4 * 12);
    if (kripke_open(&k, &fake.model, NULL, 0, &mem, &err)) break;
    graph_tell(&k, &g);
    right += components_find(&c, &k.graph, &mem, &err) == 0 && as_defined(&g, &c);
    components_close(&c);
    size_t before = mem.used;
    mem.fail_after = 1 + round % 5;
    refused += components_find(&c, &k.graph, &mem, &err) == -1 && err.kind == ERR_MEMORY && mem.used == before;
    mem.fail_after = 0;
    kripke_close(&k);
  }
  is(right, 200, "200 graphs: components, which cannot be left, which have cycles, and edges between them");
  is(refused, 200, "without memory: an error, and nothing is lost");
  is(mem.used, 0, "no memory is left behind");
  return done();
}
