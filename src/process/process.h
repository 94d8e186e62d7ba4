/* process.h -- the door of the room: a program (program.h) becomes a model. */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "model/model.h"
#include "process/program.h"

/* Takes the program over, also when it fails. 0, or -1 with err. */
int process_open(struct model **out, struct program *, struct mem *, struct err *);

/* How its statements run. PROCESS_AUTO begins with the interpreter and goes over to compiled code in the middle of a run
   that lasts; PROCESS_COMPILED waits for the compiler at the start. */
enum process_engine { PROCESS_AUTO, PROCESS_INTERPRETER, PROCESS_COMPILED };
/* Before a search. Waits for the compiler at most that many seconds (0 = as long as is reasonable) and not when *interrupt (NULL =
   nobody interrupts) is set. 0; -1: not a model of this room, or there is no compiled code to be had (see process_engine_why): the
   interpreter runs then. */
int process_choose_engine(struct model *, enum process_engine, double seconds, const volatile int *interrupt);
/* What runs now: "interpreter" or "compiled"; how long the compiler took (0 = it did not run); why there is no compiled code. */
const char *process_engine_name(const struct model *);
double process_compile_seconds(const struct model *);
const char *process_engine_why(const struct model *);

/* The program behind a model of this room; NULL if it is none. */
const struct program *process_program(const struct model *);

/* ---- channels apart from all the rest (fifo.c) ---- */
struct process_queue {
  uint32_t number; /* of the channel, in the order of creation */
  uint32_t fields, length, declared;
  size_t first; /* its messages: content[first ..), `fields` cells each */
};
struct process_fifo {
  struct mem *mem;
  const struct model *model;
  const int32_t *cell; /* the image that was taken apart last: the cursor's, or `image`, where the definition's values came from */
  uint32_t cells;
  struct vec(int32_t) image;
  struct vec(int32_t) control; /* every cell that is not in a channel */
  struct vec(struct process_queue) queue; /* buffered channels */
  struct vec(int32_t) content;
};
void process_fifo_open(struct process_fifo *, const struct model *, struct mem *);
void process_fifo_close(struct process_fifo *);
/* Takes a packed state, or values as the definition has them, apart. 0, or -1: memory. */
int process_fifo_state(struct process_fifo *, struct model_cursor *, const uint32_t *state);
int process_fifo_values(struct process_fifo *, const int64_t *values, uint32_t vars);
/* What people call a channel of the state that was taken apart last. */
void process_queue_name(const struct process_fifo *, size_t queue, char *out, size_t room);

#endif
