/* lts.h -- explicit graphs in the Aldebaran format (.aut), as a model of their own.
 *
 * A state is its number in one word.  Every edge of the file is a group of its own, because a
 * group must lead to one state; its name is the edge's label.  Several edges may share a
 * label, and then:
 *
 *   find_group("a")   is the first edge with the label a, in the order of groups;
 *   fireable(s, g)    is true when some edge with the label of g leaves s, so that
 *                     `fireable(a)` in a formula asks what a reader expects: can an a happen?
 *
 * Every successor's group is fireable; the converse holds only where labels are unique.
 * Edges are sorted by source and keep the order of the file within it, so the k-th successor
 * of a state is the k-th edge that the file gives it. */
#ifndef FRONT_LTS_LTS_H
#define FRONT_LTS_LTS_H

#include "front/front.h"

extern const struct front_type front_aut;

#endif
