/* temporal.h -- a temporal property of a model: what was written, and the automaton of the runs that break it.
 *
 * The atoms are state expressions over the model's names (expr.h), and two labels: np_ (no process is in a progress state) and accept_ (some process is in
 * an accepting one).
 *
 * How a search may decide it:
 *
 *   safety  a run that breaks it has broken it after finitely many steps: reaching a state in which the automaton has seen enough is all
 *   weak    on a cycle of the automaton all edges accept, or none (emptiness.h: weak)
 *   strong  everything else
 *
 * or it is an observer: a deterministic automaton of the runs that are as they should be (search/observer.h). */
#ifndef PROP_TEMPORAL_H
#define PROP_TEMPORAL_H

#include "prop/atoms.h"
#include "prop/automaton.h"
#include "prop/formula.h"
#include "prop/product.h"

enum temporal_method { TEMPORAL_SAFETY, TEMPORAL_WEAK, TEMPORAL_STRONG, TEMPORAL_OBSERVER };
const char *temporal_method_name(enum temporal_method); /* "safety", "weak", "strong", "observer" */

struct temporal {
  struct mem *mem;
  char *text;
  struct formulas *formulas; /* NULL: it was given as an automaton */
  formula formula;
  struct automaton *bad; /* accepts the runs that break it; TEMPORAL_OBSERVER: those that do not, and is as it stands in the file */
  enum temporal_method method;
  int stutters;    /* how often a letter is repeated makes no difference */
  int cycles_only; /* a run that ends breaks nothing */
  struct atoms names;
  struct expr *expr[FORMULA_ATOMS]; /* NULL where the atom is a label */
  struct product_atom atom[FORMULA_ATOMS];
};

struct temporal_source {
  const char *text;
  const char *what; /* option or file, for messages */
  long line, column; /* of its first character there; 0 = 1 */
  enum formula_grouping grouping;
};

/* An atom's own error, shown where the atom stands in the formula: it begins with that character, counted from 1. */
void temporal_place_error(const struct temporal_source *, const struct model *, size_t column, struct err *);

int temporal_open(struct temporal **out, const struct temporal_source *, const struct model *, struct mem *, const volatile int *interrupt, struct err *);
/* One of the model's claims that is an automaton. */
int temporal_open_claim(struct temporal **out, const struct model *, uint32_t claim, struct mem *, struct err *);
/* No run passes states with no progress label only, from some moment on. */
int temporal_open_progress(struct temporal **out, const struct model *, struct mem *, struct err *);
/* No run passes states with an accepting label again and again. */
int temporal_open_acceptance(struct temporal **out, const struct model *, struct mem *, struct err *);
/* An automaton in a file (temporal_file.c): source->text is what stands in it, `what` its name. */
int temporal_open_file(struct temporal **out, const struct temporal_source *, size_t length, const struct model *, struct mem *, struct err *);
/* Likewise, but it is deterministic (or refused) and accepts the runs that do not break the property. */
int temporal_open_observer(struct temporal **out, const struct temporal_source *, size_t length, const struct model *, struct mem *, struct err *);
void temporal_close(struct temporal *); /* NULL is fine */

/* For those that make one: an empty property, to be closed in any case; the atom with that index, whose text is in `names`; how a search may decide what is in `bad`. */
int temporal_begin(struct temporal **out, const char *text, struct mem *, struct err *);
int temporal_read_atom(struct temporal *, uint32_t index, const struct model *, const char *what, struct err *);
void temporal_set_method(struct temporal *);

/* What a product needs. */
struct product_setup temporal_product(const struct temporal *, struct model *, int fair);
/* Does this run break it, by the semantics of the formula and not by the automaton? Letters of `count` states, those from `loop` on for ever;
   with loop == count the last state for ever. 1, 0, or -1: memory. */
int temporal_broken(const struct temporal *, const uint64_t *letter, size_t count, size_t loop);

/* Is the formula true of that run (formula_lasso.c)? */
int formula_on_lasso(const struct formulas *, formula, const uint64_t *letter, size_t count, size_t loop, struct mem *);
/* Can it still be true of a run that begins with these letters? 0: for sure not; 1; -1: memory. */
int formula_on_beginning(struct formulas *, formula, const uint64_t *letter, size_t count, struct mem *);

#endif
