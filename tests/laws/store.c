/* store.c -- the laws of store.h over every registered store.
 *
 * The oracle is a sorted list of vectors.  Widths from 1 to 300 bits, vectors that differ
 * in one bit, duplicates inside a batch, a hash cut to few bits (every probe collides), index
 * entries of all widths, a budget that ends early.  Sets that shrink again: states are forgotten and come back in random order. */
#include "tap.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "store/quotient.h"
#include "store/store.h"

#include <stdlib.h>

enum { MOST = 3000, STRIDE = 16 };

static char text[200];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* n random vectors of `bits` bits, drawn from a pool so that duplicates are common. */
static void draw(uint32_t *v, size_t n, uint32_t words, uint32_t bits, uint64_t pool, struct rng *rng) {
  memset(v, 0, n * STRIDE * 4);
  for (size_t i = 0; i < n; i++) {
    struct rng local = {rng_below(rng, pool) * 7919 + bits};
    for (uint32_t w = 0; w < words; w++) v[i * STRIDE + w] = (uint32_t)rng_next(&local);
    if (bits % 32) v[i * STRIDE + words - 1] &= (1u << bits % 32) - 1;
  }
}

/* Of the stores opened from now on. */
static uint64_t quotient_from;
static struct store_options options;
static int depth_first;

/* A set under test, beside a list that knows better. Every state but the first is a successor of an earlier one, so that stores which keep steps
   instead of states can take them again. */
struct world {
  const struct store_type *type;
  struct mem mem;
  struct store *store;
  uint32_t words, bits;
  uint32_t *seen; /* in order of discovery */
  store_ref *ref; /* what the store calls them */
  const uint32_t *pool; /* the vectors that are put */
  uint32_t *successor;  /* from * FAN + edge: which of them that leads to, + 1 */
  uint32_t *fan;       /* successors of each so far */
  uint32_t next;       /* whose successors come next */
  uint32_t *table;     /* of `seen`, + 1: open addressing */
  size_t seen_count;
  int sources; /* tell them */
  struct store_model model;
};
enum { FAN = 256, TABLE = 1 << 14 };

