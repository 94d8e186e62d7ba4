/* chart_text.c -- a chart for the terminal.
 *
 *        master[0]        worker[1]
 *    1   ├─ run worker(3) ╌▶┬
 *    2   │                  ● k = n
 *    3-4 │◁── q: ack(3) ────┤             through a buffer: sent in step 3, received in step 4
 *    5 ┌ │                  ● x = x+1     an atomic step
 *      │ │                  │ "x is 1"
 *      └ │◀── r: data(7) ───┤             a rendezvous
 *    6   ├─ q: ack(4) ─▷ #1               sent here ...
 *    9   │            #1 ─▷─│             ... and received here
 *
 * A line is drawn on a row of cells, one per column of the terminal, and written without the blanks at its end. */
#include "report/chart.h"

#include "report/report.h"

#include <string.h>

enum { NARROWEST = 12, WIDEST = 44, LEAD = 8, HEADINGS = 50, LABEL = 400, MOST_LINES = 12 };

struct cell {
  uint32_t code;
  uint8_t colour; /* enum report_colour */
};

struct pen {
  const struct chart *chart;
  FILE *out;
  int colour;
  int margin; /* before the first column: number and bracket */
  int number; /* width of the number */
  int pitch, lead;
  int width;         /* of the row */
  struct cell *cell; /* width of them */
  uint8_t *alive;    /* per lifeline */
  uint32_t *tag;     /* per event: the number of a message that takes longer; 0 = none */
  char called[48];   /* what stands in the margin of the next line: numbers of steps */
  uint32_t bracket;  /* and behind it: 0 = nothing */
  int last;          /* the row is the last of its atomic step */
};

static int x_of(const struct pen *p, uint32_t lifeline) { return p->margin + p->lead + (int)lifeline * p->pitch; }

/* ---- cells --------------------------------------------------------------------------------------------------------------------------- */

static void put(struct pen *p, int x, uint32_t code, enum report_colour colour) {
  if (x >= 0 && x < p->width) p->cell[x] = (struct cell){code, (uint8_t)colour};
}

/* Text that report_name has made safe, up to column `end`; a dot of three where it is cut. The column behind it. */
static int put_text(struct pen *p, int x, int end, const char *text, enum report_colour colour) {
  const unsigned char *t = (const unsigned char *)text;
  if (end > p->width) end = p->width;
  while (*t) {
    uint32_t code = *t++;
    int more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0;
    if (more) code &= 0x3fu >> more;
    for (; more && *t; more--) code = code << 6 | (*t++ & 0x3f);
    if (x >= end) {
      put(p, end - 1, 0x2026, colour);
      return end;
    }
    put(p, x++, code, colour);
  }
  return x;
}

static int columns(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static void begin(struct pen *p) {
  for (int x = 0; x < p->width; x++) p->cell[x] = (struct cell){' ', PLAIN};
  for (uint32_t i = 0; i < p->chart->lifelines; i++)
    if (p->alive[i]) put(p, x_of(p, i), 0x2502, DIM);
}

/* The margin of a line that is complete. */
static void margin(struct pen *p, int more) {
  put_text(p, p->number - columns(p->called), p->number, p->called, DIM);
  p->called[0] = 0;
  if (!p->bracket) return;
  put(p, p->number + 1, p->bracket == 0x250c ? 0x250c : p->last && !more ? 0x2514 : 0x2502, DIM);
  p->bracket = 0x2502;
}

static void write_code(uint32_t c, FILE *out) {
  if (c < 0x80) putc((int)c, out);
  else if (c < 0x800) fprintf(out, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f)));
  else if (c < 0x10000) fprintf(out, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
  else fprintf(out, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 0x3f)), (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
}

static void finish(struct pen *p) {
  int end = p->width, colour = PLAIN;
  while (end && p->cell[end - 1].code == ' ') end--;
  for (int x = 0; x < end; x++) {
    if (p->cell[x].colour != colour && p->cell[x].code != ' ') {
      if (colour != PLAIN) fputs(report_colour(p->colour, PLAIN), p->out);
      colour = p->cell[x].colour;
      if (colour != PLAIN) fputs(report_colour(p->colour, (enum report_colour)colour), p->out);
    }
    write_code(p->cell[x].code, p->out);
  }
  if (colour != PLAIN) fputs(report_colour(p->colour, PLAIN), p->out);
  putc('\n', p->out);
}

/* An event needs another line. */
static void next_line(struct pen *p) {
  margin(p, 1);
  finish(p);
  begin(p);
}

/* ---- arrows ------------------------------------------------------------------------------------------------------------------------------ */

enum style { SOLID, HOLLOW, DASHED }; /* at once; through a buffer; a start */

