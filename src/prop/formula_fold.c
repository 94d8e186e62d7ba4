/* formula_fold.c -- see formula_fold.h.
 *
 *   constants       F true, G true, p U true = true; false likewise; true U q = F q; false U q = q
 *   negations       !EF p = AG !p, !AX p = EX !p, ...; they stop at until, at booleans, and below A and E of linear formulas at X, which has no dual where paths end
 *   what can be reached twice is reached once
 *                   EF EF p = EF AF p = EF E(q U p) = EF A(q U p) = EF p, also as parts of an OR below EF; AF EF p = E(q U EF p) = A(q U EF p) = EF p
 *   and dually      AG AG p = AG EG p = AG p, also as parts of an AND below AG; EG AG p = AG p
 *
 * X of a constant stays: whether there is a next state is a question of its own.  Formulas are at most FORMULA_DEPTH high, so recursion is fine; a memo keeps shared
 * parts from being gone through again. */
#include "prop/formula_fold.h"

#include <string.h>

struct folding {
  formula (*kind)(struct folding *, formula); /* what becomes of a formula, by its kind */
  struct formulas *fs;
  const uint8_t *known;
  size_t count, memo_count;
  formula *memo; /* FORMULA_NONE = not yet */
};

static int constant(formula f) { return f == FORMULA_FALSE || f == FORMULA_TRUE; }
static formula truth(int is) { return is ? FORMULA_TRUE : FORMULA_FALSE; }

/* What is known, what was found before, or what its kind says. */
static formula visit(struct folding *x, formula f) {
  if (f < x->count && x->known[f] != TRUTH_OPEN) return truth(x->known[f] == TRUTH_TRUE);
  if (f >= x->memo_count) return x->kind(x, f);
  if (x->memo[f] == FORMULA_NONE) x->memo[f] = x->kind(x, f);
  return x->memo[f];
}

static formula begin(formula (*kind)(struct folding *, formula), struct formulas *fs, formula f, const uint8_t *known, size_t count) {
  struct folding x = {.kind = kind, .fs = fs, .known = known, .count = count, .memo_count = (size_t)f + 1};
  x.memo = mem_alloc(fs->mem, MEM_OTHER, x.memo_count * sizeof *x.memo);
  if (!x.memo) return FORMULA_NONE;
  memset(x.memo, 0xff, x.memo_count * sizeof *x.memo);
  formula result = visit(&x, f);
  mem_free(fs->mem, x.memo);
  return result;
}

/* ---- negation ----------------------------------------------------------------------------------------------------------------- */

static formula opposite_parts(struct formulas *fs, formula f) {
  uint32_t count = formula_children(fs, f);
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = FORMULA_NONE;
  enum formula_kind dual = formula_kind(fs, f) == F_AND ? F_OR : F_AND;
  for (uint32_t i = 0; part && i < count; i++) part[i] = formula_opposite(fs, formula_child(fs, f, i));
  if (part) result = formula_many(fs, dual, part, count);
  mem_free(fs->mem, part);
  return result;
}

formula formula_opposite(struct formulas *fs, formula f) {
  if (f == FORMULA_NONE) return FORMULA_NONE;
  enum formula_kind kind = formula_kind(fs, f);
  formula below;
  if (kind == F_NOT) return formula_child(fs, f, 0);
  if (constant(f)) return truth(f == FORMULA_FALSE);
  if (formula_is(fs, f, CLASS_BOOLEAN)) return formula_unary(fs, F_NOT, f);
  switch (kind) {
  case F_AND:
  case F_OR: return opposite_parts(fs, f);
  case F_FINALLY: return formula_unary(fs, F_GLOBALLY, formula_opposite(fs, formula_child(fs, f, 0)));
  case F_GLOBALLY: return formula_unary(fs, F_FINALLY, formula_opposite(fs, formula_child(fs, f, 0)));
  case F_ALL:
  case F_EXISTS:
    below = formula_child(fs, f, 0);
    if (formula_kind(fs, below) == F_NEXT && formula_is(fs, f, CLASS_CTL))
      return formula_unary(fs, kind == F_ALL ? F_EXISTS : F_ALL, formula_unary(fs, F_NEXT, formula_opposite(fs, formula_child(fs, below, 0))));
    if ((formula_kind(fs, below) == F_FINALLY || formula_kind(fs, below) == F_GLOBALLY) && formula_is(fs, f, CLASS_CTL))
      return formula_unary(fs, kind == F_ALL ? F_EXISTS : F_ALL, formula_opposite(fs, below));
    break;
  default: break;
  }
  return formula_unary(fs, F_NOT, f);
}

