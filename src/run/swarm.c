/* swarm.c -- see swarm.h.
 *
 * A member is a depth-first search over a bitstate store.  From the seed and its number follow:
 *
 *   order     the successors of a state are tried in a random order
 *   hash      functions of its own: what one member takes for seen by mistake, another one does not
 *   size      of the bit array: from LEAST for the first to MOST (or a quarter of the budget) for the last, each larger than the one before by the same factor; an
 *             array that is full ends a search, so that the first members take milliseconds, and only a violation that is hard to find waits for the large ones
 *             (iterative search refinement, Holzmann and Smith 2000); a size that was more than enough for a whole search stays
 *   depth     one in three goes as deep as it likes; the others dive less deep, and so see more of what lies near the start
 *   time      an equal share of what is left
 *
 * Members run one after the other: what one does not use of its memory and time, the next ones have. */
#include "run/swarm.h"

#include "base/clock.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

enum { LEAST = 64 << 10, MOST = 64 << 20, DEEP = 10000, SHALLOW = 500 };
#define ENOUGH 1e-6 /* probability that a search missed a state */

/* Of the bit array, when so many members before needed a larger one each. */
static uint64_t bytes_of(const struct run_setup *setup, unsigned member) {
  double most = (double)mem_left(setup->mem) / 4;
  if (most > MOST) most = MOST;
  if (most <= LEAST || setup->swarm < 2) return (uint64_t)most;
  return (uint64_t)(LEAST * pow(most / LEAST, (double)member / (setup->swarm - 1)));
}

static uint64_t depth_of(const struct search_limits *limits, unsigned member) {
  static const uint64_t depths[] = {0, DEEP, SHALLOW};
  uint64_t depth = depths[member % 3];
  return limits->depth && (!depth || limits->depth < depth) ? limits->depth : depth;
}

static void take_figures(struct swarm_figures *out, const struct search *s) {
  uint64_t states = s->stats.states;
  out->states += states;
  if (states >= out->most || s->stop == STOP_GOAL) out->stats = s->stats;
  if (states > out->most) out->most = states;
  if (!s->store) return;
  size_t bytes = s->store->type->bytes(s->store);
  if (bytes > out->store_bytes) out->store_bytes = bytes;
  if (s->stop != STOP_DONE) return;
  double omission = s->store->type->omission(s->store);
  if (!out->complete++ || omission < out->omission) out->omission = omission;
}

/* One member; `level` tells how large it is, and how large the next one will be. 0, or -1: the swarm has ended, see out->stop. */
static int run_member(struct swarm_figures *out, const struct run_setup *setup, const struct search_limits *limits, struct search_setup *search, unsigned member, unsigned *level) {
  struct rng rng = {setup->seed * 0x9e3779b97f4a7c15u + member};
  struct store_options options = setup->store_options ? *setup->store_options : (struct store_options){0};
  options.memory = bytes_of(setup, *level);
  options.hash_seed = rng_next(&rng);
  search->store_options = &options;
  search->ways = (struct search_ways){.shuffle = 1, .seed = rng_next(&rng)};
  search->limits.depth = depth_of(limits, member);
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  out->run++;
  if (search_open(&s, &search_dfs, search, &e)) return 0; /* no memory for this one */
  search_run(s);
  take_figures(out, s);
  enum search_stop stop = s->stop;
  *level += !(stop == STOP_DONE && s->store->type->omission(s->store) < ENOUGH);
  if (stop == STOP_FAULT) out->fault = s->err;
  search_close(s);
  if (stop != STOP_GOAL && stop != STOP_INTERRUPT && stop != STOP_FAULT && stop != STOP_UNBOUNDED) return 0;
  out->stop = stop;
  return -1;
}

void swarm_run(struct swarm_figures *out, const struct run_setup *setup, const struct search_limits *limits, struct listener *const *listeners, size_t listener_count) {
  struct search_setup search = {.model = setup->model, .store = &store_bitstate, .mem = setup->mem, .limits = *limits, .listeners = listeners, .listener_count = listener_count};
  double began = clock_now();
  *out = (struct swarm_figures){.members = setup->swarm, .stop = STOP_SPENT, .omission = -1};
  for (unsigned i = 0, level = 0; i < setup->swarm; i++) {
    double left = limits->seconds - (clock_now() - began);
    if (limits->seconds > 0 && left <= 0) {
      out->stop = STOP_TIME;
      break;
    }
    if (limits->seconds > 0) search.limits.seconds = left / (setup->swarm - i);
    if (run_member(out, setup, limits, &search, i, &level)) break;
  }
  out->seconds = clock_now() - began;
}
