/* define_value.c -- the definition's numbers, channels and expressions.
 *
 * Numbers are 64 bits wide and cut to what the language says after every operation: overflow is a rule here, never an accident.
 * A channel is found by counting: those of the globals come first, then those of slot 0, slot 1, and so on. */
#include "process/define.h"

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

/* What is left of a number in so many bits. */
int64_t define_cut(int64_t value, unsigned bits, int is_signed) {
  int64_t size = (int64_t)1 << bits, rest = value % size;
  if (rest < 0) rest += size;
  return is_signed && rest >= size / 2 ? rest - size : rest;
}

static int64_t wrap(int64_t value) { return define_cut(value, 32, 1); }
int64_t define_cut_to(const struct ir_type *t, int64_t value) { return t->bits >= 32 ? wrap(value) : define_cut(value, t->bits, t->is_signed); }

static int64_t power_of_two(int64_t exponent) { return (int64_t)1 << exponent; }

static int64_t arithmetic(struct definition *d, unsigned op, int64_t a, int64_t b) {
  if ((op == IR_DIV || op == IR_MOD) && !b) define_wrong(d, MODEL_RUNTIME);
  switch (op) {
  case IR_ADD: return wrap(a + b);
  case IR_SUB: return wrap(a - b);
  case IR_MUL: return wrap(a * b);
  case IR_DIV: return b ? wrap(a / b) : 0;
  case IR_MOD: return b ? wrap(a % b) : 0;
  case IR_BAND: return a & b;
  case IR_BOR: return a | b;
  case IR_BXOR: return a ^ b;
  case IR_SHL: return wrap(define_cut(a, 32, 0) * power_of_two(define_cut(b, 5, 0)));
  case IR_SHR: return (a - define_cut(a, (unsigned)define_cut(b, 5, 0), 0)) / power_of_two(define_cut(b, 5, 0));
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

/* How many channels there are below a slot, those of the globals included. */
uint32_t define_channels_below(const struct definition *d, const struct world *w, uint32_t slot) {
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

/* ---- expressions --------------------------------------------------------------------------------------------------- */

/* The cell of an lvalue; NULL where there is none. */
int64_t *define_cell(struct definition *d, const struct world *w, uint32_t slot, ir_ref ref) {
  const struct ir_lvalue *r = &d->p->refs.at[ref];
  int64_t *base = NULL, pid, pointer;
  size_t offset = r->base;
  switch (r->where) {
  case IR_GLOBAL: base = w->cell + d->s->global; break;
  case IR_LOCAL: base = slot_cells(d, w, slot) + SLOT_HEADER; break;
  case IR_REMOTE:
    pid = define_value(d, w, slot, r->slot);
    if (!alive(w, pid)) return NULL;
    if (type_of(d, w, (uint32_t)pid) != r->proc) {
      define_wrong(d, MODEL_RUNTIME);
      return NULL;
    }
    base = slot_cells(d, w, (uint32_t)pid) + SLOT_HEADER;
    break;
  case IR_HEAP:
    pointer = define_value(d, w, slot, r->slot);
    if (pointer <= 0 || pointer >= (int64_t)d->s->heap_cells) {
      define_wrong(d, MODEL_RUNTIME);
      return NULL;
    }
    base = w->cell + d->s->heap + pointer;
    break;
  }
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &d->p->indices.at[r->index + i];
    int64_t at = define_value(d, w, slot, x->expr);
    if (at < 0 || at >= (int64_t)x->bound) define_wrong(d, MODEL_RUNTIME);
    if (at > 0 && at < (int64_t)x->bound) offset += (size_t)at * x->stride; /* out of range: the first element */
  }
  return base + offset;
}

/* Would this receive take that message? Fields that it does not have are 0. */
int define_matches(struct definition *d, const struct world *w, uint32_t slot,
                   const struct ir_comm *comm, const int64_t *message, uint32_t fields) {
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &d->p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_MATCH &&
        define_value(d, w, slot, a->what) != (i < fields ? message[i] : 0))
      return 0;
  }
  return 1;
}

/* Which message of the channel a receive would take; -1 = none. */
int64_t define_find_message(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm,
                            const struct channel *c) {
  int64_t tried = comm->flags & IR_RANDOM ? length_of(c) : 1;
  for (int64_t i = 0; i < tried && i < length_of(c); i++)
    if (define_matches(d, w, slot, comm, message_at(c, i), c->kind->fields)) return i;
  return -1;
}

/* The channel that a communication speaks of, if there is one. */
int define_channel_for(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm, struct channel *c) {
  if (find_channel(d, w, define_value(d, w, slot, comm->chan), c)) return 1;
  define_wrong(d, MODEL_RUNTIME);
  return 0;
}

