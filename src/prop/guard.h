/* guard.h -- a boolean formula as a disjunction of cubes: guards of automata that come from outside. */
#ifndef PROP_GUARD_H
#define PROP_GUARD_H

#include "prop/cube.h"
#include "prop/formula.h"

enum { GUARD_CUBES = 4096 }; /* more are refused */

struct cubes {
  struct cube *at;
  size_t count, room;
};

/* Adds the cubes of f (boolean, atoms below 64); -1 with err. The list is the caller's, from fs->mem. */
int guard_cubes(struct cubes *out, struct formulas *fs, formula f, struct err *);

#endif
