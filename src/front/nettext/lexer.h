/* lexer.h -- the words of the .net language. */
#ifndef FRONT_NETTEXT_LEXER_H
#define FRONT_NETTEXT_LEXER_H

#include "front/front.h"

enum token_kind {
  TOKEN_END,
  TOKEN_WORD,   /* letters, digits, _ ' . and anything beyond ASCII */
  TOKEN_QUOTED, /* "..." or {...}, escapes resolved */
  TOKEN_ARROW,  /* -> */
  TOKEN_SIGN,   /* any other single character, in `sign` */
};

struct token {
  enum token_kind kind;
  char sign;
  int first;        /* on its line */
  const char *text; /* word or quoted, not ended by a zero byte */
  size_t length;
  size_t offset; /* in the source */
  long line, column;
};

struct lexer {
  const char *text;
  size_t length;
  size_t offset;
  long line, column;
  int fresh;           /* nothing but blanks so far on this line */
  struct arena *arena; /* for quoted words with escapes */
  const char *file;
  struct err *err;
};

void lexer_open(struct lexer *, const char *text, size_t length, const char *file, struct arena *, struct err *);
int lexer_next(struct lexer *, struct token *); /* 0, or -1 with err */
/* Reports at a token, with excerpt. Returns -1. */
int lexer_fail(struct lexer *, const struct token *, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds the excerpt to an error that knows its place only. */
void lexer_excerpt(struct lexer *);

static inline int token_is(const struct token *t, char sign) { return t->kind == TOKEN_SIGN && t->sign == sign; }
static inline int token_names(const struct token *t) { return t->kind == TOKEN_WORD || t->kind == TOKEN_QUOTED; }
int token_word(const struct token *, const char *word); /* is this word, unquoted */

#endif
