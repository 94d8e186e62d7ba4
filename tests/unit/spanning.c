/* spanning.c -- the tree and its edges in bits against arrays of predecessors and edges, with long barren stretches. */
#include "tap.h"

#include "base/rng.h"
#include "store/spanning.h"

#include <stdlib.h>

enum { STATES = 60000 };

static int wrong_parents(uint64_t seed, unsigned fruitful, size_t *found) {
  struct mem mem;
  struct spanning s;
  struct rng rng = {seed};
  uint32_t *parent = calloc(STATES + 64, sizeof *parent), *edge = calloc(STATES + 64, sizeof *edge);
  int wrong = 0;
  mem_open(&mem, 0);
  spanning_open(&s, &mem, MEM_SEARCH);
  size_t states = 1;
  wrong += spanning_found(&s, 0) != 0;
  for (uint32_t next = 0; next < states && states < STATES; next++) { /* bursts of children, then none for a long while */
    unsigned children = rng_below(&rng, 100) < fruitful ? (unsigned)rng_below(&rng, 40) : next + 1 == states;
    for (unsigned k = 0; k < children; k++) {
      parent[states++] = next;
      edge[states - 1] = rng_below(&rng, 50) ? k : (uint32_t)rng_next(&rng);
      wrong += spanning_found(&s, edge[states - 1]) != 0;
    }
    wrong += spanning_expanded(&s) != 0;
  }
  for (size_t i = 1; i < states; i++) wrong += spanning_parent(&s, i) != parent[i] || spanning_edge(&s, i) != edge[i];
  *found = states;
  spanning_close(&s);
  wrong += mem.used != 0;
  free(parent);
  free(edge);
  return wrong;
}

int main(void) {
  static const unsigned fruitful[] = {2, 6, 30, 100};
  char text[80];
  for (size_t i = 0; i < sizeof fruitful / sizeof *fruitful; i++) {
    size_t found = 0;
    int wrong = wrong_parents(i, fruitful[i], &found);
    snprintf(text, sizeof text, "%u of 100 states have children: %zu states", fruitful[i], found);
    is(wrong, 0, text);
  }
  /* memory that ends is an answer */
  struct mem mem;
  struct spanning s;
  mem_open(&mem, 40000);
  spanning_open(&s, &mem, MEM_SEARCH);
  uint64_t n = 0;
  while (n < 10000000 && spanning_found(&s, (uint32_t)n % 9) == 0) n++;
  ok(n > 1000 && n < 10000000 && mem.peak <= 40000, "a small budget ends it");
  ok(spanning_parent(&s, 1) == 0 && spanning_edge(&s, n - 1) == (n - 1) % 9 && spanning_edge(&s, 5) == 5, "and what is there can still be asked");
  spanning_close(&s);
  return done();
}
