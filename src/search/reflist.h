/* reflist.h -- many short lists of refs, in few bytes each (refs.h).
 *
 * A list is a chain of pieces; the first has room for a few refs, each further one for twice as many, up to 64 KB.  Readers remember their place, and find what was pushed since. */
#ifndef SEARCH_REFLIST_H
#define SEARCH_REFLIST_H

#include "base/mem.h"
#include "search/refs.h"

struct reflist_piece;
struct reflist { /* zero is empty */
  struct reflist_piece *head, *tail;
  uint64_t count;
};
struct reflist_place { /* zero is the beginning */
  struct reflist_piece *piece;
  size_t at;
  uint64_t taken;
};

int reflist_push(struct reflist *, struct mem *, store_ref); /* 0, or -1: no memory */
int reflist_next(const struct reflist *, struct reflist_place *, store_ref *out); /* 1, or 0: none is left */
/* The same for entries of `size` bytes each, such as states in full; the bytes stay where they are until the list is closed. NULL: none is left. */
int reflist_push_bytes(struct reflist *, struct mem *, const void *bytes, uint32_t size);
const void *reflist_next_bytes(const struct reflist *, struct reflist_place *);
void reflist_close(struct reflist *, struct mem *);

#endif
