/* slice.h -- places with very many markings, cut into slices of their colours.
 *
 * Who eats at a table of 25 has 167,000 possible answers, and each of them a number, a bag in a table and moves that lead to others.  Cut into the first eight philosophers, the next eight and the
 * rest it is three numbers below 64, and all tables are small.  A slice is a set of cells (implied.h) of one place; it behaves as a place of its own that nobody sees: it has a field, markings and effects.
 * The place itself is implied by its slices: its tokens are theirs.
 *
 * Cutting costs bits where the parts depend on each other, so colours of which the markings met so far never show some combination (both, one, the other, none) though they
 * should by chance stay together: the calls that one phone can make exclude each other, those of different phones do not.  If that leaves much too large a part it is halved all the same in the
 * order of colours where few pairs across the cut depend on each other (neighbours at the table).  Small parts are put together as long as they have at most 256 markings.
 *
 * A colour that has no cell cannot be put into a slice; the place is kept in one piece from then on, like any implied place that is not (implied.h). */
#ifndef COLOUR_SLICE_H
#define COLOUR_SLICE_H

#include "colour/implied.h"

/* Cuts kept places for which it pays. 0 or -1 (memory): the net is then as it was, or some places are cut. */
int slice_places(struct implied *, struct net *);

#endif
