/* disk_inside.h -- the insides of the store disk, for its files:
 *
 *   disk.c          opening, memory, candidates, states that come from elsewhere, figures
 *   disk_visited.c  sorted runs of visited states, the filter, tables that become runs
 *   disk_turn.c     the end of a layer: which candidates are new
 *   disk_keep.c     what a checkpoint is to know, and going on from there
 *   disk_widen.c    states become wider: all files are written anew */
#ifndef STORE_DISK_INSIDE_H
#define STORE_DISK_INSIDE_H

#include "base/vec.h"
#include "store/disk.h"
#include "store/disk_filter.h"
#include "store/disk_log.h"
#include "store/disk_merge.h"
#include "store/disk_table.h"

enum { DISK_MOST_RUNS = 12, DISK_TOO_MANY_RUNS = 24, DISK_FAN = 32, DISK_MARGIN = 64 << 10 }; /* the last: bytes that are kept free beside what a merge writes */

struct disk {
  struct store base;
  struct mem *mem;
  struct disk_files *files;
  uint32_t words, bits, carried;
  int all;
  struct disk_coder coder, carrier; /* of states; of candidates that carry something */
  struct disk_table candidates, young, old;
  struct vec(struct disk_run *) arrivals, visited;
  struct disk_filter filter;
  size_t filter_most;
  int modest; /* the filter takes no more than its share: tables need the rest */
  struct disk_log log;
  struct disk_worker worker;
  uint64_t count, waiting;             /* waiting: states of the next layer that are in the log already */
  uint64_t layer_at, layer_end;        /* in the log */
  int in_memory;                       /* the layer is in `young`, too: */
  uint64_t layer_first, young_first;   /* place in the log and in the table */
  uint64_t heard; /* candidates of this turn that were told before its listener had enough; 0 = it has not begun */
  int loading, alone; /* states come from elsewhere; and no other store holds them meanwhile */
  uint64_t merges, candidate_runs;
  uint32_t *record;                    /* a candidate as it is kept */
};

static inline struct disk *disk_of(const struct store *s) { return (struct disk *)(uintptr_t)s; }

/* Of candidates, which may carry something. */
static inline struct disk_coder *disk_candidate_coder(struct disk *d) { return d->carried ? &d->carrier : &d->coder; }

/* disk.c */
size_t disk_buffers(const struct disk *); /* what readers, writers and their coders take: of the search and of the thread that merges */
void disk_plan(struct disk *); /* how large tables may become, judged by what is left now */
void disk_open_tables(struct disk *);
int disk_carry(struct disk *, int carries, int all);         /* what candidates come with from now on; there are none yet. 0 or -1 */
int disk_make_room(struct disk *);                           /* tables have more right to memory than a filter that is larger than its share. 1: there is more now */
int disk_spare(struct disk *);                               /* what makes the search faster goes before anything fails for memory; runs may be others then. 1: there is more now */
int disk_grow_table(struct disk *, struct disk_table *);     /* one that is full becomes larger, as long as it may. 0 or -1 */
int disk_flush_loaded(struct disk *);

/* disk_visited.c; all: 0 or -1, where nothing else is said */
void disk_drop_run(struct disk *, struct disk_run *);
struct disk_run *disk_new_run(struct disk *, struct disk_writer *, struct disk_coder *, uint64_t expected); /* NULL: memory, or files */
int disk_end_run(struct disk *, struct disk_writer *, struct disk_run *, int bad);                         /* -1: it is gone */
int disk_add_visited(struct disk *, struct disk_run *);
size_t disk_fan(const struct disk *, const struct disk_coder *, size_t most); /* as many runs as there is memory to merge at once */
int disk_take_merged(struct disk *, int leave);
int disk_look_after_runs(struct disk *);
int disk_in_runs(struct disk *, const uint32_t *state); /* states come in ascending order. 1, 0, -1 */
void disk_rewind_runs(struct disk *);
int disk_look_after_filter(struct disk *);
struct disk_run *disk_write_sorted(struct disk *, struct disk_coder *, const uint32_t *records, size_t count, int filtered);
struct disk_run *disk_write_sorted_somehow(struct disk *, struct disk_coder *, const uint32_t *records, size_t count, int filtered);
int disk_push_run(struct disk *, struct disk_run *); /* one of candidates */
int disk_flush_candidates(struct disk *);
int disk_flush_young(struct disk *);
int disk_room_for_young(struct disk *, size_t n); /* 0; 1: so many do not fit; -1 */

/* disk_turn.c */
int disk_welcome(struct disk *, const uint32_t *state, uint64_t hash, int young); /* a state that is new. 0 or -1 */

/* disk.c, for disk_keep.c: a store without files; and what a store of states from elsewhere does when there are all of them */
struct disk *disk_new(const struct store_setup *);
int disk_settle_in(struct disk *);
void disk_close(struct store *);

/* disk_widen.c */
int disk_rewrite(struct store *, uint32_t words, uint32_t bits, store_convert *, void *context);

#endif
