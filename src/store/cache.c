/* cache.c -- a bounded set that forgets: states of a depth-first search that are not on its stack make room for new ones.
 *
 * State-space caching (Holzmann 1987; Godefroid, Holzmann, Pirottin 1992): what a depth-first search needs to end is to know the states on its
 * stack; the others save it from exploring again what it has seen.  So a set of fixed size is enough, if it never drops a state of the stack:
 * the search is complete and exact, it only takes longer the more is forgotten.  A state that comes again after it was dropped is NEW again.
 *
 *   bucket  8 places; each place has a byte of marks and a state in full
 *   mark    | 6 bits of the hash | pinned | used |
 *
 * A state has two buckets, by hash.  It takes a free place of the emptier one, or that of a random state in either which is not pinned: random choice does as well as any (the order of a
 * depth-first search hardly tells which state will come again).  With two buckets to choose from hardly anything is forgotten before nearly all places are taken: with one, a set that
 * just fits forgot a sixth of its states, which had to be explored again.  Put pins a state, `leave` unpins it.  If all 16 are pinned the state goes to the bucket behind the first
 * one, and a flag says that the search for a state must go on there.  Only when every place is pinned the store is full: the stack does not fit.
 *
 * Some hashes of dropped states are remembered, as many as there are places: a new state among them is one that came again.  So the counter of
 * those is a lower bound, and `count` counts every NEW.
 *
 * The generator is seeded with a constant: the same run every time. */
#include "store/store.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"

#include <assert.h>
#include <string.h>

enum { WAYS = 8, USED = 1, PINNED = 2, TAG_SHIFT = 2 };
#define MOST_BYTES ((uint64_t)1 << 30)
#define WITHOUT_BUDGET ((uint64_t)16 << 20)

struct cache {
  struct store base;
  struct mem *mem;
  struct stats *stats, no_stats;
  uint32_t record;
  uint64_t hash_mask, buckets, count;
  struct region marks;   /* a byte for each place, then one for each bucket: states went on from here */
  struct region records; /* states */
  struct region dropped; /* hashes of dropped states, by hash */
  struct rng rng;
};

static uint8_t *mark_of(const struct cache *s, uint64_t place) { return s->marks.base + place; }
static uint8_t *passed(const struct cache *s, uint64_t bucket) { return s->marks.base + s->buckets * WAYS + bucket; }
static uint8_t *record_of(const struct cache *s, uint64_t place) { return s->records.base + place * s->record; }
static uint8_t tag_of(uint64_t hash) { return (uint8_t)((hash & 63) << TAG_SHIFT); }
static uint64_t next_bucket(const struct cache *s, uint64_t bucket) { return bucket + 1 == s->buckets ? 0 : bucket + 1; }

static uint64_t *dropped_place(const struct cache *s, uint64_t hash) {
  return (uint64_t *)(void *)s->dropped.base + hash_slot(hash * 0x9e3779b97f4a7c15u, s->buckets * WAYS);
}

static uint64_t other_bucket(const struct cache *s, uint64_t hash) { return hash_slot(hash * 0xd6e8feb86659fd93u, s->buckets); }

/* The place of a state in a bucket, or STORE_NONE. */
static uint64_t find_in(const struct cache *s, uint64_t bucket, const uint32_t *state, uint64_t hash) {
  uint8_t tag = tag_of(hash);
  for (uint64_t place = bucket * WAYS; place < bucket * WAYS + WAYS; place++) {
    uint8_t mark = *mark_of(s, place);
    if (!(mark & USED) || (mark & ~(USED | PINNED)) != tag) continue;
    s->stats->store_compares++;
    if (memcmp(record_of(s, place), state, s->record) == 0) return place;
  }
  return STORE_NONE;
}

/* The place of a state, or STORE_NONE. */
static uint64_t find(const struct cache *s, const uint32_t *state, uint64_t hash) {
  uint64_t bucket = hash_slot(hash, s->buckets), first = bucket, place = find_in(s, bucket, state, hash);
  if (place == STORE_NONE) place = find_in(s, other_bucket(s, hash), state, hash);
  while (place == STORE_NONE && *passed(s, bucket)) {
    bucket = next_bucket(s, bucket);
    if (bucket == first) break;
    place = find_in(s, bucket, state, hash);
  }
  return place;
}

struct choice { /* places that may be taken: a free one of the emptier bucket, or some that are not pinned */
  uint64_t free, loose[2 * WAYS];
  unsigned most_free, count;
};

static void look_at(const struct cache *s, uint64_t bucket, struct choice *c) {
  uint64_t free = STORE_NONE;
  unsigned n = 0;
  for (uint64_t place = bucket * WAYS; place < bucket * WAYS + WAYS; place++) {
    uint8_t mark = *mark_of(s, place);
    if (!(mark & USED)) free = place, n++;
    else if (!(mark & PINNED)) c->loose[c->count++] = place;
  }
  if (n > c->most_free) c->free = free, c->most_free = n;
}

/* A place that may be taken, or STORE_NONE: all are pinned. */
static uint64_t choose(struct cache *s, const struct choice *c) {
  return c->most_free ? c->free : c->count ? c->loose[rng_below(&s->rng, c->count)] : STORE_NONE;
}

static uint64_t hash_record(const struct cache *s, const void *record) { return hash_bytes(record, s->record) & s->hash_mask; }

