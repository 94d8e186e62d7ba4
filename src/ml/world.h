/* world.h -- what a `struct ml` holds: shared by the files of this room, and by nobody else.
 *
 * Names are symbols: kept once, and each remembers what it means just now.  The innermost meaning hides the outer ones; leaving a
 * scope, and a text that is refused halfway, put back what was hidden (scope.c).  So a lookup costs nothing, and there is one
 * table for everything.
 *
 *   symbol "x" --value--> local x of the fn --outer--> val x of the net --outer--> (library, prelude: found by name when first
 * asked for)
 *          \--type--> colour set or type of that name            \--fixity
 *
 * The first half of the room (lex, parse, check) fills trees; the second (compile, machine) runs them and keeps its things behind
 * `back`. */
#ifndef ML_WORLD_H
#define ML_WORLD_H

#include "base/rng.h"
#include "base/vec.h"
#include "ml/ml.h"

/* Exceptions that everybody knows, in this order; those of the declarations follow. */
enum {
  ML_EXN_MATCH,
  ML_EXN_BIND,
  ML_EXN_DIV,
  ML_EXN_OVERFLOW,
  ML_EXN_SUBSCRIPT,
  ML_EXN_SIZE,
  ML_EXN_EMPTY,
  ML_EXN_OPTION,
  ML_EXN_CHR,
  ML_EXN_DOMAIN,
  ML_EXN_SUBTRACT, /* -- and listsub: there is less than shall be taken away */
  ML_EXN_FAIL,     /* of string */
  ML_EXN_UNEQUAL_LENGTHS, /* of ListPair */
  ML_EXNS
};

/* library.def */
enum ml_library_number {
#define L(symbol, name, type) ML_LIB_##symbol,
#define C(symbol, name, type, colsets) ML_LIB_##symbol,
#include "ml/library.def"
  ML_LIBS
};

static inline int ml_is_random(uint32_t number) {
  return (number >= ML_LIB_RANDOM_BERNOULLI && number <= ML_LIB_RANDOM_WEIBULL) || number == ML_LIB_COLSET_RAN;
}

/* Of these, those with finitely many outcomes, which are choices in a state space (chance.h). */
static inline int ml_is_choice(uint32_t number) {
  return number == ML_LIB_RANDOM_BERNOULLI || number == ML_LIB_RANDOM_BINOMIAL || number == ML_LIB_RANDOM_DISCRETE || number == ML_LIB_RANDOM_OF || number == ML_LIB_COLSET_RAN;
}

/* Which colour sets have a function: bits by kind. */
#define ML_OF(kind) (1u << ML_COLSET_##kind)
#define ML_OF_ALL 0xffffffffu
#define ML_OF_FINITE 0xffffffffu /* whether there are finitely many values is seen when it runs */
#define ML_OF_PRODUCT ML_OF(PRODUCT)
#define ML_OF_RECORD ML_OF(RECORD)
#define ML_OF_UNION ML_OF(UNION)

/* What a name means as a value. */
enum ml_meaning_kind {
  ML_MEANS_LOCAL,
  ML_MEANS_GLOBAL,
  ML_MEANS_VARIABLE,
  ML_MEANS_EXTRA, /* ml_check_with: number */
  ML_MEANS_CONSTRUCTOR,
  ML_MEANS_EXCEPTION,
  ML_MEANS_LIBRARY,
  ML_MEANS_UNIT,       /* colset U = unit with e */
  ML_MEANS_OVERLOADED, /* number: which O line of library.def */
  ML_MEANS_REFUSED,    /* why */
};

struct ml_meaning {
  enum ml_meaning_kind kind;
  int everybodys; /* library and prelude: what the prelude's own texts see */
  int bottom;     /* of the pile: put there when the library was asked */
  struct ml_meaning *outer;
  struct ml_scheme *scheme;
  const struct ml_local *local;
  const struct ml_global *global;
  const struct ml_variable *variable;
  const struct ml_data *data;
  const struct ml_exception *exception;
  uint32_t number; /* constructor, library, extra; of what is refused: ML_REFUSED_... */
  int lacking;     /* of a declaration that is refused: as ml_lacks */
  const char *why; /* a sentence that begins with the name: "discrete is random" */
};

/* Why a name is refused: no state space can have it; its declaration is wrong; so is that of the type of which it would be a constructor. */
enum { ML_REFUSED_EFFECT, ML_REFUSED_WRONG, ML_REFUSED_MAKER, ML_REFUSED_WRITES /* calls of it are left out */ };
#define ML_NEEDS " needs something that is refused: " /* behind the name of what is not wrong itself */

