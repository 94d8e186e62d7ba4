/* waiting.h -- states that wait to be expanded in any order, known by their numbers.
 *
 * What is kept of one depends on what its store can do, as in frontier.h:
 *
 *   numbers   refs are numbers in order of discovery and get is cheap: nothing is kept;
 *   refs      get is cheap, but refs are no numbers: the ref, 8 bytes for each state found;
 *   states    get is impossible or costly: the state itself, its bytes packed, while it waits; its place, 8 bytes for each state found. */
#ifndef SEARCH_WAITING_H
#define SEARCH_WAITING_H

#include "base/mem.h"
#include "store/store.h"

struct search;
struct waiting {
  struct mem *mem;
  enum { WAITING_NUMBERS, WAITING_REFS, WAITING_STATES } kind;
  struct region where;   /* uint64_t[], by number: ref, or place among the records */
  struct region records; /* states; a free one begins with the number of the next free one */
  size_t record, records_used;
  uint32_t free; /* 1 + the first free record; 0 = none */
  int receiving; /* states come from a store of another kind */
};

void waiting_open(struct waiting *, const struct search *);
void waiting_close(struct waiting *);
/* Then so many states can be added after `count`. 0, or -1: no memory. */
int waiting_reserve(struct waiting *, uint64_t count, size_t more);
void waiting_add(struct waiting *, uint32_t number, store_ref ref, const uint32_t *state);
/* The state, and what the store calls it (STORE_NONE: it does not matter). `trail` as in store.h. 0, or -1: no memory. */
int waiting_get(const struct waiting *, const struct search *, uint32_t number, uint32_t *state, store_ref *ref, uint32_t *trail);
void waiting_remove(struct waiting *, uint32_t number); /* it waits no longer */

/* States change their store or their form (strategy.h: search_move); `waits` tells which numbers wait. */
int waiting_begin_move(struct waiting *, const struct search *, const struct store *to, uint64_t count);
void waiting_moved(struct waiting *, store_ref old, store_ref there);
int waiting_move(struct waiting *, struct search *, struct store *to, store_convert *convert, uint64_t count, int (*waits)(void *, uint32_t), void *context);

#endif
