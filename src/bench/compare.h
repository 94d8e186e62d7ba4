/* compare.h -- two runs beside each other: what became faster, slower, larger, smaller, and what is only noise (statistics.h). */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench/results.h"

#include <stdio.h>

enum change { CHANGE_NONE, CHANGE_LESS, CHANGE_MORE, CHANGE_UNKNOWN }; /* UNKNOWN: too few repetitions to tell */

struct change_of {
  double a, b, ratio; /* medians, b / a; NAN */
  double p;           /* corrected; NAN: not tested */
  enum change change;
};

struct compared {
  const struct row *a, *b;
  struct change_of time, memory;
  const char *note; /* counts that differ, a result that only one has; NULL */
};

struct comparison {
  struct arena arena;
  const struct results *a, *b;
  struct compared *rows;
  size_t count, only_a, only_b; /* only_: tasks of one run */
  struct change_of time, memory; /* of all: geometric mean of the ratios */
  size_t faster, slower, smaller, larger, differ;
};

/* Smallest change that is told, as a ratio, and the p below which it is. */
#define COMPARE_LEAST 1.03
#define COMPARE_P 0.05

int compare_runs(struct comparison *, const struct results *a, const struct results *b, struct mem *, struct err *);
void compare_close(struct comparison *);
int compare_text(const struct comparison *, struct mem *, FILE *out);
int compare_json(const struct comparison *, FILE *out);

#endif
