/* read.c -- the Aldebaran format, line by line.
 *
 *   des (INITIAL, EDGES, STATES)
 *   (FROM, LABEL, TO)                one line per edge, exactly EDGES of them
 *
 * A label in quotes is everything between the first and the last quote of its line; a bare one
 * is everything between the first and the last comma, without the blanks around it; its
 * parentheses must match, so that two edges in one line are not taken for one.  That
 * reads what CADP, mCRL2 and TINA write, labels with commas, parentheses and quotes
 * included.  Empty lines, and lines that begin with #, are passed over.
 *
 * The file is read in pieces of 64 KB and never held: a line lies in the piece, or, when it
 * straddles two, in a buffer of its own. */
#define _GNU_SOURCE /* memrchr */
#include "front/lts/graph.h"

#include "base/vec.h"
#include "front/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 64 << 10, LINE_MAX = (64 << 10) + 200 };

struct reader {
  struct lts *graph;
  const struct front_setup *setup;
  struct err *err;
  char *chunk;
  size_t at, got; /* in the chunk */
  struct vec(char) straddling;
  const char *text; /* the line being read, without its end */
  size_t length, i; /* i: how far it is understood */
  long line;
  uint64_t room; /* edges that the columns have room for */
  uint32_t announced;
  struct place_in_text announced_at;
};

