/* lp.h -- linear programs with integer data, answered by exact certificates.
 *
 *   slack[i] + sum over j of a[i][j] x[j] >= 0  for every row i,   x >= 0,   and perhaps: the largest sum of gain[j] x[j]
 *
 * The simplex method computes in doubles and only proposes.  What is believed is a row of integers y >= 0, checked in exact arithmetic:
 *
 *   infeasible   y a <= 0 and y slack < 0: adding up the rows y times gives 0 <= something below 0 (Farkas)
 *   at most b    q gain + y a <= 0: then gain x <= y slack / q, rounded down where the sum takes only whole numbers
 *
 * Without a certificate the answer is LP_OPEN: nothing is known, and nothing is claimed. */
#ifndef NET_LP_H
#define NET_LP_H

#include "base/mem.h"

struct lp { /* rows, one after the other */
  uint32_t rows, columns;
  const size_t *start;   /* row i: entries start[i] .. start[i + 1] */
  const uint32_t *column;
  const int64_t *value;  /* up to 2^40 */
  const int64_t *slack;
  const int64_t *gain; /* NULL: is there a solution at all? Otherwise every slack is >= 0 */
  int64_t enough;      /* with gain: stop as soon as it is known that so much can be had */
};

struct lp_patience {
  double until;                  /* clock_now(); 0 = for ever */
  const volatile int *interrupt; /* may be NULL */
  uint64_t steps;                /* of the simplex method; 0 = as many as it takes */
};

enum lp_answer {
  LP_INFEASIBLE, /* proven */
  LP_AT_MOST,    /* proven: *most */
  LP_OPEN,       /* a solution was found (x), or more than enough, or nothing could be proven */
};

/* x: room for one value per column, may be NULL; what the method found last, of which nothing is certain. *found: it found a solution. most: with gain.
   Too little memory means LP_OPEN. */
enum lp_answer lp_solve(const struct lp *, struct mem *, const struct lp_patience *, int64_t *most, double *x, int *found);

#endif
