/* frontier.h -- the states that wait to be expanded, first in, first out.
 *
 * What is kept of a waiting state depends on what its store can do:
 *
 *   in the store   refs are numbers in order of discovery and get is cheap: states `taken` .. count-1 wait, nothing is kept;
 *   refs           get is cheap, but refs are no numbers: both halves of a ref in as many bytes as they need, mostly 4 in all;
 *   numbers        the same, but get is costly and better done for many at a time (get_batch): a load of them;
 *   states         get is impossible or costly: the state itself, its bytes packed.
 *
 *   marks          the store marks those that wait (store.h: mark_begin): two bits each, and their order inside a layer is lost.
 *
 * A queue is a chain of pieces of 64 KB; pieces that have been read are given back. */
#ifndef SEARCH_FRONTIER_H
#define SEARCH_FRONTIER_H

#include "base/mem.h"
#include "search/refs.h"

struct frontier_piece;
struct frontier {
  struct mem *mem;
  struct store *store;
  enum { FRONTIER_IN_STORE, FRONTIER_NUMBERS, FRONTIER_REFS, FRONTIER_STATES, FRONTIER_MARKS } kind;
  uint32_t words;
  size_t piece_bytes;
  struct ref_shape shape; /* of pieces that are begun from now on; states have an entry alone */
  struct frontier_piece *head, *tail;
  struct frontier_piece *spare;   /* empty ones, for what has been reserved */
  size_t spares;
  size_t head_at, tail_at;        /* entries read from the head, written to the tail */
  uint64_t taken, count;          /* states that have left; states that wait */
  const store_ref *marked;        /* some of this layer that were marked */
  size_t marked_at, marked_count;
  uint32_t *load;                 /* the next states, found again: numbers load_first .. load_first + load_count - 1 */
  size_t load_room, load_count;
  uint64_t load_first;
};

void frontier_open(struct frontier *, struct store *, uint32_t words, uint32_t bits, struct mem *);
void frontier_close(struct frontier *);
/* A new state: 0, or -1: no memory. */
int frontier_push(struct frontier *, store_ref ref, const uint32_t *state);
int frontier_reserve(struct frontier *, size_t more); /* then so many can be pushed. 0 or -1 */
/* The state whose turn it is; it stays until frontier_advance. `trail` as in store.h. 0; 1: none waits; -1: no memory. */
int frontier_peek(struct frontier *, store_ref *ref, uint32_t *state, uint32_t *trail);
void frontier_advance(struct frontier *);
/* A queue that is the store: so many came, so many went. */
static inline void frontier_pass(struct frontier *f, uint64_t pushed, uint64_t advanced) {
  f->count += pushed - advanced;
  f->taken += advanced;
}
/* A queue of refs: the new states of a part come, for which there is room, and so many leave. */
void frontier_exchange(struct frontier *, const struct store_part *, size_t advanced);
/* What the store calls the next `most` of them, where it gives its states by name: how many; 0: it does not. */
size_t frontier_refs(const struct frontier *, store_ref *refs, size_t most);
/* The states have moved to another store, or have another width: every waiting one passes through `convert` (NULL = same width). 0, or
   -1: no memory. Not for a frontier that lies in the store that is taken apart: that one is received state by state. A frontier of
   numbers needs nothing of the old store. */
int frontier_move(struct frontier *, struct store *to, uint32_t words, uint32_t bits, store_convert *convert, void *context);

/* From a queue of refs to marks: the first `now` of it are what is left of this layer. 0, or -1: no memory, nothing has changed. */
int frontier_to_marks(struct frontier *, uint64_t now);
void frontier_turn(struct frontier *);     /* a layer is done */
void frontier_put_back(struct frontier *); /* before states move: those that were taken and not read yet are marked again */
/* From a store that is taken apart: states come in any order with their old numbers; those that wait find their places. */
struct frontier_reception {
  struct frontier next;
  struct frontier_piece **piece;
  size_t per_piece; /* entries */
};
int frontier_receive_begin(struct frontier_reception *, const struct frontier *, struct store *to, uint32_t words, uint32_t bits);
void frontier_receive(struct frontier_reception *, uint64_t number, store_ref ref, const uint32_t *state);
void frontier_receive_end(struct frontier_reception *, struct frontier *); /* the frontier is the received one from now on */

#endif
