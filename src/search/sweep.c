/* sweep.c -- the sweep-line: what lies behind it is forgotten.
 *
 * A progress measure gives each state a number (progress.h).  States wait in buckets, one for each number that some state has; the lowest is expanded until it is empty, with what it finds of
 * its own number, and then forgotten: the line has passed it.  An edge to a number behind the line is a regress edge: if the store does not know its target, nobody can tell whether that was
 * forgotten or never seen.  It becomes persistent, which means that it is never forgotten, and a root of the next sweep.  There are sweeps until none leaves a root.  The first state is
 * persistent from the start: most systems that do not end come back to it, and all that they would explore twice for that is saved.
 *
 * Complete: every reachable state is expanded.  The first one is.  If s is expanded and s -> t, then t is either unknown to the store, and goes to a bucket at or before the line or to the roots of the
 * next sweep; or known, and then waits, was expanded in this sweep, or is persistent.  A persistent state is a root of exactly one sweep.  In each case it is expanded.
 *
 * It ends: within a sweep the line only rises.  A state enters a bucket while the line is at or below its number and stays in the store until the line has passed; if it is met after that it becomes
 * persistent, which happens once in its life.  So a state is expanded at most once in each sweep, and each sweep after the first has a root that was not persistent before: on n states there are at
 * most n + 1 sweeps.
 *
 * With a measure that no step lowers there is one sweep, and each state is found once: all counts are those of any other search.  Otherwise states, transitions and what is counted of them are those that were
 * explored, the same ones counted again.
 *
 *   bucket   refs of its states in order of discovery, in few bytes (reflist.h): those before the reader's place are expanded, those behind wait, and all are forgotten together;
 *            roots, which stay; states that a listener told not to expand, which go
 *   heap     numbers of the buckets; a map from numbers to buckets
 *
 * A state is measured when it is new.  Whether an edge to a known state is a regress edge matters for the count alone: only persistent states can be behind the line, so as long as the first one is the only
 * one of them its ref tells.
 *
 * On a store that keeps steps instead of states (comback) nothing is forgotten but the states in full: those that wait stand in their buckets, and what is behind the line is a fragment of a hash and a step.
 * Targets of regress edges are looked up and found again there, so that nothing is explored twice, however bad the measure; those that are new are the roots of the next sweep as ever.  (Westergaard's
 * thesis, section 2.5.)
 *
 * Paths are found by sweeping again (sweep_path.c).  Depth is not known.
 *
 * Listeners who keep the graph (EVENT_NUMBERS) hear of each state by its number, known ones too: a map has the numbers of the states in the store.  A state that was forgotten and is met again is
 * another one for them, with another number and its own edges: the graph is an unfolding of the real one, bisimilar to it; the same one if no step lowers the measure.
 *
 * After Christensen, Kristensen, Mailund (A sweep-line method for state space exploration, 2001) and Kristensen, Mailund (A generalised sweep-line method for safety properties, 2002). */
#include "search/sweep_parts.h"

#include "search/progress.h"

#include <string.h>

enum { GATHER = 192, SOURCES = 96, PUSH_BYTES = 32, SPARE = 128 << 10 };

static uint32_t *source_words(struct sweep *w, size_t i) { return w->words + i * w->stride; }

static int room_for_sources(struct sweep *w, struct search *s) {
  size_t stride = model_stride(s->model->words) + 2, trail = s->store->trail_words;
  uint32_t *x = mem_resize(s->mem, MEM_SEARCH, w->words, SOURCES * stride * sizeof *x);
  if (!x) return -1;
  w->words = x;
  w->stride = stride;
  if (trail && !(x = mem_resize(s->mem, MEM_SEARCH, w->trail, SOURCES * trail * sizeof *x))) return -1;
  if (trail) w->trail = x;
  return 0;
}

/* ---- progress --------------------------------------------------------------------------------------------------------- */

