/* shrink_equation.c -- what linear algebra proves: transitions that never fire, and places that never are the only ones short of tokens.
 *
 * A transition for which the state equation has no marking that enables it never fires.  A place p is redundant if for each t that takes w from it there is no marking in which all other places of t have enough and p has
 * at most w - 1 tokens: then the same transitions fire without it, whatever is asked (implicit places: Silva, Teruel and Colom, "Linear algebraic and linear programming techniques", 1998; with invariants and bounds as special cases).
 *
 * Places go one after the other.  A place that is gone gives no reason any more why another one is not the only one short (two equal places would send each other away), but its row of the state equation stays: it
 * is true of the larger net, whose markings are the same.
 *
 * Random walks come first: what fires is not dead, and a place that was alone in holding somebody back is not redundant.  They leave few questions.  Every question is an exact certificate or nothing (lp.h), and their number is
 * limited by the size of the net. */
#include "net/shrink_net.h"

#include "base/clock.h"
#include "net/state_equation.h"
#include "net/walk.h"

/* Random steps are so many transitions looked at; questions so many rows and columns; and simplex steps each. */
static const uint64_t LOOKS = 2000000, ROOM = 3000000, STEPS = 2000;
static const double SECONDS = 1.5;

struct questions {
  struct shrink *s;
  struct pt_net *net;
  struct state_equation *equation;
  struct lp_patience patience;
  uint64_t left;
  uint8_t *fired, *alone; /* transitions, places: known to matter */
};

/* Who is held back by one place alone now? */
static void note_lonely(const struct walk *w, uint8_t *alone) {
  const struct pt_net *n = w->net;
  for (uint32_t t = 0; t < n->transitions; t++) {
    if (w->lacks[t] != 1) continue;
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++)
      if (w->tokens[n->pre[a].place] < (int64_t)n->pre[a].weight) alone[n->pre[a].place] = 1;
  }
}

static int walk_about(struct questions *q) {
  struct walk w;
  uint64_t steps = LOOKS / ((uint64_t)q->net->transitions + 1), since = 0, leg = 200;
  if (walk_open(&w, q->net, q->s->mem, 1)) return -1;
  note_lonely(&w, q->alone);
  for (uint64_t i = 0; i < steps && i < 20000; i++) {
    if (w.enabled_count == 0 || w.overflow || since++ > leg) {
      walk_restart(&w);
      leg = since > leg ? leg * 2 : leg;
      since = 0;
      if (!w.enabled_count) break;
    }
    if (walk_fire(&w, w.enabled[rng_below(&w.rng, w.enabled_count)])) break;
    note_lonely(&w, q->alone);
  }
  for (uint32_t t = 0; t < q->net->transitions; t++) q->fired[t] = w.fired[t];
  walk_close(&w);
  return 0;
}

static int may_ask(struct questions *q) {
  uint64_t size = (uint64_t)q->s->places_left + q->s->transitions_left;
  if (q->left < size || clock_now() > q->patience.until) return 0;
  q->left -= size;
  return 1;
}

/* No marking gives all other places of t enough (those that are gone do not count) and p at most w - 1. */
static int never_alone(struct questions *q, struct linear_maker *maker, uint32_t t, uint32_t p) {
  const struct shrink_arc *row = shrink_row(q->s, t);
  uint32_t count = shrink_arcs(q->s, t), parts = 0;
  struct linear *all = arena_alloc(&maker->arena, sizeof *all);
  struct linear *part = arena_alloc(&maker->arena, (count + 1) * sizeof *part);
  struct linear **child = arena_alloc(&maker->arena, (count + 1) * sizeof *child);
  uint32_t *var = arena_alloc(&maker->arena, (count + 1) * sizeof *var);
  int64_t *factor = arena_alloc(&maker->arena, (count + 1) * sizeof *factor);
  if (!all || !part || !child || !var || !factor) return 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!row[i].in) continue;
    int itself = row[i].place == p;
    var[parts] = row[i].place;
    factor[parts] = itself ? -1 : 1;
    part[parts] = (struct linear){.kind = LINEAR_AT_LEAST, .count = 1, .var = &var[parts], .factor = &factor[parts], .least = itself ? 1 - (int64_t)row[i].in : (int64_t)row[i].in};
    child[parts] = &part[parts];
    parts++;
  }
  *all = (struct linear){.kind = LINEAR_AND, .count = parts, .child = child};
  return state_equation_refutes(q->equation, all, &q->patience);
}

static int redundant(struct questions *q, uint32_t p) {
  uint32_t count, i;
  const uint32_t *user = shrink_users(q->s, p, &count);
  for (i = 0; i < count; i++) {
    struct linear_maker maker;
    if (!shrink_at(q->s, user[i], p).in) continue;
    if (!may_ask(q)) return 0;
    linear_open(&maker, q->s->mem);
    int never = never_alone(q, &maker, user[i], p);
    linear_close(&maker);
    if (!never) return 0;
  }
  return 1;
}

static int ask(struct questions *q) {
  struct shrink *s = q->s;
  int changed = 0;
  for (uint32_t t = 0; t < q->net->transitions && !shrink_over(s); t++) {
    struct linear fireable = {.kind = LINEAR_FIREABLE, .group = t};
    if (s->transition.at[t].gone || q->fired[t] || !may_ask(q) || !state_equation_refutes(q->equation, &fireable, &q->patience)) continue;
    shrink_drop_transition(s, t, SHRINK_DEAD);
    changed = 1;
  }
  for (uint32_t p = 0; p < q->net->places && !shrink_over(s); p++) {
    if (s->gone[p] || s->seen.place[p] || q->alone[p] || !redundant(q, p)) continue;
    shrink_drop_place(s, p, SHRINK_REDUNDANT);
    changed = 1;
  }
  return changed;
}

int shrink_by_equation(struct shrink *s) {
  struct questions q = {.s = s, .left = ROOM, .patience = {.until = clock_now() + SECONDS, .steps = STEPS}};
  int changed = 0;
  if (shrink_freeze(s, 0, &q.net)) {
    s->refused = 1;
    return 0;
  }
  q.fired = mem_alloc(s->mem, MEM_ANALYSIS, (size_t)q.net->transitions + 1);
  q.alone = mem_alloc(s->mem, MEM_ANALYSIS, (size_t)q.net->places + 1);
  if (q.fired && q.alone && !walk_about(&q) && (uint64_t)s->places_left + s->transitions_left < ROOM / 100 && !state_equation_open(&q.equation, q.net, NULL, s->mem)) changed = ask(&q);
  state_equation_close(q.equation);
  mem_free(s->mem, q.fired);
  mem_free(s->mem, q.alone);
  pt_close(q.net);
  return changed;
}
