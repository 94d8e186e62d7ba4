/* runtime.h -- what statements do to the image: shared, word for word, by the interpreter and by generated code.
 *
 * This file is compiled into Thimble and its text stands at the top of every generated file (process/generate.c), so it
 * includes nothing of Thimble and both engines always have the same idea of the machine. */
#ifndef PROCESS_RUNTIME_H
#define PROCESS_RUNTIME_H

#include <stdint.h>

struct runtime_write { /* of the log */
  uint32_t cell;
  int32_t old;
};

struct runtime_cut { /* the width of a scalar */
  uint8_t bits, is_signed;
};

struct runtime_chan {
  uint32_t capacity, fields;
  uint32_t cut; /* widths of its fields: from here on in runtime.cuts */
};

struct runtime { /* the part of a machine that statements see */
  int32_t *cell;
  struct runtime_write *log;
  uint32_t logged, log_room;
  uint32_t processes, channels;
  int32_t timeout;
  uint32_t *chan_cell;   /* number of a channel -> where its contents lie */
  uint16_t *chan_kind;   /* ... -> its kind */
  uint32_t *slot_chan;   /* slot -> number of its first channel */
  const struct runtime_chan *chans;
  const struct runtime_cut *cuts;
  int32_t *message;      /* sent, or received just now */
  int32_t message_chan;
  uint32_t message_fields;
  int32_t offered; /* while somebody is asked whether he takes the message of a rendezvous: its
                      channel; else 0 */
  uint8_t *cut;          /* per lvalue: a value was cut to fit it */
  uint8_t *cut_arg;      /* per entry of program.args: what was sent, or given to a new process, was cut */
  uint32_t image_slots, slot_bits; /* where slot 0 begins, and the size of a slot */
  int printing, lossy;
  void (*grow_log)(struct runtime *);
  void (*fault)(struct runtime *, uint32_t kind, uint32_t what);
  int (*create)(struct runtime *, uint32_t type, const int32_t *args, uint32_t count, uint32_t arg); /* arg: the first in program.args */
  void (*destroy)(struct runtime *);
  void (*print)(struct runtime *, uint32_t action, uint32_t slot, const int32_t *args);
  void (*event)(struct runtime *, uint32_t comm, uint32_t slot, int32_t chan); /* NULL = nobody watches communication */
  int32_t (*allocate)(struct runtime *, uint32_t type);
  int32_t (*enabled)(struct runtime *, int32_t pid);
  int32_t (*no_progress)(struct runtime *);
  /* the interpreter, for what is rare */
  int32_t (*value)(struct runtime *, uint32_t slot, uint32_t expr);
  int (*run_slowly)(struct runtime *, uint32_t slot, uint32_t trans);
  int (*accept_slowly)(struct runtime *, uint32_t slot, uint32_t trans);
  int (*effects_slowly)(struct runtime *, uint32_t slot, uint32_t trans);
};

typedef int runtime_step(struct runtime *, uint32_t slot, uint32_t trans);
/* Goes on inside of a d_step from the process's control state, at most *steps transitions, and takes from *steps those that it went. Returns the transition by which it left the d_step, or
   RUNTIME_NONE: it stands where something is to be done that is not for it, or where nothing is enabled. Nothing is logged but what channels do. */
typedef uint32_t runtime_dstep(struct runtime *, uint32_t slot, uint32_t *steps);
#define RUNTIME_NONE 0xffffffffu
/* What generated code offers: one function per transition in each table, and one per process type that has long d_steps (else NULL). */
struct runtime_code {
  uint32_t version, transitions;
  runtime_step *const *run, *const *accept, *const *effects;
  runtime_dstep *const *dstep;
  int (*provided)(struct runtime *, uint32_t slot, uint32_t type);
};
enum { RUNTIME_VERSION = 3 };

enum { SLOT_TYPE, SLOT_PC, SLOT_PRIORITY, SLOT_HEADER };
enum { RUN_DISABLED, RUN_DONE, RUN_OFFER };
enum { LONG_DSTEP = 16 }; /* transitions */

/* What can go wrong while a statement runs. `what` of a fault is an index of the table named here. */
enum fault_kind {
  FAULT_ASSERT,   /* program.actions: an assertion failed */
  FAULT_INDEX,    /* program.refs: an index is out of range */
  FAULT_DIVISION, /* program.nodes: by zero */
  FAULT_CHANNEL,  /* program.comms: no such channel */
  FAULT_FIELDS,   /* program.comms: another number of fields than the channel has */
  FAULT_POLL,     /* program.comms: a question about a message of a rendezvous channel, which holds none */
  FAULT_REMOTE,   /* program.refs: the process is of another type */
  FAULT_POINTER,  /* program.refs: null */
  FAULT_DSTEP,    /* program.trans: the step after this one blocks inside a d_step */
  FAULT_ENDLESS,  /* program.trans: an atomic sequence or d_step that does not end */
  FAULT_EVENT,    /* program.comms: a trace assertion does not allow this send or receive */
  FAULT_NODE,     /* program.nodes: a question about a channel that is not there */
  FAULT_C,        /* program.c_parts: a precondition is false */
  FAULT_KINDS
};

