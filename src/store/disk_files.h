/* disk_files.h -- temporary files of a run in a folder of the user's.
 *
 * All files of a run lie in a folder of their own, DIR/thimble-PID-N, beside a file `lock` on which the run holds a lock (flock) as long as it lives.  Whoever opens DIR
 * later removes the folders whose locks nobody holds: what a crash or kill -9 left behind.  Folders of living runs are left alone, and so is everything that is not
 * called as such files are or belongs to another user.
 *
 * A folder can outlive its run: if a checkpoint names files in it, a file `checkpoint` says which one (its nonce and its path, base/records.h), and as long as that one is there the folder is left alone, too.
 * What the checkpoint names is kept also when the run itself needs it no longer, until another moment is sealed (disk_files_hold).
 *
 * Files are written from front to back and read at any place.  Every byte counts against a limit, and the first thing that goes wrong is kept as a sentence: from then on
 * every call fails, and the run ends with it.  Files are made and removed by one thread; writing and reading may be done by two, each with files of its own. */
#ifndef STORE_DISK_FILES_H
#define STORE_DISK_FILES_H

#include "base/err.h"
#include "base/mem.h"
#include "store/store.h"

struct disk_files;

/* Buffers follow the budget: 1/512 of it, and what stands here at most and at least. */
static inline size_t disk_share(const struct mem *m, size_t least, size_t most) {
  size_t share = m->budget / 512 < most ? m->budget / 512 : most;
  return share < least ? least : share;
}

struct disk_file {
  int fd;
  unsigned number;
  uint64_t size, hole; /* bytes written; bytes at its beginning that were given back */
  int synced;          /* all of it is on the disk */
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
void disk_files_close(struct disk_files *); /* all files are removed but for those that are held; NULL is fine */
size_t disk_files_block(const struct disk_files *); /* bytes of records in a block: the same in all files of a folder */
const char *disk_files_path(const struct disk_files *); /* of the folder, for people */

/* ---- files that outlive the run ---- */
struct disk_keeper { /* a checkpoint */
  const char *path; /* from the root */
  uint64_t nonce;
};
/* The folder's path from the root, in `out`. 0, or -1: it has none (any more). */
int disk_files_place(const struct disk_files *, char *out, size_t room);
/* From now on the folder is this one's. 0 or -1. */
int disk_files_keep(struct disk_files *, const struct disk_keeper *);
int disk_files_sync(struct disk_files *); /* the names of its files are on the disk */
int disk_file_sync(struct disk_files *, struct disk_file *);
/* A moment was sealed that names all files which `lives` knows: the others go. What is removed from now on stays until the next time. NULL: nothing is named any more. */
void disk_files_hold(struct disk_files *, int (*lives)(void *context, unsigned number), void *context);
/* The folder of a run that is over, which a checkpoint names, to go on with it. Nothing in it changes. 0, or -1 with err. */
int disk_files_open_again(struct disk_files **out, const char *folder, const struct store_options *, const struct disk_keeper *, size_t block, struct mem *, struct err *);
int disk_file_open(struct disk_files *, unsigned number, uint64_t size, uint64_t hole, struct disk_file *out); /* one of its files: 0 or -1 */
int disk_file_is_hole(const struct disk_file *, uint64_t at); /* was it given back, by whoever had it before? */
int disk_file_cut(struct disk_files *, struct disk_file *); /* what stands behind its size goes. 0 or -1 */
/* The folder of a run that is over, whose checkpoint is gone. */
void disk_files_drop(const char *folder, uint64_t nonce);
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
