/* lex.h -- tokens of CPN ML.  See lex.c. */
#ifndef ML_LEX_H
#define ML_LEX_H

#include "ml/world.h"

enum ml_token_kind {
  ML_T_END,
  ML_T_NAME,   /* name: also long ones and operators; = and * among them */
  ML_T_TYVAR,  /* 'a: name */
  ML_T_INT,    /* number */
  ML_T_REAL,   /* real */
  ML_T_STRING, /* text, length */
  ML_T_CHAR,   /* number */
  ML_T_HASH,   /* # before a label */
  ML_T_DOTS,   /* ... */
  ML_T_RANGE,  /* .. */
  ML_T_ARROW,  /* -> */
  ML_T_GIVES,  /* => */
  ML_T_BAR,    /* | */
  ML_T_COLON,  /* : */
  ML_T_SIGN,   /* number: one of ( ) [ ] { } , ; _ */
  /* words that are not names */
  ML_T_ABSTYPE,
  ML_T_AND,
  ML_T_ANDALSO,
  ML_T_AS,
  ML_T_CASE,
  ML_T_DATATYPE,
  ML_T_DO,
  ML_T_ELSE,
  ML_T_END_WORD,
  ML_T_EXCEPTION,
  ML_T_FN,
  ML_T_FUN,
  ML_T_HANDLE,
  ML_T_IF,
  ML_T_IN,
  ML_T_INFIX,
  ML_T_INFIXR,
  ML_T_LET,
  ML_T_LOCAL,
  ML_T_NONFIX,
  ML_T_OF,
  ML_T_OP,
  ML_T_OPEN,
  ML_T_ORELSE,
  ML_T_RAISE,
  ML_T_REC,
  ML_T_THEN,
  ML_T_TYPE,
  ML_T_VAL,
  ML_T_WHILE,
  ML_T_WITH,
  ML_T_WITHTYPE,
  ML_T_STRUCTURE,
  ML_T_SIGNATURE,
  ML_T_FUNCTOR,
};

struct ml_token {
  enum ml_token_kind kind;
  uint32_t from, to; /* bytes of the text */
  struct place_in_text place;
  const char *name;
  int64_t number;
  double real;
  const char *text;
  size_t length;
};

/* Where reading has come to; a copy of it is a bookmark. */
struct ml_lexer {
  struct ml *ml;
  const struct ml_text *source;
  size_t at, line_start;
  long line;
  struct err *err;
};

void ml_lex_open(struct ml_lexer *, struct ml *, const struct ml_text *, struct err *);
int ml_lex(struct ml_lexer *, struct ml_token *);             /* 0, or -1 and an error */
void ml_lex_back(struct ml_lexer *, const struct ml_token *); /* to before a token that was just read */
/* What it says, for messages: `end of the text', or as it is written. */
char *ml_token_show(const struct ml_lexer *, const struct ml_token *, char *out, size_t room);

#endif
