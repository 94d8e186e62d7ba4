/* compact_tree.c -- each half of a state once, a state as a pair of halves in a few bits.
 *
 *   positions  split.h says which bits belong together; every position has a dictionary with dense ids: a leaf's keys are bits of
 *              the state, an inner position's are pairs of ids.  Dictionaries are plain stores, since that is what those do: number and
 *              give back.
 *   roots      the set of pairs (id of the left half, id of the right half): pairs.h.  They are the states.
 *
 * The states of a system are many, their halves few: with a good split there are 0.01 to 0.1 entries in dictionaries per state, and what
 * remains is the root: log2(left ids * right ids / states) bits and about three more.  The ref of a state is its pair of ids; the state
 * is read from the dictionaries without a look into the set.
 *
 * A successor differs from its source in few bits.  A position none of whose bits has changed has the id that it had there (the trail), so most
 * questions are one lookup in a dictionary of some thousand entries and one in the set of roots.
 *
 * Half of all questions are about pairs that were asked about a moment ago: a table of recent pairs answers them without a look into the set.
 *
 * The first split is the middle; after some thousand states, and again when there are four times as many and dictionaries are not small, the store
 * asks to be moved into a new one with a split found on a sample (restless).
 *
 * After Laarman, van de Pol, Weber (Parallel recursive state compression for free, 2011), with ids per position instead of one table of
 * nodes, and Cleary's idea (Compact hash tables using bidirectional linear probing, 1984) for the roots. */
#include "store/store.h"

#include "base/mem.h"
#include "base/stats.h"
#include "store/pairs.h"
#include "store/split.h"

#include <assert.h>
#include <string.h>

enum { CHUNK = PAIRS_AHEAD, FIRST_TUNE = 8192, TUNE_AGAIN = 4, RECENT_BITS = 14, RECENT_FROM = 1 << 17 };

struct compact {
  struct store base;
  struct mem *mem;
  uint32_t words, bits;
  struct split split;
  struct store *dictionary[SPLIT_POSITIONS];
  uint32_t key_words[SPLIT_POSITIONS];
  struct pairs roots;
  uint64_t tune_at;
  uint64_t *recent; /* pairs that are known to be there, by their hash; NULL = too few states to pay */
  uint64_t round, pass, shards_then; /* marks: the value of this round; the shard whose turn is next, of so many */
  uint64_t *taken, taken_room;
  /* scratch */
  size_t key_stride;
  uint32_t *keys;  /* of a chunk, for one position */
  uint64_t *state; /* one */
  uint64_t hash[CHUNK];
  store_ref ref[CHUNK];
  uint8_t answer[CHUNK], who[CHUNK], absent[CHUNK];
  const struct store_source *source[CHUNK];
  uint32_t id[SPLIT_POSITIONS][CHUNK];
};

static inline uint64_t load64(const uint32_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

/* Whose successor each state of a chunk is; NULL where its trail is unknown. */
static void find_sources(struct compact *c, const struct store_batch *b, size_t from, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    while (k < b->sources && b->source[k].end <= from + i) k++;
    c->source[i] = k < b->sources && b->source[k].first <= from + i && b->source[k].trail ? &b->source[k] : NULL;
  }
}

static inline int leaf_changed(const struct compact *c, unsigned position, const uint32_t *state, const uint32_t *source) {
  const uint64_t *mask = c->split.position[position].mask;
  uint64_t difference = 0;
  uint32_t whole = c->words / 2;
  for (uint32_t w = 0; w < whole; w++) difference |= (load64(state + 2 * w) ^ load64(source + 2 * w)) & mask[w];
  if (c->words % 2) difference |= (state[c->words - 1] ^ source[c->words - 1]) & mask[whole];
  return difference != 0;
}

/* Writes the keys of those states of a chunk that are not known to have their source's id. Returns how many. */
static size_t gather_keys(struct compact *c, unsigned position, const struct store_batch *b, size_t from, size_t n) {
  const struct split_position *p = &c->split.position[position];
  uint32_t stride = c->key_words[position] + (c->key_words[position] & 1), *id = c->id[position];
  size_t count = 0;
  if (p->left == SPLIT_LEAF) {
    for (size_t i = 0; i < n; i++) {
      const uint32_t *state = b->states + (from + i) * b->stride;
      const struct store_source *s = c->source[i];
      if (s && !leaf_changed(c, position, state, s->words)) {
        id[i] = s->trail[position];
        continue;
      }
      /* states of a batch may be read to a whole number of 64-bit words */
      split_take(&c->split, position, (const uint64_t *)(const void *)state, (uint64_t *)(void *)(c->keys + count * stride));
      c->who[count++] = (uint8_t)i;
    }
    return count;
  }
  for (size_t i = 0; i < n; i++) {
    uint32_t l = c->id[p->left][i], r = c->id[p->right][i];
    const struct store_source *s = c->source[i];
    if (c->absent[i]) continue;
    if (s && l == s->trail[p->left] && r == s->trail[p->right]) {
      id[i] = s->trail[position];
      continue;
    }
    c->keys[count * stride] = l;
    c->keys[count * stride + 1] = r;
    c->who[count++] = (uint8_t)i;
  }
  return count;
}

