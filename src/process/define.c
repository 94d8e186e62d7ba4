/* define.c -- what a program means, written down once more: slowly, plainly, and for no other purpose than to be compared.
 *
 * The engine (explore.c, interpreter.c, runtime.h, packing.c) runs on one image with a log, undoes, packs, and may run generated
 * code.  Nothing of that is used here.  A world is a row of plain numbers, one per variable of the model: the cells of the image
 * as machine.h describes it.  A world is copied for every attempt, and a failed attempt is thrown away.
 *
 *   alternatives   everything that one process can do in a world, in order: a list of worlds one transition later (two, where
 *                  a rendezvous takes place), each with the process that has to go on, if any
 *   define_edge    a stack of such half-finished steps.  The topmost is taken: a d_step is run to its end; an atomic sequence
 *                  is replaced by its alternatives; what is finished is the next successor.  Since alternatives are pushed in
 *                  reverse, successors come in the order of program.h.
 *
 * No recursion depends on how long a step is.  Expressions are trees whose depth the parser bounds.
 *
 * An atomic sequence that never ends ends nevertheless.  As long as there is nothing to choose: where its length is no power of two, at
 * least ENDLESS, and the world is what it was at the last power of two (the engine tells a fault there).  With choices: once a step
 * has met MANY of them, a choice that is met again is not entered again.
 *
 * A state may have more processes than the caller's array has room for: then what fits is written. */
#include "process/process_model.h"

#include <string.h>

enum { ENDLESS = 256, MANY = 10000, REMEMBERED = 20000, DSTEP_LONGEST = 10000000, HALF_STEPS = 20000000 };
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
};
struct halves vec(struct half);

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
  int asking;     /* inside enabled() */
  int64_t *message;
  int64_t message_chan;
  uint32_t message_fields;
};

/* ---- worlds -------------------------------------------------------------------------------------------------------- */

static size_t cells_of(const struct definition *d, uint32_t slots) { return d->s->slots + ((size_t)slots << d->s->slot_bits); }

static int copy_world(struct definition *d, const struct world *from, struct world *to) {
  size_t bytes = cells_of(d, from->slots) * sizeof *to->cell;
  *to = *from;
  to->cell = mem_alloc(d->mem, MEM_OTHER, bytes);
  if (!to->cell) {
    d->refused = 1;
    return -1;
  }
  memcpy(to->cell, from->cell, bytes);
  return 0;
}

static void drop_world(struct definition *d, struct world *w) {
  mem_free(d->mem, w->cell);
  w->cell = NULL;
}

static int64_t *slot_cells(const struct definition *d, const struct world *w, uint32_t slot) {
  return w->cell + d->s->slots + ((size_t)slot << d->s->slot_bits);
}

static uint32_t type_of(const struct definition *d, const struct world *w, uint32_t slot) {
  return (uint32_t)slot_cells(d, w, slot)[SLOT_TYPE] - 1;
}

static const struct ir_state *state_of(const struct definition *d, const struct world *w, uint32_t slot) {
  return &d->p->states.at[d->p->procs.at[type_of(d, w, slot)].state + (uint32_t)slot_cells(d, w, slot)[SLOT_PC]];
}

static int alive(const struct world *w, int64_t pid) { return pid >= 0 && pid < (int64_t)w->processes; }

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

/* What is left of a number in so many bits. */
static int64_t cut(int64_t value, unsigned bits, int is_signed) {
  int64_t size = (int64_t)1 << bits, rest = value % size;
  if (rest < 0) rest += size;
  return is_signed && rest >= size / 2 ? rest - size : rest;
}

static int64_t wrap(int64_t value) { return cut(value, 32, 1); }
static int64_t cut_to(const struct ir_type *t, int64_t value) { return t->bits >= 32 ? wrap(value) : cut(value, t->bits, t->is_signed); }

static int64_t power_of_two(int64_t exponent) { return (int64_t)1 << exponent; }

static int64_t arithmetic(unsigned op, int64_t a, int64_t b) {
  switch (op) {
  case IR_ADD: return wrap(a + b);
  case IR_SUB: return wrap(a - b);
  case IR_MUL: return wrap(a * b);
  case IR_DIV: return b ? wrap(a / b) : 0;
  case IR_MOD: return b ? wrap(a % b) : 0;
  case IR_BAND: return a & b;
  case IR_BOR: return a | b;
  case IR_BXOR: return a ^ b;
  case IR_SHL: return wrap(cut(a, 32, 0) * power_of_two(cut(b, 5, 0)));
  case IR_SHR: return (a - cut(a, (unsigned)cut(b, 5, 0), 0)) / power_of_two(cut(b, 5, 0));
  case IR_LT: return a < b;
  case IR_LE: return a <= b;
  case IR_GT: return a > b;
  case IR_GE: return a >= b;
  case IR_EQ: return a == b;
  case IR_NE: return a != b;
  default: return 0;
  }
}

/* ---- channels ------------------------------------------------------------------------------------------------------ */

struct channel {
  const struct ir_chan *kind;
  int64_t *contents; /* length, then the messages; of no meaning for a rendezvous */
};

static uint32_t channels_of(const struct definition *d, uint32_t scope) { return d->s->chan_first[scope + 1] - d->s->chan_first[scope]; }

