/* comback.h -- the parts of the ComBack store that its files share: see comback.c for the whole. */
#ifndef STORE_COMBACK_H
#define STORE_COMBACK_H

#include "base/stats.h"
#include "store/comback_known.h"
#include "store/fragments.h"
#include "store/comback_tree.h"
#include "store/store.h"

enum comback_variant {
  COMBACK_CLASSIC = 1,
  COMBACK_SUCCINCT = 2,
  COMBACK_PATH = 4,      /* 1: shorter ways replace longer ones */
  COMBACK_BACKWARDS = 8, /* 3: from the state under test back along the candidate's steps */
  COMBACK_NUMBERS = 32,  /* 4: no window, states that wait are found again by number */
  COMBACK_SETS = 16      /* 5: no steps in the tree, all successors are tried */
};

/* Reads "classic,path": 0 and the set; -1 and the word that is unknown or contradicts others. */
int comback_read_variants(const char *list, unsigned *variants, char *bad, size_t room);

/* A state that has to be found again, and what for. */
struct comback_want {
  uint64_t number, tag;
};

/* A state on the ways to those that are wanted. */
enum comback_kind { COMBACK_BY_STEP, COMBACK_IN_WINDOW, COMBACK_COPIED, COMBACK_ROOT };
struct comback_node {
  uint64_t number, above; /* its predecessor, and the node that is: */
  uint32_t parent, edge;
  uint32_t want;     /* + 1: the first one with this number; 0 = none */
  uint32_t slot;     /* + 1: where its state is; 0 = nowhere */
  uint32_t children; /* that are not made yet */
  uint16_t height;   /* steps down to a wanted one */
  uint8_t kind, exceptional;
};

struct comback {
  struct store base;
  struct blocks blocks;
  struct stats *stats, no_stats;
  const struct store_model *model;
  uint32_t words, bits, record;
  unsigned variants;
  int depth_first;
  int exact;  /* states are so short that their hash, which is a permutation then, stands in the table as a whole: candidates need no second look */
  int spoilt; /* variant 5: the table holds an entry of a state that could not be added */
  uint64_t hash_mask, cache; /* as the user wants */
  uint64_t layer_end, layer; /* of a breadth-first search: number of its first state that is not in the present layer; steps to the next */
  struct fragments table;
  struct comback_tree tree;
  struct comback_known known;
  uint32_t *scratch; /* three states, `stride` words each */
  size_t stride;
  struct comback_want *want;
  size_t wants, want_room;
  /* rebuilding */
  struct comback_node *node;
  uint32_t *queue; /* nodes whose predecessor is not in the forest yet */
  size_t nodes, node_room;
  uint32_t *state; /* states whose children are not all made: slots of `stride` words */
  size_t slots_used, slot_room;
  uint32_t free_slot; /* + 1; 0 = none */
};

static inline uint32_t *comback_scratch(const struct comback *s, unsigned i) { return s->scratch + i * s->stride; }

uint64_t comback_hash(const struct comback *, const uint32_t *state);

/* Told for each want; `number` was found to be `state`. */
typedef void comback_visit(struct comback *, const struct comback_want *, const uint32_t *state, void *context);

int comback_rebuild_open(struct comback *); /* the little that is always there; 0 or -1 */
void comback_rebuild_close(struct comback *, struct blocks *);
int comback_rebuild_shrink(struct comback *); /* gives memory back: 1, or 0: there was none */
/* Finds the wanted states, walking shared parts of their ways once; sorts the wants. 0, or -1: a step could not be taken. */
int comback_rebuild(struct comback *, struct comback_want *, size_t count, comback_visit *, void *context);
/* Copies what is stored in full: 1, or 0: it is not. */
int comback_load(const struct comback *, uint64_t number, uint32_t *state);
/* Tells all states in order of their numbers, from what tree and roots know. 0, or -1: somebody had enough, or a step could not be taken. */
int comback_tell_all(struct comback *, store_hear *, void *context);
/* Breadth-first: does a new state lie in a layer that is kept in full? Predecessors and numbers ascend from call to call. */
int comback_milestone(struct comback *, uint64_t parent, uint64_t number);

/* comback_width.c: all that depends on the width of states, and the table, in which a hash that is a permutation stands as a whole. 0, or -1: no memory. */
int comback_open_width(struct comback *, uint32_t words, uint32_t bits);
void comback_open_table(struct comback *, struct fragments *);
void comback_close_width(struct comback *, struct blocks *);
int comback_rewrite(struct store *, uint32_t words, uint32_t bits, store_convert *, void *context);

/* See store.h; comback_adopt.c. */
int comback_adopt(struct store *, struct spanning *, store_give *, void *context);
int comback_get_batch(struct store *, store_ref first, size_t count, uint32_t *states, size_t stride);
int comback_origin(const struct store *, store_ref, store_ref *parent, uint32_t *edge);

#endif
