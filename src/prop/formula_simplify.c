/* formula_simplify.c -- an equivalent formula that gives a smaller automaton.
 *
 * Bottom up; for each operator a constructor that looks at what it is given:
 *   - constants, idempotence and absorption by syntactic implication (Somenzi, Bloem 2000): in a & b with a => b,
 *     b goes; a & b with a => !b is false; p U q with p => q is q, with !q => p it is F q; and the duals;
 *   - purely eventual e and universal u (Etessami, Holzmann 2000): F e = e, p U e = e, G u = u, p R u = u; what is both
 *     (s) says the same at all times: X s = s, and leaves F G U R;
 *   - X goes outwards, F and G are gathered: F p | F q = F (p | q), G p & G q = G (p & q), and U and R with a common side;
 *   - in a conjunction with d, where d => !p, p U q is q, and where d => p, p R q is q (and the duals).
 *
 * Results are in the same normal form and are remembered in the nodes.  Every rule removes an operator or moves X
 * outwards, so the constructors end.  All of it is equivalence of formulas: nothing here knows of automata. */
#include "prop/formula.h"

#include <string.h>

static formula and_of(struct formulas *fs, formula a, formula b);
static formula or_of(struct formulas *fs, formula a, formula b);
static formula many(struct formulas *fs, enum formula_kind kind, const formula *part, size_t count);

static enum formula_kind kind_of(const struct formulas *fs, formula f) {
  return f == FORMULA_NONE ? F_FALSE : formula_kind(fs, f);
}
static formula child(const struct formulas *fs, formula f, uint32_t i) { return formula_child(fs, f, i); }
static int suspendable(const struct formulas *fs, formula f) { return formula_is(fs, f, CLASS_EVENTUAL | CLASS_UNIVERSAL); }

/* f => !g */
static int excludes(struct formulas *fs, formula f, formula g) { return formula_implies(fs, f, formula_normal(fs, g, 1)); }
/* !f => g */
static int covers(struct formulas *fs, formula f, formula g) { return formula_implies(fs, formula_normal(fs, f, 1), g); }

/* Splits a conjunction or disjunction (`kind`) into parts of a class and the rest; 0 if there is nothing to split. */
static int split(struct formulas *fs, formula f, enum formula_kind kind, unsigned class, formula *with, formula *without) {
  if (kind_of(fs, f) != kind) return 0;
  uint32_t n = formula_children(fs, f), some = 0;
  for (uint32_t i = 0; i < n; i++) some += (uint32_t)formula_is(fs, child(fs, f, i), class);
  if (!some || some == n) return 0;
  formula *part = mem_alloc(fs->mem, MEM_OTHER, n * sizeof *part);
  *with = *without = FORMULA_NONE;
  if (!part) return 1; /* FORMULA_NONE spreads */
  for (int wanted = 0; wanted <= 1; wanted++) {
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++)
      if (formula_is(fs, child(fs, f, i), class) == wanted) part[count++] = child(fs, f, i);
    formula made = formula_many(fs, kind, part, count);
    if (wanted) *with = made;
    else *without = made;
  }
  mem_free(fs->mem, part);
  return 1;
}

/* ---- X, F, G ---- */

static formula next_of(struct formulas *fs, formula f) {
  if (f == FORMULA_NONE || suspendable(fs, f)) return f; /* constants are */
  return formula_unary(fs, F_NEXT, f);
}

static formula finally_of(struct formulas *fs, formula f) {
  formula s, rest;
  if (f == FORMULA_NONE || formula_is(fs, f, CLASS_EVENTUAL)) return f;
  if (kind_of(fs, f) == F_NEXT) return next_of(fs, finally_of(fs, child(fs, f, 0)));
  if (kind_of(fs, f) == F_UNTIL) return finally_of(fs, child(fs, f, 1));
  if (split(fs, f, F_AND, CLASS_EVENTUAL | CLASS_UNIVERSAL, &s, &rest)) return and_of(fs, finally_of(fs, rest), s);
  if (split(fs, f, F_OR, CLASS_EVENTUAL, &s, &rest)) return or_of(fs, finally_of(fs, rest), s);
  return formula_unary(fs, F_FINALLY, f);
}

static formula globally_of(struct formulas *fs, formula f) {
  formula s, rest;
  if (f == FORMULA_NONE || formula_is(fs, f, CLASS_UNIVERSAL)) return f;
  if (kind_of(fs, f) == F_NEXT) return next_of(fs, globally_of(fs, child(fs, f, 0)));
  if (kind_of(fs, f) == F_RELEASE) return globally_of(fs, child(fs, f, 1));
  if (split(fs, f, F_OR, CLASS_EVENTUAL | CLASS_UNIVERSAL, &s, &rest)) return or_of(fs, globally_of(fs, rest), s);
  if (split(fs, f, F_AND, CLASS_UNIVERSAL, &s, &rest)) return and_of(fs, globally_of(fs, rest), s);
  return formula_unary(fs, F_GLOBALLY, f);
}

