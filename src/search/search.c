/* search.c -- opening, running and closing a search, and what all strategies share. */
#include "search/search.h"

#include "base/clock.h"
#include "base/vec.h"
#include "search/journal.h"
#include "search/steps.h"
#include "search/strategy.h"
#include "store/disk.h"

#include <assert.h>
#include <string.h>

static const char *const stop_names[] = {"complete", "violation", "memory",    "time", "states",
                                         "depth",    "interrupt", "unbounded", "fault", "channels", "spent", "disk", "cache", "rank"};

const char *search_stop_name(enum search_stop stop) { return stop_names[stop]; }

int search_open(struct search **out, const struct search_type *type, const struct search_setup *setup, struct err *e) {
  if (type->measured && !search_can_sweep(setup->store)) return err_usage(e, "the store %s cannot forget states: search %s needs one that can", setup->store->name, type->name);
  if (setup->store->caps & STORE_LATE && type != &search_bfs) return err_usage(e, "the store %s says late which states are new: search %s cannot wait for it", setup->store->name, type->name);
  struct search *s = mem_alloc(setup->mem, MEM_SEARCH, sizeof *s);
  if (!s) return err_memory(e, "the search");
  s->type = type;
  s->model = setup->model;
  s->mem = setup->mem;
  s->limits = setup->limits;
  s->listeners = setup->listeners;
  s->listener_count = setup->listener_count;
  s->goal = s->cover.small = s->cover.big = STORE_NONE;
  err_clear(&s->err);
  for (size_t i = 0; i < s->listener_count; i++) s->wanted |= s->listeners[i]->wants;
  s->store_options = setup->store_options;
  s->jobs = setup->jobs;
  s->rounds_from = setup->rounds_from;
  s->ladder = setup->ladder;
  s->step_down_at = setup->step_down_at;
  s->comback_rung = setup->comback_rung;
  s->disk_rung = setup->disk_rung;
  s->ways = setup->ways;
  s->journal = setup->journal;
  s->shortest = type->shortest;
  if (!type->storeless) s->rung[s->rungs++] = setup->store->name;
  if (s->model->type->cursor_open(&s->cursor, s->model, s->mem) || (!type->storeless && search_open_store(s, setup->store, NULL, &s->store))) {
    if (s->err.kind) *e = s->err;
    int told = s->err.kind != ERR_NONE;
    search_close(s);
    return told ? -1 : err_memory(e, "an empty store");
  }
  search_reserve(s);
  *out = s;
  return 0;
}

/* Back to the start, in the layout found so far. 0, or -1: no memory. */
static int begin_again(struct search *s) {
  const struct store_type *type = s->anew ? s->anew : s->store->type;
  struct search_event event = {.kind = EVENT_AGAIN, .state = STORE_NONE, .source = STORE_NONE};
  uint64_t layouts = s->stats.layouts;
  s->again = 0;
  if (s->own) s->type->close(s);
  s->own = NULL;
  s->store->type->close(s->store);
  s->store = NULL;
  s->anew = NULL;
  s->lost = 0;
  s->stats = (struct stats){.layouts = layouts};
  s->skipped = s->passed = 0;
  s->earlier = 0;
  s->partial = 0;
  if (s->journal) journal_again(s->journal);
  if (search_wanted(s, EVENT_AGAIN)) search_tell(s, &event);
  s->stop = STOP_DONE;
  return search_open_store(s, type, NULL, &s->store);
}

/* Time for those who draw curves and lines. */
static enum listener_answer tick(struct search *s) {
  struct search_event event = {.kind = EVENT_TICK, .state = STORE_NONE, .source = STORE_NONE, .depth = s->stats.depth};
  return search_wanted(s, EVENT_TICK) ? search_tell(s, &event) : LISTEN_ON;
}

/* From one tick to the next: a sixteenth of the time so far, so that short runs have curves, too. */
static double until_tick(const struct search *s, double now) {
  double gap = (now - s->started) / 16;
  return now + (gap < 0.002 ? 0.002 : gap > 0.25 ? 0.25 : gap);
}

