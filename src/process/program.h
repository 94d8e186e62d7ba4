/* program.h -- programs as processes of guarded commands: what Promela, PROM+ and DVE become.
 *
 * A program is a set of process types over cells (32-bit integers).  A process type is an automaton: each
 * control state has an ordered list of transitions; a transition has a guard, at most one communication, actions
 * that run when it is taken, and a target.  A front end builds a program with the functions below and closes it
 * with program_finish; then process/process_model.h makes a model of it.
 *
 *   cell    one scalar: a variable, an element of an array, a field.  Records and arrays are flattened: cells of a
 *           declaration lie side by side, element by element, field by field.
 *   scope   0 = global; t + 1 = local to instances of process type t.
 *   expr    index of a node, 0 = none.  Values are 32-bit integers and wrap around; comparisons give 0 or 1.
 *   ref     index of an lvalue (or of what is loaded), 0 = none.
 *
 * What happens in a state (the semantics, shared by all languages):
 *   - Processes live in slots 0, 1, 2, ... (the pid); the youngest has the highest slot.  Slots are tried from the highest
 *     to the lowest, the transitions of a slot in their order; that fixes the order of successors.
 *   - A process whose `provided` expression is false does not move (nor does it take part in a rendezvous).
 *   - A transition is enabled if its guard is not 0 and its communication is possible.
 *   - IR_ELSE: enabled if no transition before it in this control state was; a rendezvous send counts if somebody took the message.
 *   - IR_END: the death of a process; enabled only in the highest slot.  Its cells and channels vanish.
 *   - escape > 0 (unless): once a transition was taken, those of another escape number are not tried any more.
 *   - choice > 0: of neighbouring transitions with the same number only the first enabled one is taken (entry of a d_step).
 *   - flow says what happens after the transition: IR_STOP: the state is complete.  IR_ATOMIC: the same process (after a
 *     rendezvous: the receiver, by its own transition's flow) goes on; if it is blocked, the state is complete and all may move.
 *     IR_DSTEP: the same process goes on with the first enabled transition of its new control state; being blocked is a fault.
 *   - Rendezvous: a send on a channel of capacity 0 is offered to every other process, highest first; each matching receive
 *     makes one successor.  The order of effects is: receive patterns bind, actions of the sender, actions of the receiver;
 *     with receiver_first (DVE): patterns bind, the receiver moves and acts, then the sender moves and acts.
 *   - A channel of capacity 0 is empty, and never full, but while processes are asked whether they take its message (`provided`,
 *     guards, patterns and the places that patterns bind): then it holds that one, and is full.
 *   - A state in which nothing is enabled is tried again with IR_TIMEOUT = 1.
 *   - committed control states (DVE): while some process is in one, only processes in committed states move, in a rendezvous
 *     both partners.
 *   - Messages and assignments are cut to the width of the cell that receives them, as C does.
 *   - Faults (failed assertion, index out of range, ...) are told with the step that made them.  After a failed assertion, and
 *     after an index out of range (element 0 is taken), the step goes on as SPIN's does; a division by zero or a block
 *     inside a d_step has no successor. */
#ifndef PROCESS_PROGRAM_H
#define PROCESS_PROGRAM_H

#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdint.h>

typedef uint32_t ir_expr;
typedef uint32_t ir_ref;

/* ---- types ------------------------------------------------------------------------------------------------------ */

enum ir_kind { IR_NUMBER, IR_BOOL, IR_MTYPE, IR_CHANNEL, IR_PID, IR_POINTER, IR_RECORD };

struct ir_field {
  const char *name;
  uint32_t type;
  uint32_t count;  /* elements; 0 = not an array */
  uint32_t offset; /* in cells, from the start of the record */
};

struct ir_type {
  enum ir_kind kind;
  const char *name;    /* "byte", "mtype", the typedef's name */
  uint8_t bits;        /* scalars: 1..32 */
  uint8_t is_signed;   /* scalars */
  uint32_t names;      /* IR_MTYPE: which set of names; IR_POINTER: the type pointed to */
  uint32_t scalarset;  /* numbers: the values are 0 .. n - 1, and none of them is special (process/symmetry_sorts.h); 0 = plain numbers */
  uint32_t cells;      /* 1 for scalars */
  uint32_t field, fields; /* records: program.fields[field .. field + fields) */
};

/* The shape of a channel: capacity 0 is a rendezvous. */
struct ir_chan {
  uint32_t capacity;
  uint32_t declared; /* what the model says it is: less than `capacity` after program_unbound_channels */
  uint32_t field, fields; /* program.chan_fields: scalar types of the message's fields, in order */
};

