/* rounds.c -- see rounds.h. */
#include "search/rounds.h"

#include "base/crew.h"
#include "search/strategy.h"

#include <assert.h>
#include <string.h>

enum {
  GATHER = 192,         /* successors that are asked about at once */
  SOURCES = 96,         /* states that they come from */
  PARTS = 16,           /* of a round, for each worker: who is done waits for half a part, on average */
  PART_SOURCES = 256,   /* of a part, at most */
  PART_BYTES = 1 << 20, /* of what it does not know, at most */
  MOST_ROOM = 10,       /* log2 of how many that are */
  FIRST_ROOM = 9,       /* while states are few: a run that needs little memory need not take much for this */
  FEW = 1 << 20,
  TEST_ROOM = 9,
  BUDGET_SHARE = 16     /* of the memory that is left, at most */
};

struct worker {
  struct model_cursor *cursor;
  struct search_batch batch;
  struct store_source *source;
  uint32_t *words, *trail;
  char line[64]; /* the next worker's is not on the same cache line */
};

struct part {
  struct round_part told;
  size_t first, end; /* sources that it was given */
  int stopped;       /* somebody could not go on */
  char line[64];     /* as of workers */
};

struct rounds {
  struct search *search;
  struct crew *crew;
  unsigned workers;
  struct worker *worker;
  struct part *part;
  size_t parts;
  struct store_round store;
  store_ref *ref;
  uint32_t words; /* of states, when memory was taken */
  size_t trail;
  int few;
  size_t stride, part_sources;
  size_t settled; /* parts of the present round */
  double kept; /* successors of a state that a part has to keep, of late; 0 = not known */
  uint64_t depth;
  atomic_size_t next;
};

