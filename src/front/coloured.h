/* coloured.h -- what languages for coloured nets share: a drawing becomes a model with what the user gave beside it. */
#ifndef FRONT_COLOURED_H
#define FRONT_COLOURED_H

#include "colour/drawing.h"
#include "front/front.h"

/* Takes over the drawing, also when it fails. */
int front_coloured(struct model **out, struct drawing *, const struct front_setup *, const char *language, struct err *);

#endif
