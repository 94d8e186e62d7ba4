/* never.h -- never claims, as text, to and from automata.
 *
 * Read is what translators of LTL write: labelled if and do blocks whose options are guard -> goto LABEL, break, skip or nothing;
 * atomic { guard -> assert(!guard) }; skip; false.  Guards are boolean over texts that nothing is known of here.  States whose
 * label begins with "accept" accept; a claim that comes to its end accepts from there on, as in SPIN.  Claims with statements of
 * their own belong to the Promela front end. */
#ifndef PROP_NEVER_H
#define PROP_NEVER_H

#include "prop/atoms.h"
#include "prop/automaton.h"

#include <stdio.h>

/* New atoms are added to `atoms`. The automaton has one set, on states, and is classified. */
int never_read(struct automaton **out, const char *text, size_t length, const char *what, struct atoms *, struct mem *,
               struct err *);
/* The automaton must have one set on states (automaton_degeneralise). */
void never_write(const struct automaton *, const char *name, FILE *);

#endif
