/* ctl_partial.c -- see ctl_partial.h.
 *
 * The operators are those of the whole graph (ctl_operators.h), in which a state of the rim (from `done` on) looks like one without successors.  What differs:
 *
 *             must                                    may
 *   EX f      by edges that are there                 the rim as well
 *   E[f U g]  by edges that are there                 states of the rim with f are as good as those with g
 *   EG f      without the rim: nobody knows           with the rim: a path that ends there may go on
 *
 * A formulas are negations of E formulas, and negation changes the two sets' places.  Where both are the same there is one set. */
#include "search/ctl_partial.h"

#include "search/ctl.h"
#include "search/ctl_operators.h"

#include <string.h>

struct pair {
  uint64_t *must, *may; /* the same pointer where they are equal; NULL = not yet */
};

struct ctl_partial {
  struct mem *mem;
  const struct formulas *fs;
  const struct kripke *k;
  struct ctl_operators operators;
  struct pair *set; /* per formula */
  size_t sets;
};

static uint64_t *new_set(struct ctl_partial *c) { return mem_alloc(c->mem, MEM_SEARCH, (c->operators.words + 1) * sizeof(uint64_t)); }

/* States of the rim that are in f (NULL = all of them) join out, or (`leave`) leave it. */
static void rim(const struct ctl_partial *c, const uint64_t *f, uint64_t *out, int leave) {
  for (uint64_t s = c->k->done; s < c->k->states; s++) {
    if (s % 64 == 0 && s + 64 <= c->k->states) { /* a word at a time */
      out[s / 64] = leave ? 0 : out[s / 64] | (f ? f[s / 64] : UINT64_MAX);
      s += 63;
      continue;
    }
    if (leave) out[s / 64] &= ~(UINT64_C(1) << s % 64);
    else if (!f || ctl_in(f, s)) ctl_put(out, s);
  }
}

/* E[f U g]; f NULL = all. */
static int until(struct ctl_partial *c, const uint64_t *f, const uint64_t *g, int may, uint64_t *out) {
  uint64_t *goal = new_set(c);
  if (!goal) return -1;
  memcpy(goal, g, c->operators.words * sizeof *goal);
  if (may) rim(c, f, goal, 0);
  int bad = ctl_some_until(&c->operators, f, goal, out);
  mem_free(c->mem, goal);
  return bad;
}

static int always(struct ctl_partial *c, const uint64_t *f, int may, uint64_t *out) {
  uint64_t *inside = new_set(c);
  if (!inside) return -1;
  memcpy(inside, f, c->operators.words * sizeof *inside);
  if (!may) rim(c, NULL, inside, 1);
  int bad = ctl_some_always(&c->operators, inside, out);
  mem_free(c->mem, inside);
  return bad;
}

/* E[f R g] = E[g U (f && g)] or EG g */
static int release(struct ctl_partial *c, const uint64_t *f, const uint64_t *g, int may, uint64_t *out) {
  uint64_t *both = new_set(c), *forever = new_set(c);
  int bad = !both || !forever;
  for (size_t i = 0; !bad && i < c->operators.words; i++) both[i] = f[i] & g[i];
  if (!bad) bad = until(c, g, both, may, out) || always(c, g, may, forever);
  for (size_t i = 0; !bad && i < c->operators.words; i++) out[i] |= forever[i];
  mem_free(c->mem, both);
  mem_free(c->mem, forever);
  return bad ? -1 : 0;
}

static int exists(struct ctl_partial *c, enum formula_kind kind, const uint64_t *f, const uint64_t *g, int may, uint64_t *out) {
  switch (kind) {
  case F_NEXT:
    if (ctl_some_next(&c->operators, f, out)) return -1;
    if (may) rim(c, NULL, out, 0);
    return 0;
  case F_FINALLY: return until(c, NULL, f, may, out);
  case F_GLOBALLY: return always(c, f, may, out);
  case F_UNTIL: return until(c, f, g, may, out);
  case F_RELEASE: return release(c, f, g, may, out);
  default: return -1; /* W and M: nobody asks */
  }
}

static uint64_t *inverse(struct ctl_partial *c, const uint64_t *set) {
  uint64_t *out = new_set(c);
  if (!out) return NULL;
  memcpy(out, set, c->operators.words * sizeof *out);
  ctl_invert(&c->operators, out);
  return out;
}

/* One of the two sets of a quantified operator. A: the negation of E, from what the negations of its parts may (must) be. */
static int quantified(struct ctl_partial *c, int all, enum formula_kind kind, const struct pair *f, const struct pair *g, int may, uint64_t *out) {
  if (!all) return exists(c, kind, may ? f->may : f->must, g ? (may ? g->may : g->must) : NULL, may, out);
  uint64_t *not_f = inverse(c, may ? f->may : f->must), *not_g = g ? inverse(c, may ? g->may : g->must) : NULL;
  int bad = !not_f || (g && !not_g) || exists(c, ctl_dual(kind), not_f, not_g, !may, out);
  if (!bad) ctl_invert(&c->operators, out);
  mem_free(c->mem, not_f);
  mem_free(c->mem, not_g);
  return bad ? -1 : 0;
}

static const uint64_t *of(const struct ctl_partial *c, formula f, int may) { return may ? c->set[f].may : c->set[f].must; }

