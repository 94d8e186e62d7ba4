/* lexer.h -- the words of DVE. */
#ifndef FRONT_DVE_LEXER_H
#define FRONT_DVE_LEXER_H

#include <stddef.h>
#include <stdint.h>

enum dve_word {
  DVE_END,
  DVE_NAME,
  DVE_NUMBER,
  DVE_SIGN,       /* one of . , ; : { } [ ] ( ) ? ! ~ = + - * / % | & ^ < >, in `sign` */
  DVE_ARROW,      /* -> */
  DVE_WIDE_ARROW, /* => */
  DVE_SHL,
  DVE_SHR,
  DVE_LE,
  DVE_GE,
  DVE_EQ,
  DVE_NE,
  DVE_STEP, /* ++ and -- */
  /* keywords, in the order of the table in lexer.c; `and` is also &&, `or` is ||, `not` has no sign */
  DVE_ACCEPT,
  DVE_AND,
  DVE_ASSERT,
  DVE_ASYNC,
  DVE_BUCHI,
  DVE_BYTE,
  DVE_CHANNEL,
  DVE_COMMIT,
  DVE_CONST,
  DVE_EFFECT,
  DVE_FALSE,
  DVE_GENBUCHI,
  DVE_GUARD,
  DVE_IMPLY,
  DVE_INIT,
  DVE_INT,
  DVE_MULLER,
  DVE_NOT,
  DVE_OR,
  DVE_PROCESS,
  DVE_PROPERTY,
  DVE_RABIN,
  DVE_STATE,
  DVE_STREETT,
  DVE_SYNC,
  DVE_SYSTEM,
  DVE_TRANS,
  DVE_TRUE,
  DVE_BAD, /* `fault` says why */
};

struct dve_token {
  enum dve_word word;
  char sign;
  int32_t value;
  const char *fault;
  size_t offset, length; /* in the source */
  long line, column;
};

struct dve_lexer {
  const char *text;
  size_t length, offset;
  long line, column;
};

void dve_lexer_open(struct dve_lexer *, const char *text, size_t length);
struct dve_token dve_lexer_next(struct dve_lexer *); /* DVE_BAD also for characters that do not belong here */
/* Keywords one by one, for hints; NULL at the end. */
const char *dve_keyword(size_t i);
/* Copies a piece of source without comments, blanks and line ends as one space, cut to `room`. Returns its length. */
size_t dve_squeeze(char *out, size_t room, const char *text, size_t length);

#endif
