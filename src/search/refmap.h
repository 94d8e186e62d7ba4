/* refmap.h -- from what a store calls a state to a number: for searches that know something about a few of their states.
 *
 * Open addressing with linear probing; what is taken out leaves no gap (entries behind it move up).  16 bytes per entry, filled to 3/4. */
#ifndef SEARCH_REFMAP_H
#define SEARCH_REFMAP_H

#include "base/mem.h"
#include "store/store.h"

struct refmap {
  struct mem *mem;
  struct refmap_entry {
    store_ref ref; /* STORE_NONE = free */
    uint64_t value;
  } *entry;
  uint64_t count, room; /* room: a power of two, or 0 */
};

#define REFMAP_NONE UINT64_MAX

void refmap_open(struct refmap *, struct mem *);
void refmap_close(struct refmap *);
int refmap_put(struct refmap *, store_ref, uint64_t value); /* 0, or -1: no memory */
uint64_t refmap_get(const struct refmap *, store_ref);      /* REFMAP_NONE: it is not there */
void refmap_remove(struct refmap *, store_ref);

#endif