static size_t place(const struct world *w, const uint32_t *v) {
  uint64_t h = 0;
  for (uint32_t i = 0; i < w->words; i++) h = (h ^ v[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  size_t at = h % TABLE;
  while (w->table[at] && memcmp(w->seen + (w->table[at] - 1) * STRIDE, v, w->words * 4)) at = (at + 1) % TABLE;
  return at;
}

/* Number of a vector among those seen; seen_count = it is none of them. */
static size_t index_of(const struct world *w, const uint32_t *v) {
  size_t at = place(w, v);
  return w->table[at] ? w->table[at] - 1 : w->seen_count;
}

static void remember(struct world *w, const uint32_t *v, store_ref ref) {
  w->table[place(w, v)] = (uint32_t)w->seen_count + 1;
  w->ref[w->seen_count] = ref;
  memcpy(w->seen + w->seen_count++ * STRIDE, v, STRIDE * 4);
}

static int world_initial(void *context, uint32_t *state) {
  const struct world *w = context;
  memcpy(state, w->seen, w->words * 4);
  return 0;
}

static int world_step(void *context, const uint32_t *state, uint32_t edge, uint32_t *out) {
  const struct world *w = context;
  size_t from = index_of(w, state);
  uint32_t to = from < w->seen_count && edge < FAN ? w->successor[from * FAN + edge] : 0;
  if (!to) return -1;
  memcpy(out, w->pool + (to - 1) * STRIDE, w->words * 4);
  return 0;
}

static int64_t world_successors(void *context, const uint32_t *state, const uint32_t **states, size_t *stride, const uint32_t **groups) {
  static uint32_t room[FAN * STRIDE], group[FAN];
  uint32_t n = 0;
  for (; n < FAN && world_step(context, state, n, room + n * STRIDE) == 0; n++) group[n] = n;
  *states = room;
  *stride = STRIDE;
  *groups = group;
  return n;
}

static size_t close_world(struct world *w) {
  w->type->close(w->store);
  size_t left = w->mem.used;
  free(w->seen);
  free(w->ref);
  free(w->successor);
  free(w->table);
  free(w->fan);
  free(w);
  return left;
}

/* `fail_after`: the n-th request for memory is refused. */
static struct world *open_failing(const struct store_type *type, uint32_t bits, uint64_t hash_mask, unsigned entry_bits, size_t budget,
                                  size_t fail_after) {
  struct world *w = calloc(1, sizeof *w);
  mem_open(&w->mem, budget);
  w->mem.fail_after = fail_after;
  w->type = type;
  w->bits = bits;
  w->words = (bits + 31) / 32;
  w->seen = calloc(MOST + 1, STRIDE * 4);
  w->ref = calloc(MOST + 1, sizeof *w->ref);
  w->successor = calloc((size_t)(MOST + 1) * FAN, sizeof *w->successor);
  w->fan = calloc(MOST + 1, sizeof *w->fan);
  w->table = calloc(TABLE, sizeof *w->table);
  w->sources = 1;
  w->model = (struct store_model){.context = w, .initial = world_initial, .step = world_step, .successors = world_successors};
  struct store_setup setup = {.words = w->words,
                              .bits = bits,
                              .mem = &w->mem,
                              .model = &w->model,
                              .options = &options,
                              .depth_first = depth_first,
                              .hash_mask = hash_mask,
                              .entry_bits = entry_bits,
                              .quotient_from = quotient_from};
  if (type->open(&w->store, &setup) == 0) return w;
  w->store = NULL;
  if (w->mem.used) ok(0, NAMED("%s: a failed open leaves nothing behind", type->name));
  close_world(w);
  return NULL;
}

static struct world *open_world(const struct store_type *type, uint32_t bits, uint64_t hash_mask, unsigned entry_bits, size_t budget) {
  return open_failing(type, bits, hash_mask, entry_bits, budget, 0);
}

/* Is an answer what the list says? Notes a new state. */
static size_t judge(struct world *w, const uint32_t *v, uint8_t answer, store_ref ref) {
  size_t at = index_of(w, v), wrong = 0;
  if (answer == STORE_NEW) {
    wrong += at != w->seen_count; /* seen before, and not remembered */
    for (size_t i = 0; i < w->seen_count && w->type->caps & STORE_GET && w->seen_count < 300; i++) wrong += w->ref[i] == ref;
    if (w->type->caps & STORE_ORDER) wrong += ref != w->seen_count;
    if (at == w->seen_count) remember(w, v, ref);
  } else {
    wrong += at == w->seen_count; /* never seen */
    if (at < w->seen_count && w->type->caps & STORE_GET) wrong += ref != w->ref[at];
  }
  return wrong;
}

/* The next state that may have `n` more successors. */
enum { NOBODY = MOST + 1 };
static uint32_t pick(struct world *w, size_t n) {
  for (size_t tried = 0; tried < w->seen_count; tried++) {
    uint32_t s = w->next++ % (uint32_t)w->seen_count;
    if (w->fan[s] + n <= FAN) return s;
  }
  return NOBODY;
}

/* Puts in batches of changing size, each the successors of one or two states that are there, and checks each answer. Returns the
   number of wrong answers, or SIZE_MAX when the store is full. */
static size_t put_all(struct world *w, const uint32_t *v, size_t n) {
  size_t wrong = 0;
  uint64_t hash[256];
  store_ref ref[256];
  uint8_t answer[256];
  uint32_t trail[2][64] = {{0}};
  w->pool = v;
  if (!w->seen_count) {
    store_ref first;
    if (store_put(w->store, v, w->words, NULL, &first) == STORE_FULL) return SIZE_MAX;
    wrong += judge(w, v, STORE_NEW, first);
  }
  for (size_t i = 0, size = 1; i < n; i += size, size = size * 3 % 251 + 1) {
    if (size > n - i) size = n - i;
    size_t half = size / 2;
    uint32_t source[2] = {w->sources ? pick(w, half) : NOBODY, w->sources ? pick(w, size - half) : NOBODY};
    int told = source[0] != NOBODY && source[1] != NOBODY && source[0] != source[1];
    struct store_source from[2];
    for (int k = 0; k < 2 && told; k++) {
      from[k] = (struct store_source){.ref = w->ref[source[k]],
                                      .words = w->seen + source[k] * STRIDE,
                                      .first = k ? half : 0,
                                      .end = k ? size : half,
                                      .edge = w->fan[source[k]]};
      if (!w->store->trail_words || w->store->trail_words > 64 || i % 3 == 0) continue;
      uint32_t got[STRIDE] = {0};
      wrong += w->type->get(w->store, from[k].ref, got, trail[k]) != 0 || memcmp(got, from[k].words, w->words * 4);
      from[k].trail = trail[k];
    }
    struct store_batch b = {.states = (uint32_t *)(uintptr_t)(v + i * STRIDE),
                            .stride = STRIDE,
                            .count = size,
                            .hash = hash,
                            .ref = ref,
                            .answer = answer,
                            .source = from,
                            .sources = told ? 2 : 0};
    for (size_t k = 0; k < size && told; k++) {
      uint32_t s = source[k >= half];
      w->successor[(size_t)s * FAN + w->fan[s]++] = (uint32_t)(i + k) + 1;
    }
    size_t good = w->type->put_batch(w->store, &b, 0);
    for (size_t k = 0; k < good; k++) wrong += judge(w, v + (i + k) * STRIDE, answer[k], ref[k]);
    if (good != size) return wrong ? wrong : SIZE_MAX;
  }
  return wrong;
}

struct tale {
  struct world *w;
  uint8_t *told;
  size_t count, wrong;
};

static int hear(void *context, store_ref ref, const uint32_t *state) {
  struct tale *t = context;
  size_t at = index_of(t->w, state);
  t->count++;
  if (at == t->w->seen_count || t->told[at]++ || (t->w->type->caps & STORE_GET && ref != t->w->ref[at])) t->wrong++;
  return 0;
}

/* each tells all. */
static size_t check_each(struct world *w, int consume) {
  struct tale t = {.w = w, .told = calloc(MOST + 1, 1)};
  if (w->type->each(w->store, hear, &t, consume)) t.wrong++;
  free(t.told);
  return t.wrong + (t.count != w->seen_count);
}

/* Everything stored is found, given back bit for bit, and nothing else is found. */
static size_t check_all(struct world *w) {
  size_t wrong = w->type->count(w->store) != w->seen_count;
  uint32_t got[STRIDE];
  for (size_t i = 0; i < w->seen_count; i++) {
    uint32_t *v = w->seen + i * STRIDE;
    store_ref ref = store_find(w->store, v, w->words);
    wrong += ref == STORE_NONE || (w->type->caps & STORE_GET && ref != w->ref[i]);
    wrong += store_put(w->store, v, w->words, NULL, &ref) != STORE_SEEN;
    if (w->type->caps & STORE_GET) {
      memset(got, 0, sizeof got);
      wrong += w->type->get(w->store, w->ref[i], got, NULL) != 0 || memcmp(got, v, w->words * 4) != 0;
    }
    uint32_t other[STRIDE], bit = (uint32_t)(i * 37 % w->bits); /* a neighbour at distance one */
    memcpy(other, v, sizeof other);
    other[bit / 32] ^= 1u << bit % 32;
    wrong += (store_find(w->store, other, w->words) == STORE_NONE) != (index_of(w, other) == w->seen_count);
  }
  if (w->type->each) wrong += check_each(w, 0);
  return wrong;
}

/* Stores that are exact and remember keep the strict laws. */
static int strict(const struct store_type *type) { return type->caps & STORE_EXACT && !(type->caps & STORE_FORGETS); }

static void law_sets(const struct store_type *type, uint32_t *v) {
  static const uint32_t widths[] = {1,  7,  12, 17, 22, 23, 24,  25,  28,  30,  31, 32,
                                    33, 39, 63, 64, 65, 96, 127, 128, 129, 200, 300};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    struct rng rng = {i};
    struct world *w = open_world(type, widths[i], 0, 0, 0);
    draw(v, MOST, w->words, widths[i], 2500, &rng);
    ok(put_all(w, v, MOST) == 0, NAMED("%s: %u bits: answers and numbers", type->name, widths[i]));
    ok(check_all(w) == 0, NAMED("%s: %u bits: found, given back, nothing else found", type->name, widths[i]));
    ok(type->bytes(w->store) <= w->mem.used + 4096 && type->bytes(w->store) + 4096 >= w->mem.used,
       NAMED("%s: %u bits: bytes() is what it holds", type->name, widths[i]));
    if (type->each) ok(check_each(w, 1) == 0, NAMED("%s: %u bits: told on the way out", type->name, widths[i]));
    is(close_world(w), 0, NAMED("%s: %u bits: nothing left behind", type->name, widths[i]));
    w = open_world(type, widths[i], 0, 0, 0);
    w->sources = 0;
    ok(put_all(w, v, MOST / 4) == 0 && check_all(w) == 0, NAMED("%s: %u bits: without sources", type->name, widths[i]));
    close_world(w);
  }
}

static void law_collisions(const struct store_type *type, uint32_t *v) {
  static const uint64_t masks[] = {0xff, 0xff00000000000000, 1};
  for (size_t i = 0; i < 3; i++) {
    struct rng rng = {99};
    struct world *w = open_world(type, 70, masks[i], 0, 0);
    draw(v, 3000, w->words, 70, 1200, &rng);
    ok(put_all(w, v, 3000) == 0 && check_all(w) == 0,
       NAMED("%s: hash cut to %016llx: no state is lost or confused", type->name, (unsigned long long)masks[i]));
    close_world(w);
  }
}

static void law_entries(const struct store_type *type, uint32_t *v) {
  for (unsigned bits = 40; bits <= 48; bits += 8) {
    struct rng rng = {bits};
    struct world *w = open_world(type, 61, 0, bits, 0);
    draw(v, MOST, w->words, 61, 5000, &rng);
    ok(put_all(w, v, MOST) == 0 && check_all(w) == 0, NAMED("%s: as if beyond 2^%u states", type->name, bits == 40 ? 27 : 35));
    close_world(w);
  }
}

/* All values of 20 bits, each once: no two are confused, none is lost, however dense the set. */
static void law_dense(const struct store_type *type) {
  if (type->caps & STORE_COSTLY) return; /* it would keep them all in full: none has a source */
  struct mem mem;
  struct store *store;
  mem_open(&mem, 0);
  struct store_setup setup = {.words = 1, .bits = 20, .mem = &mem, .quotient_from = quotient_from};
  if (type->open(&store, &setup)) return;
  size_t wrong = 0;
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 1u << 20; i++) {
      uint32_t state = i * 0x9e375u & ((1u << 20) - 1);
      store_ref ref;
      wrong += store_put(store, &state, 1, NULL, &ref) != (round ? STORE_SEEN : STORE_NEW) || (type->caps & STORE_ORDER && ref != i);
    }
  is(wrong, 0, NAMED("%s: all 2^20 states of 20 bits", type->name));
  type->close(store);
  is(mem.used, 0, NAMED("%s: all 2^20 states: nothing left behind", type->name));
}

