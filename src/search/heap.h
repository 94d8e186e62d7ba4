/* heap.h -- the smallest of many 64-bit numbers first.
 *
 * A heap in which each entry has four children: half the levels of one with two, and the children of an entry lie in one cache line. */
#ifndef SEARCH_HEAP_H
#define SEARCH_HEAP_H

#include "base/mem.h"

struct heap {
  struct region entries; /* uint64_t[] */
  size_t count;
};

static inline uint64_t *heap_at(const struct heap *h, size_t i) { return (uint64_t *)(void *)h->entries.base + i; }
static inline void heap_open(struct heap *h, struct mem *mem) {
  region_open(&h->entries, mem, MEM_FRONTIER);
  h->count = 0;
}
static inline void heap_close(struct heap *h) { region_close(&h->entries); }
/* Then so many more can be pushed: 0, or -1: no memory. */
static inline int heap_reserve(struct heap *h, size_t more) {
  size_t need = (h->count + more) * sizeof(uint64_t);
  return need <= h->entries.size ? 0 : need < 65536 ? region_resize(&h->entries, 2 * need) : region_grow(&h->entries, need); /* many have few */
}

static inline void heap_push(struct heap *h, uint64_t x) {
  size_t i = h->count++;
  for (; i && *heap_at(h, (i - 1) / 4) > x; i = (i - 1) / 4) *heap_at(h, i) = *heap_at(h, (i - 1) / 4);
  *heap_at(h, i) = x;
}

/* Takes the smallest one away; there must be one. */
static inline uint64_t heap_pop(struct heap *h) {
  uint64_t top = *heap_at(h, 0), x = *heap_at(h, --h->count);
  size_t i = 0;
  for (size_t child; (child = 4 * i + 1) < h->count; i = child) {
    size_t end = child + 4 < h->count ? child + 4 : h->count;
    for (size_t k = child + 1; k < end; k++)
      if (*heap_at(h, k) < *heap_at(h, child)) child = k;
    if (*heap_at(h, child) >= x) break;
    *heap_at(h, i) = *heap_at(h, child);
  }
  *heap_at(h, i) = x;
  return top;
}

#endif
