/* scatter.c -- see scatter.h.
 *
 * Colours are those of Okabe and Ito, which people with any colour vision tell apart; marks differ too, so that prints without colour can be read. */
#include "bench/scatter.h"

#include <math.h>
#include <string.h>

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#666666"};
enum { COLOURS = 8, MARKS = 6, SIDE = 78, FOOT = 46, HEAD = 34, RIGHT = 16 };

void scatter_escape(const char *text, FILE *out) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<') fputs("&lt;", out);
    else if (c == '>') fputs("&gt;", out);
    else if (c == '&') fputs("&amp;", out);
    else if (c == '"') fputs("&quot;", out);
    else if (c < 32) putc(' ', out);
    else putc(c, out);
  }
}

void scatter_style(FILE *out) {
  fputs("<style>\n"
        "text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: #222 }\n"
        ".title { font-size: 14px; font-weight: 600 }\n"
        ".axis { fill: #555; font-size: 11px }\n"
        ".faint { fill: #888; font-size: 10px }\n"
        ".grid { stroke: #e4e4e4; stroke-width: 1 }\n"
        ".fine { stroke: #f2f2f2; stroke-width: 1 }\n"
        ".frame { fill: none; stroke: #999; stroke-width: 1 }\n"
        ".cross { stroke: #888; stroke-width: 1; stroke-dasharray: 5 4 }\n"
        ".diagonal { stroke: #c4c4c4; stroke-width: 1; stroke-dasharray: 2 4 }\n"
        "</style>\n",
        out);
}

/* ---- marks ------------------------------------------------------------------------------------ */

static const char *colour_of(size_t series) { return colours[series % COLOURS]; }

static void mark(size_t series, double x, double y, FILE *out) {
  const char *c = colour_of(series);
  double r = 4.2;
  switch ((series + series / COLOURS) % MARKS) {
  case 0: fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"", x, y, r, c); break;
  case 1: fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x - r + 0.4, y - r + 0.4, 2 * r - 0.8, 2 * r - 0.8, c); break;
  case 2: fprintf(out, "<path d=\"M%.1f %.1f l%.1f %.1f h%.1f z\" fill=\"%s\"", x, y - r - 0.6, r + 0.8, 2 * r + 0.2, -2 * (r + 0.8), c); break;
  case 3: fprintf(out, "<path d=\"M%.1f %.1f l%.1f %.1f l%.1f %.1f l%.1f %.1f z\" fill=\"%s\"", x, y - r - 1, r + 1, r + 1, -r - 1, r + 1, -r - 1, -r - 1, c); break;
  case 4: fprintf(out, "<path d=\"M%.1f %.1f l%.1f %.1f h%.1f z\" fill=\"%s\"", x, y + r + 0.6, r + 0.8, -2 * r - 0.2, -2 * (r + 0.8), c); break;
  default: fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#fff\" stroke=\"%s\" stroke-width=\"2.2\"", x, y, r - 0.6, c);
  }
}

void scatter_key(const char *const *names, size_t count, double left, double top, FILE *out) {
  for (size_t i = 0; i < count; i++) {
    double y = top + (double)SCATTER_KEY_LINE * (double)i;
    mark(i, left + 6, y - 4, out);
    fputs("/>", out);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">", left + 18, y);
    scatter_escape(names[i], out);
    fputs("</text>\n", out);
  }
}

/* ---- axes ------------------------------------------------------------------------------------- */

struct axis {
  double least, most; /* of the data, widened */
  double from, to;    /* on the page */
  enum scatter_unit unit;
};

static double at(const struct axis *a, double v) { return a->from + (a->to - a->from) * log(v / a->least) / log(a->most / a->least); }

static void widen(struct axis *a, double least, double most) {
  double room = fmax(0.09 * log(most / least), log(1.25));
  a->least = exp(log(least) - room);
  a->most = exp(log(most) + room);
}

