/* unfold.h -- a symmetric net as a place/transition net: a place for each colour that a token may ever have, a transition for each binding that may ever be enabled. */
#ifndef COLOUR_UNFOLD_H
#define COLOUR_UNFOLD_H

#include "colour/symmetric.h"
#include "net/pt.h"

/* Where unfolding is given up; 0 = never. */
struct unfold_limits {
  uint64_t work;                /* bindings that were looked at, also such as lead nowhere, and tokens that they move */
  uint64_t places, transitions; /* of the unfolded net */
  size_t bytes;                /* held for it */
};

/* Places are called Place_colour, transitions Transition_colour_colour (values of their variables); what the coloured net calls them are families (pt.h).
   0; 1: it is beyond the limits (NULL = there are none), and *beyond says which of them in words ("more than 1000 transitions"); -1 with err: memory; ERR_INPUT: a number that no net can have. */
enum { UNFOLD_WORDS = 80 };
int unfold(struct pt_net **out, const struct symmetric *, const struct unfold_limits *, char beyond[UNFOLD_WORDS], struct err *);

#endif
