/* packing.h -- how a marking becomes bits.
 *
 * A plan decides, before any bit is placed, what has to be kept:
 *
 *   constant places   nothing ever changes them: no bits;
 *   implied places    follow from kept ones by a P-flow (rank.h): no bits;
 *   cells             sets of places of which at most one is marked, by one token: a code of
 *                     ceil(log2(n + 1)) bits (NUPN units; semiflows of weight and value one);
 *   single places     a number in as many bits as their bound needs.
 *
 * Several plans are tried (by rank alone, by units, by semiflows, mixed) and the one with the
 * fewest bits wins. */
#ifndef NET_PACKING_H
#define NET_PACKING_H

#include "net/invariants.h"
#include "net/pt.h"
#include "net/rank.h"
#include "net/structure.h"

enum place_kind { PLACE_CONSTANT, PLACE_IMPLIED, PLACE_CELL, PLACE_SINGLE };

struct cell { /* of plan->member; a single place is a cell of one with single = 1 */
  uint32_t first, count;
  uint8_t single;
  uint8_t declared; /* exclusive because the file says so: must be checked while firing */
};

struct plan {
  struct mem *mem;
  unsigned users; /* layouts that refer to it */
  uint32_t bits;  /* sum of field widths */
  uint8_t *kind;  /* enum place_kind per place */
  uint32_t cells;
  struct cell *cell;
  uint32_t *member; /* kept places, cell by cell */
  /* implied place p: divisor[p] * (m(p) - m0(p)) = sum over term[term_start[p] .. term_start[p+1]) */
  size_t *term_start;
  struct rank_term *term;
  int32_t *divisor;
};

struct packing_setup {
  const struct pt_net *net;
  const struct structure *structure;
  const struct flows *semiflows; /* may be NULL */
  const uint32_t *width;         /* bits of each place if it is kept as a number */
  int use_units;                 /* NUPN may be relied on (the engine checks as it fires) */
  int rough;                     /* any plan will do, quickly: everything is kept */
};

int plan_make(struct plan **out, const struct packing_setup *, struct mem *, struct err *);
void plan_close(struct plan *);

#endif
