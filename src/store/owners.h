/* owners.h -- rounds of stores whose states are pairs of numbers: each pair belongs to one thread.
 *
 * While a round is asked no pair is entered.  What is there is answered at once; so is what was asked before in the same round (claims.h).  The rest is kept in its part, as a pair (`scratch`) with an owner (`answer`), or as OWNERS_LATER if a half of it has no number.
 * When the round is settled every owner goes through all parts in their order and enters his pairs: no place is ever written by two, so nothing has to be locked.  States with an unknown half come
 * last, some dozens at a time, in their order.  So do those that their owner could not enter by himself. */
#ifndef STORE_OWNERS_H
#define STORE_OWNERS_H

#include "store/store.h"

enum { OWNERS_LATER = 255, OWNERS_GONE = 254, OWNERS_CHUNK = 64 }; /* GONE: an equal state stands before it */
enum owners_answer { OWNERS_NEW, OWNERS_SEEN, OWNERS_ASIDE }; /* ASIDE: neither can be told by an owner alone */

struct owners_ways {
  /* The owner enters n pairs, at most OWNERS_CHUNK: enum owners_answer of each. By several threads at once. */
  void (*enter)(struct store *, unsigned owner, unsigned owners, const uint64_t *pair, uint8_t *answer, size_t n);
  void (*entered)(struct store *, uint64_t fresh); /* all owners are done: so many are new */
  /* States that had to wait, at most STORE_LATER: as put_batch. */
  size_t (*put)(struct store *, struct store_batch *);
};

void owners_begin(struct store_round *); /* before it is asked */
unsigned owners_count(const struct store_round *);

/* States of a batch that are not in the store, for a part, which has room: a chunk at most. Those that are new so far are kept, and answered STORE_NEW with their places in the part; the others STORE_SEEN. */
struct owners_state {
  const uint32_t *state;
  uint64_t pair;
  unsigned owner;
  size_t index; /* in the batch */
};
void owners_keep(const struct store_round *, size_t part, const struct store_batch *, const struct owners_state *, size_t n);

/* 0, or -1: memory has ended; what could not be entered is answered STORE_FULL. */
int owners_settle(struct store *, const struct store_round *, size_t parts, const struct owners_ways *);

#endif
