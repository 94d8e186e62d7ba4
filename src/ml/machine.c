/* machine.c -- machines: the scratch memory of a thread, what a run begins with and how it ends.  The loop is run.c. */
#include "ml/native.h"

#include <stdio.h>

enum { FIRST_STACK = 256, MOST_NESTED = 40 };

int ml_machine_open(struct ml_machine **out, struct ml *ml, struct mem *mem, struct err *err) {
  struct ml_machine *m = mem_alloc(mem, MEM_MODEL, sizeof *m);
  *out = NULL;
  if (!m) return err_memory(err, "a machine for inscriptions");
  m->ml = ml;
  m->mem = mem;
  m->limit = 10 * 1000 * 1000;
  m->raised_by = ML_LIBS;
  m->room = FIRST_STACK;
  m->stack = mem_alloc(mem, MEM_MODEL, m->room * sizeof *m->stack);
  if (!m->stack || ml_heap_open(&m->heap, mem)) {
    ml_machine_close(m);
    return err_memory(err, "a machine for inscriptions");
  }
  *out = m;
  return 0;
}

void ml_machine_close(struct ml_machine *m) {
  if (!m) return;
  ml_heap_close(m->heap);
  vec_free(&m->frames, m->mem);
  vec_free(&m->handlers, m->mem);
  mem_free(m->mem, m->stack);
  mem_free(m->mem, m);
}

void ml_machine_clear(struct ml_machine *m) { ml_heap_clear(m->heap); }
struct ml_heap *ml_machine_heap(struct ml_machine *m) {
  return m->heap;
}
void ml_machine_limit(struct ml_machine *m, uint64_t steps) { m->limit = steps > INT64_MAX ? INT64_MAX : steps; }

enum ml_answer ml_raise(struct ml_machine *m, uint32_t exception, ml_value argument) {
  struct ml_block *b = ml_heap_cut(m->heap, ML_BLOCK_EXCEPTION, 2, 2);
  if (!b) return ML_MEMORY;
  b->field[0] = ml_from_int(exception);
  b->field[1] = argument;
  m->exception = ml_from_block(b);
  m->raised_by = ML_LIBS; /* whoever knows better says so */
  return ML_RAISED;
}

/* What went wrong, in words. */
static void describe(struct ml_machine *m) {
  char quoted[80] = "";
  const char *name = "?", *place = m->raised_in;
  switch (m->answer) {
  case ML_MEMORY: snprintf(m->fault, sizeof m->fault, "no memory left in the budget"); return;
  case ML_STEPS:
    if (m->complaint) snprintf(m->fault, sizeof m->fault, "%s%s%s", m->complaint, place ? " in " : "", place ? place : "");
    else
      snprintf(m->fault, sizeof m->fault, "more than %llu steps%s%s: it seems not to end", (unsigned long long)m->limit,
               place ? " in " : "", place ? place : "");
    return;
  default: break;
  }
  const struct ml_block *e = ml_block(m->exception);
  uint64_t number = (uint64_t)ml_to_int(e->field[0]);
  if (number < m->ml->exceptions.count) {
    const struct ml_exception *exception = m->ml->exceptions.at[number];
    name = exception->name;
    if (exception->argument) {
      char text[60];
      size_t length = ml_print_type(exception->argument, e->field[1], text, sizeof text);
      quoted[0] = ' ';
      err_quote(quoted + 1, sizeof quoted - 1, text, length < sizeof text ? length : sizeof text - 1);
    }
  }
  if (m->raised_by < ML_LIBS) place = ml_native_name(m->raised_by);
  snprintf(m->fault, sizeof m->fault, "uncaught exception %s%s%s%s%s", name, quoted, place ? " in " : "", place ? place : "",
           number == ML_EXN_MATCH && m->raised_by == ML_LIBS ? ": no rule fits the value" : "");
}

const char *ml_machine_fault(const struct ml_machine *m) { return m->fault; }

enum ml_answer ml_execute(struct ml_machine *m, const struct ml_function *f, ml_value *out) {
  if (m->nested >= MOST_NESTED) {
    m->complaint = "predicates of colour sets call each other too deep";
    return ML_STEPS;
  }
  if (m->nested == 0) {
    m->left = m->limit > INT64_MAX ? INT64_MAX : (int64_t)m->limit;
    m->runs++;
  }
  m->complaint = NULL;
  m->nested++;
  enum ml_answer answer = ml_machine_run(m, f, out);
  m->nested--;
  m->answer = answer;
  if (answer != ML_OK && m->nested == 0) describe(m);
  return answer;
}

enum ml_answer ml_run(struct ml_machine *m, const struct ml_code *code, const ml_value *variable, int64_t now, ml_value *out) {
  if (code->constant || code->is_variable) {
    *out = code->constant ? code->constant : variable[code->variable];
    return ML_OK;
  }
  const ml_value *outer_variable = m->variable;
  int64_t outer_now = m->now;
  m->variable = variable;
  m->now = now;
  enum ml_answer answer = ml_execute(m, code->function, out);
  m->variable = outer_variable;
  m->now = outer_now;
  return answer;
}
