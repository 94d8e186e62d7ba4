/* compact_tree.c -- each half of a state once, a state as a pair of halves in a few bits.
 *
 *   positions  split.h says which bits belong together; every position has a dictionary with dense ids: a leaf's keys are bits of
 *              the state, an inner position's are pairs of ids of 16, 24 or 32 bits, as the ids need.  Dictionaries are plain stores, since that is what those
 *              do: number and give back.
 *   roots      the set of pairs (id of the left half, id of the right half): pairs.h.  They are the states.
 *
 * The states of a system are many, their halves few: with a good split there are 0.01 to 0.1 entries in dictionaries per state, and what
 * remains is the root: log2(left ids * right ids / states) bits and about three more.  The ref of a state is its pair of ids; the state
 * is read from the dictionaries without a look into the set.
 *
 * A successor differs from its source in few bits.  A position none of whose bits has changed has the id that it had there (the trail), so most
 * questions are one lookup in a dictionary of some thousand entries and one in the set of roots.
 *
 * Half of all questions are about states that were asked about a moment ago: recent.h answers them before they are taken apart.
 *
 * The first split is the middle; after some thousand states, and again when there are four times as many and dictionaries are not small, the store
 * asks to be moved into a new one with a split found on a sample (restless).
 *
 * A state that is forgotten leaves the set of roots; its halves stay in the dictionaries, where others may need them.  When more states were forgotten than there are, the store asks to
 * be moved, too: the new one knows the halves of the living alone.
 *
 * After Laarman, van de Pol, Weber (Parallel recursive state compression for free, 2011), with ids per position instead of one table of
 * nodes, and Cleary's idea (Compact hash tables using bidirectional linear probing, 1984) for the roots. */
#include "store/compact_tree.h"

#include "base/crew.h"

#include <assert.h>
#include <string.h>

enum { FIRST_TUNE = 8192, TUNE_AGAIN = 4, RENEW = 4096, ID_BITS = 16, TAKEN_LEAST = 1024 };