/* How many channels there are below a slot, those of the globals included. */
static uint32_t channels_below(const struct definition *d, const struct world *w, uint32_t slot) {
  uint32_t count = channels_of(d, 0);
  for (uint32_t i = 0; i < slot; i++) count += channels_of(d, type_of(d, w, i) + 1);
  return count;
}

/* Channel `number`: those of the globals come first, then those of slot 0, slot 1, ... 0 if there is none. */
static int find_channel(const struct definition *d, const struct world *w, int64_t number, struct channel *out) {
  int64_t left = number - 1;
  uint32_t scope = 0, slot = 0;
  int64_t *base = w->cell + d->s->global;
  if (left < 0) return 0;
  while (left >= channels_of(d, scope)) {
    left -= channels_of(d, scope);
    if (slot == w->processes) return 0;
    scope = type_of(d, w, slot) + 1;
    base = slot_cells(d, w, slot++) + SLOT_HEADER;
  }
  const struct shape_chan *c = &d->s->chan[d->s->chan_first[scope] + left];
  *out = (struct channel){&d->p->chans.at[c->chan], base + c->cell};
  return 1;
}

static int64_t length_of(const struct channel *c) { return c->kind->capacity ? c->contents[0] : 0; }
static int64_t *message_at(const struct channel *c, int64_t i) { return c->contents + 1 + i * c->kind->fields; }

/* ---- expressions --------------------------------------------------------------------------------------------------- */

static int64_t value(struct definition *d, const struct world *w, uint32_t slot, ir_expr e);
static int enabled(struct definition *d, const struct world *w, int64_t pid);

/* The cell of an lvalue; NULL where there is none. */
static int64_t *cell_of(struct definition *d, const struct world *w, uint32_t slot, ir_ref ref) {
  const struct ir_lvalue *r = &d->p->refs.at[ref];
  int64_t *base = NULL, pid, pointer;
  size_t offset = r->base;
  switch (r->where) {
  case IR_GLOBAL: base = w->cell + d->s->global; break;
  case IR_LOCAL: base = slot_cells(d, w, slot) + SLOT_HEADER; break;
  case IR_REMOTE:
    pid = value(d, w, slot, r->slot);
    if (!alive(w, pid) || type_of(d, w, (uint32_t)pid) != r->proc) return NULL;
    base = slot_cells(d, w, (uint32_t)pid) + SLOT_HEADER;
    break;
  case IR_HEAP:
    pointer = value(d, w, slot, r->slot);
    if (pointer <= 0 || pointer >= (int64_t)d->s->heap_cells) return NULL;
    base = w->cell + d->s->heap + pointer;
    break;
  }
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &d->p->indices.at[r->index + i];
    int64_t at = value(d, w, slot, x->expr);
    if (at > 0 && at < (int64_t)x->bound) offset += (size_t)at * x->stride; /* out of range: the first element */
  }
  return base + offset;
}

/* Would this receive take that message? */
static int matches(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm, const int64_t *message) {
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &d->p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_MATCH && value(d, w, slot, a->what) != message[i]) return 0;
  }
  return 1;
}

/* Which message of the channel a receive would take; -1 = none. */
static int64_t find_message(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm,
                            const struct channel *c) {
  int64_t tried = comm->flags & IR_RANDOM ? length_of(c) : 1;
  for (int64_t i = 0; i < tried && i < length_of(c); i++)
    if (matches(d, w, slot, comm, message_at(c, i))) return i;
  return -1;
}

/* The channel that a communication speaks of, if there is one and it has as many fields; a receive may name fewer. */
static int channel_for(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm, struct channel *c) {
  return find_channel(d, w, value(d, w, slot, comm->chan), c) && (comm->flags & IR_SEND ? c->kind->fields == comm->args : c->kind->fields >= comm->args);
}

static int64_t ask_channel(struct definition *d, const struct world *w, unsigned op, int64_t number) {
  struct channel c;
  if (!find_channel(d, w, number, &c)) return 0;
  int64_t length = length_of(&c), capacity = c.kind->capacity;
  return op == IR_LEN      ? length
         : op == IR_EMPTY  ? length == 0
         : op == IR_NEMPTY ? length != 0
         : op == IR_FULL   ? length == capacity
                           : length != capacity;
}

static int64_t poll(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  return channel_for(d, w, slot, comm, &c) && c.kind->capacity && find_message(d, w, slot, comm, &c) >= 0;
}

/* A cell of the header of another process; 0 if it is not alive. */
static int64_t header_of(const struct definition *d, const struct world *w, int64_t pid, unsigned which) {
  return alive(w, pid) ? slot_cells(d, w, (uint32_t)pid)[which] : 0;
}

/* The lowest process of a type; -1 = there is none. */
static int64_t first_of(const struct definition *d, const struct world *w, uint32_t type) {
  uint32_t pid = 0;
  while (pid < w->processes && type_of(d, w, pid) != type) pid++;
  return pid < w->processes ? (int64_t)pid : -1;
}

