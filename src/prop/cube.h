/* cube.h -- conjunctions of atoms and negated atoms: the guards of edges.
 *
 * A cube is a mask of atoms it cares for and what they shall be; want is within care.  Care 0 is true. */
#ifndef PROP_CUBE_H
#define PROP_CUBE_H

#include <stddef.h>
#include <stdint.h>

struct cube {
  uint64_t care, want;
};

/* 1 if every letter of a is one of b. */
static inline int cube_within(struct cube a, struct cube b) { return (b.care & ~a.care) == 0 && (a.want & b.care) == b.want; }
/* 1 if some letter is in both. */
static inline int cube_meets(struct cube a, struct cube b) { return ((a.want ^ b.want) & a.care & b.care) == 0; }
static inline struct cube cube_both(struct cube a, struct cube b) { return (struct cube){a.care | b.care, a.want | b.want}; }
/* 1 if every letter of c is in one of the list; 0 also when the answer would take more than *work steps. */
int cube_covered(struct cube c, const struct cube *list, size_t count, uint32_t *work);
/* Merges pairs that differ in one sign and drops what is within another, until nothing changes. The new count. */
size_t cube_merge(struct cube *list, size_t count);

#endif
