/* quantity.h -- sizes, times and counts as people type them. */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include <stdint.h>

/* Each returns 0, or -1 when the text is no such quantity. */
int quantity_count(const char *text, uint64_t *out);                  /* 500 10k 2.5M 1e6 1_000_000 */
int quantity_size(const char *text, uint64_t machine, uint64_t *out); /* 512M 2G 64MiB 50% (of machine) */
int quantity_duration(const char *text, double *seconds);             /* 90 1.5 500ms 1m30s 2h */

#endif
