/* disk_files.h -- temporary files of a run in a folder of the user's.
 *
 * All files of a run lie in a folder of their own, DIR/thimble-PID-N, beside a file `lock` on which the run holds a lock (flock) as long as it lives.  Whoever opens DIR
 * later removes the folders whose locks nobody holds: what a crash or kill -9 left behind.  Folders of living runs are left alone, and so is everything that is not
 * called as such files are or belongs to another user.
 *
 * Files are written from front to back and read at any place.  Every byte counts against a limit, and the first thing that goes wrong is kept as a sentence: from then on
 * every call fails, and the run ends with it.  Files are made and removed by one thread; writing and reading may be done by two, each with files of its own. */
#ifndef STORE_DISK_FILES_H
#define STORE_DISK_FILES_H

#include "base/err.h"
#include "base/mem.h"
#include "store/store.h"

struct disk_files;

struct disk_file {
  int fd;
  unsigned number;
  uint64_t size, hole; /* bytes written; bytes at its beginning that were given back */
};

/* Tests: small tables, short blocks, and things that go wrong. */
struct disk_trial {
  uint64_t fail_at;    /* the n-th write fails ... */
  int fail_with;       /* ... with this errno */
  uint64_t read_fails_at; /* the n-th read fails, with EIO */
  uint64_t damage_at;  /* the n-th write arrives with a bit changed */
  size_t records;      /* that fit into a table; 0 = by memory */
  size_t per_block, fan; /* records of a block; runs that are merged at once; 0 = as usual */
};

/* Is DIR there (it is made if only its last part is missing), may files be written there? Removes what dead runs left. 0, or -1 with err (ERR_USAGE). */
int disk_files_tidy(const char *dir, struct err *);
int disk_files_open(struct disk_files **out, const struct store_options *, struct mem *, struct err *);
void disk_files_close(struct disk_files *); /* all files are removed; NULL is fine */
void disk_files_figures(const struct disk_files *, struct store_files *out);
uint64_t disk_files_room(const struct disk_files *); /* bytes that may still be written, as far as the limit and the file system tell */
int disk_files_failed(const struct disk_files *);
const struct disk_trial *disk_files_trial(const struct disk_files *); /* never NULL */
/* The first one is kept. Returns -1. */
int disk_files_problem(struct disk_files *, const char *format, ...) __attribute__((format(printf, 2, 3)));

int disk_file_create(struct disk_files *, struct disk_file *out); /* all: 0 or -1 */
int disk_file_append(struct disk_files *, struct disk_file *, const void *data, size_t bytes);
int disk_file_read(struct disk_files *, const struct disk_file *, uint64_t at, void *data, size_t bytes);
/* Gives the disk back what lies before `end`. 0, or -1: the file system cannot, nothing has changed. */
int disk_file_forget(struct disk_files *, struct disk_file *, uint64_t end);
void disk_file_remove(struct disk_files *, struct disk_file *); /* one that was never made is fine (fd 0) */

#endif
