/* interpreter.c -- see interpreter.h.
 *
 * Every function takes the slot of the process on whose behalf it runs.  A guard that is false, a full channel, a message
 * that does not match: RUN_DISABLED, and nothing was written.  Expressions have no effects beside faults.
 *
 * The trees were built by a parser that bounds their depth, so recursion over them is bounded too. */
#include "process/interpreter.h"

#include "process/embedded.h"

#include <string.h>

static const struct machine *machine_of(const struct runtime *m) { return (const struct machine *)m; }
static const struct program *program_of(const struct runtime *m) { return machine_of(m)->program; }

static inline int32_t operand(struct runtime *m, uint32_t slot, ir_expr e);

/* Offset of the cell that the indices of an lvalue lead to; out of range: a fault, and the first element is taken. */
static uint32_t offset_of(struct runtime *m, uint32_t slot, ir_ref ref) {
  const struct program *p = program_of(m);
  const struct ir_lvalue *r = &p->refs.at[ref];
  uint32_t offset = r->base;
  for (uint32_t i = 0; i < r->indices; i++) {
    const struct ir_index *x = &p->indices.at[r->index + i];
    int32_t at = operand(m, slot, x->expr);
    offset += runtime_index(m, at, x->bound, ref) * x->stride;
  }
  return offset;
}

/* The cell of a variable without indices; UINT32_MAX for all other lvalues. */
static inline uint32_t plain_cell(const struct runtime *m, uint32_t slot, const struct ir_lvalue *r) {
  if (r->indices) return UINT32_MAX;
  if (r->where == IR_GLOBAL) return IMAGE_HEADER + r->base;
  if (r->where == IR_LOCAL) return runtime_slot(m, slot) + SLOT_HEADER + r->base;
  return UINT32_MAX;
}

/* The cell of an lvalue; UINT32_MAX where there is none: told as a fault, unless it belongs to a process that does not live. */
static uint32_t address(struct runtime *m, uint32_t slot, ir_ref ref) {
  const struct program *p = program_of(m);
  const struct ir_lvalue *r = &p->refs.at[ref];
  const struct shape *s = machine_of(m)->shape;
  switch (r->where) {
  case IR_GLOBAL: return s->global + offset_of(m, slot, ref);
  case IR_LOCAL: return shape_slot(s, slot) + SLOT_HEADER + offset_of(m, slot, ref);
  case IR_REMOTE: {
    int32_t pid = interpreter_value(m, slot, r->slot);
    if (pid < 0 || (uint32_t)pid >= m->processes) return UINT32_MAX;
    uint32_t base = shape_slot(s, (uint32_t)pid);
    if (m->cell[base + SLOT_TYPE] != (int32_t)r->proc + 1) {
      m->fault(m, FAULT_REMOTE, ref);
      return UINT32_MAX;
    }
    return base + SLOT_HEADER + offset_of(m, slot, ref);
  }
  case IR_HEAP: {
    int32_t pointer = interpreter_value(m, slot, r->slot);
    if (pointer <= 0 || (uint32_t)pointer >= s->heap_cells) {
      m->fault(m, FAULT_POINTER, ref);
      return UINT32_MAX;
    }
    return s->heap + (uint32_t)pointer + offset_of(m, slot, ref);
  }
  }
  return UINT32_MAX;
}

static void assign(struct runtime *m, uint32_t slot, ir_ref ref, int32_t value) {
  const struct program *p = program_of(m);
  uint32_t cell = plain_cell(m, slot, &p->refs.at[ref]);
  if (cell == UINT32_MAX) cell = address(m, slot, ref);
  if (cell == UINT32_MAX) return;
  const struct ir_type *t = &p->types.at[p->refs.at[ref].type];
  runtime_assign(m, cell, ref, t->bits, t->is_signed, value);
}

void interpreter_assign(struct runtime *m, uint32_t slot, ir_ref ref, ir_expr expr) {
  assign(m, slot, ref, interpreter_value(m, slot, expr));
}

/* ---- channels ------------------------------------------------------------------------------------------------------ */

/* Does a message match the patterns of a receive? Fields that it does not have are 0. */
static int matches(struct runtime *m, uint32_t slot, const struct ir_comm *comm,
                   const int32_t *fields, uint32_t count) {
  const struct program *p = program_of(m);
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_MATCH &&
        interpreter_value(m, slot, a->what) != (i < count ? fields[i] : 0))
      return 0;
  }
  return 1;
}

