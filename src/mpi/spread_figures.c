/* spread_figures.c -- see spread.h: limits and ticks while it goes on, sums of all ranks, and what ended it. */
#include "base/clock.h"
#include "mpi/spread.h"

#include <time.h>

double spread_cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- limits and ticks ------------------------------------------------------------------------------------------------------------------ */

/* Rank 0: what all ranks have told so far. */
static struct ranks_pulse all_pulses(const struct spread *p) {
  struct ranks_pulse sum = {0};
  for (unsigned i = 0; i < p->x.count; i++) {
    const struct ranks_pulse *one = ranks_heard(p->ranks, i);
    sum.states += one->states;
    sum.expanded += one->expanded;
    sum.transitions += one->transitions;
  }
  return sum;
}

static void tick(struct search *s, double now) {
  struct spread *p = spread_of(s);
  struct stats own = s->stats;
  double gap = (now - s->started) / 16;
  s->next_tick = now + (gap < 0.002 ? 0.002 : gap > 0.25 ? 0.25 : gap);
  s->seconds = now - s->started;
  struct ranks_pulse mine = {s->stats.states, s->stats.expanded, s->stats.transitions, s->mem->used};
  ranks_beat(p->ranks, &mine);
  if (p->x.self) return;
  struct ranks_pulse all = all_pulses(p);
  if (s->limits.states && all.states >= s->limits.states) exchange_stop(&p->x, EXCHANGE_STATES);
  s->stats.states = all.states > s->stats.states ? all.states : s->stats.states;
  s->stats.expanded = all.expanded > own.expanded ? all.expanded : own.expanded;
  s->stats.transitions = all.transitions > own.transitions ? all.transitions : own.transitions;
  s->stats.frontier = s->stats.states > s->stats.expanded ? s->stats.states - s->stats.expanded : 0;
  struct search_event event = {.kind = EVENT_TICK, .state = STORE_NONE, .source = STORE_NONE, .depth = s->stats.depth};
  int goal = search_wanted(s, EVENT_TICK) && search_tell(s, &event) == LISTEN_GOAL;
  s->stats = own;
  if (goal) exchange_stop(&p->x, EXCHANGE_GOAL);
}

int spread_may_go_on(struct search *s) {
  struct spread *p = spread_of(s);
  double now = clock_now();
  s->stats.states = s->store->type->count(s->store);
  if (ranks_interrupted(p->ranks)) exchange_stop(&p->x, EXCHANGE_INTERRUPT);
  if (s->limits.seconds > 0 && now - s->started >= s->limits.seconds) exchange_stop(&p->x, EXCHANGE_TIME);
  if (s->limits.states && p->x.count == 1 && s->stats.states >= s->limits.states) exchange_stop(&p->x, EXCHANGE_STATES);
  if (now >= s->next_tick) tick(s, now);
  return ranks_look(p->ranks, 0) == 0 && !exchange_stopping(&p->x);
}

/* ---- the end ------------------------------------------------------------------------------------------------------------------------------- */

static enum search_stop stop_for(enum exchange_stop why) {
  static const enum search_stop of[] = {[EXCHANGE_ON] = STOP_DONE,     [EXCHANGE_AGAIN] = STOP_MEMORY,         [EXCHANGE_WIDEN] = STOP_MEMORY,   [EXCHANGE_STATES] = STOP_STATES, [EXCHANGE_TIME] = STOP_TIME,
                                        [EXCHANGE_INTERRUPT] = STOP_INTERRUPT, [EXCHANGE_MEMORY] = STOP_MEMORY, [EXCHANGE_FAULT] = STOP_FAULT, [EXCHANGE_GOAL] = STOP_GOAL};
  return of[why];
}

static uint64_t own_states(const struct search *s) { return s->store && !s->lost ? s->store->type->count(s->store) : s->lost; }

/* What went over the network, memory, time: of all ranks. Without one of them: of this one. */
void spread_add_up(struct search *s) {
  struct spread *p = spread_of(s);
  const struct post_figures *post = p->x.post ? post_figures(p->x.post) : &(struct post_figures){0};
  struct search_spread *out = &s->spread;
  uint64_t most[3] = {own_states(s), ~own_states(s), s->mem->peak};
  uint64_t sums[7] = {p->x.figures.states, p->x.figures.known, post->batches, post->bytes, post->waits, s->store ? s->store->type->bytes(s->store) : 0, (uint64_t)((spread_cpu() - p->began_cpu) * 1e6)};
  out->ranks = ranks_count(p->ranks);
  out->portable = p->x.portable;
  out->again = p->told.again;
  if (ranks_sum(p->ranks, sums, 7) == 0) ranks_max(p->ranks, most, 3);
  out->most_states = most[0];
  out->least_states = ~most[1];
  out->peak = (size_t)most[2];
  out->sent_states = sums[0];
  out->known = sums[1];
  out->batches = sums[2];
  out->sent_bytes = sums[3];
  out->waits = sums[4];
  out->store_bytes = (size_t)sums[5];
  out->cpu_s = (double)sums[6] / 1e6;
}

/* Counters of all ranks. Without one of them: what was heard of the others. */
void spread_count(struct search *s) {
  struct spread *p = spread_of(s);
  uint64_t depth = s->stats.depth, layouts = s->stats.layouts;
  s->stats.states = own_states(s);
  if (ranks_sum(p->ranks, (uint64_t *)(void *)&s->stats, sizeof s->stats / sizeof(uint64_t)) || ranks_max(p->ranks, &layouts, 1)) {
    struct ranks_pulse all = all_pulses(p);
    if (!ranks_self(p->ranks) && all.states > s->stats.states) {
      s->stats.states = all.states;
      s->stats.expanded = all.expanded;
      s->stats.transitions = all.transitions;
    }
  }
  s->stats.depth = depth;
  s->stats.layouts = layouts;
  s->stats.frontier = s->stats.states > s->stats.expanded ? s->stats.states - s->stats.expanded : 0;
}

void spread_conclude(struct search *s, enum exchange_stop why, unsigned who, enum search_stop otherwise) {
  struct spread *p = spread_of(s);
  int lost = ranks_lost(p->ranks);
  if (why != EXCHANGE_ON && lost < 0 && otherwise != STOP_UNBOUNDED) {
    s->stop = stop_for(why);
    uint64_t states = own_states(s);
    if (s->stop == STOP_FAULT) ranks_tell(p->ranks, who, &s->err, sizeof s->err);
    if (s->stop == STOP_MEMORY && ranks_tell(p->ranks, who, &states, sizeof states) == 0) {
      ranks_name(p->ranks, who, s->spread.whose, sizeof s->spread.whose);
      s->spread.whose_states = states;
    }
  } else {
    s->stop = otherwise;
  }
  spread_add_up(s);
  lost = ranks_lost(p->ranks);
  if (lost < 0) return;
  s->stop = STOP_RANK;
  ranks_name(p->ranks, (unsigned)lost, s->spread.whose, sizeof s->spread.whose);
  s->spread.whose_states = ranks_heard(p->ranks, (unsigned)lost)->states;
}

