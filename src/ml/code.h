/* code.h -- what the compiler makes and the machine runs.
 *
 * A function has a window of registers on the machine's stack; its arguments come first.  Functions are called with all their
 * arguments at once: `fun f a (b, c) = ...` takes three registers, in two steps for those who give it one argument after the
 * other (width: 1, 2), in one for those who know it.  A caller puts the arguments at the end of its own window, where the window
 * of the called function begins, and finds the result in their place.
 *
 *   caller:  | arguments | locals | temporaries | x | y z |
 *   f:                                          | a | b c | locals ...
 *
 * One word is 8 bytes; jumps and tests are two words, of which the second holds where to go on, counted from the start of the
 * code.
 *
 *   op a b c      three registers         op a index     a register and a number
 *
 * A closure block is [function | 1, steps already taken, ...]: with 0 steps taken what it captured follows, otherwise the
 * closure that it came from and the arguments so far. */
#ifndef ML_CODE_H
#define ML_CODE_H

#include "ml/world.h"

struct ml_word {
  uint16_t op, a;
  union {
    struct {
      uint16_t b, c;
    };
    int32_t number;
    uint32_t index;
  };
};

/* clang-format off */
#define ML_OPS(X) \
  X(MOVE)         /* a := b */ \
  X(CONSTANT)     /* a := constant[index] */ \
  X(SMALL)        /* a := number */ \
  X(VARIABLE)     /* a := variable index of the net */ \
  X(CAPTURED)     /* a := what the closure captured, by index */ \
  X(SELF)         /* a := the closure that runs */ \
  X(NOW)          /* a := the model time */ \
  X(FIELD)        /* a := field c of b */ \
  X(PAIR)         /* a := (b, c) */ \
  X(TUPLE)        /* a := (b, b + 1, ...): c of them */ \
  X(CELL)         /* a := b :: c */ \
  X(LIST)         /* a := [b, b + 1, ...]: c of them */ \
  X(LIST_ONTO)    /* a := b :: b + 1 :: ... :: a: c of them */ \
  X(CONSTRUCT)    /* a := constructor c of b */ \
  X(EXCEPTION)    /* a := exception c of b */ \
  X(CLOSURE)      /* a := closure of function index, captured values to come */ \
  X(CAPTURE)      /* captured value c of the closure a := b */ \
  X(ADD) X(SUB) X(MUL) X(DIV) X(MOD) /* a := b op c */ \
  X(ADD_SMALL)    /* a := b + c, c a signed number */ \
  X(NEGATE)       /* a := ~ b */ \
  X(SINGLE)       /* a := b`c */ \
  X(ONE)          /* a := 1`b */ \
  X(UNION)        /* a := b ++ c */ \
  X(LATER)        /* a := b @+ c: b plain or timed */ \
  X(AT)           /* a := b @ c */ \
  X(NATIVE)       /* a := site[index](a, a + 1, ...) */ \
  X(CALL)         /* a := function[index](a, a + 1, ...) */ \
  X(CALL_SELF)    /* the same of the closure that runs */ \
  X(CALL_KNOWN)   /* the same of the closure in b, whose function is known to take these arguments */ \
  X(APPLY)        /* a + 1 := a applied to a + 1: any function, one step */ \
  X(APPLY_TUPLE)  /* a + 1 := a applied to (a + 1, ..., a + b) */ \
  X(APPLY_MANY)   /* a + 1 := a applied to a + 1, then to a + 2, ...: b steps at once, and on with the second word; or nothing, if a is not of that kind */ \
  X(TAIL) X(TAIL_SELF) X(TAIL_KNOWN) X(TAIL_APPLY) X(TAIL_TUPLE) X(TAIL_MANY) /* the same, and the result is the caller's */ \
  X(RETURN)       /* a */ \
  X(RAISE)        /* a, an exception */ \
  X(FAIL)         /* exception index without argument: Match, Bind */ \
  X(HANDLE)       /* until UNHANDLE exceptions go to the second word, in register a */ \
  X(UNHANDLE) \
  X(JUMP)         /* index */ \
  X(IF_TRUE) X(IF_FALSE)                           /* a; two words from here on */ \
  X(IF_EQUAL) X(IF_DIFFERENT)                      /* a, b of any type */ \
  X(IF_LESS) X(IF_LESS_EQUAL)                      /* a, b ints */ \
  X(IF_IS) X(IF_IS_NOT)                            /* a, number: ints and constructors without argument */ \
  X(IF_BELOW) X(IF_ABOVE)                          /* a < number, a > number */ \
  X(IF_BLOCK) X(IF_NO_BLOCK)                       /* a: lists that are not empty, constructors with argument */ \
  X(IF_NOT_CONSTANT)                               /* a <> constant[index]: large ints, strings */ \
  X(IF_NOT_CONSTRUCTED)                            /* a: constructor b with an argument */ \
  X(IF_NOT_EXCEPTION)                              /* a: exception index */ \
  X(SWITCH)       /* a: number from 0 to index - 1 choose one of the words that follow; others go on behind them */
/* clang-format on */

enum ml_op {
#define X(name) ML_OP_##name,
  ML_OPS(X)
#undef X
      ML_OP_COUNT
};

/* A use of a library function: which, whose, and by which C function it is done. */
struct ml_site {
  enum ml_answer (*run)(struct ml_machine *, ml_value *arguments, const struct ml_site *);
  uint32_t library;
  const struct ml_colset *colset;
  int64_t number; /* which part: set_, of_, is_ */
};

struct ml_function {
  const char *name;      /* for messages; NULL = fn */
  uint32_t steps;        /* how many arguments it takes one after the other */
  const uint32_t *width; /* of each: how many registers; more than 1: the parts of a tuple */
  uint32_t arguments;    /* all of them */
  uint32_t registers;    /* its window */
  uint32_t captured;
  int ready;     /* it may run: all that it calls is there */
  ml_value bare; /* its closure if it captures nothing: lives as long as ml; 0 = none */
  const struct ml_word *code;
  const ml_value *constant;
  const struct ml_site *site;
  const struct ml_function *const *function;
};

/* An inscription. Two kinds are so frequent that they need no machine: a variable, a constant. */
struct ml_code {
  const struct ml_function *function;
  ml_value constant; /* 0 = none */
  int is_variable;
  uint32_t variable;
};

/* What the second half of the room keeps. */
struct ml_back {
  struct ml *ml;
  struct mem *mem;
  struct arena arena;           /* code */
  struct ml_heap *heap;         /* values of globals, constants of code */
  struct ml_machine *machine;   /* evaluates declarations and constants */
  struct vec(ml_value) globals; /* by number; 0 = not defined */
};

/* What is known of a subset beyond its declaration. */
struct ml_about {
  const struct ml_code *by; /* the predicate applied to variable 0 */
  ml_value
      values; /* all of them, as a multiset of ones: listed, or found among a finite set that is not too large; 0 = not known */
};

/* native.c */
struct ml_native {
  const char *name;
  enum ml_answer (*run)(struct ml_machine *, ml_value *, const struct ml_site *);
  uint32_t steps, width[3], arguments; /* as in ml_function; no steps: a value */
};
struct ml_native ml_native(uint32_t number);
const char *ml_native_name(uint32_t number);

/* What the library's wrapper of a colour set's predicate, a list of conditions, needs beyond library.def. */
enum ml_answer ml_all_true(struct ml_machine *, ml_value *, const struct ml_site *);

static inline const struct ml_function *ml_closure_function(const struct ml_block *b) {
  return (const struct ml_function *)(uintptr_t)(b->field[0] - 1);
}

#endif
