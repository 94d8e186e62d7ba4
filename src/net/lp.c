/* lp.c -- see lp.h.
 *
 * The revised primal simplex method.  With a slack variable s for each row the program is  s - a x = slack,  and the slacks are the first basis.  Where slacks are
 * negative, one more column z helps those rows; it enters at once and is then driven down: a program without a solution keeps z > 0, and the prices of the rows at
 * the end are the certificate.
 *
 * The inverse of the basis is a product of elementary matrices ("etas"), one for each exchange, made anew every REFRESH steps, sparse columns first.  Nets have most
 * slacks at 0, on which the method would go in circles or stand still; so each slack is raised by a little random amount.  That changes which corner is found, not
 * whether its prices are a certificate: those are checked against the true numbers.
 *
 *   proposed prices  double y[i]          certificate  integers round(y[i] * scale)
 *
 * Corners of such programs have small denominators: scales 1, 2, 3, ... and some numbers with many divisors are tried in turn.
 *
 * Tried: all-dense tableaus (ten times slower on nets with a thousand transitions), Bland's rule instead of perturbation (far more steps). */
#include "net/lp.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFRESH = 64, LOOK_EVERY = 16 };
static const double TINY = 1e-9, RAISE = 1e-6, PRICE = 1e-7;

struct eta {
  uint32_t row;
  size_t first, count; /* of entry, without the pivot itself */
  double pivot;
};
struct entry {
  uint32_t row;
  double value;
};

struct simplex {
  struct mem *mem;
  const struct lp *lp;
  uint32_t rows, columns; /* variables: columns, then z, then slacks */
  size_t *start;          /* by column */
  uint32_t *row;
  double *value, *scale; /* scale: 1 / length of the column */
  double *slack;         /* raised */
  uint8_t *needy;        /* per row: z helps it */
  uint32_t *basis;       /* per row */
  uint8_t *basic;        /* per variable */
  double *at;            /* per row: value of its basic variable */
  double *alpha, *price; /* per row */
  struct vec(struct eta) etas;
  struct vec(struct entry) entries;
  uint32_t *order, *weight; /* for making etas anew */
  int refused;
};

/* ---- the inverse of the basis ------------------------------------------------------------------------------------------------ */

/* The column of a variable in  s - a x - z = slack. */
static void load_column(const struct simplex *s, uint32_t variable, double *out) {
  memset(out, 0, s->rows * sizeof *out);
  if (variable > s->columns) {
    out[variable - s->columns - 1] = 1;
  } else if (variable == s->columns) {
    for (uint32_t i = 0; i < s->rows; i++) out[i] = s->needy[i] ? -1 : 0;
  } else {
    for (size_t k = s->start[variable]; k < s->start[variable + 1]; k++) out[s->row[k]] = -s->value[k];
  }
}

static void forward(const struct simplex *s, double *v) {
  for (size_t e = 0; e < s->etas.count; e++) {
    const struct eta *x = &s->etas.at[e];
    if (v[x->row] == 0) continue;
    double now = v[x->row] /= x->pivot;
    const struct entry *entry = s->entries.at + x->first;
    for (size_t k = 0; k < x->count; k++) v[entry[k].row] -= entry[k].value * now;
  }
}

static void backward(const struct simplex *s, double *v) {
  for (size_t e = s->etas.count; e-- > 0;) {
    const struct eta *x = &s->etas.at[e];
    const struct entry *entry = s->entries.at + x->first;
    double sum = v[x->row];
    for (size_t k = 0; k < x->count; k++) sum -= v[entry[k].row] * entry[k].value;
    v[x->row] = sum / x->pivot;
  }
}

