/* kripke.h -- the whole reachability graph, with what is true in its states: what branching formulas are decided on.
 *
 * States are numbers in order of discovery.  The edges are a condensed graph (graph.h); truths are one bit per state and atom.  Made by a listener of a breadth-first
 * search over a store that numbers its states, or of a sweep, which holds few states at a time: what it meets again after it was forgotten is then another state here, with the same truths and the same future. */
#ifndef SEARCH_KRIPKE_H
#define SEARCH_KRIPKE_H

#include "base/vec.h"
#include "model/expr.h"
#include "model/owners.h"
#include "search/affected.h"
#include "search/graph.h"
#include "search/search.h"

struct kripke {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  struct expr *const *atom;
  size_t atoms;
  const struct affected *affected; /* of the atoms; set it before the search, or leave it NULL */
  struct owners *owners;           /* for games: edges keep who owns them, in the place of a group; see kripke_own */
  struct model_cursor *cursor;     /* for atoms that need one */
  uint64_t states;
  struct graph graph;
  uint64_t expanded, done; /* states all of whose edges are there: how many; those below (all of them after a breadth-first search) */
  struct region *truth; /* per atom: a bit per state in 64-bit words, those beyond the last state are 0 */
  uint64_t *newest, *older; /* rows of 64 states: those found last, and those around the one that is expanded */
  uint64_t older_block;
  size_t row;  /* 64-bit words of a row */
  int failed; /* memory */
};

int kripke_open(struct kripke *, const struct model *, struct expr *const *atom, size_t atoms, struct mem *, struct err *);
void kripke_close(struct kripke *);
/* Before the search: edges are to keep their owners. They must outlive the graph. */
void kripke_own(struct kripke *, struct owners *);
/* After a search that did not get to the end: what is there becomes a graph in which the states from `done` on have no edges. 0, or -1: memory. */
int kripke_cut(struct kripke *);

static inline int kripke_true(const struct kripke *k, size_t atom, uint64_t state) {
  return (int)(((const uint64_t *)(const void *)k->truth[atom].base)[state / 64] >> state % 64 & 1);
}

#endif
