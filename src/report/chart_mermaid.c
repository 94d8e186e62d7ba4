/* chart_mermaid.c -- a chart as mermaid's sequenceDiagram, for READMEs, issues and wikis.
 *
 * Mermaid's arrows are level: a message that is received later is drawn where it is sent, and a note says where it arrives; a number ties the two.
 * Its grammar has words (end, loop, note) and signs (; # % : { }) of its own, and what it makes is a web page: whatever could be more than text is
 * written as mermaid's number of that character. */
#include "report/chart.h"

#include <string.h>
#include <strings.h>

struct book {
  const struct chart *chart;
  FILE *out;
  uint8_t *once;  /* per lifeline: it is started once and may be created where that happens */
  uint32_t *tag;  /* per event */
  int depth;      /* of open blocks */
};

/* Signs that are nothing but text in every place of a diagram. */
static int plain(unsigned char c) { return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c && strchr(" .,()[]=+*/_'\"!?|&$^~-:\\", c)); }

static int letter(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

/* "end" closes a block wherever it stands alone, "wrap:" is an instruction. */
static int has_meaning(const char *whole, size_t at) {
  if (strncasecmp(whole + at, "end", 3) == 0 && (!at || !letter(whole[at - 1])) && !letter(whole[at + 3])) return 1;
  return whole[at] == ':' && at >= 4 && strncasecmp(whole + at - 4, "wrap", 4) == 0;
}

static void text(const char *from, FILE *out) {
  char line[1000];
  if (!*from) putc(' ', out);
  while (*from) {
    size_t length = strcspn(from, "\n");
    err_quote(line, sizeof line, from, length);
    for (size_t i = 0; line[i]; i++) {
      if (plain((unsigned char)line[i]) && !has_meaning(line, i)) putc(line[i], out);
      else fprintf(out, "#%d;", line[i]);
    }
    from += length;
    if (*from == '\n') {
      fputs("<br/>", out);
      from++;
    }
  }
}

static void indent(const struct book *b) {
  for (int i = 0; i < 1 + b->depth; i++) fputs("  ", b->out);
}

static void note(const struct book *b, uint32_t from, uint32_t to, const char *before, const char *label) {
  indent(b);
  fprintf(b->out, "Note over p%u", from);
  if (to != from) fprintf(b->out, ",p%u", to);
  fprintf(b->out, ": %s", before);
  text(label, b->out);
  putc('\n', b->out);
}

static void message(const struct book *b, const struct chart_event *e, uint32_t index, int arrives) {
  char label[600], number[40] = "";
  chart_message_text(e, label, sizeof label);
  if (b->tag[index]) snprintf(number, sizeof number, " (%u)", b->tag[index]);
  if (e->from == CHART_NOBODY || arrives) {
    if (arrives && !b->tag[index]) return; /* it went straight */
    indent(b);
    fprintf(b->out, "Note over p%u: receives%s ", e->to, number);
    text(label, b->out);
    putc('\n', b->out);
    return;
  }
  uint32_t to = e->to == CHART_NOBODY ? e->from : e->to;
  indent(b);
  fprintf(b->out, "p%u%sp%u: ", e->from, e->lost ? "-x" : e->meeting ? "->>" : "-)", to);
  text(label, b->out);
  fprintf(b->out, "%s%s\n", number, e->lost ? ", lost" : e->to == CHART_NOBODY ? ", still under way" : "");
}

static void create(const struct book *b, const struct chart_event *e) {
  if (e->from == CHART_NOBODY) {
    note(b, e->to, e->to, "starts ", e->label);
    return;
  }
  if (b->once[e->to]) {
    indent(b);
    fprintf(b->out, "create participant p%u as ", e->to);
    text(b->chart->lifeline[e->to].name, b->out);
    putc('\n', b->out);
  }
  indent(b);
  fprintf(b->out, "p%u-->>p%u: ", e->from, e->to);
  text(e->label, b->out);
  putc('\n', b->out);
}

static void event(struct book *b, const struct chart_event *e, uint32_t index, int arrives) {
  switch (e->kind) {
  case CHART_MESSAGE: message(b, e, index, arrives); break;
  case CHART_ACTION: note(b, e->from, e->from, "", e->label); break;
  case CHART_CREATE: create(b, e); break;
  case CHART_END:
    if (b->once[e->from]) {
      indent(b);
      fprintf(b->out, "destroy p%u\n", e->from);
      indent(b);
      fprintf(b->out, "p%u--xp%u: ends\n", e->from, e->from);
    } else note(b, e->from, e->from, "", "ends");
    break;
  case CHART_NOTE: note(b, e->from, e->to, e->tone == CHART_PRINT ? "prints " : e->tone == CHART_FAULT ? "fault: " : "", e->label); break;
  case CHART_LOOP:
    indent(b);
    fputs("loop ", b->out);
    text(e->label, b->out);
    putc('\n', b->out);
    b->depth++;
    break;
  default: break;
  }
}

static void rows(struct book *b) {
  const struct chart *c = b->chart;
  uint32_t next = 0, ends[2], open = 0; /* loop and atomic step */
  for (uint32_t row = 0; row < c->rows; row++) {
    uint32_t index = c->row_event[row];
    for (; next < c->events && c->event[next].row <= row; next++)
      if (c->event[next].kind == CHART_ATOMIC) {
        indent(b);
        fputs("rect rgba(128,128,128,0.15)\n", b->out);
        b->depth++;
        ends[open++] = c->event[next].last_row;
      }
    event(b, &c->event[index], index, row != c->event[index].row);
    if (c->event[index].kind == CHART_LOOP) ends[open++] = c->event[index].last_row;
    while (open && ends[open - 1] <= row) {
      open--;
      b->depth--;
      indent(b);
      fputs("end\n", b->out);
    }
  }
}

/* Who is started once, by somebody, and not there before; and which messages take longer. */
static void look_ahead(struct book *b) {
  const struct chart *c = b->chart;
  uint32_t next = 1;
  for (uint32_t i = 0; i < c->lifelines; i++) b->once[i] = c->lifeline[i].from != CHART_NEVER ? 2 : 1;
  for (uint32_t i = 0; i < c->events; i++) {
    const struct chart_event *e = &c->event[i];
    if (e->kind == CHART_CREATE) b->once[e->to] = b->once[e->to] == 2 && e->from != CHART_NOBODY ? 3 : 0;
    if (e->kind == CHART_MESSAGE && e->from != CHART_NOBODY && e->last_row != CHART_NEVER && e->last_row > e->row + 1) b->tag[i] = next++;
  }
  /* Mermaid knows each end of a lifeline once. */
  for (uint32_t i = 0; i < c->events; i++) {
    const struct chart_event *e = &c->event[i];
    if (e->kind == CHART_END && b->once[e->from]) b->once[e->from] = (uint8_t)(b->once[e->from] & 4 ? 0 : b->once[e->from] | 4);
  }
}

int chart_write_mermaid(const struct chart *c, FILE *out) {
  struct book b = {.chart = c, .out = out};
  b.once = mem_alloc(c->mem, MEM_OTHER, c->lifelines + 1);
  b.tag = mem_alloc(c->mem, MEM_OTHER, ((size_t)c->events + 1) * sizeof *b.tag);
  int bad = !b.once || !b.tag;
  if (!bad) {
    look_ahead(&b);
    fputs("sequenceDiagram\n", out);
    for (uint32_t i = 0; i < c->lifelines; i++) {
      int later = (b.once[i] & 3) == 3;
      if (later) continue;
      fprintf(out, "  participant p%u as ", i);
      text(c->lifeline[i].name, out);
      putc('\n', out);
    }
    rows(&b);
  }
  mem_free(c->mem, b.once);
  mem_free(c->mem, b.tag);
  return bad || ferror(out) ? -1 : 0;
}
