/* dfs_again.c -- a depth-first search goes on from a journal.
 *
 * The journal is read twice: first to know which states are on the stack in the end, by their numbers; then to find all states again.  A state is a successor of the one on top, and put; only those that stay on the stack are
 * expanded as well, when nothing is known but what was known then, so that the same successors wait.  Those that leave it lie behind what waits until they do. */
#include "search/dfs_inside.h"

#include "base/vec.h"

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
      if (dfs_widen(d, s)) return -1;
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
    if (dfs_step_down(d, s, 1)) return -1;
  }
}

/* Those that wait where the state on top has successors that nobody knows yet. */
static int await_again(struct dfs *d, struct search *s) {
  if (dfs_generate(d, s)) return -1;
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
    if (s->store->restless && dfs_settle_store(d, s)) return -1;
    if (search_short_of_memory(s) && dfs_step_down(d, s, 0)) return -1;
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

int dfs_replay(struct dfs *d, struct search *s) {
  struct stay stay = {.at = 0};
  int status = find_all(d, s, &stay);
  vec_free(&stay.number, s->mem);
  if (status) return search_not_rejoined(s, stay.wrong);
  if (search_rejoined(s)) return -1;
  d->journal = s->journal;
  return 0;
}