enum ir_decl_flag {
  IR_HIDDEN = 1, /* not part of the state: kept while a step runs, forgotten between steps (reads give its last value in SPIN: see doc) */
  IR_PARAM = 2,
  IR_CONST = 4,  /* set by program_finish: no transition writes it */
  IR_INTERNAL = 8, /* made by the front end, not shown to people */
};

struct ir_decl {
  const char *name;
  uint32_t scope;
  uint32_t type;
  uint32_t count; /* 0 = not an array */
  uint32_t flags;
  uint32_t chan;  /* 1 + index of an ir_chan: every cell begins as a channel of its own; 0 = none */
  ir_expr init;   /* value of every cell at the start (or see program_init for more); 0 = zero */
  struct place_in_text place;
  uint32_t base;  /* set by program_declare: first cell within its scope */
  uint32_t cells;
  uint32_t first_chan; /* set: number of its first channel among those of its scope */
};

/* ---- expressions ------------------------------------------------------------------------------------------------ */

enum ir_op {
  IR_NONE,
  IR_VALUE,                                          /* value */
  IR_LOAD,                                           /* a = ref */
  IR_NEG, IR_NOT, IR_INVERT,                         /* a */
  IR_ADD, IR_SUB, IR_MUL, IR_DIV, IR_MOD,            /* a, b */
  IR_BAND, IR_BOR, IR_BXOR, IR_SHL, IR_SHR,          /* shifts by b & 31, >> keeps the sign */
  IR_LT, IR_LE, IR_GT, IR_GE, IR_EQ, IR_NE,
  IR_AND, IR_OR, IR_IMPLIES,                         /* b is evaluated only if it matters */
  IR_COND,                                           /* a ? b : c */
  IR_LEN, IR_EMPTY, IR_FULL, IR_NEMPTY, IR_NFULL,    /* a = expr: the channel's number */
  IR_POLL,                                           /* a = comm: 1 if the receive would be possible (buffered channels only) */
  IR_AT,                                             /* a = expr of pid, b = process type, c = label index in program.labels */
  IR_FIRST,                                          /* b = process type: pid of the lowest process of that type, -1 = there is none */
  IR_ENABLED,                                        /* a = expr of pid: some transition of it is enabled */
  IR_PC_VALUE,                                       /* a = expr of pid: the tag of its control state; 0 = no such process */
  IR_TIMEOUT, IR_PID_OWN, IR_NR_PR, IR_LAST, IR_NP,  /* no operands */
  IR_PRIORITY,                                       /* a = expr of pid */
  IR_OWN_CHAN,                                       /* value = k: number of the k-th channel that this process declared */
  IR_NULL_POINTER,
  IR_C_EXPR,                                         /* value = index in program.c_parts */
  IR_OPS
};

struct ir_node {
  uint8_t op;
  int32_t value;
  uint32_t a, b, c;
  struct place_in_text place;
};

/* Operators, IR_NEG to IR_COND, have expressions as operands and nothing else: so many, a first. All other kinds of nodes have none. */
static inline unsigned ir_operands(const struct ir_node *n) { return n->op < IR_NEG || n->op > IR_COND ? 0 : n->op <= IR_INVERT ? 1 : n->op < IR_COND ? 2 : 3; }
static inline ir_expr ir_operand(const struct ir_node *n, unsigned i) { return i == 0 ? n->a : i == 1 ? n->b : n->c; }

/* ---- lvalues ---------------------------------------------------------------------------------------------------- */

enum ir_where { IR_GLOBAL, IR_LOCAL, IR_REMOTE, IR_HEAP };

struct ir_index {
  ir_expr expr;
  uint32_t stride; /* in cells */
  uint32_t bound;  /* 0 <= expr < bound, or it is a fault */
};

struct ir_lvalue {
  enum ir_where where;
  uint32_t decl;   /* where it begins (not for IR_HEAP) */
  uint32_t type;   /* of the cell or record reached so far */
  uint32_t count;  /* elements still to be indexed; 0 = none */
  uint32_t base;   /* cell within the scope (IR_HEAP: within the object) */
  uint32_t proc;   /* IR_REMOTE: the process type */
  ir_expr slot;    /* IR_REMOTE: expr of the pid (no such process: read as 0; of another type: a fault); IR_HEAP: expr of the pointer */
  uint32_t index, indices; /* program.indices[index .. index + indices) */
  struct place_in_text place;
};

/* ---- communication ---------------------------------------------------------------------------------------------- */

