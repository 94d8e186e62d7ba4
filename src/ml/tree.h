/* tree.h -- CPN ML as a tree: what the parser makes, the type checker completes and the compiler reads.
 *
 * The functional core of Standard ML with multisets.  Everything that is only another way of writing is gone: clauses of a
 * function are a fn with a match, if and andalso and orelse are kinds of their own, lists in brackets are cells, operators are
 * applications of the function that they name, `x :: y` is the constructor applied to a pair, #label is a selection.
 *
 * Names are kept once: equal text, equal pointer (ml_name).  Trees live in the arena of their `struct ml` and die with it. */
#ifndef ML_TREE_H
#define ML_TREE_H

#include "ml/type.h"

struct ml_written;   /* syntax.h: a type as it was written */
struct ml_statement; /* syntax.h */

enum ml_pattern_kind {
  ML_P_ANY,         /* _ */
  ML_P_VAR,         /* name; slot */
  ML_P_INT,         /* number: ints and chars */
  ML_P_STRING,      /* text, length */
  ML_P_TUPLE,       /* part: also () */
  ML_P_RECORD,      /* part, label sorted; after checking complete: what ... left out is ML_P_ANY */
  ML_P_CONSTRUCTOR, /* constructor of a datatype, part[0] its argument if parts == 1 */
  ML_P_EXCEPTION,   /* exception, part[0] its argument if parts == 1 */
  ML_P_AS,          /* name as part[0]; slot */
};

struct ml_pattern {
  enum ml_pattern_kind kind;
  struct place_in_text place;
  uint32_t from;        /* where it begins in the text, in bytes */
  struct ml_type *type; /* set by the checker */
  const char *name;
  uint32_t slot;          /* ML_P_VAR, ML_P_AS: the number of the local that it binds */
  struct ml_local *local; /* that local; at top level as well, where a global stands for it outside */
  int64_t number;
  const char *text;
  size_t length;
  uint32_t height;
  uint32_t parts;
  struct ml_pattern **part;
  const char *const *label;
  int open;                   /* a record pattern with ... */
  const struct ml_data *data; /* ML_P_CONSTRUCTOR */
  uint32_t constructor;
  const struct ml_exception *exception;
  const struct ml_written *written; /* what stands behind a colon; NULL = nothing */
};

enum ml_expr_kind {
  ML_INT,      /* number: ints, chars */
  ML_REAL,     /* real */
  ML_STRING,   /* text, length */
  ML_LOCAL,    /* a variable of an enclosing fn, let or case: binder, slot */
  ML_GLOBAL,   /* a declared value: global */
  ML_COLOURED, /* a variable of the net (var x : COLSET): variable */
  ML_LIBRARY, /* a function that the machine knows: library (an index in library.def), colset where it belongs to one (DBM.all) */
  ML_CONSTRUCTOR, /* data, constructor; a function if it takes an argument */
  ML_EXCEPTION,   /* exception; a function if it takes an argument */
  ML_TUPLE,       /* part */
  ML_RECORD,      /* part, label: in sorted order; evaluated in the order `order` */
  ML_SELECT,      /* part[0], number: which part of the record or tuple, from 0 (label[0] is what was written) */
  ML_LIST,        /* part: [a, b, c], and long chains of :: before their tail; one level, however long */
  ML_APPLY,       /* part[0] to part[1] */
  ML_FN,          /* rules: fn p => e | ... */
  ML_CASE,        /* part[0], rules */
  ML_HANDLE,      /* part[0], rules over exn */
  ML_RAISE,       /* part[0] */
  ML_IF,          /* part[0], [1], [2] */
  ML_AND,
  ML_OR,          /* part[0], [1]: andalso, orelse */
  ML_LET,         /* declarations, part[0] */
  ML_SEQUENCE,    /* part: (a; b; c) */
  ML_COEFFICIENT, /* part[0]`part[1] */
  ML_AT,          /* part[0] @ part[1]: each token of the multiset gets this time stamp */
  ML_DELAY,       /* part[0] @+ part[1]: now and so much later */
  ML_NAME,        /* a name that nobody has looked up yet: only between parser and checker */
};

struct ml_rule {
  struct ml_pattern *pattern;
  struct ml_expr *body;
};

/* Where ML_LOCAL finds its value: each fn, and each top-level text, has a frame of slots; patterns of its body fill them. A
   variable of an enclosing fn is captured: the checker resolves names only, slots are the compiler's. Each variable that is bound
   somewhere has one of these. */
struct ml_local {
  const char *name;
  struct ml_scheme *scheme;
  uint32_t number; /* unique within the text, from 0 */
  uint32_t depth;  /* how many fns enclose its binding */
  uint32_t group;  /* which pattern or fun binds it: names must differ within one */
  int cell;        /* val x = ref e: a reference that nobody else has made */
};

