/* store.c -- the laws of store.h over every registered store.
 *
 * The oracle is a sorted list of vectors.  Widths from 1 to 300 bits, vectors that differ
 * in one bit, duplicates inside a batch, a hash cut to few bits (every probe collides), index
 * entries of all widths, a budget that ends early. */
#include "tap.h"

#include "base/mem.h"
#include "base/rng.h"
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

/* Number of the first equal vector among the first n distinct ones. */
static size_t slow_find(const uint32_t *seen, size_t n, const uint32_t *v, uint32_t words) {
  for (size_t i = 0; i < n; i++)
    if (memcmp(seen + i * STRIDE, v, words * 4) == 0) return i;
  return n;
}

static uint64_t quotient_from; /* of the stores opened from now on */

struct world {
  const struct store_type *type;
  struct mem mem;
  struct store *store;
  uint32_t words, bits;
  uint32_t *seen;
  size_t seen_count;
};

static struct world *open_world(const struct store_type *type, uint32_t bits, uint64_t hash_mask, unsigned entry_bits,
                                size_t budget) {
  struct world *w = calloc(1, sizeof *w);
  mem_open(&w->mem, budget);
  w->type = type;
  w->bits = bits;
  w->words = (bits + 31) / 32;
  w->seen = calloc(MOST + 1, STRIDE * 4);
  struct store_setup setup = {.words = w->words,
                              .bits = bits,
                              .mem = &w->mem,
                              .hash_mask = hash_mask,
                              .entry_bits = entry_bits,
                              .quotient_from = quotient_from};
  if (type->open(&w->store, &setup)) {
    free(w->seen);
    free(w);
    return NULL;
  }
  return w;
}

static size_t close_world(struct world *w) {
  w->type->close(w->store);
  size_t left = w->mem.used;
  free(w->seen);
  free(w);
  return left;
}

/* Puts in batches of changing size, checks each answer against the list. Returns the number of wrong answers. */
static size_t put_all(struct world *w, const uint32_t *v, size_t n) {
  size_t wrong = 0;
  uint64_t hash[256];
  store_ref ref[256];
  uint8_t answer[256];
  for (size_t i = 0, size = 1; i < n; i += size, size = size * 3 % 251 + 1) {
    if (size > n - i) size = n - i;
    struct store_batch b = {(uint32_t *)(uintptr_t)(v + i * STRIDE), STRIDE, size, hash, ref, answer};
    size_t good = w->type->put_batch(w->store, &b, 0);
    if (good != size) return SIZE_MAX;
    for (size_t k = 0; k < size; k++) {
      size_t at = slow_find(w->seen, w->seen_count, v + (i + k) * STRIDE, w->words);
      wrong += ref[k] != at || answer[k] != (at == w->seen_count ? STORE_NEW : STORE_SEEN);
      if (at == w->seen_count) memcpy(w->seen + w->seen_count++ * STRIDE, v + (i + k) * STRIDE, STRIDE * 4);
    }
  }
  return wrong;
}

