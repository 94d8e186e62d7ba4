/* tree_round.c -- the tree asked by several threads: nodes are read by all, each stretch of the set of roots is written by one.
 *
 * As in compact_tree_round.c: while a round is asked nothing changes, and a state becomes a pair of node numbers, or some node of it is not there yet.  When the round is settled the table of roots, which
 * is sorted by hash, is cut into as many stretches as there are threads; each goes through all parts in their order and enters the pairs that belong to its stretch.  What would touch the end of a
 * stretch, and states with unknown nodes, come last, one after the other: equal states always share their fate. */
#include "store/tree.h"

#include "base/crew.h"

#include <assert.h>

enum { MOST_OWNERS = 250, ASIDE = 254, LATER = 255, AHEAD = 16 }; /* answers of states while a round is asked: their owner, or that a node is unknown; ASIDE: nobody could tell */

static unsigned owners(const struct store_round *r) { return crew_size(r->crew) < MOST_OWNERS ? crew_size(r->crew) : MOST_OWNERS; }

int tree_round_begin(struct store *base, const struct store_round *r) {
  struct tree *t = (struct tree *)base;
  return tree_take_climbers(t, crew_size(r->crew)) || pairset_reserve(&t->roots, (uint64_t)r->parts << r->room) ? -1 : 0;
}

int tree_round_peek(struct store *base, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct tree *t = (const struct tree *)base;
  tree_read_state(t, ref, state, trail ? trail : t->pieces ? t->climber[worker].ids : NULL);
  return 0;
}

size_t tree_round_ask(struct store *base, const struct store_round *r, size_t part, unsigned worker, struct store_batch *b) {
  struct tree *t = (struct tree *)base;
  struct store_part *p = &r->part[part];
  unsigned all = owners(r);
  size_t source = 0;
  for (size_t first = 0, n; first < b->count; first += n) {
    n = b->count - first < t->chunk ? b->count - first : t->chunk;
    size_t done = tree_find_roots(t, t->pieces ? &t->climber[worker] : NULL, TREE_FIND, b, first, n, &source);
    assert(done == n && p->count + n <= (size_t)1 << r->room);
    (void)done;
    for (size_t i = first; i < first + n; i++) {
      memcpy(p->states + p->count * p->stride, b->states + i * b->stride, p->stride * sizeof *p->states);
      p->scratch[p->count] = b->ref[i];
      p->answer[p->count] = b->ref[i] == STORE_NONE ? LATER : (uint8_t)pairset_owner(pairset_hash(&t->roots, b->ref[i]), all);
      b->answer[i] = STORE_NEW;
      b->ref[i] = p->count++;
    }
  }
  return b->count;
}

/* ---- settling ----------------------------------------------------------------------------------------- */

struct settling {
  struct tree *t;
  const struct store_round *r;
  size_t parts;
  atomic_uint next; /* owner */
  _Atomic uint64_t fresh;
};

static void settle_owner(struct settling *x, unsigned owner) {
  const struct pairset *s = &x->t->roots;
  struct pairset_stretch own = pairset_stretch_of(s, owner, owners(x->r));
  uint64_t fresh = 0;
  for (size_t i = 0; i < x->parts; i++) {
    struct store_part *p = &x->r->part[i];
    for (size_t k = 0; k < p->count + AHEAD; k++) {
      if (k < p->count && p->answer[k] == owner) pairset_prefetch(s, pairset_hash(s, p->scratch[k]));
      if (k < AHEAD || p->answer[k - AHEAD] != owner) continue;
      int put = pairset_put_own(s, &own, p->scratch[k - AHEAD], pairset_hash(s, p->scratch[k - AHEAD]));
      p->ref[k - AHEAD] = put < 0 ? ASIDE : put ? STORE_NEW : STORE_SEEN;
      fresh += put > 0;
    }
  }
  atomic_fetch_add_explicit(&x->fresh, fresh, memory_order_relaxed);
}

static void settle_owners(void *context, unsigned worker) {
  struct settling *x = context;
  (void)worker;
  for (unsigned i, all = owners(x->r); (i = atomic_fetch_add_explicit(&x->next, 1, memory_order_relaxed)) < all;) settle_owner(x, i);
}

int tree_round_settle(struct store *base, const struct store_round *r, size_t parts) {
  struct tree *t = (struct tree *)base;
  struct settling x = {.t = t, .r = r, .parts = parts};
  int full = 0;
  crew_run(r->crew, settle_owners, &x);
  t->roots.count += atomic_load(&x.fresh);
  for (size_t i = 0; i < parts; i++) {
    struct store_part *p = &r->part[i];
    for (size_t k = 0; k < p->count; k++) {
      int later = p->answer[k] == LATER || p->ref[k] == ASIDE;
      p->answer[k] = later ? STORE_FULL : (uint8_t)p->ref[k];
      p->ref[k] = p->scratch[k];
      if (later && !full) p->answer[k] = (uint8_t)store_put(base, p->states + k * p->stride, t->words, NULL, &p->ref[k]);
      full |= p->answer[k] == STORE_FULL;
    }
  }
  return 0;
}