/* What a name means as a type: with parameters replaced by the arguments. A colour set is one without. */
struct ml_type_meaning {
  struct ml_type_meaning *outer;
  uint32_t arity;
  struct ml_type **parameter;
  struct ml_type *type;
  const struct ml_colset *colset;
};

struct ml_symbol {
  struct ml_symbol *next; /* in its bucket */
  struct ml_meaning *value;
  struct ml_type_meaning *type;
  uint32_t hash, length;
  int8_t infix;                    /* -1 = not; 0..9 */
  int8_t right;                    /* associates to the right */
  int8_t fixed_infix, fixed_right; /* as everybody has them at first */
  int8_t sought;                   /* the library was asked */
  char text[];
};

static inline struct ml_symbol *ml_symbol(const char *name) {
  return (struct ml_symbol *)(uintptr_t)(name - offsetof(struct ml_symbol, text));
}

/* One thing to put back. */
struct ml_undo {
  struct ml_symbol *symbol;
  struct ml_meaning *value;
  struct ml_type_meaning *type;
  int8_t infix, right;
};

/* A value that came from outside. */
struct ml_overridden {
  const char *name;
  int used; /* a val of that name was declared */
};

struct ml_back; /* compile.c, machine.c */

struct ml {
  struct mem *mem;
  struct arena arena;
  struct ml_symbol **bucket;
  size_t buckets, symbols;
  struct vec(struct ml_undo) undo;
  struct vec(struct ml_colset *) colsets;
  struct vec(struct ml_variable *) variables;
  struct vec(struct ml_global *) globals;
  struct vec(struct ml_exception *) exceptions;
  struct vec(struct ml_overridden) overridden; /* names whose val is not looked at */
  /* types that everybody knows, once */
  struct ml_type *unit, *int_, *real, *string, *char_, *time;
  const struct ml_data *bool_data, *list_data, *option_data, *order_data, *exn_data;
  struct ml_type *bool_, *exn, *order;
  const struct ml_colset *unit_colset, *bool_colset, *int_colset, *string_colset, *real_colset, *time_colset,
      *intinf_colset; /* UNIT, BOOL, INT ... as everybody's declarations have them, also when a colour set names the bare type */
  int sorted;         /* an inscription takes a multiset for a list that is a colour */
  const char *writes; /* an inscription that was checked has a call that is left out: why; NULL = none */
  int real_time; /* ml_real_time */
  int draws;   /* random functions draw numbers; otherwise they are refused */
  int chances; /* an inscription has one */
  int64_t started; /* the clock of the machine when it was opened, in microseconds since 1970: it stands still (CLOCK) */
  struct rng rng;
  struct vec(struct ml_refusal) refusals;
  struct ml_references *references; /* references.h; NULL = none, or not looked for */
  uint64_t changing;                /* of them */
  long assigned; /* the line of a declaration that changes a reference; 0 = none */
  uint32_t group_count; /* of patterns and funs: see ml_local */
  uint32_t local_count; /* numbers of locals: they go on counting */
  int in_prelude;       /* a text of the prelude is being checked */
  const char *home;     /* ml_home; NULL = nobody has said */
  const char *missing;  /* ml_missing; NULL = all are there */
  const char *unknown;  /* of the last declaration that was refused: the name that it does not know; NULL = it is something else */
  int lacking;          /* ml_lacks of the last text */
  int blamed;           /* and whether it is refused for something else that is */
  struct ml_back *back; /* the second half's */
};

/* names.c */
int ml_names_open(struct ml *);
struct ml_symbol *ml_symbol_for(struct ml *, const char *text, size_t length); /* NULL: memory */

/* The second half's, for the first (run.h has the rest). */
struct ml_bound {
  uint32_t slot;
  const struct ml_global *global;
};
int ml_back_open(struct ml *, struct mem *, struct err *);
void ml_back_close(struct ml *);
int ml_define_val(struct ml *, const struct ml_pattern *, const struct ml_expr *body, const struct ml_bound *, size_t,
                  struct err *);
int ml_define_fun(struct ml *, const struct ml_global *const *, struct ml_expr *const *fn, size_t, struct err *);
int ml_define_colset(struct ml *, struct ml_colset *, struct err *); /* sets its `about` */
int ml_holds_functions(struct ml_type *); /* whether values of the type may hold functions or cells, as far as a short look tells */
int ml_evaluate(struct ml *, const struct ml_expr *, ml_value *out, struct err *);

/* references.c, for the second half: those of the state that a name speaks of; their variables, their cells. */
uint64_t ml_uses_kept(const struct ml_global *);
const struct ml_variable *ml_kept_variable(const struct ml_references *, uint32_t number, int after);
ml_value ml_kept_cell(const struct ml *, uint32_t number);

#endif
