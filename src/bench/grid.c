/* grid.c -- see grid.h. */
#include "bench/grid.h"

#include "base/err.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void grid_open(struct grid *g, size_t columns, struct mem *mem) {
  *g = (struct grid){.columns = columns};
  arena_open(&g->arena, mem, MEM_OTHER);
}

void grid_close(struct grid *g) { arena_close(&g->arena); }

void grid_put(struct grid *g, const char *format, ...) {
  char text[1024], shown[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  err_quote(shown, sizeof shown, text, strlen(text));
  if (g->count == g->room) {
    size_t room = g->room ? 2 * g->room : 256;
    const char **more = arena_alloc(&g->arena, room * sizeof *more);
    if (!more) {
      g->failed = 1;
      return;
    }
    if (g->count) memcpy(more, g->cells, g->count * sizeof *more);
    g->cells = more;
    g->room = room;
  }
  const char *copy = arena_strndup(&g->arena, shown, strlen(shown));
  if (!copy) g->failed = 1;
  else g->cells[g->count++] = copy;
}

/* Columns on a screen: UTF-8 continuation bytes take none. */
static size_t width(const char *text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static void pad(FILE *out, size_t n) {
  while (n-- > 0) putc(' ', out);
}

int grid_text(const struct grid *g, size_t left, const char *indent, FILE *out) {
  if (g->failed) return -1;
  for (size_t i = 0; i + g->columns <= g->count; i += g->columns) {
    size_t owed = 0; /* blanks that are only written before something */
    fputs(indent, out);
    for (size_t c = 0; c < g->columns; c++) {
      size_t wide = 0, own = width(g->cells[i + c]);
      int at_left = c < left || (c == g->columns - 1 && !*g->cells[c]); /* remarks */
      for (size_t k = c; k < g->count; k += g->columns) wide = width(g->cells[k]) > wide ? width(g->cells[k]) : wide;
      if (c) owed += 2;
      if (!at_left) owed += wide - own;
      if (own) pad(out, owed), owed = 0;
      fputs(g->cells[i + c], out);
      if (at_left) owed += wide - own;
    }
    putc('\n', out);
  }
  return 0;
}

int grid_markdown(const struct grid *g, size_t left, FILE *out) {
  if (g->failed) return -1;
  for (size_t i = 0; i + g->columns <= g->count; i += g->columns) {
    putc('|', out);
    for (size_t c = 0; c < g->columns; c++) {
      putc(' ', out);
      for (const char *p = g->cells[i + c]; *p; p++) {
        if (*p == '|') putc('\\', out);
        putc(*p, out);
      }
      fputs(" |", out);
    }
    putc('\n', out);
    if (i) continue;
    putc('|', out);
    for (size_t c = 0; c < g->columns; c++) fputs(c < left ? "---|" : "---:|", out);
    putc('\n', out);
  }
  return 0;
}

static int ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static int among(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return 1;
  return 0;
}

char *grid_figure(char out[GRID_ROOM], const char *figure, double x) {
  static const char *const bytes[] = {"memory", "resident", "rss", "held", "store", NULL}, *const times[] = {"time", "wall", "search", "cpu", "seconds", NULL};
  char text[TEXT_ROOM];
  if (strncmp(figure, "paper.", 6) == 0) figure += 6;
  if (isnan(x)) out[0] = 0;
  else if (ends_with(figure, "%")) snprintf(out, GRID_ROOM, x < 9.95 ? "%.1f %%" : "%.0f %%", x);
  else if (among(figure, times) || (ends_with(figure, "_s") && !ends_with(figure, "_per_s"))) snprintf(out, GRID_ROOM, "%.*f s", x < 0.1 ? 4 : x < 10 ? 3 : x < 100 ? 2 : x < 1000 ? 1 : 0, x);
  else if (among(figure, bytes) || ends_with(figure, "_bytes")) snprintf(out, GRID_ROOM, "%s", x >= 0 && x < 1e18 ? text_size(text, (uint64_t)x) : "");
  else if (fabs(x) < 1e15 && x >= 0 && (x == floor(x) || x >= 1000)) snprintf(out, GRID_ROOM, "%s", text_count(text, (uint64_t)llround(x)));
  else snprintf(out, GRID_ROOM, fabs(x) < 10 ? "%.2f" : "%.1f", x);
  return out;
}
