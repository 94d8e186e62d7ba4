/* flow_basis.c -- a basis of all flows by sparse elimination modulo a prime.
 *
 * Each transition is an equation over the weights of the places it changes (FLOW_PLACES;
 * for FLOW_TRANSITIONS the roles are exchanged).  Nets give many short equations, often
 * the same one many times.
 *
 *   1. Equations are brought to lowest terms and equal ones dropped.
 *   2. Forward elimination.  The next pivot is, in this order: a variable that occurs in
 *      one equation only (costs nothing); otherwise the shortest equation, and in it the
 *      variable with the fewest occurrences (Markowitz 1957, nearly).  Arithmetic is
 *      modulo 2^127 - 1 (modular.h), so no entry ever grows.
 *   3. Every variable that is no pivot is free and gives one flow: itself 1, the other
 *      free ones 0, the pivots that depend on it by back substitution along the sparse
 *      dependency graph only.  Residues become fractions, fractions integers, and each
 *      vector is checked against the net in plain integers before it is kept.
 *
 * The free variable of a flow is in no other flow of the basis (`own`).  If every free variable's
 * vector passes the check, these are as many independent flows as the rank modulo the
 * prime allows, and that rank is never above the true one: then the basis is proven
 * complete.  If effort or memory ends step 2 early, the equations not yet used contain
 * unpivoted variables only, so a free variable that is in none of them still gives a flow.
 *
 * Elimination over 64-bit integers with gcds was the first thought: slower, and it
 * overflows on nets whose flows themselves are small. */
#include "net/flow.h"
#include "net/modular.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
enum { BUCKETS = 256, CANDIDATES = 8 };

struct entry {
  uint64_t low, high; /* of the residue; a residue itself would be aligned to 16 */
  uint32_t var;
};

static residue coefficient(const struct entry *e) { return (residue)e->high << 64 | e->low; }
static struct entry make_entry(uint32_t var, residue r) { return (struct entry){(uint64_t)r, (uint64_t)(r >> 64), var}; }

struct equation {
  struct vec(struct entry) row; /* ascending by var */
  uint32_t next, previous;      /* in its bucket; while it is active */
  int active;
};

struct column {
  struct vec(uint32_t) rows; /* equations that had this variable at some time: look before you trust */
  uint32_t count;            /* active equations that have it now */
  uint32_t pivot;            /* its place in the order of pivots, NONE */
};

struct system {
  struct mem *mem;
  uint32_t vars, equations;
  struct equation *equation;
  struct column *column;
  uint32_t bucket[BUCKETS];    /* first active equation with that many entries; the last takes all longer ones */
  struct vec(uint32_t) lonely; /* variables that had one occurrence when they were pushed */
  struct vec(uint32_t) pivot_row, pivot_var;
  struct vec(struct entry) scratch;
  uint64_t effort, spent;
};

/* ---- equations in and out of buckets ------------------------------------------------ */

static uint32_t *bucket_of(struct system *s, const struct equation *q) {
  return &s->bucket[q->row.count < BUCKETS ? q->row.count : BUCKETS - 1];
}

static void activate(struct system *s, uint32_t i) {
  struct equation *q = &s->equation[i];
  uint32_t *head = bucket_of(s, q);
  q->previous = NONE;
  q->next = *head;
  if (*head != NONE) s->equation[*head].previous = i;
  *head = i;
  q->active = 1;
}

static void deactivate(struct system *s, uint32_t i) { /* before its length changes */
  struct equation *q = &s->equation[i];
  if (q->previous != NONE) s->equation[q->previous].next = q->next;
  else *bucket_of(s, q) = q->next;
  if (q->next != NONE) s->equation[q->next].previous = q->previous;
  q->active = 0;
}

static const struct entry *find_entry(const struct equation *q, uint32_t var) {
  size_t low = 0, high = q->row.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (q->row.at[middle].var < var) low = middle + 1;
    else high = middle;
  }
  return low < q->row.count && q->row.at[low].var == var ? &q->row.at[low] : NULL;
}