/* ---- U, R ---- */

static formula until_of(struct formulas *fs, formula p, formula q) {
  formula s, rest;
  if (p == FORMULA_NONE || q == FORMULA_NONE) return FORMULA_NONE;
  if (formula_is(fs, q, CLASS_EVENTUAL) || formula_implies(fs, p, q)) return q;
  if (covers(fs, q, p)) return finally_of(fs, q);
  if (kind_of(fs, p) == F_NEXT && kind_of(fs, q) == F_NEXT) return next_of(fs, until_of(fs, child(fs, p, 0), child(fs, q, 0)));
  if (kind_of(fs, q) == F_UNTIL && formula_implies(fs, p, child(fs, q, 0))) return q; /* p U (r U t), p => r */
  if (kind_of(fs, p) == F_UNTIL && formula_implies(fs, child(fs, p, 0), q))
    return until_of(fs, child(fs, p, 1), q); /* (r U t) U q, r => q */
  if (split(fs, q, F_AND, CLASS_EVENTUAL | CLASS_UNIVERSAL, &s, &rest)) return and_of(fs, until_of(fs, p, rest), s);
  if (split(fs, q, F_OR, CLASS_EVENTUAL, &s, &rest)) return or_of(fs, until_of(fs, p, rest), s);
  return formula_binary(fs, F_UNTIL, p, q);
}

static formula release_of(struct formulas *fs, formula p, formula q) {
  formula s, rest;
  if (p == FORMULA_NONE || q == FORMULA_NONE) return FORMULA_NONE;
  if (formula_is(fs, q, CLASS_UNIVERSAL) || formula_implies(fs, q, p)) return q;
  if (excludes(fs, q, p)) return globally_of(fs, q);
  if (kind_of(fs, p) == F_NEXT && kind_of(fs, q) == F_NEXT) return next_of(fs, release_of(fs, child(fs, p, 0), child(fs, q, 0)));
  if (kind_of(fs, q) == F_RELEASE && formula_implies(fs, child(fs, q, 0), p)) return q;
  if (kind_of(fs, p) == F_RELEASE && formula_implies(fs, q, child(fs, p, 0))) return release_of(fs, child(fs, p, 1), q);
  if (split(fs, q, F_OR, CLASS_EVENTUAL | CLASS_UNIVERSAL, &s, &rest)) return or_of(fs, release_of(fs, p, rest), s);
  if (split(fs, q, F_AND, CLASS_UNIVERSAL, &s, &rest)) return and_of(fs, release_of(fs, p, rest), s);
  return formula_binary(fs, F_RELEASE, p, q);
}

/* ---- & and | ---- */

/* The one formula for two parts of a conjunction (or disjunction), or FORMULA_NONE if none is known. Duals share this: in an
   AND the operator that gathers on its right side is R and on its left side U; in an OR the other way round. */
static formula gathered(struct formulas *fs, enum formula_kind kind, formula f, formula g) {
  enum formula_kind a = kind_of(fs, f), b = kind_of(fs, g);
  int and = kind == F_AND;
  if (a != b) return FORMULA_NONE;
  if (a == F_NEXT) return next_of(fs, (and? and_of : or_of)(fs, child(fs, f, 0), child(fs, g, 0)));
  if (a == (and? F_GLOBALLY : F_FINALLY)) {
    formula both = (and? and_of : or_of)(fs, child(fs, f, 0), child(fs, g, 0));
    return and? globally_of(fs, both) : finally_of(fs, both);
  }
  if (a == (and? F_FINALLY : F_GLOBALLY)) { /* FG p & FG q, GF p | GF q */
    formula below = child(fs, f, 0), other = child(fs, g, 0);
    enum formula_kind inner = and? F_GLOBALLY : F_FINALLY;
    if (kind_of(fs, below) != inner || kind_of(fs, other) != inner) return FORMULA_NONE;
    formula both = (and? and_of : or_of)(fs, child(fs, below, 0), child(fs, other, 0));
    return and? finally_of(fs, globally_of(fs, both)) : globally_of(fs, finally_of(fs, both));
  }
  if (a == (and? F_RELEASE : F_UNTIL) && child(fs, f, 0) == child(fs, g, 0)) {
    formula both = (and? and_of : or_of)(fs, child(fs, f, 1), child(fs, g, 1));
    return and? release_of(fs, child(fs, f, 0), both) : until_of(fs, child(fs, f, 0), both);
  }
  if (a == (and? F_UNTIL : F_RELEASE) && child(fs, f, 1) == child(fs, g, 1)) {
    formula both = (and? and_of : or_of)(fs, child(fs, f, 0), child(fs, g, 0));
    return and? until_of(fs, both, child(fs, f, 1)) : release_of(fs, both, child(fs, f, 1));
  }
  return FORMULA_NONE;
}

