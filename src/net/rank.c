/* rank.c -- incremental elimination, modulo a prime, with proof.
 *
 * Rows are eliminated over the field of the Mersenne prime 2^61 - 1, where numbers never grow.
 * Each kept row remembers which combination of significant places it is.  A row that vanishes
 * gives the coefficients of its place modulo the prime; they are turned back into small
 * fractions and the identity is then checked in exact integers on the original matrix.  A prime
 * that lies (or coefficients that are not small) can therefore cost bits, never correctness.
 *
 * A kept row is stored sparsely, columns ascending, scaled so that its first entry (the pivot)
 * is 1.  Columns are renumbered so that those with few entries come first, which keeps fill low. */
#include "net/rank.h"

#include "base/vec.h"
#include "net/incidence.h"

#include <stdlib.h>
#include <string.h>

#define PRIME (((uint64_t)1 << 61) - 1)

enum { MOST_ENTRIES = 1 << 24 }; /* of all rows, 16 bytes each: in a chain of n places they are n * n / 2, and to fill memory with them takes longer than bits that they spare are worth */

struct entry {
  uint32_t at;
  uint64_t value;
};

struct row { /* in `entries`: matrix part, then combination part */
  size_t first;
  uint32_t columns, places;
};

struct rank {
  struct mem *mem;
  const struct pt_net *net;
  uint32_t columns;        /* live transitions */
  uint32_t *column_of;     /* transition -> column, PT_NONE for dead ones */
  struct incidence matrix; /* one row per place, over all transitions */
  uint32_t *pivot_row;     /* column -> row with its pivot there, PT_NONE = none */
  struct vec(struct row) rows;
  struct vec(struct entry) entries;
  uint64_t *sum;             /* the row being reduced, dense */
  uint64_t *nonzero;         /* bitmap of its columns */
  uint64_t *weight;          /* combination of the row being reduced, dense over places */
  struct vec(uint32_t) used; /* places with a weight */
  uint8_t *is_used;
  struct vec(struct rank_term) formula;
  int32_t divisor;
  uint64_t effort, limit;
  __int128 *check; /* columns, for the exact proof */
};

static uint64_t times(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)a * b;
  uint64_t r = (uint64_t)(p & PRIME) + (uint64_t)(p >> 61);
  return r >= PRIME ? r - PRIME : r;
}

static uint64_t minus(uint64_t a, uint64_t b) { return a >= b ? a - b : a + PRIME - b; }

static uint64_t inverse(uint64_t a) { /* a^(PRIME-2) */
  uint64_t result = 1, e = PRIME - 2;
  for (; e; e >>= 1, a = times(a, a))
    if (e & 1) result = times(result, a);
  return result;
}

static uint64_t reduced(int64_t x) { return x >= 0 ? (uint64_t)x : PRIME - (uint64_t)-x; }

/* ---- the matrix --------------------------------------------------------------------- */

struct sized {
  uint32_t size, index;
};

