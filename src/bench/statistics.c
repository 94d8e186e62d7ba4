/* statistics.c -- see statistics.h. */
#include "bench/statistics.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 20000, MOST = 64, SHUFFLES = 10000 }; /* MOST: values of one group that are looked at */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double statistics_median(double *v, size_t n) {
  qsort(v, n, sizeof *v, by_value);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Number of ways to choose k of n, or EXACT + 1 if there are more. */
static size_t ways(size_t n, size_t k) {
  double w = 1;
  for (size_t i = 1; i <= k && w <= EXACT; i++) w = w * (double)(n - k + i) / (double)i;
  return w > EXACT ? EXACT + 1 : (size_t)llround(w);
}

double statistics_least_p(size_t na, size_t nb) {
  double w = 1;
  for (size_t i = 1; i <= na; i++) w = w * (double)(nb + i) / (double)i;
  return na && nb ? fmin(1, 2 / w) : 1;
}

/* Twice the mid-ranks, so that they are whole. */
static void ranks(const double *all, size_t n, long *out) {
  for (size_t i = 0; i < n; i++) {
    long below = 0, same = 0;
    for (size_t k = 0; k < n; k++) below += all[k] < all[i], same += all[k] == all[i];
    out[i] = 2 * below + same + 1;
  }
}

static void shuffle(struct rng *r, long *v, size_t n) {
  for (size_t i = n; i > 1; i--) {
    size_t k = (size_t)rng_below(r, i);
    long x = v[i - 1];
    v[i - 1] = v[k];
    v[k] = x;
  }
}

double statistics_rank_p(const double *a, size_t na, const double *b, size_t nb) {
  double all[2 * MOST];
  long rank[2 * MOST], sum = 0, total = 0;
  if (na > MOST) na = MOST;
  if (nb > MOST) nb = MOST;
  size_t n = na + nb, k = na;
  if (!na || !nb) return 1;
  memcpy(all, a, na * sizeof *all);
  memcpy(all + na, b, nb * sizeof *all);
  ranks(all, n, rank);
  for (size_t i = 0; i < n; i++) total += rank[i];
  for (size_t i = 0; i < na; i++) sum += rank[i];
  /* distance from the mean, without fractions: |n * sum - k * total| */
  long far = labs((long)n * sum - (long)k * total), hits = 0, tried = 0;
  if (ways(n, k) <= EXACT) { /* every choice of k, in lexicographic order */
    size_t at[MOST];
    for (size_t i = 0; i < k; i++) at[i] = i;
    for (;;) {
      long s = 0;
      for (size_t i = 0; i < k; i++) s += rank[at[i]];
      tried++;
      hits += labs((long)n * s - (long)k * total) >= far;
      size_t i = k;
      while (i > 0 && at[i - 1] == n - k + i - 1) i--;
      if (!i) break;
      at[i - 1]++;
      for (; i < k; i++) at[i] = at[i - 1] + 1;
    }
    return (double)hits / (double)tried;
  }
  struct rng r = {1};
  for (; tried < EXACT; tried++) {
    long s = 0;
    shuffle(&r, rank, n);
    for (size_t i = 0; i < k; i++) s += rank[i];
    hits += labs((long)n * s - (long)k * total) >= far;
  }
  return (double)(hits + 1) / (double)(tried + 1);
}

void statistics_correct(double *p, double *room, size_t n) {
  size_t tests = 0;
  for (size_t i = 0; i < n; i++)
    if (!isnan(p[i])) room[tests++] = p[i];
  qsort(room, tests, sizeof *room, by_value);
  /* from the largest down: each becomes the least of p * tests / rank over itself and the larger ones */
  for (size_t i = 0; i < n; i++) {
    if (isnan(p[i])) continue;
    double least = 1;
    for (size_t k = tests; k-- > 0 && room[k] >= p[i];) least = fmin(least, room[k] * (double)tests / (double)(k + 1));
    p[i] = least;
  }
}

static double log_ratio(const double *all, size_t na, size_t nb) {
  double a[MOST], b[MOST];
  memcpy(a, all, na * sizeof *a);
  memcpy(b, all + na, nb * sizeof *b);
  return log(statistics_median(b, nb) / statistics_median(a, na));
}

double statistics_overall_p(const struct statistics_pair *pairs, size_t n, double *mean) {
  struct rng r = {1};
  double all[2 * MOST], own = 0;
  size_t used = 0, hits = 0;
  *mean = 0;
  for (int round = 0; round <= SHUFFLES; round++) { /* the first one is as measured */
    double sum = 0;
    used = 0;
    for (size_t i = 0; i < n; i++) {
      size_t na = pairs[i].na < MOST ? pairs[i].na : MOST, nb = pairs[i].nb < MOST ? pairs[i].nb : MOST;
      if (!na || !nb) continue;
      memcpy(all, pairs[i].a, na * sizeof *all);
      memcpy(all + na, pairs[i].b, nb * sizeof *all);
      for (size_t k = na + nb; round && k > 1; k--) {
        size_t x = (size_t)rng_below(&r, k);
        double v = all[k - 1];
        all[k - 1] = all[x];
        all[x] = v;
      }
      sum += log_ratio(all, na, nb);
      used++;
    }
    if (!used) return 1;
    if (!round) own = *mean = sum / (double)used;
    else hits += fabs(sum / (double)used) >= fabs(own) - 1e-12;
  }
  return (double)(hits + 1) / (SHUFFLES + 1);
}