/* Ids of all states of a chunk at one position. Returns how many states have one: less than n when a dictionary is full. */
static size_t ask_dictionary(struct compact *c, unsigned position, const struct store_batch *b, size_t from, size_t n, int put) {
  struct store *d = c->dictionary[position];
  size_t count = gather_keys(c, position, b, from, n);
  struct store_batch keys = {.states = c->keys,
                             .stride = c->key_words[position] + (c->key_words[position] & 1),
                             .count = count,
                             .hash = c->hash,
                             .ref = c->ref,
                             .answer = c->answer};
  size_t good = count;
  if (!count) return n;
  if (put) good = d->type->put_batch(d, &keys, 0);
  else d->type->find_batch(d, &keys);
  for (size_t k = 0; k < good; k++) {
    c->id[position][c->who[k]] = (uint32_t)c->ref[k];
    if (!put && c->answer[k] == STORE_NEW) c->absent[c->who[k]] = 1;
  }
  return good == count ? n : c->who[good];
}

static uint64_t ids(const struct compact *c, unsigned position) {
  const struct store *d = c->dictionary[position];
  return d->type->count(d);
}

/* The roots of a chunk, when there may be less room than states. */
static size_t ask_tightly(struct compact *c, const uint64_t *pair, uint8_t *there, size_t n, uint64_t room) {
  for (size_t i = 0; i < n; i++) {
    if (pairs_ask(&c->roots, pair + i, there + i, 1, 0) != 1) return i;
    if (there[i]) continue;
    if (!room-- || pairs_ask(&c->roots, pair + i, there + i, 1, 1) != 1) return i;
  }
  return n;
}

/* An empty place looks like the pair (0, 0), which is the first one of all and always there. */
static inline uint64_t *recent_place(const struct compact *c, uint64_t pair) {
  return &c->recent[pair * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS)];
}

/* Are these pairs there? Absent ones are entered with `put`; PAIRS_FREE is no pair. Returns how many were answered. */
static size_t ask_roots(struct compact *c, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  unsigned last = c->split.positions - 1;
  uint64_t asked[CHUNK];
  uint8_t answer[CHUNK], who[CHUNK];
  size_t count = 0, done;
  if (!c->recent && c->roots.count > RECENT_FROM) c->recent = mem_alloc(c->mem, MEM_STORE, sizeof *c->recent << RECENT_BITS);
  for (size_t i = 0; i < n; i++) {
    there[i] = pair[i] != PAIRS_FREE && c->recent && *recent_place(c, pair[i]) == pair[i];
    if (there[i] || pair[i] == PAIRS_FREE) continue;
    who[count] = (uint8_t)i;
    asked[count++] = pair[i];
  }
  if (put) {
    uint64_t room = pairs_reserve(&c->roots, ids(c, last - 1), ids(c, last), count);
    done = room < count ? ask_tightly(c, asked, answer, count, room) : pairs_ask(&c->roots, asked, answer, count, 1);
  } else {
    done = pairs_ask(&c->roots, asked, answer, count, 0);
  }
  for (size_t k = 0; k < done; k++) {
    there[who[k]] = answer[k];
    if (c->recent && (put || answer[k])) *recent_place(c, asked[k]) = asked[k];
  }
  return done == count ? n : who[done];
}

/* Answers n states from `from` on. Returns how many were answered. */
static size_t ask_chunk(struct compact *c, struct store_batch *b, size_t from, size_t n, int put) {
  unsigned last = c->split.positions - 1;
  uint64_t pair[CHUNK];
  uint8_t there[CHUNK];
  find_sources(c, b, from, n);
  memset(c->absent, 0, n);
  for (unsigned p = 0; p <= last; p++) n = ask_dictionary(c, p, b, from, n, put);
  for (size_t i = 0; i < n; i++) pair[i] = c->absent[i] ? PAIRS_FREE : pairs_join(c->id[last - 1][i], c->id[last][i]);
  n = ask_roots(c, pair, there, n, put);
  for (size_t i = 0; i < n; i++) {
    b->answer[from + i] = there[i] ? STORE_SEEN : STORE_NEW;
    b->ref[from + i] = pair[i];
  }
  return n;
}