void search_run(struct search *s) {
  s->started = clock_now();
  s->patience = (struct model_patience){s->limits.interrupt, s->limits.seconds > 0 ? s->started + s->limits.seconds : 0};
  s->cursor->patience = &s->patience;
  s->next_tick = until_tick(s, s->started);
  tick(s);
  s->stop = STOP_DONE;
  int status = s->type->run(s);
  while (status && s->again)
    if (begin_again(s) == 0) status = s->type->run(s);
  if (status && s->stop == STOP_DONE) s->stop = STOP_MEMORY;
  s->seconds = s->earlier + clock_now() - s->started;
  if (s->store && s->store->type == &store_disk) disk_figures(s->store, &s->disk);
  else if (s->stop == STOP_DISK) memcpy(s->disk.problem, s->err.message, sizeof s->disk.problem - 1);
  if (s->store && !s->type->own_figures) { /* or it needs none, or there was no memory for another one */
    s->stats.states = (s->lost ? s->lost : s->store->type->count(s->store)) + s->passed;
    s->stats.frontier = s->stats.states - s->stats.expanded - s->skipped;
  }
  enum search_stop stop = s->stop;
  tick(s);
  s->stop = stop; /* it is over, whatever they answer */
}

/* Takes the steps of a path again. Stops when `visit` says so or when the path has ended; -1: memory. */
static int walk(struct search *s, const struct search_path *p, int (*visit)(void *, size_t, const uint32_t *), void *context, uint32_t *group) {
  struct model_batch batch = {0};
  size_t words = s->model->words;
  uint32_t *state = mem_alloc(s->mem, MEM_SEARCH, (words + 4) * sizeof *state);
  int status = state && model_batch_open(&batch, s->mem, s->model->words, 64) == 0 ? 0 : -1;
  if (!status) s->model->type->initial(s->model, state);
  s->cursor->patience = NULL; /* a path is told in any case */
  for (size_t i = 0; !status; i++) {
    if ((visit && visit(context, i, state)) || i == p->count) break;
    batch.count = batch.fault_count = 0;
    if (s->model->type->successors(s->cursor, state, &batch) != MODEL_OK || p->edge[i] >= batch.count) status = -1;
    if (status) break;
    memcpy(state, batch.states + p->edge[i] * batch.stride, words * sizeof *state);
    if (group) group[i] = batch.group[p->edge[i]];
  }
  s->cursor->patience = &s->patience;
  if (batch.mem) model_batch_close(&batch);
  mem_free(s->mem, state);
  return status;
}

int search_path(struct search *s, store_ref state, struct search_path *out) {
  *out = (struct search_path){0};
  if (s->type->path(s, state, out) == 0) {
    out->group = mem_alloc(s->mem, MEM_SEARCH, out->count * sizeof *out->group);
    if (out->group && walk(s, out, NULL, NULL, out->group) == 0) return 0;
  }
  search_path_free(s, out);
  return -1;
}

void search_path_free(struct search *s, struct search_path *p) {
  mem_free(s->mem, p->edge);
  mem_free(s->mem, p->group);
  mem_free(s->mem, p->state);
  *p = (struct search_path){0};
}

void search_keep_edges(struct search *s, store_ref ref, struct mem *mem, struct search_path *out) {
  struct search_path path = {0};
  *out = (struct search_path){0};
  if (search_path(s, ref, &path)) return;
  out->edge = mem_alloc(mem, MEM_SEARCH, (path.count + 2) * sizeof *out->edge);
  if (out->edge) out->count = path.count;
  if (out->count) memcpy(out->edge, path.edge, path.count * sizeof *out->edge);
  search_path_free(s, &path);
}

void search_close(struct search *s) {
  if (!s) return;
  if (s->own) s->type->close(s);
  if (s->cursor) s->model->type->cursor_close(s->cursor);
  if (s->store) s->store->type->close(s->store);
  mem_free(s->mem, s->reserve);
  steps_close(&s->steps);
  mem_free(s->mem, s);
}

