/* disk_log.h -- states one layer after the other, in order of their numbers: what waits to be expanded, and what paths are made from.
 *
 * A file that only grows, of blocks as those of runs (disk_run.h), each of `per_block` records, so that a number says where a record lies; what does not fill a block yet is in
 * memory.  What nobody will ask for any more can be given back to the disk, from the beginning. */
#ifndef STORE_DISK_LOG_H
#define STORE_DISK_LOG_H

#include "base/vec.h"
#include "store/disk_run.h"

struct disk_log {
  struct disk_coder *coder;
  struct disk_file file;
  struct vec(uint64_t) offset; /* of each block */
  uint32_t *tail;              /* the last block, as long as it is not full */
  uint64_t records, kept;      /* numbers from `kept` on are still there */
  uint32_t *block;             /* one that was read */
  uint64_t block_number;
  uint8_t *packed;
  uint64_t hold; /* a checkpoint needs records from this one on: they are not given back yet */
};

int disk_log_open(struct disk_log *, struct disk_coder *); /* 0, or -1: memory, or the files have failed */
void disk_log_close(struct disk_log *);
int disk_log_append(struct disk_log *, const uint32_t *record);
/* Valid until the next call. NULL: the files have failed. */
const uint32_t *disk_log_at(struct disk_log *, uint64_t number);
/* Records before `number` are no longer needed. 0, or -1: the disk did not get them back. */
int disk_log_forget(struct disk_log *, uint64_t number);
/* What another process is to know of it. */
struct disk_log_kept {
  uint64_t records, kept, now; /* now: the first record that must be there; those from `kept` on may have been given back since */
  uint64_t kept_at, now_at;    /* where their blocks begin */
};
struct disk_log_kept disk_log_keep(const struct disk_log *, uint64_t now);
/* The log of another process, whose tail is copied into `tail` by the caller. All blocks are read. 0, or -1: memory, or it is damaged (told as a problem); the caller closes it in any case. */
int disk_log_adopt(struct disk_log *, const struct disk_file *, const struct disk_log_kept *, struct disk_coder *);

#endif
