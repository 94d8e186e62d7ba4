/* shrink_transitions.c -- transitions in whose stead others can fire, and those on which nothing asked depends.
 *
 *   replaced   t changes the same as u and needs at least what u needs: wherever t fires u does the same.  The graph of markings keeps its states and all its edges but for their names; right whatever is asked.
 *              (Berthelot 1987, identical transitions; with larger needs Thierry-Mieg, "Structural reductions revisited", 2020.)
 *   idle       t changes nothing.  Where deadlocks are asked it matters only that something can fire where t can: if u needs no more than t, t can go.  Where runs are asked t may go round for ever, and stays.
 *   always     only deadlocks are asked and some transition needs nothing: there are none, and all the others can go.
 *   aside      only states are asked (not deadlocks, not runs).  Needed are transitions that change a place that is seen; those that add tokens to a place from which a needed one takes; and so on.  A run without the
 *              firings of all others can still fire, since these take from such places at most, and leads to the same numbers in the places that are seen.  (Cone of influence; Rakow, "Slicing Petri nets", 2012.) */
#include "net/shrink_net.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct effect {
  uint64_t hash;
  uint32_t transition;
};

static int by_effect(const void *x, const void *y) {
  const struct effect *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->transition < b->transition ? -1 : a->transition > b->transition;
}

static uint64_t effect_hash(const struct shrink *s, uint32_t t) {
  const struct shrink_arc *row = shrink_row(s, t);
  uint64_t hash = 0;
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++)
    if (row[i].in != row[i].out) hash = hash_pair(hash ^ row[i].place, (uint64_t)shrink_effect(&row[i]));
  return hash;
}

/* t needs at least what u needs; and, if asked for, changes the same. */
static int covers(struct shrink *s, uint32_t t, uint32_t u, int same_effect) {
  const struct shrink_arc *a = shrink_row(s, t), *a_end = a + shrink_arcs(s, t), *b = shrink_row(s, u), *b_end = b + shrink_arcs(s, u);
  shrink_spend(s, (uint64_t)(a_end - a) + (uint64_t)(b_end - b));
  while (a < a_end || b < b_end) {
    int first = a < a_end && (b == b_end || a->place <= b->place), second = b < b_end && (a == a_end || b->place <= a->place);
    struct shrink_arc x = first ? *a : (struct shrink_arc){0}, y = second ? *b : (struct shrink_arc){0};
    if (x.in < y.in || (same_effect && shrink_effect(&x) != shrink_effect(&y))) return 0;
    a += first;
    b += second;
  }
  return 1;
}

/* Can some transition fire wherever the idle one can? One that needs nothing, or one that takes from one of its places. */
static int can_go(struct shrink *s, uint32_t t) {
  enum { MANY = 64 };
  const struct shrink_arc *row = shrink_row(s, t);
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++) {
    uint32_t count;
    const uint32_t *user = shrink_users(s, row[i].place, &count);
    for (uint32_t k = 0; k < count && k < MANY; k++)
      if (user[k] != t && shrink_at(s, user[k], row[i].place).in && covers(s, t, user[k], 0)) return 1;
  }
  return 0;
}

static int idle(const struct shrink *s, uint32_t t) {
  const struct shrink_arc *row = shrink_row(s, t);
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++)
    if (row[i].in != row[i].out) return 0;
  return 1;
}

int shrink_replaced(struct shrink *s) {
  enum { NEAR = 16 };
  struct effect *effect = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->transitions_left + 1) * sizeof *effect);
  size_t count = 0;
  int changed = 0;
  if (!effect) {
    s->refused = 1;
    return 0;
  }
  for (uint32_t t = 0; t < s->transition.count; t++) {
    if (s->transition.at[t].gone || !shrink_spend(s, shrink_arcs(s, t) + 1)) continue;
    if (!s->seen.runs && !s->transition.at[t].seen && idle(s, t) && can_go(s, t)) {
      shrink_drop_transition(s, t, SHRINK_REPLACED);
      changed = 1;
    } else {
      effect[count++] = (struct effect){effect_hash(s, t), t};
    }
  }
  qsort(effect, count, sizeof *effect, by_effect);
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && j < i + NEAR && effect[j].hash == effect[i].hash && !shrink_over(s); j++) {
      uint32_t u = effect[i].transition, t = effect[j].transition;
      if (s->transition.at[u].gone) break;
      if (s->transition.at[t].gone) continue;
      uint32_t goes = !s->transition.at[t].seen && covers(s, t, u, 1) ? t : !s->transition.at[u].seen && covers(s, u, t, 1) ? u : PT_NONE;
      if (goes == PT_NONE) continue;
      shrink_drop_transition(s, goes, SHRINK_REPLACED);
      changed = 1;
    }
  mem_free(s->mem, effect);
  return changed;
}

/* ---- aside ------------------------------------------------------------------------------------------------------------------------------- */

struct needed {
  uint8_t *transition, *place; /* place: a needed transition takes from it */
  struct vec(uint32_t) queue;
};

static void need(struct shrink *s, struct needed *n, uint32_t t) {
  if (n->transition[t]) return;
  n->transition[t] = 1;
  if (vec_push(&n->queue, s->mem, MEM_ANALYSIS, t)) s->refused = 1;
}

static void close_needs(struct shrink *s, struct needed *n) {
  for (uint32_t t = 0; t < s->transition.count; t++)
    if (!s->transition.at[t].gone && (s->transition.at[t].seen || shrink_visible(s, t))) need(s, n, t);
  while (n->queue.count && !shrink_over(s)) {
    uint32_t t = n->queue.at[--n->queue.count];
    for (uint32_t i = 0; i < shrink_arcs(s, t); i++) {
      struct shrink_arc a = shrink_row(s, t)[i];
      if (!a.in || n->place[a.place]) continue;
      n->place[a.place] = 1;
      uint32_t count;
      const uint32_t *user = shrink_users(s, a.place, &count);
      for (uint32_t k = 0; k < count; k++) {
        struct shrink_arc b = shrink_at(s, user[k], a.place);
        if (b.out > b.in) need(s, n, user[k]);
      }
    }
  }
}

/* A transition that can fire in every marking. */
static uint32_t always(const struct shrink *s) {
  for (uint32_t t = 0; t < s->transition.count; t++) {
    const struct shrink_transition *x = &s->transition.at[t];
    uint32_t i = 0;
    while (i < x->arcs && !s->arc.at[x->first + i].in) i++;
    if (!x->gone && i == x->arcs) return t;
  }
  return PT_NONE;
}

int shrink_aside(struct shrink *s) {
  struct needed n = {mem_alloc(s->mem, MEM_ANALYSIS, s->transition.count + 1), mem_alloc(s->mem, MEM_ANALYSIS, (size_t)s->net->places + 1), {0}};
  int changed = 0, all = 1;
  if (!n.transition || !n.place) {
    s->refused = 1;
  } else if (shrink_states_only(s)) {
    close_needs(s, &n);
    all = 0;
  } else if (!s->seen.exprs && !s->seen.runs && always(s) != PT_NONE) {
    n.transition[always(s)] = 1;
    all = 0;
  }
  for (uint32_t t = 0; t < s->transition.count && !all && !shrink_over(s); t++) {
    if (n.transition[t] || s->transition.at[t].gone) continue;
    shrink_drop_transition(s, t, SHRINK_ASIDE);
    changed = 1;
  }
  mem_free(s->mem, n.transition);
  mem_free(s->mem, n.place);
  vec_free(&n.queue, s->mem);
  return changed;
}
