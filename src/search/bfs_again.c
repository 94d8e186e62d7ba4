/* bfs_again.c -- a breadth-first search that goes on from a journal.
 *
 * States are found again in their order: those that wait are taken from the queue as ever, but of their successors only those are put that the journal names, which must all be new.  States without any are passed over.  So the queue, the
 * tree and the store become what they were, whatever store it is now, and the memory ladder goes on meanwhile. */
#include "search/bfs.h"

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
    a->pick[a->picks] = (struct store_source){.ref = ref, .words = bfs_source_words(b, i), .trail = b->trail && s->store->trail_words ? b->trail + i * s->store->trail_words : NULL,
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
      if (frontier_peek(&b->frontier, &ref, bfs_source_words(b, i), s->store->trail_words ? b->trail + i * s->store->trail_words : NULL)) return -1;
      m->fault_count = 0;
      enum model_answer answer = s->model->type->successors(s->cursor, bfs_source_words(b, i), m);
      if (answer != MODEL_OK && b->sources) break; /* first settle what the batch holds */
      if (answer == MODEL_WIDEN) {
        if (bfs_widen(b, s, b->next)) return -1;
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
  while (bfs_reserve(b, s, t->count, b->sources))
    if (memory = 1, bfs_step_down(b, s, 1)) return -1;
  size_t good = 0;
  for (size_t k = 0, i = 0; k < b->sources; k++) {
    for (; i < a->end[k]; i++) {
      for (int again = 0; i >= good; again = 1) {
        if (again && bfs_step_down(b, s, 1)) return -1;
        if (again || memory) {
          for (size_t p = 0; p < a->picks; p++) {
            a->pick[p].ref = b->number[a->of[p]];
            a->pick[p].words = bfs_source_words(b, a->of[p]);
            a->pick[p].trail = NULL;
          }
          t->source = a->pick;
          t->sources = s->store->type->caps & STORE_ORDER ? a->picks : 0;
          memory = 0;
        }
        good = s->store->type->put_batch(s->store, t, i);
      }
      if (t->answer[i] != STORE_NEW) return wrong(a);
      if (bfs_welcome(b, s, t->ref[i], t->states + i * t->stride, a->pick[i].edge)) return -1;
    }
    if (!(a->open && k + 1 == b->sources) && bfs_tree_expanded(b, s)) return -1;
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
    if (s->store->restless && bfs_settle_store(b, s)) return -1;
    s->waiting = b->frontier.count;
    if (search_short_of_memory(s) && bfs_step_down(b, s, 0)) return -1;
  }
  return b->found == s->journal->from.found && b->next == s->journal->from.expanded ? 0 : wrong(a);
}

int bfs_replay(struct bfs *b, struct search *s) {
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