/* Long states of four parts with many values each, two and two of which belong together: stores that number parts, and pairs of them, must not confuse them. */
static void part_state(uint32_t *s, uint64_t n) {
  enum { PART_WORDS = 6, VALUES = 400 };
  uint64_t a = n * 7919 % VALUES, b = n * 104729 / VALUES % VALUES, part[4] = {a, (a * 5 + n % 3) % VALUES, b, (b * 7 + n / 3 % 3) % VALUES};
  if (n >> 32) part[n % 4] = VALUES + n % 1000; /* a part that nobody else has */
  for (uint32_t k = 0; k < 4; k++)
    for (uint32_t w = 0; w < PART_WORDS; w++) {
      uint64_t h = (part[k] * 4 + k + 1) * 0x9e3779b97f4a7c15u ^ (w + 1) * 0xd6e8feb86659fd93u;
      s[k * PART_WORDS + w] = (uint32_t)((h ^ h >> 29) * 0xbf58476d1ce4e5b9u >> 32);
    }
}

static void law_parts(const struct store_type *type) {
  if (type->caps & STORE_COSTLY) return; /* none of them has a source */
  enum { WORDS = 24, COUNT = 60000, SAMPLE = 20000, OTHERS = 2000 };
  struct mem mem;
  struct store *store;
  mem_open(&mem, 0);
  uint32_t *sample = calloc(SAMPLE, WORDS * 4), *state = calloc(WORDS, 4), got[WORDS];
  for (uint64_t i = 0; i < SAMPLE; i++) part_state(sample + i * WORDS, i * 3);
  struct store_setup setup = {
      .words = WORDS, .bits = WORDS * 32, .mem = &mem, .sample = sample, .sample_count = SAMPLE, .sample_stride = WORDS, .id_bits = 8};
  if (type->open(&store, &setup)) return;
  size_t wrong = 0, there = 0;
  for (uint64_t i = 0; i < COUNT; i++) {
    store_ref ref;
    part_state(state, i);
    wrong += store_find(store, state, WORDS) != STORE_NONE && there == 0;
    enum store_answer answer = store_put(store, state, WORDS, NULL, &ref);
    there += answer == STORE_NEW;
    wrong += answer == STORE_FULL || store_find(store, state, WORDS) == STORE_NONE;
    if (!(type->caps & STORE_GET)) continue;
    memset(got, 0, sizeof got);
    wrong += type->get(store, ref, got, NULL) != 0 || memcmp(got, state, sizeof got) != 0;
  }
  is(type->count(store), there, NAMED("%s: parts: %zu states", type->name, there));
  for (uint64_t i = 0; i < COUNT; i++) {
    store_ref ref;
    part_state(state, i);
    wrong += store_put(store, state, WORDS, NULL, &ref) != STORE_SEEN;
    part_state(state, i | (uint64_t)1 << 32);
    if (i < OTHERS) wrong += store_find(store, state, WORDS) != STORE_NONE;
  }
  is(wrong, 0, NAMED("%s: parts: nothing is lost or confused", type->name));
  type->close(store);
  is(mem.used, 0, NAMED("%s: parts: nothing left behind", type->name));
  free(sample);
  free(state);
}