/* Everything stored is found, given back bit for bit, and nothing else is found. */
static size_t check_all(struct world *w) {
  size_t wrong = w->type->count(w->store) != w->seen_count;
  uint32_t got[STRIDE];
  for (size_t i = 0; i < w->seen_count; i++) {
    uint32_t *v = w->seen + i * STRIDE;
    store_ref ref;
    wrong += w->type->find(w->store, v) != i;
    wrong += w->type->put(w->store, v, &ref) != STORE_SEEN || ref != i;
    if (w->type->caps & STORE_GET) {
      memset(got, 0, sizeof got);
      w->type->get(w->store, i, got);
      wrong += memcmp(got, v, w->words * 4) != 0;
    }
    uint32_t other[STRIDE], bit = (uint32_t)(i * 37 % w->bits); /* a neighbour at distance one */
    memcpy(other, v, sizeof other);
    other[bit / 32] ^= 1u << bit % 32;
    size_t at = slow_find(w->seen, w->seen_count, other, w->words);
    wrong += w->type->find(w->store, other) != (at == w->seen_count ? STORE_NONE : at);
  }
  return wrong;
}

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
    is(close_world(w), 0, NAMED("%s: %u bits: nothing left behind", type->name, widths[i]));
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
      wrong += type->put(store, &state, &ref) != (round ? STORE_SEEN : STORE_NEW) || ref != i;
    }
  is(wrong, 0, NAMED("%s: all 2^20 states of 20 bits", type->name));
  type->close(store);
  is(mem.used, 0, NAMED("%s: all 2^20 states: nothing left behind", type->name));
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
  struct world *w = open_world(type, bits, 0, 0, 30000);
  draw(v, MOST, w->words, bits, UINT32_MAX, &rng);
  size_t stored = 0;
  store_ref ref;
  enum store_answer answer = STORE_NEW;
  for (; stored < MOST && (answer = type->put(w->store, v + stored * STRIDE, &ref)) == STORE_NEW; stored++)
    memcpy(w->seen + w->seen_count++ * STRIDE, v + stored * STRIDE, STRIDE * 4);
  ok(answer == STORE_FULL && stored > 500,
     NAMED("%s: full after %zu states of %u bits in 30000 bytes", type->name, stored, bits));
  ok(type->put(w->store, v + stored * STRIDE, &ref) == STORE_FULL, NAMED("%s: and full again", type->name));
  ok(check_all(w) == 0, NAMED("%s: full: everything is still there", type->name));
  ok(w->mem.peak <= 30000, NAMED("%s: full: the budget was kept", type->name));
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
    ok(type->rewrite(w->store, words + 1, bits + 32, stretch, &words) == 0, NAMED("%s: rewrite from %u bits", type->name, bits));
    for (size_t k = 0; k < w->seen_count; k++) {
      uint32_t wide[STRIDE] = {0};
      stretch(&words, w->seen + k * STRIDE, wide);
      memcpy(w->seen + k * STRIDE, wide, sizeof wide);
    }
    w->words++;
    w->bits += 32;
    ok(check_all(w) == 0, NAMED("%s: rewritten from %u bits: same numbers, new vectors", type->name, bits));
    is(close_world(w), 0, NAMED("%s: rewritten: nothing left behind", type->name));
  }
  /* refused for lack of memory: as before */
  struct rng rng = {77};
  struct world *w = open_world(type, 64, 0, 0, 60000);
  draw(v, 3000, w->words, 64, UINT32_MAX, &rng);
  ok(put_all(w, v, 3000) == 0, NAMED("%s: 3000 states in 60000 bytes", type->name));
  uint32_t words = 2;
  ok(type->rewrite(w->store, 8, 256, stretch, &words) != 0, NAMED("%s: no room for wider vectors", type->name));
  ok(check_all(w) == 0, NAMED("%s: refused rewrite changes nothing", type->name));
  is(close_world(w), 0, NAMED("%s: refused rewrite: nothing left behind", type->name));
}

/* Each allocation refused in turn: open fails cleanly or the store still keeps its laws. */
static void law_faults(const struct store_type *type, uint32_t *v) {
  size_t bad = 0;
  for (size_t n = 1; n < 40; n++) {
    struct rng rng = {n};
    struct world *w = calloc(1, sizeof *w);
    mem_open(&w->mem, 0);
    w->mem.fail_after = n;
    w->type = type;
    w->words = 2, w->bits = 50;
    w->seen = calloc(MOST + 1, STRIDE * 4);
    struct store_setup setup = {.words = 2, .bits = 50, .mem = &w->mem, .quotient_from = quotient_from};
    if (type->open(&w->store, &setup)) {
      bad += w->mem.used != 0;
      free(w->seen);
      free(w);
      continue;
    }
    draw(v, 3000, 2, 50, UINT32_MAX, &rng);
    bad += put_all(w, v, 3000) != 0; /* one refusal is survived: a smaller step is tried, or the table is filled further */
    bad += check_all(w) != 0;
    bad += close_world(w) != 0;
  }
  is(bad, 0, NAMED("%s: each allocation refused once", type->name));
}

int main(void) {
  uint32_t *v = calloc(MOST, STRIDE * 4);
  for (const struct store_type *const *t = store_types; *t; t++) {
    for (quotient_from = 0; quotient_from < 1000; quotient_from += 900) {
      law_sets(*t, v);
      law_collisions(*t, v);
      law_entries(*t, v);
      law_full(*t, v, 90);
      law_full(*t, v, 31);
      law_dense(*t);
      law_crowded(*t, v);
    }
    quotient_from = 500;
    law_rewrite(*t, v);
    law_faults(*t, v);
    ok(store_find_type((*t)->name) == *t, NAMED("%s: found by its name", (*t)->name));
  }
  ok(store_find_type("auto") != NULL && store_find_type("no such store") == NULL, "auto is known, nonsense is not");
  free(v);
  return done();
}