static inline uint64_t load64(const uint32_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

/* ---- asking ------------------------------------------------------------------------------------------------------------- */

/* Which leaves of a state differ from its source: a set of positions. */
static inline uint32_t changed_leaves(const struct compact *c, const uint32_t *state, const uint32_t *source) {
  uint32_t changed = 0, whole = c->words / 2;
  for (uint32_t w = 0; w < c->split.words; w++) {
    /* states of a batch may be read to a whole number of 64-bit words, sources may not */
    uint64_t difference = load64(state + 2 * w) ^ (w < whole ? load64(source + 2 * w) : source[2 * w]);
    if (difference) changed |= split_changed(&c->split, w, difference);
  }
  return changed;
}

/* Where each state of a chunk comes from: the ids of its source, and the leaves that are not the same. Nothing is known: all of them. */
static void compare_with_sources(const struct compact *c, struct lens *v, const struct store_batch *b, size_t n) {
  size_t at = 0; /* there may be no sources at all */
  for (size_t i = 0; i < n; i++) {
    while (at < b->sources && b->source[at].end <= v->index[i]) at++;
    const struct store_source *s = at < b->sources ? &b->source[at] : NULL;
    int known = s && s->first <= v->index[i] && s->trail;
    v->trail[i] = known ? s->trail : v->no_trail;
    v->changed[i] = known ? changed_leaves(c, b->states + v->index[i] * b->stride, s->words) : UINT32_MAX;
  }
}

static uint64_t ids(const struct compact *c, unsigned position) {
  const struct store *d = c->dictionary[position];
  return d->type->count(d);
}

static inline uint64_t join_ids(const struct compact *c, unsigned position, uint32_t left, uint32_t right) {
  return left | (uint64_t)right << c->id_bits[position];
}

struct widening {
  unsigned from, to; /* bits */
};

static void widen_key(void *context, const uint32_t *old_words, uint32_t *new_words) {
  const struct widening *w = context;
  uint64_t key = old_words[0] | (w->from > 16 ? (uint64_t)old_words[1] << 32 : 0), mask = ((uint64_t)1 << w->from) - 1;
  key = (key & mask) | (key >> w->from & mask) << w->to;
  memcpy(new_words, &key, sizeof key);
}

/* Keys of an inner position get wider when the ids of its children do. 0, or -1: no memory. */
static int widen_dictionary(struct compact *c, unsigned position) {
  const struct split_position *p = &c->split.position[position];
  struct store *d = c->dictionary[position];
  uint64_t most = ids(c, p->left) > ids(c, p->right) ? ids(c, p->left) : ids(c, p->right);
  struct widening w = {c->id_bits[position], c->id_bits[position]};
  while (w.to < 32 && most > (uint64_t)1 << w.to) w.to += 8;
  if (w.to == w.from) return 0;
  if (d->type->rewrite(d, 2, 2 * w.to, widen_key, &w)) return -1;
  c->id_bits[position] = (uint8_t)w.to;
  c->key_words[position] = 2;
  return 0;
}

/* Writes the keys of those states of a chunk that are not known to have their source's id. Returns how many. What is known changes
   from state to state: here nothing jumps. */
static size_t gather_keys(const struct compact *c, struct lens *v, unsigned position, const struct store_batch *b, size_t n) {
  const struct split_position *p = &c->split.position[position];
  uint32_t stride = c->key_words[position] + (c->key_words[position] & 1), *id = v->id[position];
  size_t count = 0;
  if (p->left != SPLIT_LEAF)
    for (size_t i = 0; i < n; i++) {
      const uint32_t *trail = v->trail[i];
      uint32_t other = (v->id[p->left][i] ^ trail[p->left]) | (v->id[p->right][i] ^ trail[p->right]);
      v->changed[i] |= (uint32_t)(other != 0) << position;
    }
  for (size_t i = 0; i < n; i++) {
    id[i] = v->trail[i][position];
    v->who[count] = (uint8_t)i;
    count += v->changed[i] >> position & !v->absent[i];
  }
  for (size_t k = 0; k < count; k++) {
    size_t i = v->who[k];
    if (p->left == SPLIT_LEAF) {
      split_take(&c->split, position, (const uint64_t *)(const void *)(b->states + v->index[i] * b->stride),
                 (uint64_t *)(void *)(v->keys + k * stride));
    } else {
      uint64_t key = join_ids(c, position, v->id[p->left][i], v->id[p->right][i]);
      memcpy(v->keys + k * stride, &key, sizeof key);
    }
  }
  return count;
}

/* Ids that the keys of an inner position have no bits for (yet: there was no memory to make them wider): no such pair is there. */
static void mark_too_wide(const struct compact *c, struct lens *v, unsigned position, size_t n) {
  const struct split_position *p = &c->split.position[position];
  uint64_t limit = (uint64_t)1 << c->id_bits[position];
  if (ids(c, p->left) <= limit && ids(c, p->right) <= limit) return;
  for (size_t i = 0; i < n; i++) v->absent[i] |= (v->id[p->left][i] >= limit) | (v->id[p->right][i] >= limit);
}

/* Ids of all states of a chunk at one position. Returns how many states have one: less than n when a dictionary is full. */
static size_t ask_dictionary(struct compact *c, struct lens *v, unsigned position, const struct store_batch *b, size_t n, enum compact_asking how) {
  struct store *d = c->dictionary[position];
  if (c->id_bits[position] && how != FIND && widen_dictionary(c, position)) return 0;
  if (c->id_bits[position] && how == FIND) mark_too_wide(c, v, position, n);
  size_t count = gather_keys(c, v, position, b, n);
  struct store_batch keys = {.states = v->keys,
                             .stride = c->key_words[position] + (c->key_words[position] & 1),
                             .count = count,
                             .hash = v->hash,
                             .ref = v->ref,
                             .answer = v->answer};
  size_t good = count;
  if (!count) return n;
  if (how != FIND) good = d->type->put_batch(d, &keys, 0);
  else d->type->find_batch(d, &keys);
  for (size_t k = 0; k < good; k++) {
    v->id[position][v->who[k]] = (uint32_t)v->ref[k];
    if (how == FIND && v->answer[k] == STORE_NEW) v->absent[v->who[k]] = 1;
  }
  return good == count ? n : v->who[good];
}

/* The roots of a chunk, when there may be less room than states. */
static size_t ask_tightly(struct compact *c, const uint64_t *pair, uint8_t *there, size_t n, uint64_t room) {
  for (size_t i = 0; i < n; i++) {
    if (!pairs_fits(&c->roots, pair[i]) || pairs_ask(&c->roots, pair + i, there + i, 1, 0) != 1) return i;
    if (there[i]) continue;
    if (!room-- || pairs_ask(&c->roots, pair + i, there + i, 1, 1) != 1) return i;
  }
  return n;
}

int compact_drop_recent(struct compact *c) {
  int any = 0;
  for (unsigned i = 0; i < c->lenses; i++) {
    any |= c->lens[i]->recent.entry != NULL;
    recent_drop(&c->lens[i]->recent);
  }
  return any;
}

/* Are these pairs there? Absent ones are entered with `put`; PAIRS_FREE is no pair. Returns how many were answered. */
static size_t ask_roots(struct compact *c, const uint64_t *pair, uint8_t *there, size_t n, int put) {
  unsigned last = c->split.positions - 1;
  uint64_t asked[CHUNK];
  uint8_t answer[CHUNK], who[CHUNK];
  size_t count = 0, done;
  asked[0] = PAIRS_FREE;
  if (put) {
    uint64_t room = pairs_reserve(&c->roots, ids(c, last - 1), ids(c, last), n);
    if (room < n && compact_drop_recent(c)) { /* what is only for speed goes first */
      room = pairs_reserve(&c->roots, ids(c, last - 1), ids(c, last), n);
    }
    return room < n ? ask_tightly(c, pair, there, n, room) : pairs_ask(&c->roots, pair, there, n, 1);
  }
  for (size_t i = 0; i < n; i++) {
    there[i] = 0;
    who[count] = (uint8_t)i;
    asked[count] = pair[i];
    count += pairs_fits(&c->roots, pair[i]);
  }
  done = pairs_ask(&c->roots, asked, answer, count, 0);
  for (size_t k = 0; k < done; k++) there[who[k]] = answer[k];
  return done == count ? n : who[done];
}

size_t compact_find_pairs(struct compact *c, struct lens *v, const struct store_batch *b, size_t n, enum compact_asking how, uint64_t *pair) {
  unsigned last = c->split.positions - 1;
  compare_with_sources(c, v, b, n);
  memset(v->absent, 0, n);
  for (unsigned p = 0; p <= last; p++) n = ask_dictionary(c, v, p, b, n, how);
  for (size_t i = 0; i < n; i++) pair[i] = v->absent[i] ? PAIRS_FREE : pairs_join(v->id[last - 1][i], v->id[last][i]);
  return n;
}

size_t compact_ask_chunk(struct compact *c, struct lens *v, struct store_batch *b, size_t n, enum compact_asking how) {
  uint64_t pair[CHUNK];
  uint8_t there[CHUNK];
  n = compact_find_pairs(c, v, b, n, how, pair);
  n = ask_roots(c, pair, there, n, how == PUT);
  for (size_t i = 0; i < n; i++) {
    b->answer[v->index[i]] = there[i] ? STORE_SEEN : STORE_NEW;
    b->ref[v->index[i]] = pair[i];
    if (v->recent.entry && (how == PUT || there[i])) recent_keep(&v->recent, v->place[i], b->states + v->index[i] * b->stride, pair[i]);
  }
  return n;
}

size_t compact_filter(struct lens *v, const struct store_batch *b, size_t *from) {
  size_t n = 0, i = *from;
  if (!v->recent.entry) {
    for (; i < b->count && n < CHUNK; i++) v->index[n++] = i;
  } else {
    for (; i < b->count && n < CHUNK; i++) {
      const uint32_t *state = b->states + i * b->stride;
      uint64_t *place = recent_place(&v->recent, state);
      int known = recent_is(&v->recent, place, state);
      b->answer[i] = STORE_SEEN;
      b->ref[i] = place[0] - 1;
      v->index[n] = i;
      v->place[n] = place;
      n += !known;
    }
    v->recent.asked += i - *from;
    v->recent.hits += i - *from - n;
  }
  *from = i;
  return n;
}

/* Answers states from *from on, until a chunk of those that are not known from a moment ago has been asked. Returns 0, or -1: *from did not fit. */
static int ask_some(struct compact *c, struct lens *v, struct store_batch *b, size_t *from, enum compact_asking how) {
  size_t n = compact_filter(v, b, from);
  size_t done = compact_ask_chunk(c, v, b, n, how);
  if (done < n) *from = v->index[done];
  return done < n ? -1 : 0;
}

void compact_consider_moving(struct compact *c) {
  int stale = c->forgotten > RENEW + 2 * c->roots.count;
  if ((c->roots.count < c->tune_at && !stale) || c->base.marking) return;
  uint64_t entries = 0;
  for (unsigned p = 0; p < c->split.positions; p++) entries += ids(c, p);
  if (stale) { /* halves of nobody */
    c->base.restless |= entries > c->roots.count;
    c->forgotten = 0;
    return;
  }
  c->base.restless = c->tune_at <= FIRST_TUNE || entries > c->roots.count / 24;
  c->tune_at *= TUNE_AGAIN;
}

static size_t compact_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct compact *c = (struct compact *)base;
  while (from < b->count)
    if (ask_some(c, c->lens[0], b, &from, PUT)) {
      b->answer[from] = STORE_FULL;
      return from;
    }
  recent_tend(&c->lens[0]->recent, c->roots.count);
  compact_consider_moving(c);
  return b->count;
}

