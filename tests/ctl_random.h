/* ctl_random.h -- random branching formulas over random machines, together with the set of states in which they are true: fixpoints by repetition over the steps that the language's slow definition
 * allows.  Knows nothing but the definitions. */
#ifndef TESTS_CTL_RANDOM_H
#define TESTS_CTL_RANDOM_H

#include "machines.h"

static uint32_t some_next(const struct machines *g, uint32_t f) {
  uint32_t out = 0;
  for (int s = 0; s < g->count; s++) out |= (uint32_t)((g->next[s] & f) != 0) << s;
  return out;
}

static uint32_t every_next(const struct machines *g, uint32_t f) { return g->all & ~some_next(g, g->all & ~f); } /* true where there is none */

static uint32_t ends(const struct machines *g) { return g->all & ~some_next(g, g->all); }

/* g || (f && EX Z) and the like, from below or from above, until nothing changes. */
static uint32_t fixpoint(const struct machines *g, uint32_t f, uint32_t goal, int every, int least) {
  uint32_t z = least ? 0 : g->all, old;
  do {
    old = z;
    uint32_t step = every ? every_next(g, z) : some_next(g, z);
    if (every && least) step &= ~ends(g); /* a path that ends has no more chance */
    if (!every && !least) step |= ends(g); /* a path that ends has kept its word */
    z = goal | (f & step);
  } while (z != old);
  return z;
}

/* Writes a formula of about that size; the states in which it is true. */
static uint32_t random_formula(const struct machines *g, struct rng *r, int size, char **out) {
  if (size <= 1) {
    int i = (int)rng_below(r, MACHINES);
    *out += sprintf(*out, "(m%dp%d > 0)", i, PLACES - 1);
    return g->atom[i];
  }
  uint32_t a, b;
  int every = (int)rng_below(r, 2), left = 1 + (int)rng_below(r, (uint64_t)size - 1);
  const char *q = every ? "A" : "E";
  switch (rng_below(r, 10)) {
  case 0: *out += sprintf(*out, "!("), a = g->all & ~random_formula(g, r, size - 1, out); break;
  case 1: *out += sprintf(*out, "%sX (", q), a = random_formula(g, r, size - 1, out), a = every ? every_next(g, a) : some_next(g, a); break;
  case 2:
  case 3: *out += sprintf(*out, "%sF (", q), a = fixpoint(g, g->all, random_formula(g, r, size - 1, out), every, 1); break;
  case 4:
  case 5: *out += sprintf(*out, "%sG (", q), a = fixpoint(g, random_formula(g, r, size - 1, out), 0, every, 0); break;
  default: {
    static const char *const word[] = {"&&", "||", "->", "U", "R", "W", "M"};
    int op = (int)rng_below(r, 7);
    *out += sprintf(*out, "%s((", op > 2 ? q : "");
    a = random_formula(g, r, left, out);
    *out += sprintf(*out, ") %s (", word[op]);
    b = random_formula(g, r, size - left, out);
    *out += sprintf(*out, ")");
    if (op == 0) a &= b;
    else if (op == 1) a |= b;
    else if (op == 2) a = (g->all & ~a) | b;
    else if (op == 3) a = fixpoint(g, a, b, every, 1);
    else if (op == 4) a = fixpoint(g, b, a & b, every, 0);
    else if (op == 5) a = fixpoint(g, a, b, every, 0);
    else a = fixpoint(g, b, a & b, every, 1);
  }
  }
  *out += sprintf(*out, ")");
  return a;
}

#endif
