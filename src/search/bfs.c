/* bfs.c -- breadth-first: layer by layer, shortest paths.
 *
 * The store numbers states in order of discovery and can give them back, so the queue is the
 * store itself: states `next` .. count-1 wait.  Successors of several states are gathered into
 * one batch (never across a layer), so that even models with two successors per state keep
 * enough memory accesses in flight.  The breadth-first tree costs two bits per state
 * (spanning.h); an edge index is found again by regenerating the parent's successors. */
#include "search/search.h"

#include "base/vec.h"
#include "search/spanning.h"
#include "search/strategy.h"

#include <assert.h>
#include <string.h>

enum { GATHER = 192, SOURCES = 96 };

struct source { /* a state whose successors are in the batch */
  size_t first, end;
};

struct bfs {
  struct spanning tree;
  struct search_batch batch;
  struct source source[SOURCES];
  size_t sources;
  store_ref number[SOURCES];
  uint32_t *words; /* one state */
  size_t words_room;
  uint64_t next, layer_end, depth;
  struct vec(store_ref) skip; /* told by listeners not to expand, ascending */
  size_t skip_at;
};

static int room_for_state(struct bfs *b, struct search *s) {
  size_t need = model_stride(s->model->words) + 2;
  if (need <= b->words_room) return 0;
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, b->words, need * sizeof *w);
  if (!w) return -1;
  b->words = w;
  b->words_room = need;
  return 0;
}

/* A listener did not want this state expanded. */
static int skip_later(struct bfs *b, struct search *s, store_ref ref) { return vec_push(&b->skip, s->mem, MEM_SEARCH, ref); }

static int skipped(struct bfs *b, store_ref ref) {
  if (b->skip_at < b->skip.count && b->skip.at[b->skip_at] == ref) {
    b->skip_at++;
    return 1;
  }
  return 0;
}

/* The ancestors of a state, initial state first. */
static store_ref *ancestors(struct bfs *b, struct search *s, store_ref ref, size_t *length) {
  size_t n = 1;
  for (store_ref r = ref; r; r = spanning_parent(&b->tree, r)) n++;
  store_ref *path = mem_alloc(s->mem, MEM_SEARCH, n * sizeof *path);
  if (!path) return NULL;
  *length = n;
  for (store_ref r = ref;; r = spanning_parent(&b->tree, r)) {
    path[--n] = r;
    if (!r) break;
  }
  return path;
}

static int widen(struct bfs *b, struct search *s, store_ref ref) {
  size_t length = 0;
  store_ref *path = ancestors(b, s, ref, &length); /* without memory for it: no explanation, but still exact */
  int status = search_widen(s, path, length, NULL, NULL);
  mem_free(s->mem, path);
  if (status) return -1;
  return room_for_state(b, s) || search_batch_restride(&b->batch, s) ? -1 : 0;
}

/* Fills the batch with the successors of waiting states of this layer. 0, or -1 with stop set. */
static int gather(struct bfs *b, struct search *s) {
  struct model_batch *m = &b->batch.model;
  m->count = m->fault_count = 0;
  b->sources = 0;
  /* near a limit of states one source at a time, so that it is overshot by the successors of one state at most */
  size_t most = s->limits.states && s->stats.states + 2 * GATHER > s->limits.states ? 1 : SOURCES;
  while (b->next < b->layer_end && m->count < GATHER && b->sources < most) {
    if (skipped(b, b->next)) {
      if (b->sources) { /* the tree wants expansions in order: end this batch here */
        b->skip_at--;
        break;
      }
      if (spanning_expanded(&b->tree)) return -1;
      b->next++;
      s->skipped++;
      continue;
    }
    size_t first = m->count, faults = m->fault_count;
    s->store->type->get(s->store, b->next, b->words);
    enum model_answer answer = s->model->type->successors(s->cursor, b->words, m);
    if (answer == MODEL_WIDEN) {
      if (b->sources) break; /* first settle what the batch holds in the old layout */
      if (widen(b, s, b->next)) return -1;
      continue;
    }
    if (answer != MODEL_OK) {
      if (b->sources) break;
      search_refused(s, answer);
      return -1;
    }
    for (; faults < m->fault_count; faults++) m->faults[faults].source = (uint32_t)b->sources;
    b->source[b->sources] = (struct source){first, m->count};
    b->number[b->sources++] = b->next++;
  }
  return 0;
}

