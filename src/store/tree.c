/* tree.c -- states as pairs of pairs: what many states share is kept once.
 *
 * A state is cut into P pieces of up to 64 bits (two 32-bit leaves each), P a power of two.  A piece is a node; two nodes make a
 * node (their numbers side by side, 64 bits again), and so on; the last two are the root.  All nodes of all levels live in ONE
 * table of 64-bit values with dense numbers (nodeset.h).  Steps change little, so most nodes are there already: 0.01 to 0.3 new
 * ones per state. Roots are the set of states: each is a pair of node numbers, kept in a set of its own (pairset.h), where a pair
 * takes just the bits of the largest numbers so far.
 *
 *            root (a, b)                  pairset: 4 to 7 bytes and load
 *             /       \
 *         node a      node b              nodeset: 8 bytes and index
 *         /   \       /   \
 *      piece piece  piece piece           nodeset, too: the bits of the state
 *
 * A ref is the pair itself: it says how to find the state without the set of roots, so that set may move its entries when it
 * grows.
 *
 * Incremental: get leaves the numbers of all nodes of a state in its trail, and a successor that comes with it looks up only the
 * pieces that differ and what stands above them.  A batch goes up level by level: compare with the source, hash, prefetch the
 * index; look at the index, prefetch the node; compare or enter.  Roots come last and need one cache line each.
 *
 * Where a state is cut decides how many nodes there are: between components (processes, channels) where one begins near the
 * middle of what is cut, else between words.  Cutting where a sample of the first 10^4 or 10^5 states has the fewest different
 * pieces was tried and was worse: pieces of a sample are nearly all different, and the smallest sum is then that of a very small
 * and a very large piece.
 *
 * States of up to 64 bits have no nodes: the root is the state (its two words).
 *
 * After Laarman, van de Pol, Weber: Parallel Recursive State Compression for Free (SPIN 2011); incremental as in Laarman's
 * thesis.  What differs: roots are no nodes.  As nodes they took 8 bytes plus load and an index (13 bytes, or 10 in a table that
 * cannot grow); as pairs in the bits that they need they take 5 to 8 with a table that grows in place. */
#include "store/tree.h"

#include "base/crew.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pieces are bytes of little-endian words");

enum { CHUNK = 64, CHUNK_LEAST = 8, SCRATCH = 16384, PIECE = 64, IN_CACHE = 1 << 15, RECENT = 256, RECENT_MOST = 8192 };

