/* linear.c -- see linear.h.
 *
 * A descent over the syntax tree with the sense (as it is, or negated) as a parameter.  Sums are collected as terms, sorted and merged.  Factors stay below
 * LARGEST_FACTOR and terms below MOST_TERMS, so that a sum over counts of up to 2^31 fits 64 bits.  The depth of the tree is bounded by the parser. */
#include "model/linear.h"
#include "model/expr_tree.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 16, MOST_TERMS = 1 << 15, LARGEST_FACTOR = 1 << 15 };
#define LARGEST (INT64_C(1) << 40)

void linear_open(struct linear_maker *m, struct mem *mem) {
  *m = (struct linear_maker){.mem = mem, .room = MOST_NODES};
  arena_open(&m->arena, mem, MEM_ANALYSIS);
}

void linear_close(struct linear_maker *m) {
  if (m->mem) arena_close(&m->arena);
  *m = (struct linear_maker){0};
}

static struct linear *new_node(struct linear_maker *m, enum linear_kind kind) {
  if (!m->room) return NULL;
  m->room--;
  struct linear *x = arena_alloc(&m->arena, sizeof *x);
  if (x) x->kind = kind;
  return x;
}

struct linear *linear_many(struct linear_maker *m, enum linear_kind kind, struct linear *const *part, size_t count) {
  enum linear_kind neutral = kind == LINEAR_AND ? LINEAR_TRUE : LINEAR_FALSE, deciding = kind == LINEAR_AND ? LINEAR_FALSE : LINEAR_TRUE;
  struct linear *only = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (!part[i]) return NULL;
    if (part[i]->kind == deciding) return part[i];
    if (part[i]->kind != neutral) only = part[i], kept++;
  }
  if (kept <= 1) return kept ? only : new_node(m, neutral);
  struct linear *x = new_node(m, kind);
  if (!x || !(x->child = arena_alloc(&m->arena, kept * sizeof *x->child))) return NULL;
  for (size_t i = 0; i < count; i++)
    if (part[i]->kind != neutral) x->child[x->count++] = part[i];
  return x;
}

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

struct term {
  uint32_t var;
  int64_t factor;
};
struct sum {
  struct mem *mem;
  struct vec(struct term) term;
  int64_t constant;
  int bad;
};

static int by_var(const void *a, const void *b) {
  uint32_t x = ((const struct term *)a)->var, y = ((const struct term *)b)->var;
  return (x > y) - (x < y);
}

static void add_constant(struct sum *s, int64_t factor, int64_t n) {
  int64_t product;
  if (__builtin_mul_overflow(factor, n, &product) || product > LARGEST || product < -LARGEST) s->bad = 1;
  else s->constant += product;
  if (s->constant > LARGEST || s->constant < -LARGEST) s->bad = 1;
}

/* The number behind a node that has no variables: 1, or 0 if it has. */
static int constant_of(const struct node *n, int64_t *out) {
  if (n->kind == NODE_NUMBER) {
    *out = n->number;
    return 1;
  }
  if (n->kind != NODE_NEGATE || !constant_of(n->child[0], out) || *out == INT64_MIN) return 0;
  *out = -*out;
  return 1;
}

static void collect(struct sum *s, const struct node *n, int64_t factor) {
  if (s->bad || factor > LARGEST_FACTOR || factor < -LARGEST_FACTOR) {
    s->bad = 1;
    return;
  }
  switch (n->kind) {
  case NODE_NUMBER: add_constant(s, factor, n->number); return;
  case NODE_VARS:
    for (uint32_t i = 0; i < n->count; i++) s->bad |= vec_push(&s->term, s->mem, MEM_ANALYSIS, (struct term){n->id[i], factor}) != 0;
    return;
  case NODE_NEGATE: collect(s, n->child[0], -factor); return;
  case NODE_SUM:
    for (uint32_t i = 0; i < n->count && !s->bad; i++) collect(s, n->child[i], i && n->minus[i] ? -factor : factor);
    return;
  case NODE_PRODUCT: { /* all but one are numbers */
    const struct node *other = NULL;
    for (uint32_t i = 0; i < n->count; i++) {
      int64_t k;
      if (constant_of(n->child[i], &k)) s->bad |= __builtin_mul_overflow(factor, k, &factor);
      else if (other) s->bad = 1;
      else other = n->child[i];
    }
    if (s->bad) return;
    if (other) collect(s, other, factor);
    else add_constant(s, factor, 1);
    return;
  }
  default: s->bad = 1; /* a truth as a number */
  }
}

/* sum >= least; frees the terms. */
static struct linear *finish_sum(struct linear_maker *m, struct sum *s, int64_t least, int keep_empty) {
  struct linear *x = NULL;
  size_t kept = 0;
  if (s->term.count) qsort(s->term.at, s->term.count, sizeof *s->term.at, by_var);
  for (size_t i = 0; i < s->term.count && !s->bad;) {
    struct term t = s->term.at[i++];
    for (; i < s->term.count && s->term.at[i].var == t.var; i++) t.factor += s->term.at[i].factor;
    if (t.factor > LARGEST_FACTOR || t.factor < -LARGEST_FACTOR || kept == MOST_TERMS) s->bad = 1;
    if (t.factor && !s->bad) s->term.at[kept++] = t;
  }
  if (!s->bad && !kept && !keep_empty) x = new_node(m, least <= 0 ? LINEAR_TRUE : LINEAR_FALSE);
  else if (!s->bad && (x = new_node(m, LINEAR_AT_LEAST))) {
    x->var = arena_alloc(&m->arena, (kept + 1) * sizeof *x->var);
    x->factor = arena_alloc(&m->arena, (kept + 1) * sizeof *x->factor);
    if (!x->var || !x->factor) x = NULL;
    for (size_t i = 0; x && i < kept; i++) x->var[i] = s->term.at[i].var, x->factor[i] = s->term.at[i].factor;
    if (x) x->count = (uint32_t)kept, x->least = least;
  }
  vec_free(&s->term, s->mem);
  return x;
}

