/* comback_adopt.c -- a breadth-first tree changes hands: comback takes it over with the states of another store or by steps alone, knows every way
 * and every state under its number, and goes on; refused memory leaves the tree with its owner.
 *
 * The model: a strip of 4 x 1000 places on which one walks forward by one, or aside.  A thousand layers, so that some are kept in full. */
#include "tap.h"

#include "base/mem.h"
#include "base/stats.h"
#include "store/spanning.h"
#include "store/store.h"

#include <stdlib.h>

enum { LONG = 1000, WIDE = 4, STATES = LONG * WIDE, EDGES = 2, BITS = 40, WORDS = 2 };

static char text[200];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* The k-th step of a place; STATES = there is none. */
static uint32_t move(uint32_t place, uint32_t k) {
  uint32_t to[EDGES], n = 0;
  if (place % WIDE + 1 < WIDE) to[n++] = place + 1;
  if (place / WIDE + 1 < LONG) to[n++] = place + WIDE;
  return k < n ? to[k] : STATES;
}

static void make(uint32_t *state, uint32_t place) {
  state[0] = place * 2654435761u;
  state[1] = place % 251;
}

static uint32_t place_of(const uint32_t *state) { return state[0] * 244002641u; /* the inverse of that multiplication */ }

static int initial(void *context, uint32_t *state) {
  (void)context;
  make(state, 0);
  return 0;
}

static int step(void *context, const uint32_t *state, uint32_t edge, uint32_t *out) {
  uint32_t to = move(place_of(state), edge);
  (void)context;
  if (to == STATES) return -1;
  make(out, to);
  return 0;
}

static struct walk { /* the truth: places in order of discovery */
  uint32_t place[STATES], parent[STATES], edge[STATES], number[STATES];
  size_t count, expanded;
} walk;

static void explore(void) {
  for (uint32_t i = 0; i < STATES; i++) walk.number[i] = STATES;
  walk.number[0] = 0;
  walk.count = 1;
  for (uint32_t n = 0; n < walk.count; n++)
    for (uint32_t k = 0, to; (to = move(walk.place[n], k)) != STATES; k++) {
      if (walk.number[to] != STATES) continue;
      uint32_t at = (uint32_t)walk.count++;
      walk.number[to] = at;
      walk.place[at] = to;
      walk.parent[at] = n;
      walk.edge[at] = k;
    }
}

/* The tree of the states that are found while the first `expanded` are expanded. Returns how many. */
static size_t plant(struct spanning *tree, struct mem *mem, uint32_t expanded) {
  size_t n = 1;
  spanning_open(tree, mem, MEM_SEARCH);
  spanning_found(tree, 0);
  for (uint32_t i = 0; i < expanded; i++) {
    for (; n < STATES && walk.parent[n] == i; n++) spanning_found(tree, walk.edge[n]);
    spanning_expanded(tree);
  }
  return n;
}

static int give(void *context, uint64_t number, uint32_t *state) {
  (void)context;
  make(state, walk.place[number]);
  return 0;
}

static struct store *open_store(struct mem *mem, const char *variants) {
  static struct stats stats;
  static const struct store_model model = {.initial = initial, .step = step};
  struct store_options options = {.comback = variants};
  struct store_setup setup = {.words = WORDS, .bits = BITS, .mem = mem, .stats = &stats, .options = &options, .model = &model};
  struct store *s = NULL;
  return store_comback.open(&s, &setup) ? NULL : s;
}

/* What is wrong with the first n states of the store. */
static size_t faults(struct store *s, size_t n) {
  size_t wrong = s->type->count(s) != n;
  uint32_t want[WORDS], got[WORDS], load[64 * WORDS];
  for (size_t i = 0; i < n; i++) {
    store_ref parent;
    uint32_t edge;
    make(want, walk.place[i]);
    wrong += s->type->get(s, i, got, NULL) || memcmp(got, want, sizeof want) || store_find(s, want, WORDS) != i;
    wrong += i ? s->type->origin(s, i, &parent, &edge) || parent != walk.parent[i] || edge != walk.edge[i] : !s->type->origin(s, i, &parent, &edge);
  }
  for (size_t i = 0; i < n; i += 64) {
    size_t count = n - i < 64 ? n - i : 64;
    wrong += s->type->get_batch(s, i, count, load, WORDS) != 0;
    for (size_t k = 0; k < count; k++) {
      make(want, walk.place[i + k]);
      wrong += memcmp(load + k * WORDS, want, sizeof want) != 0;
    }
  }
  for (uint32_t i = (uint32_t)n; i < STATES; i += 7) {
    make(want, walk.place[i]);
    wrong += store_find(s, want, WORDS) != STORE_NONE;
  }
  return wrong;
}

