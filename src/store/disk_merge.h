/* disk_merge.h -- several sorted runs as one: for whoever reads them in order, or as a new run that a thread of its own writes while the search goes on. */
#ifndef STORE_DISK_MERGE_H
#define STORE_DISK_MERGE_H

#include "store/disk_run.h"

#include <pthread.h>
#include <stdatomic.h>

struct disk_merge {
  struct mem *mem;
  struct disk_reader *reader;
  const uint32_t **now; /* the record at hand of each; the smallest one's first, as a heap */
  uint32_t *heap;
  size_t count, left;
  uint32_t words;
};
int disk_merge_open(struct disk_merge *, struct disk_run *const *runs, size_t count, struct disk_coder *); /* 0, or -1: memory, or the files have failed */
void disk_merge_close(struct disk_merge *);
/* The smallest record, or NULL: there is none left (or the files have failed). */
static inline const uint32_t *disk_merge_peek(const struct disk_merge *m) { return m->left ? m->now[m->heap[0]] : NULL; }
void disk_merge_advance(struct disk_merge *);

/* Writes all records of some runs to a new one, by a thread of its own. */
struct disk_worker {
  struct mem *mem;
  struct disk_files *files;
  struct disk_coder coder; /* its own */
  struct disk_merge merge;
  struct disk_writer writer;
  struct disk_run *result;
  struct disk_run **runs; /* what it merges: its caller's, who leaves them alone */
  size_t count;
  int busy; /* a thread was started and not joined */
  int bad;
  _Atomic int done, leave;
  pthread_t thread;
};
/* Begins. 0; -1: memory, or no thread: nothing has happened. */
int disk_worker_start(struct disk_worker *, struct disk_files *, struct disk_run *const *runs, size_t count, uint32_t words, struct mem *);
static inline int disk_worker_done(struct disk_worker *w) { return w->busy && atomic_load(&w->done); }
/* Waits for it (`leave`: it gives up as soon as it can) and gives the new run, or NULL: it could not be made. The runs are still there. */
struct disk_run *disk_worker_join(struct disk_worker *, int leave);

#endif