/* The key of a state: progress values in the order of unsigned numbers, the largest left out (it means nothing to the map). 0, or -1: no memory. */
static int key_of(struct sweep *w, struct search *s, const uint32_t *state, uint64_t *key) {
  const struct model *part = s->ways.measured;
  if (part) { /* the model's part of a product, without what stands behind it in the last word */
    if (part->words + 4 > w->clean_words) {
      uint32_t *clean = mem_resize(s->mem, MEM_SEARCH, w->clean, ((size_t)part->words + 8) * sizeof *clean);
      if (!clean) return -1;
      w->clean = clean;
      w->clean_words = (size_t)part->words + 8;
    }
    memset(w->clean, 0, w->clean_words * sizeof *w->clean);
    memcpy(w->clean, state, part->words * sizeof *w->clean);
    if (part->bits % 32) w->clean[part->words - 1] &= ((uint32_t)1 << part->bits % 32) - 1;
    state = w->clean;
  }
  uint64_t value = s->ways.progress ? (uint64_t)progress_of(s->ways.progress, w->cursor, state) ^ (uint64_t)1 << 63 : 0;
  *key = value == UINT64_MAX ? value - 1 : value;
  return 0;
}

/* ---- buckets ------------------------------------------------------------------------------------------------------------ */

static int push(struct sweep *w, struct crowd *c, struct search *s, store_ref ref, uint64_t number, const uint32_t *state) {
  w->in_full += (uint64_t)w->remembers;
  if (w->remembers && reflist_push_bytes(&c->full, s->mem, state, w->record)) return -1;
  return reflist_push(&c->refs, s->mem, ref) || (w->numbered && reflist_push(&c->numbers, s->mem, number)) ? -1 : 0;
}

/* The next one, its number (0 where nobody wants it) and what it is. 1; 0: none is left; -1: no memory. */
static int take_from(struct sweep *w, const struct search *s, const struct crowd *c, struct crowd_place *at, store_ref *ref, uint64_t *number, uint32_t *state, uint32_t *trail) {
  *number = 0;
  if (!reflist_next(&c->refs, &at->ref, ref)) return 0;
  if (w->numbered) reflist_next(&c->numbers, &at->number, number);
  memset(state, 0, w->stride * sizeof *state);
  if (!w->remembers) return s->store->type->get(s->store, *ref, state, trail) ? -1 : 1;
  memcpy(state, reflist_next_bytes(&c->full, &at->full), w->record);
  return 1;
}

static void close_crowd(struct crowd *c, struct mem *mem) {
  reflist_close(&c->refs, mem);
  reflist_close(&c->numbers, mem);
  reflist_close(&c->full, mem);
}

/* The bucket of a key, which comes to be if it must. NULL: no memory. */
static struct bucket *bucket_of(struct sweep *w, struct search *s, uint64_t key) {
  if (w->at != NOBODY && key == w->line) return &w->bucket[w->at];
  uint64_t at = w->by_key.count ? refmap_get(&w->by_key, key) : REFMAP_NONE;
  if (at != REFMAP_NONE) return &w->bucket[at];
  if (heap_reserve(&w->keys, 1)) return NULL;
  if (w->free) at = w->free - 1;
  else {
    if (w->buckets == w->bucket_room) {
      size_t room = 2 * w->bucket_room + 4;
      struct bucket *more = room >= NOBODY ? NULL : mem_resize(s->mem, MEM_FRONTIER, w->bucket, room * sizeof *more);
      if (!more) return NULL;
      w->bucket = more;
      w->bucket_room = room;
    }
    at = w->buckets;
  }
  if (refmap_put(&w->by_key, key, at)) return NULL;
  if (w->free) w->free = w->bucket[at].next_free;
  else w->buckets++;
  w->bucket[at] = (struct bucket){.key = key};
  heap_push(&w->keys, key);
  return &w->bucket[at];
}

static void close_bucket(struct bucket *b, struct mem *mem) {
  close_crowd(&b->roots, mem);
  close_crowd(&b->states, mem);
  reflist_close(&b->left_out, mem);
}