/* A state that was named is no state of the store until it is entered; then it has that name. Names are given long before, and to more states
   than are ever entered. */
static void law_names(const struct store_type *type) {
  if (!type->name_batch) return;
  enum { BITS = 18, FIRST = 3000 };
  struct mem mem;
  struct store *store;
  mem_open(&mem, 0);
  struct store_setup setup = {.words = 1, .bits = BITS, .mem = &mem};
  if (type->open(&store, &setup)) return;
  store_ref *name = calloc((size_t)1 << BITS, sizeof *name);
  size_t wrong = 0, entered = 0;
  for (uint32_t i = 0; i < 1u << BITS; i++) { /* close together, so that one that is confused with another would be found */
    name[i] = store_name(store, &i, 1);
    wrong += name[i] == STORE_NONE || store_find(store, &i, 1) != STORE_NONE;
    if (i >= FIRST) continue;
    _Alignas(8) uint32_t state[4] = {i};
    wrong += type->enter(store, name[i], state) != STORE_NEW;
    entered++;
  }
  wrong += type->count(store) != entered;
  for (uint32_t i = 0; i < 1u << BITS; i++) {
    _Alignas(8) uint32_t state[4] = {i * 0x9e375u & ((1u << BITS) - 1)}, got[4] = {0};
    if (*state % 5 == 0) continue; /* those are entered no more */
    wrong += type->get(store, name[*state], got, NULL) != 0 || *got != *state;
    enum store_answer answer = type->enter(store, name[*state], got);
    wrong += answer != (*state < FIRST ? STORE_SEEN : STORE_NEW) || store_find(store, state, 1) != name[*state] || store_name(store, state, 1) != name[*state];
    entered += answer == STORE_NEW;
  }
  is(wrong, 0, NAMED("%s: names are kept, %zu of them entered", type->name, entered));
  is(type->count(store), entered, NAMED("%s: a name alone is no state", type->name));
  type->close(store);
  is(mem.used, 0, NAMED("%s: names: nothing left behind", type->name));
  free(name);
}

