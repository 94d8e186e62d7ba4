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
#include "search/dfs_inside.h"

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

int dfs_widen(struct dfs *d, struct search *s) {
  struct search_move move = move_of(d, s);
  move.state = frame_at(d, d->depth - 1)->number;
  move.words = d->words;
  return search_widen(s, &move) || room_for_state(d, s) || room_for_trail(d, s) ? -1 : 0;
}

int dfs_settle_store(struct dfs *d, struct search *s) {
  struct search_move move = move_of(d, s);
  return search_settle_store(s, &move) || room_for_trail(d, s) ? -1 : 0;
}

int dfs_step_down(struct dfs *d, struct search *s, int full) {
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

/* Generates the successors of the state on top, and asks which are known. 0, or -1 with stop set. */
int dfs_generate(struct dfs *d, struct search *s) {
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
      if (status < 0 || dfs_step_down(d, s, 1)) return -1;
      continue;
    }
    if (answer != MODEL_WIDEN) {
      search_refused(s, answer);
      return -1;
    }
    if (dfs_widen(d, s)) return -1;
  }
}

/* Known ones are told, unknown ones wait. */
static int expand(struct dfs *d, struct search *s) {
  const struct model_batch *m = &d->batch.model;
  s->partial = UNEXPANDED;
  if (dfs_generate(d, s)) return -1;
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
      if (dfs_step_down(d, s, 1)) return -1;
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
  if (s->journal && s->journal->resuming) return dfs_replay(d, s);
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
    if (s->store->restless && dfs_settle_store(d, s)) return -1;
    if (search_short_of_memory(s) && dfs_step_down(d, s, 0)) return -1;
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
