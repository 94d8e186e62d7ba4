/* dfs.c -- depth-first: one path at a time, found early where violations lie deep.
 *
 * The stack is two arrays:
 *
 *   frames   | number | edge taken | its state | pending: first, end |   one per state on the path
 *   pending  successors of the states on the path that were unknown when they were generated,
 *            one after another, each with its edge index and group; a state that has been
 *            entered stays where it waited.  A state is kept as the bytes of its bits, or as its name where
 *            the store can name states that it does not hold yet (compact-tree): 8 bytes, and what was found out about it is not asked again
 *
 * All successors of a state are generated and looked up as one batch (the memory latencies
 * overlap); those already known are told at once and dropped, so only unknown ones wait.  A
 * waiting one may have become known when its turn comes: it is asked again when it is put.  That
 * is the true depth-first order, at the price of a second lookup for new states only.
 *
 * States that a listener puts off wait beside the stack in the same form, last in, first out (`later`).  When the stack is empty the last of them begins a new one, but stays
 * in its place, open, until it is the last again: until then stores that forget keep it (they are told to let it go when it leaves `later`, not when it leaves the stack). */
#include "search/search.h"

#include "base/rng.h"
#include "base/vec.h"
#include "search/journal.h"
#include "search/strategy.h"

#include <string.h>

struct frame {
  store_ref number;
  uint32_t edge;        /* by which it was entered */
  uint32_t at;          /* where its state lies among the pending ones */
  uint32_t first, next; /* pending successors: next .. first of the frame above */
};
enum { PENDING_MOST = UINT32_MAX - 1 }; /* more of them, at 16 bytes and more each, are more than memory holds */

struct pending {
  uint32_t edge, group;
};

struct edge { /* as it is told */
  struct pending is;
  uint64_t mark;
};

struct later { /* a state that was put off; the states themselves lie side by side elsewhere */
  store_ref number;
  uint64_t depth;
  int open; /* its turn has come: what it reaches is searched, or waits above it */
};

struct dfs {
  struct search *search;
  struct search_batch batch;
  struct region frames; /* struct frame[] */
  struct region states; /* pending states, `record` bytes each */
  struct region edges;  /* struct pending[] */
  struct region marks;  /* acceptance of those edges, where the model has any: mark_bytes each */
  size_t mark_bytes;
  struct region later;  /* struct later[] */
  struct region later_states; /* `record` bytes each */
  size_t put_off;       /* in use of those two */
  size_t depth;         /* frames in use */
  uint64_t below;       /* steps to the first state of the stack */
  int from_later;       /* that one was put off once */
  size_t waiting;       /* pending successors in use */
  size_t record; /* bytes of a pending state */
  int named;     /* they are names */
  uint32_t *words; /* of the state that was expanded last; behind it room for two others */
  size_t words_room;
  uint32_t *trail; /* what the store told about it */
  size_t trail_of; /* its place on the path; 0 = nothing is told */
  struct rng rng; /* for the order of successors, where one is wanted */
  int cut; /* a state at the depth limit was not expanded */
  struct journal *journal; /* that is told what happens; NULL = none, or states are being found again */
};
#define UNEXPANDED UINT64_MAX /* as what the journal knows of the state on top */

static struct frame *frame_at(struct dfs *d, size_t i) { return (struct frame *)(void *)d->frames.base + i; }
static struct pending *pending_at(struct dfs *d, size_t i) { return (struct pending *)(void *)d->edges.base + i; }

static uint64_t mark_at(const struct dfs *d, size_t i) {
  uint64_t mark = 0;
  if (d->mark_bytes) memcpy(&mark, d->marks.base + i * d->mark_bytes, d->mark_bytes);
  return mark;
}
static struct later *later_at(struct dfs *d, size_t i) { return (struct later *)(void *)d->later.base + i; }
enum { SPARE_SOURCE = 1, SPARE_STATE = 2 };

static store_ref name_in(const struct region *r, size_t i) {
  store_ref name;
  memcpy(&name, r->base + i * sizeof name, sizeof name);
  return name;
}

