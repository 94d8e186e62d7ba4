/* owners.c -- see owners.h. */
#include "store/owners.h"

#include "base/crew.h"
#include "store/claims.h"

#include <string.h>

enum { MOST = 250 }; /* owners: smaller than OWNERS_GONE */

void owners_begin(struct store_round *r) {
  if (r->claims.entry) claims_begin(r);
}

unsigned owners_count(const struct store_round *r) { return crew_size(r->crew) < MOST ? crew_size(r->crew) : MOST; }

/* Somebody else may say that it is gone as soon as it has claimed its place: what is told of it stands there before. */
static int keep(const struct store_round *r, size_t part, const struct owners_state *x, uint64_t hash) {
  struct store_part *p = &r->part[part];
  p->scratch[p->count] = x->pair;
  p->answer[p->count] = (uint8_t)x->owner;
  if (!r->claims.entry) memcpy(p->states + p->count * p->stride, x->state, p->stride * sizeof *x->state);
  else if (!claims_take(r, part, x->state, hash, OWNERS_GONE)) return 0;
  p->count++;
  return 1;
}

void owners_keep(const struct store_round *r, size_t part, const struct store_batch *b, const struct owners_state *x, size_t n) {
  const struct store_part *p = &r->part[part];
  uint64_t hash[OWNERS_CHUNK] = {0};
  for (size_t i = 0; i < n && r->claims.entry; i++) {
    hash[i] = claims_hash(x[i].state, p->stride);
    claims_prefetch(r, hash[i]);
  }
  for (size_t i = 0; i < n; i++) {
    size_t place = p->count;
    b->answer[x[i].index] = keep(r, part, &x[i], hash[i]) ? STORE_NEW : STORE_SEEN;
    b->ref[x[i].index] = place;
  }
}

/* ---- pairs ---------------------------------------------------------------------------------------------- */

struct settling {
  struct store *store;
  const struct store_round *r;
  const struct owners_ways *ways;
  size_t parts;
  atomic_size_t next; /* owner */
  _Atomic uint64_t fresh;
};

struct questions { /* of one owner, a chunk at a time */
  uint64_t pair[OWNERS_CHUNK];
  struct store_part *part[OWNERS_CHUNK];
  size_t place[OWNERS_CHUNK], count;
  uint64_t fresh;
};

/* The answers go into `ref` first: `answer` still tells owners to the others. */
static void ask(struct settling *t, unsigned owner, struct questions *q) {
  uint8_t answer[OWNERS_CHUNK];
  t->ways->enter(t->store, owner, owners_count(t->r), q->pair, answer, q->count);
  for (size_t i = 0; i < q->count; i++) {
    q->part[i]->ref[q->place[i]] = answer[i];
    q->fresh += answer[i] == OWNERS_NEW;
  }
  q->count = 0;
}

static void settle_owner(struct settling *t, unsigned owner) {
  struct questions q = {.count = 0};
  for (size_t i = 0; i < t->parts; i++) {
    struct store_part *p = &t->r->part[i];
    for (size_t k = 0; k < p->count; k++) {
      if (p->answer[k] != owner) continue;
      q.pair[q.count] = p->scratch[k];
      q.part[q.count] = p;
      q.place[q.count++] = k;
      if (q.count == OWNERS_CHUNK) ask(t, owner, &q);
    }
  }
  if (q.count) ask(t, owner, &q);
  atomic_fetch_add_explicit(&t->fresh, q.fresh, memory_order_relaxed);
}

static void settle_owners(void *context, unsigned worker) {
  struct settling *t = context;
  (void)worker;
  for (size_t i, all = owners_count(t->r); (i = crew_next(&t->next, all)) < all;) settle_owner(t, (unsigned)i);
}

/* ---- states that had to wait ------------------------------------------------------------------------------ */

struct waiting {
  struct store_part *part[STORE_LATER];
  size_t place[STORE_LATER];
  int full; /* memory has ended: the others are not asked any more */
};

static void put_some(struct settling *t, struct waiting *w, struct store_batch *b) {
  size_t done = w->full || !b->count ? 0 : t->ways->put(t->store, b);
  for (size_t i = 0; i < b->count; i++) {
    w->part[i]->answer[w->place[i]] = i < done ? b->answer[i] : STORE_FULL;
    if (i < done) w->part[i]->ref[w->place[i]] = b->ref[i];
  }
  w->full |= done < b->count;
  b->count = 0;
}

static int settle_waiting(struct settling *t) {
  struct store_batch b = t->r->later;
  struct waiting w = {.full = 0};
  b.count = 0;
  for (size_t i = 0; i < t->parts; i++) {
    struct store_part *p = &t->r->part[i];
    for (size_t k = 0; k < p->count; k++) {
      int gone = p->answer[k] == OWNERS_GONE;
      if (gone || (p->answer[k] != OWNERS_LATER && p->ref[k] != OWNERS_ASIDE)) {
        p->answer[k] = !gone && p->ref[k] == OWNERS_NEW ? STORE_NEW : STORE_SEEN;
        p->ref[k] = p->scratch[k];
        continue;
      }
      memcpy(b.states + b.count * b.stride, p->states + k * p->stride, p->stride * sizeof *p->states);
      w.part[b.count] = p;
      w.place[b.count++] = k;
      if (b.count == STORE_LATER) put_some(t, &w, &b);
    }
  }
  put_some(t, &w, &b);
  return w.full ? -1 : 0;
}

int owners_settle(struct store *store, const struct store_round *r, size_t parts, const struct owners_ways *ways) {
  struct settling t = {.store = store, .r = r, .ways = ways, .parts = parts};
  crew_run(r->crew, settle_owners, &t);
  ways->entered(store, atomic_load(&t.fresh));
  return settle_waiting(&t);
}
