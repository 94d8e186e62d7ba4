/* json.c -- see json.h.
 *
 * The only state is a stack of open containers: what closes each, and whether it has an
 * element yet (so that the next one needs a comma). */
#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void json_out_open(struct json_out *j, FILE *out, int indent) {
  memset(j, 0, sizeof *j);
  j->out = out;
  j->indent = indent;
}

int json_out_close(struct json_out *j) {
  assert(j->depth == 0);
  putc('\n', j->out);
  return ferror(j->out) ? -1 : 0;
}

/* Is this character of two or three bytes one that acts on a terminal, or on the reader's eye: controls of the second set, ends of lines, and what turns the direction of text
   around?  Its number, or 0.  JSON allows them as they are; who lets a verdict go to a terminal should not have to know that. */
static unsigned acts(const unsigned char *p, size_t n) {
  unsigned c = n == 2 ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu) : n == 3 ? (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu) : 0;
  return (c >= 0x80 && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ? c : 0;
}

static void quoted(FILE *out, const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text, *end = p + length;
  putc('"', out);
  while (p < end) {
    const unsigned char *plain = p;
    while (p < end && *p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\') p++;
    if (p > plain) fwrite(plain, 1, (size_t)(p - plain), out);
    if (p == end) break;
    if (*p >= 0x80) {
      size_t n = utf8_length(p, (size_t)(end - p));
      unsigned code = acts(p, n);
      if (code) fprintf(out, "\\u%04x", code);
      else if (n) fwrite(p, 1, n, out);
      else fputs("\\ufffd", out);
      p += n ? n : 1;
      continue;
    }
    switch (*p) {
    case '"': fputs("\\\"", out); break;
    case '\\': fputs("\\\\", out); break;
    case '\n': fputs("\\n", out); break;
    case '\t': fputs("\\t", out); break;
    case '\r': fputs("\\r", out); break;
    default: fprintf(out, "\\u%04x", *p);
    }
    p++;
  }
  putc('"', out);
}

static void line(struct json_out *j) {
  if (j->flat || !j->indent) return;
  putc('\n', j->out);
  for (int i = 0; i < j->depth * j->indent; i++) putc(' ', j->out);
}

/* What stands before every value: comma, new line, key. */
static void before(struct json_out *j, const char *key) {
  if (j->depth) {
    assert((key != NULL) == (j->level[j->depth - 1].close == '}'));
    if (j->level[j->depth - 1].any) fputs(j->flat ? ", " : ",", j->out);
    j->level[j->depth - 1].any = 1;
    line(j);
  }
  if (!key) return;
  quoted(j->out, key, strlen(key));
  fputs(j->indent ? ": " : ":", j->out);
}

static void open_container(struct json_out *j, const char *key, char open, char close, int flat) {
  before(j, key);
  assert(j->depth < JSON_OUT_DEPTH);
  putc(open, j->out);
  j->level[j->depth].close = close;
  j->level[j->depth].any = 0;
  j->depth++;
  if (flat && !j->flat) j->flat = j->depth;
}

void json_out_object(struct json_out *j, const char *key) { open_container(j, key, '{', '}', 0); }
void json_out_array(struct json_out *j, const char *key) { open_container(j, key, '[', ']', 0); }
void json_out_object_flat(struct json_out *j, const char *key) { open_container(j, key, '{', '}', 1); }
void json_out_array_flat(struct json_out *j, const char *key) { open_container(j, key, '[', ']', 1); }

void json_out_end(struct json_out *j) {
  assert(j->depth > 0);
  int any = j->level[--j->depth].any;
  if (any) line(j);
  if (j->flat > j->depth) j->flat = 0;
  putc(j->level[j->depth].close, j->out);
}

void json_out_text_n(struct json_out *j, const char *key, const char *text, size_t length) {
  before(j, key);
  quoted(j->out, text, length);
}

void json_out_text(struct json_out *j, const char *key, const char *text) {
  if (text) json_out_text_n(j, key, text, strlen(text));
  else json_out_null(j, key);
}

void json_out_count(struct json_out *j, const char *key, uint64_t n) {
  before(j, key);
  fprintf(j->out, "%" PRIu64, n);
}

void json_out_integer(struct json_out *j, const char *key, int64_t n) {
  before(j, key);
  fprintf(j->out, "%" PRId64, n);
}

void json_out_real(struct json_out *j, const char *key, double x, int digits) {
  if (!isfinite(x)) {
    json_out_null(j, key);
    return;
  }
  before(j, key);
  fprintf(j->out, "%.*f", digits, x);
}

void json_out_bool(struct json_out *j, const char *key, int yes) {
  before(j, key);
  fputs(yes ? "true" : "false", j->out);
}

void json_out_null(struct json_out *j, const char *key) {
  before(j, key);
  fputs("null", j->out);
}

FILE *json_out_value(struct json_out *j, const char *key) {
  before(j, key);
  return j->out;
}
