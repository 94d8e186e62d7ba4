/* keep.h -- a search by several processes that can be gone on with: each rank writes a journal of its own (search/journal.h).
 *
 * Which rank finds a state first, and what number it gets there, is chance.  So a journal holds the states of its rank themselves, in order of their numbers, and where each came from; whoever goes on
 * puts them back in that order, and numbers, back edges and the queue are what they were.  As long as there are as many ranks, none reads what another has written; otherwise see keep_resettle.c.
 *
 *   RANK  set | rank | ranks | portable | bytes of a form | what words mean (layout_sign) | forms that made the layout wide: number, bytes, | length | form | ...
 *   MINE  first number | states | bytes | packed bytes | packed:  | rank + 1 | distance from the number before | edge | portable: length | form |  for each state
 *
 * Numbers have 7 bits a byte.  Forms are those in which states travel (exchange.h); words stand as differences from the state before, so that squeeze.h finds much to leave out.  One rank alone writes portable forms:
 * it widens as it likes.  States that travel as words belong to ranks by their words, so the layout must be that of then: it is made from the same states, which stand in RANK, and is held against what words meant.
 *
 * All ranks note a moment at the end of the same layer: rank 0 says when, since only it looks at the clock.  What a run that ends in the middle of a layer has done in it is done again.  Between two notes lies a
 * fiftieth of the time that has passed, and NOTED seconds at most; notes survive a program that is killed, and those of every --checkpoint-every also a machine. */
#ifndef MPI_KEEP_H
#define MPI_KEEP_H

#include "base/squeeze.h"
#include "base/vec.h"
#include "mpi/exchange.h"
#include "search/journal.h"

struct keep {
  struct journal *journal; /* NULL = nobody wants to go on */
  struct squeeze squeeze;
  uint8_t *raw, *packed, *before; /* a block; the form before */
  size_t used, room, packed_room, before_room;
  uint64_t first, number; /* of the block; where the state before came from */
  uint32_t count;
  struct vec(uint8_t) wide; /* | length | form | ... of states that made the layout wide */
  uint64_t wides;
  double noted, took; /* when, and how long */
  int again_portable; /* the forms of what is gone on from */
  uint64_t done;      /* so many of the states that are put back were expanded */
  struct resettle *map; /* other ranks than then: what states are called now (keep_resettle.c) */
};

/* A state as a journal has it. */
struct keep_told {
  uint64_t number;
  const uint8_t *form;
  size_t bytes;
  struct exchange_origin from; /* as the ranks of then are called; rank UINT32_MAX = the initial state */
};

enum { KEEP_NOT, KEEP_NOTE, KEEP_SURE }; /* what is to be done at the end of a layer */

/* Together, when journals have been created or opened: those that go on do so from the last moment that all of them have. -1 with err, the same on all: there is none, or they are not of one set. */
int keep_same_moment(struct ranks *, struct journal *, struct err *);

/* ---- writing: keep.c ---- */
void keep_open(struct keep *, struct search *);
void keep_close(struct keep *, struct search *);
void keep_state(struct search *, const uint32_t *words, const struct exchange_origin *from); /* a new one of this rank; NULL = the initial one */
void keep_wide(struct search *, const uint32_t *words); /* all ranks widen by this state, and begin anew */
void keep_anew(struct search *);                        /* the search begins anew */
int keep_wish(const struct search *);                   /* rank 0: KEEP_NOT, ...; others KEEP_NOT */
int keep_failed(const struct search *);                 /* nothing can be written here */
uint64_t keep_bytes(const struct search *);               /* of the file, so far */
void keep_note(struct search *, int how, uint64_t states, uint64_t bytes); /* the last two: of all ranks */
void keep_give_up(struct search *);                     /* some rank has failed */
void keep_end(struct search *, int limit);              /* the search is over; `limit`: what was noted is what can be gone on with */

void keep_begin_block(struct keep *);                    /* which knows nothing of the one before */

/* ---- reading: keep_again.c ---- */
static inline int keep_resuming(const struct search *s) { return s->journal && (s->journal->resuming || s->journal->past); }
/* The layout of then. Not together. 0, or -1 with stop set. */
int keep_layout(struct search *);
/* All states of this rank are put back. Not together. 0, or -1: the exchange stops. */
int keep_restore(struct search *);
/* All states of a journal, in order; `hear` returns 0; -1: no more, stop is set; EXCHANGE_UNREADABLE: it is no state. 0, or -1 with stop set. */
int keep_each(struct search *, struct journal *, int (*hear)(struct search *, void *context, const struct keep_told *), void *context);

/* ---- other ranks than then: keep_resettle.c ---- */
/* Opens the journals of all those that there were, at the last moment that all of them have. Not together. 0, or -1 with err. */
int keep_open_past(struct journal *, unsigned self, unsigned count, struct err *);
/* As keep_restore, from all of them. */
int keep_resettle(struct search *);
/* When all have done so, and parts of the journal are told: what was found comes to those who own the states now, and the journals of then are closed. Not together. 0, or -1 with stop set. */
int keep_resettled(struct search *);
void keep_forget_map(struct search *);

#endif
