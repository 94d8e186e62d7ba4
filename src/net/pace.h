/* pace.h -- how fast a net can change: bounds on what one firing can do, for lower bounds on the number of steps to a marking. */
#ifndef NET_PACE_H
#define NET_PACE_H

#include "net/pt.h"

struct pt_pace {
  uint32_t *gain;    /* by place: the most tokens that one firing adds */
  uint32_t disables; /* transitions that one firing can disable, at most; at least 1 */
};
int pt_pace_open(struct pt_pace *, const struct pt_net *, struct mem *); /* 0 or -1 */
void pt_pace_close(struct pt_pace *, struct mem *);

/* The most that one firing adds to a sum of places, each so many times; 0 if it never grows; INT64_MAX: memory. */
int64_t pt_most_gain(const struct pt_net *, const uint32_t *place, const int64_t *times, size_t count, struct mem *);

#endif
