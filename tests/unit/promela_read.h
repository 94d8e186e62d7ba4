/* promela_read.h -- what the tests of Promela share: a text becomes a program, or errors as text. */
#ifndef TESTS_UNIT_PROMELA_READ_H
#define TESTS_UNIT_PROMELA_READ_H

#include "front/promela/promela.h"

#include "tap.h"

#include <stdlib.h>

struct promela {
  struct mem mem;
  struct program *program;
  struct err err;
  char errors[8000]; /* "line:column message\n" of each */
  unsigned error_count;
  char warnings[2000];
};

__attribute__((unused)) static void hear_error(void *context, const struct err *e) {
  struct promela *r = context;
  size_t used = strlen(r->errors);
  snprintf(r->errors + used, sizeof r->errors - used, "%ld:%ld %s\n", e->line, e->column, e->message);
  r->error_count++;
}

__attribute__((unused)) static void hear_warning(void *context, struct place_in_text at, const char *message) {
  struct promela *r = context;
  size_t used = strlen(r->warnings);
  snprintf(r->warnings + used, sizeof r->warnings - used, "%ld %s\n", at.line, message);
}

/* 0 or -1; promela_done gives everything back. */
__attribute__((unused)) static int promela_text(struct promela *r, const char *text, int plus) {
  memset(r, 0, sizeof *r);
  mem_open(&r->mem, (size_t)64 << 20);
  err_clear(&r->err);
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  struct front_setup setup = {.mem = &r->mem,
                              .file = plus ? "t.pmp" : "t.pml",
                              .input = in,
                              .warn = hear_warning,
                              .warn_context = r,
                              .error = hear_error,
                              .error_context = r};
  int status = promela_read(&r->program, &setup, plus, &r->err);
  fclose(in);
  if (status && r->err.kind != ERR_INPUT) snprintf(r->errors, sizeof r->errors, "%s\n", r->err.message);
  return status;
}

__attribute__((unused)) static int promela_done(struct promela *r) {
  program_close(r->program);
  return r->mem.used == 0;
}

/* The automaton of a process type, one transition per line: "0>1 x = 1", A behind > for atomic, D inside d_steps, e: else, x:
   end, u: of an escape; states with a mark are followed by it: "3e". */
__attribute__((unused)) static char *promela_automaton(const struct program *p, uint32_t proc, char *out, size_t room) {
  const struct ir_proc *q = &p->procs.at[proc];
  size_t used = (size_t)snprintf(out, room, "start %u\n", (unsigned)q->start);
  for (uint32_t i = 0; i < q->states; i++) {
    const struct ir_state *s = &p->states.at[q->state + i];
    for (uint32_t k = 0; k < s->transitions && used < room; k++) {
      const struct ir_trans *t = &p->trans.at[s->trans + k];
      used +=
          (size_t)snprintf(out + used, room - used, "%u%s%s%s>%s%u%s%s%s %s\n", (unsigned)i, s->flags & IR_VALID_END ? "e" : "",
                           s->flags & IR_ACCEPT ? "a" : "", s->flags & IR_PROGRESS ? "p" : "",
                           t->flow == IR_ATOMIC  ? "A"
                           : t->flow == IR_DSTEP ? "D"
                                                 : "",
                           (unsigned)(t->flags & IR_END ? 0 : t->to), t->flags & IR_ELSE ? "e" : "", t->flags & IR_END ? "x" : "",
                           t->escape ? "u" : "", t->text);
    }
  }
  return out;
}

#endif
