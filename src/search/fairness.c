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
 * Graphs may have as many labels as edges, and then even a short walk for each is too much:
 *
 *   impartial     a cycle that was found without t shows as much for all labels that are not on it: only labels on all cycles found so far are asked about.  Where
 *                 the components are simple cycles, there are no others.
 *   fair          every state of a component leads to one in which t is enabled, by edges of other labels: the first one on the way.  So if each state of a component
 *                 in which t is enabled can be left inside by another label, some of them lie on a closed walk without t, and t is not fair; if none can, none does.
 *   just          begins only where t is enabled, which is known for all labels in as much memory as edges take.
 *
 * Measured (doc/state-space-report.md). */
#include "search/fairness.h"

#include <string.h>

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
  uint32_t *start, *at; /* label l is enabled in the states at[start[l]] .. at[start[l + 1] - 1], of the members, in their order */
  uint32_t *on;         /* per label: how many of the cycles that were found it is on, as long as these are all of them */
  uint32_t cycles;
  uint64_t inside;      /* edges that stay in their component */
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

/* Some label other than `label` on an edge from one state to another. */
static uint32_t label_between(const struct walk *w, uint32_t from, uint32_t to, uint32_t label) {
  uint32_t group = label;
  for (struct graph_edges e = graph_edges(w->g, from); graph_more(&e);)
    if (graph_next(&e, &group) == to && group != label) break;
  return group;
}

/* The first cycle of a walk, from the state that the last edge leads back to, which is on the stack: nothing has melted before. */
static void note_cycle(struct walk *w, uint32_t label, uint32_t back) {
  uint32_t to = back, i = w->depth;
  do {
    uint32_t *on = &w->on[label_between(w, w->stack[--i].state, to, label)];
    if (*on == w->cycles) ++*on;
    to = w->stack[i].state;
  } while (to != back);
  w->cycles++;
}

/* Everything that can be reached from one state. 1: a piece with an edge counts. */
static int walk_from(struct walk *w, uint32_t label, enum question q, uint32_t first) {
  w->depth = w->roots = w->opened = 0;
  for (enter(w, first, 1); w->depth && !impatient(w);) {
    uint32_t t;
    switch (go_along(w, label, q, &t)) {
    case ENTERS: enter(w, t, q != IS_FAIR || enabled(w, t, label)); break;
    case COUNTS:
      if (q == IS_IMPARTIAL) note_cycle(w, label, t);
      return 1;
    case LEAVES: leave(w, w->stack[w->depth - 1].state); break;
    }
  }
  return 0;
}

static int answer(struct walk *w, uint32_t label, enum question q) {
  const int all = q == IS_IMPARTIAL;
  const uint32_t *begin = all ? w->member : w->at + w->start[label], *end = all ? w->member + w->members : w->at + w->start[label + 1];
  begin_walk(w);
  for (; begin < end && !w->over; begin++)
    if (w->number[*begin] < w->begin && walk_from(w, label, q, *begin)) return 0;
  return 1;
}

/* Can the state be left by another label, inside of its component? */
static int leaves_inside(const struct walk *w, uint32_t state, uint32_t label) {
  for (struct graph_edges e = graph_edges(w->g, state); graph_more(&e);) {
    uint32_t group, t = graph_next(&e, &group);
    if (group != label && w->c->of[t] == w->c->of[state]) return 1;
  }
  return 0;
}

static int is_fair(struct walk *w, uint32_t label) {
  int open = 0; /* a component of which this does not tell */
  for (uint32_t i = w->start[label], end = w->start[label + 1]; i < end;) {
    uint32_t home = w->c->of[w->at[i]], some = 0, all = 1;
    for (; i < end && w->c->of[w->at[i]] == home; i++)
      if (leaves_inside(w, w->at[i], label)) some = 1;
      else all = 0;
    if (some && all) return 0;
    open |= (int)some;
  }
  return !open || answer(w, label, IS_FAIR);
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
      w->inside += w->c->of[t] == home;
      if (l->last_enabled != home + 1) l->last_enabled = home + 1, l->enabled++;
      if (w->c->of[t] == home && l->last_inside != home + 1) l->last_inside = home + 1, l->inside++;
    }
  }
}

static uint8_t judge(struct walk *w, uint32_t label, const struct label *l, uint32_t cyclic) {
  enum fairness is = FAIRNESS_NONE;
  if (!l->enabled) return cyclic ? FAIRNESS_FAIR : FAIRNESS_IMPARTIAL;
  int simple = w->inside == w->members; /* then each component is one cycle */
  if (l->inside == cyclic && (simple || (w->on[label] == w->cycles && answer(w, label, IS_IMPARTIAL)))) is = FAIRNESS_IMPARTIAL;
  else if (l->inside == l->enabled && is_fair(w, label)) is = FAIRNESS_FAIR;
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

/* Where labels are enabled. `on` remembers the last state that counted, as its number + 1. */
static int find_enabled(struct walk *w, uint32_t labels, struct mem *mem) {
  w->start = mem_alloc(mem, MEM_SEARCH, ((size_t)labels + 2) * sizeof *w->start);
  w->on = mem_alloc(mem, MEM_SEARCH, ((size_t)labels + 1) * sizeof *w->on);
  for (int put = 0; w->start && w->on && put < 2; put++) {
    for (uint32_t i = 0; i < w->members; i++)
      for (struct graph_edges e = graph_edges(w->g, w->member[i]); graph_more(&e);) {
        uint32_t group;
        graph_next(&e, &group);
        if (w->on[group] == i + 1) continue;
        w->on[group] = i + 1;
        if (put) w->at[w->start[group + 1]++] = w->member[i];
        else w->start[group + 2]++;
      }
    for (uint32_t l = 0; !put && l < labels; l++) w->start[l + 2] += w->start[l + 1];
    memset(w->on, 0, (size_t)labels * sizeof *w->on);
    if (!put && !(w->at = mem_alloc(mem, MEM_SEARCH, ((size_t)w->start[labels + 1] + 1) * sizeof *w->at))) return -1;
  }
  return w->start && w->on ? 0 : -1;
}

int fairness_find(uint8_t *of, uint32_t labels, const struct graph *g, const struct components *c, const struct model_patience *patience, struct mem *mem, struct err *e) {
  struct walk w = {.g = g, .c = c, .patience = patience, .next = 1};
  struct label *label = mem_alloc(mem, MEM_SEARCH, ((size_t)labels + 1) * sizeof *label);
  int bad = !label || find_members(&w, mem) || find_enabled(&w, labels, mem);
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
  void *const all[] = {label, w.member, w.number, w.open, w.stack, w.root, w.start, w.at, w.on};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(mem, all[i]);
  return bad ? err_memory(e, "the fairness of transitions") : 0;
}
