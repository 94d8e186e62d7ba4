/* condition.c -- what people ask about a program in its own language: the atoms of temporal formulas, invariants.
 *
 * The front end that read the program stays with it as a reader (program.h).  A condition becomes an expression of the program like any other; it is
 * evaluated by walking its tree over the image of the state, which successors are made from anyway. */
#include "base/bits.h"
#include "process/interpreter.h"
#include "process/process_model.h"

int64_t process_condition(const struct model *base, const char *text, size_t length, const char *what, struct err *e) {
  struct process_model *m = (struct process_model *)base; /* conditions are no part of what a state means: nobody sees the change */
  const struct program_reader *reader = &m->program->reader;
  ir_expr expr = 0;
  if (!reader->read) return err_internal(e, "%s has no conditions of its own", base->language);
  if (reader->read(reader->context, text, length, what, &expr, e)) return -1;
  if (m->program->failed || vec_push(&m->condition, base->mem, MEM_MODEL, expr)) return err_memory(e, "an expression");
  return (int64_t)m->condition.count - 1;
}

int64_t process_condition_value(struct model_cursor *base, const uint32_t *state, uint32_t condition) {
  struct process_cursor *c = (struct process_cursor *)base;
  const struct process_model *m = process_of(base->model);
  if (process_load(c, state)) return 0;
  c->machine.engine = m->engine;
  int64_t value = interpreter_value(&c->machine.run, 0, m->condition.at[condition]);
  c->machine.faults.count = 0; /* an index out of range in a question is no fault of the model */
  return value;
}

/* ---- in all successors ------------------------------------------------------------------------------------------------ */

enum { WATCHED_MOST = 64 };

/* What is true of a state by itself, whatever step is under way. */
static int speaks_of_steps(const struct ir_node *n) {
  return n->op == IR_ENABLED || n->op == IR_TIMEOUT || n->op == IR_C_EXPR || n->op == IR_NP || n->op == IR_POLL;
}

/* A condition that was read after the program stands in nodes of its own, behind those of the program. */
static int can_be_watched(const struct process_model *m, ir_expr e) {
  const struct program *p = m->program;
  for (size_t i = e >= m->own_nodes ? m->own_nodes : 1; i < p->nodes.count; i++)
    if (speaks_of_steps(&p->nodes.at[i])) return 0;
  return 1;
}

int process_watch(struct model_cursor *base, uint32_t condition) {
  struct process_cursor *c = (struct process_cursor *)base;
  const struct process_model *m = process_of(base->model);
  ir_expr e = m->condition.at[condition];
  if (c->watched.count == WATCHED_MOST || !can_be_watched(m, e) || vec_push(&c->watched, base->mem, MEM_SEARCH, e)) return -1;
  return (int)c->watched.count - 1;
}

int process_note_letter(struct process_cursor *c) {
  size_t faults = c->machine.faults.count;
  uint64_t letter = 0;
  for (uint64_t matter = bits_mask((unsigned)c->watched.count) & ~c->base.unwatched; matter; matter &= matter - 1) {
    unsigned i = (unsigned)__builtin_ctzll(matter);
    letter |= (uint64_t)(interpreter_value(&c->machine.run, 0, c->watched.at[i]) != 0) << i;
  }
  c->machine.faults.count = faults; /* as above */
  return vec_push(&c->letters, c->base.mem, MEM_SEARCH, letter);
}

const uint64_t *process_letters(const struct model_cursor *c) { return ((const struct process_cursor *)c)->letters.at; }

void process_asked_all(struct model *base) {
  struct program_reader *reader = &((struct process_model *)base)->program->reader;
  if (reader->close) reader->close(reader->context);
  *reader = (struct program_reader){0};
}
