/* product.h -- a model and an automaton that watches it, as one model.
 *
 * A state of the product is a state s of the model and a state q of the automaton, which has not yet read s.  A step reads the letter
 * of s (which atoms are true there), takes an edge of q that is open for it, and a step of the model; a state in which the model has no
 * step is left by a step that changes nothing (stuttering), so that every run goes on for ever.  Where no edge is open the
 * product ends: the automaton does not accept what it has seen; only the first state can be such an end, unless `dead_ends` are wanted.
 *
 *   | words of the model: its bits, then the bits of q, not straddling a word |
 *
 * Edges of the product are pairs of an edge of the model and an open edge of the automaton, in that order, less those to states whose letter the automaton has no edge
 * for (product.c: they would be ends).  The group of an edge is the model's; stuttering has one of its own, the last.
 *
 * Acceptance is on edges (model.h: marks): the automaton's sets, and behind them one set for each fair process: an edge is in it
 * if that process moves or cannot move.
 *
 * With `collect` a state also counts the sets that were met since the beginning, in their order: behind q there are the bits of that number.
 * A way from a state with number 0 to the same state with all sets met is an accepting loop: what counterexamples are made of.
 *
 * Search and stores need know nothing of this.  People do not see it: names and values are the model's, and paths are led back to it. */
#ifndef PROP_PRODUCT_H
#define PROP_PRODUCT_H

#include "model/expr.h"
#include "model/model.h"
#include "prop/automaton.h"

/* What an automaton reads: bit i of a letter is atom i. */
struct product_atom {
  const struct expr *expr; /* NULL: a label */
  unsigned label;          /* MODEL_PROGRESS, MODEL_ACCEPT */
  int negated;             /* true where the label is not */
};

struct product_setup {
  struct model *model;
  const struct automaton *automaton; /* both must outlive the product */
  const struct product_atom *atom;
  size_t atoms;
  int fair; /* weak fairness: see model.h, movers */
  int collect;
  int ends; /* runs that end are not asked about: no stuttering */
  int dead_ends; /* states whose letter the automaton has no edge for are made, too: they are what is looked for */
};

int product_open(struct model **out, const struct product_setup *, struct mem *, struct err *);
/* The state of the automaton; automaton->states before it has read anything. */
uint32_t product_watcher(const struct model *, const uint32_t *state);
/* 1 if both have the same state of model and automaton, whatever was collected. `a` belongs to a product without, `b` to one with `collect`, of the same parts. */
int product_returned(const struct model *without, const uint32_t *a, const struct model *with, const uint32_t *b);
unsigned product_collected(const struct model *, const uint32_t *state); /* sets that were met */
/* Runs begin in another state than the model's first one: the state of the model and of the automaton in `state`, which belongs to `of`. */
int product_start(struct model *, const struct model *of, const uint32_t *state);
/* A state that outlives layouts and products: the model's part in its portable form. product_put_back needs a product of the same parts. 0, or -1: memory, or the model's
   layout has become too narrow for it (which it does not, within a run). */
struct product_state {
  uint8_t *packed;
  size_t length;
  uint32_t watcher;
};
int product_keep(struct product_state *out, const struct model *, const uint32_t *state, struct mem *);
int product_put_back(const struct model *, const struct product_state *, uint32_t *state);
void product_forget(struct product_state *, struct mem *);
/* The model's edge behind edge k of a state; UINT32_MAX: stuttering. *open: the edge of the automaton. 0, or -1. */
int product_edge(struct model_cursor *, const uint32_t *state, uint32_t k, uint32_t *edge, uint32_t *group, const struct automaton_edge **open);
uint64_t product_letter(const struct product_setup *, struct model_cursor *of_the_model, const uint32_t *state);

#endif
