/* grid.h -- a table of texts that is written as aligned text or as Markdown. */
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include "base/mem.h"

#include <stdio.h>

struct grid {
  struct arena arena;
  const char **cells; /* row by row, the first row is the head */
  size_t columns, count, room;
  int failed; /* memory: nothing is written then */
};

void grid_open(struct grid *, size_t columns, struct mem *);
void grid_close(struct grid *);
void grid_put(struct grid *, const char *format, ...) __attribute__((format(printf, 2, 3))); /* the next cell */
/* The first `left` columns begin at the left, the others end at the right; a last one without a head has remarks and begins at the left. -1: memory. */
int grid_text(const struct grid *, size_t left, const char *indent, FILE *out);
int grid_markdown(const struct grid *, size_t left, FILE *out);

/* A number as a reader wants it, by the name of its figure. */
enum { GRID_ROOM = 40 };
char *grid_figure(char out[GRID_ROOM], const char *figure, double x); /* "" for NAN */

#endif