/* States that a short state's hash puts next to each other: costs time, never a state. */
static void law_crowded(const struct store_type *type, uint32_t *v) {
  struct quotient q;
  struct world *w = open_world(type, 30, 0, 0, 0);
  size_t n = 0;
  quotient_shape(&q, 30, 1024);
  memset(v, 0, MOST * STRIDE * 4);
  for (uint32_t state = 0; n < MOST && state < 1u << 30; state++)
    if (quotient_hash(&q, state) >> 50 == 77) v[n++ * STRIDE] = state;
  ok(n == MOST && put_all(w, v, n) == 0 && check_all(w) == 0,
     NAMED("%s: %zu states made to crowd into one corner", type->name, n));
  is(close_world(w), 0, NAMED("%s: crowded: nothing left behind", type->name));
}

/* STORE_FULL is an answer: what is stored stays, the same put is refused again, the budget holds. */
static void law_full(const struct store_type *type, uint32_t *v, uint32_t bits) {
  struct rng rng = {5};
  struct world *w = open_world(type, bits, 0, 0, 60000);
  if (!w) {
    ok(0, NAMED("%s: 60000 bytes are enough to begin with", type->name));
    return;
  }
  draw(v, MOST, w->words, bits, UINT32_MAX, &rng);
  size_t status = put_all(w, v, MOST);
  int full = status == SIZE_MAX;
  size_t least = type == &store_dfa ? 40 : 200; /* an automaton has a node for each letter of a random word */
  ok(status == 0 || (full && w->seen_count > least),
     NAMED("%s: %s %zu states of %u bits in 60000 bytes", type->name, full ? "full after" : "holds", w->seen_count, bits));
  ok(w->mem.peak <= 60000, NAMED("%s: full: the budget was kept", type->name));
  w->mem.budget = SIZE_MAX; /* telling all may need some */
  ok(check_all(w) == 0, NAMED("%s: full: everything is still there", type->name));
  is(close_world(w), 0, NAMED("%s: full: nothing left behind", type->name));
}

static void stretch(void *context, const uint32_t *from, uint32_t *to) {
  uint32_t words = *(uint32_t *)context;
  memcpy(to + 1, from, words * 4); /* a word wider, shifted */
  to[0] = from[0] ^ 0x55555555;
}

static void law_rewrite(const struct store_type *type, uint32_t *v) {
  if (!(type->caps & STORE_REWRITE)) return;
  static const uint32_t widths[] = {12, 20, 30, 32, 64, 100, 128};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    struct rng rng = {i};
    uint32_t bits = widths[i];
    struct world *w = open_world(type, bits, 0, 0, 0);
    draw(v, MOST, w->words, bits, 4000, &rng);
    put_all(w, v, MOST);
    uint32_t words = w->words;
    for (size_t k = 0; k < w->seen_count; k++) { /* the model is the first to change */
      uint32_t wide[STRIDE] = {0};
      stretch(&words, w->seen + k * STRIDE, wide);
      memcpy(w->seen + k * STRIDE, wide, sizeof wide);
    }
    for (size_t k = 0; k < MOST; k++) {
      uint32_t wide[STRIDE] = {0};
      stretch(&words, v + k * STRIDE, wide);
      memcpy(v + k * STRIDE, wide, sizeof wide);
    }
    w->words++;
    w->bits += 32;
    memset(w->table, 0, TABLE * sizeof *w->table);
    for (size_t k = 0; k < w->seen_count; k++) w->table[place(w, w->seen + k * STRIDE)] = (uint32_t)k + 1;
    ok(type->rewrite(w->store, words + 1, bits + 32, stretch, &words) == 0, NAMED("%s: rewrite from %u bits", type->name, bits));
    ok(check_all(w) == 0, NAMED("%s: rewritten from %u bits: same numbers, new vectors", type->name, bits));
    is(close_world(w), 0, NAMED("%s: rewritten: nothing left behind", type->name));
  }
  /* refused for lack of memory: as before */
  struct rng rng = {77};
  struct world *w = open_world(type, 64, 0, 0, 100000);
  draw(v, 3000, w->words, 64, UINT32_MAX, &rng);
  ok(put_all(w, v, 3000) == 0, NAMED("%s: 3000 states in 100000 bytes", type->name));
  uint32_t words = 2;
  if (type->caps & STORE_COSTLY) {
    close_world(w); /* widths do not matter to it */
    return;
  }
  ok(type->rewrite(w->store, 15, 480, stretch, &words) != 0, NAMED("%s: no room for wider vectors", type->name));
  ok(check_all(w) == 0, NAMED("%s: refused rewrite changes nothing", type->name));
  is(close_world(w), 0, NAMED("%s: refused rewrite: nothing left behind", type->name));
}

/* Each allocation refused in turn: open fails cleanly or the store keeps its laws, whether it finds another way or is full. */
static void law_faults(const struct store_type *type, uint32_t *v) {
  size_t bad = 0;
  for (size_t n = 1; n < 40; n++) {
    struct rng rng = {n};
    struct world *w = open_failing(type, 50, 0, 0, 0, n);
    if (!w) continue;
    draw(v, 3000, 2, 50, UINT32_MAX, &rng);
    size_t status = put_all(w, v, 3000);
    bad += status != 0 && status != SIZE_MAX;
    w->mem.fail_after = 0;
    bad += check_all(w) != 0;
    bad += close_world(w) != 0;
  }
  is(bad, 0, NAMED("%s: each allocation refused once", type->name));
}

