/* best.c -- directed searches: the state that seems nearest to a violation is expanded next.
 *
 *   best    greedy: by distance alone (distance.h).  With several lists (deadlocks, assertions, expressions) each state waits in all of them, and the search takes
 *           turns.  A turn is a dive: from the nearest state of all to its nearest new successor, and so on, until there is none, or until nothing nearer
 *           was met for a while (`patience`); then as many states are taken from the queue, nearest first, and the next dive has twice the patience.  Dives
 *           cross the hills that a distance has where the way to a violation leads through states that look worse; the queue keeps
 *           dives that go nowhere from costing more than half of the time.  Of equally near states the queue gives the one found last.
 *   astar   by depth plus distance.  Where the distance is a bound the first violation has a shortest run: a bound counts expansions, the state's own
 *           included, so a state that is taken from the queue with depth g and bound h says that nothing can be decided by fewer than g + h
 *           expansions on one run, and what its expansion decides has taken g + 1 <= g + h.  Bounds fall by one at most in a step, so
 *           a state that was expanded needs no second look; one that still waits gets its new, shorter depth and is entered again.
 *
 * Both are complete and exact if nothing stops them: every state is expanded once, whatever the distance says.
 *
 *   origin   | predecessor | edge | depth | expanded |   12 bytes per state, by number: paths
 *   heaps    | distance 32 | ~number 32 |                8 bytes per waiting state and list
 *   waiting  refs or states, as the store needs it (waiting.h)
 *
 * Tried, on BEEM's 51 models with deadlocks (states expanded, geometric mean; make bench-errors): no dives 362, dives without end 221, a patience of 32 258, of 256 198; depth-first
 * search needs 245 there, and breadth-first search 10,800. */
#include "search/search.h"

#include "search/heap.h"
#include "search/refmap.h"
#include "search/strategy.h"
#include "search/waiting.h"

#include <string.h>

#define NOBODY UINT32_MAX
#define NO_KEY UINT64_MAX
#define MOST_STATES (UINT32_MAX - 1)
enum { DEPTH_MOST = INT32_MAX, PATIENCE = 256 };

struct origin {
  uint32_t parent, edge;
  uint32_t depth : 31, expanded : 1;
};

struct best {
  struct search *search;
  struct search_batch batch;
  struct region origins;
  struct waiting waiting;
  struct heap heap[DISTANCE_LISTS];
  size_t lists, list; /* of distances; whose turn it is */
  struct dive {
    uint32_t to;          /* the nearest of the new successors; NOBODY = there is none */
    uint64_t key, least;  /* its distance; the least of this dive */
    uint64_t idle, patience, rest; /* states since then; how many of them are too many; states still to be taken from the queue */
  } dive;
  int by_depth;           /* astar */
  struct refmap numbers;  /* astar, where the store's refs are no numbers: of the states that wait */
  int knows_numbers;      /* of a state that is seen again */
  uint64_t found, queued; /* states; those that wait */
  uint32_t *words, *trail; /* of the state being expanded */
  int cut;                /* a state at the depth limit was not expanded */
};

static struct origin *origin_at(const struct best *b, uint64_t number) { return (struct origin *)(void *)b->origins.base + number; }

static int numbered(const struct search *s) { return (s->store->type->caps & STORE_ORDER) != 0; }

static int room_for_state(struct best *b, struct search *s) {
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, b->words, (model_stride(s->model->words) + 4) * sizeof *w);
  if (!w) return -1;
  b->words = w;
  if (!s->store->trail_words) return 0;
  if (!(w = mem_resize(s->mem, MEM_SEARCH, b->trail, s->store->trail_words * sizeof *w))) return -1;
  b->trail = w;
  return 0;
}

/* ---- moving ----------------------------------------------------------------------------------------------------------- */

static int waits(void *context, uint32_t number) { return !origin_at(context, number)->expanded; }

/* The numbers of waiting states by their new names. */
static int know_numbers(struct best *b, struct search *s, const struct store *store) {
  refmap_close(&b->numbers);
  refmap_open(&b->numbers, s->mem);
  b->knows_numbers = (store->type->caps & STORE_ORDER) != 0;
  if (!b->by_depth || b->knows_numbers || b->waiting.kind != WAITING_REFS) return 0;
  for (uint64_t i = 0; i < b->found; i++)
    if (waits(b, (uint32_t)i) && refmap_put(&b->numbers, ((uint64_t *)(void *)b->waiting.where.base)[i], i)) return -1;
  b->knows_numbers = 1;
  return 0;
}

