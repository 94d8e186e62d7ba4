/* used.h -- declarations of coloured nets that stand in other files: use "lib.sml";  See used.c. */
#ifndef FRONT_USED_H
#define FRONT_USED_H

#include "colour/drawing.h"
#include "front/front.h"

/* Puts the text of each file in the place of the line that names it.  What cannot be read is told to `warn` and left out. -1: memory, or a file that cannot be read to its end. */
int front_used(struct drawing *, const struct front_setup *, struct err *);

#endif
