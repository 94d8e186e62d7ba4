/* redraw.h -- a symmetric net as a drawing: one page whose inscriptions are CPN ML.
 *
 * So symmetric nets are explored as coloured nets are, and written as .cpn and .cpnt.  Places, transitions and variables keep their order. */
#ifndef COLOUR_REDRAW_H
#define COLOUR_REDRAW_H

#include "colour/drawing.h"
#include "colour/symmetric.h"

/* 0, or -1 with err: memory. The drawing needs nothing of the net but the name of its file. */
int redraw(struct drawing **out, const struct symmetric *, struct err *);

#endif