static int begin_move(void *context, struct search *s, struct store *to) {
  struct best *b = context;
  return waiting_begin_move(&b->waiting, s, to, b->found);
}

static void moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  (void)words;
  waiting_moved(&((struct best *)context)->waiting, old, there);
}

static int move(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct best *b = context;
  if (waiting_move(&b->waiting, s, to, convert, b->found, waits, b)) return -1;
  return to == s->store ? 0 : know_numbers(b, s, to);
}

static struct search_move moving(struct best *b) { return (struct search_move){.move = move, .begin = begin_move, .moved = moved, .context = b}; }

static int widen(struct best *b, struct search *s, uint32_t number) {
  struct search_move m = moving(b);
  m.state = number;
  m.words = b->words;
  return search_widen(s, &m) || room_for_state(b, s) || search_batch_restride(&b->batch, s) ? -1 : 0;
}

static int step_down(struct best *b, struct search *s, int full) {
  struct search_move m = moving(b);
  uint32_t *trail = b->trail;
  if (search_step_down(s, &m, full)) return -1;
  if (!s->store->trail_words) return 0;
  trail = mem_resize(s->mem, MEM_SEARCH, trail, s->store->trail_words * sizeof *trail);
  if (trail) b->trail = trail;
  return trail ? 0 : -1;
}

static int settle_store(struct best *b, struct search *s) {
  struct search_move m = moving(b);
  return search_settle_store(s, &m) || room_for_state(b, s) ? -1 : 0;
}

/* ---- the queue -------------------------------------------------------------------------------------------------------- */

/* Room for so many more states. 0, or -1: no memory. */
static int reserve(struct best *b, size_t more) {
  if (b->found + more >= MOST_STATES || region_grow(&b->origins, (b->found + more) * sizeof(struct origin)) || waiting_reserve(&b->waiting, b->found, more)) return -1;
  for (size_t k = 0; k < b->lists; k++)
    if (heap_reserve(&b->heap[k], more)) return -1;
  return 0;
}

static void queue(struct best *b, const struct search *s, uint32_t number, const uint32_t *state) {
  uint32_t far[DISTANCE_LISTS] = {0};
  struct distance *d = s->ways.distance;
  if (d) d->value(d, state, far);
  for (size_t k = 0; k < b->lists; k++) {
    uint64_t key = far[k];
    if (b->by_depth) key += origin_at(b, number)->depth;
    if (key > UINT32_MAX) key = UINT32_MAX;
    heap_push(&b->heap[k], key << 32 | (uint32_t)~number);
    if (k == b->list && key < b->dive.key) {
      b->dive.to = number;
      b->dive.key = key;
    }
  }
}

/* A new state gets its number and its place. 0, or -1: no memory. */
static int welcome(struct best *b, struct search *s, store_ref ref, const uint32_t *state, struct origin origin) {
  uint32_t number = (uint32_t)b->found++;
  *origin_at(b, number) = origin;
  waiting_add(&b->waiting, number, ref, state);
  b->queued++;
  if (b->by_depth && !numbered(s) && b->knows_numbers && refmap_put(&b->numbers, ref, number)) return -1;
  queue(b, s, number, state);
  return 0;
}

/* It waits no longer, and is or will not be expanded. */
static void leave(struct best *b, struct search *s, uint32_t number) {
  if (b->by_depth && !numbered(s) && b->knows_numbers && b->waiting.kind == WAITING_REFS) refmap_remove(&b->numbers, ((uint64_t *)(void *)b->waiting.where.base)[number]);
  waiting_remove(&b->waiting, number);
  origin_at(b, number)->expanded = 1;
  b->queued--;
}

/* Does the dive go on? It has `key` before it. */
static int diving(struct best *b) {
  struct dive *d = &b->dive;
  if (b->by_depth || d->to == NOBODY || d->rest || origin_at(b, d->to)->expanded) return 0; /* a listener may have told to leave it out */
  if (d->key < d->least) {
    d->least = d->key;
    d->idle = 0;
  }
  if (d->idle++ < d->patience) return 1;
  d->rest = d->patience;
  d->patience *= 2;
  return 0;
}

/* The state whose turn it is: 1, or 0: none waits. */
static int next(struct best *b, uint32_t *number) {
  struct dive *d = &b->dive;
  int on = diving(b);
  *number = d->to;
  d->to = NOBODY;
  d->key = NO_KEY;
  if (on) return 1;
  d->rest -= d->rest > 0;
  d->least = NO_KEY;
  d->idle = 0;
  b->list = (b->list + 1) % b->lists;
  for (struct heap *h = &b->heap[b->list]; h->count;) {
    *number = ~(uint32_t)heap_pop(h);
    if (!origin_at(b, *number)->expanded) return 1;
  }
  return 0;
}

