/* strategy.h -- what the strategies of this room share: telling events, limits, widening, batches. */
#ifndef SEARCH_STRATEGY_H
#define SEARCH_STRATEGY_H

#include "search/search.h"

/* A batch of successors and the store's answers to it, in step. */
struct search_batch {
  struct model_batch model;
  struct store_batch store;
  size_t room; /* of the store's arrays */
};
int search_batch_open(struct search_batch *, struct search *, size_t room);
void search_batch_close(struct search_batch *, struct search *);
int search_batch_restride(struct search_batch *, struct search *); /* after widening */
/* Points the store's view at the model's successors; -1: no memory. */
int search_batch_ready(struct search_batch *, struct search *);

/* Tells everyone who wants it. Returns the strongest answer. */
enum listener_answer search_tell(struct search *, const struct search_event *);
static inline int search_wanted(const struct search *s, unsigned kinds) { return (s->wanted & kinds) != 0; }

/* Something went wrong in a step of `state`, whose successors begin at `first` of the batch. */
enum listener_answer search_tell_fault(struct search *, const struct model_batch *, const struct model_fault *, size_t first, store_ref state, uint64_t depth);
/* A state with so many successors was expanded: counts it, and if it is a deadlock that. */
void search_count_expanded(struct search *, const uint32_t *words, size_t successors);

/* Puts the initial state into the store and into `words`. 0, or -1 with stop set. */
int search_begin(struct search *, uint32_t *words, store_ref *ref);
/* Time, interrupt, number of states, progress tick. 1 = go on, 0 = stop is set. Cheap enough for each batch. */
int search_may_go_on(struct search *);

/* A state, and what the strategy itself holds: asked for when all states change their form. */
struct search_move {
  store_ref state;       /* being expanded (search_widen only) */
  const uint32_t *words; /* the same */
  /* Brings refs and states that the strategy holds to the store `to`, whose states have the model's present width, each through
     `convert` with the model as context (NULL = the width is the same). s->store is still the old one: its get may be asked. 0, or -1. */
  int (*move)(void *context, struct search *, struct store *to, store_convert *convert);
  /* May be NULL. Before states leave for `to`: 0, or -1: no memory; then each state that has gone there. */
  int (*begin)(void *context, struct search *, struct store *to);
  void (*moved)(void *context, store_ref old, store_ref there, const uint32_t *words);
  /* May be NULL. Gives up what only paths need, and the queue if the store can mark states. 0: there is more room now; -1: there is not. */
  int (*leave_queue)(void *context, struct search *);
  /* May be NULL. All states go to disk, and the search goes on there. 0, or -1 with stop set. */
  int (*to_disk)(void *context, struct search *);
  struct spanning *tree; /* the breadth-first tree of all states; NULL = there is none (any more) */
  void *context;
};

/* The model said MODEL_WIDEN for a state: looks for an ancestor that it covers, then changes the layout and rewrites the
 * store. 0, or -1 with stop set. */
int search_widen(struct search *, const struct search_move *);
/* The nearest ancestor that a state strictly covers: 1, stop and cover are set. Without memory for the path: no explanation (0), but still exact. */
int search_find_cover(struct search *, const struct search_move *);
/* An empty store for states of the model's present width; `like` (may be NULL) holds the states that will move there: see move.c. */
struct move_sample { /* some of the states of a store, evenly spread */
  uint32_t *states;
  size_t stride, count, room;
  uint64_t all, told; /* states of the store */
  struct search *search;
  store_convert *convert;
};
/* At most `room` of them, through `convert` if the width has changed. A help, not a need: without memory there is none. Its owner frees `states`. */
void search_take_sample(struct move_sample *, struct search *, size_t room, store_convert *convert);
int search_open_store(struct search *, const struct store_type *, const struct move_sample *like, struct store **out);
/* All states go into a new store, through `convert` if the width has changed. There is no way back from half-way: -1, and the run ends. */
int search_replace_store(struct search *, const struct store_type *, const struct search_move *, store_convert *convert);
/* The strategy's tree goes into a store that keeps steps instead of states (store.h: adopt), and the states with it. The old store tells them if there is memory for
   both; else they are found again, and nothing of it is needed: also right after search_replace_store has failed half-way. 0; -1: nothing has
   changed, or s->lost says that there is no way back. */
int search_adopt_tree(struct search *, const struct store_type *, const struct search_move *);
/* Between two batches: lets the store change its form if that makes it smaller. 0, or -1 with stop set. */
int search_settle_store(struct search *, const struct search_move *);
/* The memory ladder (ladder.c). */
void search_reserve(struct search *); /* memory for its last rung, where there may be one */
int search_short_of_memory(const struct search *); /* is it time for a lower rung? Cheap. */
/* Would a compact tree of these states take more than `enough` bytes for each when there are `goal` of them (forecast.c)? 1, 0; -1: memory did not
   allow to find out. The store is one that gives states by number. */
int search_forecast(struct search *, double enough, uint64_t goal);
/* To the next rung. `full`: there is no other way on. 0, or -1 with stop set. */
int search_step_down(struct search *, const struct search_move *, int full);
/* The journal (rejoin.c). */
uint32_t search_witness(const struct search *, const uint32_t *state); /* 32 bits of what the state is, whatever its layout; 0 = nobody knows */
void search_tell_journal(struct search *, const uint32_t *state, uint32_t edge); /* a new state */
int search_seal(struct search *); /* 0, or -1: as journal_seal */
struct journal_state search_state(const struct search *); /* what a seal says of it */
int search_may_rejoin(struct search *); /* as search_may_go_on, with states that are found again */
void search_count_again(struct search *); /* counters, and the time, of what is gone on from */
/* All states are found again: the counters are those of the journal from now on. 0, or -1 with stop set. */
int search_rejoined(struct search *);
/* They are not: the journal is one of another model (`wrong`), or stop says why, where DONE means memory. -1. */
int search_not_rejoined(struct search *, int wrong);
/* Any other answer than OK or WIDEN: sets stop. */
void search_refused(struct search *, enum model_answer);

#endif
