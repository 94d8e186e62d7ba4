/* external_inside.h -- the insides of the breadth-first search on disk, for its files:
 *
 *   external.c        layers, batches, events, paths
 *   external_keep.c   what a journal is to know, and going on with the files that it names
 *   external_again.c  going on from the tree of a journal */
#ifndef SEARCH_EXTERNAL_INSIDE_H
#define SEARCH_EXTERNAL_INSIDE_H

#include "base/vec.h"
#include "search/external.h"
#include "search/strategy.h"
#include "store/disk.h"

enum { EXTERNAL_GATHER = 192, EXTERNAL_SOURCES = 96 };

struct external_source { /* a state whose successors are in the batch */
  uint64_t place;
  size_t first, end;
};

struct external {
  struct model_batch batch;
  struct external_source source[EXTERNAL_SOURCES];
  size_t sources, stride;
  uint32_t *words;               /* of the sources */
  uint32_t *carried;             /* of the batch */
  size_t carried_room;
  uint64_t first_number, depth;  /* number of the state at place 0 */
  struct vec(uint64_t) layer;    /* the place at which each layer begins; empty: the first ones are not there, and there are no paths */
  struct vec(store_ref) skip;
  size_t skip_at;
  int carries;
  struct search *search; /* for the journal: */
  uint8_t *layout;       /* of the model, as it is kept */
  size_t layout_bytes;
  int named;             /* the part is to name the files */
  int failed;            /* the store could not bring its files into order */
  int soon;              /* they are others now: a seal is due */
};

static inline uint64_t external_number(const struct external *x, uint64_t place) { return x->first_number + place; }
static inline uint32_t *external_words(struct external *x, size_t i) { return x->words + i * x->stride; }

/* external.c */
int external_carries(const struct search *); /* does a listener want to know where new states come from? */
int external_widen(struct external *, struct search *, uint64_t place); /* the model said MODEL_WIDEN for the state whose words are the first source's. 0, or -1 with stop set */
/* A layer begins at this place. A space of millions of layers has no paths where that would take too much of the memory. */
void external_begin_layer(struct external *, struct search *, uint64_t place);
/* The state at hand is expanded again, of which the first `told` successors had been told before. 0, or -1 with stop set. */
int external_expand_rest(struct external *, struct search *, size_t told);

/* external_keep.c */
int external_watch(struct external *, struct search *); /* from now on the journal names files. 0, or -1 with stop set */
void external_leave(struct external *, struct search *);
int external_seal_due(const struct external *, const struct search *);
int external_seal(struct external *, struct search *); /* 0, or -1 with stop set: the store has failed */

#endif
