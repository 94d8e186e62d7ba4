/* graph.c -- the condensed graph: what is put in comes out, in order and turned; rows in any order; limits; refused memory. */
#include "tap.h"

#include "base/rng.h"
#include "search/graph.h"

enum { MOST = 3000 };

static struct mem mem;
static struct rng rng = {7};

struct plain { /* what was told */
  uint32_t states, first[MOST + 1];
  uint32_t target[40 * MOST], group[40 * MOST];
};
static struct plain plain;

static void make(uint32_t states, uint32_t degree, uint32_t groups) {
  uint32_t n = 0;
  plain.states = states;
  for (uint32_t s = 0; s < states; s++) {
    plain.first[s] = n;
    uint32_t count = (uint32_t)rng_below(&rng, degree + 1);
    uint64_t near = rng_below(&rng, 3);
    for (uint32_t i = 0; i < count; i++, n++) {
      plain.target[n] = near ? (uint32_t)(s + rng_below(&rng, 9)) % states : (uint32_t)rng_below(&rng, states);
      plain.group[n] = groups ? (uint32_t)rng_below(&rng, groups) : 0;
    }
  }
  plain.first[states] = n;
}

static int tell_row(struct graph *g, uint32_t s) {
  if (graph_begin(g, s)) return -1;
  for (uint32_t e = plain.first[s]; e < plain.first[s + 1]; e++)
    if (graph_edge(g, plain.target[e], plain.group[e])) return -1;
  return graph_end(g);
}

static int row_is(const struct graph *g, uint32_t s) {
  uint32_t e = plain.first[s], group;
  struct graph_edges row = graph_edges(g, s);
  if (graph_left(&row) != plain.first[s + 1] - e || graph_degree(g, s) != plain.first[s + 1] - e) return 0;
  for (uint64_t at = 0; e < plain.first[s + 1]; e++) {
    row = graph_edges_from(g, s, at);
    if (!graph_more(&row) || graph_next(&row, &group) != plain.target[e] || group != (g->group_bits ? plain.group[e] : 0)) return 0;
    at = row.at;
  }
  return e == plain.first[s] || !graph_more(&row);
}

static int is_as_told(const struct graph *g) {
  int same = g->edges == plain.first[plain.states];
  for (uint32_t s = 0; s < plain.states && same; s++) same = row_is(g, s);
  return same;
}

static int turned_is(const struct graph *g) {
  struct graph t;
  uint32_t group;
  if (graph_turn(&t, g, 1, &mem)) return 0;
  int same = t.edges == g->edges && t.states == g->states;
  static struct graph_edges row[MOST];
  for (uint32_t s = 0; s < t.states; s++) row[s] = graph_edges(&t, s);
  for (uint32_t s = 0; same && s < plain.states; s++) /* sources come in ascending order */
    for (uint32_t e = plain.first[s]; same && e < plain.first[s + 1]; e++)
      same = graph_more(&row[plain.target[e]]) && graph_next(&row[plain.target[e]], &group) == s && group == (g->group_bits ? plain.group[e] : 0);
  for (uint32_t s = 0; same && s < t.states; s++) same = !graph_more(&row[s]);
  graph_close(&t);
  return same;
}

static void shuffle(uint32_t *order, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  for (uint32_t i = n; i > 1; i--) {
    uint32_t j = (uint32_t)rng_below(&rng, i), x = order[i - 1];
    order[i - 1] = order[j];
    order[j] = x;
  }
}

/* Half of the rows and a piece of the next one with few groups, then more groups than those have bits for. */
static int regrouped(uint32_t states, int in_order, unsigned few, unsigned many) {
  static uint32_t order[MOST];
  struct graph g;
  make(states, 12, many);
  shuffle(order, states);
  for (uint32_t i = 0; i < states; i++) {
    if (in_order) order[i] = i;
    for (uint32_t e = plain.first[order[i]]; i < states / 2 && e < plain.first[order[i] + 1]; e++) plain.group[e] %= few;
  }
  graph_open(&g, &mem, few);
  int good = 1;
  for (uint32_t i = 0; i < states && good; i++) {
    uint32_t s = order[i], middle = (plain.first[s] + plain.first[s + 1]) / 2;
    good = graph_begin(&g, s) == 0;
    for (uint32_t e = plain.first[s]; e < plain.first[s + 1] && good; e++) {
      if (i == states / 2 && e == middle) good = graph_regroup(&g, many) == 0;
      if (i == states / 2 && e < middle) plain.group[e] %= few;
      good = good && graph_edge(&g, plain.target[e], plain.group[e]) == 0;
    }
    if (i == states / 2 && good) good = graph_regroup(&g, many) == 0;
    good = good && graph_end(&g) == 0;
  }
  good = good && is_as_told(&g);
  graph_close(&g);
  return good;
}

