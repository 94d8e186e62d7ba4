/* err.c -- see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void err_clear(struct err *e) {
  memset(e, 0, sizeof *e);
  e->caret = -1;
}

/* Whoever makes a message may have forgotten to quote a name in it: what acts on a terminal is escaped here once more, and what was quoted stays as it is. */
static void tidy(char *text, size_t room) {
  char copy[sizeof((struct err *)0)->message];
  size_t length = strlen(text), plain = 0;
  while (plain < length && (unsigned char)text[plain] >= 0x20 && (unsigned char)text[plain] < 0x7f) plain++;
  if (plain == length) return;
  memcpy(copy, text, length);
  err_quote(text, room, copy, length);
}

static int fill(struct err *e, enum err_kind kind, const char *file, long line, long column, const char *format, va_list args) {
  if (e->kind != ERR_NONE) return -1;
  err_clear(e);
  e->kind = kind;
  e->line = line;
  e->column = column;
  if (file) err_quote(e->file, sizeof e->file, file, strlen(file));
  vsnprintf(e->message, sizeof e->message, format, args);
  tidy(e->message, sizeof e->message);
  return -1;
}

int err_input(struct err *e, struct place_in_text at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(e, ERR_INPUT, at.file, at.line, at.column, format, args);
  va_end(args);
  return -1;
}

int err_usage(struct err *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(e, ERR_USAGE, NULL, 0, 0, format, args);
  va_end(args);
  return -1;
}

int err_io(struct err *e, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(e, ERR_IO, file, 0, 0, format, args);
  va_end(args);
  return -1;
}

int err_internal(struct err *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(e, ERR_INTERNAL, NULL, 0, 0, format, args);
  va_end(args);
  return -1;
}

int err_limit(struct err *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fill(e, ERR_LIMIT, NULL, 0, 0, format, args);
  va_end(args);
  return -1;
}

int err_memory(struct err *e, const char *what) {
  if (e->kind != ERR_NONE) return -1;
  err_clear(e);
  e->kind = ERR_MEMORY;
  snprintf(e->message, sizeof e->message, "the memory budget is too small for %s", what);
  return -1;
}

void err_hint(struct err *e, const char *format, ...) {
  if (e->hint[0]) return;
  va_list args;
  va_start(args, format);
  vsnprintf(e->hint, sizeof e->hint, format, args);
  va_end(args);
  tidy(e->hint, sizeof e->hint);
}

/* ---- text of unknown origin ---------------------------------------------------------------- */

/* The character at p if it is well-formed UTF-8: its length, and its number in *code; 0 otherwise. */
static size_t decode(const unsigned char *p, size_t left, unsigned *code) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
  if (!n || n > left) return 0;
  unsigned c = n == 1 ? p[0] : p[0] & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (p[i] & 0x3f);
  }
  if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
  *code = c;
  return n;
}

/* Characters that would act on a terminal instead of showing: controls of both sets, and those that turn the direction
   of text around. */
static int acts(unsigned c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/* How many columns a character takes: enough for a caret, without asking a locale. */
static unsigned columns_of(unsigned c) {
  static const struct {
    unsigned first, last, columns;
  } ranges[] = {
      {0x300, 0x36f, 0},   {0x200b, 0x200d, 0},   {0x20d0, 0x20ff, 0},   {0xfe00, 0xfe0f, 0},   {0x1100, 0x115f, 2},
      {0x2e80, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
      {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (c >= ranges[i].first && c <= ranges[i].last) return ranges[i].columns;
  return 1;
}

/* The first character of the text as it is shown, into out: its length there (up to 4); *used bytes of the text, *columns on
   the screen. What is no good character is shown byte by byte as \xNN. */
static size_t show(const unsigned char *p, size_t left, char out[4], size_t *used, unsigned *columns) {
  static const char hex[] = "0123456789abcdef";
  unsigned code = 0;
  size_t n = decode(p, left, &code);
  if (n && !acts(code)) {
    memcpy(out, p, n);
    *used = n;
    *columns = columns_of(code);
    return n;
  }
  out[0] = '\\';
  out[1] = 'x';
  out[2] = hex[*p >> 4];
  out[3] = hex[*p & 15];
  *used = 1;
  *columns = 4;
  return 4;
}

char *err_quote(char *out, size_t room, const char *text, size_t length) {
  char shown[4];
  unsigned columns;
  size_t total = 0, o = 0, used;
  if (!room) return out;
  for (size_t i = 0; i < length && total < room; i += used)
    total += show((const unsigned char *)text + i, length - i, shown, &used, &columns);
  size_t end = total < room ? room - 1 : room > 4 ? room - 4 : 0; /* dots for what does not fit */
  for (size_t i = 0; i < length; i += used) {
    size_t n = show((const unsigned char *)text + i, length - i, shown, &used, &columns);
    if (o + n > end) break;
    memcpy(out + o, shown, n);
    o += n;
  }
  if (total >= room)
    for (int dots = 0; dots < 3 && o + 1 < room; dots++) out[o++] = '.';
  out[o] = 0;
  return out;
}

void err_excerpt(struct err *e, const char *text, size_t length, size_t offset) {
  enum { REACH = 80 }; /* bytes of the text before the caret, at most; and shown bytes before it: twice that */
  const unsigned char *p = (const unsigned char *)text;
  if (offset > length) offset = length;
  while (offset > 0 && offset < length && (p[offset] & 0xc0) == 0x80) offset--; /* onto the character, not into it */
  size_t start = offset, o = 0, used;
  while (start > 0 && text[start - 1] != '\n' && offset - start < REACH) start--;
  while (start < offset && (p[start] & 0xc0) == 0x80) start++;
  char shown[4], cell[sizeof e->excerpt];
  unsigned columns = 0, wide;
  /* What stands before the caret, shortened from the left until there is room for it and for something after it. */
  for (;;) {
    o = columns = 0;
    size_t i = start;
    for (; i < offset; i += used) {
      size_t n = p[i] == '\t' ? (shown[0] = ' ', used = 1, wide = 1, (size_t)1) : show(p + i, offset - i, shown, &used, &wide);
      if (o + n > sizeof cell - 40) break;
      memcpy(cell + o, shown, n);
      o += n;
      columns += wide;
    }
    if (i >= offset) break;
    do start++;
    while (start < offset && (p[start] & 0xc0) == 0x80);
  }
  e->caret = (long)columns;
  for (size_t i = offset; i < length && text[i] != '\n' && text[i] != '\r' && i - offset < REACH; i += used) {
    size_t n = p[i] == '\t' ? (shown[0] = ' ', used = 1, (size_t)1) : show(p + i, length - i, shown, &used, &wide);
    if (o + n + 1 > sizeof cell) break;
    memcpy(cell + o, shown, n);
    o += n;
  }
  cell[o] = 0;
  memcpy(e->excerpt, cell, o + 1);
}
