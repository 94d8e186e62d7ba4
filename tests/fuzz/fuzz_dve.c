/* fuzz_dve.c -- any bytes as DVE: no crash, no lost memory, an error says why and where; what is read is explored a little by
 * definition.  Then once more with one allocation refused. */
#include "front/dve/dve.h"

#include "../program_oracle.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hear(void *context, const struct err *e) {
  int *count = context;
  demand(e->kind == ERR_INPUT && e->message[0] && e->line >= 1 && e->column >= 1);
  ++*count;
}

static struct program *load(struct mem *m, const void *data, size_t size) {
  struct err e;
  struct program *program;
  int count = 0;
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in, .warn = no_warning, .error = hear, .error_context = &count};
  int status = dve_read(&program, &setup, &e);
  fclose(in);
  demand(status == 0 ? program && e.kind == ERR_NONE : !program && (e.kind == ERR_INPUT || e.kind == ERR_MEMORY) && e.message[0]);
  demand(e.kind != ERR_INPUT || (count >= 1 && count <= 20));
  demand(e.caret < (long)sizeof e.excerpt && strlen(e.excerpt) < sizeof e.excerpt);
  return program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  mem_open(&m, BUDGET);
  struct program *program = load(&m, data, size);
  if (program && program->global_cells < 1000) {
    size_t cells = 0, channels = 0;
    for (size_t i = 0; i < program->procs.count; i++) cells += program->procs.at[i].cells;
    for (size_t i = 0; i < program->chans.count; i++)
      channels += (size_t)program->chans.at[i].capacity * program->chans.at[i].fields;
    if (cells < 1000 && channels < 1000) {
      struct program_oracle o = program_oracle_explore(program, 50);
      demand(o.states >= 1 && !o.unsupported);
      program_oracle_free(&o);
    }
  }
  program_close(program);
  demand(m.used == 0);

  mem_open(&m, BUDGET);
  m.fail_after = fuzz_pick(data, size) % 96 + 1;
  program_close(load(&m, data, size));
  demand(m.used == 0);
  return 0;
}
