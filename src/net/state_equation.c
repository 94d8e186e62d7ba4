/* state_equation.c -- see state_equation.h.
 *
 * Unknowns are the firings of transitions; those with the same effect are one column, those that can never fire none.  Each place that some transition takes from for
 * good is a row, m0(p) + C(p) x >= 0; a comparison of sums of places is another, written in x as well.
 *
 *   AND               all rows together
 *   FIREABLE t        a row for each input place
 *   UNFIREABLE t      one row if there is one input place.  Otherwise an OR of them, and beforehand a row that is weaker: with bounds b(p) and wants w(p),
 *                     sum of (m(p) - w(p) + 1) / (b(p) - w(p) + 1) <= inputs - 1, which says all where places are one-safe
 *   DEAD              UNFIREABLE of all transitions
 *   OR                left out at first; if the solution that is found satisfies none of its parts, each part is tried in turn
 *
 * A solution that leaves an initially marked trap empty is no marking: the trap becomes a row for this question and all later ones. */
#include "net/state_equation.h"

#include "base/vec.h"
#include "net/incidence.h"
#include "net/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 200, MOST_DEPTH = 60, MOST_TRAPS = 64, TRAPS_AT_ONCE = 12, MOST_EXTRA = 1 << 22 };
static const double NEAR = 1e-5;

struct state_equation {
  struct mem *mem;
  const struct pt_net *net;
  const uint32_t *bound;
  struct structure structure;
  struct incidence by_place;
  uint32_t columns;
  uint32_t *column_of;      /* per transition, PT_NONE = it has none */
  uint32_t *transition_of;  /* per column: one of those with that effect */
  /* the rows: those of the places, then of traps, then of the question */
  struct vec(size_t) start; /* rows + 1 */
  struct vec(uint32_t) column;
  struct vec(int64_t) value;
  struct vec(int64_t) slack;
  uint32_t fixed; /* rows of places and traps */
  uint32_t traps;
  struct vec(const struct linear *) open; /* ORs and the like of the question */
  struct linear *unfireable;              /* per transition: that it is not enabled */
  int64_t *sum;                           /* per column, 0 between uses */
  uint8_t *in_sum;
  struct vec(uint32_t) touched;
  double *x, *marking, *firings;
  uint8_t *trap;
  uint64_t programs, until;
  int found, refused;
};

/* ---- rows ---------------------------------------------------------------------------------------------------------------------- */

static uint32_t row_count(const struct state_equation *q) { return (uint32_t)q->slack.count; }

static void drop_rows(struct state_equation *q, uint32_t rows) {
  q->slack.count = rows;
  q->start.count = (size_t)rows + 1;
  q->column.count = q->value.count = q->start.at[rows];
}

/* Adds factor times the effect of all columns on a place. */
static void add_place(struct state_equation *q, uint32_t place, int64_t factor) {
  for (size_t k = q->by_place.start[place]; k < q->by_place.start[place + 1]; k++) {
    uint32_t t = q->by_place.index[k], j = q->column_of[t];
    if (j == PT_NONE || q->transition_of[j] != t) continue; /* one speaks for those with its effect */
    if (!q->in_sum[j]) {
      q->in_sum[j] = 1;
      q->refused |= vec_push(&q->touched, q->mem, MEM_ANALYSIS, j) != 0;
    }
    int64_t product;
    if (__builtin_mul_overflow(factor, (int64_t)q->by_place.value[k], &product) || __builtin_add_overflow(q->sum[j], product, &q->sum[j])) q->refused = 1;
    if (q->sum[j] > INT64_C(1) << 40 || q->sum[j] < -(INT64_C(1) << 40)) q->refused = 1;
  }
}

