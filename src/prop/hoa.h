/* hoa.h -- automata in the Hanoi Omega-Automata format, version 1 (http://adl.github.io/hoaf/).
 *
 * Read are Buechi and generalised Buechi automata, with acceptance on states or edges, labels on states or edges or implicit, and
 * aliases. Anything else (Fin, disjunctions, alternation) is refused with its place.  Written is the same, labels on edges. */
#ifndef PROP_HOA_H
#define PROP_HOA_H

#include "prop/automaton.h"

#include <stdio.h>

/* `what`: the file, for messages. The automaton is classified. */
int hoa_read(struct automaton **out, const char *text, size_t length, const char *what, struct mem *, struct err *);
/* `name` may be NULL. Errors of the stream are the caller's to find. */
void hoa_write(const struct automaton *, const char *name, FILE *);

#endif