static void push_eta(struct simplex *s, uint32_t row, const double *alpha) {
  struct eta x = {.row = row, .first = s->entries.count, .pivot = alpha[row]};
  for (uint32_t i = 0; i < s->rows; i++)
    if (i != row && fabs(alpha[i]) > 1e-12) s->refused |= vec_push(&s->entries, s->mem, MEM_ANALYSIS, (struct entry){i, alpha[i]}) != 0;
  x.count = s->entries.count - x.first;
  s->refused |= vec_push(&s->etas, s->mem, MEM_ANALYSIS, x) != 0;
}

/* Where a column goes when etas are made anew: a large enough entry in a row that few others use. */
static uint32_t place_for(const struct simplex *s, const uint8_t *taken) {
  double most = 0;
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < s->rows; i++)
    if (!taken[i] && fabs(s->alpha[i]) > most) most = fabs(s->alpha[i]);
  for (uint32_t i = 0; i < s->rows && most > TINY; i++)
    if (!taken[i] && fabs(s->alpha[i]) >= most / 10 && (best == UINT32_MAX || s->weight[i] < s->weight[best])) best = i;
  return best;
}

static size_t entries_of(const struct simplex *s, uint32_t variable) {
  return variable == s->columns ? SIZE_MAX : s->start[variable + 1] - s->start[variable];
}

