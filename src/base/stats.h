/* stats.h -- the counters of stats.def as a struct and as a table. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stdint.h>

struct stats {
#define COUNTER(name, key, unit, meaning) uint64_t name;
#include "base/stats.def"
#undef COUNTER
};

struct stats_row {
  const char *name, *key, *unit, *meaning;
};
extern const struct stats_row stats_rows[]; /* in the order of the struct, NULL-terminated */

static inline uint64_t stats_value(const struct stats *s, unsigned row) { return ((const uint64_t *)(const void *)s)[row]; }

#endif
