/* pairs.c -- the set of pairs against a plain list: dense, diagonal, skewed, with ids that grow, with hashes cut short; its size against
 * the bound. */
#include "tap.h"

#include "base/hash.h"
#include "base/rng.h"
#include "store/pairs.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = 1 << 20 };

/* A list that knows better. */
struct list {
  uint64_t *table; /* pair + 1 */
  size_t count;
};

static int note(struct list *l, uint64_t pair) {
  size_t at = hash_mix(pair) % SLOTS;
  for (; l->table[at]; at = (at + 1) % SLOTS)
    if (l->table[at] == pair + 1) return 1;
  l->table[at] = pair + 1;
  l->count++;
  return 0;
}

static int noted(const struct list *l, uint64_t pair) {
  for (size_t at = hash_mix(pair) % SLOTS; l->table[at]; at = (at + 1) % SLOTS)
    if (l->table[at] == pair + 1) return 1;
  return 0;
}

static size_t told;
static int hear(void *context, uint64_t pair) {
  told++;
  return !noted(context, pair);
}

static uint64_t draw(int kind, size_t i, struct rng *r) {
  switch (kind) {
  case 0: return pairs_join((uint32_t)(i % 500), (uint32_t)(i / 500));                                  /* all of a rectangle */
  case 1: return pairs_join((uint32_t)i, (uint32_t)i);                                                  /* nothing in common */
  case 2: return pairs_join((uint32_t)rng_below(r, 1 + i / 20), (uint32_t)rng_below(r, 1 + i / 30));    /* growing ids */
  case 3: return pairs_join(0, (uint32_t)i * 64);                                                      /* one row, far apart */
  case 4: return pairs_join((uint32_t)i * 1024, 7);                                                    /* one column, far apart */
  default: return pairs_join((uint32_t)rng_below(r, 3000), (uint32_t)(rng_below(r, 3000) & ~(uint64_t)255)); /* skewed */
  }
}

static void run(int kind, size_t n, uint64_t hash_mask, int slow) {
  struct mem mem;
  struct pairs p;
  struct rng rng = {(uint64_t)kind};
  struct list l = {.table = calloc(SLOTS, sizeof *l.table)};
  uint64_t left = 0, right = 0;
  size_t wrong = 0;
  char text[160];
  mem_open(&mem, 0);
  pairs_open(&p, &mem, 0, hash_mask);
  if (slow) p.fast = 0;
  for (size_t i = 0; i < n; i += PAIRS_AHEAD / 2) {
    uint64_t pair[PAIRS_AHEAD];
    uint8_t there[PAIRS_AHEAD];
    for (size_t k = 0; k < PAIRS_AHEAD / 2; k++) {
      pair[k] = draw(kind, i + k, &rng);
      pair[PAIRS_AHEAD / 2 + k] = k % 2 ? pair[k] : draw(kind, (size_t)rng_below(&rng, i + k + 1), &rng); /* seen before, mostly */
    }
    for (size_t k = 0; k < PAIRS_AHEAD; k++) {
      if (pair[k] >> 32 >= left) left = (pair[k] >> 32) + 1;
      if ((uint32_t)pair[k] >= right) right = (uint64_t)(uint32_t)pair[k] + 1;
    }
    if (pairs_reserve(&p, left, right, PAIRS_AHEAD) != PAIRS_AHEAD) {
      wrong++;
      break;
    }
    wrong += pairs_ask(&p, pair, there, PAIRS_AHEAD, 0) != PAIRS_AHEAD;
    for (size_t k = 0; k < PAIRS_AHEAD; k++) wrong += there[k] != noted(&l, pair[k]);
    wrong += pairs_ask(&p, pair, there, PAIRS_AHEAD, 1) != PAIRS_AHEAD;
    for (size_t k = 0; k < PAIRS_AHEAD; k++) wrong += there[k] != note(&l, pair[k]);
  }
  wrong += p.count != l.count;
  double bits = 8.0 * (double)pairs_bytes(&p) / (double)p.count, bound = log2((double)left * (double)right / (double)p.count) + 1.44;
  snprintf(text, sizeof text, "kind %d%s, hash %016llx: %zu pairs, %.1f bits each, bound %.1f, %llu spilled", kind, slow ? " without popcnt" : "",
           (unsigned long long)hash_mask, l.count, bits, bound < 0 ? 0 : bound, (unsigned long long)p.spill.count);
  is(wrong, 0, text);
  told = 0;
  ok(pairs_each(&p, hear, &l, 0) == 0 && told == l.count, "each tells all, once");
  told = 0;
  ok(pairs_each(&p, hear, &l, 1) == 0 && told == l.count, "and again on the way out");
  pairs_close(&p);
  is(mem.used, 0, "nothing is left behind");
  if (!hash_mask && kind == 0) ok(bits < 2 * (bound + 3.5), "at most twice what a full table takes: few bits more than the bound");
  free(l.table);
}

int main(void) {
  for (int kind = 0; kind < 6; kind++) {
    run(kind, 200000, 0, 0);
    run(kind, 20000, 0, 1);
    run(kind, 20000, 0xff, 0);
    run(kind, 20000, 1, 0);
  }
  /* memory that ends: what is there stays */
  struct mem mem;
  struct pairs p;
  struct list l = {.table = calloc(SLOTS, sizeof *l.table)};
  mem_open(&mem, 300000);
  pairs_open(&p, &mem, 0, 0);
  size_t i = 0, wrong = 0;
  for (; i < 1000000 && pairs_reserve(&p, i / 1000 + 1, 1000, 1) == 1; i++) {
    uint64_t pair = pairs_join((uint32_t)(i / 1000), (uint32_t)(i % 1000));
    uint8_t there;
    if (pairs_ask(&p, &pair, &there, 1, 1) != 1) break;
    wrong += there != note(&l, pair);
  }
  told = 0;
  ok(i > 100000 && i < 1000000 && !wrong && mem.peak <= 300000, "a budget of 300 KB ends it, not before 100,000 pairs");
  mem.budget = SIZE_MAX;
  ok(pairs_each(&p, hear, &l, 0) == 0 && told == l.count, "and what is there is there");
  pairs_close(&p);
  free(l.table);
  return done();
}
