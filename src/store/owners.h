/* owners.h -- rounds of stores whose states are pairs of numbers: each pair belongs to one thread.
 *
 * While a round is asked nothing changes.  What is there is answered at once; the rest is kept in its part, as a pair (`scratch`) with an owner (`answer`), or as OWNERS_LATER if a half of it has no number yet.
 * When the round is settled every owner goes through all parts in their order and enters his pairs: no place is ever written by two, so nothing has to be locked, and the first of equal pairs is the new one.  States with an unknown half come
 * last, some dozens at a time, in their order: all that are equal are among them, since halves got no numbers meanwhile.  So do those that their owner could not enter by himself. */
#ifndef STORE_OWNERS_H
#define STORE_OWNERS_H

#include "store/store.h"

enum { OWNERS_LATER = 255, OWNERS_CHUNK = 64 };
enum owners_answer { OWNERS_NEW, OWNERS_SEEN, OWNERS_ASIDE }; /* ASIDE: neither can be told by an owner alone */

struct owners_ways {
  /* The owner enters n pairs, at most OWNERS_CHUNK: enum owners_answer of each. By several threads at once. */
  void (*enter)(struct store *, unsigned owner, unsigned owners, const uint64_t *pair, uint8_t *answer, size_t n);
  void (*entered)(struct store *, uint64_t fresh); /* all owners are done: so many are new */
  /* States that had to wait, at most STORE_LATER: as put_batch. */
  size_t (*put)(struct store *, struct store_batch *);
};

unsigned owners_count(const struct store_round *);

/* One more state for a part, which has room. Returns its place. */
size_t owners_keep(struct store_part *, const uint32_t *state, uint64_t pair, unsigned owner);

/* 0, or -1: memory has ended; what could not be entered is answered STORE_FULL. */
int owners_settle(struct store *, const struct store_round *, size_t parts, const struct owners_ways *);

#endif
