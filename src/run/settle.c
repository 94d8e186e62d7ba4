/* settle.c -- see settle.h.
 *
 * Three ways to walk:
 *
 *   wander     uniformly among enabled transitions; walks of growing length, so that both what is near and what is far is met
 *   approach   of a few enabled transitions, the one after which the goal is least far away (walk_distance); now and then any, against dead ends
 *   follow     among enabled transitions those that the solution of the state equation still wants to fire, any or (every second walk) the one that is most behind; when none is left, any
 *
 * Effort is counted in steps, so that the same question has the same answer every time; the clock only ends what takes too long. */
#include "run/settle.h"

#include "base/clock.h"
#include "net/pt_model.h"

#include <math.h>
#include <string.h>

enum { LOOK_EVERY = 256, SHORTEST = 64, LONGEST = 16384, CANDIDATES = 12, FARTHEST = 1 << 26 };

int settle_over(const struct settle *s) { return (s->interrupt && *s->interrupt) || clock_now() > s->until; }

static uint32_t any_enabled(struct walk *w) { return w->enabled[rng_below(&w->rng, w->enabled_count)]; }

/* A walk's length: short ones most often. A way must be gone again by a definition that copies all values, so large nets get shorter ones. */
static uint64_t some_length(struct settle *s) {
  uint64_t length = SHORTEST, most = s->net->places > 1000 ? LONGEST / 8 : LONGEST;
  while (length < most && rng_below(&s->walk.rng, 3)) length *= 2;
  return length;
}

void settle_wander(struct settle *s, uint64_t steps, int (*hear)(void *context, uint32_t fired), void *context) {
  struct walk *w = &s->walk;
  uint64_t left = 0;
  for (uint64_t i = 0; i < steps; i++) {
    if (i % LOOK_EVERY == 0 && settle_over(s)) return;
    if (!left || !w->enabled_count || w->overflow) {
      walk_restart(w);
      left = some_length(s);
      i += s->net->places / 64;
      if (hear(context, SETTLE_BEGINS) || !w->enabled_count) return;
    }
    uint32_t t = any_enabled(w);
    s->walked++;
    left--;
    if (walk_fire(w, t) || (!w->overflow && hear(context, t))) return;
  }
}

/* The best of a few. *evaluations counts what that cost. */
static uint32_t nearest(struct walk *w, const struct linear *goal, uint64_t *evaluations) {
  uint32_t best = any_enabled(w), tries = w->enabled_count < CANDIDATES ? w->enabled_count : CANDIDATES;
  int64_t least = INT64_MAX;
  uint32_t first = (uint32_t)rng_below(&w->rng, w->enabled_count);
  for (uint32_t i = 0; i < tries; i++) {
    uint32_t t = tries == w->enabled_count ? w->enabled[(first + i) % w->enabled_count] : any_enabled(w);
    int64_t distance = walk_distance_after(w, t, goal);
    ++*evaluations;
    if (distance < least) least = distance, best = t;
  }
  return best;
}

int settle_approach(struct settle *s, const struct linear *goal, uint64_t steps) {
  struct walk *w = &s->walk;
  uint64_t left = 0;
  for (uint64_t i = 0, looked = 0; i < steps; i++) {
    if (++looked % LOOK_EVERY == 0 && settle_over(s)) return 0;
    if (!left || !w->enabled_count || w->overflow) {
      walk_restart(w);
      left = some_length(s);
      i += s->net->places / 64;
      if (walk_satisfies(w, goal)) return 1;
      if (!w->enabled_count) return 0;
    }
    uint32_t t = rng_below(&w->rng, 6) ? nearest(w, goal, &i) : any_enabled(w);
    left--;
    s->walked++;
    if (walk_fire(w, t)) return 0;
    if (!w->overflow && walk_satisfies(w, goal)) return 1;
  }
  return 0;
}

static uint32_t any_wanted(struct walk *w, const double *left) {
  uint32_t t = any_enabled(w), from = (uint32_t)rng_below(&w->rng, w->enabled_count);
  for (uint32_t k = 0; k < w->enabled_count && left[t] <= 0; k++) {
    uint32_t other = w->enabled[(from + k) % w->enabled_count];
    if (left[other] > 0) t = other;
  }
  return t;
}

/* The one of which the largest part is still to come: all firings in step with each other, so that none uses up what another one needs. */
static uint32_t most_behind(struct walk *w, const double *firings, const double *left) {
  uint32_t t = any_enabled(w);
  double most = left[t] > 0 ? left[t] / firings[t] : 0;
  for (uint32_t k = 0; k < w->enabled_count; k++) {
    uint32_t other = w->enabled[k];
    if (left[other] > most * firings[other]) t = other, most = left[t] / firings[t];
  }
  return t;
}