/* astar: a state that waits was reached by a shorter way. 0, or -1: no memory. */
static int shorten(struct best *b, struct search *s, uint64_t number, const uint32_t *state, struct origin origin) {
  struct origin *o = origin_at(b, number);
  if (o->expanded || o->depth <= origin.depth) return 0;
  if (heap_reserve(&b->heap[0], 1)) return -1;
  *o = origin;
  queue(b, s, (uint32_t)number, state);
  return 0;
}

/* ---- expanding -------------------------------------------------------------------------------------------------------- */

/* The successors of a state, in the batch. 0, or -1 with stop set. */
static int generate(struct best *b, struct search *s, uint32_t number, store_ref *ref) {
  struct model_batch *m = &b->batch.model;
  for (;;) {
    if (waiting_get(&b->waiting, s, number, b->words, ref, s->store->trail_words ? b->trail : NULL)) return -1;
    m->count = m->fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, b->words, m);
    if (answer == MODEL_OK) return search_batch_ready(&b->batch, s);
    if (answer != MODEL_WIDEN) {
      search_refused(s, answer);
      return -1;
    }
    if (widen(b, s, number)) return -1;
  }
}

/* What became of successor i. 0, or -1 with stop set. */
static int settle_one(struct best *b, struct search *s, uint32_t source, size_t i) {
  const struct store_batch *t = &b->batch.store;
  uint32_t *state = t->states + i * t->stride;
  struct origin origin = {.parent = source, .edge = (uint32_t)i, .depth = origin_at(b, source)->depth + 1};
  int fresh = t->answer[i] == STORE_NEW;
  uint64_t number = fresh ? b->found : numbered(s) ? t->ref[i] : b->by_depth && b->knows_numbers && t->ref[i] != STORE_NONE ? refmap_get(&b->numbers, t->ref[i]) : STORE_NONE;
  s->stats.transitions++;
  if (fresh && welcome(b, s, t->ref[i], state, origin)) return -1;
  if (!fresh && b->by_depth && number < b->found && shorten(b, s, number, state, origin)) return -1;
  if (!search_wanted(s, EVENT_EDGE | EVENT_NEW | EVENT_SEEN)) return 0;
  struct search_event event = {.kind = EVENT_EDGE,
                               .state = number,
                               .source = source,
                               .words = state,
                               .edge = (uint32_t)i,
                               .group = b->batch.model.group[i],
                               .depth = origin.depth};
  enum listener_answer answer = search_wanted(s, EVENT_EDGE) ? search_tell(s, &event) : LISTEN_ON;
  event.kind = fresh ? EVENT_NEW : EVENT_SEEN;
  if (answer != LISTEN_GOAL && search_wanted(s, event.kind)) answer = search_tell(s, &event);
  if (answer == LISTEN_GOAL) return -1;
  if (answer == LISTEN_SKIP && fresh) {
    leave(b, s, (uint32_t)number);
    s->skipped++;
  }
  return 0;
}

