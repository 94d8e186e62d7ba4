/* chart.h -- one chart with two logarithmic axes, as a part of an SVG. */
#ifndef BENCH_CHART_H
#define BENCH_CHART_H

#include <stddef.h>
#include <stdio.h>

enum chart_unit { CHART_PERCENT, CHART_BYTES, CHART_SECONDS, CHART_COUNT };

struct chart_point {
  double x, y; /* positive */
  size_t series;
  const char *text; /* what it is */
};

struct chart {
  const char *title, *x_title, *y_title;
  enum chart_unit x_unit, y_unit;
  double left, top, width, height; /* of all, titles and labels included */
  const struct chart_point *points;
  size_t count;
  size_t series;
  int lines;      /* points of one series are joined, by x */
  int boxes;      /* a box round each series */
  int cross;      /* lines at 100 % */
  int per_state;  /* diagonals of so many bytes per state */
};

void chart_style(FILE *out);
void chart_draw(const struct chart *, FILE *out);
void chart_key(const char *const *names, size_t count, double left, double top, FILE *out); /* what the marks stand for */
void chart_escape(const char *text, FILE *out);                                              /* for SVG and HTML */
enum { CHART_KEY_LINE = 20 };

#endif