/* Tells what happened on edge i of a source. */
static enum listener_answer tell_edge(struct bfs *b, struct search *s, size_t source, size_t i) {
  const struct store_batch *t = &b->batch.store;
  struct search_event event = {.kind = EVENT_EDGE,
                               .state = t->ref[i],
                               .source = b->number[source],
                               .words = t->states + i * t->stride,
                               .edge = (uint32_t)(i - b->source[source].first),
                               .group = b->batch.model.group[i],
                               .depth = b->depth + 1};
  enum listener_answer answer = LISTEN_ON;
  if (search_wanted(s, EVENT_EDGE)) answer = search_tell(s, &event);
  event.kind = t->answer[i] == STORE_NEW ? EVENT_NEW : EVENT_SEEN;
  if (answer != LISTEN_GOAL && search_wanted(s, event.kind)) answer = search_tell(s, &event);
  return answer;
}

/* What went wrong in the steps of a source. */
static enum listener_answer tell_faults(struct bfs *b, struct search *s, size_t source) {
  const struct model_batch *m = &b->batch.model;
  enum listener_answer answer = LISTEN_ON;
  for (size_t i = 0; i < m->fault_count && answer != LISTEN_GOAL; i++) {
    struct model_fault fault = m->faults[i];
    if (fault.source != source) continue;
    struct search_event event = {.kind = EVENT_FAULT,
                                 .state = b->number[source],
                                 .source = STORE_NONE,
                                 .edge = UINT32_MAX,
                                 .depth = b->depth,
                                 .fault = &fault};
    if (fault.edge != MODEL_NO_EDGE) {
      event.edge = (uint32_t)(fault.edge - b->source[source].first);
      event.group = m->group[fault.edge];
    }
    answer = search_tell(s, &event);
  }
  return answer;
}

static enum listener_answer tell_expanded(struct bfs *b, struct search *s, size_t source) {
  struct search_event event = {.kind = EVENT_EXPANDED,
                               .state = b->number[source],
                               .source = STORE_NONE,
                               .successors = (uint32_t)(b->source[source].end - b->source[source].first),
                               .depth = b->depth};
  s->store->type->get(s->store, event.state, b->words);
  event.words = b->words;
  return search_tell(s, &event);
}

/* Asks the store about the batch and passes the answers on. 0, or -1 with stop set. */
static int settle(struct bfs *b, struct search *s) {
  if (search_batch_ready(&b->batch, s)) return -1;
  struct store_batch *t = &b->batch.store;
  size_t good = s->store->type->put_batch(s->store, t, 0);
  int telling = search_wanted(s, EVENT_EDGE | EVENT_NEW | EVENT_SEEN), telling_expanded = search_wanted(s, EVENT_EXPANDED);
  for (size_t k = 0; k < b->sources; k++) {
    struct source *from = &b->source[k];
    for (size_t i = from->first; i < from->end; i++) {
      if (i >= good) {
        s->stop = STOP_MEMORY;
        return -1;
      }
      if (t->answer[i] == STORE_NEW && spanning_found(&b->tree)) return -1;
      s->stats.transitions++;
      if (telling) {
        enum listener_answer answer = tell_edge(b, s, k, i);
        if (answer == LISTEN_GOAL) return -1;
        if (answer == LISTEN_SKIP && t->answer[i] == STORE_NEW && skip_later(b, s, t->ref[i])) return -1;
      }
    }
    if (b->batch.model.fault_count && search_wanted(s, EVENT_FAULT) && tell_faults(b, s, k) == LISTEN_GOAL) return -1;
    if (spanning_expanded(&b->tree)) return -1;
    s->stats.expanded++;
    if (from->first == from->end) {
      unsigned labels = 0;
      if (s->model->type->labels) {
        s->store->type->get(s->store, b->number[k], b->words);
        labels = s->model->type->labels(s->model, b->words);
      }
      if (!(labels & MODEL_END)) s->stats.deadlocks++;
    }
    if (telling_expanded && tell_expanded(b, s, k) == LISTEN_GOAL) return -1;
  }
  return 0;
}