/* Tells what went wrong, and that the state is expanded. 0, or -1 with stop set. */
static int conclude(struct best *b, struct search *s, uint32_t number) {
  const struct model_batch *m = &b->batch.model;
  uint32_t depth = origin_at(b, number)->depth;
  for (size_t i = 0; i < m->fault_count && search_wanted(s, EVENT_FAULT); i++)
    if (search_tell_fault(s, m, &m->faults[i], 0, number, depth) == LISTEN_GOAL) return -1;
  search_count_expanded(s, b->words, m->count);
  if (!search_wanted(s, EVENT_EXPANDED)) return 0;
  struct search_event event = {
      .kind = EVENT_EXPANDED, .state = number, .source = STORE_NONE, .successors = (uint32_t)m->count, .words = b->words, .depth = depth};
  return search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

static int expand(struct best *b, struct search *s, uint32_t number) {
  struct store_source source = {0};
  struct store_batch *t = &b->batch.store;
  if (generate(b, s, number, &source.ref)) return -1;
  leave(b, s, number);
  source.words = b->words;
  source.trail = s->store->trail_words ? b->trail : NULL;
  source.end = t->count;
  t->source = &source;
  t->sources = source.ref != STORE_NONE;
  while (reserve(b, t->count)) {
    if (step_down(b, s, 1)) return -1;
    t->sources = 0;
  }
  size_t good = s->store->type->put_batch(s->store, t, 0);
  for (size_t i = 0; i < t->count; i++) {
    while (i >= good) { /* full; all before it are settled, so that the store may change its form here */
      if (step_down(b, s, 1) || waiting_reserve(&b->waiting, b->found, t->count)) return -1;
      t->sources = 0;
      good = s->store->type->put_batch(s->store, t, i);
    }
    if (settle_one(b, s, number, i)) return -1;
  }
  return conclude(b, s, number);
}

/* ---- the search ------------------------------------------------------------------------------------------------------- */

static int begin(struct best *b, struct search *s) {
  region_open(&b->origins, s->mem, MEM_SEARCH);
  waiting_open(&b->waiting, s);
  b->by_depth = s->type == &search_astar;
  b->dive = (struct dive){.to = NOBODY, .key = NO_KEY, .least = NO_KEY, .patience = PATIENCE};
  b->lists = s->ways.distance && !b->by_depth ? s->ways.distance->lists : 1;
  for (size_t k = 0; k < b->lists; k++) heap_open(&b->heap[k], s->mem);
  refmap_open(&b->numbers, s->mem);
  store_ref ref;
  if (know_numbers(b, s, s->store) || room_for_state(b, s) || search_batch_open(&b->batch, s, 256) || reserve(b, 1) || search_begin(s, b->words, &ref)) return -1;
  /* of a state that some lossy stores have seen nothing is known, and its way cannot become shorter */
  s->shortest = b->by_depth && (!s->ways.distance || s->ways.distance->bound) && s->store->type->caps & STORE_EXACT && b->knows_numbers;
  if (welcome(b, s, ref, b->words, (struct origin){0})) return -1;
  if (!search_wanted(s, EVENT_NEW)) return 0;
  struct search_event event = {.kind = EVENT_NEW, .state = 0, .source = STORE_NONE, .words = b->words};
  enum listener_answer answer = search_tell(s, &event);
  if (answer == LISTEN_SKIP) {
    leave(b, s, 0);
    s->skipped++;
  }
  return answer == LISTEN_GOAL ? -1 : 0;
}

static int best_run(struct search *s) {
  struct best *b = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *b);
  uint32_t number;
  if (!b) return -1;
  b->search = s;
  if (begin(b, s)) return -1;
  for (unsigned steps = 0; next(b, &number); steps++) {
    int near = s->limits.states && b->found >= s->limits.states;
    if ((near || steps % 64 == 0) && !search_may_go_on(s)) return -1;
    uint64_t depth = origin_at(b, number)->depth;
    if (depth > s->stats.depth) s->stats.depth = depth;
    if (depth == DEPTH_MOST || (s->limits.depth && depth >= s->limits.depth)) {
      leave(b, s, number);
      b->cut = 1;
      continue;
    }
    if (expand(b, s, number)) return -1;
    if (s->store->restless && settle_store(b, s)) return -1;
    s->waiting = b->queued;
    if (b->queued > s->stats.frontier_peak) s->stats.frontier_peak = b->queued;
    if (search_short_of_memory(s) && step_down(b, s, 0)) return -1;
  }
  if (b->cut) s->stop = STOP_DEPTH;
  return b->cut ? -1 : 0;
}

static int best_path(struct search *s, store_ref number, struct search_path *out) {
  const struct best *b = s->own;
  if (number >= b->found) return -1;
  size_t length = origin_at(b, number)->depth;
  out->edge = mem_alloc(s->mem, MEM_SEARCH, length * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, (length + 1) * sizeof *out->state);
  if (!out->edge || !out->state) return -1;
  out->count = length;
  out->state[length] = number;
  while (length--) {
    out->edge[length] = origin_at(b, number)->edge;
    out->state[length] = number = origin_at(b, number)->parent;
  }
  return 0;
}

static void best_close(struct search *s) {
  struct best *b = s->own;
  region_close(&b->origins);
  waiting_close(&b->waiting);
  for (size_t k = 0; k < b->lists; k++) heap_close(&b->heap[k]);
  refmap_close(&b->numbers);
  search_batch_close(&b->batch, s);
  mem_free(s->mem, b->words);
  mem_free(s->mem, b->trail);
  mem_free(s->mem, b);
}

const struct search_type search_best = {
    .name = "best",
    .summary = "greedy best-first: where a violation seems near; finds it early",
    .directed = 1,
    .run = best_run,
    .path = best_path,
    .close = best_close,
};

const struct search_type search_astar = {
    .name = "astar",
    .summary = "A*: by steps so far and steps still needed at least; shortest counterexamples",
    .directed = 1,
    .run = best_run,
    .path = best_path,
    .close = best_close,
};