/* Enters a state. Its place, or STORE_NONE: the stack does not fit. */
static uint64_t enter(struct cache *s, const uint32_t *state, uint64_t hash) {
  uint64_t bucket = hash_slot(hash, s->buckets), other = other_bucket(s, hash), first = bucket, place;
  struct choice c = {0};
  look_at(s, bucket, &c);
  if (other != bucket) look_at(s, other, &c);
  while ((place = choose(s, &c)) == STORE_NONE) {
    *passed(s, bucket) = 1;
    bucket = next_bucket(s, bucket);
    if (bucket == first) return STORE_NONE;
    c = (struct choice){0};
    look_at(s, bucket, &c);
  }
  if (*mark_of(s, place) & USED) {
    uint64_t old = hash_record(s, record_of(s, place));
    *dropped_place(s, old) = old | 1; /* 0 = nothing */
    s->stats->forgotten++;
  }
  uint64_t *again = dropped_place(s, hash);
  if (*again == (hash | 1)) {
    s->stats->reinserted++;
    *again = 0;
  }
  *mark_of(s, place) = USED | PINNED | tag_of(hash);
  memcpy(record_of(s, place), state, s->record);
  s->count++;
  return place;
}

static void hash_batch(struct cache *s, struct store_batch *b, size_t from) {
  for (size_t i = from; i < b->count; i++) {
    uint64_t h = b->hash[i] = hash_record(s, b->states + i * b->stride), bucket = hash_slot(h, s->buckets);
    __builtin_prefetch(mark_of(s, bucket * WAYS));
    __builtin_prefetch(record_of(s, bucket * WAYS));
    __builtin_prefetch(mark_of(s, other_bucket(s, h) * WAYS));
  }
}

static size_t cache_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct cache *s = (struct cache *)base;
  hash_batch(s, b, from);
  for (size_t i = from; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    b->answer[i] = STORE_SEEN;
    b->ref[i] = find(s, state, b->hash[i]);
    if (b->ref[i] != STORE_NONE) continue;
    b->ref[i] = enter(s, state, b->hash[i]);
    b->answer[i] = b->ref[i] == STORE_NONE ? STORE_FULL : STORE_NEW;
    if (b->answer[i] == STORE_FULL) return i;
  }
  return b->count;
}

static void cache_find_batch(struct store *base, struct store_batch *b) {
  struct cache *s = (struct cache *)base;
  hash_batch(s, b, 0);
  for (size_t i = 0; i < b->count; i++) {
    b->ref[i] = find(s, b->states + i * b->stride, b->hash[i]);
    b->answer[i] = b->ref[i] == STORE_NONE ? STORE_NEW : STORE_SEEN;
  }
}

static void cache_leave(struct store *base, store_ref ref) {
  struct cache *s = (struct cache *)base;
  assert(*mark_of(s, ref) & PINNED);
  *mark_of(s, ref) &= (uint8_t)~PINNED;
}

static uint64_t cache_count(const struct store *base) { return ((const struct cache *)base)->count; }

static size_t cache_bytes(const struct store *base) {
  const struct cache *s = (const struct cache *)base;
  return sizeof *s + s->marks.held + s->records.held + s->dropped.held;
}

static void cache_close(struct store *base) {
  if (!base) return;
  struct cache *s = (struct cache *)base;
  region_close(&s->marks);
  region_close(&s->records);
  region_close(&s->dropped);
  mem_free(s->mem, s);
}

/* Buckets as the user wants, or as half of what is left of the budget allows, at most 1 GB; never more than bytes can be counted for. */
static uint64_t buckets_wanted(const struct cache *s, const struct store_setup *setup) {
  uint64_t per_bucket = WAYS * ((uint64_t)s->record + 1 + sizeof(uint64_t)) + 1;
  if (setup->options && setup->options->cache) {
    uint64_t wanted = setup->options->cache / WAYS + (setup->options->cache % WAYS != 0), most = UINT64_MAX / per_bucket;
    return wanted < most ? wanted : most;
  }
  uint64_t bytes = setup->options && setup->options->memory ? setup->options->memory
                   : setup->mem->budget == SIZE_MAX        ? WITHOUT_BUDGET
                                                           : mem_left(setup->mem) / 2;
  return (bytes < MOST_BYTES ? bytes : MOST_BYTES) / per_bucket;
}

static int cache_open(struct store **out, const struct store_setup *setup) {
  struct cache *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_cache;
  s->mem = setup->mem;
  s->stats = setup->stats ? setup->stats : &s->no_stats;
  s->record = setup->bits ? (setup->bits + 7) / 8 : 1;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->rng.state = 1;
  region_open(&s->marks, s->mem, MEM_STORE);
  region_open(&s->records, s->mem, MEM_STORE);
  region_open(&s->dropped, s->mem, MEM_STORE);
  s->buckets = buckets_wanted(s, setup);
  if (!s->buckets) s->buckets = 1;
  if (region_resize(&s->marks, s->buckets * (WAYS + 1)) || region_resize(&s->records, s->buckets * WAYS * s->record) ||
      region_resize(&s->dropped, s->buckets * WAYS * sizeof(uint64_t))) {
    cache_close(&s->base);
    return -1;
  }
  *out = &s->base;
  return 0;
}

const struct store_type store_cache = {
    .name = "cache",
    .summary = "a bounded set that forgets states beside the stack: exact, --search dfs only, explores again what it forgot",
    .caps = STORE_EXACT | STORE_FORGETS,
    .open = cache_open,
    .put_batch = cache_put_batch,
    .find_batch = cache_find_batch,
    .leave = cache_leave,
    .count = cache_count,
    .bytes = cache_bytes,
    .close = cache_close,
};
