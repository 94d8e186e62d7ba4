/* footprint.h -- what the statements of a process touch, as sets of bits that can be held against each other.
 *
 * Each thing that processes share has bits that tell how it is touched:
 *
 *   a cell of a global variable      read, written
 *   a channel, by its number         its tail (sends), its head (receives), all of it (len, polls, whatever depends on a communication being impossible);
 *                                    of a rendezvous: somebody who may receive moves, somebody sees whether one is ready
 *   the set of processes             one is made, one dies, one looks who is there
 *   the inside of a process type     looked at (P@label, P:x), changed (every step of such a process, if anybody looks)
 *   everything                       what is not understood better
 *
 * A footprint is a pair of sets: what is used, and against what it stands: two pieces of behaviour may be in each other's way only if what one stands against
 * is used by the other.
 *
 * Footprints are those of a process, not of its type: parameters and other locals that nobody writes keep their values as long as it lives, so that channels and elements of arrays that are chosen by
 * them are known. */
#ifndef PROCESS_FOOTPRINT_H
#define PROCESS_FOOTPRINT_H

#include "process/machine.h"

enum { TOUCH_ANY, TOUCH_ALL, TOUCH_RUN, TOUCH_END, TOUCH_COUNT, TOUCH_FIRST }; /* the first bits: a step at all, everything, the set of processes */

/* What footprints have in common: of a program, and where its bits are. */
struct footprints {
  const struct program *p;
  const struct shape *shape;
  struct mem *mem;
  uint32_t insides, vars, chans; /* first bits */
  uint32_t cells, channels;      /* units of variables; the highest number of a channel */
  uint32_t words;                /* 64-bit words of a set */
  int by_cell;                   /* units are cells; otherwise declarations */
  int relays;                    /* an atomic sequence may hand over to another process */
  int fails;                     /* some statement can go wrong, beside assertions */
  uint8_t *fixed;                /* per declaration: keeps its first value as long as its scope lives */
  uint32_t *fixed_first, *fixed_cell; /* cells of a process type that are: fixed_cell[fixed_first[type] .. fixed_first[type + 1]) */
  uint8_t *watched;              /* per process type: somebody looks at its inside */
  uint8_t *heavy;                /* per transition: it touches what processes share */
  uint64_t *of_type;             /* per process type: what such a process, and those that it makes, may ever use */
};

/* A communication of a control state whose footprint depends on how full its channel is. */
struct footprint_comm {
  ir_expr chan;  /* to be evaluated in its process */
  ir_expr guard; /* likewise; 0 = none, or not one of the process alone */
  int sends;
};

/* A transition that stands against something only while a condition on the process's own variables is true: otherwise it stays impossible until the process moves. */
struct footprint_guarded {
  ir_expr guard;
  uint64_t *against;
};

/* The footprints of one process: sets for each of its control states. */
struct footprint {
  uint32_t type, slot, first_chan;
  int32_t *fixed; /* values of its fixed cells, as many as the type has */
  uint64_t *now, *against, *ever; /* of what it can do there: used, stood against; used from there on */
  uint64_t *guarded_sets;
  struct vec(struct footprint_comm) comms; /* by state, ascending; comm_first: per state, and one more */
  struct vec(struct footprint_guarded) guarded;
  uint32_t *comm_first, *guarded_first;
};

/* 0; 1: the program is one in which everything hangs together (priorities, C, a heap, ...); -1: memory. */
int footprints_open(struct footprints *, const struct shape *, struct mem *);
void footprints_close(struct footprints *); /* a zeroed one is fine */
/* Of the process in a slot of the machine. 0 or -1 (memory). */
int footprint_open(struct footprint *, const struct footprints *, struct machine *, uint32_t slot);
void footprint_close(struct footprint *, const struct footprints *);
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