static int begin(struct bfs *b, struct search *s) {
  spanning_open(&b->tree, s->mem);
  if (room_for_state(b, s) || search_batch_open(&b->batch, s, 2 * GATHER)) return -1;
  if (search_begin(s, b->words) || spanning_found(&b->tree)) return -1;
  b->layer_end = 1;
  struct search_event event = {.kind = EVENT_NEW, .state = 0, .source = STORE_NONE, .words = b->words};
  if (search_wanted(s, EVENT_NEW)) {
    enum listener_answer answer = search_tell(s, &event);
    if (answer == LISTEN_GOAL) return -1;
    if (answer == LISTEN_SKIP) return skip_later(b, s, 0);
  }
  return 0;
}

static int bfs_run(struct search *s) {
  struct bfs *b = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *b);
  if (!b || begin(b, s)) return -1;
  for (;;) {
    if (b->next == b->layer_end) {
      if (search_wanted(s, EVENT_LAYER)) {
        struct search_event event = {.kind = EVENT_LAYER, .state = STORE_NONE, .source = STORE_NONE, .depth = b->depth};
        if (search_tell(s, &event) == LISTEN_GOAL) return -1;
      }
      b->layer_end = s->store->type->count(s->store);
      if (b->layer_end == b->next) return 0;
      s->stats.depth = ++b->depth;
      if (s->limits.depth && b->depth >= s->limits.depth) {
        s->stop = STOP_DEPTH;
        return -1;
      }
    }
    if (!search_may_go_on(s)) return -1;
    if (gather(b, s) || settle(b, s)) return -1;
    uint64_t waiting = s->store->type->count(s->store) - b->next;
    if (waiting > s->stats.frontier_peak) s->stats.frontier_peak = waiting;
  }
}

/* The edge from one state to another: regenerates successors and looks for the target. */
static int find_edge(struct bfs *b, struct search *s, store_ref from, store_ref to, uint32_t *edge, uint32_t *group) {
  struct model_batch *m = &b->batch.model;
  size_t kept = m->count, kept_faults = m->fault_count, stride = m->stride;
  int found = -1;
  size_t words = s->model->words;
  uint32_t *target = mem_alloc(s->mem, MEM_SEARCH, (words + 4) * sizeof *target);
  uint32_t *source = mem_alloc(s->mem, MEM_SEARCH, (words + 4) * sizeof *source);
  if (target && source) {
    s->store->type->get(s->store, to, target);
    s->store->type->get(s->store, from, source);
    if (s->model->type->successors(s->cursor, source, m) == MODEL_OK)
      for (size_t i = kept; i < m->count && found; i++)
        if (memcmp(m->states + i * stride, target, words * 4) == 0) {
          *edge = (uint32_t)(i - kept);
          *group = m->group[i];
          found = 0;
        }
  }
  m->fault_count = kept_faults;
  m->count = kept; /* a listener may ask while the batch is being settled */
  mem_free(s->mem, target);
  mem_free(s->mem, source);
  return found;
}

static int bfs_path(struct search *s, store_ref ref, struct search_path *out) {
  struct bfs *b = s->own;
  size_t length = 0;
  store_ref *path = ancestors(b, s, ref, &length);
  if (!path) return -1;
  int status = -1;
  out->edge = mem_alloc(s->mem, MEM_SEARCH, length * sizeof *out->edge);
  out->group = mem_alloc(s->mem, MEM_SEARCH, length * sizeof *out->group);
  if (out->edge && out->group) {
    status = 0;
    for (size_t i = 0; i + 1 < length && status == 0; i++)
      status = find_edge(b, s, path[i], path[i + 1], &out->edge[i], &out->group[i]);
    out->count = length - 1;
    /* find_edge may have grown the batch: the store's view must follow before settling goes on */
    b->batch.store.states = b->batch.model.states;
  }
  mem_free(s->mem, path);
  return status;
}

static void bfs_close(struct search *s) {
  struct bfs *b = s->own;
  spanning_close(&b->tree);
  search_batch_close(&b->batch, s);
  vec_free(&b->skip, s->mem);
  mem_free(s->mem, b->words);
  mem_free(s->mem, b);
}

const struct search_type search_bfs = {
    .name = "bfs",
    .summary = "breadth-first: shortest counterexamples",
    .shortest = 1,
    .run = bfs_run,
    .path = bfs_path,
    .close = bfs_close,
};
