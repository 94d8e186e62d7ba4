/* chart_svg.c -- a chart as a picture.
 *
 * One file that refers to nothing: shapes and text, a style sheet with the colours for light and dark, arrow heads drawn as triangles.  Rows have
 * the height that their text needs; a message through a buffer slants from the row of its send to that of its receive, so that messages that overtake each
 * other cross.  Each channel has a colour.  What is too long is cut and stands in full in the tooltip. */
#include "report/chart.h"

#include "report/chart_parts.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

enum { GUTTER = 58, ROW = 34, LINE = 16, TOP = 96, HEAD = 30, NARROWEST = 150, WIDEST = 310, LETTER = 72, LABEL = 700, MOST_LINES = 12, COLOURS = 6, REPEAT_NAMES = 18 }; /* LETTER: a tenth of a pixel */

struct sheet {
  const struct chart *chart;
  FILE *out;
  uint32_t *y;      /* per row: its middle */
  uint32_t *alive;  /* per lifeline: y from which its line is still to be drawn; 0 = it is not there */
  struct chart_names channels;
  struct arena scratch;
  int pitch, width, height;
};

static int x_of(const struct sheet *s, uint32_t lifeline) { return GUTTER + s->pitch / 2 + (int)lifeline * s->pitch; }
static int y_of(const struct sheet *s, uint32_t row) { return (int)s->y[row]; }

/* ---- text ------------------------------------------------------------------------------------------------------------------------------ */

/* Made safe by report_name before: well-formed and without control characters; two codes are none of XML's. */
static void xml(const char *text, FILE *out) {
  for (const unsigned char *t = (const unsigned char *)text; *t; t++) {
    if (*t == '&') fputs("&amp;", out);
    else if (*t == '<') fputs("&lt;", out);
    else if (*t == '>') fputs("&gt;", out);
    else if (*t == '"') fputs("&quot;", out);
    else if (*t == '\'') fputs("&#39;", out);
    else if (t[0] == 0xef && t[1] == 0xbf && t[2] >= 0xbe) {
      fputs("\xef\xbf\xbd", out);
      t += 2;
    } else putc(*t, out);
  }
}