/* What has been added becomes a row; gain NULL. Or goes into an array of one number per column. */
static void end_row(struct state_equation *q, int64_t slack, int64_t *into) {
  for (size_t i = 0; i < q->touched.count; i++) {
    uint32_t j = q->touched.at[i];
    if (into) into[j] = q->sum[j];
    else if (q->sum[j]) {
      q->refused |= vec_push(&q->column, q->mem, MEM_ANALYSIS, j) != 0;
      q->refused |= vec_push(&q->value, q->mem, MEM_ANALYSIS, q->sum[j]) != 0;
    }
    q->sum[j] = 0;
    q->in_sum[j] = 0;
  }
  q->touched.count = 0;
  if (into) return;
  if (slack > INT64_C(1) << 60 || slack < -(INT64_C(1) << 60) || q->column.count > MOST_EXTRA) q->refused = 1;
  q->refused |= q->column.count != q->value.count; /* one of the two was refused */
  q->refused |= vec_push(&q->slack, q->mem, MEM_ANALYSIS, slack) != 0;
  q->refused |= vec_push(&q->start, q->mem, MEM_ANALYSIS, q->column.count) != 0;
}

/* sum of factor * m(place) >= least */
static int64_t begin_sum(struct state_equation *q, const uint32_t *place, const int64_t *factor, size_t count) {
  int64_t now = 0;
  for (size_t i = 0; i < count; i++) {
    int64_t product;
    if (__builtin_mul_overflow(factor[i], (int64_t)q->net->initial[place[i]], &product) || __builtin_add_overflow(now, product, &now)) q->refused = 1;
    add_place(q, place[i], factor[i]);
  }
  return now;
}

static void row_at_least(struct state_equation *q, const uint32_t *place, const int64_t *factor, size_t count, int64_t least) {
  int64_t now = begin_sum(q, place, factor, count), slack;
  if (__builtin_sub_overflow(now, least, &slack)) q->refused = 1, slack = 0;
  end_row(q, slack, NULL);
}

static void row_of_place(struct state_equation *q, uint32_t place, int64_t factor, int64_t least) { row_at_least(q, &place, &factor, 1, least); }

/* ---- transitions that are not enabled --------------------------------------------------------------------------------------------- */

static uint32_t bound_of(const struct state_equation *q, uint32_t place) {
  uint32_t bound = q->bound ? q->bound[place] : PT_NONE;
  return q->structure.most[place] < bound ? q->structure.most[place] : bound;
}

/* The weaker row of the essay; 0 if there is none, -1 if the transition can never be enabled. */
static int weaker_row(struct state_equation *q, uint32_t t) {
  const struct pt_arc *arc = q->net->pre + q->net->pre_start[t];
  uint32_t count = q->net->pre_start[t + 1] - q->net->pre_start[t];
  int64_t common = 1, least = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bound = bound_of(q, arc[i].place);
    if (bound == PT_NONE) return 0;
    if (bound < arc[i].weight) return -1;
    int64_t room = (int64_t)bound - arc[i].weight + 1;
    common = common / (int64_t)incidence_gcd((uint64_t)common, (uint64_t)room) * room;
    if (common > 1 << 20) return 0;
  }
  int64_t now = 0;
  for (uint32_t i = 0; i < count; i++) {
    int64_t factor = common / ((int64_t)bound_of(q, arc[i].place) - arc[i].weight + 1);
    add_place(q, arc[i].place, -factor);
    now -= factor * q->net->initial[arc[i].place];
    least -= factor * ((int64_t)arc[i].weight - 1);
  }
  end_row(q, now - least + common * ((int64_t)count - 1), NULL);
  return 1;
}

/* Is there any solution for that? 0: there is none, as it is always enabled. */
static int add_unfireable(struct state_equation *q, uint32_t t, const struct linear *x) {
  const struct pt_arc *arc = q->net->pre + q->net->pre_start[t];
  uint32_t count = q->net->pre_start[t + 1] - q->net->pre_start[t];
  if (q->structure.dead[t]) return 1;
  if (!count) return 0;
  if (count == 1) {
    row_of_place(q, arc->place, -1, 1 - (int64_t)arc->weight);
    return 1;
  }
  if (weaker_row(q, t) < 0) return 1;
  q->refused |= vec_push(&q->open, q->mem, MEM_ANALYSIS, x) != 0;
  return 1;
}

/* ---- questions --------------------------------------------------------------------------------------------------------------------- */

