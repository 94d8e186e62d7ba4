/* spread.c -- see spread.h. */
#include "mpi/spread.h"

#include "base/clock.h"
#include "base/hash.h"
#include "search/stepper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GATHER = 192, SOURCES = 96, TAKE = 8, SAME_STEPS = 64 };

/* ---- opening and closing what a search holds --------------------------------------------------------------------------------------- */

static int room_for_sources(struct spread *p, struct search *s) {
  p->stride = model_stride(s->model->words) + 2;
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, p->words, SOURCES * p->stride * sizeof *w);
  if (!w) return -1;
  p->words = w;
  return 0;
}

static int settle_states(void *context);
static int wider(void *context);

/* Everything but the store, empty. 0 or -1. */
static int open_parts(struct spread *p, struct search *s) {
  p->next = p->found = p->layer_end = p->depth = p->sources = 0;
  frontier_open(&p->frontier, s->store, s->model->words, s->model->bits, s->mem);
  backedges_open(&p->back, s->mem);
  p->open = 1;
  return 0;
}

static void close_parts(struct spread *p) {
  if (!p->open) return;
  if (p->receiving) frontier_receive_end(&p->reception, &p->frontier);
  p->receiving = p->open = 0;
  frontier_close(&p->frontier);
  backedges_close(&p->back);
}

static int open_spread(struct spread *p, struct search *s) {
  p->number = mem_alloc(s->mem, MEM_SEARCH, SOURCES * sizeof *p->number);
  p->first = mem_alloc(s->mem, MEM_SEARCH, (SOURCES + 1) * sizeof *p->first);
  if (!p->number || !p->first || exchange_open(&p->x, s, p->ranks, settle_states, s) || search_batch_open(&p->batch, s, 2 * GATHER) || room_for_sources(p, s)) return -1;
  p->x.wider = wider;
  keep_open(&p->keep, s);
  return open_parts(p, s);
}

/* ---- states that change their form or their store: what waits goes with them --------------------------------------------------------- */

static int begin_move(void *context, struct search *s, struct store *to) {
  struct spread *p = context;
  if (p->frontier.kind != FRONTIER_IN_STORE || to == s->store) return 0;
  p->receiving = frontier_receive_begin(&p->reception, &p->frontier, to, s->model->words, s->model->bits) == 0;
  return p->receiving ? 0 : -1;
}

static void moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  struct spread *p = context;
  if (p->receiving) frontier_receive(&p->reception, old, there, words);
}

static int move_frontier(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct spread *p = context;
  int received = p->receiving && to == p->reception.next.store;
  if (p->receiving) frontier_receive_end(&p->reception, &p->frontier); /* or that store did not come to be */
  p->receiving = 0;
  return received ? 0 : frontier_move(&p->frontier, to, s->model->words, s->model->bits, convert, s->model);
}

struct search_move spread_moving(struct spread *p) { return (struct search_move){.move = move_frontier, .begin = begin_move, .moved = moved, .context = p}; }

/* -1: the exchange stops for what the search says. */
static int refused(struct search *s) {
  struct spread *p = spread_of(s);
  exchange_stop(&p->x, s->again ? EXCHANGE_AGAIN : s->stop == STOP_FAULT ? EXCHANGE_FAULT : EXCHANGE_MEMORY);
  return -1;
}

static int step_down(struct search *s, int full) {
  struct search_move move = spread_moving(spread_of(s));
  return search_step_down(s, &move, full) ? refused(s) : 0;
}

/* One rank alone, or portable forms: this rank's states become wider. */
static int wider(void *context) {
  struct search *s = context;
  struct spread *p = spread_of(s);
  struct search_move move = spread_moving(p);
  move.state = p->next;
  move.words = spread_source(p, 0);
  int covers = s->limits.beyond_cover; /* ancestors are on other ranks */
  if (p->x.count > 1) s->limits.beyond_cover = 1;
  int bad = search_widen(s, &move);
  s->limits.beyond_cover = covers;
  if (bad && s->stop == STOP_UNBOUNDED) {
    exchange_stop(&p->x, EXCHANGE_GOAL);
    return -1;
  }
  if (bad) return refused(s);
  return room_for_sources(p, s) || search_batch_restride(&p->batch, s) || exchange_restride(&p->x) ? refused(s) : 0;
}

/* ---- states that have come --------------------------------------------------------------------------------------------------------- */

