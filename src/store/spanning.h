/* spanning.h -- the breadth-first tree in two bits per state, and the edges along it in a few more.
 *
 * In breadth-first numbering the predecessors of states 0, 1, 2, ... never decrease: the tree
 * is a row of bits, a 0 for each new state and a 1 each time that a state has been expanded.
 * The predecessor of state n is the number of ones before the n-th zero of those after the
 * initial state.  Every 512th state has its position noted, so that the search for the n-th zero
 * scans at most some hundred bits (the unary child counts of succinct ComBack).
 *
 * The edge by which a state was found is its index among the successors of its predecessor: 64 of them at a time are
 * packed into as many bits each as the largest needs.  So a path is known by edges alone, whatever the store keeps of states. */
#ifndef STORE_SPANNING_H
#define STORE_SPANNING_H

#include "base/mem.h"

#include <stdint.h>

enum { SPANNING_BLOCK = 64 };

struct spanning {
  struct region bits;    /* 0 = state found, 1 = state expanded */
  struct region samples; /* struct spanning_sample, one per SPANNING_STEP states */
  struct region edges;   /* blocks of SPANNING_BLOCK edges: w words of 64 bits for edges of w bits */
  uint64_t length, states, expanded, edge_words;
  int fast; /* the processor counts bits */
  uint32_t last[SPANNING_BLOCK]; /* edges of the block that is not full yet */
};

void spanning_open(struct spanning *, struct mem *, enum mem_tag);
/* Both return 0, or -1 when memory ends. */
int spanning_found(struct spanning *, uint32_t edge);              /* a new state, found while the present one is expanded */
int spanning_expanded(struct spanning *);                          /* the present state is done; on to the next number */
/* Room for so many new states and expansions: then neither of the two fails, and the next two are the same. 0 or -1. */
int spanning_reserve(struct spanning *, size_t found, size_t expanded);
void spanning_begin_block(struct spanning *);
static inline void spanning_add_found(struct spanning *s, uint32_t edge) {
  if (s->states % SPANNING_BLOCK == 0) spanning_begin_block(s);
  s->last[s->states++ % SPANNING_BLOCK] = edge;
  s->length++; /* fresh bits are zero */
}
static inline void spanning_add_expanded(struct spanning *s) {
  ((uint64_t *)(void *)s->bits.base)[s->length / 64] |= (uint64_t)1 << s->length % 64;
  s->length++;
  s->expanded++;
}
uint64_t spanning_parent(const struct spanning *, uint64_t state); /* state > 0 */
uint32_t spanning_edge(const struct spanning *, uint64_t state);
/* The predecessor and edge of a state will be asked for: first the one, a while later the other. */
void spanning_expect(const struct spanning *, uint64_t state);
void spanning_expect_soon(const struct spanning *, uint64_t state);
uint64_t spanning_depth(const struct spanning *, uint64_t state); /* steps from the initial state */
size_t spanning_bytes(const struct spanning *);
void spanning_retag(struct spanning *, enum mem_tag); /* it has another owner now */
void spanning_close(struct spanning *);

#endif