int rounds_possible(const struct search *s) {
  return s->jobs > 1 && s->store->type->round_ask && s->model->type->share && !s->store->marking && !s->model->chance && !search_wanted(s, EVENT_EDGE | EVENT_SEEN);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void free_part(struct rounds *r, size_t i) {
  struct mem *mem = r->search->mem;
  struct part *p = &r->part[i];
  mem_free(mem, p->told.source);
  mem_free(mem, p->told.edge);
  mem_free(mem, p->told.group);
  mem_free(mem, p->told.concern);
  *p = (struct part){0};
}

static void free_room(struct rounds *r) {
  struct mem *mem = r->search->mem;
  for (size_t i = 0; i < r->parts; i++) free_part(r, i);
  store_round_close(&r->store, mem);
  for (unsigned i = 0; i < r->workers; i++) {
    struct worker *w = &r->worker[i];
    search_batch_close(&w->batch, r->search);
    mem_free(mem, w->source);
    mem_free(mem, w->words);
    mem_free(mem, w->trail);
    *w = (struct worker){.cursor = w->cursor};
  }
  mem_free(mem, r->ref);
  r->ref = NULL;
  r->words = 0;
}

/* What a part takes for each state that it does not know. */
static size_t per_state(const struct rounds *r) {
  const struct round_part *p = &r->part->told;
  return store_round_bytes(r->stride) + sizeof *p->edge + sizeof *p->group + sizeof *p->concern;
}

static int take_part(struct rounds *r, size_t i) {
  struct mem *mem = r->search->mem;
  struct part *p = &r->part[i];
  size_t room = (size_t)1 << r->store.room;
  p->told.unknown = &r->store.part[i];
  p->told.source = mem_alloc(mem, MEM_SEARCH, PART_SOURCES * sizeof *p->told.source);
  p->told.edge = mem_alloc(mem, MEM_SEARCH, room * sizeof *p->told.edge);
  p->told.group = mem_alloc(mem, MEM_SEARCH, room * sizeof *p->told.group);
  p->told.concern = mem_alloc(mem, MEM_SEARCH, room);
  return p->told.source && p->told.edge && p->told.group && p->told.concern ? 0 : -1;
}

static int take_worker(struct rounds *r, unsigned i) {
  struct search *s = r->search;
  struct worker *w = &r->worker[i];
  size_t stride = r->stride + 2;
  w->source = mem_alloc(s->mem, MEM_SEARCH, SOURCES * sizeof *w->source);
  w->words = mem_alloc(s->mem, MEM_SEARCH, SOURCES * stride * sizeof *w->words);
  w->trail = mem_alloc(s->mem, MEM_SEARCH, (SOURCES * r->trail + 1) * sizeof *w->trail);
  if (!w->source || !w->words || !w->trail || search_batch_open(&w->batch, s, 2 * GATHER)) return -1;
  if (w->cursor) return 0;
  if (s->model->type->cursor_open(&w->cursor, s->model, s->mem)) return -1;
  w->cursor->patience = &s->patience;
  return 0;
}

/* Memory for states as they are now. 0, or -1. */
static int take_room(struct rounds *r) {
  struct search *s = r->search;
  free_room(r);
  r->stride = model_stride(s->model->words);
  r->trail = s->store->trail_words;
  size_t share = mem_left(s->mem) / BUDGET_SHARE / r->parts, bytes = share < PART_BYTES ? share : PART_BYTES;
  unsigned room;
  r->few = s->stats.states < FEW;
  for (room = s->rounds_from ? TEST_ROOM : r->few ? FIRST_ROOM : MOST_ROOM; room && per_state(r) << room > bytes;) room--;
  if (per_state(r) > bytes || (size_t)1 << room < 2 * GATHER) return -1;
  if (store_round_open(&r->store, s->mem, r->crew, r->parts, room, r->stride, s->store->type->round_claims)) return -1;
  for (size_t i = 0; i < r->parts; i++)
    if (take_part(r, i)) return -1;
  for (unsigned i = 0; i < r->workers; i++)
    if (take_worker(r, i)) return -1;
  if (!(r->ref = mem_alloc(s->mem, MEM_SEARCH, r->parts * PART_SOURCES * sizeof *r->ref))) return -1;
  r->words = s->model->words;
  return 0;
}

int rounds_open(struct rounds **out, struct search *s) {
  struct rounds *r = mem_alloc(s->mem, MEM_SEARCH, sizeof *r);
  if (!r) return -1;
  r->search = s;
  r->workers = s->jobs;
  r->worker = mem_alloc(s->mem, MEM_SEARCH, r->workers * sizeof *r->worker);
  r->part = mem_alloc(s->mem, MEM_SEARCH, r->workers * PARTS * sizeof *r->part);
  r->parts = r->part ? r->workers * PARTS : 0;
  if (!r->worker || !r->part) {
    rounds_close(r);
    return -1;
  }
  if (s->model->type->share(s->model, r->workers, s->stats.expanded) || crew_open(&r->crew, r->workers, s->mem) || take_room(r)) {
    rounds_close(r);
    return -1;
  }
  s->model->type->share(s->model, 0, s->stats.expanded);
  s->crew = s->store->crew = r->crew;
  *out = r;
  return 0;
}

void rounds_close(struct rounds *r) {
  if (!r) return;
  struct search *s = r->search;
  if (r->worker) free_room(r);
  for (unsigned i = 0; i < r->workers && r->worker; i++)
    if (r->worker[i].cursor) s->model->type->cursor_close(r->worker[i].cursor);
  if (s->model->type->share) s->model->type->share(s->model, 0, 0);
  s->crew = NULL;
  if (s->store) s->store->crew = NULL;
  crew_close(r->crew);
  mem_free(s->mem, r->worker);
  mem_free(s->mem, r->part);
  mem_free(s->mem, r);
}

size_t rounds_room(struct rounds *r, store_ref **refs) {
  const struct search *s = r->search;
  if ((r->words != s->model->words || r->trail != s->store->trail_words || (s->store->type->round_claims && !r->store.claims.entry) || (r->few && s->stats.states >= FEW)) && take_room(r)) return 0;
  /* So many that what the store keeps of their successors, all of them at first, fits even if it is twice as much as of late. */
  double all = s->stats.expanded ? (double)s->stats.transitions / (double)s->stats.expanded : 4, usual = r->kept > 0 ? r->kept : all, room = (double)((size_t)1 << r->store.room);
  double most = (room - 2 * GATHER) / (2 * usual + 1);
  r->part_sources = most > PART_SOURCES ? PART_SOURCES : most < 8 ? 8 : (size_t)most;
  *refs = r->ref;
  return r->part_sources * r->parts;
}

size_t rounds_most(const struct rounds *r) { return r->parts << r->store.room; }

/* ---- a part ---------------------------------------------------------------------------------- */

static int concerns(const struct search *s, struct model_cursor *cursor, const struct search_event *event) {
  for (size_t i = 0; i < s->listener_count; i++) {
    struct listener *l = s->listeners[i];
    if (l->wants & event->kind && (!l->concerns || l->concerns(l, cursor, event))) return 1;
  }
  return 0;
}

/* Successors of some states of a part, from `at` on. Returns how many states, fewer if somebody cannot go on. */
static size_t gather(struct rounds *r, struct worker *w, struct part *p, size_t at) {
  const struct search *s = r->search;
  struct model_batch *m = &w->batch.model;
  size_t n = 0;
  m->count = m->fault_count = 0;
  for (; at + n < p->end && m->count < GATHER && n < SOURCES; n++) {
    uint32_t *words = w->words + n * (r->stride + 2), *trail = r->trail ? w->trail + n * r->trail : NULL;
    size_t first = m->count;
    p->stopped = s->store->type->round_peek(s->store, (unsigned)(w - r->worker), r->ref[at + n], words, trail) != 0 ||
                 s->model->type->successors(w->cursor, words, m) != MODEL_OK;
    if (!p->stopped && m->fault_count) { /* who stops at the first one must hear of it in time */
      m->count = first;
      m->fault_count = 0;
      p->stopped = 1;
    }
    if (p->stopped) break;
    w->source[n] = (struct store_source){.ref = r->ref[at + n], .words = words, .trail = trail, .first = first, .end = m->count};
  }
  return n;
}

static struct round_source expanded(struct rounds *r, struct worker *w, const struct store_source *from) {
  const struct search *s = r->search;
  struct round_source out = {.successors = (uint32_t)(from->end - from->first)};
  if (!out.successors) {
    unsigned labels = s->model->type->labels ? s->model->type->labels(s->model, from->words) : 0;
    out.deadlock = !(labels & MODEL_END);
  }
  if (search_wanted(s, EVENT_EXPANDED)) {
    struct search_event event = {.kind = EVENT_EXPANDED, .state = STORE_NONE, .source = STORE_NONE, .words = from->words, .successors = out.successors, .depth = r->depth};
    out.concern = concerns(s, w->cursor, &event) != 0;
  }
  return out;
}

static void ask_part(struct rounds *r, struct worker *w, size_t number) {
  struct search *s = r->search;
  struct part *p = &r->part[number];
  struct store_part *q = &r->store.part[number];
  size_t room = (size_t)1 << r->store.room;
  for (size_t at = p->first, n; at < p->end && !p->stopped; at += n) {
    n = gather(r, w, p, at);
    if (!n) return;
    if (q->count + w->batch.model.count > room || search_batch_ready(&w->batch, s)) {
      p->stopped = 1;
      return;
    }
    struct store_batch *b = &w->batch.store;
    b->source = w->source;
    b->sources = n;
    size_t asked = s->store->type->round_ask(s->store, &r->store, number, (unsigned)(w - r->worker), b);
    assert(asked == b->count);
    (void)asked;
    for (size_t k = 0; k < n; k++) {
      struct round_source told = expanded(r, w, &w->source[k]);
      for (size_t i = w->source[k].first; i < w->source[k].end; i++) {
        if (b->answer[i] != STORE_NEW) continue;
        p->told.edge[b->ref[i]] = (uint32_t)(i - w->source[k].first);
        p->told.group[b->ref[i]] = w->batch.model.group[i];
        told.unknown = (uint32_t)b->ref[i] + 1;
      }
      if (!told.unknown) told.unknown = p->told.sources ? p->told.source[p->told.sources - 1].unknown : 0;
      p->told.concerns |= told.concern;
      p->told.source[p->told.sources++] = told;
    }
  }
}

static void ask_parts(void *context, unsigned worker) {
  struct rounds *r = context;
  for (size_t i; (i = crew_next(&r->next, r->parts)) < r->parts;) ask_part(r, &r->worker[worker], i);
}

/* Whom do the new states concern? */
static void judge_part(struct rounds *r, struct worker *w, size_t number) {
  const struct store_part *q = &r->store.part[number];
  struct part *p = &r->part[number];
  for (size_t k = 0; k < q->count; k++) {
    struct search_event event = {.kind = EVENT_NEW, .state = STORE_NONE, .words = q->states + k * q->stride, .edge = p->told.edge[k], .group = p->told.group[k], .depth = r->depth + 1};
    p->told.concern[k] = q->answer[k] == STORE_FULL || (q->answer[k] == STORE_NEW && concerns(r->search, w->cursor, &event));
  }
}

static void judge_parts(void *context, unsigned worker) {
  struct rounds *r = context;
  for (size_t i; (i = crew_next(&r->next, r->parts)) < r->parts;) judge_part(r, &r->worker[worker], i);
}

/* ---- a round ----------------------------------------------------------------------------------- */

int64_t rounds_run(struct rounds *r, size_t n, uint64_t depth, size_t *done) {
  struct search *s = r->search;
  size_t each = (n + r->parts - 1) / r->parts, parts = 0;
  r->depth = depth;
  for (size_t i = 0; i < r->parts; i++) {
    struct part *p = &r->part[i];
    p->first = i * each < n ? i * each : n;
    p->end = p->first + each < n ? p->first + each : n;
    p->stopped = 0;
    p->told.sources = p->told.concerns = 0;
    r->store.part[i].count = 0;
  }
  if (s->store->type->round_begin(s->store, &r->store)) return -1;
  s->model->type->share(s->model, r->workers, s->stats.expanded);
  atomic_store(&r->next, 0);
  crew_run(r->crew, ask_parts, r);
  for (unsigned i = 0; i < r->workers && s->model->type->pool; i++) s->model->type->pool(s->cursor, r->worker[i].cursor);
  size_t kept = 0;
  *done = 0;
  while (parts < r->parts) {
    const struct part *p = &r->part[parts];
    *done += p->told.sources;
    kept += r->store.part[parts++].count;
    if (p->stopped) break;
  }
  if (*done) r->kept += ((double)kept / (double)*done - r->kept) / (r->kept > 0 ? 4 : 1);
  int bad = s->store->type->round_settle(s->store, &r->store, parts);
  if (!bad && search_wanted(s, EVENT_NEW)) {
    atomic_store(&r->next, 0);
    crew_run(r->crew, judge_parts, r);
  } else {
    for (size_t i = 0; i < parts; i++) memset(r->part[i].told.concern, 0, r->store.part[i].count);
  }
  r->settled = parts;
  s->model->type->share(s->model, 0, s->stats.expanded); /* the search goes on alone */
  return bad ? -1 : (int64_t)parts;
}

void rounds_finish(struct rounds *r, void (*meanwhile)(void *), void *context) {
  struct store *store = r->search->store;
  if (store->type->round_finish) store->type->round_finish(store, &r->store, r->settled, meanwhile, context);
  else if (meanwhile) meanwhile(context);
}

const struct round_part *rounds_part(const struct rounds *r, size_t part) { return &r->part[part].told; }
