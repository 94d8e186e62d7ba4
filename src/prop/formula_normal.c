/* formula_normal.c -- negation normal form: negations at atoms only, and only & | X F G U R above them.
 *
 * Each node remembers the normal forms of itself and of its negation, so that <->, which needs both of each side, costs no
 * more than four nodes.  p W q becomes q R (p | q), and p M q becomes q U (p & q). */
#include "prop/formula.h"

static formula pair(struct formulas *fs, enum formula_kind kind, formula a, formula b) { return formula_binary(fs, kind, a, b); }

static enum formula_kind dual(enum formula_kind kind) {
  switch (kind) {
  case F_AND: return F_OR;
  case F_OR: return F_AND;
  case F_FINALLY: return F_GLOBALLY;
  case F_GLOBALLY: return F_FINALLY;
  case F_UNTIL: return F_RELEASE;
  case F_RELEASE: return F_UNTIL;
  default: return kind;
  }
}

static formula normal_many(struct formulas *fs, formula f, enum formula_kind kind, int negated) {
  formula few[32] = {0}, *part = few;
  uint32_t n = formula_children(fs, f);
  if (n > sizeof few / sizeof *few && !(part = mem_alloc(fs->mem, MEM_OTHER, n * sizeof *part))) return FORMULA_NONE;
  for (uint32_t i = 0; i < n; i++) part[i] = formula_normal(fs, formula_child(fs, f, i), negated);
  formula made = formula_many(fs, kind, part, n);
  if (part != few) mem_free(fs->mem, part);
  return made;
}

static formula normal(struct formulas *fs, formula f, int negated) {
  enum formula_kind kind = formula_kind(fs, f), kept = negated ? dual(kind) : kind;
  uint32_t n = formula_children(fs, f);
  formula l = n > 0 ? formula_child(fs, f, 0) : 0, r = n > 1 ? formula_child(fs, f, 1) : 0;
  switch (kind) {
  case F_FALSE:
  case F_TRUE: return f ^ (formula)negated;
  case F_ATOM: return negated ? formula_unary(fs, F_NOT, f) : f;
  case F_NOT: return formula_normal(fs, l, !negated);
  case F_AND:
  case F_OR: return normal_many(fs, f, kept, negated);
  case F_IMPLIES: return pair(fs, negated ? F_AND : F_OR, formula_normal(fs, l, !negated), formula_normal(fs, r, negated));
  case F_IFF:
    return pair(fs, F_OR, pair(fs, F_AND, formula_normal(fs, l, 0), formula_normal(fs, r, negated)),
                pair(fs, F_AND, formula_normal(fs, l, 1), formula_normal(fs, r, !negated)));
  case F_NEXT:
  case F_FINALLY:
  case F_GLOBALLY: return formula_unary(fs, kept, formula_normal(fs, l, negated));
  case F_UNTIL:
  case F_RELEASE: return pair(fs, kept, formula_normal(fs, l, negated), formula_normal(fs, r, negated));
  case F_WEAK: /* q R (p | q); negated: !q U (!p & !q) */
    l = formula_normal(fs, l, negated);
    r = formula_normal(fs, r, negated);
    return pair(fs, negated ? F_UNTIL : F_RELEASE, r, pair(fs, negated ? F_AND : F_OR, l, r));
  case F_STRONG: /* q U (p & q); negated: !q R (!p | !q) */
    l = formula_normal(fs, l, negated);
    r = formula_normal(fs, r, negated);
    return pair(fs, negated ? F_RELEASE : F_UNTIL, r, pair(fs, negated ? F_OR : F_AND, l, r));
  case F_ALL:
  case F_EXISTS: break; /* not LTL: the caller was told */
  }
  return FORMULA_NONE;
}

formula formula_normal(struct formulas *fs, formula f, int negated) {
  if (f == FORMULA_NONE) return f;
  if (fs->node[f].normal[negated] != FORMULA_NONE) return fs->node[f].normal[negated];
  formula made = normal(fs, f, negated);
  fs->node[f].normal[negated] = made;
  return made;
}
