/* tree.h -- the insides of tree.c, for tree_round.c. */
#ifndef STORE_TREE_H
#define STORE_TREE_H

#include "store/store.h"

#include "base/mem.h"
#include "base/stats.h"
#include "store/nodeset.h"
#include "store/pairset.h"

enum { TREE_PUT, TREE_FIND, TREE_SHARE }; /* what is missing is entered; is not; is entered, as long as there is room, while others do the same */

struct piece { /* (three words from `word` on >> shift) & mask */
  uint32_t word;
  unsigned shift;
  uint64_t mask;
};

struct task { /* a node that has to be looked up */
  uint64_t value, hash;
  uint32_t state, node;
};

struct recent { /* a node that was looked up lately */
  uint64_t value;
  uint32_t number; /* 0 = none */
};

/* The scratch memory of one thread that asks. */
struct climber {
  struct task *task;
  struct region recent; /* struct recent[] by hash: RECENT of them, more when there are many nodes */
  uint64_t recent_mask;
  const struct store_source **source; /* of each state of the chunk; NULL = look up everything */
  uint32_t *ids;                      /* chunk x nodes: pieces, then level by level; 0 = not in the table */
};

struct tree {
  struct store base;
  struct mem *mem;
  struct stats *stats, no_stats;
  uint32_t words;
  uint32_t pieces; /* 0: a state is its root */
  uint32_t nodes;  /* of a state: 2 * pieces - 2 */
  uint32_t chunk;  /* states that go up together */
  struct piece *piece;
  struct climber *climber; /* the first is that of the owner's thread, the others belong to the workers of rounds */
  unsigned climbers;
  struct nodeset set;
  struct pairset roots;
};

/* Root pairs of n states of a batch, from `first` on, into b->ref; a chunk at most. TREE_FIND and TREE_SHARE, which several may do at once, each with a climber: STORE_NONE = some node is not there. Returns how many there was memory for. */
size_t tree_find_roots(struct tree *, struct climber *, int asking, struct store_batch *, size_t first, size_t n, size_t *source);
void tree_read_state(const struct tree *, store_ref root, uint32_t *state, uint32_t *id); /* id: room for all nodes of a state */
int tree_take_climbers(struct tree *, unsigned wanted); /* so many, each with the memory that suits the number of nodes. 0, or -1: none for one of them */

/* ---- tree_round.c ---- */

int tree_round_begin(struct store *, struct store_round *);
int tree_round_peek(struct store *, unsigned worker, store_ref ref, uint32_t *state, uint32_t *trail);
size_t tree_round_ask(struct store *, const struct store_round *, size_t part, unsigned worker, struct store_batch *);
int tree_round_settle(struct store *, const struct store_round *, size_t parts);

#endif
