/* ctl_operators.c -- see ctl_operators.h.
 *
 * Two ways for the fixpoints:
 *
 *   backwards  the edges are turned once into another condensed graph; EU goes backwards from its goal, EG counts the successors that are left.  Each edge is
 *              looked at once.
 *   forwards   where memory does not allow that: sweeps over all states, up and down in turn, until nothing changes.  Numbers are breadth-first, so that most of a
 *              fixpoint is there after a few sweeps, and a sweep reads the edges in the order in which they lie.
 *
 * Most nets are reversible: from every state the first one can be reached again.  Then EF of anything that some state satisfies is true everywhere.  Whether it is so
 * is found out when EF is asked for the second time, at the price of one EF. */
#include "search/ctl_operators.h"


#include <string.h>

void ctl_operators_open(struct ctl_operators *o, const struct kripke *k, struct mem *mem) {
  *o = (struct ctl_operators){.mem = mem, .k = k, .words = (size_t)((k->states + 63) / 64), .reversible = -1};
}

void ctl_operators_close(struct ctl_operators *o) { graph_close(&o->before); }

/* ---- sets ------------------------------------------------------------------------------------------------------------- */

static uint64_t last_word(const struct ctl_operators *o) {
  return o->k->states % 64 ? (UINT64_C(1) << o->k->states % 64) - 1 : UINT64_MAX;
}

int ctl_empty(const struct ctl_operators *o, const uint64_t *set) {
  for (size_t i = 0; i < o->words; i++)
    if (set[i]) return 0;
  return 1;
}

int ctl_full(const struct ctl_operators *o, const uint64_t *set) {
  for (size_t i = 0; i + 1 < o->words; i++)
    if (~set[i]) return 0;
  return !o->words || set[o->words - 1] == last_word(o);
}

void ctl_fill(const struct ctl_operators *o, uint64_t *set) {
  memset(set, 0xff, o->words * sizeof *set);
  if (o->words) set[o->words - 1] = last_word(o);
}

void ctl_invert(const struct ctl_operators *o, uint64_t *set) {
  for (size_t i = 0; i < o->words; i++) set[i] = ~set[i];
  if (o->words) set[o->words - 1] &= last_word(o);
}

/* To be asked after every few million edges or less. */
static int is_late(struct ctl_operators *o) {
  const struct model_patience *p = &o->patience;
  o->late |= model_impatient(p);
  return o->late;
}

static void drop(uint64_t *set, uint64_t s) { set[s / 64] &= ~(UINT64_C(1) << s % 64); }

/* ---- edges ------------------------------------------------------------------------------------------------------------- */

/* 0: they can be walked backwards. */
static int turn_edges(struct ctl_operators *o) {
  if (o->turned) return 0;
  if (o->forwards) return -1;
  /* A fixpoint needs 8 bytes per state and its set beside the edges. */
  size_t states = (size_t)(o->k->states + 2) * sizeof(uint64_t);
  o->forwards = mem_left(o->mem) < graph_turn_bytes(&o->k->graph) + states + states / 4 || graph_turn(&o->before, &o->k->graph, 0, o->mem);
  o->turned = !o->forwards;
  return o->turned ? 0 : -1;
}

static int some_successor(const struct kripke *k, uint64_t s, const uint64_t *set) {
  for (struct graph_edges e = graph_edges(&k->graph, s); graph_more(&e);)
    if (ctl_in(set, graph_next(&e, NULL))) return 1;
  return 0;
}

static int ends(const struct kripke *k, uint64_t s) {
  struct graph_edges e = graph_edges(&k->graph, s);
  return !graph_more(&e);
}

int ctl_some_next(struct ctl_operators *o, const uint64_t *f, uint64_t *out) {
  for (uint64_t s = 0; s < o->k->states; s++) {
    if (some_successor(o->k, s, f)) ctl_put(out, s);
    if (s % (1u << 18) == 0 && is_late(o)) return -1;
  }
  return 0;
}

/* ---- forwards ----------------------------------------------------------------------------------------------------------- */

static int until_word(const struct ctl_operators *o, const uint64_t *f, uint64_t *out, size_t w) {
  uint64_t before = out[w], open = (f ? f[w] : w + 1 == o->words ? last_word(o) : UINT64_MAX) & ~out[w];
  while (open) { /* from above: a state that is found serves those below in the same word */
    unsigned bit = 63u - (unsigned)__builtin_clzll(open);
    open &= ~(UINT64_C(1) << bit);
    if (some_successor(o->k, w * 64 + bit, out)) ctl_put(out, w * 64 + bit);
  }
  return out[w] != before;
}

static int always_word(const struct ctl_operators *o, uint64_t *out, size_t w) {
  uint64_t before = out[w];
  for (uint64_t open = before; open; open &= open - 1) {
    uint64_t s = w * 64 + (unsigned)__builtin_ctzll(open);
    if (!ends(o->k, s) && !some_successor(o->k, s, out)) drop(out, s);
  }
  return out[w] != before;
}

