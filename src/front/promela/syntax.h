/* syntax.h -- what the parser makes of the tokens: expressions and statements as trees, names as symbols.
 *
 * Names are resolved while reading, as the language demands (everything is declared before its use, but for process types in
 * `run` and labels).  Declarations go straight into the program; statements stay trees until flow.c has decided which of them are
 * steps.  All of it lives in one arena that dies after loading. */
#ifndef FRONT_PROMELA_SYNTAX_H
#define FRONT_PROMELA_SYNTAX_H

#include "process/program.h"

struct scope {
  struct scope *parent;
  int open;
  unsigned depth;
};

/* ---- names ----------------------------------------------------------------------------------------------------- */

enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_PROC, SYMBOL_INLINE, SYMBOL_TYPEDEF, SYMBOL_MTYPE, SYMBOL_LABEL, SYMBOL_SPECIAL };
enum special { SPECIAL_PID, SPECIAL_NR_PR, SPECIAL_LAST, SPECIAL_PRIORITY, SPECIAL_IGNORE /* _ */, SPECIAL_P };

struct symbol {
  const char *name;
  size_t length;
  enum symbol_kind kind;
  struct scope *scope;
  struct symbol *chain; /* next in the bucket, older */
  struct place_in_text place;
  /* variables */
  uint32_t decl, type, count; /* of the program; count 0 = not an array */
  const char *subtype;        /* mtype:subtype, NULL = none */
  int32_t first_value;        /* of a constant initialiser; for array bounds */
  uint32_t chan_fields;       /* 1 + number of fields of the channel that it is initialised with */
  uint32_t chan_record;       /* 1 + type, if the channel's message is exactly one record */
  uint32_t chan_capacity;
  const char *assigned_set;            /* of mtypes: that of the first name assigned to it */
  const struct proc_text *claimed_by[2]; /* xr, xs */
  /* others */
  uint32_t proc;            /* SYMBOL_PROC, index in the program */
  int32_t value;            /* SYMBOL_MTYPE; SYMBOL_SPECIAL: which */
  struct inline_text *text; /* SYMBOL_INLINE */
  const struct proc_text *owner; /* SYMBOL_LABEL */
  struct flow_label *put;   /* SYMBOL_LABEL, set by flow.c: where it stands; NULL = nowhere, or not yet */
  int defined, closed;      /* SYMBOL_LABEL; closed: its statement has been read too */
};

/* ---- expressions ----------------------------------------------------------------------------------------------- */

enum expr_kind {
  EXPR_VALUE, /* value; symbol of a mtype name or NULL */
  EXPR_REF,
  EXPR_UNARY, /* op, a */
  EXPR_BINARY,
  EXPR_COND,       /* a, b, c */
  EXPR_CHANNEL,    /* op = IR_LEN, IR_EMPTY ...; ref */
  EXPR_POLL,       /* ref, args, flags */
  EXPR_RUN,        /* name, args, value = priority */
  EXPR_AT,         /* name[a]@label */
  EXPR_REMOTE,     /* name[a]:ref */
  EXPR_OF_PROCESS, /* op = IR_ENABLED, IR_PC_VALUE, IR_PRIORITY; a */
  EXPR_PLAIN,      /* op = IR_TIMEOUT, IR_NP, ... */
  EXPR_C,          /* value = index of the text */
  EXPR_NULL,
  EXPR_EVAL, /* in receives: a */
};

struct expr {
  enum expr_kind kind;
  enum ir_op op;
  int32_t value;
  unsigned depth; /* of the tree, bounded */
  unsigned flags; /* ir_comm_flag of a poll */
  struct expr *a, *b, *c;
  struct ref *ref;
  struct expr *args, *next; /* a list of arguments */
  const struct symbol *symbol;
  const char *name, *label; /* process type and label: may be declared later */
  struct scope *scope;
  struct place_in_text place;
};

struct ref { /* x, x[1].f, *p, (*p).f */
  struct symbol *symbol;
  struct expr *pointer; /* *p: then symbol is NULL */
  struct step *steps;
  uint32_t type, count; /* what it reaches */
  struct place_in_text place;
};

struct step {
  struct expr *index; /* or a field */
  const char *field;
  size_t length;
  struct step *next;
};

/* ---- statements ------------------------------------------------------------------------------------------------ */

enum stmt_kind {
  STMT_CONDITION, /* a */
  STMT_ASSIGN,    /* ref = a */
  STMT_SEND,
  STMT_RECEIVE, /* ref, args, flags */
  STMT_PRINT,   /* text, args */
  STMT_ASSERT,  /* a */
  STMT_ELSE,
  STMT_GOTO,  /* label */
  STMT_BREAK, /* loop */
  STMT_IF,
  STMT_DO, /* options; loop */
  STMT_ATOMIC,
  STMT_D_STEP,
  STMT_BLOCK,        /* options = the one body */
  STMT_UNLESS,       /* inner unless escape */
  STMT_LABEL,        /* label: inner */
  STMT_C_CODE,       /* value = index of the text */
  STMT_SET_PRIORITY, /* a, b */
  STMT_NEW,          /* ref, type */
  STMT_RESET,        /* ref */
  /* made by flow.c */
  STMT_STOP,    /* the end of a process */
  STMT_DOT,     /* where the options of a selection meet */
  STMT_EXIT,    /* where the breaks of a loop lead */
  STMT_NOTHING, /* a step without effect that is not a skip: a record declared in mid-sequence */
};

struct loop {
  struct element *exit; /* set by flow.c */
  struct loop *outer;
};

struct stmt {
  enum stmt_kind kind;
  struct place_in_text place;
  struct ref *ref;
  struct expr *a, *b, *args;
  unsigned flags;
  const char *text; /* format of a print; the source of an assertion */
  int32_t value;
  uint32_t type;
  struct symbol *label;
  struct loop *loop;
  struct sequence *options;
  struct stmt *inner, *escape;
  struct stmt *next;
  unsigned dstep;         /* 0, or which d_step it stands in */
  struct branch *strands; /* flow.c: built from options */
};

struct sequence {
  struct stmt *first, *last;
  struct sequence *next;
  struct place_in_text place;
};

/* ---- process types --------------------------------------------------------------------------------------------- */

enum proc_kind { PROC_TYPE, PROC_INIT, PROC_CLAIM, PROC_TRACE };

struct proc_text {
  uint32_t proc;
  const char *name;
  enum proc_kind kind;
  struct symbol *symbol;
  struct sequence *body;
  struct symbol *labels; /* through `chain`: all label symbols, newest first */
  struct flow *flow;
  struct proc_text *next;
  struct place_in_text place;
};

struct inline_text {
  const struct token *first, *end; /* from { to behind } */
  const char **params;
  size_t *lengths;
  unsigned count;
  int active; /* being expanded */
};

#endif
