/* ctl.c -- see ctl.h.
 *
 * Everything is led back to EX, EU and EG (ctl_operators.h):
 *
 *   AX f = !EX !f, where a state without successors satisfies it     AF f = !EG !f     AG f = !EF !f = !E[true U !f]     EF f = E[true U f]
 *   A[f U g] = !(E[!g U (!f && !g)] || EG !g)     R, W and M by their duals     the same holds on maximal paths
 *
 * Whoever asks for the first state alone gets it cheaper where that goes: every state can be reached from it, so EF f there asks only whether f is true anywhere,
 * and AG f whether it is everywhere; EX and AX look at its successors; an until whose end or whose way is decided in the first state needs no fixpoint. */
#include "search/ctl.h"

#include "search/ctl_operators.h"

#include <string.h>

struct ctl {
  struct mem *mem;
  const struct formulas *fs;
  const struct kripke *k;
  struct ctl_operators operators;
  uint64_t **set; /* per formula; NULL = not yet. Those of atoms belong to the graph. */
  int8_t *first;  /* per formula: its truth in the first state + 1; 0 = not yet */
  size_t sets;
  struct err *err;
};

static uint64_t *new_set(struct ctl *c) {
  uint64_t *set = mem_alloc(c->mem, MEM_SEARCH, (c->operators.words + 1) * sizeof *set);
  if (!set) err_memory(c->err, "deciding a formula");
  return set;
}

static uint64_t *inverse(struct ctl *c, const uint64_t *set) {
  uint64_t *out = new_set(c);
  if (!out) return NULL;
  memcpy(out, set, c->operators.words * sizeof *set);
  ctl_invert(&c->operators, out);
  return out;
}

static int not_ctl(struct ctl *c) {
  return err_input(c->err, (struct place_in_text){0}, "this is no CTL: every temporal operator needs an A or E right before it");
}

static int checked(struct ctl *c, int late) { return late ? err_limit(c->err, "there was no time left to decide a formula") : 0; }

/* ---- quantified operators over sets; `out` is a fresh set ---------------------------------------------------------------- */

/* E[f U g], or with `release` E[f R g] = E[g U (f && g)] or EG g. */
static int exists_pair(struct ctl *c, const uint64_t *f, const uint64_t *g, int release, uint64_t *out) {
  struct ctl_operators *o = &c->operators;
  if (!release) return checked(c, ctl_some_until(o, f, g, out));
  uint64_t *both = new_set(c), *always = new_set(c);
  int bad = !both || !always;
  for (size_t i = 0; !bad && i < o->words; i++) both[i] = f[i] & g[i];
  if (!bad) bad = checked(c, ctl_some_until(o, g, both, out) || ctl_some_always(o, g, always));
  for (size_t i = 0; !bad && i < o->words; i++) out[i] |= always[i];
  mem_free(c->mem, both);
  mem_free(c->mem, always);
  return bad ? -1 : 0;
}

/* E of a temporal operator over sets; `kind` as of formulas. */
static int exists(struct ctl *c, enum formula_kind kind, const uint64_t *f, const uint64_t *g, uint64_t *out) {
  struct ctl_operators *o = &c->operators;
  uint64_t *either = NULL;
  int bad = 0;
  switch (kind) {
  case F_NEXT: return checked(c, ctl_some_next(o, f, out));
  case F_FINALLY: return checked(c, ctl_some_until(o, NULL, f, out));
  case F_GLOBALLY: return checked(c, ctl_some_always(o, f, out));
  case F_UNTIL: return exists_pair(c, f, g, 0, out);
  case F_RELEASE: return exists_pair(c, f, g, 1, out);
  case F_WEAK:   /* f W g = g R (f || g) */
  case F_STRONG: /* f M g = g U (f && g) */
    either = new_set(c);
    if (!either) return -1;
    for (size_t i = 0; i < o->words; i++) either[i] = kind == F_WEAK ? f[i] | g[i] : f[i] & g[i];
    bad = exists_pair(c, g, either, kind == F_WEAK, out);
    mem_free(c->mem, either);
    return bad;
  default: return not_ctl(c);
  }
}

enum formula_kind ctl_dual(enum formula_kind kind) {
  switch (kind) {
  case F_FINALLY: return F_GLOBALLY;
  case F_GLOBALLY: return F_FINALLY;
  case F_UNTIL: return F_RELEASE;
  case F_RELEASE: return F_UNTIL;
  case F_WEAK: return F_STRONG;
  case F_STRONG: return F_WEAK;
  default: return kind;
  }
}