/* A state that waits in `r`, as the model wrote it; `spare` says where. */
static uint32_t *state_in(const struct dfs *d, const struct region *r, size_t i, unsigned spare) {
  size_t words = d->words_room / 3;
  uint32_t *out = d->words + spare * words;
  memset(out, 0, words * sizeof *out);
  if (d->named) d->search->store->type->get(d->search->store, name_in(r, i), out, NULL);
  else memcpy(out, r->base + i * d->record, d->record);
  return out;
}

static uint32_t *state_at(const struct dfs *d, size_t i, unsigned spare) { return state_in(d, &d->states, i, spare); }

static void keep_state(struct dfs *d, struct region *r, size_t i, const uint32_t *state, store_ref name) {
  if (d->named) memcpy(r->base + i * d->record, &name, sizeof name);
  else memcpy(r->base + i * d->record, state, d->record);
}

static int can_name(const struct store *t) { return t->type->name_batch != NULL; }

static size_t record_of(const struct model *m, const struct store *t) { return can_name(t) ? sizeof(store_ref) : m->bits ? (m->bits + 7) / 8 : 1; }

static int room_for_state(struct dfs *d, struct search *s) {
  size_t need = 3 * (model_stride(s->model->words) + 4);
  if (need <= d->words_room) return 0;
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, d->words, need * sizeof *w);
  if (!w) return -1;
  d->words = w;
  d->words_room = need;
  return 0;
}

/* Enters a state: a frame without pending successors yet. */
static int push(struct dfs *d, store_ref number, uint32_t edge, size_t at) {
  if (region_grow(&d->frames, (d->depth + 1) * sizeof(struct frame))) return -1;
  *frame_at(d, d->depth++) = (struct frame){number, edge, (uint32_t)at, (uint32_t)d->waiting, (uint32_t)d->waiting};
  return 0;
}

/* States get another store, in which those on the stack have other refs. */
static int move_frames(struct dfs *d, struct search *s, struct store *to, store_convert *convert) {
  size_t words = s->model->words;
  uint32_t *moved = mem_alloc(s->mem, MEM_SEARCH, (words + 6) * sizeof *moved);
  for (size_t i = 0; i < d->depth + d->put_off && moved; i++) {
    size_t k = i < d->depth ? i : i - d->depth;
    const uint32_t *state = i < d->depth ? state_at(d, frame_at(d, k)->at, SPARE_SOURCE) /* of the old width: there is room for that */
                                         : state_in(d, &d->later_states, k, SPARE_SOURCE);
    memset(moved, 0, words * sizeof *moved);
    if (convert) convert(s->model, state, moved);
    store_ref there = store_find(to, convert ? moved : state, s->model->words);
    *(i < d->depth ? &frame_at(d, k)->number : &later_at(d, k)->number) = there;
  }
  mem_free(s->mem, moved);
  return moved ? 0 : -1;
}

/* One waiting state, from the old form to the new one. */
static int move_waiting(struct dfs *d, struct region *r, size_t i, struct store *to, store_convert *convert, size_t record) {
  const struct model *m = d->search->model;
  const uint32_t *state = state_in(d, r, i, SPARE_SOURCE);
  if (convert) {
    uint32_t *wide = d->words + SPARE_STATE * (d->words_room / 3);
    memset(wide, 0, d->words_room / 3 * sizeof *wide);
    convert((void *)(uintptr_t)m, state, wide);
    state = wide;
  }
  if (can_name(to)) {
    store_ref name = store_name(to, state, m->words);
    memcpy(r->base + i * record, &name, record);
    return name == STORE_NONE ? -1 : 0;
  }
  memcpy(r->base + i * record, state, record);
  return 0;
}

/* All of them, in place: from the end if their records grow, so that they cover only what has moved. */
static int move_all_waiting(struct dfs *d, struct region *r, size_t count, struct store *to, store_convert *convert, size_t record) {
  if (region_grow(r, (count + 1) * record)) return -1;
  for (size_t i = 0; i < count; i++)
    if (move_waiting(d, r, record > d->record ? count - 1 - i : i, to, convert, record)) return -1;
  return 0;
}