/* Adds the rows of a question. 0: it is contradicted already. */
static int add(struct state_equation *q, const struct linear *x) {
  switch (x->kind) {
  case LINEAR_FALSE: return 0;
  case LINEAR_TRUE: return 1;
  case LINEAR_AT_LEAST: row_at_least(q, x->var, x->factor, x->count, x->least); return 1;
  case LINEAR_FIREABLE:
    if (q->structure.dead[x->group]) return 0;
    for (uint32_t a = q->net->pre_start[x->group]; a < q->net->pre_start[x->group + 1]; a++) row_of_place(q, q->net->pre[a].place, 1, q->net->pre[a].weight);
    return 1;
  case LINEAR_UNFIREABLE: return add_unfireable(q, x->group, x);
  case LINEAR_DEAD:
    for (uint32_t t = 0; t < q->net->transitions && !q->refused; t++)
      if (!add_unfireable(q, t, &q->unfireable[t])) return 0;
    return 1;
  case LINEAR_ALIVE: return 1; /* says little */
  case LINEAR_AND:
    for (uint32_t i = 0; i < x->count; i++)
      if (!add(q, x->child[i])) return 0;
    return 1;
  case LINEAR_OR: q->refused |= vec_push(&q->open, q->mem, MEM_ANALYSIS, x) != 0; return 1;
  }
  return 1;
}

/* Does the solution satisfy it, nearly? */
static int satisfied(const struct state_equation *q, const struct linear *x) {
  double sum = 0;
  switch (x->kind) {
  case LINEAR_AT_LEAST:
    for (uint32_t i = 0; i < x->count; i++) sum += (double)x->factor[i] * q->marking[x->var[i]];
    return sum >= (double)x->least - NEAR;
  case LINEAR_FIREABLE:
  case LINEAR_UNFIREABLE:
    for (uint32_t a = q->net->pre_start[x->group]; a < q->net->pre_start[x->group + 1]; a++) {
      double tokens = q->marking[q->net->pre[a].place], want = q->net->pre[a].weight;
      if (x->kind == LINEAR_FIREABLE && tokens < want - NEAR) return 0;
      if (x->kind == LINEAR_UNFIREABLE && tokens <= want - 1 + NEAR) return 1;
    }
    return x->kind == LINEAR_FIREABLE;
  case LINEAR_AND:
    for (uint32_t i = 0; i < x->count; i++)
      if (!satisfied(q, x->child[i])) return 0;
    return 1;
  case LINEAR_OR:
    for (uint32_t i = 0; i < x->count; i++)
      if (satisfied(q, x->child[i])) return 1;
    return 0;
  default: return x->kind != LINEAR_FALSE;
  }
}

/* ---- traps --------------------------------------------------------------------------------------------------------------------------- */

/* The largest trap within `trap`: places leave that a transition can take from without giving to the others. */
static void shrink_to_trap(struct state_equation *q) {
  const struct pt_net *n = q->net;
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t t = 0; t < n->transitions; t++) {
      if (q->structure.dead[t]) continue;
      int gives = 0;
      for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1] && !gives; a++) gives = q->trap[n->post[a].place];
      for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1] && !gives; a++) {
        changed |= q->trap[n->pre[a].place];
        q->trap[n->pre[a].place] = 0;
      }
    }
  }
}

/* The solution leaves a trap empty that is marked from the start: adds its row before the question's. 1 if there was one. */
static int cut_by_trap(struct state_equation *q) {
  const struct pt_net *n = q->net;
  int marked = 0;
  if (q->traps == MOST_TRAPS) return 0;
  for (uint32_t p = 0; p < n->places; p++) q->trap[p] = q->marking[p] < NEAR;
  shrink_to_trap(q);
  for (uint32_t p = 0; p < n->places; p++) marked |= q->trap[p] && n->initial[p];
  if (!marked) return 0;
  int64_t now = -1;
  for (uint32_t p = 0; p < n->places; p++) {
    if (!q->trap[p]) continue;
    add_place(q, p, 1);
    now += n->initial[p];
  }
  end_row(q, now, NULL);
  return !q->refused;
}

