/* lower.h -- what names mean: between the syntax of a model and the program made of it.  symbols.c declares and finds,
 * lower_expr.c turns expressions into the program's or into a number, lower.c does the rest. */
#ifndef FRONT_DVE_LOWER_H
#define FRONT_DVE_LOWER_H

#include "front/dve/syntax.h"
#include "net/names.h"

enum dve_symbol_kind { DVE_S_VARIABLE, DVE_S_CHANNEL, DVE_S_PROCESS };

struct dve_symbol {
  enum dve_symbol_kind kind;
  struct dve_place at;
  int is_const;  /* a scalar constant: its value is in `initial` and it has no cell */
  int read_only; /* an array of constants */
  int is_byte;
  uint32_t count;   /* elements; 0 = a scalar */
  uint32_t initial; /* variables: where its first values are in lowering.initial */
  uint32_t decl;    /* variables and channels: of the program */
  uint32_t process; /* processes: which */
  int warned;       /* that an array is used without an index */
  const struct dve_channel *channel;
  uint32_t fields;      /* of a message */
  struct dve_place use; /* untyped channels: what fixed the number of fields; line 0 = nothing yet */
};

struct dve_scope {
  struct names names;
  struct vec(struct dve_symbol) list; /* by number of the name */
};

struct dve_automaton { /* a process */
  const struct dve_process *syntax;
  struct dve_scope scope;
  struct names states;         /* number of the name = control state */
  struct vec(uint32_t) labels; /* of the program, by control state */
  uint32_t proc, slot, init;
  int is_property;
};

struct lowering {
  struct dve *d;
  struct program *program;
  struct dve_scope global;
  struct vec(struct dve_automaton) automata;
  struct vec(int32_t) initial; /* first values of all variables */
  uint32_t byte_type, int_type, value_type, channel_type;
  int declared; /* all variables, processes and states are known */
  int conditions; /* the program is there: what is asked about it is lowered */
};

/* From where names are seen. */
struct dve_view {
  int64_t process;   /* -1 = outside of processes */
  int64_t own_state; /* the control state in which that process is known to be; -1 = unknown */
  int elsewhere;     /* the statement is one of another process */
  uint32_t mover;    /* 1 + which process that is where it has all but arrived; 0 = nothing is known */
  uint32_t arrives;  /* ... in this control state */
};

/* ---- symbols.c ------------------------------------------------------------------------------------------------------- */

int dve_declare_all(struct lowering *); /* variables, processes, states; not the channels' decls */
int dve_declare_channels(struct lowering *);
struct dve_symbol *dve_find_variable(struct lowering *, const struct dve_view *, const struct dve_name *owner,
                                     const struct dve_name *);
struct dve_symbol *dve_find_channel(struct lowering *, const struct dve_view *, const struct dve_name *owner,
                                    const struct dve_name *);
struct dve_automaton *dve_find_process(struct lowering *, const struct dve_name *); /* NULL with an error, as the others */
uint32_t dve_find_state(struct lowering *, const struct dve_automaton *, const struct dve_name *); /* NAMES_NONE with an error */
void dve_lowering_free(struct lowering *);

/* ---- lower_expr.c ---------------------------------------------------------------------------------------------------- */

/* The value in the initial state. `constant`: variables may not be used, for the reason given. 0 or -1 with an error. */
int dve_eval(struct lowering *, const struct dve_view *, const struct dve_expr *, const char *constant, int32_t *out);
ir_expr dve_lower_expr(struct lowering *, const struct dve_view *, const struct dve_expr *);  /* 0 with an error */
ir_ref dve_lower_target(struct lowering *, const struct dve_view *, const struct dve_expr *); /* of an assignment */

/* ---- lower.c ---------------------------------------------------------------------------------------------------------- */

/* The program of what was parsed; free the lowering in any case. */
int dve_lower(struct lowering *, struct dve *, struct program **out);

#endif
