/* verdict_read.h -- a verdict file (thimble.verdict/1) read back: as much of it as is needed to tell which files belong to it, and
 * whether it is one that this version knows. */
#ifndef REPORT_VERDICT_READ_H
#define REPORT_VERDICT_READ_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>

struct verdict_run { /* a run that it names */
  const char *property;
  const char *trace; /* the file; NULL = none was written */
  uint64_t steps;
};

struct verdict_file {
  struct mem *mem;
  struct arena text;
  const char *model, *language; /* NULL = it does not say */
  const char **property;        /* ids */
  size_t property_count;
  struct verdict_run *run;
  size_t run_count;
  const char **file; /* of places in it, each once: sources */
  size_t file_count;
  int has_timeline, has_coverage; /* the fields are there, perhaps null */
};

/* -1 with err: no verdict, a damaged one, or one of another version of the format. */
int verdict_file_read(struct verdict_file *, FILE *, const char *name, struct mem *, struct err *);
void verdict_file_close(struct verdict_file *); /* a zeroed one is fine */

#endif
