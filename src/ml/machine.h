/* machine.h -- the inside of machines, for the library. */
#ifndef ML_MACHINE_H
#define ML_MACHINE_H

#include "ml/code.h"
#include "ml/heap.h"
#include "ml/references.h"

struct ml_frame { /* who is waiting for the result */
  const struct ml_function *function;
  const struct ml_word *next;
  ml_value closure;
  size_t base;
};

struct ml_handler {
  size_t frames, base;
  const struct ml_function *function;
  const struct ml_word *next;
  ml_value closure;
  uint16_t into;
};

struct ml_machine {
  struct ml *ml;
  struct mem *mem;
  struct ml_heap *heap;
  ml_value *stack;
  size_t room, top; /* top: where the window of the next run begins */
  struct vec(struct ml_frame) frames;
  struct vec(struct ml_handler) handlers;
  const ml_value *variable;
  int64_t now;
  uint64_t limit;
  int64_t left;          /* steps; below zero: too many */
  int64_t runs;          /* the number of the run, which is written into references that it makes */
  ml_value reference[ML_REFERENCES]; /* of the net that change (references.h): what they hold in this run, if that was said in it */
  int64_t said[ML_REFERENCES];       /* the number of the last run in which it was */
  ml_value exception;    /* what was raised */
  uint32_t raised_by;    /* the library function that did; ML_LIBS = none */
  const char *raised_in; /* the function that ran then; NULL = none that has a name */
  enum ml_answer answer; /* of the last run */
  unsigned nested;       /* runs within runs: predicates of subsets */
  struct ml_tape *tape;  /* chance.h; NULL = nothing may be drawn */
  const char *complaint; /* why ML_STEPS; NULL = the usual */
  char fault[200];
};

/* For library functions: `return ml_raise(...)`. */
enum ml_answer ml_raise(struct ml_machine *, uint32_t exception, ml_value argument);
/* The work of so many elements; not ML_OK: too much. */
static inline enum ml_answer ml_work(struct ml_machine *m, uint64_t elements) {
  m->left -= (int64_t)(elements / 8);
  return m->left < 0 ? ML_STEPS : ML_OK;
}
enum ml_answer ml_choose(struct ml_machine *, uint64_t ways, int64_t *out); /* chance.c: a number below `ways`, which is at least 1; ML_STEPS: told */
enum ml_answer ml_equal(struct ml_machine *, ml_value, ml_value, int *equal);                  /* ML_STEPS: too deep */
enum ml_answer ml_machine_run(struct ml_machine *, const struct ml_function *, ml_value *out); /* run.c */
enum ml_answer ml_execute(struct ml_machine *, const struct ml_function *, ml_value *out);

#endif
