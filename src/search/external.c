/* external.c -- see external.h. */
#include "search/external_inside.h"

#include "search/journal.h"

#include <string.h>

enum { COVER_MOST = 100000, LAYERS_SHARE = 16 };

int external_failed(struct search *s) {
  struct store_files f;
  disk_figures(s->store, &f);
  s->stop = f.problem[0] ? STOP_DISK : STOP_MEMORY;
  return -1;
}

/* ---- opening -------------------------------------------------------------------------------------------------------- */

int external_carries(const struct search *s) {
  for (size_t i = 0; i < s->listener_count; i++) {
    unsigned wants = s->listeners[i]->wants;
    if (wants & EVENT_SEEN || (wants & EVENT_NEW && wants & EVENT_EDGE)) return 1;
  }
  return 0;
}

static int room_for_sources(struct external *x, struct search *s) {
  size_t stride = model_stride(s->model->words) + 2;
  uint32_t *words = mem_resize(s->mem, MEM_SEARCH, x->words, EXTERNAL_SOURCES * stride * sizeof *words);
  if (!words) return -1;
  memset(words, 0, EXTERNAL_SOURCES * stride * sizeof *words);
  x->words = words;
  x->stride = stride;
  return 0;
}

int external_open(struct external **out, struct search *s) {
  struct external *x = mem_alloc(s->mem, MEM_SEARCH, sizeof *x);
  if (!x) return -1;
  x->carries = external_carries(s);
  *out = x;
  return model_batch_open(&x->batch, s->mem, s->model->words, 2 * EXTERNAL_GATHER) || room_for_sources(x, s) ? -1 : 0;
}

void external_close(struct external *x, struct search *s) {
  if (!x) return;
  external_leave(x, s);
  if (x->batch.mem) model_batch_close(&x->batch);
  mem_free(s->mem, x->words);
  mem_free(s->mem, x->carried);
  vec_free(&x->layer, s->mem);
  vec_free(&x->skip, s->mem);
  mem_free(s->mem, x);
}

static int skip_later(struct external *x, struct search *s, store_ref number) {
  if (s->journal && !s->journal->why) s->journal->why = "some states are not expanded, which it cannot tell";
  return vec_push(&x->skip, s->mem, MEM_SEARCH, number);
}

int external_begin(struct external *x, struct search *s) {
  s->model->type->initial(s->model, x->words);
  if (vec_push(&x->layer, s->mem, MEM_SEARCH, 0)) return -1;
  if (disk_begin(s->store, x->words, x->carries, search_wanted(s, EVENT_SEEN)) || external_watch(x, s)) return external_failed(s);
  struct search_event event = {.kind = EVENT_NEW, .state = 0, .source = STORE_NONE, .words = x->words};
  if (!search_wanted(s, EVENT_NEW)) return 0;
  enum listener_answer answer = search_tell(s, &event);
  if (answer == LISTEN_GOAL) return -1;
  return answer == LISTEN_SKIP ? skip_later(x, s, 0) : 0;
}

int external_go_on(struct external *x, struct search *s, const struct external_start *start) {
  x->first_number = start->number;
  x->depth = start->depth;
  x->skip.at = start->skip;
  x->skip.count = start->skips;
  x->skip.room = start->skip_room;
  x->skip_at = start->skip_at;
  x->soon = 1;
  return disk_load_end(s->store, 0, start->now, x->carries, search_wanted(s, EVENT_SEEN)) || external_watch(x, s) ? external_failed(s) : 0;
}

/* ---- expanding ------------------------------------------------------------------------------------------------------ */

/* Nothing that the strategy holds has to follow. */
static int move_nothing(void *context, struct search *s, struct store *to, store_convert *convert) {
  (void)context, (void)s, (void)to, (void)convert;
  return 0;
}

/* All files are written anew. An ancestor that the state covers is looked for in small spaces only: paths cost much here. */
int external_widen(struct external *x, struct search *s, uint64_t place) {
  struct search_move move = {.state = external_number(x, place), .words = external_words(x, 0), .move = move_nothing, .context = x};
  int beyond = s->limits.beyond_cover;
  if (s->store->type->count(s->store) > COVER_MOST) s->limits.beyond_cover = 1;
  int bad = search_widen(s, &move);
  s->limits.beyond_cover = beyond;
  if (bad && s->stop == STOP_MEMORY) external_failed(s);
  x->soon = !bad;
  return bad || room_for_sources(x, s) || model_batch_restride(&x->batch, s->model->words) ? -1 : 0;
}

