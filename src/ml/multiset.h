/* multiset.h -- multisets as values: MULTISET and TIMED blocks (value.h), always in canonical order.
 *
 * Entries are runs of two or three fields, ascending by value and then by time, coefficients above zero, no two of the same value
 * and time: equal multisets are equal blocks.  All operations are merges, linear in what they read.  Results live in `heap`;
 * where one operand is empty the other one is the result itself. */
#ifndef ML_MULTISET_H
#define ML_MULTISET_H

#include "ml/value.h"

enum ml_sum {
  ML_SUM_OK,
  ML_SUM_MEMORY,
  ML_SUM_MISSING,  /* subtraction: something is not there */
  ML_SUM_OVERFLOW, /* a coefficient beyond ML_INT_MAX */
};

ml_value ml_multiset_empty(int timed); /* needs no heap */
static inline uint32_t ml_multiset_stride(const struct ml_block *b) { return b->tag == ML_BLOCK_TIMED ? 3 : 2; }
static inline uint32_t ml_multiset_entries(ml_value m) { return ml_block(m)->size / ml_multiset_stride(ml_block(m)); }

enum ml_sum ml_multiset_single(struct ml_heap *, int64_t coefficient, ml_value value, ml_value *out); /* 0 or less: empty */
enum ml_sum ml_multiset_add(struct ml_heap *, ml_value, ml_value, ml_value *out);
enum ml_sum ml_multiset_add_many(struct ml_heap *, const ml_value *, uint32_t count, int timed, ml_value *out);
enum ml_sum ml_multiset_subtract(struct ml_heap *, ml_value from, ml_value what, ml_value *out);
enum ml_sum ml_multiset_scale(struct ml_heap *, int64_t by, ml_value, ml_value *out);
enum ml_sum ml_multiset_from_list(struct ml_heap *, ml_value list, ml_value *out); /* each element once */
/* Plain to timed: each token gets the time; timed tokens with `later` 1 wait so much longer. */
enum ml_sum ml_multiset_at(struct ml_heap *, ml_value, int64_t time, ml_value *out);
enum ml_sum ml_multiset_later(struct ml_heap *, ml_value timed, int64_t by, int real, ml_value *out);
enum ml_sum ml_multiset_untimed(struct ml_heap *, ml_value timed, ml_value *out);
/* Any entries in any order (stride 2 or 3) become a multiset; the block is sorted in place and may shrink. */
enum ml_sum ml_multiset_canonical(struct ml_block *entries);

int64_t ml_multiset_size(ml_value);                        /* how many tokens; -1: beyond ML_INT_MAX */
int64_t ml_multiset_coefficient(ml_value, ml_value value); /* timed: over all times */
int ml_multiset_contains(ml_value larger, ml_value smaller);

#endif
