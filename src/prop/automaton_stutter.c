/* automaton_stutter.c -- does the language of an automaton tell how often a letter is repeated?
 *
 * Formulas without `next` never do (Lamport), of automata it is not seen at once, and to decide it takes a complement.  Here is a condition on edges that is enough, and that the usual
 * translations of `p`, `[] p`, `<> p`, `[] <> p` and `[] (p -> <> q)` meet.  A word may get letters doubled or repeated ones dropped, each as often as one likes but finitely often, if
 *
 *   an edge that reads a letter can wait: the letter is read by a loop at its end or at its beginning.  Then a run on the shorter word becomes one on the longer, by waiting before or
 *   after the edge; it takes all edges that it took, and so accepts;
 *
 *   two edges in a row that read the same letter have a short cut: one edge from the beginning of the first to the end of the second.  Then a run on the longer word becomes one on
 *   the shorter.  Where the run may pass again and again, within a component, the short cut must be in all sets of both edges; between components nothing is taken twice. */
#include "prop/automaton.h"
#include "prop/cube.h"

enum { EDGES = 1000, WORK = 20000 };

static struct cube guard_of(const struct automaton_edge *e) { return (struct cube){e->care, e->want}; }

/* The guards of edges from one state to another that are in all of these sets, at most EDGES of them: the new count. */
static size_t gather(const struct automaton *a, uint32_t from, uint32_t to, uint32_t sets, struct cube *list, size_t count) {
  for (const struct automaton_edge *e = automaton_edges(a, from), *end = automaton_edges(a, from + 1); e < end && count < EDGES; e++)
    if (e->to == to && (e->accept & sets) == sets) list[count++] = guard_of(e);
  return count;
}

static int can_wait(const struct automaton *a, uint32_t from, const struct automaton_edge *e, struct cube *list) {
  uint32_t work = WORK;
  size_t count = gather(a, from, from, 0, list, 0);
  return cube_covered(guard_of(e), list, gather(a, e->to, e->to, 0, list, count), &work);
}

static int has_short_cut(const struct automaton *a, uint32_t from, const struct automaton_edge *first, const struct automaton_edge *second, struct cube *list) {
  uint32_t work = WORK, sets = a->scc[from] == a->scc[second->to] ? first->accept | second->accept : 0;
  if (!cube_meets(guard_of(first), guard_of(second))) return 1;
  return cube_covered(cube_both(guard_of(first), guard_of(second)), list, gather(a, from, second->to, sets, list, 0), &work);
}

int automaton_stutters(const struct automaton *a) {
  struct cube list[EDGES];
  if (!a->scc || a->first[a->states] > EDGES) return 0;
  for (uint32_t q = 0; q < a->states; q++)
    for (const struct automaton_edge *e = automaton_edges(a, q), *end = automaton_edges(a, q + 1); e < end; e++) {
      if (!can_wait(a, q, e, list)) return 0;
      for (const struct automaton_edge *f = automaton_edges(a, e->to), *last = automaton_edges(a, e->to + 1); f < last; f++)
        if (!has_short_cut(a, q, e, f, list)) return 0;
    }
  return 1;
}
