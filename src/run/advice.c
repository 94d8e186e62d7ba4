/* advice.c -- see advice.h.
 *
 * "Incomplete" alone helps nobody.  The sentence says how far the run came and names the
 * option and a value that would bring it further, judged by what it used up. */
#include "run/advice.h"

#include "base/text.h"
#include "run/branches.h"
#include "run/estimate.h"
#include "run/run_inside.h"

#include <stdio.h>
#include <string.h>

/* Four times the budget, as far as the machine has it; 0 when there is nothing more to give. */
static uint64_t larger_budget(size_t budget) {
  uint64_t machine = (uint64_t)((double)mem_machine() * 0.9), four = budget < SIZE_MAX / 4 ? 4 * (uint64_t)budget : machine;
  if (four <= machine) return four;
  return machine > budget + budget / 8 ? machine >> 20 << 20 : 0;
}

/* What the stores hold in this budget, judged by the first states of the model: about, and for the user to choose from. */
static void would_hold(char *out, size_t room, const struct verdict *v, const struct run_setup *setup) {
  struct estimate store[ESTIMATE_STORES];
  size_t n = estimate_stores(store, setup->model, setup->mem, 20000, 0.1, setup->limits.interrupt), used = 0;
  char count[TEXT_ROOM];
  for (size_t i = 0; i < n && used < room; i++) {
    double states = (double)v->budget / (store[i].bytes + 1);
    uint64_t round = states > 1e6 ? 100000 : 1000;
    int k = snprintf(out + used, room - used, "%s%s %s", i ? ", " : ". In this budget the stores hold about: ", store[i].store,
                     text_count(count, (uint64_t)states / round * round));
    used += k > 0 ? (size_t)k : 0;
  }
}

static int memory(char *out, size_t room, const struct verdict *v, const struct run_setup *setup) {
  char states[TEXT_ROOM], budget[TEXT_ROOM], waiting[TEXT_ROOM], option[TEXT_ROOM];
  double each = v->stats.states ? (double)v->store_bytes / (double)v->stats.states : 0;
  uint64_t next = larger_budget(v->budget);
  int n = snprintf(out, room, "explored %s states in %s (%.1f bytes each), %s waiting; ", text_count(states, v->stats.states),
                   text_size(budget, v->budget), each, text_count(waiting, v->stats.frontier));
  size_t used = n > 0 && (size_t)n < room ? (size_t)n : room;
  if (next) n = snprintf(out + used, room - used, "try --memory %s", text_size_option(option, next));
  else
    n = snprintf(out + used, room - used,
                 "this is about all that the machine has; a larger machine, or a smaller instance of the model");
  used += n > 0 ? (size_t)n : 0;
  if (v->stats.states > 20000 && used < room) would_hold(out + used, room - used, v, setup);
  return 1;
}

/* Files could not be written or read. */
static int disk(char *out, size_t room, const struct verdict *v) {
  char states[TEXT_ROOM], waiting[TEXT_ROOM], bytes[TEXT_ROOM], depth[TEXT_ROOM];
  double each = v->stats.states ? (double)v->disk.peak / (double)v->stats.states : 0;
  snprintf(out, room, "%s; explored %s states with %s in files (%.1f bytes each), all up to depth %s, %s waiting; %s, or more --memory", v->disk.problem,
           text_count(states, v->stats.states), text_size(bytes, v->disk.peak), each, text_count(depth, v->stats.depth), text_count(waiting, v->stats.frontier),
           v->disk.full ? "try --disk with more room" : "try again when that is mended");
  return 1;
}

/* Breadth-first without reductions is for counts and short traces: where there is much to explore, other ways are more likely to come to an end. */
static void other_ways(char *out, size_t room, const struct verdict *v, const struct run_setup *setup) {
  enum { MUCH = 100000 };
  if (v->stats.states < MUCH || setup->collect || !setup->reduce_late || branches_wanted(setup) || !run_wants_states(setup)) return;
  size_t used = strlen(out);
  if (!setup->search || setup->search == &search_bfs) used += (size_t)snprintf(out + used, room - used, "; --search best may find an error sooner");
  if (!setup->reduce && used < room) snprintf(out + used, room - used, "; --reduce auto explores less where the model allows it");
}