static int occurs(struct system *s, uint32_t var, uint32_t i) {
  s->column[var].count++;
  return vec_push(&s->column[var].rows, s->mem, MEM_ANALYSIS, i);
}

static int vanished(struct system *s, uint32_t var) {
  return --s->column[var].count == 1 ? vec_push(&s->lonely, s->mem, MEM_ANALYSIS, var) : 0;
}

/* ---- step 1: building --------------------------------------------------------------- */

static void system_close(struct system *s) {
  struct mem *m = s->mem;
  if (s->equation)
    for (uint32_t i = 0; i < s->equations; i++) vec_free(&s->equation[i].row, m);
  if (s->column)
    for (uint32_t v = 0; v < s->vars; v++) vec_free(&s->column[v].rows, m);
  mem_free(m, s->equation);
  mem_free(m, s->column);
  vec_free(&s->lonely, m);
  vec_free(&s->pivot_row, m);
  vec_free(&s->pivot_var, m);
  vec_free(&s->scratch, m);
}

static int fill(struct system *s, const struct incidence *c, const uint32_t *distinct) {
  for (uint32_t i = 0; i < s->equations; i++) {
    struct incidence_row row = incidence_lowest(c, distinct[i]);
    if (vec_reserve(&s->equation[i].row, s->mem, MEM_ANALYSIS, row.count)) return -1;
    for (size_t k = 0; k < row.count; k++) {
      uint32_t var = row.index[k];
      s->equation[i].row.at[k] = make_entry(var, residue_of(row.value[k] / row.divisor));
      s->equation[i].row.count++;
      if (occurs(s, var, i)) return -1;
    }
    activate(s, i);
  }
  for (uint32_t v = 0; v < s->vars; v++)
    if (s->column[v].count == 1 && vec_push(&s->lonely, s->mem, MEM_ANALYSIS, v)) return -1;
  return 0;
}

static int system_open(struct system *s, const struct pt_net *net, enum flow_side side, struct mem *m) {
  *s = (struct system){.mem = m, .vars = side == FLOW_PLACES ? net->places : net->transitions};
  memset(s->bucket, 0xff, sizeof s->bucket);
  struct incidence c;
  if (incidence_open(&c, net, side == FLOW_PLACES ? BY_TRANSITION : BY_PLACE, m)) return -1;
  uint32_t *distinct = mem_alloc(m, MEM_ANALYSIS, c.rows * sizeof *distinct);
  int status = distinct ? incidence_distinct(&c, distinct, &s->equations) : -1;
  if (!status) {
    s->equation = mem_alloc(m, MEM_ANALYSIS, s->equations * sizeof *s->equation);
    s->column = mem_alloc(m, MEM_ANALYSIS, s->vars * sizeof *s->column);
    status = s->equation && s->column ? 0 : -1;
  }
  if (!status) {
    for (uint32_t v = 0; v < s->vars; v++) s->column[v].pivot = NONE;
    status = fill(s, &c, distinct);
  }
  mem_free(m, distinct);
  incidence_close(&c);
  if (status) system_close(s);
  return status;
}

/* ---- step 2: forward elimination ---------------------------------------------------- */

enum progress { GOING, DONE, OUT_OF_EFFORT, OUT_OF_MEMORY };

