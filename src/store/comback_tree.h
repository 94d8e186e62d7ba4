/* comback_tree.h -- from the number of a state to its predecessor and the step between them.
 *
 * Two forms:
 *
 *   succinct  (breadth-first orders: predecessors never decrease) the row of bits of spanning.h, about two bits per state and those of the
 *             edge;
 *   table     | predecessor | edge |  one after the other, as many bits each as the largest so far needs.
 *
 * What does not fit the form (no predecessor at all: a root; a predecessor out of order) stands in a list of exceptions, ascending by number.
 * Variant 1 keeps, beside the table, an upper bound of each state's distance from a root, so that a shorter way can replace a longer one:
 * a predecessor's bound is always smaller than its successor's, so there are no cycles. */
#ifndef STORE_COMBACK_TREE_H
#define STORE_COMBACK_TREE_H

#include "base/vec.h"
#include "store/block.h"
#include "store/spanning.h"

#include <stdint.h>

#define COMBACK_NOBODY UINT64_MAX

struct comback_exception {
  uint64_t number, parent; /* COMBACK_NOBODY: a root */
  uint64_t edge;           /* or which root; with COMBACK_KNOWN_STEP, its step stands in the row of bits */
};
#define COMBACK_KNOWN_STEP ((uint64_t)1 << 63)

struct comback_tree {
  struct blocks *blocks;
  int table, depths;
  uint64_t count, roots;
  struct spanning spanning;
  struct region rows; /* table */
  unsigned parent_bits, edge_bits;
  uint64_t row_room;
  struct vec(struct comback_exception) exceptions;
  struct region depth; /* uint32_t each */
};

void comback_tree_open(struct comback_tree *, struct blocks *, int table, int depths);
void comback_tree_close(struct comback_tree *);
size_t comback_tree_bytes(const struct comback_tree *);
/* The next state. 0, or -1: no memory. */
int comback_tree_add(struct comback_tree *, uint64_t parent, uint32_t edge);
int comback_tree_add_root(struct comback_tree *, uint64_t root);
/* A root whose step is known: the tree tells the step (comback_tree_origin) and that the state is kept in full (comback_tree_back). */
int comback_tree_add_milestone(struct comback_tree *, uint64_t parent, uint32_t edge, uint64_t root);
/* The same for a state that is in the tree already, beyond all in the list. */
int comback_tree_make_root(struct comback_tree *, uint64_t number, uint64_t root);
int comback_tree_add_exception(struct comback_tree *, uint64_t parent, uint32_t edge);
/* Would the next state with this predecessor need no place in the list? */
static inline int comback_tree_in_order(const struct comback_tree *t, uint64_t parent) { return t->table || parent >= t->spanning.expanded; }
/* Where a state comes from; parent COMBACK_NOBODY: edge says which root. `exceptional`: the edge stands in the list. */
struct comback_back {
  uint64_t parent;
  uint32_t edge;
  int exceptional;
};
struct comback_back comback_tree_back(const struct comback_tree *, uint64_t number);
/* The step that led to a state, also if it is kept in full; parent COMBACK_NOBODY: it came without one. */
struct comback_back comback_tree_origin(const struct comback_tree *, uint64_t number);
/* It will be asked for: first the one, a while later the other. */
void comback_tree_expect(const struct comback_tree *, uint64_t number);
static inline void comback_tree_expect_soon(const struct comback_tree *t, uint64_t number) {
  if (!t->table) spanning_expect_soon(&t->spanning, number);
}
/* Variant 1: a bound of the steps from a root. */
static inline uint32_t comback_tree_depth(const struct comback_tree *t, uint64_t number) {
  return ((const uint32_t *)(const void *)t->depth.base)[number];
}
/* Variant 1: another way to a state is known; taken if it is shorter. */
void comback_tree_shorten(struct comback_tree *, uint64_t number, uint64_t parent, uint32_t edge);

#endif
