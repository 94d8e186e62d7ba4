/* traces.c -- see traces.h.
 *
 * Runs of a, with the set of states that b can be in after the same word (closed under hidden steps); breadth-first.  The word is none of b's when the set is empty.
 * A pair (s, larger set) has nothing to show that (s, smaller set) does not, and the smaller one was found by a run that is not longer or is worth more: only the
 * smallest sets of a state are kept (antichains: De Wulf, Doyen, Henzinger and Raskin).  Sets have names (signatures.h), and what a set becomes by each label is
 * computed once. */
#include "search/traces.h"

#include "search/signatures.h"

#define NOBODY UINT32_MAX

struct pair {
  uint32_t state, set, from, label; /* from: the pair before */
  uint32_t next;                    /* another one of the same state */
};
struct after { /* what a set becomes */
  uint32_t label, set;
};
struct set_facts {
  uint64_t after; /* where in `after` + 1; 0 = not yet */
  uint32_t count;
  int ends; /* one of its states has no successors */
};

struct inclusion {
  struct mem *mem;
  const struct graph *g;
  struct signatures sets;
  struct vec(struct set_facts) facts;
  struct vec(struct after) after;
  struct vec(struct pair) pair;
  struct numbers now, moves; /* a set in the making; (label, target) of all its states */
  uint32_t *seen, *kept;     /* per state: stamp of the last closure; its newest pair + 1 */
  uint32_t stamp;
};

static int add(struct inclusion *in, uint32_t state) {
  if (in->seen[state] == in->stamp) return 0;
  in->seen[state] = in->stamp;
  return vec_push(&in->now, in->mem, MEM_SEARCH, state);
}

/* The set of what is in `now` and hidden steps lead to from there. -1: memory. */
static int64_t close_set(struct inclusion *in) {
  int ends = 0;
  for (size_t i = 0; i < in->now.count; i++) {
    struct graph_edges e = graph_edges(in->g, in->now.at[i]);
    ends |= !graph_more(&e);
    while (graph_more(&e)) {
      uint32_t label, t = graph_next(&e, &label);
      if (label == 0 && add(in, t)) return -1;
    }
  }
  int64_t name = signatures_find(&in->sets, &in->now);
  if (name == (int64_t)in->facts.count && vec_push(&in->facts, in->mem, MEM_SEARCH, (struct set_facts){.ends = ends})) return -1;
  return name;
}

static void begin_set(struct inclusion *in) {
  in->now.count = 0;
  in->stamp++;
}

/* All that a set becomes. */
static int find_after(struct inclusion *in, uint32_t set) {
  in->moves.count = 0;
  for (uint32_t i = 0; i < in->sets.set.at[set].length; i++)
    for (struct graph_edges e = graph_edges(in->g, signatures_of(&in->sets, set)[i]); graph_more(&e);) {
      uint32_t label, t = graph_next(&e, &label);
      if (label && vec_push(&in->moves, in->mem, MEM_SEARCH, (uint64_t)label << 32 | t)) return -1;
    }
  signatures_sort(&in->moves);
  uint64_t begin = in->after.count;
  for (size_t i = 0; i < in->moves.count;) {
    uint32_t label = (uint32_t)(in->moves.at[i] >> 32);
    begin_set(in);
    for (; i < in->moves.count && in->moves.at[i] >> 32 == label; i++)
      if (add(in, (uint32_t)in->moves.at[i])) return -1;
    int64_t to = close_set(in);
    if (to < 0 || vec_push(&in->after, in->mem, MEM_SEARCH, (struct after){label, (uint32_t)to})) return -1;
  }
  in->facts.at[set].after = begin + 1;
  in->facts.at[set].count = (uint32_t)(in->after.count - begin);
  return 0;
}

/* What the set becomes by a label: a set; `empty` if nothing; -1: memory. */
static int64_t set_after(struct inclusion *in, uint32_t set, uint32_t label, uint32_t empty) {
  if (label == 0) return set;
  if (!in->facts.at[set].after && find_after(in, set)) return -1;
  const struct after *a = in->after.at + (in->facts.at[set].after - 1);
  uint32_t low = 0, high = in->facts.at[set].count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (a[middle].label < label) low = middle + 1;
    else high = middle;
  }
  return low < in->facts.at[set].count && a[low].label == label ? a[low].set : empty;
}