/* Is a better split worth a move? Dictionary entries are dear, roots are cheap. */
static void consider_moving(struct compact *c) {
  if (c->roots.count < c->tune_at || c->base.marking) return;
  uint64_t entries = 0;
  for (unsigned p = 0; p < c->split.positions; p++) entries += ids(c, p);
  c->base.restless = c->tune_at <= FIRST_TUNE || entries > c->roots.count / 24;
  c->tune_at *= TUNE_AGAIN;
}

static size_t compact_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct compact *c = (struct compact *)base;
  for (; from < b->count;) {
    size_t n = b->count - from < CHUNK ? b->count - from : CHUNK, done = ask_chunk(c, b, from, n, 1);
    from += done;
    if (done < n) {
      b->answer[from] = STORE_FULL;
      return from;
    }
  }
  consider_moving(c);
  return b->count;
}

static void compact_find_batch(struct store *base, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  for (size_t from = 0; from < b->count; from += CHUNK) {
    size_t n = b->count - from < CHUNK ? b->count - from : CHUNK;
    ask_chunk(c, b, from, n, 0);
  }
}

/* ---- giving back ---------------------------------------------------------------------------------------------------------- */

static int compact_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  struct compact *c = (struct compact *)base;
  uint32_t id[SPLIT_POSITIONS];
  unsigned last = c->split.positions - 1;
  id[last - 1] = (uint32_t)(ref >> 32);
  id[last] = (uint32_t)ref;
  memset(c->state, 0, c->split.words * sizeof *c->state);
  for (unsigned p = last + 1; p-- > 0;) {
    const struct split_position *at = &c->split.position[p];
    struct store *d = c->dictionary[p];
    memset(c->keys + c->key_words[p], 0, 3 * sizeof *c->keys); /* keys are read in 64-bit words, and one more */
    d->type->get(d, id[p], c->keys, NULL);
    if (at->left == SPLIT_LEAF) {
      split_give(&c->split, p, (const uint64_t *)(const void *)c->keys, c->state);
    } else {
      id[at->left] = c->keys[0];
      id[at->right] = c->keys[1];
    }
  }
  memcpy(state, c->state, c->words * sizeof *state);
  if (trail) memcpy(trail, id, c->split.positions * sizeof *trail);
  return 0;
}

struct teller {
  struct compact *c;
  store_hear *hear;
  void *context;
  uint32_t *state;
};

static int tell_root(void *context, uint64_t pair) {
  struct teller *t = context;
  compact_get(&t->c->base, pair, t->state, NULL);
  return t->hear(t->context, pair, t->state);
}

static int compact_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct compact *c = (struct compact *)base;
  struct teller t = {c, hear, context, mem_alloc(c->mem, MEM_STORE, ((size_t)c->words + 4) * sizeof *t.state)};
  int status = t.state ? pairs_each(&c->roots, tell_root, &t, consume) : -1;
  mem_free(c->mem, t.state);
  return status;
}

/* ---- marks instead of a queue ------------------------------------------------------------------------------------------- */

/* Two bits per state: 1 and 2 are this round and the next one, in turn. */

static int compact_mark_begin(struct store *base) {
  struct compact *c = (struct compact *)base;
  if (pairs_set_extra(&c->roots, 2)) return -1;
  c->round = 1;
  c->roots.fresh = 2;
  c->base.marking = 1;
  c->base.restless = 0;
  return 0;
}

static void compact_mark(struct store *base, store_ref ref, enum store_mark mark) {
  struct compact *c = (struct compact *)base;
  pairs_set_owner(&c->roots, ref, mark == STORE_UNMARKED ? 0 : mark == STORE_NOW ? c->round : 3 - c->round);
}

static enum store_mark compact_mark_of(struct store *base, store_ref ref) {
  const struct compact *c = (const struct compact *)base;
  uint64_t owner = pairs_owner(&c->roots, ref);
  return !owner ? STORE_UNMARKED : owner == c->round ? STORE_NOW : STORE_NEXT;
}

static int64_t compact_mark_take(struct store *base, const store_ref **refs) {
  struct compact *c = (struct compact *)base;
  size_t n = 0;
  if (c->shards_then && c->shards_then < c->roots.shards) c->pass *= c->roots.shards / c->shards_then; /* shards were split since */
  c->shards_then = c->roots.shards;
  /* Asked only while some are left. They may have come behind us, when the set was rewritten: then a second pass finds them. */
  for (int again = 0; !n && again < 2; c->pass++) {
    if (c->pass >= c->roots.shards) c->pass = 0, again++;
    uint64_t room = pairs_shard_room(&c->roots);
    uint64_t *taken = room > c->taken_room ? mem_resize(c->mem, MEM_STORE, c->taken, room * sizeof *taken) : c->taken;
    if (!taken) return -1;
    c->taken = taken;
    if (room > c->taken_room) c->taken_room = room;
    n = pairs_collect(&c->roots, c->pass, c->round, taken);
  }
  *refs = c->taken;
  return (int64_t)n;
}

