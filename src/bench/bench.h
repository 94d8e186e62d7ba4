/* bench.h -- the door: runs a suite and keeps its results.
 *
 * Every task once, then every task again, and so on: what disturbs the machine for a while hits all alike.  Within a round the ways of a model follow each other, and the first of them is another in each round.  A task that
 * reached a limit or failed is not repeated.  Results are kept one by one; a bench that ended early goes on where it was.
 *
 * Rooms above give the suite's host, a listener and a place for results; nothing here prints. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench/database.h"

enum bench_news {
  BENCH_BEGINS, /* the run has its number; text: a note if it goes on with an earlier one */
  BENCH_TASK,   /* a task is about to run */
  BENCH_DONE,   /* it has */
  BENCH_SKIP,   /* it cannot: a missing program, an absent model; text says why */
  BENCH_BAD     /* wrong, failed or stopped by a limit; text says how */
};

struct bench_event {
  enum bench_news news;
  int64_t run;
  const struct suite_task *task;
  const struct measurement *result; /* BENCH_DONE */
  const char *text;
  size_t done, all;  /* runs of tasks */
  int repetition;
  double left;       /* seconds, guessed from earlier runs; NAN: nobody knows */
};

struct bench {
  const struct suite *suite;
  struct database *database;
  const char *program, *label, *version;
  int fresh; /* do not go on with an earlier run */
  const char *only; /* an extended regular expression for "model way"; NULL: all */
  const volatile int *interrupt;
  void (*hear)(void *context, const struct bench_event *);
  void *context;
  struct mem *mem;
  /* afterwards */
  int64_t run;
  size_t wrong, failed, stopped, skipped; /* tasks */
  int interrupted;
};

/* 0: the suite was run to its end, or interrupted. -1 with err: the machine or the database refused. */
int bench_run(struct bench *, struct err *);

struct bar_verdict {
  const struct suite_bar *bar;
  double value; /* NAN: nothing to judge */
  size_t models, left_out; /* left_out: something went wrong in a repetition, or there is no figure */
  int missed;
};
/* Judges one bar of the suite by the results. */
void bench_judge_bar(struct bar_verdict *, const struct suite_bar *, const struct results *);

#endif
