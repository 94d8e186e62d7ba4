/* escape.c -- see escape.h.
 *
 * stdio gives its buffers to us as they are full, so a sequence of UTF-8 may come in two pieces: its beginning is kept for
 * the next one. */
#define _GNU_SOURCE /* fopencookie */
#include "report/escape.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* ---- HTML ------------------------------------------------------------------------------------ */

static ssize_t html(void *to, const char *text, size_t length) {
  FILE *out = to;
  for (const char *p = text, *end = text + length; p < end;) {
    const char *mark = memchr(p, '<', (size_t)(end - p));
    size_t plain = (size_t)((mark ? mark : end) - p);
    if (fwrite(p, 1, plain, out) < plain) return 0;
    if (mark && fputs("\\u003c", out) < 0) return 0;
    p += plain + (mark != NULL);
  }
  return (ssize_t)length;
}

FILE *escape_in_html(FILE *to) { return fopencookie(to, "w", (cookie_io_functions_t){.write = html}); }

/* ---- XML ------------------------------------------------------------------------------------- */

struct xml {
  FILE *out;
  unsigned char kept[4]; /* the beginning of a sequence */
  size_t count;
};

static void one(FILE *out, const unsigned char *p, size_t n) {
  static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */
  int not_a_character = n == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe; /* U+FFFE, U+FFFF */
  if (n > 1) fwrite(not_a_character ? (const unsigned char *)unknown : p, 1, n, out);
  else if (*p == '<') fputs("&lt;", out);
  else if (*p == '>') fputs("&gt;", out);
  else if (*p == '&') fputs("&amp;", out);
  else if (*p == '"') fputs("&quot;", out);
  else if (*p >= 0x20 || *p == '\n' || *p == '\t') putc(*p, out);
  else fputs(unknown, out);
}

static const unsigned char broken = 1; /* stands for a byte that is part of nothing */

static void give(struct xml *x, const unsigned char *p, size_t n, size_t taken) {
  one(x->out, p, n);
  x->count -= taken;
  memmove(x->kept, x->kept + taken, x->count);
}

static void take(struct xml *x, unsigned char byte) {
  x->kept[x->count++] = byte;
  while (x->count) {
    size_t n = utf8_length(x->kept, x->count);
    if (n) give(x, x->kept, n, n);
    else if (utf8_begins(x->kept, x->count)) return;
    else give(x, &broken, 1, 1);
  }
}

static ssize_t xml(void *cookie, const char *text, size_t length) {
  struct xml *x = cookie;
  for (size_t i = 0; i < length; i++) take(x, (unsigned char)text[i]);
  return ferror(x->out) ? 0 : (ssize_t)length;
}

void escape_xml(FILE *to, const char *text) {
  struct xml x = {.out = to};
  for (; *text; text++) take(&x, (unsigned char)*text);
  while (x.count) give(&x, &broken, 1, 1);
}

static int end_xml(void *cookie) {
  struct xml *x = cookie;
  while (x->count) give(x, &broken, 1, 1);
  free(x);
  return 0;
}

FILE *escape_in_xml(FILE *to) {
  struct xml *x = calloc(1, sizeof *x);
  FILE *stream = x ? fopencookie(x, "w", (cookie_io_functions_t){.write = xml, .close = end_xml}) : NULL;
  if (!stream) free(x);
  else x->out = to;
  return stream;
}