/* equation i -= factor * the pivot equation, both ascending; the entry of `var` goes. On -1 equation i is as it was. */
static int subtract(struct system *s, uint32_t i, const struct equation *pivot, residue factor) {
  struct equation *q = &s->equation[i];
  size_t a = 0, b = 0;
  s->scratch.count = 0;
  if (vec_reserve(&s->scratch, s->mem, MEM_ANALYSIS, q->row.count + pivot->row.count)) return -1;
  residue minus = residue_negate(factor);
  struct entry *out = s->scratch.at;
  while (a < q->row.count || b < pivot->row.count) {
    uint32_t va = a < q->row.count ? q->row.at[a].var : NONE, vb = b < pivot->row.count ? pivot->row.at[b].var : NONE;
    if (va < vb) {
      *out++ = q->row.at[a++];
      continue;
    }
    residue r = residue_multiply(minus, coefficient(&pivot->row.at[b++]));
    if (va == vb) r = residue_add(r, coefficient(&q->row.at[a++]));
    if (r) *out++ = make_entry(vb, r);
  }
  size_t count = (size_t)(out - s->scratch.at);
  s->spent += q->row.count + pivot->row.count;
  if (count > q->row.room && vec_reserve(&q->row, s->mem, MEM_ANALYSIS, count - q->row.count)) return -1;
  deactivate(s, i);
  /* Tell the columns who came and who went. A refused push here leaves counts and rows right, but a column list
     without the equation: the caller stops for lack of memory and never uses column lists again. */
  int status = 0;
  const struct entry *next = s->scratch.at;
  for (a = b = 0; a < q->row.count || b < count;) {
    uint32_t va = a < q->row.count ? q->row.at[a].var : NONE, vb = b < count ? next[b].var : NONE;
    if (va < vb) status |= vanished(s, va), a++;
    else if (vb < va) status |= occurs(s, vb, i), b++;
    else a++, b++;
  }
  if (count) memcpy(q->row.at, next, count * sizeof *next);
  q->row.count = count;
  if (count) activate(s, i);
  return status;
}

/* Solves equation i for var: takes it out of the active ones and the variable out of all others. */
static enum progress pivot(struct system *s, uint32_t i, uint32_t var) {
  struct equation *q = &s->equation[i];
  struct column *column = &s->column[var];
  if (vec_reserve(&s->pivot_row, s->mem, MEM_ANALYSIS, 1) || vec_reserve(&s->pivot_var, s->mem, MEM_ANALYSIS, 1))
    return OUT_OF_MEMORY;
  residue scale = coefficient(find_entry(q, var));
  if (scale != 1) {
    scale = residue_invert(scale);
    for (size_t k = 0; k < q->row.count; k++)
      q->row.at[k] = make_entry(q->row.at[k].var, residue_multiply(coefficient(&q->row.at[k]), scale));
  }
  int status = 0;
  for (size_t k = 0; k < column->rows.count && !status; k++) {
    uint32_t other = column->rows.at[k];
    if (other == i || !s->equation[other].active) continue;
    const struct entry *e = find_entry(&s->equation[other], var);
    if (e) status = subtract(s, other, q, coefficient(e));
    if (s->effort && s->spent > s->effort) return OUT_OF_EFFORT;
  }
  if (status) return OUT_OF_MEMORY; /* equation i stays active: its variables stay tainted */
  deactivate(s, i);
  column->pivot = (uint32_t)s->pivot_row.count;
  s->pivot_row.at[s->pivot_row.count++] = i;
  s->pivot_var.at[s->pivot_var.count++] = var;
  for (size_t k = 0; k < q->row.count; k++) status |= vanished(s, q->row.at[k].var);
  vec_free(&column->rows, s->mem);
  s->spent += q->row.count;
  return status ? OUT_OF_MEMORY : GOING;
}

/* The active equation that still has this variable; there is one. */
static uint32_t only_row(const struct system *s, uint32_t var) {
  const struct column *column = &s->column[var];
  for (size_t k = 0; k < column->rows.count; k++) {
    uint32_t i = column->rows.at[k];
    if (s->equation[i].active && find_entry(&s->equation[i], var)) return i;
  }
  return NONE;
}

static enum progress eliminate_next(struct system *s) {
  if (s->effort && s->spent > s->effort) return OUT_OF_EFFORT;
  while (s->lonely.count) {
    uint32_t var = s->lonely.at[--s->lonely.count];
    if (s->column[var].count != 1 || s->column[var].pivot != NONE) continue;
    uint32_t i = only_row(s, var);
    if (i != NONE) return pivot(s, i, var);
  }
  for (unsigned b = 1; b < BUCKETS; b++) {
    if (s->bucket[b] == NONE) continue;
    /* A few equations of this length: the pair with the least fill (row - 1) * (column - 1). */
    uint64_t best = UINT64_MAX;
    uint32_t best_row = NONE, best_var = NONE, looked = 0;
    for (uint32_t i = s->bucket[b]; i != NONE && looked < CANDIDATES; i = s->equation[i].next, looked++) {
      const struct equation *q = &s->equation[i];
      for (size_t k = 0; k < q->row.count; k++) {
        uint64_t fill_in = (uint64_t)(q->row.count - 1) * (s->column[q->row.at[k].var].count - 1);
        if (fill_in < best) best = fill_in, best_row = i, best_var = q->row.at[k].var;
      }
      s->spent += q->row.count;
    }
    return pivot(s, best_row, best_var);
  }
  return DONE;
}

