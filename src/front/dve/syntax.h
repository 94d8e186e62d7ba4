/* syntax.h -- a DVE text as it was written, before names mean anything: what parse.c fills and lower.c turns into a
 * program.  All of it lives in one arena.  Nobody outside this folder includes it. */
#ifndef FRONT_DVE_SYNTAX_H
#define FRONT_DVE_SYNTAX_H

#include "base/vec.h"
#include "front/dve/lexer.h"
#include "front/front.h"
#include "process/program.h"

enum {
  DVE_NESTING_MAX = 200, /* brackets within brackets, signs before signs */
  DVE_HEIGHT_MAX = 2000, /* of an expression's tree: a long a + b + c + ... is a high one */
  DVE_ERRORS_MAX = 20,
  DVE_ARRAY_MAX = 1 << 20,
  DVE_CAPACITY_MAX = 65535,
  DVE_FIELDS_MAX = 64,
  DVE_PROCESSES_MAX = 255,
};

struct dve_place { /* of a piece of source */
  size_t offset, length;
  long line, column;
};

struct dve_name {
  const char *text; /* ends with a zero byte; NULL = not there */
  size_t length;
  struct dve_place at;
};

enum dve_expr_kind { DVE_X_NUMBER, DVE_X_NAME, DVE_X_INDEX, DVE_X_AT, DVE_X_UNARY, DVE_X_BINARY };

struct dve_expr {
  enum dve_expr_kind kind;
  enum ir_op op;                /* UNARY, BINARY */
  int32_t value;                /* NUMBER */
  struct dve_name owner;        /* AT: the process; NAME, INDEX: the process of P->x, or none */
  struct dve_name name;         /* NAME, INDEX: the variable; AT: the state */
  const struct dve_expr *a, *b; /* INDEX: a = the index; UNARY: a */
  uint32_t height;
  int in_brackets;
  struct dve_place at, sign; /* sign: of the operator, for BINARY */
};

struct dve_list vec(const struct dve_expr *);

struct dve_variable {
  struct dve_name name;
  int is_const, is_byte, is_array, has_init;
  const struct dve_expr *size;
  struct dve_list init; /* one for a scalar */
  struct dve_place init_at;
};

struct dve_variables vec(struct dve_variable);

struct dve_channel {
  struct dve_name name;
  int typed;
  const struct dve_expr *capacity; /* NULL = rendezvous */
  uint32_t fields;
  uint8_t is_byte[DVE_FIELDS_MAX];
};

struct dve_channels vec(struct dve_channel);
struct dve_names vec(struct dve_name);

struct dve_effect {
  const struct dve_expr *target, *value;
};

struct dve_sync {
  struct dve_name owner, channel; /* owner: P->c */
  int sends;
  struct dve_list values;
  struct dve_place at;
};

struct dve_trans {
  struct dve_name from, to;
  struct dve_list guards;
  int has_sync, has_effect, has_guard;
  struct dve_sync sync;
  struct vec(struct dve_effect) effects;
  struct dve_place at, body; /* body: between the braces */
};

struct dve_assert {
  struct dve_name state;
  const struct dve_expr *expr;
  struct dve_place at; /* of the expression */
};

struct dve_process {
  struct dve_name name;
  struct dve_variables variables;
  struct dve_channels channels;
  struct dve_names states, accepting, committed;
  struct dve_name init;
  struct vec(struct dve_assert) asserts;
  struct vec(struct dve_trans) trans;
};

struct dve {
  const struct front_setup *setup;
  struct mem *mem;
  struct err *err; /* the first error in the order of the text, set by dve_errors_tell */
  struct arena arena;
  char *text;
  size_t length;
  struct dve_variables variables;
  struct dve_channels channels;
  struct vec(struct dve_process) processes;
  struct dve_name property; /* of `system async property X` */
  struct vec(struct err) errors;
  int dropped; /* the last error was not kept: its hint goes nowhere */
  int starved; /* a request for memory was refused */
};

int dve_parse(struct dve *);

/* ---- errors ----------------------------------------------------------------------------------------------------- */

/* Notes an error with excerpt and caret. Returns -1. The entry stays valid until the next one: for dve_hint. */
int dve_fail(struct dve *, struct dve_place, const char *format, ...) __attribute__((format(printf, 3, 4)));
void dve_hint(struct dve *, const char *format, ...) __attribute__((format(printf, 2, 3))); /* to the last error */
int dve_memory(struct dve *);                                                               /* -1 */
void dve_warn(struct dve *, struct dve_place, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* 0 if there were none; else tells all in the order of the text, sets err to the first, and returns -1. */
int dve_errors_tell(struct dve *);
struct place_in_text dve_where(const struct program *, struct dve_place);

void dve_syntax_free(struct dve *);

#endif