static int within(const struct inclusion *in, uint32_t small, uint32_t large) {
  if (small == large) return 1;
  uint32_t n = in->sets.set.at[small].length, m = in->sets.set.at[large].length;
  if (n > m) return 0;
  const uint64_t *x = signatures_of(&in->sets, small), *y = signatures_of(&in->sets, large);
  uint32_t i = 0;
  for (uint32_t k = 0; i < n && k < m && y[k] <= x[i]; k++) i += x[i] == y[k];
  return i == n;
}

/* 0, or -1: memory. */
static int meet(struct inclusion *in, uint32_t state, uint32_t set, uint32_t from, uint32_t label) {
  for (uint32_t p = in->kept[state]; p; p = in->pair.at[p - 1].next)
    if (within(in, in->pair.at[p - 1].set, set)) return 0;
  if (in->pair.count >= NOBODY - 1 || vec_push(&in->pair, in->mem, MEM_SEARCH, (struct pair){state, set, from, label, in->kept[state]})) return -1;
  in->kept[state] = (uint32_t)in->pair.count;
  return 0;
}

static int tell(const struct inclusion *in, uint32_t last, uint32_t label, struct traces_word *out, struct err *e) {
  size_t n = label != 0;
  for (uint32_t p = last; p != NOBODY; p = in->pair.at[p].from) n += in->pair.at[p].label != 0;
  out->label = mem_alloc(in->mem, MEM_OTHER, (n + 1) * sizeof *out->label);
  if (!out->label) return err_memory(e, "a word that tells two graphs apart");
  out->count = n;
  if (label) out->label[--n] = label;
  for (uint32_t p = last; p != NOBODY; p = in->pair.at[p].from)
    if (in->pair.at[p].label) out->label[--n] = in->pair.at[p].label;
  return 0;
}

static int run(struct inclusion *in, uint32_t a, uint32_t b, int language, struct traces_word *out, const struct model_patience *p, struct err *e) {
  int64_t empty, first;
  begin_set(in);
  if ((empty = close_set(in)) < 0) return -1;
  begin_set(in);
  if (add(in, b) || (first = close_set(in)) < 0 || meet(in, a, (uint32_t)first, NOBODY, 0)) return -1;
  for (uint32_t i = 0; i < in->pair.count; i++) {
    struct pair now = in->pair.at[i];
    if (i % 1024 == 0 && model_impatient(p))
      return err_limit(e, "there was no time left to compare the words of two graphs");
    struct graph_edges row = graph_edges(in->g, now.state);
    if (language && !graph_more(&row) && !in->facts.at[now.set].ends) return tell(in, i, 0, out, e);
    while (graph_more(&row)) {
      uint32_t label, t = graph_next(&row, &label);
      int64_t to = set_after(in, now.set, label, (uint32_t)empty);
      if (to < 0) return -1;
      if (!language && to == empty) return tell(in, i, label, out, e);
      if (meet(in, t, (uint32_t)to, i, label)) return -1;
    }
  }
  return 1;
}

int traces_included(const struct graph *g, uint32_t a, uint32_t b, int language, struct traces_word *out, const struct model_patience *patience, struct mem *mem,
                    struct err *e) {
  struct inclusion in = {.mem = mem, .g = g, .sets = {.mem = mem}};
  *out = (struct traces_word){0};
  in.seen = mem_alloc(mem, MEM_SEARCH, (size_t)(g->states + 1) * sizeof *in.seen);
  in.kept = mem_alloc(mem, MEM_SEARCH, (size_t)(g->states + 1) * sizeof *in.kept);
  int is = in.seen && in.kept ? run(&in, a, b, language, out, patience, e) : -1;
  if (is < 0 && !e->kind) err_memory(e, "the words of two graphs");
  signatures_close(&in.sets);
  vec_free(&in.facts, mem);
  vec_free(&in.after, mem);
  vec_free(&in.pair, mem);
  vec_free(&in.now, mem);
  vec_free(&in.moves, mem);
  mem_free(mem, in.seen);
  mem_free(mem, in.kept);
  return is;
}
