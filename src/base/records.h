/* records.h -- a file of records that survives whatever ends the program.
 *
 *   head    | magic, 16 bytes | format | byte order | nonce | checksum |          40 bytes
 *   record  | kind | 0 | length of the payload | checksum |  payload ...            24 bytes and the payload
 *
 * Records are only ever appended.  A checksum covers the payload, its kind and length, the place in the file and the nonce, a number that each file has for itself: what is left
 * of another file, or stands in another place, is no record.  The header of a record is written last, so a record is there as a whole or not at all.
 *
 * A new file is written beside its name (NAME.new) and put into its place by the first commit; a file that was there before is kept as NAME~.  Two programs do not
 * write one file: it is locked.
 *
 * Nothing is allocated after opening, so that a file can be written when memory has ended. */
#ifndef BASE_RECORDS_H
#define BASE_RECORDS_H

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

#define RECORDS_KIND(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
enum { RECORDS_MAGIC = 16, RECORDS_HEAD = 40, RECORDS_HEADER = 24 };

struct records {
  struct mem *mem;
  char *name, *beside; /* beside NULL: it is in its place */
  int own;             /* what is there under that name is an earlier form of this file: it need not be kept */
  int fd;              /* -1 = closed */
  uint64_t nonce;
  uint8_t *buffer;
  size_t used;
  uint64_t flushed; /* writing: where the buffer goes */
  /* the record that is being written or read */
  uint32_t kind;
  uint64_t start, length, left; /* left: of the payload, to read */
  uint64_t buffered;            /* reading: where the buffer came from; `used` bytes */
  XXH64_state_t sum;
  int failed; /* errno of the first thing that went wrong while writing; then nothing is written any more. While reading: more was asked for than a record holds */
};

/* A new file, beside NAME until the first commit. `magic` has RECORDS_MAGIC bytes. A file that is there and no such file is not replaced. 0, or -1 with err. */
int records_create(struct records *, const char *name, const char *magic, uint32_t format, struct mem *, struct err *);
/* One that is there, for reading. -1 with err: it is none, of a newer format, damaged in its head, or (`lock`) somebody writes it. */
int records_open(struct records *, const char *name, const char *magic, uint32_t format, int lock, struct mem *, struct err *);
/* What was read becomes a file to write, behind `end`; the rest of it goes. 0, or -1 with err. */
int records_append(struct records *, uint64_t end, struct err *);
/* The same as a new file of another name. Its nonce and records are those of `from`, which stays as it is. */
int records_copy(struct records *, const char *name, struct records *from, uint64_t end, struct err *);
/* Is there a file of this name with this nonce? */
int records_is(const char *name, uint64_t nonce);
/* Locks a file, as long as it is open here. 0, also where the file system has no locks; -1: somebody else has it, and does not give it up within a second. */
int records_lock(int fd);
void records_close(struct records *); /* a zeroed one is fine; what was not committed goes */
void records_remove(struct records *); /* the file itself, too */

/* ---- writing: errors are kept in `failed` ---- */
void records_begin(struct records *, uint32_t kind);
void records_put(struct records *, const void *data, size_t bytes);
void records_put_number(struct records *, uint64_t);
void records_put_real(struct records *, double);
void records_put_text(struct records *, const char *); /* NULL is kept apart from "" */
void records_end(struct records *);
static inline uint64_t records_at(const struct records *r) { return r->flushed + r->used; }
/* All that was ended is on the disk and under the file's name. 0, or -1 and `failed`. */
int records_commit(struct records *);
int records_flush(struct records *); /* all that was ended survives this program, though perhaps not the machine. 0, or -1 and `failed` */

/* ---- reading ---- */
/* The record that begins at `at` if it is whole: 1 and its kind; 0: there is none. Its payload is read from then on. */
int records_look(struct records *, uint64_t at, uint32_t *kind);
static inline uint64_t records_after(const struct records *r) { return r->start + RECORDS_HEADER + r->length; }
/* Is there a whole record of this kind anywhere behind `at`? Then what is before it was damaged, not torn off. */
int records_anywhere(struct records *, uint64_t at, uint32_t kind);
void records_get(struct records *, void *data, size_t bytes); /* zeros where the record has ended, and `failed` */
uint64_t records_get_number(struct records *);
double records_get_real(struct records *);
/* Is this the text that comes now? It is passed over. */
int records_get_same(struct records *, const char *);
/* NULL: there was none, or it is damaged or too long, or memory (failed is set then). The caller frees it. */
char *records_get_text(struct records *, size_t most, struct mem *);

#endif
