/* lookup.h -- the enabled transitions of a packed marking by table, for nets of moderate size.
 *
 * The packed state is cut into chunks of whole fields, up to 9 bits each.  For each chunk and
 * each of its values a bitmap tells which transitions that part of the marking allows:
 *
 *   enabled(s) = allow[0][chunk 0 of s] & allow[1][chunk 1 of s] & ...
 *
 * An input place that is kept is decided by its own chunk.  An implied place is a sum over kept
 * ones; if they share a chunk, or if the sum is "1 - a - b - ..." (one token that is here unless it is
 * elsewhere), the condition still splits into one per chunk.  What does not split is summed up from
 * one table entry per chunk and compared.
 *
 * Token totals split the same way, so peaks cost one table entry per chunk.  For a net of 84
 * transitions and 25 bits this takes 10 ns per marking where moving incrementally takes 480. */
#ifndef NET_LOOKUP_H
#define NET_LOOKUP_H

#include "net/layout.h"

struct lookup;

/* 0 with *out set, or *out NULL where the net is too large for tables or has counts that need watching; -1: memory.
 * proven: bound per place, PT_NONE = unknown. */
int lookup_make(struct lookup **out, const struct layout *, const uint32_t *proven, struct mem *);
void lookup_close(struct lookup *);
/* Fills the bitmap of enabled live transitions and returns their number. */
uint32_t lookup_enabled(const struct lookup *, const uint64_t *state, uint64_t *enabled);
/* Raises the peaks to those of this marking. */
void lookup_peaks(const struct lookup *, const uint64_t *state, uint32_t *in_place, uint64_t *in_marking);

#endif
