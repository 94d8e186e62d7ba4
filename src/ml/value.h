/* value.h -- values of CPN ML while they are computed.
 *
 * A value is one 64-bit word: odd, a number in its upper 63 bits (ints, chars, bools, unit, constructors without argument, the
 * empty list); even, the address of a block.
 *
 *   block:  tag 32 bits | size 32 bits | size fields of 8 bytes (strings: size bytes, zero-padded to 8)
 *
 *   TUPLE        size parts; records in the order of their sorted labels.  unit is the number 0
 *   CELL         head, tail of a list; nil is the number 0
 *   CONSTRUCTED  number of the constructor (as a value), argument
 *   STRING       bytes
 *   REAL         the bits of a double; one zero and one that is not a number, so that equal means the same bits
 *   MULTISET     size = 2 * entries: (coefficient, value) by ascending value, coefficients above zero
 *   TIMED        size = 3 * entries: (coefficient, value, time) by ascending value, then time
 *   CLOSURE      code, captured values            EXCEPTION  exception (its number), argument
 *   REF          the value, the number of the run that made it
 *
 * Blocks are written once, except REF.  They live in a heap that is emptied as a whole: an inscription is evaluated, its result
 * is taken out (ml_value_copy, or interned), and everything else goes at once.  Nobody collects garbage. */
#ifndef ML_VALUE_H
#define ML_VALUE_H

#include "base/mem.h"

#include <stdint.h>

typedef uint64_t ml_value;

enum ml_tag {
  ML_BLOCK_TUPLE,
  ML_BLOCK_CELL,
  ML_BLOCK_CONSTRUCTED,
  ML_BLOCK_STRING,
  ML_BLOCK_REAL,
  ML_BLOCK_MULTISET,
  ML_BLOCK_TIMED,
  ML_BLOCK_CLOSURE,
  ML_BLOCK_EXCEPTION,
  ML_BLOCK_REF
};

struct ml_block {
  uint32_t tag, size;
  ml_value field[];
};

static inline ml_value ml_from_int(int64_t n) { return (uint64_t)n << 1 | 1; }
static inline int64_t ml_to_int(ml_value v) { return (int64_t)v >> 1; }
static inline int ml_is_int(ml_value v) { return v & 1; }
static inline const struct ml_block *ml_block(ml_value v) { return (const struct ml_block *)(uintptr_t)v; }
#define ML_UNIT ml_from_int(0)
#define ML_NIL ml_from_int(0)
#define ML_INT_MAX ((int64_t)1 << 61) /* arithmetic beyond it raises Overflow */

struct ml_heap; /* blocks that go together */
int ml_heap_open(struct ml_heap **out, struct mem *);
void ml_heap_close(struct ml_heap *);
void ml_heap_clear(struct ml_heap *);
/* A block of this tag and size, fields not set. NULL: memory. */
struct ml_block *ml_heap_block(struct ml_heap *, enum ml_tag, uint32_t size);
struct ml_block *ml_heap_string(struct ml_heap *, const char *text, size_t length);

/* A total order on values of one type that hold no functions: numbers by size, strings as strcmp does, tuples and lists from the
   left (a prefix comes first), constructors by number and then argument, multisets as lists of their entries.  <0, 0, >0. Not
   recursive in the length of lists. ML_TOO_DEEP: nobody can tell, values of datatypes are nested 20,000 deep and more; colours
   never are. */
#define ML_TOO_DEEP INT32_MIN
int ml_value_compare(ml_value, ml_value);
uint64_t ml_value_hash(ml_value);
/* A copy that lives in another heap. 0: memory, or it is too deep (no value is 0). */
ml_value ml_value_copy(struct ml_heap *to, ml_value);

#endif