static int skipped(struct external *x, uint64_t number) {
  if (x->skip_at == x->skip.count || x->skip.at[x->skip_at] != number) return 0;
  x->skip_at++;
  return 1;
}

/* Fills the batch with the successors of states of this layer. 0, or -1 with stop set. */
static int gather(struct external *x, struct search *s) {
  struct model_batch *m = &x->batch;
  m->count = m->fault_count = 0;
  x->sources = 0;
  while (m->count < EXTERNAL_GATHER && x->sources < EXTERNAL_SOURCES) {
    size_t first = m->count, faults = m->fault_count, i = x->sources;
    const uint32_t *state;
    uint64_t place;
    int there = disk_next(s->store, &state, &place);
    if (there < 0) return external_failed(s);
    if (!there) return 0;
    if (skipped(x, external_number(x, place))) {
      s->skipped++;
      continue;
    }
    uint32_t *words = external_words(x, i);
    memcpy(words, state, s->model->words * sizeof *words);
    enum model_answer answer = s->model->type->successors(s->cursor, words, m);
    if (answer != MODEL_OK && x->sources) { /* first what the batch holds */
      disk_put_back(s->store);
      return 0;
    }
    if (answer == MODEL_WIDEN) {
      disk_put_back(s->store);
      if (external_widen(x, s, place)) return -1;
      continue;
    }
    if (answer != MODEL_OK) {
      disk_put_back(s->store);
      search_refused(s, answer);
      return -1;
    }
    for (; faults < m->fault_count; faults++) m->faults[faults].source = (uint32_t)i;
    x->source[x->sources++] = (struct external_source){place, first, m->count};
  }
  return 0;
}

static int tell_edges(struct external *x, struct search *s, const struct model_batch *m, size_t first, size_t end, store_ref source, uint32_t edge) {
  if (!search_wanted(s, EVENT_EDGE)) return 0;
  for (size_t i = first; i < end; i++) {
    struct search_event event = {.kind = EVENT_EDGE,
                                 .state = STORE_NONE,
                                 .source = source,
                                 .words = m->states + i * m->stride,
                                 .edge = edge + (uint32_t)(i - first),
                                 .group = m->group[i],
                                 .depth = x->depth + 1};
    if (search_tell(s, &event) == LISTEN_GOAL) return -1;
  }
  return 0;
}

/* Words in the order in which candidates are sorted: the first source, and its first edge, is the one that is kept. */
static int note_sources(struct external *x, struct search *s, const struct model_batch *m, size_t first, size_t end, store_ref source, uint32_t edge) {
  if (!x->carries) return 0;
  if (x->carried_room < m->room) {
    uint32_t *carried = mem_resize(s->mem, MEM_SEARCH, x->carried, m->room * DISK_CARRIED * sizeof *carried);
    if (!carried) return -1;
    x->carried = carried;
    x->carried_room = m->room;
  }
  for (size_t i = first; i < end; i++) {
    uint32_t *c = x->carried + i * DISK_CARRIED;
    c[0] = (uint32_t)(source >> 32);
    c[1] = (uint32_t)source;
    c[2] = edge + (uint32_t)(i - first);
    c[3] = m->group[i];
  }
  return 0;
}

int external_add(struct external *x, struct search *s, const struct model_batch *m, size_t first, size_t end, store_ref source, uint32_t edge) {
  if (note_sources(x, s, m, first, end, source, edge)) return -1;
  if (disk_add(s->store, m->states + first * m->stride, m->stride, end - first, x->carries ? x->carried + first * DISK_CARRIED : NULL)) return external_failed(s);
  s->stats.transitions += end - first;
  return tell_edges(x, s, m, first, end, source, edge);
}

