/* disk.h -- visited states on disk: a set that says at the end of a layer which of its candidates were new (delayed duplicate detection).
 *
 * A breadth-first search (search/external.c) takes the states of a layer one after the other, adds their successors as candidates, and at the end of the layer hears which of
 * them are new: these are the next layer.  In between nothing is asked of the disk.
 *
 * Where everything is:
 *
 *   candidates   a table in memory that drops equal ones; when it is full it becomes a sorted run on disk, and another one begins;
 *   young, old   tables in memory with the states that were found last: what is there is dropped at once. `young` is not on disk yet; when it is full it becomes a run of visited states, takes the
 *                place of `old`, and that one's memory is the next `young`.  A layer that fits is read from there when its turn comes;
 *   visited      sorted runs, merged by a thread of its own so that there are few (each about twice as long as all shorter ones together);
 *   filter       in memory: which states are surely in no run;
 *   log          all layers, one behind the other: the queue, and what paths are made from.
 *
 * At the end of a layer the candidates come in order, out of the table or by merging their runs.  What the filter does not know is new.  The others are looked for in the
 * runs, whose indices say which blocks have to be read: all of them where a layer is large, a few where it is small, so that a pass over all states is never paid for by a
 * small layer.  Numbers of states are their order within layers, which are sorted: they do not depend on how much memory there is.
 *
 * Everything that goes wrong with files ends in -1, and disk_figures tells what it was. */
#ifndef STORE_DISK_H
#define STORE_DISK_H

#include "base/records.h"
#include "store/store.h"

enum { DISK_CARRIED = 4 }; /* words that a candidate can carry along */

/* The first state, which is the first layer. `carries`: candidates come with DISK_CARRIED words of their own, of equal ones the smallest is kept; `all`: none is dropped, the end of the layer
   tells each. 0 or -1. */
int disk_begin(struct store *, const uint32_t *state, int carries, int all);

/* Or a search that has begun elsewhere: all states that were visited, in any order; and those that wait in theirs, the rest of the layer at hand first, which is the places `from` .. `now` - 1. (Those that are expanded may stand
   before them.) 0 or -1: memory, or files. */
void disk_load_alone(struct store *); /* no other store holds them meanwhile: memory is for this one */
int disk_load(struct store *, const uint32_t *state);
int disk_load_waiting(struct store *, const uint32_t *state);
int disk_load_end(struct store *, uint64_t from, uint64_t now, int carries, int all);

/* The next state of the layer and its place among all that are in the log. Valid until anything else is asked. 1; 0: the layer is at its end; -1. */
int disk_next(struct store *, const uint32_t **state, uint64_t *place);
void disk_put_back(struct store *); /* the last one comes again */
/* Successors, `stride` words apart; `carried`: DISK_CARRIED words for each. 0 or -1. */
int disk_add(struct store *, const uint32_t *states, size_t stride, size_t count, const uint32_t *carried);

/* Who hears what has become of the candidates of a layer. */
struct disk_listener {
  void *context;
  /* A candidate; `place` is where a fresh one is in the log. `carried` NULL = none. Not 0: that is enough. */
  int (*hear)(void *context, const uint32_t *state, const uint32_t *carried, int fresh, uint64_t place);
  int seen;                    /* also of those that are not new */
  int (*poll)(void *context, int worth); /* now and then: not 0: that is enough. worth: a turn that is gone on with passes over what was told before; enough came since to make up for that */
};
/* The end of a layer. 0: the next one is there, perhaps empty; 1: the listener had enough: the next turn goes on behind what it was told, also that of another process after disk_keep; -1. */
int disk_turn(struct store *, const struct disk_listener *);
uint64_t disk_layer_end(const struct store *);  /* the place at which the next one begins */
uint64_t disk_layer_left(const struct store *); /* states of the layer that are to come */
uint64_t disk_places(const struct store *);     /* states that there are places for: the next one that is new gets this one */

/* Any state by its place; NULL: it was given back to the disk, or files. Layers before `place` are no longer needed. */
const uint32_t *disk_at(struct store *, uint64_t place);
void disk_forget(struct store *, uint64_t place);

/* ---- to go on another time: what a checkpoint is to know (base/records.h), in three steps ---- */
struct disk_keeper; /* the checkpoint: disk_files.h */
int disk_keep(struct store *, const struct disk_keeper *); /* what is in memory alone goes to files, and all of them to the disk, where they stay. 0 or -1 */
void disk_save(const struct store *, struct records *);    /* then it is written, */
void disk_kept(struct store *, int named);                 /* and sealed: files that are no longer needed go. `named` 0: no checkpoint names any */
int disk_folder(const struct store *, char *out, size_t room); /* where its files are, from the root. 0 or -1 */
int disk_turning(const struct store *);                    /* is a turn to be gone on with? */
/* And back. 0; -1: it is not what was written; -2: memory. */
struct disk_kept;
int disk_kept_read(struct disk_kept **out, struct records *, struct mem *);
void disk_kept_free(struct disk_kept *);
const char *disk_kept_folder(const struct disk_kept *);
/* The store as it was; its states have setup->words words, and candidates carry as is said here. `folder`: where the files are. 0, or -1 with setup->err: memory, or what is wrong with the files. */
int disk_open_kept(struct store **out, const struct store_setup *, const struct disk_kept *, const char *folder, const struct disk_keeper *, int carries, int all);

void disk_figures(const struct store *, struct store_files *out);

#endif