/* What cannot be forgotten for lack of memory stays, which does no harm but that there are no paths any more: it was expanded. */
static void forget_list(struct sweep *w, struct search *s, const struct reflist *l) {
  struct reflist_place at = {0};
  store_ref ref;
  while (reflist_next(l, &at, &ref))
    if (s->store->type->forget(s->store, ref) == 0) {
      s->passed++;
      if (w->told_numbers) refmap_remove(&w->number_of, ref);
    } else s->sweep.kept = 1;
}

/* The line has passed the bucket at hand. */
static void pass(struct sweep *w, struct search *s) {
  struct bucket *b = &w->bucket[w->at];
  w->in_full -= b->states.full.count + b->roots.full.count;
  if (!w->remembers) {
    forget_list(w, s, &b->states.refs);
    forget_list(w, s, &b->left_out);
  }
  close_bucket(b, s->mem);
  refmap_remove(&w->by_key, b->key);
  b->next_free = w->free;
  w->free = w->at + 1;
  w->at = NOBODY;
}

/* ---- other stores, other layouts --------------------------------------------------------------------------------------- */

static int widen(struct sweep *w, struct search *s) {
  struct search_move m = sweep_moving(w);
  if (s->ways.errand) return -1; /* the layout is that of the search that sent us: it knew all these states */
  m.state = STORE_NONE;
  m.words = source_words(w, 0);
  return search_widen(s, &m) || room_for_sources(w, s) || search_batch_restride(&w->batch, s) ? -1 : 0;
}

/* Less memory for the same states. Sources have other names then, and nobody asks for them. */
static int step_down(struct sweep *w, struct search *s, int full) {
  struct search_move m = sweep_moving(w);
  if (search_step_down(s, &m, full) || room_for_sources(w, s)) return -1;
  w->batch.store.sources = 0;
  return 0;
}

static int settle_store(struct sweep *w, struct search *s) {
  struct search_move m = sweep_moving(w);
  return search_settle_store(s, &m) || room_for_sources(w, s) ? -1 : 0;
}

/* ---- expanding ---------------------------------------------------------------------------------------------------------- */

/* Fills the batch with the successors of states of the bucket at hand. 0, or -1 with stop set. */
static int gather(struct sweep *w, struct search *s) {
  struct model_batch *m = &w->batch.model;
  m->count = m->fault_count = 0;
  w->sources = 0;
  /* near a limit of states one source at a time, so that it is overshot by the successors of one state at most */
  size_t most = s->limits.states && s->stats.states + 2 * GATHER > s->limits.states ? 1 : SOURCES;
  while (m->count < GATHER && w->sources < most) {
    size_t first = m->count, faults = m->fault_count, i = w->sources;
    uint32_t *words = source_words(w, i), *trail = s->store->trail_words ? w->trail + i * s->store->trail_words : NULL;
    const struct bucket *b = &w->bucket[w->at];
    struct crowd_place before[] = {w->place.root, w->place.state};
    store_ref ref;
    int taken = take_from(w, s, &b->roots, &w->place.root, &ref, &w->number[i], words, trail);
    if (!taken) taken = take_from(w, s, &b->states, &w->place.state, &ref, &w->number[i], words, trail);
    if (taken < 0) return -1;
    if (!taken) break;
    enum model_answer answer = s->model->type->successors(s->cursor, words, m);
    if (answer != MODEL_OK) {
      w->place.root = before[0];
      w->place.state = before[1];
      if (w->sources) break; /* first settle what the batch holds */
      if (answer == MODEL_WIDEN && widen(w, s) == 0) continue;
      if (answer != MODEL_WIDEN) search_refused(s, answer);
      return -1;
    }
    for (; faults < m->fault_count; faults++) m->faults[faults].source = (uint32_t)i;
    w->source[w->sources++] = (struct store_source){.ref = ref, .words = words, .trail = trail, .first = first, .end = m->count};
    w->waiting--;
  }
  return 0;
}