enum ir_comm_flag {
  IR_SEND = 1,
  IR_RECEIVE = 2,
  IR_SORTED = 4,  /* !! */
  IR_RANDOM = 8,  /* ?? */
  IR_PEEK = 16,   /* ?<..>: the message stays */
};
enum ir_arg_kind { IR_ARG_VALUE, IR_ARG_MATCH, IR_ARG_BIND, IR_ARG_IGNORE }; /* VALUE in sends, the others in receives */

struct ir_arg {
  enum ir_arg_kind kind;
  uint32_t what; /* expr, or ref for IR_ARG_BIND */
};
struct ir_comm {
  uint32_t flags;
  ir_expr chan;        /* expr of the channel's number; 0 is no channel: a fault */
  uint32_t arg, args;  /* program.args */
  struct place_in_text place;
};

/* ---- actions and transitions ------------------------------------------------------------------------------------ */

enum ir_action_kind {
  IR_ASSIGN,  /* ref = expr */
  IR_ASSERT,  /* expr; text = the source */
  IR_PRINT,   /* text = format (C escapes resolved), args = values; %e takes a mtype name, as in SPIN */
  IR_RUN,     /* value = priority or 0; proc, args; ref = where the new pid goes, or 0. Not possible with 255 processes: then the transition is disabled */
  IR_NEW,     /* ref (a pointer) = a new object of the type it points to */
  IR_RESET,   /* ref (a pointer) = null */
  IR_SET_PRIORITY, /* expr = pid, args[0] = new priority */
  IR_C_CODE,  /* value = index in program.c_parts */
};

struct ir_action {
  enum ir_action_kind kind;
  ir_ref ref;
  ir_expr expr;
  uint32_t proc;
  uint32_t arg, args; /* program.args, kind IR_ARG_VALUE */
  const char *text;
  uint32_t value;
  struct place_in_text place;
};

enum ir_flow { IR_STOP, IR_ATOMIC, IR_DSTEP };
enum ir_trans_flag { IR_ELSE = 1, IR_END = 2 };

struct ir_trans {
  uint32_t proc, from, to; /* control states of the process type; `to` is ignored for IR_END */
  uint8_t flow, flags;
  uint16_t escape, choice;
  ir_expr guard;  /* 0 = true */
  uint32_t comm;  /* 1 + index of a comm; 0 = none */
  uint32_t action, actions;
  const char *text; /* the statement as people write it: "c!msg,2", "x = x+1"; owned by the program */
  struct place_in_text place;
};

enum ir_state_flag { IR_VALID_END = 1, IR_PROGRESS = 2, IR_ACCEPT = 4, IR_COMMITTED = 8, IR_INNER = 16 /* inside a d_step, and not behind a send that may be a rendezvous: never in a complete state */ };

struct ir_state {
  uint32_t proc, number;
  uint32_t tag; /* what IR_PC_VALUE tells: the language's own number of the place, from 1 */
  uint8_t flags;
  uint32_t trans, transitions; /* set by program_finish: program.trans[trans ..): those from here, in order of adding */
  struct place_in_text place;
};

struct ir_label { /* a named control state */
  const char *name;
  uint32_t proc, state;
};

struct ir_proc {
  const char *name;
  uint32_t params;     /* cells of its parameters: they come first */
  uint32_t active;     /* instances at the start */
  uint32_t priority;   /* 0 = not given */
  ir_expr provided;    /* 0 = true */
  uint32_t start;      /* first control state */
  uint32_t state, states; /* set: program.states[state .. state + states) */
  uint32_t cells;      /* of the scope, channels not counted */
  uint32_t chans;      /* that each instance creates */
  uint32_t init, inits; /* program.inits: assignments at creation, in order */
  struct place_in_text place;
  int is_claim;        /* never claim: not started, kept for later */
};

struct ir_init { /* cell (ref) = expr when the scope comes into being; refs of the scope itself */
  uint32_t scope;
  ir_ref ref;
  ir_expr expr;
};

struct ir_names { /* a set of symbolic constants: value -> name */
  const char *set; /* "mtype" or the subtype */
  struct vec(const char *) name; /* index = value; NULL = none */
};

struct ir_ltl {
  const char *name, *text;
  const char *written; /* the text with the blanks and line ends that it has in the model */
  struct place_in_text place, brace; /* of the word ltl; of the brace before the text */
};

