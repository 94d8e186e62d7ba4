/* fairness.h -- what infinite runs of a whole labelled graph owe to each label. */
#ifndef SEARCH_FAIRNESS_H
#define SEARCH_FAIRNESS_H

#include "base/err.h"
#include "model/model.h"
#include "search/components.h"

/* Each one says more than those before it. */
enum fairness {
  FAIRNESS_UNKNOWN,   /* there was no time to find out */
  FAIRNESS_NONE,      /* a run may go on for ever with the label possible in each of its states, and never take it */
  FAIRNESS_JUST,      /* a run in which it is possible from some state on in every state takes it */
  FAIRNESS_FAIR,      /* a run in which it is possible again and again takes it again and again */
  FAIRNESS_IMPARTIAL, /* every infinite run takes it again and again */
};

/* Fills of[0 .. labels - 1] with enum fairness. Groups of the graph are labels; `components` are those of this graph. A label is possible in a state that has an edge with
   it. What patience (may be NULL) does not allow stays FAIRNESS_UNKNOWN. 0, or -1 with err: memory. */
int fairness_find(uint8_t *of, uint32_t labels, const struct graph *, const struct components *, const struct model_patience *, struct mem *, struct err *);

#endif