/* A op (f, g) = !E dual (!f, !g). For W and M: !(f W g) = !f M !g. */
static int for_all(struct ctl *c, enum formula_kind kind, const uint64_t *f, const uint64_t *g, uint64_t *out) {
  uint64_t *not_f = inverse(c, f), *not_g = g ? inverse(c, g) : NULL;
  int bad = !not_f || (g && !not_g) || exists(c, ctl_dual(kind), not_f, not_g, out);
  if (!bad) ctl_invert(&c->operators, out);
  mem_free(c->mem, not_f);
  mem_free(c->mem, not_g);
  return bad ? -1 : 0;
}

/* ---- formulas in all states ------------------------------------------------------------------------------------------------ */

static int compute(struct ctl *c, formula f, uint64_t *out) {
  const struct formulas *fs = c->fs;
  size_t words = c->operators.words;
  uint32_t n = formula_children(fs, f);
  const uint64_t *a = n ? c->set[formula_child(fs, f, 0)] : NULL, *b = n > 1 ? c->set[formula_child(fs, f, 1)] : NULL;
  enum formula_kind kind = formula_kind(fs, f);
  switch (kind) {
  case F_FALSE: return 0;
  case F_TRUE: ctl_fill(&c->operators, out); return 0;
  case F_NOT:
    memcpy(out, a, words * sizeof *out);
    ctl_invert(&c->operators, out);
    return 0;
  case F_AND:
  case F_OR:
    memcpy(out, a, words * sizeof *out);
    for (uint32_t i = 1; i < n; i++) {
      const uint64_t *x = c->set[formula_child(fs, f, i)];
      for (size_t k = 0; k < words; k++) out[k] = kind == F_AND ? out[k] & x[k] : out[k] | x[k];
    }
    return 0;
  case F_IMPLIES: /* !(a && !b) */
  case F_IFF:     /* !(a ^ b) */
    for (size_t k = 0; k < words; k++) out[k] = kind == F_IMPLIES ? a[k] & ~b[k] : a[k] ^ b[k];
    ctl_invert(&c->operators, out);
    return 0;
  case F_ALL:
  case F_EXISTS: {
    formula path = formula_child(fs, f, 0);
    uint32_t m = formula_children(fs, path);
    if (formula_is(fs, path, CLASS_STATE)) { /* A of what one state decides */
      memcpy(out, c->set[path], words * sizeof *out);
      return 0;
    }
    const uint64_t *p = m ? c->set[formula_child(fs, path, 0)] : NULL, *q = m > 1 ? c->set[formula_child(fs, path, 1)] : NULL;
    if (!p || (m > 1 && !q) || m > 2) return not_ctl(c);
    return kind == F_EXISTS ? exists(c, formula_kind(fs, path), p, q, out) : for_all(c, formula_kind(fs, path), p, q, out);
  }
  default: return not_ctl(c);
  }
}

static int compute_set(struct ctl *c, formula f) {
  if (formula_kind(c->fs, f) == F_ATOM) {
    c->set[f] = (uint64_t *)(void *)c->k->truth[formula_atom_index(c->fs, f)].base;
    return 0;
  }
  uint64_t *out = new_set(c);
  if (!out) return -1;
  if (compute(c, f, out)) {
    mem_free(c->mem, out);
    return -1;
  }
  c->set[f] = out;
  return 0;
}

/* Parts come before the whole in the graph of formulas: those that f needs are marked from above, and computed from below. */
static int compute_parts(struct ctl *c, formula f) {
  if (!formula_is(c->fs, f, CLASS_STATE)) return not_ctl(c);
  if (c->set[f]) return 0;
  uint8_t *needed = mem_alloc(c->mem, MEM_SEARCH, (size_t)f + 1);
  if (!needed) return err_memory(c->err, "deciding a formula");
  needed[f] = 1;
  for (formula g = f + 1; g-- > 0;) {
    if (!needed[g] || c->set[g]) continue;
    for (uint32_t i = 0; i < formula_children(c->fs, g); i++) needed[formula_child(c->fs, g, i)] = 1;
  }
  int bad = 0;
  for (formula g = 0; g <= f && !bad; g++) {
    if (!needed[g] || c->set[g] || !formula_is(c->fs, g, CLASS_STATE)) continue; /* paths are computed with their quantifier */
    bad = compute_set(c, g);
  }
  mem_free(c->mem, needed);
  return bad ? -1 : 0;
}

const uint8_t *ctl_states(struct ctl *c, formula f, struct err *e) {
  c->err = e;
  return compute_parts(c, f) ? NULL : (const uint8_t *)c->set[f];
}

/* ---- formulas in the first state ---------------------------------------------------------------------------------------------- */

static int in_first(struct ctl *c, formula f);