/* What a cell holds can be brought back from now on. */
static inline void runtime_note(struct runtime *m, uint32_t cell) {
  if (__builtin_expect(m->logged == m->log_room, 0)) m->grow_log(m);
  struct runtime_write *w = &m->log[m->logged++];
  int32_t old = m->cell[cell];
  w->cell = cell;
  w->old = old;
}

static inline void runtime_put(struct runtime *m, uint32_t cell, int32_t value) {
  int32_t *at = &m->cell[cell];
  if (*at == value) return;
  runtime_note(m, cell);
  *at = value;
}

static inline int32_t runtime_cut(unsigned bits, int is_signed, int32_t value) {
  uint32_t kept;
  if (bits >= 32) return value;
  kept = (uint32_t)value & ((1u << bits) - 1);
  if (is_signed && kept >> (bits - 1)) kept |= ~0u << bits;
  return (int32_t)kept;
}

/* An assignment to the cell of an lvalue of that width. */
static inline void runtime_assign(struct runtime *m, uint32_t cell, uint32_t ref, unsigned bits, int is_signed, int32_t value) {
  int32_t kept = runtime_cut(bits, is_signed, value);
  if (kept != value) m->cut[ref] = 1;
  runtime_put(m, cell, kept);
}

/* The same without a log, where whoever called knows what the image was. */
static inline void runtime_set(struct runtime *m, uint32_t cell, int32_t value) { m->cell[cell] = value; }

static inline void runtime_set_cut(struct runtime *m, uint32_t cell, uint32_t ref, unsigned bits, int is_signed, int32_t value) {
  int32_t kept = runtime_cut(bits, is_signed, value);
  if (kept != value) m->cut[ref] = 1;
  m->cell[cell] = kept;
}

static inline uint32_t runtime_slot(const struct runtime *m, uint32_t slot) { return m->image_slots + (slot << m->slot_bits); }

static inline uint32_t runtime_index(struct runtime *m, int32_t at, uint32_t bound, uint32_t ref) {
  if ((uint32_t)at < bound) return (uint32_t)at;
  m->fault(m, FAULT_INDEX, ref);
  return 0;
}

static inline int32_t runtime_divide(struct runtime *m, int32_t a, int32_t b, uint32_t node) {
  if (b == 0) m->fault(m, FAULT_DIVISION, node);
  return b == 0 ? 0 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

static inline int32_t runtime_remainder(struct runtime *m, int32_t a, int32_t b, uint32_t node) {
  if (b == 0) m->fault(m, FAULT_DIVISION, node);
  return b == 0 || b == -1 ? 0 : a % b;
}

/* ---- channels: at `cell` lies the length, then the messages ---- */

static inline const struct runtime_chan *runtime_chan(const struct runtime *m, int32_t number) {
  return number > 0 && (uint32_t)number <= m->channels ? &m->chans[m->chan_kind[number]] : 0;
}

/* Questions about a channel: its length, and whether that is 0 or all it holds. One of rendezvous
   holds the message in passing, and nothing otherwise. */
enum runtime_question { ASK_LENGTH, ASK_EMPTY, ASK_NOT_EMPTY, ASK_FULL, ASK_NOT_FULL };

static inline int32_t runtime_ask(struct runtime *m, int32_t number, int question, uint32_t node) {
  const struct runtime_chan *c = runtime_chan(m, number);
  if (!c) {
    m->fault(m, FAULT_NODE, node);
    return 0;
  }
  uint32_t length = c->capacity ? (uint32_t)m->cell[m->chan_cell[number]] : number == m->offered;
  uint32_t room = c->capacity ? c->capacity : 1;
  switch (question) {
  case ASK_LENGTH: return (int32_t)length;
  case ASK_EMPTY: return length == 0;
  case ASK_NOT_EMPTY: return length != 0;
  case ASK_FULL: return length == room;
  default: return length != room;
  }
}

/* The lowest process of a type; -1 = there is none. */
static inline int32_t runtime_first(const struct runtime *m, uint32_t type) {
  for (uint32_t pid = 0; pid < m->processes; pid++)
    if (m->cell[runtime_slot(m, pid) + SLOT_TYPE] == (int32_t)type + 1) return (int32_t)pid;
  return -1;
}

/* Is process `pid` of that type, and in that control state? */
static inline int32_t runtime_at(const struct runtime *m, int32_t pid, uint32_t type, uint32_t state) {
  if (pid < 0 || (uint32_t)pid >= m->processes) return 0;
  const int32_t *slot = &m->cell[runtime_slot(m, (uint32_t)pid)];
  return slot[SLOT_TYPE] == (int32_t)type + 1 && slot[SLOT_PC] == (int32_t)state;
}

/* The channel of a communication; 0 and a fault where there is none. */
static inline const struct runtime_chan *runtime_comm(struct runtime *m, int32_t number,
                                                      uint32_t comm) {
  const struct runtime_chan *c = runtime_chan(m, number);
  if (!c) m->fault(m, FAULT_CHANNEL, comm);
  return c;
}

/* The same for a question, which may ask for fewer fields than a message has, and not for more. */
static inline const struct runtime_chan *runtime_poll(struct runtime *m, int32_t number,
                                                      uint32_t fields, uint32_t comm) {
  const struct runtime_chan *c = runtime_comm(m, number, comm);
  if (!c || c->fields >= fields) return c;
  m->fault(m, FAULT_FIELDS, comm);
  return 0;
}

/* Who sends or receives another number of fields than the channel has makes a fault, and goes on:
   what is missing is 0, what is too much is lost. */
static inline void runtime_even(struct runtime *m, uint32_t given, uint32_t fields, uint32_t comm) {
  if (given != fields) m->fault(m, FAULT_FIELDS, comm);
}

static inline void runtime_fill(struct runtime *m, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) m->message[i] = 0;
}

