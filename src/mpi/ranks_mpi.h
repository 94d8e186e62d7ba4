/* ranks_mpi.h -- what ranks.c and post.c share: the only header that knows MPI. */
#ifndef MPI_RANKS_MPI_H
#define MPI_RANKS_MPI_H

#include "mpi/ranks.h"

#include <mpi.h>

enum { TAG_BATCH = 1, TAG_STOP = 8, TAG_PULSE, TAG_LOST, TAG_LEFT }; /* batches have two tags, by turns */

struct ranks_member {
  char host[64];
  int64_t pid;
  double heard; /* rank 0: when */
  uint64_t left; /* it has ended its work, and this is the first round without it; 0 = it has not */
  struct ranks_pulse pulse;
};

struct ranks {
  MPI_Comm comm, ending; /* ending: for the end of the program alone */
  unsigned self, count;
  struct ranks_member *member;
  const volatile int *interrupt;
  double told_to_end; /* when the signal was seen; 0 = it was not */
  int lost, closing;
  double looked, beat;
  struct ranks_pulse sent;
  MPI_Request beating; /* a pulse that is under way */
  uint64_t rounds;     /* what all do together, so far */
  uint64_t phase;      /* of all that is sent in batches: turns of tags, and which stops are old */
};

/* Waits for a request and looks after the others meanwhile. 0, or -1: lost. */
int ranks_wait(struct ranks *, MPI_Request *);
void ranks_lose(struct ranks *, unsigned rank);

#endif