int main(void) {
  static uint32_t order[MOST];
  int in_order = 0, turned = 0, loose = 0, loose_turned = 0, again = 0;
  mem_open(&mem, (size_t)256 << 20);
  for (unsigned round = 0; round < 100; round++) {
    struct graph g;
    uint32_t groups = round % 3 ? 0 : 1 + (uint32_t)rng_below(&rng, round % 2 ? 5 : 1u << 31);
    make(1 + (uint32_t)rng_below(&rng, round % 5 ? 300 : MOST), round % 4 * 10 + 2, groups);
    graph_open(&g, &mem, groups);
    for (uint32_t s = 0; s < plain.states; s++) tell_row(&g, s);
    in_order += is_as_told(&g) && !g.loose;
    g.states = plain.states;
    turned += turned_is(&g);
    graph_forget(&g);
    again += g.states == 0 && g.edges == 0 && !graph_degree(&g, 0);
    shuffle(order, plain.states);
    for (uint32_t i = 0; i < plain.states; i++) tell_row(&g, order[i]);
    loose += is_as_told(&g);
    g.states = plain.states;
    loose_turned += turned_is(&g);
    graph_close(&g);
  }
  is(in_order, 100, "rows in order: what is told is there");
  is(turned, 100, "and turned round");
  is(again, 100, "forgotten");
  is(loose, 100, "rows in any order");
  is(loose_turned, 100, "and turned round");
  int more_groups = 0;
  for (uint32_t round = 0; round < 60; round++) more_groups += regrouped(20 + 37 * round, round & 1, 1 + round % 7, 9 + 997 * round);
  is(more_groups, 60, "more groups than there were at first");
  is(mem.used, 0, "no memory is left behind");

  struct graph g;
  graph_open(&g, &mem, 0);
  ok(graph_degree(&g, 0) == 0 && g.states == 0, "nothing told: nothing there");
  ok(graph_begin(&g, 0) == 0 && graph_edge(&g, 0, 0) == 0 && graph_end(&g) == 0 && graph_degree(&g, 0) == 1, "one state with a loop");
  ok(graph_begin(&g, 1) == 0 && graph_edge(&g, UINT32_MAX - 1, 0) == 0 && graph_edge(&g, 0, 0) == 0 && graph_end(&g) == 0, "the farthest number that there is");
  struct graph_edges e = graph_edges(&g, 1);
  ok(graph_next(&e, NULL) == UINT32_MAX - 1 && graph_next(&e, NULL) == 0 && !graph_more(&e), "comes out again");
  ok(graph_edge(&g, UINT32_MAX, 0) == -1 && graph_begin(&g, UINT32_MAX) == -1, "numbers from 2^32 - 1 on are refused");
  graph_close(&g);

  /* A row of 100000 edges: its block is wide; those around it are as they were. */
  graph_open(&g, &mem, 0);
  for (uint64_t s = 0; s < 200; s++) {
    graph_begin(&g, s);
    for (uint64_t i = 0; i < (s == 77 || s == 95 ? 100000u : s % 3); i++) graph_edge(&g, s + i, 0);
    graph_end(&g);
  }
  int wide = 1;
  for (uint64_t s = 0; s < 200; s++) {
    uint64_t i = 0;
    for (e = graph_edges(&g, s); graph_more(&e); i++) wide &= graph_next(&e, NULL) == s + i;
    wide &= i == (s == 77 || s == 95 ? 100000u : s % 3);
  }
  ok(wide && g.wide.size, "rows that are longer than 16 bits can tell");
  graph_close(&g);

  /* Refused memory: the rows before stay, and with more of it telling goes on. */
  int kept = 1, refused = 0;
  for (unsigned fail = 1; fail < 40; fail++) {
    struct mem small;
    struct graph t;
    uint32_t s = 0;
    mem_open(&small, (size_t)4 << 20);
    void *others = mem_alloc(&small, MEM_OTHER, small.budget - (size_t)4096 * fail); /* what the rest of a run holds */
    make(2000, 20, 0);
    graph_open(&g, &small, 0);
    while (s < plain.states && tell_row(&g, s) == 0) s++;
    refused += s < plain.states;
    for (uint32_t i = 0; i < s; i++) kept &= row_is(&g, i);
    mem_free(&small, others);
    for (; s < plain.states; s++) kept &= tell_row(&g, s) == 0 && row_is(&g, s);
    others = mem_alloc(&small, MEM_OTHER, mem_left(&small) - (size_t)4096 * fail);
    size_t before = small.used;
    if (graph_turn(&t, &g, 0, &small)) kept &= small.used == before;
    else graph_close(&t);
    mem_free(&small, others);
    graph_close(&g);
    kept &= others && small.used == 0;
  }
  ok(kept && refused, "refused memory: the rows before stay, and telling goes on");
  return done();
}