/* States become wider or get another store. */
static int move_stack(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct dfs *d = context;
  if (to != s->store && move_frames(d, s, to, convert)) return -1;
  if (!convert && (to == s->store || !(d->named || can_name(to)))) return 0;
  size_t record = record_of(s->model, to);
  if (room_for_state(d, s) || move_all_waiting(d, &d->states, d->waiting, to, convert, record)) return -1;
  if (d->put_off && move_all_waiting(d, &d->later_states, d->put_off, to, convert, record)) return -1;
  d->record = record;
  d->named = can_name(to);
  return search_batch_restride(&d->batch, s);
}

/* Listeners that know states by their refs want to hear the new ones. */
static void tell_moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  struct search_event event = {.kind = EVENT_MOVED, .state = there, .source = old, .words = words};
  search_tell(((struct dfs *)context)->search, &event);
}

/* One move may follow another with nothing between them: a layout that becomes wider twice. */
static int tell_move(void *context, struct search *s, struct store *to) {
  struct search_event event = {.kind = EVENT_MOVED, .state = STORE_NONE, .source = STORE_NONE};
  (void)context, (void)to;
  search_tell(s, &event);
  return 0;
}

/* What the store is told about us when states move. */
static struct search_move move_of(struct dfs *d, struct search *s) {
  int heard = search_wanted(s, EVENT_MOVED) != 0;
  return (struct search_move){.move = move_stack, .context = d, .begin = heard ? tell_move : NULL, .moved = heard ? tell_moved : NULL};
}

static int room_for_trail(struct dfs *d, struct search *s) {
  d->trail_of = 0;
  if (!s->store->trail_words) return 0;
  uint32_t *trail = mem_resize(s->mem, MEM_SEARCH, d->trail, s->store->trail_words * sizeof *trail);
  if (trail) d->trail = trail;
  return trail ? 0 : -1;
}

static int widen(struct dfs *d, struct search *s) {
  struct search_move move = move_of(d, s);
  move.state = frame_at(d, d->depth - 1)->number;
  move.words = d->words;
  return search_widen(s, &move) || room_for_state(d, s) || room_for_trail(d, s) ? -1 : 0;
}

static int settle_store(struct dfs *d, struct search *s) {
  struct search_move move = move_of(d, s);
  return search_settle_store(s, &move) || room_for_trail(d, s) ? -1 : 0;
}

static int step_down(struct dfs *d, struct search *s, int full) {
  struct search_move move = move_of(d, s);
  return search_step_down(s, &move, full) || room_for_trail(d, s) ? -1 : 0;
}

/* Tells an edge and whether its target is new. */
static enum listener_answer tell_edge(struct search *s, store_ref source, store_ref target, const uint32_t *words,
                                      struct edge e, size_t depth, int fresh) {
  struct search_event event = {.kind = EVENT_EDGE,
                               .state = target,
                               .source = source,
                               .words = words,
                               .edge = e.is.edge,
                               .group = e.is.group,
                               .mark = e.mark,
                               .depth = depth};
  enum listener_answer answer = LISTEN_ON;
  s->stats.transitions++;
  if (search_wanted(s, EVENT_EDGE)) answer = search_tell(s, &event);
  event.kind = fresh ? EVENT_NEW : EVENT_SEEN;
  if (answer != LISTEN_GOAL && search_wanted(s, event.kind)) answer = search_tell(s, &event);
  return answer;
}

/* Which of the successors of the state on top are known? 1; 0: the store is full; -1: no memory. */
static int ask_successors(struct dfs *d, struct search *s, store_ref number) {
  if (search_batch_ready(&d->batch, s)) return -1;
  struct store_batch *t = &d->batch.store;
  struct store_source source = {.ref = number, .words = d->words, .trail = d->trail_of ? d->trail : NULL, .end = t->count};
  size_t asked = t->count;
  t->source = &source;
  t->sources = 1;
  if (d->named) asked = s->store->type->name_batch(s->store, t);
  else s->store->type->find_batch(s->store, t);
  t->sources = 0;
  return asked == t->count;
}

/* Entries i and k of an array change their places. */
static void exchange(uint8_t *base, size_t i, size_t k, size_t bytes) {
  for (uint8_t *a = base + i * bytes, *b = base + k * bytes, *end = a + bytes; a < end; a++, b++) {
    uint8_t spare = *a;
    *a = *b;
    *b = spare;
  }
}