/* Slacks stay in their rows; the others come by length. -1: it does not work out. */
static int refresh(struct simplex *s) {
  uint32_t count = 0, *by_length = s->order;
  uint8_t *taken = mem_alloc(s->mem, MEM_ANALYSIS, (size_t)s->rows + 1);
  if (!taken) return -1;
  s->etas.count = s->entries.count = 0;
  memset(s->weight, 0, s->rows * sizeof *s->weight);
  for (uint32_t i = 0; i < s->rows; i++) {
    uint32_t v = s->basis[i];
    if (v > s->columns) {
      taken[v - s->columns - 1] = 1;
      continue;
    }
    uint32_t k = count++;
    for (; k > 0 && entries_of(s, by_length[k - 1]) > entries_of(s, v); k--) by_length[k] = by_length[k - 1];
    by_length[k] = v;
    for (size_t e = s->start[v]; v < s->columns && e < s->start[v + 1]; e++) s->weight[s->row[e]]++;
  }
  for (uint32_t i = 0; i < s->rows; i++)
    if (taken[i]) s->basis[i] = s->columns + 1 + i;
  int bad = 0;
  for (uint32_t k = 0; k < count && !bad; k++) {
    load_column(s, by_length[k], s->alpha);
    forward(s, s->alpha);
    uint32_t row = place_for(s, taken);
    if (row == UINT32_MAX) {
      bad = -1;
      break;
    }
    push_eta(s, row, s->alpha);
    s->basis[row] = by_length[k];
    taken[row] = 1;
  }
  mem_free(s->mem, taken);
  if (bad || s->refused) return -1;
  memcpy(s->at, s->slack, s->rows * sizeof *s->at);
  forward(s, s->at);
  return 0;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------------ */

static double gain_of(const struct simplex *s, uint32_t variable) {
  if (variable >= s->columns) return variable == s->columns ? -1 : 0;
  return s->lp->gain ? (double)s->lp->gain[variable] : 0;
}

static void find_prices(struct simplex *s) {
  for (uint32_t i = 0; i < s->rows; i++) s->price[i] = gain_of(s, s->basis[i]);
  backward(s, s->price);
}

/* The variable that promises most, UINT32_MAX = none does. */
static uint32_t choose(const struct simplex *s) {
  double best = 0;
  uint32_t chosen = UINT32_MAX;
  for (uint32_t j = 0; j < s->columns; j++) {
    if (s->basic[j]) continue;
    double gain = gain_of(s, j);
    for (size_t k = s->start[j]; k < s->start[j + 1]; k++) gain += s->price[s->row[k]] * s->value[k];
    if (gain > PRICE && gain * s->scale[j] > best) best = gain * s->scale[j], chosen = j;
  }
  for (uint32_t i = 0; i < s->rows; i++)
    if (!s->basic[s->columns + 1 + i] && -s->price[i] > PRICE && -s->price[i] > best) best = -s->price[i], chosen = s->columns + 1 + i;
  return chosen;
}

/* The row that leaves: the least ratio, and among nearly equal ones the largest entry; z as soon as it may. UINT32_MAX: nothing stops the variable. */
static uint32_t leaving(const struct simplex *s) {
  double least = INFINITY;
  uint32_t row = UINT32_MAX;
  for (uint32_t i = 0; i < s->rows; i++) {
    if (s->alpha[i] <= TINY * 100) continue;
    double ratio = (s->at[i] > 0 ? s->at[i] : 0) / s->alpha[i];
    if (ratio < least) least = ratio;
  }
  for (uint32_t i = 0; i < s->rows && least < INFINITY; i++) {
    if (s->alpha[i] <= TINY * 100) continue;
    double ratio = (s->at[i] > 0 ? s->at[i] : 0) / s->alpha[i];
    if (ratio > least + RAISE / 1000) continue;
    if (s->basis[i] == s->columns) return i;
    if (row == UINT32_MAX || s->alpha[i] > s->alpha[row]) row = i;
  }
  return row;
}

static void exchange(struct simplex *s, uint32_t row, uint32_t variable) {
  double step = s->at[row] / s->alpha[row];
  for (uint32_t i = 0; i < s->rows; i++)
    if (s->alpha[i] != 0) s->at[i] -= step * s->alpha[i];
  s->at[row] = step;
  s->basic[s->basis[row]] = 0;
  s->basic[variable] = 1;
  s->basis[row] = variable;
  push_eta(s, row, s->alpha);
}

/* z enters where it is needed most: all rows are fine then. */
static void begin_with_help(struct simplex *s) {
  uint32_t worst = 0;
  for (uint32_t i = 1; i < s->rows; i++)
    if (s->slack[i] < s->slack[worst]) worst = i;
  load_column(s, s->columns, s->alpha);
  exchange(s, worst, s->columns);
}

static int impatient(const struct lp_patience *p, uint64_t step) {
  if (p->steps && step >= p->steps) return 1;
  if (p->interrupt && *p->interrupt) return 1;
  return p->until > 0 && step % LOOK_EVERY == 0 && clock_now() > p->until;
}

static double objective(const struct simplex *s) {
  double sum = 0;
  for (uint32_t i = 0; i < s->rows; i++) sum += gain_of(s, s->basis[i]) * s->at[i];
  return sum;
}

enum outcome { OPTIMAL, SOLVED, ENDLESS, GIVEN_UP };

static enum outcome iterate(struct simplex *s, const struct lp_patience *patience) {
  int helped = s->basic[s->columns];
  for (uint64_t step = 0;; step++) {
    if (s->refused || impatient(patience, step)) return GIVEN_UP;
    if (step && step % REFRESH == 0 && refresh(s)) return GIVEN_UP;
    if (helped && !s->basic[s->columns]) return SOLVED;
    if (s->lp->gain && s->lp->enough < INT64_MAX && objective(s) >= (double)s->lp->enough + 0.5) return SOLVED;
    find_prices(s);
    uint32_t variable = choose(s);
    if (variable == UINT32_MAX) return OPTIMAL;
    load_column(s, variable, s->alpha);
    forward(s, s->alpha);
    uint32_t row = leaving(s);
    if (row == UINT32_MAX) return ENDLESS;
    exchange(s, row, variable);
  }
}

/* ---- certificates ------------------------------------------------------------------------------------------------------------------- */

struct certificate {
  int64_t *y;    /* per row */
  __int128 *sum; /* per column */
};

/* y a + q gain <= 0 for every column? *value = y slack. */
static int certifies(const struct lp *lp, const struct certificate *c, int64_t q, __int128 *value) {
  for (uint32_t j = 0; j < lp->columns; j++) c->sum[j] = lp->gain ? (__int128)q * lp->gain[j] : 0;
  *value = 0;
  for (uint32_t i = 0; i < lp->rows; i++) {
    if (!c->y[i]) continue;
    *value += (__int128)c->y[i] * lp->slack[i];
    for (size_t k = lp->start[i]; k < lp->start[i + 1]; k++) c->sum[lp->column[k]] += (__int128)c->y[i] * lp->value[k];
  }
  for (uint32_t j = 0; j < lp->columns; j++)
    if (c->sum[j] > 0) return 0;
  return 1;
}

/* Whole numbers near price * scale. -1: too large; 1: they are very near; 0: they are not. */
static int round_prices(const struct simplex *s, int64_t *y, double scale) {
  int near = 1;
  for (uint32_t i = 0; i < s->rows; i++) {
    double exact = s->price[i] * scale;
    if (!(fabs(exact) < 1e12)) return -1;
    double whole = nearbyint(exact);
    y[i] = whole > 0 ? (int64_t)whole : 0;
    if (fabs(exact - whole) > 1e-4 * (1 + fabs(exact) * 1e-3)) near = 0;
  }
  return near;
}

static int64_t divide_down(__int128 a, int64_t b) {
  __int128 q = a / b;
  if (a % b < 0) q--;
  return q > INT64_MAX / 2 ? INT64_MAX : q < INT64_MIN / 2 ? INT64_MIN : (int64_t)q;
}

static const int64_t many_divisors[] = {72, 84, 96, 120, 144, 168, 180, 210, 240, 360, 420, 720, 840, 1260, 1680, 2520, 5040, 27720, 55440, 360360, 720720};
enum { FEW = 64, MANY = sizeof many_divisors / sizeof *many_divisors };

static enum lp_answer prove(const struct simplex *s, const struct certificate *c, int64_t *most) {
  const struct lp *lp = s->lp;
  enum lp_answer answer = LP_OPEN;
  double least = INFINITY;
  for (uint32_t i = 0; i < s->rows; i++)
    if (s->price[i] > 1e-7 && s->price[i] < least) least = s->price[i];
  if (!(least < INFINITY)) least = 1;
  for (int k = 0; k < FEW + MANY; k++) {
    int64_t q = k < FEW ? k + 1 : many_divisors[k - FEW];
    __int128 value;
    int near = round_prices(s, c->y, lp->gain ? (double)q : (double)q / least);
    if (near < 0) break;
    if (!certifies(lp, c, q, &value)) continue;
    if (!lp->gain) {
      if (value < 0) return LP_INFEASIBLE;
      continue;
    }
    int64_t bound = divide_down(value, q);
    if (answer == LP_OPEN || bound < *most) *most = bound;
    answer = LP_AT_MOST;
    if (near) break;
  }
  return answer;
}

/* ---- life ------------------------------------------------------------------------------------------------------------------------------ */

static int turn_columns(struct simplex *s) {
  const struct lp *lp = s->lp;
  size_t entries = lp->start[lp->rows];
  s->start = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->columns + 2) * sizeof *s->start);
  s->row = mem_alloc(s->mem, MEM_ANALYSIS, (entries + 1) * sizeof *s->row);
  s->value = mem_alloc(s->mem, MEM_ANALYSIS, (entries + 1) * sizeof *s->value);
  s->scale = mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->columns + 1) * sizeof *s->scale);
  if (!s->start || !s->row || !s->value || !s->scale) return -1;
  for (size_t k = 0; k < entries; k++) s->start[lp->column[k] + 2]++; /* one ahead, so that filling leaves them right */
  for (uint32_t j = 0; j < s->columns; j++) s->start[j + 2] += s->start[j + 1];
  for (uint32_t i = 0; i < lp->rows; i++)
    for (size_t k = lp->start[i]; k < lp->start[i + 1]; k++) {
      size_t to = s->start[lp->column[k] + 1]++;
      s->row[to] = i;
      s->value[to] = (double)lp->value[k];
      s->scale[lp->column[k]] += (double)lp->value[k] * (double)lp->value[k];
    }
  for (uint32_t j = 0; j < s->columns; j++) s->scale[j] = 1 / sqrt(1 + s->scale[j]);
  return 0;
}