/* The variables of a receive get the fields of the message. */
static void bind(struct runtime *m, uint32_t slot, const struct ir_comm *comm) {
  const struct program *p = program_of(m);
  for (uint32_t i = 0; i < comm->args; i++) {
    const struct ir_arg *a = &p->args.at[comm->arg + i];
    if (a->kind == IR_ARG_BIND) assign(m, slot, a->what, m->message[i]);
  }
}

/* The message that a receive would take; -1 = none. */
static int64_t find_message(struct runtime *m, uint32_t slot, const struct ir_comm *comm, uint32_t cell,
                            const struct runtime_chan *c) {
  uint32_t length = runtime_length(m, cell, c), end = comm->flags & IR_RANDOM ? length : length ? 1 : 0;
  for (uint32_t i = 0; i < end; i++)
    if (matches(m, slot, comm, &m->cell[cell + 1 + i * c->fields], c->fields)) return i;
  return -1;
}

static int send(struct runtime *m, uint32_t slot, uint32_t index) {
  const struct program *p = program_of(m);
  const struct ir_comm *comm = &p->comms.at[index];
  int32_t number = interpreter_value(m, slot, comm->chan);
  const struct runtime_chan *c = runtime_comm(m, number, index);
  if (!c) return RUN_DISABLED;
  uint32_t cell = m->chan_cell[number];
  if (runtime_blocks(m, cell, c)) return RUN_DISABLED;
  for (uint32_t i = 0; i < comm->args; i++)
    m->message[i] = interpreter_value(m, slot, p->args.at[comm->arg + i].what);
  runtime_even(m, comm->args, c->fields, index);
  runtime_fill(m, comm->args, c->fields);
  m->message_chan = number;
  m->message_fields = c->fields;
  if (!c->capacity) {
    runtime_cut_message(m, c, m->cuts, comm->arg);
    return RUN_OFFER;
  }
  runtime_send(m, cell, c, m->cuts, (comm->flags & IR_SORTED) != 0, comm->arg);
  if (m->event) m->event(m, index, slot, number);
  return RUN_DONE;
}

static int receive(struct runtime *m, uint32_t slot, uint32_t index) {
  const struct ir_comm *comm = &program_of(m)->comms.at[index];
  int32_t number = interpreter_value(m, slot, comm->chan);
  const struct runtime_chan *c = runtime_comm(m, number, index);
  if (c && !c->capacity && comm->flags & IR_PEEK) m->fault(m, FAULT_POLL, index);
  if (!c || !c->capacity) return RUN_DISABLED; /* a rendezvous is received by accept */
  uint32_t cell = m->chan_cell[number];
  int64_t at = find_message(m, slot, comm, cell, c);
  if (at < 0) return RUN_DISABLED;
  runtime_take(m, cell, c, (uint32_t)at);
  runtime_fill(m, c->fields, comm->args);
  if (comm->args > c->fields || !(comm->flags & IR_PEEK))
    runtime_even(m, comm->args, c->fields, index); /* the rest of the message is lost */
  m->message_chan = number;
  m->message_fields = c->fields;
  bind(m, slot, comm);
  if (m->event) m->event(m, index, slot, number);
  if (!(comm->flags & IR_PEEK)) runtime_remove(m, cell, c, (uint32_t)at);
  return RUN_DONE;
}

/* ---- expressions --------------------------------------------------------------------------------------------------- */

/* The first cell of a process that is alive; UINT32_MAX otherwise. */
static uint32_t slot_of(struct runtime *m, int32_t pid) {
  return pid >= 0 && (uint32_t)pid < m->processes ? runtime_slot(m, (uint32_t)pid) : UINT32_MAX;
}

static int question_of(unsigned op) {
  return op == IR_LEN ? ASK_LENGTH : op == IR_EMPTY ? ASK_EMPTY : op == IR_NEMPTY ? ASK_NOT_EMPTY : op == IR_FULL ? ASK_FULL : ASK_NOT_FULL;
}

