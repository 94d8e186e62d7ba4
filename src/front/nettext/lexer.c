/* lexer.c -- see lexer.h.  The whole text is in memory and known to be UTF-8; columns count
 * characters, and are kept up to date while moving on, so that a file of one long line costs
 * no more than any other. */
#include "front/nettext/lexer.h"

#include "front/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lexer_open(struct lexer *l, const char *text, size_t length, const char *file, struct arena *arena, struct err *e) {
  *l = (struct lexer){.text = text, .length = length, .line = 1, .column = 1, .fresh = 1, .arena = arena, .file = file, .err = e};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) l->offset = 3; /* a byte order mark */
}

int token_word(const struct token *t, const char *word) {
  return t->kind == TOKEN_WORD && t->length == strlen(word) && memcmp(t->text, word, t->length) == 0;
}

int lexer_fail(struct lexer *l, const struct token *t, const char *format, ...) {
  char message[sizeof l->err->message];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  err_input(l->err, (struct place_in_text){l->file, t->line, t->column}, "%s", message);
  if (!l->err->excerpt[0]) front_excerpt(l->err, l->text, l->length, t->offset);
  return -1;
}

void lexer_excerpt(struct lexer *l) {
  struct err *e = l->err;
  if (e->kind != ERR_INPUT || e->line <= 0 || e->excerpt[0]) return;
  size_t i = 0;
  for (long line = 1; line < e->line && i < l->length; i++) line += l->text[i] == '\n';
  for (long column = 1; column < e->column && i < l->length && l->text[i] != '\n'; column++) {
    i++;
    while (i < l->length && ((unsigned char)l->text[i] & 0xc0) == 0x80) i++;
  }
  front_excerpt(e, l->text, l->length, i);
}

/* Moves on to an offset. */
static void advance(struct lexer *l, size_t to) {
  for (; l->offset < to; l->offset++) {
    char c = l->text[l->offset];
    if (c == '\n') l->line++, l->column = 1, l->fresh = 1;
    else l->column += ((unsigned char)c & 0xc0) != 0x80;
  }
}

static void skip_blanks(struct lexer *l) {
  while (l->offset < l->length) {
    char c = l->text[l->offset];
    size_t to = l->offset + 1;
    if (c == '#') {
      const char *end = memchr(l->text + l->offset, '\n', l->length - l->offset);
      to = end ? (size_t)(end - l->text) : l->length;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      return;
    }
    advance(l, to);
  }
}

static int word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'' || c == '.' ||
         (unsigned char)c >= 0x80;
}

/* The text between quotes; close is " or }. In braces TINA escapes { } and \ by a backslash. */
static int quoted(struct lexer *l, struct token *t, char close) {
  size_t start = l->offset + 1, end = start, escapes = 0;
  while (end < l->length && l->text[end] != close) {
    if (l->text[end] == '\\') escapes++, end++;
    if (end < l->length && l->text[end] == '\n' && close == '"') break;
    end++;
  }
  if (end >= l->length || l->text[end] != close) return lexer_fail(l, t, "the name that begins here is not closed by %c", close);
  t->kind = TOKEN_QUOTED;
  t->text = l->text + start;
  t->length = end - start;
  if (escapes) {
    char *copy = arena_alloc(l->arena, t->length + 1);
    size_t n = 0;
    if (!copy) return err_memory(l->err, "the names of the net");
    for (size_t i = start; i < end; i++) {
      char c = l->text[i];
      if (c == '\\') {
        c = l->text[++i];
        if (close == '"') c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      }
      copy[n++] = c;
    }
    t->text = copy;
    t->length = n;
  }
  advance(l, end + 1);
  return 0;
}

int lexer_next(struct lexer *l, struct token *t) {
  skip_blanks(l);
  *t = (struct token){.kind = TOKEN_END, .first = l->fresh, .offset = l->offset, .line = l->line, .column = l->column};
  l->fresh = 0;
  if (l->offset == l->length) return 0;
  char c = l->text[l->offset];
  if (word_character(c)) {
    size_t end = l->offset;
    while (end < l->length && word_character(l->text[end])) end++;
    t->kind = TOKEN_WORD;
    t->text = l->text + l->offset;
    t->length = end - l->offset;
    advance(l, end);
  } else if (c == '"' || c == '{') {
    if (quoted(l, t, c == '"' ? '"' : '}')) return -1;
  } else if (c == '-' && l->offset + 1 < l->length && l->text[l->offset + 1] == '>') {
    t->kind = TOKEN_ARROW;
    advance(l, l->offset + 2);
  } else {
    t->kind = TOKEN_SIGN;
    t->sign = c;
    advance(l, l->offset + 1);
  }
  if (token_names(t) && t->length > FRONT_NAME_MAX) return lexer_fail(l, t, "this name is longer than %zu bytes", FRONT_NAME_MAX);
  return 0;
}