/* ---- everywhere ------------------------------------------------------------------------------------------------------------------ */

static formula fold_parts(struct folding *x, formula f) {
  struct formulas *fs = x->fs;
  uint32_t count = formula_children(fs, f);
  enum formula_kind kind = formula_kind(fs, f);
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = FORMULA_NONE;
  for (uint32_t i = 0; part && i < count; i++) part[i] = visit(x, formula_child(fs, f, i));
  if (part) result = formula_many(fs, kind, part, count);
  mem_free(fs->mem, part);
  return result;
}

static formula fold_implies(struct formulas *fs, formula a, formula b) {
  if (a == FORMULA_NONE || b == FORMULA_NONE) return FORMULA_NONE;
  return formula_binary(fs, F_OR, formula_opposite(fs, a), b);
}

static formula fold_iff(struct formulas *fs, formula a, formula b) {
  if (a == FORMULA_NONE || b == FORMULA_NONE) return FORMULA_NONE;
  if (a == b) return FORMULA_TRUE;
  if (constant(a)) return a == FORMULA_TRUE ? b : formula_opposite(fs, b);
  if (constant(b)) return b == FORMULA_TRUE ? a : formula_opposite(fs, a);
  return formula_binary(fs, F_IFF, a, b);
}

static formula fold_until(struct formulas *fs, formula p, formula q) {
  if (p == FORMULA_NONE || q == FORMULA_NONE) return FORMULA_NONE;
  if (constant(q) || p == FORMULA_FALSE || p == q) return q;
  if (p == FORMULA_TRUE) return formula_unary(fs, F_FINALLY, q);
  return formula_binary(fs, F_UNTIL, p, q);
}

/* The operator under a quantifier, F_ATOM = there is none; *last: its (last) operand. */
static enum formula_kind under(const struct formulas *fs, formula f, formula *last) {
  if (formula_kind(fs, f) != F_ALL && formula_kind(fs, f) != F_EXISTS) return F_ATOM;
  formula path = formula_child(fs, f, 0);
  enum formula_kind kind = formula_kind(fs, path);
  if (kind != F_FINALLY && kind != F_GLOBALLY && kind != F_UNTIL) return F_ATOM;
  *last = formula_child(fs, path, formula_children(fs, path) - 1);
  return kind;
}

/* Is it E F .. (finally) or A G .. (globally)? */
static int strongest(const struct formulas *fs, formula f, enum formula_kind op) {
  formula last;
  return under(fs, f, &last) == op && formula_kind(fs, f) == (op == F_FINALLY ? F_EXISTS : F_ALL);
}

/* EF of an OR, AG of an AND: parts that only say "later" lose their operator. */
static formula flatten(struct formulas *fs, formula f, enum formula_kind op, int depth) {
  formula last = FORMULA_NONE;
  enum formula_kind join = op == F_FINALLY ? F_OR : F_AND, kind = under(fs, f, &last);
  if (depth == FORMULA_DEPTH) return f;
  if (kind == op || (op == F_FINALLY && kind == F_UNTIL)) return flatten(fs, last, op, depth + 1);
  if (formula_kind(fs, f) != join || formula_is(fs, f, CLASS_BOOLEAN)) return f;
  uint32_t count = formula_children(fs, f);
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = FORMULA_NONE;
  for (uint32_t i = 0; part && i < count; i++) part[i] = flatten(fs, formula_child(fs, f, i), op, depth + 1);
  if (part) result = formula_many(fs, join, part, count);
  mem_free(fs->mem, part);
  return result;
}

