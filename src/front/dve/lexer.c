/* lexer.c -- see lexer.h.  The whole text is in memory.  It need not be UTF-8: the comments of many models are in older
 * encodings, and names are ASCII.  Comments are C's, both kinds.  A backslash at the end of a line is a blank, as in DiVinE. */
#include "front/dve/lexer.h"

#include "front/text.h"

#include <string.h>

static const char *const keywords[] = {"accept", "and",    "assert", "async",    "buchi",    "byte",  "channel", "commit",
                                       "const",  "effect", "false",  "genbuchi", "guard",    "imply", "init",    "int",
                                       "muller", "not",    "or",     "process",  "property", "rabin", "state",   "streett",
                                       "sync",   "system", "trans",  "true",     NULL};

const char *dve_keyword(size_t i) { return i < sizeof keywords / sizeof *keywords ? keywords[i] : NULL; }

void dve_lexer_open(struct dve_lexer *l, const char *text, size_t length) {
  *l = (struct dve_lexer){.text = text, .length = length, .line = 1, .column = 1};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) l->offset = 3; /* a byte order mark */
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
static int digit(char c) { return c >= '0' && c <= '9'; }
static int begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int continues_name(char c) { return begins_name(c) || digit(c) || c == '$' || c == '#'; }

/* Where the comment that begins at `at` ends; `at` itself if none begins there; length + 1 if it is never closed. */
static size_t comment_end(const char *text, size_t length, size_t at) {
  if (at + 1 >= length || text[at] != '/') return at;
  if (text[at + 1] == '/') {
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
  }
  if (text[at + 1] != '*') return at;
  for (size_t i = at + 2; i + 1 < length; i++)
    if (text[i] == '*' && text[i + 1] == '/') return i + 2;
  return length + 1;
}

static void advance(struct dve_lexer *l, size_t to) {
  for (; l->offset < to; l->offset++) {
    char c = l->text[l->offset];
    if (c == '\n') l->line++, l->column = 1;
    else l->column += ((unsigned char)c & 0xc0) != 0x80;
  }
}

/* A backslash, blanks and the end of the line. */
static size_t continuation_end(const struct dve_lexer *l) {
  size_t i = l->offset + 1;
  while (i < l->length && (l->text[i] == ' ' || l->text[i] == '\t' || l->text[i] == '\r')) i++;
  return i < l->length && l->text[i] == '\n' ? i + 1 : l->offset;
}

/* 0, or -1 before a comment that is not closed. */
static int skip_blanks(struct dve_lexer *l) {
  while (l->offset < l->length) {
    char c = l->text[l->offset];
    size_t to = blank(c) ? l->offset + 1 : c == '\\' ? continuation_end(l) : comment_end(l->text, l->length, l->offset);
    if (to > l->length) return -1;
    if (to == l->offset) return 0;
    advance(l, to);
  }
  return 0;
}

static enum dve_word keyword(const char *text, size_t length) {
  for (size_t i = 0; keywords[i]; i++)
    if (strlen(keywords[i]) == length && memcmp(keywords[i], text, length) == 0) return (enum dve_word)(DVE_ACCEPT + (int)i);
  return DVE_NAME;
}

static const struct {
  char text[3];
  enum dve_word word;
} pairs[] = {{"->", DVE_ARROW}, {"=>", DVE_WIDE_ARROW}, {"<<", DVE_SHL}, {">>", DVE_SHR}, {"<=", DVE_LE},   {">=", DVE_GE},
             {"==", DVE_EQ},    {"!=", DVE_NE},         {"&&", DVE_AND}, {"||", DVE_OR},  {"++", DVE_STEP}, {"--", DVE_STEP}};

static struct dve_token bad(struct dve_token t, const char *why) {
  t.word = DVE_BAD;
  t.fault = why;
  return t;
}

struct dve_token dve_lexer_next(struct dve_lexer *l) {
  int closed = skip_blanks(l) == 0;
  struct dve_token t = {.word = DVE_END, .offset = l->offset, .line = l->line, .column = l->column};
  if (!closed) {
    advance(l, l->length);
    return bad(t, "this comment is not closed by */");
  }
  if (l->offset == l->length) return t;
  const char *at = l->text + l->offset;
  size_t left = l->length - l->offset, n = 1;
  if (begins_name(*at)) {
    while (n < left && continues_name(at[n])) n++;
    t.word = keyword(at, n);
    if (n > FRONT_NAME_MAX) t = bad(t, "this name is too long");
  } else if (digit(*at)) {
    int64_t value = *at - '0';
    for (; n < left && digit(at[n]); n++)
      if (value <= INT32_MAX) value = value * 10 + (at[n] - '0');
    t.word = DVE_NUMBER;
    t.value = (int32_t)value;
    if (value > INT32_MAX) t = bad(t, "this number is above 2147483647");
    else if (n < left && begins_name(at[n])) {
      while (n < left && continues_name(at[n])) n++;
      t = bad(t, "a name cannot begin with a digit");
    }
  } else {
    t.word = DVE_SIGN;
    t.sign = *at;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
      if (left > 1 && at[0] == pairs[i].text[0] && at[1] == pairs[i].text[1]) t.word = pairs[i].word, n = 2;
    if (t.word == DVE_SIGN && (!*at || !strchr(".,;:{}[]()?!~=+-*/%|&^<>", *at))) {
      while (n < left && ((unsigned char)at[n] & 0xc0) == 0x80) n++;
      t = bad(t, "this character is not part of DVE");
    }
  }
  t.length = n;
  advance(l, l->offset + n);
  return t;
}

size_t dve_squeeze(char *out, size_t room, const char *text, size_t length) {
  size_t used = 0;
  int gap = 0;
  for (size_t i = 0; i < length;) {
    size_t to = comment_end(text, length, i);
    if (to > length) to = length;
    if (to == i && (blank(text[i]) || text[i] == '\\')) to = i + 1;
    if (to > i) {
      gap = used > 0;
      i = to;
      continue;
    }
    if (used + (size_t)gap + 1 >= room) break;
    if (gap) out[used++] = ' ';
    gap = 0;
    out[used++] = text[i++];
  }
  out[used] = 0;
  return used;
}
