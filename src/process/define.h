/* define.h -- what the files of the definition share: worlds, and what can be asked of one.
 *
 *   define.c             steps: what is tried, in which order, and what a step is
 *   define_transition.c  one transition, and the two of a rendezvous
 *   define_value.c       numbers, channels, expressions
 *   define_world.c       copies, processes come and go, what a world is
 *   define_heap.c        objects */
#ifndef PROCESS_DEFINE_H
#define PROCESS_DEFINE_H

#include "process/process_model.h"

enum attempt { DISABLED, DONE, OFFERED };

struct world {
  int64_t *cell;
  uint32_t slots;     /* that it has room for */
  uint32_t processes; /* alive */
};

struct half { /* a step under way */
  struct world world, past; /* past: the world when the chain's length was a power of two; cell NULL = none */
  uint32_t slot, flow;      /* who goes on, and how */
  uint32_t first;           /* group of its first transition */
  uint64_t chain;           /* how often an atomic sequence went on since there was a choice */
  int begins;               /* its first transition has just been taken */
  size_t fault;             /* what went wrong in it: see struct define_fault */
};
struct halves vec(struct half);

/* What went wrong in a step, the last thing first: lists that share their ends, as steps share their beginnings. */
struct define_fault {
  uint32_t claim; /* or MODEL_RUNTIME */
  size_t before;  /* the one before it, counting from 1; 0 = none */
};

struct definition {
  const struct program *p;
  const struct shape *s;
  struct mem *mem;
  int refused;    /* memory, or (gave_up) a step that is too long */
  int gave_up;
  uint64_t met;   /* choices inside the atomic sequences of the step under way */
  struct halves seen; /* those that came after many */
  int timeout;    /* what IR_TIMEOUT is now */
  int committed;  /* some process was in a committed state when the step began */
  int asking;     /* inside define_enabled */
  int64_t *message;
  int64_t message_chan;
  int64_t offered;          /* the channel whose rendezvous somebody is asked to join; else 0 */
  uint32_t message_fields;
  /* What goes wrong, where somebody wants to know. */
  const uint32_t *claim_of; /* of the program's actions; NULL = nobody does */
  struct vec(struct define_fault) faults;
  size_t fault;             /* the last one of the attempt under way, counting from 1; 0 = none */
  struct vec(uint32_t) loose; /* those of no step */
  int pruned, completed;    /* ways of the step under way that were left because they led back; those that came to an end */
};

struct channel {
  const struct ir_chan *kind;
  int64_t *contents; /* length, then the messages; of no meaning for a rendezvous */
};

static inline size_t cells_of(const struct definition *d, uint32_t slots) { return d->s->slots + ((size_t)slots << d->s->slot_bits); }
static inline int64_t *slot_cells(const struct definition *d, const struct world *w, uint32_t slot) {
  return w->cell + d->s->slots + ((size_t)slot << d->s->slot_bits);
}
static inline uint32_t type_of(const struct definition *d, const struct world *w, uint32_t slot) {
  return (uint32_t)slot_cells(d, w, slot)[SLOT_TYPE] - 1;
}

static inline int alive(const struct world *w, int64_t pid) { return pid >= 0 && pid < (int64_t)w->processes; }

static inline uint32_t channels_of(const struct definition *d, uint32_t scope) { return d->s->chan_first[scope + 1] - d->s->chan_first[scope]; }
static inline int64_t length_of(const struct channel *c) { return c->kind->capacity ? c->contents[0] : 0; }
static inline int64_t *message_at(const struct channel *c, int64_t i) { return c->contents + 1 + i * c->kind->fields; }

/* Something went wrong in what is tried just now. */
static inline void define_wrong(struct definition *d, uint32_t claim) {
  if (!d->claim_of || d->asking) return;
  if (vec_push(&d->faults, d->mem, MEM_OTHER, (struct define_fault){claim, d->fault})) d->refused = 1;
  else d->fault = d->faults.count;
}

/* define_world.c */
int define_copy(struct definition *, const struct world *from, struct world *to); /* 0 or -1 */
void define_drop(struct definition *, struct world *);
int define_make_room(struct definition *, struct world *, uint32_t slots);
const struct ir_state *define_state(const struct definition *, const struct world *, uint32_t slot);
void define_assign(struct definition *, struct world *, uint32_t slot, ir_ref, int64_t value);
int64_t define_create(struct definition *, struct world *, uint32_t type, const int64_t *args, uint32_t count);
void define_die(struct definition *, struct world *);
void define_first(struct definition *, struct world *); /* the world in which the program starts */
void define_forget_hidden(struct definition *, struct world *);
int define_world_fits(struct definition *, const struct world *); /* could it be one? */

/* define_value.c */
int64_t define_cut(int64_t value, unsigned bits, int is_signed);
int64_t define_cut_to(const struct ir_type *, int64_t value);
uint32_t define_channels_below(const struct definition *, const struct world *, uint32_t slot);
int64_t *define_cell(struct definition *, const struct world *, uint32_t slot, ir_ref);
int define_matches(struct definition *, const struct world *, uint32_t slot, const struct ir_comm *,
                   const int64_t *message, uint32_t fields);
int64_t define_find_message(struct definition *, const struct world *, uint32_t slot, const struct ir_comm *, const struct channel *);
int define_channel_for(struct definition *, const struct world *, uint32_t slot, const struct ir_comm *, struct channel *);
int64_t define_header(const struct definition *, const struct world *, int64_t pid, unsigned which);
int64_t define_value(struct definition *, const struct world *, uint32_t slot, ir_expr);

/* define_heap.c */
size_t define_heap_end(const struct definition *, const struct world *);
int64_t define_allocate(struct definition *, struct world *, uint32_t type);
void define_tidy_heap(struct definition *, struct world *);
int define_heap_fits(struct definition *, const struct world *);

/* define_transition.c */
enum attempt define_attempt(struct definition *, struct world *, uint32_t slot, const struct ir_trans *);
void define_arrive(struct definition *, struct world *, uint32_t slot, const struct ir_trans *);
int define_meet(struct definition *, struct world *, uint32_t sender, const struct ir_trans *sent, uint32_t receiver, const struct ir_trans *received);

/* define.c */
int define_enabled(struct definition *, const struct world *, int64_t pid);

#endif
