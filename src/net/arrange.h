/* arrange.h -- from a net to a layout: what is proven, what is declared, what is guessed.
 *
 * Structure and semiflows bound places; a declaration (NUPN) promises one-safe units; a random walk shows how full the
 * other places get.  From these come widths, from widths a plan (packing.h), from a plan a layout (layout.h).  When
 * a value does not fit after all, the arrangement learns from it and gives a wider layout. */
#ifndef NET_ARRANGE_H
#define NET_ARRANGE_H

#include "net/invariants.h"
#include "net/layout.h"
#include "net/packing.h"
#include "net/structure.h"

struct arrangement {
  struct mem *mem;
  const struct pt_net *net;
  struct structure structure;
  struct flows semiflows;
  uint32_t *proven; /* per place: bound, PT_NONE = none known */
  uint32_t *width;  /* per place: bits if kept as a number */
  int use_units;    /* units and one-safeness are declared and not yet refuted */
  uint64_t layouts; /* made so far */
};

int arrange_open(struct arrangement *, const struct pt_net *, struct mem *, struct err *);
void arrange_close(struct arrangement *); /* a zeroed one is fine */
/* Bounds learnt from elsewhere, PT_NONE = none; the next layout uses them. */
void arrange_bounds(struct arrangement *, const uint32_t *bounds);
/* A layout for what is known now. */
int arrange_layout(struct arrangement *, struct layout **out, struct err *);
/* A layout in which `tokens` fit on `place` (PT_NONE: a declared unit has more than one token). -1 with err: memory, or a count
   beyond 2^31-1. */
int arrange_wider(struct arrangement *, const struct layout *now, uint32_t place, int64_t tokens, struct layout **out,
                  struct err *);
/* The layout of another arrangement of the same net, of which this is what was chosen: 0, or -1 with err: it cannot be made from what is known here, or memory. */
int arrange_again(struct arrangement *, const struct layout *now, int use_units, const uint32_t *width, struct layout **out, struct err *);

#endif