/* Notes where a state comes from; 0, or -1: that is not possible, or it is the one that was looked for. */
static int note_origin(struct search *s, uint64_t number, uint64_t parent, uint32_t edge) {
  struct sweep_errand *e = s->ways.errand;
  if (!e) return 0;
  if (edge >> SWEEP_EDGE_BITS || parent >> (64 - SWEEP_EDGE_BITS)) return -1;
  if (number < e->room && region_grow(&e->origins, (number + 1) * sizeof(uint64_t))) return -1;
  *sweep_origin(e, number) = parent << SWEEP_EDGE_BITS | edge;
  e->found = number + 1;
  if (number != e->target) return 0;
  e->number = number;
  s->stop = STOP_GOAL;
  return -1;
}

/* What listeners who want numbers call a state that the store knows. A store that remembers has them by itself. */
static uint64_t number_of(const struct sweep *w, store_ref ref) {
  if (!w->told_numbers) return STORE_NONE;
  return w->remembers ? ref : refmap_get(&w->number_of, ref);
}

/* And the n-th source, which is expanded in this turn. */
static store_ref name_of_source(const struct sweep *w, size_t n, uint64_t turn) { return w->told_numbers ? w->number[n] : turn | SWEEP_TURN; }

/* A new state finds its place. `skip`: nobody wants it expanded. 0, or -1: no memory. */
static int welcome(struct sweep *w, struct search *s, size_t i, uint64_t key, uint64_t number, int skip) {
  store_ref ref = w->batch.store.ref[i];
  const uint32_t *state = w->batch.store.states + i * w->batch.store.stride;
  s->skipped += (uint64_t)skip;
  w->waiting += !skip;
  if (w->told_numbers && !w->remembers && refmap_put(&w->number_of, ref, number)) return -1;
  if (w->at != NOBODY && key < w->line) {
    s->sweep.persistent++;
    return skip ? 0 : push(w, &w->next_roots, s, ref, number, state);
  }
  struct bucket *b = bucket_of(w, s, key);
  if (!b) return -1;
  return skip ? reflist_push(&b->left_out, s->mem, ref) : push(w, &b->states, s, ref, number, state);
}

/* Is this edge a regress edge? Of states that are known only persistent ones can be behind the line, unless the store remembers all of them. */
static int regress(struct sweep *w, struct search *s, size_t i, int *failed) {
  const struct store_batch *t = &w->batch.store;
  uint64_t key;
  if (s->sweep.persistent == 1 && !w->remembers && t->ref[i] != w->first) return 0;
  *failed = key_of(w, s, t->states + i * t->stride, &key);
  return !*failed && key < w->line;
}

/* What became of successor i of a source. 0, or -1 with stop set. */
static int settle_one(struct sweep *w, struct search *s, size_t source, size_t i, uint64_t turn) {
  const struct store_batch *t = &w->batch.store;
  uint32_t edge = (uint32_t)(i - w->source[source].first);
  int fresh = t->answer[i] == STORE_NEW, failed = 0, skip = 0;
  uint64_t number = fresh ? w->found : number_of(w, t->ref[i]), key = 0;
  s->stats.transitions++;
  if (fresh) failed = key_of(w, s, t->states + i * t->stride, &key);
  s->sweep.regress_edges += (uint64_t)(fresh ? key < w->line : regress(w, s, i, &failed));
  if (failed) return -1;
  if (fresh && note_origin(s, w->found++, w->number[source], edge)) return -1;
  if (search_wanted(s, EVENT_EDGE | EVENT_NEW | EVENT_SEEN)) {
    struct search_event event = {.kind = EVENT_EDGE,
                                 .state = number,
                                 .source = name_of_source(w, source, turn),
                                 .words = t->states + i * t->stride,
                                 .edge = edge,
                                 .group = w->batch.model.group[i]};
    enum listener_answer answer = search_wanted(s, EVENT_EDGE) ? search_tell(s, &event) : LISTEN_ON;
    event.kind = fresh ? EVENT_NEW : EVENT_SEEN;
    if (answer != LISTEN_GOAL && search_wanted(s, event.kind)) answer = search_tell(s, &event);
    if (answer == LISTEN_GOAL) return -1;
    skip = answer == LISTEN_SKIP;
  }
  return fresh ? welcome(w, s, i, key, number, skip) : 0;
}