/* Those that wait from `first` on change their places with each other, each order as likely as any other. */
static void shuffle(struct dfs *d, size_t first) {
  for (size_t n = d->waiting - first; n > 1; n--) {
    size_t i = first + n - 1, k = first + (size_t)rng_below(&d->rng, n);
    if (i == k) continue;
    exchange(d->states.base, i, k, d->record);
    exchange(d->edges.base, i, k, sizeof(struct pending));
    if (d->mark_bytes) exchange(d->marks.base, i, k, d->mark_bytes);
  }
}

static int room_for_pending(struct dfs *d, size_t count) {
  return d->waiting + count > PENDING_MOST || region_grow(&d->states, (d->waiting + count + 1) * d->record) || region_grow(&d->edges, (d->waiting + count) * sizeof(struct pending)) ||
                 region_grow(&d->marks, (d->waiting + count) * d->mark_bytes)
             ? -1
             : 0;
}

/* Successor i of the batch waits. */
static void await(struct dfs *d, size_t i, struct edge e) {
  const struct store_batch *t = &d->batch.store;
  keep_state(d, &d->states, d->waiting, t->states + i * t->stride, t->ref[i]);
  if (d->mark_bytes) memcpy(d->marks.base + d->waiting * d->mark_bytes, &e.mark, d->mark_bytes);
  *pending_at(d, d->waiting++) = e.is;
}

/* Generates the successors of the state on top, and asks which are known. 0, or -1 with stop set. */
static int generate(struct dfs *d, struct search *s) {
  struct model_batch *m = &d->batch.model;
  store_ref number;
  for (;;) {
    const struct frame *top = frame_at(d, d->depth - 1);
    number = top->number;
    if (!d->named || d->trail_of != d->depth) {
      d->trail_of = 0;
      if (s->store->trail_words && s->store->type->get(s->store, number, d->words, d->trail) == 0) d->trail_of = d->depth;
      else state_at(d, top->at, 0);
    }
    m->count = m->fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, d->words, m);
    if (answer == MODEL_OK) {
      int status = ask_successors(d, s, number);
      if (status > 0) return 0;
      if (status < 0 || step_down(d, s, 1)) return -1;
      continue;
    }
    if (answer != MODEL_WIDEN) {
      search_refused(s, answer);
      return -1;
    }
    if (widen(d, s)) return -1;
  }
}

/* Known ones are told, unknown ones wait. */
static int expand(struct dfs *d, struct search *s) {
  const struct model_batch *m = &d->batch.model;
  s->partial = UNEXPANDED;
  if (generate(d, s)) return -1;
  store_ref number = frame_at(d, d->depth - 1)->number;
  struct store_batch *t = &d->batch.store;
  if (room_for_pending(d, t->count)) return -1;
  search_count_expanded(s, d->words, t->count);
  for (size_t i = 0; i < m->fault_count && search_wanted(s, EVENT_FAULT); i++)
    if (search_tell_fault(s, m, &m->faults[i], 0, number, d->below + d->depth - 1) == LISTEN_GOAL) return -1;
  if (search_wanted(s, EVENT_EXPANDED)) {
    struct search_event event = {.kind = EVENT_EXPANDED,
                                 .state = number,
                                 .source = STORE_NONE,
                                 .words = d->words,
                                 .successors = (uint32_t)t->count,
                                 .depth = d->below + d->depth - 1};
    if (search_tell(s, &event) == LISTEN_GOAL) return -1;
  }
  size_t first = d->waiting;
  const uint64_t *mark = d->mark_bytes ? s->model->type->marks(s->cursor) : NULL;
  for (size_t i = 0; i < t->count; i++) {
    struct edge e = {{(uint32_t)i, m->group[i]}, mark ? mark[i] : 0};
    if (t->answer[i] == STORE_SEEN) {
      if (tell_edge(s, number, t->ref[i], t->states + i * t->stride, e, d->below + d->depth, 0) == LISTEN_GOAL) return -1;
      continue;
    }
    await(d, i, e);
  }
  if (s->ways.shuffle) shuffle(d, first);
  return 0;
}

