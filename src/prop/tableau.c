/* tableau.c -- LTL to generalised Buechi automata: the construction.
 *
 * The construction is Couvreur's tableau ("On-the-fly verification of linear temporal logic", FM 1999) on explicit terms, which
 * for single formulas are the transitions of Gastin and Oddoux's very weak alternating automaton (CAV 2001).
 *
 * A state is a set of formulas that all have to hold from here.  Each formula is a disjunction of terms
 *
 *     (guard now, set of formulas next, promises)
 *
 *     p            (p, {}, -)                        X f     (true, {f}, -)
 *     f | g        terms of both                     f & g   products of terms
 *     f U g        terms of g,  terms of f x (true, {f U g}, promise)
 *     f R g        terms of g x (terms of f, (true, {f R g}, -))
 *
 * and the edges of a state are the products of its formulas' terms.  A promise says that an until was put off; an edge is in the
 * acceptance set of an until if it does not put it off.  Terms with a weaker guard, a smaller next set and fewer promises make
 * others needless.
 *
 * Three things keep it small on the way:
 *   - X (f | g) leads to the one formula f | g, not to two states;
 *   - a set forgets a formula that another one of it demands anyway: f beside G f or g R f, whose terms hold those of f.  (Weaker
 *     reasons, such as implication, would be wrong here: G XX F p implies X F p and F p at all times, and a set that forgot F p
 *     for X F p each time would put it off for ever without a promise.)
 *   - untils that no G or R can bring back share one acceptance set: in an accepting run none of them is pending for ever.
 */
#include "prop/tableau.h"

#include "base/hash.h"
#include "base/vec.h"
#include "prop/cube.h"

#include <string.h>

enum { MOST_TERMS = 1 << 15 }; /* of one formula or state, unless it is said: each is compared with all others */

typedef uint32_t set_id; /* 0 = the empty set */

struct term {
  struct cube guard;
  uint32_t promises;
  set_id next;
};
struct terms vec(struct term);
struct members vec(formula);

struct range {
  uint32_t first, count;
};

struct tableau {
  struct formulas *fs;
  struct mem *mem;
  const volatile int *interrupt;
  uint32_t most_terms;
  struct err *err;
  struct members member; /* of all sets */
  struct vec(struct range) set;
  uint32_t *slot; /* set + 1 */
  size_t slots;
  struct terms term; /* of all formulas that were asked for */
  struct range *of;  /* by formula, into term; first UINT32_MAX = not yet */
  uint8_t *promise;  /* by formula: its acceptance set */
  uint32_t promises; /* how many */
  uint8_t *recurs;   /* by formula: below a G or R */
  struct vec(set_id) state;
  uint32_t *state_of; /* by set, + 1 */
  size_t state_room;
};

static int refused(struct tableau *t) {
  if (t->interrupt && *t->interrupt) return err_limit(t->err, "interrupted while the automaton of the formula was made");
  return err_memory(t->err, "the automaton of the formula");
}

static int stopped(const struct tableau *t) { return t->interrupt && *t->interrupt; }

/* ---- sets of formulas --------------------------------------------------------------------- */

static uint64_t hash_members(const formula *list, size_t count) { return hash_bytes(list, count * sizeof *list); }

static int grow_slots(struct tableau *t) {
  size_t slots = t->slots ? 2 * t->slots : 64;
  uint32_t *slot = mem_alloc(t->mem, MEM_OTHER, slots * sizeof *slot);
  if (!slot) return -1;
  for (size_t i = 0; i < t->set.count; i++) {
    size_t at = hash_members(t->member.at + t->set.at[i].first, t->set.at[i].count) & (slots - 1);
    while (slot[at]) at = (at + 1) & (slots - 1);
    slot[at] = (uint32_t)i + 1;
  }
  mem_free(t->mem, t->slot);
  t->slot = slot;
  t->slots = slots;
  return 0;
}