static int32_t other(struct runtime *m, uint32_t slot, const struct ir_node *n, ir_expr e) {
  switch (n->op) {
  case IR_LEN:
  case IR_EMPTY:
  case IR_NEMPTY:
  case IR_FULL:
  case IR_NFULL: return runtime_ask(m, interpreter_value(m, slot, n->a), question_of(n->op), e);
  case IR_POLL: {
    const struct ir_comm *comm = &program_of(m)->comms.at[n->a - 1];
    int32_t number = interpreter_value(m, slot, comm->chan);
    const struct runtime_chan *c = runtime_poll(m, number, comm->args, n->a - 1);
    if (c && !c->capacity) m->fault(m, FAULT_POLL, n->a - 1);
    return c && c->capacity && find_message(m, slot, comm, m->chan_cell[number], c) >= 0;
  }
  case IR_AT: return runtime_at(m, interpreter_value(m, slot, n->a), n->b, program_of(m)->labels.at[n->c].state);
  case IR_FIRST: return runtime_first(m, n->b);
  case IR_ENABLED: return m->enabled ? m->enabled(m, interpreter_value(m, slot, n->a)) : 0;
  case IR_PC_VALUE: {
    uint32_t base = slot_of(m, interpreter_value(m, slot, n->a));
    if (base == UINT32_MAX) return 0;
    const struct program *p = program_of(m);
    return (int32_t)p->states.at[p->procs.at[m->cell[base + SLOT_TYPE] - 1].state + (uint32_t)m->cell[base + SLOT_PC]].tag;
  }
  case IR_PRIORITY: {
    uint32_t base = slot_of(m, interpreter_value(m, slot, n->a));
    return base == UINT32_MAX ? 0 : m->cell[base + SLOT_PRIORITY];
  }
  case IR_C_EXPR: return embedded_value(m, slot, (uint32_t)n->value);
  case IR_TIMEOUT: return m->timeout;
  case IR_PID_OWN: return (int32_t)slot;
  case IR_NR_PR: return (int32_t)m->processes;
  case IR_LAST: return m->cell[IMAGE_LAST];
  case IR_NP: return m->no_progress ? m->no_progress(m) : 0;
  case IR_OWN_CHAN: return (int32_t)m->slot_chan[slot] + n->value;
  default: return 0;
  }
}

/* Most operands are constants and variables without indices: they are had without a call. */
static inline int32_t operand(struct runtime *m, uint32_t slot, ir_expr e) {
  const struct program *p = program_of(m);
  const struct ir_node *n = program_at(p, e);
  if (n->op == IR_VALUE) return n->value;
  if (n->op == IR_LOAD) {
    uint32_t cell = plain_cell(m, slot, &p->refs.at[n->a]);
    if (cell != UINT32_MAX) return m->cell[cell];
  }
  return interpreter_value(m, slot, e);
}

int32_t interpreter_value(struct runtime *m, uint32_t slot, ir_expr e) {
  const struct ir_node *n = program_at(program_of(m), e);
  int32_t a, b, value = 0;
  switch (n->op) {
  case IR_VALUE: return n->value;
  case IR_LOAD: {
    uint32_t cell = address(m, slot, n->a);
    return cell == UINT32_MAX ? 0 : m->cell[cell];
  }
  case IR_NEG: return (int32_t)(0u - (uint32_t)operand(m, slot, n->a));
  case IR_NOT: return !operand(m, slot, n->a);
  case IR_INVERT: return ~operand(m, slot, n->a);
  case IR_AND: return operand(m, slot, n->a) && operand(m, slot, n->b);
  case IR_OR: return operand(m, slot, n->a) || operand(m, slot, n->b);
  case IR_IMPLIES: return !operand(m, slot, n->a) || operand(m, slot, n->b);
  case IR_COND: return operand(m, slot, operand(m, slot, n->a) ? n->b : n->c);
  case IR_EQ: return operand(m, slot, n->a) == operand(m, slot, n->b);
  case IR_NE: return operand(m, slot, n->a) != operand(m, slot, n->b);
  case IR_LT: return operand(m, slot, n->a) < operand(m, slot, n->b);
  case IR_LE: return operand(m, slot, n->a) <= operand(m, slot, n->b);
  case IR_GT: return operand(m, slot, n->a) > operand(m, slot, n->b);
  case IR_GE: return operand(m, slot, n->a) >= operand(m, slot, n->b);
  case IR_ADD: return (int32_t)((uint32_t)operand(m, slot, n->a) + (uint32_t)operand(m, slot, n->b));
  case IR_SUB: return (int32_t)((uint32_t)operand(m, slot, n->a) - (uint32_t)operand(m, slot, n->b));
  case IR_MUL:
  case IR_DIV:
  case IR_MOD:
  case IR_BAND:
  case IR_BOR:
  case IR_BXOR:
  case IR_SHL:
  case IR_SHR:
    a = operand(m, slot, n->a);
    b = operand(m, slot, n->b);
    if (!program_apply(n->op, a, b, &value)) m->fault(m, FAULT_DIVISION, e);
    return value;
  default: return other(m, slot, n, e);
  }
}

/* ---- statements ---------------------------------------------------------------------------------------------------- */

void interpreter_print(struct runtime *face, uint32_t action, uint32_t slot, const int32_t *args) {
  struct machine *m = (struct machine *)face;
  if (m->print) m->print(m->print_context, action, slot, args);
}

