/* values.h -- values of tokens and variables, each kept once and called by a number. */
#ifndef COLOUR_VALUES_H
#define COLOUR_VALUES_H

#include "colour/shelf.h"
#include "ml/value.h"

#define VALUES_NONE UINT32_MAX /* memory */

struct values {
  struct mem *mem;
  struct shelf shelf; /* also of what is made of values: multisets, bindings */
  struct ml_heap *heap;  /* blocks that stay */
  ml_value *block;       /* open addressing by content: every block that is kept, parts of others as well; 0 = free; under the lock */
  size_t blocks, block_room;
  struct vec(ml_value) word; /* by number */
  struct shelf_index *index; /* by word */
};

int values_open(struct values *, struct mem *); /* 0 or -1 */
void values_close(struct values *);
/* The number of a value, which may live anywhere and is copied; VALUES_NONE: memory. */
uint32_t values_keep(struct values *, ml_value);
static inline ml_value values_word(const struct values *v, uint32_t number) { return *shelf_at(&v->word, number); }
/* The order of ml/value.h, which knows nothing of numbers. */
int values_compare(const struct values *, uint32_t a, uint32_t b);

#endif