static uint32_t stroke(enum style s) { return s == DASHED ? 0x254c : 0x2500; }
static uint32_t head(enum style s, int right) { return s == HOLLOW ? (right ? 0x25b7 : 0x25c1) : right ? 0x25b6 : 0x25c0; }

static void arrow(struct pen *p, uint32_t from, uint32_t to, const char *label, enum style style) {
  int a = x_of(p, from), b = x_of(p, to), right = b > a, low = right ? a : b, room = (right ? b - a : a - b) - 1, n = columns(label);
  if (n + 4 > room && n) { /* above the arrow */
    put_text(p, low + 1, p->width, " ", PLAIN);
    put(p, put_text(p, low + 2, p->width, label, PLAIN), ' ', PLAIN);
    next_line(p);
    n = 0;
  }
  for (int x = low + 1; x < low + 1 + room; x++) put(p, x, stroke(style), PLAIN);
  put(p, a, right ? 0x251c : 0x2524, DIM);
  put(p, right ? b - 1 : b + 1, head(style, right), PLAIN);
  if (!n) return;
  int x = low + 1 + (room - n) / 2;
  put(p, x - 1, ' ', PLAIN);
  put(p, put_text(p, x, low + room, label, PLAIN), ' ', PLAIN);
}

/* An arrow that has one end only: it leaves (1) or arrives (0) at a lifeline, `tail` is where its other end would be. */
static void half_arrow(struct pen *p, uint32_t at, int right, int leaves, const char *label, const char *tail) {
  int x = x_of(p, at), n = columns(label), t = columns(tail), need = n + t + 7;
  if (!right && x - p->margin < need) {
    if (x - p->margin >= t + 5) label = "", n = 0;
    else right = 1; /* no room on that side: it turns to the other */
  }
  if (leaves) {
    put(p, x, right ? 0x251c : 0x2524, DIM);
    if (right) {
      int end = put_text(p, x + 3, p->width - t - 4, label, PLAIN);
      put(p, x + 1, 0x2500, PLAIN);
      put(p, x + 2, ' ', PLAIN);
      put(p, end, ' ', PLAIN);
      put(p, end + 1, 0x2500, PLAIN);
      put(p, put_text(p, end + 2, p->width, tail, PLAIN), ' ', PLAIN);
    } else {
      int from = x - 2 - n;
      put(p, x - 1, 0x2500, PLAIN);
      put(p, x - 2, ' ', PLAIN);
      put_text(p, from, x - 2, label, PLAIN);
      put(p, from - 1, ' ', PLAIN);
      put(p, from - 2, 0x2500, PLAIN);
      put_text(p, from - 2 - t, from - 2, tail, PLAIN);
    }
    return;
  }
  if (right) { /* it comes from the right */
    put(p, x + 1, 0x25c1, PLAIN);
    put(p, x + 2, 0x2500, PLAIN);
    put(p, x + 3, ' ', PLAIN);
    int end = put_text(p, x + 4, p->width - t - 2, label, PLAIN);
    if (n) put(p, end++, ' ', PLAIN);
    put(p, put_text(p, end, p->width, tail, PLAIN), ' ', PLAIN);
  } else {
    int from = x - 3 - n;
    put(p, x - 1, 0x25b7, PLAIN);
    put(p, x - 2, 0x2500, PLAIN);
    put(p, x - 3, ' ', PLAIN);
    if (n) put_text(p, from, x - 3, label, PLAIN);
    put(p, from - 1, ' ', PLAIN);
    put_text(p, from - 1 - t, from - 1, tail, PLAIN);
  }
}

static void message(struct pen *p, const struct chart_event *e, uint32_t index, int arrives) {
  char raw[LABEL], label[LABEL], tail[24];
  chart_message_text(e, raw, sizeof raw);
  report_name(label, sizeof label, raw);
  int one_line = e->from != CHART_NOBODY && e->to != CHART_NOBODY && !p->tag[index];
  if (one_line && e->from != e->to) arrow(p, e->from, e->to, label, e->meeting ? SOLID : HOLLOW);
  else if (one_line) {
    put(p, x_of(p, e->from), 0x251c, DIM);
    put(p, put_text(p, put_text(p, x_of(p, e->from) + 1, p->width, "\u21ba ", PLAIN), p->width, label, PLAIN), ' ', PLAIN);
  } else if (arrives || e->from == CHART_NOBODY) {
    snprintf(tail, sizeof tail, "#%u", p->tag[index]);
    half_arrow(p, e->to, e->from != CHART_NOBODY && e->from >= e->to, 0, label, e->from == CHART_NOBODY ? "..." : tail);
  } else {
    int right = e->to == CHART_NOBODY ? e->from + 1 < p->chart->lifelines || e->from == 0 : e->to >= e->from;
    snprintf(tail, sizeof tail, right ? "\u25b7 #%u" : "#%u \u25c1", p->tag[index]);
    half_arrow(p, e->from, right, 1, label, e->to != CHART_NOBODY ? tail : e->lost ? (right ? "\u2573 lost" : "lost \u2573") : right ? "\u25b7 ..." : "... \u25c1");
  }
}