/* A new state is put off: it leaves the stack, and is kept by stores that forget. */
static int put_off(struct dfs *d, store_ref number, const uint32_t *state, uint64_t depth) {
  if (region_grow(&d->later, (d->put_off + 1) * sizeof(struct later)) || region_grow(&d->later_states, (d->put_off + 2) * d->record)) return -1;
  keep_state(d, &d->later_states, d->put_off, state, number);
  *later_at(d, d->put_off++) = (struct later){number, depth, 0};
  d->depth--;
  return 0;
}

/* With the stack empty: the last state that was put off begins a new one; those whose turn is over go. 1, 0: there are no more, -1: memory. */
static int take_later(struct dfs *d, struct search *s) {
  for (; d->put_off; d->put_off--) {
    struct later *last = later_at(d, d->put_off - 1);
    if (!last->open) {
      last->open = d->from_later = 1;
      d->below = last->depth;
      d->waiting = 1;
      d->trail_of = 0; /* it is not the state that was entered last */
      memcpy(d->states.base, d->later_states.base + (d->put_off - 1) * d->record, d->record);
      return push(d, last->number, 0, 0) ? -1 : 1;
    }
    if (s->store->type->leave) s->store->type->leave(s->store, last->number);
  }
  return 0;
}

/* A successor on its way into the store. */
struct arrival {
  uint32_t *state;
  store_ref ref;
  enum store_answer answer;
};

/* It has a name: its state is had from the store, and with it what the next questions need. */
static struct arrival enter_by_name(struct dfs *d, struct search *s, size_t i) {
  struct arrival a = {.state = d->words, .ref = name_in(&d->states, i)};
  memset(a.state, 0, d->words_room / 3 * sizeof *a.state);
  s->store->type->get(s->store, a.ref, a.state, d->trail);
  a.answer = s->store->type->enter(s->store, a.ref, a.state);
  d->trail_of = a.answer == STORE_NEW ? d->depth + 1 : 0;
  return a;
}

/* *above: the state on top, once it was asked for. */
static struct arrival put_state(struct dfs *d, struct search *s, size_t i, const uint32_t **above) {
  const struct frame *top = frame_at(d, d->depth - 1);
  struct arrival a = {.state = state_at(d, i, SPARE_STATE)};
  if (!*above) *above = state_at(d, top->at, SPARE_SOURCE);
  struct store_source from = {.ref = top->number,
                              .words = *above,
                              .trail = d->trail_of == d->depth ? d->trail : NULL,
                              .end = 1,
                              .edge = pending_at(d, i)->edge};
  a.answer = store_put(s->store, a.state, s->model->words, &from, &a.ref);
  return a;
}

/* Takes the next pending successor of the top frame. 1: entered a new state; 0: none was new; -1: stop. */
static int descend(struct dfs *d, struct search *s) {
  size_t depth = d->depth; /* of a successor: frames are the states on the way to it */
  const uint32_t *above = NULL;
  while (frame_at(d, depth - 1)->next < d->waiting) {
    size_t i = frame_at(d, depth - 1)->next++;
    struct arrival a = d->named ? enter_by_name(d, s, i) : put_state(d, s, i, &above);
    s->partial = i - frame_at(d, depth - 1)->first;
    while (a.answer == STORE_FULL) {
      if (step_down(d, s, 1)) return -1;
      above = NULL; /* the move needed its place */
      a = d->named ? enter_by_name(d, s, i) : put_state(d, s, i, &above);
    }
    struct edge e = {*pending_at(d, i), mark_at(d, i)};
    store_ref source = frame_at(d, depth - 1)->number, ref = a.ref;
    enum store_answer answer = a.answer;
    const uint32_t *state = a.state;
    /* A new state is on the stack before it is told, so that its path can be asked for. */
    if (answer == STORE_NEW && push(d, ref, e.is.edge, i)) return -1;
    if (answer == STORE_NEW && d->journal) search_tell_journal(s, state, e.is.edge);
    enum listener_answer said = tell_edge(s, source, ref, state, e, d->below + depth, answer == STORE_NEW);
    if (said == LISTEN_GOAL) return -1;
    if (answer == STORE_SEEN) continue;
    if (said != LISTEN_ON && d->journal && !d->journal->why) d->journal->why = "some states are not expanded at once, which it cannot tell";
    if (said == LISTEN_LATER) {
      if (put_off(d, ref, state, d->below + depth)) return -1;
      continue;
    }
    if (said != LISTEN_SKIP) return 1;
    s->skipped++;
    d->depth--;
    if (s->store->type->leave) s->store->type->leave(s->store, ref);
  }
  return 0;
}

