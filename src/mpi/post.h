/* post.h -- batches of bytes between ranks, in phases.
 *
 * A phase is a layer of a search or a pass over all states: what is sent in it is received in it.  Records are written into the batch of their destination; a full batch goes off without waiting, and a
 * destination has POST_WINDOW buffers.  A send counts as done when the receiver has begun to take it (synchronous mode), so a slow receiver stops its senders, and memory is bounded: ranks * window * batch.
 * A sender without a free buffer goes on receiving: nobody waits for anybody who waits.
 *
 * The end of a phase is found by counting: every rank tells how many batches it has sent to each of the others, the sums say how many each has to expect.  Messages of the next phase may be there already; they have
 * another tag and wait. */
#ifndef MPI_POST_H
#define MPI_POST_H

#include "mpi/ranks.h"

enum { POST_WINDOW = 3, POST_BATCH = 32 << 10, POST_BATCH_LEAST = 1 << 10 };

struct post;

struct post_figures {
  uint64_t batches, bytes; /* sent */
  uint64_t waits;          /* times that a window was full */
};

/* Batches are smaller where the budget is. 0, or -1: memory. Not together: ask ranks_all. */
int post_open(struct post **out, struct ranks *, struct mem *);
void post_close(struct post *); /* NULL is fine; nothing may be under way */
void post_abandon(struct post *); /* a rank is lost: what is under way stays so, and its buffers with it */
const struct post_figures *post_figures(const struct post *);

/* Room for a record; NULL: every buffer of that rank is under way (receive, then try again), or memory for a record that is larger than a batch: *full then. */
uint8_t *post_room(struct post *, unsigned to, size_t bytes, int *full);
void post_put(struct post *, unsigned to, size_t bytes);

/* A batch that has come: 1; 0: none is there; -1: lost, or memory (*full). It is valid until the next call. */
int post_take(struct post *, const uint8_t **data, size_t *bytes, unsigned *from, int *full);

/* Tells all others that this phase ends early; hears of it. */
void post_stop(struct post *);
int post_stopped(struct post *);

/* Nothing more will be sent in this phase: call it, and post_take in between, until it says 1: everything has been sent and received, and the next phase begins. 0: not yet; -1: lost. */
int post_end(struct post *);

#endif
