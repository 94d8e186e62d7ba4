/* formula_tokens.h -- the text of a formula as tokens, for formula_parse.c and formula_print.c: inside the room. */
#ifndef PROP_FORMULA_TOKENS_H
#define PROP_FORMULA_TOKENS_H

#include "base/vec.h"
#include "prop/formula.h"

enum formula_token_kind {
  T_END,
  T_NAME,
  T_NUMBER,
  T_QUOTED,
  T_BRACES, /* { ... } as a whole: a condition in the model's own language, or behind c_expr C code */
  T_OPEN,
  T_CLOSE,
  T_INDEX, /* [ */
  T_UNINDEX,
  T_COMMA,
  T_RELATION,
  T_ARITHMETIC,
  T_MINUS,
  T_TAIL, /* : ? ?? joined to an operand */
  T_UNARY,
  T_QUANTIFIER,
  T_AND,
  T_OR,
  T_IMPLIES,
  T_IFF,
  T_TEMPORAL, /* binary */
};

struct formula_token {
  uint8_t kind, op; /* op: enum formula_kind of T_UNARY, T_QUANTIFIER, T_TEMPORAL */
  uint8_t inner;    /* T_QUANTIFIER: the temporal operator in the same word, or 0 */
  uint8_t word;     /* a word or a sign? */
  uint32_t start, end;
  uint32_t match; /* of brackets: the other one */
};

struct formula_parser {
  struct formulas *fs;
  const struct formula_reader *reader;
  const char *text;
  size_t length;
  struct err *err;
  struct vec(struct formula_token) tokens; /* T_END is the last */
  size_t at;
  unsigned depth;
  size_t known, column; /* see formula_column */
  long line;
};

/* Fills p->tokens: brackets matched, words told from names. -1 with err. */
int formula_tokenise(struct formula_parser *);
/* Is it a word that may stand between two operands? */
int formula_joins(const char *word);
/* Can an operand begin with this token? */
int formula_begins_operand(const struct formula_token *);
/* The column of an offset, and its line. */
size_t formula_column(struct formula_parser *, size_t offset, long *line);
/* Set the error at an offset; -1. */
int formula_fail(struct formula_parser *, size_t offset, const char *message);
int formula_fail_depth(struct formula_parser *, size_t offset);

#endif