/* Source k has so many successors. */
static int tell_expanded(struct external *x, struct search *s, size_t k, size_t successors, store_ref number) {
  search_count_expanded(s, external_words(x, k), successors);
  struct search_event event = {.kind = EVENT_EXPANDED, .state = number, .source = STORE_NONE, .successors = (uint32_t)successors, .words = external_words(x, k), .depth = x->depth};
  return search_wanted(s, EVENT_EXPANDED) && search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

/* What the batch holds is told and becomes candidates. 0, or -1 with stop set. */
static int settle(struct external *x, struct search *s) {
  struct model_batch *m = &x->batch;
  for (size_t k = 0; k < x->sources; k++)
    if (note_sources(x, s, m, x->source[k].first, x->source[k].end, external_number(x, x->source[k].place), 0)) return -1;
  if (disk_add(s->store, m->states, m->stride, m->count, x->carries ? x->carried : NULL)) return external_failed(s);
  for (size_t k = 0; k < x->sources; k++) {
    const struct external_source *from = &x->source[k];
    store_ref number = external_number(x, from->place);
    s->stats.transitions += from->end - from->first;
    if (tell_edges(x, s, m, from->first, from->end, number, 0)) return -1;
    for (size_t i = 0; i < m->fault_count && search_wanted(s, EVENT_FAULT); i++)
      if (m->faults[i].source == k && search_tell_fault(s, m, &m->faults[i], from->first, number, x->depth) == LISTEN_GOAL) return -1;
    if (tell_expanded(x, s, k, from->end - from->first, number)) return -1;
  }
  return 0;
}

int external_expand_rest(struct external *x, struct search *s, size_t told) {
  struct model_batch *m = &x->batch;
  const uint32_t *state;
  uint64_t place;
  for (;;) {
    int there = disk_next(s->store, &state, &place);
    if (there <= 0) return external_failed(s);
    memset(external_words(x, 0), 0, x->stride * sizeof *state);
    memcpy(external_words(x, 0), state, s->model->words * sizeof *state);
    m->count = m->fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, external_words(x, 0), m);
    if (answer == MODEL_OK) break;
    disk_put_back(s->store);
    if (answer != MODEL_WIDEN) search_refused(s, answer);
    if (answer != MODEL_WIDEN || external_widen(x, s, place)) return -1;
  }
  store_ref number = external_number(x, place);
  if (told > m->count) told = m->count;
  if (external_add(x, s, m, told, m->count, number, (uint32_t)told)) return -1;
  for (size_t i = 0; i < m->fault_count && search_wanted(s, EVENT_FAULT); i++)
    if (search_tell_fault(s, m, &m->faults[i], 0, number, x->depth) == LISTEN_GOAL) return -1;
  return tell_expanded(x, s, 0, m->count, number);
}

/* ---- the end of a layer ------------------------------------------------------------------------------------------------ */

struct turn {
  struct external *external;
  struct search *search;
  uint32_t *words; /* the state that is told, with its padding */
};

static int hear(void *context, const uint32_t *state, const uint32_t *carried, int fresh, uint64_t place) {
  struct turn *t = context;
  struct external *x = t->external;
  struct search *s = t->search;
  unsigned kind = fresh ? EVENT_NEW : EVENT_SEEN;
  if (fresh) {
    uint64_t waits = disk_places(s->store) - place + disk_layer_left(s->store);
    if (waits > s->stats.frontier_peak) s->stats.frontier_peak = waits;
  }
  if (search_wanted(s, kind)) {
    memcpy(t->words, state, s->model->words * sizeof *state);
    struct search_event event = {.kind = kind,
                                 .state = fresh ? external_number(x, place) : STORE_NONE,
                                 .source = carried ? (store_ref)carried[0] << 32 | carried[1] : STORE_NONE,
                                 .words = t->words,
                                 .edge = carried ? carried[2] : UINT32_MAX,
                                 .group = carried ? carried[3] : 0,
                                 .depth = x->depth + 1};
    enum listener_answer answer = search_tell(s, &event);
    if (answer == LISTEN_GOAL) return 1;
    if (answer == LISTEN_SKIP && fresh && skip_later(x, s, event.state)) {
      s->stop = STOP_MEMORY;
      return 1;
    }
  }
  if (!fresh || !s->limits.states || s->store->type->count(s->store) < s->limits.states) return 0;
  s->stop = STOP_STATES;
  return 1;
}

static int poll(void *context, int worth) {
  struct turn *t = context;
  return !search_may_go_on(t->search) || (worth && external_seal_due(t->external, t->search));
}

void external_begin_layer(struct external *x, struct search *s, uint64_t place) {
  int more = x->layer.count || (!place && !x->first_number); /* or the first ones are not known: a search may come here when a layer is just done, and then the next one begins at place 0 */
  if (!more || (x->layer.room * sizeof *x->layer.at <= s->mem->budget / LAYERS_SHARE && vec_push(&x->layer, s->mem, MEM_SEARCH, place) == 0)) return;
  vec_free(&x->layer, s->mem);
}

