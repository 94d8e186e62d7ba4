/* symmetry_sorts.h -- what in a program is a name: a value that says which, and not how many.
 *
 * Names of one sort may be exchanged for each other everywhere at once.  Sorts are found by unification: what is assigned to, compared with, sent to, received from or used as index like something else has the sort of it.
 *
 *   - the numbers of the processes of a type are names (by_slot: exchanging them exchanges the processes); of several types, if they meet in one variable;
 *   - a parameter of a process type is taken for a name, and the index of an array of channels: nothing says yet that it is more;
 *   - so are scalarsets, of which the language says that they are.
 *
 * What treats a name as more than that is a hazard: it tells names apart, some or all.  Each belongs to a transition.  A hazard is ahead of a process if the transition can still be reached in its control flow, or in that of a
 * process that it may make; it is ahead in a state if it is ahead of some process.  Hazards that lie behind do not matter, and what lies behind stays behind.  So in each state there is a partition of names into blocks, the
 * coarsest that no hazard ahead refines, and along runs blocks only become larger.  Names of a block may be exchanged: not only does the program not care, it does not care from here on.
 *
 *   const       x == 2, a[2], x = 2: tells 2 from the others
 *   value       x % 2, x > 1: names with different values of an expression
 *   function    y = 1 - x: names are alike if the expression commutes with exchanging them: 0 and 1 here
 *   table       an array that never changes, indexed by a name: by the element
 *   outside     an index that may be out of range: then element 0 is taken (of a parameter that keeps its value this is known once it has one)
 *   all         makes a name of a number that is none, by a function or by cutting it to the width of a variable; or
 *               calculates with a name in any other way
 *   slots       run P, P@label: tells all processes of a type from each other
 *   ends        a process of the type may come to its end
 *   sees ends   somebody may see how many processes there are, or what dead ones were: _nr_pr, run, P[x]:y
 *
 * Only the youngest process can die.  While nobody can see ends, a process that has come to its end is as good as dead, whatever its slot is; while somebody can, processes that may come to their end are all different. */
#ifndef PROCESS_SYMMETRY_SORTS_H
#define PROCESS_SYMMETRY_SORTS_H

#include "model/model.h"
#include "process/process_model.h"
#include "process/symmetry_leaves.h"

enum { SORT_NAMES = 64 }; /* names are numbers below this; larger ones are told apart */

enum holds { HOLDS_NUMBER, HOLDS_NAME, HOLDS_CHANNEL, HOLDS_POINTER };
struct symmetry_holds { /* what a scalar holds */
  uint8_t kind;
  uint32_t sort;
};

enum hazard_kind { HAZARD_SEES_ENDS, HAZARD_ENDS, HAZARD_SLOTS, HAZARD_CONST, HAZARD_VALUE, HAZARD_FUNCTION, HAZARD_TABLE, HAZARD_OUTSIDE, HAZARD_ALL };
struct symmetry_hazard {
  uint8_t kind;
  uint8_t indexes;  /* of a function: its value is an index */
  uint32_t of;      /* sort; process type for ENDS and SLOTS */
  int32_t value;    /* CONST; OUTSIDE: the bound; TABLE: the dimension; FUNCTION: 1 + the type of the cell that gets its value, 0 = none does */
  ir_expr expr;     /* VALUE, FUNCTION */
  ir_expr source;   /* the node in it that is the name */
  struct place_in_text place; /* of the first statement that has it */
  const char *text;
};

struct symmetry_sort {
  uint32_t names; /* 0, 1, ... */
  uint8_t by_slot, indexes, scalarset;
  uint8_t strict; /* by_slot: numbers of processes that are no names become names, by a function or by being cut */
  uint8_t remote; /* by_slot: chooses processes whose variables are read, which is a fault if they are of another type, and none if there is no such process */
};

/* A parameter that nobody writes and that is used as an index: whether it is out of range is seen in the state. */
struct symmetry_index {
  uint32_t type, cell, sort;
};

struct symmetry_sorts {
  struct mem *mem;
  const struct process_model *model;
  const struct shape *shape;
  const struct program *p;
  struct leaves leaves;
  uint32_t sorts;
  struct symmetry_sort *sort;
  struct symmetry_holds *leaf;    /* per leaf */
  uint32_t *dim;                  /* per dimension: 1 + the sort of its index; 0 = a number */
  uint32_t *pid;                  /* per process type: the sort of its numbers */
  struct symmetry_holds *message; /* per field of the channels of a declaration: message[message_first[decl] + field] */
  uint32_t *message_first;
  struct vec(struct symmetry_hazard) hazard; /* bits; 0: SEES_ENDS, 1 + type: ENDS */
  uint32_t words;                            /* 64-bit words of a set of them */
  uint64_t *ahead;                           /* per control state (program.states): sets */
  uint64_t *always;                          /* of what is asked */
  uint64_t *forever;                         /* ahead of some process wherever it is, or always */
  struct vec(struct symmetry_index) index;
  uint8_t *ended;                            /* per control state: nothing is left but to die */
};

static inline int hazard_in(const uint64_t *set, uint32_t bit) { return set[bit / 64] >> bit % 64 & 1; }

/* 0; 1: the program is one of which nothing is known, and why; -1: memory. */
int symmetry_sorts_open(struct symmetry_sorts *, const struct process_model *, const struct model_aims *, struct mem *, char *why, size_t room);
void symmetry_sorts_close(struct symmetry_sorts *); /* a zeroed one is fine */
/* Names of a sort that a hazard does not tell apart get the same number. */
void symmetry_hazard_blocks(const struct symmetry_sorts *, const struct symmetry_hazard *, uint32_t *block);
/* Processes of each type that there may be in a run, 255 for all that is more. 0 or -1 (memory). */
int symmetry_sorts_count(const struct symmetry_sorts *, uint8_t *count);
/* "p.pml:12: `x = _pid + 1` ...": why names are told apart by it. */
void symmetry_hazard_text(const struct symmetry_sorts *, const struct symmetry_hazard *, char *out, size_t room);

#endif