/* ---- for the strategies ------------------------------------------------------------ */

enum listener_answer search_tell(struct search *s, const struct search_event *event) {
  enum listener_answer answer = LISTEN_ON;
  for (size_t i = 0; i < s->listener_count; i++) {
    struct listener *l = s->listeners[i];
    if (!(l->wants & event->kind)) continue;
    enum listener_answer said = l->hear(l, s, event);
    if (said > answer) answer = said;
  }
  if (answer == LISTEN_GOAL) {
    s->stop = STOP_GOAL;
    s->goal = event->state;
  }
  return answer;
}

int search_begin(struct search *s, uint32_t *words, store_ref *ref) {
  s->model->type->initial(s->model, words);
  if (store_put(s->store, words, s->model->words, NULL, ref) != STORE_NEW) {
    s->stop = STOP_MEMORY;
    return -1;
  }
  return 0;
}

enum listener_answer search_tell_fault(struct search *s, const struct model_batch *b, const struct model_fault *fault, size_t first, store_ref state, uint64_t depth) {
  int step = fault->edge != MODEL_NO_EDGE;
  struct search_event event = {.kind = EVENT_FAULT,
                               .state = state,
                               .source = STORE_NONE,
                               .edge = step ? (uint32_t)(fault->edge - first) : UINT32_MAX,
                               .group = step ? b->group[fault->edge] : 0,
                               .depth = depth,
                               .fault = fault};
  return search_tell(s, &event);
}

void search_count_expanded(struct search *s, const uint32_t *words, size_t successors) {
  s->stats.expanded++;
  if (successors) return;
  unsigned labels = s->model->type->labels ? s->model->type->labels(s->model, words) : 0;
  if (!(labels & MODEL_END)) s->stats.deadlocks++;
}

int search_may_go_on(struct search *s) {
  s->stats.batches++;
  if (s->store) s->stats.states = s->store->type->count(s->store) + s->passed;
  if (s->limits.interrupt && *s->limits.interrupt) {
    s->stop = STOP_INTERRUPT;
    return 0;
  }
  if (s->limits.states && s->stats.states >= s->limits.states) {
    s->stop = STOP_STATES;
    return 0;
  }
  double now = clock_now();
  if (s->limits.seconds > 0 && now - s->started >= s->limits.seconds) {
    s->stop = STOP_TIME;
    return 0;
  }
  if (now >= s->next_tick) {
    s->next_tick = until_tick(s, now);
    s->seconds = s->earlier + now - s->started;
    if (s->store) s->stats.frontier = s->stats.states - s->stats.expanded - s->skipped;
    if (tick(s) == LISTEN_GOAL) return 0;
  }
  return 1;
}

struct cover {
  const struct model *model;
  const uint32_t *big;
  size_t last, found; /* the last state of the path; the nearest ancestor that it covers, last = none */
};

static int visit_ancestor(void *context, size_t i, const uint32_t *state) {
  struct cover *c = context;
  if (i < c->last && c->model->type->covers(c->model, state, c->big)) c->found = i;
  return 0;
}

int search_find_cover(struct search *s, const struct search_move *m) {
  struct search_path path = {0};
  if (!s->model->type->covers || s->type->measured) return 0; /* a sweep would have to sweep again for each path */
  if (s->type->path(s, m->state, &path)) {
    search_path_free(s, &path);
    return 0;
  }
  struct cover c = {s->model, m->words, path.count, path.count};
  int found = walk(s, &path, visit_ancestor, &c, NULL) == 0 && c.found < c.last;
  if (found) {
    s->cover.small = path.state[c.found];
    s->cover.big = m->state;
    s->stop = STOP_UNBOUNDED;
  }
  search_path_free(s, &path);
  return found;
}

enum { STUCK = 100 };