static int leave(struct dfs *d, struct search *s) {
  struct frame *top = frame_at(d, --d->depth);
  d->waiting = top->first;
  if (d->journal) journal_expanded(d->journal);
  if (s->store->type->leave && (d->depth || !d->from_later)) s->store->type->leave(s->store, top->number);
  if (!search_wanted(s, EVENT_BACKTRACK)) return 0;
  struct search_event event = {.kind = EVENT_BACKTRACK, .state = top->number, .source = STORE_NONE, .depth = d->below + d->depth};
  if (search_wanted(s, EVENT_WORDS)) event.words = state_at(d, top->at, SPARE_STATE);
  return search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

/* ---- going on from a journal --------------------------------------------------------------------------------------------- */

/* The journal is read twice: first to know which states are on the stack in the end, by their numbers; then to find all states again.  A state is a successor of the one on top, and put; only those that stay on the stack are
   expanded as well, when nothing is known but what was known then, so that the same successors wait.  Those that leave it lie behind what waits until they do. */
struct stay {
  struct vec(uint64_t) number; /* of the states that stay, in the order of the stack */
  size_t at;                   /* how many of them are there */
  int wrong;
};

static int find_stay(struct search *s, struct stay *stay) {
  uint32_t edge, witness;
  enum journal_event event;
  uint64_t found = 0;
  while ((event = journal_next(s->journal, &edge, &witness)) != JOURNAL_END) {
    if (event == JOURNAL_FOUND) {
      if (vec_push(&stay->number, s->mem, MEM_SEARCH, found)) return -1;
      found++;
    } else if (event == JOURNAL_DAMAGED || !stay->number.count) return stay->wrong = 1, -1;
    else stay->number.count--;
  }
  journal_rewind(s->journal);
  return 0;
}

/* The successor of the state on top, into the store. 0, or -1. */
static int put_again(struct dfs *d, struct search *s, struct stay *stay, uint32_t edge, uint32_t witness, store_ref *ref, uint32_t **state) {
  struct model_batch *m = &d->batch.model;
  for (;;) {
    const struct frame *top = frame_at(d, d->depth - 1);
    state_at(d, top->at, 0);
    d->trail_of = 0;
    m->count = m->fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, d->words, m);
    if (answer == MODEL_WIDEN) {
      if (widen(d, s)) return -1;
      continue;
    }
    if (answer != MODEL_OK) {
      search_refused(s, answer);
      return -1;
    }
    if (edge >= m->count) return stay->wrong = 1, -1;
    *state = m->states + edge * m->stride;
    uint32_t is = witness ? search_witness(s, *state) : 0;
    if (is && is != witness) return stay->wrong = 1, -1;
    struct store_source from = {.ref = top->number, .words = d->words, .end = 1, .edge = edge};
    enum store_answer put = store_put(s->store, *state, s->model->words, &from, ref);
    if (put == STORE_NEW) return 0;
    if (put == STORE_SEEN) return stay->wrong = 1, -1;
    if (step_down(d, s, 1)) return -1;
  }
}

/* Those that wait where the state on top has successors that nobody knows yet. */
static int await_again(struct dfs *d, struct search *s) {
  if (generate(d, s)) return -1;
  const struct store_batch *t = &d->batch.store;
  if (room_for_pending(d, t->count)) return -1;
  struct frame *top = frame_at(d, d->depth - 1);
  top->first = top->next = (uint32_t)d->waiting;
  for (size_t i = 0; i < t->count; i++)
    if (t->answer[i] != STORE_SEEN) await(d, i, (struct edge){{(uint32_t)i, d->batch.model.group[i]}, 0});
  return 0;
}

