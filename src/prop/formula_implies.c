/* formula_implies.c -- does f imply g?  Seen from their syntax alone, as by Somenzi and Bloem ("Efficient Buechi automata
 * from LTL formulae", CAV 2000), with the help of purely eventual and universal formulas (Etessami, Holzmann 2000).
 *
 * "Yes" is certain and "no" means not seen.  Each rule goes from a pair to pairs with less in them, and answers are kept in
 * a table of pairs: the cost is at most the product of the sizes times the widest conjunction. When the table cannot grow,
 * the answer is no, which is always safe. */
#include "prop/formula.h"

#include "base/hash.h"

static int implies(struct formulas *fs, formula f, formula g);

static int some_part(struct formulas *fs, formula f, formula g) { /* f a conjunction */
  for (uint32_t i = 0; i < formula_children(fs, f); i++)
    if (formula_implies(fs, formula_child(fs, f, i), g)) return 1;
  return 0;
}

static int all_parts(struct formulas *fs, formula f, formula g) { /* f a disjunction */
  for (uint32_t i = 0; i < formula_children(fs, f); i++)
    if (!formula_implies(fs, formula_child(fs, f, i), g)) return 0;
  return 1;
}

static int to_some_part(struct formulas *fs, formula f, formula g) { /* g a disjunction */
  for (uint32_t i = 0; i < formula_children(fs, g); i++)
    if (formula_implies(fs, f, formula_child(fs, g, i))) return 1;
  return 0;
}

static int to_all_parts(struct formulas *fs, formula f, formula g) { /* g a conjunction */
  for (uint32_t i = 0; i < formula_children(fs, g); i++)
    if (!formula_implies(fs, f, formula_child(fs, g, i))) return 0;
  return 1;
}

/* What f on the left gives. */
static int from_left(struct formulas *fs, formula f, formula g) {
  enum formula_kind kind = formula_kind(fs, f), other = formula_kind(fs, g);
  uint32_t n = formula_children(fs, f);
  formula a = n > 0 ? formula_child(fs, f, 0) : 0, b = n > 1 ? formula_child(fs, f, 1) : 0;
  int eventual = formula_is(fs, g, CLASS_EVENTUAL);
  switch (kind) {
  case F_AND: return some_part(fs, f, g);
  case F_OR: return all_parts(fs, f, g);
  case F_NEXT:
    return (other == F_NEXT && formula_implies(fs, a, formula_child(fs, g, 0))) || (eventual && formula_implies(fs, a, g));
  case F_FINALLY: return eventual && formula_implies(fs, a, g);
  case F_GLOBALLY: return formula_implies(fs, a, g);
  case F_UNTIL:
    if (eventual && formula_implies(fs, b, g)) return 1;
    if (formula_implies(fs, a, g) && formula_implies(fs, b, g)) return 1;
    return other == F_UNTIL && formula_implies(fs, a, formula_child(fs, g, 0)) && formula_implies(fs, b, formula_child(fs, g, 1));
  case F_RELEASE:
    if (formula_implies(fs, b, g)) return 1;
    return other == F_RELEASE && formula_implies(fs, a, formula_child(fs, g, 0)) &&
           formula_implies(fs, b, formula_child(fs, g, 1));
  default: return 0;
  }
}

/* What g on the right takes. */
static int to_right(struct formulas *fs, formula f, formula g) {
  uint32_t n = formula_children(fs, g);
  formula a = n > 0 ? formula_child(fs, g, 0) : 0, b = n > 1 ? formula_child(fs, g, 1) : 0;
  int universal = formula_is(fs, f, CLASS_UNIVERSAL);
  switch (formula_kind(fs, g)) {
  case F_AND: return to_all_parts(fs, f, g);
  case F_OR: return to_some_part(fs, f, g);
  case F_NEXT: return universal && formula_implies(fs, f, a);
  case F_FINALLY: return formula_implies(fs, f, a);
  case F_GLOBALLY: return universal && formula_implies(fs, f, a);
  case F_UNTIL: return formula_implies(fs, f, b);
  case F_RELEASE:
    if (universal && formula_implies(fs, f, b)) return 1;
    return formula_implies(fs, f, a) && formula_implies(fs, f, b);
  default: return 0;
  }
}

static int implies(struct formulas *fs, formula f, formula g) {
  /* a conjunction on the right and a disjunction on the left first: these lose nothing */
  if (formula_kind(fs, g) == F_AND) return to_all_parts(fs, f, g);
  if (formula_kind(fs, f) == F_OR) return all_parts(fs, f, g);
  return to_right(fs, f, g) || from_left(fs, f, g);
}

/* ---- the table of pairs ---- */

static uint64_t key_of(formula f, formula g) { return (uint64_t)f << 33 | (uint64_t)g << 2 | 2; }

static uint64_t *find(struct formulas *fs, uint64_t key) {
  size_t i = hash_mix(key) & (fs->pairs - 1);
  while (fs->pair[i] && (fs->pair[i] & ~UINT64_C(1)) != key) i = (i + 1) & (fs->pairs - 1);
  return &fs->pair[i];
}

static int make_room(struct formulas *fs) {
  if (fs->pairs && 2 * fs->pair_count < fs->pairs) return 0;
  size_t old = fs->pairs, size = old ? 2 * old : 256;
  uint64_t *was = fs->pair, *now = mem_alloc(fs->mem, MEM_OTHER, size * sizeof *now);
  if (!now) return -1;
  fs->pair = now;
  fs->pairs = size;
  for (size_t i = 0; i < old; i++)
    if (was[i]) *find(fs, was[i] & ~UINT64_C(1)) = was[i];
  mem_free(fs->mem, was);
  return 0;
}

int formula_implies(struct formulas *fs, formula f, formula g) {
  if (f == FORMULA_NONE || g == FORMULA_NONE) return 0;
  if (f == g || f == FORMULA_FALSE || g == FORMULA_TRUE) return 1;
  if (f == FORMULA_TRUE || g == FORMULA_FALSE) return 0;
  if (fs->node[f].height == 0 && fs->node[g].height == 0) return 0;
  if (make_room(fs) || (fs->interrupt && *fs->interrupt)) return 0;
  uint64_t key = key_of(f, g), *slot = find(fs, key);
  if (*slot) return (int)(*slot & 1);
  *slot = key; /* "no" while it is being asked: rules always go to smaller pairs, so nobody comes back */
  fs->pair_count++;
  if (!implies(fs, f, g)) return 0;
  *find(fs, key) = key | 1; /* the table may have moved */
  return 1;
}
