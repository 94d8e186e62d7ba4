/* measure.c -- see measure.h.
 *
 * The model knows some kinds of measures (model.h: measure); which of them is worth most is found by trying.  A sweep goes through states by rising value.  It holds a
 * state from the lowest value of those that lead to it up to its own value, and for ever if an edge that lowers the value leads to it.  So the most that it holds at once is the
 * most intervals that overlap:
 *
 *   value   ....a-----b....        a: lowest source of an edge that does not lower it, b: its own
 *   value   ......a-------->       a persistent state
 *
 * On all states that is the peak of the sweep itself, but for the second and later sweeps; on the first states of a large space it is a guess.
 *
 * A measure that is monotone is preferred even where another one holds a little less: it needs one sweep, and no state is visited twice. */
#include "run/measure.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>

const struct measure_effort measure_usual_effort = {.states = 20000, .seconds = 0.2};

/* ---- a measure of the model behind the door of searches -------------------------------------------------------------------- */

struct by_model {
  struct progress base;
  struct model_measure *measure;
  struct mem *mem;
};

static int64_t value(const struct progress *p, struct model_cursor *c, const uint32_t *state) {
  struct model_measure *m = ((const struct by_model *)p)->measure;
  return m->value(m, c, state);
}

static void close_measure(struct progress *p) {
  struct by_model *b = (struct by_model *)p;
  b->measure->close(b->measure);
  mem_free(b->mem, b);
}

static const struct progress_type model_type_measure = {value, close_measure};

static int wrap(struct progress **out, struct model_measure *m, struct mem *mem, struct err *e) {
  struct by_model *b = mem_alloc(mem, MEM_SEARCH, sizeof *b);
  if (!b) {
    m->close(m);
    return err_memory(e, "a progress measure");
  }
  b->base.type = &model_type_measure;
  b->base.monotone = m->monotone;
  snprintf(b->base.text, sizeof b->base.text, "%s", m->text);
  b->measure = m;
  b->mem = mem;
  *out = &b->base;
  return 0;
}

/* ---- a sample ---------------------------------------------------------------------------------------------------------------- */

struct seen {
  int64_t value, from; /* from: where the sweep meets it */
  int persistent;
};

struct sampler {
  struct listener listener;
  struct progress *progress;
  struct model_cursor *cursor;
  struct mem *mem;
  struct measure_sample *out;
  struct vec(struct seen) seen; /* by number */
  struct vec(int64_t) walked;
  int64_t last, target; /* walks: value before; bfs: of the edge told last */
  int refused;
};

static struct sampler *of(struct listener *l) { return (struct sampler *)l; }

/* An edge from the state `source` leads to a state. */
static void arrive(int64_t source, struct seen *state) {
  if (source > state->value) state->persistent = 1;
  else if (source < state->from) state->from = source;
}

static enum listener_answer hear(struct listener *l, struct search *search, const struct search_event *e) {
  struct sampler *s = of(l);
  (void)search;
  switch (e->kind) {
  case EVENT_AGAIN:
    s->seen.count = 0;
    s->out->edges = s->out->regress_edges = 0;
    return LISTEN_ON;
  case EVENT_EDGE:
    s->target = progress_of(s->progress, s->cursor, e->words);
    s->out->edges++;
    s->out->regress_edges += s->target < s->seen.at[e->source].value;
    return LISTEN_ON;
  case EVENT_SEEN:
    if (e->state < s->seen.count) arrive(s->seen.at[e->source].value, &s->seen.at[e->state]);
    return LISTEN_ON;
  default: {
    struct seen state = {.value = e->source == STORE_NONE ? progress_of(s->progress, s->cursor, e->words) : s->target};
    state.from = state.value;
    if (e->source != STORE_NONE) arrive(s->seen.at[e->source].value, &state);
    s->refused |= vec_push(&s->seen, s->mem, MEM_SEARCH, state);
    return s->refused ? LISTEN_GOAL : LISTEN_ON;
  }
  }
}

static enum listener_answer hear_walk(struct listener *l, struct search *search, const struct search_event *e) {
  struct sampler *s = of(l);
  (void)search;
  int64_t now = progress_of(s->progress, s->cursor, e->words);
  if (e->source != STORE_NONE) {
    s->out->walk_steps++;
    s->out->walk_regress += now < s->last;
  }
  s->last = now;
  s->refused |= vec_push(&s->walked, s->mem, MEM_SEARCH, now);
  return s->refused ? LISTEN_GOAL : LISTEN_ON;
}

static int explore(struct sampler *s, const struct search_type *type, struct model *model, const struct measure_effort *effort, struct err *e) {
  enum { WALK_LENGTH = 2000 };
  struct listener *listeners[] = {&s->listener};
  struct search_setup setup = {.model = model, .store = &store_plain, .mem = s->mem, .listeners = listeners, .listener_count = 1,
                               .limits = {.states = effort->states, .seconds = effort->seconds, .interrupt = effort->interrupt, .beyond_cover = 1}};
  if (type == &search_walk) setup.limits.depth = WALK_LENGTH, setup.ways.seed = 1;
  struct search *search = NULL;
  if (search_open(&search, type, &setup, e)) return -1;
  search_run(search);
  int done = search->stop == STOP_DONE; /* a model that goes wrong here will be told by the search that is meant to find it */
  search_close(search);
  return done;
}

