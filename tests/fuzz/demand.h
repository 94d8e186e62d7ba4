/* demand.h -- what a fuzz target insists on. */
#ifndef TESTS_FUZZ_DEMAND_H
#define TESTS_FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

#define demand(condition)                                                                                                        \
  do {                                                                                                                           \
    if (!(condition)) {                                                                                                          \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                                    \
      abort();                                                                                                                   \
    }                                                                                                                            \
  } while (0)

#endif
