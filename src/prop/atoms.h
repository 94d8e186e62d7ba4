/* atoms.h -- atoms that are only texts: a list without doubles, for automata on their own.
 *
 * atoms_add fits struct formula_reader: .atom = atoms_add, .context = the list. */
#ifndef PROP_ATOMS_H
#define PROP_ATOMS_H

#include "prop/formula.h"

struct atoms {
  struct mem *mem;
  char *text[FORMULA_ATOMS];
  uint32_t count;
};

void atoms_open(struct atoms *, struct mem *);
void atoms_close(struct atoms *);
int atoms_add(void *atoms, const char *text, size_t length, size_t column, struct err *);
const char *atoms_text(void *atoms, uint32_t index); /* fits formula_print */

#endif