static int tell_new(struct search *s, const uint32_t *words, uint64_t number, const struct exchange_origin *from) {
  struct spread *p = spread_of(s);
  int here = from && from->group != UINT32_MAX;
  struct search_event event = {.kind = EVENT_NEW, .state = number, .source = here ? from->number : STORE_NONE, .words = words, .edge = from ? from->edge : 0, .group = here ? from->group : 0,
                               .depth = p->depth + (from != NULL)};
  if (search_tell(s, &event) != LISTEN_GOAL) return 0;
  exchange_stop(&p->x, EXCHANGE_GOAL);
  return -1;
}

/* A new state gets its number, its origin and its place in the queue. */
static int welcome(struct search *s, store_ref ref, const uint32_t *words, const struct exchange_origin *from) {
  struct spread *p = spread_of(s);
  struct backedge back = {.rank = from ? from->rank : UINT32_MAX, /* the initial state comes from nowhere */
                           .number = from ? from->number : 0, .edge = from ? from->edge : 0};
  if (backedges_add(&p->back, back) || frontier_push(&p->frontier, ref, words)) return refused(s);
  uint64_t number = p->found++;
  if (p->restoring) {
    if (p->keep.map) keep_state(s, words, from && from->rank != UINT32_MAX ? from : NULL); /* a new journal */
    if (number >= p->keep.done) return 0;
    frontier_advance(&p->frontier);
    p->next++;
    return 0;
  }
  keep_state(s, words, from);
  return search_wanted(s, EVENT_NEW) ? tell_new(s, words, number, from) : 0;
}

static int not_mine(struct search *s) {
  err_io(&s->err, s->journal->file.name, "the checkpoint does not fit the model: it holds a state twice, or one of another rank");
  s->stop = STOP_FAULT;
  return refused(s);
}

/* The inbox goes into the store. */
static int settle_states(void *context) {
  struct search *s = context;
  struct spread *p = spread_of(s);
  struct exchange *x = &p->x;
  struct store_batch *t = &x->inbox.store;
  if (search_batch_ready(&x->inbox, s)) return refused(s);
  t->source = NULL;
  t->sources = 0;
  t->group = NULL;
  while (frontier_reserve(&p->frontier, t->count) || backedges_reserve(&p->back, t->count))
    if (step_down(s, 1)) return -1;
  size_t good = s->store->type->put_batch(s->store, t, 0);
  s->stats.batches++;
  for (size_t i = 0; i < t->count; i++) {
    while (i >= good) { /* full; all before it are settled */
      if (step_down(s, 1)) return -1;
      good = s->store->type->put_batch(s->store, t, i);
    }
    unsigned owner = x->self;
    if (p->restoring && exchange_owner(x, t->states + i * t->stride, &owner)) return -1;
    if (p->restoring && (t->answer[i] != STORE_NEW || owner != x->self)) return not_mine(s);
    if (t->answer[i] == STORE_NEW && welcome(s, t->ref[i], t->states + i * t->stride, &x->origin[i])) return -1;
  }
  x->inbox.model.count = 0;
  if (s->store->restless) {
    struct search_move move = spread_moving(p);
    if (search_settle_store(s, &move)) return refused(s);
  }
  s->waiting = p->frontier.count;
  if (p->frontier.count > s->stats.frontier_peak) s->stats.frontier_peak = p->frontier.count;
  return search_short_of_memory(s) ? step_down(s, 0) : 0;
}

/* ---- expanding ---------------------------------------------------------------------------------------------------------------------- */

static int cannot(struct search *s, enum model_answer answer) {
  struct spread *p = spread_of(s);
  search_refused(s, answer);
  if (answer == MODEL_STOPPED) exchange_stop(&p->x, ranks_interrupted(p->ranks) ? EXCHANGE_INTERRUPT : EXCHANGE_TIME);
  else return refused(s);
  return -1;
}

/* A state of this layer does not fit. 0: now it does; -1: all have to take a wider layout, or stop is set. */
static int does_not_fit(struct search *s) {
  struct spread *p = spread_of(s);
  if (p->x.count == 1 || p->x.portable) return (p->x.inbox.model.count && settle_states(s)) || wider(s) ? -1 : 0;
  p->wide_number = p->next;
  exchange_stop(&p->x, EXCHANGE_WIDEN);
  return -1;
}