static int64_t value(struct definition *d, const struct world *w, uint32_t slot, ir_expr e) {
  const struct ir_node *n = &d->p->nodes.at[e];
  const int64_t *cell;
  int64_t pid;
  switch (n->op) {
  case IR_VALUE: return n->value;
  case IR_LOAD: cell = cell_of(d, w, slot, n->a); return cell ? *cell : 0;
  case IR_NEG: return wrap(-value(d, w, slot, n->a));
  case IR_NOT: return value(d, w, slot, n->a) == 0;
  case IR_INVERT: return -1 - value(d, w, slot, n->a);
  case IR_AND: return value(d, w, slot, n->a) ? value(d, w, slot, n->b) != 0 : 0;
  case IR_OR: return value(d, w, slot, n->a) ? 1 : value(d, w, slot, n->b) != 0;
  case IR_IMPLIES: return value(d, w, slot, n->a) ? value(d, w, slot, n->b) != 0 : 1;
  case IR_COND: return value(d, w, slot, n->a) ? value(d, w, slot, n->b) : value(d, w, slot, n->c);
  case IR_LEN:
  case IR_EMPTY:
  case IR_NEMPTY:
  case IR_FULL:
  case IR_NFULL: return ask_channel(d, w, n->op, value(d, w, slot, n->a));
  case IR_POLL: return poll(d, w, slot, &d->p->comms.at[n->a - 1]);
  case IR_AT:
    pid = value(d, w, slot, n->a);
    return alive(w, pid) && type_of(d, w, (uint32_t)pid) == n->b && header_of(d, w, pid, SLOT_PC) == d->p->labels.at[n->c].state;
  case IR_FIRST: return first_of(d, w, n->b);
  case IR_ENABLED: return enabled(d, w, value(d, w, slot, n->a));
  case IR_PC_VALUE: return header_of(d, w, value(d, w, slot, n->a), SLOT_PC);
  case IR_PRIORITY: return header_of(d, w, value(d, w, slot, n->a), SLOT_PRIORITY);
  case IR_TIMEOUT: return d->timeout;
  case IR_PID_OWN: return slot;
  case IR_NR_PR: return w->processes;
  case IR_LAST: return w->cell[IMAGE_LAST];
  case IR_OWN_CHAN: return (int64_t)channels_below(d, w, slot) + 1 + n->value;
  case IR_NP:
    for (uint32_t other = 0; other < w->processes; other++)
      if (state_of(d, w, other)->flags & IR_PROGRESS) return 0;
    return 1;
  case IR_NONE:
  case IR_NULL_POINTER:
  case IR_C_EXPR: return 0;
  default: return arithmetic(n->op, value(d, w, slot, n->a), value(d, w, slot, n->b));
  }
}

/* ---- processes come and go ------------------------------------------------------------------------------------------- */

static void assign(struct definition *d, struct world *w, uint32_t slot, ir_ref ref, int64_t v) {
  int64_t *cell = cell_of(d, w, slot, ref);
  if (cell) *cell = cut_to(&d->p->types.at[d->p->refs.at[ref].type], v);
}

static void initialise(struct definition *d, struct world *w, uint32_t scope, uint32_t slot) {
  const struct program *p = d->p;
  int64_t *base = scope ? slot_cells(d, w, slot) + SLOT_HEADER : w->cell + d->s->global;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *x = &p->decls.at[i];
    if (x->scope != scope) continue;
    for (uint32_t k = 0; k < x->cells; k++) {
      if (x->chan) base[x->base + k] = (scope ? channels_below(d, w, slot) : 0) + 1 + x->first_chan + k;
      else if (x->init) base[x->base + k] = cut_to(&p->types.at[x->type], value(d, w, slot, x->init));
    }
  }
  for (uint32_t i = 0; i < p->inits.count; i++)
    if (p->inits.at[i].scope == scope) assign(d, w, slot, p->inits.at[i].ref, value(d, w, slot, p->inits.at[i].expr));
}

static int make_room(struct definition *d, struct world *w, uint32_t slots) {
  if (slots <= w->slots) return 0;
  int64_t *cell = mem_resize(d->mem, MEM_OTHER, w->cell, cells_of(d, slots) * sizeof *cell);
  if (!cell) {
    d->refused = 1;
    return -1;
  }
  w->cell = cell;
  w->slots = slots;
  return 0;
}

/* A process of a type begins to live in the next slot. Its pid; -1: there are too many processes or channels. */
static int64_t create(struct definition *d, struct world *w, uint32_t type, const int64_t *args, uint32_t count) {
  const struct ir_proc *proc = &d->p->procs.at[type];
  uint32_t slot = w->processes;
  if (slot >= MACHINE_SLOTS || channels_below(d, w, slot) + channels_of(d, type + 1) > MACHINE_CHANS) return -1;
  if (make_room(d, w, slot + 1)) return -1;
  int64_t *cell = slot_cells(d, w, slot);
  w->processes++;
  cell[SLOT_TYPE] = (int64_t)type + 1;
  cell[SLOT_PC] = proc->start;
  cell[SLOT_PRIORITY] = !d->p->uses_priority ? 0 : proc->priority ? proc->priority : 1;
  for (uint32_t i = 0; i < count && i < proc->params; i++)
    cell[SLOT_HEADER + i] = cut_to(&d->p->types.at[d->s->type[d->s->type_first[type + 1] + i]], args[i]);
  initialise(d, w, type + 1, slot);
  return slot;
}

/* The youngest process dies: its slot is empty again. */
static void die(struct definition *d, struct world *w) {
  w->processes--;
  memset(slot_cells(d, w, w->processes), 0, sizeof *w->cell << d->s->slot_bits);
}

/* ---- objects -------------------------------------------------------------------------------------------------------- */

