/* shrink_fuse.c -- series fusion: a place between transitions goes, and with each that fills it those that empty it become one.
 *
 * A place p that is empty at first and not seen; H are the transitions that give to it, F those that take from it, none does both, and none of them is asked about.
 *
 * After (post-agglomeration; Berthelot 1987, Haddad and Pradat-Peyre, "New efficient Petri nets reductions for parallel programs verification", 2006).  The f in F take from p alone, and change nothing that is seen.  Whenever
 * there are tokens in p, some f can fire, nobody else can hinder it, and firing it hinders nobody.  So in every run each f can be moved to right behind the h that brought its tokens (and one be added where it was
 * put off for ever): what is seen stays the same up to stuttering, and the rest of the run has no fewer tokens.  A dead marking has p empty. (Markings that are not dead only because some f has yet to
 * fire are gone; where an expression asks whether a marking is dead nothing is fused.)  Right for states, deadlocks and runs, and a run of the smaller net is, h and f one
 * after the other, one of the larger, with the same end.
 *
 * Before (pre-agglomeration, Berthelot 1987; where only states are asked: free agglomeration, Thierry-Mieg 2020).  The h in H give to p alone, and change nothing that is seen.  An h that no f follows can be left out; the others
 * can be put off until right before their f, since in the meantime nobody needs p and there are more tokens elsewhere.  Where deadlocks or runs are asked, nobody but h takes from the places that h takes from, and there is one:
 * so an h that can fire stays able to, it is not the alternative to something else, and no run consists of h alone.  A marking that is dead in the smaller net is in the larger one after those h have fired that
 * still can, which nobody sees: who leads a run back goes on until nothing can fire.
 *
 * Weights: all f take w from p, an h gives k w and is followed by k of them; one of several f could be chosen each time, so k > 1 needs F = {f}.  Before: all h give w, an f takes k w.
 *
 * |H| |F| transitions take the place of |H| + |F|; where that is many more the place stays.  */
#include "net/shrink_net.h"

enum { MOST_USERS = 200, MOST_MORE = 6 };

struct around { /* a place */
  uint32_t givers, takers;
  uint32_t giver[MOST_USERS], taker[MOST_USERS];
};

/* 0: nothing can be fused here. */
static int look_around(struct shrink *s, uint32_t p, struct around *a) {
  uint32_t count;
  if (s->seen.alive || s->gone[p] || s->stuck[p] || s->seen.place[p] || s->net->initial[p]) return 0;
  const uint32_t *user = shrink_users(s, p, &count);
  if (count > MOST_USERS) return 0;
  a->givers = a->takers = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_arc x = shrink_at(s, user[i], p);
    if ((x.in && x.out) || s->transition.at[user[i]].seen) return 0;
    if (x.in) a->taker[a->takers++] = user[i];
    else a->giver[a->givers++] = user[i];
  }
  return a->givers && a->takers && (uint64_t)a->givers * a->takers <= (uint64_t)a->givers + a->takers + MOST_MORE;
}

/* The number of tokens that all of them take from p (or give to it); 0 = not all the same. */
static uint32_t common(const struct shrink *s, uint32_t p, const uint32_t *t, uint32_t count) {
  uint32_t weight = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_arc a = shrink_at(s, t[i], p);
    uint32_t w = a.in ? a.in : a.out;
    if (weight && w != weight) return 0;
    weight = w;
  }
  return weight;
}

/* Whether all the others are multiples of the weight; larger ones only where there is but one to be repeated. */
static int multiples(const struct shrink *s, uint32_t p, const uint32_t *t, uint32_t count, uint32_t weight, int repeatable) {
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_arc a = shrink_at(s, t[i], p);
    uint32_t w = a.in ? a.in : a.out;
    if (w % weight || (w != weight && !repeatable)) return 0;
  }
  return 1;
}

/* Makes all pairs, or none. */
static int fuse(struct shrink *s, uint32_t p, const struct around *a, int after, uint32_t weight, enum shrink_rule rule) {
  uint32_t first = (uint32_t)s->transition.count;
  int bad = 0;
  for (uint32_t i = 0; i < a->givers && !bad; i++)
    for (uint32_t k = 0; k < a->takers && !bad; k++) {
      uint32_t h = a->giver[i], f = a->taker[k];
      bad = shrink_join(s, h, after ? 1 : shrink_at(s, f, p).in / weight, f, after ? shrink_at(s, h, p).out / weight : 1, p);
    }
  if (bad) {
    for (uint32_t t = first; t < s->transition.count; t++) shrink_drop_transition(s, t, SHRINK_RULES);
    s->stuck[p] = 1; /* or those that are woken by this would try for ever */
    return 0;
  }
  for (uint32_t i = 0; i < a->givers; i++) shrink_drop_transition(s, a->giver[i], SHRINK_RULES);
  for (uint32_t i = 0; i < a->takers; i++) shrink_drop_transition(s, a->taker[i], SHRINK_RULES);
  shrink_drop_place(s, p, rule);
  return 1;
}

int shrink_fuse_after(struct shrink *s, uint32_t p) {
  struct around a;
  if (!look_around(s, p, &a)) return 0;
  for (uint32_t k = 0; k < a.takers; k++) {
    const struct shrink_arc *row = shrink_row(s, a.taker[k]);
    for (uint32_t i = 0; i < shrink_arcs(s, a.taker[k]); i++)
      if (row[i].place != p && row[i].in) return 0;
    if (shrink_visible(s, a.taker[k])) return 0;
  }
  uint32_t weight = common(s, p, a.taker, a.takers);
  return weight && multiples(s, p, a.giver, a.givers, weight, a.takers == 1) && fuse(s, p, &a, 1, weight, SHRINK_AFTER);
}

/* Nobody else takes from where t does, and there is such a place. */
static int takes_alone(struct shrink *s, uint32_t t) {
  int takes = 0;
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++) {
    struct shrink_arc a = shrink_row(s, t)[i];
    uint32_t count;
    if (!a.in) continue;
    const uint32_t *user = shrink_users(s, a.place, &count);
    for (uint32_t k = 0; k < count; k++)
      if (user[k] != t && shrink_at(s, user[k], a.place).in) return 0;
    takes = 1;
  }
  return takes;
}

int shrink_fuse_before(struct shrink *s, uint32_t p) {
  struct around a;
  if (!look_around(s, p, &a)) return 0;
  for (uint32_t k = 0; k < a.givers; k++) {
    const struct shrink_arc *row = shrink_row(s, a.giver[k]);
    for (uint32_t i = 0; i < shrink_arcs(s, a.giver[k]); i++)
      if (row[i].place != p && row[i].out) return 0;
    if (shrink_visible(s, a.giver[k]) || (!shrink_states_only(s) && !takes_alone(s, a.giver[k]))) return 0;
  }
  uint32_t weight = common(s, p, a.giver, a.givers);
  return weight && multiples(s, p, a.taker, a.takers, weight, a.givers == 1) && fuse(s, p, &a, 0, weight, SHRINK_BEFORE);
}
