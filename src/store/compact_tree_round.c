/* compact_tree_round.c -- the compact tree asked by several threads: dictionaries are read by all, each part of the set of roots is written by one.
 *
 * While a round is asked nothing changes: halves are looked for in the dictionaries, each thread with a lens of its own, and a state becomes a pair of ids; or a half of it is not known yet, which is so for one of some
 * dozens.  When the round is settled every shard of the set of roots belongs to one thread, which goes through all parts in their order and enters the pairs of its shards: no entry is ever written by two, so nothing has
 * to be locked, and the first of equal pairs is the new one.  States with an unknown half come last, one after the other: all that are equal are among them, since the dictionaries did not change.
 *
 * What a thread has asked about a moment ago it knows by its own lens (recent.h).  If the last parts of a round are not to count, what was remembered of them must be forgotten. */
#include "store/compact_tree.h"

#include "base/crew.h"

#include <assert.h>
#include <string.h>

enum { MOST_OWNERS = 250, LATER = 255 }; /* answers of states while a round is asked: their owner, or that a half is unknown */

static unsigned owners(const struct store_round *r) { return crew_size(r->crew) < MOST_OWNERS ? crew_size(r->crew) : MOST_OWNERS; }

static uint64_t ids(const struct compact *c, unsigned position) {
  const struct store *d = c->dictionary[position];
  return d->type->count(d);
}

int compact_round_begin(struct store *base, const struct store_round *r) {
  struct compact *c = (struct compact *)base;
  unsigned last = c->split.positions - 1;
  uint64_t most = (uint64_t)r->parts << r->room;
  c->roots.crew = c->base.crew;
  if (compact_take_lenses(c, crew_size(r->crew)) || pairs_reserve(&c->roots, ids(c, last - 1), ids(c, last), most) < most) return -1;
  for (unsigned i = 0; i < c->lenses; i++) recent_tend(&c->lens[i]->recent, c->roots.count);
  return 0;
}

int compact_round_peek(struct store *base, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct compact *c = (const struct compact *)base;
  uint32_t id[SPLIT_POSITIONS];
  compact_read_state(c, c->lens[worker], ref, id);
  memcpy(state, c->lens[worker]->state, c->words * sizeof *state);
  if (trail) memcpy(trail, id, c->split.positions * sizeof *trail);
  return 0;
}

size_t compact_round_ask(struct store *base, const struct store_round *r, size_t part, unsigned worker, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  struct lens *v = c->lens[worker];
  struct store_part *p = &r->part[part];
  unsigned all = owners(r);
  uint64_t pair[CHUNK];
  for (size_t from = 0; from < b->count;) {
    size_t n = compact_filter(v, b, &from), done = compact_find_pairs(c, v, b, n, FIND, pair);
    assert(done == n && p->count + n <= (size_t)1 << r->room);
    (void)done;
    for (size_t i = 0; i < n; i++) {
      const uint32_t *state = b->states + v->index[i] * b->stride;
      int known = pair[i] != PAIRS_FREE && pairs_fits(&c->roots, pair[i]);
      memcpy(p->states + p->count * p->stride, state, p->stride * sizeof *state);
      p->scratch[p->count] = pair[i];
      p->answer[p->count] = known ? (uint8_t)pairs_owner_of(&c->roots, pair[i], all) : LATER;
      if (known && v->recent.entry) recent_keep(&v->recent, v->place[i], state, pair[i]);
      b->answer[v->index[i]] = STORE_NEW;
      b->ref[v->index[i]] = p->count++;
    }
  }
  return b->count;
}

/* ---- settling ----------------------------------------------------------------------------------------------------------------- */

struct settling {
  struct compact *c;
  const struct store_round *r;
  size_t parts;
  atomic_uint next; /* owner */
  _Atomic uint64_t fresh;
};

struct questions { /* of one owner, a chunk at a time */
  uint64_t pair[CHUNK];
  struct store_part *part[CHUNK];
  size_t place[CHUNK], count;
};