/* The row added last becomes one of the fixed ones: it changes places with the question's, which move up. */
static void keep_trap(struct state_equation *q) {
  uint32_t last = row_count(q) - 1;
  size_t from = q->start.at[last], count = q->start.at[last + 1] - from, to = q->start.at[q->fixed];
  uint32_t *column = mem_alloc(q->mem, MEM_ANALYSIS, (count + 1) * sizeof *column);
  int64_t *value = mem_alloc(q->mem, MEM_ANALYSIS, (count + 1) * sizeof *value), slack = q->slack.at[last];
  if (column && value) {
    memcpy(column, q->column.at + from, count * sizeof *column);
    memcpy(value, q->value.at + from, count * sizeof *value);
    memmove(q->column.at + to + count, q->column.at + to, (from - to) * sizeof *column);
    memmove(q->value.at + to + count, q->value.at + to, (from - to) * sizeof *value);
    memcpy(q->column.at + to, column, count * sizeof *column);
    memcpy(q->value.at + to, value, count * sizeof *value);
    for (uint32_t r = last; r > q->fixed; r--) {
      q->slack.at[r] = q->slack.at[r - 1];
      q->start.at[r] = q->start.at[r - 1] + count;
    }
    q->slack.at[q->fixed++] = slack;
    q->traps++;
  } else {
    q->refused = 1;
  }
  mem_free(q->mem, column);
  mem_free(q->mem, value);
}

/* ---- solving ----------------------------------------------------------------------------------------------------------------------------- */

static void read_solution(struct state_equation *q) {
  for (uint32_t p = 0; p < q->net->places; p++) {
    double tokens = q->net->initial[p];
    for (size_t k = q->by_place.start[p]; k < q->by_place.start[p + 1]; k++) {
      uint32_t t = q->by_place.index[k], j = q->column_of[t];
      if (j != PT_NONE && q->transition_of[j] == t) tokens += q->x[j] * q->by_place.value[k];
    }
    q->marking[p] = tokens;
  }
  for (uint32_t t = 0; t < q->net->transitions; t++) q->firings[t] = q->column_of[t] == PT_NONE ? 0 : q->x[q->column_of[t]];
}

static struct lp program(const struct state_equation *q) {
  return (struct lp){.rows = row_count(q), .columns = q->columns, .start = q->start.at, .column = q->column.at, .value = q->value.at, .slack = q->slack.at};
}

enum answer { REFUTED, SOLVED, NOT_KNOWN };

/* The rows as they are. Traps that it finds on the way are rows from then on, and *rows counts those of the question as before. */
static enum answer solve(struct state_equation *q, const struct lp_patience *patience) {
  for (int traps = 0;; traps++) {
    if (q->refused || q->programs >= q->until) return NOT_KNOWN;
    struct lp lp = program(q);
    int found;
    q->programs++;
    if (lp_solve(&lp, q->mem, patience, NULL, q->x, &found) == LP_INFEASIBLE) return REFUTED;
    if (!found) return NOT_KNOWN;
    read_solution(q);
    q->found = 1;
    if (traps == TRAPS_AT_ONCE || !cut_by_trap(q)) return q->refused ? NOT_KNOWN : SOLVED;
    keep_trap(q);
    if (q->refused) return NOT_KNOWN;
  }
}

/* An OR that the solution does not satisfy, from the `first` on; open.count: there is none. */
static size_t unsatisfied(const struct state_equation *q) {
  size_t i = 0;
  while (i < q->open.count && satisfied(q, q->open.at[i])) i++;
  return i;
}

static int refute(struct state_equation *q, const struct lp_patience *patience, int depth);

/* One part of an OR in its place. */
static int refute_with(struct state_equation *q, const struct linear *part, const struct lp_patience *patience, int depth) {
  uint32_t rows = row_count(q) - q->fixed;
  size_t open = q->open.count;
  int refuted = add(q, part) ? refute(q, patience, depth + 1) : !q->refused;
  if (!q->refused) drop_rows(q, q->fixed + rows); /* traps that were found meanwhile stay */
  q->open.count = open;
  return refuted && !q->refused;
}