/* One of the two sets of a boolean operator. */
static void boolean(struct ctl_partial *c, formula f, int may, uint64_t *out) {
  const struct formulas *fs = c->fs;
  enum formula_kind kind = formula_kind(fs, f);
  uint32_t n = formula_children(fs, f);
  formula a = n ? formula_child(fs, f, 0) : f, b = n > 1 ? formula_child(fs, f, 1) : f;
  if (kind == F_TRUE) ctl_fill(&c->operators, out);
  if (kind == F_FALSE || kind == F_TRUE) return;
  for (size_t i = 0; i < c->operators.words; i++) {
    uint64_t x = of(c, a, may)[i], not_x = ~of(c, a, !may)[i];
    if (kind == F_NOT) out[i] = not_x;
    else if (kind == F_IMPLIES) out[i] = not_x | of(c, b, may)[i];
    else if (kind == F_IFF) out[i] = (x & of(c, b, may)[i]) | (not_x & ~of(c, b, !may)[i]);
    else {
      for (uint32_t k = 1; k < n; k++) x = kind == F_AND ? x & of(c, formula_child(fs, f, k), may)[i] : x | of(c, formula_child(fs, f, k), may)[i];
      out[i] = x;
    }
  }
  if (c->operators.words && c->k->states % 64) out[c->operators.words - 1] &= (UINT64_C(1) << c->k->states % 64) - 1;
}

/* Are both sets of all parts the same, and do edges play no role? */
static int exact(const struct ctl_partial *c, formula f) {
  for (uint32_t i = 0; i < formula_children(c->fs, f); i++) {
    formula part = formula_child(c->fs, f, i);
    if (c->set[part].must != c->set[part].may) return 0;
  }
  return formula_kind(c->fs, f) < F_NEXT;
}

static int compute_one(struct ctl_partial *c, formula f, int may, uint64_t *out) {
  const struct formulas *fs = c->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (kind < F_NEXT) {
    boolean(c, f, may, out);
    return 0;
  }
  if (kind != F_ALL && kind != F_EXISTS) return -1;
  formula path = formula_child(fs, f, 0);
  if (formula_is(fs, path, CLASS_STATE)) {
    memcpy(out, of(c, path, may), c->operators.words * sizeof *out);
    return 0;
  }
  uint32_t n = formula_children(fs, path);
  if (!n || n > 2 || !c->set[formula_child(fs, path, 0)].must || !c->set[formula_child(fs, path, n - 1)].must) return -1;
  return quantified(c, kind == F_ALL, formula_kind(fs, path), &c->set[formula_child(fs, path, 0)], n > 1 ? &c->set[formula_child(fs, path, 1)] : NULL, may, out);
}

static int compute(struct ctl_partial *c, formula f) {
  struct pair *p = &c->set[f];
  if (formula_kind(c->fs, f) == F_ATOM) {
    p->must = p->may = (uint64_t *)(void *)c->k->truth[formula_atom_index(c->fs, f)].base;
    return p->must ? 0 : -1;
  }
  int one = exact(c, f);
  uint64_t *must = new_set(c), *may = one ? must : new_set(c);
  if (must && may && compute_one(c, f, 0, must) == 0 && (one || compute_one(c, f, 1, may) == 0)) {
    *p = (struct pair){must, may};
    return 0;
  }
  mem_free(c->mem, must);
  if (!one) mem_free(c->mem, may);
  return -1;
}

int ctl_partial_holds(struct ctl_partial *c, formula f) {
  if (!formula_is(c->fs, f, CLASS_STATE) || f >= c->sets) return -1;
  uint8_t *needed = mem_alloc(c->mem, MEM_SEARCH, (size_t)f + 1);
  if (!needed) return -1;
  needed[f] = 1;
  for (formula g = f + 1; g-- > 0;)
    for (uint32_t i = 0; needed[g] && !c->set[g].must && i < formula_children(c->fs, g); i++) needed[formula_child(c->fs, g, i)] = 1;
  int bad = 0;
  for (formula g = 0; g <= f && !bad; g++)
    if (needed[g] && !c->set[g].must && formula_is(c->fs, g, CLASS_STATE)) bad = compute(c, g);
  mem_free(c->mem, needed);
  if (bad) return -1;
  return ctl_in(c->set[f].must, 0) ? 1 : !ctl_in(c->set[f].may, 0) ? 0 : -1;
}

void ctl_partial_forget(struct ctl_partial *c) {
  for (size_t i = 0; c->set && i < c->sets; i++) {
    if (formula_kind(c->fs, (formula)i) != F_ATOM) {
      mem_free(c->mem, c->set[i].must);
      if (c->set[i].may != c->set[i].must) mem_free(c->mem, c->set[i].may);
    }
    c->set[i] = (struct pair){0};
  }
}

int ctl_partial_open(struct ctl_partial **out, const struct formulas *fs, const struct kripke *k, struct mem *mem, const struct model_patience *patience) {
  struct ctl_partial *c = *out = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return -1;
  *c = (struct ctl_partial){.mem = mem, .fs = fs, .k = k, .sets = fs->count};
  ctl_operators_open(&c->operators, k, mem);
  c->operators.patience = *patience;
  c->set = mem_alloc(mem, MEM_SEARCH, (fs->count + 1) * sizeof *c->set);
  if (c->set) return 0;
  ctl_partial_close(c);
  *out = NULL;
  return -1;
}

void ctl_partial_close(struct ctl_partial *c) {
  if (!c) return;
  ctl_partial_forget(c);
  mem_free(c->mem, c->set);
  ctl_operators_close(&c->operators);
  mem_free(c->mem, c);
}
