/* graph_linear.c -- random automata on random graphs against the definition: a cycle of the product, found by closure, that meets every set. */
#include "tap.h"

#include "graphs.h"
#include "search/graph_linear.h"

enum { STATES = 14, WATCHERS = 4, PRODUCT = STATES * WATCHERS };

static struct mem mem;
static struct err err;
static struct rng rng = {33};
static struct fake fake;
static struct model_type type;
static struct expr *atom[GRAPH_ATOMS];

static struct automaton *random_automaton(uint32_t states, uint32_t sets) {
  struct automaton_draft d;
  struct automaton *a = NULL;
  automaton_draft_open(&d, &mem);
  for (uint32_t q = 0; q < states; q++)
    for (uint64_t n = rng_below(&rng, 4); n; n--) {
      uint64_t care = rng_below(&rng, 16) & rng_below(&rng, 16);
      automaton_draft_edge(&d, q, (struct automaton_edge){care, rng_below(&rng, 16) & care, (uint32_t)rng_below(&rng, states), (uint32_t)rng_below(&rng, UINT64_C(1) << sets)});
    }
  automaton_draft_initial(&d, 0);
  if (states > 1 && rng_below(&rng, 2)) automaton_draft_initial(&d, 1);
  automaton_finish(&a, &d, states, sets, &err);
  automaton_draft_close(&d);
  return a;
}

/* By definition. */
static int accepts(const struct small_graph *g, const struct automaton *a, int ends) {
  static uint8_t reach[PRODUCT][PRODUCT], met[AUTOMATON_SETS + 1][PRODUCT][PRODUCT]; /* edges; those of a set; last: all */
  uint32_t n = g->states * a->states, q = a->states;
  memset(reach, 0, sizeof reach);
  memset(met, 0, sizeof met);
  for (uint32_t s = 0; s < g->states; s++)
    for (uint32_t w = 0; w < q; w++)
      for (const struct automaton_edge *x = automaton_edges(a, w), *end = automaton_edges(a, w + 1); x < end; x++) {
        if (!automaton_open_for(x, g->label[s])) continue;
        for (uint32_t k = 0; k < g->degree[s] || (k == 0 && !g->degree[s] && !ends); k++) {
          uint32_t t = g->degree[s] ? g->target[s][k] : s, from = s * q + w, to = t * q + x->to;
          reach[from][to] = met[AUTOMATON_SETS][from][to] = 1;
          for (uint32_t i = 0; i < a->sets; i++) met[i][from][to] |= x->accept >> i & 1;
        }
      }
  for (uint32_t via = 0; via < n; via++)
    for (uint32_t s = 0; s < n; s++)
      for (uint32_t t = 0; reach[s][via] && t < n; t++) reach[s][t] |= reach[via][t];
  for (uint32_t i = 0; i < a->initial_count; i++)
    for (uint32_t p = 0; p < n; p++) {
      uint32_t found = 0;
      if ((p != a->initial[i] && !reach[a->initial[i]][p]) || !reach[p][p]) continue;
      for (uint32_t set = 0; set < a->sets; set++) {
        int has = 0;
        for (uint32_t u = 0; u < n && !has; u++)
          for (uint32_t v = 0; (u == p || (reach[p][u] && reach[u][p])) && v < n && !has; v++) has = met[set][u][v] && (v == p || reach[v][p]);
        found += (uint32_t)has;
      }
      if (found == a->sets) return 1;
    }
  return 0;
}

int main(void) {
  int right = 0, both[2] = {0, 0}, refused = 0, kept = 1;
  fake = fake_open(graph_vars, graph_groups);
  type = *fake.model.type;
  type.cursor_open = graph_cursor_open;
  type.cursor_close = graph_cursor_close;
  fake.model.type = &type;
  mem_open(&mem, (size_t)64 << 20);
  for (unsigned i = 0; i < GRAPH_ATOMS; i++)
    if (expr_parse(&atom[i], &fake.model, &mem, graph_vars[i], "test", &err)) return 1;
  for (unsigned round = 0; round < 2000; round++) {
    struct small_graph g;
    struct kripke k;
    struct graph_linear figures;
    graph_random(&g, &rng, 1 + (uint32_t)rng_below(&rng, STATES), round % 4 * 15);
    struct automaton *a = random_automaton(1 + (uint32_t)rng_below(&rng, WATCHERS), round % 4);
    if (!a || kripke_open(&k, &fake.model, atom, GRAPH_ATOMS, &mem, &err)) break;
    graph_tell(&k, &g);
    int ends = round % 3 == 0, want = accepts(&g, a, ends);
    right += graph_linear(&figures, &k, a, ends, NULL, &mem, &err) == want && figures.states <= (uint64_t)g.states * a->states;
    both[want]++;
    size_t used = mem.used;
    mem.fail_after = 1 + round % 4;
    if (graph_linear(&figures, &k, a, ends, NULL, &mem, &err) < 0) {
      refused++;
      kept &= err.kind == ERR_MEMORY;
      err_clear(&err);
    }
    mem.fail_after = 0;
    kept &= mem.used == used;
    kripke_close(&k);
    automaton_close(a);
  }
  is(right, 2000, "2000 automata on 2000 graphs: whether a run is accepted");
  ok(both[0] > 200 && both[1] > 200, "both answers happen");
  ok(refused && kept, "without memory: an error, and nothing is lost");
  for (unsigned i = 0; i < GRAPH_ATOMS; i++) expr_close(atom[i]);
  is(mem.used, 0, "no memory is left behind");
  return done();
}