/* ---- step 3: back substitution ------------------------------------------------------ */

struct substitution {
  struct mem *mem;
  size_t *start; /* per variable: the pivots whose equations have it, in `user` */
  uint32_t *user;
  residue *value;    /* per variable; meaningful where mark is set */
  uint32_t *mark;    /* per variable: the free variable it was last reached from */
  uint32_t *reached; /* pivots found for the present free variable */
  uint32_t *index;   /* the vector being built */
  int64_t *weight;
};

static void substitution_close(struct substitution *b) {
  mem_free(b->mem, b->start);
  mem_free(b->mem, b->user);
  mem_free(b->mem, b->value);
  mem_free(b->mem, b->mark);
  mem_free(b->mem, b->reached);
  mem_free(b->mem, b->index);
  mem_free(b->mem, b->weight);
}

static int substitution_open(struct substitution *b, const struct system *s) {
  size_t entries = 0, n = s->vars;
  for (size_t k = 0; k < s->pivot_row.count; k++) entries += s->equation[s->pivot_row.at[k]].row.count;
  *b = (struct substitution){.mem = s->mem,
                             .start = mem_alloc(s->mem, MEM_ANALYSIS, (n + 2) * sizeof *b->start),
                             .user = mem_alloc(s->mem, MEM_ANALYSIS, entries * sizeof *b->user),
                             .value = mem_alloc(s->mem, MEM_ANALYSIS, n * sizeof *b->value),
                             .mark = mem_alloc(s->mem, MEM_ANALYSIS, n * sizeof *b->mark),
                             .reached = mem_alloc(s->mem, MEM_ANALYSIS, n * sizeof *b->reached),
                             .index = mem_alloc(s->mem, MEM_ANALYSIS, n * sizeof *b->index),
                             .weight = mem_alloc(s->mem, MEM_ANALYSIS, n * sizeof *b->weight)};
  if (!b->start || !b->user || !b->value || !b->mark || !b->reached || !b->index || !b->weight) {
    substitution_close(b);
    return -1;
  }
  memset(b->mark, 0xff, n * sizeof *b->mark);
  for (int writing = 0; writing < 2; writing++) {
    for (uint32_t k = 0; k < s->pivot_row.count; k++) {
      const struct equation *q = &s->equation[s->pivot_row.at[k]];
      for (size_t i = 0; i < q->row.count; i++) {
        uint32_t var = q->row.at[i].var;
        if (var == s->pivot_var.at[k]) continue;
        if (writing) b->user[b->start[var + 1]++] = k;
        else b->start[var + 2]++;
      }
    }
    if (!writing)
      for (size_t v = 0; v < n; v++) b->start[v + 2] += b->start[v + 1];
  }
  return 0;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The values of all pivots that depend on the free variable f; how many, in reached, ascending. */
static uint32_t solve(struct substitution *b, struct system *s, uint32_t f) {
  uint32_t count = 0;
  b->mark[f] = f;
  b->value[f] = 1;
  for (uint32_t var = f, scanned = 0;; scanned++) { /* the list of reached pivots is the queue of the walk */
    for (size_t i = b->start[var]; i < b->start[var + 1]; i++) {
      uint32_t target = s->pivot_var.at[b->user[i]];
      if (b->mark[target] == f) continue;
      b->mark[target] = f;
      b->reached[count++] = b->user[i];
    }
    s->spent += b->start[var + 1] - b->start[var];
    if (scanned == count) break;
    var = s->pivot_var.at[b->reached[scanned]];
  }
  qsort(b->reached, count, sizeof *b->reached, by_number);
  for (uint32_t k = count; k-- > 0;) { /* an equation has its own pivot and later ones only */
    const struct equation *q = &s->equation[s->pivot_row.at[b->reached[k]]];
    uint32_t own = s->pivot_var.at[b->reached[k]];
    residue sum = 0;
    for (size_t i = 0; i < q->row.count; i++) {
      uint32_t var = q->row.at[i].var;
      if (var != own && b->mark[var] == f) sum = residue_add(sum, residue_multiply(coefficient(&q->row.at[i]), b->value[var]));
    }
    s->spent += q->row.count;
    b->value[own] = residue_negate(sum);
  }
  return count;
}

/* Makes the residues of f and the reached pivots integers. The number of entries, 0 if 64 bits are not enough. */
static uint32_t to_integers(struct substitution *b, const struct system *s, uint32_t f, uint32_t count) {
  int64_t common = 1, n;
  uint32_t used = 0;
  b->index[used++] = f;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t var = s->pivot_var.at[b->reached[k]];
    if (b->value[var]) b->index[used++] = var;
  }
  for (uint32_t i = 0; i < used; i++) { /* the least common denominator grows until every entry is whole */
    residue scaled = residue_multiply(b->value[b->index[i]], residue_of(common));
    if (residue_integer(scaled, &n)) continue;
    int64_t d = residue_denominator(scaled);
    if (!d || __builtin_mul_overflow(common, d, &common)) return 0;
  }
  qsort(b->index, used, sizeof *b->index, by_number);
  for (uint32_t i = 0; i < used; i++)
    if (!residue_integer(residue_multiply(b->value[b->index[i]], residue_of(common)), &b->weight[i])) return 0;
  return used;
}