static int by_size(const void *a, const void *b) {
  const struct sized *x = a, *y = b;
  return x->size != y->size ? (x->size < y->size ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

/* Numbers live transitions, those that change few places first. */
static int number_columns(struct rank *r, const uint8_t *dead) {
  uint32_t transitions = r->net->transitions, live = 0;
  struct sized *order = mem_alloc(r->mem, MEM_ANALYSIS, (transitions + 1) * sizeof *order);
  if (!order) return -1;
  for (uint32_t t = 0; t < transitions; t++) order[t].index = t, r->column_of[t] = PT_NONE;
  for (size_t a = 0; a < r->matrix.start[r->net->places]; a++) order[r->matrix.index[a]].size++;
  for (uint32_t t = 0; t < transitions; t++)
    if (order[t].size && !(dead && dead[t])) order[live++] = order[t];
  qsort(order, live, sizeof *order, by_size);
  for (uint32_t c = 0; c < live; c++) r->column_of[order[c].index] = c;
  r->columns = live;
  mem_free(r->mem, order);
  return 0;
}

/* The next entry of a place's row in a live column; *at runs through the row. */
static int next_entry(const struct rank *r, uint32_t place, size_t *at, uint32_t *column, int64_t *change) {
  for (; *at < r->matrix.start[place + 1]; (*at)++) {
    *column = r->column_of[r->matrix.index[*at]];
    if (*column == PT_NONE) continue;
    *change = r->matrix.value[(*at)++];
    return 1;
  }
  return 0;
}

int rank_open(struct rank **out, const struct pt_net *n, const uint8_t *dead, struct mem *mem, uint64_t effort) {
  struct rank *r = mem_alloc(mem, MEM_ANALYSIS, sizeof *r);
  if (!r) return -1;
  r->mem = mem;
  r->net = n;
  r->limit = effort ? effort : UINT64_MAX;
  r->column_of = mem_alloc(mem, MEM_ANALYSIS, (n->transitions + 1) * sizeof *r->column_of);
  if (!r->column_of || incidence_open(&r->matrix, n, BY_PLACE, mem) || number_columns(r, dead)) {
    rank_close(r);
    return -1;
  }
  size_t c = r->columns + 1;
  r->pivot_row = mem_alloc(mem, MEM_ANALYSIS, c * sizeof *r->pivot_row);
  r->sum = mem_alloc(mem, MEM_ANALYSIS, c * sizeof *r->sum);
  r->nonzero = mem_alloc(mem, MEM_ANALYSIS, (c / 64 + 1) * sizeof *r->nonzero);
  r->check = mem_alloc(mem, MEM_ANALYSIS, c * sizeof *r->check);
  r->weight = mem_alloc(mem, MEM_ANALYSIS, (n->places + 1) * sizeof *r->weight);
  r->is_used = mem_alloc(mem, MEM_ANALYSIS, n->places + 1);
  if (!r->pivot_row || !r->sum || !r->nonzero || !r->check || !r->weight || !r->is_used) {
    rank_close(r);
    return -1;
  }
  memset(r->pivot_row, 0xff, c * sizeof *r->pivot_row);
  *out = r;
  return 0;
}

void rank_close(struct rank *r) {
  if (!r) return;
  mem_free(r->mem, r->column_of);
  incidence_close(&r->matrix);
  mem_free(r->mem, r->pivot_row);
  mem_free(r->mem, r->sum);
  mem_free(r->mem, r->nonzero);
  mem_free(r->mem, r->check);
  mem_free(r->mem, r->weight);
  mem_free(r->mem, r->is_used);
  vec_free(&r->rows, r->mem);
  vec_free(&r->entries, r->mem);
  vec_free(&r->used, r->mem);
  vec_free(&r->formula, r->mem);
  mem_free(r->mem, r);
}

uint64_t rank_effort(const struct rank *r) { return r->effort; }

/* ---- elimination -------------------------------------------------------------------- */

static int use(struct rank *r, uint32_t place) {
  if (r->is_used[place]) return 0;
  r->is_used[place] = 1;
  return vec_push(&r->used, r->mem, MEM_ANALYSIS, place);
}

/* sum -= factor * row, weights likewise. */
static int subtract(struct rank *r, const struct row *row, uint64_t factor) {
  const struct entry *e = r->entries.at + row->first;
  for (uint32_t i = 0; i < row->columns; i++) {
    uint32_t c = e[i].at;
    uint64_t x = r->sum[c] = minus(r->sum[c], times(factor, e[i].value));
    if (x) r->nonzero[c / 64] |= (uint64_t)1 << c % 64;
    else r->nonzero[c / 64] &= ~((uint64_t)1 << c % 64);
  }
  for (uint32_t i = row->columns; i < row->columns + row->places; i++) {
    if (use(r, e[i].at)) return -1;
    r->weight[e[i].at] = minus(r->weight[e[i].at], times(factor, e[i].value));
  }
  r->effort += row->columns + row->places;
  return 0;
}

/* Keeps the reduced row with its pivot in column c. 0; -1: there is no room for it. */
static int keep(struct rank *r, uint32_t pivot) {
  struct row row = {.first = r->entries.count};
  if (row.first + r->used.count > MOST_ENTRIES) return -1;
  uint64_t scale = inverse(r->sum[pivot]);
  for (uint32_t c = pivot; c < r->columns; c++) {
    if (c % 64 == 0 && !r->nonzero[c / 64]) {
      c += 63;
      continue;
    }
    if (!r->sum[c]) continue;
    if (vec_push(&r->entries, r->mem, MEM_ANALYSIS, (struct entry){c, times(r->sum[c], scale)})) return -1;
    row.columns++;
  }
  for (size_t i = 0; i < r->used.count; i++) {
    uint32_t p = r->used.at[i];
    if (!r->weight[p]) continue;
    if (vec_push(&r->entries, r->mem, MEM_ANALYSIS, (struct entry){p, times(r->weight[p], scale)})) return -1;
    row.places++;
  }
  if (vec_push(&r->rows, r->mem, MEM_ANALYSIS, row)) return -1;
  r->pivot_row[pivot] = (uint32_t)r->rows.count - 1;
  return 0;
}

static void clear_sum(struct rank *r) {
  for (uint32_t w = 0; w <= r->columns / 64; w++) {
    while (r->nonzero[w]) {
      uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(r->nonzero[w]);
      r->sum[c] = 0;
      r->nonzero[w] &= r->nonzero[w] - 1;
    }
  }
  for (size_t i = 0; i < r->used.count; i++) r->weight[r->used.at[i]] = 0, r->is_used[r->used.at[i]] = 0;
  r->used.count = 0;
}

/* The weights (of the vanished row, place itself with weight 1) as small fractions with one divisor. */
static int small_fractions(struct rank *r, uint32_t place) {
  const int64_t most = 1 << 20;
  for (int64_t d = 1; d <= 64; d++) {
    int fits = 1;
    r->formula.count = 0;
    for (size_t i = 0; i < r->used.count && fits; i++) {
      uint32_t p = r->used.at[i];
      if (p == place || !r->weight[p]) continue;
      uint64_t x = times(r->weight[p], (uint64_t)d); /* 0 = place + sum w s, so place = - sum w s */
      int64_t c = x <= (uint64_t)most ? -(int64_t)x : PRIME - x <= (uint64_t)most ? (int64_t)(PRIME - x) : 0;
      if (!c) fits = 0;
      else if (vec_push(&r->formula, r->mem, MEM_ANALYSIS, (struct rank_term){p, (int32_t)c})) return -1;
    }
    if (fits) {
      r->divisor = (int32_t)d;
      return 0;
    }
    if (r->used.count > 4096) break; /* long and not integral: not worth the tries */
  }
  return -1;
}

/* Adds `factor` times a place's row to the check. */
static void add_exactly(struct rank *r, uint32_t place, int64_t factor) {
  uint32_t column;
  int64_t change;
  for (size_t at = r->matrix.start[place]; next_entry(r, place, &at, &column, &change);)
    r->check[column] += (__int128)change * factor;
}

/* Is the check zero in all columns of the place's row? Makes it so. */
static int vanished(struct rank *r, uint32_t place) {
  uint32_t column;
  int64_t change;
  int zero = 1;
  for (size_t at = r->matrix.start[place]; next_entry(r, place, &at, &column, &change); r->check[column] = 0)
    zero &= r->check[column] == 0;
  return zero;
}

/* d * row(place) == sum factor * row(s), in exact integers. */
static int proven(struct rank *r, uint32_t place) {
  add_exactly(r, place, r->divisor);
  for (size_t i = 0; i < r->formula.count; i++) add_exactly(r, r->formula.at[i].place, -(int64_t)r->formula.at[i].factor);
  int good = vanished(r, place);
  for (size_t i = 0; i < r->formula.count; i++) good &= vanished(r, r->formula.at[i].place);
  return good;
}

enum rank_answer rank_add(struct rank *r, uint32_t place) {
  enum rank_answer answer = RANK_UNKNOWN;
  r->formula.count = 0;
  r->divisor = 1;
  if (r->effort > r->limit) return RANK_UNKNOWN;
  uint32_t column;
  int64_t change;
  for (size_t at = r->matrix.start[place]; next_entry(r, place, &at, &column, &change);) {
    r->sum[column] = reduced(change);
    r->nonzero[column / 64] |= (uint64_t)1 << column % 64;
  }
  if (use(r, place)) goto end;
  r->weight[place] = 1;
  for (uint32_t w = 0; w <= r->columns / 64; w++) {
    r->effort++;
    while (r->nonzero[w]) {
      uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(r->nonzero[w]);
      if (r->pivot_row[c] == PT_NONE) {
        answer = keep(r, c) ? RANK_UNKNOWN : RANK_INDEPENDENT;
        goto end;
      }
      if (subtract(r, &r->rows.at[r->pivot_row[c]], r->sum[c]) || r->effort > r->limit) goto end;
    }
  }
  answer = small_fractions(r, place) == 0 && proven(r, place) ? RANK_FOLLOWS : RANK_UNKNOWN;
end:
  clear_sum(r);
  return answer;
}

const struct rank_term *rank_formula(const struct rank *r, size_t *count, int32_t *divisor) {
  *count = r->formula.count;
  *divisor = r->divisor;
  return r->formula.at;
}
