/* unfold.h -- a symmetric net as a place/transition net: a place for each colour that a token may ever have, a transition for each binding that may ever be enabled. */
#ifndef COLOUR_UNFOLD_H
#define COLOUR_UNFOLD_H

#include "colour/symmetric.h"
#include "net/pt.h"

/* Places are called Place_colour, transitions Transition_colour_colour (values of their variables); what the coloured net calls them are families (pt.h).
   0, or -1 with err: memory; ERR_INPUT: a number that no net can have. */
int unfold(struct pt_net **out, const struct symmetric *, struct err *);

#endif
