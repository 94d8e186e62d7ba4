/* check_files.h -- the files that check writes beside traces: --report, --junit, --sarif. */
#ifndef CLI_CHECK_FILES_H
#define CLI_CHECK_FILES_H

#include "cli/session.h"

/* -1 with ERR_USAGE: standard output is the verdict's. */
int check_files_named(const struct options *, struct err *);
/* After the verdict is told and its traces are written. -1: one of them could not be written; that was told. */
int check_files_write(struct session *, const struct verdict *, const struct report_setup *);

#endif
