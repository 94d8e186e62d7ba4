/* fairness.c -- impartial, fair, just or nothing: on small graphs by the definitions over all sets of edges that an infinite run can have again and again, on larger
 * ones by closure; refused memory, and no time. */
#include "tap.h"

#include "labelled_graphs.h"
#include "search/fairness.h"

static struct mem mem;
static struct err err;
static struct rng rng = {11};

/* ---- by definition: every set of edges that is strongly connected is what some run takes again and again ------------------------- */

struct edge {
  uint32_t from, to, label;
};

static int strongly_connected(const struct edge *edge, uint32_t edges, uint32_t set, uint32_t states, uint32_t *touched) {
  uint8_t reach[LTS_STATES][LTS_STATES] = {{0}};
  *touched = 0;
  for (uint32_t i = 0; i < edges; i++)
    if (set >> i & 1) reach[edge[i].from][edge[i].to] = 1, *touched |= 1u << edge[i].from | 1u << edge[i].to;
  for (uint32_t via = 0; via < states; via++)
    for (uint32_t s = 0; s < states; s++)
      for (uint32_t t = 0; t < states; t++) reach[s][t] |= reach[s][via] && reach[via][t];
  for (uint32_t s = 0; s < states; s++)
    for (uint32_t t = 0; t < states; t++)
      if (*touched >> s & *touched >> t & 1 && !reach[s][t]) return 0;
  return 1;
}

static void by_definition(const struct small_lts *g, uint32_t labels, uint8_t *of) {
  struct edge edge[16];
  uint32_t edges = 0, possible[LTS_LABELS] = {0};
  for (uint32_t s = 0; s < g->states; s++)
    for (uint32_t k = 0; k < g->degree[s]; k++) {
      edge[edges++] = (struct edge){s, g->target[s][k], g->label[s][k]};
      possible[g->label[s][k]] |= 1u << s;
    }
  for (uint32_t l = 0; l < labels; l++) of[l] = FAIRNESS_IMPARTIAL;
  for (uint32_t set = 1; set < 1u << edges; set++) {
    uint32_t touched, taken = 0;
    if (!strongly_connected(edge, edges, set, g->states, &touched)) continue;
    for (uint32_t i = 0; i < edges; i++) taken |= (set >> i & 1) << edge[i].label;
    for (uint32_t l = 0; l < labels; l++) {
      uint8_t at_most = taken >> l & 1 ? FAIRNESS_IMPARTIAL : !(possible[l] & touched) ? FAIRNESS_FAIR : touched & ~possible[l] ? FAIRNESS_JUST : FAIRNESS_NONE;
      if (at_most < of[l]) of[l] = at_most;
    }
  }
}

/* ---- by closure ------------------------------------------------------------------------------------------------------------------- */

/* Is there a closed walk without the label, among the states of `admitted`, through one of `wanted`? */
static int closed_walk(const struct small_lts *g, uint32_t label, const uint8_t *admitted, const uint8_t *wanted) {
  static lts_relation reach;
  memset(reach, 0, sizeof reach);
  for (uint32_t s = 0; s < g->states; s++)
    for (uint32_t k = 0; k < g->degree[s]; k++)
      if (g->label[s][k] != label && admitted[s] && admitted[g->target[s][k]]) reach[s][g->target[s][k]] = 1;
  for (uint32_t via = 0; via < g->states; via++)
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t t = 0; reach[s][via] && t < g->states; t++) reach[s][t] |= reach[via][t];
  for (uint32_t s = 0; s < g->states; s++)
    if (wanted[s] && reach[s][s]) return 1;
  return 0;
}

static void by_closure(const struct small_lts *g, uint32_t labels, uint8_t *of) {
  for (uint32_t l = 0; l < labels; l++) {
    uint8_t all[LTS_STATES], possible[LTS_STATES] = {0};
    memset(all, 1, sizeof all);
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t k = 0; k < g->degree[s]; k++) possible[s] |= g->label[s][k] == l;
    of[l] = !closed_walk(g, l, all, all) ? FAIRNESS_IMPARTIAL : !closed_walk(g, l, all, possible) ? FAIRNESS_FAIR : !closed_walk(g, l, possible, possible) ? FAIRNESS_JUST : FAIRNESS_NONE;
  }
}

/* ---- what is found ----------------------------------------------------------------------------------------------------------------- */

static int find(const struct small_lts *s, uint32_t labels, uint8_t *of) {
  struct graph g;
  struct components c = {0};
  graph_open(&g, &mem, labels);
  int good = lts_tell(&g, s) == 0 && components_find(&c, &g, &mem, &err) == 0 && fairness_find(of, labels, &g, &c, NULL, &mem, &err) == 0;
  components_close(&c);
  graph_close(&g);
  return good;
}

static int agree(const struct small_lts *g, uint32_t labels, void (*oracle)(const struct small_lts *, uint32_t, uint8_t *), uint32_t *met) {
  uint8_t found[LTS_LABELS], right[LTS_LABELS];
  if (!find(g, labels, found)) return 0;
  oracle(g, labels, right);
  for (uint32_t l = 0; l < labels; l++) met[right[l]]++;
  return memcmp(found, right, labels) == 0;
}