/* The number of a sorted set; -1 with err. */
static int64_t intern(struct tableau *t, const formula *list, size_t count) {
  if (2 * (t->set.count + 1) > t->slots && grow_slots(t)) return refused(t);
  size_t at = hash_members(list, count) & (t->slots - 1);
  for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
    struct range r = t->set.at[t->slot[at] - 1];
    if (r.count == count && (!count || memcmp(t->member.at + r.first, list, count * sizeof *list) == 0)) return t->slot[at] - 1;
  }
  struct range r = {(uint32_t)t->member.count, (uint32_t)count};
  if (t->member.count + count >= UINT32_MAX || vec_reserve(&t->member, t->mem, MEM_OTHER, count + 1) ||
      vec_push(&t->set, t->mem, MEM_OTHER, r))
    return refused(t);
  if (count) memcpy(t->member.at + t->member.count, list, count * sizeof *list);
  t->member.count += count;
  t->slot[at] = (uint32_t)t->set.count;
  return (int64_t)t->set.count - 1;
}

/* 1 if f demands g at once, whatever else: g's terms are in each of f's. */
static int demands(const struct formulas *fs, formula f, formula g) {
  for (;;) {
    if (f == g) return 1;
    switch (formula_kind(fs, f)) {
    case F_GLOBALLY: f = formula_child(fs, f, 0); break;
    case F_RELEASE: f = formula_child(fs, f, 1); break;
    case F_AND:
      for (uint32_t i = 0; i < formula_children(fs, f); i++)
        if (demands(fs, formula_child(fs, f, i), g)) return 1;
      return 0;
    default: return 0;
    }
  }
}

/* Sorts, flattens nothing; drops doubles and what others demand. */
static size_t tidy(const struct formulas *fs, formula *list, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    formula f = list[i];
    size_t at = n;
    while (at && list[at - 1] > f) at--;
    if (at && list[at - 1] == f) continue;
    memmove(list + at + 1, list + at, (n - at) * sizeof *list);
    list[at] = f;
    n++;
  }
  for (size_t i = 0; i < n;) {
    int needless = 0;
    for (size_t k = 0; k < n && !needless; k++) needless = k != i && demands(fs, list[k], list[i]);
    if (needless) memmove(list + i, list + i + 1, (--n - i) * sizeof *list);
    else i++;
  }
  return n;
}

static int64_t set_of_list(struct tableau *t, const formula *a, size_t na, const formula *b, size_t nb) {
  formula few[64], *list = few;
  if (na + nb > sizeof few / sizeof *few && !(list = mem_alloc(t->mem, MEM_OTHER, (na + nb) * sizeof *list))) return refused(t);
  if (na) memcpy(list, a, na * sizeof *list);
  if (nb) memcpy(list + na, b, nb * sizeof *list);
  int64_t set = intern(t, list, tidy(t->fs, list, na + nb));
  if (list != few) mem_free(t->mem, list);
  return set;
}

/* The set of one formula: the parts of a conjunction, nothing for true. */
static int64_t set_of(struct tableau *t, formula f) {
  const struct formulas *fs = t->fs;
  if (f == FORMULA_TRUE) return 0;
  if (formula_kind(fs, f) == F_AND) return set_of_list(t, fs->child + fs->node[f].first, formula_children(fs, f), NULL, 0);
  return set_of_list(t, &f, 1, NULL, 0);
}

static int64_t set_union(struct tableau *t, set_id a, set_id b) {
  if (a == b || !b) return a;
  if (!a) return b;
  struct range x = t->set.at[a], y = t->set.at[b];
  return set_of_list(t, t->member.at + x.first, x.count, t->member.at + y.first, y.count);
}

