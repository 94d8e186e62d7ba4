/* plot.h -- a run as pictures: SVG, and a page of HTML that needs nothing else.
 *
 *   relative  time against memory, both in per cent of the baseline of the same model (figure 6.5 of Westergaard's thesis): each way is a cloud
 *   memory    memory over states: each way a line
 *   scaling   time over the size of the problem, a panel for each family of models */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "bench/results.h"

#include <stdio.h>

/* which: relative, memory, scaling. -1 with err where there is nothing to draw. */
int plot_svg(const struct results *, const char *which, struct mem *, FILE *out, struct err *);
int plot_html(const struct results *, struct mem *, FILE *out, struct err *);

#endif
