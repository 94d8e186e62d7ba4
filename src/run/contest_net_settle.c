/* contest_net_settle.c -- one question about the net, answered without a search where that is possible (settle.h).
 *
 *   ReachabilityDeadlock  a walk ends; or: that no transition is enabled contradicts the state equation
 *   Liveness              a walk ends, or a transition can never be enabled, or never again from where a walk came to (the state equation of that marking): no
 *   QuasiLiveness         every transition has fired in some walk; or one can never be enabled
 *   StableMarking         every place was changed; or all that change some place can never be enabled
 *   OneSafe               two tokens were seen; or the state equation allows none more than one
 *
 * Walks are accompanied step by step by the definition of the language on plain values: only what both have done counts. */
#include "run/contest_parts.h"

#include "base/clock.h"
#include "net/pt_model.h"
#include "run/settle.h"

#include <string.h>

enum { WANDER = 200000, APPROACH = 40000, FOLLOW = 10000 };
enum { WANDER_ON = 20000, MOST_LATER = 64 * 8 * 8 * 8 };
static const double EACH = 2, EACH_LATER = 0.3; /* seconds for one linear program */

struct asking {
  struct contest *c;
  enum examination is;
  struct settle tools;
  int64_t *values, *next; /* where the definition stands */
  uint8_t *happens, *changes;
  uint32_t silent, still;
  int ended, crowded, disagrees;
};

static int known(const struct asking *a) {
  switch (a->is) {
  case DEADLOCK:
  case LIVE: return a->ended;
  case QUASI_LIVE: return !a->silent;
  case STABLE: return !a->still;
  default: return a->crowded;
  }
}

static void note(struct asking *a, uint32_t t) {
  uint32_t place;
  int64_t change;
  if (a->happens[t]) return;
  a->happens[t] = 1;
  a->silent--;
  for (struct pt_effects it = pt_effects(a->tools.net, t); pt_effect(&it, &place, &change);) {
    a->still -= !a->changes[place];
    a->changes[place] = 1;
  }
}

static int nothing_enabled(struct asking *a, const int64_t *values, int64_t *scratch) {
  const struct model *m = a->c->run->model;
  for (uint32_t t = 0; t < m->groups; t++)
    if (m->type->define_step(m, values, t, scratch)) return 0;
  return 1;
}

static int accompany(void *context, uint32_t fired) {
  struct asking *a = context;
  const struct model *m = a->c->run->model;
  if (fired == SETTLE_BEGINS) {
    m->type->define_initial(m, a->values);
  } else {
    if (!m->type->define_step(m, a->values, fired, a->next)) {
      a->disagrees = 1;
      return 1;
    }
    int64_t *swap = a->values;
    a->values = a->next;
    a->next = swap;
    note(a, fired);
  }
  if (!a->tools.walk.enabled_count && nothing_enabled(a, a->values, a->next)) a->ended = 1;
  if (a->tools.walk.peak > 1)
    for (uint32_t p = 0; p < a->tools.net->places; p++) a->crowded |= a->values[p] > 1;
  return known(a);
}

/* The walk stands somewhere: its way by the definition, and what is new there. */
static int arrive(struct asking *a) {
  const int64_t *values = settle_confirm(&a->tools);
  if (!values) return 0;
  for (size_t i = 0; i < a->tools.walk.path.count; i++) note(a, a->tools.walk.path.at[i]);
  if (a->is == DEADLOCK || a->is == LIVE) a->ended |= nothing_enabled(a, values, a->next);
  for (uint32_t p = 0; p < a->tools.net->places; p++) a->crowded |= values[p] > 1;
  return 1;
}

/* 1: it can never be enabled. 0: not known, or it has fired now. */
static int try_transition(struct asking *a, uint32_t t) {
  struct linear goal = {.kind = LINEAR_FIREABLE, .group = t};
  if (settle_never(&a->tools, &goal, EACH)) return 1;
  if ((settle_follow(&a->tools, &goal, FOLLOW) || settle_approach(&a->tools, &goal, APPROACH)) && walk_fire(&a->tools.walk, t) == 0) arrive(a);
  return 0;
}