/* Embedded C: a piece of the model that only a C compiler understands (process/embedded.c). */
enum ir_c_kind {
  IR_C_DECLARATIONS, /* c_decl: before everything else */
  IR_C_FUNCTIONS,    /* c_code outside of processes */
  IR_C_STATEMENT,    /* c_code of a process */
  IR_C_CONDITION,    /* c_expr */
  IR_C_STATE,        /* text = declaration, second = scope, third = first value or NULL */
  IR_C_TRACK,        /* text = address, second = size, third = "Matched", "UnMatched" or NULL */
};
/* C is code of whoever wrote the model: it runs only where the user said so, and needs a compiler. */
enum ir_c_permission { IR_C_REFUSED, IR_C_ALLOWED, IR_C_NO_COMPILER };

struct ir_c {
  enum ir_c_kind kind;
  uint32_t scope; /* of the process type it stands in; IR_C_STATE: see embedded.c */
  const char *text, *second, *third;
  int truth; /* IR_C_CONDITION: nobody asks for more than whether it is 0 */
  int of_formula; /* IR_C_CONDITION of an ltl block: there are two of it, the second for its truth alone */
  const char *precondition; /* c_code [..] {..}; NULL = none */
  struct place_in_text place, second_place, third_place, precondition_place; /* of the first character of each */
};

/* The language that the program was written in, kept for conditions that people ask about it. */
struct program_reader {
  void *context;
  /* A condition over global names, as of a never claim. 0, or -1 with err. */
  int (*read)(void *context, const char *text, size_t length, const char *what, ir_expr *out, struct err *);
  void (*close)(void *context); /* NULL = there is no reader */
};

#define PROGRAM_CELLS_MAX (1u << 22) /* of one scope */

struct program {
  struct mem *mem;
  const char *language, *file;
  struct vec(struct ir_type) types;
  struct vec(struct ir_field) fields;
  struct vec(struct ir_chan) chans;
  struct vec(uint32_t) chan_fields;
  struct vec(struct ir_decl) decls;   /* 0 is unused */
  struct vec(struct ir_node) nodes;   /* 0 is unused */
  struct vec(struct ir_lvalue) refs;  /* 0 is unused */
  struct vec(struct ir_index) indices;
  struct vec(struct ir_comm) comms;
  struct vec(struct ir_arg) args;
  struct vec(struct ir_action) actions;
  struct vec(struct ir_trans) trans;
  struct vec(struct ir_state) states;
  struct vec(struct ir_label) labels;
  struct vec(struct ir_proc) procs;
  struct vec(struct ir_init) inits;
  struct vec(struct ir_names) names;
  struct vec(struct ir_ltl) ltls;
  struct vec(struct ir_c) c_parts;
  struct place_in_text first_c;      /* of the first embedded C, where uses_c */
  enum ir_c_permission c_permission; /* set by the front end */
  struct vec(char *) strings; /* all owned text */
  uint32_t global_cells, global_chans;
  struct vec(uint32_t) start; /* process type of each process at the start, slot 0 first; set by the front end */
  int has_trace, trace_negated; /* trace/notrace: the process type `trace_proc` is an automaton over channel events */
  uint32_t trace_proc;
  int receiver_first; /* in a rendezvous the receiver moves and acts before the sender: IR_AT in the sender's actions sees it arrived */
  int unbounded_channels; /* see program_unbound_channels */
  int lossy_channels; /* a send to a full channel is possible and loses the message (spin -m) */
  int uses_last, uses_timeout, uses_np, uses_priority, uses_c, uses_heap, uses_rendezvous, uses_committed, uses_provided;
  uint32_t global_inits; /* set: program.inits[0 .. global_inits) are those of the global scope */
  struct program_reader reader;
  int too_large;
  int failed; /* a request for memory was refused: builders return 0, program_finish returns -1 */
};

/* ---- building --------------------------------------------------------------------------------------------------- */

int program_open(struct program **out, struct mem *, const char *language, const char *file);
void program_close(struct program *); /* NULL is fine */

/* Builders never fail visibly: when memory ends they return 0 and program_finish says so. */
const char *program_text(struct program *, const char *text, size_t length); /* a copy that the program owns */
uint32_t program_names(struct program *, const char *set);
void program_name(struct program *, uint32_t names, uint32_t value, const char *name);

uint32_t program_scalar(struct program *, enum ir_kind, const char *name, unsigned bits, int is_signed, uint32_t names);
uint32_t program_record(struct program *, const char *name); /* then program_field; complete before it is used */
void program_field(struct program *, uint32_t record, const char *name, uint32_t type, uint32_t count);
uint32_t program_chan(struct program *, uint32_t capacity, const uint32_t *field_types, uint32_t fields);