static inline uint64_t load64(const void *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

static inline uint64_t read_piece(const struct piece *p, const uint32_t *state) {
  const uint32_t *at = state + p->word;
  return (uint64_t)(((unsigned __int128)at[2] << 64 | load64(at)) >> p->shift) & p->mask;
}

static inline void write_piece(const struct piece *p, uint32_t *state, uint64_t value) {
  unsigned __int128 x = (unsigned __int128)value << p->shift;
  for (unsigned i = 0; i < 3; i++) state[p->word + i] |= (uint32_t)(x >> i * 32);
}

/* ---- up the tree ------------------------------------------------------------------- */

enum { PUT = TREE_PUT, FIND = TREE_FIND, SHARE = TREE_SHARE };

static inline struct recent *recent_at(const struct climber *v, uint64_t hash) {
  return (struct recent *)(void *)v->recent.base + (hash & v->recent_mask);
}

static inline void want(const struct tree *t, struct climber *v, size_t *tasks, uint64_t value, size_t state, size_t node) {
  uint64_t hash = nodeset_hash(&t->set, value);
  const struct recent *r = recent_at(v, hash);
  if (r->value == value && r->number) {
    v->ids[state * t->nodes + node] = r->number;
    return;
  }
  nodeset_prefetch(&t->set, hash);
  v->task[(*tasks)++] = (struct task){value, hash, (uint32_t)state, (uint32_t)node};
}

/* Answers the tasks. Returns the number of states before the first that could not be entered, at most `n`. */
static inline __attribute__((always_inline)) size_t answer(struct tree *t, struct climber *v, int asking, size_t tasks, size_t n) {
  if (t->set.slots > IN_CACHE)
    for (size_t i = 0; i < tasks; i++) nodeset_approach(&t->set, v->task[i].hash);
  for (size_t i = 0; i < tasks; i++) {
    const struct task *w = &v->task[i];
    uint64_t slot;
    if (w->state >= n) break;
    uint32_t number = asking == PUT    ? nodeset_put(&t->set, w->value, w->hash)
                      : asking == FIND ? nodeset_find(&t->set, w->value, w->hash, &slot)
                                       : nodeset_put_shared(&t->set, (unsigned)(v - t->climber), w->value, w->hash);
    v->ids[w->state * t->nodes + w->node] = number;
    *recent_at(v, w->hash) = (struct recent){w->value, number};
    if (asking == PUT && !number) n = w->state;
  }
  return n;
}

/* The numbers of all nodes of the states first .. first + n - 1. Returns how many of them could be entered. */
static inline __attribute__((always_inline)) size_t climb(struct tree *t, struct climber *v, int asking, const struct store_batch *b, size_t first,
                                                          size_t n) {
  size_t tasks = 0;
  for (size_t k = 0; k < n; k++) {
    const uint32_t *state = b->states + (first + k) * b->stride;
    const struct store_source *from = v->source[k];
    uint32_t *id = v->ids + k * t->nodes;
    for (uint32_t p = 0; p < t->pieces; p++) {
      uint64_t value = read_piece(&t->piece[p], state);
      if (from && value == read_piece(&t->piece[p], from->words)) id[p] = from->trail[p];
      else want(t, v, &tasks, value, k, p);
    }
  }
  n = answer(t, v, asking, tasks, n);
  for (uint32_t below = 0, at = t->pieces; at < t->nodes; below = at, at += (t->nodes - at + 2) / 2) {
    uint32_t end = at + (at - below) / 2;
    tasks = 0;
    for (size_t k = 0; k < n; k++) {
      const struct store_source *from = v->source[k];
      uint32_t *id = v->ids + k * t->nodes;
      for (uint32_t p = at, child = below; p < end; p++, child += 2) {
        if (from && id[child] == from->trail[child] && id[child + 1] == from->trail[child + 1]) id[p] = from->trail[p];
        else if (!id[child] || !id[child + 1]) id[p] = 0;
        else want(t, v, &tasks, (uint64_t)id[child + 1] << 32 | id[child], k, p);
      }
    }
    n = answer(t, v, asking, tasks, n);
  }
  return n;
}

/* Root pairs of a chunk into b->ref; UINT64_MAX in FIND: some node is not there. */
static inline __attribute__((always_inline)) size_t find_roots(struct tree *t, struct climber *v, int asking, struct store_batch *b, size_t first,
                                                               size_t n, size_t *source) {
  if (!t->pieces) {
    for (size_t i = first; i < first + n; i++) b->ref[i] = load64(b->states + i * b->stride);
    return n;
  }
  for (size_t k = 0; k < n; k++) {
    while (*source < b->sources && b->source[*source].end <= first + k) ++*source;
    const struct store_source *from = *source < b->sources && b->source[*source].first <= first + k ? &b->source[*source] : NULL;
    v->source[k] = from && from->trail ? from : NULL;
  }
  n = climb(t, v, asking, b, first, n);
  for (size_t k = 0; k < n; k++) {
    const uint32_t *id = v->ids + (k + 1) * t->nodes - 2;
    b->ref[first + k] = asking != PUT && !(id[0] && id[1]) ? STORE_NONE : (uint64_t)id[1] << 32 | id[0];
  }
  return n;
}

size_t tree_find_roots(struct tree *t, struct climber *v, int asking, struct store_batch *b, size_t first, size_t n, size_t *source) {
  return asking == PUT    ? find_roots(t, v, PUT, b, first, n, source)
         : asking == FIND ? find_roots(t, v, FIND, b, first, n, source)
                          : find_roots(t, v, SHARE, b, first, n, source);
}

static inline __attribute__((always_inline)) size_t ask(struct tree *t, int asking, struct store_batch *b, size_t from) {
  size_t source = 0;
  for (size_t first = from, most; first < b->count; first += most) {
    most = b->count - first < t->chunk ? b->count - first : t->chunk;
    size_t n = find_roots(t, t->climber, asking, b, first, most, &source);
    for (size_t i = first; i < first + n; i++) {
      b->hash[i] = pairset_hash(&t->roots, b->ref[i]);
      pairset_prefetch(&t->roots, b->hash[i]);
    }
    for (size_t i = first; i < first + n; i++) {
      if (asking == FIND) {
        b->answer[i] = b->ref[i] != STORE_NONE && pairset_has(&t->roots, b->ref[i], b->hash[i]) ? STORE_SEEN : STORE_NEW;
        continue;
      }
      int fresh = pairset_put(&t->roots, b->ref[i], b->hash[i]);
      b->answer[i] = fresh > 0 ? STORE_NEW : fresh == 0 ? STORE_SEEN : STORE_FULL;
      if (fresh < 0) return i;
    }
    if (n < most) {
      b->answer[first + n] = STORE_FULL;
      return first + n;
    }
  }
  return b->count;
}

static size_t tree_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct tree *t = (struct tree *)base;
  size_t done = ask(t, PUT, b, from);
  t->stats->store_nodes = nodeset_values(&t->set);
  tree_take_climbers(t, 1);
  return done;
}

static void tree_find_batch(struct store *base, struct store_batch *b) { ask((struct tree *)base, FIND, b, 0); }

