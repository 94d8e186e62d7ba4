/* check_checkpoint.h -- what check has to do with checkpoints, and how resume becomes a check. */
#ifndef CLI_CHECK_CHECKPOINT_H
#define CLI_CHECK_CHECKPOINT_H

#include "cli/session.h"
#include "run/checkpoint.h"

/* Is one wanted, or gone on with? */
static inline int check_checkpoint_wanted(const struct session *s) { return s->resume || options_given(&s->options, OPTION_CHECKPOINT); }
/* Before anything is read: options that do not go together. 0, or -1 with err. */
int check_checkpoint_sensible(struct session *, struct err *);
/* The model is there, `setup` says what is asked: `own` is made, or what is gone on with is checked to be of the same files. 0, or -1 with session->err. */
int check_checkpoint_open(struct checkpoint *own, struct session *, const struct run_setup *);
/* The check that resume goes on with: options and model of the checkpoint, then those of the command line. 0, or -1 with session->err. */
int check_checkpoint_options(struct session *, struct checkpoint *);
/* The run is over, but something that it was to write could not be: the checkpoint stays, and that is said if there is one. */
void check_checkpoint_stays(const struct session *, const struct checkpoint *, const struct verdict *);

/* cmd_check.c: the command itself; and an answer where nothing can be run, for the reason in session->err. The exit code. */
int check_command(struct session *);
int check_no_run(struct session *);

#endif