/* ---- other events -------------------------------------------------------------------------------------------------------------------------- */

static void beside(struct pen *p, uint32_t at, uint32_t sign, const char *text, enum report_colour colour) {
  int x = x_of(p, at);
  put(p, x, sign, sign == 0x2502 ? DIM : colour);
  put(p, x + 1, ' ', PLAIN);
  put(p, put_text(p, x + 2, p->width, text, colour), ' ', PLAIN);
}

static void line_across(struct pen *p, uint32_t code, const char *text, enum report_colour colour) {
  int last = x_of(p, p->chart->lifelines ? p->chart->lifelines - 1 : 0) + p->lead, n = columns(text);
  if (last < p->margin + n + 6) last = p->margin + n + 6;
  for (int x = p->margin; x < last; x++) put(p, x, code, colour);
  if (!n) return;
  put(p, p->margin + 2, ' ', colour);
  put(p, put_text(p, p->margin + 3, p->width, text, colour), ' ', colour);
}

/* A note line by line: what was printed may have several. */
static void note(struct pen *p, const struct chart_event *e) {
  static const enum report_colour colours[] = {PLAIN, CYAN, RED, YELLOW, BOLD};
  const char *text = e->label;
  char line[LABEL];
  if (e->tone == CHART_VERDICT) {
    line_across(p, 0x2550, report_name(line, sizeof line, text), BOLD);
    return;
  }
  for (int n = 0; *text || !n; n++) {
    size_t length = strcspn(text, "\n");
    if (n) next_line(p);
    if (n == MOST_LINES) {
      beside(p, e->from, 0x2502, "...", colours[e->tone]);
      return;
    }
    err_quote(line, sizeof line, text, length);
    beside(p, e->from, e->tone == CHART_FAULT ? 0x2716 : e->tone == CHART_WAIT ? 0x25cb : 0x254e, line, colours[e->tone]);
    text += length + (text[length] == '\n');
  }
}

static void create(struct pen *p, const struct chart_event *e) {
  char label[LABEL];
  report_name(label, sizeof label, e->label);
  if (e->from == CHART_NOBODY || e->from == e->to) {
    p->alive[e->to] = 1;
    beside(p, e->to, 0x252c, label, PLAIN);
    return;
  }
  arrow(p, e->from, e->to, label, DASHED);
  p->alive[e->to] = 1;
  put(p, x_of(p, e->to), 0x252c, PLAIN);
}

static void draw(struct pen *p, const struct chart_event *e, uint32_t index, int arrives) {
  char text[LABEL];
  begin(p);
  switch (e->kind) {
  case CHART_MESSAGE: message(p, e, index, arrives); break;
  case CHART_ACTION: beside(p, e->from, 0x25cf, report_name(text, sizeof text, e->label), PLAIN); break;
  case CHART_CREATE: create(p, e); break;
  case CHART_END:
    put(p, x_of(p, e->from), 0x2534, PLAIN);
    p->alive[e->from] = 0;
    break;
  case CHART_NOTE: note(p, e); break;
  case CHART_LOOP: line_across(p, 0x254c, report_name(text, sizeof text, e->label), BOLD); break;
  default: break;
  }
}