/* The forms of a store that options choose. */
static void law_variants(uint32_t *v) {
  static const char *const comback[] = {"classic", "classic,path", "succinct,sets", "classic,sets", "classic,backwards"};
  for (size_t i = 0; i < 2 * sizeof comback / sizeof *comback; i++) {
    options = (struct store_options){.comback = comback[i / 2], .cache = i % 2 ? 50 : 0};
    depth_first = i % 2;
    printf("# comback: %s%s\n", options.comback, i % 2 ? ", 50 in a cache" : "");
    law_sets(&store_comback, v);
    law_collisions(&store_comback, v);
    law_full(&store_comback, v, 90);
    law_crowded(&store_comback, v);
    if (!strstr(options.comback, "sets")) law_rewrite(&store_comback, v); /* a refusal: see comback.c */
    law_faults(&store_comback, v);
  }
  options = (struct store_options){0};
  depth_first = 0;
}

/* ---- stores that can miss states --------------------------------------------------------- */

struct lossy_run {
  size_t put, found, wrong;
  double omission;
};

/* Random vectors, each put and then asked about: never NEW again, and `count` is the number of NEW ones. */
static struct lossy_run run_lossy(const struct store_type *type, size_t n, uint64_t seed, uint64_t hash_mask) {
  struct lossy_run r = {.put = n};
  struct mem mem;
  struct store *store;
  mem_open(&mem, 0);
  struct store_setup setup = {.words = 3, .bits = 96, .mem = &mem, .options = &options, .hash_mask = hash_mask};
  if (type->open(&store, &setup)) return r;
  for (int round = 0; round < 2; round++) {
    struct rng rng = {seed};
    for (size_t i = 0; i < n; i++) {
      uint32_t state[4] = {(uint32_t)rng_next(&rng), (uint32_t)rng_next(&rng), (uint32_t)rng_next(&rng)};
      store_ref ref;
      enum store_answer answer = store_put(store, state, 3, NULL, &ref);
      if (!round) r.found += answer == STORE_NEW;
      r.wrong += answer == STORE_FULL || (round && answer != STORE_SEEN);
    }
  }
  r.wrong += type->count(store) != r.found;
  r.wrong += type->bytes(store) > mem.used + 4096 || type->bytes(store) + 4096 < mem.used;
  r.omission = type->omission(store);
  type->close(store);
  r.wrong += mem.used != 0;
  return r;
}

/* The told probability against the share of runs that missed something, where both are neither 0 nor 1. */
static void law_lossy(const struct store_type *type) {
  enum { RUNS = 400 };
  struct lossy_run r = run_lossy(type, 20000, 1, 0);
  ok(!r.wrong && r.found == r.put && r.omission >= 0 && r.omission < 0.01, NAMED("%s: 20000 states, none missed", type->name));
  r = run_lossy(type, 3000, 2, 0xff00000000000000);
  ok(!r.wrong && r.found < r.put && r.found > 0, NAMED("%s: hash of 8 bits: %zu of 3000 states", type->name, r.found));
  options = (struct store_options){.hash_bits = 16, .memory = 4096, .functions = 3};
  size_t missed = 0, wrong = 0, n = type == &store_bitstate ? 1100 : 250;
  double told = 0;
  for (uint64_t i = 0; i < RUNS; i++) {
    r = run_lossy(type, n, 1000 + i * 100003, 0);
    missed += r.found < r.put;
    told += r.omission / RUNS;
    wrong += r.wrong || r.omission < 0 || r.omission > 1;
  }
  double share = (double)missed / RUNS;
  ok(!wrong && share > 0.1 && share < 0.9 && told > share - 0.1 && told < share + 0.1,
     NAMED("%s: states missed in %.2f of the runs, told %.2f", type->name, share, told));
  options = (struct store_options){0};
}

/* ---- a store that forgets ------------------------------------------------------------------ */

/* Random walks with a stack: what is on it is always known; the same run twice is the same. */
static void law_forgets(const struct store_type *type) {
  enum { STEPS = 60000, DEPTH = 60 };
  uint64_t sum[2] = {0, 0};
  size_t wrong = 0;
  struct stats stats[2] = {{0}, {0}};
  for (int round = 0; round < 2; round++) {
    struct mem mem;
    struct store *store;
    struct rng rng = {7};
    uint32_t stack[DEPTH];
    store_ref ref[DEPTH];
    size_t depth = 0, news = 0;
    mem_open(&mem, 0);
    options = (struct store_options){.cache = 128};
    struct store_setup setup = {.words = 1, .bits = 20, .mem = &mem, .stats = &stats[round], .options = &options};
    if (type->open(&store, &setup)) return;
    for (size_t i = 0; i < STEPS; i++) {
      uint32_t state = (uint32_t)rng_below(&rng, 2000);
      store_ref at;
      if (depth == DEPTH || rng_below(&rng, 3) == 0) {
        if (depth) type->leave(store, ref[--depth]);
        continue;
      }
      int on_stack = 0;
      for (size_t k = 0; k < depth; k++) {
        on_stack |= stack[k] == state;
        wrong += store_find(store, &stack[k], 1) != ref[k];
      }
      enum store_answer answer = store_put(store, &state, 1, NULL, &at);
      wrong += answer == STORE_FULL || (on_stack && answer != STORE_SEEN);
      sum[round] = sum[round] * 31 + at * 2 + (answer == STORE_NEW);
      if (answer != STORE_NEW) continue;
      news++;
      stack[depth] = state;
      ref[depth++] = at;
    }
    wrong += type->count(store) != news;
    type->close(store);
    wrong += mem.used != 0;
  }
  is(wrong, 0, NAMED("%s: what is on the stack is known", type->name));
  ok(sum[0] == sum[1], NAMED("%s: deterministic", type->name));
  ok(stats[0].forgotten > 1000 && stats[0].reinserted > 1000 && stats[0].reinserted <= stats[0].forgotten,
     NAMED("%s: %llu forgotten, %llu of them came again", type->name, (unsigned long long)stats[0].forgotten,
           (unsigned long long)stats[0].reinserted));
  struct mem mem;
  struct store *store;
  mem_open(&mem, 0);
  options.cache = 64;
  struct store_setup setup = {.words = 1, .bits = 20, .mem = &mem, .options = &options};
  if (type->open(&store, &setup)) return;
  size_t fit = 0;
  store_ref at;
  for (uint32_t state = 0; store_put(store, &state, 1, NULL, &at) == STORE_NEW; state++) fit++;
  is(fit, 64, NAMED("%s: full when the stack fills it, and not before", type->name));
  type->close(store);
  options = (struct store_options){0};
}