static int set_within(const struct tableau *t, set_id a, set_id b) { /* a is a part of b */
  struct range x = t->set.at[a], y = t->set.at[b];
  uint32_t k = 0;
  if (x.count > y.count) return 0;
  for (uint32_t i = 0; i < x.count; i++) {
    while (k < y.count && t->member.at[y.first + k] < t->member.at[x.first + i]) k++;
    if (k == y.count || t->member.at[y.first + k] != t->member.at[x.first + i]) return 0;
  }
  return 1;
}

/* ---- terms --------------------------------------------------------------------------------- */

static int better(const struct tableau *t, const struct term *a, const struct term *b) {
  return (a->promises & ~b->promises) == 0 && cube_within(b->guard, a->guard) && set_within(t, a->next, b->next);
}

/* Adds a term unless another makes it needless, and drops those that it makes needless. */
static int add_term(struct tableau *t, struct terms *list, struct term x) {
  if (stopped(t)) return refused(t);
  for (size_t i = 0; i < list->count; i++)
    if (better(t, &list->at[i], &x)) return 0;
  size_t n = 0;
  for (size_t i = 0; i < list->count; i++)
    if (!better(t, &x, &list->at[i])) list->at[n++] = list->at[i];
  list->count = n;
  if (n == t->most_terms)
    return err_limit(t->err, "the automaton of this formula is too large: one of its states would have more than %u edges",
                     t->most_terms);
  return vec_push(list, t->mem, MEM_OTHER, x) ? refused(t) : 0;
}

/* out += a x b */
static int multiply(struct tableau *t, struct terms *out, const struct term *a, size_t na, const struct term *b, size_t nb) {
  for (size_t i = 0; i < na; i++)
    for (size_t k = 0; k < nb; k++) {
      if (!cube_meets(a[i].guard, b[k].guard)) continue;
      int64_t next = set_union(t, a[i].next, b[k].next);
      if (next < 0) return -1;
      struct term x = {cube_both(a[i].guard, b[k].guard), a[i].promises | b[k].promises, (set_id)next};
      if (add_term(t, out, x)) return -1;
    }
  return 0;
}

static int terms_of(struct tableau *t, formula f, struct terms *out);

/* Terms of the parts of a conjunction, multiplied. */
static int product(struct tableau *t, const formula *part, size_t count, struct terms *out) {
  struct terms so_far = {0}, one = {0}, next = {0};
  int status = add_term(t, &so_far, (struct term){{0, 0}, 0, 0});
  for (size_t i = 0; i < count && !status; i++) {
    one.count = next.count = 0;
    status = terms_of(t, part[i], &one);
    if (!status) status = multiply(t, &next, so_far.at, so_far.count, one.at, one.count);
    struct terms swap = so_far;
    so_far = next;
    next = swap;
  }
  for (size_t i = 0; i < so_far.count && !status; i++) status = add_term(t, out, so_far.at[i]);
  vec_free(&so_far, t->mem);
  vec_free(&one, t->mem);
  vec_free(&next, t->mem);
  return status;
}

/* The term that puts f off. */
static int put_off(struct tableau *t, formula f, int promise, struct term *out) {
  int64_t set = set_of(t, f);
  if (set < 0) return -1;
  *out = (struct term){{0, 0}, promise ? UINT32_C(1) << t->promise[f] : 0, (set_id)set};
  return 0;
}

