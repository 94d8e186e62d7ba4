/* bfs.c -- breadth-first: layer by layer, shortest paths.
 *
 * States are numbered in order of discovery, whatever the store calls them, and leave the queue (frontier.h) in
 * that order; where the store numbers them alike and can give them back, the queue is the store itself.  Successors of several states are
 * gathered into one batch (never across a layer), so that even models with two successors per state keep
 * enough memory accesses in flight.  The breadth-first tree and its edges cost a few bits per state
 * (spanning.h) and are all that a path needs; a store that keeps such a tree itself (ways) saves the search the second one, and can take over
 * the search's own when memory asks for it.
 *
 * When there are many states and several threads may work, rounds (rounds.h) of some thousand states take the place of batches; what comes out is the same. */
#include "search/search.h"

#include "base/clock.h"
#include "base/vec.h"
#include "search/frontier.h"
#include "search/journal.h"
#include "search/pace.h"
#include "search/rounds.h"
#include "store/spanning.h"
#include "search/strategy.h"

#include <assert.h>
#include <string.h>

#ifndef THIMBLE_GATHER /* bench/locality tries others */
#define THIMBLE_GATHER 192
#endif
enum { GATHER = THIMBLE_GATHER, SOURCES = 96, ROUNDS_FROM = 100000, ROUND_LEAST = 256 };

struct bfs {
  struct spanning tree;
  int nameless; /* there is no tree any more */
  struct frontier frontier;
  struct frontier_reception reception; /* while states move */
  int receiving;
  struct search_batch batch;
  struct store_source *source; /* the states whose successors are in the batch */
  store_ref *number;
  size_t sources, most_sources, gather;
  uint32_t *words; /* of the sources, `stride` each */
  uint32_t *trail; /* of the sources, what the store wants */
  size_t stride;
  uint64_t next, found, layer_end, depth; /* number of the state whose turn is next; states so far */
  struct vec(store_ref) skip;             /* told by listeners not to expand, ascending */
  size_t skip_at;
  struct rounds *rounds; /* NULL = not yet, or not possible */
  int no_rounds;         /* it was tried, in vain */
  struct pace pace;
  int alone;             /* the next batch is made by this thread: a round could not go on there */
  struct journal *journal; /* that is told what happens; NULL = none, or states are being found again */
  uint64_t told;           /* edges of the next state that were told before the run that this one goes on from ended */
};

/* Does the search keep the tree? A store with ways has it. */
static int own_tree(const struct bfs *b, const struct search *s) { return !b->nameless && !s->store->ways; }

static int room_for_sources(struct bfs *b, struct search *s) {
  size_t stride = model_stride(s->model->words) + 2, trail = s->store->trail_words;
  uint32_t *w = mem_resize(s->mem, MEM_SEARCH, b->words, b->most_sources * stride * sizeof *w);
  if (!w) return -1;
  b->words = w;
  b->stride = stride;
  if (trail && !(w = mem_resize(s->mem, MEM_SEARCH, b->trail, b->most_sources * trail * sizeof *w))) return -1;
  if (trail) b->trail = w;
  return 0;
}

static uint32_t *source_words(struct bfs *b, size_t i) { return b->words + i * b->stride; }

/* As many successors at a time as the store likes, if there is memory for them: stores that like large batches get them also where states have few
   successors. Sources that are there stay. */
static void gather_more(struct bfs *b, struct search *s) {
  size_t state = (model_stride(s->model->words) + 2) * sizeof *b->words, most = mem_left(s->mem) / 32 / state;
  size_t gather = s->store->type->batch < most ? s->store->type->batch : most, sources = gather > GATHER ? gather / 2 : SOURCES;
  if (gather <= b->gather) return;
  if (sources > b->most_sources) {
    struct store_source *source = mem_resize(s->mem, MEM_SEARCH, b->source, sources * sizeof *source);
    if (!source) return;
    b->source = source;
    store_ref *number = mem_resize(s->mem, MEM_SEARCH, b->number, sources * sizeof *number);
    if (!number) return;
    b->number = number;
    b->most_sources = sources;
  }
  b->gather = gather;
}

