/* translate.h -- LTL formulas to automata.
 *
 *   struct automaton *bad;
 *   if (translate(&bad, fs, f, &(struct translate_setup){.negate = 1}, err)) ...     // accepts what violates f
 *
 * The result is trimmed, reduced and classified, with generalised acceptance on edges (fewest states) unless `shape` asks for
 * one set.  Atom i of the formula is bit i of a letter; more than 64 atoms or 32 untils that can recur are refused in a sentence
 * (ERR_LIMIT), and so is an automaton that outgrows the budget (ERR_MEMORY) or an interrupt (ERR_LIMIT).
 *
 * translate_bad_prefixes is for safety formulas: a finite automaton that a plain search can run beside the model.  Taking an
 * edge with accept == 1 means that what was read so far, that letter included, cannot be saved: the formula is violated.  There
 * are no other edges of accept 1, and they all lead to one last state.  It is deterministic where that needs no more than
 * `most_subsets` states; then a letter without an edge cannot happen.  */
#ifndef PROP_TRANSLATE_H
#define PROP_TRANSLATE_H

#include "prop/automaton.h"
#include "prop/formula.h"

enum translate_shape {
  SHAPE_GENERALISED, /* any number of sets, on edges */
  SHAPE_BUECHI,      /* one set, on edges */
  SHAPE_STATE,       /* one set, on states: what never claims can say */
};

struct translate_setup {
  int negate;
  enum translate_shape shape;
  int raw;               /* leave out rewriting and reduction: for tests */
  uint32_t most_subsets; /* of deterministic automata that are tried; 0 = 4096 */
  uint32_t most_terms;   /* edges of one state; 0 = 32,768 */
  const volatile int *interrupt;
};

int translate(struct automaton **out, struct formulas *, formula, const struct translate_setup *, struct err *);
/* 1 with *out if f is a safety formula by its looks, 0 if not, -1 with err. `negate`: of !f. */
int translate_bad_prefixes(struct automaton **out, struct formulas *, formula, const struct translate_setup *, struct err *);

#endif