static int simplex_open(struct simplex *s, const struct lp *lp, struct mem *mem) {
  *s = (struct simplex){.mem = mem, .lp = lp, .rows = lp->rows, .columns = lp->columns};
  size_t rows = (size_t)lp->rows + 1, variables = rows + lp->columns + 1;
  struct rng rng = {lp->rows};
  if (turn_columns(s)) return -1;
  s->slack = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->slack);
  s->needy = mem_alloc(mem, MEM_ANALYSIS, rows);
  s->basis = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->basis);
  s->basic = mem_alloc(mem, MEM_ANALYSIS, variables);
  s->at = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->at);
  s->alpha = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->alpha);
  s->price = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->price);
  s->order = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->order);
  s->weight = mem_alloc(mem, MEM_ANALYSIS, rows * sizeof *s->weight);
  if (!s->slack || !s->needy || !s->basis || !s->basic || !s->at || !s->alpha || !s->price || !s->order || !s->weight) return -1;
  int needed = 0;
  for (uint32_t i = 0; i < lp->rows; i++) {
    s->slack[i] = (double)lp->slack[i] + RAISE * (1 + (double)rng_below(&rng, 1 << 20) / (1 << 20));
    s->needy[i] = lp->slack[i] < 0;
    needed |= s->needy[i];
    s->basis[i] = s->columns + 1 + i;
    s->basic[s->basis[i]] = 1;
    s->at[i] = s->slack[i];
  }
  s->basic[s->columns] = 0;
  if (needed) begin_with_help(s);
  else s->basic[s->columns] = 0;
  return s->refused ? -1 : 0;
}

