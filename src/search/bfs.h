/* bfs.h -- the insides of the breadth-first search, for its files:
 *
 *   bfs.c        layers, batches, events, paths
 *   bfs_move.c   what happens when states change their form or their store, on the memory ladder and on the way to disk
 *   bfs_round.c  rounds of several threads
 *   bfs_again.c  going on from a journal */
#ifndef SEARCH_BFS_H
#define SEARCH_BFS_H

#include "base/vec.h"
#include "search/external.h"
#include "search/frontier.h"
#include "search/journal.h"
#include "search/pace.h"
#include "search/rounds.h"
#include "search/strategy.h"
#include "store/spanning.h"

#ifndef THIMBLE_GATHER /* bench/locality tries others */
#define THIMBLE_GATHER 192
#endif
enum { GATHER = THIMBLE_GATHER, SOURCES = 96 }; /* successors in a batch, and states that they come from */

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
  size_t unsettled;          /* the first source of the batch of which nothing has been told yet */
  struct external *external; /* states are on disk: it goes on there */
  struct rounds *rounds; /* NULL = not yet, or not possible */
  int no_rounds;         /* it was tried, in vain */
  struct pace pace;
  int alone;             /* the next batch is made by this thread: a round could not go on there */
  struct journal *journal; /* that is told what happens; NULL = none, or states are being found again */
  uint64_t told;           /* edges of the next state that were told before the run that this one goes on from ended */
};

/* Does the search keep the tree? A store with ways has it. */
static inline int bfs_own_tree(const struct bfs *b, const struct search *s) { return !b->nameless && !s->store->ways; }

static inline uint32_t *bfs_source_words(struct bfs *b, size_t i) { return b->words + i * b->stride; }

static inline int bfs_tree_expanded(struct bfs *b, struct search *s) {
  if (bfs_own_tree(b, s) && spanning_expanded(&b->tree)) return -1;
  if (b->journal) journal_expanded(b->journal);
  return 0;
}

/* A new state gets its number and its place in the queue: the successor `edge` of the one whose turn it is. 0, or -1: no memory. */
static inline int bfs_welcome(struct bfs *b, struct search *s, store_ref ref, const uint32_t *state, uint32_t edge) {
  b->found++;
  if ((bfs_own_tree(b, s) && spanning_found(&b->tree, edge)) || frontier_push(&b->frontier, ref, state)) return -1;
  if (b->journal) search_tell_journal(s, state, edge);
  return 0;
}

/* Room for so many more states in queue and tree: 0, or -1. */
static inline int bfs_reserve(struct bfs *b, struct search *s, size_t found, size_t expanded) {
  return frontier_reserve(&b->frontier, found) || (bfs_own_tree(b, s) && spanning_reserve(&b->tree, found, expanded)) ? -1 : 0;
}

int bfs_skip_later(struct bfs *, struct search *, store_ref); /* a listener did not want this state expanded */

/* bfs_move.c */
int bfs_room_for_sources(struct bfs *, struct search *);
int bfs_widen(struct bfs *, struct search *, store_ref number); /* the model said MODEL_WIDEN for this state, the first source */
int bfs_step_down(struct bfs *, struct search *, int full);     /* less memory for the same states, where the ladder has a lower rung. 0, or -1 with stop set */
int bfs_settle_store(struct bfs *, struct search *);            /* the store may change its form. 0, or -1 with stop set */

/* bfs_round.c */
int bfs_round_wanted(struct bfs *, struct search *); /* is it time for several threads, and is there enough to do? */
int bfs_take_round(struct bfs *, struct search *);   /* 1: a round was made; 0: this is not the time for one; -1 with stop set */

/* bfs_again.c */
int bfs_replay(struct bfs *, struct search *); /* states of the journal are found again. 0, or -1 with stop set */

#endif
