/* symmetry_leaves.h -- the variables of a program as leaves of their types, whatever element of an array they are in.
 *
 * A root is a declaration, or a type of which there are objects on the heap.  Below a root there are leaves (scalars) and dimensions (arrays), both numbered through the whole program.  A cell is a leaf and one index for each
 * dimension on the way to it: `typedef R { byte x; bool seen[3] }; R r[2]` has two leaves (x, seen) and two dimensions, and r[1].seen[2] is leaf `seen` at 1, 2. */
#ifndef PROCESS_SYMMETRY_LEAVES_H
#define PROCESS_SYMMETRY_LEAVES_H

#include "process/program.h"

enum { LEAF_DIMS = 6 }; /* dimensions on the way to a cell, at most */

struct leaves {
  const struct program *p;
  uint32_t *below, *dims_below; /* per type: leaves and dimensions in one element of it */
  uint32_t *first, *dim_first;  /* per root */
  uint32_t count, dims;
};

struct leaf_path {
  uint32_t leaf, type; /* the scalar */
  uint32_t dims;
  struct leaf_dim {
    uint32_t dim, index, stride, bound;
  } at[LEAF_DIMS];
};

static inline uint32_t leaves_heap_root(const struct leaves *l, uint32_t type) { return (uint32_t)l->p->decls.count + type; }
/* 0; 1: arrays are nested too deep; -1: memory. */
int leaves_open(struct leaves *, const struct program *, struct mem *);
void leaves_close(struct leaves *, struct mem *);
/* The way to the cell at `offset` of a root. */
void leaves_path(const struct leaves *, uint32_t root, uint32_t offset, struct leaf_path *);

#endif