/* An object of a type behind all others. The pointer to it; 0: no room. */
static int64_t allocate(struct definition *d, struct world *w, uint32_t type) {
  int64_t *heap = w->cell + d->s->heap;
  size_t at = 0, cells = d->p->types.at[type].cells;
  while (at < d->s->heap_cells && heap[at]) at += 1 + d->p->types.at[heap[at] - 1].cells;
  if (at + 1 + cells > d->s->heap_cells) return 0;
  heap[at] = (int64_t)type + 1;
  memset(heap + at + 1, 0, cells * sizeof *heap);
  return (int64_t)at + 1;
}

struct order vec(int64_t); /* pointers to objects in the order in which they are reached */

/* Adds the object, unless it is there. */
static void reach(struct definition *d, struct order *order, int64_t pointer) {
  if (pointer <= 0) return;
  for (size_t i = 0; i < order->count; i++)
    if (order->at[i] == pointer) return;
  if (vec_push(order, d->mem, MEM_OTHER, pointer)) d->refused = 1;
}

/* Where the object lies when all lie in order without gaps. */
static int64_t moved_to(const struct definition *d, const int64_t *heap, const struct order *order, int64_t pointer) {
  int64_t at = 1;
  for (size_t i = 0; i < order->count && order->at[i] != pointer; i++) at += 1 + (int64_t)d->p->types.at[heap[order->at[i] - 1] - 1].cells;
  return pointer > 0 ? at : 0;
}

static int is_pointer(const struct definition *d, uint32_t type) { return d->p->types.at[type].kind == IR_POINTER; }

/* A cell of this type: if it is a pointer, reaches what it points to, or (renaming) lets it point to where that is now. */
static void visit_cell(struct definition *d, int64_t *cell, uint32_t type, const int64_t *old, struct order *order, int renaming) {
  if (!is_pointer(d, type)) return;
  if (renaming) *cell = moved_to(d, old, order, *cell);
  else reach(d, order, *cell);
}

/* The variables of a scope, then the messages in its channels, field by field. */
static void visit_scope(struct definition *d, int64_t *base, uint32_t scope, const int64_t *old, struct order *order, int renaming) {
  const uint32_t *type = d->s->type + d->s->type_first[scope];
  for (uint32_t i = 0; i < d->s->type_first[scope + 1] - d->s->type_first[scope]; i++) visit_cell(d, base + i, type[i], old, order, renaming);
  for (uint32_t i = d->s->chan_first[scope]; i < d->s->chan_first[scope + 1]; i++) {
    struct channel c = {&d->p->chans.at[d->s->chan[i].chan], base + d->s->chan[i].cell};
    for (uint32_t f = 0; f < c.kind->fields; f++)
      for (int64_t m = 0; m < length_of(&c); m++)
        visit_cell(d, message_at(&c, m) + f, d->p->chan_fields.at[c.kind->field + f], old, order, renaming);
  }
}

static void visit_scopes(struct definition *d, struct world *w, const int64_t *old, struct order *order, int renaming) {
  visit_scope(d, w->cell + d->s->global, 0, old, order, renaming);
  for (uint32_t slot = 0; slot < w->processes; slot++)
    visit_scope(d, slot_cells(d, w, slot) + SLOT_HEADER, type_of(d, w, slot) + 1, old, order, renaming);
}

/* Objects that nothing points to vanish, the others lie in the order in which they are reached (heap.h). */
static void tidy_heap(struct definition *d, struct world *w) {
  int64_t *heap = w->cell + d->s->heap;
  size_t cells = d->s->heap_cells, at = 0;
  struct order order = {0};
  int64_t *old = cells ? mem_alloc(d->mem, MEM_OTHER, cells * sizeof *old) : NULL;
  if (!old) {
    d->refused |= cells != 0;
    return;
  }
  memcpy(old, heap, cells * sizeof *old);
  visit_scopes(d, w, old, &order, 0);
  for (size_t i = 0; i < order.count; i++) {
    const int64_t *object = old + order.at[i] - 1;
    for (uint32_t c = 0; c < d->p->types.at[object[0] - 1].cells; c++)
      if (is_pointer(d, program_type_in(d->p, (uint32_t)object[0] - 1, 0, c))) reach(d, &order, object[1 + c]);
  }
  visit_scopes(d, w, old, &order, 1);
  memset(heap, 0, cells * sizeof *heap);
  for (size_t i = 0; i < order.count; i++) {
    const int64_t *object = old + order.at[i] - 1;
    uint32_t size = d->p->types.at[object[0] - 1].cells;
    heap[at++] = object[0];
    for (uint32_t c = 0; c < size; c++)
      heap[at++] = is_pointer(d, program_type_in(d->p, (uint32_t)object[0] - 1, 0, c)) ? moved_to(d, old, &order, object[1 + c]) : object[1 + c];
  }
  vec_free(&order, d->mem);
  mem_free(d->mem, old);
}

/* ---- one transition ----------------------------------------------------------------------------------------------------- */

enum { MOST_ARGS = 256 };