/* Is f in some (or, `all`, in every) successor of the first state? */
static int in_next(struct ctl *c, formula f, int all) {
  if (compute_parts(c, f)) return -1;
  for (struct graph_edges e = graph_edges(&c->k->graph, 0); graph_more(&e);)
    if (ctl_in(c->set[f], graph_next(&e, NULL)) != all) return !all;
  return all;
}

/* A quantified operator; anything that is not decided by a look takes the whole set. Heights of formulas are limited, and so is the depth of this recursion. */
static int quantified_in_first(struct ctl *c, formula f) {
  const struct formulas *fs = c->fs;
  int all = formula_kind(fs, f) == F_ALL, now;
  formula path = formula_child(fs, f, 0);
  if (formula_is(fs, path, CLASS_STATE)) return in_first(c, path);
  formula a = formula_children(fs, path) ? formula_child(fs, path, 0) : path;
  switch (formula_kind(fs, path)) {
  case F_NEXT: return in_next(c, a, all);
  case F_FINALLY:
    if ((now = in_first(c, a)) != 0) return now;
    if (all) break;
    return compute_parts(c, a) ? -1 : !ctl_empty(&c->operators, c->set[a]);
  case F_GLOBALLY:
    if ((now = in_first(c, a)) != 1) return now;
    if (!all) break;
    return compute_parts(c, a) ? -1 : ctl_full(&c->operators, c->set[a]);
  case F_UNTIL:
    if ((now = in_first(c, formula_child(fs, path, 1))) != 0) return now;
    if ((now = in_first(c, a)) != 1) return now;
    break;
  default: break;
  }
  return compute_parts(c, f) ? -1 : ctl_in(c->set[f], 0);
}

static int compute_first(struct ctl *c, formula f) {
  const struct formulas *fs = c->fs;
  enum formula_kind kind = formula_kind(fs, f);
  int a, b;
  switch (kind) {
  case F_FALSE:
  case F_TRUE: return kind == F_TRUE;
  case F_ATOM: return kripke_true(c->k, formula_atom_index(fs, f), 0);
  case F_NOT: return (a = in_first(c, formula_child(fs, f, 0))) < 0 ? -1 : !a;
  case F_AND:
  case F_OR:
    for (uint32_t i = 0; i < formula_children(fs, f); i++)
      if ((a = in_first(c, formula_child(fs, f, i))) != (kind == F_AND)) return a;
    return kind == F_AND;
  case F_IMPLIES:
    if ((a = in_first(c, formula_child(fs, f, 0))) != 1) return a < 0 ? -1 : 1;
    return in_first(c, formula_child(fs, f, 1));
  case F_IFF:
    a = in_first(c, formula_child(fs, f, 0));
    b = a < 0 ? -1 : in_first(c, formula_child(fs, f, 1));
    return b < 0 ? -1 : a == b;
  case F_ALL:
  case F_EXISTS: return quantified_in_first(c, f);
  default: return not_ctl(c);
  }
}

static int in_first(struct ctl *c, formula f) {
  if (c->first[f]) return c->first[f] - 1;
  int is = c->set[f] ? ctl_in(c->set[f], 0) : compute_first(c, f);
  if (is >= 0) c->first[f] = (int8_t)(is + 1);
  return is;
}

int ctl_holds(struct ctl *c, formula f, struct err *e) {
  c->err = e;
  return formula_is(c->fs, f, CLASS_STATE) ? in_first(c, f) : not_ctl(c);
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

void ctl_limit(struct ctl *c, const struct model_patience *patience) { c->operators.patience = *patience; }

void ctl_forget(struct ctl *c) {
  for (size_t i = 0; c->set && i < c->sets; i++) {
    if (formula_kind(c->fs, (formula)i) != F_ATOM) mem_free(c->mem, c->set[i]);
    c->set[i] = NULL;
  }
}

int ctl_open(struct ctl **out, const struct formulas *fs, const struct kripke *k, struct mem *mem, struct err *e) {
  struct ctl *c = *out = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return err_memory(e, "deciding a formula");
  *c = (struct ctl){.mem = mem, .fs = fs, .k = k, .sets = fs->count};
  ctl_operators_open(&c->operators, k, mem);
  c->set = mem_alloc(mem, MEM_SEARCH, (fs->count + 1) * sizeof *c->set);
  c->first = mem_alloc(mem, MEM_SEARCH, fs->count + 1);
  if (c->set && c->first) return 0;
  ctl_close(c);
  *out = NULL;
  return err_memory(e, "deciding a formula");
}

void ctl_close(struct ctl *c) {
  if (!c) return;
  ctl_forget(c);
  mem_free(c->mem, c->set);
  mem_free(c->mem, c->first);
  ctl_operators_close(&c->operators);
  mem_free(c->mem, c);
}
