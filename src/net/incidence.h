/* incidence.h -- the incidence matrix C of a net, sparse: what firing adds to each place.
 *
 * Row r holds the entries index[start[r] .. start[r+1]) with their values, ascending, none
 * of them 0: a transition that takes from a place and gives the same back has no entry there. */
#ifndef NET_INCIDENCE_H
#define NET_INCIDENCE_H

#include "net/pt.h"

struct incidence {
  struct mem *mem;
  uint32_t rows, columns;
  size_t *start;
  uint32_t *index;
  int32_t *value;
};

enum incidence_by { BY_TRANSITION, BY_PLACE }; /* what the rows are */

/* 0, or -1 and nothing held: memory. */
int incidence_open(struct incidence *, const struct pt_net *, enum incidence_by, struct mem *);
void incidence_close(struct incidence *);

/* A row and the number that divides it to lowest terms with a positive first entry. */
struct incidence_row {
  size_t count;
  const uint32_t *index;
  const int32_t *value;
  int64_t divisor; /* 0 for an empty row */
};
struct incidence_row incidence_lowest(const struct incidence *, uint32_t row);
/* The rows that are not empty and no multiple of an earlier one: distinct[0 .. *count). 0, or -1: memory. */
int incidence_distinct(const struct incidence *, uint32_t *distinct, uint32_t *count);

uint64_t incidence_gcd(uint64_t a, uint64_t b);

#endif