static int by_value(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* Different values in a sorted array, and the most of one. */
static uint64_t count_classes(const int64_t *sorted, size_t count, uint64_t *largest) {
  uint64_t classes = 0, run = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    run = i && sorted[i] == sorted[i - 1] ? run + 1 : 1;
    classes += run == 1;
    if (run > most) most = run;
  }
  if (largest) *largest = most;
  return classes;
}

/* The most intervals that overlap: begins and ends in order, a begin before an end of the same value. */
static uint64_t overlap(const int64_t *begin, size_t begins, const int64_t *end, size_t ends) {
  uint64_t now = 0, most = 0;
  for (size_t i = 0, k = 0; i < begins;) {
    if (k < ends && end[k] < begin[i]) now--, k++;
    else {
      now++, i++;
      if (now > most) most = now;
    }
  }
  return most;
}

static int conclude(struct sampler *s) {
  size_t n = s->seen.count, ends = 0;
  int64_t *begin = mem_alloc(s->mem, MEM_SEARCH, (n + 1) * sizeof *begin), *end = mem_alloc(s->mem, MEM_SEARCH, (n + 1) * sizeof *end);
  if (!begin || !end) {
    mem_free(s->mem, begin);
    mem_free(s->mem, end);
    return -1;
  }
  for (size_t i = 0; i < n; i++) end[i] = s->seen.at[i].value;
  qsort(end, n, sizeof *end, by_value);
  s->out->states = n;
  s->out->classes = count_classes(end, n, &s->out->largest);
  for (size_t i = 0; i < n; i++) {
    begin[i] = s->seen.at[i].from;
    if (s->seen.at[i].persistent) s->out->persistent++;
    else end[ends++] = s->seen.at[i].value;
  }
  qsort(begin, n, sizeof *begin, by_value);
  qsort(end, ends, sizeof *end, by_value);
  s->out->peak = overlap(begin, n, end, ends);
  if (s->walked.count) qsort(s->walked.at, s->walked.count, sizeof *s->walked.at, by_value);
  s->out->walk_classes = count_classes(s->walked.at, s->walked.count, NULL);
  mem_free(s->mem, begin);
  mem_free(s->mem, end);
  return 0;
}

int measure_sample(struct measure_sample *out, struct progress *p, struct model *model, struct mem *mem, const struct measure_effort *effort, struct err *e) {
  struct sampler s = {.listener = {EVENT_NEW | EVENT_EDGE | EVENT_SEEN | EVENT_AGAIN, hear}, .progress = p, .mem = mem, .out = out};
  *out = (struct measure_sample){0};
  if (model->type->cursor_open(&s.cursor, model, mem)) return err_memory(e, "a sample of states");
  int done = explore(&s, &search_bfs, model, effort, e);
  if (done == 0 && !s.refused) {
    s.listener = (struct listener){.wants = EVENT_NEW, .hear = hear_walk};
    if (explore(&s, &search_walk, model, effort, e) < 0) done = -1;
  }
  out->complete = done == 1;
  int bad = done < 0;
  if (!bad && (s.refused || conclude(&s))) bad = err_memory(e, "a sample of states");
  vec_free(&s.seen, mem);
  vec_free(&s.walked, mem);
  model->type->cursor_close(s.cursor);
  return bad ? -1 : 0;
}

double measure_peak_share(const struct measure_sample *s) { return s->states ? (double)s->peak / (double)s->states : 1; }

/* ---- the best one ------------------------------------------------------------------------------------------------------------ */

/* Smaller is better; regress edges cost sweeps. */
static double cost(const struct progress *p, const struct measure_sample *s) { return measure_peak_share(s) * (p->monotone || !s->regress_edges ? 1 : 1.5); }

int measure_derive_sampled(struct progress **out, struct measure_sample *sample, struct model *model, struct mem *mem, const struct measure_effort *effort, struct err *e) {
  const double GOOD = 0.1, POOR = 0.95; /* shares: nothing better need be looked for; a sweep that holds nearly all is none */
  struct progress *best = NULL;
  struct measure_sample best_sample = {0};
  *out = NULL;
  for (unsigned kind = 0; model->type->measure; kind++) {
    struct model_measure *m = NULL;
    struct progress *p = NULL;
    struct measure_sample now;
    int answer = model->type->measure(&m, model, kind, mem, e);
    if (answer == 2) break;
    if (answer == 1) continue;
    if (answer || wrap(&p, m, mem, e) || measure_sample(&now, p, model, mem, effort, e)) {
      progress_close(p);
      progress_close(best);
      return -1;
    }
    int worth = now.classes > 1 && (now.complete ? cost(p, &now) < POOR : now.persistent * 2 < now.states);
    if (!worth || (best && cost(p, &now) >= cost(best, &best_sample))) {
      progress_close(p);
    } else {
      progress_close(best);
      best = p;
      best_sample = now;
    }
    if (best && best->monotone && measure_peak_share(&best_sample) < GOOD) break;
  }
  if (!best) return 1;
  *out = best;
  if (sample) *sample = best_sample;
  return 0;
}

int measure_derive(struct progress **out, struct model *model, struct mem *mem, struct err *e) {
  return measure_derive_sampled(out, NULL, model, mem, &measure_usual_effort, e);
}