static int expand(struct tableau *t, formula f, struct terms *out) {
  const struct formulas *fs = t->fs;
  enum formula_kind kind = formula_kind(fs, f);
  uint32_t n = formula_children(fs, f);
  formula a = n > 0 ? formula_child(fs, f, 0) : 0, b = n > 1 ? formula_child(fs, f, 1) : 0;
  struct terms left = {0}, right = {0};
  struct term later;
  int status = 0;
  switch (kind) {
  case F_FALSE: return 0;
  case F_TRUE: return add_term(t, out, (struct term){{0, 0}, 0, 0});
  case F_ATOM:
  case F_NOT: {
    uint64_t bit = UINT64_C(1) << formula_atom_index(fs, kind == F_ATOM ? f : a);
    return add_term(t, out, (struct term){{bit, kind == F_ATOM ? bit : 0}, 0, 0});
  }
  case F_AND: return product(t, fs->child + fs->node[f].first, n, out);
  case F_OR:
    for (uint32_t i = 0; i < n && !status; i++) status = terms_of(t, formula_child(fs, f, i), out);
    return status;
  case F_NEXT:
    if (put_off(t, a, 0, &later)) return -1;
    return add_term(t, out, later);
  case F_FINALLY:
    if (put_off(t, f, 1, &later) || terms_of(t, a, out)) return -1;
    return add_term(t, out, later);
  case F_GLOBALLY:
    status = put_off(t, f, 0, &later) || terms_of(t, a, &left) ? -1 : multiply(t, out, left.at, left.count, &later, 1);
    break;
  case F_UNTIL:
    status = put_off(t, f, 1, &later) || terms_of(t, b, out) || terms_of(t, a, &left)
                 ? -1
                 : multiply(t, out, left.at, left.count, &later, 1);
    break;
  case F_RELEASE:
    status = put_off(t, f, 0, &later) || terms_of(t, a, &left) || add_term(t, &left, later) || terms_of(t, b, &right)
                 ? -1
                 : multiply(t, out, left.at, left.count, right.at, right.count);
    break;
  default: status = err_internal(t->err, "a formula of kind %d is not in normal form", kind);
  }
  vec_free(&left, t->mem);
  vec_free(&right, t->mem);
  return status;
}

/* Adds the terms of f to `out`; they are made once. */
static int terms_of(struct tableau *t, formula f, struct terms *out) {
  if (t->of[f].first == UINT32_MAX) {
    struct terms made = {0};
    int status = expand(t, f, &made);
    if (!status && (t->term.count + made.count >= UINT32_MAX || vec_reserve(&t->term, t->mem, MEM_OTHER, made.count + 1)))
      status = refused(t);
    if (!status) {
      if (made.count) memcpy(t->term.at + t->term.count, made.at, made.count * sizeof *made.at);
      t->of[f] = (struct range){(uint32_t)t->term.count, (uint32_t)made.count};
      t->term.count += made.count;
    }
    vec_free(&made, t->mem);
    if (status) return -1;
  }
  for (uint32_t i = 0; i < t->of[f].count; i++)
    if (add_term(t, out, t->term.at[t->of[f].first + i])) return -1;
  return 0;
}

/* ---- promises ------------------------------------------------------------------------------- */

static void mark_recurring(struct tableau *t, formula f, int below) {
  if (t->recurs[f] & (below ? 2 : 1)) return;
  t->recurs[f] |= below ? 3 : 1;
  below |= formula_kind(t->fs, f) == F_GLOBALLY || formula_kind(t->fs, f) == F_RELEASE;
  for (uint32_t i = 0; i < formula_children(t->fs, f); i++) mark_recurring(t, formula_child(t->fs, f, i), below);
}

/* Numbers the acceptance sets. Set 0 is for all untils that do not recur, if there are any. */
static int number_promises(struct tableau *t, formula f) {
  uint32_t shared = 0;
  for (formula g = 0; g <= f; g++) {
    int until = formula_kind(t->fs, g) == F_UNTIL || formula_kind(t->fs, g) == F_FINALLY;
    shared |= (uint32_t)(until && t->recurs[g] == 1);
  }
  t->promises = shared;
  for (formula g = 0; g <= f; g++) {
    int until = formula_kind(t->fs, g) == F_UNTIL || formula_kind(t->fs, g) == F_FINALLY;
    if (!until || t->recurs[g] < 2) continue;
    if (t->promises == AUTOMATON_SETS)
      return err_limit(
          t->err,
          "this formula has more than %d different untils that can recur; its automaton would need as many acceptance sets",
          AUTOMATON_SETS);
    t->promise[g] = (uint8_t)t->promises++;
  }
  return 0;
}

