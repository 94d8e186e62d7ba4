/* write.h -- drawings as .cpn. */
#ifndef FRONT_CPN_WRITE_H
#define FRONT_CPN_WRITE_H

#include "colour/drawing.h"

#include <stdio.h>

/* What cpn.c reads as the same net. 0, or -1 with err: memory. */
int cpn_write(const struct drawing *, FILE *, struct err *);
/* write_declaration.c: one text, which may hold several declarations, as elements. */
void cpn_write_declaration(FILE *, const struct drawing_text *, unsigned long *next_id);
void cpn_escape(FILE *, const char *text, size_t length);

#endif
