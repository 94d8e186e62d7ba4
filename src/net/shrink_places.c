/* shrink_places.c -- places that never hold anybody back.
 *
 * A place without which the same transitions fire in the same markings can go, whatever is asked, unless its tokens are seen: the graph of markings stays the same.  Berthelot, "Transformations and decompositions of nets",
 * 1987 (redundant places); Murata, "Petri nets: properties, analysis and applications", 1989 (parallel places).
 *
 *   constant   no transition changes it.  Those that want more than it has never fire; the others never lack anything there.
 *   ample      no transition lowers it, and nobody wants more than it has at first; or nobody wants anything.
 *   fallow     no transition raises it: those that want more than it has at first never fire.
 *   parallel   its effects are k times those of another place q, so m(p) - k m(q) never changes.  Who wants w(p) there wants at least k w(q) at q, such that p has enough whenever q has. */
#include "net/shrink_net.h"

#include "base/hash.h"
#include "net/incidence.h"

#include <stdlib.h>

/* One place by itself. */
int shrink_place(struct shrink *s, uint32_t p) {
  uint32_t count, initial = s->net->initial[p], most = 0;
  const uint32_t *user = shrink_users(s, p, &count);
  int raised = 0, lowered = 0, changed = 0;
  if (s->gone[p]) return 0;
  if (!shrink_spend(s, count)) return 0;
  for (uint32_t i = 0; i < count && !(raised && lowered); i++) {
    struct shrink_arc a = shrink_at(s, user[i], p);
    raised |= a.out > a.in;
    lowered |= a.out < a.in;
    if (a.in > most) most = a.in;
  }
  if (!raised && most > initial) {
    for (uint32_t i = 0; i < count; i++)
      if (shrink_at(s, user[i], p).in > initial) shrink_drop_transition(s, user[i], SHRINK_DEAD);
    shrink_wake(s, p);
    return 1;
  }
  if (!raised && !lowered) {
    shrink_drop_place(s, p, SHRINK_CONSTANT);
    changed = 1;
  } else if (!lowered && most <= initial && !s->seen.place[p]) {
    shrink_drop_place(s, p, SHRINK_AMPLE);
    changed = 1;
  }
  return changed;
}

/* ---- parallel places ------------------------------------------------------------------------------------------------------------------ */

struct shape {
  uint64_t hash; /* of what the transitions change, in lowest terms */
  uint32_t place, factor;
};

static int by_shape(const void *x, const void *y) {
  const struct shape *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static struct shape shape_of(struct shrink *s, uint32_t p) {
  uint32_t count;
  const uint32_t *user = shrink_users(s, p, &count);
  uint64_t factor = 0, hash = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_arc a = shrink_at(s, user[i], p);
    int64_t effect = shrink_effect(&a);
    if (effect) factor = incidence_gcd(factor, (uint64_t)(effect < 0 ? -effect : effect));
  }
  for (uint32_t i = 0; i < count && factor; i++) {
    struct shrink_arc a = shrink_at(s, user[i], p);
    if (shrink_effect(&a)) hash += hash_pair(user[i], (uint64_t)(shrink_effect(&a) / (int64_t)factor));
  }
  return (struct shape){hash, p, (uint32_t)factor};
}

/* The other's arc at a transition that p has one with; none if there is none. */
static struct shrink_arc arc_or_none(const struct shrink *s, uint32_t t, uint32_t place) {
  const struct shrink_arc *row = shrink_row(s, t);
  uint32_t lo = 0, hi = shrink_arcs(s, t);
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (row[mid].place < place) lo = mid + 1;
    else hi = mid;
  }
  return lo < shrink_arcs(s, t) && row[lo].place == place ? row[lo] : (struct shrink_arc){place, 0, 0};
}

/* Does p have enough whenever q has? k = p.factor / q.factor. */
static int follows(struct shrink *s, const struct shape *p, const struct shape *q) {
  uint32_t count, others, changes = 0, theirs = 0;
  const uint32_t *user = shrink_users(s, p->place, &count), *other = shrink_users(s, q->place, &others);
  __int128 spare = (__int128)s->net->initial[p->place] * q->factor - (__int128)s->net->initial[q->place] * p->factor;
  if (s->seen.place[p->place]) return 0;
  shrink_spend(s, (uint64_t)count + others);
  for (uint32_t i = 0; i < others; i++) {
    struct shrink_arc a = shrink_at(s, other[i], q->place);
    theirs += a.in != a.out;
  }
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_arc a = shrink_at(s, user[i], p->place), b = arc_or_none(s, user[i], q->place);
    if ((__int128)shrink_effect(&a) * q->factor != (__int128)shrink_effect(&b) * p->factor) return 0;
    changes += a.in != a.out;
    if (a.in && (__int128)a.in * q->factor > (__int128)b.in * p->factor + spare) return 0;
  }
  return changes == theirs;
}

int shrink_parallel_places(struct shrink *s) {
  enum { NEAR = 16 };
  struct shape *shape = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->places_left + 1) * sizeof *shape);
  size_t count = 0;
  int changed = 0;
  if (!shape) {
    s->refused = 1;
    return 0;
  }
  for (uint32_t p = 0; p < s->net->places && !shrink_over(s); p++) {
    if (s->gone[p]) continue;
    struct shape one = shape_of(s, p);
    if (one.factor) shape[count++] = one;
  }
  qsort(shape, count, sizeof *shape, by_shape);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && j < i + NEAR && shape[j].hash == shape[i].hash && !s->gone[shape[i].place] && !shrink_over(s); j++) {
      if (s->gone[shape[j].place]) continue;
      const struct shape *p = follows(s, &shape[j], &shape[i]) ? &shape[j] : follows(s, &shape[i], &shape[j]) ? &shape[i] : NULL;
      if (!p) continue;
      shrink_drop_place(s, p->place, SHRINK_REDUNDANT);
      changed = 1;
    }
  mem_free(s->mem, shape);
  return changed;
}
