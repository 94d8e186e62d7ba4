/* text.c -- see text.h.
 *
 * Numbers are parsed here and not by libc for two reasons: strtol and strtod obey the
 * locale of a program that embeds the library, and they stop silently at the first odd byte.
 *
 * An error that is found long after its place was read (an arc to a node that never came)
 * knows line and column only.  The input is then read once more up to there, which costs
 * nothing while all goes well; for a pipe the message goes without the excerpt. */
#include "front/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT_MAX 2147483647u

int front_slurp(char **out, size_t *length, const struct front_setup *setup, struct err *e) {
  char *text = NULL;
  size_t count = 0, room = 0;
  *out = NULL;
  for (;;) {
    if (count + 1 >= room) {
      size_t next = room ? room + room / 2 : 16 << 10;
      char *moved = mem_resize(setup->mem, MEM_OTHER, text, next);
      if (!moved) {
        mem_free(setup->mem, text);
        return err_memory(e, "the text of the model");
      }
      text = moved;
      room = next;
    }
    size_t got = fread(text + count, 1, room - count - 1, setup->input);
    count += got;
    if (!got || ferror(setup->input)) break;
  }
  if (ferror(setup->input)) {
    mem_free(setup->mem, text);
    return err_io(e, setup->file, "cannot read: %s", strerror(errno));
  }
  text[count] = 0;
  *out = text;
  *length = count;
  return 0;
}

size_t front_bad_text(const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    unsigned c = p[i];
    if (c < 0x80) {
      if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') return i;
      i++;
      continue;
    }
    size_t n = c >= 0xc2 && c < 0xe0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (!n || n > length - i) return i;
    uint32_t code = c & (0x7fu >> n);
    for (size_t k = 1; k < n; k++) {
      if ((p[i + k] & 0xc0) != 0x80) return i;
      code = code << 6 | (p[i + k] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff) return i;
    i += n;
  }
  return length;
}

/* ---- numbers ---------------------------------------------------------------------- */

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static int digit(char c) { return c >= '0' && c <= '9'; }

static void trim(const char **text, size_t *length) {
  while (*length && blank(**text)) ++*text, --*length;
  while (*length && blank((*text)[*length - 1])) --*length;
}

enum front_number front_count(const char *text, size_t length, uint32_t *out) {
  trim(&text, &length);
  if (!length) return FRONT_EMPTY;
  size_t i = *text == '+' || *text == '-';
  if (i == length || !digit(text[i])) return FRONT_NO_NUMBER;
  uint64_t value = 0;
  int huge = 0;
  for (; i < length && digit(text[i]); i++) {
    value = value * 10 + (uint64_t)(text[i] - '0');
    if (value > COUNT_MAX) huge = 1, value = COUNT_MAX;
  }
  double any;
  if (i < length) return front_decimal(text, length, &any) == 0 ? FRONT_FRACTION : FRONT_NO_NUMBER;
  if (*text == '-') return FRONT_NEGATIVE;
  if (huge) return FRONT_HUGE;
  *out = (uint32_t)value;
  return FRONT_NUMBER;
}

const char *front_number_fault(enum front_number n) {
  switch (n) {
  case FRONT_EMPTY: return "is empty";
  case FRONT_NEGATIVE: return "is negative";
  case FRONT_FRACTION: return "is not a whole number";
  case FRONT_HUGE: return "is more than 2147483647";
  default: return "is not a number";
  }
}

int front_decimal(const char *text, size_t length, double *out) {
  trim(&text, &length);
  size_t i = length && (*text == '-' || *text == '+');
  uint64_t mantissa = 0;
  long scale = 0;
  int digits = 0, point = 0;
  for (; i < length; i++) {
    if (text[i] == '.' && !point) {
      point = 1;
    } else if (digit(text[i])) {
      digits = 1;
      if (mantissa < 100000000000000000u) {
        mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        scale -= point;
      } else {
        scale += !point; /* beyond the 17th digit only the size counts */
      }
    } else {
      break;
    }
  }
  if (!digits) return -1;
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    size_t k = i + 1;
    int minus = k < length && text[k] == '-';
    if (k < length && (text[k] == '-' || text[k] == '+')) k++;
    if (k == length) return -1;
    long exponent = 0;
    for (; k < length && digit(text[k]); k++)
      if (exponent < 100000) exponent = exponent * 10 + (text[k] - '0');
    scale += minus ? -exponent : exponent;
    i = k;
  }
  if (i < length) return -1;
  long double value = mantissa ? (long double)mantissa * powl(10.0L, (long double)scale) : 0;
  *out = (double)(*text == '-' ? -value : value);
  return 0;
}

char *front_print_decimal(char out[64], float value) {
  if (!isfinite(value)) value = 0;
  for (int precision = 0; precision <= 54; precision++) {
    double again;
    snprintf(out, 64, "%.*f", precision, (double)value);
    for (char *c = out; *c; c++)
      if (!digit(*c) && *c != '-') *c = '.'; /* whatever the locale separates with */
    if (front_decimal(out, strlen(out), &again) == 0 && (float)again == value) break;
  }
  return out;
}

/* ---- excerpts --------------------------------------------------------------------- */

enum { REACH = 90 }; /* bytes kept on each side of the place: more than an excerpt shows */

void front_excerpt(struct err *e, const char *text, size_t length, size_t offset) {
  char window[2 * REACH];
  if (offset > length) offset = length;
  size_t start = offset > REACH ? offset - REACH : 0;
  size_t end = length - offset > REACH ? offset + REACH : length;
  while (start < offset && ((unsigned char)text[start] & 0xc0) == 0x80) start++; /* not into a character */
  memcpy(window, text + start, end - start);
  for (size_t i = 0; i < end - start; i++) {
    if (!window[i]) return; /* UTF-16: nothing to show */
    if (window[i] == '\t') window[i] = ' ';
  }
  err_excerpt(e, window, end - start, offset - start);
}

void front_excerpt_again(struct err *e, const struct front_setup *setup) {
  if (e->line <= 0 || e->excerpt[0] || e->kind != ERR_INPUT) return;
  FILE *in = setup->input;
  if (fseek(in, 0, SEEK_SET)) return;
  int c = 0;
  for (long line = 1; line < e->line && c != EOF;)
    if ((c = getc_unlocked(in)) == '\n') line++;
  if (c == EOF) return;
  char window[4 * REACH];
  size_t count = 0, offset = 0;
  long column = 1;
  int reached = 0;
  while (!reached || count - offset < REACH) {
    c = getc_unlocked(in);
    if (!reached && c != EOF && (c & 0xc0) != 0x80 && column++ >= e->column) reached = 1, offset = count;
    if (c == EOF || c == '\n') break;
    if (count == sizeof window) {
      memmove(window, window + REACH, count - REACH);
      count -= REACH;
      if (reached) offset -= REACH;
    }
    window[count++] = (char)c;
  }
  front_excerpt(e, window, count, reached ? offset : count);
}
