/* refine.c -- bisimulations on random graphs against their definition; quotients; a chain, which must not take quadratic time; refused memory. */
#include "tap.h"

#include "labelled_graphs.h"

static struct mem mem;
static struct err err;
static struct rng rng = {11};
static const uint64_t first;

static int as_defined(const struct small_lts *g, const struct refined *r, int branching) {
  static lts_relation like;
  lts_bisimilar(g, branching, like);
  for (uint32_t s = 0; s < g->states; s++)
    for (uint32_t t = 0; t < g->states; t++)
      if ((r->block[s] == r->block[t]) != like[s][t]) return 0;
  return 1;
}

/* The quotient is bisimilar to the graph, and no two of its states to each other. */
static int quotient_is(const struct small_lts *small, const struct graph *g, const struct refined *r, enum bisimulation kind) {
  static lts_relation like;
  struct graph q;
  struct small_lts read, both;
  uint32_t *number = NULL;
  int good = refined_quotient(r, g, kind, &first, 1, &q, &number, &mem, &err) == 0;
  if (!good) return 0;
  if (lts_read(&read, &q) == 0 && small->states + read.states <= LTS_STATES) {
    lts_union(&both, small, &read);
    lts_bisimilar(&both, kind == BISIMULATION_BRANCHING, like);
    for (uint32_t s = 0; s < small->states; s++)
      if (number[r->block[s]] != UINT32_MAX) good &= like[s][small->states + number[r->block[s]]];
    for (uint32_t s = 0; s < read.states; s++)
      for (uint32_t t = 0; t < s; t++) good &= !like[small->states + s][small->states + t];
  }
  mem_free(&mem, number);
  graph_close(&q);
  return good;
}

static void chain(void) {
  enum { LENGTH = 300000 };
  struct graph g;
  struct refined r;
  graph_open(&g, &mem, 2);
  for (uint64_t s = 0; s < LENGTH; s++) {
    graph_begin(&g, s);
    if (s + 1 < LENGTH) graph_edge(&g, s + 1, 1);
    graph_end(&g);
  }
  double begin = cpu_now();
  ok(refine(&r, &g, BISIMULATION_STRONG, NULL, &mem, &err) == 0 && r.blocks == LENGTH, "a chain: no two states are alike");
  refined_close(&r);
  ok(refine(&r, &g, BISIMULATION_BRANCHING, NULL, &mem, &err) == 0 && r.blocks == LENGTH, "nor branching");
  refined_close(&r);
  ok(cpu_now() - begin < 10, "and that takes no quadratic time");
  graph_close(&g);
}

static void refuse(void) {
  int refused = 0, kept = 1;
  for (unsigned fail = 1; fail <= 60; fail++) {
    struct small_lts small;
    struct graph g, q;
    struct refined r;
    lts_random(&small, &rng, 20, 4, 3, 40);
    graph_open(&g, &mem, LTS_LABELS);
    lts_tell(&g, &small);
    size_t used = mem.used;
    enum bisimulation kind = fail % 2 ? BISIMULATION_STRONG : BISIMULATION_BRANCHING;
    err_clear(&err);
    mem.fail_after = 1 + fail / 2;
    if (refine(&r, &g, kind, NULL, &mem, &err)) {
      refused++;
      kept &= err.kind == ERR_MEMORY;
    } else {
      if (refined_quotient(&r, &g, kind, &first, 1, &q, NULL, &mem, &err) == 0) graph_close(&q);
      refined_close(&r);
    }
    mem.fail_after = 0;
    kept &= mem.used == used;
    graph_close(&g);
  }
  ok(refused > 10 && kept, "refused memory: an error, and nothing is lost");
}

int main(void) {
  int right[2] = {0, 0}, quotients[2] = {0, 0};
  mem_open(&mem, (size_t)512 << 20);
  err_clear(&err);
  for (unsigned round = 0; round < 1500; round++) {
    struct small_lts small;
    struct graph g;
    lts_random(&small, &rng, 1 + (uint32_t)rng_below(&rng, round % 3 ? 12 : 24), 1 + round % 4, 2 + round % 3, round % 5 * 22);
    graph_open(&g, &mem, LTS_LABELS);
    lts_tell(&g, &small);
    for (int b = 0; b < 2; b++) {
      struct refined r;
      if (refine(&r, &g, (enum bisimulation)b, NULL, &mem, &err)) continue;
      right[b] += as_defined(&small, &r, b);
      quotients[b] += quotient_is(&small, &g, &r, (enum bisimulation)b);
      refined_close(&r);
    }
    graph_close(&g);
  }
  is(right[0], 1500, "1500 graphs: strong bisimulation by definition");
  is(right[1], 1500, "branching bisimulation");
  is(quotients[0], 1500, "strong quotients");
  is(quotients[1], 1500, "branching quotients");
  chain();
  refuse();
  is(mem.used, 0, "no memory is left behind");
  return done();
}
