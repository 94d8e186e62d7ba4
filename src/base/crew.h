/* crew.h -- a few threads that do one thing together, again and again.
 *
 * The owner gives out work and takes part in it as worker 0; when crew_run returns, all of it is done and everything that was written is seen.  Between two pieces of work the others wait,
 * first awake, then asleep: pieces of a millisecond are worth giving out.  Inside a piece of work whoever is free takes the next share (crew_next), so that nobody waits for a slow one; who comes when all
 * shares are taken finds that the work is over: not everybody takes part in each piece.
 *
 * Signals are for the owner's thread: workers block them all. */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include "base/mem.h"

#include <stdatomic.h>

struct crew;

/* `workers` threads, the caller's included, at least 1. 0, or -1: no memory, or the system gives no threads. */
int crew_open(struct crew **out, unsigned workers, struct mem *);
void crew_close(struct crew *); /* NULL is fine */
unsigned crew_size(const struct crew *);
typedef void crew_work(void *context, unsigned worker);
void crew_run(struct crew *, crew_work *, void *context);
/* The same in two steps: the others begin, and the owner has something else to do before he takes part. */
void crew_begin(struct crew *, crew_work *, void *context);
void crew_end(struct crew *);

/* Something that has to be done and that nobody waits for: one of the others does it before he takes part in the next piece of work. 1, or 0: there is nobody, or the last errand is not begun yet. */
typedef void crew_errand(void *at, size_t bytes);
int crew_send(struct crew *, crew_errand *, void *at, size_t bytes);

/* Shares of work that are taken one after the other: the next one below `end`, or `end`. */
static inline size_t crew_next(atomic_size_t *next, size_t end) {
  size_t mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
  return mine < end ? mine : end;
}

/* How many threads there can be at once on this machine: cores that this process may use. */
unsigned crew_cores(void);

#endif
