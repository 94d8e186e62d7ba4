/* bfs.c -- breadth-first: layer by layer, shortest paths.
 *
 * States are numbered in order of discovery, whatever the store calls them, and leave the queue (frontier.h) in
 * that order; where the store numbers them alike and can give them back, the queue is the store itself.  Successors of several states are
 * gathered into one batch (never across a layer), so that even models with two successors per state keep
 * enough memory accesses in flight.  The breadth-first tree and its edges cost a few bits per state
 * (spanning.h) and are all that a path needs; a store that keeps such a tree itself (ways) saves the search the second one, and can take over
 * the search's own when memory asks for it.
 *
 * When there are many states and several threads may work, rounds (rounds.h) of some thousand states take the place of batches; what comes out is the same.
 *
 * With the store disk, from the start or as the last rung of the ladder, the rest is external.c's. */
#include "search/bfs.h"

#include "base/clock.h"

#include <assert.h>
#include <string.h>

int bfs_skip_later(struct bfs *b, struct search *s, store_ref ref) {
  if (b->journal && !b->journal->why) b->journal->why = "some states are not expanded, which it cannot tell";
  return vec_push(&b->skip, s->mem, MEM_SEARCH, ref);
}

static int skipped(struct bfs *b, store_ref ref) {
  if (b->skip_at < b->skip.count && b->skip.at[b->skip_at] == ref) {
    b->skip_at++;
    return 1;
  }
  return 0;
}

/* Fills the batch with the successors of waiting states of this layer. 0, or -1 with stop set. */
static int gather(struct bfs *b, struct search *s) {
  struct model_batch *m = &b->batch.model;
  m->count = m->fault_count = 0;
  b->sources = 0;
  /* near a limit of states one source at a time, so that it is overshot by the successors of one state at most */
  size_t most = s->limits.states && s->stats.states + 2 * b->gather > s->limits.states ? 1 : b->most_sources;
  while (b->next < b->layer_end && m->count < b->gather && b->sources < most) {
    if (skipped(b, b->next)) {
      if (b->sources) { /* the tree wants expansions in order: end this batch here */
        b->skip_at--;
        break;
      }
      if (bfs_tree_expanded(b, s)) return -1;
      frontier_advance(&b->frontier);
      b->next++;
      s->skipped++;
      continue;
    }
    size_t first = m->count, faults = m->fault_count, i = b->sources;
    uint32_t *words = bfs_source_words(b, i), *trail = s->store->trail_words ? b->trail + i * s->store->trail_words : NULL;
    store_ref ref;
    if (frontier_peek(&b->frontier, &ref, words, trail)) return -1;
    enum model_answer answer = s->model->type->successors(s->cursor, words, m);
    if (answer == MODEL_WIDEN) {
      if (b->sources) break; /* first settle what the batch holds in the old layout */
      if (bfs_widen(b, s, b->next)) return -1;
      continue;
    }
    if (answer != MODEL_OK) {
      if (b->sources) break;
      search_refused(s, answer);
      return -1;
    }
    for (; faults < m->fault_count; faults++) m->faults[faults].source = (uint32_t)i;
    b->source[i] = (struct store_source){.ref = ref, .words = words, .trail = trail, .first = first, .end = m->count};
    b->number[b->sources++] = b->next++;
    frontier_advance(&b->frontier);
  }
  return 0;
}

/* Tells what happened on edge i of a source. */
static enum listener_answer tell_edge(struct bfs *b, struct search *s, size_t source, size_t i, store_ref number) {
  const struct store_batch *t = &b->batch.store;
  struct search_event event = {.kind = EVENT_EDGE,
                               .state = number,
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
    answer = search_tell_fault(s, m, &fault, b->source[source].first, b->number[source], b->depth);
  }
  return answer;
}

static enum listener_answer tell_expanded(struct bfs *b, struct search *s, size_t source) {
  struct search_event event = {.kind = EVENT_EXPANDED,
                               .state = b->number[source],
                               .source = STORE_NONE,
                               .successors = (uint32_t)(b->source[source].end - b->source[source].first),
                               .words = b->source[source].words,
                               .depth = b->depth};
  return search_tell(s, &event);
}

