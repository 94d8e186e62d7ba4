/* footprint.h -- what the statements of a process touch, as sets of bits that can be held against each other.
 *
 * Each thing that processes share has bits that tell how it is touched:
 *
 *   a cell of a global variable      read, written
 *   an object on the heap            read, written: by its number modulo the number of units
 *   a channel, by its number         its tail (sends), its head (receives), all of it (len, polls, whatever depends on a communication being impossible);
 *                                    of a rendezvous: somebody who may receive moves, somebody sees whether one is ready
 *   the set of processes             one is made, one dies, one looks who is there
 *   the inside of a process type     looked at (P@label), changed (every step of such a process, if anybody looks)
 *   a variable of a process type     looked at from outside (P:x), changed
 *   everything                       what is not understood better
 *
 * A footprint is a pair of sets: what is used, and against what it stands: two pieces of behaviour may be in each other's way only if what one stands against
 * is used by the other.
 *
 * Footprints are those of a process, not of its type: parameters and other locals that nobody writes keep their values as long as it lives, so that channels and elements of arrays that are chosen by
 * them are known, and so are objects that such a pointer leads to: their numbers may change from state to state, but for all who have them alike. */
#ifndef PROCESS_FOOTPRINT_H
#define PROCESS_FOOTPRINT_H

#include "process/machine.h"

/* The first bits: a step at all, everything, the set of processes; what may go wrong: nothing stands against that. */
enum { TOUCH_ANY, TOUCH_ALL, TOUCH_RUN, TOUCH_END, TOUCH_COUNT, TOUCH_ASSERT, TOUCH_MISHAP, TOUCH_FIRST };

/* What footprints have in common: of a program, and where its bits are. */
struct footprints {
  const struct program *p;
  const struct shape *shape;
  struct mem *mem;
  uint32_t insides, remotes, vars, chans; /* first bits */
  uint32_t cells, channels;      /* units of variables; the highest number of a channel */
  uint32_t words;                /* 64-bit words of a set */
  int by_cell;                   /* units are cells; otherwise declarations */
  int relays;                    /* an atomic sequence may hand over to another process and from there to a third place */
  uint8_t *inside;               /* per control state: a receive leads here inside a step */
  uint8_t *assured;              /* per transition: where it is not the first of a step, its communication is possible (assured.c) */
  uint8_t *inner;                /* per control state: a transition leads here inside a step */
  uint8_t *fixed;                /* per declaration: keeps its first value as long as its scope lives */
  uint32_t *fixed_first, *fixed_cell; /* cells of a process type that are: fixed_cell[fixed_first[type] .. fixed_first[type + 1]) */
  uint32_t objects;              /* units of objects on the heap, after those of variables */
  int ample;                     /* there is room on the heap for all objects that are ever made: `new` never waits */
  int tame;                      /* channels are handed down only (heirs.c) */
  int blind;                     /* nothing depends on who is which: the end of a process is its own business */
  uint8_t *chan_parts;           /* per process type: the parts that such a process and those that it makes use of channels that it was given */
  uint32_t *remote;              /* per declaration: 1 + its number among those that others look at; 0 = nobody does */
  uint8_t *watched;              /* per process type: somebody looks at its inside */
  uint8_t *heavy;                /* per transition: it touches what processes share */
  uint64_t *of_type;             /* per process type: what such a process, and those that it makes, may ever use */
};

/* A part of a guard: all of them must be true. While it is false, the transition stays impossible until somebody uses what it stands against. */
struct footprint_part {
  ir_expr test;
  uint64_t *against;
};

/* What a transition stands against where a step begins with it. */
struct footprint_trans {
  uint64_t *against;      /* all of the step, but for its own communication if that is `open` */
  uint64_t *channel;      /* what decides which channel it is */
  uint32_t part, parts;   /* of its guard */
  int32_t number;         /* of the channel, where it stays the same as long as the process lives; -1 = it is told by a state */
  uint8_t open, sends;    /* open: what its communication touches depends on how full the channel is */
  uint8_t contains;       /* what its parts stand against it stands against itself, and it does not communicate */
  uint8_t coarse;         /* impossible or not, it stands against all of it */
};

/* The footprints of one process: sets for each of its control states, and for its transitions. */
struct footprint {
  uint32_t type, slot, first_chan;
  uint32_t first;            /* the type's first transition */
  int32_t *fixed;            /* values of its fixed cells, as many as the type has */
  uint64_t *now, *ever;      /* per state: used by what it can do there; used from there on */
  uint32_t serial;           /* for whoever keeps several */
  uint32_t *alike;           /* per state: the first one with the same `ever` */
  uint64_t *sets;            /* of transitions and parts, as many as set_count */
  uint32_t set_count;
  struct footprint_trans *trans;
  struct footprint_part *parts;
};

/* 0; 1: the program is one in which everything hangs together (priorities, C, ...); -1: memory. */
int footprints_open(struct footprints *, const struct shape *, struct mem *);
void footprints_close(struct footprints *); /* a zeroed one is fine */
/* Of the process in a slot of the machine. 0 or -1 (memory). */
int footprint_open(struct footprint *, const struct footprints *, struct machine *, uint32_t slot);
void footprint_close(struct footprint *, const struct footprints *);
/* Is it seen by somebody that the communication of a transition is impossible, wherever in a step it is? Then it depends on the whole channel. */
int footprint_whole(const struct footprints *, uint32_t trans);
/* Is it the footprint of the process that is in this slot now? */
int footprint_fits(const struct footprint *, const struct footprints *, const struct machine *, uint32_t slot);
/* The bits of an expression over globals: a step that uses what it stands against may change its value. */
void footprint_condition(const struct footprints *, ir_expr, uint64_t *used, uint64_t *against);

static inline void footprint_bit(uint64_t *set, uint32_t bit) { set[bit / 64] |= (uint64_t)1 << bit % 64; }
static inline int footprint_has(const uint64_t *set, uint32_t bit) { return set[bit / 64] >> bit % 64 & 1; }
static inline int footprint_meets(const uint64_t *a, const uint64_t *b, uint32_t words) {
  uint64_t both = 0;
  for (uint32_t i = 0; i < words; i++) both |= a[i] & b[i];
  return both != 0;
}
enum { CHAN_TAIL, CHAN_HEAD, CHAN_WHOLE, CHAN_READY /* a receiver comes or goes */, CHAN_ASKS /* whether somebody is ready to receive is seen */, CHAN_BITS };
static inline uint32_t footprint_chan(const struct footprints *f, uint32_t number, uint32_t part) { return f->chans + (number - 1) * CHAN_BITS + part; }

#endif
