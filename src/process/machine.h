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
 * Statements write through machine_put, which logs the old value: undoing a step costs as much as it wrote, and the log tells
 * which fields of the packed state have to be made anew.  The part of the machine that generated code sees is the
 * MACHINE_FACE; its text goes into every generated file, so both sides always have the same idea of it. */
#ifndef PROCESS_MACHINE_H
#define PROCESS_MACHINE_H

#include "process/program.h"

enum { IMAGE_LAST, IMAGE_EVENT, IMAGE_HEADER };
enum { SLOT_TYPE, SLOT_PC, SLOT_PRIORITY, SLOT_HEADER };
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
  uint32_t fields_max; /* longest message */
};
int shape_open(struct shape *, const struct program *, struct mem *, struct err *);
void shape_close(struct shape *, struct mem *);
static inline uint32_t shape_slot(const struct shape *s, uint32_t slot) { return s->slots + (slot << s->slot_bits); }
/* First variable of a scope in slot `slot` (ignored for scope 0). */
static inline uint32_t shape_scope(const struct shape *s, uint32_t scope, uint32_t slot) {
  return scope ? shape_slot(s, slot) + SLOT_HEADER : s->global;
}

/* Answers of the engines. */
enum { RUN_DISABLED, RUN_DONE, RUN_OFFER };

/* clang-format off */
#define MACHINE_FACE \
  struct machine_write { uint32_t cell; int32_t old; }; \
  struct machine_face { \
    int32_t *cell; \
    struct machine_write *log; \
    uint32_t logged, log_room; \
    uint32_t processes; \
    uint32_t channels; \
    int32_t timeout; \
    uint32_t *chan_cell; \
    uint16_t *chan_kind; \
    uint32_t *slot_chan; \
    int32_t *message; \
    int32_t message_chan; \
    uint32_t message_fields; \
    uint8_t *cut; \
    void (*grow_log)(struct machine_face *); \
    void (*fault)(struct machine_face *, uint32_t kind, uint32_t what); \
    int (*create)(struct machine_face *, uint32_t type, const int32_t *args, uint32_t count); \
    void (*destroy)(struct machine_face *); \
    void (*print)(struct machine_face *, uint32_t action, uint32_t slot, const int32_t *args); \
    void (*event)(struct machine_face *, uint32_t comm, uint32_t slot, int32_t chan, const int32_t *fields, uint32_t count); \
    int32_t (*allocate)(struct machine_face *, uint32_t type); \
    int32_t (*enabled)(struct machine_face *, int32_t pid); \
    int32_t (*no_progress)(struct machine_face *); \
  };
/* clang-format on */
MACHINE_FACE

/* What can go wrong while a statement runs. `what` of a fault is an index of the table named here. */
enum fault_kind {
  FAULT_ASSERT,    /* program.actions: an assertion failed */
  FAULT_INDEX,     /* program.refs: an index is out of range */
  FAULT_DIVISION,  /* program.nodes: by zero */
  FAULT_CHANNEL,   /* program.comms: no such channel */
  FAULT_FIELDS,    /* program.comms: another number of fields than the channel has */
  FAULT_REMOTE,    /* program.refs: no such process */
  FAULT_POINTER,   /* program.refs: null */
  FAULT_DSTEP,     /* program.trans: the step after this one blocks inside a d_step */
  FAULT_ENDLESS,   /* program.trans: an atomic sequence or d_step that does not end */
  FAULT_EVENT,     /* program.comms: a trace assertion does not allow this send or receive */
  FAULT_NODE,      /* program.nodes: a channel operation on no channel, a test on a process that does not exist */
  FAULT_KINDS
};
struct machine_fault {
  uint32_t kind, what;
};

struct machine; /* the face is its first member */
/* Exchangeable: the interpreter, or generated code. */
struct engine {
  int (*run)(struct machine_face *, uint32_t slot, uint32_t trans);    /* guard, communication, actions */
  int (*accept)(struct machine_face *, uint32_t slot, uint32_t trans); /* receive of the offered message: guard, match, bind */
  int (*effects)(struct machine_face *, uint32_t slot, uint32_t trans); /* the actions alone; 0 = not possible */
  int (*provided)(struct machine_face *, uint32_t slot, uint32_t type); /* its provided expression */
};

struct machine {
  struct machine_face face;
  struct mem *mem;
  const struct shape *shape;
  const struct program *program;
  struct engine engine;
  uint32_t slots; /* that the image has room for */
  uint32_t chan_cell[MACHINE_CHANS + 1];
  uint16_t chan_kind[MACHINE_CHANS + 1];
  uint32_t slot_chan[MACHINE_SLOTS + 1];
  struct vec(struct machine_fault) faults; /* of the step under way */
  int restructured;                        /* a process was created or destroyed since the state was loaded */
  int failed;                              /* a request for memory was refused */
  void (*print)(void *context, uint32_t action, uint32_t slot, const int32_t *args); /* NULL = silence */
  void *print_context;
};

int machine_open(struct machine *, const struct shape *, struct mem *, uint32_t slots);
int machine_slots(struct machine *, uint32_t slots); /* room for more; keeps the contents */
void machine_close(struct machine *);
void machine_initial(struct machine *); /* the state in which the program starts; faults of initialisers stay in faults */
/* After the image was loaded from outside: counts processes, numbers channels. */
void machine_recount(struct machine *);
void machine_undo(struct machine *, uint32_t mark); /* back to when the log was that long */

static inline void machine_put(struct machine_face *m, uint32_t cell, int32_t value) {
  int32_t old = m->cell[cell];
  if (old == value) return;
  if (__builtin_expect(m->logged == m->log_room, 0)) m->grow_log(m);
  m->log[m->logged++] = (struct machine_write){cell, old};
  m->cell[cell] = value;
}

extern const char machine_face_text[]; /* MACHINE_FACE as C text */
extern const struct engine engine_interpreter;

#endif