/* What went wrong in the steps of a source, and that it is expanded. 0, or -1 with stop set. */
static int conclude(struct sweep *w, struct search *s, size_t source, uint64_t turn) {
  const struct model_batch *m = &w->batch.model;
  const struct store_source *from = &w->source[source];
  struct sweep_errand *e = s->ways.errand;
  if (e && e->target == (turn | SWEEP_TURN)) {
    e->number = w->number[source];
    s->stop = STOP_GOAL;
    return -1;
  }
  for (size_t i = 0; i < m->fault_count && search_wanted(s, EVENT_FAULT); i++)
    if (m->faults[i].source == source && search_tell_fault(s, m, &m->faults[i], from->first, name_of_source(w, source, turn), 0) == LISTEN_GOAL) return -1;
  search_count_expanded(s, from->words, from->end - from->first);
  if (!search_wanted(s, EVENT_EXPANDED)) return 0;
  struct search_event event = {
      .kind = EVENT_EXPANDED, .state = name_of_source(w, source, turn), .source = STORE_NONE, .successors = (uint32_t)(from->end - from->first), .words = from->words};
  return search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

/* Asks the store about the batch and passes the answers on. 0, or -1 with stop set. */
static int settle(struct sweep *w, struct search *s) {
  if (search_batch_ready(&w->batch, s)) return -1;
  struct store_batch *t = &w->batch.store;
  t->source = w->source;
  t->sources = w->sources;
  if (mem_left(s->mem) < t->count * PUSH_BYTES + SPARE && s->ladder && step_down(w, s, 0)) return -1; /* lists need room, too */
  size_t good = s->store->type->put_batch(s->store, t, 0);
  for (size_t k = 0; k < w->sources; k++) {
    uint64_t turn = s->stats.expanded;
    for (size_t i = w->source[k].first; i < w->source[k].end; i++) {
      while (i >= good) { /* full; all before it are settled, so that the store may change its form here */
        if (step_down(w, s, 1)) return -1;
        good = s->store->type->put_batch(s->store, t, i);
      }
      if (settle_one(w, s, k, i, turn)) return -1;
    }
    if (conclude(w, s, k, turn)) return -1;
  }
  return 0;
}

static void note_peak(struct sweep *w, struct search *s) {
  uint64_t states = w->remembers ? w->in_full : s->store->type->count(s->store);
  size_t bytes = s->store->type->bytes(s->store) + s->mem->tag_used[MEM_FRONTIER];
  if (states > s->sweep.peak_states) s->sweep.peak_states = states;
  if (bytes > s->sweep.peak_bytes) s->sweep.peak_bytes = bytes;
  s->waiting = w->waiting;
  if (w->waiting > s->stats.frontier_peak) s->stats.frontier_peak = w->waiting;
}

/* All states of the bucket at hand. 0, or -1 with stop set. */
static int expand_bucket(struct sweep *w, struct search *s) {
  memset(&w->place, 0, sizeof w->place);
  for (;;) {
    if (!search_may_go_on(s) || gather(w, s)) return -1;
    if (!w->sources) return 0;
    if (settle(w, s)) return -1;
    note_peak(w, s);
    if (s->store->restless && settle_store(w, s)) return -1;
    if (search_short_of_memory(s) && step_down(w, s, 0)) return -1;
  }
}

/* ---- sweeping ----------------------------------------------------------------------------------------------------------- */

/* The roots that the last sweep left go to their buckets. 0, or -1: no memory. */
static int place_roots(struct sweep *w, struct search *s) {
  struct crowd roots = w->next_roots;
  struct crowd_place at = {0};
  store_ref ref;
  uint64_t number, key;
  int status = 0, taken;
  w->next_roots = (struct crowd){0};
  while (!status && (taken = take_from(w, s, &roots, &at, &ref, &number, w->words, NULL))) {
    status = taken < 0 || key_of(w, s, w->words, &key) ? -1 : 0;
    struct bucket *b = status ? NULL : bucket_of(w, s, key);
    if (!b || push(w, &b->roots, s, ref, number, w->words)) status = -1;
  }
  w->in_full -= roots.full.count;
  close_crowd(&roots, s->mem);
  return status;
}

static int begin(struct sweep *w, struct search *s) {
  const struct model *measured = s->ways.measured ? s->ways.measured : s->model;
  heap_open(&w->keys, s->mem);
  refmap_open(&w->by_key, s->mem);
  refmap_open(&w->number_of, s->mem);
  region_open(&w->there, s->mem, MEM_SEARCH);
  w->at = NOBODY;
  w->remembers = !s->store->type->forget;
  w->told_numbers = search_wanted(s, EVENT_NUMBERS);
  w->numbered = w->told_numbers || s->ways.errand;
  w->record = (s->model->bits + 7) / 8 + !s->model->bits;
  w->source = mem_alloc(s->mem, MEM_SEARCH, SOURCES * sizeof *w->source);
  w->number = mem_alloc(s->mem, MEM_SEARCH, SOURCES * sizeof *w->number);
  uint64_t key;
  if (!w->source || !w->number || room_for_sources(w, s) || search_batch_open(&w->batch, s, 2 * GATHER)) return -1;
  if (measured->type->cursor_open(&w->cursor, measured, s->mem) || search_begin(s, w->words, &w->first) || key_of(w, s, w->words, &key)) return -1;
  s->sweep = (struct search_sweep){.persistent = 1};
  if (w->told_numbers && !w->remembers && refmap_put(&w->number_of, w->first, 0)) return -1;
  if (note_origin(s, w->found++, 0, 0)) return -1;
  struct search_event event = {.kind = EVENT_NEW, .state = 0, .source = STORE_NONE, .words = w->words};
  enum listener_answer answer = search_wanted(s, EVENT_NEW) ? search_tell(s, &event) : LISTEN_ON;
  s->skipped += answer == LISTEN_SKIP;
  if (answer == LISTEN_GOAL || answer == LISTEN_SKIP) return answer == LISTEN_GOAL ? -1 : 0;
  struct bucket *b = bucket_of(w, s, key);
  w->waiting++;
  return b ? push(w, &b->roots, s, w->first, 0, w->words) : -1;
}

static int sweep_run(struct search *s) {
  struct sweep *w = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *w);
  if (!w || begin(w, s)) return -1;
  do {
    s->sweep.sweeps++;
    while (w->keys.count) {
      w->line = heap_pop(&w->keys);
      w->at = (uint32_t)refmap_get(&w->by_key, w->line);
      if (expand_bucket(w, s)) return -1;
      pass(w, s);
      if (s->sweep.kept && s->ways.errand) return -1; /* it would lead elsewhere */
    }
    if (place_roots(w, s)) return -1;
  } while (w->keys.count);
  return 0;
}

static void sweep_close(struct search *s) {
  struct sweep *w = s->own;
  for (uint32_t i = 0; i < w->buckets; i++) close_bucket(&w->bucket[i], s->mem);
  close_crowd(&w->next_roots, s->mem);
  mem_free(s->mem, w->bucket);
  heap_close(&w->keys);
  refmap_close(&w->by_key);
  refmap_close(&w->number_of);
  region_close(&w->there);
  if (w->cursor) w->cursor->model->type->cursor_close(w->cursor);
  mem_free(s->mem, w->clean);
  if (w->batch.model.mem) search_batch_close(&w->batch, s);
  mem_free(s->mem, w->source);
  mem_free(s->mem, w->number);
  mem_free(s->mem, w->words);
  mem_free(s->mem, w->trail);
  mem_free(s->mem, w);
}

const struct search_type search_sweep = {
    .name = "sweep",
    .summary = "sweep-line: by a measure of progress, states behind it are forgotten",
    .measured = 1,
    .run = sweep_run,
    .path = sweep_path,
    .close = sweep_close,
};
