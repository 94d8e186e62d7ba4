/* fuzz_promela.c -- any bytes as Promela and as PROM+.  Texts with directives or joined lines are left out: they would start
 * the C preprocessor, which is another program. Which of the two an input is, and which allocation is refused if any, is picked by its bytes: an input that is read once instead of four times makes
 * a fuzzer three times as fast, and a neighbour of it is read the other way. */
#include "fuzz.h"

#include "front/promela/promela.h"
#include "front/promela/source.h"

static unsigned told;

static void hear(void *context, const struct err *e) {
  (void)context;
  demand(e->kind == ERR_INPUT && e->message[0] && strlen(e->excerpt) < sizeof e->excerpt && e->caret < (long)sizeof e->excerpt);
  demand(++told <= 20);
}

static void read_as(const uint8_t *data, size_t size, int plus, size_t refuse) {
  struct mem m;
  struct err e;
  struct program *p = NULL;
  mem_open(&m, BUDGET);
  m.fail_after = refuse;
  err_clear(&e);
  told = 0;
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  struct front_setup setup = {.mem = &m, .file = "fuzz", .input = in, .warn = no_warning, .error = hear};
  int status = promela_read(&p, &setup, plus, &e);
  fclose(in);
  demand(status == 0 ? p && e.kind == ERR_NONE && !told : !p && (e.kind == ERR_INPUT || e.kind == ERR_MEMORY) && e.message[0]);
  if (p) {
    demand(p->start.count && p->procs.count);
    for (size_t i = 0; i < p->trans.count; i++) demand(p->trans.at[i].text && p->trans.at[i].text[0]);
  }
  program_close(p);
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (include_needed((const char *)data, size)) return 0;
  size_t pick = fuzz_pick(data, size);
  read_as(data, size, pick % 2, 0);
  if (pick % 3 == 0) read_as(data, size, pick % 2, pick);
  return 0;
}
