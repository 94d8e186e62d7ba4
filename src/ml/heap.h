/* heap.h -- the inside of heaps: blocks are cut off the end of a chunk, a few instructions each.
 *
 *   chunks:  newest -> older -> ... ; next..end is what is left of the newest
 *
 * Clearing keeps the largest chunk, so that a machine that evaluates small things never
 * asks for memory again. */
#ifndef ML_HEAP_H
#define ML_HEAP_H

#include "ml/instant.h"
#include "ml/value.h"

struct ml_chunk {
  struct ml_chunk *older;
  size_t bytes; /* behind this header */
};

struct ml_heap {
  char *next, *end;
  struct ml_chunk *newest;
  struct mem *mem;
};

/* A chunk with room for so many bytes becomes the newest. */
int ml_heap_grow(struct ml_heap *, size_t bytes);

static inline struct ml_block *ml_heap_cut(struct ml_heap *h, enum ml_tag tag, uint32_t size, size_t fields) {
  size_t bytes = sizeof(struct ml_block) + fields * sizeof(ml_value);
  if (__builtin_expect((size_t)(h->end - h->next) < bytes, 0) && ml_heap_grow(h, bytes)) return NULL;
  struct ml_block *b = (struct ml_block *)h->next;
  h->next += bytes;
  b->tag = tag;
  b->size = size;
  return b;
}

static inline ml_value ml_from_block(const struct ml_block *b) { return (ml_value)(uintptr_t)b; }
static inline const char *ml_string_bytes(const struct ml_block *b) { return (const char *)b->field; }
static inline size_t ml_string_fields(size_t length) { return (length + 7) / 8; }
static inline double ml_to_real(ml_value v) {
  union {
    ml_value bits;
    double number;
  } u = {ml_block(v)->field[0]};
  return u.number;
}
ml_value ml_heap_real(struct ml_heap *, double); /* 0: memory */
/* A time as it is computed, a number or (where time is real) a real, as one of instant.h. */
static inline int64_t ml_instant(int real, ml_value v) {
  if (!ml_is_int(v)) return instant_of_real(ml_to_real(v));
  return real ? instant_of_real((double)ml_to_int(v)) : ml_to_int(v);
}

#endif
