/* err.c -- see err.h. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void err_clear(struct err *e) {
  memset(e, 0, sizeof *e);
  e->caret = -1;
}

static int fill(struct err *e, enum err_kind kind, const char *file, long line, long column, const char *format, va_list args) {
  if (e->kind != ERR_NONE) return -1;
  err_clear(e);
  e->kind = kind;
  e->line = line;
  e->column = column;
  if (file) err_quote(e->file, sizeof e->file, file, strlen(file));
  vsnprintf(e->message, sizeof e->message, format, args);
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
}

/* Length of the well-formed UTF-8 sequence at p, or 0. */
static size_t utf8_length(const unsigned char *p, size_t left) {
  static const unsigned char need[] = {2, 3, 4};
  size_t n = p[0] >= 0xc2 && p[0] < 0xe0 ? need[0] : (p[0] & 0xf0) == 0xe0 ? need[1] : p[0] >= 0xf0 && p[0] < 0xf5 ? need[2] : 0;
  if (!n || n > left) return 0;
  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80) return 0;
  return n;
}

char *err_quote(char *out, size_t room, const char *text, size_t length) {
  static const char hex[] = "0123456789abcdef";
  size_t o = 0;
  for (size_t i = 0; i < length;) {
    const unsigned char *p = (const unsigned char *)text + i;
    size_t n = *p >= 0x20 && *p < 0x7f ? 1 : *p >= 0x80 ? utf8_length(p, length - i) : 0;
    if (o + 4 + 4 > room) {
      if (o + 4 <= room) memcpy(out + o, "...", 3), o += 3;
      break;
    }
    if (n) {
      memcpy(out + o, p, n);
      o += n;
      i += n;
    } else {
      out[o++] = '\\';
      out[o++] = 'x';
      out[o++] = hex[*p >> 4];
      out[o++] = hex[*p & 15];
      i++;
    }
  }
  out[o < room ? o : room - 1] = 0;
  return out;
}

void err_excerpt(struct err *e, const char *text, size_t length, size_t offset) {
  if (offset > length) offset = length;
  size_t start = offset, end = offset;
  const size_t reach = 80; /* bytes shown on each side of the caret */
  while (start > 0 && text[start - 1] != '\n' && offset - start < reach) start--;
  while (end < length && text[end] != '\n' && text[end] != '\r' && end - offset < reach) end++;
  char before[sizeof e->excerpt];
  size_t lead = offset - start;
  err_quote(before, sizeof before, text + start, lead);
  for (char *c = before; *c; c++)
    if (*c == '\t') *c = ' ';
  err_quote(e->excerpt, sizeof e->excerpt, text + start, end - start);
  long columns = 0;
  for (const char *c = before; *c; c++) columns += ((unsigned char)*c & 0xc0) != 0x80;
  e->caret = columns;
}
