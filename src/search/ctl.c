/* ctl.c -- see ctl.h.
 *
 * Everything is led back to EX, EU and EG:
 *
 *   AX f = !EX !f, where a state without successors satisfies it     AF f = !EG !f     AG f = !EF !f = !E[true U !f]     EF f = E[true U f]
 *   A[f U g] = !(E[!g U (!f && !g)] || EG !g)     R, W and M by their duals     the same holds on maximal paths
 *
 * The edges backwards are made when first needed: 4 bytes per edge and 8 per state. */
#include "search/ctl.h"

#include <string.h>

struct ctl {
  struct mem *mem;
  const struct formulas *fs;
  const struct kripke *k;
  size_t bytes; /* of a set of states */
  uint8_t **set; /* per formula; NULL = not yet */
  size_t sets;
  struct region before_first, before; /* edges backwards: uint64_t[states + 1], uint32_t[] */
  struct err *err;
};

static int in(const uint8_t *set, uint64_t s) { return set[s / 8] >> s % 8 & 1; }
static void put(uint8_t *set, uint64_t s) { set[s / 8] |= (uint8_t)(1u << s % 8); }
static void drop(uint8_t *set, uint64_t s) { set[s / 8] &= (uint8_t)~(1u << s % 8); }

static uint8_t *new_set(struct ctl *c) {
  uint8_t *set = mem_alloc(c->mem, MEM_SEARCH, c->bytes);
  if (!set) err_memory(c->err, "deciding a formula");
  return set;
}

static int turn_edges(struct ctl *c) {
  const struct kripke *k = c->k;
  if (c->before_first.size) return 0;
  if (region_resize(&c->before_first, (k->states + 2) * sizeof(uint64_t)) || region_resize(&c->before, (k->edges + 1) * sizeof(uint32_t)))
    return err_memory(c->err, "the edges backwards");
  const uint64_t *first = kripke_first(k);
  const uint32_t *target = kripke_target(k);
  uint64_t *at = (uint64_t *)(void *)c->before_first.base;
  uint32_t *before = (uint32_t *)(void *)c->before.base;
  memset(at, 0, (k->states + 2) * sizeof *at);
  for (uint64_t e = 0; e < k->edges; e++) at[target[e] + 2]++;
  for (uint64_t s = 0; s < k->states; s++) at[s + 2] += at[s + 1];
  for (uint64_t s = 0; s < k->states; s++)
    for (uint64_t e = first[s]; e < first[s + 1]; e++) before[at[target[e] + 1]++] = (uint32_t)s;
  return 0;
}

/* ---- the three operators; `out` is a fresh set -------------------------------------------------------------------------- */

static void some_next(const struct ctl *c, const uint8_t *f, uint8_t *out) {
  const uint64_t *first = kripke_first(c->k);
  const uint32_t *target = kripke_target(c->k);
  for (uint64_t s = 0; s < c->k->states; s++)
    for (uint64_t e = first[s]; e < first[s + 1]; e++)
      if (in(f, target[e])) {
        put(out, s);
        break;
      }
}

/* f NULL = true. Backwards from g through f. */
static int some_until(struct ctl *c, const uint8_t *f, const uint8_t *g, uint8_t *out) {
  if (turn_edges(c)) return -1;
  const uint64_t *at = (const uint64_t *)(const void *)c->before_first.base;
  const uint32_t *before = (const uint32_t *)(const void *)c->before.base;
  uint32_t *stack = mem_alloc(c->mem, MEM_SEARCH, (c->k->states + 1) * sizeof *stack);
  if (!stack) return err_memory(c->err, "deciding a formula");
  uint64_t count = 0;
  for (uint64_t s = 0; s < c->k->states; s++)
    if (in(g, s)) put(out, s), stack[count++] = (uint32_t)s;
  while (count) {
    uint32_t s = stack[--count];
    for (uint64_t e = at[s]; e < at[s + 1]; e++) {
      uint32_t p = before[e];
      if (in(out, p) || (f && !in(f, p))) continue;
      put(out, p);
      stack[count++] = p;
    }
  }
  mem_free(c->mem, stack);
  return 0;
}

