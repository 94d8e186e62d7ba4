/* implied.h -- places whose markings follow from those of others.
 *
 * A phone that is idle has no dial tone, every fork is on the table or in a hand: most nets have linear place invariants, and what they imply need not stand in a state.  A cell is a
 * colour of a place; the tokens of an implied place are
 *
 *   tokens(cell)  =  constant  +  sum of weight * tokens(other cell)        for other cells of places that are kept
 *
 * with whole numbers as weights.  An implied place has no bits in a state and no table of moves; its marking is computed when a transition looks at it.
 *
 * Why it is true: it holds in the initial marking, and each binding is asked, when it is made, whether its effect keeps it (`implied_judge`).  One that does not is marked, and if it ever
 * happens the model widens: the place that it contradicts is kept from then on.  So what was learnt from a walk may be wrong about the rest of the net and costs time only.
 *
 * Which places are implied is decided once (implied_learn.c); a place may be kept again later, never the other way round, since bindings that have been forgotten were not asked. */
#ifndef COLOUR_IMPLIED_H
#define COLOUR_IMPLIED_H

#include "colour/net.h"

#define IMPLIED_NONE UINT32_MAX

struct bind;
struct bind_node;

struct implied_term {
  uint32_t cell; /* of the implied place, from 0 */
  int32_t weight;
};

struct implied_place {
  uint32_t first, cells; /* in implied.value, sorted by value */
  uint8_t dropped;       /* it has no field now */
  uint8_t old;           /* nor had it in the layout before, while states are converted */
  uint8_t broken;        /* a binding that happens contradicts it */
  uint8_t loose;         /* its field is as wide as it may ever need: nobody knew how many markings the states have */
  uint32_t sources;      /* what follows: only of places that were implied at the beginning */
  uint32_t *source;
  int64_t *constant;     /* per cell of its own */
  uint32_t *start;       /* per cell of the net: its first term; one more at the end */
  struct implied_term *term;
  uint32_t slice, slices, old_slices; /* fields of its slices (slice.h): then it implies itself; in the layout before */
  uint16_t *slice_of;                 /* per cell of its own */
};

struct implied {
  struct mem *mem;
  const struct net *net;
  struct implied_place *place;
  uint32_t *value;  /* per cell of the net */
  uint32_t cells;
  uint32_t values;  /* numbers of values that have cells: smaller than this */
  uint32_t *cell;   /* [place * values + value] */
  uint32_t most;    /* cells of the largest implied place */
  uint32_t dropped; /* places */
  int before;       /* numbers are those of the layout before: while states are converted */
  int64_t *sum;     /* scratch: `most` of them; under the lock (shelf.h) */
};

/* For the number of a marking: `most` sums, and numbers of fields. */
struct implied_scratch {
  int64_t *sum;
  uint32_t *number;
  bag_words made; /* of the net's memory */
};

/* Learns from the bindings that are known. 0; -1: memory, or too much work; there are no implied places then. */
int implied_learn(struct implied *, const struct net *, const struct bind *, struct mem *);
void implied_close(struct implied *);

static inline int implied_has(const struct implied *i, uint32_t place) { return i->dropped && i->place[place].dropped; }
/* The fields that stand for a source: its slices, or itself. */
static inline uint32_t implied_parts(const struct implied *i, uint32_t source, uint32_t *first) {
  const struct implied_place *p = &i->place[source];
  uint32_t slices = i->before ? p->old_slices : p->slices;
  *first = slices ? p->slice : source;
  return slices ? slices : 1;
}
static inline uint32_t implied_cell(const struct implied *i, uint32_t place, uint32_t value) {
  return value < i->values ? i->cell[(size_t)place * i->values + value] : IMPLIED_NONE;
}
/* The tokens of a place that has expressions, per cell, from the markings of the others. In markings that can be reached none is negative. */
void implied_sums(const struct implied *, uint32_t place, const uint32_t *number, int64_t *sum);
/* They as a bag; 0, BAGS_NONE, BAGS_LACKS (negative) or BAGS_MANY. */
uint32_t implied_bag(const struct implied *, uint32_t place, const int64_t *sum, bag_words *out);
/* The number of the place's marking; scratch->number has those of the others. BAGS_NONE: memory, or as above. */
uint32_t implied_number(const struct implied *, uint32_t place, struct implied_scratch *);
/* A binding that happens contradicts what is said of the place. */
static inline void implied_breaks(const struct implied *i, uint32_t place) { __atomic_store_n(&i->place[place].broken, 1, __ATOMIC_RELAXED); }
/* Of a bag of a place that is cut what belongs to one of its slices, counted from 0. 0, 1: there is a colour that has no cell (it is left out), -1: memory. */
int implied_part(const struct implied *, uint32_t place, uint32_t slice, struct bag, bag_words *out);
/* Does a binding keep what is said of the place? */
int implied_judge(const struct implied *, const struct bind *, const struct bind_node *leaf, uint32_t place);

#endif