uint32_t program_proc(struct program *, const char *name, struct place_in_text); /* index of the process type */
/* Declares and places its cells; parameters of a process first. Fills base, cells, first_chan. Returns the decl's index. */
uint32_t program_declare(struct program *, const struct ir_decl *);
/* More initial values, e.g. element by element or in an order that matters: run after the plain ones of ir_decl.init, in order. */
void program_init(struct program *, uint32_t scope, ir_ref, ir_expr);

ir_expr program_value(struct program *, int32_t);
ir_expr program_unary(struct program *, enum ir_op, ir_expr a, struct place_in_text);
ir_expr program_binary(struct program *, enum ir_op, ir_expr a, ir_expr b, struct place_in_text); /* folds constants */
ir_expr program_node(struct program *, struct ir_node); /* anything else */
ir_expr program_load(struct program *, ir_ref);
/* 1 and *out if the expression is a constant. */
int program_constant(const struct program *, ir_expr, int32_t *out);

/* Lvalues grow from a declaration: ref = begin; ref = index(ref, i); ref = field(ref, "x"). A finished one is a scalar
   without elements left. index and field give 0 if they do not apply (not an array, no such field): the front end tells. */
ir_ref program_ref(struct program *, uint32_t decl, struct place_in_text);
ir_ref program_ref_remote(struct program *, uint32_t decl, ir_expr pid, struct place_in_text);
ir_ref program_ref_heap(struct program *, ir_expr pointer, uint32_t type, struct place_in_text);
ir_ref program_ref_index(struct program *, ir_ref, ir_expr);
ir_ref program_ref_field(struct program *, ir_ref, const char *name, size_t length);

uint32_t program_args(struct program *, const struct ir_arg *, uint32_t count); /* first index in program.args */
uint32_t program_comm(struct program *, const struct ir_comm *);                /* 1 + index, as ir_trans.comm and IR_POLL want it */

uint32_t program_state(struct program *, uint32_t proc, unsigned flags, struct place_in_text); /* control state, numbered from 0 per type */
void program_state_flag(struct program *, uint32_t proc, uint32_t state, unsigned flags);
uint32_t program_label(struct program *, uint32_t proc, const char *name, uint32_t state); /* index */
/* Adds a transition with `count` actions. Those of one control state are tried in the order in which they were added. */
uint32_t program_trans(struct program *, const struct ir_trans *, const struct ir_action *actions, uint32_t count);

/* Sorts transitions by process type and state, finds what is never written, checks the tables. 0 or -1 (memory, a contradiction). */
int program_finish(struct program *, struct err *);

enum { PROGRAM_CAPACITY = 255 };
/* Buffered channels get all the room that there is, PROGRAM_CAPACITY messages, and states of the model as much of it as they need (unbounded.c). 0, or -1 with err: the program
   asks how full a channel is, or takes messages out of turn. After program_finish, before it becomes a model. */
int program_unbound_channels(struct program *, struct err *);

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static inline const struct ir_node *program_at(const struct program *p, ir_expr e) { return &p->nodes.at[e]; }
static inline int program_is_scalar(const struct program *p, uint32_t type) { return p->types.at[type].kind != IR_RECORD; }
/* Name of a cell of a scope: "x", "a[2]", "s.f[1]", "x#2" for the second x of the scope; returns out. */
char *program_cell_name(const struct program *, uint32_t scope, uint32_t cell, char *out, size_t room);
/* Name of a declaration, different from all others of its scope; returns out. */
char *program_decl_name(const struct program *, uint32_t decl, char *out, size_t room);
/* Appends the way to a cell within `count` elements of a type to out: ".next", "[3].data[2]"; returns out. */
char *program_field_name(const struct program *, uint32_t type, uint32_t count, uint32_t cell, char *out, size_t room);
uint32_t program_cell_decl(const struct program *, uint32_t scope, uint32_t cell); /* which declaration it belongs to */
/* a op b by the rules above: 1 and *out; 0 for a division by zero and for what is no binary operator. */
int program_apply(enum ir_op, int32_t a, int32_t b, int32_t *out);
/* What is left of a value in a cell of this type. */
int32_t program_cut(const struct ir_type *, int32_t value);
/* Type of the scalar at `cell` of `count` elements of a type. */
uint32_t program_type_in(const struct program *, uint32_t type, uint32_t count, uint32_t cell);
/* Type of a cell of a scope. */
uint32_t program_cell_type(const struct program *, uint32_t scope, uint32_t cell);

#endif