/* One flow per free variable that no unused equation has. Returns why not all of them, or NULL; *err_out: memory. */
static const char *collect(struct flows *out, struct system *s, struct flow_check *check, const char *limit, int *failed) {
  struct substitution b;
  if (substitution_open(&b, s)) {
    *failed = -1;
    return limit;
  }
  for (uint32_t f = 0; f < s->vars; f++) {
    if (s->column[f].pivot != NONE || s->column[f].count) continue; /* count: an active equation has it */
    if (s->effort && s->spent > s->effort && !limit) limit = flow_limit_effort;
    if (limit == flow_limit_effort && s->spent / 2 > s->effort) break; /* what is left of a stopped run gets as much again */
    uint32_t count = solve(&b, s, f);
    uint32_t used = to_integers(&b, s, f, count);
    enum flow_answer answer = used ? flow_keep(out, check, b.index, b.weight, used, f) : FLOW_RANGE;
    s->spent += used;
    if (answer == FLOW_MEMORY) {
      limit = flow_limit_memory;
      break;
    }
    if (answer != FLOW_KEPT && !limit) limit = flow_limit_range;
  }
  substitution_close(&b);
  return limit;
}

int flows_basis(struct flows *out, const struct pt_net *net, enum flow_side side, struct mem *m, uint64_t effort, struct err *e) {
  static const char *const what = "the flows of the net";
  *out = (struct flows){.mem = m};
  struct system s;
  struct flow_check check;
  if (flow_check_open(&check, net, side, m)) return err_memory(e, what);
  if (system_open(&s, net, side, m)) {
    flow_check_close(&check);
    return err_memory(e, what);
  }
  s.effort = effort;
  enum progress progress;
  do progress = eliminate_next(&s);
  while (progress == GOING);
  const char *limit = progress == OUT_OF_EFFORT ? flow_limit_effort : progress == OUT_OF_MEMORY ? flow_limit_memory : NULL;
  int failed = 0;
  out->limit = collect(out, &s, &check, limit, &failed);
  out->complete = !out->limit && !failed;
  system_close(&s);
  flow_check_close(&check);
  if (!failed) return 0;
  flows_close(out);
  return err_memory(e, what);
}