/* States went to disk when the answers to some successors of source k had been told, up to i: the others are candidates there. Sources behind it wait again. */
static int settle_on_disk(struct bfs *b, struct search *s, size_t k, size_t i) {
  const struct store_source *from = &b->source[k];
  if (external_add(b->external, s, &b->batch.model, i, from->end, b->number[k], (uint32_t)(i - from->first))) return -1;
  if (b->batch.model.fault_count && search_wanted(s, EVENT_FAULT) && tell_faults(b, s, k) == LISTEN_GOAL) return -1;
  search_count_expanded(s, from->words, from->end - from->first);
  return search_wanted(s, EVENT_EXPANDED) && tell_expanded(b, s, k) == LISTEN_GOAL ? -1 : 0;
}

/* Asks the store about the batch and passes the answers on. 0, or -1 with stop set. */
static int settle(struct bfs *b, struct search *s) {
  if (search_batch_ready(&b->batch, s)) return -1;
  struct store_batch *t = &b->batch.store;
  t->source = b->source;
  t->sources = b->sources;
  s->partial = b->told;
  b->unsettled = b->told ? 1 : 0;
  while (bfs_reserve(b, s, t->count, b->sources)) {
    if (bfs_step_down(b, s, 1)) return -1;
    if (b->external) return b->told ? settle_on_disk(b, s, 0, b->source[0].first + b->told) : 0;
  }
  size_t good = s->store->type->put_batch(s->store, t, 0);
  int telling = search_wanted(s, EVENT_EDGE | EVENT_NEW | EVENT_SEEN), telling_expanded = search_wanted(s, EVENT_EXPANDED);
  int numbers = (s->store->type->caps & STORE_ORDER) != 0;
  for (size_t k = 0; k < b->sources; k++) {
    const struct store_source *from = &b->source[k];
    b->unsettled = k + 1;
    for (size_t i = from->first + (k ? 0 : b->told); i < from->end; i++) {
      while (i >= good) { /* full; all before it are settled, so that the store may change its form here */
        s->partial = i - from->first;
        if (bfs_step_down(b, s, 1)) return -1;
        if (b->external) return settle_on_disk(b, s, k, i);
        from = &b->source[k]; /* there may be room for more of them now, elsewhere */
        good = s->store->type->put_batch(s->store, t, i);
        numbers = (s->store->type->caps & STORE_ORDER) != 0;
      }
      int fresh = t->answer[i] == STORE_NEW;
      store_ref number = fresh ? b->found : numbers ? t->ref[i] : STORE_NONE;
      if (fresh && bfs_welcome(b, s, t->ref[i], t->states + i * t->stride, (uint32_t)(i - from->first))) {
        s->partial = i - from->first;
        return -1;
      }
      s->stats.transitions++;
      if (telling) {
        enum listener_answer answer = tell_edge(b, s, k, i, number);
        if (answer == LISTEN_GOAL) return -1;
        if (answer == LISTEN_SKIP && fresh && bfs_skip_later(b, s, number)) return -1;
      }
    }
    if (b->batch.model.fault_count && search_wanted(s, EVENT_FAULT) && tell_faults(b, s, k) == LISTEN_GOAL) return -1;
    if (bfs_tree_expanded(b, s)) return -1;
    s->partial = b->told = 0;
    search_count_expanded(s, from->words, from->end - from->first);
    if (telling_expanded && tell_expanded(b, s, k) == LISTEN_GOAL) return -1;
  }
  return 0;
}

static int begin(struct bfs *b, struct search *s) {
  spanning_open(&b->tree, s->mem, MEM_SEARCH);
  frontier_open(&b->frontier, s->store, s->model->words, s->model->bits, s->mem);
  b->gather = s->store->type->batch ? s->store->type->batch : GATHER;
  /* stores that like large batches get them also where states have few successors */
  b->most_sources = b->gather > GATHER ? b->gather / 2 : SOURCES;
  b->source = mem_alloc(s->mem, MEM_SEARCH, b->most_sources * sizeof *b->source);
  b->number = mem_alloc(s->mem, MEM_SEARCH, b->most_sources * sizeof *b->number);
  store_ref ref;
  if (!b->source || !b->number || bfs_room_for_sources(b, s) || search_batch_open(&b->batch, s, 2 * b->gather)) return -1;
  if (search_begin(s, b->words, &ref) || (bfs_own_tree(b, s) && spanning_found(&b->tree, 0)) || frontier_push(&b->frontier, ref, b->words)) return -1;
  b->layer_end = b->found = 1;
  if (s->journal && s->journal->resuming) return bfs_replay(b, s);
  b->journal = s->journal;
  if (b->journal) search_tell_journal(s, b->words, 0);
  struct search_event event = {.kind = EVENT_NEW, .state = 0, .source = STORE_NONE, .words = b->words};
  if (search_wanted(s, EVENT_NEW)) {
    enum listener_answer answer = search_tell(s, &event);
    if (answer == LISTEN_GOAL) return -1;
    if (answer == LISTEN_SKIP) return bfs_skip_later(b, s, 0);
  }
  return 0;
}

