/* database.h -- results in an SQLite file: runs, their tasks, a row for each repetition.
 *
 * Each result is one transaction, so a bench that is killed has lost the run that was under way and nothing else.  A run remembers the hash of its suite and of the program: it can be
 * gone on with as long as both are the same and nobody else is at it. The schema is in doc/bench.md. */
#ifndef BENCH_DATABASE_H
#define BENCH_DATABASE_H

#include "bench/machine.h"
#include "bench/results.h"

struct database;

/* $XDG_DATA_HOME/thimble/thimble.db, or below ~/.local/share. 0, or -1: no home. */
int database_default(char *out, size_t room);
/* `create`: makes it and its folders where missing. */
int database_open(struct database **, const char *file, int create, struct mem *, struct err *);
void database_close(struct database *); /* NULL is fine */

struct database_run {
  const struct suite *suite;
  const char *label, *version, *program;
  const struct machine *machine;
};
/* A new run; its tasks are added one by one. */
int database_begin(struct database *, const struct database_run *, int64_t *id, struct err *);
int database_add_task(struct database *, int64_t run, size_t number, const struct suite_task *, const char *tool_version, const char *command, struct err *);
/* The newest run of the same suite and program that was not finished and that no living process is at; *id = 0: none. */
int database_unfinished(struct database *, const struct database_run *, int64_t *id, struct err *);
int database_take(struct database *, int64_t run, struct err *); /* this process is at it now */
int database_add_result(struct database *, int64_t run, size_t task, int repetition, const struct measurement *, struct err *);
int database_finish(struct database *, int64_t run, struct err *);
int database_transaction(struct database *, int begin, struct err *); /* many tasks at once */

/* Repetitions that are there: told one by one. */
typedef int database_told(void *context, size_t task, int repetition, enum outcome, double wall, const char *message);
int database_each(struct database *, int64_t run, database_told *, void *context, struct err *);
/* How long a task took the last time, in any run of this suite; NAN: never. */
double database_last_wall(struct database *, const char *suite, const char *model, const char *way);

/* A number, last, last~N (of the suite of the last one), a label, a version, or the name of a suite: the newest that fits. `like`: prefer runs of the suite of this run, 0 = any. */
int database_find(struct database *, const char *name, int64_t like, int64_t *id, struct err *);
int database_load(struct database *, int64_t run, struct results *, struct mem *, struct err *);
int database_remove(struct database *, int64_t run, struct err *);

struct database_line { /* for list */
  int64_t id, tasks, results, wanted;
  const char *suite, *label, *version, *build, *started, *host;
  int finished;
  int64_t wrong;
};
typedef int database_listed(void *context, const struct database_line *);
int database_list(struct database *, database_listed *, void *context, struct err *);

#endif
