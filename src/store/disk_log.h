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
};

int disk_log_open(struct disk_log *, struct disk_coder *); /* 0, or -1: memory, or the files have failed */
void disk_log_close(struct disk_log *);
int disk_log_append(struct disk_log *, const uint32_t *record);
/* Valid until the next call. NULL: the files have failed. */
const uint32_t *disk_log_at(struct disk_log *, uint64_t number);
/* Records before `number` are no longer needed. 0, or -1: the disk did not get them back. */
int disk_log_forget(struct disk_log *, uint64_t number);

#endif