static int act(struct definition *d, struct world *w, uint32_t slot, const struct ir_action *a) {
  int64_t args[MOST_ARGS], pid;
  switch (a->kind) {
  case IR_ASSIGN: assign(d, w, slot, a->ref, value(d, w, slot, a->expr)); return 1;
  case IR_RUN:
    if (a->args > MOST_ARGS) return 0;
    for (uint32_t i = 0; i < a->args; i++) args[i] = value(d, w, slot, d->p->args.at[a->arg + i].what);
    pid = create(d, w, a->proc, args, a->args);
    if (pid < 0) return 0;
    if (a->value && d->p->uses_priority) slot_cells(d, w, (uint32_t)pid)[SLOT_PRIORITY] = a->value & 255;
    if (a->ref) assign(d, w, slot, a->ref, pid);
    return 1;
  case IR_NEW:
    pid = allocate(d, w, d->p->types.at[d->p->refs.at[a->ref].type].names);
    if (!pid) return 0;
    assign(d, w, slot, a->ref, pid);
    return 1;
  case IR_RESET: assign(d, w, slot, a->ref, 0); return 1;
  case IR_SET_PRIORITY:
    pid = value(d, w, slot, a->expr);
    if (alive(w, pid)) slot_cells(d, w, (uint32_t)pid)[SLOT_PRIORITY] = cut(value(d, w, slot, d->p->args.at[a->arg].what), 8, 0);
    return 1;
  case IR_ASSERT: /* goes on, true or not */
  case IR_PRINT:
  case IR_C_CODE: return 1;
  }
  return 1;
}

static int act_all(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++)
    if (!act(d, w, slot, &d->p->actions.at[t->action + i])) return 0;
  return 1;
}

static void bind(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &d->p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_BIND) assign(d, w, slot, a->what, d->message[i]);
  }
}

/* -1, 0, 1: field by field. */
static int compare(const int64_t *a, const int64_t *b, uint32_t fields) {
  for (uint32_t i = 0; i < fields; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* The automaton of a trace assertion sees a communication: it moves if the event is one of its own and fits here. */
static void watch(struct definition *d, struct world *w, const struct ir_comm *seen) {
  if (!d->p->has_trace) return;
  const struct ir_proc *automaton = &d->p->procs.at[d->p->trace_proc];
  const struct ir_state *s = &d->p->states.at[automaton->state + (uint32_t)w->cell[IMAGE_EVENT]];
  for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    if (!t->comm) continue;
    const struct ir_comm *wanted = &d->p->comms.at[t->comm - 1];
    if ((wanted->flags ^ seen->flags) & (IR_SEND | IR_RECEIVE) || value(d, w, 0, wanted->chan) != d->message_chan) continue;
    int fits = 1;
    for (uint32_t k = 0; k < wanted->args && k < d->message_fields; k++) {
      const struct ir_arg *a = &d->p->args.at[wanted->arg + k];
      if (a->kind == IR_ARG_MATCH || a->kind == IR_ARG_VALUE) fits &= value(d, w, 0, a->what) == d->message[k];
    }
    if (!fits) continue;
    w->cell[IMAGE_EVENT] = t->to;
    return;
  }
}

static enum attempt send(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  if (!channel_for(d, w, slot, comm, &c)) return DISABLED;
  uint32_t fields = c.kind->fields;
  int64_t length = length_of(&c), capacity = c.kind->capacity, at = length;
  if (capacity && length == capacity && !d->p->lossy_channels) return DISABLED;
  for (uint32_t i = 0; i < fields; i++) d->message[i] = value(d, w, slot, d->p->args.at[comm->arg + i].what);
  if (comm->flags & IR_SORTED && capacity) /* its place is found with the values as they are */
    for (at = 0; at < length && compare(message_at(&c, at), d->message, fields) <= 0;) at++;
  for (uint32_t i = 0; i < fields; i++) d->message[i] = cut_to(&d->p->types.at[d->p->chan_fields.at[c.kind->field + i]], d->message[i]);
  d->message_chan = value(d, w, slot, comm->chan);
  d->message_fields = fields;
  if (!capacity) return OFFERED;
  watch(d, w, comm);
  if (length == capacity) return DONE; /* lost */
  memmove(message_at(&c, at + 1), message_at(&c, at), (size_t)(length - at) * fields * sizeof *d->message);
  memcpy(message_at(&c, at), d->message, fields * sizeof *d->message);
  c.contents[0]++;
  return DONE;
}

static enum attempt receive(struct definition *d, struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  if (!channel_for(d, w, slot, comm, &c) || !c.kind->capacity) return DISABLED;
  int64_t at = find_message(d, w, slot, comm, &c), last = length_of(&c) - 1;
  size_t bytes = c.kind->fields * sizeof *d->message;
  if (at < 0) return DISABLED;
  memcpy(d->message, message_at(&c, at), bytes);
  d->message_chan = value(d, w, slot, comm->chan);
  d->message_fields = c.kind->fields;
  bind(d, w, slot, comm);
  watch(d, w, comm);
  if (comm->flags & IR_PEEK) return DONE;
  memmove(message_at(&c, at), message_at(&c, at + 1), (size_t)(last - at) * bytes);
  memset(message_at(&c, last), 0, bytes);
  c.contents[0]--;
  return DONE;
}

/* Guard, communication, actions; the process does not move yet. If it is DISABLED, the world is spoilt. */
static enum attempt attempt(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->guard && !value(d, w, slot, t->guard)) return DISABLED;
  if (t->comm) {
    const struct ir_comm *comm = &d->p->comms.at[t->comm - 1];
    enum attempt said = comm->flags & IR_SEND ? send(d, w, slot, comm) : receive(d, w, slot, comm);
    if (said != DONE) return said;
  }
  return act_all(d, w, slot, t) ? DONE : DISABLED;
}