static void compact_find_batch(struct store *base, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  for (size_t from = 0; from < b->count;)
    if (ask_some(c, c->lens[0], b, &from, FIND)) return;
}

/* A name is a pair of ids: halves go into the dictionaries, where they will be needed anyway. */
static size_t compact_name_batch(struct store *base, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  for (size_t from = 0; from < b->count;)
    if (ask_some(c, c->lens[0], b, &from, NAME)) return from;
  return b->count;
}

static enum store_answer compact_enter(struct store *base, store_ref ref, const uint32_t *state) {
  struct compact *c = (struct compact *)base;
  uint8_t there;
  if (ask_roots(c, &ref, &there, 1, 1) != 1) return STORE_FULL;
  struct recent *recent = &c->lens[0]->recent;
  if (recent->entry) recent_keep(recent, recent_place(recent, state), state, ref);
  if (there) return STORE_SEEN;
  recent_tend(&c->lens[0]->recent, c->roots.count);
  compact_consider_moving(c);
  return STORE_NEW;
}

/* ---- giving back ---------------------------------------------------------------------------------------------------------- */

void compact_read_state(const struct compact *c, struct lens *v, store_ref ref, uint32_t *id) {
  unsigned last = c->split.positions - 1;
  id[last - 1] = (uint32_t)(ref >> 32);
  id[last] = (uint32_t)ref;
  memset(v->state, 0, c->split.words * sizeof *v->state);
  for (unsigned p = last + 1; p-- > 0;) {
    const struct split_position *at = &c->split.position[p];
    struct store *d = c->dictionary[p];
    memset(v->keys + c->key_words[p], 0, 3 * sizeof *v->keys); /* keys are read in 64-bit words, and one more */
    d->type->get(d, id[p], v->keys, NULL);
    if (at->left == SPLIT_LEAF) {
      split_give(&c->split, p, (const uint64_t *)(const void *)v->keys, v->state);
    } else {
      uint64_t key, mask = ((uint64_t)1 << c->id_bits[p]) - 1;
      memcpy(&key, v->keys, sizeof key);
      id[at->left] = (uint32_t)(key & mask);
      id[at->right] = (uint32_t)(key >> c->id_bits[p] & mask);
    }
  }
}

