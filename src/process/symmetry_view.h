/* symmetry_view.h -- where in the image of a state names lie, and what belongs to a name: lists of cells, scope by scope, made once for a program.
 *
 * A sight is a cell.  `what` is the same for cells that take each other's place when names are exchanged; the dimensions on the way to it that are indexed by names are listed.  The sights of a scope that hold names, or lie in
 * an array indexed by them, come first: they matter even where the process is one of a kind. */
#ifndef PROCESS_SYMMETRY_VIEW_H
#define PROCESS_SYMMETRY_VIEW_H

#include "process/symmetry_sorts.h"

struct sight_dim {
  uint32_t sort, name, stride;
};
struct sight {
  uint32_t cell; /* within the scope, or the object */
  uint32_t decl; /* 0 = of an object */
  struct symmetry_holds holds;
  uint64_t what;
  uint32_t dim, dims; /* view.dims[dim ..] */
};
struct sight_chan { /* a channel */
  uint32_t cell, capacity, fields;
  const struct symmetry_holds *holds; /* per field */
  uint64_t what;
  uint32_t dim, dims;
  uint8_t relevant; /* names in its messages, or it is an element for a name */
};

struct view {
  const struct symmetry_sorts *s;
  struct vec(struct sight_dim) dims;
  struct vec(struct sight) sights;
  uint32_t *first, *plain; /* per root: scopes, then types on the heap: sights[first .. plain) hold names or belong to some, [plain .. first of the next) do not */
  uint32_t *last;          /* per root: the end */
  struct sight_chan *chan; /* as shape.chan */
  uint8_t *some_chan;      /* per scope: one of its channels is relevant */
  uint32_t *end_state;     /* per process type: the first state in which it has come to its end; UINT32_MAX = it has none */
};

static inline uint32_t view_heap_root(const struct view *v, uint32_t type) { return (uint32_t)v->s->p->procs.count + 1 + type; }
int view_open(struct view *, const struct symmetry_sorts *); /* 0 or -1 (memory) */
void view_close(struct view *);

#endif
