/* stats.c -- the table of stats.def. */
#include "base/stats.h"

#include <stddef.h>

const struct stats_row stats_rows[] = {
#define COUNTER(name, key, unit, meaning) {#name, key, unit, meaning},
#include "base/stats.def"
#undef COUNTER
    {NULL, NULL, NULL, NULL},
};
