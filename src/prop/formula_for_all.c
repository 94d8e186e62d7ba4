/* formula_for_all.c -- see formula_for_all.h.
 *
 * With b, c boolean and f, g linear:
 *
 *   A b = b                A(f && g) = A f && A g     A(b || f) = b || A f
 *   A G f = AG A f         A F b = AF b               A(b U c) = A[b U c]
 *   A X f = AX A f && (dead -> A f)                   a path that ends stays where it is
 *
 * F and U over more than booleans mostly have no branching counterpart (A F G b is not AF AG b), nor have disjunctions of linear formulas.  What is
 * here lies within what Maidl shows the two logics to share ("The common fragment of CTL and LTL", FOCS 2000). */
#include "prop/formula_for_all.h"

static formula all(struct formulas *fs, enum formula_kind op, formula f) {
  if (f <= FORMULA_TRUE && op != F_NEXT) return f;
  return formula_unary(fs, F_ALL, formula_unary(fs, op, f));
}

static formula next(struct formulas *fs, formula f, formula dead) {
  return formula_binary(fs, F_AND, all(fs, F_NEXT, f), formula_binary(fs, F_OR, formula_unary(fs, F_NOT, dead), f));
}

/* All parts, of which an OR may have only one that is not boolean. */
static formula parts(struct formulas *fs, formula f, formula dead) {
  uint32_t count = formula_children(fs, f), linear = 0;
  enum formula_kind kind = formula_kind(fs, f);
  for (uint32_t i = 0; i < count; i++) linear += !formula_is(fs, formula_child(fs, f, i), CLASS_BOOLEAN);
  if (kind == F_OR && linear > 1) return FORMULA_NONE;
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = FORMULA_NONE;
  uint32_t i = 0;
  for (; part && i < count; i++)
    if ((part[i] = formula_for_all(fs, formula_child(fs, f, i), dead)) == FORMULA_NONE) break;
  if (part && i == count) result = formula_many(fs, kind, part, count);
  mem_free(fs->mem, part);
  return result;
}

formula formula_for_all(struct formulas *fs, formula f, formula dead) {
  if (f == FORMULA_NONE || dead == FORMULA_NONE || formula_is(fs, f, CLASS_BOOLEAN)) return f;
  enum formula_kind kind = formula_kind(fs, f);
  formula a = formula_child(fs, f, 0), b;
  switch (kind) {
  case F_AND:
  case F_OR: return parts(fs, f, dead);
  case F_GLOBALLY: return (a = formula_for_all(fs, a, dead)) == FORMULA_NONE ? a : all(fs, F_GLOBALLY, a);
  case F_NEXT: return (a = formula_for_all(fs, a, dead)) == FORMULA_NONE ? a : next(fs, a, dead);
  case F_FINALLY: return formula_is(fs, a, CLASS_BOOLEAN) ? all(fs, F_FINALLY, a) : FORMULA_NONE;
  case F_UNTIL:
    b = formula_child(fs, f, 1);
    if (!formula_is(fs, a, CLASS_BOOLEAN) || !formula_is(fs, b, CLASS_BOOLEAN)) return FORMULA_NONE;
    return formula_unary(fs, F_ALL, formula_binary(fs, F_UNTIL, a, b));
  default: return FORMULA_NONE;
  }
}