static int bfs_run(struct search *s) {
  struct bfs *b = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *b);
  if (!b) return -1;
  int again = s->journal && s->journal->resuming, there = again ? external_rejoin(&b->external, s) : 0;
  if (there < 0) return -1;
  if (!there && s->store->type->caps & STORE_LATE) {
    there = 1;
    if (external_open(&b->external, s) || (again ? external_replay(b->external, s) : external_begin(b->external, s))) return -1;
  }
  if (there) return external_run(b->external, s);
  if (begin(b, s)) return -1;
  for (;;) {
    if (b->external) return external_run(b->external, s);
    if (b->next == b->layer_end) {
      if (search_wanted(s, EVENT_LAYER)) {
        struct search_event event = {.kind = EVENT_LAYER, .state = STORE_NONE, .source = STORE_NONE, .depth = b->depth};
        if (search_tell(s, &event) == LISTEN_GOAL) return -1;
      }
      b->layer_end = b->found;
      frontier_turn(&b->frontier);
      if (b->layer_end == b->next) return 0;
      s->stats.depth = ++b->depth;
      if (s->limits.depth && b->depth >= s->limits.depth) {
        s->stop = STOP_DEPTH;
        return -1;
      }
    }
    if (!search_may_go_on(s)) return -1;
    uint64_t before = b->next;
    double begin = s->jobs > 1 ? clock_now() : 0;
    int together = bfs_round_wanted(b, s) ? bfs_take_round(b, s) : 0;
    if (together < 0 || (!together && (gather(b, s) || settle(b, s)))) return -1;
    if (b->external) continue;
    if (s->jobs > 1) pace_note(&b->pace, together, clock_now() - begin, b->next - before);
    if (s->store->restless && bfs_settle_store(b, s)) return -1;
    s->waiting = b->frontier.count;
    if (b->frontier.count > s->stats.frontier_peak) s->stats.frontier_peak = b->frontier.count;
    if (search_short_of_memory(s) && bfs_step_down(b, s, 0)) return -1;
    if (b->journal && journal_due(b->journal)) search_seal(s);
  }
}

/* Where a state comes from. 0, or -1: nobody knows any more. */
static int origin(struct bfs *b, struct search *s, store_ref number, store_ref *parent, uint32_t *edge) {
  if (s->store->ways) return s->store->type->origin(s->store, number, parent, edge);
  *parent = spanning_parent(&b->tree, number);
  *edge = spanning_edge(&b->tree, number);
  return 0;
}

static int bfs_path(struct search *s, store_ref number, struct search_path *out) {
  struct bfs *b = s->own;
  uint32_t edge;
  size_t length = 0;
  if (b->external) return external_path(b->external, s, number, out);
  if (b->nameless) return -1;
  for (store_ref n = number; n; length++)
    if (origin(b, s, n, &n, &edge)) return -1;
  out->edge = mem_alloc(s->mem, MEM_SEARCH, length * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, (length + 1) * sizeof *out->state);
  if (!out->edge || !out->state) return -1;
  out->count = length;
  for (out->state[length] = number; length--; out->state[length] = number) origin(b, s, number, &number, &out->edge[length]);
  return 0;
}

static void bfs_close(struct search *s) {
  struct bfs *b = s->own;
  external_close(b->external, s);
  rounds_close(b->rounds);
  spanning_close(&b->tree);
  if (b->receiving) frontier_receive_end(&b->reception, &b->frontier);
  frontier_close(&b->frontier);
  search_batch_close(&b->batch, s);
  vec_free(&b->skip, s->mem);
  mem_free(s->mem, b->source);
  mem_free(s->mem, b->number);
  mem_free(s->mem, b->words);
  mem_free(s->mem, b->trail);
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
