/* measure_lp.c -- the weights with the most positive offsets and no negative one.
 *
 *   w C(t) >= s(t),   0 <= s(t) <= 1,   the largest sum of s(t)
 *
 * A transition can have a positive offset just if it is in no T-semiflow (Farkas): the sum at the best corner is the number of those.  Weights may be negative and
 * columns of lp.h may not: w(p) = x(p) - z with one z for all.  The corner is found in doubles; it is multiplied by small numbers, rounded, and believed if the
 * offsets, in integers, are as wanted. */
#include "net/measure.h"

#include "base/clock.h"
#include "base/vec.h"
#include "net/lp.h"

#include <math.h>
#include <string.h>

/* Beyond so many rows and columns the simplex method takes longer than such a measure is worth. */
enum { MOST_ROWS = 3000, MOST_COLUMNS = 6000 };
static const double SECONDS = 2;

struct rows {
  struct vec(size_t) start;
  struct vec(uint32_t) column;
  struct vec(int64_t) value;
  struct vec(int64_t) slack;
};

static int entry(struct rows *r, struct mem *mem, uint32_t column, int64_t value) {
  if (!value) return 0;
  return vec_push(&r->column, mem, MEM_ANALYSIS, column) || vec_push(&r->value, mem, MEM_ANALYSIS, value);
}

static int end_row(struct rows *r, struct mem *mem, int64_t slack) {
  return vec_push(&r->slack, mem, MEM_ANALYSIS, slack) || vec_push(&r->start, mem, MEM_ANALYSIS, r->column.count);
}

/* Columns: x per place, z, then s per row. */
static int fill(struct rows *r, const struct pt_measure_setup *s, uint32_t *count) {
  const struct pt_net *n = s->net;
  struct mem *mem = s->mem;
  int bad = vec_push(&r->start, mem, MEM_ANALYSIS, 0);
  *count = 0;
  for (uint32_t t = 0; t < n->transitions && !bad; t++) {
    uint32_t place, own = n->places + 1 + *count;
    int64_t all = 0, change;
    size_t before = r->column.count;
    if (s->dead && s->dead[t]) continue;
    for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change); all += change) bad |= entry(r, mem, place, change);
    if (r->column.count == before) continue; /* it changes nothing */
    bad |= entry(r, mem, n->places, -all) || entry(r, mem, own, -1) || end_row(r, mem, 0);
    bad |= entry(r, mem, own, -1) || end_row(r, mem, 1);
    ++*count;
  }
  return bad ? -1 : 0;
}

/* How many transitions rise; 0 if some fall. */
static uint32_t rising(const struct pt_measure_setup *s, const int64_t *weight) {
  uint32_t lower, raise;
  if (!pt_measure_small(s->net, weight)) return 0;
  pt_measure_count(s, weight, &lower, &raise);
  return lower ? 0 : raise;
}

/* The rounded corner, at the scale at which the most transitions rise. */
static int round_corner(const struct pt_measure_setup *s, const double *x, int64_t *weight) {
  static const int scales[] = {1, 2, 3, 4, 5, 6, 8, 12, 24, 60, 120};
  uint32_t places = s->net->places, best = 0;
  int64_t *tried = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)places + 1) * sizeof *tried);
  if (!tried) return -1;
  for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
    for (uint32_t p = 0; p < places; p++) {
      double w = (x[p] - x[places]) * scales[k];
      tried[p] = fabs(w) < 1e9 ? (int64_t)llround(w) : 0;
    }
    uint32_t now = rising(s, tried);
    if (now <= best) continue;
    best = now;
    memcpy(weight, tried, places * sizeof *weight);
  }
  mem_free(s->mem, tried);
  return best ? 0 : 1;
}

int pt_measure_monotone(const struct pt_measure_setup *s, int64_t *weight) {
  const struct pt_net *n = s->net;
  struct mem *mem = s->mem;
  struct rows r = {0};
  uint32_t count = 0;
  if (n->transitions > MOST_ROWS || n->places + n->transitions > MOST_COLUMNS) return 1;
  size_t columns = (size_t)n->places + 1 + n->transitions;
  int64_t *gain = mem_alloc(mem, MEM_ANALYSIS, columns * sizeof *gain), most = -1;
  double *x = mem_alloc(mem, MEM_ANALYSIS, columns * sizeof *x);
  int status = gain && x ? fill(&r, s, &count) : -1;
  if (!status && !count) status = 1;
  if (!status) {
    for (uint32_t i = 0; i < count; i++) gain[n->places + 1 + i] = 1;
    struct lp lp = {.rows = 2 * count, .columns = n->places + 1 + count, .start = r.start.at, .column = r.column.at, .value = r.value.at, .slack = r.slack.at, .gain = gain,
                    .enough = INT64_MAX};
    struct lp_patience patience = {.until = clock_now() + SECONDS};
    enum lp_answer answer = lp_solve(&lp, mem, &patience, &most, x, NULL);
    status = answer == LP_AT_MOST && most == 0 ? 1 : round_corner(s, x, weight);
  }
  mem_free(mem, gain);
  mem_free(mem, x);
  vec_free(&r.start, mem);
  vec_free(&r.column, mem);
  vec_free(&r.value, mem);
  vec_free(&r.slack, mem);
  return status;
}
