/* compact_tree_round.c -- the compact tree asked by several threads: dictionaries are read by all, each part of the set of roots is written by one (owners.h).
 *
 * Halves are looked for in the dictionaries, each thread with a lens of its own, and a state becomes a pair of ids; or a half of it is not known yet, which is so for one of some dozens.  A pair belongs to an owner by its shard.
 *
 * What a thread has asked about a moment ago it knows by its own lens (recent.h).  If the last parts of a round are not to count, what was remembered of them must be forgotten. */
#include "store/compact_tree.h"

#include "base/crew.h"
#include "store/owners.h"

#include <assert.h>
#include <string.h>

static uint64_t ids(const struct compact *c, unsigned position) {
  const struct store *d = c->dictionary[position];
  return d->type->count(d);
}

int compact_round_begin(struct store *base, struct store_round *r) {
  struct compact *c = (struct compact *)base;
  unsigned last = c->split.positions - 1;
  uint64_t most = (uint64_t)r->parts << r->room;
  c->roots.crew = c->base.crew;
  owners_begin(r);
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

/* Which of the n pairs are there? Those with a half that is not known, or too large for the set, are not. */
static void look_up(const struct compact *c, const uint64_t *pair, uint8_t *there, size_t n) {
  uint64_t asked[CHUNK];
  uint8_t who[CHUNK], answer[CHUNK];
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    there[i] = 0;
    who[count] = (uint8_t)i;
    asked[count] = pair[i];
    count += pair[i] != PAIRS_FREE && pairs_fits(&c->roots, pair[i]);
  }
  if (count) pairs_have(&c->roots, asked, answer, count);
  for (size_t k = 0; k < count; k++) there[who[k]] = answer[k];
}

size_t compact_round_ask(struct store *base, const struct store_round *r, size_t part, unsigned worker, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  struct lens *v = c->lens[worker];
  unsigned all = owners_count(r);
  uint64_t pair[CHUNK];
  uint8_t there[CHUNK] = {0};
  for (size_t from = 0; from < b->count;) {
    size_t n = compact_filter(v, b, &from), done = compact_find_pairs(c, v, b, n, FIND, pair);
    assert(done == n && r->part[part].count + n <= (size_t)1 << r->room);
    (void)done;
    if (!r->unknown) look_up(c, pair, there, n);
    struct owners_state unknown[OWNERS_CHUNK];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
      const uint32_t *state = b->states + v->index[i] * b->stride;
      int known = pair[i] != PAIRS_FREE && pairs_fits(&c->roots, pair[i]);
      if (known && v->recent.entry) recent_keep(&v->recent, v->place[i], state, pair[i]);
      b->answer[v->index[i]] = STORE_SEEN;
      b->ref[v->index[i]] = pair[i];
      if (!there[i]) unknown[count++] = (struct owners_state){state, pair[i], known ? pairs_owner_of(&c->roots, pair[i], all) : OWNERS_LATER, v->index[i]};
    }
    owners_keep(r, part, b, unknown, count);
  }
  return b->count;
}

/* ---- settling ----------------------------------------------------------------------------------------------------------------- */

static void enter(struct store *base, unsigned owner, unsigned owners, const uint64_t *pair, uint8_t *answer, size_t n) {
  (void)owner, (void)owners;
  pairs_ask_own(&((struct compact *)base)->roots, pair, answer, n);
}

static void entered(struct store *base, uint64_t fresh) { ((struct compact *)base)->roots.count += fresh; }

/* What was asked a moment ago must be asked again: it may have been put aside. */
static size_t put(struct store *base, struct store_batch *b) {
  struct compact *c = (struct compact *)base;
  struct lens *v = c->lens[0];
  for (size_t i = 0; i < b->count; i++) {
    v->index[i] = i;
    if (v->recent.entry) v->place[i] = recent_place(&v->recent, b->states + i * b->stride);
  }
  return compact_ask_chunk(c, v, b, b->count, PUT);
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
  static const struct owners_ways ways = {enter, entered, put};
  struct compact *c = (struct compact *)base;
  size_t none = 0;
  int full = owners_settle(base, r, parts, &ways) != 0;
  for (size_t i = parts; i < r->parts; i++) none += r->part[i].count;
  if (full) take_back(c, r, parts);
  if (none || full) forget_recent(c);
  if (!full) compact_consider_moving(c);
  return full ? -1 : 0;
}