/* ---- forgetting on demand ------------------------------------------------------------------------------------------------ */

enum { CROWD = 2000 };

struct changing { /* a set that grows and shrinks, beside a list that knows better */
  const struct store_type *type;
  struct store *store;
  struct mem mem;
  uint32_t words;
  const uint32_t *v;
  uint8_t in[CROWD];
  store_ref ref[CROWD];
  size_t count, wrong, told;
};

static int hear_changing(void *context, store_ref ref, const uint32_t *state) {
  struct changing *c = context;
  size_t i = state[0] < CROWD ? state[0] : 0; /* where they differ */
  c->told++;
  if (memcmp(c->v + i * STRIDE, state, c->words * 4) || !c->in[i] || c->ref[i] != ref) c->wrong++;
  return 0;
}

/* Everything that is there and nothing else, under the names that it has. */
static void check_changing(struct changing *c) {
  uint32_t got[STRIDE];
  size_t later = c->mem.fail_after, budget = c->mem.budget; /* asking is not what is starved here */
  c->mem.fail_after = 0;
  c->mem.budget = SIZE_MAX;
  for (size_t i = 0; i < CROWD; i++) {
    store_ref ref = store_find(c->store, c->v + i * STRIDE, c->words);
    c->wrong += ref != (c->in[i] ? c->ref[i] : STORE_NONE);
    if (!c->in[i]) continue;
    memset(got, 0, sizeof got);
    c->wrong += c->type->get(c->store, c->ref[i], got, NULL) != 0 || memcmp(got, c->v + i * STRIDE, c->words * 4) != 0;
  }
  c->told = 0;
  c->wrong += c->type->count(c->store) != c->count || c->type->each(c->store, hear_changing, c, 0) != 0 || c->told != c->count;
  c->mem.fail_after = later;
  c->mem.budget = budget;
}

/* A batch of states drawn at random, some of them twice. 0, or -1: it is full. */
static int put_some(struct changing *c, size_t n, struct rng *rng) {
  _Alignas(8) uint32_t states[64 * STRIDE];
  uint64_t hash[64];
  store_ref ref[64];
  uint8_t answer[64];
  size_t who[64];
  for (size_t k = 0; k < n; k++) {
    who[k] = rng_below(rng, CROWD);
    memcpy(states + k * STRIDE, c->v + who[k] * STRIDE, STRIDE * 4);
  }
  struct store_batch b = {.states = states, .stride = STRIDE, .count = n, .hash = hash, .ref = ref, .answer = answer};
  size_t good = c->type->put_batch(c->store, &b, 0);
  for (size_t k = 0; k < good; k++) {
    size_t i = who[k];
    c->wrong += answer[k] != (c->in[i] ? STORE_SEEN : STORE_NEW) || (c->in[i] && ref[k] != c->ref[i]);
    c->count += !c->in[i];
    c->in[i] = 1;
    c->ref[i] = ref[k];
  }
  return good == n ? 0 : -1;
}

static void forget_some(struct changing *c, size_t n, struct rng *rng) {
  for (size_t k = 0; k < n; k++) {
    size_t i = rng_below(rng, CROWD);
    if (!c->in[i] || c->type->forget(c->store, c->ref[i])) continue;
    c->in[i] = 0;
    c->count--;
  }
}