/* Takes part in the rendezvous on offer: guard, channel and patterns fit, variables are bound. */
static int accept(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (!t->comm) return 0;
  const struct ir_comm *comm = &d->p->comms.at[t->comm - 1];
  if (!(comm->flags & IR_RECEIVE) || (t->guard && !value(d, w, slot, t->guard))) return 0;
  if (value(d, w, slot, comm->chan) != d->message_chan || comm->args > d->message_fields) return 0;
  if (!matches(d, w, slot, comm, d->message)) return 0;
  bind(d, w, slot, comm);
  return 1;
}

static void arrive(struct definition *d, struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->flags & IR_END) die(d, w);
  else slot_cells(d, w, slot)[SLOT_PC] = t->to;
  if (d->p->uses_last && t->flow != IR_DSTEP) w->cell[IMAGE_LAST] = slot; /* a d_step counts when it is over */
}

/* Both sides of a rendezvous act and arrive. */
static int meet(struct definition *d, struct world *w, uint32_t sender, const struct ir_trans *sent, uint32_t receiver,
                const struct ir_trans *received) {
  if (!accept(d, w, receiver, received)) return 0;
  watch(d, w, &d->p->comms.at[sent->comm - 1]);
  watch(d, w, &d->p->comms.at[received->comm - 1]);
  if (d->p->receiver_first) {
    if (!act_all(d, w, receiver, received)) return 0;
    arrive(d, w, receiver, received);
    if (!act_all(d, w, sender, sent)) return 0;
    arrive(d, w, sender, sent);
    return 1;
  }
  if (!act_all(d, w, sender, sent) || !act_all(d, w, receiver, received)) return 0;
  arrive(d, w, sender, sent);
  arrive(d, w, receiver, received);
  return 1;
}

/* ---- what a process can do ------------------------------------------------------------------------------------------------ */

static void drop_half(struct definition *d, struct half *h) {
  drop_world(d, &h->world);
  drop_world(d, &h->past);
}

static void drop_halves(struct definition *d, struct halves *list) {
  for (size_t i = 0; i < list->count; i++) drop_half(d, &list->at[i]);
  vec_free(list, d->mem);
}

/* One more half-step that began like `from`; takes over the world. */
static void add(struct definition *d, struct halves *list, struct world *w, uint32_t slot, const struct ir_trans *t, const struct half *from) {
  struct half h = {.world = *w, .slot = slot, .flow = t->flags & IR_END ? IR_STOP : t->flow, .first = from->first, .chain = from->chain, .begins = from->begins};
  if (from->past.cell && copy_world(d, &from->past, &h.past)) h.past.cell = NULL;
  if (vec_push(list, d->mem, MEM_OTHER, h)) {
    drop_half(d, &h);
    d->refused = 1;
  }
}

/* What earlier transitions of a control state leave for the later ones. */
struct turn {
  uint32_t escape, choice;
  int moved, else_closed;
};

static int in_turn(const struct turn *turn, const struct world *w, uint32_t slot, const struct ir_trans *t) {
  if (t->choice && t->choice == turn->choice) return 0;
  if (t->flags & IR_ELSE && turn->else_closed) return 0;
  return !(t->flags & IR_END) || slot + 1 == w->processes;
}

static int provided(struct definition *d, const struct world *w, uint32_t slot) {
  ir_expr e = d->p->procs.at[type_of(d, w, slot)].provided;
  return !e || value(d, w, slot, e);
}

static int may_move(struct definition *d, const struct world *w, uint32_t slot) {
  if (d->committed && !(state_of(d, w, slot)->flags & IR_COMMITTED)) return 0;
  if (!provided(d, w, slot)) return 0;
  for (uint32_t other = 0; d->p->uses_priority && other < w->processes; other++)
    if (header_of(d, w, other, SLOT_PRIORITY) > header_of(d, w, slot, SLOT_PRIORITY) && provided(d, w, other) && enabled(d, w, other)) return 0;
  return 1;
}

/* A rendezvous with every process that takes the message on offer. Returns 1 if there was one. */
static int offer(struct definition *d, const struct half *from, uint32_t sender, const struct ir_trans *sent, struct halves *list) {
  const struct world *now = &from->world;
  int met = 0;
  for (uint32_t other = now->processes; other-- > 0;) {
    if (other == sender || !may_move(d, now, other)) continue;
    const struct ir_state *s = state_of(d, now, other);
    struct turn turn = {0};
    for (uint32_t i = s->trans; i < s->trans + s->transitions && !d->refused; i++) {
      const struct ir_trans *t = &d->p->trans.at[i];
      struct world next;
      if (turn.escape && turn.escape != t->escape) break;
      if (!in_turn(&turn, now, other, t) || copy_world(d, now, &next)) continue;
      if (!meet(d, &next, sender, sent, other, t)) {
        drop_world(d, &next);
        continue;
      }
      turn = (struct turn){.escape = t->escape, .choice = t->choice};
      add(d, list, &next, other, t, from);
      met = 1;
    }
  }
  return met;
}

