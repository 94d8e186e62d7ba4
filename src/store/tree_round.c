/* tree_round.c -- the tree asked by several threads: nodes are entered by all (nodeset.h), each stretch of the set of roots is written by one (owners.h).
 *
 * A state becomes a pair of node numbers, unless there is no room for its nodes.  Which numbers nodes get depends on who comes first; nobody sees them.  The table of roots is sorted by hash, and cut into as many stretches as there are threads; what would touch the end of a stretch is put aside. */
#include "store/tree.h"

#include "base/crew.h"
#include "store/owners.h"

#include <assert.h>

int tree_round_begin(struct store *base, struct store_round *r) {
  struct tree *t = (struct tree *)base;
  uint64_t most = (uint64_t)r->parts << r->room;
  owners_begin(r);
  if (tree_take_climbers(t, crew_size(r->crew)) || pairset_reserve(&t->roots, most)) return -1;
  return t->pieces ? nodeset_share(&t->set, crew_size(r->crew), most) : 0;
}

int tree_round_peek(struct store *base, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail) {
  const struct tree *t = (const struct tree *)base;
  tree_read_state(t, ref, state, trail ? trail : t->pieces ? t->climber[worker].ids : NULL);
  return 0;
}

size_t tree_round_ask(struct store *base, const struct store_round *r, size_t part, unsigned worker, struct store_batch *b) {
  struct tree *t = (struct tree *)base;
  unsigned all = owners_count(r);
  size_t source = 0;
  for (size_t first = 0, n; first < b->count; first += n) {
    n = b->count - first < t->chunk ? b->count - first : t->chunk;
    size_t done = tree_find_roots(t, t->pieces ? &t->climber[worker] : NULL, TREE_SHARE, b, first, n, &source);
    assert(done == n && n <= OWNERS_CHUNK && r->part[part].count + n <= (size_t)1 << r->room);
    (void)done;
    for (size_t i = first; i < first + n; i++) {
      b->hash[i] = pairset_hash(&t->roots, b->ref[i]);
      if (!r->unknown) pairset_prefetch(&t->roots, b->hash[i]);
    }
    struct owners_state unknown[OWNERS_CHUNK];
    size_t count = 0;
    for (size_t i = first; i < first + n; i++) {
      int later = b->ref[i] == STORE_NONE;
      b->answer[i] = STORE_SEEN;
      if (!later && !r->unknown && pairset_has(&t->roots, b->ref[i], b->hash[i])) continue;
      unknown[count++] = (struct owners_state){b->states + i * b->stride, b->ref[i], later ? OWNERS_LATER : pairset_owner(b->hash[i], all), i};
    }
    owners_keep(r, part, b, unknown, count);
  }
  return b->count;
}

/* ---- settling ----------------------------------------------------------------------------------------- */

static void enter(struct store *base, unsigned owner, unsigned owners, const uint64_t *pair, uint8_t *answer, size_t n) {
  const struct pairset *s = &((struct tree *)base)->roots;
  struct pairset_stretch own = pairset_stretch_of(s, owner, owners);
  uint64_t hash[OWNERS_CHUNK];
  for (size_t i = 0; i < n; i++) {
    hash[i] = pairset_hash(s, pair[i]);
    pairset_prefetch(s, hash[i]);
  }
  for (size_t i = 0; i < n; i++) {
    int put = pairset_put_own(s, &own, pair[i], hash[i]);
    answer[i] = put < 0 ? OWNERS_ASIDE : put ? OWNERS_NEW : OWNERS_SEEN;
  }
}

static void entered(struct store *base, uint64_t fresh) { ((struct tree *)base)->roots.count += fresh; }

static size_t put(struct store *base, struct store_batch *b) { return base->type->put_batch(base, b, 0); }

int tree_round_settle(struct store *base, const struct store_round *r, size_t parts) {
  static const struct owners_ways ways = {enter, entered, put};
  struct tree *t = (struct tree *)base;
  if (t->pieces) nodeset_shared(&t->set);
  owners_settle(base, r, parts, &ways);
  return 0;
}