static void tick_text(char *out, size_t room, enum scatter_unit unit, double v) {
  static const char *const sizes[] = {"B", "kB", "MB", "GB", "TB"}, *const counts[] = {"", "k", "M", "G", "T"};
  int k = 0;
  if (unit == SCATTER_PERCENT) snprintf(out, room, "%g %%", v);
  else if (unit == SCATTER_SECONDS) snprintf(out, room, v < 0.9e-3 ? "%g µs" : v < 0.9 ? "%g ms" : "%g s", v < 0.9e-3 ? round(v * 1e9) / 1e3 : v < 0.9 ? round(v * 1e6) / 1e3 : v);
  else {
    double step = unit == SCATTER_BYTES ? 1024 : 1000;
    for (; v >= step * 0.999 && k < 4; k++) v /= step;
    snprintf(out, room, "%g%s%s", round(v * 100) / 100, unit == SCATTER_BYTES ? " " : "", unit == SCATTER_BYTES ? sizes[k] : counts[k]);
  }
}

/* The ticks of an axis: powers of ten (bytes: of 1024 with fours), with steps in between where there is room. Calls draw for each. */
static void ticks(const struct axis *a, void (*draw)(const struct axis *, double, int, const void *, FILE *), const void *context, FILE *out) {
  double base = a->unit == SCATTER_BYTES ? 4 : 10, decades = log(a->most / a->least) / log(base);
  static const double fine[] = {2, 5, 3, 7, 4, 6, 8, 9, 1.5};
  int between = a->unit == SCATTER_BYTES ? (decades < 2.5 ? 1 : 0) : decades < 0.6 ? 9 : decades < 0.9 ? 4 : decades < 2.2 ? 2 : 0;
  int first = (int)floor(log(a->least) / log(base)), last = (int)ceil(log(a->most) / log(base));
  int every = a->unit == SCATTER_BYTES && decades > 6 ? 2 : decades > 9 ? 2 : 1;
  for (int k = first; k <= last; k++) {
    double v = pow(base, k);
    if (v >= a->least && v <= a->most) draw(a, v, k % every == 0, context, out);
    for (int i = 0; i < between; i++)
      if (v * fine[i] >= a->least && v * fine[i] <= a->most && (a->unit != SCATTER_COUNT || v * fine[i] == floor(v * fine[i]))) draw(a, v * fine[i], 1, context, out);
  }
}

static void x_tick(const struct axis *a, double v, int label, const void *context, FILE *out) {
  const struct axis *y = context;
  char text[40];
  double x = at(a, v);
  fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", label ? "grid" : "fine", x, y->from, x, y->to);
  if (!label) return;
  tick_text(text, sizeof text, a->unit, v);
  fprintf(out, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, y->from + 16, text);
}

static void y_tick(const struct axis *a, double v, int label, const void *context, FILE *out) {
  const struct axis *x = context;
  char text[40];
  double y = at(a, v);
  fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", label ? "grid" : "fine", x->from, y, x->to, y);
  if (!label) return;
  tick_text(text, sizeof text, a->unit, v);
  fprintf(out, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", x->from - 6, y + 4, text);
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void find_axes(const struct scatter *c, struct axis *x, struct axis *y) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
  for (size_t i = 0; i < c->count; i++) {
    low[0] = fmin(low[0], c->points[i].x), high[0] = fmax(high[0], c->points[i].x);
    low[1] = fmin(low[1], c->points[i].y), high[1] = fmax(high[1], c->points[i].y);
  }
  if (!c->count) low[0] = low[1] = high[0] = high[1] = 1; /* no point has a place: an empty frame */
  if (c->cross)
    for (int k = 0; k < 2; k++) low[k] = fmin(low[k], 100), high[k] = fmax(high[k], 100);
  *x = (struct axis){.from = c->left + SIDE, .to = c->left + c->width - RIGHT, .unit = c->x_unit};
  *y = (struct axis){.from = c->top + c->height - FOOT, .to = c->top + HEAD, .unit = c->y_unit};
  widen(x, low[0], high[0]);
  widen(y, low[1], high[1]);
}

static void draw_boxes(const struct scatter *c, const struct axis *x, const struct axis *y, FILE *out) {
  for (size_t s = 0; s < c->series; s++) {
    double box[4] = {INFINITY, 0, INFINITY, 0};
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
      if (c->points[i].series != s) continue;
      double px = at(x, c->points[i].x), py = at(y, c->points[i].y);
      box[0] = fmin(box[0], px), box[1] = fmax(box[1], px), box[2] = fmin(box[2], py), box[3] = fmax(box[3], py);
      n++;
    }
    if (n > 1)
      fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" fill=\"%s\" fill-opacity=\"0.10\" stroke=\"%s\" stroke-opacity=\"0.45\"/>\n", box[0] - 8, box[2] - 8, box[1] - box[0] + 16,
              box[3] - box[2] + 16, colour_of(s), colour_of(s));
  }
}

