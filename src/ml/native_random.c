/* native_random.c -- CPN Tools' distributions.
 *
 * Those with finitely many outcomes are choices in a state space (chance.h); it cannot have the others, which the checker refuses unless the world draws (ml_draw).  All numbers come from one small generator, so that a seed names a run.  Each distribution is made of
 * uniform numbers in the textbook way: exponential by inversion, normal by Box and Muller's pairs (one of a pair is thrown away: nothing is kept between calls), gamma by Marsaglia and Tsang's squeeze, chi-square, student, erlang and beta from
 * gamma, poisson and binomial by counting.  The parameters are CPN Tools': exponential takes a rate, normal a mean and a variance, gamma and erlang a rate and a shape.
 *
 * What no distribution allows raises Domain. */
#include "ml/chance.h"
#include "ml/native.h"

#include <math.h>
#include <stdio.h>

static double uniform(struct ml_machine *m) { return ((double)(rng_next(&m->ml->rng) >> 11) + 0.5) * 0x1p-53; } /* 0 < x < 1 */
static double standard_normal(struct ml_machine *m) {
  double u = uniform(m), v = uniform(m);
  return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static double standard_gamma(struct ml_machine *m, double shape) {
  if (shape < 1) {
    double u = uniform(m);
    return standard_gamma(m, shape + 1) * pow(u, 1 / shape); /* once: shape + 1 is at least 1 */
  }
  double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    double x = standard_normal(m), v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    if (log(uniform(m)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

static enum ml_answer domain(struct ml_machine *m) { return ml_raise(m, ML_EXN_DOMAIN, ML_UNIT); }
static int positive(double x) { return x > 0 && isfinite(x); }

/* Where nobody draws: one of the numbers below `ways`, by the tape. 0: it is to be drawn. */
static int chosen(struct ml_machine *m, uint64_t ways, int64_t *out, enum ml_answer *answer) {
  *answer = ML_OK;
  if (m->ml->draws) return 0;
  *answer = ml_choose(m, ways, out);
  return 1;
}

DO(RANDOM_UNIFORM) {
  double low = ml_to_real(a[0]), high = ml_to_real(a[1]);
  return low <= high && isfinite(high - low) ? ml_give_real(m, a, low + (high - low) * uniform(m)) : domain(m);
}

DO(RANDOM_DISCRETE) {
  int64_t low = ml_to_int(a[0]), high = ml_to_int(a[1]);
  enum ml_answer answer;
  int64_t n;
  if (low > high) return domain(m);
  if (!chosen(m, (uint64_t)(high - low) + 1, &n, &answer)) n = (int64_t)rng_below(&m->ml->rng, (uint64_t)(high - low) + 1);
  return answer == ML_OK ? ml_give_int(m, a, low + n) : answer;
}

DO(RANDOM_BERNOULLI) {
  double p = ml_to_real(a[0]);
  enum ml_answer answer;
  int64_t hit;
  if (!(p >= 0 && p <= 1)) return domain(m);
  if (!chosen(m, p > 0 && p < 1 ? 2 : 1, &hit, &answer)) hit = uniform(m) < p;
  else if (p == 1) hit = 1;
  return answer == ML_OK ? ml_give_int(m, a, hit) : answer;
}

DO(RANDOM_BINOMIAL) {
  int64_t n = ml_to_int(a[0]), hits = 0;
  double p = ml_to_real(a[1]);
  enum ml_answer answer;
  if (n < 0 || !(p >= 0 && p <= 1)) return domain(m);
  if (chosen(m, p > 0 && p < 1 ? (uint64_t)n + 1 : 1, &hits, &answer)) return answer == ML_OK ? ml_give_int(m, a, p == 1 ? n : hits) : answer;
  answer = ml_work(m, (uint64_t)n);
  for (int64_t i = 0; i < n && answer == ML_OK; i++) hits += uniform(m) < p;
  return answer == ML_OK ? ml_give_int(m, a, hits) : answer;
}

DO(RANDOM_POISSON) {
  double left = ml_to_real(a[0]);
  int64_t n = -1;
  if (!positive(left) || left > 1e7) return domain(m);
  enum ml_answer answer = ml_work(m, (uint64_t)left);
  for (; left > 0 && answer == ML_OK; n++) left += log(uniform(m)); /* events of a process of rate one until then */
  return answer == ML_OK ? ml_give_int(m, a, n) : answer;
}

DO(RANDOM_EXPONENTIAL) {
  double rate = ml_to_real(a[0]);
  return positive(rate) ? ml_give_real(m, a, -log(uniform(m)) / rate) : domain(m);
}

DO(RANDOM_ERLANG) {
  int64_t n = ml_to_int(a[0]);
  double rate = ml_to_real(a[1]);
  return n > 0 && positive(rate) ? ml_give_real(m, a, standard_gamma(m, (double)n) / rate) : domain(m);
}

DO(RANDOM_GAMMA) {
  double rate = ml_to_real(a[0]), shape = ml_to_real(a[1]);
  return positive(rate) && positive(shape) ? ml_give_real(m, a, standard_gamma(m, shape) / rate) : domain(m);
}

DO(RANDOM_NORMAL) {
  double mean = ml_to_real(a[0]), variance = ml_to_real(a[1]);
  return variance >= 0 && isfinite(mean) && isfinite(variance) ? ml_give_real(m, a, mean + sqrt(variance) * standard_normal(m)) : domain(m);
}

DO(RANDOM_CHISQ) {
  int64_t n = ml_to_int(a[0]);
  return n > 0 ? ml_give_real(m, a, 2 * standard_gamma(m, (double)n / 2)) : domain(m);
}

DO(RANDOM_STUDENT) {
  int64_t n = ml_to_int(a[0]);
  if (n <= 0) return domain(m);
  double x = standard_normal(m);
  return ml_give_real(m, a, x / sqrt(2 * standard_gamma(m, (double)n / 2) / (double)n));
}

DO(RANDOM_BETA) {
  double p = ml_to_real(a[0]), q = ml_to_real(a[1]);
  if (!positive(p) || !positive(q)) return domain(m);
  double x = standard_gamma(m, p), y = standard_gamma(m, q);
  return ml_give_real(m, a, x / (x + y));
}

DO(RANDOM_RAYLEIGH) {
  double s = ml_to_real(a[0]);
  return s >= 0 && isfinite(s) ? ml_give_real(m, a, s * sqrt(-2 * log(uniform(m)))) : domain(m);
}

DO(RANDOM_WEIBULL) {
  double scale = ml_to_real(a[0]), shape = ml_to_real(a[1]);
  return positive(scale) && positive(shape) ? ml_give_real(m, a, scale * pow(-log(uniform(m)), 1 / shape)) : domain(m);
}

/* A token of the multiset: a colour of which there are more is as much more likely. */
DO(RANDOM_OF) {
  const struct ml_block *b = ml_block(a[0]);
  enum ml_answer answer;
  int64_t n, size = ml_multiset_size(a[0]);
  uint32_t i = 0;
  if (!b->size) return ml_raise(m, ML_EXN_EMPTY, ML_UNIT);
  if (size < 0) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  if (chosen(m, b->size / 2, &n, &answer)) i = answer == ML_OK ? 2 * (uint32_t)n : 0;
  else
    for (n = (int64_t)rng_below(&m->ml->rng, (uint64_t)size); n >= ml_to_int(b->field[i]); i += 2) n -= ml_to_int(b->field[i]);
  return answer == ML_OK ? ml_give(a, b->field[i + 1]) : answer;
}

DO(RANDOM_NAME) {
  char text[24];
  int length = snprintf(text, sizeof text, "event%016llx", (unsigned long long)rng_next(&m->ml->rng));
  return ml_give_string(m, a, text, (size_t)length);
}

/* Any colour of the set. */
DO(COLSET_RAN) {
  uint64_t size = ml_colset_size(site->colset, ML_INT_MAX);
  if (!size) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
  enum ml_answer answer;
  int64_t n;
  if (!chosen(m, size, &n, &answer)) n = (int64_t)rng_below(&m->ml->rng, size);
  if (answer != ML_OK) return answer;
  *a = ml_from_int(n);
  return ml_do_COLSET_COL(m, a, site);
}
