/* disk_run.h -- sorted runs of records in files: written once from front to back, read in order, or asked for records that come in order.
 *
 * A record is `words` 32-bit words; runs are sorted as if it were one large number whose first word is the most significant one.  A block holds `per_block` records (the last
 * one of a run fewer) as differences to the record before, of each difference the bytes that count; all lengths come first, then all bytes, and zstd makes the rest of it.
 * Sets of states are full of equal differences, so that two or three bytes per state are common.
 *
 *     | packed bytes (4) | coded bytes (4) | bytes of lengths (4) | records (4) | checksum (8) | zstd frame ... |
 *
 * The checksum is over the frame and the header, and depends on where in which file the block lies: a block that is damaged, or another one, is noticed before it is used.
 *
 * In memory there is, for every `stride`-th block, its first record and its place, so that only blocks are read in which an answer can lie. */
#ifndef STORE_DISK_RUN_H
#define STORE_DISK_RUN_H

#include "base/squeeze.h"
#include "store/disk_files.h"

#include <string.h>

/* Of two records of the same width: < 0, 0, > 0. */
static inline int disk_compare(const uint32_t *a, const uint32_t *b, uint32_t words) {
  for (uint32_t i = 0; i < words; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* What one thread needs to make and read blocks of one width. */
struct disk_coder {
  struct mem *mem;
  struct disk_files *files;
  uint32_t words;
  size_t per_block, coded_room, packed_room;
  struct squeeze squeeze;
  uint8_t *coded;
};
int disk_coder_open(struct disk_coder *, struct disk_files *, uint32_t words, struct mem *); /* 0, or -1: memory */
void disk_coder_close(struct disk_coder *);
/* A block of records for place `at` of a file, in `out` (packed_room bytes). Returns its length; 0 = zstd failed, which is told as a problem. */
size_t disk_block_make(struct disk_coder *, const uint32_t *records, size_t count, const struct disk_file *, uint64_t at, uint8_t *out);
enum { DISK_BLOCK_HEADER = 24 };
/* The bytes of a block whose header is given; 0: that is no header (told as a problem). */
size_t disk_block_bytes(struct disk_coder *, const struct disk_file *, const uint8_t *header);
/* The records of a block. Returns how many; 0: it is damaged (told as a problem). */
size_t disk_block_read(struct disk_coder *, const struct disk_file *, uint64_t at, const uint8_t *block, uint32_t *records);

/* Without its records: 1; 0: it is damaged (told as a problem). */
int disk_block_is_whole(struct disk_coder *, const struct disk_file *, uint64_t at, const uint8_t *block);

struct disk_run {
  struct disk_file file;
  uint32_t words;
  uint64_t records, blocks;
  uint32_t *first;  /* of each entry of the index */
  uint64_t *offset;
  size_t entries, room, stride;
  struct disk_reader *reader; /* of who asks; opened when it is needed */
};
/* One that another process wrote: all of it is read, and its index made. 0, or -1: memory, or it is not as it should be (told as a problem); the caller removes it in any case. */
int disk_run_adopt(struct disk_run *, const struct disk_file *, uint64_t records, uint64_t blocks, struct disk_coder *);
void disk_run_remove(struct disk_run *, struct disk_files *, struct mem *); /* a zeroed one is fine */

struct disk_writer {
  struct disk_coder *coder;
  struct disk_run *run;
  uint32_t *records;
  size_t count;
  uint8_t *out;
  size_t out_used, out_room;
};
/* `expected`: at most so many records. 0, or -1: memory, or the files have failed. Only opening and closing need memory: what lies between may be done by another thread. */
int disk_writer_open(struct disk_writer *, struct disk_run *, struct disk_coder *, uint64_t expected);
int disk_writer_add(struct disk_writer *, const uint32_t *record);
int disk_writer_finish(struct disk_writer *);
void disk_writer_close(struct disk_writer *);

struct disk_reader {
  struct disk_coder *coder;
  const struct disk_run *run;
  uint32_t *records; /* of the block at hand */
  size_t at, count;
  uint64_t block, next; /* the block after the one at hand, and its place in the file */
  uint8_t *ahead;
  size_t ahead_room, ahead_bytes;
  uint64_t ahead_at;
};
int disk_reader_open(struct disk_reader *, const struct disk_run *, struct disk_coder *); /* 0, or -1: memory */
void disk_reader_close(struct disk_reader *);
void disk_reader_rewind(struct disk_reader *);
/* The record at hand, or NULL: the run has ended, or the files have failed. */
const uint32_t *disk_reader_peek(struct disk_reader *);
static inline void disk_reader_advance(struct disk_reader *r) { r->at++; }
/* Is the record in the run? Records must be asked for in ascending order since the last rewind. 1, 0, or -1: the files have failed. */
int disk_reader_has(struct disk_reader *, const uint32_t *record);
size_t disk_reader_cost(const struct disk_coder *); /* bytes that one takes */
size_t disk_writer_cost(const struct disk_coder *); /* without its index */
size_t disk_coder_cost(const struct disk_coder *);

#endif
