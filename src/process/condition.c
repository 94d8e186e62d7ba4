/* condition.c -- what people ask about a program in its own language: the atoms of temporal formulas, invariants.
 *
 * The front end that read the program stays with it as a reader (program.h).  A condition becomes an expression of the program like any other; it is
 * evaluated by walking its tree over the image of the state, which successors are made from anyway. */
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

void process_asked_all(struct model *base) {
  struct program_reader *reader = &((struct process_model *)base)->program->reader;
  if (reader->close) reader->close(reader->context);
  *reader = (struct program_reader){0};
}
