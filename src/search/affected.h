/* affected.h -- which expressions a group of the model can change: the others are in its successor what they were before the step, and need not be evaluated.
 *
 * One bit per group and expression; whoever knows the model fills it (run/affect.h).  of_group NULL: nothing is known, and everything may change. */
#ifndef SEARCH_AFFECTED_H
#define SEARCH_AFFECTED_H

#include <stddef.h>
#include <stdint.h>

struct affected {
  uint64_t *of_group; /* `words` for each group */
  size_t words, count; /* count: of expressions */
};

static inline int affected_may(const struct affected *a, uint32_t group, size_t expression) {
  return a->of_group[group * a->words + expression / 64] >> expression % 64 & 1;
}

#endif