static void known(const char *what, uint32_t states, const struct edge *edge, uint32_t edges, enum fairness a, enum fairness b) {
  struct small_lts g = {.states = states};
  uint8_t of[LTS_LABELS] = {0};
  for (uint32_t i = 0; i < edges; i++) {
    uint32_t s = edge[i].from;
    g.target[s][g.degree[s]] = edge[i].to;
    g.label[s][g.degree[s]++] = edge[i].label;
  }
  ok(find(&g, 3, of) && of[1] == a && of[2] == b, what);
}

int main(void) {
  uint32_t met[5] = {0}, small = 0, large = 0, refused = 0;
  mem_open(&mem, (size_t)64 << 20);
  for (unsigned round = 0; round < 3000; round++) {
    struct small_lts g;
    do lts_random(&g, &rng, 1 + (uint32_t)rng_below(&rng, 6), 1 + round % 3, 4, 20);
    while (g.degree[0] + g.degree[1] + g.degree[2] + g.degree[3] + g.degree[4] + g.degree[5] > 10);
    small += agree(&g, 4, by_definition, met);
  }
  is(small, 3000, "3000 small graphs: as defined over all that a run can have again and again");
  ok(met[FAIRNESS_NONE] > 100 && met[FAIRNESS_JUST] > 100 && met[FAIRNESS_FAIR] > 100 && met[FAIRNESS_IMPARTIAL] > 100, "and every answer came often");
  memset(met, 0, sizeof met);
  for (unsigned round = 0; round < 1500; round++) {
    struct small_lts g;
    lts_random(&g, &rng, 8 + (uint32_t)rng_below(&rng, LTS_STATES - 8), 1 + round % 3, 4, round % 2 ? 80 : 25);
    large += agree(&g, 4, by_closure, met);
  }
  is(large, 1500, "1500 larger graphs: as by closure");
  ok(met[FAIRNESS_NONE] > 50 && met[FAIRNESS_JUST] > 50 && met[FAIRNESS_FAIR] > 50 && met[FAIRNESS_IMPARTIAL] > 50, "and every answer came often");

  known("one cycle takes both: impartial", 2, (struct edge[]){{0, 1, 1}, {1, 0, 2}}, 2, FAIRNESS_IMPARTIAL, FAIRNESS_IMPARTIAL);
  known("a loop beside an edge: no fairness for the edge", 2, (struct edge[]){{0, 0, 1}, {0, 1, 2}}, 2, FAIRNESS_IMPARTIAL, FAIRNESS_NONE);
  known("possible now and then, never taken: just, not fair", 3, (struct edge[]){{0, 1, 1}, {1, 0, 1}, {1, 2, 2}}, 3, FAIRNESS_IMPARTIAL, FAIRNESS_JUST);
  known("only on the way to the cycle: fair", 2, (struct edge[]){{0, 1, 2}, {1, 1, 1}}, 2, FAIRNESS_IMPARTIAL, FAIRNESS_FAIR);
  known("no cycle: all is impartial", 3, (struct edge[]){{0, 1, 1}, {1, 2, 2}}, 2, FAIRNESS_IMPARTIAL, FAIRNESS_IMPARTIAL);

  for (unsigned fail = 1; fail < 30; fail++) {
    struct small_lts g;
    struct graph told;
    struct components c;
    uint8_t of[LTS_LABELS];
    lts_random(&g, &rng, 30, 3, 4, 25);
    graph_open(&told, &mem, 4);
    lts_tell(&told, &g);
    if (components_find(&c, &told, &mem, &err)) break;
    size_t before = mem.used;
    mem.fail_after = 1 + fail % 7;
    refused += fairness_find(of, 4, &told, &c, NULL, &mem, &err) == -1 && err.kind == ERR_MEMORY && mem.used == before;
    mem.fail_after = 0;
    components_close(&c);
    graph_close(&told);
  }
  is(refused, 29, "without memory: an error, and nothing is lost");

  struct graph ring;
  struct components c;
  uint8_t of[3] = {9, 9, 9};
  static const int now = 1;
  struct model_patience none = {.interrupt = &now};
  enum { LONG = 50000 };
  graph_open(&ring, &mem, 3);
  for (uint32_t s = 0; s < LONG; s++) {
    graph_begin(&ring, s);
    graph_edge(&ring, (s + 1) % LONG, 1);
    graph_edge(&ring, (s + 2) % LONG, 1); /* no simple cycle, of which all is known without a walk */
    graph_end(&ring);
  }
  ok(components_find(&c, &ring, &mem, &err) == 0 && fairness_find(of, 3, &ring, &c, &none, &mem, &err) == 0 && of[1] == FAIRNESS_UNKNOWN, "no time: not known");
  ok(fairness_find(of, 3, &ring, &c, NULL, &mem, &err) == 0 && of[1] == FAIRNESS_IMPARTIAL && of[2] == FAIRNESS_FAIR, "with time: known, also of a label that never happens");
  components_close(&c);
  graph_close(&ring);
  is(mem.used, 0, "no memory is left behind");
  return done();
}
