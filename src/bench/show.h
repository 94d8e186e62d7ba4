/* show.h -- a run as a table: for people, for documents, for programs. */
#ifndef BENCH_SHOW_H
#define BENCH_SHOW_H

#include "bench/results.h"

#include <stdio.h>

enum show_format { SHOW_TEXT, SHOW_MARKDOWN, SHOW_CSV, SHOW_JSON };

/* The columns are the run's, or the usual ones. CSV has a line for each repetition. 0, or -1: memory, or the stream. */
int show_run(const struct results *, enum show_format, struct mem *, FILE *out);
void show_machine(const struct results *, FILE *out); /* one line */
const char *show_title(char *out, size_t room, const char *figure); /* of a column */

#endif