/* States have moved in the middle of a batch: its sources have other names and places now, and trails of another store mean nothing. */
static void rename_sources(struct bfs *b, struct search *s) {
  int numbers = (s->store->type->caps & STORE_ORDER) != 0;
  for (size_t i = 0; i < b->sources; i++) {
    b->source[i].ref = b->number[i];
    b->source[i].words = source_words(b, i);
    b->source[i].trail = NULL;
  }
  b->batch.store.source = b->source;
  b->batch.store.sources = numbers ? b->sources : 0;
}

/* A listener did not want this state expanded. */
static int skip_later(struct bfs *b, struct search *s, store_ref ref) {
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

static int tree_expanded(struct bfs *b, struct search *s) {
  if (own_tree(b, s) && spanning_expanded(&b->tree)) return -1;
  if (b->journal) journal_expanded(b->journal);
  return 0;
}

/* States change their form or their store: what waits goes with them. A queue that is the store itself is received state by state. */
static int begin_move(void *context, struct search *s, struct store *to) {
  struct bfs *b = context;
  frontier_put_back(&b->frontier);
  if (b->frontier.kind != FRONTIER_IN_STORE || to == s->store) return 0;
  b->receiving = frontier_receive_begin(&b->reception, &b->frontier, to, s->model->words, s->model->bits) == 0;
  return b->receiving ? 0 : -1;
}

static void moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  struct bfs *b = context;
  if (b->receiving) frontier_receive(&b->reception, old, there, words);
}

static int move_frontier(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct bfs *b = context;
  if (b->receiving && to != b->reception.next.store) { /* that store did not come to be */
    frontier_receive_end(&b->reception, &b->frontier);
    b->receiving = 0;
  }
  if (!b->receiving) return frontier_move(&b->frontier, to, s->model->words, s->model->bits, convert, s->model);
  frontier_receive_end(&b->reception, &b->frontier);
  b->receiving = 0;
  return 0;
}

static struct search_move moving(struct bfs *b) {
  return (struct search_move){
      .move = move_frontier, .begin = begin_move, .moved = moved, .tree = b->nameless ? NULL : &b->tree, .context = b};
}

static int widen(struct bfs *b, struct search *s, store_ref number) {
  struct search_move move = moving(b);
  move.state = number;
  move.words = source_words(b, 0);
  if (search_widen(s, &move)) return -1;
  return room_for_sources(b, s) || search_batch_restride(&b->batch, s) ? -1 : 0;
}

/* The last rung of the compact tree: the breadth-first tree is given up, and waiting states are marked in the store if there is memory for
   marks, which take less than the queue. */
static int leave_queue(void *context, struct search *s) {
  struct bfs *b = context;
  int had_tree = !b->nameless, replaying = s->journal && !b->journal; /* states are found again in the order of the queue */
  spanning_close(&b->tree);
  b->nameless = 1;
  if (had_tree && b->journal) return 0; /* the order of the queue goes as late as possible: the journal lives from it */
  if (!replaying && b->skip.count == b->skip_at && frontier_to_marks(&b->frontier, b->layer_end - b->next) == 0) {
    struct journal_state now = b->journal ? search_state(s) : (struct journal_state){0};
    if (b->journal) journal_freeze(b->journal, &now, "memory was so short that waiting states were only marked: what came later is not in it");
    return 0;
  }
  return had_tree ? 0 : -1;
}

/* Less memory for the same states, where the ladder has a lower rung. 0, or -1 with stop set. */
static int step_down(struct bfs *b, struct search *s, int full) {
  struct search_move move = moving(b);
  move.leave_queue = leave_queue;
  if (search_step_down(s, &move, full)) return -1;
  gather_more(b, s);
  if (room_for_sources(b, s)) return -1;
  rename_sources(b, s);
  return 0;
}

static int settle_store(struct bfs *b, struct search *s) {
  struct search_move move = moving(b);
  return search_settle_store(s, &move) || room_for_sources(b, s) ? -1 : 0;
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
      if (tree_expanded(b, s)) return -1;
      frontier_advance(&b->frontier);
      b->next++;
      s->skipped++;
      continue;
    }
    size_t first = m->count, faults = m->fault_count, i = b->sources;
    uint32_t *words = source_words(b, i), *trail = s->store->trail_words ? b->trail + i * s->store->trail_words : NULL;
    store_ref ref;
    if (frontier_peek(&b->frontier, &ref, words, trail)) return -1;
    enum model_answer answer = s->model->type->successors(s->cursor, words, m);
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

