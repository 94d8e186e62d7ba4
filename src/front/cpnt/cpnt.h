/* cpnt.h -- coloured nets as text: what a .cpn says, in lines that people can write, read and compare.
 *
 *   net "Stop and wait"
 *   declare
 *     colset NO = int with 0..3;
 *     var n : NO;
 *     fun next n =
 *       if n = 3 then 0 else n + 1;
 *   page Top
 *     place Send : NO
 *       initial 1`0
 *       at -100 40
 *     transition Transmit
 *       guard n < 3
 *       take Send : n
 *       give Received : next n
 *
 * Structure is by indentation, so that CPN ML needs no quotes: a text goes on to the end of its line and over all lines below it that stand further in.  A declaration begins at every line of the block
 * that stands as far out as the first.  Names with blanks stand in quotes.  A line that begins with -- is a remark.  doc/languages/cpnt.md has all of it. */
#ifndef FRONT_CPNT_CPNT_H
#define FRONT_CPNT_CPNT_H

#include "colour/drawing.h"
#include "front/front.h"

extern const struct front_type front_cpnt;

int cpnt_read(struct drawing *, const char *text, size_t length, struct err *);
/* What cpnt_read reads as the same drawing, up to ids. 0, or -1 with err: memory. */
int cpnt_write(const struct drawing *, FILE *, struct err *);

#endif
