/* canonical.c -- see canonical.h.
 *
 * Colour refinement and individualisation, as McKay's nauty does it: the colour of a node is mixed with the facts that it occurs in and the colours of the others in them, until no more nodes become different.  If movable nodes
 * are still tied, each of the first tied ones in turn is made different from the others, and it goes on from there; of all orders at the end the one with the least certificate is taken.  A node that could
 * change places with the first one of its tie, everything else staying where it is, need not be tried: that is nearly every tie, because processes that have done nothing yet are alike in that way.
 *
 * Colours are hashes of 64 bits.  Should two of them be equal by chance, alike states are not recognised as such, which costs states and nothing else: whatever comes out is an order of the same nodes.  For the same reason
 * the number of orders that are looked at may be bounded.
 *
 * There are some ten or twenty nodes, and facts about one node alone, which are most of them, go into its colour at once: often there is nothing to refine.  nauty would want a graph, which takes longer to build than this
 * takes to be done. */
#include "model/canonical.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES_MOST = 720 };

void canonical_close(struct canonical *c) {
  if (!c->mem) return;
  vec_free(&c->colour, c->mem);
  vec_free(&c->movable, c->mem);
  vec_free(&c->facts, c->mem);
  vec_free(&c->sum, c->mem);
  vec_free(&c->sorted, c->mem);
  vec_free(&c->best, c->mem);
  vec_free(&c->stack, c->mem);
  vec_free(&c->tied, c->mem);
}

void canonical_say(struct canonical *c, uint64_t what, const uint32_t *node, uint32_t count) {
  if (!count) return;
  if (count == 1) {
    canonical_own(c, node[0], what);
    return;
  }
  struct canonical_fact f = {.what = hash_mix(what), .count = count};
  memcpy(f.node, node, count * sizeof *node);
  if (vec_push(&c->facts, c->mem, MEM_SEARCH, f)) c->failed = 1;
}

/* ---- refinement ------------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void sort_colours(uint64_t *at, size_t count) {
  if (count > 24) {
    qsort(at, count, sizeof *at, by_value);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    uint64_t x = at[i];
    size_t k = i;
    for (; k && at[k - 1] > x; k--) at[k] = at[k - 1];
    at[k] = x;
  }
}

/* Different colours: of all nodes, or of those that are movable. */
static size_t different(struct canonical *c, int movable_only) {
  size_t count = 0, kinds = 0;
  for (size_t i = 0; i < c->colour.count; i++)
    if (!movable_only || c->movable.at[i]) c->sorted.at[count++] = c->colour.at[i];
  sort_colours(c->sorted.at, count);
  for (size_t i = 0; i < count; i++) kinds += !i || c->sorted.at[i] != c->sorted.at[i - 1];
  return kinds;
}

static uint64_t fact_hash(const struct canonical_fact *f, const uint64_t *colour) {
  uint64_t h = f->what;
  for (uint32_t k = 0; k < f->count; k++) h = hash_mix(h ^ colour[f->node[k]]) + 0x9e3779b97f4a7c15u * (k + 1);
  return h;
}

static void refine(struct canonical *c) {
  if (!c->facts.count) return;
  size_t nodes = c->colour.count, before = different(c, 0);
  while (before < nodes) {
    memset(c->sum.at, 0, nodes * sizeof *c->sum.at);
    for (size_t i = 0; i < c->facts.count; i++) {
      const struct canonical_fact *f = &c->facts.at[i];
      uint64_t h = fact_hash(f, c->colour.at);
      for (uint32_t k = 0; k < f->count; k++) c->sum.at[f->node[k]] += hash_mix(h + k);
    }
    for (size_t i = 0; i < nodes; i++) c->colour.at[i] = hash_mix(c->colour.at[i] ^ c->sum.at[i]) + c->colour.at[i];
    size_t now = different(c, 0);
    if (now <= before) break;
    before = now;
  }
}

/* ---- ties -------------------------------------------------------------------------------------------------------------------- */