/* All that change a place. 1: it never changes. */
static int try_place(struct asking *a, uint32_t place) {
  const struct pt_net *net = a->tools.net;
  int never = 1;
  for (uint32_t t = 0; t < net->transitions && !a->changes[place] && !settle_over(&a->tools); t++) {
    uint32_t p;
    int64_t change;
    int changes = 0;
    for (struct pt_effects it = pt_effects(net, t); pt_effect(&it, &p, &change);) changes |= p == place;
    if (changes) never &= try_transition(a, t);
  }
  return never && !a->changes[place] && !settle_over(&a->tools);
}

static enum contest_status ask_deadlock(struct asking *a) {
  struct linear goal = {.kind = LINEAR_DEAD};
  if (settle_never(&a->tools, &goal, EACH)) return a->is == DEADLOCK ? CONTEST_FALSE : CONTEST_UNKNOWN;
  if (settle_follow(&a->tools, &goal, FOLLOW) || settle_approach(&a->tools, &goal, APPROACH)) arrive(a);
  return CONTEST_UNKNOWN;
}

static enum contest_status ask_transitions(struct asking *a) {
  for (uint32_t t = 0; t < a->tools.net->transitions && !settle_over(&a->tools); t++)
    if (!a->happens[t] && try_transition(a, t)) return CONTEST_FALSE;
  return CONTEST_UNKNOWN;
}

/* ---- from a marking on ------------------------------------------------------------------------------------------------------------ */

/* Which transitions fire on a walk from there. */
static int wander_on(struct asking *a, const struct pt_net *from, uint8_t *fires) {
  struct walk w;
  if (walk_open(&w, from, a->tools.mem, 1)) {
    walk_close(&w);
    return -1;
  }
  walk_restart(&w);
  for (int i = 0; i < WANDER_ON && w.enabled_count && !w.overflow && (i % 256 || !settle_over(&a->tools)); i++) {
    uint32_t t = w.enabled[rng_below(&w.rng, w.enabled_count)];
    fires[t] = 1;
    if (walk_fire(&w, t)) break;
  }
  walk_close(&w);
  return 0;
}

/* The net as it goes on from where the definition stands: 1 if some transition can never fire any more. */
static int dies_from_here(struct asking *a, uint8_t *fires, uint32_t *marking) {
  const struct pt_net *net = a->tools.net;
  struct pt_net from = *net;
  struct state_equation *equation = NULL;
  int dies = 0;
  memset(fires, 0, (size_t)net->transitions + 1);
  for (uint32_t p = 0; p < net->places; p++) {
    if (a->values[p] > INT32_MAX) return 0; /* no initial marking of a net */
    marking[p] = (uint32_t)a->values[p];
  }
  from.initial = marking;
  if (wander_on(a, &from, fires) == 0 && state_equation_open(&equation, &from, a->tools.bound, a->tools.mem) == 0)
    for (uint32_t t = 0; t < net->transitions && !dies && !settle_over(&a->tools); t++) {
      struct linear goal = {.kind = LINEAR_FIREABLE, .group = t};
      struct lp_patience patience = {.until = clock_now() + EACH_LATER, .interrupt = a->tools.interrupt};
      dies = !fires[t] && state_equation_refutes(equation, &goal, &patience);
    }
  state_equation_close(equation);
  return dies;
}

/* The same after longer and longer walks. */
static int dies_later(struct asking *a) {
  struct mem *mem = a->tools.mem;
  uint8_t *fires = mem_alloc(mem, MEM_ANALYSIS, (size_t)a->tools.net->transitions + 1);
  uint32_t *marking = mem_alloc(mem, MEM_ANALYSIS, ((size_t)a->tools.net->places + 1) * sizeof *marking);
  int dies = 0;
  for (uint64_t steps = 64; fires && marking && !dies && !a->ended && steps <= MOST_LATER && !settle_over(&a->tools); steps *= 8) {
    settle_wander(&a->tools, steps, accompany, a);
    dies = !a->disagrees && !a->ended && dies_from_here(a, fires, marking);
  }
  mem_free(mem, fires);
  mem_free(mem, marking);
  return dies;
}

