/* token.h -- the words of Promela. */
#ifndef FRONT_PROMELA_TOKEN_H
#define FRONT_PROMELA_TOKEN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
enum token_kind {
  T_END,
  T_NAME,
  T_NUMBER, /* value: digits, a character constant, true, false, skip */
  T_STRING, /* text without the quotes, escapes as written */
  T_C_TEXT, /* what stands in the braces after c_code, c_decl, c_expr */
  T_C_PRECONDITION, /* [..] before them */
  T_LTL_TEXT, /* what stands in the braces after ltl */
  /* keywords, in the order of the table in lexer.c */
  K_ACTIVE, K_ASSERT, K_ATOMIC, K_BIT, K_BOOL, K_BREAK, K_BYTE, K_C_CODE, K_C_DECL, K_C_EXPR, K_C_STATE, K_C_TRACK, K_D_PROCTYPE,
  K_DO, K_CHAN, K_ELSE, K_EMPTY, K_ENABLED, K_EVAL, K_FI, K_FOR, K_FULL, K_GET_PRIORITY, K_GOTO, K_HIDDEN, K_IF, K_IN, K_INIT,
  K_INLINE, K_INT, K_LEN, K_LOCAL, K_LTL, K_MTYPE, K_NEMPTY, K_NEVER, K_NFULL, K_NOTRACE, K_NP, K_OD, K_OF, K_PC_VALUE, K_PID,
  K_PRINTF, K_PRINTM, K_PRIORITY, K_PROCTYPE, K_PROVIDED, K_RETURN, K_RUN, K_D_STEP, K_SELECT, K_SET_PRIORITY, K_SHORT, K_TIMEOUT,
  K_TRACE, K_SHOW, K_TYPEDEF, K_UNLESS, K_UNSIGNED, K_XR, K_XS,
  K_NEW, K_RESET, /* PROM+ only */
  /* signs */
  T_LPAREN, T_RPAREN, T_LBRACE, T_RBRACE, T_LBRACKET, T_RBRACKET, T_COMMA, T_SEMI, T_ARROW, T_COLON, T_SEP /* :: */, T_DOT,
  T_DOTDOT, T_AT, T_ASSIGN, T_INCR, T_DECR, T_PLUS, T_MINUS, T_STAR, T_SLASH, T_PERCENT, T_AMP, T_PIPE, T_CARET, T_TILDE, T_AND,
  T_OR, T_EQ, T_NE, T_LT, T_LE, T_GT, T_GE, T_SHL, T_SHR, T_SND /* ! */, T_SORTED /* !! */, T_RCV /* ? */, T_RANDOM /* ?? */,
  T_BAD /* a byte that no word begins with; told when the parser meets it */
};
/* clang-format on */

struct token {
  uint8_t kind;
  uint8_t newline; /* a line ended between this token and the one before */
  int32_t value;
  const char *text; /* borrowed from the source */
  uint32_t length;
  struct place_in_text place;
};

#endif