static int refute_parts(struct state_equation *q, const struct linear *x, const struct lp_patience *patience, int depth) {
  if (x->kind == LINEAR_OR) {
    for (uint32_t i = 0; i < x->count; i++)
      if (!refute_with(q, x->child[i], patience, depth)) return 0;
    return 1;
  }
  for (uint32_t a = q->net->pre_start[x->group]; a < q->net->pre_start[x->group + 1]; a++) { /* not fireable: one of the inputs lacks */
    uint32_t place = q->net->pre[a].place;
    int64_t factor = -1;
    struct linear lacks = {.kind = LINEAR_AT_LEAST, .count = 1, .var = &place, .factor = &factor, .least = 1 - (int64_t)q->net->pre[a].weight};
    if (!refute_with(q, &lacks, patience, depth)) return 0;
  }
  return 1;
}

static int refute(struct state_equation *q, const struct lp_patience *patience, int depth) {
  enum answer answer = solve(q, patience);
  if (answer != SOLVED) return answer == REFUTED;
  size_t i = unsatisfied(q);
  if (i == q->open.count || depth == MOST_DEPTH) return 0;
  const struct linear *x = q->open.at[i];
  q->open.at[i] = q->open.at[--q->open.count];
  int refuted = refute_parts(q, x, patience, depth);
  if (q->open.count < q->open.room) { /* as it was */
    q->open.at[q->open.count++] = q->open.at[i];
    q->open.at[i] = x;
  }
  return refuted;
}

/* ---- the door ------------------------------------------------------------------------------------------------------------------------------- */

static void begin(struct state_equation *q) {
  q->refused = q->found = 0;
  q->open.count = 0;
  for (size_t i = 0; i < q->touched.count; i++) q->sum[q->touched.at[i]] = 0, q->in_sum[q->touched.at[i]] = 0;
  q->touched.count = 0;
  drop_rows(q, q->fixed);
  q->until = q->programs + MOST_PROGRAMS;
}

int state_equation_refutes(struct state_equation *q, const struct linear *x, const struct lp_patience *patience) {
  begin(q);
  if (!add(q, x)) return !q->refused;
  return !q->refused && refute(q, patience, 0) && !q->refused;
}

int64_t state_equation_most(struct state_equation *q, const struct linear *sum, int64_t enough, const struct lp_patience *patience) {
  int64_t most = INT64_MAX, *gain = mem_alloc(q->mem, MEM_ANALYSIS, ((size_t)q->columns + 1) * sizeof *gain);
  begin(q);
  if (!gain) return INT64_MAX;
  int64_t now = begin_sum(q, sum->var, sum->factor, sum->count);
  end_row(q, 0, gain);
  struct lp lp = program(q);
  lp.gain = gain;
  lp.enough = enough == INT64_MAX || enough < now ? INT64_MAX : enough - now;
  q->programs++;
  if (!q->refused && lp_solve(&lp, q->mem, patience, &most, q->x, &q->found) == LP_AT_MOST) {
    if (most < INT64_MAX && __builtin_add_overflow(most, now, &most)) most = INT64_MAX;
  } else {
    most = INT64_MAX;
  }
  if (q->found) read_solution(q);
  mem_free(q->mem, gain);
  return most;
}

const double *state_equation_firings(const struct state_equation *q) { return q->found ? q->firings : NULL; }
uint64_t state_equation_programs(const struct state_equation *q) { return q->programs; }