static void headings(struct pen *p) {
  char name[LABEL];
  for (int x = 0; x < p->width; x++) p->cell[x] = (struct cell){' ', PLAIN};
  for (uint32_t i = 0; i < p->chart->lifelines; i++) {
    report_name(name, sizeof name, p->chart->lifeline[i].name);
    int n = columns(name), back = n / 2 < p->lead ? n / 2 : p->lead, x = x_of(p, i) - back;
    put_text(p, x, x + p->pitch - 1, name, BOLD);
  }
  finish(p);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------------------------------- */

static void measure(struct pen *p, int width) {
  const struct chart *c = p->chart;
  char number[32], text[LABEL], quoted[LABEL];
  int need = NARROWEST, lines = c->lifelines ? (int)c->lifelines : 1;
  p->number = snprintf(number, sizeof number, "%u", c->steps);
  int pairs = 0; /* 12-13 */
  for (uint32_t i = 0; i < c->events && !pairs; i++) pairs = c->event[i].kind == CHART_MESSAGE && c->event[i].last_row == c->event[i].row + 1;
  p->number = pairs ? 2 * p->number + 1 : p->number;
  if (p->number < 3) p->number = 3;
  p->margin = p->number + 4;
  for (uint32_t i = 0; i < c->lifelines; i++) {
    int n = columns(report_name(quoted, sizeof quoted, c->lifeline[i].name)) + 2;
    if (n > need) need = n;
  }
  for (uint32_t i = 0; i < c->events && need < WIDEST; i++) {
    const struct chart_event *e = &c->event[i];
    if (e->kind == CHART_LOOP || e->kind == CHART_ATOMIC || e->kind == CHART_END || (e->kind == CHART_NOTE && e->tone == CHART_VERDICT)) continue;
    if (e->kind == CHART_MESSAGE) chart_message_text(e, text, sizeof text);
    else snprintf(text, sizeof text, "%s", e->label);
    int n = columns(report_name(quoted, sizeof quoted, text)) + (e->kind == CHART_MESSAGE ? 7 : 4);
    if (n > need) need = n;
  }
  int most = (width - p->margin) / lines;
  p->pitch = need < most ? need : most;
  if (p->pitch > WIDEST) p->pitch = WIDEST;
  if (p->pitch < NARROWEST) p->pitch = NARROWEST;
  p->lead = p->pitch / 3 < LEAD ? p->pitch / 3 : LEAD;
  p->width = p->margin + lines * p->pitch;
  if (p->width < width) p->width = width;
}

/* Messages with other rows between send and receive get a number; the others are one line. */
static void give_tags(struct pen *p) {
  uint32_t next = 1;
  for (uint32_t i = 0; i < p->chart->events; i++) {
    const struct chart_event *e = &p->chart->event[i];
    if (e->kind == CHART_MESSAGE && e->from != CHART_NOBODY && e->last_row != CHART_NEVER && e->last_row > e->row + 1) p->tag[i] = next++;
  }
}

static void rows(struct pen *p) {
  const struct chart *c = p->chart;
  uint32_t last_step = 0, atomic_end = 0, atomic = 0, next = 0; /* next: events not looked at yet */
  uint32_t loop_end = CHART_NEVER, loop_step = 0;
  for (uint32_t row = 0; row < c->rows; row++) {
    uint32_t index = c->row_event[row];
    const struct chart_event *e = &c->event[index];
    int arrives = e->kind == CHART_MESSAGE && row != e->row, first = 0;
    uint32_t step = arrives || (e->kind == CHART_MESSAGE && e->from == CHART_NOBODY) ? e->received : e->step;
    for (; next < c->events && c->event[next].row <= row; next++)
      if (c->event[next].kind == CHART_ATOMIC) atomic = first = 1, atomic_end = c->event[next].last_row;
    if (row && row % HEADINGS == 0) headings(p);
    int one_line = !arrives && e->kind == CHART_MESSAGE && e->last_row == row + 1;
    int about_step = e->kind != CHART_LOOP && !(e->kind == CHART_NOTE && (e->tone == CHART_VERDICT || e->tone == CHART_WAIT));
    if (one_line && e->received != e->step) snprintf(p->called, sizeof p->called, "%u-%u", e->step, e->received);
    else if (about_step && step != last_step) snprintf(p->called, sizeof p->called, "%u", step);
    if (about_step) last_step = one_line ? e->received : step;
    p->bracket = !atomic ? 0 : first ? 0x250c : 0x2502;
    p->last = row >= atomic_end || (one_line && row + 1 >= atomic_end);
    draw(p, e, index, arrives);
    margin(p, 0);
    finish(p);
    if (e->kind == CHART_LOOP) loop_end = e->last_row, loop_step = e->step;
    if (one_line) row++;
    if (atomic && row >= atomic_end) atomic = 0;
    if (loop_end != CHART_NEVER && row >= loop_end) {
      char text[60];
      snprintf(text, sizeof text, "and on with step %u", loop_step);
      begin(p);
      line_across(p, 0x254c, text, BOLD);
      finish(p);
      loop_end = CHART_NEVER;
    }
  }
}

int chart_write_text(const struct chart *c, const struct chart_drawing *how, FILE *out) {
  struct pen p = {.chart = c, .out = out, .colour = how->colour};
  measure(&p, how->width > 0 ? how->width : 100);
  p.cell = mem_alloc(c->mem, MEM_OTHER, (size_t)p.width * sizeof *p.cell);
  p.alive = mem_alloc(c->mem, MEM_OTHER, c->lifelines + 1);
  p.tag = mem_alloc(c->mem, MEM_OTHER, ((size_t)c->events + 1) * sizeof *p.tag);
  int bad = !p.cell || !p.alive || !p.tag;
  if (!bad) {
    for (uint32_t i = 0; i < c->lifelines; i++) p.alive[i] = c->lifeline[i].from == CHART_NEVER;
    give_tags(&p);
    if (c->lifelines) headings(&p);
    rows(&p);
  }
  mem_free(c->mem, p.cell);
  mem_free(c->mem, p.alive);
  mem_free(c->mem, p.tag);
  return bad || ferror(out) ? -1 : 0;
}
