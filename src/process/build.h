/* build.h -- from C text to code that runs: the compiler in the background, a cache of its results, loading.
 *
 * The object's name in the cache is a hash of the text and of how it is compiled, so equal programs share one and nothing is ever
 * out of date.  It is made under another name and renamed, so two runs that start together at worst both compile.  Where the cache
 * cannot be used, the object is made in a temporary folder and unlinked once it is loaded.  Text that is not all ours (embedded.c)
 * may include files and is never cached. */
#ifndef PROCESS_BUILD_H
#define PROCESS_BUILD_H

#include "process/machine.h"

enum build_state { BUILD_NONE, BUILD_RUNNING, BUILD_READY, BUILD_FAILED };

struct build {
  enum build_state state;
  long child; /* process id of the compiler */
  char folder[520];                           /* of this compilation alone, with what the compiler leaves lying about */
  int held;                                   /* 1 + the descriptor that keeps others from taking the folder for one of a dead run; 0 = none */
  char source[544], object[544], cached[512]; /* cached "" = no cache */
  void *library;
  const struct runtime_code *code;
  double started, seconds;
  int from_cache;
  char why[300];   /* BUILD_FAILED: in words */
  char told[16000]; /* what the compiler wrote to its standard error, from the beginning */
  int told_by;     /* the file it writes to, as long as it runs */
};

/* Generates and either loads the object from the cache or starts the compiler. */
void build_start(struct build *, const struct shape *, struct mem *);
/* Compiles a text with its own flags (NULL-terminated), waits, and loads the object, past the cache. */
void build_once(struct build *, const char *text, size_t length, const char *const *flags, struct mem *);
/* Looks after the compiler without waiting. */
void build_poll(struct build *, const struct shape *);
/* Waits for it, at most that many seconds, until *interrupt (NULL = none) is set. */
void build_wait(struct build *, const struct shape *, double seconds, const volatile int *interrupt);
void build_close(struct build *); /* stops a compiler that still runs */

#endif
