/* bitstate.c -- a state is k bits in an array of fixed size: the smallest, and the least exact.
 *
 * Holzmann's supertrace, a Bloom filter: a state is taken for seen when all its k bits are set.  The bits are chosen by double
 * hashing (Dillinger and Manolios 2004): the i-th is h1 + i * h2, so two hashes do for any k.  The array is as large as the options say, or half
 * of what is left of the budget, at most 1 GB; it never grows.
 *
 * How likely is it that something was missed?  When a share f of the bits is set, a new state is mistaken for an old one with probability
 * f^k.  Before each state that was found new, f^k / (1 - f^k) states are expected to have been missed (those that were new and did not look so); the sum over the
 * run is the expected number E of states that were asked about, new, and missed, and 1 - exp(-E) the probability that there
 * was one.  What lies behind a missed state is not in it. */
#include "store/store.h"

#include "base/hash.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

enum { FUNCTIONS = 3, MOST_FUNCTIONS = 32, LEAST_BYTES = 4096 };
#define MOST_BYTES ((uint64_t)1 << 30)
#define WITHOUT_BUDGET ((uint64_t)16 << 20)

struct bitstate {
  struct store base;
  struct mem *mem;
  uint32_t record;
  unsigned functions;
  uint64_t hash_mask, seed, count, bits, set;
  double missed; /* expected */
  struct region array;
};

static uint64_t step_of(uint64_t hash) { return hash_mix(hash ^ 0x9e3779b97f4a7c15u) | 1; }

static uint64_t bit_of(const struct bitstate *s, uint64_t h) { return hash_slot(h, s->bits); }

static int is_set(const struct bitstate *s, uint64_t bit) { return s->array.base[bit / 8] >> bit % 8 & 1; }

static int all_set(const struct bitstate *s, uint64_t hash) {
  uint64_t h = hash, step = step_of(hash);
  for (unsigned i = 0; i < s->functions; i++, h += step)
    if (!is_set(s, bit_of(s, h))) return 0;
  return 1;
}

static void enter(struct bitstate *s, uint64_t hash) {
  uint64_t h = hash, step = step_of(hash);
  double p = pow((double)s->set / (double)s->bits, s->functions);
  s->missed += p / (1 - p);
  for (unsigned i = 0; i < s->functions; i++, h += step) {
    uint64_t bit = bit_of(s, h);
    s->set += !is_set(s, bit);
    s->array.base[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
  s->count++;
}

enum { PUT, FIND };

static void ask(struct bitstate *s, struct store_batch *b, size_t from, int asking) {
  for (size_t i = from; i < b->count; i++) {
    uint64_t h = b->hash[i] = hash_bytes_seeded(b->states + i * b->stride, s->record, s->seed) & s->hash_mask, step = step_of(h);
    for (unsigned k = 0; k < s->functions; k++, h += step) __builtin_prefetch(s->array.base + bit_of(s, h) / 8);
  }
  for (size_t i = from; i < b->count; i++) {
    b->answer[i] = all_set(s, b->hash[i]) ? STORE_SEEN : STORE_NEW;
    b->ref[i] = STORE_NONE; /* of a state that was seen nothing is known */
    if (asking == FIND || b->answer[i] == STORE_SEEN) continue;
    b->ref[i] = s->count;
    enter(s, b->hash[i]);
  }
}

static size_t bitstate_put_batch(struct store *base, struct store_batch *b, size_t from) {
  ask((struct bitstate *)base, b, from, PUT);
  return b->count;
}

static void bitstate_find_batch(struct store *base, struct store_batch *b) { ask((struct bitstate *)base, b, 0, FIND); }

static double bitstate_omission(const struct store *base) { return -expm1(-((const struct bitstate *)base)->missed); }

static uint64_t bitstate_count(const struct store *base) { return ((const struct bitstate *)base)->count; }

static size_t bitstate_bytes(const struct store *base) {
  const struct bitstate *s = (const struct bitstate *)base;
  return sizeof *s + s->array.held;
}

static void bitstate_close(struct store *base) {
  if (!base) return;
  struct bitstate *s = (struct bitstate *)base;
  region_close(&s->array);
  mem_free(s->mem, s);
}

static uint64_t size_wanted(const struct store_setup *setup) {
  if (setup->options && setup->options->memory) return setup->options->memory;
  if (setup->mem->budget == SIZE_MAX) return WITHOUT_BUDGET;
  uint64_t half = mem_left(setup->mem) / 2;
  return half < MOST_BYTES ? half : MOST_BYTES;
}

static int bitstate_open(struct store **out, const struct store_setup *setup) {
  struct bitstate *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_bitstate;
  s->mem = setup->mem;
  s->record = setup->bits ? (setup->bits + 7) / 8 : 1;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->seed = setup->options ? setup->options->hash_seed : 0;
  s->functions = setup->options && setup->options->functions ? setup->options->functions : FUNCTIONS;
  if (s->functions > MOST_FUNCTIONS) s->functions = MOST_FUNCTIONS;
  region_open(&s->array, s->mem, MEM_STORE);
  uint64_t bytes = size_wanted(setup);
  while (bytes >= LEAST_BYTES && region_resize(&s->array, bytes)) bytes /= 2;
  if (bytes < LEAST_BYTES && region_resize(&s->array, bytes = LEAST_BYTES)) {
    bitstate_close(&s->base);
    return -1;
  }
  s->bits = bytes * 8;
  *out = &s->base;
  return 0;
}

const struct store_type store_bitstate = {
    .name = "bitstate",
    .summary = "three bits in an array of fixed size for each state: lossy (--lossy), less than a byte per state",
    .caps = STORE_BLIND,
    .open = bitstate_open,
    .put_batch = bitstate_put_batch,
    .find_batch = bitstate_find_batch,
    .omission = bitstate_omission,
    .count = bitstate_count,
    .bytes = bitstate_bytes,
    .close = bitstate_close,
};