static int64_t ask_channel(struct definition *d, const struct world *w, unsigned op, int64_t number) {
  struct channel c;
  if (!find_channel(d, w, number, &c)) {
    define_wrong(d, MODEL_RUNTIME);
    return 0;
  }
  int64_t length = c.kind->capacity ? length_of(&c) : number == d->offered;
  int64_t capacity =
      c.kind->capacity ? c.kind->capacity : 1; /* of rendezvous: the message in passing */
  return op == IR_LEN      ? length
         : op == IR_EMPTY  ? length == 0
         : op == IR_NEMPTY ? length != 0
         : op == IR_FULL   ? length == capacity
                           : length != capacity;
}

static int64_t poll(struct definition *d, const struct world *w, uint32_t slot, const struct ir_comm *comm) {
  struct channel c;
  if (!define_channel_for(d, w, slot, comm, &c)) return 0;
  if (comm->args > c.kind->fields) {
    define_wrong(d, MODEL_RUNTIME);
    return 0;
  }
  if (!c.kind->capacity) define_wrong(d, MODEL_RUNTIME);
  return c.kind->capacity && define_find_message(d, w, slot, comm, &c) >= 0;
}

/* A cell of the header of another process; 0 if it is not alive. */
int64_t define_header(const struct definition *d, const struct world *w, int64_t pid, unsigned which) {
  return alive(w, pid) ? slot_cells(d, w, (uint32_t)pid)[which] : 0;
}

/* The lowest process of a type; -1 = there is none. */
static int64_t first_of(const struct definition *d, const struct world *w, uint32_t type) {
  uint32_t pid = 0;
  while (pid < w->processes && type_of(d, w, pid) != type) pid++;
  return pid < w->processes ? (int64_t)pid : -1;
}

int64_t define_value(struct definition *d, const struct world *w, uint32_t slot, ir_expr e) {
  const struct ir_node *n = &d->p->nodes.at[e];
  const int64_t *cell;
  int64_t pid;
  switch (n->op) {
  case IR_VALUE: return n->value;
  case IR_LOAD: cell = define_cell(d, w, slot, n->a); return cell ? *cell : 0;
  case IR_NEG: return wrap(-define_value(d, w, slot, n->a));
  case IR_NOT: return define_value(d, w, slot, n->a) == 0;
  case IR_INVERT: return -1 - define_value(d, w, slot, n->a);
  case IR_AND: return define_value(d, w, slot, n->a) ? define_value(d, w, slot, n->b) != 0 : 0;
  case IR_OR: return define_value(d, w, slot, n->a) ? 1 : define_value(d, w, slot, n->b) != 0;
  case IR_IMPLIES: return define_value(d, w, slot, n->a) ? define_value(d, w, slot, n->b) != 0 : 1;
  case IR_COND: return define_value(d, w, slot, n->a) ? define_value(d, w, slot, n->b) : define_value(d, w, slot, n->c);
  case IR_LEN:
  case IR_EMPTY:
  case IR_NEMPTY:
  case IR_FULL:
  case IR_NFULL: return ask_channel(d, w, n->op, define_value(d, w, slot, n->a));
  case IR_POLL: return poll(d, w, slot, &d->p->comms.at[n->a - 1]);
  case IR_AT:
    pid = define_value(d, w, slot, n->a);
    return alive(w, pid) && type_of(d, w, (uint32_t)pid) == n->b && define_header(d, w, pid, SLOT_PC) == d->p->labels.at[n->c].state;
  case IR_FIRST: return first_of(d, w, n->b);
  case IR_ENABLED: return define_enabled(d, w, define_value(d, w, slot, n->a));
  case IR_PC_VALUE: {
    int64_t whose = define_value(d, w, slot, n->a);
    return whose < 0 || whose >= (int64_t)w->processes ? 0 : define_state(d, w, (uint32_t)whose)->tag;
  }
  case IR_PRIORITY: return define_header(d, w, define_value(d, w, slot, n->a), SLOT_PRIORITY);
  case IR_TIMEOUT: return d->timeout;
  case IR_PID_OWN: return slot;
  case IR_NR_PR: return w->processes;
  case IR_LAST: return w->cell[IMAGE_LAST];
  case IR_OWN_CHAN: return (int64_t)define_channels_below(d, w, slot) + 1 + n->value;
  case IR_NP:
    for (uint32_t other = 0; other < w->processes; other++)
      if (define_state(d, w, other)->flags & IR_PROGRESS) return 0;
    return 1;
  case IR_NONE:
  case IR_NULL_POINTER:
  case IR_C_EXPR: return 0;
  default: return arithmetic(d, n->op, define_value(d, w, slot, n->a), define_value(d, w, slot, n->b));
  }
}
