/* ml.h -- CPN ML: declarations and inscriptions, checked, compiled and run.
 *
 *   text -> lex -> parse -> tree.h -> check (types) -> compile -> code -> machine
 *
 * A `struct ml` is what the declarations of a net have said so far: colour sets, variables, values, functions.  Declarations are
 * given one after the other, as text: colset, var, val, fun, globref, exception, infix, local, and (.cpn files) nothing else.
 * Inscriptions are checked against it and compiled to code, which a machine runs as often as one likes with other values for
 * the variables of the net.
 *
 * Errors name the place and show the text with a caret; type errors name both types.  What a state space cannot have (ran, input
 * and output, assignment) is refused by name when it is checked. */
#ifndef ML_ML_H
#define ML_ML_H

#include "ml/tree.h"
#include "ml/value.h"

struct ml;
struct ml_code;
struct ml_machine;

/* Text with the place of its first byte: lines and columns of errors count from there. */
struct ml_text {
  const char *text;
  size_t length;
  struct place_in_text place;
  const char *where; /* for people, in front of messages: "page Top, place Waiting, initial marking"; NULL = nothing */
};

int ml_open(struct ml **out, struct mem *, struct err *);
void ml_close(struct ml *);
const char *ml_name(struct ml *, const char *text, size_t length); /* kept once; NULL: memory */
/* The file that everything is in as far as nobody says otherwise: messages tell lines of it without its name. Must live as long as ml. */
void ml_home(struct ml *, const char *file);
/* A file of declarations that is not there: what nobody knows may be declared in it. Must live as long as ml. */
void ml_missing(struct ml *, const char *file);
/* "line 6", or "line 6 of lib.sml". Returns out. */
char *ml_line(const struct ml *, struct place_in_text, char *out, size_t room);
/* Model time is real: time () and the colour set time are, and delays may be; stamps of tokens and `now` below are numbers of instant.h. Before anything is declared. 0 or -1. */
int ml_real_time(struct ml *, struct err *);
/* Random functions (uniform, ...) are refused in what is declared and checked, but for those with finitely many outcomes (discrete, A.ran, ...) where a transition gives something (chance.h), unless somebody draws: from then on they are functions like others. May be called again: what
   follows draws the numbers of that seed. */
void ml_draw(struct ml *, uint64_t seed);
/* Was the last text refused because of a name that nobody declares, or of something that works but not here (files, other programs), and not because it is wrong? */
int ml_lacks(const struct ml *);
const char *ml_left_out(const struct ml *); /* an inscription that was checked has a call that only writes or draws somewhere, and is left out: "print writes to the outside"; NULL = none */
int ml_sorted(const struct ml *);   /* one that was checked takes a multiset for a list that is a colour: it is sorted, which CPN Tools' multisets are not */
int ml_draws(const struct ml *); /* does an inscription that was checked draw? */

/* 1: a declaration should not use the name, because it is a word of the language or somebody has it already (library, prelude, structures, what was declared); 0: it is an identifier that is free; -1: memory. */
int ml_taken(struct ml *, const char *name, size_t length);

/* One or more declarations. val, and ranges of colour sets, are evaluated at once. */
int ml_declare(struct ml *, const struct ml_text *, struct err *);
/* All declarations of a net, in an order in which each knows what it needs: those that are refused are tried again after the
   others. lenient: functions and values whose declaration is wrong are no error by themselves; an inscription that uses one is,
   with the reason. *refused: how many declarations were refused; err then says what was wrong with the first, also when 0 is
   returned. */
int ml_declare_all(struct ml *, const struct ml_text *, size_t count, int lenient, size_t *refused, struct err *);

/* What ml_declare_all has left out. */
struct ml_refusal {
  const char *name; /* that would have been declared; NULL = it cannot be told */
  struct place_in_text place;
  const char *why;
  int more; /* the same declaration would have declared another name as well */
  uint64_t order; /* in which they are told: that of the texts */
  int lacking; /* as ml_lacks */
  int again; /* it is not left out: it is another one of a name that was declared before, and `why` tells which counts */
};
size_t ml_refusals(const struct ml *);
const struct ml_refusal *ml_refusal(const struct ml *, size_t index);
const struct ml_refusal *ml_refusal_of(const struct ml *, const char *name); /* NULL: none of that name */

int ml_declares(const struct ml *, const char *name); /* is it a value or a function of the declarations? */
const struct ml_colset *ml_find_colset(const struct ml *, const char *name);
const struct ml_colset *ml_colset_of(struct ml *, struct ml_type *); /* of all its values, made if need be; NULL: they cannot be tokens, or memory */
const struct ml_variable *ml_find_variable(const struct ml *, const char *name);
uint32_t ml_variables(const struct ml *); /* how many: their numbers are below it */
const struct ml_variable *ml_variable(const struct ml *, uint32_t number);
/* Declares a value that comes from outside, as val NAME = ...: --define NAME=VALUE. It hides a later val or fun of the same name. */
int ml_override(struct ml *, const char *name, const struct ml_text *value, struct err *);
const char *ml_unused_override(const struct ml *); /* one that no val of that name met; NULL: all did */