/* A new state gets its number and its place in the queue. */
static int welcome(struct bfs *b, struct search *s, size_t i, uint32_t edge) {
  const struct store_batch *t = &b->batch.store;
  const uint32_t *state = t->states + i * t->stride;
  b->found++;
  if ((own_tree(b, s) && spanning_found(&b->tree, edge)) || frontier_push(&b->frontier, t->ref[i], state)) return -1;
  if (b->journal) search_tell_journal(s, state, edge);
  return 0;
}

/* Asks the store about the batch and passes the answers on. 0, or -1 with stop set. */
static int settle(struct bfs *b, struct search *s) {
  if (search_batch_ready(&b->batch, s)) return -1;
  struct store_batch *t = &b->batch.store;
  t->source = b->source;
  t->sources = b->sources;
  s->partial = b->told;
  while (frontier_reserve(&b->frontier, t->count) || (own_tree(b, s) && spanning_reserve(&b->tree, t->count, b->sources)))
    if (step_down(b, s, 1)) return -1;
  size_t good = s->store->type->put_batch(s->store, t, 0);
  int telling = search_wanted(s, EVENT_EDGE | EVENT_NEW | EVENT_SEEN), telling_expanded = search_wanted(s, EVENT_EXPANDED);
  int numbers = (s->store->type->caps & STORE_ORDER) != 0;
  for (size_t k = 0; k < b->sources; k++) {
    const struct store_source *from = &b->source[k];
    for (size_t i = from->first + (k ? 0 : b->told); i < from->end; i++) {
      while (i >= good) { /* full; all before it are settled, so that the store may change its form here */
        s->partial = i - from->first;
        if (step_down(b, s, 1)) return -1;
        from = &b->source[k]; /* there may be room for more of them now, elsewhere */
        good = s->store->type->put_batch(s->store, t, i);
        numbers = (s->store->type->caps & STORE_ORDER) != 0;
      }
      int fresh = t->answer[i] == STORE_NEW;
      store_ref number = fresh ? b->found : numbers ? t->ref[i] : STORE_NONE;
      if (fresh && welcome(b, s, i, (uint32_t)(i - from->first))) {
        s->partial = i - from->first;
        return -1;
      }
      s->stats.transitions++;
      if (telling) {
        enum listener_answer answer = tell_edge(b, s, k, i, number);
        if (answer == LISTEN_GOAL) return -1;
        if (answer == LISTEN_SKIP && fresh && skip_later(b, s, number)) return -1;
      }
    }
    if (b->batch.model.fault_count && search_wanted(s, EVENT_FAULT) && tell_faults(b, s, k) == LISTEN_GOAL) return -1;
    if (tree_expanded(b, s)) return -1;
    s->partial = b->told = 0;
    search_count_expanded(s, from->words, from->end - from->first);
    if (telling_expanded && tell_expanded(b, s, k) == LISTEN_GOAL) return -1;
  }
  return 0;
}

/* ---- going on from a journal --------------------------------------------------------------------------------------------- */

/* States are found again in their order: those that wait are taken from the queue as ever, but of their successors only those are put that the journal names, which must all be new.  States without any are passed over.  So the queue, the
   tree and the store become what they were, whatever store it is now, and the memory ladder goes on meanwhile. */
struct again {
  enum journal_event ahead; /* what the journal tells next */
  uint32_t edge, witness;
  struct store_source *pick; /* one for each state that is put */
  size_t *of;                /* whose successor it is: an index of the sources */
  size_t picks, room;
  size_t *end;               /* of each source: one behind its last pick */
  size_t sources;            /* room for those */
  int open;                  /* the last source is not done */
  int wrong;                 /* the journal is not one of this model */
};

static int wrong(struct again *a) {
  a->wrong = 1;
  return -1;
}

static void look_ahead(struct again *a, struct search *s) { a->ahead = journal_next(s->journal, &a->edge, &a->witness); }