/* A state has come to the stack: as one that stays there, or for a while. */
static int enter_again(struct dfs *d, struct search *s, struct stay *stay, uint64_t number, uint32_t edge, const uint32_t *state, store_ref ref) {
  int stays = stay->at < stay->number.count && stay->number.at[stay->at] == number;
  size_t at = d->waiting;
  if (stays && d->depth) { /* it waits already */
    struct frame *top = frame_at(d, d->depth - 1);
    for (at = top->first; at < d->waiting && pending_at(d, at)->edge != edge;) at++;
    if (at == d->waiting) return stay->wrong = 1, -1;
    top->next = (uint32_t)at + 1;
    if (d->named) keep_state(d, &d->states, at, state, ref);
  } else if (d->depth) {
    if (room_for_pending(d, 1)) return -1;
    keep_state(d, &d->states, d->waiting++, state, ref);
  }
  if (d->depth && push(d, ref, edge, at)) return -1;
  if (!stays) return 0;
  stay->at++;
  int last = stay->at == stay->number.count;
  return last && s->journal->from.partial == UNEXPANDED ? 0 : await_again(d, s);
}

static int find_all(struct dfs *d, struct search *s, struct stay *stay) {
  uint32_t edge = 0, witness = 0, *state = d->words;
  enum journal_event event;
  if (find_stay(s, stay)) return -1;
  if (journal_next(s->journal, &edge, &witness) != JOURNAL_FOUND || (witness && search_witness(s, d->words) != witness)) return stay->wrong = 1, -1;
  uint64_t number = 0;
  if (!stay->number.count || stay->number.at[0] != 0) return stay->wrong = 1, -1; /* a search whose first state is done is over */
  stay->at = 1;
  if (!(stay->number.count == 1 && s->journal->from.partial == UNEXPANDED) && await_again(d, s)) return -1;
  for (unsigned steps = 0; (event = journal_next(s->journal, &edge, &witness)) != JOURNAL_END; steps++) {
    store_ref ref = STORE_NONE;
    if (steps % 64 == 0 && !search_may_rejoin(s)) return -1;
    if (s->store->restless && settle_store(d, s)) return -1;
    if (search_short_of_memory(s) && step_down(d, s, 0)) return -1;
    if (event == JOURNAL_DAMAGED) return stay->wrong = 1, -1;
    if (event == JOURNAL_EXPANDED) {
      if (d->depth <= stay->at) return stay->wrong = 1, -1;
      d->waiting = frame_at(d, --d->depth)->at; /* it lay behind those that wait */
      continue;
    }
    if (put_again(d, s, stay, edge, witness, &ref, &state) || enter_again(d, s, stay, ++number, edge, state, ref)) return -1;
  }
  struct frame *top = frame_at(d, d->depth - 1);
  if (stay->at != stay->number.count || stay->at != d->depth) return stay->wrong = 1, -1;
  if (s->journal->from.partial == UNEXPANDED) return 0;
  if (s->journal->from.partial > d->waiting - top->first) return stay->wrong = 1, -1;
  top->next = top->first + (uint32_t)s->journal->from.partial;
  return 0;
}

static int replay(struct dfs *d, struct search *s) {
  struct stay stay = {.at = 0};
  int status = find_all(d, s, &stay);
  vec_free(&stay.number, s->mem);
  if (status) return search_not_rejoined(s, stay.wrong);
  if (search_rejoined(s)) return -1;
  d->journal = s->journal;
  return 0;
}