/* ---- down the tree ----------------------------------------------------------------- */

void tree_read_state(const struct tree *t, store_ref root, uint32_t *state, uint32_t *id) {
  if (!t->pieces) {
    memcpy(state, &root, (size_t)t->words * 4);
    return;
  }
  memset(state, 0, (size_t)t->words * 4);
  id[t->nodes - 2] = (uint32_t)root;
  id[t->nodes - 1] = (uint32_t)(root >> 32);
  /* the children of node n, counted from the end, are the two that stand twice as far from it */
  for (uint32_t n = t->nodes; n-- > t->pieces;) {
    uint64_t value = nodeset_value(&t->set, id[n]);
    uint32_t child = t->nodes - 2 * (t->nodes - n) - 2;
    id[child] = (uint32_t)value;
    id[child + 1] = (uint32_t)(value >> 32);
  }
  for (uint32_t p = 0; p < t->pieces; p++) write_piece(&t->piece[p], state, nodeset_value(&t->set, id[p]));
}

static int tree_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct tree *t = (const struct tree *)base;
  tree_read_state(t, ref, state, trail ? trail : t->pieces ? t->climber->ids : NULL);
  return 0;
}

/* Nodes stay until the store is closed, so that refs can be read. */
static int tree_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct tree *t = (struct tree *)base;
  uint32_t *state = mem_alloc(t->mem, MEM_STORE, ((size_t)t->words + t->nodes + 4) * 4);
  int status = state ? 0 : -1;
  uint64_t slot = PAIRSET_END, root;
  if (consume && state) region_close(&t->set.index);
  while (!status && pairset_previous(&t->roots, &slot, &root, consume)) {
    tree_read_state(t, root, state, state + t->words + 2);
    status = hear(context, root, state) ? -1 : 0;
  }
  mem_free(t->mem, state);
  return status;
}

static int tree_each_ref(struct store *base, int (*hear)(void *, store_ref), void *context, int consume) {
  struct tree *t = (struct tree *)base;
  uint64_t slot = PAIRSET_END, root;
  if (base->crew && tree_take_climbers(t, crew_size(base->crew))) return -1;
  if (consume && t->pieces) region_close(&t->set.index);
  while (pairset_previous(&t->roots, &slot, &root, consume))
    if (hear(context, root)) return -1;
  return 0;
}

/* ---- life -------------------------------------------------------------------------- */

static uint64_t tree_count(const struct store *base) { return ((const struct tree *)base)->roots.count; }

static size_t tree_bytes(const struct store *base) {
  const struct tree *t = (const struct tree *)base;
  size_t scratch =
      t->pieces * sizeof *t->piece + t->climbers * ((size_t)t->chunk * t->pieces * sizeof(struct task) + t->chunk * (sizeof(struct store_source *) + t->nodes * sizeof(uint32_t)));
  for (unsigned i = 0; i < t->climbers; i++) scratch += sizeof *t->climber + t->climber[i].recent.held;
  if (!t->pieces) scratch = 0;
  return sizeof *t + scratch + t->set.gaps * sizeof *t->set.gap + t->set.nodes.held + t->set.index.held + t->roots.table.held;
}

static void close_climber(const struct tree *t, struct climber *v) {
  mem_free(t->mem, v->task);
  region_close(&v->recent);
  mem_free(t->mem, v->source);
  mem_free(t->mem, v->ids);
}

/* Where a node was entered is where it is known: entries of a smaller table are found or forgotten. */
static void more_recent(const struct tree *t, struct climber *v) {
  uint64_t size = (v->recent_mask + 1) * 2;
  if (size > RECENT_MOST || size > t->set.count) return;
  if (region_resize(&v->recent, size * sizeof(struct recent))) return;
  v->recent_mask = size - 1;
}

int tree_take_climbers(struct tree *t, unsigned wanted) {
  for (unsigned i = 0; i < t->climbers; i++) more_recent(t, &t->climber[i]);
  if (wanted <= t->climbers || !t->pieces) return 0;
  struct climber *climber = mem_resize(t->mem, MEM_STORE, t->climber, wanted * sizeof *climber);
  if (!climber) return -1;
  t->climber = climber;
  while (t->climbers < wanted) {
    struct climber *v = &t->climber[t->climbers];
    *v = (struct climber){.recent_mask = RECENT - 1};
    region_open(&v->recent, t->mem, MEM_STORE);
    v->task = mem_alloc(t->mem, MEM_STORE, (size_t)t->chunk * t->pieces * sizeof *v->task);
    v->source = mem_alloc(t->mem, MEM_STORE, t->chunk * sizeof *v->source);
    v->ids = mem_alloc(t->mem, MEM_STORE, (size_t)t->chunk * t->nodes * sizeof *v->ids);
    if (!v->task || !v->source || !v->ids || region_resize(&v->recent, RECENT * sizeof(struct recent))) {
      close_climber(t, v);
      return -1;
    }
    t->climbers++;
  }
  return 0;
}

