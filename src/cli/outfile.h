/* outfile.h -- a result file that appears whole or not at all.
 *
 * A regular file is written beside its place under another name and renamed when it is
 * complete: an interrupted or failed run leaves the old file as it was.  Standard output ("-"),
 * pipes and devices are written directly.
 *
 * A name that the user did not give (own = 1: MODEL.trace.json in the working directory) may have been waited for: a link there, or a pipe, was put there by whoever made the
 * folder.  It is replaced by the file, not followed. */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

#include "base/err.h"

#include <stdio.h>

struct outfile {
  FILE *stream;
  const char *name;     /* as given */
  char target[4096];    /* where it goes, links resolved unless the name is our own */
  char temporary[4160]; /* "" = written directly */
  struct outfile *next; /* of those that are open */
};

int outfile_open(struct outfile *, const char *name, struct err *);
int outfile_open_as(struct outfile *, const char *name, int own, struct err *);
/* keep 1: the file is complete, put it in place. keep 0: forget it. -1 with err when it could not be written. */
int outfile_close(struct outfile *, int keep, struct err *);
/* The process is about to end in the middle of whatever it writes: no half of a file stays. */
void outfile_forget_all(void);

#endif