/* States of f from which f can hold for ever, or to the end of the path: the others are taken away, one after another. */
static int some_always(struct ctl *c, const uint8_t *f, uint8_t *out) {
  const struct kripke *k = c->k;
  if (turn_edges(c)) return -1;
  const uint64_t *first = kripke_first(k), *at = (const uint64_t *)(const void *)c->before_first.base;
  const uint32_t *target = kripke_target(k), *before = (const uint32_t *)(const void *)c->before.base;
  uint32_t *left = mem_alloc(c->mem, MEM_SEARCH, (2 * k->states + 1) * sizeof *left), *stack = left + k->states;
  if (!left) return err_memory(c->err, "deciding a formula");
  uint64_t count = 0;
  memcpy(out, f, c->bytes);
  for (uint64_t s = 0; s < k->states; s++) {
    if (!in(f, s)) continue;
    for (uint64_t e = first[s]; e < first[s + 1]; e++) left[s] += (uint32_t)in(f, target[e]);
    if (!left[s] && first[s] < first[s + 1]) stack[count++] = (uint32_t)s;
  }
  for (uint64_t i = 0; i < count; i++) drop(out, stack[i]);
  while (count) {
    uint32_t s = stack[--count];
    for (uint64_t e = at[s]; e < at[s + 1]; e++) {
      uint32_t p = before[e];
      if (!in(out, p) || --left[p]) continue;
      drop(out, p);
      stack[count++] = p;
    }
  }
  mem_free(c->mem, left);
  return 0;
}

/* ---- formulas ------------------------------------------------------------------------------------------------------------- */

static void invert(const struct ctl *c, uint8_t *set) {
  for (size_t i = 0; i < c->bytes; i++) set[i] = (uint8_t)~set[i];
  if (c->k->states % 8) set[c->bytes - 1] &= (uint8_t)((1u << c->k->states % 8) - 1);
}

static uint8_t *inverse(struct ctl *c, const uint8_t *set) {
  uint8_t *out = new_set(c);
  if (!out) return NULL;
  memcpy(out, set, c->bytes);
  invert(c, out);
  return out;
}

static int not_ctl(struct ctl *c) {
  return err_input(c->err, (struct place_in_text){0}, "this is no CTL: every temporal operator needs an A or E right before it");
}

/* E[f U g], or with `release` E[f R g] = E[g U (f && g)] or EG g. */
static int exists_pair(struct ctl *c, const uint8_t *f, const uint8_t *g, int release, uint8_t *out) {
  if (!release) return some_until(c, f, g, out);
  uint8_t *both = new_set(c), *always = new_set(c);
  int bad = !both || !always;
  for (size_t i = 0; !bad && i < c->bytes; i++) both[i] = f[i] & g[i];
  if (!bad) bad = some_until(c, g, both, out) || some_always(c, g, always);
  for (size_t i = 0; !bad && i < c->bytes; i++) out[i] |= always[i];
  mem_free(c->mem, both);
  mem_free(c->mem, always);
  return bad ? -1 : 0;
}

