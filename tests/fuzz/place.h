/* place.h -- where targets that read named files have them: below FUZZ_PLACE, which a campaign removes afterwards, else in memory. */
#ifndef TESTS_FUZZ_PLACE_H
#define TESTS_FUZZ_PLACE_H

#include <stdlib.h>

static inline const char *fuzz_place(void) {
  const char *place = getenv("FUZZ_PLACE");
  return place && *place ? place : "/dev/shm";
}

#endif
