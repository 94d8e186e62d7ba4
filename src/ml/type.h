/* type.h -- types of CPN ML and colour sets.
 *
 * Types are those of Hindley and Milner: variables that unification binds, and constructors applied to types.  A colour set
 * is a name for a type with something more: which of its values belong to it (int with 1..5, lists with at most three
 * elements, a subset), in which order they come, and whether its tokens carry time stamps.  Two colour sets over the same
 * structure are the same type for the checker, as in CPN Tools (colset A = int; colset B = int: an A is a B); enumerations,
 * indexes and unions are types of their own.
 *
 *   ML_TYPE_VAR       'a: unified (`is`), or still free; `level` says which let it belongs to, as in Remy's algorithm
 *   ML_TYPE_TUPLE     product; of no parts: unit
 *   ML_TYPE_RECORD    labels sorted, numbers before words: parts in that order
 *   ML_TYPE_ARROW     part[0] -> part[1]
 *   ML_TYPE_DATA      a datatype (enum, index, union, option, order, list, exn) applied to parts
 *   ML_TYPE_MULTISET  part[0] ms
 *   ML_TYPE_TIMED     part[0] tms: each token has a time stamp
 *   ML_TYPE_REF       part[0] ref */
#ifndef ML_TYPE_H
#define ML_TYPE_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

enum ml_type_kind {
  ML_TYPE_VAR,
  ML_TYPE_INT,
  ML_TYPE_REAL,
  ML_TYPE_STRING,
  ML_TYPE_CHAR,
  ML_TYPE_TIME, /* intinf and model time: numbers as ints are, but a type of their own where CPN Tools makes it one */
  ML_TYPE_TUPLE,
  ML_TYPE_RECORD,
  ML_TYPE_ARROW,
  ML_TYPE_DATA,
  ML_TYPE_MULTISET,
  ML_TYPE_TIMED,
  ML_TYPE_REF,
};

struct ml_data;

/* What a type variable may become: the default where nothing decides it is the first that is allowed. */
enum {
  ML_ANY = 0,
  ML_NUMBER = 1 /* int, real, time */,
  ML_ORDERED = 2 /* and string, char */,
  ML_EQUAL = 4,
  ML_FLEXIBLE = 8 /* a record of which some labels are known */,
  ML_INTEGRAL = 16 /* int, time */
};

struct ml_type {
  enum ml_type_kind kind;
  uint32_t parts;
  struct ml_type **part;
  const char *const *label;   /* ML_TYPE_RECORD, and flexible variables: names of the parts */
  const struct ml_data *data; /* ML_TYPE_DATA */
  struct ml_type *is;         /* ML_TYPE_VAR: what it was unified with; NULL = free */
  uint32_t level, demand;     /* ML_TYPE_VAR */
};

/* A datatype: values are constructors, some with an argument. bool, list, option and order are of this kind as well: bool's
   constructors are false, true; a list's are nil and ::. */
struct ml_data {
  const char *name;
  uint32_t arity; /* type parameters */
  uint32_t constructors;
  const char *const *constructor;
  const char *const *shown; /* what people see instead of these names (ml_show_as); NULL = the names themselves */
  struct ml_type *const *argument; /* of each constructor, in terms of `parameter`; NULL = it takes none */
  struct ml_type *const *parameter;
  int index;           /* an index colour set: the one constructor takes an int */
  int scalarset;       /* an index colour set whose values may not be told from each other (alike.h) */
  int holds_functions; /* or exceptions: its values cannot be compared for equality */
  int holds_cells;     /* or functions: its values stay where they are made */
  struct place_in_text place;
};

struct ml_expr;
struct ml_about;

/* How a colour set was declared. */
enum ml_colset_kind {
  ML_COLSET_UNIT,
  ML_COLSET_BOOL,
  ML_COLSET_INT,
  ML_COLSET_INTINF,
  ML_COLSET_TIME,
  ML_COLSET_REAL,
  ML_COLSET_STRING,
  ML_COLSET_ENUM,
  ML_COLSET_INDEX,
  ML_COLSET_PRODUCT,
  ML_COLSET_RECORD,
  ML_COLSET_LIST,
  ML_COLSET_UNION,
  ML_COLSET_SUBSET,
  ML_COLSET_ALIAS,
};

struct ml_colset {
  const char *name;
  enum ml_colset_kind kind;
  struct ml_type *type;
  int timed;
  int real_time; /* and stamps are those of reals */
  struct place_in_text place;
  const struct ml_colset *const
      *part; /* of products, records, lists (1), unions (one for each constructor, NULL = none), subsets and aliases (1) */
  const uint32_t *
      order; /* records: order[i] is the part that was written in place i; part and labels are in the order of the type, sorted */
  uint32_t parts;
  int has_range; /* int, index, real: low..high; list and string: length; the numbers are evaluated when the colour set is
                    declared */
  int64_t low, high;
  double low_real, high_real; /* of reals */
  const char *false_name, *true_name,
      *unit_name;                   /* bool with (no, yes), unit with e: how they are written; NULL = the usual way */
  const char *low_char, *high_char; /* string with "a".."z" */
  const struct ml_expr *by;         /* subset by predicate: a function; NULL = none */
  const struct ml_expr *with;       /* subset with a list of values; NULL = none */
  uint32_t number;                  /* in order of declaration */
  const struct ml_about *about;     /* subsets: what the second half of the room knows of them (code.h); NULL = nothing */
};

struct ml_type *ml_type_find(struct ml_type *); /* follows `is` */
/* As people write it: "int * string list -> 'a". Returns out. */
char *ml_type_print(const struct ml_type *, char *out, size_t room);

#endif
