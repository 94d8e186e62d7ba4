/* compact_tree.h -- the insides of compact_tree.c, for compact_tree_round.c. */
#ifndef STORE_COMPACT_TREE_H
#define STORE_COMPACT_TREE_H

#include "store/store.h"

#include "base/mem.h"
#include "base/stats.h"
#include "store/pairs.h"
#include "store/recent.h"
#include "store/split.h"

enum { CHUNK = PAIRS_AHEAD };

/* The scratch memory of one thread that asks. */
struct lens {
  struct recent recent;
  uint32_t *keys;  /* of a chunk, for one position */
  uint64_t *state; /* one */
  uint64_t hash[CHUNK];
  store_ref ref[CHUNK];
  uint8_t answer[CHUNK], who[CHUNK], absent[CHUNK];
  const uint32_t *trail[CHUNK]; /* ids of the source */
  size_t index[CHUNK];          /* of the chunk's states in the batch */
  uint64_t *place[CHUNK];       /* and their places among the recent ones */
  uint32_t changed[CHUNK], no_trail[SPLIT_POSITIONS];
  uint32_t id[SPLIT_POSITIONS][CHUNK];
};

struct compact {
  struct store base;
  struct mem *mem;
  uint32_t words, bits;
  struct split split;
  struct store *dictionary[SPLIT_POSITIONS];
  uint32_t key_words[SPLIT_POSITIONS];
  uint8_t id_bits[SPLIT_POSITIONS]; /* inner positions: of each half of a key */
  struct pairs roots;
  uint64_t tune_at;
  uint64_t forgotten;
  uint64_t round, pass, shards_then; /* marks: the value of this round; the shard whose turn is next, of so many */
  uint64_t *taken, taken_room;
  size_t key_stride;
  struct lens **lens; /* one for each that asks: the first is that of the owner's thread, the others belong to the workers of rounds */
  unsigned lenses;
};

enum compact_asking { FIND, NAME, PUT }; /* what is absent is entered nowhere, in dictionaries only, everywhere */

/* The next states of a batch from *from on that are not known from a moment ago, at most a chunk: their places in the batch are v->index. Returns how many; the others are answered. */
size_t compact_filter(struct lens *, const struct store_batch *, size_t *from);
/* The pairs of the n states of v->index; PAIRS_FREE: a half of it is not there (FIND, which several may do at once, each with a lens). Returns how many there was memory for. */
size_t compact_find_pairs(struct compact *, struct lens *, const struct store_batch *, size_t n, enum compact_asking, uint64_t *pair);
/* Answers the n states of v->index. Returns how many were answered. */
size_t compact_ask_chunk(struct compact *, struct lens *, struct store_batch *, size_t n, enum compact_asking);
/* The state, in v->state, and its ids. */
void compact_read_state(const struct compact *, struct lens *, store_ref, uint32_t *id);
/* Is a better split worth a move? Dictionary entries are dear, roots are cheap. */
void compact_consider_moving(struct compact *);
int compact_take_lenses(struct compact *, unsigned wanted); /* 0, or -1: no memory */
int compact_drop_recent(struct compact *); /* what is only for speed goes; 1: there was something to drop */

/* ---- compact_tree_round.c ---- */

int compact_round_begin(struct store *, struct store_round *);
int compact_round_peek(struct store *, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail);
size_t compact_round_ask(struct store *, const struct store_round *, size_t part, unsigned worker, struct store_batch *);
int compact_round_settle(struct store *, const struct store_round *, size_t parts);

#endif