/* What an inscription must be. */
enum ml_wanted {
  ML_WANT_BOOL,     /* guards: bool, or a list of bools that must all be true: [a, b] */
  ML_WANT_MULTISET, /* arcs and initial markings: a multiset over the colour set, or one value of it, which counts as 1`value;
                       timed as the colour set is */
  ML_WANT_GIVEN,    /* the same, of what a transition gives: what has finitely many outcomes may be drawn (chance.h). Compiled as ML_WANT_MULTISET */
  ML_WANT_DELAY,    /* @+ 5 of a transition: the text behind the sign, an int or a time */
  ML_WANT_INT,      /* priorities */
  ML_WANT_VALUE,    /* one value of the colour set */
  ML_WANT_ANYTHING, /* conditions of queries: type as it comes */
  ML_WANT_ACTION,   /* of code segments: it may change references */
};

/* Parses and checks an expression; the tree lives as long as ml. colset is what ML_WANT_MULTISET and ML_WANT_VALUE speak of. */
int ml_check(const struct ml_expr **out, struct ml *, const struct ml_text *, enum ml_wanted, const struct ml_colset *,
             struct err *);
/* The same with names of more values, whose types are given: places in queries. Each becomes an ML_COLOURED with the number of
 * the entry plus ml_variables(). */
struct ml_extra {
  const char *name;
  struct ml_type *type;
};
int ml_check_with(const struct ml_expr **out, struct ml *, const struct ml_text *, enum ml_wanted, const struct ml_colset *,
                  const struct ml_extra *, size_t extras, struct err *);

/* Checks an action that gives values to variables of these colour sets: whether they fit is for others to see. */
int ml_check_segment(const struct ml_expr **out, struct ml *, const struct ml_text *, const struct ml_colset *const *output, size_t outputs, struct err *);
/* Checks an action whose value nobody uses.  What a state space cannot have is no error in it: `effects` tells. */
struct ml_effects {
  const char *refused; /* why it must not be run: a sentence that begins with a name; NULL = it may, and has no effect but on references */
  const char *writes;  /* a call in it is left out, since it only writes or draws: such a sentence; NULL = none */
};
int ml_check_action(const struct ml_expr **out, struct ml_effects *effects, struct ml *, const struct ml_text *, struct err *);
long ml_assigned(const struct ml *); /* the line of a declaration that changes a reference when it is worked out, which is not done; 0 = none */

/* Compiles a checked tree, or a part of one. `wanted` as for ml_check: a single value where a multiset is wanted becomes 1`value,
   a plain multiset where tokens carry time gets the time that is now. The code lives as long as ml. */
int ml_compile(const struct ml_code **out, struct ml *, const struct ml_expr *, enum ml_wanted, const struct ml_colset *,
               struct err *);
/* The same of a text that sees these references of the net as they are after the step (references.h). */
int ml_compile_after(const struct ml_code **out, struct ml *, const struct ml_expr *, enum ml_wanted, const struct ml_colset *, uint64_t after, struct err *);

/* Variables of the net that an expression speaks of: numbers, ascending, each once. Returns how many, writes those that there is
 * room for. */
size_t ml_free_variables(const struct ml_expr *, uint32_t *number, size_t room);
size_t ml_free_variables_after(const struct ml_expr *, uint64_t after, uint32_t *number, size_t room);

/* People shall see other names for the constants of an enumeration, in the order of its declaration. They must live as long as ml. */
void ml_show_as(const struct ml_colset *, const char *const *constant);

/* Machines: the scratch memory of one thread. */
int ml_machine_open(struct ml_machine **out, struct ml *, struct mem *, struct err *);
void ml_machine_close(struct ml_machine *);

enum ml_answer {
  ML_OK,
  ML_RAISED, /* an exception that nobody handled, or a match that no rule fits: ml_machine_fault tells */
  ML_STEPS,  /* more steps than allowed: it seems not to end */
  ML_MEMORY,
};

/* Runs code. variable[number] is the value of the variable of the net with that number; only those that the code speaks of are
   read. `now` is the model time. The result lives in the machine's heap until ml_machine_clear. */
enum ml_answer ml_run(struct ml_machine *, const struct ml_code *, const ml_value *variable, int64_t now, ml_value *out);
void ml_machine_clear(struct ml_machine *);
struct ml_heap *ml_machine_heap(struct ml_machine *);
const char *
ml_machine_fault(const struct ml_machine *); /* "uncaught exception Subscript in List.nth": a sentence without its place */
void ml_machine_limit(struct ml_machine *, uint64_t steps); /* per run; at first 10 million */

/* Whether a value belongs to a colour set: ranges, subsets. 1, 0, or -1: a predicate could not be evaluated. */
int ml_belongs(struct ml_machine *, const struct ml_colset *, ml_value);
/* How many values a colour set has, at most `most`; 0: it has no end, or more than that. */
uint64_t ml_colset_size(const struct ml_colset *, uint64_t most);
/* The values of a finite colour set in its order: 0, or -1: memory, or a predicate that could not be evaluated. They live in
 * `heap`. */
int ml_colset_values(struct ml_machine *, const struct ml_colset *, struct ml_heap *heap, int (*hear)(void *, ml_value), void *);

/* Writes a value as CPN Tools does: 1`(1,"a")++\n2`(2,"b"); strings in quotes, ~ for minus. Returns the length it has, and writes
 * at most room - 1 bytes and a zero. */
size_t ml_print(const struct ml_colset *, ml_value, char *out, size_t room);
size_t ml_print_type(const struct ml_type *, ml_value, char *out,
                     size_t room); /* without a colour set: what mkst of the type would say */
size_t ml_print_multiset(const struct ml_colset *, ml_value, char *out,
                         size_t room); /* a MULTISET or TIMED block over it; "empty" */

#endif