static int sweep(struct ctl_operators *o, const uint64_t *f, uint64_t *out, int always) {
  for (int changed = 1, up = 0; changed; up = !up) {
    changed = 0;
    for (size_t i = 0; i < o->words; i++) {
      size_t w = up ? i : o->words - 1 - i;
      changed |= always ? always_word(o, out, w) : until_word(o, f, out, w);
      if (i % (1u << 12) == 0 && is_late(o)) return -1;
    }
  }
  return 0;
}

/* ---- backwards ---------------------------------------------------------------------------------------------------------- */

static int backwards_until(struct ctl_operators *o, const uint64_t *f, uint64_t *out) {
  uint32_t *stack = mem_alloc(o->mem, MEM_SEARCH, (size_t)(o->k->states + 1) * sizeof *stack);
  if (!stack) return -1;
  uint64_t count = 0;
  for (uint64_t s = 0; s < o->k->states; s++)
    if (ctl_in(out, s)) stack[count++] = (uint32_t)s;
  for (uint64_t steps = 1; count && !(steps++ % (1u << 18) == 0 && is_late(o));) {
    uint32_t s = stack[--count];
    for (struct graph_edges e = graph_edges(&o->before, s); graph_more(&e);) {
      uint32_t p = graph_next(&e, NULL);
      if (ctl_in(out, p) || (f && !ctl_in(f, p))) continue;
      ctl_put(out, p);
      stack[count++] = p;
    }
  }
  mem_free(o->mem, stack);
  return 0;
}

/* States are taken away, one after another, when their last successor in the set is gone. */
static int backwards_always(struct ctl_operators *o, const uint64_t *f, uint64_t *out) {
  const struct kripke *k = o->k;
  uint32_t *left = mem_alloc(o->mem, MEM_SEARCH, (size_t)(2 * k->states + 1) * sizeof *left), *stack;
  if (!left) return -1;
  stack = left + k->states;
  uint64_t count = 0;
  for (uint64_t s = 0; s < k->states; s++) {
    if (s % (1u << 18) == 0 && is_late(o)) break;
    if (!ctl_in(f, s)) continue;
    for (struct graph_edges e = graph_edges(&k->graph, s); graph_more(&e);) left[s] += (uint32_t)ctl_in(f, graph_next(&e, NULL));
    if (!left[s] && !ends(k, s)) stack[count++] = (uint32_t)s;
  }
  for (uint64_t i = 0; i < count && !o->late; i++) drop(out, stack[i]);
  for (uint64_t steps = 1; count && !(steps++ % (1u << 18) == 0 && is_late(o));) {
    uint32_t s = stack[--count];
    for (struct graph_edges e = graph_edges(&o->before, s); graph_more(&e);) {
      uint32_t p = graph_next(&e, NULL);
      if (!ctl_in(out, p) || --left[p]) continue;
      drop(out, p);
      stack[count++] = p;
    }
  }
  mem_free(o->mem, left);
  return 0;
}

/* ---- the operators ------------------------------------------------------------------------------------------------------- */

/* `out` holds the goal. */
static int until(struct ctl_operators *o, const uint64_t *f, uint64_t *out) {
  if (turn_edges(o) || backwards_until(o, f, out)) return sweep(o, f, out, 0);
  return o->late ? -1 : 0;
}

int ctl_reversible(struct ctl_operators *o) {
  uint64_t *home = o->reversible < 0 ? mem_alloc(o->mem, MEM_SEARCH, (o->words + 1) * sizeof *home) : NULL;
  if (home) {
    ctl_put(home, 0);
    if (until(o, NULL, home) == 0) o->reversible = ctl_full(o, home);
    mem_free(o->mem, home);
  }
  return o->reversible == 1;
}

int ctl_some_until(struct ctl_operators *o, const uint64_t *f, const uint64_t *g, uint64_t *out) {
  if (is_late(o)) return -1;
  if (ctl_empty(o, g)) return 0;
  if (!f && ++o->asked > 1 && ctl_reversible(o)) {
    ctl_fill(o, out);
    return 0;
  }
  memcpy(out, g, o->words * sizeof *out);
  return ctl_full(o, g) ? 0 : until(o, f, out);
}

int ctl_some_always(struct ctl_operators *o, const uint64_t *f, uint64_t *out) {
  if (is_late(o)) return -1;
  if (ctl_empty(o, f)) return 0;
  memcpy(out, f, o->words * sizeof *out);
  if (ctl_full(o, f)) return 0;
  if (turn_edges(o) || backwards_always(o, f, out)) return sweep(o, f, out, 1);
  return o->late ? -1 : 0;
}