/* The store goes on where the tree ended. */
static size_t go_on(struct store *s, uint32_t expanded) {
  size_t wrong = 0, found = s->type->count(s);
  for (uint32_t n = expanded; n < STATES; n++) {
    uint32_t words[WORDS], batch[EDGES * WORDS], k = 0;
    uint64_t hash[EDGES];
    store_ref ref[EDGES];
    uint8_t answer[EDGES];
    struct store_source from = {.ref = n, .words = words};
    struct store_batch b = {.states = batch, .stride = WORDS, .hash = hash, .ref = ref, .answer = answer, .source = &from, .sources = 1};
    make(words, walk.place[n]);
    for (uint32_t to; (to = move(walk.place[n], k)) != STATES; k++) make(batch + k * WORDS, to);
    from.end = b.count = k;
    wrong += s->type->put_batch(s, &b, 0) != k;
    for (uint32_t i = 0; i < k; i++) {
      uint32_t number = walk.number[move(walk.place[n], i)];
      wrong += ref[i] != number || (answer[i] == STORE_NEW) != (number == found);
      found += number == found;
    }
  }
  return wrong;
}

static void adopts(uint32_t expanded, int given, const char *variants) {
  struct mem mem;
  struct spanning tree;
  mem_open(&mem, 0);
  size_t n = plant(&tree, &mem, expanded);
  struct store *s = open_store(&mem, variants);
  int status = s->type->adopt(s, &tree, given ? give : NULL, NULL);
  size_t wrong = status ? 1 : faults(s, n);
  if (!status) wrong += go_on(s, expanded) + faults(s, STATES);
  is(wrong, 0, NAMED("%zu states, %s%s", n, given ? "given" : "by steps", variants ? ", numbers" : ""));
  is(mem.tag_used[MEM_SEARCH], 0, "the tree is the store's");
  s->type->close(s);
  spanning_close(&tree);
  is(mem.used, 0, "nothing left behind");
}

/* Refused at any moment, the tree is as it was. */
static void starved(int given) {
  size_t wrong = 0, refused = 0;
  for (size_t fail = 1; fail < 150; fail++) {
    struct mem mem;
    struct spanning tree;
    mem_open(&mem, 0);
    size_t n = plant(&tree, &mem, STATES / 2), before = mem.tag_used[MEM_SEARCH];
    struct store *s = open_store(&mem, NULL);
    mem.fail_after = fail % 2 ? fail / 2 + 1 : 0; /* one request, or all beyond a budget */
    if (fail % 2 == 0) mem.budget = mem.used + fail * 150;
    int status = s->type->adopt(s, &tree, given ? give : NULL, NULL);
    mem.fail_after = 0;
    mem.budget = SIZE_MAX;
    refused += status != 0;
    if (!status) wrong += faults(s, n);
    else {
      wrong += tree.states != n || mem.tag_used[MEM_SEARCH] != before || s->type->count(s) != 0;
      for (uint32_t i = 1; i < n; i++) wrong += spanning_parent(&tree, i) != walk.parent[i] || spanning_edge(&tree, i) != walk.edge[i];
    }
    s->type->close(s);
    spanning_close(&tree);
    wrong += mem.used != 0;
  }
  is(wrong, 0, NAMED("%s: refused %zu times", given ? "given" : "by steps", refused));
  ok(refused > 20, "and it is");
}

int main(void) {
  struct mem mem;
  explore();
  is(walk.count, STATES, "the strip");
  static const uint32_t expanded[] = {0, 1, STATES / 3, STATES - 1, STATES};
  for (size_t i = 0; i < sizeof expanded / sizeof *expanded; i++)
    for (int given = 0; given < 2; given++) {
      adopts(expanded[i], given, NULL);
      adopts(expanded[i], given, "numbers");
    }
  starved(0);
  starved(1);
  mem_open(&mem, 0);
  struct spanning tree;
  plant(&tree, &mem, 5);
  struct store *s = open_store(&mem, "classic");
  ok(!s->ways && s->type->adopt(s, &tree, give, NULL) == -1 && tree.states > 5, "the classic form has no such tree");
  s->type->close(s);
  spanning_close(&tree);
  return done();
}