static void compact_mark_turn(struct store *base) {
  struct compact *c = (struct compact *)base;
  c->pass = 0;
  c->roots.fresh = c->round;
  c->round = 3 - c->round;
}

/* ---- life ------------------------------------------------------------------------------------------------------------------- */

static uint64_t compact_count(const struct store *base) { return ((const struct compact *)base)->roots.count; }

static size_t compact_bytes(const struct store *base) {
  const struct compact *c = (const struct compact *)base;
  size_t bytes = sizeof *c + pairs_bytes(&c->roots) + CHUNK * c->key_stride * sizeof *c->keys + c->taken_room * sizeof *c->taken +
                 (c->recent ? sizeof *c->recent << RECENT_BITS : 0);
  for (unsigned p = 0; p < c->split.positions; p++) bytes += c->dictionary[p]->type->bytes(c->dictionary[p]);
  return bytes + c->split.run.room * sizeof *c->split.run.at + (size_t)c->split.positions * c->split.words * 12;
}

static void compact_close(struct store *base) {
  if (!base) return;
  struct compact *c = (struct compact *)base;
  for (unsigned p = 0; p < SPLIT_POSITIONS; p++)
    if (c->dictionary[p]) c->dictionary[p]->type->close(c->dictionary[p]);
  pairs_close(&c->roots);
  split_close(&c->split, c->mem);
  mem_free(c->mem, c->keys);
  mem_free(c->mem, c->taken);
  mem_free(c->mem, c->recent);
  mem_free(c->mem, c->state);
  mem_free(c->mem, c);
}

static int open_dictionaries(struct compact *c, const struct store_setup *setup) {
  for (unsigned p = 0; p < c->split.positions; p++) {
    const struct split_position *at = &c->split.position[p];
    uint32_t bits = at->left != SPLIT_LEAF ? 64 : at->bits ? at->bits : 1;
    c->key_words[p] = (bits + 31) / 32;
    if (c->key_words[p] + 4 > c->key_stride) c->key_stride = (c->key_words[p] + 5) & ~(size_t)1;
    struct store_setup keys = {.words = c->key_words[p],
                               .bits = bits,
                               .mem = c->mem,
                               .hash_mask = setup->hash_mask,
                               .entry_bits = setup->entry_bits,
                               .quotient_from = setup->quotient_from ? setup->quotient_from : UINT64_MAX};
    if (store_plain.open(&c->dictionary[p], &keys)) return -1;
  }
  c->keys = mem_alloc(c->mem, MEM_STORE, CHUNK * c->key_stride * sizeof *c->keys);
  c->state = mem_alloc(c->mem, MEM_STORE, (c->split.words + 1) * sizeof *c->state);
  return c->keys && c->state ? 0 : -1;
}

static int compact_open(struct store **out, const struct store_setup *setup) {
  struct compact *c = mem_alloc(setup->mem, MEM_STORE, sizeof *c);
  if (!c) return -1;
  c->base.type = &store_compact_tree;
  c->mem = setup->mem;
  c->words = setup->words;
  c->bits = setup->bits;
  pairs_open(&c->roots, c->mem, 0, setup->hash_mask);
  struct split_sample sample = {setup->sample, setup->sample_stride, setup->sample ? setup->sample_count : 0};
  if (split_choose(&c->split, c->bits, &sample, c->mem) || open_dictionaries(c, setup)) {
    compact_close(&c->base);
    return -1;
  }
  if (mem_left(c->mem) / 16 > setup->expect && setup->expect) pairs_reserve(&c->roots, 16, 16, setup->expect); /* if it cannot be had now, it grows on the way */
  c->base.trail_words = c->split.positions;
  c->tune_at = sample.count ? setup->expect * TUNE_AGAIN : FIRST_TUNE;
  *out = &c->base;
  return 0;
}

const struct store_type store_compact_tree = {
    .name = "compact-tree",
    .summary = "halves of states once each, states as pairs in a quotient table: exact, 1 to 4 bytes per state",
    .caps = STORE_EXACT | STORE_GET,
    .open = compact_open,
    .put_batch = compact_put_batch,
    .find_batch = compact_find_batch,
    .get = compact_get,
    .each = compact_each,
    .mark_begin = compact_mark_begin,
    .mark = compact_mark,
    .mark_of = compact_mark_of,
    .mark_take = compact_mark_take,
    .mark_turn = compact_mark_turn,
    .count = compact_count,
    .bytes = compact_bytes,
    .close = compact_close,
};