static int begin(struct dfs *d, struct search *s) {
  region_open(&d->frames, s->mem, MEM_FRONTIER);
  region_open(&d->states, s->mem, MEM_FRONTIER);
  region_open(&d->edges, s->mem, MEM_FRONTIER);
  region_open(&d->marks, s->mem, MEM_FRONTIER);
  region_open(&d->later, s->mem, MEM_FRONTIER);
  region_open(&d->later_states, s->mem, MEM_FRONTIER);
  store_ref ref;
  if (room_for_state(d, s) || search_batch_open(&d->batch, s, 256) || search_begin(s, d->words, &ref)) return -1;
  d->record = record_of(s->model, s->store);
  d->named = can_name(s->store);
  if (search_wanted(s, EVENT_MARKS)) d->mark_bytes = (s->model->type->sets(s->model) + 7) / 8;
  if (region_grow(&d->states, d->record * 2) || region_grow(&d->edges, sizeof(struct pending))) return -1;
  if (room_for_trail(d, s)) return -1;
  keep_state(d, &d->states, 0, d->words, ref);
  d->waiting = 1; /* the initial state lies there as if it had waited */
  if (push(d, ref, 0, 0)) return -1;
  s->partial = UNEXPANDED;
  if (s->journal && s->journal->resuming) return replay(d, s);
  d->journal = s->journal;
  if (d->journal) search_tell_journal(s, d->words, 0);
  if (!search_wanted(s, EVENT_NEW)) return 0;
  struct search_event event = {.kind = EVENT_NEW, .state = ref, .source = STORE_NONE, .words = d->words};
  enum listener_answer said = search_tell(s, &event);
  if (said == LISTEN_SKIP) {
    s->skipped++;
    d->depth = 0;
  }
  if (said == LISTEN_LATER && put_off(d, ref, d->words, 0)) return -1;
  return said == LISTEN_GOAL ? -1 : 0;
}

/* Expands the top state unless it lies at the depth limit. */
static int enter(struct dfs *d, struct search *s) {
  uint64_t steps = d->below + d->depth - 1;
  if (steps > s->stats.depth) s->stats.depth = steps;
  if (s->limits.depth && steps >= s->limits.depth) {
    d->cut = 1;
    return 0;
  }
  return expand(d, s);
}

static int dfs_run(struct search *s) {
  struct dfs *d = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *d);
  if (!d) return -1;
  d->search = s;
  d->rng.state = s->ways.seed;
  if (begin(d, s)) return -1;
  if (d->depth && s->partial == UNEXPANDED && enter(d, s)) return -1;
  for (unsigned steps = 0; d->depth || d->put_off; steps++) {
    if (!d->depth) {
      int more = take_later(d, s);
      if (more < 0 || (more && enter(d, s))) return -1;
      if (!more) break;
    }
    s->partial = frame_at(d, d->depth - 1)->next - frame_at(d, d->depth - 1)->first;
    if (d->journal && steps % 64 == 0 && journal_due(d->journal)) search_seal(s);
    int near = s->limits.states && s->store->type->count(s->store) >= s->limits.states;
    if ((near || steps % 64 == 0) && !search_may_go_on(s)) return -1;
    if (s->store->restless && settle_store(d, s)) return -1;
    if (search_short_of_memory(s) && step_down(d, s, 0)) return -1;
    int went = descend(d, s);
    if (went < 0 || (went ? enter(d, s) : leave(d, s))) return -1;
    if (d->waiting > s->stats.frontier_peak) s->stats.frontier_peak = d->waiting;
  }
  if (d->cut) s->stop = STOP_DEPTH;
  return d->cut ? -1 : 0;
}

/* The stack is the path: asked while `ref` is on it. */
static int dfs_path(struct search *s, store_ref ref, struct search_path *out) {
  struct dfs *d = s->own;
  size_t n = d->depth;
  while (n && frame_at(d, n - 1)->number != ref) n--;
  if (!n) return -1;
  out->edge = mem_alloc(s->mem, MEM_SEARCH, n * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, n * sizeof *out->state);
  if (!out->edge || !out->state) return -1;
  out->count = n - 1;
  for (size_t i = 0; i < n; i++) {
    if (i) out->edge[i - 1] = frame_at(d, i)->edge;
    out->state[i] = frame_at(d, i)->number;
  }
  return 0;
}

static void dfs_close(struct search *s) {
  struct dfs *d = s->own;
  region_close(&d->frames);
  region_close(&d->states);
  region_close(&d->edges);
  region_close(&d->marks);
  region_close(&d->later);
  region_close(&d->later_states);
  search_batch_close(&d->batch, s);
  mem_free(s->mem, d->words);
  mem_free(s->mem, d->trail);
  mem_free(s->mem, d);
}

const struct search_type search_dfs = {
    .name = "dfs",
    .summary = "depth-first: finds deep violations early, longer counterexamples",
    .run = dfs_run,
    .path = dfs_path,
    .close = dfs_close,
};
