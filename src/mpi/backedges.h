/* backedges.h -- where each state of this rank came from: rank, number there, edge.
 *
 * States are noted in order of discovery.  Their predecessors belong to one layer, so on each rank their numbers lie close together: 256 entries at a time are packed into as many bits each as the largest rank, the largest
 * distance from the smallest number of that rank in the block, and the largest edge need.  Blocks are found by their offsets; a state costs 2 to 5 bytes. */
#ifndef MPI_BACKEDGES_H
#define MPI_BACKEDGES_H

#include "base/mem.h"

#include <stdint.h>

enum { BACKEDGES_BLOCK = 256 };

struct backedge {
  uint64_t number;
  uint32_t rank, edge;
};

struct backedges {
  struct region words;   /* packed blocks, 64 bits each */
  struct region offsets; /* per block: where it begins */
  uint64_t count, used;
  struct backedge last[BACKEDGES_BLOCK]; /* of the block that is not full yet */
};

void backedges_open(struct backedges *, struct mem *);
void backedges_close(struct backedges *);
int backedges_reserve(struct backedges *, size_t more); /* then so many can be added. 0 or -1 */
int backedges_add(struct backedges *, struct backedge); /* 0 or -1 */
struct backedge backedges_get(const struct backedges *, uint64_t number);

#endif
