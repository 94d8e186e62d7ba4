/* machine.h -- one state of a program, unpacked, on which statements run.
 *
 * The image is one array of 32-bit cells:
 *
 *   0        header: _last, state of the trace automaton
 *   global   global variables, then the contents of global channels
 *   heap     objects (PROM+)
 *   slots    slot 0, slot 1, ...: each 1 << slot_bits cells: type + 1 (0 = no process), control state, priority,
 *            parameters and locals, contents of its channels; all zero where no process is
 *
 * A channel's contents: its length, then capacity x fields cells, unused ones zero; a rendezvous has none.
 *
 * Statements write through runtime_put, which logs the old value: undoing a step costs as much as it wrote, and the log tells
 * which fields of the packed state have to be made anew.  The part of the machine that statements see
 * is runtime.h. */
#ifndef PROCESS_MACHINE_H
#define PROCESS_MACHINE_H

#include "process/program.h"
#include "process/runtime.h"

enum { IMAGE_LAST, IMAGE_EVENT, IMAGE_HEADER };
enum { MACHINE_SLOTS = 255, MACHINE_CHANS = 255 };

/* Where things lie. Fixed for a program. */
struct shape {
  const struct program *program;
  uint32_t global, global_chan;
  uint32_t heap, heap_cells;
  uint32_t slots, slot_bits;
  /* Channels of scope s: chan[chan_first[s] .. chan_first[s + 1]), in the order of their creation. */
  uint32_t *chan_first;
  struct shape_chan {
    uint32_t chan; /* index in program.chans */
    uint32_t cell; /* its contents, relative to the scope's first cell */
  } *chan;
  /* Types of the variables of scope s: type[type_first[s] .. type_first[s + 1]), cell by cell; those that are pointers. */
  uint32_t *type_first, *type, *pointer_first, *pointer;
  /* Declarations of scope s that no transition writes: constant[constant_first[s] ..). */
  uint32_t *constant_first, *constant;
  int32_t *first_value; /* per scope, by type_first: value of each constant cell when its scope begins (channels: see chan) */
  uint32_t *frame; /* cells of a slot in use, per process type */
  struct runtime_chan *run_chan; /* program.chans as statements want them */
  struct runtime_cut *run_cut;   /* program.chan_fields likewise */
  uint32_t fields_max; /* longest message */
  uint32_t runs_max;   /* processes that one transition can make */
  /* The control states as the explorer wants them: state_first[type] + pc is the index of a state. */
  uint32_t *state_first;
  struct shape_state {
    uint32_t trans, end; /* its transitions */
    uint32_t last;       /* the last that is not an else: whoever takes this one, or a later one, has no other choice left */
    uint8_t flags;       /* of the program's state */
    uint8_t receives;    /* some transition from here receives: it may be the partner of a rendezvous */
    uint8_t simple;      /* no rendezvous begins here, nothing outside decides whether the process may move */
  } *state;
  struct shape_trans {
    uint32_t to;
    uint8_t flags, flow, receives;
    uint16_t escape, choice;
  } *trans;
  uint32_t cut_refs, cut_args; /* places at which a value can be cut: the program's lvalues and arguments, without those of later conditions */
  struct embedded *embedded; /* C inside the model (embedded.h); NULL = none */
};
int shape_open(struct shape *, const struct program *, struct mem *, struct err *);
void shape_close(struct shape *, struct mem *);
static inline uint32_t shape_slot(const struct shape *s, uint32_t slot) { return s->slots + (slot << s->slot_bits); }
/* First variable of a scope in slot `slot` (ignored for scope 0). */
static inline uint32_t shape_scope(const struct shape *s, uint32_t scope, uint32_t slot) {
  return scope ? shape_slot(s, slot) + SLOT_HEADER : s->global;
}

struct machine_fault {
  uint32_t kind, what;
};
struct machine_faults vec(struct machine_fault);

struct machine; /* its first member is a struct runtime */
/* Exchangeable: the interpreter, or generated code with a function for each transition. */
struct engine {
  runtime_step *run;     /* guard, communication, actions */
  runtime_step *accept;  /* receive of the offered message: guard, match, bind */
  runtime_step *effects; /* the actions alone; 0 = not possible */
  int (*provided)(struct runtime *, uint32_t slot, uint32_t type); /* a process type's provided expression */
  const struct runtime_code *code; /* NULL = the functions above for every transition */
};
static inline int engine_run(const struct engine *e, struct runtime *m, uint32_t slot, uint32_t trans) {
  return (e->code ? e->code->run[trans] : e->run)(m, slot, trans);
}
static inline int engine_accept(const struct engine *e, struct runtime *m, uint32_t slot, uint32_t trans) {
  m->offered = m->message_chan;
  int accepted = (e->code ? e->code->accept[trans] : e->accept)(m, slot, trans);
  m->offered = 0;
  return accepted;
}
static inline int engine_effects(const struct engine *e, struct runtime *m, uint32_t slot, uint32_t trans) {
  return (e->code ? e->code->effects[trans] : e->effects)(m, slot, trans);
}

struct machine {
  struct runtime run;
  struct mem *mem;
  const struct shape *shape;
  const struct program *program;
  struct engine engine;
  uint32_t slots; /* that the image has room for; behind them are shape.runs_max more, for questions only (explore_enabled) */
  uint32_t chan_cell[MACHINE_CHANS + 1];
  uint16_t chan_kind[MACHINE_CHANS + 1];
  uint32_t slot_chan[MACHINE_SLOTS + 1];
  struct machine_faults faults;            /* of the step under way */
  size_t attempt;                          /* those from here on are of the transition that is tried just now: each is told once */
  struct explore *explorer;                /* that runs it; NULL = none: enabled() is 0 then */
  int learning;                            /* processes are made for their constants alone: no C of the model sets anything */
  int asking;                              /* a question is being answered in the middle of a statement: the cells stay where they are */
  int restructured;                        /* a process was created or destroyed since the state was loaded */
  int failed;                              /* a request for memory was refused */
  int32_t *memory;                         /* the image as it was when machine_remember was called */
  uint32_t memory_room, remembered;        /* cells; how long the log was */
  void (*print)(void *context, uint32_t action, uint32_t slot, const int32_t *args); /* NULL = silence */
  void *print_context;
};

/* Places at which a value can be cut: the program's lvalues, then its arguments. */
static inline size_t machine_cuts(const struct shape *s) { return (size_t)s->cut_refs + s->cut_args; }

int machine_open(struct machine *, const struct shape *, struct mem *, uint32_t slots);
int machine_slots(struct machine *, uint32_t slots); /* room for more; keeps the contents */
void machine_close(struct machine *);
void machine_initial(struct machine *); /* the state in which the program starts; faults of initialisers stay in faults */
/* After the image was loaded from outside: counts processes, numbers channels. */
void machine_recount(struct machine *);
/* Back to when the log was that long. */
static inline void machine_undo(struct machine *m, uint32_t mark) {
  struct runtime *r = &m->run;
  while (r->logged > mark) {
    r->logged--;
    r->cell[r->log[r->logged].cell] = r->log[r->logged].old;
  }
}

/* From here on writes need not be logged until machine_compare, which forgets what was and logs what differs then; no process may come or go, and the log has room for all cells. -1: memory, and nothing was done. */
int machine_remember(struct machine *);
void machine_compare(struct machine *);

extern const struct engine engine_interpreter;

#endif
