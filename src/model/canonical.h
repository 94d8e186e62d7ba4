/* canonical.h -- an order of things that depends on what is known about them, and not on what they are called.
 *
 * Nodes are processes, names, objects; facts are what is said about them: "the third cell of this process is 5", "this element, of the array for this name, holds that name".  Nodes that may change places are movable.  After
 * canonical_order the colours of all movable nodes differ, and two structures that are the same but for the names of their nodes get the same colours, node by node. */
#ifndef MODEL_CANONICAL_H
#define MODEL_CANONICAL_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

enum { FACT_NODES = 8 }; /* of one fact, at most */

struct canonical_fact {
  uint64_t what;
  uint32_t count, node[FACT_NODES];
};

struct canonical {
  struct mem *mem;
  struct vec(uint64_t) colour;  /* per node */
  struct vec(uint8_t) movable;
  struct vec(struct canonical_fact) facts; /* with two nodes or more */
  struct vec(uint64_t) sum, sorted, best, stack; /* scratch */
  struct vec(uint32_t) tied;
  uint64_t least; /* certificate of the best order so far */
  uint32_t movables, leaves;
  int failed; /* memory */
};

void canonical_close(struct canonical *);
static inline void canonical_clear(struct canonical *c) {
  c->colour.count = c->movable.count = c->facts.count = 0;
  c->movables = 0;
}
/* A new node; nodes of different colours are never alike. */
static inline uint32_t canonical_node(struct canonical *c, uint64_t colour, int movable) {
  if (vec_push(&c->colour, c->mem, MEM_SEARCH, colour) || vec_push(&c->movable, c->mem, MEM_SEARCH, (uint8_t)movable)) {
    c->failed = 1;
    return 0;
  }
  c->movables += movable != 0;
  return (uint32_t)c->colour.count - 1;
}
/* A fact about one node alone, or about several in this order. */
static inline void canonical_own(struct canonical *c, uint32_t node, uint64_t what) { c->colour.at[node] += hash_mix(what); }
void canonical_say(struct canonical *, uint64_t what, const uint32_t *node, uint32_t count);
/* 0 or -1 (memory). */
int canonical_order(struct canonical *);

#endif