static int room_for_pick(struct again *a, struct search *s, size_t sources) {
  if (a->picks == a->room) {
    size_t room = a->room ? 2 * a->room : 2 * GATHER;
    struct store_source *pick = mem_resize(s->mem, MEM_SEARCH, a->pick, room * sizeof *pick);
    if (pick) a->pick = pick;
    size_t *of = pick ? mem_resize(s->mem, MEM_SEARCH, a->of, room * sizeof *of) : NULL;
    if (!of) return -1;
    a->of = of;
    a->room = room;
  }
  if (sources <= a->sources) return 0;
  size_t *end = mem_resize(s->mem, MEM_SEARCH, a->end, sources * sizeof *end);
  if (!end) return -1;
  a->end = end;
  a->sources = sources;
  return 0;
}

/* Of the successors of source i, which stand behind the picks, those that the journal names. 0, or -1: it names others (stop is DONE), or memory. */
static int pick_successors(struct bfs *b, struct search *s, struct again *a, size_t i, store_ref ref) {
  struct model_batch *m = &b->batch.model;
  size_t first = a->picks, count = m->count - first, least = 0;
  for (; a->ahead == JOURNAL_FOUND; look_ahead(a, s)) {
    if (a->edge < least || a->edge >= count) return wrong(a);
    const uint32_t *state = m->states + (first + a->edge) * m->stride;
    uint32_t witness = a->witness ? search_witness(s, state) : 0;
    if (witness != a->witness && witness) return wrong(a);
    if (room_for_pick(a, s, b->most_sources)) return -1;
    if (a->picks != first + a->edge) {
      memcpy(m->states + a->picks * m->stride, state, m->stride * sizeof *state);
      m->group[a->picks] = m->group[first + a->edge];
    }
    a->pick[a->picks] = (struct store_source){.ref = ref, .words = source_words(b, i), .trail = b->trail && s->store->trail_words ? b->trail + i * s->store->trail_words : NULL,
                                              .first = a->picks, .end = a->picks + 1, .edge = a->edge};
    a->of[a->picks++] = i;
    least = (size_t)a->edge + 1;
  }
  return 0;
}

/* Fills the batch as gather does. 0, or -1: stop is DONE if the journal does not fit. */
static int gather_again(struct bfs *b, struct search *s, struct again *a) {
  struct model_batch *m = &b->batch.model;
  m->count = b->sources = a->picks = 0;
  a->open = 0;
  if (room_for_pick(a, s, b->most_sources)) return -1;
  while (b->next < b->layer_end && a->picks < b->gather && b->sources < b->most_sources && a->ahead != JOURNAL_END && !a->open) {
    size_t i = b->sources;
    if (a->ahead == JOURNAL_FOUND || search_wanted(s, EVENT_EDGE)) { /* for those who count steps, cursors have noted things about all of them */
      store_ref ref;
      if (frontier_peek(&b->frontier, &ref, source_words(b, i), s->store->trail_words ? b->trail + i * s->store->trail_words : NULL)) return -1;
      m->fault_count = 0;
      enum model_answer answer = s->model->type->successors(s->cursor, source_words(b, i), m);
      if (answer != MODEL_OK && b->sources) break; /* first settle what the batch holds */
      if (answer == MODEL_WIDEN) {
        if (widen(b, s, b->next)) return -1;
        continue;
      }
      if (answer != MODEL_OK) {
        search_refused(s, answer);
        return -1;
      }
      if (pick_successors(b, s, a, i, ref)) return -1;
      m->count = a->picks;
    }
    a->open = a->ahead == JOURNAL_END;
    if (!a->open && a->ahead != JOURNAL_EXPANDED) return wrong(a);
    a->end[i] = a->picks;
    b->number[b->sources++] = b->next;
    if (a->open) break; /* it has its turn again, for the rest of its edges */
    look_ahead(a, s);
    frontier_advance(&b->frontier);
    b->next++;
  }
  return b->sources ? 0 : wrong(a);
}

