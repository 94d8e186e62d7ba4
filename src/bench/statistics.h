/* statistics.h -- telling a change from noise.
 *
 * Times of programs have long tails, so nothing here assumes a distribution.  Two samples are compared by the rank-sum test of Wilcoxon, Mann and Whitney: all ways to deal the measured values out to two
 * groups of these sizes are equally likely if nothing changed, and p is the share of them whose ranks differ at least as much.  It is counted exactly where there are at most EXACT of them, else over that many at random with
 * a fixed seed.  Many tasks are tested at once: p is corrected by Benjamini and Hochberg, so that of the changes told at 5 % at most one in twenty is none.  For a whole suite, where single tasks have few repetitions, the
 * values are dealt out anew within each task, and the mean of the logarithms of the ratios of medians is what is compared. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

double statistics_median(double *values, size_t n); /* n > 0; sorts them */
/* Two-sided p. 1 where a group is empty. */
double statistics_rank_p(const double *a, size_t na, const double *b, size_t nb);
/* The smallest p that groups of these sizes can have. */
double statistics_least_p(size_t na, size_t nb);
void statistics_correct(double *p, double *room, size_t n); /* in place; NAN stays; room for n more */

struct statistics_pair { /* a task in two runs */
  const double *a, *b;
  size_t na, nb;
};
/* p of the mean over all pairs of log(median b / median a) being this far from 0. Values are positive. *mean: that mean. */
double statistics_overall_p(const struct statistics_pair *, size_t n, double *mean);

#endif