/* Part f of a conjunction (disjunction) beside d: what is left of it where d is true (false). */
static formula beside(struct formulas *fs, enum formula_kind kind, formula f, formula d) {
  enum formula_kind a = kind_of(fs, f);
  int and = kind == F_AND;
  if (a == F_UNTIL && (and? excludes(fs, d, child(fs, f, 0)) : formula_implies(fs, child(fs, f, 0), d))) return child(fs, f, 1);
  if (a == F_RELEASE && (and? formula_implies(fs, d, child(fs, f, 0)) : covers(fs, d, child(fs, f, 0)))) return child(fs, f, 1);
  return f;
}

/* A rule for two parts of a list; 0 = no rule, 1 = `first` replaced by *out and `second` gone, 2 = first replaced only. */
static int meet(struct formulas *fs, enum formula_kind kind, formula first, formula second, formula *out) {
  int and = kind == F_AND;
  if (and? formula_implies(fs, first, second) : formula_implies(fs, second, first)) return *out = first, 1;
  if (and? formula_implies(fs, second, first) : formula_implies(fs, first, second)) return *out = second, 1;
  if (and? excludes(fs, first, second) : covers(fs, first, second)) return *out = and? FORMULA_FALSE : FORMULA_TRUE, 1;
  *out = gathered(fs, kind, first, second);
  if (*out != FORMULA_NONE) return 1;
  *out = beside(fs, kind, first, second);
  return *out != first ? 2 : 0;
}

enum { WIDEST = 200 }; /* parts that are compared with each other; the square of it is what it costs */

static formula many(struct formulas *fs, enum formula_kind kind, const formula *part, size_t count) {
  formula flat = formula_many(fs, kind, part, count);
  for (;;) {
    if (flat == FORMULA_NONE || kind_of(fs, flat) != kind || formula_children(fs, flat) > WIDEST) return flat;
    uint32_t n = formula_children(fs, flat);
    formula list[WIDEST], out = FORMULA_NONE;
    int changed = 0;
    for (uint32_t i = 0; i < n; i++) list[i] = child(fs, flat, i);
    for (uint32_t i = 0; i < n && !changed; i++)
      for (uint32_t k = 0; k < n && !changed; k++) {
        if (i == k) continue;
        changed = meet(fs, kind, list[i], list[k], &out);
        if (!changed) continue;
        list[i] = out;
        if (changed == 1) list[k] = list[--n];
      }
    if (!changed) return flat;
    flat = formula_many(fs, kind, list, n);
  }
}

static formula and_of(struct formulas *fs, formula a, formula b) { return many(fs, F_AND, (formula[]){a, b}, 2); }
static formula or_of(struct formulas *fs, formula a, formula b) { return many(fs, F_OR, (formula[]){a, b}, 2); }

/* ---- bottom up ---- */

static formula simplify_parts(struct formulas *fs, formula f) {
  uint32_t n = formula_children(fs, f);
  enum formula_kind kind = formula_kind(fs, f);
  formula *part = mem_alloc(fs->mem, MEM_OTHER, n * sizeof *part);
  if (!part) return FORMULA_NONE;
  for (uint32_t i = 0; i < n; i++) part[i] = formula_simplify(fs, child(fs, f, i));
  formula made = many(fs, kind, part, n);
  mem_free(fs->mem, part);
  return made;
}

static formula simplify(struct formulas *fs, formula f) {
  switch (formula_kind(fs, f)) {
  case F_AND:
  case F_OR: return simplify_parts(fs, f);
  case F_NEXT: return next_of(fs, formula_simplify(fs, child(fs, f, 0)));
  case F_FINALLY: return finally_of(fs, formula_simplify(fs, child(fs, f, 0)));
  case F_GLOBALLY: return globally_of(fs, formula_simplify(fs, child(fs, f, 0)));
  case F_UNTIL: {
    formula p = formula_simplify(fs, child(fs, f, 0)); /* node arrays may move between the two */
    return until_of(fs, p, formula_simplify(fs, child(fs, f, 1)));
  }
  case F_RELEASE: {
    formula p = formula_simplify(fs, child(fs, f, 0));
    return release_of(fs, p, formula_simplify(fs, child(fs, f, 1)));
  }
  default: return f; /* constants and literals */
  }
}

formula formula_simplify(struct formulas *fs, formula f) {
  if (f == FORMULA_NONE) return f;
  if (fs->node[f].simple != FORMULA_NONE) return fs->node[f].simple;
  formula made = simplify(fs, f);
  fs->node[f].simple = made;
  if (made != FORMULA_NONE) fs->node[made].simple = made;
  return made;
}