/* E of a temporal operator over sets; `kind` as of formulas. */
static int exists(struct ctl *c, enum formula_kind kind, const uint8_t *f, const uint8_t *g, uint8_t *out) {
  uint8_t *either = NULL;
  int bad = 0;
  switch (kind) {
  case F_NEXT: some_next(c, f, out); return 0;
  case F_FINALLY: return some_until(c, NULL, f, out);
  case F_GLOBALLY: return some_always(c, f, out);
  case F_UNTIL: return exists_pair(c, f, g, 0, out);
  case F_RELEASE: return exists_pair(c, f, g, 1, out);
  case F_WEAK:   /* f W g = g R (f || g) */
  case F_STRONG: /* f M g = g U (f && g) */
    either = new_set(c);
    if (!either) return -1;
    for (size_t i = 0; i < c->bytes; i++) either[i] = kind == F_WEAK ? f[i] | g[i] : f[i] & g[i];
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
static int for_all(struct ctl *c, enum formula_kind kind, const uint8_t *f, const uint8_t *g, uint8_t *out) {
  uint8_t *not_f = inverse(c, f), *not_g = g ? inverse(c, g) : NULL;
  int bad = !not_f || (g && !not_g) || exists(c, ctl_dual(kind), not_f, not_g, out);
  if (!bad) invert(c, out);
  mem_free(c->mem, not_f);
  mem_free(c->mem, not_g);
  return bad ? -1 : 0;
}

static int compute(struct ctl *c, formula f, uint8_t *out) {
  const struct formulas *fs = c->fs;
  uint32_t n = formula_children(fs, f);
  const uint8_t *a = n ? c->set[formula_child(fs, f, 0)] : NULL, *b = n > 1 ? c->set[formula_child(fs, f, 1)] : NULL;
  enum formula_kind kind = formula_kind(fs, f);
  switch (kind) {
  case F_FALSE: return 0;
  case F_TRUE: invert(c, out); return 0;
  case F_ATOM: {
    const struct region *truth = &c->k->truth[formula_atom_index(fs, f)];
    memcpy(out, truth->base, c->bytes);
    return 0;
  }
  case F_NOT:
    memcpy(out, a, c->bytes);
    invert(c, out);
    return 0;
  case F_AND:
  case F_OR:
    memcpy(out, a, c->bytes);
    for (uint32_t i = 1; i < n; i++) {
      const uint8_t *x = c->set[formula_child(fs, f, i)];
      for (size_t k = 0; k < c->bytes; k++) out[k] = kind == F_AND ? out[k] & x[k] : out[k] | x[k];
    }
    return 0;
  case F_IMPLIES:
  case F_IFF:
    for (size_t k = 0; k < c->bytes; k++) out[k] = kind == F_IMPLIES ? (uint8_t)~a[k] | b[k] : (uint8_t)~(a[k] ^ b[k]);
    if (c->k->states % 8) out[c->bytes - 1] &= (uint8_t)((1u << c->k->states % 8) - 1);
    return 0;
  case F_ALL:
  case F_EXISTS: {
    formula path = formula_child(fs, f, 0);
    uint32_t m = formula_children(fs, path);
    if (formula_is(fs, path, CLASS_STATE)) { /* A of what one state decides */
      memcpy(out, c->set[path], c->bytes);
      return 0;
    }
    const uint8_t *p = m ? c->set[formula_child(fs, path, 0)] : NULL, *q = m > 1 ? c->set[formula_child(fs, path, 1)] : NULL;
    if (!p || m > 2) return not_ctl(c);
    return kind == F_EXISTS ? exists(c, formula_kind(fs, path), p, q, out) : for_all(c, formula_kind(fs, path), p, q, out);
  }
  default: return not_ctl(c);
  }
}

/* Parts come before the whole in the graph of formulas: those that f needs are marked from above, and computed from below. */
static int compute_parts(struct ctl *c, formula f) {
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
    c->set[g] = new_set(c);
    bad = !c->set[g] || compute(c, g, c->set[g]);
  }
  mem_free(c->mem, needed);
  return bad ? -1 : 0;
}

const uint8_t *ctl_states(struct ctl *c, formula f, struct err *e) {
  c->err = e;
  if (!formula_is(c->fs, f, CLASS_STATE)) {
    not_ctl(c);
    return NULL;
  }
  return c->set[f] || compute_parts(c, f) == 0 ? c->set[f] : NULL;
}

int ctl_holds(struct ctl *c, formula f, struct err *e) {
  const uint8_t *set = ctl_states(c, f, e);
  return set ? in(set, 0) : -1;
}

int ctl_open(struct ctl **out, const struct formulas *fs, const struct kripke *k, struct mem *mem, struct err *e) {
  struct ctl *c = *out = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return err_memory(e, "deciding a formula");
  *c = (struct ctl){.mem = mem, .fs = fs, .k = k, .bytes = (size_t)((k->states + 7) / 8), .sets = fs->count};
  region_open(&c->before_first, mem, MEM_SEARCH);
  region_open(&c->before, mem, MEM_SEARCH);
  c->set = mem_alloc(mem, MEM_SEARCH, (fs->count + 1) * sizeof *c->set);
  if (c->set) return 0;
  ctl_close(c);
  *out = NULL;
  return err_memory(e, "deciding a formula");
}

void ctl_close(struct ctl *c) {
  if (!c) return;
  for (size_t i = 0; c->set && i < c->sets; i++) mem_free(c->mem, c->set[i]);
  mem_free(c->mem, c->set);
  region_close(&c->before_first);
  region_close(&c->before);
  mem_free(c->mem, c);
}