/* Into the store. 0, or -1 likewise. */
static int settle_again(struct bfs *b, struct search *s, struct again *a) {
  if (search_batch_ready(&b->batch, s)) return -1;
  struct store_batch *t = &b->batch.store;
  t->source = a->pick;
  t->sources = a->picks;
  int memory = 0; /* of the sources, once states have moved */
  while (frontier_reserve(&b->frontier, t->count) || (own_tree(b, s) && spanning_reserve(&b->tree, t->count, b->sources)))
    if (memory = 1, step_down(b, s, 1)) return -1;
  size_t good = 0;
  for (size_t k = 0, i = 0; k < b->sources; k++) {
    for (; i < a->end[k]; i++) {
      for (int again = 0; i >= good; again = 1) {
        if (again && step_down(b, s, 1)) return -1;
        if (again || memory) {
          for (size_t p = 0; p < a->picks; p++) {
            a->pick[p].ref = b->number[a->of[p]];
            a->pick[p].words = source_words(b, a->of[p]);
            a->pick[p].trail = NULL;
          }
          t->source = a->pick;
          t->sources = s->store->type->caps & STORE_ORDER ? a->picks : 0;
          memory = 0;
        }
        good = s->store->type->put_batch(s->store, t, i);
      }
      if (t->answer[i] != STORE_NEW) return wrong(a);
      if (welcome(b, s, i, a->pick[i].edge)) return -1;
    }
    if (!(a->open && k + 1 == b->sources) && tree_expanded(b, s)) return -1;
  }
  return 0;
}

static int find_all(struct bfs *b, struct search *s, struct again *a) {
  look_ahead(a, s);
  if (a->ahead != JOURNAL_FOUND || (a->witness && search_witness(s, b->words) != a->witness)) return wrong(a); /* the first state */
  for (look_ahead(a, s); a->ahead != JOURNAL_END && !a->open;) {
    if (b->next == b->layer_end) {
      if (b->found == b->layer_end) return wrong(a); /* nobody waits */
      b->layer_end = b->found;
      s->stats.depth = ++b->depth;
    }
    if (!search_may_rejoin(s) || gather_again(b, s, a) || settle_again(b, s, a)) return -1;
    if (s->store->restless && settle_store(b, s)) return -1;
    s->waiting = b->frontier.count;
    if (search_short_of_memory(s) && step_down(b, s, 0)) return -1;
  }
  return b->found == s->journal->from.found && b->next == s->journal->from.expanded ? 0 : wrong(a);
}

static int replay(struct bfs *b, struct search *s) {
  struct again a = {.picks = 0};
  int status = find_all(b, s, &a);
  mem_free(s->mem, a.pick);
  mem_free(s->mem, a.of);
  mem_free(s->mem, a.end);
  if (status) return search_not_rejoined(s, a.wrong);
  if (search_rejoined(s)) return -1;
  b->journal = s->journal;
  b->told = s->partial;
  return 0;
}

/* ---- rounds ------------------------------------------------------------------------------- */

/* A state that there was no memory for, and whatever its answer was to have been; or one whose name has changed since, as the store has another form now. 0, or -1 with stop set. */
static int ask_again(struct bfs *b, struct search *s, const uint32_t *words, uint8_t *answer, store_ref *ref) {
  if (*answer == STORE_NEW) {
    *ref = store_find(s->store, words, s->model->words);
    return 0;
  }
  while ((*answer = (uint8_t)store_put(s->store, words, s->model->words, NULL, ref)) == STORE_FULL)
    if (step_down(b, s, 1)) return -1;
  return 0;
}

/* The successors of a source that were not known before the round. 0, or -1 with stop set. */
static int settle_unknown(struct bfs *b, struct search *s, const struct round_part *p, size_t from, size_t end, store_ref source, int *moved_on) {
  const struct store_part *q = p->unknown;
  for (size_t k = from; k < end; k++) {
    uint8_t answer = q->answer[k];
    store_ref ref = q->ref[k];
    uint32_t *words = q->states + k * q->stride;
    if (answer == STORE_SEEN) continue;
    if (answer == STORE_FULL) *moved_on = 1;
    if (*moved_on) {
      s->partial = p->edge[k]; /* should it end here, edges before this one were told, and count */
      s->stats.transitions += p->edge[k];
      if (ask_again(b, s, words, &answer, &ref)) return -1;
      s->stats.transitions -= p->edge[k];
    }
    if (answer != STORE_NEW) continue;
    store_ref number = b->found++;
    if ((own_tree(b, s) && spanning_found(&b->tree, p->edge[k])) || frontier_push(&b->frontier, ref, words)) return -1;
    if (b->journal) search_tell_journal(s, words, p->edge[k]);
    if (!p->concern[k]) continue;
    struct search_event event = {.kind = EVENT_NEW, .state = number, .source = source, .words = words, .edge = p->edge[k], .group = p->group[k], .depth = b->depth + 1};
    enum listener_answer said = search_wanted(s, EVENT_NEW) ? search_tell(s, &event) : LISTEN_ON;
    if (said == LISTEN_GOAL || (said == LISTEN_SKIP && skip_later(b, s, number))) return -1;
  }
  return 0;
}