/* Would everything be as it is if u and v changed places? */
static int exchangeable(const struct canonical *c, uint32_t u, uint32_t v) {
  uint64_t here = 0, there = 0;
  for (size_t i = 0; i < c->facts.count; i++) {
    const struct canonical_fact *f = &c->facts.at[i];
    uint64_t h = f->what, g = f->what;
    int touched = 0;
    for (uint32_t k = 0; k < f->count; k++) {
      uint32_t n = f->node[k], m = n == u ? v : n == v ? u : n;
      touched |= m != n;
      h = hash_mix(h ^ (n + 1)) + k;
      g = hash_mix(g ^ (m + 1)) + k;
    }
    if (!touched) continue;
    here += hash_mix(h);
    there += hash_mix(g);
  }
  return here == there;
}

/* The least colour that several movable nodes have: 1, or 0: there is none. */
static int find_tie(struct canonical *c, uint64_t *colour) {
  size_t count = 0;
  for (size_t i = 0; i < c->colour.count; i++)
    if (c->movable.at[i]) c->sorted.at[count++] = c->colour.at[i];
  sort_colours(c->sorted.at, count);
  for (size_t i = 1; i < count; i++)
    if (c->sorted.at[i] == c->sorted.at[i - 1]) {
      *colour = c->sorted.at[i];
      return 1;
    }
  return 0;
}

static void keep_if_best(struct canonical *c) {
  uint64_t certificate = 0;
  for (size_t i = 0; i < c->facts.count; i++) certificate += hash_mix(fact_hash(&c->facts.at[i], c->colour.at));
  if (c->leaves++ && certificate >= c->least) return;
  c->least = certificate;
  memcpy(c->best.at, c->colour.at, c->colour.count * sizeof *c->best.at);
}

/* As deep as there are ties: at most the number of movable nodes, which slots and names bound. */
static void search(struct canonical *c) {
  uint64_t colour;
  refine(c);
  if (!find_tie(c, &colour)) {
    keep_if_best(c);
    return;
  }
  size_t nodes = c->colour.count, saved = c->stack.count, first = c->tied.count;
  if (vec_reserve(&c->stack, c->mem, MEM_SEARCH, nodes)) {
    c->failed = 1;
    return;
  }
  memcpy(c->stack.at + saved, c->colour.at, nodes * sizeof *c->stack.at);
  c->stack.count += nodes;
  for (uint32_t i = 0; i < nodes; i++)
    if (c->movable.at[i] && c->colour.at[i] == colour && vec_push(&c->tied, c->mem, MEM_SEARCH, i)) c->failed = 1;
  size_t end = c->tied.count;
  int all_alike = 1; /* any two may change places: every order is as good as any other */
  for (size_t k = first + 1; k < end && all_alike && !c->failed; k++) all_alike = exchangeable(c, c->tied.at[first], c->tied.at[k]);
  if (all_alike && !c->failed) {
    for (size_t k = first; k < end; k++) c->colour.at[c->tied.at[k]] = hash_mix(colour + 1 + (k - first));
    c->stack.count = saved;
    c->tied.count = first;
    search(c);
    return;
  }
  for (size_t k = first; k < end && !c->failed; k++) {
    uint32_t u = c->tied.at[k];
    int known = k > first && c->leaves >= LEAVES_MOST;
    for (size_t j = first; j < k && !known; j++) known = exchangeable(c, c->tied.at[j], u);
    if (known) continue;
    c->colour.at[u] = hash_mix(colour + 1);
    search(c);
    memcpy(c->colour.at, c->stack.at + saved, nodes * sizeof *c->stack.at);
  }
  c->stack.count = saved;
  c->tied.count = first;
}

int canonical_order(struct canonical *c) {
  size_t nodes = c->colour.count;
  if (c->failed || vec_reserve(&c->sum, c->mem, MEM_SEARCH, nodes + 1) || vec_reserve(&c->sorted, c->mem, MEM_SEARCH, nodes + 1) || vec_reserve(&c->best, c->mem, MEM_SEARCH, nodes + 1)) {
    c->failed = 0;
    return -1;
  }
  for (size_t i = 0; i < nodes; i++) c->colour.at[i] = hash_mix(c->colour.at[i]);
  if (!c->facts.count) return 0; /* nodes of one colour are the same in everything */
  c->leaves = 0;
  c->stack.count = c->tied.count = 0;
  search(c);
  if (c->failed) {
    c->failed = 0;
    return -1;
  }
  memcpy(c->colour.at, c->best.at, nodes * sizeof *c->best.at);
  return 0;
}