/* The next layer. 0, or -1 with stop set. A turn that takes long is sealed in the middle. */
static int turn(struct external *x, struct search *s) {
  int status;
  if (!disk_turning(s->store)) external_begin_layer(x, s, disk_layer_end(s->store));
  do {
    struct turn t = {x, s, external_words(x, 0)}; /* no source is at hand */
    struct disk_listener listener = {&t, hear, search_wanted(s, EVENT_SEEN), poll};
    memset(t.words, 0, x->stride * sizeof *t.words);
    status = disk_turn(s->store, &listener);
    if (status < 0) return external_failed(s);
    if (status && (s->stop != STOP_DONE || !external_seal_due(x, s))) return -1;
    if (status && external_seal(x, s)) return -1;
  } while (status);
  return 0;
}

int external_run(struct external *x, struct search *s) {
  int paths = search_wanted(s, EVENT_NEW | EVENT_EXPANDED | EVENT_FAULT | EVENT_EDGE | EVENT_SEEN);
  for (;;) {
    while (disk_layer_left(s->store)) {
      if (!search_may_go_on(s) || (external_seal_due(x, s) && external_seal(x, s))) return -1;
      if (gather(x, s) || settle(x, s)) return -1;
    }
    if (!search_may_go_on(s) || turn(x, s)) return -1;
    if (search_wanted(s, EVENT_LAYER)) {
      struct search_event event = {.kind = EVENT_LAYER, .state = STORE_NONE, .source = STORE_NONE, .depth = x->depth};
      if (search_tell(s, &event) == LISTEN_GOAL) return -1;
    }
    uint64_t layer = disk_layer_left(s->store);
    if (!layer) return 0;
    if (layer > s->stats.frontier_peak) s->stats.frontier_peak = layer;
    if (!paths || !x->layer.count) disk_forget(s->store, disk_places(s->store) - layer); /* nobody will ask for the others */
    s->stats.depth = ++x->depth;
    if (s->limits.depth && x->depth >= s->limits.depth) {
      s->stop = STOP_DEPTH;
      return -1;
    }
  }
}

/* ---- paths ---------------------------------------------------------------------------------------------------------------- */

/* The place from `first` to `end` of a state that has `target` as a successor, which it becomes itself. 0, or -1: there is none (to be had). */
static int find_parent(struct search *s, struct model_batch *batch, uint64_t first, uint64_t end, uint32_t *target, uint32_t *words, uint64_t *place, uint32_t *edge) {
  size_t bytes = s->model->words * sizeof *target;
  for (*place = first; *place < end; ++*place) {
    const uint32_t *state = disk_at(s->store, *place);
    if (!state || (s->limits.interrupt && *s->limits.interrupt)) return -1;
    memcpy(words, state, bytes);
    batch->count = batch->fault_count = 0;
    if (s->model->type->successors(s->cursor, words, batch) != MODEL_OK) return -1;
    for (size_t i = 0; i < batch->count; i++)
      if (memcmp(batch->states + i * batch->stride, target, bytes) == 0) {
        memcpy(target, words, bytes);
        *edge = (uint32_t)i;
        return 0;
      }
  }
  return -1;
}

int external_path(struct external *x, struct search *s, store_ref number, struct search_path *out) {
  uint64_t place = number - x->first_number;
  size_t depth = 0, room = model_stride(s->model->words) + 4;
  if (!x->layer.count || place >= disk_places(s->store)) return -1;
  for (size_t high = x->layer.count; high - depth > 1;) { /* the last layer that does not begin behind it */
    size_t middle = depth + (high - depth) / 2;
    if (x->layer.at[middle] <= place) depth = middle;
    else high = middle;
  }
  const uint32_t *state = disk_at(s->store, place);
  struct model_batch batch = {0};
  uint32_t *words = mem_alloc(s->mem, MEM_SEARCH, 2 * room * sizeof *words);
  out->edge = mem_alloc(s->mem, MEM_SEARCH, (depth + 1) * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, (depth + 1) * sizeof *out->state);
  int bad = !state || !words || !out->edge || !out->state || model_batch_open(&batch, s->mem, s->model->words, 64);
  if (!bad) {
    memcpy(words, state, s->model->words * sizeof *words);
    out->count = depth;
    out->state[depth] = number;
  }
  const struct model_patience *patience = s->cursor->patience;
  s->cursor->patience = NULL; /* a path is told in any case */
  for (size_t i = depth; i-- && !bad;) {
    bad = find_parent(s, &batch, x->layer.at[i], x->layer.at[i + 1], words, words + room, &place, &out->edge[i]);
    out->state[i] = external_number(x, place);
  }
  s->cursor->patience = patience;
  if (batch.mem) model_batch_close(&batch);
  mem_free(s->mem, words);
  return bad ? -1 : 0;
}