static int tell_round_expanded(struct bfs *b, struct search *s, const struct round_source *from, store_ref number) {
  store_ref ref;
  if (frontier_peek(&b->frontier, &ref, b->words, NULL)) return -1;
  struct search_event event = {.kind = EVENT_EXPANDED, .state = number, .source = STORE_NONE, .successors = from->successors, .words = b->words, .depth = b->depth};
  return search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

static int settle_part(struct bfs *b, struct search *s, const struct round_part *p, int *moved_on) {
  size_t at = 0;
  for (size_t k = 0; k < p->sources; at = p->source[k++].unknown) {
    const struct round_source *from = &p->source[k];
    if (settle_unknown(b, s, p, at, from->unknown, b->next, moved_on) || tree_expanded(b, s)) return -1;
    s->partial = 0;
    s->stats.transitions += from->successors;
    s->stats.expanded++;
    s->stats.deadlocks += from->deadlock;
    if (from->concern && tell_round_expanded(b, s, from, b->next)) return -1;
    frontier_advance(&b->frontier);
    b->next++;
  }
  return 0;
}

/* Is it time for several threads, and is there enough to do? */
static int round_wanted(struct bfs *b, struct search *s) {
  uint64_t waiting = b->layer_end - b->next, from = s->rounds_from ? s->rounds_from : ROUNDS_FROM;
  if (s->jobs < 2 || b->no_rounds || b->told || b->found < from || waiting < (s->rounds_from ? 2 : ROUND_LEAST) || b->skip.count > b->skip_at) return 0;
  if (b->alone || (!s->rounds_from && !pace_pays(&b->pace, b->next)) || !rounds_possible(s)) {
    b->alone = 0;
    return 0;
  }
  if (!b->rounds && rounds_open(&b->rounds, s)) b->no_rounds = 1;
  return b->rounds != NULL;
}

/* 1: a round was made; 0: this is not the time for one; -1 with stop set. */
static int take_round(struct bfs *b, struct search *s) {
  store_ref *refs;
  size_t most = rounds_room(b->rounds, &refs), done;
  uint64_t waiting = b->layer_end - b->next;
  if (s->limits.states && s->stats.states + rounds_most(b->rounds) > s->limits.states) return 0;
  size_t n = frontier_refs(&b->frontier, refs, most < waiting ? most : (size_t)waiting), unknown = rounds_most(b->rounds);
  if (!n || frontier_reserve(&b->frontier, unknown) || (own_tree(b, s) && spanning_reserve(&b->tree, unknown, n))) return 0;
  int64_t parts = rounds_run(b->rounds, n, b->depth, &done);
  if (parts < 0) return 0;
  s->threads = s->jobs;
  b->alone = done < n;
  int moved_on = 0;
  for (int64_t i = 0; i < parts; i++)
    if (settle_part(b, s, rounds_part(b->rounds, (size_t)i), &moved_on)) return -1;
  return 1;
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
  if (!b->source || !b->number || room_for_sources(b, s) || search_batch_open(&b->batch, s, 2 * b->gather)) return -1;
  if (search_begin(s, b->words, &ref) || (own_tree(b, s) && spanning_found(&b->tree, 0)) || frontier_push(&b->frontier, ref, b->words)) return -1;
  b->layer_end = b->found = 1;
  if (s->journal && s->journal->resuming) return replay(b, s);
  b->journal = s->journal;
  if (b->journal) search_tell_journal(s, b->words, 0);
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
    int together = round_wanted(b, s) ? take_round(b, s) : 0;
    if (together < 0 || (!together && (gather(b, s) || settle(b, s)))) return -1;
    if (s->jobs > 1) pace_note(&b->pace, together, clock_now() - begin, b->next - before);
    if (s->store->restless && settle_store(b, s)) return -1;
    s->waiting = b->frontier.count;
    if (b->frontier.count > s->stats.frontier_peak) s->stats.frontier_peak = b->frontier.count;
    if (search_short_of_memory(s) && step_down(b, s, 0)) return -1;
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
