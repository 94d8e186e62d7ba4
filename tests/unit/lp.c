/* lp.c -- linear programs: known ones, and random ones against all corners of their polyhedra in exact fractions. */
#include "tap.h"

#include "base/rng.h"
#include "net/lp.h"

#include <stdlib.h>

static struct mem mem;
enum { MOST = 8 };

struct dense { /* slack + a x >= 0 */
  uint32_t rows, columns;
  int64_t a[MOST][MOST], slack[MOST], gain[MOST];
};

static enum lp_answer solve(const struct dense *d, int with_gain, int64_t *most, double *x, int *found) {
  size_t start[MOST + 1] = {0};
  uint32_t column[MOST * MOST];
  int64_t value[MOST * MOST];
  size_t n = 0;
  for (uint32_t i = 0; i < d->rows; i++) {
    for (uint32_t j = 0; j < d->columns; j++)
      if (d->a[i][j]) column[n] = j, value[n++] = d->a[i][j];
    start[i + 1] = n;
  }
  struct lp lp = {.rows = d->rows, .columns = d->columns, .start = start, .column = column, .value = value, .slack = d->slack, .gain = with_gain ? d->gain : NULL,
                  .enough = INT64_MAX};
  return lp_solve(&lp, &mem, &(struct lp_patience){.steps = 100000}, most, x, found);
}

/* ---- all corners, in fractions: Gauss on every choice of as many tight constraints as there are columns ---- */

/* Solves for the tight constraints; x = num / den. 0: they meet in no single point. */
static int corner(const struct dense *d, const uint32_t *tight, __int128 *num, __int128 *den) {
  uint32_t n = d->columns;
  __int128 m[MOST][MOST + 1] = {{0}};
  for (uint32_t r = 0; r < n; r++) {
    if (tight[r] < d->rows) {
      for (uint32_t j = 0; j < n; j++) m[r][j] = d->a[tight[r]][j];
      m[r][n] = -(__int128)d->slack[tight[r]];
    } else {
      m[r][tight[r] - d->rows] = 1;
    }
  }
  __int128 last = 1; /* Bareiss: all divisions are exact */
  for (uint32_t k = 0; k < n; k++) {
    uint32_t p = k;
    while (p < n && !m[p][k]) p++;
    if (p == n) return 0;
    for (uint32_t j = 0; j <= n && p != k; j++) {
      __int128 swap = m[p][j];
      m[p][j] = m[k][j];
      m[k][j] = swap;
    }
    for (uint32_t r = 0; r < n; r++) {
      if (r == k) continue;
      for (uint32_t j = 0; j <= n; j++)
        if (j != k) m[r][j] = (m[r][j] * m[k][k] - m[r][k] * m[k][j]) / last;
      m[r][k] = 0;
    }
    for (uint32_t r = 0; r < k; r++) m[r][r] = m[k][k];
    last = m[k][k];
  }
  *den = last < 0 ? -last : last;
  for (uint32_t j = 0; j < n; j++) num[j] = last < 0 ? -m[j][n] : m[j][n];
  return 1;
}

static int feasible(const struct dense *d, const __int128 *num, __int128 den) {
  for (uint32_t j = 0; j < d->columns; j++)
    if (num[j] < 0) return 0;
  for (uint32_t i = 0; i < d->rows; i++) {
    __int128 sum = d->slack[i] * den;
    for (uint32_t j = 0; j < d->columns; j++) sum += d->a[i][j] * num[j];
    if (sum < 0) return 0;
  }
  return 1;
}

struct truth {
  int feasible;
  int64_t floor; /* of the best corner */
};

static struct truth all_corners(const struct dense *d) {
  struct truth t = {.floor = INT64_MIN};
  uint32_t n = d->columns, all = d->rows + n, tight[MOST];
  for (uint32_t set = 0; set < 1u << all; set++) {
    if ((uint32_t)__builtin_popcount(set) != n) continue;
    uint32_t k = 0;
    for (uint32_t i = 0; i < all; i++)
      if (set >> i & 1) tight[k++] = i;
    __int128 num[MOST], den, sum = 0;
    if (!corner(d, tight, num, &den) || !feasible(d, num, den)) continue;
    t.feasible = 1; /* x >= 0: where there is a solution there is a corner */
    for (uint32_t j = 0; j < n; j++) sum += d->gain[j] * num[j];
    __int128 down = sum / den - (sum % den < 0);
    if (down > t.floor) t.floor = (int64_t)down;
  }
  return t;
}

/* ---- tests ---- */