static int fail(struct reader *r, size_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(struct reader *r, size_t offset, const char *format, ...) {
  char message[sizeof r->err->message];
  long column = 1;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  for (size_t i = 0; i < offset && i < r->length; i++) column += ((unsigned char)r->text[i] & 0xc0) != 0x80;
  err_input(r->err, (struct place_in_text){r->setup->file, r->line, column}, "%s", message);
  front_excerpt(r->err, r->text, r->length, offset);
  return -1;
}

/* ---- lines ------------------------------------------------------------------------ */

static int keep_part(struct reader *r, size_t length) {
  struct mem *m = r->setup->mem;
  if (length > LINE_MAX - r->straddling.count) {
    r->text = r->straddling.at ? r->straddling.at : r->chunk + r->at;
    r->length = r->straddling.count;
    r->line++;
    return fail(r, 0, "this line is longer than %d bytes", LINE_MAX);
  }
  if (vec_reserve(&r->straddling, m, MEM_OTHER, length)) return err_memory(r->err, "the graph");
  if (length) memcpy(r->straddling.at + r->straddling.count, r->chunk + r->at, length);
  r->straddling.count += length;
  r->at += length;
  return 0;
}

/* 1: a line is there; 0: the end; -1: an error. */
static int next_line(struct reader *r) {
  r->straddling.count = 0;
  for (;;) {
    if (r->at == r->got) {
      r->at = 0;
      r->got = fread(r->chunk, 1, CHUNK, r->setup->input);
      if (ferror(r->setup->input)) return err_io(r->err, r->setup->file, "cannot read: %s", strerror(errno));
      if (!r->got && !r->straddling.count) return 0;
    }
    const char *end = memchr(r->chunk + r->at, '\n', r->got - r->at);
    size_t part = end ? (size_t)(end - (r->chunk + r->at)) : r->got - r->at;
    if (!end && r->got) {
      if (keep_part(r, part)) return -1;
      continue;
    }
    if (r->straddling.count) {
      if (part && keep_part(r, part)) return -1;
      r->text = r->straddling.at;
      r->length = r->straddling.count;
    } else {
      r->text = r->chunk + r->at;
      r->length = part;
      r->at += part;
    }
    if (end) r->at++;
    break;
  }
  r->line++;
  r->i = 0;
  if (r->length > LINE_MAX) return fail(r, 0, "this line is longer than %d bytes", LINE_MAX);
  if (r->length && r->text[r->length - 1] == '\r') r->length--;
  size_t bad = front_bad_text(r->text, r->length);
  if (bad < r->length)
    return fail(r, bad, (unsigned char)r->text[bad] < 0x80 ? "a control character" : "the file is not valid UTF-8 here");
  if (memchr(r->text, '\r', r->length)) return fail(r, 0, "a line end in the middle of a line");
  return 1;
}

/* ---- words of a line -------------------------------------------------------------- */

static void blanks(struct reader *r) {
  while (r->i < r->length && (r->text[r->i] == ' ' || r->text[r->i] == '\t')) r->i++;
}

static int sign(struct reader *r, char c) {
  blanks(r);
  if (r->i == r->length || r->text[r->i] != c) return fail(r, r->i, "%c expected", c);
  r->i++;
  return 0;
}

static int number(struct reader *r, const char *what, uint32_t *out) {
  uint64_t value = 0;
  blanks(r);
  size_t start = r->i;
  for (; r->i < r->length && r->text[r->i] >= '0' && r->text[r->i] <= '9'; r->i++)
    if (value <= UINT32_MAX) value = value * 10 + (uint64_t)(r->text[r->i] - '0');
  if (r->i == start) return fail(r, start, "%s expected, a number", what);
  if (value > UINT32_MAX) return fail(r, start, "%s is more than 4294967295", what);
  *out = (uint32_t)value;
  return 0;
}

static int state(struct reader *r, const char *what, uint32_t *out) {
  blanks(r);
  size_t start = r->i;
  if (number(r, what, out)) return -1;
  if (*out < r->graph->states) return 0;
  return fail(r, start, "%s %u does not exist: the graph has %u states, numbered from 0", what, *out, r->graph->states);
}

static int end_of_line(struct reader *r) {
  blanks(r);
  return r->i == r->length ? 0 : fail(r, r->i, "the line should end here");
}

/* The parentheses of a bare label. */
static int matching(struct reader *r, const char *from, const char *to) {
  const char *open = NULL;
  long depth = 0;
  for (const char *c = from; c < to; c++) {
    if (*c == '(' && depth++ == 0) open = c;
    if (*c == ')' && depth-- == 0) open = c;
    if (depth < 0) break;
  }
  if (!depth) return 0;
  fail(r, (size_t)(open - r->text), "this %c does not match in the label", *open);
  err_hint(r->err, "one edge per line; odd labels stand in quotes");
  return -1;
}

static int take_label(struct reader *r, uint32_t *out) {
  blanks(r);
  const char *from = r->text + r->i, *end = r->text + r->length, *to;
  if (from < end && *from == '"') {
    to = memrchr(from + 1, '"', (size_t)(end - from - 1));
    if (!to) return fail(r, r->i, "the label that begins here is not closed");
    r->i = (size_t)(to + 1 - r->text);
    from++;
  } else {
    to = from < end ? memrchr(from, ',', (size_t)(end - from)) : NULL;
    if (!to) return fail(r, r->length, "a label, a comma and a state expected");
    r->i = (size_t)(to - r->text);
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    if (to == from) return fail(r, r->i, "a label expected");
    if (matching(r, from, to)) return -1;
  }
  if ((size_t)(to - from) > FRONT_NAME_MAX) return fail(r, r->i, "the label is longer than %zu bytes", FRONT_NAME_MAX);
  struct lts *g = r->graph;
  *out = names_put(&g->labels, from, (size_t)(to - from), &g->arena);
  const uint32_t line = r->line < UINT32_MAX ? (uint32_t)r->line : 0;
  if (*out == NAMES_NONE || (*out == g->line.count && vec_push(&g->line, r->setup->mem, MEM_MODEL, line)))
    return err_memory(r->err, "the labels of the graph");
  return 0;
}

/* ---- the file --------------------------------------------------------------------- */

static int read_header(struct reader *r) {
  struct lts *g = r->graph;
  blanks(r);
  if (r->length - r->i < 3 || memcmp(r->text + r->i, "des", 3) != 0) {
    fail(r, r->i, "the graph must begin with its header");
    err_hint(r->err, "des (INITIAL STATE, NUMBER OF EDGES, NUMBER OF STATES)");
    return -1;
  }
  r->i += 3;
  if (sign(r, '(')) return -1;
  blanks(r);
  size_t initial_at = r->i;
  if (number(r, "the initial state", &g->initial) || sign(r, ',')) return -1;
  blanks(r);
  r->announced_at = (struct place_in_text){r->setup->file, r->line, (long)r->i + 1};
  if (number(r, "the number of edges", &r->announced) || sign(r, ',')) return -1;
  blanks(r);
  size_t states_at = r->i;
  if (number(r, "the number of states", &g->states) || sign(r, ')') || end_of_line(r)) return -1;
  if (!g->states) return fail(r, states_at, "a graph has at least one state");
  if (g->initial >= g->states)
    return fail(r, initial_at, "the initial state %u does not exist: the graph has %u states, numbered from 0", g->initial,
                g->states);
  return 0;
}

static int make_room(struct reader *r) {
  struct region *columns[] = {&r->graph->source, &r->graph->target, &r->graph->label};
  uint64_t room = r->room + r->room / 2 + 1024;
  for (int i = 0; i < 3; i++)
    if (region_resize(columns[i], room * sizeof(uint32_t))) return err_memory(r->err, "the edges of the graph");
  r->room = room;
  return 0;
}

static int read_edge(struct reader *r) {
  struct lts *g = r->graph;
  uint32_t from, label = 0, to;
  if (g->edges == r->announced) return fail(r, r->i, "the header announces %u edges, and this is one more", r->announced);
  if (sign(r, '(') || state(r, "the state", &from) || sign(r, ',') || take_label(r, &label) || sign(r, ',') ||
      state(r, "the state", &to) || sign(r, ')') || end_of_line(r))
    return -1;
  if (g->edges == r->room && make_room(r)) return -1;
  lts_column(&g->source)[g->edges] = from;
  lts_column(&g->target)[g->edges] = to;
  lts_column(&g->label)[g->edges] = label;
  g->edges++;
  return 0;
}

static int read_lines(struct reader *r) {
  int header = 0, more;
  while ((more = next_line(r)) > 0) {
    if (r->line == 1 && r->length >= 3 && memcmp(r->text, "\xef\xbb\xbf", 3) == 0) r->i = 3;
    blanks(r);
    if (r->i == r->length || r->text[r->i] == '#') continue;
    if (header ? read_edge(r) : read_header(r)) return -1;
    header = 1;
  }
  if (more < 0) return -1;
  if (!header) return err_input(r->err, (struct place_in_text){r->setup->file, 0, 0}, "the file holds no graph");
  if (r->graph->edges == r->announced) return 0;
  err_input(r->err, r->announced_at, "the header announces %u edges, but the file has %u", r->announced, r->graph->edges);
  front_excerpt_again(r->err, r->setup);
  return -1;
}

int lts_read(struct lts *g, const struct front_setup *setup, struct err *e) {
  struct reader r = {.graph = g, .setup = setup, .err = e};
  r.chunk = mem_alloc(setup->mem, MEM_OTHER, CHUNK);
  if (!r.chunk) return err_memory(e, "the graph");
  int status = read_lines(&r);
  vec_free(&r.straddling, setup->mem);
  mem_free(setup->mem, r.chunk);
  return status;
}