/* Everything that one process can do. `begins`: these are the first transitions of a step. Returns 1 if there was something. */
static int alternatives(struct definition *d, const struct half *from, uint32_t slot, int begins, struct halves *list) {
  const struct world *now = &from->world;
  if (!may_move(d, now, slot)) return 0;
  const struct ir_state *s = state_of(d, now, slot);
  struct turn turn = {0};
  for (uint32_t i = s->trans; i < s->trans + s->transitions && !d->refused; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    struct half begun = *from;
    struct world next;
    if (turn.escape && turn.escape != t->escape) break;
    if (!in_turn(&turn, now, slot, t) || copy_world(d, now, &next)) continue;
    begun.begins = begins;
    if (begins) begun.first = slot * (uint32_t)d->p->trans.count + i;
    enum attempt said = attempt(d, &next, slot, t);
    if (said == DONE) {
      arrive(d, &next, slot, t);
      add(d, list, &next, slot, t, &begun);
      turn.else_closed = 1;
    } else {
      drop_world(d, &next);
      if (said == DISABLED || !offer(d, &begun, slot, t, list)) continue;
    }
    turn.moved = 1;
    turn.escape = t->escape;
    turn.choice = t->choice;
  }
  return turn.moved;
}

/* Is some transition of the process possible? An offer counts, whether or not somebody takes it. */
static int enabled(struct definition *d, const struct world *w, int64_t pid) {
  int yes = 0;
  if (d->asking || !alive(w, pid)) return 0;
  d->asking = 1; /* a question inside the question has no answer */
  int64_t *kept = d->message, kept_chan = d->message_chan; /* the one who asks may have a message under way */
  uint32_t kept_fields = d->message_fields;
  d->message = mem_alloc(d->mem, MEM_OTHER, ((size_t)d->s->fields_max + 1) * sizeof *d->message);
  d->refused |= !d->message;
  const struct ir_state *s = state_of(d, w, (uint32_t)pid);
  for (uint32_t i = s->trans; i < s->trans + s->transitions && !yes && !d->refused; i++) {
    const struct ir_trans *t = &d->p->trans.at[i];
    struct world next;
    if (t->flags & IR_END && pid + 1 != w->processes) continue;
    if (copy_world(d, w, &next)) break;
    yes = attempt(d, &next, (uint32_t)pid, t) != DISABLED;
    drop_world(d, &next);
  }
  mem_free(d->mem, d->message);
  d->message = kept;
  d->message_chan = kept_chan;
  d->message_fields = kept_fields;
  d->asking = 0;
  return yes;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------- */

/* Runs a d_step to its end. Returns 0 if it blocks: then there is no step. */
static int finish_dstep(struct definition *d, struct half *h) {
  for (uint32_t steps = 0; steps < DSTEP_LONGEST; steps++) {
    const struct ir_state *s = state_of(d, &h->world, h->slot);
    const struct ir_trans *t = NULL;
    struct world next;
    for (uint32_t i = s->trans; i < s->trans + s->transitions && !t; i++) {
      if (copy_world(d, &h->world, &next)) return 0;
      t = &d->p->trans.at[i];
      if (attempt(d, &next, h->slot, t) == DONE) break;
      drop_world(d, &next);
      t = NULL;
    }
    if (!t) return 0;
    arrive(d, &next, h->slot, t);
    drop_world(d, &h->world);
    h->world = next;
    h->flow = t->flow;
    if (h->flow != IR_DSTEP) return 1;
  }
  return 0;
}

static int same_world(const struct definition *d, const struct world *a, const struct world *b) {
  return a->processes == b->processes && memcmp(a->cell, b->cell, cells_of(d, a->processes) * sizeof *a->cell) == 0;
}

/* An atomic sequence goes on: is it where it was before? */
static int comes_back(struct definition *d, struct half *h) {
  h->chain++;
  if (h->chain < ENDLESS) return 0;
  if (h->chain & (h->chain - 1)) return h->past.cell && same_world(d, &h->past, &h->world);
  drop_world(d, &h->past);
  copy_world(d, &h->world, &h->past);
  return 0;
}

/* May there be more than one way on? */
static int is_choice(const struct definition *d, const struct half *h) {
  const struct ir_state *s = state_of(d, &h->world, h->slot);
  return s->transitions != 1 || !d->s->state[s - d->p->states.at].simple;
}

/* A choice inside an atomic sequence: was it met before, after many others? */
static int met_before(struct definition *d, const struct half *h) {
  struct half kept = {.slot = h->slot};
  if (++d->met < MANY) return 0;
  for (size_t i = 0; i < d->seen.count; i++)
    if (d->seen.at[i].slot == h->slot && same_world(d, &d->seen.at[i].world, &h->world)) return 1;
  if (d->seen.count == REMEMBERED) { /* too many for so plain a list */
    d->refused = d->gave_up = 1;
    return 0;
  }
  if (copy_world(d, &h->world, &kept.world)) return 0;
  if (vec_push(&d->seen, d->mem, MEM_OTHER, kept)) {
    drop_half(d, &kept);
    d->refused = 1;
  }
  return 0;
}

static void start(struct definition *d, const struct model *base) {
  const struct process_model *m = process_of(base);
  *d = (struct definition){.p = m->program, .s = &m->shape, .mem = base->mem};
}

static void initial_world(struct definition *d, struct world *w) {
  initialise(d, w, 0, 0);
  if (d->p->has_trace) w->cell[IMAGE_EVENT] = d->p->procs.at[d->p->trace_proc].start;
  for (size_t i = 0; i < d->p->start.count; i++) create(d, w, d->p->start.at[i], NULL, 0);
}

static uint32_t slots_of(const struct definition *d, uint32_t vars) { return (vars - d->s->slots) >> d->s->slot_bits; }

void process_define_initial(const struct model *base, int64_t *values) {
  struct definition d;
  start(&d, base);
  memset(values, 0, base->vars * sizeof *values);
  struct world w = {.cell = values, .slots = slots_of(&d, base->vars)};
  initial_world(&d, &w); /* the initial state fits the model's variables: nothing grows */
}

/* What is hidden is as it was at the start: the state does not remember it. */
static void forget_hidden(struct definition *d, struct world *w) {
  const struct program *p = d->p;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *x = &p->decls.at[i];
    if (!(x->flags & IR_HIDDEN)) continue;
    struct world first = {0};
    if (make_room(d, &first, (uint32_t)p->start.count + 1)) return;
    initial_world(d, &first);
    int64_t from = x->scope ? create(d, &first, x->scope - 1, NULL, 0) : 0;
    for (uint32_t slot = 0; slot < (x->scope ? w->processes : 1) && from >= 0; slot++) {
      if (x->scope && type_of(d, w, slot) + 1 != x->scope) continue;
      int64_t *to = x->scope ? slot_cells(d, w, slot) + SLOT_HEADER : w->cell + d->s->global;
      const int64_t *source = x->scope ? slot_cells(d, &first, (uint32_t)from) + SLOT_HEADER : first.cell + d->s->global;
      for (uint32_t k = 0; k < x->cells; k++)
        to[x->base + k] = x->chan ? (x->scope ? channels_below(d, w, slot) : 0) + 1 + x->first_chan + k : source[x->base + k];
    }
    drop_world(d, &first);
  }
}

