/* shared.h -- a set of states that several threads enter at once, without locks: each gets a number, and marks that threads set for each other.
 *
 *   index    | tag: hash bits 36.. | number + 1 |   64-bit words, open addressing, linear probing; 0 = free; entered by compare-and-swap
 *   records  | state 0 | state 1 | ...            whole bytes; written before the number is to be seen
 *   marks    a byte for each state
 *
 * Who finds a free entry takes a number, writes the record and swaps the entry in; if somebody was faster there, that one is compared like any other, and the number is kept for the next state.  Growing needs everybody
 * to stand still: put says that it is time, and whoever looks after the threads calls shared_grow.
 *
 * This is for searches whose threads go their own ways (search/cndfs.h); searches that go in rounds have store.h. */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "base/mem.h"

#include <stdatomic.h>
#include <stdint.h>

#define SHARED_FULL UINT64_MAX /* it is time to grow */
#define SHARED_NONE (UINT64_MAX - 1)

struct shared {
  struct mem *mem;
  uint32_t words, record; /* of a state: words; bytes that count */
  struct region index, records, marks;
  uint64_t slots, limit; /* entries; numbers before it must grow */
  _Atomic uint64_t next; /* number */
};

int shared_open(struct shared *, struct mem *, uint32_t words, uint32_t bits); /* 0, or -1: no memory */
void shared_close(struct shared *);
/* The number of a state, new or not, or SHARED_FULL. *spare is the thread's own: SHARED_NONE at first. */
uint64_t shared_put(struct shared *, const uint32_t *state, uint64_t *spare);
void shared_get(const struct shared *, uint64_t number, uint32_t *state);
int shared_grow(struct shared *); /* nobody else is here. 0, or -1: no memory, nothing has changed */
size_t shared_bytes(const struct shared *);

static inline _Atomic uint8_t *shared_marks(const struct shared *s, uint64_t number) { return (_Atomic uint8_t *)(void *)s->marks.base + number; }

#endif