/* Fills the batch with the successors of waiting states of this layer. 0, or -1: stop is set. */
static int gather(struct search *s) {
  struct spread *p = spread_of(s);
  struct model_batch *m = &p->batch.model;
  m->count = m->fault_count = 0;
  p->sources = 0;
  while (p->next < p->layer_end && m->count < GATHER && p->sources < SOURCES) {
    uint32_t *words = spread_source(p, p->sources);
    store_ref ref;
    size_t faults = m->fault_count;
    if (frontier_peek(&p->frontier, &ref, words, NULL)) return refused(s);
    p->first[p->sources] = m->count;
    enum model_answer answer = s->model->type->successors(s->cursor, words, m);
    if (answer != MODEL_OK && p->sources) break; /* first settle what the batch holds */
    if (answer == MODEL_WIDEN) {
      if (does_not_fit(s)) return -1;
      continue;
    }
    if (answer != MODEL_OK) return cannot(s, answer);
    for (; faults < m->fault_count; faults++) m->faults[faults].source = (uint32_t)p->sources;
    p->number[p->sources++] = p->next++;
    p->first[p->sources] = m->count;
    frontier_advance(&p->frontier);
  }
  return 0;
}

static int tell_source(struct search *s, size_t k) {
  struct spread *p = spread_of(s);
  const struct model_batch *m = &p->batch.model;
  size_t successors = p->first[k + 1] - p->first[k];
  enum listener_answer answer = LISTEN_ON;
  for (size_t i = 0; i < m->fault_count && answer != LISTEN_GOAL && search_wanted(s, EVENT_FAULT); i++)
    if (m->faults[i].source == k) answer = search_tell_fault(s, m, &m->faults[i], p->first[k], p->number[k], p->depth);
  search_count_expanded(s, spread_source(p, k), successors);
  struct search_event event = {.kind = EVENT_EXPANDED, .state = p->number[k], .source = STORE_NONE, .successors = (uint32_t)successors, .words = spread_source(p, k), .depth = p->depth};
  if (answer != LISTEN_GOAL && search_wanted(s, EVENT_EXPANDED)) answer = search_tell(s, &event);
  if (answer == LISTEN_GOAL) exchange_stop(&p->x, EXCHANGE_GOAL);
  return answer == LISTEN_GOAL ? -1 : 0;
}

/* Successors go where they belong; then the sources are done. */
static int send_off(struct search *s) {
  struct spread *p = spread_of(s);
  const struct model_batch *m = &p->batch.model;
  int bad = 0;
  p->x.busy = 1;
  for (size_t k = 0; k < p->sources && !bad; k++) {
    for (size_t i = p->first[k]; i < p->first[k + 1] && !bad; i++) {
      bad = exchange_send(&p->x, m->states + i * m->stride, p->number[k], (uint32_t)(i - p->first[k]), m->group[i], 0);
      s->stats.transitions++;
    }
    if (!bad) bad = tell_source(s, k);
  }
  p->x.busy = 0;
  return bad;
}

/* ---- layer by layer ---------------------------------------------------------------------------------------------------------------------- */

static void begin(struct search *s) {
  struct spread *p = spread_of(s);
  uint32_t *words = spread_source(p, 0);
  store_ref ref;
  unsigned owner;
  memset(words, 0, p->stride * sizeof *words);
  s->model->type->initial(s->model, words);
  if (exchange_owner(&p->x, words, &owner) || owner != p->x.self) return;
  if (search_begin(s, words, &ref)) refused(s);
  else welcome(s, ref, words, NULL);
}

/* One layer: 0: there is another; 1: `why` says why there is not; -1: a rank is lost. */
static int layer(struct search *s, enum exchange_stop *why, unsigned *who) {
  struct spread *p = spread_of(s);
  while (p->next < p->layer_end && spread_may_go_on(s)) {
    if (gather(s) || send_off(s)) break;
    for (int i = 0; i < TAKE && exchange_receive(&p->x) > 0; i++) continue;
  }
  if (exchange_end(&p->x)) return -1;
  s->stats.states = s->store->type->count(s->store);
  ranks_beat(p->ranks, &(struct ranks_pulse){s->stats.states, s->stats.expanded, s->stats.transitions, s->mem->used});
  uint64_t sums[EXCHANGE_SUMS] = {p->found - p->next, s->stats.states, (uint64_t)keep_wish(s), keep_bytes(s), (uint64_t)keep_failed(s)};
  if (exchange_agree(&p->x, why, who, sums)) return -1;
  if (*why != EXCHANGE_ON) return 1;
  struct search_event event = {.kind = EVENT_LAYER, .state = STORE_NONE, .source = STORE_NONE, .depth = p->depth};
  if (search_wanted(s, EVENT_LAYER)) search_tell(s, &event);
  if (!sums[0]) return 1;
  p->layer_end = p->found;
  s->stats.depth = ++p->depth;
  if (s->limits.states && sums[1] >= s->limits.states) *why = EXCHANGE_STATES;
  if (s->limits.depth && p->depth >= s->limits.depth) s->stop = STOP_DEPTH;
  int over = *why != EXCHANGE_ON || s->stop == STOP_DEPTH;
  if (sums[4]) keep_give_up(s);
  else if (over || sums[2]) keep_note(s, over ? KEEP_SURE : (int)sums[2], sums[1], sums[3]);
  return over;
}

