/* check.h -- what the files of the checker share.  See check.c. */
#ifndef ML_CHECK_H
#define ML_CHECK_H

#include "ml/library.h"
#include "ml/scope.h"
#include "ml/syntax.h"
#include "ml/types.h"

struct check_variable { /* 'a of annotations: one for the whole declaration */
  const char *name;
  struct ml_type *type;
};

struct check_writing { /* a call that is left out */
  struct ml_type *type;
  struct ml_expr *call; /* what stands there now: () */
  const char *why;
  struct place_in_text place;
  uint32_t from;
};

/* The checking of one text. */
struct check {
  struct ml *ml;
  const struct ml_text *text;
  struct err *err;
  struct ml_effort effort;
  uint32_t level; /* of lets */
  uint32_t depth; /* of fns */
  int declares;   /* a declaration: what is refused is only noted */
  int notes;      /* so is it here: the action of a code segment that gives nothing back */
  int acts;       /* a code segment: it may change references */
  int gives;      /* what a transition does when it occurs: it may draw what has finitely many outcomes */
  const char *chance; /* something in it is so drawn: why it is refused elsewhere */
  const char *refused;
  int lacks; /* what is refused works elsewhere, or is not declared: as ml_lacks */
  const char *blind; /* something refused has no type: why; what seems wrong from here on may follow from it */
  struct place_in_text blind_at;
  uint32_t blind_from;
  int assigns, reads; /* references */
  int cells;          /* such as are made in the text itself are changed: see check_cell */
  unsigned moves;     /* ML_BY_... */
  const char *writes; /* a call in it is left out, or in a function that it uses: what it would do; NULL = none */
  struct vec(struct check_writing) written_out;
  uint32_t group;                            /* patterns and funs count */
  struct vec(struct ml_type *) overloaded;   /* variables to be decided at the end */
  struct vec(struct ml_expr *) select;       /* selections whose record is not known yet */
  struct vec(struct ml_pattern *) open;      /* patterns with ... likewise */
  struct vec(struct check_variable) written; /* 'a */
  const struct ml_colset *const *output; /* a code segment: of the variables that it gives values */
  size_t outputs;
};

void check_open(struct check *, struct ml *, const struct ml_text *, struct err *);
void check_close(struct check *);
/* Everything that was left open until the text is at its end: overloading, records. */
int check_finish(struct check *);

/* Errors. */
int check_fault(struct check *, struct place_in_text, uint32_t from, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int check_memory(struct check *);
int check_mismatch(struct check *, enum ml_unified, struct place_in_text, uint32_t from, struct ml_type *have,
                   struct ml_type *want);
int check_unknown(struct check *, struct place_in_text, uint32_t from, const char *name, const char *what, int types);
/* A state space cannot have this: an error in an inscription, noted in a declaration. */
int check_refuse(struct check *, struct place_in_text, uint32_t from, const char *why);
void check_blind(struct check *, struct place_in_text, uint32_t from, const char *why); /* and nobody knows its type */

/* Types. NULL: memory, told. */
struct ml_type *check_new_var(struct check *, uint32_t demand);
struct ml_type *check_instance(struct check *, const struct ml_scheme *); /* with fresh variables */
struct ml_type *check_made(struct check *, struct ml_type *);             /* tells if it is NULL */
struct ml_type *check_written(struct check *, const struct ml_written *);
int check_unify_at(struct check *, struct place_in_text, uint32_t from, struct ml_type *have, struct ml_type *want);

/* Expressions: the type, also in e->type; the expression may be replaced by one that converts it. NULL or -1: error. */
struct ml_type *check_infer(struct check *, struct ml_expr **);
int check_against(struct check *, struct ml_expr **, struct ml_type *want);
int check_fit(struct check *, struct ml_expr **, struct ml_type *want); /* it was inferred */
int check_rules(struct check *, struct ml_rule *, uint32_t rules, struct ml_type *argument, struct ml_type **result,
                struct ml_type *want);
struct ml_type *check_operator(struct check *, struct ml_expr **, int *handled); /* ++ -- @ and overloaded names */
struct ml_type *check_name(struct check *, struct ml_expr *);
struct ml_meaning *check_meaning(struct check *, const char *name, int *failed); /* NULL: none, or failed */
/* check_write.c: a call that only writes or draws becomes (). *is 0: it is none. */
struct ml_type *check_writing(struct check *, struct ml_expr *, int *is);
int check_written_out(struct check *); /* at the end of a text: nothing may be computed from them. 0 or -1 */
struct ml_type *check_time(struct check *, struct ml_expr *); /* n`e, @, @+ */
int check_span(struct check *, struct ml_expr **);            /* behind @ and @+: a time, or an int */
int check_bag(struct check *, struct ml_expr **, struct ml_type *element,
              int top); /* a multiset, or a value of element; see check_bag.c */
int check_bag_operator(
    struct check *, const struct ml_expr *); /* whether it is a ++ b, a -- b, a +++ b of multisets: the library number, -1 = no */
int check_bag_close(struct check *, struct ml_expr *, struct ml_type *bag);
struct ml_type *check_join(struct check *, struct ml_expr **const *, uint32_t count);
struct ml_expr *check_convert(struct check *, struct ml_expr *, uint32_t library, struct ml_type *);
struct ml_expr *check_now(struct check *, struct ml_expr *, struct ml_type *); /* e @+ 0: asks the clock */

/* Patterns: binds their variables. */
int check_pattern(struct check *, struct ml_pattern *, struct ml_type *want);
int check_new_pattern(struct check *, struct ml_pattern *, struct ml_type *want); /* names must differ within it */

/* Declarations. */
int check_let(struct check *, struct ml_expr *);
int check_global(struct check *, struct ml_declaration *);
int check_colset(struct check *, const struct ml_statement *);
int check_exceptions(struct check *, const struct ml_statement *);
int check_types(struct check *, const struct ml_statement *);
int check_datatypes(struct check *, const struct ml_statement *);
struct ml_data *check_new_data(struct check *, const char *name, uint32_t constructors, const char **constructor,
                               struct place_in_text);
int check_constructors(struct check *, struct ml_data *,
                       struct ml_type *);   /* gives the names of its constructors their meaning */
int check_is_value(const struct ml_expr *); /* nothing happens when it is evaluated: its type may be general */
struct ml_local *check_new_local(struct check *, const char *name, struct ml_type *);

#endif
