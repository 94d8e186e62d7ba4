/* references.h -- references of the net that change: which of them a text reads and changes.
 *
 * A reference of the net is a cell that a declaration has made and given a name (globref r = e, val r = ref e; other names of the same cell count as that one).  A text can only come to it by a name that stands in it, or in a function
 * that it uses.  So a text reads a reference if it says !r, or does anything else with r than r := e; it changes it if it says r := e, or if it does something else with r and there is an assignment somewhere in it whose reference is not named.
 *
 * Those that change and are read are part of the state of a net (colour/net_references.c).  Each of them has two variables of the net that nobody has declared, for the value before a step and the one after it.  Where a text speaks of such a
 * reference, its code begins by giving it the value of the variable, in the machine that runs (machine.h: reference); the text is a function of its variables again, of which these are now some. */
#ifndef ML_REFERENCES_H
#define ML_REFERENCES_H

#include "ml/ml.h"

enum { ML_REFERENCES = 64 };

struct ml_touch { /* bits by number of the reference */
  uint64_t reads, changes;
  int nameless; /* it may change a reference that has no name: in a list, in a tuple */
  unsigned arrays; /* of the net, any of them: ML_READS_ARRAYS, ML_CHANGES_ARRAYS */
};

/* When all is declared and checked, and again when more was: numbers the references, which keep their numbers. 0 or -1. */
int ml_references_find(struct ml *, struct err *);
uint32_t ml_references(const struct ml *);
const struct ml_global *ml_reference(const struct ml *, uint32_t number); /* its first name */
struct ml_type *ml_reference_type(const struct ml *, uint32_t number);    /* of what it holds */
ml_value ml_reference_value(const struct ml *, uint32_t number);          /* as declared */
struct ml_touch ml_touches(const struct ml *, const struct ml_expr *);

/* From now on each run has a value of its own for these references, which must be given before it is read; inscriptions that were compiled before must not speak of them. */
void ml_references_change(struct ml *, uint64_t which);
/* It is part of the state, with two variables more: texts that are compiled from now on read the value of the first. 0 or -1 (err). */
int ml_reference_keep(struct ml *, uint32_t number, const struct ml_colset *, struct err *);
/* The variable as an expression: after = 0 or 1. NULL: memory. */
const struct ml_expr *ml_reference_variable(struct ml *, uint32_t number, int after);
/* The reference whose value before a step this variable is; -1: it is another variable. */
int ml_reference_of(const struct ml *, uint32_t variable);
/* (e, !r, !s, ...): what an action gives, and the values that it leaves in references, by number. NULL: memory. */
const struct ml_expr *ml_reference_results(struct ml *, const struct ml_expr *, uint64_t changes);

#endif