/* Are all as far as that? 0; 1: `why` says why not; -1: a rank is lost. */
static int all_there(struct search *s, enum exchange_stop *why, unsigned *who) {
  uint64_t sums[EXCHANGE_SUMS] = {0};
  if (exchange_end(&spread_of(s)->x) || exchange_agree(&spread_of(s)->x, why, who, sums)) return -1;
  return *why != EXCHANGE_ON;
}

/* Other ranks than then are as far as those were: their journals hold it from now on. As all_there. */
static int seal_anew(struct search *s, enum exchange_stop *why, unsigned *who) {
  struct spread *p = spread_of(s);
  s->stats.states = p->found;
  uint64_t sums[EXCHANGE_SUMS] = {0, p->found, 0, keep_bytes(s), (uint64_t)keep_failed(s)};
  if (exchange_end(&p->x) || exchange_agree(&p->x, why, who, sums)) return -1;
  if (*why != EXCHANGE_ON) return 1;
  if (sums[4]) keep_give_up(s);
  else keep_note(s, KEEP_SURE, sums[1], sums[3]);
  return 0;
}

/* States that were found before are put back by each rank, and the search is where it was then. As layer. */
static int rejoin(struct search *s, enum exchange_stop *why, unsigned *who) {
  struct spread *p = spread_of(s);
  int anew = s->journal->past != NULL;
  keep_restore(s);
  int status = all_there(s, why, who);
  if (status > 0 && *why != EXCHANGE_AGAIN) {
    search_count_again(s);
    s->lost = s->journal->from.found; /* the states that there are, though not all of them were put back */
  }
  if (status) return status;
  if (anew) {
    s->journal->from.found = p->found;
    s->journal->from.expanded = p->next;
  }
  if (search_rejoined(s) || (anew && keep_resettled(s))) refused(s);
  status = anew ? seal_anew(s, why, who) : all_there(s, why, who);
  p->depth = s->stats.depth;
  if (!status && s->limits.depth && p->depth >= s->limits.depth) s->stop = STOP_DEPTH;
  return status ? status : s->stop == STOP_DEPTH;
}

/* Back to the start, in the layout found so far. Not together. 0 or -1. */
static int begin_again(struct search *s) {
  struct spread *p = spread_of(s);
  const struct store_type *type = s->store->type;
  struct search_event event = {.kind = EVENT_AGAIN, .state = STORE_NONE, .source = STORE_NONE};
  close_parts(p);
  type->close(s->store);
  s->store = NULL;
  s->again = 0;
  s->stats = (struct stats){.layouts = s->stats.layouts + 1};
  s->skipped = s->passed = 0;
  s->lost = 0;
  p->told.again++;
  if (search_wanted(s, EVENT_AGAIN)) search_tell(s, &event);
  keep_anew(s);
  p->x.inbox.model.count = 0;
  if (search_open_store(s, type, NULL, &s->store)) return -1;
  return room_for_sources(p, s) || search_batch_restride(&p->batch, s) || exchange_restride(&p->x) || open_parts(p, s) ? -1 : 0;
}

/* ---- the search ------------------------------------------------------------------------------------------------------------------------------ */

/* From the initial state to the end. 0: over, see why and stop; 1: once more, with the wider layout that is there now; -1: stop is set on all ranks, or one is lost. */
static int attempt(struct search *s, enum exchange_stop *why, unsigned *who) {
  struct spread *p = spread_of(s);
  int over = 0;
  *why = EXCHANGE_ON;
  if (spread_agree_on_forms(s)) return -1;
  if (keep_resuming(s)) over = rejoin(s, why, who);
  else begin(s);
  p->layer_end = p->found;
  while (!over) over = layer(s, why, who);
  if (over < 0) return -1;
  if (*why == EXCHANGE_WIDEN && spread_widen_together(s, *who)) {
    if (s->stop == STOP_MEMORY) *why = EXCHANGE_MEMORY;
    return -1;
  }
  if (*why != EXCHANGE_WIDEN && *why != EXCHANGE_AGAIN) return 0;
  s->stop = STOP_DONE;
  if (ranks_all(p->ranks, begin_again(s) == 0)) return 1;
  *why = EXCHANGE_MEMORY;
  return 0;
}