/* sense * (a - b) >= least */
static struct linear *difference(struct linear_maker *m, const struct node *a, const struct node *b, int sense, int64_t least) {
  struct sum s = {.mem = m->mem};
  collect(&s, a, sense);
  if (b) collect(&s, b, -sense);
  return finish_sum(m, &s, least - s.constant, 0);
}

struct linear *linear_at_least(struct linear_maker *m, const struct linear *sum, int64_t least) {
  struct linear *x = new_node(m, LINEAR_AT_LEAST);
  if (x) *x = (struct linear){.kind = LINEAR_AT_LEAST, .count = sum->count, .var = sum->var, .factor = sum->factor, .least = least};
  return x;
}

/* ---- conditions ------------------------------------------------------------------------------------------------------------- */

static const enum relation opposite[] = {UNEQUAL, EQUAL, AT_LEAST, GREATER, AT_MOST, LESS};

static struct linear *comparison(struct linear_maker *m, const struct node *a, const struct node *b, enum relation relation) {
  struct linear *two[2];
  switch (relation) {
  case LESS: return difference(m, a, b, -1, 1);
  case AT_MOST: return difference(m, a, b, -1, 0);
  case GREATER: return difference(m, a, b, 1, 1);
  case AT_LEAST: return difference(m, a, b, 1, 0);
  default: break;
  }
  two[0] = difference(m, a, b, 1, relation == UNEQUAL);
  two[1] = difference(m, a, b, -1, relation == UNEQUAL);
  return linear_many(m, relation == EQUAL ? LINEAR_AND : LINEAR_OR, two, 2);
}

static struct linear *convert(struct linear_maker *m, const struct node *n, int negated);

/* The first `flipped` children are taken the other way round. */
static struct linear *convert_list(struct linear_maker *m, enum linear_kind kind, const struct node *n, uint32_t flipped, int negated) {
  struct linear **part = mem_alloc(m->mem, MEM_ANALYSIS, n->count * sizeof *part), *x = NULL;
  uint32_t i = 0;
  for (; part && i < n->count; i++)
    if (!(part[i] = convert(m, n->child[i], negated != (i < flipped)))) break;
  if (part && i == n->count) x = linear_many(m, negated ? (kind == LINEAR_AND ? LINEAR_OR : LINEAR_AND) : kind, part, n->count);
  mem_free(m->mem, part);
  return x;
}

/* Both are true or both are false; negated: one is and the other is not. */
static struct linear *same_truth(struct linear_maker *m, const struct node *n, int negated) {
  struct linear *half[2], *pair[2];
  if (n->count != 2) return NULL;
  for (int i = 0; i < 2; i++) {
    pair[0] = convert(m, n->child[0], i);
    pair[1] = pair[0] ? convert(m, n->child[1], negated ? !i : i) : NULL;
    half[i] = linear_many(m, LINEAR_AND, pair, 2);
    if (!half[i]) return NULL;
  }
  return linear_many(m, LINEAR_OR, half, 2);
}

static struct linear *fireable(struct linear_maker *m, const struct node *n, int negated) {
  struct linear **part = mem_alloc(m->mem, MEM_ANALYSIS, (n->count + 1) * sizeof *part), *x = NULL;
  uint32_t i = 0;
  for (; part && i < n->count; i++) {
    if (!(part[i] = new_node(m, negated ? LINEAR_UNFIREABLE : LINEAR_FIREABLE))) break;
    part[i]->group = n->id[i];
  }
  if (part && i == n->count) x = linear_many(m, negated ? LINEAR_AND : LINEAR_OR, part, n->count);
  mem_free(m->mem, part);
  return x;
}

static struct linear *convert(struct linear_maker *m, const struct node *n, int negated) {
  switch (n->kind) {
  case NODE_NOT: return convert(m, n->child[0], !negated);
  case NODE_AND: return convert_list(m, LINEAR_AND, n, 0, negated);
  case NODE_OR: return convert_list(m, LINEAR_OR, n, 0, negated);
  case NODE_IMPLIES: return convert_list(m, LINEAR_OR, n, n->count - 1, negated);
  case NODE_IFF: return same_truth(m, n, negated);
  case NODE_FIREABLE: return fireable(m, n, negated);
  case NODE_DEAD: return new_node(m, negated ? LINEAR_ALIVE : LINEAR_DEAD);
  case NODE_COMPARE: return comparison(m, n->child[0], n->child[1], negated ? opposite[n->relation] : n->relation);
  default: break; /* a number: true when it is not 0 */
  }
  struct linear *two[2];
  two[0] = difference(m, n, NULL, 1, !negated);
  two[1] = difference(m, n, NULL, -1, !negated);
  return linear_many(m, negated ? LINEAR_AND : LINEAR_OR, two, 2);
}

struct linear *linear_of(struct linear_maker *m, const struct expr *e, int negated) {
  const struct node *root = expr_root(e);
  return root ? convert(m, root, negated) : NULL;
}

struct linear *linear_sum(struct linear_maker *m, const struct expr *e) {
  const struct node *root = expr_root(e);
  struct sum s = {.mem = m->mem};
  if (!root) return NULL;
  collect(&s, root, 1);
  return finish_sum(m, &s, -s.constant, 1);
}
