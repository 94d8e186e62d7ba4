/* fairness.c -- see fairness.h.
 *
 * A finite graph G; t a label; G - t the graph without the edges of t.  t is enabled in a state that has an edge of t.  The states and edges that an infinite run has
 * again and again are strongly connected, and every strongly connected piece with an edge is what some run has again and again.  So:
 *
 *   impartial: every infinite run takes t again and again.
 *     A run that does not is in G - t from some point on, and what it then has again and again contains a cycle; a cycle of G - t, repeated, is such a run.
 *     Hence:  t is impartial  <=>  G - t has no cycle.
 *
 *   fair: a run in which t is enabled again and again takes t again and again.
 *     A run that does not is in G - t from some point on and comes back to some state s in which t is enabled: s lies on a closed walk of G - t.  Such a walk, repeated,
 *     is such a run.  A state lies on a closed walk iff its component has an edge.
 *     Hence:  t is fair  <=>  no component of G - t that has an edge contains a state in which t is enabled.
 *
 *   just: a run in which t is enabled from some state on in every state takes t at some time later.
 *     A run that does not is, from some point on, in G - t and in states in which t is enabled, and has a cycle there.
 *     Hence:  t is just  <=>  G - t, restricted to the states in which t is enabled, has no cycle.
 *
 * Each follows from the one before it: a closed walk that breaks the weaker one breaks the stronger one.  All closed walks lie within components of G, so states of
 * components without an edge, and edges from one component to another, are never looked at (such an edge still enables t).
 *
 * All three questions are one walk: depth-first in G - t within components, over the states that are admitted, keeping those that are found to be on a closed walk
 * together (Couvreur's roots: an edge to an open state melts all roots above it into one), each with the mark whether one of its states counts.  The first
 * time that a piece with an edge counts, the answer is no:
 *
 *                 begins in             admits              counts
 *   impartial     any state             any state           any state
 *   fair          states with t         any state           states with t
 *   just          states with t         states with t       any state
 *
 * What a first pass tells saves most of them: where a component has an edge but none of t, t is not impartial; where t is enabled in a component and no edge of t
 * stays inside, it is not fair.  A walk that is answered no ends early; one that is answered yes visits each edge inside the components once.  So the time is at most
 * three passes for each label, over nothing but what lies on cycles.  Numbers of the walks go on from one to the next, so that nothing has to be cleared.
 *
 * Measured (doc/state-space-report.md). */
#include "search/fairness.h"


struct frame {
  uint32_t state;
  uint64_t edge; /* where in its row the next one to be looked at is; 0 = the first */
};

struct root {
  uint32_t number;
  int counts;
};

struct walk {
  const struct graph *g;
  const struct components *c;
  const struct model_patience *patience;
  uint32_t *member, members; /* states of components that have an edge, side by side by component */
  uint32_t *number;          /* per state: below `begin` it is new, `begin` is done, above it is open */
  uint32_t begin, next;
  uint32_t *open; /* states that are open, by number */
  struct frame *stack;
  struct root *root;
  uint32_t opened, depth, roots;
  uint32_t visits; /* since the clock was asked */
  int over;        /* patience */
};

enum question { IS_IMPARTIAL, IS_FAIR, IS_JUST };
enum { VISITS = 16384 };

static int enabled(const struct walk *w, uint32_t state, uint32_t label) {
  for (struct graph_edges e = graph_edges(w->g, state); graph_more(&e);) {
    uint32_t group;
    graph_next(&e, &group);
    if (group == label) return 1;
  }
  return 0;
}

/* ---- one walk ---------------------------------------------------------------------------------------------------------------- */

static void begin_walk(struct walk *w) {
  if (w->next > UINT32_MAX - w->members - 2) {
    for (uint32_t i = 0; i < w->members; i++) w->number[w->member[i]] = 0;
    w->next = 1;
  }
  w->begin = w->next++;
}

static int impatient(struct walk *w) {
  const struct model_patience *p = w->patience;
  if (!p || ++w->visits < VISITS) return 0;
  w->visits = 0;
  return w->over = model_impatient(p);
}

static void enter(struct walk *w, uint32_t state, int counts) {
  w->number[state] = w->next;
  w->open[w->opened++] = state;
  w->root[w->roots++] = (struct root){w->next++, counts};
  w->stack[w->depth++] = (struct frame){state, 0};
}

/* An edge leads back to an open state: all since then is one piece. Does it count? */
static int melt(struct walk *w, uint32_t number) {
  int counts = w->root[w->roots - 1].counts;
  for (; w->root[w->roots - 1].number > number; w->roots--) counts |= w->root[w->roots - 2].counts;
  w->root[w->roots - 1].counts = counts;
  return counts;
}

/* No edges of the state are left: if it is the root of its piece, that is done. */
static void leave(struct walk *w, uint32_t state) {
  uint32_t member;
  w->depth--;
  if (w->root[w->roots - 1].number != w->number[state]) return;
  w->roots--;
  do w->number[member = w->open[--w->opened]] = w->begin;
  while (member != state);
}

