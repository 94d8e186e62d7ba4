/* block.h -- blocks of a store, counted as the budget counts them (headers and whole pages included). */
#ifndef STORE_BLOCK_H
#define STORE_BLOCK_H

#include "base/mem.h"

struct blocks {
  struct mem *mem;
  size_t bytes;
};

static inline void *blocks_resize(struct blocks *b, void *block, size_t bytes) {
  size_t before = b->mem->used;
  void *p = mem_resize(b->mem, MEM_STORE, block, bytes);
  b->bytes += b->mem->used - before; /* wraps around where it shrinks, and back */
  return p;
}

static inline void *blocks_alloc(struct blocks *b, size_t bytes) { return blocks_resize(b, NULL, bytes); }

static inline void blocks_free(struct blocks *b, void *block) {
  size_t before = b->mem->used;
  mem_free(b->mem, block);
  b->bytes -= before - b->mem->used;
}

#endif