static enum contest_status ask_places(struct asking *a) {
  for (uint32_t p = 0; p < a->tools.net->places && !settle_over(&a->tools); p++)
    if (!a->changes[p] && try_place(a, p)) return CONTEST_TRUE;
  return CONTEST_UNKNOWN;
}

static enum contest_status ask_counts(struct asking *a) {
  int64_t one = 1;
  int open = 0;
  for (uint32_t p = 0; p < a->tools.net->places && !a->crowded; p++) {
    struct linear two = {.kind = LINEAR_AT_LEAST, .count = 1, .var = &p, .factor = &one, .least = 2};
    if (a->tools.bound[p] <= 1 || settle_never(&a->tools, &two, EACH)) continue;
    open = 1;
    if (settle_over(&a->tools)) break;
    if (settle_follow(&a->tools, &two, FOLLOW) || settle_approach(&a->tools, &two, APPROACH)) arrive(a);
  }
  return open || a->crowded ? CONTEST_UNKNOWN : CONTEST_TRUE;
}

static enum contest_status by_walk(const struct asking *a) {
  if (!known(a)) return CONTEST_UNKNOWN;
  return a->is == DEADLOCK || a->is == QUASI_LIVE ? CONTEST_TRUE : contest_truth(a->is == LIVE && !a->tools.net->transitions);
}

static enum contest_status ask(struct asking *a, unsigned *by) {
  enum contest_status status;
  settle_wander(&a->tools, WANDER, accompany, a);
  if (a->disagrees) return CONTEST_UNKNOWN;
  if ((status = by_walk(a)) != CONTEST_UNKNOWN) {
    *by = CONTEST_BY_WALK;
    return status;
  }
  if (a->is == DEADLOCK || a->is == LIVE) status = ask_deadlock(a);
  else if (a->is == STABLE) status = ask_places(a);
  else if (a->is == ONE_SAFE) status = ask_counts(a);
  if (a->is == QUASI_LIVE || (a->is == LIVE && !a->ended)) status = ask_transitions(a);
  if (a->is == LIVE && status == CONTEST_UNKNOWN && dies_later(a)) {
    *by = CONTEST_BY_WALK | CONTEST_BY_EQUATION;
    return CONTEST_FALSE;
  }
  *by = status == CONTEST_UNKNOWN ? CONTEST_BY_WALK : CONTEST_BY_EQUATION;
  return status == CONTEST_UNKNOWN ? by_walk(a) : status;
}

enum contest_status contest_net_settle(struct contest *c, enum examination is, uint8_t *happens, unsigned *by) {
  struct mem *mem = c->run->mem;
  struct asking a = {.c = c, .is = is, .happens = happens};
  enum contest_status status = CONTEST_UNKNOWN;
  if (settle_open(&a.tools, c->run->model, mem, contest_effort(c), c->run->limits.interrupt)) return CONTEST_UNKNOWN;
  size_t places = (size_t)a.tools.net->places + 1;
  a.silent = a.tools.net->transitions;
  a.still = a.tools.net->places;
  a.values = mem_alloc(mem, MEM_ANALYSIS, places * sizeof *a.values);
  a.next = mem_alloc(mem, MEM_ANALYSIS, places * sizeof *a.next);
  a.changes = mem_alloc(mem, MEM_ANALYSIS, places);
  if (a.values && a.next && a.changes) status = ask(&a, by);
  mem_free(mem, a.values);
  mem_free(mem, a.next);
  mem_free(mem, a.changes);
  settle_close(&a.tools);
  mem_trim();
  return status;
}
