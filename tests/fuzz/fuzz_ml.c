/* fuzz_ml.c -- any bytes as CPN ML: declarations, a line of two equal signs, an expression.  No crash, no lost memory, an error
 * says why; an expression that is accepted runs to an ordinary answer, and is worth the same where it stands beside a variable of
 * the net.  Then once more with one allocation refused. */
#define _GNU_SOURCE
#include "demand.h"
#include "ml/code.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int sound(int status, const struct err *e) {
  if (status == 0) return e->kind == ERR_NONE;
  return (e->kind == ERR_INPUT || e->kind == ERR_MEMORY || e->kind == ERR_LIMIT) && e->message[0] &&
         strlen(e->excerpt) < sizeof e->excerpt;
}

/* Runs an expression; its value as text, or how it ended. 0: it was refused. */
static int run(struct ml *ml, struct ml_machine *m, const char *text, size_t length, char *out, size_t room) {
  struct err e;
  const struct ml_expr *tree;
  const struct ml_code *code;
  struct ml_text t = {text, length, {"fuzz", 1, 1}, NULL};
  ml_value v, *variable = calloc(ml_variables(ml) + 1, sizeof *variable);
  demand(variable);
  err_clear(&e);
  int status = ml_check(&tree, ml, &t, ML_WANT_ANYTHING, NULL, &e);
  if (!status) status = ml_compile(&code, ml, tree, ML_WANT_ANYTHING, NULL, &e);
  demand(sound(status, &e));
  uint32_t used;
  if (!status && (ml_free_variables(tree, &used, 1) == 0 || (ml_free_variables(tree, &used, 1) == 1 && used == 0))) {
    variable[0] = ml_from_int(3); /* the one that is an int */
    enum ml_answer answer = ml_run(m, code, variable, 5, &v);
    if (answer == ML_OK) {
      size_t whole = ml_print_type(tree->type, v, out, room);
      demand(strlen(out) == (whole < room ? whole : room - 1));
    } else {
      demand(ml_machine_fault(m)[0]);
      snprintf(out, room, "%d", (int)answer);
    }
    ml_machine_clear(m);
  } else if (!status) status = -1;
  free(variable);
  return status == 0;
}

/* The same text as what inscriptions may be: no crash, an error says why, what is accepted runs. */
static void inscribe(struct ml *ml, struct ml_machine *m, const char *text, size_t length) {
  static const char *const colset[] = {"INT0", "TIMED0", "LIST0"};
  for (int want = ML_WANT_BOOL; want < ML_WANT_ANYTHING; want++) {
    for (int k = 0; k < 3; k++) {
      struct err e;
      const struct ml_expr *tree;
      const struct ml_code *code;
      const struct ml_colset *of = ml_find_colset(ml, colset[k]);
      struct ml_text t = {text, length, {"fuzz", 1, 1}, "arc"};
      ml_value v;
      err_clear(&e);
      int status = ml_check(&tree, ml, &t, (enum ml_wanted)want, of, &e);
      if (!status) status = ml_compile(&code, ml, tree, (enum ml_wanted)want, of, &e);
      demand(sound(status, &e));
      if (!status && ml_free_variables(tree, NULL, 0) == 0 && ml_run(m, code, NULL, 5, &v) != ML_OK)
        demand(ml_machine_fault(m)[0]);
      ml_machine_clear(m);
    }
  }
}

static void whole(struct mem *mem, const char *text, size_t size) {
  struct err e;
  struct ml *ml = NULL;
  struct ml_machine *m = NULL;
  err_clear(&e);
  int status = ml_open(&ml, mem, &e);
  demand(sound(status, &e));
  if (!status) {
    const char *line = size >= 4 ? memmem(text, size, "\n==\n", 4) : NULL;
    struct ml_text first = {
        "colset INT0 = int; colset TIMED0 = int timed; colset LIST0 = list INT0; var zz : INT0;", 86, {"fuzz", 1, 1}, NULL};
    struct ml_text t = {text, line ? (size_t)(line - text) : size, {"fuzz", 1, 1}, NULL};
    ml_machine_limit(ml->back->machine, 20000);
    status = ml_declare(ml, &first, &e);
    if (!status) status = ml_declare(ml, &t, &e);
    demand(sound(status, &e));
    if (!status && line && ml_machine_open(&m, ml, mem, &e) == 0) {
      static char alone[3000], beside[3000];
      const char *body = line + 4;
      size_t length = size - (size_t)(body - text), framed = length + 16;
      char *frame = malloc(framed);
      demand(frame);
      memcpy(frame, "#2 (zz, (\n", 10);
      memcpy(frame + 10, body, length);
      memcpy(frame + 10 + length, "\n))", 3);
      ml_machine_limit(m, 20000);
      if (run(ml, m, body, length, alone, sizeof alone) && run(ml, m, frame, length + 13, beside, sizeof beside) &&
          mem->fail_after == 0 && mem_left(mem) > ((size_t)16 << 20))
        demand(strcmp(alone, beside) == 0 || strcmp(alone, "2") == 0 || strcmp(beside, "2") == 0);
      free(frame);
      inscribe(ml, m, body, length);
    }
  }
  ml_machine_close(m);
  ml_close(ml);
  demand(mem->used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem mem;
  mem_open(&mem, (size_t)64 << 20);
  whole(&mem, (const char *)data, size);
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  mem.fail_after = 1 + (h >> 7) % 127;
  whole(&mem, (const char *)data, size);
  return 0;
}
