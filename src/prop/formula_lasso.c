/* formula_lasso.c -- is a formula true of a run that ends in a loop? By the definition of its operators, position by position: what counterexamples are
 * checked against, and what knows nothing of automata.
 *
 * For every part of the formula there is a truth value per position.  Parts come after their own parts in the graph, so one pass over the nodes
 * suffices; U and its like are least or greatest solutions of  x = q or (p and next x), found by going round the loop twice.
 *
 * Of the beginning of a run, which may go on in any way: a position more at its end, at which every atom is true and so is every negation of one.  A formula whose negations are at atoms and which is false nevertheless is false
 * however the run goes on (the weak view of Eisner, Fisman, Havlicek and others, "Reasoning with temporal logic on truncated paths"). */
#include "prop/temporal.h"

#include <string.h>

struct lasso_values {
  const struct formulas *fs;
  size_t count, loop;
  uint8_t *value; /* node * count + position */
  int open;       /* the last position stands for whatever comes */
};

static uint8_t *row(const struct lasso_values *v, formula f) { return v->value + (size_t)f * v->count; }
static size_t next(const struct lasso_values *v, size_t i) { return i + 1 < v->count ? i + 1 : v->loop; }

/* x = q or (p and next x), or its dual q and (p or next x); x begins as `first` everywhere. */
static void solve(const struct lasso_values *v, uint8_t *x, const uint8_t *p, const uint8_t *q, int dual) {
  memset(x, dual, v->count);
  for (int round = 0; round < 3; round++)
    for (size_t i = v->count; i-- > 0;) {
      int n = x[next(v, i)], a = p ? p[i] : !dual;
      x[i] = (uint8_t)(dual ? q[i] && (a || n) : q[i] || (a && n));
    }
}

static void invert(const struct lasso_values *v, uint8_t *x, const uint8_t *p) {
  for (size_t i = 0; i < v->count; i++) x[i] = !p[i];
}

/* p W q is q R (p or q); p M q is q U (p and q). `both` has room for one row. */
static void through_both(const struct lasso_values *v, uint8_t *x, const uint8_t *p, const uint8_t *q, int strong, uint8_t *both) {
  for (size_t i = 0; i < v->count; i++) both[i] = strong ? p[i] && q[i] : p[i] || q[i];
  solve(v, x, q, both, !strong);
}

static int evaluate(const struct lasso_values *v, formula f, const uint64_t *letter, uint8_t *spare) {
  const struct formulas *fs = v->fs;
  uint8_t *x = row(v, f);
  uint32_t n = formula_children(fs, f);
  const uint8_t *p = n ? row(v, formula_child(fs, f, 0)) : NULL, *q = n > 1 ? row(v, formula_child(fs, f, 1)) : NULL;
  switch (formula_kind(fs, f)) {
  case F_FALSE: memset(x, 0, v->count); return 0;
  case F_TRUE: memset(x, 1, v->count); return 0;
  case F_ATOM:
    for (size_t i = 0; i < v->count; i++) x[i] = (v->open && i + 1 == v->count) || (letter[i] >> formula_atom_index(fs, f) & 1);
    return 0;
  case F_NOT:
    invert(v, x, p);
    if (v->open) x[v->count - 1] = 1;
    return 0;
  case F_AND:
  case F_OR:
    memcpy(x, p, v->count);
    for (uint32_t k = 1; k < n; k++)
      for (size_t i = 0; i < v->count; i++) {
        uint8_t y = row(v, formula_child(fs, f, k))[i];
        x[i] = formula_kind(fs, f) == F_AND ? x[i] & y : x[i] | y;
      }
    return 0;
  case F_IMPLIES:
    for (size_t i = 0; i < v->count; i++) x[i] = !p[i] || q[i];
    return 0;
  case F_IFF:
    for (size_t i = 0; i < v->count; i++) x[i] = p[i] == q[i];
    return 0;
  case F_NEXT:
    for (size_t i = 0; i < v->count; i++) x[i] = p[next(v, i)];
    return 0;
  case F_FINALLY: solve(v, x, NULL, p, 0); return 0;
  case F_GLOBALLY: solve(v, x, NULL, p, 1); return 0;
  case F_UNTIL: solve(v, x, p, q, 0); return 0;
  case F_RELEASE: solve(v, x, p, q, 1); return 0;
  case F_WEAK: through_both(v, x, p, q, 0, spare); return 0;
  case F_STRONG: through_both(v, x, p, q, 1, spare); return 0;
  case F_ALL:
  case F_EXISTS: break;
  }
  return -1; /* one run cannot tell */
}

static int truth_of(struct lasso_values *v, formula f, const uint64_t *letter, struct mem *mem) {
  v->value = mem_alloc(mem, MEM_OTHER, ((size_t)f + 2) * v->count);
  if (!v->value) return -1;
  int bad = 0;
  for (formula g = 0; g <= f && !bad; g++) bad = evaluate(v, g, letter, row(v, f + 1));
  int truth = bad ? -1 : row(v, f)[0];
  mem_free(mem, v->value);
  return truth;
}

int formula_on_lasso(const struct formulas *fs, formula f, const uint64_t *letter, size_t count, size_t loop, struct mem *mem) {
  struct lasso_values v = {.fs = fs, .count = count, .loop = loop < count ? loop : count - 1};
  return truth_of(&v, f, letter, mem);
}

int formula_on_beginning(struct formulas *fs, formula f, const uint64_t *letter, size_t count, struct mem *mem) {
  struct lasso_values v = {.fs = fs, .count = count + 1, .loop = count, .open = 1};
  formula normal = formula_normal(fs, f, 0);
  return normal == FORMULA_NONE ? -1 : truth_of(&v, normal, letter, mem);
}
