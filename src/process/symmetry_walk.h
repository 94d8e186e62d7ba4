/* symmetry_walk.h -- unification behind symmetry_sorts.h: variables for everything that may be a name, and what statements say about them. */
#ifndef PROCESS_SYMMETRY_WALK_H
#define PROCESS_SYMMETRY_WALK_H

#include "process/symmetry_sorts.h"

enum var_flag {
  VAR_PID = 1,
  VAR_PARAM = 2,
  VAR_SCALARSET = 4,
  VAR_CHANNEL = 8,  /* holds channels */
  VAR_ELEMENT = 16, /* index of an array of channels */
  VAR_NUMBER = 32,  /* somebody calculates with it */
  VAR_INDEX = 64,   /* chooses elements of arrays */
  VAR_REMOTE = 128  /* chooses processes whose variables are read */
};
struct sort_var {
  uint32_t parent;
  uint32_t fields; /* of channels: variables of the fields of their messages, from here on; 0 = none yet */
  uint32_t flags;
  uint32_t cell;       /* 1 + the type of the cells that it stands for, to which values are cut; 0 = of none, or of several */
  int32_t least, most; /* constants that it, itself and not those that it is united with, gets */
  uint8_t outside;     /* it may get something that is no name */
  uint8_t width;       /* bits of its cells; where it has none of its own, of what it gets */
};
struct sort_flow { /* values go from one variable to another */
  uint32_t from, to;
  struct place_in_text place;
  const char *text;
};

enum owner { OWNER_NOBODY /* happens once, at the start */, OWNER_TRANSITION, OWNER_CREATION /* of a process of a type */, OWNER_TYPE /* as long as one lives */, OWNER_ASKER };
struct sort_note { /* something that may become a hazard, when it is known what names are */
  struct symmetry_hazard h; /* of: variable, or process type */
  uint8_t owner;
  uint32_t index; /* transition or process type */
  uint32_t target; /* of a function: the variable that gets its value, 0 = none does; of a constant: it is one of a choice between so many */
  uint8_t own;     /* of a function: of the number of the process itself */
};
struct sort_pending { /* a variable gets the value of an expression over a name */
  uint32_t var, of;
  ir_expr expr, source;
  uint8_t owner, indexes, flows;
  uint32_t index;
  struct place_in_text place;
  const char *text;
};

struct sort_walk {
  struct symmetry_sorts *s;
  const struct program *p;
  struct mem *mem;
  struct vec(struct sort_var) vars; /* 0 is unused; then leaves, dimensions, one for each process type */
  struct vec(struct sort_note) notes;
  struct vec(struct sort_pending) pending;
  struct vec(struct sort_flow) flows;
  uint32_t first_dim, first_pid;
  /* where the walk is */
  uint8_t owner;
  uint32_t index;
  int64_t type; /* of the process that acts; -1 = none */
  struct place_in_text place;
  const char *text;
  uint32_t choice; /* the assignment at hand is one of a choice between all values below this (scalarset.h) */
  int failed;
  const char *unknown; /* something that cannot be followed at all */
};

int sort_walk_open(struct sort_walk *, struct symmetry_sorts *);
void sort_walk_close(struct sort_walk *);
void sort_walk_program(struct sort_walk *, const struct model_aims *);
uint32_t sort_root(struct sort_walk *, uint32_t var);
uint32_t sort_leaf_var(const struct sort_walk *, uint32_t leaf);
uint32_t sort_field_var(struct sort_walk *, uint32_t chan_var, uint32_t field);
int32_t sort_cut(const struct sort_walk *, uint32_t var, int32_t value); /* what is left of a value in the cells that the variable stands for */
/* Are two nodes the same variable, or the number of the process? */
int sort_same_source(const struct program *, ir_expr, ir_expr);
/* The first value of a declaration's cell that nobody writes. */
int32_t sort_first_value(const struct symmetry_sorts *, uint32_t decl, uint32_t cell);

#endif