static int columns(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

/* Cuts a text to so many columns; 1 if it did. */
static int cut(char *text, int most) {
  if (most < 1) most = 1;
  if (columns(text) <= most) return 0;
  for (int n = 0; *text; text++) {
    if (((unsigned char)*text & 0xc0) == 0x80) continue;
    if (n++ == most - 1) break;
  }
  strcpy(text, "\u2026"); /* a text of which something is left out had room for more: three bytes fit, see `words` */
  return 1;
}

/* A text in `room` pixels, the whole of it as a tooltip where it is cut. */
static void words(struct sheet *s, const char *class, int x, int y, const char *anchor, const char *raw, size_t length, int room) {
  char whole[LABEL], shown[LABEL + 4];
  err_quote(whole, sizeof whole, raw, length);
  memcpy(shown, whole, sizeof whole);
  int was_cut = cut(shown, room * 10 / LETTER);
  fprintf(s->out, "<text class=\"%s\" x=\"%d\" y=\"%d\"%s%s%s>", class, x, y, anchor ? " text-anchor=\"" : "", anchor ? anchor : "", anchor ? "\"" : "");
  if (was_cut) {
    fputs("<title>", s->out);
    xml(whole, s->out);
    fputs("</title>", s->out);
  }
  xml(shown, s->out);
  fputs("</text>\n", s->out);
}

static int width_of(const char *raw) {
  char text[LABEL];
  return columns(report_name(text, sizeof text, raw)) * LETTER / 10;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------------------------------ */

static void box(struct sheet *s, const char *class, int x, int y, int width, int height, int round) {
  fprintf(s->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>\n", class, x, y, width, height, round);
}

static int root_of(int64_t n) {
  int64_t r = n, next = (r + 1) / 2;
  while (next < r) r = next, next = (r + n / r) / 2;
  return (int)r;
}

/* The head of an arrow that comes from (x0, y0) and ends in (x1, y1): a triangle of 10 by 8. */
static void head(struct sheet *s, const char *class, int x0, int y0, int x1, int y1) {
  int64_t dx = x1 - x0, dy = y1 - y0;
  int length = root_of(dx * dx + dy * dy);
  if (length < 1) length = 1;
  int64_t ax = x1 * 10 - 100 * dx / length, ay = y1 * 10 - 100 * dy / length, px = -40 * dy / length, py = 40 * dx / length;
  int64_t p[] = {ax + px, ay + py, ax - px, ay - py};
  fprintf(s->out, "<path class=\"head %s\" d=\"M%d %d", class, x1, y1);
  for (int i = 0; i < 4; i++) fprintf(s->out, "%s%s%lld.%lld", i % 2 ? " " : "L", p[i] < 0 ? "-" : "", (long long)llabs(p[i]) / 10, (long long)llabs(p[i]) % 10);
  fputs("z\"/>\n", s->out);
}

static void line(struct sheet *s, const char *class, int x0, int y0, int x1, int y1) {
  fprintf(s->out, "<path class=\"arrow %s\" d=\"M%d %dL%d %d\"/>\n", class, x0, y0, x1, y1);
}

static void name_box(struct sheet *s, uint32_t lifeline, int y) {
  const char *name = s->chart->lifeline[lifeline].name;
  int width = width_of(name) + 28;
  if (width > s->pitch - 12) width = s->pitch - 12;
  if (width < 70) width = 70;
  box(s, "name", x_of(s, lifeline) - width / 2, y - HEAD / 2, width, HEAD, 7);
  words(s, "names", x_of(s, lifeline), y + 5, "middle", name, strlen(name), width - 12);
}

/* ---- messages ------------------------------------------------------------------------------------------------------------------------------ */

static const char *colour_of(struct sheet *s, const struct chart_event *e) {
  static const char *const classes[] = {"c0", "c1", "c2", "c3", "c4", "c5"};
  uint32_t n = e->channel ? chart_names_find(&s->channels, e->channel, strlen(e->channel)) : 0;
  return classes[n == CHART_NOBODY ? 0 : n % COLOURS];
}

/* Arrows first (layer 0), then what is written beside them: so that no later line runs through a label. */
static void to_itself(struct sheet *s, const char *class, int x, int y0, int y1, const char *label, int layer) {
  if (y1 == y0) y0 -= 6, y1 += 6;
  if (layer) {
    words(s, "label", x + 32, (y0 < y1 - 16 ? y0 : (y0 + y1) / 2) + 4, NULL, label, strlen(label), s->pitch - 40);
    return;
  }
  fprintf(s->out, "<path class=\"arrow %s\" d=\"M%d %dh26V%dH%d\"/>\n", class, x, y0, y1, x + 9);
  head(s, class, x + 20, y1, x + 1, y1);
}

/* One end is nowhere: lost, under way, or from before. */
static void stump(struct sheet *s, const struct chart_event *e, const char *class, const char *label, int layer) {
  int leaves = e->from != CHART_NOBODY, y = y_of(s, leaves ? e->row : e->last_row);
  uint32_t at = leaves ? e->from : e->to;
  int right = at + 1 < s->chart->lifelines || at == 0, x = x_of(s, at), far = x + (right ? 1 : -1) * s->pitch / 2;
  if (layer) {
    words(s, "label", right ? x + 9 : x - 9, y - 6, right ? NULL : "end", label, strlen(label), s->pitch - 20);
    if (leaves) words(s, "hint label", right ? far + 9 : far - 9, y + 4, right ? NULL : "end", e->lost ? "lost" : "under way", e->lost ? 4 : 9, 80);
    return;
  }
  fprintf(s->out, "<path class=\"arrow %s%s\" d=\"M%d %dH%d\"/>\n", class, leaves ? "" : " dashed", x, y, far);
  if (!leaves) head(s, class, far, y, x, y);
  else if (e->lost) fprintf(s->out, "<path class=\"cross\" d=\"M%d %dl10 10m0 -10l-10 10\"/>\n", far - 5, y - 5);
  else fprintf(s->out, "<circle class=\"open\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", far, y);
}

static void message(struct sheet *s, const struct chart_event *e, int layer) {
  char label[LABEL];
  const char *class = colour_of(s, e);
  chart_message_text(e, label, sizeof label);
  if (e->from == CHART_NOBODY || e->to == CHART_NOBODY) {
    stump(s, e, class, label, layer);
    return;
  }
  int x0 = x_of(s, e->from), x1 = x_of(s, e->to), y0 = y_of(s, e->row), y1 = y_of(s, e->last_row), right = x1 > x0;
  if (x0 == x1) {
    to_itself(s, class, x0, y0, y1, label, layer);
    return;
  }
  int room = (right ? x1 - x0 : x0 - x1) - 22;
  if (!layer) {
    line(s, class, x0, y0, x1, y1);
    head(s, class, x0, y0, right ? x1 - 1 : x1 + 1, y1);
    fprintf(s->out, "<circle class=\"foot %s\" cx=\"%d\" cy=\"%d\" r=\"2.5\"/>\n", class, x0, y0);
  } else if (e->last_row <= e->row + 1) words(s, "label", (x0 + x1) / 2, (y0 + y1) / 2 - 6 - (y1 - y0) / 8, "middle", label, strlen(label), room);
  else words(s, "label", right ? x0 + 10 : x0 - 10, y0 - 5, right ? NULL : "end", label, strlen(label), room);
}

/* ---- other events ---------------------------------------------------------------------------------------------------------------------------- */

static uint32_t lines_in(const char *text) {
  uint32_t n = 1;
  for (; *text && n < MOST_LINES; text++) n += *text == '\n';
  return n;
}

static void paper(struct sheet *s, const struct chart_event *e) {
  static const char *const classes[] = {"plain", "print", "fault", "wait", "verdict"};
  const char *tone = classes[e->tone], *text = e->label;
  uint32_t n = lines_in(text);
  int left, width, y = y_of(s, e->row), height = (int)n * LINE + 10, most = 0;
  char class[40];
  for (const char *t = text; *t; t += strcspn(t, "\n"), t += *t == '\n') {
    int w = (int)strcspn(t, "\n") * LETTER / 10;
    if (w > most) most = w;
  }
  if (e->from != e->to) {
    left = x_of(s, e->from) - s->pitch / 2 + 8;
    width = x_of(s, e->to) + s->pitch / 2 - 8 - left;
  } else {
    width = most + 24 < s->pitch - 10 ? most + 24 : s->pitch - 10;
    left = x_of(s, e->from) - width / 2;
  }
  snprintf(class, sizeof class, "paper %s", tone);
  box(s, class, left, y - height / 2, width, height, e->tone == CHART_VERDICT ? 6 : 3);
  snprintf(class, sizeof class, "note %s", tone);
  for (uint32_t i = 0; i < n; i++) {
    size_t length = i + 1 == n && n == MOST_LINES ? strlen(text) : strcspn(text, "\n");
    words(s, class, left + width / 2, y - height / 2 + 5 + (int)i * LINE + 12, "middle", text, length, width - 12);
    text += length + (text[length] == '\n');
  }
}

static void action(struct sheet *s, const struct chart_event *e) {
  int x = x_of(s, e->from), y = y_of(s, e->row), width = width_of(e->label) + 20;
  if (!*e->label) {
    fprintf(s->out, "<circle class=\"dot\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n", x, y);
    return;
  }
  if (width > s->pitch - 10) width = s->pitch - 10;
  box(s, "deed", x - width / 2, y - 11, width, 22, 4);
  words(s, "label", x, y + 4, "middle", e->label, strlen(e->label), width - 10);
}

static void thread(struct sheet *s, uint32_t lifeline, int to) {
  if (s->alive[lifeline]) fprintf(s->out, "<path class=\"thread\" d=\"M%d %uV%d\"/>\n", x_of(s, lifeline), s->alive[lifeline], to);
}

static void create(struct sheet *s, const struct chart_event *e) {
  int y = y_of(s, e->row), x1 = x_of(s, e->to), half = width_of(s->chart->lifeline[e->to].name) / 2 + 14;
  if (half > s->pitch / 2 - 6) half = s->pitch / 2 - 6;
  if (half < 35) half = 35;
  if (e->from != CHART_NOBODY && e->from != e->to) {
    int x0 = x_of(s, e->from), right = x1 > x0, end = right ? x1 - half : x1 + half;
    line(s, "dashed", x0, y, end, y);
    head(s, "", x0, y, end, y);
    words(s, "label", right ? x0 + 9 : x0 - 9, y - 6, right ? NULL : "end", e->label, strlen(e->label), abs(end - x0) - 14);
  }
  name_box(s, e->to, y);
}

static void end(struct sheet *s, const struct chart_event *e) {
  fprintf(s->out, "<path class=\"cross\" d=\"M%d %dl14 14m0 -14l-14 14\"/>\n", x_of(s, e->from) - 7, y_of(s, e->row) - 7);
}

/* ---- frames, behind everything else -------------------------------------------------------------------------------------------------------- */

static void frame(struct sheet *s, const struct chart_event *e) {
  int top = y_of(s, e->row), bottom = y_of(s, e->last_row) + ROW / 2 - 4;
  if (e->kind == CHART_LOOP) {
    box(s, "loop", GUTTER - 2, top - 12, s->width - GUTTER - 8, bottom - top + 12, 8);
    return;
  }
  int left = x_of(s, e->from) - s->pitch / 2 + 3, width = x_of(s, e->to) + s->pitch / 2 - 3 - left;
  box(s, "atomic", left, top - ROW / 2 + 1, width, bottom - top + ROW / 2 - 2, 6);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------------------ */

static int measure(struct sheet *s) {
  const struct chart *c = s->chart;
  int need = NARROWEST;
  for (uint32_t i = 0; i < c->lifelines; i++)
    if (width_of(c->lifeline[i].name) + 44 > need) need = width_of(c->lifeline[i].name) + 44;
  for (uint32_t i = 0; i < c->events; i++) {
    const struct chart_event *e = &c->event[i];
    char label[LABEL];
    if (e->kind == CHART_MESSAGE) {
      chart_message_text(e, label, sizeof label);
      if (e->channel && chart_names_add(&s->channels, e->channel, strlen(e->channel)) == CHART_NOBODY) return -1;
    }
    int alone = e->kind == CHART_ACTION || (e->kind == CHART_NOTE && e->from == e->to), talks = e->kind == CHART_MESSAGE || e->kind == CHART_CREATE;
    if (need >= WIDEST || (!alone && !talks)) continue;
    int n = width_of(e->kind == CHART_MESSAGE ? label : e->label) + (alone ? 34 : e->kind == CHART_CREATE ? 90 : 44);
    if (n > need) need = n;
  }
  s->pitch = need < WIDEST ? need : WIDEST;
  s->width = GUTTER + s->pitch * (c->lifelines ? (int)c->lifelines : 1) + 16;
  uint64_t y = TOP;
  for (uint32_t row = 0; row < c->rows; row++) {
    const struct chart_event *e = &c->event[c->row_event[row]];
    int height = e->kind == CHART_NOTE ? (int)lines_in(e->label) * LINE + 18 : e->kind == CHART_CREATE ? HEAD + 10 : ROW;
    if (y > INT32_MAX / 2) return -1;
    s->y[row] = (uint32_t)y + (uint32_t)height / 2;
    y += (uint32_t)height;
  }
  s->height = (int)y + 24 + (c->rows > REPEAT_NAMES ? HEAD + 8 : 0);
  return 0;
}

/* No custom properties: many viewers of SVG know none. */
static const char style[] =
    "<style>\n"
    "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1c2430}\n"
    ".sheet{fill:#fff}.title{font:600 15px system-ui,sans-serif}.under{font:12px system-ui,sans-serif}.step,.hint{font-size:11px}.under,.step,.hint{fill:#6b7686}\n"
    ".thread{stroke:#b9c2cf;stroke-width:1.5;fill:none}.name{fill:#e4ebf5;stroke:#9fb2cc}.names{font-weight:600}\n"
    ".deed{fill:#f2f5f9;stroke:#cdd5e0}.dot{fill:#1c2430}.label{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.deed+.label{stroke:none}\n"
    ".arrow{fill:none;stroke:#1c2430;stroke-width:1.6}.head,.foot{fill:#1c2430}.dashed{stroke-dasharray:5 4}\n"
    ".arrow.c0{stroke:#1f6feb}.arrow.c1{stroke:#b4532a}.arrow.c2{stroke:#1a7f5a}.arrow.c3{stroke:#8a3ffc}.arrow.c4{stroke:#b0187b}.arrow.c5{stroke:#5b6b00}\n"
    ".head.c0,.foot.c0{fill:#1f6feb}.head.c1,.foot.c1{fill:#b4532a}.head.c2,.foot.c2{fill:#1a7f5a}.head.c3,.foot.c3{fill:#8a3ffc}.head.c4,.foot.c4{fill:#b0187b}.head.c5,.foot.c5{fill:#5b6b00}\n"
    ".cross{stroke:#d92d3a;stroke-width:2.2;fill:none}.open{fill:#fff;stroke:#6b7686;stroke-width:1.5}\n"
    ".paper{fill:#f2f5f9;stroke:#cdd5e0}.paper.print{fill:#eef6ee;stroke:#a9cfae}.paper.fault,.paper.verdict{fill:#fdeaea;stroke:#d92d3a}.paper.wait{fill:#fdf4df;stroke:#d99a1c}.note.verdict{font-weight:600}\n"
    ".atomic{fill:#8a94a6;fill-opacity:.09;stroke:#8a94a6;stroke-opacity:.4;stroke-dasharray:3 3}.loop{fill:none;stroke:#7a5af0;stroke-width:1.6}.looped{fill:#7a5af0;font:600 12px system-ui,sans-serif}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#dde4ee}.sheet{fill:#12161c}.under,.step,.hint{fill:#8a96a8}.thread{stroke:#475262}.name{fill:#223049;stroke:#4c6a99}.deed{fill:#1c232d;stroke:#3a4656}.dot{fill:#dde4ee}.label{stroke:#12161c}\n"
    ".arrow{stroke:#dde4ee}.head,.foot{fill:#dde4ee}\n"
    ".arrow.c0{stroke:#6cb0ff}.arrow.c1{stroke:#ff9d6e}.arrow.c2{stroke:#56d6a0}.arrow.c3{stroke:#bf9bff}.arrow.c4{stroke:#ff85cf}.arrow.c5{stroke:#cddb5a}\n"
    ".head.c0,.foot.c0{fill:#6cb0ff}.head.c1,.foot.c1{fill:#ff9d6e}.head.c2,.foot.c2{fill:#56d6a0}.head.c3,.foot.c3{fill:#bf9bff}.head.c4,.foot.c4{fill:#ff85cf}.head.c5,.foot.c5{fill:#cddb5a}\n"
    ".cross{stroke:#ff6b76}.open{fill:#12161c;stroke:#8a96a8}.paper{fill:#1c232d;stroke:#3a4656}.paper.print{fill:#18281c;stroke:#3e7048}.paper.fault,.paper.verdict{fill:#3a1a1e;stroke:#ff6b76}.paper.wait{fill:#33290f;stroke:#d9a53a}\n"
    ".loop{stroke:#a08bff}.looped{fill:#a08bff}}\n"
    "</style>\n";

static void top(struct sheet *s) {
  const struct chart *c = s->chart;
  char text[120], title[LABEL];
  const char *name = c->title ? trace_base_name(c->title) : "a trace";
  fprintf(s->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>", s->width, s->height, s->width, s->height);
  xml(report_name(title, sizeof title, name), s->out);
  fputs(": message sequence chart</title>\n", s->out);
  fputs(style, s->out);
  fprintf(s->out, "<rect class=\"sheet\" width=\"%d\" height=\"%d\"/>\n", s->width, s->height);
  words(s, "title", 16, 26, NULL, name, strlen(name), s->width);
  int length = snprintf(text, sizeof text, "%u step%s%s", c->steps, c->steps == 1 ? "" : "s", c->branches ? "; the trace has further runs, which are not shown" : "");
  words(s, "under", 16, 44, NULL, text, (size_t)length, s->width);
}

static void threads(struct sheet *s) {
  const struct chart *c = s->chart;
  int bottom = s->height - 16 - (c->rows > REPEAT_NAMES ? HEAD : 0);
  for (uint32_t i = 0; i < c->lifelines; i++) s->alive[i] = c->lifeline[i].from == CHART_NEVER ? TOP - HEAD / 2 : 0;
  for (uint32_t i = 0; i < c->events; i++) {
    const struct chart_event *e = &c->event[i];
    if (e->kind == CHART_CREATE && !s->alive[e->to]) s->alive[e->to] = (uint32_t)y_of(s, e->row);
    if (e->kind != CHART_END) continue;
    thread(s, e->from, y_of(s, e->row));
    s->alive[e->from] = 0;
  }
  for (uint32_t i = 0; i < c->lifelines; i++) thread(s, i, bottom);
}

static void names(struct sheet *s) {
  const struct chart *c = s->chart;
  for (uint32_t i = 0; i < c->lifelines; i++) {
    if (c->lifeline[i].from == CHART_NEVER) name_box(s, i, TOP - HEAD / 2 - 10);
    if (c->rows > REPEAT_NAMES && s->alive[i]) name_box(s, i, s->height - 16 - HEAD / 2);
  }
}

static void numbers(struct sheet *s) {
  const struct chart *c = s->chart;
  uint32_t last = 0;
  for (uint32_t row = 0; row < c->rows; row++) {
    const struct chart_event *e = &c->event[c->row_event[row]];
    uint32_t step = e->kind == CHART_MESSAGE && (row != e->row || e->from == CHART_NOBODY) ? e->received : e->step;
    if (step == last || e->kind == CHART_LOOP || (e->kind == CHART_NOTE && e->tone >= CHART_WAIT)) continue;
    fprintf(s->out, "<text class=\"step\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%u</text>\n", GUTTER - 14, y_of(s, row) + 4, step);
    last = step;
  }
}

static void events(struct sheet *s) {
  const struct chart *c = s->chart;
  for (uint32_t i = 0; i < c->events; i++)
    if (c->event[i].kind == CHART_MESSAGE) message(s, &c->event[i], 0);
  for (uint32_t i = 0; i < c->events; i++) {
    const struct chart_event *e = &c->event[i];
    switch (e->kind) {
    case CHART_MESSAGE: message(s, e, 1); break;
    case CHART_ACTION: action(s, e); break;
    case CHART_CREATE: create(s, e); break;
    case CHART_END: end(s, e); break;
    case CHART_NOTE: paper(s, e); break;
    case CHART_LOOP: words(s, "looped label", GUTTER + 10, y_of(s, e->row) + 4, NULL, e->label, strlen(e->label), s->width - GUTTER - 40); break;
    default: break;
    }
  }
}

int chart_write_svg(const struct chart *c, FILE *out) {
  struct sheet s = {.chart = c, .out = out};
  arena_open(&s.scratch, c->mem, MEM_OTHER);
  chart_names_open(&s.channels, &s.scratch, c->mem);
  s.y = mem_alloc(c->mem, MEM_OTHER, ((size_t)c->rows + 1) * sizeof *s.y);
  s.alive = mem_alloc(c->mem, MEM_OTHER, ((size_t)c->lifelines + 1) * sizeof *s.alive);
  int bad = !s.y || !s.alive || measure(&s);
  if (!bad) {
    top(&s);
    for (uint32_t i = 0; i < c->events; i++)
      if (c->event[i].kind == CHART_LOOP || c->event[i].kind == CHART_ATOMIC) frame(&s, &c->event[i]);
    threads(&s);
    names(&s);
    numbers(&s);
    events(&s);
    fputs("</svg>\n", out);
  }
  chart_names_close(&s.channels);
  arena_close(&s.scratch);
  mem_free(c->mem, s.y);
  mem_free(c->mem, s.alive);
  return bad || ferror(out) ? -1 : 0;
}
