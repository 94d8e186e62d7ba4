/* walk.c -- random walks from the initial state, again and again: no store, no proof.
 *
 * A walk ends where nothing can happen any more, where a state has no way on but to itself, and after as many steps as the depth limit says (LENGTH without one); then the
 * next one begins.  All that is kept is the edges of the walk under way.  The same seed makes the same walks, whatever the limits.
 *
 * Every state that a walk comes to is told as NEW, since nobody remembers the others; `state` in events is the number of steps from the start. */
#include "search/search.h"

#include "base/rng.h"
#include "base/vec.h"
#include "search/strategy.h"

#include <string.h>

enum { LENGTH = 10000 };

struct walk {
  struct rng rng;
  struct model_batch batch;
  uint32_t *words, *wide;
  struct vec(uint32_t) edge; /* of this walk */
};

static int room_for_state(struct walk *w, struct search *s) {
  size_t bytes = (model_stride(s->model->words) + 4) * sizeof(uint32_t);
  uint32_t *words = mem_resize(s->mem, MEM_SEARCH, w->words, bytes);
  if (words) w->words = words;
  uint32_t *wide = mem_resize(s->mem, MEM_SEARCH, w->wide, bytes);
  if (wide) w->wide = wide;
  return words && wide ? 0 : -1;
}

/* The present state alone has to follow. 0, or -1 with stop set. */
static int widen(struct walk *w, struct search *s) {
  const struct model_type *type = s->model->type;
  if (type->widen(s->model, s->cursor, &s->err)) {
    s->stop = s->err.kind == ERR_MEMORY ? STOP_MEMORY : STOP_FAULT;
    return -1;
  }
  if (room_for_state(w, s)) {
    type->widen_done(s->model, 0);
    return -1;
  }
  memset(w->wide, 0, model_stride(s->model->words) * sizeof *w->wide);
  type->convert(s->model, w->words, w->wide);
  type->widen_done(s->model, 1);
  s->stats.layouts++;
  memcpy(w->words, w->wide, model_stride(s->model->words) * sizeof *w->words);
  return model_batch_restride(&w->batch, s->model->words);
}

static int generate(struct walk *w, struct search *s) {
  for (;;) {
    w->batch.count = w->batch.fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, w->words, &w->batch);
    if (answer == MODEL_OK) return 0;
    if (answer != MODEL_WIDEN) {
      search_refused(s, answer);
      return -1;
    }
    if (widen(w, s)) return -1;
  }
}

static enum listener_answer tell_state(struct walk *w, struct search *s, enum search_event_kind kind, uint32_t edge, uint32_t group) {
  uint64_t steps = w->edge.count;
  int expanded = kind == EVENT_EXPANDED;
  struct search_event event = {.kind = kind,
                               .state = steps,
                               .source = steps && !expanded ? steps - 1 : STORE_NONE,
                               .words = w->words,
                               .edge = edge,
                               .group = group,
                               .successors = expanded ? (uint32_t)w->batch.count : 0,
                               .depth = steps};
  return search_wanted(s, kind) ? search_tell(s, &event) : LISTEN_ON;
}

/* The states of a walk are expanded one after the other. 1: it goes on; 0: it has ended; -1: the search has. */
static int step(struct walk *w, struct search *s) {
  const struct model_batch *b = &w->batch;
  if (generate(w, s)) return -1;
  for (size_t i = 0; i < b->fault_count && search_wanted(s, EVENT_FAULT); i++)
    if (search_tell_fault(s, b, &b->faults[i], 0, w->edge.count, w->edge.count) == LISTEN_GOAL) return -1;
  search_count_expanded(s, w->words, b->count);
  if (tell_state(w, s, EVENT_EXPANDED, 0, 0) == LISTEN_GOAL) return -1;
  if (!b->count) return 0;
  size_t words = model_stride(s->model->words), k = (size_t)rng_below(&w->rng, b->count);
  if (b->count == 1 && memcmp(w->words, b->states, s->model->words * sizeof *w->words) == 0) return 0;
  if (vec_push(&w->edge, s->mem, MEM_SEARCH, (uint32_t)k)) return -1;
  memset(w->words, 0, words * sizeof *w->words);
  memcpy(w->words, b->states + k * b->stride, s->model->words * sizeof *w->words);
  s->stats.transitions++;
  if (w->edge.count > s->stats.depth) s->stats.depth = w->edge.count;
  if (tell_state(w, s, EVENT_EDGE, (uint32_t)k, b->group[k]) == LISTEN_GOAL) return -1;
  enum listener_answer said = tell_state(w, s, EVENT_NEW, (uint32_t)k, b->group[k]);
  return said == LISTEN_GOAL ? -1 : said == LISTEN_ON;
}

/* One walk. 0: the next one may begin; -1: the search has ended. */
static int walk(struct walk *w, struct search *s) {
  uint64_t length = s->limits.depth ? s->limits.depth : LENGTH;
  w->edge.count = 0;
  w->rng.state = s->ways.seed + s->walks * 0x9e3779b97f4a7c15u;
  w->rng.state = rng_next(&w->rng); /* neighbouring seeds are not neighbouring walks */
  s->walks++;
  memset(w->words, 0, model_stride(s->model->words) * sizeof *w->words);
  s->model->type->initial(s->model, w->words);
  if (tell_state(w, s, EVENT_NEW, 0, 0) == LISTEN_GOAL) return -1;
  for (int on = 1; on;) {
    if (s->limits.states && s->stats.expanded >= s->limits.states) {
      s->stop = STOP_STATES;
      return -1;
    }
    if (s->stats.expanded % 64 == 0 && !search_may_go_on(s)) return -1;
    on = step(w, s);
    if (on < 0) return -1;
    if (w->edge.count >= length) break; /* the last state is told and not expanded */
  }
  return 0;
}

static int walk_run(struct search *s) {
  struct walk *w = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *w);
  if (!w || model_batch_open(&w->batch, s->mem, s->model->words, 64) || room_for_state(w, s)) return -1;
  while (!s->ways.walks || s->walks < s->ways.walks)
    if (walk(w, s)) return -1;
  s->stop = STOP_SPENT;
  return -1;
}

static int walk_path(struct search *s, store_ref steps, struct search_path *out) {
  const struct walk *w = s->own;
  if (steps > w->edge.count) return -1;
  out->edge = mem_alloc(s->mem, MEM_SEARCH, steps * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, (steps + 1) * sizeof *out->state);
  if (!out->edge || !out->state) return -1;
  out->count = steps;
  if (steps) memcpy(out->edge, w->edge.at, steps * sizeof *out->edge);
  for (store_ref i = 0; i <= steps; i++) out->state[i] = i;
  return 0;
}

static void walk_close(struct search *s) {
  struct walk *w = s->own;
  if (w->batch.mem) model_batch_close(&w->batch);
  mem_free(s->mem, w->words);
  mem_free(s->mem, w->wide);
  vec_free(&w->edge, s->mem);
  mem_free(s->mem, w);
}

const struct search_type search_walk = {
    .name = "walk",
    .summary = "random walks, again and again (--walks, --seed): no memory, no proof",
    .storeless = 1,
    .run = walk_run,
    .path = walk_path,
    .close = walk_close,
};