/* Values of an action's arguments; the array has room for ACTION_ARGS. */
enum { ACTION_ARGS = 256 };
static void arguments(struct runtime *m, uint32_t slot, const struct ir_action *a, int32_t *out) {
  const struct program *p = program_of(m);
  for (uint32_t i = 0; i < a->args && i < ACTION_ARGS; i++) out[i] = interpreter_value(m, slot, p->args.at[a->arg + i].what);
}

static int run_process(struct runtime *m, uint32_t slot, const struct ir_action *a) {
  int32_t args[ACTION_ARGS];
  arguments(m, slot, a, args);
  int pid = m->create(m, a->proc, args, a->args, a->arg);
  if (pid < 0) return 0;
  if (a->value && program_of(m)->uses_priority) runtime_put(m, runtime_slot(m, (uint32_t)pid) + SLOT_PRIORITY, (int32_t)(a->value & 255));
  if (a->ref) assign(m, slot, a->ref, pid);
  return 1;
}

static int act(struct runtime *m, uint32_t slot, uint32_t index) {
  const struct ir_action *a = &program_of(m)->actions.at[index];
  switch (a->kind) {
  case IR_ASSIGN: assign(m, slot, a->ref, operand(m, slot, a->expr)); return 1;
  case IR_ASSERT:
    if (!interpreter_value(m, slot, a->expr)) m->fault(m, FAULT_ASSERT, index);
    return 1;
  case IR_PRINT: { /* what is printed can go wrong, whether or not somebody reads it */
    int32_t args[ACTION_ARGS];
    arguments(m, slot, a, args);
    if (m->printing) m->print(m, index, slot, args);
    return 1;
  }
  case IR_RUN: return run_process(m, slot, a);
  case IR_NEW: {
    const struct program *p = program_of(m);
    int32_t pointer = m->allocate(m, p->types.at[p->refs.at[a->ref].type].names);
    if (!pointer) return 0;
    assign(m, slot, a->ref, pointer);
    return 1;
  }
  case IR_RESET: assign(m, slot, a->ref, 0); return 1;
  case IR_SET_PRIORITY: {
    int32_t priority = interpreter_value(m, slot, program_of(m)->args.at[a->arg].what);
    uint32_t base = slot_of(m, interpreter_value(m, slot, a->expr));
    if (base != UINT32_MAX) runtime_put(m, base + SLOT_PRIORITY, priority & 255);
    return 1;
  }
  case IR_C_CODE: return embedded_run(m, slot, a->value);
  }
  return 1;
}

static int effects(struct runtime *m, uint32_t slot, uint32_t trans) {
  const struct ir_trans *t = &program_of(m)->trans.at[trans];
  for (uint32_t i = 0; i < t->actions; i++)
    if (!act(m, slot, t->action + i)) return 0;
  return 1;
}

static int run(struct runtime *m, uint32_t slot, uint32_t trans) {
  const struct program *p = program_of(m);
  const struct ir_trans *t = &p->trans.at[trans];
  if (t->guard && !interpreter_value(m, slot, t->guard)) return RUN_DISABLED;
  if (t->comm) {
    int done = p->comms.at[t->comm - 1].flags & IR_SEND ? send(m, slot, t->comm - 1) : receive(m, slot, t->comm - 1);
    if (done != RUN_DONE) return done;
  }
  return effects(m, slot, trans) ? RUN_DONE : RUN_DISABLED;
}

static int accept(struct runtime *m, uint32_t slot, uint32_t trans) {
  const struct program *p = program_of(m);
  const struct ir_trans *t = &p->trans.at[trans];
  if (!t->comm) return 0;
  const struct ir_comm *comm = &p->comms.at[t->comm - 1];
  if (!(comm->flags & IR_RECEIVE) || comm->flags & IR_PEEK || (t->guard && !interpreter_value(m, slot, t->guard))) return 0;
  if (interpreter_value(m, slot, comm->chan) != m->message_chan) return 0;
  runtime_fill(m, m->message_fields, comm->args);
  if (!matches(m, slot, comm, m->message, comm->args)) return 0;
  runtime_even(m, comm->args, m->message_fields, t->comm - 1);
  bind(m, slot, comm);
  return 1;
}

static int provided(struct runtime *m, uint32_t slot, uint32_t type) {
  ir_expr e = program_of(m)->procs.at[type].provided;
  return !e || interpreter_value(m, slot, e);
}

const struct engine engine_interpreter = {.run = run, .accept = accept, .effects = effects, .provided = provided};