static void draw_diagonals(const struct axis *x, const struct axis *y, FILE *out) {
  for (double bytes = 1; bytes <= 1e7; bytes *= 10) { /* y = bytes * x, cut off at the frame */
    double from = fmax(x->least, y->least / bytes), to = fmin(x->most, y->most / bytes);
    if (!(from < to)) continue;
    fprintf(out, "<line class=\"diagonal\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", at(x, from), at(y, from * bytes), at(x, to), at(y, to * bytes));
    char text[40];
    int top = to < x->most;
    tick_text(text, sizeof text, SCATTER_COUNT, bytes);
    if (at(x, to) - x->from > 90) fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s B/state</text>\n", at(x, to) - (top ? 6 : 4), at(y, to * bytes) + (top ? 12 : -4), text);
  }
}

static void draw_lines(const struct scatter *c, const struct axis *x, const struct axis *y, FILE *out) {
  for (size_t s = 0; s < c->series; s++) {
    double last = 0;
    int begun = 0;
    for (;;) { /* by increasing x; few points */
      const struct scatter_point *next = NULL;
      for (size_t i = 0; i < c->count; i++)
        if (c->points[i].series == s && c->points[i].x > last && (!next || c->points[i].x < next->x)) next = &c->points[i];
      if (!next) break;
      fprintf(out, "%s%.1f %.1f", begun ? " L" : "<path fill=\"none\" stroke-width=\"1.6\" stroke-opacity=\"0.8\" d=\"M", at(x, next->x), at(y, next->y));
      begun = 1;
      last = next->x;
    }
    if (begun) fprintf(out, "\" stroke=\"%s\"/>\n", colour_of(s));
  }
}

void scatter_draw(const struct scatter *c, FILE *out) {
  struct axis x, y;
  find_axes(c, &x, &y);
  fprintf(out, "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">", x.from, c->top + 20);
  scatter_escape(c->title, out);
  fputs("</text>\n", out);
  ticks(&x, x_tick, &y, out);
  ticks(&y, y_tick, &x, out);
  if (c->per_state) draw_diagonals(&x, &y, out);
  if (c->cross) {
    fprintf(out, "<line class=\"cross\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", at(&x, 100), y.from, at(&x, 100), y.to);
    fprintf(out, "<line class=\"cross\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x.from, at(&y, 100), x.to, at(&y, 100));
  }
  fprintf(out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", x.from, y.to, x.to - x.from, y.from - y.to);
  if (c->boxes) draw_boxes(c, &x, &y, out);
  if (c->lines) draw_lines(c, &x, &y, out);
  for (size_t i = 0; i < c->count; i++) {
    mark(c->points[i].series, at(&x, c->points[i].x), at(&y, c->points[i].y), out);
    fputs("><title>", out);
    scatter_escape(c->points[i].text, out);
    fputs("</title>", out);
    static const char *const close[MARKS] = {"</circle>", "</rect>", "</path>", "</path>", "</path>", "</circle>"};
    size_t s = c->points[i].series;
    fprintf(out, "%s\n", close[(s + s / COLOURS) % MARKS]);
  }
  fprintf(out, "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (x.from + x.to) / 2, y.from + 36);
  scatter_escape(c->x_title, out);
  double mid = (y.from + y.to) / 2;
  fprintf(out, "</text>\n<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">", c->left + 13, mid, c->left + 13, mid);
  scatter_escape(c->y_title, out);
  fputs("</text>\n", out);
}