static void law_forget(const struct store_type *type, uint32_t bits, uint64_t hash_mask, unsigned entry_bits, size_t budget, size_t fail_after) {
  struct changing *c = calloc(1, sizeof *c);
  uint32_t *v = calloc(CROWD, STRIDE * 4);
  struct rng rng = {bits + hash_mask + budget + fail_after};
  c->type = type;
  c->words = (bits + 31) / 32;
  c->v = v;
  for (size_t i = 0; i < CROWD; i++) { /* all different */
    for (uint32_t w = 0; w < c->words; w++) v[i * STRIDE + w] = (uint32_t)(w ? rng_next(&rng) % 7 : i);
    if (bits % 32) v[i * STRIDE + c->words - 1] &= (1u << bits % 32) - 1;
  }
  mem_open(&c->mem, budget);
  c->mem.fail_after = fail_after;
  struct store_setup setup = {.words = c->words, .bits = bits, .mem = &c->mem, .hash_mask = hash_mask, .entry_bits = entry_bits, .quotient_from = 700};
  if (type->open(&c->store, &setup) == 0) {
    for (int round = 0; round < 60; round++) { /* it grows, it shrinks, it is emptied */
      int growing = round % 10 < 5;
      for (int k = 0; k < 40; k++) {
        put_some(c, 1 + rng_below(&rng, growing ? 64 : 20), &rng);
        forget_some(c, growing ? 10 : 80, &rng);
      }
      for (size_t i = 0; i < CROWD && round % 10 == 9; i++)
        if (c->in[i] && type->forget(c->store, c->ref[i]) == 0) c->in[i] = 0, c->count--;
      check_changing(c);
    }
    ok(c->wrong == 0, NAMED("%s: %u bits, hash %llx, entries of %u bits, budget %zu, request %zu refused: what is forgotten is gone, the rest stays", type->name, bits, (unsigned long long)hash_mask,
                            entry_bits, budget, fail_after));
    type->close(c->store);
  }
  is(c->mem.used, 0, NAMED("%s: nothing left behind by what was forgotten", type->name));
  free(v);
  free(c);
}

/* A window over many states: memory stays that of a few of them, for stores that move when they ask for it. */
static void law_window(const struct store_type *type) {
  enum { WINDOW = 500, ALL = 200000 };
  struct mem mem;
  struct store *store = NULL;
  size_t most = 0, wrong = 0;
  static store_ref ref[WINDOW];
  int asked = 0;
  mem_open(&mem, 0);
  struct store_setup setup = {.words = 2, .bits = 50, .mem = &mem};
  if (type->open(&store, &setup)) return;
  for (uint32_t i = 0; i < ALL; i++) {
    _Alignas(8) uint32_t state[4] = {i, i / 3 & 0x3ffff};
    if (i >= WINDOW) wrong += type->forget(store, ref[i % WINDOW]) != 0;
    wrong += store_put(store, state, 2, NULL, &ref[i % WINDOW]) != STORE_NEW;
    if (store->restless) { /* as a search would do it */
      struct store *next = NULL;
      asked++;
      wrong += type->open(&next, &setup) != 0;
      for (uint32_t k = 0; k < WINDOW && k <= i; k++) {
        _Alignas(8) uint32_t old[4] = {0};
        type->get(store, ref[(i - k) % WINDOW], old, NULL);
        wrong += store_put(next, old, 2, NULL, &ref[(i - k) % WINDOW]) != STORE_NEW;
      }
      type->close(store);
      store = next;
    }
    if (type->bytes(store) > most) most = type->bytes(store);
  }
  is(wrong, 0, NAMED("%s: a window of %d over %d states", type->name, WINDOW, ALL));
  is(type->count(store), WINDOW, NAMED("%s: the window is what is left", type->name));
  ok(most < 400000, NAMED("%s: it never held more than %zu bytes (moved %d times)", type->name, most, asked));
  type->close(store);
}

static void law_forget_all(const struct store_type *type) {
  static const uint32_t widths[] = {11, 23, 24, 31, 40, 64, 100, 128, 300};
  if (!type->forget) return;
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) law_forget(type, widths[i], 0, 0, 0, 0);
  law_forget(type, 70, 0xff, 0, 0, 0);
  law_forget(type, 70, 0xff00000000000000, 0, 0, 0);
  law_forget(type, 70, 1, 0, 0, 0);
  law_forget(type, 61, 0, 40, 0, 0);
  law_forget(type, 61, 0, 48, 0, 0);
  for (size_t budget = 16000; budget < 200000; budget += budget / 3) law_forget(type, 90, 0, 0, budget, 0);
  for (size_t n = 1; n < 40; n++) law_forget(type, 90, 0, 0, 0, n);
  law_window(type);
}

int main(void) {
  uint32_t *v = calloc(MOST, STRIDE * 4);
  for (const struct store_type *const *t = store_types; *t; t++) {
    ok(store_find_type((*t)->name) == *t, NAMED("%s: found by its name", (*t)->name));
    if (!((*t)->caps & STORE_EXACT)) law_lossy(*t);
    if ((*t)->caps & STORE_FORGETS) law_forgets(*t);
    if (!strict(*t)) continue;
    for (quotient_from = 0; quotient_from < 1000; quotient_from += 900) {
      law_sets(*t, v);
      law_collisions(*t, v);
      law_entries(*t, v);
      law_full(*t, v, 90);
      law_full(*t, v, 31);
      law_dense(*t);
      law_crowded(*t, v);
      if (*t != &store_plain) break; /* the others have no second index */
    }
    quotient_from = 500;
    law_rewrite(*t, v);
    law_names(*t);
    law_parts(*t);
    law_faults(*t, v);
    law_forget_all(*t);
  }
  law_variants(v);
  ok(store_find_type("auto") != NULL && store_find_type("no such store") == NULL, "auto is known, nonsense is not");
  free(v);
  return done();
}
