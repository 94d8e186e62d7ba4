/* err.h -- what went wrong, where, and what would help.
 *
 * Functions that can fail on their input return 0 or -1 and fill a `struct err`.
 * Only src/cli prints it.  The first error wins: later ones in the same call are
 * consequences and are dropped.  Text from a model may be 10 MB of hostile bytes:
 * messages are cut to their buffers and control characters are shown escaped. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stddef.h>

enum err_kind {
  ERR_NONE,
  ERR_INPUT,    /* the model or formula is wrong: exit 3 */
  ERR_USAGE,    /* the command line or the call is wrong: exit 2 */
  ERR_IO,       /* a file cannot be read or written: exit 3 for models */
  ERR_MEMORY,   /* the budget does not allow it: exit 4 */
  ERR_LIMIT,    /* more than Thimble itself goes along with, however large the budget: exit 4 */
  ERR_INTERNAL, /* Thimble contradicts itself: exit 70 */
};

/* A place in a source text; line and column count from 1, 0 = unknown. */
struct place_in_text {
  const char *file; /* borrowed */
  long line, column;
};

struct err {
  enum err_kind kind;
  char file[256];
  long line, column;
  char message[512];
  char hint[256];
  char excerpt[200]; /* the source line, or the part of it around the column */
  long caret;        /* column of the caret within excerpt, from 0; -1 = none */
};

void err_clear(struct err *e);
/* All setters return -1, so that `return err_input(...)` reads well. */
int err_input(struct err *e, struct place_in_text at, const char *format, ...) __attribute__((format(printf, 3, 4)));
int err_usage(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int err_io(struct err *e, const char *file, const char *format, ...) __attribute__((format(printf, 3, 4)));
int err_memory(struct err *e, const char *what); /* "no memory left in the budget for WHAT" */
int err_limit(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int err_internal(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void err_hint(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the line around `offset` out of a text for the caret display. */
void err_excerpt(struct err *e, const char *text, size_t length, size_t offset);
/* Copies at most `room` - 1 bytes of text that may hold anything: control characters
   and broken UTF-8 escaped as \xNN, "..." where cut. Returns out. */
char *err_quote(char *out, size_t room, const char *text, size_t length);

#endif
