/* run_scout.c -- a short directed search ahead of the breadth-first one.
 *
 * Breadth-first search gives the shortest runs and exact counts, and ends in the middle where a violation lies deep in a large space. A directed search finds most of those in
 * its first thousand states (doc/searches/best.md has the figures). So it goes first, for a few thousand states that cost some milliseconds. What it finds is kept; then the breadth-first search looks for
 * the shortest run all the same, for so long as people wait gladly, and only if it comes back with nothing does the scout's run stand.
 *
 * Nobody but the judge hears the scout: figures, curves and counts are those of the search that follows. Whatever else ends it (memory, time, a fault) the search that follows will meet and tell.
 * Nets whose bounds are not proven have none: a dive would go far out where tokens grow. */
#include "run/run_inside.h"

/* Of memory: the scout is to be gone without a trace, with the least of budgets. */
#define SHARE_OF_BUDGET 16u
#define BESIDE_STATE 64u /* bytes: paths, the queue, the store's index */
#define SHARE_OF_TIME 0.05
#define MOST_SECONDS 0.25

/* For the search that follows one which has found all that it was sent for: as long as people wait gladly for a shorter run. */
#define SHORTEN_SECONDS 5.0

static int wanted(const struct run *r) {
  const struct run_setup *s = r->setup;
  int plain = !s->search && !s->collect && !s->swarm && !s->spread && !s->checkpoint && !s->limits.states && !s->limits.depth;
  return s->scout && s->prop_count && plain && r->bounded && r->judge.undecided;
}

static struct search_limits limits(const struct run *r) {
  struct search_limits l = run_limits_left(r);
  uint64_t each = model_stride(r->reduced.model->words) * sizeof(uint32_t) + BESIDE_STATE, room = r->mem->budget / SHARE_OF_BUDGET / each;
  double most = l.seconds > 0 && l.seconds * SHARE_OF_TIME < MOST_SECONDS ? l.seconds * SHARE_OF_TIME : MOST_SECONDS;
  l.seconds = most;
  l.states = r->setup->scout < room ? r->setup->scout : room;
  return l;
}

/* Findings without a path are none: nobody could replay them. */
static int has_paths(const struct judge *j) {
  for (size_t i = 0; i < j->found.count; i++)
    if (!j->found.at[i].has_path) return 0;
  return j->found.count > 0;
}

void run_scout(struct run *r, struct scout *out) {
  const struct run_setup *setup = r->setup;
  struct distance *distance = NULL;
  struct search *search = NULL;
  struct listener *listeners[] = {&out->judge.listener};
  struct err e;
  *out = (struct scout){0};
  if (!wanted(r)) return;
  err_clear(&e);
  struct search_setup s = {.model = r->reduced.model, .store = store_types[0], .mem = r->mem, .limits = limits(r), .listeners = listeners, .listener_count = 1};
  if (!s.limits.states) return;
  if (judge_open(&out->judge, r->reduced.model, setup->props, setup->prop_count, 0, r->mem, &e)) return;
  out->judge.affected = r->judge.affected;
  out->judge.decide_all = setup->decide_all;
  int bad = distance_open(&distance, DISTANCE_GUESS, r->reduced.model, setup->props, setup->prop_count, r->mem, &e);
  s.ways.distance = distance;
  reduced_dress(&r->reduced);
  if (!bad && !search_open(&search, &search_best, &s, &e)) {
    search_run(search);
    out->states = search->stats.states;
    out->found = has_paths(&out->judge);
    out->enough = out->found && search->stop == STOP_GOAL;
  }
  search_close(search);
  reduced_undress(&r->reduced);
  distance_close(distance);
}

void run_scout_limit(const struct run *r, const struct scout *scout, struct search_limits *l) {
  if (!scout->enough) return;
  l->states = r->setup->shorten ? r->setup->shorten : RUN_SHORTEN;
  if (l->seconds <= 0 || l->seconds > SHORTEN_SECONDS) l->seconds = SHORTEN_SECONDS;
}

void run_scout_tell(struct run *r, struct scout *scout) {
  struct judge *j = &r->judge, *there = &scout->judge;
  size_t told = 0;
  for (size_t i = 0; scout->found && i < there->found.count; i++) {
    struct judge_found *f = &there->found.at[i];
    if (j->deciding[f->prop] || vec_reserve(&j->found, j->mem, MEM_SEARCH, 1)) continue;
    f->roundabout = 1;
    j->found.at[j->found.count++] = *f;
    j->deciding[f->prop] = there->deciding[f->prop];
    j->undecided--;
    f->path = (struct search_path){0};
    told++;
  }
  if (!told) return;
  r->v->scout_states = scout->states;
  if (scout->enough && r->v->stop != STOP_FAULT) r->v->stop = STOP_GOAL;
}

void run_scout_close(struct scout *scout) { judge_close(&scout->judge); }
