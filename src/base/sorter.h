/* sorter.h -- byte strings in order, each once, in bounded memory.
 *
 *   sorter_open, sorter_add ..., sorter_begin, then sorter_next until it says 0.
 *
 * Strings are gathered in one block of memory; when it is full they are sorted and written to a file as a run, and runs are merged at the end, and before that whenever there are many.
 * The files have no names: they vanish with the program, however it ends. */
#ifndef BASE_SORTER_H
#define BASE_SORTER_H

#include "base/err.h"
#include "base/mem.h"

#include <stdio.h>

enum { SORTER_RUNS = 48 }; /* that are merged at once */

struct sorter_run {
  FILE *file;
  uint8_t *at; /* the string at hand */
  size_t length, room;
};

struct sorter {
  struct mem *mem;
  const char *folder; /* borrowed */
  uint8_t *block;     /* strings from its beginning on: length (4 bytes) and bytes; where they begin (4 bytes each) from its end on */
  size_t room, used, count;
  struct sorter_run run[SORTER_RUNS];
  unsigned runs;
  size_t next; /* reading from memory alone */
  unsigned heap[SORTER_RUNS], heaped, taken; /* reading runs: the smallest is on top; taken: it was told, and has to go on */
};

/* `bytes`: of memory; files go into the folder. 0, or -1 with err. */
int sorter_open(struct sorter *, const char *folder, size_t bytes, struct mem *, struct err *);
int sorter_add(struct sorter *, const void *string, size_t length, struct err *);
void sorter_clear(struct sorter *); /* nothing was added */
int sorter_begin(struct sorter *, struct err *);
/* 1 and the next string, which lives until the next call; 0: there are no more; -1 with err. */
int sorter_next(struct sorter *, const uint8_t **string, size_t *length, struct err *);
void sorter_close(struct sorter *); /* a zeroed one is fine */

#endif