/* The rest of the sentence when a limit of the user's own was reached. */
static int limit(char *out, size_t room, const struct verdict *v, const char *option, double value) {
  char states[TEXT_ROOM], waiting[TEXT_ROOM], time[TEXT_ROOM];
  snprintf(out, room, "explored %s states in %s, %s waiting; try %s %.0f", text_count(states, v->stats.states),
           text_seconds(time, v->search_s), text_count(waiting, v->stats.frontier), option, value);
  return 1;
}

/* Searches that prove nothing: more of the same, or another one. */
static int wandered(char *out, size_t room, const struct verdict *v, const struct run_setup *setup) {
  char a[TEXT_ROOM], b[TEXT_ROOM], time[TEXT_ROOM];
  if (v->swarm.members) {
    snprintf(out, room, "%u searches met %s states in %s, some of them again and again; try --swarm %u, another --seed, more --time or --memory, or one search that can prove something", v->swarm.run,
             text_count(a, v->swarm.states), text_seconds(time, v->search_s), v->swarm.members < 25000 ? 4 * v->swarm.members : v->swarm.members);
    return 1;
  }
  uint64_t more = setup->walks ? 4 * setup->walks : 4 * RUN_WALKS;
  int n = snprintf(out, room, "%s walks of %s steps in all in %s; ", text_count(a, v->walks), text_count(b, v->stats.transitions), text_seconds(time, v->search_s));
  if (n < 0 || (size_t)n >= room) return 0;
  if (v->stop == STOP_TIME) snprintf(out + n, room - (size_t)n, "try --time %.0f, another --seed, or a search that remembers where it was", setup->limits.seconds < 1 ? 4 : setup->limits.seconds * 4);
  else snprintf(out + n, room - (size_t)n, "try --walks %llu, another --seed, or a search that remembers where it was", (unsigned long long)more);
  return 1;
}

static int sentence(char *out, size_t room, const struct verdict *v, const struct run_setup *setup) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  if ((v->walks || v->swarm.members) && v->kind != VERDICT_VIOLATED && (v->stop == STOP_TIME || v->stop == STOP_SPENT)) return wandered(out, room, v, setup);
  switch (v->stop) {
  case STOP_MEMORY: return memory(out, room, v, setup);
  case STOP_CACHE:
    snprintf(out, room, "explored %s states; the stack of a depth-first search has to be kept: try --cache %llu, or leave it out, which takes what --memory allows", text_count(a, v->stats.states), 4 * (unsigned long long)v->cache);
    return 1;
  case STOP_DISK: return disk(out, room, v);
  case STOP_TIME: return limit(out, room, v, "--time", setup->limits.seconds < 1 ? 4 : setup->limits.seconds * 4);
  case STOP_STATES: /* a run that was gone on with may have had far more before */
    return limit(out, room, v, "--max-states", 4.0 * (double)(v->stats.states / 2 > setup->limits.states ? v->stats.states : setup->limits.states));
  case STOP_DEPTH: return limit(out, room, v, "--max-depth", (double)setup->limits.depth * 2);
  case STOP_RANK:
    snprintf(out, room, "explored %s states, %s of them on the rank that is gone, as far as it had told; was it killed, or out of the machine's memory? --memory is the budget of each rank",
             text_count(a, v->stats.states), text_count(b, v->spread.whose_states));
    return 1;
  case STOP_INTERRUPT:
    snprintf(out, room, "explored %s states, %s were waiting; let it run on, or give it a limit with --time",
             text_count(a, v->stats.states), text_count(b, v->stats.frontier));
    return 1;
  case STOP_UNBOUNDED:
    snprintf(out, room,
             "explored the first %s states; there are infinitely many, so no search can end: bound the model (capacities, "
             "complementary "
             "places), or look at a longer prefix with --max-states or --max-depth",
             text_count(a, v->stats.states));
    return 1;
  case STOP_CHANNELS:
    snprintf(out, room,
             "explored %s states; a channel holds 255 messages, more than Thimble keeps in one, or grows in a loop that could not be proven to go on for ever: the "
             "bounds of this model are not known",
             text_count(a, v->stats.states));
    return 1;
  default: return 0;
  }
}

void advice_give(struct verdict *v, const struct run_setup *setup) {
  char text[700];
  if (v->complete || v->advice || !sentence(text, sizeof text, v, setup)) return;
  if (v->stop == STOP_TIME || v->stop == STOP_STATES || v->stop == STOP_INTERRUPT) other_ways(text, sizeof text, v, setup);
  v->advice = mem_strndup(v->mem, MEM_OTHER, text, strlen(text));
}
