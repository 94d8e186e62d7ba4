/* rank.h -- which places follow from which others.
 *
 * A place follows from a set of places if its row of the incidence matrix is a combination of
 * theirs: then m(p) = m0(p) + sum c_i (m(s_i) - m0(s_i)) / d in every reachable marking, and p
 * needs no bits.  Places are added one by one; the caller chooses the order and so which places
 * are significant. */
#ifndef NET_RANK_H
#define NET_RANK_H

#include "net/pt.h"

struct rank;

struct rank_term {
  uint32_t place;
  int32_t factor;
};

enum rank_answer {
  RANK_INDEPENDENT, /* the place is significant; later ones may follow from it */
  RANK_FOLLOWS,     /* rank_formula tells how */
  RANK_UNKNOWN,     /* effort, memory or number range ended: treat as significant */
};

/* dead: transitions to leave out. effort: multiplications allowed in all, 0 = no limit. 0, or -1: memory. */
int rank_open(struct rank **out, const struct pt_net *, const uint8_t *dead, struct mem *, uint64_t effort);
enum rank_answer rank_add(struct rank *, uint32_t place);
/* After RANK_FOLLOWS: the terms (borrowed until the next call) and the divisor. */
const struct rank_term *rank_formula(const struct rank *, size_t *count, int32_t *divisor);
uint64_t rank_effort(const struct rank *); /* spent so far */
void rank_close(struct rank *);

#endif