/* Goes along the edges of the topmost state that are left. ENTERS: one leads to a new state that is admitted; COUNTS: a piece with an edge counts; LEAVES: none is left. */
enum went { ENTERS, COUNTS, LEAVES };
static enum went go_along(struct walk *w, uint32_t label, enum question q, uint32_t *target) {
  struct frame *top = &w->stack[w->depth - 1];
  struct graph_edges row = graph_edges_from(w->g, top->state, top->edge);
  uint32_t group, home = w->c->of[top->state];
  while (graph_more(&row)) {
    uint32_t t = *target = graph_next(&row, &group);
    if (group == label || w->number[t] == w->begin || w->c->of[t] != home) continue;
    if (w->number[t] > w->begin) {
      if (melt(w, w->number[t])) return COUNTS;
    } else if (q != IS_JUST || enabled(w, t, label)) {
      top->edge = row.at;
      return ENTERS;
    }
  }
  return LEAVES;
}

/* Everything that can be reached from one state. 1: a piece with an edge counts. */
static int walk_from(struct walk *w, uint32_t label, enum question q, uint32_t first) {
  w->depth = w->roots = w->opened = 0;
  for (enter(w, first, 1); w->depth && !impatient(w);) {
    uint32_t t;
    switch (go_along(w, label, q, &t)) {
    case ENTERS: enter(w, t, q != IS_FAIR || enabled(w, t, label)); break;
    case COUNTS: return 1;
    case LEAVES: leave(w, w->stack[w->depth - 1].state); break;
    }
  }
  return 0;
}

static int answer(struct walk *w, uint32_t label, enum question q) {
  begin_walk(w);
  for (uint32_t i = 0; i < w->members && !w->over; i++) {
    uint32_t s = w->member[i];
    if (w->number[s] >= w->begin || (q != IS_IMPARTIAL && !enabled(w, s, label))) continue;
    if (walk_from(w, label, q, s)) return 0;
  }
  return 1;
}

/* ---- all labels -------------------------------------------------------------------------------------------------------------- */

/* In how many components that have an edge a label is enabled, and in how many it stays inside. */
struct label {
  uint32_t enabled, inside, last_enabled, last_inside; /* last: which component counted last, + 1 */
};

static void count_labels(struct walk *w, struct label *label) {
  for (uint32_t i = 0; i < w->members; i++) {
    uint32_t s = w->member[i], home = w->c->of[s];
    for (struct graph_edges e = graph_edges(w->g, s); graph_more(&e);) {
      uint32_t group, t = graph_next(&e, &group);
      struct label *l = &label[group];
      if (l->last_enabled != home + 1) l->last_enabled = home + 1, l->enabled++;
      if (w->c->of[t] == home && l->last_inside != home + 1) l->last_inside = home + 1, l->inside++;
    }
  }
}

static uint8_t judge(struct walk *w, uint32_t label, const struct label *l, uint32_t cyclic) {
  enum fairness is = FAIRNESS_NONE;
  if (!l->enabled) return cyclic ? FAIRNESS_FAIR : FAIRNESS_IMPARTIAL;
  if (l->inside == cyclic && answer(w, label, IS_IMPARTIAL)) is = FAIRNESS_IMPARTIAL;
  else if (l->inside == l->enabled && answer(w, label, IS_FAIR)) is = FAIRNESS_FAIR;
  else if (answer(w, label, IS_JUST)) is = FAIRNESS_JUST;
  return w->over ? FAIRNESS_UNKNOWN : (uint8_t)is;
}

/* States of components that have an edge, by component. */
static int find_members(struct walk *w, struct mem *mem) {
  const struct components *c = w->c;
  uint32_t *start = mem_alloc(mem, MEM_SEARCH, ((size_t)c->count + 2) * sizeof *start);
  if (!start) return -1;
  for (uint64_t s = 0; s < w->g->states; s++) start[c->of[s] + 1] += c->cyclic[c->of[s]];
  for (uint32_t i = 0; i < c->count; i++) start[i + 1] += start[i];
  w->members = start[c->count];
  w->member = mem_alloc(mem, MEM_SEARCH, ((size_t)w->members + 1) * sizeof *w->member);
  for (uint64_t s = 0; w->member && s < w->g->states; s++)
    if (c->cyclic[c->of[s]]) w->member[start[c->of[s]]++] = (uint32_t)s;
  mem_free(mem, start);
  return w->member ? 0 : -1;
}

int fairness_find(uint8_t *of, uint32_t labels, const struct graph *g, const struct components *c, const struct model_patience *patience, struct mem *mem, struct err *e) {
  struct walk w = {.g = g, .c = c, .patience = patience, .next = 1};
  struct label *label = mem_alloc(mem, MEM_SEARCH, ((size_t)labels + 1) * sizeof *label);
  int bad = !label || find_members(&w, mem);
  if (!bad) {
    size_t n = (size_t)w.members + 2;
    w.number = mem_alloc(mem, MEM_SEARCH, (size_t)(g->states + 1) * sizeof *w.number);
    w.open = mem_alloc(mem, MEM_SEARCH, n * sizeof *w.open);
    w.stack = mem_alloc(mem, MEM_SEARCH, n * sizeof *w.stack);
    w.root = mem_alloc(mem, MEM_SEARCH, n * sizeof *w.root);
    bad = !w.number || !w.open || !w.stack || !w.root;
  }
  uint32_t cyclic = 0;
  for (uint32_t i = 0; i < c->count; i++) cyclic += c->cyclic[i];
  if (!bad) count_labels(&w, label);
  for (uint32_t l = 0; !bad && l < labels; l++) of[l] = judge(&w, l, &label[l], cyclic);
  void *const all[] = {label, w.member, w.number, w.open, w.stack, w.root};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(mem, all[i]);
  return bad ? err_memory(e, "the fairness of transitions") : 0;
}