static inline uint32_t runtime_length(const struct runtime *m, uint32_t cell, const struct runtime_chan *c) {
  return c->capacity ? (uint32_t)m->cell[cell] : 0;
}

static inline int runtime_blocks(const struct runtime *m, uint32_t cell, const struct runtime_chan *c) {
  return c->capacity && !m->lossy && runtime_length(m, cell, c) == c->capacity;
}

/* The message as the channel's fields take it; `arg`: the first value in program.args. */
static inline void runtime_cut_message(struct runtime *m, const struct runtime_chan *c, const struct runtime_cut *cuts, uint32_t arg) {
  for (uint32_t i = 0; i < c->fields; i++) {
    int32_t kept = runtime_cut(cuts[c->cut + i].bits, cuts[c->cut + i].is_signed, m->message[i]);
    if (kept != m->message[i]) m->cut_arg[arg + i] = 1;
    m->message[i] = kept;
  }
}

/* Where a sorted send puts its message: before the first one that is greater. */
static inline uint32_t runtime_sorted(const struct runtime *m, uint32_t cell, const struct runtime_chan *c, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) {
    const int32_t *there = &m->cell[cell + 1 + i * c->fields];
    uint32_t k = 0;
    while (k < c->fields && there[k] == m->message[k]) k++;
    if (k < c->fields && there[k] > m->message[k]) return i;
  }
  return length;
}

/* The message goes into the channel, cut to its fields (a sorted one finds its place before that, as in SPIN); a full one that
   may lose messages loses it. */
static inline void runtime_send(struct runtime *m, uint32_t cell, const struct runtime_chan *c, const struct runtime_cut *cuts, int sorted, uint32_t arg) {
  uint32_t length = runtime_length(m, cell, c), base = cell + 1, fields = c->fields;
  uint32_t at = sorted ? runtime_sorted(m, cell, c, length) : length;
  runtime_cut_message(m, c, cuts, arg);
  if (length == c->capacity) return;
  for (uint32_t i = length * fields; i-- > at * fields;) runtime_put(m, base + fields + i, m->cell[base + i]);
  for (uint32_t i = 0; i < fields; i++) runtime_put(m, base + at * fields + i, m->message[i]);
  runtime_put(m, cell, (int32_t)length + 1);
}

/* Message `at` leaves the channel. */
static inline void runtime_remove(struct runtime *m, uint32_t cell, const struct runtime_chan *c, uint32_t at) {
  uint32_t base = cell + 1, fields = c->fields, length = runtime_length(m, cell, c), end = (length - 1) * fields;
  for (uint32_t i = at * fields; i < end; i++) runtime_put(m, base + i, m->cell[base + i + fields]);
  for (uint32_t i = 0; i < fields; i++) runtime_put(m, base + end + i, 0);
  runtime_put(m, cell, (int32_t)length - 1);
}

/* Message `at` is kept where it does not change while variables are bound to it. */
static inline void runtime_take(struct runtime *m, uint32_t cell, const struct runtime_chan *c, uint32_t at) {
  for (uint32_t i = 0; i < c->fields; i++) m->message[i] = m->cell[cell + 1 + at * c->fields + i];
}

#endif