static int compact_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  struct compact *c = (struct compact *)base;
  uint32_t id[SPLIT_POSITIONS];
  compact_read_state(c, c->lens[0], ref, id);
  memcpy(state, c->lens[0]->state, c->words * sizeof *state);
  if (trail) memcpy(trail, id, c->split.positions * sizeof *trail);
  return 0;
}

static int compact_forget(struct store *base, store_ref ref) {
  struct compact *c = (struct compact *)base;
  struct lens *v = c->lens[0];
  if (v->recent.entry) {
    uint32_t id[SPLIT_POSITIONS], *state = (uint32_t *)(void *)v->state;
    compact_read_state(c, c->lens[0], ref, id);
    uint64_t *place = recent_place(&v->recent, state);
    if (recent_is(&v->recent, place, state)) place[0] = 0;
  }
  pairs_forget(&c->roots, ref);
  c->forgotten++;
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

static int compact_each_ref(struct store *base, int (*hear)(void *, store_ref), void *context, int consume) {
  struct compact *c = (struct compact *)base;
  if (base->crew && compact_take_lenses(c, crew_size(base->crew))) return -1;
  return pairs_each(&c->roots, hear, context, consume);
}

/* ---- marks instead of a queue ------------------------------------------------------------------------------------------- */

/* Two bits per state: 1 and 2 are this round and the next one, in turn. */

static int room_for_taken(struct compact *c, uint64_t room) {
  if (room <= c->taken_room) return 0;
  uint64_t *taken = mem_resize(c->mem, MEM_STORE, c->taken, room * sizeof *taken);
  if (!taken) return -1;
  c->taken = taken;
  c->taken_room = room;
  return 0;
}

static int compact_mark_begin(struct store *base) {
  struct compact *c = (struct compact *)base;
  if (room_for_taken(c, TAKEN_LEAST) || pairs_set_extra(&c->roots, 2)) return -1;
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
  room_for_taken(c, pairs_shard_room(&c->roots)); /* if it cannot be had, a shard is taken in several turns */
  for (int again = 0; !n && again < 2; c->pass += n < c->taken_room) {
    if (c->pass >= c->roots.shards) c->pass = 0, again++;
    n = pairs_collect(&c->roots, c->pass, c->round, c->taken, c->taken_room);
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
  size_t bytes = sizeof *c + pairs_bytes(&c->roots) + c->taken_room * sizeof *c->taken;
  for (unsigned i = 0; i < c->lenses; i++) bytes += sizeof *c->lens[i] + CHUNK * c->key_stride * sizeof *c->lens[i]->keys + recent_bytes(&c->lens[i]->recent);
  for (unsigned p = 0; p < c->split.positions; p++) bytes += c->dictionary[p]->type->bytes(c->dictionary[p]);
  return bytes + split_bytes(&c->split);
}

static void close_lens(const struct compact *c, struct lens *v) {
  recent_close(&v->recent);
  mem_free(c->mem, v->keys);
  mem_free(c->mem, v->state);
  mem_free(c->mem, v);
}

int compact_take_lenses(struct compact *c, unsigned wanted) {
  if (wanted <= c->lenses) return 0;
  struct lens **lens = mem_resize(c->mem, MEM_STORE, c->lens, wanted * sizeof *lens);
  if (!lens) return -1;
  c->lens = lens;
  while (c->lenses < wanted) {
    struct lens *v = mem_alloc(c->mem, MEM_STORE, sizeof *v);
    if (!v) return -1;
    c->lens[c->lenses++] = v;
    recent_open(&v->recent, c->mem, c->words);
    v->keys = mem_alloc(c->mem, MEM_STORE, CHUNK * c->key_stride * sizeof *v->keys);
    v->state = mem_alloc(c->mem, MEM_STORE, (c->split.words + 1) * sizeof *v->state);
    if (v->keys && v->state) continue;
    close_lens(c, v);
    c->lenses--;
    return -1;
  }
  return 0;
}

static void compact_close(struct store *base) {
  if (!base) return;
  struct compact *c = (struct compact *)base;
  for (unsigned p = 0; p < SPLIT_POSITIONS; p++)
    if (c->dictionary[p]) c->dictionary[p]->type->close(c->dictionary[p]);
  pairs_close(&c->roots);
  split_close(&c->split, c->mem);
  for (unsigned i = 0; i < c->lenses; i++) close_lens(c, c->lens[i]);
  mem_free(c->mem, c->lens);
  mem_free(c->mem, c->taken);
  mem_free(c->mem, c);
}

static int open_dictionaries(struct compact *c, const struct store_setup *setup) {
  for (unsigned p = 0; p < c->split.positions; p++) {
    const struct split_position *at = &c->split.position[p];
    if (at->left != SPLIT_LEAF) c->id_bits[p] = (uint8_t)(setup->id_bits ? setup->id_bits : ID_BITS);
    uint32_t bits = at->left != SPLIT_LEAF ? 2u * c->id_bits[p] : at->bits ? at->bits : 1;
    c->key_words[p] = (bits + 31) / 32;
    if (c->key_words[p] + 5 > c->key_stride) c->key_stride = (c->key_words[p] + 6) & ~(size_t)1; /* keys of ids may take two words */
    struct store_setup keys = {.words = c->key_words[p],
                               .bits = bits,
                               .mem = c->mem,
                               .hash_mask = setup->hash_mask,
                               .entry_bits = setup->entry_bits,
                               .quotient_from = setup->quotient_from ? setup->quotient_from : UINT64_MAX};
    if (store_plain.open(&c->dictionary[p], &keys)) return -1;
  }
  return compact_take_lenses(c, 1);
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
    .name_batch = compact_name_batch,
    .enter = compact_enter,
    .get = compact_get,
    .each = compact_each,
    .each_ref = compact_each_ref,
    .forget = compact_forget,
    .mark_begin = compact_mark_begin,
    .mark = compact_mark,
    .mark_of = compact_mark_of,
    .mark_take = compact_mark_take,
    .mark_turn = compact_mark_turn,
    .round_claims = 1,
    .round_begin = compact_round_begin,
    .round_peek = compact_round_peek,
    .round_ask = compact_round_ask,
    .round_settle = compact_round_settle,
    .count = compact_count,
    .bytes = compact_bytes,
    .close = compact_close,
};
