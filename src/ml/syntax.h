/* syntax.h -- what the parser reads that is not yet a tree of tree.h: types as they were written, and declarations that only the
 * checker hears. */
#ifndef ML_SYNTAX_H
#define ML_SYNTAX_H

#include "ml/ml.h"

enum ml_written_kind {
  ML_W_VAR,    /* 'a */
  ML_W_NAME,   /* part ... name */
  ML_W_TUPLE,  /* part * part */
  ML_W_RECORD, /* {label: part} */
  ML_W_ARROW,
};

struct ml_written {
  enum ml_written_kind kind;
  struct place_in_text place;
  uint32_t from;
  uint32_t height;
  const char *name;
  uint32_t parts;
  const struct ml_written **part;
  const char **label;
};

enum ml_statement_kind {
  ML_S_COLSET,
  ML_S_VAR,
  ML_S_GLOBREF,
  ML_S_EXCEPTION,
  ML_S_DATATYPE,
  ML_S_TYPE,
  ML_S_LOCAL,
  ML_S_OPEN,    /* part_name: structures */
  ML_S_NOTHING, /* infix: done while reading */
};

/* The parts are used as the kind needs them: names of variables, of constructors, of labels; what each is of. */
struct ml_statement {
  enum ml_statement_kind kind;
  struct place_in_text place;
  uint32_t from;
  const char *name;
  uint32_t parts;
  const char **part_name;            /* NULL where a part has none */
  const struct ml_written **part_of; /* NULL where a part has none */
  uint32_t parameters;               /* 'a, 'b of types */
  const char **parameter;
  struct ml_expr *body;                 /* globref x = body */
  struct ml_statement *also;            /* datatype ... and ...; exception A and B */
  const char *same;                     /* exception A = B */
  struct ml_declaration *inner, *outer; /* local inner in outer end */
  uint32_t inners, outers;
  /* colour sets */
  enum ml_colset_kind colset;
  int timed, scalarset;
  struct ml_expr *low, *high;               /* with low..high; of strings: of the characters */
  struct ml_expr *low_length, *high_length; /* of strings: and low..high */
  struct ml_expr *by, *with;
};

/* parse.c. What is parsed lives in the arena of ml. */
enum ml_several {
  ML_ONE_EXPRESSION,
  ML_CONDITIONS,      /* a, b, c is the list of them, as guards are written */
  ML_STEPS_OF_ACTION, /* a; b; c is one after the other, as code segments are */
};
int ml_parse_expression(struct ml_expr **out, enum ml_several, struct ml *, const struct ml_text *, struct err *);
/* Reads the next declaration from `at` on: 1 = one was read, and `at` is behind it; 0 = there is none left; -1 = error. infix
 * declarations take effect at once. */
struct ml_lexer;
int ml_parse_declaration(struct ml_declaration *out, struct ml_lexer *at);
/* A type as text, all of it. NULL: error. */
const struct ml_written *ml_parse_type(struct ml *, const struct ml_text *, struct err *);

#endif
