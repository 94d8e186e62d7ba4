/* kripke.h -- the whole reachability graph, with what is true in its states: what branching formulas are decided on.
 *
 * States are numbers in order of discovery.  The edges of state s are target[first[s] .. first[s + 1]); truths are one bit per state and atom.  Made by a listener
 * of a breadth-first search over a store that numbers its states; 4 bytes per edge, 8 per state. */
#ifndef SEARCH_KRIPKE_H
#define SEARCH_KRIPKE_H

#include "base/vec.h"
#include "model/expr.h"
#include "search/search.h"

struct kripke {
  struct listener listener;
  struct mem *mem;
  const struct model *model;
  struct expr *const *atom;
  size_t atoms;
  struct model_cursor *cursor; /* for atoms that need one */
  uint64_t states;
  struct region first, target; /* uint64_t[states + 1], uint32_t[] */
  uint64_t edges;
  uint64_t expanded; /* states whose edges are there */
  struct region *truth; /* per atom */
  int failed; /* memory */
};

int kripke_open(struct kripke *, const struct model *, struct expr *const *atom, size_t atoms, struct mem *, struct err *);
void kripke_close(struct kripke *);

static inline const uint64_t *kripke_first(const struct kripke *k) { return (const uint64_t *)(const void *)k->first.base; }
static inline const uint32_t *kripke_target(const struct kripke *k) { return (const uint32_t *)(const void *)k->target.base; }
static inline int kripke_true(const struct kripke *k, size_t atom, uint64_t state) { return k->truth[atom].base[state / 8] >> state % 8 & 1; }

#endif