static void simplex_close(struct simplex *s) {
  struct mem *mem = s->mem;
  void *const blocks[] = {s->start, s->row, s->value, s->scale, s->slack, s->needy, s->basis, s->basic, s->at, s->alpha, s->price, s->order, s->weight};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(mem, blocks[i]);
  vec_free(&s->etas, mem);
  vec_free(&s->entries, mem);
}

static enum lp_answer conclude(struct simplex *s, enum outcome outcome, int64_t *most, double *x) {
  struct certificate c = {mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->rows + 1) * sizeof *c.y),
                          mem_alloc(s->mem, MEM_ANALYSIS, ((size_t)s->columns + 1) * sizeof *c.sum)};
  enum lp_answer answer = LP_OPEN;
  if (outcome == OPTIMAL && c.y && c.sum) answer = prove(s, &c, most);
  for (uint32_t j = 0; x && j < s->columns; j++) x[j] = 0;
  for (uint32_t i = 0; x && i < s->rows; i++)
    if (s->basis[i] < s->columns) x[s->basis[i]] = s->at[i] > 0 ? s->at[i] : 0;
  mem_free(s->mem, c.y);
  mem_free(s->mem, c.sum);
  return answer;
}

enum lp_answer lp_solve(const struct lp *lp, struct mem *mem, const struct lp_patience *patience, int64_t *most, double *x, int *found) {
  struct simplex s;
  enum lp_answer answer = LP_OPEN;
  if (found) *found = 0;
  for (uint32_t i = 0; lp->gain && i < lp->rows; i++)
    if (lp->slack[i] < 0) return LP_OPEN;
  if (simplex_open(&s, lp, mem) == 0) {
    int helped = s.basic[s.columns];
    enum outcome outcome = !helped && !lp->gain ? SOLVED : iterate(&s, patience);
    answer = conclude(&s, outcome, most, x);
    if (found) *found = outcome == SOLVED || (outcome == OPTIMAL && lp->gain) || (outcome == OPTIMAL && answer == LP_OPEN);
  }
  simplex_close(&s);
  return answer;
}