int settle_follow(struct settle *s, const struct linear *goal, uint64_t steps) {
  struct walk *w = &s->walk;
  const double *firings = s->equation ? state_equation_firings(s->equation) : NULL;
  double total = 0;
  for (uint32_t t = 0; firings && t < s->net->transitions; t++) total += ceil(firings[t] - 1e-4);
  /* A large marking is as far as it has tokens: as long as confirming the way, which copies all values in each step, is cheap. */
  double most = (double)FARTHEST / (s->net->places + 64.0);
  if (most < LONGEST) most = LONGEST;
  if (total < most && steps < 4 * total) steps = (uint64_t)(4 * total);
  double *left = firings && total > 0 && total < most ? mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->net->transitions + 1) * sizeof *left) : NULL;
  int there = 0;
  uint64_t length = 0, walks = 0;
  for (uint64_t i = 0; left && i < steps && !there; i++, length++) {
    if (i % LOOK_EVERY == 0 && settle_over(s)) break;
    if (!i || !w->enabled_count || w->overflow || length > 2 * total + 16) {
      walk_restart(w);
      for (uint32_t t = 0; t < s->net->transitions; t++) left[t] = ceil(firings[t] - 1e-4);
      length = 0;
      walks++;
      i += s->net->places / 64 + s->net->transitions / 64;
      there = walk_satisfies(w, goal);
      if (there || !w->enabled_count) break;
    }
    uint32_t t = walks % 2 ? most_behind(w, firings, left) : any_wanted(w, left);
    left[t]--;
    s->walked++;
    if (walk_fire(w, t)) break;
    there = !w->overflow && walk_satisfies(w, goal);
  }
  mem_free(s->mem, left);
  return there;
}

/* ---- a second opinion ----------------------------------------------------------------------------------------------------------- */

const int64_t *settle_confirm(struct settle *s) {
  const struct model *m = s->model;
  m->type->define_initial(m, s->values);
  for (size_t i = 0; i < s->walk.path.count; i++) {
    if (!m->type->define_step(m, s->values, s->walk.path.at[i], s->next)) return NULL;
    int64_t *swap = s->values;
    s->values = s->next;
    s->next = swap;
  }
  return s->values;
}

/* ---- the state equation ------------------------------------------------------------------------------------------------------------ */

static struct lp_patience patience(const struct settle *s, double seconds) {
  double until = clock_now() + seconds;
  return (struct lp_patience){.until = until < s->until ? until : s->until, .interrupt = s->interrupt};
}

int settle_never(struct settle *s, const struct linear *goal, double seconds) {
  struct lp_patience p = patience(s, seconds);
  return s->equation && !settle_over(s) && state_equation_refutes(s->equation, goal, &p);
}

int64_t settle_most(struct settle *s, const struct linear *sum, double seconds) {
  struct lp_patience p = patience(s, seconds);
  return s->equation && !settle_over(s) ? state_equation_most(s->equation, sum, INT64_MAX, &p) : INT64_MAX;
}

/* ---- life --------------------------------------------------------------------------------------------------------------------------- */

int settle_open(struct settle *s, const struct model *m, struct mem *mem, double seconds, const volatile int *interrupt) {
  const struct pt_net *net = pt_model_net(m);
  *s = (struct settle){.mem = mem, .model = m, .net = net, .until = clock_now() + seconds, .interrupt = interrupt};
  if (!net) return -1;
  linear_open(&s->maker, mem);
  s->bound = mem_alloc(mem, MEM_ANALYSIS, ((size_t)net->places + 1) * sizeof *s->bound);
  s->values = mem_alloc(mem, MEM_ANALYSIS, ((size_t)net->places + 1) * sizeof *s->values);
  s->next = mem_alloc(mem, MEM_ANALYSIS, ((size_t)net->places + 1) * sizeof *s->next);
  if (!s->bound || !s->values || !s->next || walk_open(&s->walk, net, mem, 1)) {
    settle_close(s);
    return -1;
  }
  s->walking = 1;
  for (uint32_t p = 0; p < net->places; p++) s->bound[p] = pt_model_bound(m, p);
  state_equation_open(&s->equation, net, s->bound, mem);
  return 0;
}

void settle_close(struct settle *s) {
  if (!s->mem) return;
  linear_close(&s->maker);
  walk_close(&s->walk);
  state_equation_close(s->equation);
  mem_free(s->mem, s->bound);
  mem_free(s->mem, s->values);
  mem_free(s->mem, s->next);
  *s = (struct settle){0};
}