struct ml_expr {
  enum ml_expr_kind kind;
  struct place_in_text place;
  uint32_t from, to;    /* where it stands in the text, in bytes: errors show it */
  struct ml_type *type; /* set by the checker; resolved as far as it is known */
  int64_t number;
  double real;
  const char *text;
  size_t length;
  uint32_t parts;
  struct ml_expr **part;
  const char *const *label;
  const uint32_t *order;
  const char *name;                   /* as it was written: variables, operators */
  const struct ml_local *local;       /* ML_LOCAL */
  const struct ml_global *global;     /* ML_GLOBAL */
  const struct ml_variable *variable; /* ML_COLOURED */
  const struct ml_data *data;         /* ML_CONSTRUCTOR */
  uint32_t constructor, library;
  const struct ml_colset *colset;       /* ML_LIBRARY: whose */
  const struct ml_exception *exception; /* ML_EXCEPTION */
  struct ml_rule *rule;
  uint32_t rules;
  struct ml_declaration *declaration; /* ML_LET */
  uint32_t declarations;
  int bracketed;                    /* it stood in ( ) of its own */
  uint32_t height;                  /* of the tree below: the parser refuses what is higher than ML_HIGHEST */
  const struct ml_written *written; /* e : T */
};

enum { ML_HIGHEST = 1000 };

enum ml_declaration_kind {
  ML_D_VAL,       /* pattern = body */
  ML_D_FUN,       /* functions that may call each other: binding[i] = fn, in the order of the text (val rec is the same) */
  ML_D_EXCEPTION, /* exceptions in let: nothing to do when it runs */
  ML_D_OTHER, /* what is only said to the checker: types, infix: nothing to do when it runs; only between parser and checker */
};

struct ml_declaration {
  enum ml_declaration_kind kind;
  struct place_in_text place;
  struct ml_pattern *pattern; /* ML_D_VAL */
  struct ml_expr *body;
  uint32_t functions; /* ML_D_FUN */
  struct ml_local **function;
  struct ml_expr **function_body;       /* each ML_FN */
  const struct ml_statement *statement; /* syntax.h: what the parser read */
};

/* What makes an expression another one each time. */
enum { ML_BY_CLOCK = 1, ML_BY_CHANCE = 2 };

struct ml_references;

enum { ML_READS_ARRAYS = 1, ML_CHANGES_ARRAYS = 2 };

/* What using a name does to references of the net (references.h), by their numbers: reads !r, changes r := e, mentions what may be both; loose: some assignment does not say to what, nameless: and it may be to one without a name. */
struct ml_uses {
  uint64_t reads, changes, mentions;
  int loose, nameless;
  unsigned arrays; /* of the net, any of them */
  const struct ml_references *known; /* NULL = nobody has looked, or there are none */
};

/* What a top-level val or fun declares. */
struct ml_global {
  const char *name;
  struct ml_scheme *scheme;
  struct place_in_text place;
  uint32_t number; /* in order of declaration, from 0 */
  int reference;   /* globref: a ref cell (refused in inscriptions of state space mode, or constant) */
  const char
      *refused; /* it needs something that no state space has: why; using it in an inscription is an error. NULL = it is fine */
  int lacking; /* it is refused, and as ml_lacks */
  const char *chance; /* it draws what has finitely many outcomes, which is refused but where a transition gives something: why. NULL = it does not */
  const char *writes; /* a call in it is left out, since it only writes or draws: why; NULL = none */
  int cells;          /* it changes references that it makes itself, each time anew */
  int blind;          /* and its type is not what it seems, since something in it has none */
  int assigns, reads; /* references: when it is used, or the functions that it uses are */
  unsigned moves;     /* so are clock and chance (ML_BY_...): it is not the same each time */
  const struct ml_expr *body; /* what it was declared as: of a function its fn, of a val all of the right side; NULL = nobody has said */
  struct ml_uses uses;
};

/* A variable of the net. */
struct ml_variable {
  const char *name;
  const struct ml_colset *colset;
  struct place_in_text place;
  uint32_t number; /* in order of declaration, from 0 */
};

struct ml_exception {
  const char *name;
  struct ml_type *argument; /* NULL = none */
  uint32_t number;
};

/* A type and the variables in it that each use replaces anew. */
struct ml_scheme {
  struct ml_type *type;
  uint32_t variables;
  struct ml_type **variable;
};

/* below.c: the expressions right below, one after the other. */
void ml_below(const struct ml_expr *, void (*hear)(void *, const struct ml_expr *), void *context);

#endif
