/* lts.h -- explicit graphs in the Aldebaran format (.aut), as a model of their own.
 *
 * A state is its number in one word, and a group is a label, of which any number of edges may
 * be: of one state and of many.  So the definition goes by edges (model.h: define_edge), and
 * fireable(a) is true where some edge with the label a leaves.  Edges are sorted by source and
 * keep the order of the file within it, so the k-th successor of a state is the k-th edge that
 * the file gives it. */
#ifndef FRONT_LTS_LTS_H
#define FRONT_LTS_LTS_H

#include "front/front.h"

extern const struct front_type front_aut;

#endif
