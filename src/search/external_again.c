/* external_again.c -- a search on disk that goes on from the tree of a journal, where memory does not hold the states that are found again, or the user wants them on disk.
 *
 * The tree tells of each state by which edge of an earlier one it was found, in the order of their numbers.  So nobody has to ask which states are new: the log is the queue, each state that the
 * journal gives successors is read from it and expanded, and those that are named go to its end and into the runs of visited states.  Then the log holds all states in the order of their numbers, and the search goes on behind those that
 * are expanded.  (That a state is not named twice is not looked at; each 1024th has a witness.) */
#include "search/external_inside.h"

#include "search/journal.h"

#include <string.h>

struct replay {
  enum journal_event ahead; /* what the journal tells next */
  uint32_t edge, witness;
  uint64_t next, found, layer_end; /* number of the state whose turn it is; states so far; the end of its layer */
  int wrong;                       /* the journal is not one of this model */
};

static int wrong(struct replay *r) {
  r->wrong = 1;
  return -1;
}

static void look_ahead(struct replay *r, struct search *s) { r->ahead = journal_next(s->journal, &r->edge, &r->witness); }

static int enter(struct replay *r, struct search *s, const uint32_t *state) {
  uint32_t witness = r->witness ? search_witness(s, state) : 0;
  if (witness && witness != r->witness) return wrong(r);
  if (disk_load(s->store, state) || disk_load_waiting(s->store, state)) return external_failed(s);
  r->found++;
  return 0;
}

/* All successors of the state whose turn it is. 0, or -1 with stop set. */
static int expand(struct external *x, struct search *s, struct replay *r) {
  struct model_batch *m = &x->batch;
  for (;;) {
    const uint32_t *state = disk_at(s->store, r->next);
    if (!state) return external_failed(s);
    memset(external_words(x, 0), 0, x->stride * sizeof *state);
    memcpy(external_words(x, 0), state, s->model->words * sizeof *state);
    m->count = m->fault_count = 0;
    enum model_answer answer = s->model->type->successors(s->cursor, external_words(x, 0), m);
    if (answer == MODEL_OK) return 0;
    if (answer != MODEL_WIDEN) search_refused(s, answer);
    if (answer != MODEL_WIDEN || external_widen(x, s, r->next)) return -1;
  }
}

/* The state whose turn it is. 0; 1: it is not done, and the journal ends with it; -1. */
static int take_one(struct external *x, struct search *s, struct replay *r) {
  struct model_batch *m = &x->batch;
  size_t least = 0;
  if ((r->ahead == JOURNAL_FOUND || search_wanted(s, EVENT_EDGE)) && expand(x, s, r)) return -1;
  for (; r->ahead == JOURNAL_FOUND; look_ahead(r, s)) {
    if (r->edge < least || r->edge >= m->count) return wrong(r);
    if (enter(r, s, m->states + r->edge * m->stride)) return -1;
    least = (size_t)r->edge + 1;
  }
  if (r->ahead == JOURNAL_END) return 1;
  if (r->ahead != JOURNAL_EXPANDED) return wrong(r);
  look_ahead(r, s);
  r->next++;
  return 0;
}

static int next_layer(struct external *x, struct search *s, struct replay *r) {
  if (r->found == r->layer_end) return wrong(r); /* nobody waits */
  external_begin_layer(x, s, r->layer_end);
  r->layer_end = r->found;
  s->stats.depth = ++x->depth;
  return 0;
}

static int find_all(struct external *x, struct search *s, struct replay *r) {
  s->model->type->initial(s->model, external_words(x, 0));
  look_ahead(r, s);
  if (r->ahead != JOURNAL_FOUND) return wrong(r);
  if (enter(r, s, external_words(x, 0))) return -1;
  r->layer_end = 1;
  int status = 0;
  for (look_ahead(r, s); r->ahead != JOURNAL_END && !status;) {
    if (r->next == r->layer_end && next_layer(x, s, r)) return -1;
    if (!search_may_rejoin(s) || (status = take_one(x, s, r)) < 0) return -1;
  }
  /* the state at hand may be the first of its layer, with no new successor so far */
  if (s->journal->from.partial && r->next == r->layer_end && next_layer(x, s, r)) return -1;
  return r->found == s->journal->from.found && r->next == s->journal->from.expanded ? 0 : wrong(r);
}

int external_replay(struct external *x, struct search *s) {
  struct replay r = {.next = 0};
  int beyond = s->limits.beyond_cover;
  s->limits.beyond_cover = 1; /* who was covered was found before */
  external_begin_layer(x, s, 0);
  disk_load_alone(s->store);
  int status = find_all(x, s, &r);
  s->limits.beyond_cover = beyond;
  if (status) return search_not_rejoined(s, r.wrong);
  if (disk_load_end(s->store, r.next, r.layer_end, x->carries, search_wanted(s, EVENT_SEEN))) {
    external_failed(s);
    return search_not_rejoined(s, 0);
  }
  s->ladder = 0;
  if (search_rejoined(s)) return -1;
  if (s->partial && external_expand_rest(x, s, (size_t)s->partial)) return -1; /* until then a seal is one of the tree */
  s->partial = 0;
  x->soon = 1;
  return external_watch(x, s) ? external_failed(s) : 0;
}
