/* hear.h -- what a program under bench has said: the JSON of a thimble, the text of another program by the patterns of its template, and whether that is what is known.
 *
 * What is printed is anybody's: a figure that is no count, or larger than one can be, is not known. */
#ifndef BENCH_HEAR_H
#define BENCH_HEAR_H

#include "bench/measure.h"

/* Texts end with NUL and have less than 2 GB; NULL: there is none. `errors`: where a thimble complains. */
void hear_thimble(struct measurement *, const char *text, const char *errors);
void hear_tool(struct measurement *, const struct suite_tool *, const char *text);
/* FAILED, with `what` and the line of the text that says most. */
void measurement_failed(struct measurement *, const char *what, const char *text);
void measurement_judge(struct measurement *, const struct suite_task *); /* compares with what is known */

#endif