static void random_ones(uint64_t seed, int count) {
  struct rng rng = {seed};
  int wrong = 0, proven = 0, missed = 0, tight = 0, loose = 0, gains = 0;
  for (int run = 0; run < count; run++) {
    struct dense d = {.rows = 1 + (uint32_t)rng_below(&rng, 6), .columns = 1 + (uint32_t)rng_below(&rng, 4)};
    int with_gain = rng_below(&rng, 2) != 0;
    for (uint32_t i = 0; i < d.rows; i++) {
      for (uint32_t j = 0; j < d.columns; j++) d.a[i][j] = rng_below(&rng, 3) ? (int64_t)rng_below(&rng, 7) - 3 : 0;
      d.slack[i] = with_gain ? (int64_t)rng_below(&rng, 6) : (int64_t)rng_below(&rng, 9) - 4;
    }
    for (uint32_t j = 0; j < d.columns; j++) d.gain[j] = (int64_t)rng_below(&rng, 7) - 3;
    if (with_gain) { /* bounded, so that the best corner is the best of all */
      uint32_t i = d.rows++;
      for (uint32_t j = 0; j < d.columns; j++) d.a[i][j] = -1;
      d.slack[i] = (int64_t)rng_below(&rng, 20);
    }
    struct truth truth = all_corners(&d);
    int64_t most = 0;
    double x[MOST];
    int found;
    enum lp_answer answer = solve(&d, with_gain, &most, x, &found);
    if (!with_gain) {
      wrong += answer == LP_INFEASIBLE && truth.feasible;
      proven += answer == LP_INFEASIBLE;
      missed += answer != LP_INFEASIBLE && !truth.feasible;
      wrong += found && !truth.feasible && answer == LP_INFEASIBLE;
    } else {
      gains++;
      wrong += answer == LP_AT_MOST && most < truth.floor;
      tight += answer == LP_AT_MOST && most == truth.floor;
      loose += answer != LP_AT_MOST || most > truth.floor;
    }
  }
  printf("# %d infeasible proven, %d missed; %d bounds exact, %d not\n", proven, missed, tight, loose);
  ok(proven > count / 20 && gains > count / 4, "both kinds occur");
  is(wrong, 0, "nothing that is claimed is wrong");
  is(missed, 0, "every program without a solution is found out");
  is(loose, 0, "every bound is exact");
}

static void known_ones(void) {
  int64_t most = 0;
  int found;
  double x[MOST];
  /* Beale: the simplex method goes in circles here without care. Best: 1/20, by x1 = 1/25, x3 = 1. In 1/100 of everything, gains times 100. */
  struct dense beale = {.rows = 3, .columns = 4, .a = {{-25, 6000, 4, -900}, {-50, 9000, 2, -300}, {0, 0, -1, 0}}, .slack = {0, 0, 1}, .gain = {75, -15000, 2, -600}};
  is(solve(&beale, 1, &most, x, &found), LP_AT_MOST, "Beale's example");
  is(most, 5, "and its best");
  struct dense unbounded = {.rows = 1, .columns = 2, .a = {{1, -1}}, .slack = {3}, .gain = {1, 0}};
  is(solve(&unbounded, 1, &most, x, &found), LP_OPEN, "no bound where there is none");
  struct dense empty = {.rows = 2, .columns = 1, .a = {{2}, {-2}}, .slack = {-1, 0}};
  is(solve(&empty, 0, &most, x, &found), LP_INFEASIBLE, "2 x >= 1 and 2 x <= 0");
  struct dense point = {.rows = 2, .columns = 1, .a = {{2}, {-2}}, .slack = {-1, 1}};
  is(solve(&point, 0, &most, x, &found), LP_OPEN, "2 x = 1");
  ok(found && x[0] > 0.49 && x[0] < 0.51, "has one solution");
  struct dense nothing = {.rows = 0, .columns = 0};
  is(solve(&nothing, 0, &most, x, &found), LP_OPEN, "no rows, no columns");
  struct dense false_row = {.rows = 1, .columns = 0, .slack = {-1}};
  is(solve(&false_row, 0, &most, x, &found), LP_INFEASIBLE, "0 >= 1");
  struct dense none_to_gain = {.rows = 1, .columns = 1, .a = {{-1}}, .slack = {7}, .gain = {0}};
  is(solve(&none_to_gain, 1, &most, x, &found), LP_AT_MOST, "nothing to gain");
  is(most, 0, "is a bound");
  struct dense third = {.rows = 2, .columns = 2, .a = {{-3, 1}, {0, -7}}, .slack = {1, 1}, .gain = {21, 0}};
  is(solve(&third, 1, &most, x, &found), LP_AT_MOST, "fractions");
  is(most, 8, "21 x with 3 x <= 1 + y and 7 y <= 1");
  struct dense far = {.rows = 2, .columns = 1, .a = {{INT64_C(1) << 31}, {-1}}, .slack = {-(INT64_C(1) << 32), 1}};
  is(solve(&far, 0, &most, x, &found), LP_INFEASIBLE, "large numbers");
}

/* Every request refused once: nothing is claimed that is wrong, and nothing leaks. */
static void refusals(void) {
  struct dense empty = {.rows = 3, .columns = 2, .a = {{2, 1}, {-2, 0}, {0, -1}}, .slack = {-1, 0, 0}};
  size_t before = mem.used;
  int claimed = 0, leaked = 0, open = 0;
  for (size_t n = 1; n < 60; n++) {
    int found;
    mem.fail_after = n;
    enum lp_answer answer = solve(&empty, 0, NULL, NULL, &found);
    mem.fail_after = 0;
    open += answer == LP_OPEN;
    claimed += answer == LP_AT_MOST;
    leaked += mem.used != before;
  }
  ok(open > 5, "too little memory: open");
  is(claimed, 0, "and nothing else");
  is(leaked, 0, "nothing is kept");
}

int main(void) {
  mem_open(&mem, 0);
  known_ones();
  random_ones(1, 4000);
  random_ones(77, 4000);
  refusals();
  is(mem.used, 0, "all memory is back");
  return done();
}
