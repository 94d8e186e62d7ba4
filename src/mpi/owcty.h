/* owcty.h -- is there an accepting cycle in a space that several processes have explored?
 *
 * One-Way-Catch-Them-Young (Cerna and Pelanek, 2003), for acceptance by sets of edges.  X begins as all states that may accept.  Again and again, for each set: only those stay that are reached, inside X, from an edge of the set
 * inside X; then those without a predecessor in X go, one after the other.  When nothing changes any more: if X is empty there is no accepting cycle.  If it is not, take a component of X that is reached from no
 * other: its states are reached from edges of every set, and only from inside, so it has an accepting cycle.  Weak automata have no sets: all cycles of X accept, and one round is enough.
 *
 * No edge is kept: states are expanded again for each pass.  A state costs 5 bits, and a byte (4 where predecessors are many) for the number of its predecessors in X.
 *
 * A cycle is found backwards: each state of X is told one predecessor on a shortest way from an edge of the set, and going back along these, from set to set, comes to a state where it was before. */
#ifndef MPI_OWCTY_H
#define MPI_OWCTY_H

#include "mpi/spread.h"

struct owcty_result {
  int cycle;   /* there is one */
  int shown;   /* way and loop are there: memory allowed it */
  uint64_t rounds, left; /* left: states of X in the end */
  struct search_path way, loop; /* edges, known to all ranks, in the search's memory */
};

/* Together, after a complete search with a store that numbers its states and gives them back. 0; -1: the search's stop is set on all ranks. */
int owcty_find(struct search *, int weak, struct owcty_result *out);

#endif
