/* embedded.h -- C inside a model: compiled at the start, run on behalf of a process.
 *
 * Only for programs that use C.  It is one object with static memory, so one thread at a time. */
#ifndef PROCESS_EMBEDDED_H
#define PROCESS_EMBEDDED_H

#include "process/machine.h"
#include "process/text_out.h"

struct embedded;

/* What of C memory is part of the state. */
struct embedded_item {
  uint32_t scope;
  const char *name; /* borrowed */
  struct place_in_text place;
  uint32_t part; /* c_track: its index; UINT32_MAX: all c_state of the scope, side by side */
  uint32_t decl; /* of its cells; 0 = it has none */
};

/* Compiles the C of a finished program, unless it is not allowed (err says so at the first C of the text), declares cells
   for the C memory that is part of the state, and finishes the program again. */
int embedded_open(struct embedded **out, struct program *, struct mem *, struct err *);
void embedded_close(struct embedded *); /* NULL is fine */

/* The scope begins to live: its c_state members get their first values, which C computes in the state as it is then. A process has its
   parameters and variables already; globals (scope 0, any slot) come after the processes of the start, as in SPIN's verifier. */
void embedded_begin(struct runtime *, uint32_t scope, uint32_t slot);
/* A c_code: 0 = its precondition is false (told as a fault). A c_expr: its value. */
int embedded_run(struct runtime *, uint32_t slot, uint32_t part);
int32_t embedded_value(struct runtime *, uint32_t slot, uint32_t part);

/* embedded_text.c: the text for the compiler. */
void embedded_text(struct text_out *, const struct program *, const struct embedded_item *, uint32_t items);
/* Is that c_state of this scope ("Global" is 0), and not hidden? */
int embedded_state_of(const struct program *, const struct ir_c *, uint32_t scope);
int embedded_state_hidden(const struct ir_c *);

#endif