static formula fold_quantified(struct formulas *fs, enum formula_kind quantifier, formula path) {
  formula last = FORMULA_NONE;
  if (path == FORMULA_NONE || formula_is(fs, path, CLASS_STATE)) return path;
  formula whole = formula_unary(fs, quantifier, path);
  if (whole == FORMULA_NONE || !formula_is(fs, whole, CLASS_CTL)) return whole;
  enum formula_kind op = under(fs, whole, &last);
  if (op == F_ATOM) return whole;
  if (op != F_GLOBALLY && strongest(fs, last, F_FINALLY)) return last;                               /* AF EF p, E(q U EF p) */
  if (op == F_GLOBALLY && strongest(fs, last, F_GLOBALLY)) return last;                              /* EG AG p */
  if (op == F_UNTIL || !strongest(fs, whole, op)) return whole;
  last = flatten(fs, last, op, 0);
  return last == FORMULA_NONE || constant(last) ? last : formula_unary(fs, quantifier, formula_unary(fs, op, last));
}

static formula fold_kind(struct folding *x, formula f) {
  struct formulas *fs = x->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (kind <= F_ATOM) return f;
  if (kind == F_AND || kind == F_OR) return fold_parts(x, f);
  formula a = visit(x, formula_child(fs, f, 0)), b = formula_children(fs, f) > 1 ? visit(x, formula_child(fs, f, 1)) : FORMULA_NONE;
  if (a == FORMULA_NONE) return a;
  switch (kind) {
  case F_NOT: return formula_opposite(fs, a);
  case F_IMPLIES: return fold_implies(fs, a, b);
  case F_IFF: return fold_iff(fs, a, b);
  case F_FINALLY:
  case F_GLOBALLY: return constant(a) || formula_kind(fs, a) == kind ? a : formula_unary(fs, kind, a);
  case F_UNTIL: return fold_until(fs, a, b);
  case F_ALL:
  case F_EXISTS: return fold_quantified(fs, kind, a);
  case F_NEXT: return formula_unary(fs, kind, a);
  default: return b == FORMULA_NONE ? FORMULA_NONE : formula_binary(fs, kind, a, b);
  }
}

formula formula_fold(struct formulas *fs, formula f, const uint8_t *known, size_t count) { return begin(fold_kind, fs, f, known, count); }

/* ---- in the first state ------------------------------------------------------------------------------------------------------------ */

static formula start_quantified(struct formulas *fs, enum formula_kind quantifier, formula path) {
  if (path == FORMULA_NONE || formula_is(fs, path, CLASS_STATE)) return path;
  enum formula_kind join = quantifier == F_ALL ? F_AND : F_OR;
  if (formula_kind(fs, path) != join) return formula_unary(fs, quantifier, path);
  uint32_t count = formula_children(fs, path); /* A(p && q) = A p && A q */
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = FORMULA_NONE;
  for (uint32_t i = 0; part && i < count; i++) part[i] = start_quantified(fs, quantifier, formula_child(fs, path, i));
  if (part) result = formula_many(fs, join, part, count);
  mem_free(fs->mem, part);
  return result;
}

static formula start_kind(struct folding *x, formula f) {
  struct formulas *fs = x->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (kind <= F_ATOM || kind == F_NEXT || (kind > F_UNTIL && kind < F_ALL)) return f;
  uint32_t count = formula_children(fs, f);
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), a, b, result = f;
  if (!part) return FORMULA_NONE;
  for (uint32_t i = 0; i < count; i++) part[i] = visit(x, formula_child(fs, f, i));
  a = part[0], b = count > 1 ? part[1] : FORMULA_NONE;
  if (kind == F_AND || kind == F_OR) result = formula_many(fs, kind, part, count);
  else if (a == FORMULA_NONE || (count > 1 && b == FORMULA_NONE)) result = FORMULA_NONE;
  else if (kind == F_NOT) result = formula_opposite(fs, a);
  else if (kind == F_IMPLIES) result = fold_implies(fs, a, b);
  else if (kind == F_IFF) result = fold_iff(fs, a, b);
  else if (kind == F_FINALLY) result = a == FORMULA_TRUE ? a : f;
  else if (kind == F_GLOBALLY) result = a == FORMULA_FALSE ? a : f;
  else if (kind == F_UNTIL) result = b == FORMULA_TRUE || (a == FORMULA_FALSE && b == FORMULA_FALSE) ? b : f;
  else result = start_quantified(fs, kind, a);
  mem_free(fs->mem, part);
  return result;
}

formula formula_at_start(struct formulas *fs, formula f, const uint8_t *start, size_t count) { return begin(start_kind, fs, f, start, count); }
