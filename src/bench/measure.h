/* measure.h -- one run of one task: the command line, the process, what it said, whether that is what is known.
 *
 * A workshop is the scratch folder of a bench with what is made once: generated models, prepared programs, versions of tools. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/process.h"
#include "bench/suite.h"

/* OK: as expected. WRONG: differs from what is known. TIME, MEMORY: killed at the suite's limit. INCOMPLETE: it says itself that it did not get through. FAILED: no result.
   MISSING: the program is not installed. ABSENT: the model is not there. */
enum outcome { OUTCOME_OK, OUTCOME_WRONG, OUTCOME_TIME, OUTCOME_MEMORY, OUTCOME_INCOMPLETE, OUTCOME_FAILED, OUTCOME_MISSING, OUTCOME_ABSENT };
extern const char *const outcome_names[]; /* NULL-terminated */

struct measurement {
  enum outcome outcome;
  int interrupted, exit_code;
  double wall, cpu, search;          /* seconds; NAN: not known */
  uint64_t resident, rss, held, store; /* bytes; 0: not known. resident: the largest resident set, as the program tells it, else rss: as the system counted it */
  char verdict[32];
  int64_t figure[SUITE_FIGURES]; /* -1: not known */
  char *figures;                 /* everything that was told, JSON; free() it */
  char message[400];
};

struct workshop {
  const struct suite *suite;
  const char *program;  /* this thimble */
  char folder[256];     /* scratch */
  struct mem *mem;
  struct workshop_model { /* by number of the source */
    int made;             /* 1: there, -1: not */
    const char *file;
    char why[300];
  } *models;
  struct workshop_tool {
    int known; /* 1: there, -1: missing */
    char version[120];
  } *tools;
  int8_t *prepared; /* by task: 1, or -1 */
  struct arena arena;
  const volatile int *interrupt;
};

int workshop_open(struct workshop *, const struct suite *, const char *program, const volatile int *interrupt, struct mem *, struct err *);
void workshop_close(struct workshop *); /* removes the folder */
/* "" for this thimble. NULL: the tool is missing. */
const char *workshop_version(struct workshop *, const struct suite_tool *, struct err *);
/* The words of the command line of a task, NULL-terminated, in `out`; NULL with message. The file stands for models that are not there yet. */
const char **task_words(struct workshop *, const struct suite_task *, const struct suite_words *command, const char *file, struct arena *out, char *message, size_t room);
const char **task_command(struct workshop *, const struct suite_task *, const char *file, struct arena *out, char *message, size_t room);

/* 0, or -1 with err where the machine refuses. */
int measure(struct measurement *, struct workshop *, size_t task, struct err *);

#endif
