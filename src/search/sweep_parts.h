/* sweep_parts.h -- what a sweep is made of: for sweep.c and sweep_move.c alone. The idea: sweep.c. */
#ifndef SEARCH_SWEEP_PARTS_H
#define SEARCH_SWEEP_PARTS_H

#include "search/heap.h"
#include "search/reflist.h"
#include "search/refmap.h"
#include "search/strategy.h"
#include "search/sweep.h"

enum { NOBODY = UINT32_MAX };

struct crowd { /* some states, and what they are numbered where somebody wants to know */
  struct reflist refs, numbers;
  struct reflist full; /* where the store remembers: the states, `record` bytes each */
};

struct crowd_place { /* how far a crowd was read */
  struct reflist_place ref, number, full;
};

struct bucket {
  uint64_t key; /* of heap and map */
  struct crowd roots, states;
  struct reflist left_out; /* told not to expand */
  uint32_t next_free;      /* 1 + index; of one that is not in use */
};

struct sweep {
  struct bucket *bucket;
  uint32_t buckets, free; /* ever used; 1 + the first free one, 0 = none */
  size_t bucket_room;
  struct heap keys;       /* of buckets that wait */
  struct refmap by_key;
  uint64_t line;          /* key of the bucket at hand */
  uint32_t at;            /* its index */
  struct { /* how far it is expanded: roots first */
    struct crowd_place root, state;
  } place;
  int remembers;   /* the store never forgets, and is slow to give states back */
  uint32_t record; /* bytes of a state in full */
  uint64_t in_full;
  struct crowd next_roots;
  store_ref first; /* the initial state */
  int numbered, told_numbers; /* crowds have numbers: for an errand, or since listeners want them */
  struct refmap number_of;    /* for listeners: those of the states in the store, where that forgets */
  uint64_t found, waiting;
  struct model_cursor *cursor; /* of the model that is measured */
  uint32_t *clean;             /* a state of it */
  size_t clean_words;
  struct search_batch batch;
  struct store_source *source;
  uint64_t *number; /* of the sources */
  size_t sources;
  uint32_t *words, *trail; /* of the sources */
  size_t stride;
  struct region there; /* while states move from a store that numbers them: their new refs */
  uint64_t there_count;
};

/* How its states get to another store, or into another layout. */
struct search_move sweep_moving(struct sweep *);

#endif