static uint64_t ask_questions(const struct compact *c, struct questions *q) {
  uint8_t there[CHUNK];
  uint64_t fresh = pairs_ask_own(&c->roots, q->pair, there, q->count);
  for (size_t i = 0; i < q->count; i++) q->part[i]->ref[q->place[i]] = there[i];
  q->count = 0;
  return fresh;
}

/* What was there goes into `ref` first: answers still tell owners to the others. */
static void settle_owner(struct settling *t, unsigned owner) {
  struct questions q = {.count = 0};
  uint64_t fresh = 0;
  for (size_t i = 0; i < t->parts; i++) {
    struct store_part *p = &t->r->part[i];
    for (size_t k = 0; k < p->count; k++) {
      if (p->answer[k] != owner) continue;
      q.pair[q.count] = p->scratch[k];
      q.part[q.count] = p;
      q.place[q.count++] = k;
      if (q.count == CHUNK) fresh += ask_questions(t->c, &q);
    }
  }
  if (q.count) fresh += ask_questions(t->c, &q);
  atomic_fetch_add_explicit(&t->fresh, fresh, memory_order_relaxed);
}

static void settle_owners(void *context, unsigned worker) {
  struct settling *t = context;
  (void)worker;
  for (unsigned i, all = owners(t->r); (i = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed)) < all;) settle_owner(t, i);
}

/* The states of a part that had to wait, one after the other. 0, or -1: no memory for one of them; it and all behind it are full. */
static int settle_rest(struct compact *c, struct store_part *p, int full) {
  struct lens *v = c->lens[0];
  struct store_batch b = {.states = p->states, .stride = p->stride, .count = p->count, .ref = p->ref, .answer = p->answer};
  size_t n = 0;
  for (size_t k = 0; k <= p->count; k++) {
    if (n == CHUNK || (n && k == p->count)) {
      size_t done = full ? 0 : compact_ask_chunk(c, v, &b, n, PUT);
      for (size_t i = done; i < n; i++) p->answer[v->index[i]] = STORE_FULL;
      full |= done < n;
      n = 0;
    }
    if (k == p->count) break;
    if (p->answer[k] == LATER || p->ref[k] == PAIRS_NO_ROOM) {
      v->index[n] = k;
      if (v->recent.entry) v->place[n] = recent_place(&v->recent, p->states + k * p->stride);
      n++;
      continue;
    }
    p->answer[k] = p->ref[k] ? STORE_SEEN : STORE_NEW;
    p->ref[k] = p->scratch[k];
  }
  return full ? -1 : 0;
}

static void forget_recent(struct compact *c) {
  for (unsigned i = 0; i < c->lenses; i++) {
    struct recent *r = &c->lens[i]->recent;
    if (r->entry) memset(r->entry, 0, (r->stride << r->bits) * sizeof *r->entry);
  }
}

/* As if the round had not been. Halves stay in the dictionaries: the next time they are known. */
static void take_back(struct compact *c, const struct store_round *r, size_t parts) {
  for (size_t i = 0; i < parts; i++)
    for (size_t k = 0; k < r->part[i].count; k++)
      if (r->part[i].answer[k] == STORE_NEW) pairs_forget(&c->roots, r->part[i].ref[k]);
}

int compact_round_settle(struct store *base, const struct store_round *r, size_t parts) {
  struct compact *c = (struct compact *)base;
  struct settling t = {.c = c, .r = r, .parts = parts};
  size_t none = 0;
  int full = 0;
  crew_run(r->crew, settle_owners, &t);
  c->roots.count += atomic_load(&t.fresh);
  for (size_t i = 0; i < parts; i++) full |= settle_rest(c, &r->part[i], full) != 0;
  for (size_t i = parts; i < r->parts; i++) none += r->part[i].count;
  if (full) take_back(c, r, parts);
  if (none || full) forget_recent(c);
  if (!full) compact_consider_moving(c);
  return full ? -1 : 0;
}