/* All steps begin here: the stack has those of the highest slot on top. */
static void begin(struct definition *d, const struct world *now, struct halves *stack) {
  struct half from = {.world = *now};
  int moved = 0;
  for (uint32_t slot = 0; slot < now->processes; slot++) d->committed |= state_of(d, now, slot)->flags & IR_COMMITTED;
  for (d->timeout = 0; d->timeout < 2 && !moved; d->timeout++)
    for (uint32_t slot = now->processes; slot-- > 0;) moved |= alternatives(d, &from, slot, 1, stack);
  d->timeout = 0;
}

/* Turns round what was added to the stack since it had `from`: what came first is on top. */
static void turn_round(struct halves *stack, size_t from) {
  for (size_t i = from, j = stack->count; i + 1 < j; i++) {
    struct half h = stack->at[--j];
    stack->at[j] = stack->at[i];
    stack->at[i] = h;
  }
}

/* Takes the topmost half-step on. Returns 1 and *out when it is a whole one; else it, or what follows it, is on the stack. */
static int go_on(struct definition *d, struct halves *stack, struct half *out) {
  struct half h = stack->at[--stack->count];
  size_t from = stack->count;
  if (h.begins) { /* what other steps have met is of no interest */
    d->met = 0;
    drop_halves(d, &d->seen);
  }
  if (h.flow == IR_DSTEP && !finish_dstep(d, &h)) {
    drop_half(d, &h);
    return 0;
  }
  if (h.flow == IR_ATOMIC && !comes_back(d, &h)) {
    int again = 0;
    if (is_choice(d, &h)) {
      again = met_before(d, &h);
      h.chain = 0;
      drop_world(d, &h.past);
    }
    if (again || alternatives(d, &h, h.slot, 0, stack)) {
      drop_half(d, &h);
      turn_round(stack, from);
      return 0;
    }
  }
  tidy_heap(d, &h.world);
  forget_hidden(d, &h.world);
  *out = h;
  return 1;
}

int process_define_edge(const struct model *base, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *mem) {
  struct definition d;
  struct halves stack = {0};
  struct half h;
  int found = 0;
  start(&d, base);
  d.mem = mem;
  d.message = mem_alloc(mem, MEM_OTHER, ((size_t)d.s->fields_max + 1) * sizeof *d.message);
  if (!d.message) return -1;
  struct world now = {.cell = (int64_t *)values, .slots = slots_of(&d, base->vars)}; /* copied before anything is written */
  while (now.processes < now.slots && slot_cells(&d, &now, now.processes)[SLOT_TYPE]) now.processes++;
  begin(&d, &now, &stack);
  turn_round(&stack, 0);
  for (uint32_t halves = 0; stack.count && !found && !d.refused; halves++) {
    if (halves == HALF_STEPS) d.refused = d.gave_up = 1;
    if (!go_on(&d, &stack, &h)) continue;
    found = k-- == 0;
    if (found) {
      size_t cells = cells_of(&d, h.world.slots);
      *group = h.first;
      memset(out, 0, base->vars * sizeof *out);
      memcpy(out, h.world.cell, (cells < base->vars ? cells : base->vars) * sizeof *out);
    }
    drop_half(&d, &h);
  }
  drop_halves(&d, &stack);
  drop_halves(&d, &d.seen);
  mem_free(mem, d.message);
  return d.gave_up ? MODEL_GIVES_UP : d.refused ? -1 : found;
}