/* All ranks see the same model, in the layout of what they go on from, if they do; then what depends on the layout is opened again. 0; -1 with stop set, on all ranks. */
static int make_ready(struct search *s) {
  struct spread *p = spread_of(s);
  int same = spread_same_model(s);
  if (same == 0) {
    err_usage(&s->err, "the ranks do not see the same model, or not the same part of it");
    err_hint(&s->err, "is the file the same on all machines? --reduce none");
    s->stop = STOP_FAULT;
  }
  if (same != 1) return -1;
  if (ranks_agree(p->ranks, keep_resuming(s) ? keep_layout(s) : 0, &s->err)) {
    s->stop = s->err.kind == ERR_NONE ? STOP_MEMORY : STOP_FAULT;
    return -1;
  }
  /* that, and the walk by which models are compared, may have made the layout wider */
  int fine = search_batch_restride(&p->batch, s) == 0 && exchange_restride(&p->x) == 0 && room_for_sources(p, s) == 0;
  if (s->store && s->model->type->widen) {
    const struct store_type *type = s->store->type;
    close_parts(p);
    type->close(s->store);
    s->store = NULL;
    if (search_open_store(s, type, NULL, &s->store) || open_parts(p, s)) fine = 0;
  }
  if (ranks_all(p->ranks, fine)) return 0;
  s->stop = STOP_MEMORY;
  return -1;
}

static int spread_run(struct search *s) {
  struct spread *p = s->own = mem_alloc(s->mem, MEM_SEARCH, sizeof *p);
  struct ranks *ranks = s->ways.ranks;
  enum exchange_stop why = EXCHANGE_ON;
  unsigned who = 0;
  if (p) p->ranks = ranks, p->began_cpu = spread_cpu();
  int fine = p && open_spread(p, s) == 0;
  if (!ranks_all(ranks, fine)) {
    s->stop = ranks_lost(ranks) >= 0 ? STOP_RANK : STOP_MEMORY;
    s->spread.ranks = ranks_count(ranks);
    return -1;
  }
  for (int again = make_ready(s) == 0; again;) again = attempt(s, &why, &who) > 0;
  enum search_stop stop = s->stop == STOP_GOAL && why == EXCHANGE_ON ? STOP_DONE : s->stop;
  if (why == EXCHANGE_GOAL && s->cover.big != STORE_NONE) stop = STOP_UNBOUNDED;
  spread_count(s);
  spread_conclude(s, why, who, stop);
  keep_end(s, s->stop != STOP_DONE && s->stop != STOP_GOAL);
  return s->stop == STOP_DONE ? 0 : -1;
}

/* One rank alone knows its paths; several do when they have found one together. */
static int spread_search_path(struct search *s, store_ref number, struct search_path *out) {
  struct spread *p = s->own;
  size_t length = 0;
  if (p->given.edge) length = (size_t)number;
  else if (p->x.count > 1) return -1;
  else
    for (uint64_t n = number; n; length++) n = backedges_get(&p->back, n).number; /* the initial state is number 0 */
  out->edge = mem_alloc(s->mem, MEM_SEARCH, (length + 1) * sizeof *out->edge);
  out->state = mem_alloc(s->mem, MEM_SEARCH, (length + 1) * sizeof *out->state);
  if (!out->edge || !out->state) return -1;
  out->count = length;
  for (size_t i = 0; i < length && p->given.edge; i++) {
    out->edge[i] = p->given.edge[i];
    out->state[i] = i;
  }
  out->state[length] = number;
  while (length-- && !p->given.edge) {
    struct backedge back = backedges_get(&p->back, number);
    out->edge[length] = back.edge;
    out->state[length] = number = back.number;
  }
  return 0;
}

static void spread_close(struct search *s) {
  struct spread *p = s->own;
  close_parts(p);
  if (p->x.search) exchange_close(&p->x);
  keep_close(&p->keep, s);
  if (p->batch.model.mem) search_batch_close(&p->batch, s);
  mem_free(s->mem, p->given.edge);
  mem_free(s->mem, p->words);
  mem_free(s->mem, p->number);
  mem_free(s->mem, p->first);
  mem_free(s->mem, p);
}

const struct search_type search_spread = {
    .name = "bfs",
    .summary = "breadth-first by several processes",
    .shortest = 1,
    .own_figures = 1,
    .run = spread_run,
    .path = spread_search_path,
    .close = spread_close,
};
