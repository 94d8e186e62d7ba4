/* statistics.c -- medians, the rank-sum test against values of tables, correction for many tests, and what the tests say of noise that is planted. */
#include "base/rng.h"
#include "bench/statistics.h"
#include "tap.h"

#include <math.h>

static int near(double a, double b) { return fabs(a - b) < 1e-9; }

/* A time of about `mean`: noise of a few per cent with a long tail, as machines make it. */
static double measured(struct rng *r, double mean) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += (double)rng_below(r, 10000) / 10000 - 0.5;
  return mean * exp(0.04 * sum) * (rng_below(r, 10) ? 1 : 1.3);
}

int main(void) {
  double v[] = {3, 1, 2}, w[] = {4, 1, 3, 2};
  ok(near(statistics_median(v, 3), 2) && near(statistics_median(w, 4), 2.5), "medians");
  double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, same[] = {1, 1, 1, 1};
  ok(near(statistics_rank_p(a, 4, b, 4), 2.0 / 70), "four below four: 2 of 70");
  ok(near(statistics_least_p(4, 4), 2.0 / 70), "which is the least there is");
  ok(near(statistics_rank_p(a, 3, b, 3), 0.1), "three below three: 2 of 20");
  ok(near(statistics_rank_p(same, 4, same, 4), 1), "nothing but ties: 1");
  double c[] = {1, 3, 5, 7}, d[] = {2, 4, 6, 8};
  ok(near(statistics_rank_p(c, 4, d, 4), 48.0 / 70), "the table of Mann and Whitney: U = 6 of 4 and 4"); /* P(U <= 6) = 24/70 */
  ok(near(statistics_rank_p(a, 4, b, 4), statistics_rank_p(b, 4, a, 4)), "both ways alike");
  double p[] = {0.01, 0.04, NAN, 0.03, 0.005}, room[5];
  statistics_correct(p, room, 5);
  ok(near(p[0], 0.02) && near(p[1], 0.04) && isnan(p[2]) && near(p[3], 0.04) && near(p[4], 0.02), "Benjamini and Hochberg's example");

  /* how often a planted slowdown is found, and how often one is found that is none */
  struct rng r = {7};
  int found = 0, invented = 0, rounds = 200;
  for (int i = 0; i < rounds; i++) {
    double x[7], y[7], z[7];
    for (int k = 0; k < 7; k++) x[k] = measured(&r, 1), y[k] = measured(&r, 1), z[k] = measured(&r, 1.2);
    invented += statistics_rank_p(x, 7, y, 7) <= 0.05;
    found += statistics_rank_p(x, 7, z, 7) <= 0.05;
  }
  printf("# found %d, invented %d of %d\n", found, invented, rounds);
  ok(found > rounds * 8 / 10, "a fifth slower is found with seven repetitions");
  ok(invented <= rounds * 8 / 100, "noise is not, but for one in twenty");

  double times[2][8][3];
  struct statistics_pair pairs[8];
  for (int slow = 0; slow < 2; slow++) {
    double mean;
    for (int t = 0; t < 8; t++) {
      for (int k = 0; k < 3; k++) times[0][t][k] = measured(&r, 1 + t), times[1][t][k] = measured(&r, (1 + t) * (slow ? 1.1 : 1));
      pairs[t] = (struct statistics_pair){times[0][t], times[1][t], 3, 3};
    }
    double q = statistics_overall_p(pairs, 8, &mean);
    printf("# %d: p = %g, ratio %g\n", slow, q, exp(mean));
    ok(slow ? q <= 0.05 && exp(mean) > 1.03 : q > 0.05, slow ? "a tenth slower is found over eight tasks, three repetitions each" : "noise over eight tasks is not");
  }
  return done();
}