static void tree_close(struct store *base) {
  if (!base) return;
  struct tree *t = (struct tree *)base;
  nodeset_close(&t->set);
  pairset_close(&t->roots);
  mem_free(t->mem, t->piece);
  for (unsigned i = 0; i < t->climbers; i++) close_climber(t, &t->climber[i]);
  mem_free(t->mem, t->climber);
  mem_free(t->mem, t);
}

static uint32_t distance(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

/* Where to cut the bits from .. to - 1 into halves of at most `most` bits. */
static uint32_t middle(const struct store_setup *setup, uint32_t from, uint32_t to, uint32_t most) {
  uint32_t low = to - from > most ? to - most : from + 1, high = from + most < to ? from + most : to - 1;
  uint32_t exact = from + (to - from) / 2, near = (to - from) / 4, best = UINT32_MAX, word = (exact + 16) / 32 * 32;
  for (size_t i = 0; i < setup->part_count; i++) {
    uint32_t at = setup->parts[i];
    if (at >= low && at <= high && distance(at, exact) <= near &&
        (best == UINT32_MAX || distance(at, exact) < distance(best, exact)))
      best = at;
  }
  if (best != UINT32_MAX) return best;
  return word >= low && word <= high && distance(word, exact) <= near ? word : exact;
}

static int cut(struct tree *t, const struct store_setup *setup) {
  uint32_t *edge = mem_alloc(t->mem, MEM_STORE, (t->pieces + 1) * sizeof *edge);
  if (!edge) return -1;
  edge[t->pieces] = setup->bits;
  for (uint32_t step = t->pieces; step > 1; step /= 2)
    for (uint32_t p = 0; p < t->pieces; p += step) edge[p + step / 2] = middle(setup, edge[p], edge[p + step], step / 2 * PIECE);
  for (uint32_t p = 0; p < t->pieces; p++) {
    uint32_t word = edge[p] / 32;
    if (word > t->words - 3) word = t->words - 3; /* nothing is read beyond the state */
    t->piece[p] = (struct piece){.word = word, .shift = edge[p] - word * 32, .mask = bits_mask(edge[p + 1] - edge[p])};
  }
  mem_free(t->mem, edge);
  return 0;
}

static int open_nodes(struct tree *t, const struct store_setup *setup, uint64_t hash_mask) {
  for (t->pieces = 2; setup->bits > (uint64_t)PIECE * t->pieces;) t->pieces *= 2;
  t->nodes = 2 * t->pieces - 2;
  t->chunk = SCRATCH / t->nodes < CHUNK_LEAST ? CHUNK_LEAST : SCRATCH / t->nodes < CHUNK ? SCRATCH / t->nodes : CHUNK;
  t->piece = mem_alloc(t->mem, MEM_STORE, t->pieces * sizeof *t->piece);
  if (!t->piece || tree_take_climbers(t, 1) || cut(t, setup)) return -1;
  return nodeset_open(&t->set, t->mem, hash_mask);
}

static int tree_open(struct store **out, const struct store_setup *setup) {
  struct tree *t = mem_alloc(setup->mem, MEM_STORE, sizeof *t);
  if (!t) return -1;
  uint64_t hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  uint32_t bits = setup->bits;
  int raw = bits <= 64;
  t->base.type = &store_tree;
  t->mem = setup->mem;
  t->stats = setup->stats ? setup->stats : &t->no_stats;
  t->words = setup->words;
  t->chunk = CHUNK;
  int status;
  unsigned low = raw ? bits < 32 ? bits : 32 : 16, high = raw ? bits - low : 16;
  status = pairset_open(&t->roots, t->mem, low, high, setup->entry_bits / 8, hash_mask);
  if (!status && !raw) status = open_nodes(t, setup, hash_mask);
  t->base.trail_words = t->nodes;
  if (status) {
    tree_close(&t->base);
    return -1;
  }
  *out = &t->base;
  return 0;
}

const struct store_type store_tree = {
    .name = "tree",
    .summary = "states as pairs of pairs in one table of nodes: exact, mostly 6 to 12 bytes per state",
    .caps = STORE_EXACT | STORE_GET,
    .open = tree_open,
    .put_batch = tree_put_batch,
    .find_batch = tree_find_batch,
    .get = tree_get,
    .each = tree_each,
    .each_ref = tree_each_ref,
    .round_claims = 1,
    .round_begin = tree_round_begin,
    .round_peek = tree_round_peek,
    .round_ask = tree_round_ask,
    .round_settle = tree_round_settle,
    .count = tree_count,
    .bytes = tree_bytes,
    .close = tree_close,
};