/* ---- states --------------------------------------------------------------------------------- */

/* The number of the state with this set; -1 with err. */
static int64_t state_of(struct tableau *t, set_id set) {
  if (set >= t->state_room) {
    size_t room = t->state_room ? 2 * t->state_room : 64;
    while (room <= set) room *= 2;
    uint32_t *bigger = mem_resize(t->mem, MEM_OTHER, t->state_of, room * sizeof *bigger);
    if (!bigger) return refused(t);
    t->state_of = bigger;
    t->state_room = room;
  }
  if (!t->state_of[set]) {
    if (vec_push(&t->state, t->mem, MEM_OTHER, set)) return refused(t);
    t->state_of[set] = (uint32_t)t->state.count;
  }
  return (int64_t)t->state_of[set] - 1;
}

static int explore(struct tableau *t, struct automaton **out, formula f) {
  struct automaton_draft d;
  struct terms edges = {0};
  uint32_t all = (uint32_t)((UINT64_C(1) << t->promises) - 1);
  int64_t start = set_of(t, f);
  int status = start < 0 || state_of(t, (set_id)start) < 0 ? -1 : 0;
  automaton_draft_open(&d, t->mem);
  if (!status && automaton_draft_initial(&d, 0)) status = refused(t);
  for (size_t s = 0; s < t->state.count && !status; s++) {
    struct range r = t->set.at[t->state.at[s]];
    struct members copy = {0}; /* the pool moves while sets are made */
    if (vec_reserve(&copy, t->mem, MEM_OTHER, r.count + 1)) {
      status = refused(t);
      break;
    }
    if (r.count) memcpy(copy.at, t->member.at + r.first, r.count * sizeof *copy.at);
    edges.count = 0;
    status = product(t, copy.at, r.count, &edges);
    vec_free(&copy, t->mem);
    for (size_t i = 0; i < edges.count && !status; i++) {
      int64_t to = state_of(t, edges.at[i].next);
      struct automaton_edge e = {edges.at[i].guard.care, edges.at[i].guard.want, (uint32_t)to, all & ~edges.at[i].promises};
      status = to < 0 ? -1 : automaton_draft_edge(&d, (uint32_t)s, e) ? refused(t) : 0;
    }
  }
  if (!status) status = automaton_finish(out, &d, (uint32_t)t->state.count, t->promises, t->err);
  automaton_draft_close(&d);
  vec_free(&edges, t->mem);
  return status;
}

int tableau(struct automaton **out, struct formulas *fs, formula f, uint32_t most_terms, const volatile int *interrupt, struct err *e) {
  struct tableau t = {.fs = fs, .mem = fs->mem, .interrupt = interrupt, .most_terms = most_terms ? most_terms : MOST_TERMS, .err = e};
  size_t n = (size_t)f + 2;
  t.of = mem_alloc(t.mem, MEM_OTHER, n * sizeof *t.of);
  t.promise = mem_alloc(t.mem, MEM_OTHER, n);
  t.recurs = mem_alloc(t.mem, MEM_OTHER, n);
  int status = t.of && t.promise && t.recurs && intern(&t, NULL, 0) == 0 ? 0 : refused(&t);
  if (!status) {
    memset(t.of, 0xff, n * sizeof *t.of);
    mark_recurring(&t, f, 0);
    status = number_promises(&t, f);
  }
  if (!status) status = explore(&t, out, f);
  vec_free(&t.member, t.mem);
  vec_free(&t.set, t.mem);
  vec_free(&t.term, t.mem);
  vec_free(&t.state, t.mem);
  mem_free(t.mem, t.slot);
  mem_free(t.mem, t.of);
  mem_free(t.mem, t.promise);
  mem_free(t.mem, t.recurs);
  mem_free(t.mem, t.state_of);
  return status;
}