/* Columns: transitions with distinct effects. */
static int make_columns(struct state_equation *q) {
  const struct pt_net *n = q->net;
  struct incidence by_transition;
  if (incidence_open(&by_transition, n, BY_TRANSITION, q->mem)) return -1;
  size_t slots = 16;
  while (slots < 2 * (size_t)n->transitions) slots *= 2;
  uint32_t *slot = mem_alloc(q->mem, MEM_ANALYSIS, slots * sizeof *slot); /* column + 1 */
  for (uint32_t t = 0; slot && t < n->transitions; t++) {
    size_t first = by_transition.start[t], count = by_transition.start[t + 1] - first;
    q->column_of[t] = PT_NONE;
    if (q->structure.dead[t] || !count) continue;
    uint64_t hash = 1469598103934665603u;
    for (size_t k = first; k < first + count; k++) {
      hash = (hash ^ by_transition.index[k]) * 1099511628211u;
      hash = (hash ^ (uint32_t)by_transition.value[k]) * 1099511628211u;
    }
    size_t at = (hash ^ hash >> 29) & (slots - 1);
    for (; slot[at]; at = (at + 1) & (slots - 1)) {
      uint32_t other = q->transition_of[slot[at] - 1];
      size_t start = by_transition.start[other];
      if (by_transition.start[other + 1] - start == count && !memcmp(by_transition.index + start, by_transition.index + first, count * sizeof *by_transition.index) &&
          !memcmp(by_transition.value + start, by_transition.value + first, count * sizeof *by_transition.value))
        break;
    }
    if (!slot[at]) {
      q->transition_of[q->columns++] = t;
      slot[at] = q->columns;
    }
    q->column_of[t] = slot[at] - 1;
  }
  int bad = slot ? 0 : -1;
  mem_free(q->mem, slot);
  incidence_close(&by_transition);
  return bad;
}

static void make_rows(struct state_equation *q) {
  for (uint32_t p = 0; p < q->net->places; p++) {
    int falls = 0;
    for (size_t k = q->by_place.start[p]; k < q->by_place.start[p + 1]; k++) falls |= q->by_place.value[k] < 0 && !q->structure.dead[q->by_place.index[k]];
    if (falls) row_of_place(q, p, 1, 0);
  }
  q->fixed = row_count(q);
}

int state_equation_open(struct state_equation **out, const struct pt_net *net, const uint32_t *bound, struct mem *mem) {
  struct state_equation *q = *out = mem_alloc(mem, MEM_ANALYSIS, sizeof *q);
  struct err ignored = {0};
  if (!q) return -1;
  *q = (struct state_equation){.mem = mem, .net = net, .bound = bound};
  size_t places = (size_t)net->places + 1, transitions = (size_t)net->transitions + 1;
  q->column_of = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->column_of);
  q->transition_of = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->transition_of);
  q->sum = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->sum);
  q->in_sum = mem_alloc(mem, MEM_ANALYSIS, transitions);
  q->x = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->x);
  q->firings = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->firings);
  q->marking = mem_alloc(mem, MEM_ANALYSIS, places * sizeof *q->marking);
  q->trap = mem_alloc(mem, MEM_ANALYSIS, places);
  q->unfireable = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *q->unfireable);
  int bad = !q->column_of || !q->transition_of || !q->sum || !q->in_sum || !q->x || !q->firings || !q->marking || !q->trap || !q->unfireable ||
            vec_push(&q->start, mem, MEM_ANALYSIS, 0) || structure_open(&q->structure, net, mem, &ignored) || incidence_open(&q->by_place, net, BY_PLACE, mem) ||
            make_columns(q);
  for (uint32_t t = 0; t < net->transitions && !bad; t++) q->unfireable[t] = (struct linear){.kind = LINEAR_UNFIREABLE, .group = t};
  if (!bad) make_rows(q);
  if (!bad && !q->refused) return 0;
  state_equation_close(q);
  *out = NULL;
  return -1;
}

void state_equation_close(struct state_equation *q) {
  if (!q) return;
  struct mem *mem = q->mem;
  void *const blocks[] = {q->column_of, q->transition_of, q->sum, q->in_sum, q->x, q->firings, q->marking, q->trap, q->unfireable};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(mem, blocks[i]);
  structure_close(&q->structure);
  incidence_close(&q->by_place);
  vec_free(&q->start, mem);
  vec_free(&q->column, mem);
  vec_free(&q->value, mem);
  vec_free(&q->slack, mem);
  vec_free(&q->open, mem);
  vec_free(&q->touched, mem);
  mem_free(mem, q);
}
