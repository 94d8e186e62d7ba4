/* scatter.h -- one chart with two logarithmic axes, as a part of an SVG. */
#ifndef BENCH_SCATTER_H
#define BENCH_SCATTER_H

#include <stddef.h>
#include <stdio.h>

enum scatter_unit { SCATTER_PERCENT, SCATTER_BYTES, SCATTER_SECONDS, SCATTER_COUNT };

struct scatter_point {
  double x, y; /* positive */
  size_t series;
  const char *text; /* what it is */
};

struct scatter {
  const char *title, *x_title, *y_title;
  enum scatter_unit x_unit, y_unit;
  double left, top, width, height; /* of all, titles and labels included */
  const struct scatter_point *points;
  size_t count;
  size_t series;
  int lines;      /* points of one series are joined, by x */
  int boxes;      /* a box round each series */
  int cross;      /* lines at 100 % */
  int per_state;  /* diagonals of so many bytes per state */
};

void scatter_style(FILE *out);
void scatter_draw(const struct scatter *, FILE *out);
void scatter_key(const char *const *names, size_t count, double left, double top, FILE *out); /* what the marks stand for */
void scatter_escape(const char *text, FILE *out);                                              /* for SVG and HTML */
enum { SCATTER_KEY_LINE = 20 };

#endif