/* States of a file may be none that the model ever makes, and then no layout is wide enough: layouts are the same again and again, and nothing is expanded. */
static int widens_in_vain(struct search *s) {
  const struct model_type *type = s->model->type;
  uint64_t sign = type->layout_sign ? type->layout_sign(s->model) : 0;
  int same = sign && s->stuck.sign == sign && s->stuck.expanded == s->stats.expanded;
  s->stuck.sign = sign;
  s->stuck.expanded = s->stats.expanded;
  s->stuck.times = same ? s->stuck.times + 1 : 0;
  if (s->stuck.times < STUCK) return 0;
  if (s->journal) err_io(&s->err, s->journal->file.name, "the checkpoint does not fit the model: it holds a state whose steps fit no layout");
  else err_internal(&s->err, "the steps of a state fit no layout");
  s->stop = STOP_FAULT;
  return 1;
}

int search_widen(struct search *s, const struct search_move *m) {
  const struct model_type *type = s->model->type;
  if (!s->limits.beyond_cover && search_find_cover(s, m)) return -1;
  if (widens_in_vain(s)) return -1;
  if (type->widen(s->model, s->cursor, &s->err)) {
    s->stop = s->err.kind == ERR_MEMORY ? STOP_MEMORY : STOP_FAULT;
    return -1;
  }
  if (s->store->stiff || (!s->store->type->rewrite && !s->store->type->each)) {
    type->widen_done(s->model, 1);
    s->stats.layouts++;
    s->again = 1;
    return -1;
  }
  int refused;
  if (s->store->type->rewrite)
    refused = m->move(m->context, s, s->store, type->convert) ||
              s->store->type->rewrite(s->store, s->model->words, s->model->bits, type->convert, s->model);
  else refused = search_replace_store(s, s->store->type, m, type->convert);
  type->widen_done(s->model, !refused || s->lost);
  if (refused) {
    s->stop = STOP_MEMORY;
    return -1;
  }
  s->stats.layouts++;
  return 0;
}

void search_refused(struct search *s, enum model_answer answer) {
  if (answer == MODEL_STOPPED) {
    s->stop = s->limits.interrupt && *s->limits.interrupt ? STOP_INTERRUPT : STOP_TIME;
    return;
  }
  if (answer == MODEL_FAULT) {
    s->stop = STOP_FAULT;
    struct place_in_text nowhere = {s->model->file, 0, 0};
    err_input(&s->err, nowhere, "%s", s->cursor->fault);
  } else {
    s->stop = STOP_MEMORY;
  }
}

/* ---- batches ------------------------------------------------------------------------ */

/* The store's arrays follow the room of the model's batch. */
static int follow_room(struct search_batch *b, struct search *s, size_t room) {
  uint64_t *hash = mem_resize(s->mem, MEM_SEARCH, b->store.hash, room * sizeof *hash);
  if (!hash) return -1;
  b->store.hash = hash;
  store_ref *ref = mem_resize(s->mem, MEM_SEARCH, b->store.ref, room * sizeof *ref);
  if (!ref) return -1;
  b->store.ref = ref;
  uint8_t *answer = mem_resize(s->mem, MEM_SEARCH, b->store.answer, room);
  if (!answer) return -1;
  b->store.answer = answer;
  b->room = room;
  return 0;
}

int search_batch_open(struct search_batch *b, struct search *s, size_t room) {
  *b = (struct search_batch){0};
  if (model_batch_open(&b->model, s->mem, s->model->words, room)) return -1;
  return follow_room(b, s, room);
}

void search_batch_close(struct search_batch *b, struct search *s) {
  model_batch_close(&b->model);
  mem_free(s->mem, b->store.hash);
  mem_free(s->mem, b->store.ref);
  mem_free(s->mem, b->store.answer);
}

int search_batch_restride(struct search_batch *b, struct search *s) { return model_batch_restride(&b->model, s->model->words); }

int search_batch_ready(struct search_batch *b, struct search *s) {
  if (b->room < b->model.room && follow_room(b, s, b->model.room)) return -1;
  b->store.states = b->model.states;
  b->store.stride = b->model.stride;
  b->store.count = b->model.count;
  b->store.group = b->model.group;
  return 0;
}
