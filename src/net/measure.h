/* measure.h -- how far a marking is: weights of places that transitions hardly ever lower.
 *
 * With weights w the measure of a marking is w m, and firing t changes it by the offset w C(t), wherever t fires.  Offsets that are never negative make the measure
 * monotone; transitions with a negative one are regress transitions.  Four ways to find weights, each for nets that the others say nothing about:
 *
 *   RANKS      places that exclude each other are the states of a machine: the layers of its components (measure_rank.c)
 *   MONOTONE   the weights with the most positive offsets and no negative one, by linear programming (measure_lp.c)
 *   OFFSETS    offset 1 for a maximal set of independent transitions; the others follow (measure_offsets.c)
 *   IN_TURN    the same, with cycles that exclude each other one after the other along the measure (measure_offsets.c)
 *
 * After Schmidt (Automated generation of a progress measure for the sweep-line method, 2004). */
#ifndef NET_MEASURE_H
#define NET_MEASURE_H

#include "model/model.h"
#include "net/layout.h"

enum pt_measure_kind { PT_MEASURE_RANKS, PT_MEASURE_MONOTONE, PT_MEASURE_OFFSETS, PT_MEASURE_IN_TURN, PT_MEASURE_KINDS };

struct pt_measure_setup {
  const struct pt_net *net;
  const uint8_t *dead;     /* transitions that can never fire */
  const struct plan *plan; /* which places exclude each other */
  const struct flows *semiflows; /* more of them; may be NULL */
  struct mem *mem;
};

/* Fills weight, one per place. 0; 1: nothing was found; -1: memory. */
int pt_measure_ranks(const struct pt_measure_setup *, int64_t *weight);
int pt_measure_monotone(const struct pt_measure_setup *, int64_t *weight);
int pt_measure_offsets(const struct pt_measure_setup *, int in_turn, int64_t *weight);
int pt_measure_weights(const struct pt_measure_setup *, enum pt_measure_kind, int64_t *weight);

/* What firing t adds; weights are so small that it fits (see pt_measure_small). */
int64_t pt_measure_offset(const struct pt_net *, const int64_t *weight, uint32_t t);
/* How many of the transitions that are not dead lower the measure, and how many raise it. */
void pt_measure_count(const struct pt_measure_setup *, const int64_t *weight, uint32_t *lower, uint32_t *raise);
/* The sum of all sizes is below 2^31: then no measure of a marking overflows. */
int pt_measure_small(const struct pt_net *, const int64_t *weight);

/* The layout that a model of nets has now (pt_model.c). */
const struct layout *pt_model_layout(const struct model *);
/* Behind the model door: takes the weights over, also when it fails. 0, or -1: memory. */
int pt_measure_open(struct model_measure **out, const struct model *, int64_t *weight, int monotone, struct mem *);

#endif
