/* ranks.h -- the processes of a run: who they are, what they agree on, and whether all of them are still there.
 *
 * ranks.c and post.c are the only files that know MPI.  Every call of it that could wait is begun and then looked at again and again, so that a rank that has died is noticed instead of waited for:
 *
 *   neighbours   ranks on the same machine look for each other's process
 *   pulses       every rank tells rank 0 a few times per second how far it is; one that is silent for RANKS_SILENT seconds is lost
 *   leaves       a rank that ends its work says how often all have done something together by then; whoever does so once more does it without that rank
 *   signals      mpirun ends the others when one dies: a rank that was told to end and hears nothing more looks who is missing
 *
 * A lost rank is told by every later call (-1): the run ends as incomplete, with its name. */
#ifndef MPI_RANKS_H
#define MPI_RANKS_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

#define RANKS_SILENT 300.0

struct ranks;

/* How far a rank is. */
struct ranks_pulse {
  uint64_t states, expanded, transitions, used; /* used: bytes of its budget */
};

enum { RANKS_NO_MPI = -1, RANKS_NO_MEMORY = -2 };
/* Once. 0, or one of these; NO_MEMORY: on all ranks, which have to be closed. */
int ranks_open(struct ranks **out, int *argc, char ***argv);
/* The end of the program: with a lost rank all others are ended, too. Returns the exit code of this rank: in an orderly end `code` is that of rank 0 alone, and the others have none to tell. */
int ranks_close(struct ranks *, int code);
unsigned ranks_self(const struct ranks *);
unsigned ranks_count(const struct ranks *);
unsigned ranks_neighbours(const struct ranks *); /* on this machine, this one included */
void ranks_watch(struct ranks *, const volatile int *interrupt); /* what Ctrl-C sets */
int ranks_interrupted(const struct ranks *);
/* "rank 3 on node7" */
void ranks_name(const struct ranks *, unsigned rank, char *out, size_t room);
int ranks_lost(const struct ranks *); /* a rank, or -1: all are there */

/* Together: all ranks call the same in the same order. 0, or -1: a rank is lost. */
int ranks_sum(struct ranks *, uint64_t *values, size_t count);
int ranks_max(struct ranks *, uint64_t *values, size_t count);
int ranks_tell(struct ranks *, unsigned from, void *data, size_t bytes);
/* Everybody's, one after the other: rank r's begins at start[r], which has one more entry than there are ranks. Owned by the caller, in `mem`; NULL with -1: memory, or lost. */
int ranks_gather(struct ranks *, const void *mine, size_t bytes, struct mem *, uint8_t **all, size_t **start);
/* Do all say the same? 1, 0; -1: lost. */
int ranks_alike(struct ranks *, uint64_t said);
/* One err for all: the first rank's that has one, with its name unless it is rank 0. 0, or -1 on all. */
int ranks_agree(struct ranks *, int bad, struct err *);
/* Nobody has run out of memory: all say 1, and hear 1; otherwise all hear 0. */
int ranks_all(struct ranks *, int fine);

/* Looks after all of it: call it in every loop that waits or works long. 0, or -1: lost. `idle`: there was nothing to do so many times in a row. */
int ranks_look(struct ranks *, unsigned idle);
void ranks_beat(struct ranks *, const struct ranks_pulse *mine); /* tells rank 0; cheap, does something now and then */
const struct ranks_pulse *ranks_heard(const struct ranks *, unsigned rank); /* rank 0: what it told last */

#endif
