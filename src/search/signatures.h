/* signatures.h -- sets of numbers, each kept once: equal sets have equal names.  Hashes find them, comparing decides. */
#ifndef SEARCH_SIGNATURES_H
#define SEARCH_SIGNATURES_H

#include "base/vec.h"

#include <string.h>

struct signature {
  uint64_t begin, hash;
  uint32_t length;
  uint32_t count; /* free for the caller; 0 when it is new */
};

struct signatures {
  struct mem *mem;
  struct vec(uint64_t) all; /* one set after the other, ascending */
  struct vec(struct signature) set;
  uint32_t *slot; /* table: set + 1 */
  size_t slots;
};

struct numbers vec(uint64_t); /* one in the making */

/* The name of the set of these numbers, which are sorted in place, each kept once. -1: memory. */
int64_t signatures_find(struct signatures *, struct numbers *);
void signatures_sort(struct numbers *);
void signatures_clear(struct signatures *);
void signatures_close(struct signatures *); /* also of a zeroed struct with `mem` */
static inline const uint64_t *signatures_of(const struct signatures *s, uint32_t name) { return s->all.at + s->set.at[name].begin; }

#endif
