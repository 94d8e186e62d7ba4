/* closing.h -- steps of which every cycle of states has one, told by transitions and by the values of counters. */
#ifndef PROCESS_CLOSING_H
#define PROCESS_CLOSING_H

#include "process/footprint.h"

enum closing_kind {
  CLOSES_NOTHING,
  CLOSES_BY_COMM,  /* the transition itself, a communication, closes a loop */
  CLOSES_BY_VALUE, /* it does unless it makes its counter greater than it was (of one that counts down: less) */
  CLOSES,
};

struct closing {
  struct mem *mem;
  uint8_t *kind;      /* per transition: a step that begins with it may close a loop */
  int8_t *direction;  /* per transition that closes by value: 1 = its counter goes up, -1 = down */
  int endless;        /* an atomic sequence may go round for ever */
};

int closing_open(struct closing *, const struct footprints *, struct mem *); /* 0 or -1 (memory) */
void closing_close(struct closing *);                                       /* a zeroed one is fine */
/* A step that begins with a transition of the kind CLOSES_BY_VALUE in the process of a slot: does it close a loop? */
int closing_by_value(const struct closing *, const struct footprints *, struct machine *, uint32_t slot, uint32_t trans);

#endif
