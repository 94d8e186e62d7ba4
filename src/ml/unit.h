/* unit.h -- a function while it is compiled: shared by the files of the compiler.
 *
 * Errors are noted in the unit (`failed`) and asked for once at the end: after one, everything goes on and means nothing. */
#ifndef ML_UNIT_H
#define ML_UNIT_H

#include "ml/code.h"
#include "ml/heap.h"

struct ml_binding { /* a local and where it is */
  uint32_t number;
  uint16_t in;
  const struct ml_function *known; /* a function declared in let; NULL = any value */
};

struct ml_capture {
  uint32_t number;
  const struct ml_function *known;
};

struct ml_captures vec(struct ml_capture);

struct ml_unit {
  struct ml_back *back;
  struct ml_unit *outer; /* the function around it; NULL = none */
  struct ml_function *function;
  struct err *err;
  int failed;
  int fold; /* constants are worth evaluating */
  int has_self;
  uint32_t self;       /* the number of the local that is this function */
  uint32_t next, most; /* registers */
  struct vec(struct ml_word) words;
  struct vec(ml_value) constants;
  struct vec(struct ml_site) sites;
  struct vec(const struct ml_function *) functions;
  struct vec(struct ml_binding) bindings;
  struct ml_captures captures;
};

/* Where a local is. */
struct ml_where {
  enum { ML_IN_REGISTER, ML_IN_CLOSURE, ML_IS_SELF, ML_IS_BARE } kind;
  uint32_t at; /* register, index of the capture */
  const struct ml_function *known;
};

/* Jumps whose goal is not known yet: a chain through their second words; 0 = none. */
typedef uint32_t ml_jumps;

/* unit.c */
void ml_unit_open(struct ml_unit *, struct ml_back *, struct ml_unit *outer, struct ml_function *, struct err *);
int ml_unit_close(struct ml_unit *); /* moves the code into the function; -1: it failed */
void ml_unit_limit(struct ml_unit *, const char *what);
uint16_t ml_unit_short(struct ml_unit *, int64_t number); /* of a constructor, exception or part: as far as words go */
uint16_t ml_unit_register(struct ml_unit *);
uint16_t ml_unit_registers(struct ml_unit *, uint32_t count);
void ml_unit_bind(struct ml_unit *, uint32_t number, uint16_t in, const struct ml_function *known);
int ml_unit_visible(const struct ml_unit *, uint32_t number);
struct ml_where ml_unit_find(struct ml_unit *, uint32_t number);
void ml_emit(struct ml_unit *, enum ml_op, uint32_t a, uint32_t b, uint32_t c);
void ml_emit_index(struct ml_unit *, enum ml_op, uint32_t a, uint32_t index);
void ml_emit_constant(struct ml_unit *, uint32_t into, ml_value);
uint32_t ml_unit_constant(struct ml_unit *, ml_value);
uint32_t ml_unit_site(struct ml_unit *, struct ml_site);
uint32_t ml_unit_function(struct ml_unit *, const struct ml_function *);
void ml_jump_later(struct ml_unit *, ml_jumps *); /* the second word of a test */
void ml_emit_jump(struct ml_unit *, ml_jumps *);
void ml_jumps_here(struct ml_unit *, ml_jumps); /* they all lead here */
ml_value ml_string_constant(struct ml_unit *, const char *text, size_t length);
ml_value ml_constant_or_fail(struct ml_unit *, ml_value); /* 0 is a failure: memory */

/* compile.c: an expression into a register that nobody needs until then; tail: and it is the result of the function */
void ml_compile_into(struct ml_unit *, const struct ml_expr *, uint16_t into, int tail);
uint16_t ml_compile_operand(struct ml_unit *, const struct ml_expr *); /* into any register; it may be that of a local */
void ml_compile_local(struct ml_unit *, uint32_t number, uint16_t into);
int ml_small(const struct ml_unit *, const struct ml_expr *,
             int32_t *out); /* whether it is a small number, which fits in a word */
static inline void ml_emit_return(struct ml_unit *u, uint16_t from, int tail) {
  if (tail) ml_emit_index(u, ML_OP_RETURN, from, 0);
}

/* compile_match.c */
void ml_match(struct ml_unit *, const struct ml_pattern *, uint16_t value, ml_jumps *fail);
enum { ML_WIDEST = 200 }; /* tuples that are passed in registers */
/* Rules over a value in `width` registers: the parts of a tuple if more than one. Where none fits: exception `otherwise`, or
   `again` raised once more if that is not negative. */
void ml_compile_rules(struct ml_unit *, const struct ml_rule *, uint32_t rules, const uint16_t *value, uint32_t width,
                      uint16_t into, int tail, uint32_t otherwise, int again);
uint32_t ml_rules_width(const struct ml_rule *, uint32_t rules); /* as how many registers its values are best given */
void ml_compile_case(struct ml_unit *, const struct ml_expr *, uint16_t into, int tail);
void ml_compile_handle(struct ml_unit *, const struct ml_expr *, uint16_t into, int tail);

/* compile_call.c */
void ml_compile_apply(struct ml_unit *, const struct ml_expr *, uint16_t into, int tail);
void ml_compile_library(struct ml_unit *, const struct ml_expr *, uint16_t into); /* as a value */
const struct ml_function *ml_wrapper(struct ml_unit *,
                                     const struct ml_expr *); /* a constructor, exception or library function as a function */
int ml_type_is_number(const struct ml_expr *operator);        /* whether its first argument is an int, time or char */

/* compile_fn.c */
struct ml_function *ml_function_new(struct ml_unit *, const char *name, const struct ml_expr *fn); /* its shape; NULL: memory */
/* Its code; what it captures of `outer` is left in `captures`. `self` is its own number if `named`. */
void ml_function_fill(struct ml_unit *outer, struct ml_function *, const struct ml_expr *fn, int named, uint32_t self,
                      struct ml_captures *);
void ml_compile_fn(struct ml_unit *, const struct ml_expr *, uint16_t into);
void ml_compile_functions(struct ml_unit *, const struct ml_declaration *);
ml_value ml_closure_bare(struct ml_back *, const struct ml_function *); /* 0: memory */

/* compile_condition.c: jumps if the truth of the expression is `sense`, goes on otherwise */
void ml_compile_condition(struct ml_unit *, const struct ml_expr *, int sense, ml_jumps *);
int ml_is_condition(const struct ml_expr *); /* it is best compiled as one */

/* fold.c */
int ml_closed(const struct ml_unit *, const struct ml_expr *); /* it depends on nothing: always the same value */
ml_value ml_fold(struct ml_unit *, const struct ml_expr *);    /* its value, which lives as long as ml; 0: it is not constant */
enum { ML_FOLD_STEPS = 200000 };

#endif
