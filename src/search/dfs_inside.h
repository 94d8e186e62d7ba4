/* dfs_inside.h -- the stack of a depth-first search (dfs.c has the drawing), for those who work on it: dfs.c itself, and dfs_again.c, which makes it again from a journal. */
#ifndef SEARCH_DFS_INSIDE_H
#define SEARCH_DFS_INSIDE_H

#include "search/search.h"

#include "base/rng.h"
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

static inline struct frame *frame_at(struct dfs *d, size_t i) { return (struct frame *)(void *)d->frames.base + i; }
static inline struct pending *pending_at(struct dfs *d, size_t i) { return (struct pending *)(void *)d->edges.base + i; }

static inline uint64_t mark_at(const struct dfs *d, size_t i) {
  uint64_t mark = 0;
  if (d->mark_bytes) memcpy(&mark, d->marks.base + i * d->mark_bytes, d->mark_bytes);
  return mark;
}
static inline struct later *later_at(struct dfs *d, size_t i) { return (struct later *)(void *)d->later.base + i; }
enum { SPARE_SOURCE = 1, SPARE_STATE = 2 };

static inline store_ref name_in(const struct region *r, size_t i) {
  store_ref name;
  memcpy(&name, r->base + i * sizeof name, sizeof name);
  return name;
}

/* A state that waits in `r`, as the model wrote it; `spare` says where. */
static inline uint32_t *state_in(const struct dfs *d, const struct region *r, size_t i, unsigned spare) {
  size_t words = d->words_room / 3;
  uint32_t *out = d->words + spare * words;
  memset(out, 0, words * sizeof *out);
  if (d->named) d->search->store->type->get(d->search->store, name_in(r, i), out, NULL);
  else memcpy(out, r->base + i * d->record, d->record);
  return out;
}

static inline uint32_t *state_at(const struct dfs *d, size_t i, unsigned spare) { return state_in(d, &d->states, i, spare); }

static inline void keep_state(struct dfs *d, struct region *r, size_t i, const uint32_t *state, store_ref name) {
  if (d->named) memcpy(r->base + i * d->record, &name, sizeof name);
  else memcpy(r->base + i * d->record, state, d->record);
}

/* Enters a state: a frame without pending successors yet. */
static inline int push(struct dfs *d, store_ref number, uint32_t edge, size_t at) {
  if (region_grow(&d->frames, (d->depth + 1) * sizeof(struct frame))) return -1;
  *frame_at(d, d->depth++) = (struct frame){number, edge, (uint32_t)at, (uint32_t)d->waiting, (uint32_t)d->waiting};
  return 0;
}

static inline int room_for_pending(struct dfs *d, size_t count) {
  return d->waiting + count > PENDING_MOST || region_grow(&d->states, (d->waiting + count + 1) * d->record) || region_grow(&d->edges, (d->waiting + count) * sizeof(struct pending)) ||
                 region_grow(&d->marks, (d->waiting + count) * d->mark_bytes)
             ? -1
             : 0;
}

/* Successor i of the batch waits. */
static inline void await(struct dfs *d, size_t i, struct edge e) {
  const struct store_batch *t = &d->batch.store;
  keep_state(d, &d->states, d->waiting, t->states + i * t->stride, t->ref[i]);
  if (d->mark_bytes) memcpy(d->marks.base + d->waiting * d->mark_bytes, &e.mark, d->mark_bytes);
  *pending_at(d, d->waiting++) = e.is;
}

/* Generates the successors of the state on top, and asks which are known. 0, or -1 with stop set. */
int dfs_generate(struct dfs *, struct search *);
/* The stack goes along: values need more bits; the store is not at rest; memory is short (`full`: the store said so). 0, or -1. */
int dfs_widen(struct dfs *, struct search *);
int dfs_settle_store(struct dfs *, struct search *);
int dfs_step_down(struct dfs *, struct search *, int full);

/* Goes on from the search's journal: the stack as it was (dfs_again.c). 0, or -1. */
int dfs_replay(struct dfs *, struct search *);

#endif
