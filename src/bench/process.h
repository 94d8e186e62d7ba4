/* process.h -- one program run to its end, or to a limit, in a process group of its own.
 *
 * Measured: wall clock from before the fork until it was waited for, processor time, and the largest resident set as the system counts it for the process and those of its children that
 * it waited for (wait4).  That never tells less than what this process itself holds when it forks: a property of the system.
 *
 * Hard limits: the whole group is killed when the wall clock is over, or when the process holds more than `bytes` (looked at every 20 ms); `address_space` also refuses it more addresses;
 * RLIMIT_CPU ends what escapes. It is killed if this process dies. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct process_setup {
  const char *const *words; /* NULL-terminated; the first is looked up in PATH */
  const char *folder;       /* where it runs */
  const char *out, *errors; /* files for its output; may be the same */
  const char *cache;        /* XDG_CACHE_HOME; NULL: as it is */
  double seconds;           /* 0: no limit */
  uint64_t bytes;
  int address_space;
  const volatile int *interrupt;
};

enum process_end { PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_TIME, PROCESS_MEMORY, PROCESS_INTERRUPTED, PROCESS_MISSING };

struct process_result {
  enum process_end end;
  int code; /* exit code, signal, or errno of PROCESS_MISSING: it could not be run */
  double wall, cpu;
  uint64_t resident;
};

/* -1 with err only where the system refuses to make processes or files. */
int process_run(struct process_result *, const struct process_setup *, struct err *);

#endif
